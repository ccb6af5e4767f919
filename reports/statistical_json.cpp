// JSON of a statistical audit, in both directions.

#include "reports/audit_json.h"
#include "reports/audit_result.h"
#include "reports/fields.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kExpectWords = {"passes", "contradicted", "deviates", "fails",
                                               "passes for the inputs tried"};

// null for an empty text.
template <typename Fields>
void or_null(Fields& fields, const char* key, std::string& text) {
  if constexpr (Fields::kReads) {
    fields.newer(key, text);
  } else {
    fields.derived(key, text.empty() ? Json(nullptr) : Json(text));
  }
}

Json sampler_json(const SamplerUsed& sampler) {
  if (!sampler.transcript.empty()) return {{"transcript", sampler.transcript}};
  if (!sampler.function.empty()) return {{"function", sampler.function}};
  if (sampler.program.empty()) return "built in";
  return {{"program", sampler.program}, {"one_process_per_sample", sampler.one_process_per_sample}};
}

SamplerUsed read_sampler(JsonView json, ReadingContext& context) {
  SamplerUsed sampler;
  if (json.is_string()) return sampler;
  FieldReader fields(json, context);
  fields.object("a sampler");
  fields.newer("transcript", sampler.transcript);
  fields.newer("function", sampler.function);
  if (!sampler.transcript.empty() || !sampler.function.empty()) return sampler;
  fields.field("program", sampler.program);
  fields.newer("one_process_per_sample", sampler.one_process_per_sample);
  return sampler;
}

Json exact_json(const std::optional<ClaimedValue>& exact) {
  if (!exact) return nullptr;
  if (exact->number() != nullptr) return {{"delta", exact->text()}};
  FieldWriter fields;
  describe_level(fields, *exact->level());
  return fields.take();
}

ClaimedValue read_exact(JsonView json, ReadingContext& context) {
  const ResultObject object(json, "an exact level");
  if (const auto delta = object.find("delta")) return ClaimedValue(read_number(*delta, context));
  Level level;
  FieldReader fields(json, context);
  fields.object("an exact level");
  describe_level(fields, level);
  return ClaimedValue(std::move(level));
}

Json claim_of_audit_json(const AuditedClaim& claim) {
  return {{"index", claim.index},
          {"claimed", claim.claimed.text()},
          {"expect", claim.expect_holds ? "holds" : "refuted"},
          {"contradicted", claim.contradicted}};
}

AuditedClaim read_claim_of_audit(JsonView json, bool delta, ReadingContext& context) {
  AuditedClaim claim;
  FieldReader fields(json, context);
  fields.object("a claim");
  fields.field("index", claim.index);
  bool refuted = false;
  fields.word("expect", refuted, {"holds", "refuted"});
  claim.expect_holds = !refuted;
  fields.field("contradicted", claim.contradicted);
  const JsonView claimed = fields.members().require("claimed");
  claim.claimed = delta ? ClaimedValue(read_number(claimed, context)) : ClaimedValue(read_level(claimed, context));
  return claim;
}

template <typename Fields>
void describe_level_head(Fields& fields, AuditedLevel& level) {
  fields.object("a level");
  fields.field("notion", level.notion);
  fields.field("about", level.about);
  fields.where(level.delta_at.has_value(), "delta_at", level.delta_at);
  fields.field("at_least", level.at_least);
  fields.field("at_most", level.at_most);
  fields.newer("ceiling", level.ceiling);
  fields.newer("error", level.error);
  fields.newer("valid_at_any_time", level.any_time);
  fields.newer("how", level.how);
  fields.newer("sides", level.sides);
  fields.newer("only_first_is_guessed", level.only_first);
  fields.where(level.confidential, "confidential", level.confidential);
  or_null(fields, "output", level.output);
  fields.newer("rounds", level.score.rounds);
  fields.newer("guesses", level.score.guesses);
  fields.newer("right", level.score.right);
}

Json audited_level_json(const AuditedLevel& level, const StatisticalAudit& audit) {
  FieldWriter fields;
  describe_level_head(fields, const_cast<AuditedLevel&>(level));
  Json claims = Json::array();
  for (const AuditedClaim& claim : level.claims) claims.push_back(claim_of_audit_json(claim));
  fields.derived("claims", std::move(claims));
  fields.derived("exact", exact_json(level.exact));
  fields.derived("words", game_words(level, audit));
  return fields.take();
}

AuditedLevel read_audited_level(JsonView json, ReadingContext& context) {
  AuditedLevel level;
  FieldReader fields(json, context);
  describe_level_head(fields, level);
  for (const JsonView& claim : read_array(fields.members().require("claims"), "claims")) {
    level.claims.push_back(read_claim_of_audit(claim, level.delta_at.has_value(), context));
  }
  if (const auto exact = fields.members().find("exact")) level.exact = read_exact(*exact, context);
  return level;
}

Json evidence_json(const AnytimeLevel& level) {
  Json points = Json::array();
  for (const EvidencePoint& point : level.history) points.push_back({point.runs, written(point.log_evidence)});
  return {{"level", level.question}, {"contradicted_from", written(level.threshold)}, {"log_evidence", points}};
}

AnytimeLevel read_evidence(JsonView json, std::size_t levels, ReadingContext& context) {
  AnytimeLevel level;
  const ResultObject object(json, "evidence");
  const auto most = static_cast<std::int64_t>(levels) - 1;
  level.question = static_cast<std::size_t>(read_integer(object.require("level"), "a level", 0, most));
  level.threshold = Codec<double>::read(object.require("contradicted_from"), context);
  for (const JsonView& point : read_array(object.require("log_evidence"), "points")) {
    const std::vector<JsonView> pair = read_array(point, "runs and evidence");
    if (pair.size() != 2) point.fail("expected runs and evidence");
    level.history.push_back({Codec<std::uint64_t>::read(pair[0], context), Codec<double>::read(pair[1], context)});
  }
  return level;
}

template <typename Fields>
void describe_runs(Fields& fields, StatisticalAudit& audit) {
  fields.newer("samples", audit.samples);
  fields.newer("runs", audit.runs);
  fields.field("error", audit.error);
  describe_seed(fields, audit.seed);
  if constexpr (Fields::kReads) {
    if (!(audit.error > 0 && audit.error < 1)) {
      fields.members().require("error").fail("expected a probability between 0 and 1");
    }
  }
  or_null(fields, "interrupted", audit.interrupted.reason);
  fields.where(bool(audit.interrupted), "interrupted_by_limit", audit.interrupted.by_limit);
  fields.newer("dependence", audit.dependence);
  or_null(fields, "dependence_untested", audit.dependence_untested);
  fields.newer("dependence_power", audit.dependence_power);
  fields.newer("requests_compared", audit.requests);
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, ChosenInputs& inputs) {
  fields.object("the inputs");
  TriedInputs& tried = inputs.tried;
  fields.derived("tried", tried.compared());
  std::string of = inputs.of.to_string();
  fields.field("of", of);
  if constexpr (Fields::kReads) inputs.of = read_number(fields.members().require("of"), fields.context());
  fields.field("likely_under_prior", tried.prior);
  fields.field("that_show_levels", tried.witness);
  fields.field("random", tried.random);
  fields.field("neighbors", tried.neighbor);
  fields.field("runs_given_labels", tried.given_labels);
}

template <typename Fields>
void describe(Fields& fields, DependencePower& power) {
  fields.object("the power");
  fields.field("runs", power.runs);
  fields.field("within_batch", power.within);
  fields.field("batch_before", power.across);
  fields.field("stretches", power.stretches);
}

template <typename Fields>
void describe(Fields& fields, RequestsCompared& requests) {
  fields.object("what was seen of requests");
  fields.field("small_requests", requests.small_requests);
  fields.field("single_answers", requests.only);
  fields.field("first_answers", requests.first);
  fields.field("pairs_of_requests", requests.pairs);
}

template <typename Fields>
void describe(Fields& fields, DeviatingEntry& entry) {
  fields.object("a deviation");
  fields.field("input", entry.input);
  fields.field("output", entry.output);
  fields.field("count", entry.count);
  fields.field("runs", entry.runs);
  fields.field("stated", entry.stated);
  std::optional<double> lower, upper;
  if (entry.interval) std::tie(lower, upper) = *entry.interval;
  fields.field("lower", lower);
  fields.field("upper", upper);
  if (lower && upper) entry.interval = {*lower, *upper};
  fields.field("as_a_whole", entry.as_a_whole);
}

template <typename Fields>
void describe(Fields& fields, AgreementResult& agreement) {
  fields.object("the agreement");
  bool tested = agreement.untested.empty();
  fields.field("tested", tested);
  if (!tested) {
    fields.field("reason", agreement.untested);
    return;
  }
  fields.field("inputs", agreement.inputs);
  fields.field("entries", agreement.entries);
  fields.field("power", agreement.power);
  fields.field("deviations", agreement.deviations);
}

void write_statistical(FieldWriter& fields, const AuditResult& result) {
  const StatisticalAudit& audit = *result.statistical();
  fields.derived("plan", audit.plan.empty() ? Json(nullptr) : Json(audit.plan));
  fields.derived("sampler", sampler_json(audit.sampler));
  fields.derived("verdict", result.verdict());
  fields.word("expect", audit.expect, kExpectWords);
  fields.derived("ok", result.ok());
  describe_runs(fields, const_cast<StatisticalAudit&>(audit));
  Json levels = Json::array();
  fields.where(audit.inputs.has_value(), "inputs", const_cast<std::optional<ChosenInputs>&>(audit.inputs));
  for (const AuditedLevel& level : audit.levels) levels.push_back(audited_level_json(level, audit));
  fields.derived("levels", std::move(levels));
  fields.where(!audit.no_upper.empty(), "no_upper_bounds", audit.no_upper);
  fields.field("agreement", audit.agreement);
  Json evidence = Json::array();
  for (const AnytimeLevel& level : audit.history) evidence.push_back(evidence_json(level));
  if (!evidence.empty()) fields.derived("evidence", std::move(evidence));
  fields.where(!audit.left_out.empty(), "left_out", const_cast<std::vector<ClaimLeftOut>&>(audit.left_out));
  fields.field("files", result.files);
  fields.derived("words", summary_words(result));
  fields.field("seconds", audit.seconds);
}

void read_statistical(FieldReader& fields, StatisticalAudit& audit) {
  const ResultObject& object = fields.members();
  fields.newer("plan", audit.plan);
  audit.sampler = read_sampler(object.require("sampler"), fields.context());
  fields.word("expect", audit.expect, kExpectWords);
  describe_runs(fields, audit);
  fields.newer("inputs", audit.inputs);
  for (const JsonView& level : read_array(object.require("levels"), "levels")) {
    audit.levels.push_back(read_audited_level(level, fields.context()));
  }
  fields.newer("no_upper_bounds", audit.no_upper);
  fields.newer("agreement", audit.agreement);
  if (const auto evidence = object.find("evidence")) {
    for (const JsonView& one : read_array(*evidence, "evidence")) {
      audit.history.push_back(read_evidence(one, audit.levels.size(), fields.context()));
    }
  }
  fields.newer("left_out", audit.left_out);
  fields.newer("seconds", audit.seconds);
}

}  // namespace oddsbound::reports
