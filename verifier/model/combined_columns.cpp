#include "verifier/model/combined_columns.h"

#include <map>

namespace oddsbound::model {

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

namespace {

void combine(Combination combination, Number& whole, const Number& part) {
  if (combination == Combination::kProduct) {
    whole *= part;
  } else {
    whole += part;
  }
}
Number of_no_parts(Combination combination) { return Number(combination == Combination::kProduct ? 1 : 0); }

// The parts' columns and, per part, the projection of every input.
class TableColumns final : public Columns {
 public:
  TableColumns(const CombinedParts& whole, Budget& budget)
      : Columns(whole.inputs, whole.outputs),
        combination_(whole.combination),
        outputs_of_(whole.outputs_of),
        projections_(whole.parts.size()) {
    budget.require_memory(whole.parts.size() * inputs() * sizeof(std::uint32_t));
    for (std::size_t p = 0; p < whole.parts.size(); ++p) {
      const Channel* channel = whole.parts[p].channel.get();
      if (!shared_.contains(channel)) shared_[channel] = channel->columns(budget);
      parts_.push_back(shared_[channel].get());
      combinations_ = saturating_product(combinations_, parts_[p]->pool().size());
      projections_[p].reserve(inputs());
      for (std::uint64_t x = 0; x < inputs(); ++x) {
        projections_[p].push_back(static_cast<std::uint32_t>(whole.input_of(p, x)));
        budget.check_every();
      }
    }
  }

  bool few_combinations() const { return combinations_ <= kMostCombinations; }

  void rank_combinations(Budget& budget) {
    PoolBuilder builder;
    std::vector<Number> entries{of_no_parts(combination_)};
    for (const Columns* part : parts_) {
      std::vector<Number> longer;
      for (const Number& prefix : entries) {
        for (std::uint32_t r = 0; r < part->pool().size(); ++r) {
          combine(combination_, longer.emplace_back(prefix), part->pool().value(r));
          budget.check_every();
        }
      }
      entries = std::move(longer);
    }
    for (const Number& entry : entries) builder.add(entry);
    pool_ = std::move(builder).finish(rank_of_, budget);
  }

  const ValuePool& pool() const override { return pool_; }

  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    combine_ranks(y, scratch);
    for (std::uint32_t& combination : scratch) combination = rank_of_[combination];
    return scratch;
  }

  /// Sets the result to the entries of column y as numbers.
  void values(std::uint64_t y, std::vector<Number>& result) const {
    result.assign(inputs(), of_no_parts(combination_));
    std::vector<std::uint32_t> scratch;
    const std::vector<std::uint64_t> outputs = outputs_of_(y);
    for (std::size_t p = parts_.size(); p-- > 0;) {
      const auto column = parts_[p]->ranks(outputs[p], scratch);
      for (std::uint64_t x = 0; x < inputs(); ++x) {
        combine(combination_, result[x], parts_[p]->pool().value(column[projections_[p][x]]));
      }
    }
  }

 private:
  void combine_ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const {
    scratch.assign(inputs(), 0);
    std::vector<std::uint32_t> part_scratch;
    const std::vector<std::uint64_t> outputs = outputs_of_(y);
    std::uint32_t stride = 1;
    for (std::size_t p = parts_.size(); p-- > 0;) {
      const auto column = parts_[p]->ranks(outputs[p], part_scratch);
      const std::vector<std::uint32_t>& projection = projections_[p];
      for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] += stride * column[projection[x]];
      stride *= static_cast<std::uint32_t>(parts_[p]->pool().size());
    }
  }

  Combination combination_;
  std::function<std::vector<std::uint64_t>(std::uint64_t)> outputs_of_;
  std::map<const Channel*, std::unique_ptr<Columns>> shared_;
  std::vector<const Columns*> parts_;
  std::vector<std::vector<std::uint32_t>> projections_;
  std::uint64_t combinations_ = 1;
  ValuePool pool_;
  std::vector<std::uint32_t> rank_of_;
};

// Keeps the dense table alive behind its columns.
class MaterialisedColumns final : public Columns {
 public:
  MaterialisedColumns(ChannelPtr table, Budget& budget)
      : Columns(table->inputs(), table->outputs()), table_(std::move(table)), columns_(table_->columns(budget)) {}
  const ValuePool& pool() const override { return columns_->pool(); }
  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    return columns_->ranks(y, scratch);
  }
  std::span<const double> approx(std::uint64_t y, std::span<const std::uint32_t> ranks,
                                 std::vector<double>& scratch) const override {
    return columns_->approx(y, ranks, scratch);
  }

 private:
  ChannelPtr table_;
  std::unique_ptr<Columns> columns_;
};

}  // namespace

std::unique_ptr<Columns> combined_columns(const CombinedParts& whole, Budget& budget) {
  auto table = std::make_unique<TableColumns>(whole, budget);
  if (table->few_combinations()) {
    table->rank_combinations(budget);
    return table;
  }
  PoolBuilder builder;
  std::vector<Number> column;
  for (std::uint64_t y = 0; y < whole.outputs; ++y) {
    table->values(y, column);
    for (const Number& value : column) builder.add(value);
    budget.check();
  }
  std::vector<std::string> unnamed(whole.outputs);
  return std::make_unique<MaterialisedColumns>(
      DenseChannel::from_columns(whole.inputs, std::move(unnamed), std::move(builder), budget), budget);
}

}  // namespace oddsbound::model
