#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "results/design_result.h"
#include "results/words.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

// A line for each point where what is best turns, and for the ends.
std::string text_curve(const std::vector<CurvePoint>& curve) {
  std::string text = "least loss by epsilon:\n";
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const CurvePoint& point = curve[k];
    if (k > 0 && k + 1 < curve.size() && !point.turns) continue;
    text += fmt::format("  {}log({}) = {:.6g}: {}{}\n", point.turns && !point.exactly ? "about " : "",
                        point.exponential.to_string(), std::log(point.exponential.approx()),
                        number_and_about(point.loss), point.turns ? ", where what is best turns" : "");
  }
  return text;
}

// Exactly where that is short; else a decimal rounded up or down, so that what is said stays true.
std::string exactly_or_rounded(const Number& number, bool up) {
  constexpr std::size_t kShort = 20;
  if (number.text_size() <= kShort || number.to_string().size() <= kShort) return number_and_about(number);
  const DecimalBounds bounds = decimal_bounds(number);
  return up ? bounds.upper : bounds.lower;
}

}  // namespace

std::string told_loss(const DesignResult& result) {
  return result.at_least == result.loss ? number_and_about(result.loss)
                                        : exactly_or_rounded(result.loss, !result.is_most);
}

std::string text_design(const DesignResult& result) {
  if (result.product) return text_product_design(result);
  if (!result.conflict.empty()) {
    return fmt::format("{}\nno mechanism keeps all of these:\n  {}\n", printable(result.name),
                       fmt::join(result.conflict, "\n  "));
  }
  std::string text = fmt::format("{}\n{}: {}\n", printable(result.name), result.loss_words, told_loss(result));
  const std::string which =
      result.symmetric ? "with these symmetries within these constraints" : "within these constraints";
  if (result.at_least == result.loss) {
    text += fmt::format("no mechanism {} has {}\n", which, result.is_most ? "more" : "less");
  } else {
    text += fmt::format("no mechanism {} has {} than {}\n", which, result.is_most ? "more" : "less",
                        exactly_or_rounded(result.at_least, result.is_most));
  }
  if (!result.share.is_zero()) {
    text += fmt::format(
        "a share of {} of it tells nothing: so much was needed until all held that is claimed over sets of priors\n",
        result.share.to_string());
  }
  if (!result.family.empty()) text += "it is " + result.family + "\n";
  if (!result.curve.empty()) text += text_curve(result.curve);
  return text +
         fmt::format("outputs that are ever given: {}, different probabilities: {}\n", result.outputs, result.entries);
}

}  // namespace oddsbound::results
