#include <fmt/format.h>

#include "results/repair_result.h"
#include "results/words.h"
#include "results/wrap.h"

namespace oddsbound::results {

namespace {

constexpr std::size_t kLong = 60;

}  // namespace

std::string text_repair(const RepairResult& result) {
  std::string text = printable(result.name) + "\n";
  if (result.rounding)
    text += "rows that were read add up to 1 within " + number_and_about(*result.rounding, kLong) + "\n";
  if (result.rows.is_zero()) {
    text += "its claims hold: nothing was changed\n";
  } else {
    if (result.share)
      text += "mixed with all outputs alike, by a share of " + number_and_about(*result.share, kLong) + "\n";
    text += "largest change of an entry: " + number_and_about(result.entries, kLong) + "\n";
    text += "largest change of a row, in total variation: " + number_and_about(result.rows, kLong) + "\n";
  }
  for (const std::string& note : result.notes) text += note + "\n";
  return text;
}

}  // namespace oddsbound::results
