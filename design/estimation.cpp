#include "design/estimation.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "verifier/exact/interval.h"
#include "verifier/linear/linear_program.h"

namespace oddsbound::designs {

namespace {

using linear::Matrix;

// Rounding is to multiples of 2^-44: its cost is negligible.
constexpr unsigned kBits = 44;
// Numbers with more bits than this are rounded.
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
    const Number mass = weights[j].is_zero() ? Number(0) : dot(prior, columns[j]);
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
  const Matrix reduced = linear::reduced_row_echelon_form(with_unit);
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

// Returns a maximal set of linearly independent rows of the matrix of columns.
std::vector<std::size_t> independent_rows(const std::vector<Column>& columns) {
  std::vector<std::size_t> rows;
  for (const std::vector<Number>& row : linear::reduced_row_echelon_form(columns)) {
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
    const double mass = dot(prior, column).approx();
    program.parts.push_back(about(among(column, rows), mass > 0 ? 1 / std::sqrt(mass) : 0));
    program.sums.push_back(about(among(column, independent), 1));
  }
  return weights_of_least_trace(program, budget);
}

// Groups the columns with significant weights; the weights of a class differ by at most this relative part.
// Heaviest class first.
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

// Returns weights that are equal within each class and sum to 1 in every row; nullopt if there are none or one is
// negative. Classes that the equations leave free get 0.
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
  for (const std::vector<Number>& row : linear::reduced_row_echelon_form(equations)) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (pivot == row.end()) continue;
    const auto of = static_cast<std::size_t>(pivot - row.begin());
    if (of == classes.size() || row.back().sign() < 0) return std::nullopt;
    for (const std::size_t j : classes[of]) weights[j] = row.back();
  }
  return weights;
}

// Adds weights that complete the sum to 1 in all rows, if the rest is in the cone. Prefers columns that are in
// use.
bool complete(const std::vector<Column>& columns, std::vector<Number>& weights, Budget& budget) {
  linear::Equations equations;
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
  LinearProgram polytope(equations, budget, linear::clp_bases(equations, budget));
  if (polytope.is_empty()) return false;
  polytope.maximize(form);
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] += polytope.vertex()[j];
  return true;
}

// Returns exact weights near the proposed ones: scales these down and completes the sum, by ever larger parts
// until the rest is in the cone.
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

// Prefers equal weights for similar columns, in the largest classes possible without a larger error.
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
  const Number mass = dot(prior, column);
  if (mass.is_zero()) return Number(0);
  const Column part = among(column, rows);
  Number sum(0);
  for (const std::vector<Number>& row : center) {
    const Number entry = dot(row, part);
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
    budget.check();
    gains.push_back(gain_of(column, prior, rows, result.center));
  }
  result.duals = best_mix(columns, gains, budget).duals;
  Number sum(0);
  for (Number& price : result.duals) {
    if (price.bits() > kShort) price = rounded_up(price, kBits);
    sum += price;
  }
  result.at_least = trace(result.center) * trace(result.center) / sum;
  return result;
}

// Primal-dual interior point method. Let C be the inverse of the information, with eigenvalues e and eigenvectors
// u. The second derivative of its trace in the direction of a change E of the information is 2 trace(C E C E C).
// In the basis u this is a sum of squares of the entries of E, times 2 e_a e_b (e_a + e_b). So the Hessian over
// all columns is G^T G, where G has one row per entry of a symmetric matrix, and a Newton step solves a system of
// that size only.

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd eigen_matrix(const std::vector<std::vector<double>>& columns) {
  MatrixXd matrix(columns[0].size(), columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (std::size_t i = 0; i < columns[j].size(); ++i) {
      matrix(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = columns[j][i];
    }
  }
  return matrix;
}

class InteriorPoint {
 public:
  explicit InteriorPoint(const TraceProgram& program)
      : parts_(eigen_matrix(program.parts)), sums_(eigen_matrix(program.sums)) {
    const double most = sums_.rowwise().sum().maxCoeff();
    weights_ = VectorXd::Constant(sums_.cols(), 1 / most);
    derive();
    const VectorXd totals = sums_.colwise().sum();
    duals_ = VectorXd::Constant(sums_.rows(), 2 * (gains_.array() / totals.array()).maxCoeff());
    slacks_ = sums_.transpose() * duals_ - gains_;
  }

  // Returns false if there is no further progress.
  bool step() {
    const double gap = weights_.dot(slacks_);
    if (!(gap > kEnough * trace_)) return false;
    constexpr double kCentering = 0.1;
    const double target = kCentering * gap / static_cast<double>(weights_.size());
    MatrixXd stacked(hessian_.rows() + sums_.rows(), sums_.cols());
    stacked << hessian_, sums_;
    const VectorXd scale = weights_.cwiseQuotient(slacks_);
    const VectorXd right = gains_ - sums_.transpose() * duals_ + target * weights_.cwiseInverse();
    MatrixXd system = stacked * scale.asDiagonal() * stacked.transpose();
    system.diagonal().head(hessian_.rows()).array() += 1;
    VectorXd wanted = stacked * scale.cwiseProduct(right);
    wanted.tail(sums_.rows()) -= VectorXd::Ones(sums_.rows()) - sums_ * weights_;
    const VectorXd solved = system.ldlt().solve(wanted);
    const VectorXd change = scale.cwiseProduct(right - stacked.transpose() * solved);
    const VectorXd slack_change = target * weights_.cwiseInverse() - slacks_ - change.cwiseQuotient(scale);
    if (!change.allFinite() || !slack_change.allFinite()) return false;
    const double length = std::min(room(weights_, change), room(slacks_, slack_change));
    weights_ += length * change;
    slacks_ += length * slack_change;
    duals_ += length * solved.tail(sums_.rows());
    derive();
    return true;
  }

  const VectorXd& weights() const { return weights_; }

 private:
  static constexpr double kEnough = 1e-12;

  static double room(const VectorXd& values, const VectorXd& change) {
    constexpr double kPart = 0.99;
    double length = 1;
    for (Eigen::Index j = 0; j < values.size(); ++j) {
      if (change[j] < 0) length = std::min(length, -kPart * values[j] / change[j]);
    }
    return length;
  }

  // Computes the trace, its derivatives by weight (negative; gains are their absolute values), and G.
  void derive() {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(parts_ * weights_.asDiagonal() * parts_.transpose());
    const VectorXd inverse = solver.eigenvalues().cwiseInverse();
    trace_ = inverse.sum();
    const MatrixXd turned = solver.eigenvectors().transpose() * parts_;
    gains_ = (inverse.asDiagonal() * turned).colwise().squaredNorm();
    const Eigen::Index size = inverse.size();
    hessian_.resize(size * (size + 1) / 2, parts_.cols());
    Eigen::Index row = 0;
    for (Eigen::Index a = 0; a < size; ++a) {
      for (Eigen::Index b = a; b < size; ++b) {
        const double factor = (a == b ? 1 : 2) * inverse[a] * inverse[b] * (inverse[a] + inverse[b]);
        hessian_.row(row++) = std::sqrt(factor) * turned.row(a).cwiseProduct(turned.row(b));
      }
    }
  }

  MatrixXd parts_, sums_, hessian_;
  VectorXd weights_, duals_, slacks_, gains_;
  double trace_ = 0;
};

}  // namespace

std::vector<double> weights_of_least_trace(const TraceProgram& program, Budget& budget) {
  InteriorPoint point(program);
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps && point.step(); ++step) budget.check();
  const VectorXd& weights = point.weights();
  return {weights.data(), weights.data() + weights.size()};
}

}  // namespace oddsbound::designs
