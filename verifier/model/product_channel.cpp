// Columns of a product: an entry is the product of the factors' entries, so the combination of their ranks
// determines it. If there are few combinations, all are multiplied and ranked once, and an entry is one table
// look-up. Otherwise the whole table is multiplied out.

#include "verifier/model/product_channel.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/errors.h"
#include "verifier/model/channel.h"
#include "verifier/model/pair_class.h"

namespace oddsbound::model {

namespace {

constexpr std::uint64_t kMaxCombinations = std::uint64_t{1} << 20;

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

std::uint64_t saturating_outputs(const std::vector<Factor>& parts) {
  std::uint64_t outputs = 1;
  for (const Factor& part : parts) outputs = saturating_product(outputs, part.channel->outputs());
  return outputs;
}

std::vector<Factor> flattened(const std::vector<Factor>& parts) {
  std::vector<Factor> result;
  for (const Factor& part : parts) {
    if (part.channel->factors().empty()) {
      result.push_back(part);
      continue;
    }
    for (const Factor& inner : part.channel->factors()) {
      std::vector<std::size_t> coordinates;
      for (const std::size_t i : inner.coordinates) coordinates.push_back(part.coordinates[i]);
      result.push_back({inner.channel, std::move(coordinates)});
    }
  }
  return result;
}

bool is_flat(const std::vector<Factor>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const Factor& part) { return part.channel->factors().empty(); });
}

std::size_t factor_count(const Channel& channel) { return channel.factors().empty() ? 1 : channel.factors().size(); }

}  // namespace

// The factors' columns and, per factor, the projection of every input.
class ProductChannel::TableColumns : public Columns {
 public:
  TableColumns(const ProductChannel& product, std::uint64_t count,
               const std::function<std::uint64_t(std::size_t, std::uint64_t)>& project, Budget& budget)
      : Columns(count, product.outputs()), projections_(product.all_factors().size()) {
    budget.require_memory(product.all_factors().size() * inputs() * sizeof(std::uint32_t));
    for (std::size_t f = 0; f < product.all_factors().size(); ++f) {
      const Channel* channel = product.all_factors()[f].channel.get();
      if (!shared_.contains(channel)) shared_[channel] = channel->columns(budget);
      factors_.push_back(shared_[channel].get());
      combinations_ = saturating_product(combinations_, factors_[f]->pool().size());
      projections_[f].reserve(inputs());
      for (std::uint64_t x = 0; x < inputs(); ++x) {
        projections_[f].push_back(static_cast<std::uint32_t>(project(f, x)));
        budget.check_every();
      }
    }
  }

  bool few_combinations() const { return combinations_ <= kMaxCombinations; }

  void rank_combinations(Budget& budget) {
    PoolBuilder builder;
    std::vector<Number> products{Number(1)};
    for (const Columns* factor : factors_) {
      std::vector<Number> longer;
      for (const Number& prefix : products) {
        for (std::uint32_t r = 0; r < factor->pool().size(); ++r) {
          longer.push_back(prefix * factor->pool().value(r));
          budget.check_every();
        }
      }
      products = std::move(longer);
    }
    for (const Number& product : products) builder.add(product);
    pool_ = std::move(builder).finish(rank_of_, budget);
  }

  const ValuePool& pool() const override { return pool_; }

  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    combine(y, scratch);
    for (std::uint32_t& combination : scratch) combination = rank_of_[combination];
    return scratch;
  }

  /// Sets the result to the entries of column y as numbers.
  void values(std::uint64_t y, std::vector<Number>& result) const {
    result.assign(inputs(), Number(1));
    std::vector<std::uint32_t> scratch;
    for (std::size_t f = factors_.size(); f-- > 0; y /= factors_[f]->outputs()) {
      const auto column = factors_[f]->ranks(y % factors_[f]->outputs(), scratch);
      for (std::uint64_t x = 0; x < inputs(); ++x) {
        result[x] *= factors_[f]->pool().value(column[projections_[f][x]]);
      }
    }
  }

 private:
  void combine(std::uint64_t y, std::vector<std::uint32_t>& scratch) const {
    scratch.assign(inputs(), 0);
    std::vector<std::uint32_t> factor_scratch;
    std::uint32_t stride = 1;
    for (std::size_t f = factors_.size(); f-- > 0; y /= factors_[f]->outputs()) {
      const auto column = factors_[f]->ranks(y % factors_[f]->outputs(), factor_scratch);
      const std::vector<std::uint32_t>& projection = projections_[f];
      for (std::uint64_t x = 0; x < scratch.size(); ++x) scratch[x] += stride * column[projection[x]];
      stride *= static_cast<std::uint32_t>(factors_[f]->pool().size());
    }
  }

  std::map<const Channel*, std::unique_ptr<Columns>> shared_;
  std::vector<const Columns*> factors_;
  std::vector<std::vector<std::uint32_t>> projections_;
  std::uint64_t combinations_ = 1;
  ValuePool pool_;
  std::vector<std::uint32_t> rank_of_;
};

// Keeps the dense table alive behind its columns.
class ProductChannel::MaterialisedColumns : public Columns {
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

ProductChannel::ProductChannel(const Domain& domain, std::vector<Factor> parts, bool tuple)
    : Channel(domain.is_countable() ? domain.input_numbers() : UINT64_MAX, saturating_outputs(parts)),
      parts_(std::move(parts)),
      is_flat_(is_flat(parts_)),
      factors_(is_flat_ ? std::vector<Factor>{} : flattened(parts_)),
      projections_(domain, all_factors()),
      output_count_(1),
      tuple_(tuple) {
  for (std::size_t f = 0; f < all_factors().size(); ++f) {
    const std::uint64_t inputs = all_factors()[f].channel->input_numbers();
    if (projections_[f].size() == inputs) continue;
    throw ModelError("a mechanism with " + std::to_string(inputs) + " inputs is run on coordinates with " +
                     std::to_string(projections_[f].size()));
  }
  // As powers: one by one, the product of many counts would take the square of their number.
  std::map<Number, std::int64_t> times;
  for (const Factor& factor : all_factors()) ++times[factor.channel->output_count()];
  for (const auto& [outputs, count] : times) output_count_ *= outputs.pow(count);
}

const WithPairClasses* with_pair_classes(const Channel& channel) {
  const auto* declaring = dynamic_cast<const WithPairClasses*>(&channel);
  return declaring != nullptr && declaring->has_pair_classes() ? declaring : nullptr;
}

std::vector<Factor> units_of(const Channel& channel) {
  std::vector<Factor> units;
  const auto* product = dynamic_cast<const ProductChannel*>(&channel);
  if (product == nullptr || with_pair_classes(channel) != nullptr) return units;
  for (const Factor& part : product->parts()) {
    std::vector<Factor> inner = units_of(*part.channel);
    if (inner.empty()) units.push_back(part);
    for (Factor& unit : inner) {
      for (std::size_t& i : unit.coordinates) i = part.coordinates[i];
      units.push_back(std::move(unit));
    }
  }
  return units;
}

std::vector<std::uint64_t> ProductChannel::split(std::uint64_t y) const {
  std::vector<std::uint64_t> result(all_factors().size());
  for (std::size_t f = all_factors().size(); f-- > 0;) {
    result[f] = y % all_factors()[f].channel->outputs();
    y /= all_factors()[f].channel->outputs();
  }
  return result;
}

std::string ProductChannel::label_of(std::span<const std::uint64_t> output) const {
  std::string label = tuple_ ? "(" : "";
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Factor& part = parts_[p];
    const std::size_t count = factor_count(*part.channel);
    if (p > 0) label += ",";
    label += part.channel->label_of(output.first(count));
    output = output.subspan(count);
  }
  return tuple_ ? label + ")" : label;
}

Number ProductChannel::entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const {
  return product_of_entries([&](std::size_t f) { return projections_[f](x); }, output);
}

Number ProductChannel::entry_at(const Domain&, InputView row, std::span<const std::uint64_t> output) const {
  return product_of_entries([&](std::size_t f) { return projections_[f](row); }, output);
}

Number ProductChannel::product_of_entries(const std::function<std::uint64_t(std::size_t)>& input,
                                          std::span<const std::uint64_t> output) const {
  // With many runs most entries are equal: one power replaces many products of long numbers.
  std::unordered_map<Number, std::int64_t, NumberHash> powers;
  for (std::size_t f = 0; f < all_factors().size(); ++f) {
    ++powers[all_factors()[f].channel->entry(input(f), output[f])];
  }
  if (powers.contains(Number(0))) return Number(0);
  Number result(1);
  for (const auto& [entry, count] : powers) result *= entry.pow(count);
  return result;
}

bool ProductChannel::has_few_products(Budget& budget) const {
  std::map<const Channel*, std::uint64_t> entries;
  std::uint64_t products = 1;
  for (std::size_t f = 0; f < all_factors().size() && products <= kMaxCombinations; ++f) {
    const Channel* channel = all_factors()[f].channel.get();
    const auto [place, added] = entries.try_emplace(channel, 0);
    if (added) place->second = channel->columns(budget)->pool().size();
    products = saturating_product(products, place->second);
  }
  return products <= kMaxCombinations;
}

std::unique_ptr<Columns> ProductChannel::columns(Budget& budget) const {
  budget.require_cells(inputs(), outputs());
  return enumerate(
      inputs(), [&](std::size_t f, std::uint64_t x) { return projections_[f](x); }, budget);
}

std::unique_ptr<Columns> ProductChannel::columns_of(const Domain&, std::span<const InputRow> rows,
                                                    Budget& budget) const {
  budget.require_cells(rows.size(), outputs(), "rows of positive mass");
  return enumerate(
      rows.size(), [&](std::size_t f, std::uint64_t x) { return projections_[f](rows[x]); }, budget);
}

std::unique_ptr<Columns> ProductChannel::enumerate(
    std::uint64_t inputs, const std::function<std::uint64_t(std::size_t, std::uint64_t)>& project,
    Budget& budget) const {
  auto table = std::make_unique<TableColumns>(*this, inputs, project, budget);
  if (table->few_combinations()) {
    table->rank_combinations(budget);
    return table;
  }
  PoolBuilder builder;
  std::vector<Number> column;
  for (std::uint64_t y = 0; y < outputs(); ++y) {
    table->values(y, column);
    for (const Number& value : column) builder.add(value);
    budget.check();
  }
  return std::make_unique<MaterialisedColumns>(
      DenseChannel::from_columns(inputs, output_labels(*this, budget), std::move(builder), budget), budget);
}

namespace {

std::uint64_t count_outputs(const std::vector<DisjointPart>& parts) {
  return parts.back().first_output + parts.back().channel->outputs();
}

}  // namespace

class UnionChannel::UnionColumns final : public Columns {
 public:
  UnionColumns(const UnionChannel& channel, Budget& budget)
      : Columns(channel.inputs(), channel.outputs()), channel_(channel) {
    PoolBuilder builder;
    builder.add(Number(0));
    for (const DisjointPart& part : channel_.parts_) {
      Part& known = parts_[part.channel.get()];
      if (known.columns) continue;
      known.columns = part.channel->columns(budget);
      known.first_entry = builder.size();
      for (std::uint32_t r = 0; r < known.columns->pool().size(); ++r) builder.add(known.columns->pool().value(r));
    }
    std::vector<std::uint32_t> ranks;
    pool_ = std::move(builder).finish(ranks, budget);
    zero_ = ranks[0];
    for (auto& [key, part] : parts_) {
      const auto begin = ranks.begin() + static_cast<std::ptrdiff_t>(part.first_entry);
      part.ranks.assign(begin, begin + static_cast<std::ptrdiff_t>(part.columns->pool().size()));
    }
  }

  const ValuePool& pool() const override { return pool_; }

  std::span<const std::uint32_t> ranks(std::uint64_t y, std::vector<std::uint32_t>& scratch) const override {
    const Place place = channel_.output_place(y);
    const DisjointPart& part = channel_.parts_[place.part];
    const Part& known = parts_.at(part.channel.get());
    scratch.assign(inputs(), zero_);
    std::vector<std::uint32_t> inner_scratch;
    const auto inner = known.columns->ranks(place.position, inner_scratch);
    for (std::size_t i = 0; i < part.inputs.size(); ++i) scratch[part.inputs[i]] = known.ranks[inner[i]];
    return scratch;
  }

 private:
  struct Part {
    std::unique_ptr<Columns> columns;
    std::size_t first_entry = 0;
    std::vector<std::uint32_t> ranks;  // of its pool's values in the common pool
  };
  const UnionChannel& channel_;
  std::map<const Channel*, Part> parts_;
  ValuePool pool_;
  std::uint32_t zero_ = 0;
};

UnionChannel::UnionChannel(std::uint64_t inputs, std::vector<DisjointPart> parts)
    : Channel(inputs, count_outputs(parts)), parts_(std::move(parts)), place_of_(inputs) {
  for (std::uint32_t c = 0; c < parts_.size(); ++c) {
    for (std::uint32_t i = 0; i < parts_[c].inputs.size(); ++i) place_of_[parts_[c].inputs[i]] = {c, i};
  }
}

UnionChannel::Place UnionChannel::output_place(std::uint64_t y) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), y,
                       [](std::uint64_t value, const DisjointPart& part) { return value < part.first_output; });
  const auto part = static_cast<std::uint32_t>(after - parts_.begin() - 1);
  return {part, static_cast<std::uint32_t>(y - parts_[part].first_output)};
}

std::string UnionChannel::label_of(std::span<const std::uint64_t> output) const {
  const Place place = output_place(output[0]);
  return "(" + std::to_string(place.part) + "," + parts_[place.part].channel->output_label(place.position) + ")";
}

Number UnionChannel::entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const {
  const Place in = place_of_[x];
  const Place out = output_place(output[0]);
  if (in.part != out.part) return Number(0);
  return parts_[in.part].channel->entry(in.position, out.position);
}

std::unique_ptr<Columns> UnionChannel::columns(Budget& budget) const {
  budget.require_cells(inputs(), outputs());
  return std::make_unique<UnionColumns>(*this, budget);
}

}  // namespace oddsbound::model
