#include "results/effects_words.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "results/words.h"
#include "specs/spec_error.h"

namespace oddsbound::results {

namespace {

constexpr std::size_t kLongest = 60;

// "raises it to 54.7 %", where `it` says what, and from what.
std::string change_words(const Number& before, const Number& after, const std::string& it) {
  if (after == before) return "says nothing of " + it;
  if (after.is_zero()) return "rules " + it + " out";
  const bool raises = after > before;
  return std::string(raises ? "raises " : "lowers ") + it + " to " + (after.is_one() ? "certainty" : percent(after));
}

// Of an output that changes what is believed of the value.
std::string worst_words(const AttributeEffects& effects) {
  const Effect& worst = *effects.worst;
  const std::string value = printable(effects.value, kLongest), before = percent(effects.prior);
  const std::string people = "for " + percent(worst.probability) + " of people the release ";
  if (worst.posterior.is_zero()) return people + "rules out " + value + ", before " + before;
  return people + change_words(effects.prior, worst.posterior, "the probability of " + value + " from " + before);
}

std::string guess_words(const Leakage& leakage) {
  const std::string factor = number_text(leakage.factor());
  return "the best guess is right for " + percent(leakage.posterior) + ", without the release for " +
         percent(leakage.prior) + " (Bayes leakage " + factor + "); " +
         bits_words(std::strtod(leakage.information.upper.c_str(), nullptr));
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
  return level + ": the best guess is right for " + percent(average.guesses->posterior) + ", without the release for " +
         percent(average.guesses->prior);
}

std::vector<EffectWords> effect_words(const SpecResult& spec) {
  std::vector<EffectWords> all;
  for (std::size_t i = 0; spec.effects && i < spec.effects->attributes.size(); ++i) {
    if (spec.is_public(spec.coordinates[i])) continue;
    const AttributeEffects& effects = spec.effects->attributes[i];
    EffectWords& words = all.emplace_back();
    words.coordinate = spec.coordinates[i];
    if (effects.worst && effects.worst->posterior == effects.prior) {
      words.worst = "the release says nothing of " + printable(words.coordinate, kLongest);
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
      words.average =
          guess_words(*effects.average) + "; total variation " + number_text(*effects.average->total_variation);
    }
  }
  return all;
}

std::string record_words(const SpecResult& spec) {
  return spec.effects && spec.effects->record ? guess_words(*spec.effects->record) : "";
}

}  // namespace oddsbound::results
