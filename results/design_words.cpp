#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "results/design_result.h"
#include "results/publishable.h"
#include "results/words.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

std::vector<std::string> words_of_curve(const std::vector<CurvePoint>& curve) {
  if (curve.empty()) return {};
  std::vector<std::string> lines{"least loss by epsilon:"};
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const CurvePoint& point = curve[k];
    if (k > 0 && k + 1 < curve.size() && !point.turns) continue;
    lines.push_back("  " + epsilon_words(point) + ": " + number_and_about(point.loss) +
                    (point.turns ? ", where what is best turns" : ""));
  }
  return lines;
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
  if (result.rounded) {
    if (result.loss.is_zero()) return "0";
    return decimal_text(result.loss) + (result.is_most ? " (rounded down)" : " (rounded up)");
  }
  return result.at_least == result.loss ? number_and_about(result.loss)
                                        : exactly_or_rounded(result.loss, !result.is_most);
}

std::string described_loss(const DesignResult& result) {
  if (result.confidential) return told_loss(publishable(result));
  return decimal_text(result.loss);
}

std::string epsilon_words(const CurvePoint& point) {
  return fmt::format("{}log({}) = {:.6g}", point.turns && !point.exactly ? "about " : "", point.exponential.to_string(),
                     std::log(point.exponential.approx()));
}

DesignWords design_words(const DesignResult& result) {
  if (result.product) return product_design_words(result);
  DesignWords words;
  words.loss = result.loss_words + ": " + told_loss(result);
  const std::string which = result.symmetric ? "no mechanism with these symmetries within these constraints has "
                                             : "no mechanism within these constraints has ";
  std::string& best = words.proven.emplace_back(which + (result.is_most ? "more" : "less"));
  if (result.at_least != result.loss) {
    best += " than " +
            (result.rounded ? decimal_text(result.at_least) : exactly_or_rounded(result.at_least, result.is_most));
  }
  if (!result.share.is_zero()) {
    words.proven.push_back(
        "a share of " + result.share.to_string() +
        " of it tells nothing: so much was needed until all held that is claimed over sets of priors");
  }
  if (!result.family.empty()) words.proven.push_back("it is " + result.family);
  if (result.rounded) words.proven.emplace_back(kRoundedDesign);
  words.curve = words_of_curve(result.curve);
  words.made =
      fmt::format("outputs that are ever given: {}, different probabilities: {}", result.outputs, result.entries);
  return words;
}

std::string text_design(const DesignResult& result) {
  if (!result.conflict.empty()) {
    return fmt::format("{}\nno mechanism keeps all of these:\n  {}\n", printable(result.name),
                       fmt::join(result.conflict, "\n  "));
  }
  const DesignWords words = design_words(result);
  std::string text = printable(result.name) + "\n" + words.loss + "\n";
  for (const auto* lines : {&words.levels, &words.proven, &words.curve}) {
    for (const std::string& line : *lines) text += line + "\n";
  }
  return text + words.made + "\n";
}

}  // namespace oddsbound::results
