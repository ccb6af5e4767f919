// Reads what an audit found back from its JSON.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "results/reader.h"

namespace oddsbound {

namespace {

std::string sampler_words(JsonView sampler) {
  if (sampler.is_string()) return std::string(sampler.text());
  const ResultObject object(sampler, "a sampler");
  const std::string transcript = object.optional_string("transcript");
  return transcript.empty() ? "the program " + object.string("program") : "recorded runs, " + transcript;
}

void read_exact_level(JsonView value, ReadingContext& context, ReportAuditLevel& level) {
  const ResultObject exact(value, "an exact level");
  if (const auto delta = exact.find("delta")) {
    level.exact = read_string(*delta, "delta");
    level.exact_value = read_number(*delta, context).approx();
    return;
  }
  level.exact = exact.string("epsilon");
  level.exact_value =
      level.exact == "inf" ? std::numeric_limits<double>::infinity() : result_decimal(exact.require("lower"));
}

ReportAuditClaim read_audit_claim(JsonView value, bool delta, ReadingContext& context) {
  const ResultObject object(value, "a claim");
  const JsonView claimed = object.require("claimed");
  ReportAuditClaim claim;
  claim.index = static_cast<std::size_t>(read_integer(object.require("index"), "an index", 0, INT64_MAX));
  claim.claimed = read_string(claimed, "a level");
  claim.value = delta ? read_number(claimed, context).approx() : read_level(claimed, context).approx();
  claim.expect_holds = object.string("expect") == "holds";
  claim.contradicted = object.boolean("contradicted");
  return claim;
}

ReportAuditLevel read_audit_level(JsonView value, ReadingContext& context) {
  const ResultObject object(value, "a level");
  ReportAuditLevel level;
  level.title = object.string("notion");
  const std::string about = object.string("about");
  if (!about.empty()) level.title += " " + about;
  const std::string delta_at = object.optional_string("delta_at");
  if (!delta_at.empty()) level.title += " at " + delta_at + ": delta";
  level.at_least = result_double(object.require("at_least"), "a number", true);
  if (const auto most = object.find("at_most")) level.at_most = result_double(*most, "a number", true);
  if (const auto ceiling = object.find("ceiling")) level.ceiling = result_double(*ceiling, "a number", true);
  if (const auto exact = object.find("exact")) read_exact_level(*exact, context, level);
  level.words = object.optional_string("words");
  for (const JsonView& claim : read_array(object.require("claims"), "claims")) {
    level.claims.push_back(read_audit_claim(claim, !delta_at.empty(), context));
  }
  return level;
}

ReportEvidence read_evidence(JsonView value, const ReportAudit& audit) {
  const ResultObject object(value, "evidence");
  ReportEvidence evidence;
  const JsonView which = object.require("level");
  const auto most = static_cast<std::int64_t>(audit.levels.size()) - 1;
  evidence.title = audit.levels[static_cast<std::size_t>(read_integer(which, "a level", 0, most))].title;
  evidence.threshold = result_double(object.require("contradicted_from"), "a number", true);
  for (const JsonView& point : read_array(object.require("log_evidence"), "points")) {
    const std::vector<JsonView> pair = read_array(point, "runs and evidence");
    if (pair.size() != 2) point.fail("expected runs and evidence");
    evidence.points.emplace_back(result_double(pair[0], "runs"), result_double(pair[1], "evidence", true));
  }
  return evidence;
}

void read_statistical(const ResultObject& object, ReadingContext& context, ReportAudit& audit) {
  audit.ok = object.boolean("ok");
  audit.expect = result_word(object.require("expect"), {"passes", "contradicted", "deviates", "fails"});
  const bool fails = audit.verdict == "contradicted" || audit.verdict == "deviates";
  if (audit.ok && audit.verdict != audit.expect && !(audit.expect == "fails" && fails)) {
    object.require("ok").fail("found true, but the verdict is not the expected one");
  }
  audit.undecided = !audit.ok && audit.verdict == "interrupted";
  const auto by_limit = object.find("interrupted_by_limit");
  audit.failed = object.find("interrupted") && !(by_limit && read_boolean(*by_limit, "interrupted_by_limit"));
  audit.sampler = sampler_words(object.require("sampler"));
  audit.seed = object.string("seed");
  audit.confidence = fmt::format("{:.12g} %", 100 * (1 - result_double(object.require("error"), "a number")));
  audit.reason = object.optional_string("interrupted");
  for (const JsonView& level : read_array(object.require("levels"), "levels")) {
    audit.levels.push_back(read_audit_level(level, context));
  }
  const bool contradicted = std::any_of(audit.levels.begin(), audit.levels.end(), [](const ReportAuditLevel& level) {
    return std::any_of(level.claims.begin(), level.claims.end(),
                       [](const ReportAuditClaim& claim) { return claim.expect_holds && claim.contradicted; });
  });
  if (contradicted && audit.verdict == "passes") {
    object.require("verdict").fail("found 'passes', but a claim that should hold is contradicted");
  }
  if (const auto evidence = object.find("evidence")) {
    for (const JsonView& one : read_array(*evidence, "evidence")) audit.evidence.push_back(read_evidence(one, audit));
  }
}

bool has_choice(const ResultObject& object, const std::string& verdict) {
  const auto choices = object.find("choices");
  if (!choices) return false;
  for (const JsonView& choice : read_array(*choices, "choices")) {
    if (ResultObject(choice, "a choice").string("verdict") == verdict) return true;
  }
  return false;
}

// A fault of an entry or of a choice.
bool has_fault(const ResultObject& object) {
  const auto differs = object.find("differs");
  return (differs && !read_array(*differs, "entries").empty()) || has_choice(object, "fails");
}

}  // namespace

ReportAudit read_audit_result(JsonView value, ReadingContext& context) {
  const ResultObject object(value, "an audit's result");
  ReportAudit audit;
  audit.file = object.string("file");
  audit.name = object.string("name");
  audit.kind = result_word(object.require("kind"), {"statistical", "exhaustive"});
  audit.files = result_files(object);
  audit.verdict = result_word(object.require("verdict"), {"passes", "passes except", "contradicted", "deviates",
                                                          "interrupted", "fails", "undecided"});
  if (const auto words = object.find("words")) audit.words = result_strings(*words, "words");
  if (const auto runs = object.find("runs")) {
    audit.runs = static_cast<std::uint64_t>(read_integer(*runs, "runs", 0, INT64_MAX));
  }
  if (audit.kind == "statistical") {
    read_statistical(object, context, audit);
    return audit;
  }
  if (audit.verdict.starts_with("passes") && has_fault(object)) {
    object.require("verdict").fail("found '" + audit.verdict + "', but an entry or a choice is at fault");
  }
  // Versions up to 0.5.0 said "passes" of these as well.
  audit.excepted =
      audit.verdict == "passes except" || (audit.verdict == "passes" && has_choice(object, "not enumerated"));
  const auto accepted = object.find("accepted");
  audit.ok = (audit.verdict == "passes" && !audit.excepted) ||
             (audit.excepted && accepted && read_boolean(*accepted, "accepted"));
  audit.undecided = audit.verdict == "undecided" || (audit.excepted && !audit.ok);
  audit.reason = object.optional_string("reason");
  audit.sampler = "built in";
  audit.expect = "passes";
  return audit;
}

}  // namespace oddsbound
