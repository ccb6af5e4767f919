#include "verifier/model/product_channel.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/errors.h"
#include "verifier/model/combined_columns.h"
#include "verifier/model/pair_class.h"

namespace oddsbound::model {

namespace {

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

// Returns output y of a product as the outputs of its factors. outputs(f): how many factor f has.
template <typename Outputs>
std::vector<std::uint64_t> split_among(std::size_t factors, Outputs outputs, std::uint64_t y) {
  std::vector<std::uint64_t> result(factors);
  for (std::size_t f = factors; f-- > 0; y /= outputs(f)) result[f] = y % outputs(f);
  return result;
}

bool is_flat(const std::vector<Factor>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const Factor& part) { return part.channel->factors().empty(); });
}

std::size_t factor_count(const Channel& channel) { return channel.factors().empty() ? 1 : channel.factors().size(); }

}  // namespace

ProductChannel::ProductChannel(const Domain& domain, std::vector<Factor> parts, bool tuple)
    : Channel(domain.is_countable() ? domain.input_numbers() : UINT64_MAX, saturating_outputs(parts)),
      parts_(std::move(parts)),
      factors_(is_flat(parts_) ? std::vector<Factor>{} : flattened(parts_)),
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
  return split_among(
      all_factors().size(), [&](std::size_t f) { return all_factors()[f].channel->outputs(); }, y);
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
  for (std::size_t f = 0; f < all_factors().size() && products <= kMostCombinations; ++f) {
    const Channel* channel = all_factors()[f].channel.get();
    const auto [place, added] = entries.try_emplace(channel, 0);
    if (added) place->second = channel->columns(budget)->pool().size();
    products = saturating_product(products, place->second);
  }
  return products <= kMostCombinations;
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
  std::vector<std::uint64_t> counts;
  for (const Factor& factor : all_factors()) counts.push_back(factor.channel->outputs());
  const auto outputs_of = [counts = std::move(counts)](std::uint64_t y) {
    return split_among(
        counts.size(), [&](std::size_t f) { return counts[f]; }, y);
  };
  return combined_columns({all_factors(), Combination::kProduct, inputs, outputs(), project, outputs_of}, budget);
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
