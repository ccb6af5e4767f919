#include "verifier/ratios/rows.h"

namespace oddsbound::ratios {

std::vector<std::uint32_t> rank_rows(const Columns& columns, Budget& budget) {
  GatheredRows<std::uint32_t> rows(columns);
  pass(columns, rows, budget);
  return std::move(rows).finish();
}

std::vector<std::vector<double>> rounded_rows(const Channel& channel, Budget& budget) {
  const auto columns = channel.columns(budget);
  GatheredRows<double> rows(*columns);
  pass(*columns, rows, budget);
  const std::vector<double> entries = std::move(rows).finish();
  std::vector<std::vector<double>> result;
  for (auto row = entries.begin(); row != entries.end(); row += static_cast<std::ptrdiff_t>(channel.outputs())) {
    result.emplace_back(row, row + static_cast<std::ptrdiff_t>(channel.outputs()));
  }
  return result;
}

}  // namespace oddsbound::ratios
