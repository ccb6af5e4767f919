#include "verifier/exact/price_bounds.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace oddsbound::exact {

namespace {

constexpr std::size_t kMostRemembered = 32;
// To invert a larger basis takes longer than it saves.
constexpr std::size_t kMostInverted = 200;
// Prices and totals up to this, so that what is lost to numbers near 0 stays far below kNegative.
constexpr double kMost = 1e50;
constexpr double kNegative = -1e-200;

// The sum of n terms is off by less than this share of the sum of their magnitudes, both summed in doubles one after
// the other, where terms are products of two numbers that are off by 2^-48 each at most: n roundings of 2^-53, 2^-47
// for the terms, the rest for what sizes and slacks are off by themselves.
double slack(std::size_t n) { return (static_cast<double>(n) + 64) * 0x1p-52; }

}  // namespace

PriceBounds::PriceBounds(const Equations& equations, const Number& total)
    : starts_{0}, total_(total.approx() * (1 + 0x1p-50)), prices_(equations.right.size()) {
  for (const Number& number : equations.right) right_.push_back(number.approx());
  for (const auto& column : equations.columns) {
    for (const auto& [row, entry] : column) {
      rows_.push_back(row);
      entries_.push_back(entry.approx());
    }
    starts_.push_back(rows_.size());
  }
}

bool PriceBounds::prove_negative(std::span<const double> form, std::span<const double> prices) const {
  // What is no number fails, here and below.
  const auto is_usable = [](double price) { return std::abs(price) <= kMost; };
  if (!(total_ <= kMost) || !std::all_of(prices.begin(), prices.end(), is_usable)) return false;
  double value = 0, size = 0;
  for (std::size_t i = 0; i < right_.size(); ++i) {
    const double term = prices[i] * right_[i];
    value += term;
    size += std::abs(term);
  }
  value += size * slack(right_.size());
  for (std::size_t j = 0; j < form.size(); ++j) {
    double excess = form[j];
    double magnitude = std::abs(excess);
    for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
      const double term = prices[rows_[k]] * entries_[k];
      excess -= term;
      magnitude += std::abs(term);
    }
    excess += magnitude * slack(starts_[j + 1] - starts_[j]);
    if (!(value + total_ * std::max(0.0, excess) * (1 + 0x1p-50) < kNegative) || !(excess < kMost)) return false;
  }
  return value < kNegative;
}

bool PriceBounds::prove_negative(std::span<const double> form) {
  for (std::size_t k = 0; k < bases_.size(); ++k) {
    set_prices(bases_[k], form);
    if (!prove_negative(form, prices_)) continue;
    const auto used = bases_.begin() + static_cast<std::ptrdiff_t>(k);
    std::rotate(bases_.begin(), used, used + 1);
    return true;
  }
  return false;
}

void PriceBounds::remember(const Basis& basis) {
  const auto is_it = [&](const Remembered& remembered) { return remembered.basis == basis; };
  if (basis.rows.size() > kMostInverted || std::any_of(bases_.begin(), bases_.end(), is_it)) return;
  if (bases_.size() == kMostRemembered) bases_.pop_back();
  bases_.insert(bases_.begin(), {basis, inverse_of(basis)});
}

// Those of the basis as far as doubles have them: what they prove does not depend on how good they are.
void PriceBounds::set_prices(const Remembered& remembered, std::span<const double> form) {
  const Basis& basis = remembered.basis;
  std::fill(prices_.begin(), prices_.end(), 0.0);
  for (std::size_t j = 0; j < basis.columns.size(); ++j) {
    const double worth = form[basis.columns[j]];
    if (worth == 0) continue;
    const double* row = remembered.inverse.data() + j * basis.rows.size();
    for (std::size_t i = 0; i < basis.rows.size(); ++i) prices_[basis.rows[i]] += worth * row[i];
  }
}

std::vector<double> PriceBounds::inverse_of(const Basis& basis) const {
  const auto size = static_cast<Eigen::Index>(basis.rows.size());
  std::vector<Eigen::Index> place(right_.size(), -1);
  for (std::size_t i = 0; i < basis.rows.size(); ++i) place[basis.rows[i]] = static_cast<Eigen::Index>(i);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t j = 0; j < basis.columns.size(); ++j) {
    const std::size_t column = basis.columns[j];
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) {
      if (place[rows_[k]] >= 0) matrix(place[rows_[k]], static_cast<Eigen::Index>(j)) = entries_[k];
    }
  }
  std::vector<double> inverse(static_cast<std::size_t>(size * size));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (size > 0) Eigen::Map<RowMajor>(inverse.data(), size, size) = matrix.partialPivLu().inverse();
  return inverse;
}

}  // namespace oddsbound::exact
