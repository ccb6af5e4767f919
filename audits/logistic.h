// Logistic regression: which side something is of, by its features. For the files of audits only (heavy library).
#pragma once

#include <Eigen/Dense>

#include "base/namespaces.h"

namespace oddsbound::audits {

/// The weights of features, by Newton's method with a ridge. rows: standardized features; first: 1 for those of the
/// first side, else 0.
Eigen::VectorXd logistic_weights(const Eigen::MatrixXd& rows, const Eigen::VectorXd& first);

}  // namespace oddsbound::audits
