#include "reports/composition.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kShownDigits = 6;
// The event of the largest losses. At its epsilon, P - e^epsilon Q is delta.
constexpr const char* kWorstEvent = "P(y given from) >= e^epsilon P(y given to)";

std::string lower_text(const Number& number) {
  return rounded_decimal(decimal_bounds(number).lower, kShownDigits, false);
}
std::string upper_text(const Number& number) {
  return rounded_decimal(decimal_bounds(number).upper, kShownDigits, true);
}

Json event_json(const Witness& witness, const char* event) {
  Json json{{"event", event}, {"from", written(witness.from)}, {"to", written(witness.to)}};
  if (witness.unlisted) return json;
  json["p_from"] = written(witness.p_from);
  json["p_to"] = written(witness.p_to);
  return json;
}

template <typename Value, typename Write>
Json asked_json(const Asked<Value>& asked, Write write) {
  if (!asked.found) return {{"reason", asked.reason}};
  return write(*asked.found);
}

Json level_json(const MeasuredLevel& level) {
  FieldWriter fields;
  describe_known(fields, level);
  return fields.take();
}

Json delta_json(const MeasuredNumber& delta) {
  Json json;
  if (delta.unfinished) {
    json = {{"at_least", written(delta.at_least)}, {"at_most", written(delta.at_most())}};
  } else {
    json = {{"delta", written(delta.at_least)}};
  }
  json["lower"] = decimal_bounds(delta.at_least).lower;
  json["upper"] = decimal_bounds(delta.at_most()).upper;
  if (delta.unfinished) json["reason"] = delta.unfinished->reason;
  json["witness"] = event_json(delta.witness, kLikelihoodEvent);
  return json;
}

std::string sides_words(const Witness& witness) {
  return "from " + printable(party_label(witness.from), 200) + " to " + printable(party_label(witness.to), 200);
}

std::string epsilon_words(const ComposedResult& result) {
  const std::string about = "epsilon at delta " + number_text(*result.delta) + ": ";
  if (!result.epsilon_at_delta.found) return about + "undecided: " + result.epsilon_at_delta.reason;
  const MeasuredLevel& level = *result.epsilon_at_delta.found;
  const Witness witness = level.witness.get();
  if (level.at_least.is_infinite()) {
    const std::string mass = witness.unlisted ? "a larger probability" : "probability " + lower_text(witness.p_from);
    return about + "infinite: with " + mass + ", outputs " + sides_words(witness) + " are impossible for the latter";
  }
  const std::string words = about + known_words(level) + ", " + sides_words(witness);
  return level.unfinished ? words + " (" + level.unfinished->reason + ")" : words;
}

std::string delta_sentence(const ComposedResult& result) {
  const std::string about = "delta at epsilon " + level_words(*result.epsilon) + ": ";
  if (!result.delta_at_epsilon.found) return about + "undecided: " + result.delta_at_epsilon.reason;
  const MeasuredNumber& delta = *result.delta_at_epsilon.found;
  const std::string known = delta.unfinished
                                ? "between " + lower_text(delta.at_least) + " and " + upper_text(delta.at_most())
                            : number_text(delta.at_least).starts_with("about ")
                                ? "at most " + upper_text(delta.at_least) + kExactElsewhere
                                : "exactly " + number_text(delta.at_least) + " <= " + upper_text(delta.at_least);
  return about + known + ", " + sides_words(delta.witness);
}

}  // namespace

int ComposedResult::exit_status() const {
  const auto is_open = [](const auto& asked) { return !asked.found && !asked.reason.empty(); };
  const bool open = is_open(epsilon_at_delta) || is_open(delta_at_epsilon) || is_open(rho) || !curve_reason.empty();
  const bool endless =
      epsilon_at_delta.found && epsilon_at_delta.found->unfinished && epsilon_at_delta.found->at_most().is_infinite();
  return open || endless ? 3 : 0;
}

void describe(FieldWriter& fields, ComposedPart& part) {
  fields.field("file", part.file);
  fields.field("name", part.name);
  fields.field("times", part.times);
}

void describe(FieldWriter& fields, DeltaPoint& point) {
  fields.field("epsilon", point.epsilon);
  fields.derived("lower", decimal_bounds(point.lower).lower);
  fields.derived("upper", decimal_bounds(point.upper).upper);
}

void describe(FieldWriter& fields, ComposedResult& result) {
  fields.field("mechanisms", result.parts);
  fields.field("coordinates", result.coordinates);
  fields.field("files", result.files);
  fields.where(result.confidential, "confidential", true);
  fields.field("neighbors", result.neighbors);
  fields.where(!result.records.empty(), "records", result.records);
  if (result.delta) {
    Json json{{"delta", written(*result.delta)}};
    json.update(asked_json(result.epsilon_at_delta, [](const MeasuredLevel& level) {
      Json own = level_json(level);
      own["witness"] = event_json(level.witness.get(), kWorstEvent);
      return own;
    }));
    fields.derived("epsilon_at_delta", json);
  }
  if (result.epsilon) {
    Json json{{"epsilon", result.epsilon->to_string()}};
    json.update(asked_json(result.delta_at_epsilon, delta_json));
    fields.derived("delta_at_epsilon", json);
  }
  fields.derived("rho", asked_json(result.rho, level_json));
  fields.field("curve", result.curve);
  fields.where(!result.curve_reason.empty(), "curve_reason", result.curve_reason);
}

std::string to_json(const ComposedResult& result) { return document_of(result); }

std::string parts_words(const ComposedResult& result) {
  std::string text;
  for (std::size_t k = 0; k < result.parts.size(); ++k) {
    if (k > 0) text += k + 1 == result.parts.size() ? " and " : ", ";
    text += counted(result.parts[k].times, "run") + " of " + printable(result.parts[k].file, 200);
  }
  return text;
}

std::string neighbors_words(const ComposedResult& result) {
  if (result.neighbors == "coordinate") return "inputs that differ in one coordinate";
  if (result.neighbors != "record") return "any two inputs";
  std::string text;
  for (const auto& record : result.records) {
    text += (text.empty() ? "" : "; ") + printable(joined(record), 200);
  }
  return "inputs that differ within one record (" + text + ")";
}

std::string delta_words(const DeltaPoint& point) {
  const std::string low = lower_text(point.lower), high = upper_text(point.upper);
  // Both ends of an exact value differ in the last digit at most.
  const bool same = (point.upper - point.lower) * Number(1'000'000) <= point.upper;
  return same ? high : low + " to " + high;
}

std::vector<std::string> composition_words(const ComposedResult& result) {
  std::vector<std::string> sentences;
  if (result.delta) sentences.push_back(epsilon_words(result));
  if (result.epsilon) sentences.push_back(delta_sentence(result));
  sentences.push_back("rho (zCDP): " +
                      (result.rho.found ? known_words(*result.rho.found) : "undecided: " + result.rho.reason));
  return sentences;
}

std::string text_composition(const ComposedResult& result) {
  std::string text = parts_words(result) + "\n  compared: " + neighbors_words(result) + "\n";
  for (const std::string& sentence : composition_words(result)) text += "  " + sentence + "\n";
  if (!result.curve.empty()) text += fmt::format("  {:<12} {}\n", "epsilon", "smallest delta, rounded up");
  for (const DeltaPoint& point : result.curve) {
    text += fmt::format("  {:<12} {}\n", decimal_text(point.epsilon), delta_words(point));
  }
  if (!result.curve_reason.empty()) text += "  the curve ends there: " + result.curve_reason + "\n";
  return text;
}

}  // namespace oddsbound::reports
