#include "verifier/optimal/estimation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "verifier/exact/polytope.h"
#include "verifier/exact/rounding.h"
#include "verifier/optimal/least_trace.h"

namespace oddsbound::optimal {

namespace {

using exact::Matrix;

// What is rounded is rounded to multiples of 2^-44, so that it costs nothing that anybody sees.
constexpr unsigned kBits = 44;
// Numbers of more bits than this are rounded.
constexpr std::size_t kShort = 128;

std::vector<std::size_t> rows_with_mass(const std::vector<Number>& prior) {
  std::vector<std::size_t> rows;
  for (std::size_t x = 0; x < prior.size(); ++x) {
    if (!prior[x].is_zero()) rows.push_back(x);
  }
  return rows;
}

Column among(const Column& column, const std::vector<std::size_t>& rows) {
  Column part;
  for (const std::size_t x : rows) part.push_back(column[x]);
  return part;
}

Matrix information_of(const std::vector<Column>& columns, const std::vector<Number>& weights,
                      const std::vector<Number>& prior) {
  const std::vector<std::size_t> rows = rows_with_mass(prior);
  Matrix information(rows.size(), std::vector<Number>(rows.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Number mass = weights[j].is_zero() ? Number(0) : inner(prior, columns[j]);
    if (mass.is_zero()) continue;
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const Number scaled = weights[j] * columns[j][rows[a]] / mass;
      for (std::size_t b = 0; b < rows.size(); ++b) information[a][b] += scaled * columns[j][rows[b]];
    }
  }
  return information;
}

std::optional<Matrix> inverse_of(const Matrix& matrix) {
  const std::size_t size = matrix.size();
  Matrix with_unit = matrix;
  for (std::size_t a = 0; a < size; ++a) {
    with_unit[a].resize(2 * size);
    with_unit[a][size + a] = Number(1);
  }
  const Matrix reduced = exact::reduced_row_echelon_form(with_unit);
  Matrix inverse;
  for (std::size_t a = 0; a < size; ++a) {
    if (!reduced[a][a].is_one()) return std::nullopt;
    inverse.emplace_back(reduced[a].begin() + static_cast<std::ptrdiff_t>(size), reduced[a].end());
  }
  return inverse;
}

Number trace(const Matrix& matrix) {
  Number sum(0);
  for (std::size_t a = 0; a < matrix.size(); ++a) sum += matrix[a][a];
  return sum;
}

// Rows of the columns on which all others depend.
std::vector<std::size_t> independent_rows(const std::vector<Column>& columns) {
  std::vector<std::size_t> rows;
  for (const std::vector<Number>& row : exact::reduced_row_echelon_form(columns)) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (pivot != row.end()) rows.push_back(static_cast<std::size_t>(pivot - row.begin()));
  }
  return rows;
}

std::vector<double> about(const Column& column, double scale) {
  std::vector<double> numbers;
  for (const Number& entry : column) numbers.push_back(entry.approx() * scale);
  return numbers;
}

std::vector<double> proposed_weights(const std::vector<Column>& columns, const std::vector<Number>& prior,
                                     Budget& budget) {
  const std::vector<std::size_t> rows = rows_with_mass(prior), independent = independent_rows(columns);
  TraceProgram program;
  for (const Column& column : columns) {
    const double mass = inner(prior, column).approx();
    program.parts.push_back(about(among(column, rows), mass > 0 ? 1 / std::sqrt(mass) : 0));
    program.sums.push_back(about(among(column, independent), 1));
  }
  return weights_of_least_trace(program, budget);
}

// Columns that are plainly in use, those of weights that differ by such a part together; the heaviest first.
std::vector<std::vector<std::size_t>> classes_of(const std::vector<double>& weights, double part) {
  constexpr double kUsed = 1e-6;
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  std::vector<std::vector<std::size_t>> classes;
  for (const std::size_t j : order) {
    if (weights[j] < kUsed * weights[order[0]]) break;
    if (classes.empty() || weights[j] < (1 - part) * weights[classes.back()[0]]) classes.emplace_back();
    classes.back().push_back(j);
  }
  return classes;
}

// Weights that are alike within each class, where those that add up to 1 are determined; others are 0.
std::optional<std::vector<Number>> weights_by_class(const std::vector<Column>& columns,
                                                    const std::vector<std::vector<std::size_t>>& classes) {
  Matrix equations(columns[0].size());
  for (std::size_t x = 0; x < equations.size(); ++x) {
    for (const std::vector<std::size_t>& members : classes) {
      Number sum(0);
      for (const std::size_t j : members) sum += columns[j][x];
      equations[x].push_back(sum);
    }
    equations[x].push_back(Number(1));
  }
  std::vector<Number> weights(columns.size());
  for (const std::vector<Number>& row : exact::reduced_row_echelon_form(equations)) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (pivot == row.end()) continue;
    const auto of = static_cast<std::size_t>(pivot - row.begin());
    if (of == classes.size() || row.back().sign() < 0) return std::nullopt;
    for (const std::size_t j : classes[of]) weights[j] = row.back();
  }
  return weights;
}

// Adds what is missing from a sum of 1 in all rows, if that is in the cone: with columns in use, where they do.
bool complete(const std::vector<Column>& columns, std::vector<Number>& weights, Budget& budget) {
  exact::Equations equations;
  equations.right.assign(columns[0].size(), Number(1));
  std::vector<Number> form;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    form.emplace_back(weights[j].is_zero() ? -1 : 0);
    auto& entries = equations.columns.emplace_back();
    for (std::size_t x = 0; x < columns[j].size(); ++x) {
      equations.right[x] -= weights[j] * columns[j][x];
      if (!columns[j][x].is_zero()) entries.emplace_back(x, columns[j][x]);
    }
  }
  const auto is_negative = [](const Number& number) { return number.sign() < 0; };
  if (std::any_of(equations.right.begin(), equations.right.end(), is_negative)) return false;
  Polytope polytope(equations, budget, exact::clp_bases(equations, budget));
  if (polytope.is_empty()) return false;
  polytope.maximize(form);
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] += polytope.vertex()[j];
  return true;
}

// The weights, a little less of each, and what then is missing: more and more, until it is in the cone.
std::vector<Number> weights_near(const std::vector<Column>& columns, const std::vector<double>& proposed,
                                 Budget& budget) {
  const std::vector<std::vector<std::size_t>> classes = classes_of(proposed, 0);
  constexpr double kFirst = 0x1p-36, kMore = 16;
  for (double missing = kFirst;; missing *= kMore) {
    std::vector<Number> weights(columns.size());
    for (const std::vector<std::size_t>& members : classes) {
      for (const std::size_t j : members) {
        weights[j] = rounded_down(number_of(std::max(0.0, (1 - missing) * proposed[j])), kBits);
      }
    }
    if (complete(columns, weights, budget)) return weights;
  }
}

// Weights that are alike are wanted to be equal, the more the better, where that loses nothing.
std::vector<Number> exact_weights(const std::vector<Column>& columns, const std::vector<Number>& prior,
                                  Budget& budget) {
  const std::vector<double> proposed = proposed_weights(columns, prior, budget);
  std::vector<Number> near = weights_near(columns, proposed, budget);
  const std::optional<Number> error = error_of(columns, near, prior);
  constexpr double kSame = 1 + 1e-10;
  for (const double part : {0.3, 1e-2, 1e-4, 1e-6}) {
    std::optional<std::vector<Number>> alike = weights_by_class(columns, classes_of(proposed, part));
    const std::optional<Number> other = alike ? error_of(columns, *alike, prior) : std::nullopt;
    if (other && (!error || other->approx() <= error->approx() * kSame)) return *std::move(alike);
  }
  return near;
}

Matrix rounded_center(Matrix center) {
  for (std::vector<Number>& row : center) {
    for (Number& entry : row) {
      if (entry.bits() > kShort) entry = rounded_down(entry, kBits);
    }
  }
  return center;
}

Number gain_of(const Column& column, const std::vector<Number>& prior, const std::vector<std::size_t>& rows,
               const Matrix& center) {
  const Number mass = inner(prior, column);
  if (mass.is_zero()) return Number(0);
  const Column part = among(column, rows);
  Number sum(0);
  for (const std::vector<Number>& row : center) {
    const Number entry = inner(row, part);
    sum += entry * entry;
  }
  return sum / mass;
}

}  // namespace

std::optional<Number> error_of(const std::vector<Column>& columns, const std::vector<Number>& weights,
                               const std::vector<Number>& prior) {
  const std::optional<Matrix> inverse = inverse_of(information_of(columns, weights, prior));
  if (!inverse) return std::nullopt;
  return trace(*inverse);
}

std::optional<LeastError> least_error(const std::vector<Column>& columns, const std::vector<Number>& prior,
                                      Budget& budget) {
  const std::vector<std::size_t> rows = rows_with_mass(prior);
  Matrix parts;
  for (const Column& column : columns) parts.push_back(among(column, rows));
  if (independent_rows(parts).size() < rows.size()) return std::nullopt;
  LeastError result;
  result.weights = exact_weights(columns, prior, budget);
  const std::optional<Matrix> inverse = inverse_of(information_of(columns, result.weights, prior));
  if (!inverse) return std::nullopt;
  result.error = trace(*inverse);
  result.center = rounded_center(*inverse);
  std::vector<Number> gains;
  for (const Column& column : columns) {
    budget.look();
    gains.push_back(gain_of(column, prior, rows, result.center));
  }
  result.prices = best_mix(columns, gains, budget).prices;
  Number sum(0);
  for (Number& price : result.prices) {
    if (price.bits() > kShort) price = rounded_up(price, kBits);
    sum += price;
  }
  result.at_least = trace(result.center) * trace(result.center) / sum;
  return result;
}

}  // namespace oddsbound::optimal
