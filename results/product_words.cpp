#include <fmt/format.h>

#include "results/design_result.h"
#include "results/words.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

std::string words_of(const AttributeLevel& one) {
  const std::string name = "  " + printable(one.attribute) + ": ";
  if (one.level.is_infinite()) return name + "as it is\n";
  if (one.level.is_zero()) return name + "nothing of it (level 0)\n";
  return name + "randomized response at " + level_words(one.level) + "\n";
}

// Rounded to the side on which it stays true.
std::string at_least_words(const Number& number) {
  constexpr std::size_t kShort = 20;
  return number.text_size() <= kShort ? number_and_about(number) : decimal_bounds(number).lower;
}

}  // namespace

std::string text_product_design(const DesignResult& result) {
  const ProductDesign& product = *result.product;
  constexpr std::size_t kLongest = 60;
  std::string text = fmt::format("{}\n{}: {}\n{}:\n", printable(result.name), result.loss_words,
                                 number_and_about(result.loss, kLongest),
                                 product.tied ? "one level for all" : "a level for each attribute");
  for (const AttributeLevel& one : product.levels) text += words_of(one);
  const std::string others =
      product.tied ? "no other level within these constraints loses" : "no other levels within these constraints lose";
  if (result.at_least == result.loss) {
    text += others + " less\n";
  } else {
    text += fmt::format("{} less than {}: {:.3g} % less at most\n", others, at_least_words(result.at_least),
                        100 * ((result.loss - result.at_least) / result.loss).approx());
  }
  text += fmt::format("constraints were decided at {} points", product.decisions);
  if (product.open > 0) text += fmt::format(", and stayed open at {} of them, which are not taken", product.open);
  if (product.stopped) text += "; more 'decisions' may find better levels, or that there are none";
  return text + "\n";
}

}  // namespace oddsbound::results
