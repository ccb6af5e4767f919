// The entries of a channel row by row, for what compares whole rows: gathered by a pass over the columns.
#pragma once

#include "verifier/ratios/pass.h"

namespace oddsbound::ratios {

/// inputs x outputs entries, input after input. Accumulators for later outputs write into the same matrix.
template <class Entry>
class GatheredRows final : public AccumulatorOf<GatheredRows<Entry>> {
 public:
  explicit GatheredRows(const Columns& columns)
      : outputs_(columns.outputs()),
        matrix_(std::make_shared<std::vector<Entry>>(columns.inputs() * columns.outputs())) {}

  void offer(ColumnView& column) override {
    const std::uint64_t y = column.output();
    const std::span<const Entry> entries = entries_of(column);
    Entry* entry = matrix_->data() + y;
    for (std::uint64_t x = 0; x < entries.size(); ++x) entry[x * outputs_] = entries[x];
    if (seen_.begin == seen_.end) seen_.begin = y;
    seen_.end = y + 1;
  }
  void take(GatheredRows&& later) {
    assert(outputs_ == later.outputs_);
    for (std::uint64_t k = 0; matrix_ != later.matrix_ && k < matrix_->size(); k += outputs_) {
      for (std::uint64_t y = later.seen_.begin; y < later.seen_.end; ++y) (*matrix_)[k + y] = (*later.matrix_)[k + y];
    }
    if (seen_.begin == seen_.end) seen_.begin = later.seen_.begin;
    seen_.end = later.seen_.end;
  }
  GatheredRows successor() const {
    GatheredRows rows = *this;
    rows.seen_ = {};
    return rows;
  }

  std::vector<Entry> finish() && { return std::move(*matrix_); }

 private:
  static std::span<const Entry> entries_of(ColumnView& column) {
    if constexpr (std::is_same_v<Entry, double>) {
      return column.approx();
    } else {
      return column.ranks();
    }
  }

  std::uint64_t outputs_;
  std::shared_ptr<std::vector<Entry>> matrix_;
  OutputRange seen_;
};

/// Ranks in the pool of the columns. Throws LimitError past the budget.
std::vector<std::uint32_t> rank_rows(const Columns& columns, Budget& budget);

/// P(y given x) as [x][y], within a relative error of 2^-50 each. Throws LimitError past the budget.
std::vector<std::vector<double>> rounded_rows(const Channel& channel, Budget& budget);

}  // namespace oddsbound::ratios
