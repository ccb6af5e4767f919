#include "verifier/model/channel.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace oddsbound::model {

std::span<const double> Columns::approx(std::uint64_t, std::span<const std::uint32_t> ranks,
                                        std::vector<double>& scratch) const {
  const auto values = pool().approx();
  scratch.resize(ranks.size());
  for (std::size_t x = 0; x < ranks.size(); ++x) scratch[x] = values[ranks[x]];
  return scratch;
}

namespace {

// Some inputs of a channel.
class SelectedColumns final : public Columns {
 public:
  SelectedColumns(std::unique_ptr<Columns> whole, std::vector<std::uint64_t> inputs)
      : Columns(inputs.size(), whole->outputs()), whole_(std::move(whole)), selected_(std::move(inputs)) {}
  const ValuePool& pool() const override { return whole_->pool(); }
  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    std::vector<std::uint32_t> whole_scratch;
    const std::span<const std::uint32_t> all = whole_->ranks(y, whole_scratch);
    scratch.clear();
    for (const std::uint64_t input : selected_) scratch.push_back(all[input]);
    return scratch;
  }

 private:
  std::unique_ptr<Columns> whole_;
  std::vector<std::uint64_t> selected_;
};

}  // namespace

std::unique_ptr<Columns> Channel::columns_of(const Domain& domain, std::span<const InputRow> rows,
                                             Budget& budget) const {
  std::vector<std::uint64_t> inputs;
  for (const InputRow& row : rows) inputs.push_back(domain.number(row));
  return std::make_unique<SelectedColumns>(columns(budget), std::move(inputs));
}

std::vector<std::string> output_labels(const Channel& channel, Budget& budget) {
  std::vector<std::string> labels;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    labels.push_back(channel.output_label(y));
    budget.check_every();
  }
  return labels;
}

std::vector<std::vector<Number>> rows_of(const Channel& channel, Budget& budget) {
  budget.require_cells(channel.inputs(), channel.outputs());
  std::vector<std::vector<Number>> rows(channel.inputs());
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      rows[x].push_back(channel.entry(x, y));
      budget.check_every();
    }
  }
  return rows;
}

namespace {

// A pool that fits the first-level cache is looked up as fast as a stored column is read.
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

namespace {

// Entries of a derived channel by the terms that they are sums of: the cells of a mixture have few different ones.
class KnownSums {
 public:
  std::uint32_t number_of(const Number& share) {
    return shares_.try_emplace(share, static_cast<std::uint32_t>(shares_.size())).first->second;
  }
  std::optional<std::size_t> find(const std::vector<std::uint32_t>& key) const {
    const auto place = entries_.find(key);
    return place == entries_.end() ? std::nullopt : std::optional(place->second);
  }
  void keep(const std::vector<std::uint32_t>& key, std::size_t entry) {
    constexpr std::size_t kMostKept = 1 << 16, kMostTerms = 64;
    if (entries_.size() < kMostKept && key.size() <= 3 * kMostTerms) entries_.emplace(key, entry);
  }

 private:
  struct Hash {
    std::size_t operator()(const std::vector<std::uint32_t>& key) const {
      return std::hash<std::string_view>()({reinterpret_cast<const char*>(key.data()), 4 * key.size()});
    }
  };

  std::unordered_map<Number, std::uint32_t, NumberHash> shares_;
  std::unordered_map<std::vector<std::uint32_t>, std::size_t, Hash> entries_;
};

}  // namespace

ChannelPtr derived_channel(const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs,
                           Budget& budget) {
  const std::uint64_t inputs = channels.at(0)->inputs();
  budget.require_cells(inputs, outputs.size());
  std::vector<std::unique_ptr<Columns>> columns;
  for (const ChannelPtr& channel : channels) columns.push_back(channel->columns(budget));
  PoolBuilder builder;
  KnownSums known;
  std::vector<std::string> labels;
  std::vector<std::uint32_t> scratch, key;
  std::vector<WeightedTerm> terms;
  for (const DerivedOutput& output : outputs) {
    std::vector<std::vector<std::uint32_t>> ranks;  // [share][input]
    std::vector<std::uint32_t> sources;
    for (const OutputShare& share : output.shares) {
      budget.check();
      const auto column = columns[share.channel]->ranks(share.output, scratch);
      ranks.emplace_back(column.begin(), column.end());
      sources.insert(sources.end(), {static_cast<std::uint32_t>(share.channel), known.number_of(share.share)});
    }
    for (std::uint64_t x = 0; x < inputs; ++x) {
      budget.check_every();
      key = sources;
      for (const auto& column : ranks) key.push_back(column[x]);
      if (const auto entry = known.find(key)) {
        builder.add_again(*entry);
        continue;
      }
      known.keep(key, builder.size());
      terms.clear();
      for (std::size_t k = 0; k < ranks.size(); ++k) {
        const OutputShare& share = output.shares[k];
        terms.push_back({share.share, columns[share.channel]->pool().value(ranks[k][x])});
      }
      builder.add(weighted_sum(terms));
    }
    labels.push_back(output.label);
  }
  return DenseChannel::from_columns(inputs, std::move(labels), std::move(builder), budget);
}

ChannelPtr adaptive_channel(const ChannelPtr& first, const std::vector<ChannelPtr>& then, Budget& budget) {
  const std::uint64_t inputs = first->inputs();
  std::uint64_t outputs = 0;
  for (const ChannelPtr& second : then) {
    budget.require_cells(inputs, second->outputs());
    outputs += second->outputs();
    budget.require_cells(inputs, outputs);
  }
  const auto first_columns = first->columns(budget);
  PoolBuilder builder;
  std::vector<std::string> labels;
  std::vector<std::uint32_t> first_scratch, second_scratch;
  for (std::uint64_t y = 0; y < first->outputs(); ++y) {
    const auto first_column = first_columns->ranks(y, first_scratch);
    const auto second_columns = then[y]->columns(budget);
    for (std::uint64_t z = 0; z < then[y]->outputs(); ++z) {
      budget.check();
      const auto second_column = second_columns->ranks(z, second_scratch);
      for (std::uint64_t x = 0; x < inputs; ++x) {
        builder.add(first_columns->pool().value(first_column[x]) * second_columns->pool().value(second_column[x]));
      }
      labels.push_back("(" + first->output_label(y) + "," + then[y]->output_label(z) + ")");
    }
  }
  return DenseChannel::from_columns(inputs, std::move(labels), std::move(builder), budget);
}

}  // namespace oddsbound::model
