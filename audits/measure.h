// Runs what is audited: for every question a pilot, from which an attack is learned, then rounds of the game on fresh
// runs. Blocks of rounds have random streams of their own, so that the counts do not depend on threads, and shards of
// an audit add up to what one run would have counted.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "audits/attack.h"
#include "audits/runner.h"
#include "audits/score.h"

namespace oddsbound {

struct AuditOptions {
  std::uint64_t samples = 1'000'000;  // runs in all
  double alpha = 0.01;                // the probability that anything reported is wrong
  std::uint64_t seed = 0;
  std::size_t threads = 1;
  bool all_levels = false;
  std::uint64_t shard = 0, shards = 1;
};

/// What was counted for one question.
struct Evidence {
  Question question;
  Game game;
  std::string how;            // words about the rule
  Rule rule;                  // where outputs are counted
  // Per input, where outputs are counted: of the pilot, of a second one, of the game.
  Tally pilot, second, final;
  Score score;                // of the game, on fresh runs
  std::uint64_t planned = 0;  // its rounds, of all shards
  std::uint64_t pilot_rounds = 0;
};

struct Measurement {
  std::vector<Evidence> evidence;
  std::string interrupted;  // why it ended before its time; empty if it did not

  std::uint64_t runs() const;
};

/// Called now and then with the number of runs made and planned.
using AuditProgress = std::function<void(std::uint64_t runs, std::uint64_t planned)>;

/// A mechanism whose outputs are few enough to be counted one by one.
bool outputs_are_counted(const Spec& spec);

/// Ends early, and says why, past the budget's time and where the runner throws ProgramError.
Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, Budget& budget,
                    const AuditProgress& progress = {});

}  // namespace oddsbound
