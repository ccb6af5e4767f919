// A primal-dual interior point method. With C the inverse of the information and e, u its eigenvalues and vectors, the
// second derivative of its trace along a change E of the information is 2 trace(C E C E C), which in the basis u is a
// sum of squares: of the entries of E, times 2 e_a e_b (e_a + e_b). So the Hessian over all columns is G^T G with as
// many rows as a symmetric matrix has entries, and a Newton step solves a system of that size only.
#include "verifier/optimal/least_trace.h"

#include <Eigen/Dense>
#include <cmath>

namespace oddsbound::optimal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd matrix_of(const std::vector<std::vector<double>>& columns) {
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
      : parts_(matrix_of(program.parts)), sums_(matrix_of(program.sums)) {
    const double most = sums_.rowwise().sum().maxCoeff();
    weights_ = VectorXd::Constant(sums_.cols(), 1 / most);
    derive();
    const VectorXd totals = sums_.colwise().sum();
    prices_ = VectorXd::Constant(sums_.rows(), 2 * (gains_.array() / totals.array()).maxCoeff());
    slacks_ = sums_.transpose() * prices_ - gains_;
  }

  // False: no further.
  bool step() {
    const double gap = weights_.dot(slacks_);
    if (!(gap > kEnough * trace_)) return false;
    constexpr double kCentering = 0.1;
    const double target = kCentering * gap / static_cast<double>(weights_.size());
    MatrixXd stacked(hessian_.rows() + sums_.rows(), sums_.cols());
    stacked << hessian_, sums_;
    const VectorXd scale = weights_.cwiseQuotient(slacks_);
    const VectorXd right = gains_ - sums_.transpose() * prices_ + target * weights_.cwiseInverse();
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
    prices_ += length * solved.tail(sums_.rows());
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

  // The trace, its derivatives by weight (less than 0: gains), and G.
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
  VectorXd weights_, prices_, slacks_, gains_;
  double trace_ = 0;
};

}  // namespace

std::vector<double> weights_of_least_trace(const TraceProgram& program, Budget& budget) {
  InteriorPoint point(program);
  constexpr int kMostSteps = 100;
  for (int step = 0; step < kMostSteps && point.step(); ++step) budget.look();
  const VectorXd& weights = point.weights();
  return {weights.data(), weights.data() + weights.size()};
}

}  // namespace oddsbound::optimal
