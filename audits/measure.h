// Runs what is audited: for every question a pilot, from which an attack is learned, then rounds of the game on fresh
// runs. Blocks of rounds have random streams of their own, so that the counts do not depend on threads, and shards of
// an audit add up to what one run would have counted.
#pragma once

#include "audits/outcomes.h"


#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "audits/attack.h"
#include "audits/choice.h"
#include "audits/runner.h"
#include "audits/score.h"

namespace oddsbound::audits {

/// The same limits without that of time: for what is said about an audit that ran out of it.
Limits without_time(Limits limits);

/// What was found out for one question.
struct GameEvidence {
  Question question;
  Game game;
  std::string how;            // words about the rule
  Score score;                // of the game, on fresh runs
  std::uint64_t planned = 0;  // its rounds, of all shards
  std::uint64_t pilot_rounds = 0;
};

struct Measurement {
  std::vector<GameEvidence> evidence;
  /// Counts per input of all pilots, of all second looks at attacks, of all games: how often each input ran in one may
  /// depend on what came out in those before. Empty where outputs are not counted.
  std::vector<Tally> stages;
  Interruption interrupted;
  std::optional<TriedInputs> tried;  // none where all inputs are

  std::uint64_t runs() const;
};

/// Called now and then with the number of runs made and planned.
using AuditProgress = std::function<void(std::uint64_t runs, std::uint64_t planned)>;

/// Whether every input is tried, and outputs are few enough to be counted one by one.
bool outputs_are_counted(const Spec& spec);

/// Ends early, and says why, past the budget's time and where the runner throws ProgramError.
Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, Budget& budget,
                    const AuditProgress& progress = {});
/// The same among inputs that were chosen before; null: all.
Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, const InputChoicePtr& among,
                    Budget& budget, const AuditProgress& progress = {});

}  // namespace oddsbound::audits
