#include "verifier/model/channel.h"

namespace oddsbound::model {

std::span<const double> Columns::approx(std::uint64_t, std::span<const std::uint32_t> ranks,
                                        std::vector<double>& scratch) const {
  const auto values = pool().approx();
  scratch.resize(ranks.size());
  for (std::size_t x = 0; x < ranks.size(); ++x) scratch[x] = values[ranks[x]];
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

}  // namespace oddsbound::model
