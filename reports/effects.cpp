// JSON and text of a release's effects on odds.

#include "reports/effects.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "reports/level_fields.h"
#include "reports/publishable.h"
#include "reports/spec_result_json.h"
#include "reports/words.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

// Throws SpecError unless guess_before > 0 and guess_after >= guess_before.
void require_possible(const ResultObject& object, const Guesses& guesses) {
  if (guesses.prior.is_zero())
    object.require("guess_before").fail("found 0, expected the most likely value's probability");
  if (guesses.posterior < guesses.prior) {
    object.require("guess_after").fail("found less than 'guess_before': outputs do not make the best guess worse");
  }
  if (guesses.posterior_at_most && *guesses.posterior_at_most <= guesses.posterior) {
    object.require("guess_after_at_most").fail("it is not above 'guess_after', the lower end");
  }
}

template <typename Fields>
void describe_guesses(Fields& fields, Guesses& guesses) {
  fields.template as<Share>("guess_before", guesses.prior);
  fields.template as<Share>("guess_after", guesses.posterior);
  if (fields.present("guess_after_at_most", guesses.posterior_at_most.has_value())) {
    fields.template as<Share>("guess_after_at_most", guesses.posterior_at_most);
  }
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
  fields.object("average leakage");
  describe_guesses(fields, leakage);
  fields.derived("bayes_leakage", leakage.factor().to_string());
  if (leakage.posterior_at_most) {
    fields.derived("bayes_leakage_at_most", leakage.factor_at_most().to_string());
  }
  fields.field("information", leakage.information);
  if (fields.present("total_variation", leakage.total_variation.has_value())) {
    fields.template as<Share>("total_variation", leakage.total_variation);
  }
  if (fields.present("total_variation_at_most", leakage.total_variation_at_most.has_value())) {
    fields.template as<Share>("total_variation_at_most", leakage.total_variation_at_most);
  }
}

template <typename Fields>
void describe(Fields& fields, Effect& effect) {
  fields.object("an effect");
  fields.field("output", effect.output);
  fields.template as<Share>("probability", effect.probability);
  fields.template as<Share>("posterior", effect.posterior);
}

template <typename Fields>
void describe(Fields& fields, AttributeEffects& effects) {
  fields.object("effects on an attribute");
  fields.field("value", effects.value);
  fields.template as<Share>("prior", effects.prior);
  if (fields.present("level", effects.level.has_value())) fields.template as<LevelAlone>("level", effects.level);
  fields.where(effects.worst.has_value(), "worst", effects.worst);
  fields.where(effects.frequent.has_value(), "frequent", effects.frequent);
  fields.where(effects.average.has_value(), "average", effects.average);
}

namespace {

template <typename Fields>
void describe_parts(Fields& fields, Effects& effects, const std::vector<std::string>& coordinates) {
  fields.object("effects");
  bool any = !effects.attributes.empty();
  if constexpr (Fields::kReads) {
    any = !ResultObject(fields.members().require("attributes"), "effects by coordinate").members().empty();
  }
  fields.by_name("attributes", any ? coordinates : std::vector<std::string>(), effects.attributes);
  fields.where(effects.record.has_value(), "record", effects.record);
  fields.where(!effects.without.empty(), "without", effects.without);
}

}  // namespace

void describe_effects(FieldWriter& fields, Effects& effects, const std::vector<std::string>& coordinates) {
  describe_parts(fields, effects, coordinates);
}
void describe_effects(FieldReader& fields, Effects& effects, const std::vector<std::string>& coordinates) {
  describe_parts(fields, effects, coordinates);
}

void describe(FieldWriter& fields, Average& average) {
  describe_known(fields, average.level);
  if (average.guesses) describe_guesses(fields, *average.guesses);
}

void describe(FieldReader& fields, Average& average) {
  fields.object("a level on average");
  describe_known(fields, average.level);
  if (!fields.has("guess_before")) return;
  Guesses& guesses = average.guesses.emplace();
  describe_guesses(fields, guesses);
  if (guesses.posterior_at_most) return;  // bounds are rounded outward
  const Level& level = average.level.at_least;
  if (level.is_infinite() || Surd(guesses.factor()) != level.exponential_as_surd()) {
    fields.members().require("guess_after").fail("it is not as many times 'guess_before' as the level says");
  }
}

namespace {

constexpr std::size_t kLongest = 60;

// "raises it to 54.7 %"; `it` is the quantity, with its value before.
std::string change_words(const Number& before, const Number& after, const std::string& it) {
  if (after == before) return "reveals nothing about " + it;
  if (after.is_zero()) return "rules " + it + " out";
  const bool raises = after > before;
  return std::string(raises ? "raises " : "lowers ") + it + " to " + (after.is_one() ? "certainty" : percent(after));
}

// The output that changes the belief about the value most.
std::string worst_words(const AttributeEffects& effects) {
  const Effect& worst = *effects.worst;
  const std::string value = printable(effects.value, kLongest), before = percent(effects.prior);
  const std::string people = "for " + percent(worst.probability) + " of people the release ";
  if (worst.posterior.is_zero()) return people + "rules out " + value + ", before " + before;
  return people + change_words(effects.prior, worst.posterior, "the probability of " + value + " from " + before);
}

std::string about(const Number& number) { return fmt::format("about {:.6g}", number.approx()); }

// A number, or its bounds, rounded outward unless both ends look alike in `text`.
std::string bounds_words(const Number& lower, const Number& upper,
                         const std::function<std::string(const Number&)>& text) {
  if (text(lower) == text(upper)) return text(lower);
  return "between " + rounded_decimal(decimal_bounds(lower).lower, 3, false) + " and " +
         rounded_decimal(decimal_bounds(upper).upper, 3, true);
}

std::string exact_or_bounds(const Number& number, const std::optional<Number>& upper) {
  return upper ? bounds_words(number, *upper, about) : number_text(number);
}

// "the best guess is correct with probability 69.1 %, 67.7 % without the release"
std::string guess_words_of(const Guesses& guesses) {
  return "the best guess is correct with probability " +
         bounds_words(guesses.posterior, guesses.posterior_at_most.value_or(guesses.posterior), percent) + ", " +
         percent(guesses.prior) + " without the release";
}

std::string guess_words(const Leakage& leakage) {
  const std::optional<Number> most = leakage.posterior_at_most ? std::optional(leakage.factor_at_most()) : std::nullopt;
  const std::string least_bits = bits_words(std::strtod(leakage.information.lower.c_str(), nullptr));
  const std::string most_bits = bits_words(std::strtod(leakage.information.upper.c_str(), nullptr));
  const bool bounds = most && least_bits != most_bits;
  return guess_words_of(leakage) + " (Bayes leakage " + exact_or_bounds(leakage.factor(), most) + "); " +
         (bounds ? "between " + least_bits + " and " : "") + most_bits;
}

}  // namespace

std::string percent(const Number& share) {
  if (share.is_zero()) return "0 %";
  if (share.is_one()) return "100 %";
  const double value = 100 * share.approx();
  if (value < 0.01) return "less than 0.01 %";
  if (value >= 99.95) return "more than 99.9 %";
  return value < 1 ? fmt::format("{:.2f} %", value) : fmt::format("{:.1f} %", value);
}

std::string bits_words(double nats) { return fmt::format("{:.3g} bits", nats / std::log(2.0)); }

std::string average_words(const Average& average) {
  const std::string level = known_words(average.level);
  if (!average.guesses) return level + " nats, " + bits_words(rounded_nats(average.level.at_most()));
  return level + ": " + guess_words_of(*average.guesses);
}

namespace {

// The coordinates with effects that are not public, by level. Without levels, in their own order.
std::vector<std::size_t> worst_first(const SpecResult& spec) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; spec.effects && i < spec.effects->attributes.size(); ++i) {
    if (!spec.is_public(spec.coordinates[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto &first = spec.effects->attributes[a].level, &second = spec.effects->attributes[b].level;
    return first && second && *first > *second;
  });
  return order;
}

}  // namespace

std::vector<EffectWords> effect_words(const SpecResult& spec) {
  std::vector<EffectWords> all;
  for (const std::size_t i : worst_first(spec)) {
    const AttributeEffects& effects = spec.effects->attributes[i];
    EffectWords& words = all.emplace_back();
    words.coordinate = spec.coordinates[i];
    if (!effects.worst) words.worst = "no output was searched";
    if (effects.worst && effects.worst->posterior == effects.prior) {
      words.worst = "the release reveals nothing about " + printable(words.coordinate, kLongest);
    } else if (effects.worst) {
      words.worst = worst_words(effects);
      words.outputs = "`" + printable(effects.worst->output, kLongest) + "`";
      if (const auto& frequent = effects.frequent) {
        words.frequent = "the most frequent output, for " + percent(frequent->probability) + ", " +
                         change_words(effects.prior, frequent->posterior, "it");
        words.outputs += ", most often `" + printable(frequent->output, kLongest) + "`";
      }
    }
    if (effects.average) {
      words.average = guess_words(*effects.average) + "; total variation " +
                      exact_or_bounds(*effects.average->total_variation, effects.average->total_variation_at_most);
    }
  }
  return all;
}

std::string record_words(const SpecResult& spec) {
  return spec.effects && spec.effects->record ? guess_words(*spec.effects->record) : "";
}

}  // namespace oddsbound::reports
