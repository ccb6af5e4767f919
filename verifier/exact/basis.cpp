#include "verifier/exact/basis.h"

#include <algorithm>
#include <cassert>

#include "verifier/exact/rational_matrix.h"

namespace oddsbound::exact {

namespace {

// The basis' part of A, or its transpose.
class BasisMatrix {
 public:
  BasisMatrix(const Equations& equations, const Basis& basis, bool transposed)
      : size_(basis.rows.size()), matrix_(size_, size_) {
    assert(basis.columns.size() == size_);
    constexpr std::size_t kOutside = static_cast<std::size_t>(-1);
    std::vector<std::size_t> place(equations.right.size(), kOutside);
    for (std::size_t i = 0; i < size_; ++i) place[basis.rows[i]] = i;
    for (std::size_t j = 0; j < size_; ++j) {
      for (const auto& [row, entry] : equations.columns[basis.columns[j]]) {
        const std::size_t i = place[row];
        if (i != kOutside) matrix_.set(transposed ? j : i, transposed ? i : j, entry);
      }
    }
  }

  // None if the matrix is singular.
  std::optional<std::vector<Number>> solve(const std::vector<Number>& right) {
    std::vector<Number> result(size_);
    if (size_ == 0) return result;
    RationalMatrix side(size_, 1), solution(size_, 1);
    for (std::size_t i = 0; i < size_; ++i) side.set(i, 0, right[i]);
    if (fmpq_mat_solve_dixon(solution.value(), matrix_.value(), side.value()) == 0) return std::nullopt;
    for (std::size_t i = 0; i < size_; ++i) result[i] = solution.get(i, 0);
    return result;
  }

 private:
  std::size_t size_;
  RationalMatrix matrix_;
};

}  // namespace

bool Equations::are_rational() const {
  const auto are = [](const auto& column) {
    return std::all_of(column.begin(), column.end(), [](const auto& entry) { return entry.second.is_rational(); });
  };
  return std::all_of(right.begin(), right.end(), [](const Number& number) { return number.is_rational(); }) &&
         std::all_of(columns.begin(), columns.end(), are);
}

std::optional<std::vector<Number>> point_of(const Equations& equations, const Basis& basis) {
  std::vector<Number> right;
  for (const std::size_t row : basis.rows) right.push_back(equations.right[row]);
  const auto solution = BasisMatrix(equations, basis, false).solve(right);
  if (!solution) return std::nullopt;
  std::vector<Number> point(equations.columns.size());
  std::vector<std::vector<WeightedTerm>> left(equations.right.size());
  for (std::size_t j = 0; j < basis.columns.size(); ++j) {
    const std::size_t column = basis.columns[j];
    point[column] = (*solution)[j];
    if (point[column].sign() < 0) return std::nullopt;
    for (const auto& [row, entry] : equations.columns[column]) left[row].push_back({point[column], entry});
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (weighted_sum(left[i]) != equations.right[i]) return std::nullopt;
  }
  return point;
}

std::optional<std::vector<Number>> prices_of(const Equations& equations, const Basis& basis,
                                             std::span<const Number> form) {
  std::vector<Number> right;
  for (const std::size_t column : basis.columns) right.push_back(form[column]);
  const auto solution = BasisMatrix(equations, basis, true).solve(right);
  if (!solution) return std::nullopt;
  std::vector<Number> prices(equations.right.size());
  for (std::size_t i = 0; i < basis.rows.size(); ++i) prices[basis.rows[i]] = (*solution)[i];
  std::vector<WeightedTerm> cost;
  for (std::size_t j = 0; j < form.size(); ++j) {
    cost.clear();
    for (const auto& [row, entry] : equations.columns[j]) cost.push_back({prices[row], entry});
    if (weighted_sum(cost) < form[j]) return std::nullopt;
  }
  return prices;
}

}  // namespace oddsbound::exact
