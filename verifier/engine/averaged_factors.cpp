#include "verifier/engine/averaged_factors.h"

#include <algorithm>
#include <cmath>

#include "verifier/engine/for_avx2_too.h"

namespace oddsbound::engine {

namespace {

// Larger factors are not searched for a unit.
constexpr std::size_t kMostEntries = 4096;

// Returns the number G such that each entry of a column is its smallest or G times that, for all columns.
std::optional<Number> unit_of_factor(const SeenFactor& factor) {
  std::optional<Number> unit;
  for (const std::vector<Number>& column : factor.entries) {
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    if (*least == *most) continue;
    const Number quotient = *most / *least;
    if (unit && *unit != quotient) return std::nullopt;
    unit = quotient;
    for (const Number& entry : column) {
      if (entry != *least && entry != *most) return std::nullopt;
    }
  }
  return unit ? unit : Number(1);
}

}  // namespace

AveragedFactor::AveragedFactor(const SeenFactor& factor, const std::vector<std::vector<double>>& columns)
    : classes(factor.classes), outputs(columns.size()), is_positive(true) {
  for (const std::vector<double>& column : columns) {
    entries.insert(entries.end(), column.begin(), column.end());
    is_positive = is_positive && std::all_of(column.begin(), column.end(),
                                             [](double entry) { return entry > kSmall && entry < kLarge; });
  }
  if (!is_positive) return;
  for (const std::vector<double>& column : columns) {
    const double least = *std::min_element(column.begin(), column.end());
    above.emplace_back();
    logarithms.emplace_back();
    for (std::uint32_t c = 0; c < classes; ++c) {
      const double quotient = column[c] / least;
      if (quotient == 1) continue;
      above.back().push_back({c, quotient - 1});
      logarithms.back().push_back({c, std::log(quotient)});
      most = std::max(most, quotient);
    }
  }
  spread = std::log(most);
  if (classes * outputs <= kMostEntries) unit = unit_of_factor(factor);
}

std::optional<Number> unit_of(std::span<const AveragedFactor> factors) {
  Number unit(1);
  for (const AveragedFactor& factor : factors) {
    if (!factor.unit || (unit != Number(1) && *factor.unit != Number(1) && *factor.unit != unit)) return std::nullopt;
    if (unit == Number(1)) unit = *factor.unit;
  }
  return unit;
}

void CellSums::begin(std::size_t cells, std::size_t lanes) {
  lanes_ = lanes;
  sums_.assign(cells * lanes, 0);
}

namespace {

// Classes of a factor become its outputs. from: [before][class][inner], to: [before][output][inner].
ODDSBOUND_FOR_AVX2_TOO
void multiply_by(const double* matrix, std::size_t classes, std::size_t outputs, std::size_t before, std::size_t inner,
                 const double* from, double* to) {
  for (std::size_t b = 0; b < before; ++b) {
    for (std::size_t y = 0; y < outputs; ++y) {
      const double* source = from + b * classes * inner;
      double* __restrict__ target = to + (b * outputs + y) * inner;
      const double* entries = matrix + y * classes;
      const double first = entries[0];
      for (std::size_t k = 0; k < inner; ++k) target[k] = first * source[k];
      for (std::size_t c = 1; c < classes; ++c) {
        const double* other = source + c * inner;
        const double entry = entries[c];
        for (std::size_t k = 0; k < inner; ++k) target[k] += entry * other[k];
      }
    }
  }
}

}  // namespace

void CellSums::transform(std::span<const Matrix> factors, std::vector<double>& spare,
                         const std::function<void()>& look) {
  std::size_t inner = lanes_, before = 1;
  for (const Matrix& factor : factors) before *= factor.classes;
  for (std::size_t i = factors.size(); i-- > 0;) {
    const Matrix& factor = factors[i];
    before /= factor.classes;
    spare.resize(before * factor.outputs * inner);
    multiply_by(factor.entries, factor.classes, factor.outputs, before, inner, sums_.data(), spare.data());
    inner *= factor.outputs;
    std::swap(sums_, spare);
    look();
  }
}

Chords::Chords(std::span<const AveragedFactor> of) : factors(of.size()) {
  for (const AveragedFactor& factor : of) spread += factor.spread;
  const std::optional<Number> power = unit_of(of);
  const double base = power ? power->approx() : 1;
  if (base > 1) {
    are_tangents = false;
    unit = std::log(base);
    gain = base - 1;
    for (std::size_t j = 0; j <= factors; ++j) {
      all.push_back({std::pow(base, static_cast<double>(j)), static_cast<double>(j)});
    }
    return;
  }
  const std::size_t last = 2 * factors;
  for (std::size_t j = 0; j <= last; ++j) {
    const double at = last > 0 ? spread * static_cast<double>(j) / static_cast<double>(last) : 0;
    all.push_back({std::exp(at), at});
  }
}

void sum_terms(const AveragedFactor& factor, const std::vector<std::vector<ClassTerm>>& terms, const double* lanes,
               std::size_t stride, double all, std::vector<double>& values, double* result) {
  values.assign(factor.classes, all);
  for (std::size_t c = 1; c < factor.classes; ++c) {
    values[c] = lanes[stride * (c - 1)];
    values[0] -= values[c];
  }
  for (std::size_t y = 0; y < factor.outputs; ++y) {
    double sum = 0;
    for (const ClassTerm& term : terms[y]) sum += term.value * values[term.of];
    result[y] = sum;
  }
}

}  // namespace oddsbound::engine
