#include "reports/fields.h"

#include <cmath>
#include <cstdlib>

#include "reports/words.h"

namespace oddsbound::reports {

nlohmann::ordered_json Codec<double>::write(double value) {
  return std::isinf(value) ? nlohmann::ordered_json("inf") : nlohmann::ordered_json(value);
}

nlohmann::ordered_json Codec<Label>::write(const Label& value) {
  return std::visit([](const auto& party) { return nlohmann::ordered_json(party); }, value);
}

Label Codec<Label>::read(JsonView json, ReadingContext&) {
  if (json.is_string()) return std::string(json.text());
  return result_strings(json, "values");
}

Codec<std::pair<std::vector<std::string>, Number>>::Row Codec<std::pair<std::vector<std::string>, Number>>::read(
    JsonView json, ReadingContext& context) {
  const std::vector<JsonView> parts = read_array(json, "an input and a number");
  if (parts.size() != 2) json.fail("expected an input and a number");
  return {result_strings(parts[0], "values"), read_number(parts[1], context)};
}

void require_known(const ResultObject& object, const std::vector<std::string>& names) {
  const std::set<std::string_view> known(names.begin(), names.end());
  for (const JsonView::Member& member : object.members()) {
    if (!known.contains(member.key.text())) member.key.fail("this is none of the coordinates");
  }
}

Number Share::read(JsonView json, ReadingContext& context) {
  const Number number = read_number(json, context);
  if (number.sign() >= 0 && number <= Number(1)) return number;
  json.fail("found '" + printable(json.text(), 40) + "', expected a probability");
}

std::string random_words(const std::optional<std::uint64_t>& seed) {
  return seed ? "seeded (Threefry): reproducible, not private" : "system (OpenSSL)";
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

void describe_seed(FieldWriter& fields, const std::optional<std::uint64_t>& seed) {
  if (seed) describe_seed(fields, *seed);
}

void describe_seed(FieldReader& fields, std::optional<std::uint64_t>& seed) {
  if (fields.members().find("seed")) describe_seed(fields, seed.emplace());
}

}  // namespace oddsbound::reports
