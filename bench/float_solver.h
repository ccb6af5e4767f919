// The bare solver in doubles as a baseline: CLP on the same program.
#pragma once

#include <coin/ClpSimplex.hpp>

#include "design/program.h"

namespace oddsbound::bench {

/// The minimum loss according to CLP.
inline double least_loss_in_doubles(const designs::LpInstance& posed) {
  std::vector<CoinBigIndex> starts{0};
  std::vector<int> rows;
  std::vector<double> entries, right, costs;
  for (const auto& column : posed.equations.columns) {
    for (const auto& [row, entry] : column) {
      rows.push_back(static_cast<int>(row));
      entries.push_back(entry.approx());
    }
    starts.push_back(static_cast<CoinBigIndex>(rows.size()));
  }
  for (const Number& number : posed.equations.right) right.push_back(number.approx());
  for (const Number& number : posed.form) costs.push_back(-number.approx());
  const std::vector<double> zeros(costs.size()), unbounded(costs.size(), COIN_DBL_MAX);
  ClpSimplex model;
  model.setLogLevel(0);
  model.loadProblem(static_cast<int>(costs.size()), static_cast<int>(right.size()), starts.data(), rows.data(),
                    entries.data(), zeros.data(), unbounded.data(), costs.data(), right.data(), right.data());
  model.primal();
  return model.objectiveValue();
}

}  // namespace oddsbound::bench
