#include "reports/level_fields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/characters.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/priors/line.h"

namespace oddsbound::reports {

nlohmann::ordered_json json_head() { return json_head(ODDSBOUND_VERSION); }

nlohmann::ordered_json json_head(const std::string& version) {
  nlohmann::ordered_json head;
  head["oddsbound"] = 1;
  head["tool"] = {{"name", "oddsbound"}, {"version", version}};
  return head;
}

std::string json_text(const nlohmann::ordered_json& document) {
  return json_escaped(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) + "\n";
}

std::string one_line(const nlohmann::ordered_json& part) {
  return json_escaped(part.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void require_possible(const ResultObject& object, const TableUse& table) {
  std::uint64_t cells = 0;
  for (const auto& [coordinate, count] : table.missing_cells) cells += std::min(count, table.rows);
  const std::uint64_t most = table.missing == Missing::kDrop ? std::min(table.rows, cells) : 0;
  if (table.dropped > most) {
    object.require("dropped").fail("found " + std::to_string(table.dropped) + ", expected at most " +
                                   std::to_string(most) + " rows with missing cells");
  }
  if (table.counted.has_value() != table.counted_dropped.has_value()) {
    object.require(table.counted ? "counted" : "counted_dropped").fail("expected both 'counted' and 'counted_dropped'");
  }
  if (table.counted && (table.counted_dropped->sign() < 0 || *table.counted < *table.counted_dropped)) {
    object.require("counted_dropped").fail("expected a part of what is counted");
  }
}

void describe_level(FieldWriter& fields, const Level& level) {
  if (!level.is_infinite()) fields.derived("exp", level.exponential_as_surd().to_string());
  fields.field("epsilon", level);
  const DecimalBounds bounds = decimal_bounds(level);
  fields.derived("lower", bounds.lower);
  fields.derived("upper", bounds.upper);
}

namespace {

// Throws SpecError unless the decimal next to a level agrees with it (to 1e-9), because readers of the document may
// use the decimals alone.
void require_decimal(const ResultObject& object, const char* key, const Level& level) {
  const auto json = object.find(key);
  if (!json) return;
  const std::string text = read_string(*json, "a decimal");
  char* end = nullptr;
  const double decimal = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || std::isnan(decimal)) {
    json->fail("found '" + printable(text, 40) + "', expected a decimal");
  }
  if (level.is_infinite() != std::isinf(decimal)) {
    json->fail("found " + printable(text, 40) + ", expected " + (level.is_infinite() ? "inf" : "a finite decimal"));
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
    if (const auto json = object.find("exp")) json->fail("the level is infinite, and has no 'exp'");
  } else if (const auto json = object.find("exp");
             json && read_surd(*json, fields.context()) != level.exponential_as_surd()) {
    json->fail("found '" + printable(json->text(), 40) + "', expected the exponential of the level " +
               printable(level.to_string(), 60));
  }
  require_decimal(object, "lower", level);
  require_decimal(object, "upper", level);
}

nlohmann::ordered_json LevelAlone::write(const Level& level) {
  FieldWriter fields;
  describe_level(fields, level);
  return fields.take();
}

Level LevelAlone::read(JsonView json, ReadingContext& context) {
  Level level;
  FieldReader fields(json, context);
  fields.object("a level");
  describe_level(fields, level);
  return level;
}

namespace {

void describe_interval(FieldWriter& fields, const MeasuredLevel& measured) {
  const Level& upper = measured.unfinished->at_most;
  fields.as<LevelAlone>("at_least", measured.at_least);
  fields.as<LevelAlone>("at_most", upper);
  fields.derived("lower", decimal_bounds(measured.at_least).lower);
  fields.derived("upper", decimal_bounds(upper).upper);
  fields.derived("gap", gap_text(measured));
  fields.field("reason", measured.unfinished->reason);
}

void describe_interval(FieldReader& fields, MeasuredLevel& measured) {
  const ResultObject& object = fields.members();
  Level& upper = measured.unfinished.emplace().at_most;
  fields.as<LevelAlone>("at_least", measured.at_least);
  fields.as<LevelAlone>("at_most", upper);
  fields.field("reason", measured.unfinished->reason);
  if (measured.at_least >= upper) object.require("at_most").fail("it is not above what the level is at least");
  require_decimal(object, "lower", measured.at_least);
  require_decimal(object, "upper", upper);
}

}  // namespace

void describe_known(FieldWriter& fields, const MeasuredLevel& measured) {
  measured.unfinished ? describe_interval(fields, measured) : describe_level(fields, measured.at_least);
  if (measured.nodes) fields.field("nodes", *measured.nodes);
}

void describe_known(FieldReader& fields, MeasuredLevel& measured) {
  fields.has("at_least") ? describe_interval(fields, measured) : describe_level(fields, measured.at_least);
  fields.where(true, "nodes", measured.nodes);
}

namespace {

// A prior of a set that does not attain the level must come close to it.
bool shows(const Witness& witness, const Level& level) {
  const Number& p_from = witness.p_from;
  const Number& p_to = witness.p_to;
  const bool attains = !witness.prior || witness.prior->attains;
  if (witness.unprotected) return level.is_infinite() && p_from.sign() > 0 && p_to.sign() > 0;
  if (level.is_infinite())
    return p_from.sign() > 0 && (p_to.is_zero() || (!attains && p_from > p_to * priors::shown_of_infinite()));
  if (p_to.sign() <= 0) return false;
  Number quotient = p_from / p_to;
  if (witness.lowest) {
    if (witness.lowest->p_from.sign() <= 0) return false;
    quotient *= witness.lowest->p_to / witness.lowest->p_from;
  }
  const Surd shown(quotient);
  const Surd exponential = level.exponential_as_surd();
  return attains ? shown == exponential : shown <= exponential && exponential <= shown * Surd(priors::shown_within());
}

}  // namespace

void require_shown(const ResultObject& object, const MeasuredLevel& measured) {
  // Divergences of an order can only be computed from full rows.
  const Witness witness = measured.witness.get();
  if ((witness.order || witness.likelihood_event) && !measured.at_least.is_infinite()) return;
  if (witness.outputs.empty() && !witness.likelihood_event) {
    if (measured.unfinished && measured.at_least == Level()) return;
    object.view().fail("expected a witness that shows the level");
  }
  if (shows(witness, measured.at_least)) return;
  object.require("witness").fail("its probabilities do not have the quotient that the level " +
                                 printable(measured.at_least.to_string(), 60) + " says");
}

}  // namespace oddsbound::reports
