#include "verifier/engine/group_moments.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "verifier/linear/eigenvalue_bound.h"

namespace oddsbound::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kUlp = 0x1p-53;
// Exceeds the relative rounding error of sums of few terms.
constexpr double kSlack = 1e-9;
// Singular values below this, relative to the largest, are rounding.
constexpr double kNothing = 1e-10;

Index index(std::size_t value) { return static_cast<Index>(value); }

// Estimates the largest eigenvalue of a matrix without negative ones, by a power iteration of few steps from `vector`,
// which becomes the eigenvector.
double estimated_eigenvalue(const MatrixXd& matrix, VectorXd& vector) {
  constexpr int kSteps = 30;
  double value = 0;
  for (int step = 0; step < kSteps; ++step) {
    const VectorXd next = matrix * vector;
    value = next.norm();
    if (!(value > 0)) return 0;
    vector = next / value;
  }
  return value;
}

// A quadratic form without negative eigenvalues, in vectors whose blocks have at most given squared lengths.
class BlockForm {
 public:
  // block: of each coordinate.
  BlockForm(const MatrixXd& matrix, const std::vector<std::size_t>& block, const std::vector<double>& lengths)
      : matrix_(matrix), block_(block), lengths_(lengths) {}

  double bound() const {
    constexpr int kRounds = 4;
    std::vector<double> weights(lengths_.size(), 1), best_weights = weights;
    double best = kInfinity, best_value = 0;
    // Not orthogonal to the eigenvector, whatever the symmetries of the matrix are.
    VectorXd vector(matrix_.rows());
    for (Index k = 0; k < vector.size(); ++k) vector[k] = 1 + 0.5 * std::sin(static_cast<double>(k));
    for (int round = 0; round < kRounds; ++round) {
      const double value = estimated_eigenvalue(scaled(weights), vector);
      if (!(value > 0)) break;
      if (value * total(weights) < best) {
        best = value * total(weights);
        best_value = value;
        best_weights = weights;
      }
      grow(weights, vector);
    }
    return linear::eigenvalue_bound(scaled(best_weights), best_value) * total(best_weights) * (1 + kSlack);
  }

 private:
  MatrixXd scaled(const std::vector<double>& weights) const {
    VectorXd scale(matrix_.rows());
    for (Index k = 0; k < scale.size(); ++k) scale[k] = 1 / std::sqrt(weights[block_[static_cast<std::size_t>(k)]]);
    return scale.asDiagonal() * matrix_ * scale.asDiagonal();
  }
  double total(const std::vector<double>& weights) const {
    return std::inner_product(weights.begin(), weights.end(), lengths_.begin(), 0.0);
  }
  // Gives more weight to blocks in which the eigenvector is longer than its share of the total.
  void grow(std::vector<double>& weights, const VectorXd& eigenvector) const {
    constexpr double kPart = 0.3, kLeast = 0.5, kMost = 3;
    const double all = total(weights);
    std::vector<double> share(lengths_.size(), 0);
    for (std::size_t k = 0; k < block_.size(); ++k) share[block_[k]] += std::pow(eigenvector[index(k)], 2);
    for (std::size_t b = 0; b < weights.size(); ++b) {
      if (lengths_[b] == 0) continue;
      const double relative = share[b] * all / (weights[b] * lengths_[b]);
      weights[b] *= std::clamp(1 + kPart * (relative - 1), kLeast, kMost);
    }
  }

  const MatrixXd& matrix_;
  const std::vector<std::size_t>& block_;
  const std::vector<double>& lengths_;
};

// The products of two coordinates of different factors, in blocks by pairs of factors.
struct Pairs {
  std::vector<std::pair<Index, Index>> coordinates;
  std::vector<std::size_t> block;  // [pair]
  std::vector<double> lengths;     // [block]

  Pairs(std::span<const LogFactor> factors, const std::vector<Index>& begin) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      for (std::size_t j = i + 1; j < factors.size(); ++j) {
        if (factors[i].coordinates() == 0 || factors[j].coordinates() == 0) continue;
        for (Index a = begin[i]; a < begin[i + 1]; ++a) {
          for (Index b = begin[j]; b < begin[j + 1]; ++b) {
            coordinates.emplace_back(a, b);
            block.push_back(lengths.size());
          }
        }
        lengths.push_back(factors[i].length * factors[j].length);
      }
    }
  }
  Index size() const { return index(coordinates.size()); }
};

}  // namespace

LogFactor::LogFactor(const std::vector<std::vector<double>>& entries) : outputs(entries.size()) {
  constexpr std::size_t kMostRank = 64, kMostEntries = std::size_t{1} << 18;
  classes = outputs == 0 ? 0 : entries[0].size();
  if (std::min(classes, outputs) > kMostRank || classes * outputs > kMostEntries) return;
  for (const std::vector<double>& of_output : entries) {
    for (const double entry : of_output) {
      if (!(entry > kSmall && entry < kLarge)) return;
    }
  }
  is_usable = true;
  MatrixXd differences(index(classes), index(outputs));  // log f(c, y) / f(0, y)
  double largest = 1;
  for (std::size_t y = 0; y < outputs; ++y) {
    const double first = std::log(entries[y][0]);
    for (std::size_t c = 0; c < classes; ++c) {
      const double logarithm = std::log(entries[y][c]);
      differences(index(c), index(y)) = logarithm - first;
      largest = std::max({largest, std::abs(logarithm), std::abs(first)});
    }
  }
  const Eigen::JacobiSVD<MatrixXd> parts(differences, Eigen::ComputeThinV);
  const VectorXd& values = parts.singularValues();
  Index rank = 0;
  while (rank < values.size() && values[rank] > kNothing * std::max(values[0], kNothing)) ++rank;
  x = parts.matrixV().leftCols(rank);
  z = differences * x;
  length = rank == 0 ? 0 : x.rowwise().squaredNorm().maxCoeff() * (1 + kSlack);
  const auto count = static_cast<double>(outputs);
  const MatrixXd rest = differences - z * x.transpose();
  error = (rest.size() == 0 ? 0 : rest.cwiseAbs().maxCoeff()) + 64 * kUlp * largest * count * std::sqrt(count);
}

CostOfMoments cost_of_moments(std::span<const LogFactor> factors, std::size_t rows) {
  double coordinates = 0, pairs = 0, outputs = 0, largest = 0;
  for (const LogFactor& factor : factors) {
    const auto own = static_cast<double>(factor.coordinates()), count = static_cast<double>(factor.outputs);
    pairs += coordinates * own;
    coordinates += own;
    outputs += count;
    largest = std::max(largest, count);
  }
  const auto all = static_cast<double>(rows);
  constexpr double kMatrices = 6;  // of fourth moments, scaled and factorized
  return {(all + pairs) * pairs * pairs + all * (outputs + coordinates) * (outputs + coordinates),
          sizeof(double) * (kMatrices * pairs * pairs + 3 * all * (coordinates + outputs) + outputs * largest)};
}

GroupMoments::GroupMoments(const Suffixes& suffixes, std::span<const LogFactor> factors, std::size_t at_depth,
                           const std::vector<double>& weights, const std::function<void()>& look)
    : depth(at_depth) {
  std::vector<std::uint32_t> suffix;  // [row]
  for (std::uint32_t s = 0; s < weights.size(); ++s) {
    if (weights[s] > 0) suffix.push_back(s);
  }
  const Index rows = index(suffix.size());
  VectorXd share(rows);
  for (Index r = 0; r < rows; ++r) share[r] = weights[suffix[static_cast<std::size_t>(r)]];
  total = share.sum();
  share /= total;

  begin.push_back(0);
  for (const LogFactor& factor : factors) begin.push_back(begin.back() + index(factor.coordinates()));
  MatrixXd z(rows, begin.back());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const SuffixLayer& layer = suffixes.layer(depth + i);
    for (Index r = 0; r < rows; ++r) {
      std::uint32_t& own = suffix[static_cast<std::size_t>(r)];
      z.row(r).segment(begin[i], begin[i + 1] - begin[i]) = factors[i].z.row(layer.seen[own]);
      own = layer.next[own];
    }
  }
  mean = z.transpose() * share;
  z.rowwise() -= mean.transpose();
  look();

  bound_variance(factors, z, share);
  look();
  if (variance > kMostVariance) return;
  bound_terms(factors, z, share, look);
  look();
  if (is_small) bound_matrices(factors, z, share, look);
}

void GroupMoments::bound_variance(std::span<const LogFactor> factors, const MatrixXd& z, const VectorXd& share) {
  double lengths = 0;
  VectorXd sizes = VectorXd::Zero(z.rows());
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const auto own = z.middleCols(begin[i], begin[i + 1] - begin[i]);
    sizes += own.cwiseAbs().rowwise().sum() * std::sqrt(factors[i].length);
    lengths += factors[i].length;
  }
  size = sizes.maxCoeff() * (1 + kSlack);
  error = 64 * static_cast<double>(z.rows() + z.cols() * z.cols()) * kUlp;
  second = z.transpose() * share.asDiagonal() * z;
  second.triangularView<Eigen::StrictlyUpper>() = second.transpose();
  variance = linear::eigenvalue_bound(second) * lengths * (1 + kSlack) + error * (1 + size) * (1 + size);
}

void GroupMoments::bound_terms(std::span<const LogFactor> factors, const MatrixXd& z, const VectorXd& share,
                               const std::function<void()>& look) {
  std::vector<Index> first{0};  // [factor]: its first output among those of all factors
  for (const LogFactor& factor : factors) first.push_back(first.back() + index(factor.outputs));
  const auto terms_of = [&](std::size_t i) -> MatrixXd {  // l_i, by row and output
    return z.middleCols(begin[i], begin[i + 1] - begin[i]) * factors[i].x.transpose();
  };
  MatrixXd squares(z.rows(), first.back());  // l_i^2, by factor and output
  VectorXd largest = VectorXd::Zero(z.rows()), most_of = largest, least_of = largest;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    look();
    const MatrixXd terms = terms_of(i);
    auto own = squares.middleCols(first[i], first[i + 1] - first[i]);
    own = terms.cwiseAbs2();
    largest += terms.rowwise().maxCoeff();
    most_of += own.rowwise().maxCoeff();
    least_of += own.rowwise().minCoeff();
  }
  most = largest.maxCoeff() + kSlack * (1 + size);
  most_squares = most_of.maxCoeff() * (1 + kSlack) + kUlp;
  least_squares = least_of.minCoeff() * (1 - kSlack);
  is_small = most <= kMostLoss;
  if (!is_small) return;

  for (std::size_t j = 0; j < factors.size(); ++j) {
    look();
    const MatrixXd mixed = squares.transpose() * (share.asDiagonal() * terms_of(j));  // E l_i(y)^2 l_j(y')
    above.push_back(mixed.middleRows(first[j], first[j + 1] - first[j]).diagonal());
    below.push_back(above.back());
    for (std::size_t i = 0; i < factors.size(); ++i) {
      if (i == j) continue;
      const auto others = mixed.middleRows(first[i], first[i + 1] - first[i]);
      above.back() += 3 * others.colwise().maxCoeff().transpose();
      below.back() += 3 * others.colwise().minCoeff().transpose();
    }
  }
}

void GroupMoments::bound_matrices(std::span<const LogFactor> factors, const MatrixXd& z, const VectorXd& share,
                                  const std::function<void()>& look) {
  constexpr Index kRowsAtOnce = 256;
  const Pairs pairs(factors, begin);
  MatrixXd triples = MatrixXd::Zero(z.cols(), pairs.size());
  MatrixXd quadruples = MatrixXd::Zero(pairs.size(), pairs.size());
  for (Index from = 0; from < z.rows(); from += kRowsAtOnce) {
    look();
    const Index count = std::min(kRowsAtOnce, z.rows() - from);
    const auto here = z.middleRows(from, count);
    const auto share_here = share.segment(from, count);
    MatrixXd of_pairs(count, pairs.size());
    for (Index p = 0; p < pairs.size(); ++p) {
      const auto [a, b] = pairs.coordinates[static_cast<std::size_t>(p)];
      of_pairs.col(p) = here.col(a).cwiseProduct(here.col(b));
    }
    triples.noalias() += here.transpose() * share_here.asDiagonal() * of_pairs;
    of_pairs.array().colwise() *= share_here.array().sqrt();
    quadruples.selfadjointView<Eigen::Lower>().rankUpdate(of_pairs.transpose());
  }
  quadruples.triangularView<Eigen::StrictlyUpper>() = quadruples.transpose();
  look();

  std::vector<std::size_t> factor_of;  // [coordinate]
  std::vector<double> lengths;         // [factor]
  for (std::size_t i = 0; i < factors.size(); ++i) {
    factor_of.insert(factor_of.end(), factors[i].coordinates(), i);
    lengths.push_back(factors[i].length);
  }
  for (Index p = 0; p < pairs.size(); ++p) {
    const auto [a, b] = pairs.coordinates[static_cast<std::size_t>(p)];
    for (const Index of : {a, b}) {
      const std::size_t i = factor_of[static_cast<std::size_t>(of)];
      triples.col(p).segment(begin[i], begin[i + 1] - begin[i]).setZero();
    }
  }
  MatrixXd gram = triples * triples.transpose();
  gram.triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  gram.diagonal().array() +=
      gram.trace() * 8 * static_cast<double>(pairs.size() + 8) * kUlp;  // rounding of the product
  const double pair_lengths = std::accumulate(pairs.lengths.begin(), pairs.lengths.end(), 0.0);
  third = 2 * std::sqrt(BlockForm(gram, factor_of, lengths).bound() * pair_lengths) * (1 + kSlack);
  look();
  quadruples.diagonal().array() += quadruples.trace() * error;
  fourth = 4 * BlockForm(quadruples, pairs.block, pairs.lengths).bound();
  look();
}

}  // namespace oddsbound::engine
