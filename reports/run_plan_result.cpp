#include "reports/run_plan_result.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "reports/audit_json.h"
#include "reports/audit_result.h"
#include "reports/fields.h"
#include "reports/layout.h"
#include "reports/level_fields.h"
#include "reports/report.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

void describe(FieldWriter& fields, PlannedRuns& claim) {
  fields.field("index", claim.claim);
  fields.field("what", claim.what);
  fields.field("claimed", claim.claimed);
  fields.where(!claim.delta_at.empty(), "delta_at", claim.delta_at);
  fields.where(claim.samples.has_value(), "samples", claim.samples);
  fields.where(!claim.samples, "reason", claim.reason);
  fields.field("guessed", claim.guessed);
  fields.field("allowed", claim.allowed);
  fields.field("violated", claim.violated);
  fields.where(claim.confidential, "confidential", claim.confidential);
}

void describe(FieldWriter& fields, RunPlan& plan) {
  fields.field("file", plan.file);
  fields.field("name", plan.name);
  fields.field("margin", plan.margin);
  fields.field("power", plan.power);
  fields.field("error", plan.error);
  fields.derived("samples", plan.samples());
  fields.field("claims", plan.claims);
  fields.where(!plan.left_out.empty(), "left_out", plan.left_out);
}

std::string to_json(const std::vector<RunPlan>& plans) {
  nlohmann::ordered_json document = json_head();
  document["plans"] = written(plans);
  return json_text(document);
}

int RunPlan::exit_status() const {
  const bool open = std::any_of(claims.begin(), claims.end(), [](const PlannedRuns& claim) { return !claim.samples; });
  return open ? 3 : 0;
}

std::uint64_t RunPlan::samples() const {
  std::uint64_t most = 0;
  for (const PlannedRuns& claim : claims) most = std::max(most, claim.samples.value_or(0));
  return most;
}

std::string text_run_plan(const RunPlan& plan) {
  constexpr std::size_t kLongest = 40;
  std::string text = fmt::format(
      "{} ({}): runs that detect a violation by {:g} with probability {:g}\n  for a sampler as stated, except that "
      "the distinguishing outputs leak that much more\n",
      printable(plan.name), printable(plan.file), plan.margin, plan.power);
  for (const PlannedRuns& claim : plan.claims) {
    const std::string at = claim.delta_at.empty() ? "" : " at " + printable(claim.delta_at, kLongest) + ": delta";
    text += fmt::format("  claim {}: {}{} <= {}: ", claim.claim, printable(claim.what, kLongest), at,
                        printable(claim.claimed, kLongest));
    if (!claim.samples) {
      text += "NOT KNOWN: " + claim.reason + "\n";
      continue;
    }
    text +=
        fmt::format("{} runs\n      a guess in {:.3g} % of rounds, correct for {:.4g} %; at most {:.4g} % is allowed\n",
                    *claim.samples, 100 * claim.guessed, 100 * claim.violated, 100 * claim.allowed);
  }
  for (const ClaimLeftOut& claim : plan.left_out) text += left_out_words(claim);
  if (plan.samples() > 0) text += fmt::format("  all of them: --samples {}\n", plan.samples());
  return text;
}

void describe(FieldWriter& fields, DrawnOutput& drawn) {
  fields.field("output", drawn.output);
  fields.field("count", drawn.count);
}

void describe(FieldWriter& fields, SampleResult& result) {
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.derived("random", random_words(result.seed));
  describe_seed(fields, result.seed);
}

namespace {

// The part before the outputs: the document of the other fields, without its end.
std::string json_before_outputs(const SampleResult& result) {
  nlohmann::ordered_json head = json_head();
  head.update(written(result));
  std::string text = json_text(head);
  text.erase(text.size() - 3);
  return text + ",\n  \"outputs\": [";
}

template <typename Cell>
std::string csv_row(const std::vector<Cell>& cells) {
  std::string line;
  for (const Cell& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

struct CsvNames {
  const SampleResult& result;
  std::string operator()(const std::vector<std::string>&) const { return "output\n"; }
  std::string operator()(const std::vector<DrawnOutput>&) const { return "output,count\n"; }
  std::string operator()(const std::vector<std::vector<double>>&) const { return csv_row(result.coordinates); }
};

std::string csv_line(const std::string& label) { return csv_cell(label) + "\n"; }
std::string csv_line(const DrawnOutput& drawn) {
  return csv_cell(drawn.output) + "," + std::to_string(drawn.count) + "\n";
}
std::string csv_line(const std::vector<double>& vector) { return csv_row(vector); }

std::string whole(bool json, const SampleResult& result) {
  SampleWriter writer(json);
  std::string text = writer.piece(result);
  return text + writer.end();
}

}  // namespace

std::string SampleWriter::piece(const SampleResult& piece) {
  std::string text;
  if (!begun_) text = json_ ? json_before_outputs(piece) : std::visit(CsvNames{piece}, piece.outputs);
  begun_ = true;
  const auto item = [&](const auto& drawn) {
    if (!json_) return csv_line(drawn);
    const char* before = std::exchange(first_, false) ? "\n    " : ",\n    ";
    return before + one_line(written(drawn));
  };
  std::visit(
      [&](const auto& outputs) {
        for (const auto& drawn : outputs) text += item(drawn);
      },
      piece.outputs);
  return text;
}

std::string SampleWriter::end() const { return json_ ? "\n  ]\n}\n" : ""; }

std::string to_json(const SampleResult& result) { return whole(true, result); }
std::string text_samples(const SampleResult& result) { return whole(false, result); }

}  // namespace oddsbound::reports
