// JSON of a claim's result, in both directions.

#include <algorithm>
#include <array>

#include "reports/claim_words.h"
#include "reports/level_fields.h"
#include "reports/spec_result_json.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

const std::string kOfMechanism = "post-processing of the given mechanism";
// The keys of numbers, by their kind.
constexpr std::array<const char*, 3> kNumberKeys{"delta", "posterior", "shortfall"};

const char* key_of(NumberKind kind) { return kNumberKeys.at(static_cast<std::size_t>(kind)); }

const std::vector<std::string> kVerdictWords = {"holds", "refuted", "undecided", "holds with confidence"};
constexpr std::size_t kWithConfidence = 3;

Json claimed_json(const Claimed& claimed) {
  if (claimed.form == ClaimForm::kMechanism) return kOfMechanism;
  if (!claimed.function.empty()) return Json::parse(claimed.function);
  if (claimed.is_one_value()) return claimed.values.at(0).second.text();
  Json json = claimed.form == ClaimForm::kMatrix ? Json::array() : Json::object();
  for (const auto& [name, stated] : claimed.values) json[name] = stated.text();
  for (const auto& row : claimed.matrix) {
    Json& cells = json.emplace_back(Json::array());
    for (const ClaimedValue& stated : row) cells.push_back(stated.text());
  }
  return json;
}

// Levels of pairs as a function. Notions of later versions may have them, too.
bool is_function(JsonView json) {
  return json.is_object() &&
         (ResultObject(json, "'claimed'").find("metric") || ResultObject(json, "'claimed'").find("min_of"));
}

ClaimForm form_of_shape(JsonView json) {
  if (is_function(json)) return ClaimForm::kMatrix;
  return json.is_object() ? ClaimForm::kByCoordinate : json.is_array() ? ClaimForm::kMatrix : ClaimForm::kLevel;
}

// Functions of symbols, and values of notions that this version does not know, are kept as text.
ClaimedValue read_stated(JsonView json, bool number, bool as_text, ReadingContext& context) {
  if (as_text) return ClaimedValue(read_string(json, "what was claimed"));
  return number ? ClaimedValue(read_number(json, context)) : ClaimedValue(read_level(json, context));
}

ClaimForm form_of(const Notion& notion, JsonView json) {
  if (notion.form != ClaimForm::kLevel || !json.is_object()) return notion.form;
  const bool by_coordinate = std::any_of(notion.fields.begin(), notion.fields.end(), [](const Field& field) {
    return field.kind == FieldKind::kLevelOrByCoordinate;
  });
  if (by_coordinate) return ClaimForm::kByCoordinate;
  return notion.may_allow_tail() ? ClaimForm::kLevelAndDelta : ClaimForm::kLevel;
}

// True for a matrix whose levels are not all levels: it is kept as text. Throws SpecError if one cannot be read.
bool has_square_roots(JsonView json) {
  bool found = false;
  for (const JsonView& row : read_array(json, "rows of levels")) {
    for (const JsonView& cell : read_array(row, "levels")) {
      if (!cell.is_string() || cell.text().find("sqrt(") == std::string_view::npos) continue;
      at_place(cell, [&] { return ScaledLevel::parse(cell.text()); });
      found = true;
    }
  }
  return found;
}

// Levels of pairs as a function, as canonical JSON. Throws SpecError unless it has the parts that its words name.
std::string read_function(JsonView json, bool as_text, ReadingContext& context) {
  const ResultObject object(json, "'claimed'");
  if (const auto levels = object.find("min_of")) {
    for (const JsonView& level : read_array(*levels, "levels")) read_stated(level, false, as_text, context);
    return canonical_json(json);
  }
  read_string(object.require("metric"), "a metric");
  read_stated(object.require("epsilon"), false, as_text, context);
  if (const auto coordinates = object.find("of")) {
    for (const JsonView& name : read_array(*coordinates, "coordinates")) read_string(name, "a coordinate");
  }
  return canonical_json(json);
}

Claimed read_claimed(JsonView json, const Notion* notion, bool symbols, ReadingContext& context) {
  Claimed claimed{notion == nullptr ? form_of_shape(json) : form_of(*notion, json), {}, {}};
  const bool as_text = symbols || notion == nullptr;
  switch (claimed.form) {
    case ClaimForm::kMechanism: break;
    case ClaimForm::kLevel:
    case ClaimForm::kNumber: {
      const bool number = claimed.form == ClaimForm::kNumber;
      claimed.values.emplace_back("", read_stated(json, number, as_text, context));
      break;
    }
    case ClaimForm::kByCoordinate:
    case ClaimForm::kLevelAndDelta:
      for (const JsonView::Member& member : ResultObject(json, "'claimed'").members()) {
        const std::string name(member.key.text());
        const bool delta = claimed.form == ClaimForm::kLevelAndDelta && name == "delta";
        claimed.values.emplace_back(name, read_stated(member.value, delta, as_text, context));
      }
      break;
    case ClaimForm::kMatrix:
      if (json.is_object()) claimed.function = read_function(json, as_text, context);
      if (claimed.function.empty() && has_square_roots(json)) claimed.function = canonical_json(json);
      if (!claimed.function.empty()) break;
      for (const JsonView& row : read_array(json, "rows of levels")) {
        auto& cells = claimed.matrix.emplace_back();
        for (const JsonView& cell : read_array(row, "levels")) {
          cells.push_back(read_stated(cell, false, as_text, context));
        }
        if (cells.size() != claimed.matrix.front().size()) row.fail("expected rows of one length");
      }
  }
  return claimed;
}

Json witness_json(const Witness& witness, bool event) {
  FieldWriter fields;
  describe_witness(fields, const_cast<Witness&>(witness), event);
  return fields.take();
}

struct ActualWriter {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const MeasuredLevel& measured) const { return written(measured); }
  Json operator()(const NamedLevels& levels) const {
    Json json = Json::object();
    for (const auto& [coordinate, level] : levels) json[coordinate] = written(level);
    return json;
  }
  Json operator()(const MeasuredNumber& number) const {
    const std::string lower = decimal_bounds(number.at_least).lower, upper = decimal_bounds(number.at_most()).upper;
    const bool posterior = number.kind == NumberKind::kPosterior;
    // Values that have no mass, or all of it, need no output.
    const bool shown = !posterior || number.witness.shows_something();
    const Json witness = shown ? witness_json(number.witness, !posterior) : Json(nullptr);
    if (!number.unfinished) {
      return {
          {key_of(number.kind), written(number.at_least)}, {"lower", lower}, {"upper", upper}, {"witness", witness}};
    }
    Json json = Json::object();
    if (number.kind != NumberKind::kDelta) json["of"] = key_of(number.kind);
    json.update(Json{{"at_least", written(number.at_least)},
                     {"at_most", written(number.at_most())},
                     {"lower", lower},
                     {"upper", upper},
                     {"gap", gap_text(number)},
                     {"reason", number.unfinished->reason},
                     {"witness", witness}});
    return json;
  }
  Json operator()(const Average& average) const { return written(average); }
  Json operator()(const Refinement& refinement) const {
    if (!refinement.holds) return nullptr;
    return {{"kernel", written(refinement.kernel)}};
  }
};

}  // namespace

/// The kind is recognized by the keys. A coordinate may have the name of such a key, but its value is an object.
template <>
struct Codec<Actual> {
  static Json write(const Actual& actual) { return std::visit(ActualWriter{}, actual); }
  static Actual read(JsonView json, ReadingContext& context) {
    const ResultObject object(json, "'actual'");
    if (const auto kernel = object.find("kernel"); kernel && kernel->is_array()) {
      Refinement refinement;
      refinement.holds = true;
      refinement.kernel = Codec<std::vector<std::vector<Number>>>::read(*kernel, context);
      return refinement;
    }
    for (const NumberKind kind : {NumberKind::kDelta, NumberKind::kPosterior, NumberKind::kShortfall}) {
      const auto number = object.find(key_of(kind));
      if (!number || !number->is_string()) continue;
      const JsonView shown = object.require("witness");
      MeasuredNumber found{read_number(*number, context), {}, {}, kind};
      if (kind != NumberKind::kPosterior || shown.kind() != JsonKind::kNull)
        found.witness = Codec<Witness>::read(shown, context);
      return found;
    }
    if (const auto least = object.find("at_least"); least && least->is_string()) {
      MeasuredNumber number{read_number(*least, context), Codec<Witness>::read(object.require("witness"), context)};
      number.unfinished = {read_number(object.require("at_most"), context), object.string("reason")};
      if (const auto of = object.find("of"); of && of->is_string()) {
        const std::vector<std::string> words{key_of(NumberKind::kPosterior), key_of(NumberKind::kShortfall)};
        number.kind = result_word(*of, words) == 0 ? NumberKind::kPosterior : NumberKind::kShortfall;
      }
      if (number.at_least >= number.at_most()) object.require("at_most").fail("it is not above 'at_least'");
      return number;
    }
    for (const char* key : {"epsilon", "reason"}) {
      if (const auto found = object.find(key); found && found->is_string()) {
        // An average has no witness, not even null.
        const bool average = std::none_of(object.members().begin(), object.members().end(),
                                          [](const auto& member) { return member.key.text() == "witness"; });
        if (average) return Codec<Average>::read(json, context);
        return Codec<MeasuredLevel>::read(json, context);
      }
    }
    NamedLevels levels;
    for (const JsonView::Member& member : object.members()) {
      levels.emplace_back(member.key.text(), Codec<MeasuredLevel>::read(member.value, context));
    }
    return levels;
  }
};

namespace {

void describe_witness_of(FieldWriter& fields, const ClaimResult& claim) {
  const Decision& decision = claim.decision;
  const auto* refinement = std::get_if<Refinement>(&decision.actual);
  if (refinement != nullptr && !refinement->holds) {
    fields.derived("witness", Json{{"gain", written(refinement->gain)},
                                   {"value", written(refinement->value)},
                                   {"best_of_the_other", written(refinement->best)}});
  } else if (decision.witness) {
    const auto* number = std::get_if<MeasuredNumber>(&decision.actual);
    const bool event =
        (number != nullptr && number->kind != NumberKind::kPosterior) || decision.witness->outputs.size() != 1;
    fields.derived("witness", witness_json(*decision.witness, event));
  } else {
    fields.derived("witness", Json(nullptr));
  }
}

void describe_witness_of(FieldReader& fields, ClaimResult& claim) {
  if (!fields.has("witness")) return;
  const JsonView json = fields.members().require("witness");
  FieldReader witness(json, fields.context());
  witness.object("a witness");
  if (!witness.has("gain")) return fields.field("witness", claim.decision.witness);
  Refinement refinement;
  witness.field("gain", refinement.gain);
  witness.field("value", refinement.value);
  witness.field("best_of_the_other", refinement.best);
  if (refinement.value <= refinement.best) json.fail("the other mechanism is worth as much: this shows nothing");
  claim.decision.actual = std::move(refinement);
}

bool is_number(const Actual& actual, NumberKind kind) {
  const auto* number = std::get_if<MeasuredNumber>(&actual);
  return number != nullptr && number->kind == kind;
}

// True if the actual value is of the kind that decides claims of this form, for exactly the claimed coordinates.
bool is_about(const Claimed& claimed, const Actual& actual) {
  switch (claimed.form) {
    case ClaimForm::kLevel: return single_level(actual) != nullptr;
    case ClaimForm::kMatrix: return std::holds_alternative<MeasuredLevel>(actual);
    case ClaimForm::kLevelAndDelta: return is_number(actual, NumberKind::kDelta);
    case ClaimForm::kNumber:
      return is_number(actual, NumberKind::kPosterior) || is_number(actual, NumberKind::kShortfall);
    case ClaimForm::kMechanism: return std::holds_alternative<Refinement>(actual);
    case ClaimForm::kByCoordinate: break;
  }
  const auto* levels = std::get_if<NamedLevels>(&actual);
  return levels != nullptr && levels->size() == claimed.values.size() &&
         std::all_of(levels->begin(), levels->end(), [&](const auto& level) {
           return std::any_of(claimed.values.begin(), claimed.values.end(),
                              [&](const auto& value) { return value.first == level.first; });
         });
}

// Throws SpecError if verdict, claim and actual value contradict one another.
void require_consistent(FieldReader& fields, ClaimResult& claim, bool smaller) {
  const ResultObject& object = fields.members();
  bool ok = false;
  fields.field("ok", ok);
  if (ok && !claim.as_expected()) object.require("ok").fail("found true, but the verdict is not the expected one");
  if (ok && !claim.missing_opinion.empty()) object.require("ok").fail("found true, but an opinion is missing");
  // Versions up to 0.5 did not name the missing opinion.
  if (!ok && claim.ok()) claim.missing_opinion = "which one is not said";
  const Actual& actual = claim.decision.actual;
  if (claim.claimed && find_notion(claim.notion) != nullptr && !std::holds_alternative<std::monostate>(actual) &&
      !is_about(*claim.claimed, actual)) {
    object.view().fail("what is true is not about what is claimed");
  }
  if (claim.verdict == Verdict::kHolds && claim.decision.witness) {
    object.require("witness").fail("found a witness of a claim that holds");
  }
  std::optional<ClaimOutcome> compared;
  if (claim.claimed) compared = standing_of(*claim.claimed, actual);
  claim.decision.holds = compared ? compared->holds : answer_of(smaller || claim.verdict == Verdict::kHolds);
  if (const auto& bound = claim.decision.pair_bound; bound && claim.verdict == Verdict::kRefuted) {
    const auto* measured = std::get_if<MeasuredLevel>(&actual);
    const ClaimOutcome standing = measured == nullptr ? ClaimOutcome{} : standing_of(*measured, *bound);
    if (measured == nullptr || (smaller ? standing.tight : standing.holds) != Answer::kNo) {
      object.require("claimed_for_pair").fail("what is claimed for the pair and what is true do not refute the claim");
    }
  }
  if (!compared || claim.verdict == Verdict::kUndecided) return;
  if (compared->claim(claim.tight) == answer_of(claim.verdict == Verdict::kHolds)) return;
  const JsonView verdict = object.require("verdict");
  verdict.fail("found '" + std::string(verdict.text()) + "', but what is claimed and what is true say otherwise");
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, SourcePlace& place) {
  fields.object("a place");
  fields.field("line", place.line);
  fields.field("column", place.column);
  fields.field("pointer", place.pointer);
}

template <typename Fields>
void describe(Fields& fields, QueryRecord& query) {
  fields.object("a query");
  fields.field("name", query.name);
  fields.field("status", query.status);
  fields.field("seconds", query.seconds);
  fields.where(!query.file.empty(), "file", query.file);
  fields.where(!query.cross_check.empty(), "cross_check", query.cross_check);
}

template <typename Fields>
void describe(Fields& fields, ClaimedScope& scope) {
  fields.object("a scope");
  fields.where(!scope.coordinate.empty(), "coordinate", scope.coordinate);
  fields.where(!scope.values.empty(), "values", scope.values);
  fields.where(!scope.known.empty(), "known", scope.known);
  fields.where(!scope.from.empty(), "from", scope.from);
  fields.where(!scope.to.empty(), "to", scope.to);
  fields.where(!scope.for_all.empty(), "for_all", scope.for_all);
  fields.where(!scope.is_certain(), "confidence", scope.confidence);
  fields.where(scope.order != 0, "order", scope.order);
  fields.where(scope.any_known, "any_known", scope.any_known);
  fields.where(!scope.curve.empty(), "f", scope.curve);
  fields.where(!scope.delta.empty(), "delta", scope.delta);
  if constexpr (Fields::kReads) {
    if (!scope.delta.empty()) {
      const JsonView delta = fields.members().require("delta");
      const Number probability = read_number(delta, fields.context());
      if (probability.sign() < 0 || probability > Number(1)) delta.fail("expected a probability");
    }
    for (const auto& point : scope.curve) {
      if (point.size() != 2) fields.members().require("f").fail("expected points, each a pair of numbers");
    }
  }
}

void describe_verdict(FieldWriter& fields, Verdict verdict, bool certain) {
  fields.derived(
      "verdict",
      kVerdictWords.at(verdict == Verdict::kHolds && !certain ? kWithConfidence : static_cast<std::size_t>(verdict)));
}

void describe_verdict(FieldReader& fields, Verdict& verdict, bool certain) {
  const JsonView word = fields.members().require("verdict");
  const std::size_t place = result_word(word, kVerdictWords);
  if (place == (certain ? kWithConfidence : static_cast<std::size_t>(Verdict::kHolds))) {
    word.fail("found '" + kVerdictWords[place] + "', but " +
              (certain ? "nothing is said with a confidence only" : "it is said with a confidence only"));
  }
  verdict = place == kWithConfidence ? Verdict::kHolds : static_cast<Verdict>(place);
}

namespace {

// Decimals of the spec, for text: a string, or by name as in "claimed".
Json written_json(const Claimed& claimed) {
  Json json = Json::object();
  for (const auto& [name, stated] : claimed.values) {
    if (stated.written().empty() || stated.written() == stated.text()) continue;
    if (claimed.is_one_value()) return stated.written();
    json[name] = stated.written();
  }
  return json;
}

void read_written(JsonView json, Claimed& claimed, ReadingContext& context) {
  for (auto& [name, stated] : claimed.values) {
    const std::optional<JsonView> decimal =
        claimed.is_one_value() ? json : ResultObject(json, "'claimed_as_written'").find(name);
    if (!decimal) continue;
    const std::string text = read_string(*decimal, "a decimal");
    const Number number = read_number(*decimal, context);
    const bool same = stated.level() != nullptr ? *stated.level() == Level::of_exponential(Number::exp_of(number))
                                                : stated.number() != nullptr && *stated.number() == number;
    if (!same) decimal->fail("found " + printable(text, 40) + ", expected what 'claimed' says");
    stated.set_written(text);
  }
}

void describe_claimed(FieldWriter& fields, const ClaimResult& claim, bool) {
  fields.derived("claimed", claim.claimed ? claimed_json(*claim.claimed) : Json(nullptr));
  const Json written = claim.claimed ? written_json(*claim.claimed) : Json::object();
  if (!written.empty()) fields.derived("claimed_as_written", written);
}

void describe_claimed(FieldReader& fields, ClaimResult& claim, bool symbols) {
  const auto claimed = fields.members().find("claimed");
  if (claimed) claim.claimed = read_claimed(*claimed, find_notion(claim.notion), symbols, fields.context());
  const auto written = fields.members().find("claimed_as_written");
  if (written && claim.claimed) read_written(*written, *claim.claimed, fields.context());
}

template <typename Fields>
void describe_whole(Fields& fields, ClaimResult& claim, const std::string& file, bool symbols) {
  fields.object("a claim");
  fields.newer("index", claim.index);
  fields.field("name", claim.name);
  fields.field("notion", claim.notion);
  fields.word("expect", claim.expect_holds, {"refuted", "holds"});
  fields.where(claim.tight, "tight", claim.tight);
  fields.where(claim.confidential, "confidential", claim.confidential);
  fields.where(!claim.scope.is_everything(), "scope", claim.scope);
  describe_verdict(fields, claim.verdict, claim.scope.is_certain());
  fields.derived("ok", claim.ok());
  describe_claimed(fields, claim, symbols);
  Decision& decision = claim.decision;
  fields.newer("actual", decision.actual);
  fields.field("decided_by", claim.decided_by);
  // If only the exact engine decided, equal runs give equal documents: times are omitted.
  fields.where(claim.seconds.contains("smt"), "seconds", claim.seconds);
  fields.where(claim.processor_seconds.has_value(), "processor_seconds", claim.processor_seconds);
  fields.where(!claim.missing_opinion.empty(), "missing_opinion", claim.missing_opinion);
  fields.where(!claim.values.empty(), "values", claim.values);
  fields.where(!claim.queries.empty(), "queries", claim.queries);
  describe_witness_of(fields, claim);
  bool smaller = claim.verdict == Verdict::kRefuted && decision.holds == Answer::kYes;
  fields.where(smaller, "a_smaller_level_holds", smaller);
  fields.where(decision.pair_bound.has_value(), "claimed_for_pair", decision.pair_bound);
  fields.where(decision.tradeoff.has_value(), "tradeoff", decision.tradeoff);
  fields.where(claim.verdict == Verdict::kUndecided, "reason", claim.reason);
  if constexpr (Fields::kReads) {
    if (decision.tradeoff) decision.tradeoff->of = "secret";
    fields.newer("place", claim.place);
    claim.place.file = file;
    require_consistent(fields, claim, smaller);
  } else {
    const ClaimWords words = claim_words(claim);
    fields.derived("words", Json{{"claim", words.claim}, {"verdict", words.verdict}, {"found", words.found}});
    fields.field("place", claim.place);
  }
}

}  // namespace

void describe_claim(FieldWriter& fields, const ClaimResult& claim, const std::string& file, bool symbols) {
  describe_whole(fields, const_cast<ClaimResult&>(claim), file, symbols);
}
void describe_claim(FieldReader& fields, ClaimResult& claim, const std::string& file, bool symbols) {
  describe_whole(fields, claim, file, symbols);
}

}  // namespace oddsbound::reports
