#include "verifier/model/channel.h"

namespace oddsbound {

std::span<const double> Columns::approx(std::uint64_t y, std::vector<double>& scratch) const {
  thread_local std::vector<std::uint32_t> ranks_scratch;
  const auto column = ranks(y, ranks_scratch);
  const auto values = pool().approx();
  scratch.resize(column.size());
  for (std::size_t x = 0; x < column.size(); ++x) scratch[x] = values[column[x]];
  return scratch;
}

std::vector<std::string> output_labels(const Channel& channel, Budget& budget) {
  std::vector<std::string> labels;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    labels.push_back(channel.output_label(y));
    budget.tick();
  }
  return labels;
}

std::vector<std::vector<Number>> rows_of(const Channel& channel, Budget& budget) {
  budget.require_cells(channel.inputs(), channel.outputs());
  std::vector<std::vector<Number>> rows(channel.inputs());
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      rows[x].push_back(channel.entry(x, y));
      budget.tick();
    }
  }
  return rows;
}

std::vector<std::vector<double>> rounded_rows(const Channel& channel, Budget& budget) {
  std::vector<std::vector<double>> rows(channel.inputs(), std::vector<double>(channel.outputs()));
  const auto columns = channel.columns(budget);
  std::vector<double> scratch;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    budget.tick();
    const auto column = columns->approx(y, scratch);
    for (std::uint64_t x = 0; x < rows.size(); ++x) rows[x][y] = column[x];
  }
  return rows;
}

}  // namespace oddsbound
