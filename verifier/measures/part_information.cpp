// An upper bound of mutual information without a visit of outputs. Given the input X, the parts' outputs are
// independent, so with H for entropy
//   I(X; Y) = H(Y) - sum_k H(Y_k given X) <= sum_k H(Y_k) - sum_k H(Y_k given X) = sum_k I(X; Y_k).
// A coordinate or another function of X reveals at most as much (data processing). The bound is close where each part
// alone reveals little, as a bit of a unary encoding does: there the bounds of visits by mass are far apart.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "verifier/measures/leakage.h"

namespace oddsbound::measures {

namespace {

constexpr std::uint64_t kMostPartEntries = std::uint64_t{1} << 22;

struct Precedes {
  bool operator()(const std::vector<Number>& a, const std::vector<Number>& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const Number& x, const Number& y) { return structural_order(x, y) < 0; });
  }
};

// Adds times * I(X; output of the factor), from the masses of its inputs.
void add_part(const Channel& channel, const std::map<std::uint64_t, Number>& masses, const Number& times,
              Budget& budget, std::vector<WeightedLog>& sum) {
  std::map<std::vector<Number>, Number, Precedes> rows;  // by row: its mass
  for (const auto& [x, mass] : masses) {
    budget.check_every();
    std::vector<Number> row;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) row.push_back(channel.entry(x, y));
    rows[std::move(row)] += mass;
  }
  if (rows.size() == 1) return;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    Number output;
    for (const auto& [row, mass] : rows) output += mass * row[y];
    for (const auto& [row, mass] : rows) {
      budget.check_every();
      if (!row[y].is_zero() && row[y] != output) sum.push_back({times * mass * row[y], row[y] / output});
    }
  }
}

}  // namespace

std::optional<std::vector<WeightedLog>> information_by_parts(const Model& model, Budget& budget) {
  const std::span<const Factor> factors = model.channel->factors();
  std::map<std::pair<const Channel*, std::vector<std::size_t>>, std::size_t> places;
  std::vector<std::pair<const Factor*, std::int64_t>>
      parts;  // distinct factors in their order, and how often each occurs
  std::map<std::vector<std::size_t>, std::map<std::uint64_t, Number>> masses;  // by coordinates: of their inputs
  for (const Factor& factor : factors) {
    budget.check_every();
    const auto [place, added] = places.try_emplace({factor.channel.get(), factor.coordinates}, parts.size());
    if (added) parts.emplace_back(&factor, 0);
    ++parts[place->second].second;
    masses[factor.coordinates];
  }
  const Number rows = model.prior->support_size(budget);
  if (rows * Number(static_cast<std::int64_t>(masses.size())) > Number(static_cast<std::int64_t>(kMostPartEntries))) {
    return std::nullopt;
  }
  const Number total = model.prior->total();
  for (auto& [coordinates, own] : masses) {
    const Projection project(model.domain, coordinates);
    model.prior->each_row(
        budget, [&, &inputs = own](InputView row, const Number& weight) { inputs[project(row)] += weight / total; });
  }
  Number entries;
  for (const auto& [part, count] : parts) {
    const auto inputs = static_cast<std::int64_t>(masses.at(part->coordinates).size());
    entries += Number(inputs) * part->channel->output_count();
  }
  if (entries > Number(static_cast<std::int64_t>(kMostPartEntries))) return std::nullopt;
  std::vector<WeightedLog> sum;
  for (const auto& [part, count] : parts) {
    add_part(*part->channel, masses.at(part->coordinates), Number(count), budget, sum);
  }
  return collected(std::move(sum));
}

}  // namespace oddsbound::measures
