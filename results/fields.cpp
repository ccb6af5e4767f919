#include "results/fields.h"

#include <cmath>
#include <cstdlib>

#include "verifier/exact/decimal.h"

namespace oddsbound::results {

nlohmann::ordered_json Codec<double>::write(double value) {
  return std::isinf(value) ? nlohmann::ordered_json("inf") : nlohmann::ordered_json(value);
}

nlohmann::ordered_json Codec<Party>::write(const Party& value) {
  return std::visit([](const auto& party) { return nlohmann::ordered_json(party); }, value);
}

Party Codec<Party>::read(JsonView json, ReadingContext&) {
  if (json.is_string()) return std::string(json.text());
  return result_strings(json, "values");
}

void describe_seed(FieldWriter& fields, std::uint64_t seed) { fields.field("seed", std::to_string(seed)); }

void describe_seed(FieldReader& fields, std::uint64_t& seed) {
  std::string text;
  fields.field("seed", text);
  seed = std::strtoull(text.c_str(), nullptr, 10);
  if (std::to_string(seed) != text) {
    fields.members().require("seed").fail("found '" + printable(text, 40) + "', expected a seed");
  }
}

void describe_level(FieldWriter& fields, const Level& level) {
  if (!level.is_infinite()) fields.derived("exp", level.exponential().to_string());
  fields.field("epsilon", level);
  if (level.is_infinite()) return;
  const DecimalBounds bounds = decimal_bounds(level);
  fields.derived("lower", bounds.lower);
  fields.derived("upper", bounds.upper);
}

namespace {

// Throws unless a decimal beside a level is what it is said to be, as far as doubles tell: whoever reads the document
// may look at the decimals alone.
void require_decimal(const ResultObject& object, const char* key, const Level& level) {
  const auto json = object.find(key);
  if (!json) return;
  const std::string text = read_string(*json, "a decimal");
  char* end = nullptr;
  const double decimal = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || std::isnan(decimal)) {
    json->fail("found '" + printable(text, 40) + "', expected a decimal");
  }
  constexpr double kSlack = 1e-9;
  const double nats = level.approx();
  if (std::abs(decimal - nats) > kSlack * (1 + nats) && std::isfinite(nats)) {
    json->fail("found " + printable(text, 40) + ", expected a decimal of the level " +
               printable(level.to_string(), 60));
  }
}

}  // namespace

void describe_level(FieldReader& fields, Level& level) {
  fields.field("epsilon", level);
  const ResultObject& object = fields.members();
  if (level.is_infinite()) {
    for (const char* key : {"exp", "lower", "upper"}) {
      if (const auto json = object.find(key))
        json->fail("the level is infinite, and has no '" + std::string(key) + "'");
    }
    return;
  }
  if (const auto json = object.find("exp"); json && read_number(*json, fields.context()) != level.exponential()) {
    json->fail("found '" + printable(json->text(), 40) + "', expected the exponential of the level " +
               printable(level.to_string(), 60));
  }
  require_decimal(object, "lower", level);
  require_decimal(object, "upper", level);
}

void require_shown(const ResultObject& object, const MeasuredLevel& measured) {
  const Number& p_from = measured.witness.p_from;
  const Number& p_to = measured.witness.p_to;
  const bool shown = measured.level.is_infinite() ? p_from.sign() > 0 && p_to.is_zero()
                                                  : p_to.sign() > 0 && p_from == p_to * measured.level.exponential();
  if (shown) return;
  object.require("witness").fail("its probabilities do not have the quotient that the level " +
                                 printable(measured.level.to_string(), 60) + " says");
}

}  // namespace oddsbound::results
