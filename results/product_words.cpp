#include <fmt/format.h>

#include "results/design_result.h"
#include "results/words.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

// Rounded to the side on which it stays true.
std::string at_least_words(const Number& number) {
  constexpr std::size_t kShort = 20;
  return number.text_size() <= kShort ? number_and_about(number) : decimal_bounds(number).lower;
}

}  // namespace

std::string level_of_attribute(const Level& level) {
  if (level.is_infinite()) return "as it is";
  if (level.is_zero()) return "nothing of it (level 0)";
  return "randomized response at " + level_words(level);
}

DesignWords product_design_words(const DesignResult& result) {
  const ProductDesign& product = *result.product;
  constexpr std::size_t kLongest = 60;
  DesignWords words;
  words.loss =
      result.loss_words + ": " + (result.rounded ? told_loss(result) : number_and_about(result.loss, kLongest));
  words.levels.push_back(product.tied ? "one level for all:" : "a level for each attribute:");
  for (const AttributeLevel& one : product.levels) {
    words.levels.push_back("  " + printable(one.attribute) + ": " + level_of_attribute(one.level));
  }
  const std::string others =
      product.tied ? "no other level within these constraints loses" : "no other levels within these constraints lose";
  std::string& best = words.proven.emplace_back(others + " less");
  if (result.at_least != result.loss) {
    best += fmt::format(" than {}: {:.3g} % less at most",
                        result.rounded ? decimal_text(result.at_least) : at_least_words(result.at_least),
                        100 * ((result.loss - result.at_least) / result.loss).approx());
  }
  if (result.rounded) words.proven.emplace_back(kRoundedDesign);
  words.made = fmt::format("constraints were decided at {} points", product.decisions);
  if (product.open > 0) {
    words.made += fmt::format(", and stayed open at {} of them, which are not taken", product.open);
  }
  if (product.stopped) words.made += "; more 'decisions' may find better levels, or that there are none";
  return words;
}

}  // namespace oddsbound::results
