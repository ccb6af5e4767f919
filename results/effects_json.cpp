// What a release does to odds as JSON, and back.
#include "results/fields.h"
#include "results/spec_result_json.h"

namespace oddsbound::results {

namespace {

// Throws unless a number is a probability.
void require_share(FieldReader& fields, const char* key, const Number& number) {
  if (number.sign() >= 0 && number <= Number(1)) return;
  fields.members().require(key).fail("found " + number.to_string() + ", expected a probability");
}
void require_share(FieldWriter&, const char*, const Number&) {}

template <typename Fields>
void describe_share(Fields& fields, const char* key, Number& number) {
  fields.field(key, number);
  require_share(fields, key, number);
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, DecimalBounds& bounds) {
  fields.object("decimals");
  fields.field("lower", bounds.lower);
  fields.field("upper", bounds.upper);
}

template <typename Fields>
void describe(Fields& fields, Leakage& leakage) {
  fields.object("what is told on average");
  describe_share(fields, "guess_before", leakage.prior);
  describe_share(fields, "guess_after", leakage.posterior);
  fields.derived("bayes_leakage", leakage.prior.is_zero() ? Number(1).to_string() : leakage.factor().to_string());
  fields.field("information", leakage.information);
  fields.where(leakage.total_variation.has_value(), "total_variation", leakage.total_variation);
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

}  // namespace oddsbound::results
