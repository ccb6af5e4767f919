// How many runs an audit needs, before anything is run.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "audits/outcomes.h"
#include "base/budget.h"
#include "specs/json_document.h"

namespace oddsbound::reports {

/// Rates and shares are rounded: a plan is no verdict.
struct PlannedRuns {
  std::size_t claim = 0;                 // its index in the spec
  std::string what;                      // "bcdp sex"
  std::string claimed;                   // a level, or delta
  std::string delta_at{};                // the level at which it is; empty for a level
  std::optional<std::uint64_t> samples;  // of the whole audit; none: `reason`
  std::string reason{};
  double guessed = 0;         // the share of rounds in which a guess is made
  double allowed = 0;         // the share of these that the claim allows to be right
  double violated = 0;        // the share that is right if the claim is wrong by the margin
  bool confidential = false;  // they depend on a confidential table
};

struct RunPlan {
  std::string file, name;
  double margin = 0;  // by which a claim is wrong, in nats; of delta, as a probability
  double power = 0;   // the probability with which that is found
  double error = 0;   // that of the audit
  std::vector<PlannedRuns> claims;
  std::vector<ClaimLeftOut> left_out;

  /// 3 if it is not known of some claim.
  int exit_status() const;
  /// As many as every claim that is planned needs.
  std::uint64_t samples() const;
};

std::string to_json(const std::vector<RunPlan>& plans);
/// Throws SpecError for what is no such document.
std::vector<RunPlan> run_plans_from_json(const JsonDocument& document, Budget& budget);
std::string text_run_plan(const RunPlan& plan);

// What was drawn of a mechanism, as values; as CSV or JSON whole, or piece by piece, for there may be more than memory
// holds.

struct DrawnOutput {
  std::string output;
  std::uint64_t count = 0;
};

struct SampleResult {
  std::string file;
  std::string name;
  std::optional<std::uint64_t> seed;     // none: the system's randomness; only that is private
  std::vector<std::string> coordinates;  // of continuous outputs; not part of a document
  /// The label of every draw; labels with how often each was drawn; or every draw of continuous outputs.
  std::variant<std::vector<std::string>, std::vector<DrawnOutput>, std::vector<std::vector<double>>> outputs;
};

std::string to_json(const SampleResult& result);
/// Throws SpecError for what is no such document.
SampleResult samples_from_json(const JsonDocument& document, Budget& budget);

/// CSV, with a row of names.
std::string text_samples(const SampleResult& result);

/// The same documents in pieces: what is before the outputs comes with the first, what is behind them at the end.
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
