// JSON of a statistical audit, in both directions.

#include "reports/audit_json.h"
#include "reports/audit_result.h"
#include "reports/level_fields.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kExpectWords = {"passes", "contradicted", "deviates", "fails",
                                               "passes for the inputs tried"};

// null for an empty text.
template <typename Fields>
void or_null(Fields& fields, const char* key, std::string& text) {
  if (fields.present(key, !text.empty())) return fields.field(key, text);
  fields.derived(key, Json(nullptr));
}

}  // namespace

template <>
struct Codec<SamplerUsed> {
  static Json write(const SamplerUsed& sampler) {
    if (!sampler.transcript.empty()) return {{"transcript", sampler.transcript}};
    if (!sampler.function.empty()) return {{"function", sampler.function}};
    if (sampler.program.empty()) return "built in";
    return {{"program", sampler.program}, {"one_process_per_sample", sampler.one_process_per_sample}};
  }
  static SamplerUsed read(JsonView json, ReadingContext& context) {
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
};

/// [runs, log evidence]
template <>
struct Codec<EvidencePoint> {
  static Json write(const EvidencePoint& point) { return {point.runs, written(point.log_evidence)}; }
  static EvidencePoint read(JsonView json, ReadingContext& context) {
    const std::vector<JsonView> pair = read_array(json, "runs and evidence");
    if (pair.size() != 2) json.fail("expected runs and evidence");
    return {Codec<std::uint64_t>::read(pair[0], context), Codec<double>::read(pair[1], context)};
  }
};

namespace {

// An exact level, or delta.
struct ExactValue {
  static Json write(const ClaimedValue& exact) {
    if (exact.number() != nullptr) return {{"delta", exact.text()}};
    return LevelAlone::write(*exact.level());
  }
  static ClaimedValue read(JsonView json, ReadingContext& context) {
    const auto delta = ResultObject(json, "an exact level").find("delta");
    return delta ? ClaimedValue(read_number(*delta, context)) : ClaimedValue(LevelAlone::read(json, context));
  }
};

void describe_claimed_value(FieldWriter& fields, const ClaimedValue& claimed, bool) {
  fields.derived("claimed", claimed.text());
}

void describe_claimed_value(FieldReader& fields, ClaimedValue& claimed, bool delta) {
  const JsonView json = fields.members().require("claimed");
  claimed =
      delta ? ClaimedValue(read_number(json, fields.context())) : ClaimedValue(read_level(json, fields.context()));
}

template <typename Fields>
void describe_audited(Fields& fields, AuditedLevel& level, const StatisticalAudit& audit) {
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
  fields.list("claims", level.claims, [&](auto& inner, AuditedClaim& claim) {
    inner.object("a claim");
    inner.field("index", claim.index);
    describe_claimed_value(inner, claim.claimed, level.delta_at.has_value());
    inner.word("expect", claim.expect_holds, {"refuted", "holds"});
    inner.field("contradicted", claim.contradicted);
  });
  fields.template as<ExactValue>("exact", level.exact);
  if constexpr (!Fields::kReads) fields.derived("words", game_words(level, audit));
}

template <typename Fields>
void describe_evidence(Fields& fields, AnytimeLevel& level, const StatisticalAudit& audit) {
  fields.object("evidence");
  fields.field("level", level.question);
  fields.field("contradicted_from", level.threshold);
  fields.field("log_evidence", level.history);
  if constexpr (Fields::kReads) {
    if (level.question >= audit.levels.size()) fields.members().require("level").fail("there is no such level");
  }
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, ChosenInputs& inputs) {
  fields.object("the inputs");
  TriedInputs& tried = inputs.tried;
  fields.derived("tried", tried.compared());
  fields.field("of", inputs.of);
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

namespace {

template <typename Fields>
void describe_runs(Fields& fields, AuditResult& result) {
  auto& audit = std::get<StatisticalAudit>(result.found);
  or_null(fields, "plan", audit.plan);
  fields.field("sampler", audit.sampler);
  fields.derived("verdict", result.verdict());
  fields.word("expect", audit.expect, kExpectWords);
  fields.derived("ok", result.ok());
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
  fields.where(audit.inputs.has_value(), "inputs", audit.inputs);
  fields.list("levels", audit.levels, [&](auto& inner, auto& level) { describe_audited(inner, level, audit); });
  fields.where(!audit.no_upper.empty(), "no_upper_bounds", audit.no_upper);
  fields.newer("agreement", audit.agreement);
  if (fields.present("evidence", !audit.history.empty())) {
    fields.list("evidence", audit.history, [&](auto& inner, auto& level) { describe_evidence(inner, level, audit); });
  }
  fields.where(!audit.left_out.empty(), "left_out", audit.left_out);
  fields.newer("files", result.files);
  if constexpr (!Fields::kReads) fields.derived("words", summary_lines(result));
  fields.newer("seconds", audit.seconds);
}

}  // namespace

void describe_statistical(FieldWriter& fields, AuditResult& result) { describe_runs(fields, result); }
void describe_statistical(FieldReader& fields, AuditResult& result) { describe_runs(fields, result); }

}  // namespace oddsbound::reports
