// JSON of audits, in both directions.
#include "reports/audit_json.h"

#include <tuple>

#include "reports/level_fields.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

// Statistical audits

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
  or_null(fields, "notion", level.notion);
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
    inner.where(!claim.implied_by.empty(), "implied_by", claim.implied_by);
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

template <typename Fields>
void describe(Fields& fields, AuditedDelta& point) {
  fields.object("a point of the curve");
  fields.field("epsilon", point.epsilon);
  fields.field("at_least", point.at_least);
  fields.field("outputs", point.outputs);
  fields.field("runs_from", point.in_from);
  fields.field("runs_to", point.in_to);
  fields.where(point.stated_at_least.has_value(), "stated_at_least", point.stated_at_least);
  fields.where(point.stated_at_most.has_value(), "stated_at_most", point.stated_at_most);
  fields.derived("exceeds", point.exceeds());
}

template <typename Fields>
void describe(Fields& fields, AuditedCurve& curve) {
  fields.object("a curve");
  fields.field("from", curve.from);
  fields.field("to", curve.to);
  fields.field("runs_from", curve.runs_from);
  fields.field("runs_to", curve.runs_to);
  fields.field("points", curve.points);
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
  fields.where(audit.curve.has_value(), "curve", audit.curve);
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

// Exhaustive audits

namespace {

const std::vector<std::string> kChoiceVerdicts = {"passes", "fails", "not enumerated"};
const std::vector<std::string> kShownByWords = {"enumeration", "branches", "induction", "nothing"};

}  // namespace

template <typename Fields>
void describe(Fields& fields, DerivedEntry& entry) {
  fields.object("an entry");
  bool numbered = entry.input.empty();
  if constexpr (Fields::kReads) numbered = !fields.members().require("input").is_array();
  if (numbered) {
    fields.field("input", entry.input_number);
    fields.field("output", entry.output_number);
  } else {
    fields.field("input", entry.input);
    fields.field("output", entry.output);
  }
  fields.field("stated", entry.stated);
  fields.field("lower", entry.lower);
  fields.field("upper", entry.upper);
}

template <typename Fields>
void describe(Fields& fields, DerivedChoice& choice) {
  fields.object("a choice");
  fields.field("choice", choice.what);
  fields.newer("runs", choice.runs);
  const bool shown = choice.by != ShownBy::kNothing;
  std::size_t verdict = choice.fails ? 1 : shown ? 0 : 2;
  fields.word("verdict", verdict, kChoiceVerdicts);
  choice.fails = verdict == 1;
  if constexpr (Fields::kReads) {
    choice.by = ShownBy::kNothing;
    if (const auto by = fields.members().find("by")) choice.by = static_cast<ShownBy>(result_word(*by, kShownByWords));
    // Versions up to 0.5.0 did not record the method.
    if (verdict != 2 && choice.by == ShownBy::kNothing) choice.by = ShownBy::kEnumeration;
  } else if (shown) {
    fields.word("by", choice.by, kShownByWords);
  }
  fields.where(!shown && !choice.reason.empty(), "reason", choice.reason);
  fields.newer("widest", choice.widest);
  fields.where(!choice.differs.empty(), "differs", choice.differs);
}

template <typename Fields>
void describe(Fields& fields, Derivation& derived) {
  fields.newer("entries", derived.entries);
  fields.newer("runs", derived.runs);
  fields.newer("parts", derived.parts);
  std::vector<std::pair<std::string, std::uint64_t>> composed{{"inputs", derived.inputs},
                                                              {"followed", derived.composed}};
  fields.where(derived.parts > 0, "composed", composed);
  for (const auto& [name, count] : composed) (name == "inputs" ? derived.inputs : derived.composed) = count;
  fields.newer("widest", derived.widest);
  fields.newer("choices", derived.choices);
  fields.newer("differs", derived.differs);
  fields.where(!derived.intervals.empty(), "intervals", derived.intervals);
}

namespace {

template <typename Fields>
void describe_derivation(Fields& fields, AuditResult& result) {
  auto& audit = std::get<ExhaustiveAudit>(result.found);
  fields.derived("verdict", result.verdict());
  fields.where(result.excepted(), "accepted", audit.accepted);
  fields.newer("files", result.files);
  if constexpr (Fields::kReads) {
    if (fields.members().require("verdict").text() != "undecided") audit.derived.emplace();
  } else {
    fields.derived("words", summary_lines(result));
  }
  audit.derived ? describe(fields, *audit.derived) : fields.newer("reason", audit.reason);
}

}  // namespace

// Both kinds

namespace {

// Throws SpecError if the stated verdict contradicts the findings.
void require_verdict(const ResultObject& object, const AuditResult& audit) {
  const JsonView stated = object.require("verdict");
  const std::string verdict = audit.verdict();
  // Versions up to 0.5.0 wrote "passes" for what is now "passes except".
  const bool older = stated.text() == "passes" && verdict == "passes except";
  if (stated.text() != verdict && !older) {
    stated.fail("found '" + printable(stated.text(), 40) + "', but what was found is '" + verdict + "'");
  }
  const auto ok = object.find("ok");
  if (ok && read_boolean(*ok, "true or false") != audit.ok()) {
    ok->fail("found " + std::string(ok->text()) + ", but the verdict says otherwise");
  }
}

template <typename Fields>
void describe_audit(Fields& fields, AuditResult& audit) {
  fields.object("an audit's result");
  fields.field("file", audit.file);
  fields.field("name", audit.name);
  bool exhaustive = audit.exhaustive() != nullptr;
  fields.word("kind", exhaustive, {"statistical", "exhaustive"});
  fields.where(audit.confidential, "confidential", audit.confidential);
  if constexpr (Fields::kReads) {
    if (exhaustive) audit.found.template emplace<ExhaustiveAudit>();
  }
  exhaustive ? describe_derivation(fields, audit) : describe_runs(fields, audit);
  if constexpr (Fields::kReads) require_verdict(fields.members(), audit);
}

}  // namespace

void describe(FieldWriter& fields, AuditResult& audit) { describe_audit(fields, audit); }
void describe(FieldReader& fields, AuditResult& audit) { describe_audit(fields, audit); }

}  // namespace oddsbound::reports
