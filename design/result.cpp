#include "design/result.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cmath>

#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::designs {

namespace {

Number rounded_up_entry(const Number& entry) { return rounded_outward(entry, true); }

void publish(ShownMatrix& matrix) {
  for (std::vector<Number>& row : matrix.entries) {
    for (Number& entry : row) entry = rounded_up_entry(entry);
  }
}

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

// Returns a short number exactly, and a long one as a decimal rounded in the valid direction.
std::string exactly_or_rounded(const Number& number, bool up) {
  constexpr std::size_t kShortText = 20;
  if (number.text_size() <= kShortText || number.to_string().size() <= kShortText) return number_and_about(number);
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
    words.proven.push_back("a share of " + result.share.to_string() +
                           " of it reveals nothing: this much was needed for all claims over sets of priors to hold");
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

namespace {

// Rounded in the valid direction.
std::string at_least_words(const Number& number) {
  constexpr std::size_t kShortText = 20;
  return number.text_size() <= kShortText ? number_and_about(number) : decimal_bounds(number).lower;
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

namespace {

constexpr std::size_t kLong = 60;

}  // namespace

std::vector<std::string> repair_words(const RepairResult& result) {
  std::vector<std::string> lines;
  const auto told = [&](const Number& number) {
    return result.rounded ? decimal_text(number) + " (rounded up)" : number_and_about(number, kLong);
  };
  if (result.rounding)
    lines.push_back("each row was divided by its sum, which differs from 1 by at most " +
                    number_and_about(*result.rounding, kLong));
  if (result.without_claims) {
    lines.emplace_back("no claim limits the probabilities of outputs: nothing else was changed");
  } else if (result.rows.is_zero()) {
    lines.emplace_back(result.rounding ? "then its claims hold: nothing else was changed"
                                       : "its claims hold: nothing was changed");
  } else {
    if (result.share) lines.push_back("mixed with equally likely outputs: weight " + told(*result.share));
    lines.push_back("largest change of an entry: " + told(result.entries));
    lines.push_back("largest change of a row, in total variation: " + told(result.rows));
  }
  if (result.rounded) {
    lines.emplace_back(
        "the prior is confidential: changes are rounded up to three significant digits (--exact shows all). The spec "
        "has "
        "the mechanism exactly");
  }
  lines.insert(lines.end(), result.notes.begin(), result.notes.end());
  return lines;
}

std::string text_repair(const RepairResult& result) {
  std::string text = printable(result.name) + "\n";
  for (const std::string& line : repair_words(result)) text += line + "\n";
  return text;
}

DesignResult publishable(DesignResult result) {
  if (!result.confidential) return result;
  result.rounded = true;
  const bool best = result.at_least == result.loss;
  result.loss = rounded_outward(result.loss, !result.is_most);
  result.at_least = best ? result.loss : rounded_outward(result.at_least, result.is_most);
  result.curve.clear();
  publish(result.matrix);
  if (result.product) {
    for (AttributeLevel& one : result.product->levels) one.level = rounded_up_for_others(one.level);
  }
  return result;
}

RepairResult publishable(RepairResult result) {
  if (!result.confidential) return result;
  result.rounded = true;
  if (result.share) result.share = rounded_outward(*result.share, true);
  result.entries = rounded_outward(result.entries, true);
  result.rows = rounded_outward(result.rows, true);
  for (std::size_t x = 0; x < result.after.entries.size(); ++x) {
    for (std::size_t y = 0; y < result.after.entries[x].size(); ++y) {
      Number& entry = result.after.entries[x][y];
      if (entry != result.before.entries[x][y]) entry = rounded_up_entry(entry);
    }
  }
  return result;
}

}  // namespace oddsbound::designs
