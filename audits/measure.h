// Runs the audited sampler: for every question a pilot, from which an attack is learned, then rounds of the game on
// fresh runs. Each block of rounds has its own random stream. So the counts do not depend on threads, and the shards
// of an audit add up to the counts of a single run.
#pragma once

#include "audits/outcomes.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "audits/attack.h"
#include "audits/choice.h"
#include "audits/runner.h"
#include "audits/score.h"

namespace oddsbound::audits {

/// The same limits without the time limit: for the report of an audit that ran out of time.
Limits without_time(Limits limits);

/// The result for one question.
struct GameEvidence {
  Question question;
  Game game;
  std::string how;            // describes the rule
  Score score;                // of the game, on fresh runs
  std::uint64_t planned = 0;  // rounds of the game, all shards
  std::uint64_t pilot_rounds = 0;
};

struct Measurement {
  std::vector<GameEvidence> evidence;
  /// Counts per input of all pilots, all second looks at attacks, and all games. The run counts of a stage may depend
  /// on the outcomes of the stages before. Empty if outputs are not counted.
  std::vector<Tally> stages;
  Interruption interrupted;
  std::optional<TriedInputs> tried;              // nullopt if all inputs are tried
  std::map<std::size_t, std::string> unasked{};  // claims without a question (AskedClaims)

  std::uint64_t runs() const;
};

/// Called from time to time with the numbers of runs made and planned.
using AuditProgress = std::function<void(std::uint64_t runs, std::uint64_t planned)>;

/// True if every input is tried and outputs are few enough to count each.
bool outputs_are_counted(const Spec& spec);

/// Ends early, with a reason, if the budget's time is used up or the runner throws ProgramError.
Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, Budget& budget,
                    const AuditProgress& progress = {});
/// The same on inputs chosen before; nullptr: all inputs.
Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, const InputChoicePtr& among,
                    Budget& budget, const AuditProgress& progress = {});

}  // namespace oddsbound::audits
