#include "verifier/ratios/measured_model.h"

#include <algorithm>

#include "base/errors.h"

namespace oddsbound::ratios {

const Prior& MeasuredModel::prior() const {
  if (!model_.prior) throw ModelError("this notion needs a prior, and the spec has none");
  return *model_.prior;
}

const Columns& MeasuredModel::columns() {
  if (!columns_) columns_ = channel().columns(budget_);
  return *columns_;
}

bool MeasuredModel::can_enumerate() const {
  const std::uint64_t inputs = channel().input_numbers();
  return inputs <= budget_.limits().max_inputs && channel().outputs() <= budget_.limits().max_cells / inputs;
}

void MeasuredModel::forget(const Entry* entry) {
  std::erase_if(entries_, [&](const auto& known) { return known.get() == entry; });
}

void MeasuredModel::run_pass() {
  const Columns& all = columns();
  std::vector<Entry*> waiting;
  std::vector<Rider> riders;
  for (const auto& entry : entries_) {
    if (entry->accumulator || entry->error || entry->result.has_value()) continue;
    try {
      entry->accumulator = entry->begin(*this);
      waiting.push_back(entry.get());
      riders.push_back({entry->accumulator.get()});
    } catch (...) {
      entry->error = std::current_exception();
    }
  }
  try {
    pass(all, {0, all.outputs()}, riders, budget_);
  } catch (...) {
    // No thread or memory to be had: none of them saw all outputs.
    for (Rider& rider : riders) rider.error = std::current_exception();
  }
  for (std::size_t r = 0; r < riders.size(); ++r) waiting[r]->error = riders[r].error;
}

}  // namespace oddsbound::ratios
