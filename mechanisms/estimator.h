// Unbiased estimators: what turns collected outputs back into facts about the inputs.
//
// An estimator is linear: each output y carries a weight for every target, and the estimate of a target is the average
// weight of the outputs collected. Targets are averages over the inputs (the share of each input, or the mean of a
// coordinate), so being unbiased is an identity in K, checked against the channel, not believed.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verifier/model/channel.h"
#include "verifier/model/prior.h"

namespace oddsbound::mechanisms {

class Estimator {
 public:
  virtual ~Estimator() = default;
  /// The targets are the shares of the inputs, in input order.
  virtual bool estimates_shares() const { return false; }
  virtual std::uint64_t targets() const = 0;
  /// What a target is: the label of an input for shares, the name of a coordinate for means.
  virtual std::string target(std::uint64_t j) const = 0;
  /// The value of target j at input x; what is estimated is its average over the inputs.
  virtual Number truth(std::uint64_t j, std::uint64_t x) const = 0;
  /// The weight of an output (as Channel::split writes it) for target j.
  virtual Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const = 0;
};
using EstimatorPtr = std::shared_ptr<const Estimator>;

/// The base of estimators of how often each input occurs.
class ShareEstimator : public Estimator {
 public:
  explicit ShareEstimator(Domain domain) : domain_(std::move(domain)) {}
  bool estimates_shares() const override { return true; }
  std::uint64_t targets() const override { return domain_.inputs(); }
  std::string target(std::uint64_t j) const override { return input_label(domain_, j); }
  Number truth(std::uint64_t j, std::uint64_t x) const override { return Number(j == x ? 1 : 0); }
  const Domain& domain() const { return domain_; }

 private:
  Domain domain_;
};

/// Shares from events: input j has an event of outputs that has probability `own` if the input is j and `other` if it
/// is any other one; the weight is (1[event] - other) / (own - other). Null if own = other.
EstimatorPtr event_estimator(const Domain& domain, const Number& own, const Number& other,
                             std::function<bool(std::uint64_t j, std::span<const std::uint64_t> output)> event);

/// The shares for any channel whose rows are linearly independent: the weights that have the least variance when all
/// inputs are equally likely (generalised least squares), or for as many outputs as inputs the inverse of the channel.
/// Null if the rows are dependent: then no unbiased estimator exists. Throws LimitError if the channel is too large.
EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel, Budget& budget);

/// The same for the shares of what some coordinates of the inputs are, which may be known where those of the inputs are
/// not. Null if no weights give them.
EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel,
                                     std::span<const std::size_t> coordinates, Budget& budget);

/// The shares of what some coordinates are, from those of the inputs.
EstimatorPtr sums_of_shares(const Domain& domain, EstimatorPtr shares, std::span<const std::size_t> coordinates);

/// Shares of joint inputs from independent parts that see disjoint sets of coordinates which cover the domain: the
/// product of the parts' weights.
struct EstimatorPart {
  EstimatorPtr estimator;
  std::vector<std::size_t> coordinates;
  std::size_t words;
};
EstimatorPtr product_estimator(const Domain& domain, std::vector<EstimatorPart> parts);

/// The largest |E[estimate] - truth| is zero: for every target j and input x, sum over y of P(y given x) weight(j, y)
/// is truth(j, x), exactly. On failure `where` says for which. Throws LimitError past the budget.
bool is_unbiased(const Estimator& estimator, const Channel& channel, Budget& budget, std::string& where);

/// The sum over the targets of the mean squared error of the estimate from n outputs, for inputs drawn from the prior:
/// 1/n times the sum of the variances of the weights. Exact.
Number mean_squared_error(const Estimator& estimator, const Channel& channel, const Prior& prior, const Number& n,
                          Budget& budget);

}  // namespace oddsbound::mechanisms
