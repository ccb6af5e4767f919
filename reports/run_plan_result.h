// Results of planning (the number of runs that an audit needs) and of sampling.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "audits/outcomes.h"

namespace oddsbound::reports {

/// Rates and fractions are rounded: a plan is not a verdict.
struct PlannedRuns {
  std::size_t claim = 0;                 // index in the spec
  std::string what;                      // "bcdp sex"
  std::string claimed;                   // a level, or delta
  std::string delta_at{};                // the level of a delta; empty for a level
  std::optional<std::uint64_t> samples;  // of the whole audit; nullopt: see `reason`
  std::string reason{};
  double guessed = 0;         // fraction of rounds with a guess
  double allowed = 0;         // fraction of guesses that the claim allows to be right
  double violated = 0;        // fraction that is right if the claim is wrong by the margin
  bool confidential = false;  // depends on a confidential table
};

struct RunPlan {
  std::string file, name;
  double margin = 0;  // by how much a claim is wrong, in nats (delta: probability)
  double power = 0;   // probability that the violation is found
  double error = 0;   // of the audit
  std::vector<PlannedRuns> claims;
  std::vector<ClaimLeftOut> left_out;

  /// 3 if some claim has no plan.
  int exit_status() const;
  /// The largest number of runs of all planned claims.
  std::uint64_t samples() const;
};

std::string to_json(const std::vector<RunPlan>& plans);
std::string text_run_plan(const RunPlan& plan);

// Samples of a mechanism. Written as CSV or JSON, whole or in pieces, because they may exceed memory.

struct DrawnOutput {
  std::string output;
  std::uint64_t count = 0;
};

struct SampleResult {
  std::string file;
  std::string name;
  std::optional<std::uint64_t> seed;     // nullopt: the system's randomness, the only private choice
  std::vector<std::string> coordinates;  // of continuous outputs; not in the document
  /// The label of every draw, labels with counts, or every draw of continuous outputs.
  std::variant<std::vector<std::string>, std::vector<DrawnOutput>, std::vector<std::vector<double>>> outputs;
};

std::string to_json(const SampleResult& result);

/// CSV with a header.
std::string text_samples(const SampleResult& result);

/// The same documents in pieces. The first piece includes the text before the outputs; end() returns the rest.
class SampleWriter {
 public:
  explicit SampleWriter(bool json) : json_(json) {}
  std::string piece(const SampleResult& piece);
  std::string end() const;

 private:
  bool json_;
  bool begun_ = false;
  bool first_ = true;  // no output was written yet
};

}  // namespace oddsbound::reports
