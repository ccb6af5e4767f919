#include <fmt/format.h>

#include "results/repair_result.h"
#include "results/words.h"
#include "results/wrap.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

constexpr std::size_t kLong = 60;

}  // namespace

std::vector<std::string> repair_words(const RepairResult& result) {
  std::vector<std::string> lines;
  const auto told = [&](const Number& number) {
    return result.rounded ? decimal_text(number) + " (rounded up)" : number_and_about(number, kLong);
  };
  if (result.rounding)
    lines.push_back("rows that were read add up to 1 within " + number_and_about(*result.rounding, kLong));
  if (result.rows.is_zero()) {
    lines.emplace_back("its claims hold: nothing was changed");
  } else {
    if (result.share) lines.push_back("mixed with all outputs alike, by a share of " + told(*result.share));
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

}  // namespace oddsbound::results
