// What the adversary believes beforehand: a probability for every input.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"
#include "verifier/model/domain.h"

namespace oddsbound {

class Prior {
 public:
  /// One weight per input, in input order; the prior is weight / sum of weights. Throws ModelError for a negative
  /// weight, a sum of zero, or a number of weights that is not the domain's number of inputs.
  static Prior from_weights(const Domain& domain, std::vector<Number> weights, Budget& budget);
  static Prior uniform(const Domain& domain);
  /// Independent coordinates; marginals[i] has one probability per value of coordinate i.
  static Prior product(const Domain& domain, const std::vector<std::vector<Number>>& marginals, Budget& budget);

  std::uint64_t inputs() const { return weights_.size(); }
  /// The probability of an input.
  Number probability(std::uint64_t input) const { return weights_[input] / total_; }
  /// Unnormalised: integers where the prior came as counts. Everything below divides by total().
  const std::vector<Number>& weights() const { return weights_; }
  const Number& total() const { return total_; }
  /// Doubles within a relative error of 2^-50 of the weights.
  std::span<const double> approx_weights() const { return approx_; }
  /// False if a non-zero weight is so small or large that approximations may leave the double range.
  bool approximations_usable() const { return usable_; }
  bool has_full_support() const { return full_support_; }
  /// True if the coordinates are known to be independent (the prior was given as uniform or as a product).
  bool has_independent_coordinates() const { return !marginals_.empty(); }

  /// The weight of every value of coordinate i (same scale as weights()).
  std::vector<Number> marginal_weights(const Domain& domain, std::size_t i) const;
  /// The marginal prior of some coordinates.
  Prior marginal(const Domain& domain, std::span<const std::size_t> coordinates, Budget& budget) const;

 private:
  std::vector<Number> weights_;
  Number total_;
  std::vector<double> approx_;
  bool usable_ = true;
  bool full_support_ = true;
  std::vector<std::vector<Number>> marginals_;  // of independent coordinates: the probabilities of their values
};

}  // namespace oddsbound
