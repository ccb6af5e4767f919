// A channel held entry by entry: explicit matrices, and whatever has no more economical form.
#pragma once

#include "verifier/model/channel.h"

namespace oddsbound::model {

class DenseChannel : public Channel {
 public:
  /// The entries of `builder` are the rows one after another: entry x * labels.size() + y is P(y given x).
  /// Entries must be non-negative and each row must sum to 1; the caller has checked that.
  static ChannelPtr from_rows(std::uint64_t inputs, std::vector<std::string> labels, PoolBuilder builder,
                              Budget& budget);
  /// The same from columns: entry y * inputs + x is P(y given x).
  static ChannelPtr from_columns(std::uint64_t inputs, std::vector<std::string> labels, PoolBuilder builder,
                                 Budget& budget);

  std::string label_of(std::span<const std::uint64_t> output) const override { return table_->labels[output[0]]; }
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  std::unique_ptr<Columns> columns(Budget& budget) const override;

 private:
  struct Table {
    std::vector<std::string> labels;
    ValuePool pool;
    std::vector<std::uint32_t> ranks;  // column after column
    std::vector<double> approx;        // the same, only where gathering from the pool would miss the cache
  };
  class TableColumns;
  DenseChannel(std::uint64_t inputs, std::shared_ptr<const Table> table);
  static ChannelPtr finish(std::uint64_t inputs, std::shared_ptr<Table> table);

  std::shared_ptr<const Table> table_;
};

/// "0", "1", ..., for outputs given as a count.
std::vector<std::string> numbered_labels(std::uint64_t count);

}  // namespace oddsbound::model
