#include "audits/logistic.h"

namespace oddsbound::audits {

Eigen::VectorXd logistic_weights(const Eigen::MatrixXd& rows, const Eigen::VectorXd& first) {
  const Eigen::Index size = rows.cols();
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(size);
  for (int round = 0; round < 12; ++round) {
    const Eigen::VectorXd chance = (1 + (-(rows * weights).array()).exp()).inverse();
    const Eigen::VectorXd spread = chance.array() * (1 - chance.array()) + 1e-9;
    Eigen::MatrixXd curvature = rows.transpose() * spread.asDiagonal() * rows;
    curvature.diagonal().array() += 1;
    const Eigen::VectorXd step = curvature.ldlt().solve(rows.transpose() * (first - chance) - weights);
    if (!step.allFinite()) break;
    weights += step;
    if (step.norm() < 1e-6 * (1 + weights.norm())) break;
  }
  return weights;
}

}  // namespace oddsbound::audits
