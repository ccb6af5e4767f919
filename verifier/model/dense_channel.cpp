#include "verifier/model/dense_channel.h"

#include <algorithm>

namespace oddsbound::model {

namespace {

// A pool that fits the first-level cache is gathered from as fast as a stored column is read.
constexpr std::size_t kSmallPool = 2048;

std::vector<std::uint32_t> transposed(const std::vector<std::uint32_t>& rows, std::size_t inputs, std::size_t outputs) {
  constexpr std::size_t kBlock = 32;
  std::vector<std::uint32_t> columns(rows.size());
  for (std::size_t x0 = 0; x0 < inputs; x0 += kBlock) {
    for (std::size_t y0 = 0; y0 < outputs; y0 += kBlock) {
      for (std::size_t y = y0; y < std::min(y0 + kBlock, outputs); ++y) {
        for (std::size_t x = x0; x < std::min(x0 + kBlock, inputs); ++x) {
          columns[y * inputs + x] = rows[x * outputs + y];
        }
      }
    }
  }
  return columns;
}

}  // namespace

class DenseChannel::TableColumns : public Columns {
 public:
  TableColumns(std::uint64_t inputs, std::shared_ptr<const Table> table)
      : Columns(inputs, table->labels.size()), table_(std::move(table)) {}

  const ValuePool& pool() const override { return table_->pool; }

  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>&) const override {
    return std::span(table_->ranks).subspan(y * inputs(), inputs());
  }

  std::span<const double> approx(std::uint64_t y, std::span<const std::uint32_t> ranks,
                                 std::vector<double>& scratch) const override {
    if (table_->approx.empty()) return Columns::approx(y, ranks, scratch);
    return std::span(table_->approx).subspan(y * inputs(), inputs());
  }

 private:
  std::shared_ptr<const Table> table_;
};

DenseChannel::DenseChannel(std::uint64_t inputs, std::shared_ptr<const Table> table)
    : Channel(inputs, table->labels.size()), table_(std::move(table)) {}

ChannelPtr DenseChannel::finish(std::uint64_t inputs, std::shared_ptr<Table> table) {
  if (table->pool.size() > kSmallPool) {
    table->approx.resize(table->ranks.size());
    for (std::size_t i = 0; i < table->ranks.size(); ++i) table->approx[i] = table->pool.approx(table->ranks[i]);
  }
  return ChannelPtr(new DenseChannel(inputs, std::move(table)));
}

ChannelPtr DenseChannel::from_rows(std::uint64_t inputs, std::vector<std::string> labels, PoolBuilder builder,
                                   Budget& budget) {
  auto table = std::make_shared<Table>();
  std::vector<std::uint32_t> rows;
  table->pool = std::move(builder).finish(rows, budget);
  table->ranks = transposed(rows, inputs, labels.size());
  table->labels = std::move(labels);
  return finish(inputs, std::move(table));
}

ChannelPtr DenseChannel::from_columns(std::uint64_t inputs, std::vector<std::string> labels, PoolBuilder builder,
                                      Budget& budget) {
  auto table = std::make_shared<Table>();
  table->pool = std::move(builder).finish(table->ranks, budget);
  table->labels = std::move(labels);
  return finish(inputs, std::move(table));
}

Number DenseChannel::entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const {
  return table_->pool.value(table_->ranks[output[0] * inputs() + x]);
}

std::unique_ptr<Columns> DenseChannel::columns(Budget& budget) const {
  budget.require_cells(inputs(), outputs());
  return std::make_unique<TableColumns>(inputs(), table_);
}

std::vector<std::string> numbered_labels(std::uint64_t count) {
  std::vector<std::string> labels;
  for (std::uint64_t y = 0; y < count; ++y) labels.push_back(std::to_string(y));
  return labels;
}

}  // namespace oddsbound::model
