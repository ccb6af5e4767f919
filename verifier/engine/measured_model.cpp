#include "verifier/engine/measured_model.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/engine/shared_pass.h"
#include "verifier/exact/threads.h"

namespace oddsbound::engine {

const Prior& MeasuredModel::prior() const {
  if (!model_.prior) throw ModelError("this notion needs a prior, and the spec has none");
  return *model_.prior;
}

std::shared_ptr<const Model> MeasuredModel::kept_model() {
  if (!kept_) kept_ = std::make_shared<const Model>(model_);
  return kept_;
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
  columns();
  std::vector<Entry*> waiting;
  for (const auto& entry : entries_) {
    if (entry->accumulator || entry->error || entry->result.has_value()) continue;
    try {
      entry->accumulator = entry->begin(*this);
      waiting.push_back(entry.get());
    } catch (...) {
      entry->error = std::current_exception();
    }
  }
  if (!is_worth_sharing(*columns_, budget_) || name_.empty()) return go_through(waiting);
  std::vector<Entry*> shared;
  std::erase_if(waiting, [&](Entry* entry) {
    const bool is_known = !entry->as_bytes.empty() && entry->accumulator->sufficient_outputs().has_value();
    if (is_known) shared.push_back(entry);
    return is_known;
  });
  if (!waiting.empty()) go_through(waiting);
  if (shared.empty()) return;
  BinaryWriter question;
  question.put(name_).put(columns_->inputs()).put(columns_->outputs());
  std::vector<PassClient> riders;
  for (Entry* entry : shared) {
    question.put(entry->as_bytes);
    riders.push_back({entry->accumulator.get()});
  }
  shared_pass(*columns_, task_name("pass over outputs", question.take()), riders, budget_);
  for (std::size_t r = 0; r < riders.size(); ++r) shared[r]->error = riders[r].error;
}

void MeasuredModel::go_through(std::vector<Entry*>& waiting) {
  std::vector<PassClient> riders;
  for (Entry* entry : waiting) riders.push_back({entry->accumulator.get()});
  try {
    pass(*columns_, {0, columns_->outputs()}, riders, budget_);
  } catch (...) {
    // No thread or memory could be obtained, so no accumulator saw all outputs.
    for (PassClient& rider : riders) rider.error = std::current_exception();
  }
  for (std::size_t r = 0; r < riders.size(); ++r) waiting[r]->error = riders[r].error;
}

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

}  // namespace oddsbound::engine
