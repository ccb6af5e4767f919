// What a release does to odds as JSON, and back.
#include "results/fields.h"
#include "results/spec_result_json.h"

namespace oddsbound::results {

namespace {

template <typename Fields>
void describe_share(Fields& fields, const char* key, Number& number) {
  if constexpr (Fields::kReads) {
    number = read_share(fields.members().require(key), fields.context());
  } else {
    fields.field(key, number);
  }
}

// Throws unless a guess is right at times, and no less often once something is known.
void require_possible(const ResultObject& object, const Guesses& guesses) {
  if (guesses.prior.is_zero())
    object.require("guess_before").fail("found 0, expected the likeliest value's probability");
  if (guesses.posterior < guesses.prior) {
    object.require("guess_after").fail("found less than 'guess_before': outputs do not make the best guess worse");
  }
}

template <typename Fields>
void describe_guesses(Fields& fields, Guesses& guesses) {
  describe_share(fields, "guess_before", guesses.prior);
  describe_share(fields, "guess_after", guesses.posterior);
  if constexpr (Fields::kReads) require_possible(fields.members(), guesses);
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, DecimalBounds& bounds) {
  fields.object("decimals");
  fields.field("lower", bounds.lower);
  fields.field("upper", bounds.upper);
  if constexpr (Fields::kReads) {
    const ResultObject& object = fields.members();
    const Number lower = read_number(object.require("lower"), fields.context());
    if (lower.sign() < 0) object.require("lower").fail("found less than 0, expected nats of information");
    if (read_number(object.require("upper"), fields.context()) < lower) {
      object.require("upper").fail("found less than 'lower'");
    }
  }
}

template <typename Fields>
void describe(Fields& fields, Leakage& leakage) {
  fields.object("what is told on average");
  describe_guesses(fields, leakage);
  fields.derived("bayes_leakage", leakage.factor().to_string());
  fields.field("information", leakage.information);
  fields.where(leakage.total_variation.has_value(), "total_variation", leakage.total_variation);
  if constexpr (Fields::kReads) {
    if (leakage.total_variation) read_share(fields.members().require("total_variation"), fields.context());
  }
}

template <typename Fields>
void describe(Fields& fields, Effect& effect) {
  fields.object("an effect");
  fields.field("output", effect.output);
  describe_share(fields, "probability", effect.probability);
  describe_share(fields, "posterior", effect.posterior);
}

template <typename Fields>
void describe(Fields& fields, AttributeEffects& effects) {
  fields.object("effects on an attribute");
  fields.field("value", effects.value);
  describe_share(fields, "prior", effects.prior);
  fields.where(effects.worst.has_value(), "worst", effects.worst);
  fields.where(effects.frequent.has_value(), "frequent", effects.frequent);
  fields.where(effects.average.has_value(), "average", effects.average);
}

nlohmann::ordered_json effects_json(const Effects& effects, const std::vector<std::string>& coordinates) {
  nlohmann::ordered_json json{{"attributes", nlohmann::ordered_json::object()}};
  for (std::size_t i = 0; i < effects.attributes.size(); ++i) {
    json["attributes"][coordinates[i]] = written(effects.attributes[i]);
  }
  if (effects.record) json["record"] = written(*effects.record);
  if (!effects.without.empty()) json["without"] = effects.without;
  return json;
}

Effects read_effects(JsonView json, const std::vector<std::string>& coordinates, ReadingContext& context) {
  const ResultObject object(json, "effects");
  const ResultObject attributes(object.require("attributes"), "effects by coordinate");
  Effects effects;
  for (const std::string& name : coordinates) {
    if (attributes.members().empty()) break;
    effects.attributes.push_back(Codec<AttributeEffects>::read(attributes.require(name), context));
  }
  if (const auto record = object.find("record")) effects.record = Codec<Leakage>::read(*record, context);
  if (const auto without = object.find("without")) effects.without = read_string(*without, "a reason");
  return effects;
}

nlohmann::ordered_json average_json(const Average& average) {
  FieldWriter fields;
  describe_known(fields, average.level);
  if (average.guesses) {
    Guesses guesses = *average.guesses;
    describe_guesses(fields, guesses);
  }
  return fields.take();
}

Average read_average(JsonView json, ReadingContext& context) {
  Average average;
  FieldReader fields(json, context);
  fields.object("a level on average");
  describe_known(fields, average.level);
  if (!fields.members().find("guess_before")) return average;
  Guesses& guesses = average.guesses.emplace();
  describe_guesses(fields, guesses);
  const Level& level = average.level.at_least;
  if (level.is_infinite() || Surd(guesses.factor()) != level.exponential_as_surd()) {
    fields.members().require("guess_after").fail("it is not as many times 'guess_before' as the level says");
  }
  return average;
}

}  // namespace oddsbound::results
