// The inputs of positive mass as rows: their weights, as machine words if those suffice, and groups of rows with the
// same value of a coordinate.
#pragma once

#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/exact/number.h"
#include "verifier/model/domain.h"

namespace oddsbound::measures {

/// The weights of the rows, and groups of rows: one for each value of each coordinate that occurs.
template <class Weight>
struct MassRows {
  std::vector<Weight> weights;
  bool approximations_usable = true;
  Weight total{};
  std::size_t coordinates = 0;
  std::vector<std::uint32_t> first;     // by coordinate, and the number of groups at the end
  std::vector<std::uint32_t> group_of;  // [row * coordinates + coordinate]
  std::vector<Weight> masses;           // by group
};

/// Multiplies the weights by their common denominator. Returns nullopt if products of two sums of weights, added over
/// all outputs, may exceed a word.
inline std::optional<std::vector<std::int64_t>> as_integers(const std::vector<Number>& weights, std::uint64_t outputs) {
  constexpr __int128 kMost = std::int64_t{1} << 62;
  std::int64_t common = 1, numerator = 0, denominator = 1;
  for (const Number& weight : weights) {
    if (!weight.fits_ratio(numerator, denominator)) return std::nullopt;
    const __int128 multiple = static_cast<__int128>(common / std::gcd(common, denominator)) * denominator;
    if (multiple > kMost) return std::nullopt;
    common = static_cast<std::int64_t>(multiple);
  }
  std::vector<std::int64_t> integers;
  __int128 total = 0;
  for (const Number& weight : weights) {
    weight.fits_ratio(numerator, denominator);
    const __int128 scaled = static_cast<__int128>(common / denominator) * numerator;
    total += scaled;
    if (scaled > kMost || total > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
    integers.push_back(static_cast<std::int64_t>(scaled));
  }
  if (outputs > static_cast<std::uint64_t>(kMost / (total * total))) return std::nullopt;
  return integers;
}

inline double approx_of_weight(std::int64_t weight) { return static_cast<double>(weight); }
inline double approx_of_weight(const Number& weight) { return weight.approx(); }

/// Returns the weights of these inputs, with their groups.
template <class Weight>
MassRows<Weight> grouped(const Domain& domain, const std::vector<InputRow>& inputs, std::vector<Weight> weights) {
  MassRows<Weight> rows;
  rows.coordinates = domain.size();
  rows.first.push_back(0);
  rows.group_of.resize(inputs.size() * domain.size());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    constexpr std::uint32_t kNone = UINT32_MAX;
    std::vector<std::uint32_t> group_of_value(domain.values(i), kNone);
    for (std::size_t x = 0; x < inputs.size(); ++x) {
      std::uint32_t& group = group_of_value[inputs[x][i]];
      if (group == kNone) {
        group = static_cast<std::uint32_t>(rows.masses.size());
        rows.masses.emplace_back(0);
      }
      rows.group_of[x * domain.size() + i] = group;
      rows.masses[group] += weights[x];
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.masses.size()));
  }
  rows.total = Weight(0);
  for (const Weight& weight : weights) {
    const double approx = approx_of_weight(weight);
    // A product of two weights and an entry, and a sum of such products, must stay in the range of doubles.
    if (!(approx > 0x1p-150 && approx < 0x1p150)) rows.approximations_usable = false;
    rows.total += weight;
  }
  rows.weights = std::move(weights);
  return rows;
}

}  // namespace oddsbound::measures
