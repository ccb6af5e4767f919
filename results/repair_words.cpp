#include <fmt/format.h>

#include "results/repair_result.h"
#include "results/wrap.h"

namespace oddsbound::results {

std::string text_repair(const RepairResult& result) {
  const auto about = [](const Number& number) {
    const std::string exact = number.to_string(), decimal = fmt::format("{:.6g}", number.approx());
    constexpr std::size_t kLong = 60;
    if (exact == decimal) return exact;
    return exact.size() > kLong ? "about " + decimal : exact + " = " + decimal;
  };
  std::string text = printable(result.name) + "\n";
  if (result.rounding) text += "rows that were read add up to 1 within " + about(*result.rounding) + "\n";
  if (result.rows.is_zero()) {
    text += "its claims hold: nothing was changed\n";
  } else {
    if (result.share) text += "mixed with all outputs alike, by a share of " + about(*result.share) + "\n";
    text += "largest change of an entry: " + about(result.entries) + "\n";
    text += "largest change of a row, in total variation: " + about(result.rows) + "\n";
  }
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

}  // namespace oddsbound::results
