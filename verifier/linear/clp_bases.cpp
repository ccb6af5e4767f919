// CLP's primal simplex method on double approximations of the equations, as a source of bases (basis.h).
//
// Calls ClpSimplex directly, because ClpSolve installs signal handlers.

#include <algorithm>
#include <cmath>
#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/CoinError.hpp>
#include <limits>

#include "verifier/linear/basis.h"

namespace oddsbound::linear {

namespace {

class StopsPastBudget final : public ClpEventHandler {
 public:
  explicit StopsPastBudget(const Budget& budget) : budget_(budget) {}
  int event(Event) override { return is_over() ? kStop : kGoOn; }
  ClpEventHandler* clone() const override { return new StopsPastBudget(budget_); }

 private:
  static constexpr int kGoOn = -1, kStop = 0;
  bool is_over() const { return budget_.limits().stop.stop_requested() || budget_.seconds_left() <= 0; }

  const Budget& budget_;
};

// Returns 1 / max |number|, so that CLP's tolerances are small relative to the numbers.
double scale_of(std::span<const double> numbers) {
  double most = 0;
  for (const double number : numbers) most = std::max(most, std::abs(number));
  return most > 0 ? 1 / most : 1;
}

std::vector<double> scaled(std::span<const double> numbers, double scale) {
  std::vector<double> result(numbers.begin(), numbers.end());
  for (double& number : result) number *= scale;
  return result;
}

bool are_finite(std::span<const double> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

class ClpBases final : public BasisSource {
 public:
  ClpBases(const Equations& equations, const Budget& budget) {
    std::vector<CoinBigIndex> starts{0};
    std::vector<int> rows;
    std::vector<double> entries, right;
    for (const auto& column : equations.columns) {
      for (const auto& [row, entry] : column) {
        rows.push_back(static_cast<int>(row));
        entries.push_back(entry.approx());
      }
      starts.push_back(static_cast<CoinBigIndex>(rows.size()));
    }
    for (const Number& number : equations.right) right.push_back(number.approx());
    usable_ = are_finite(entries) && are_finite(right);
    if (!usable_) return;
    right = scaled(right, scale_of(right));
    const auto columns = static_cast<int>(equations.columns.size());
    const std::vector<double> zeros(equations.columns.size());
    const std::vector<double> unbounded(equations.columns.size(), COIN_DBL_MAX);
    model_.setLogLevel(0);
    model_.loadProblem(columns, static_cast<int>(right.size()), starts.data(), rows.data(), entries.data(),
                       zeros.data(), unbounded.data(), zeros.data(), right.data(), right.data());
    model_.setPrimalTolerance(kTolerance);
    model_.setDualTolerance(kTolerance);
    const StopsPastBudget handler(budget);
    model_.passInEventHandler(&handler);
  }

  std::optional<CandidateBasis> propose(std::span<const double> form) override {
    if (!usable_ || !are_finite(form)) return std::nullopt;
    const double scale = -scale_of(form);  // CLP minimizes
    const std::vector<double> costs = scaled(form, scale);
    for (std::size_t j = 0; j < costs.size(); ++j) model_.setObjectiveCoefficient(static_cast<int>(j), costs[j]);
    try {
      model_.primal();
    } catch (const CoinError&) {
      return std::nullopt;
    }
    if (!model_.isProvenOptimal()) return std::nullopt;
    Basis basis;
    for (int j = 0; j < model_.numberColumns(); ++j) {
      if (model_.getColumnStatus(j) == ClpSimplex::basic) basis.columns.push_back(static_cast<std::size_t>(j));
    }
    for (int i = 0; i < model_.numberRows(); ++i) {
      if (model_.getRowStatus(i) != ClpSimplex::basic) basis.rows.push_back(static_cast<std::size_t>(i));
    }
    if (basis.columns.size() != basis.rows.size()) return std::nullopt;
    return CandidateBasis{std::move(basis),
                          scaled({model_.getRowPrice(), model_.getRowPrice() + model_.numberRows()}, 1 / scale)};
  }

 private:
  static constexpr double kTolerance = 1e-9;

  ClpSimplex model_;
  bool usable_ = false;
};

}  // namespace

std::unique_ptr<BasisSource> clp_bases(const Equations& equations, const Budget& budget) {
  return std::make_unique<ClpBases>(equations, budget);
}

}  // namespace oddsbound::linear
