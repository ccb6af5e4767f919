// Unbiased estimators of properties of the inputs from collected outputs.
//
// An estimator is linear: each output y has a weight for every target, and the estimate of a target is the average
// weight of the collected outputs. Targets are averages over the inputs (the fraction of each input, or the mean
// of a coordinate). Unbiasedness is therefore an identity in K, which is_unbiased() checks against the channel.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verifier/model/channel.h"
#include "verifier/model/prior.h"

namespace oddsbound::mechanisms {

/// How often each output was collected. An output is written as by Channel::split.
using OutputCounts = std::map<std::vector<std::uint64_t>, std::uint64_t>;

/// The sum of a target's weights over collected outputs, and that of their squares, rounded.
struct SumOfWeights {
  Number sum{0};
  double squares = 0;
};

class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Whether the targets are the fractions of the inputs, in input order.
  virtual bool estimates_shares() const { return false; }
  virtual std::uint64_t targets() const = 0;
  /// The name of a target: the label of an input for fractions, the name of a coordinate for means.
  virtual std::string target(std::uint64_t j) const = 0;
  /// The value of target j at input x. The estimate is of its average over the inputs.
  virtual Number truth(std::uint64_t j, std::uint64_t x) const = 0;
  /// The weight of an output (as written by Channel::split) for target j.
  virtual Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const = 0;
  /// The sums of every target over collected outputs.
  virtual std::vector<SumOfWeights> sums_over(const OutputCounts& outputs, Budget& budget) const;

  /// True if the estimator computes the three expectations below. For other estimators, callers sum over all outputs.
  virtual bool knows_moments() const { return false; }
  /// E[weight of target j given x]. Requires knows_moments().
  virtual Number expected_weight(std::uint64_t, std::uint64_t) const { return Number(0); }
  /// E[square of the weight given x] of every target. Requires knows_moments().
  virtual std::vector<Number> expected_squares(std::uint64_t, Budget&) const { return {}; }
  /// The sum over the targets and the inputs x of weights[x] E[square of the weight given x]. Requires
  /// knows_moments().
  virtual Number summed_squares(std::span<const Number>, Budget&) const { return Number(0); }
};
using EstimatorPtr = std::shared_ptr<const Estimator>;

/// Base of estimators of the frequency of each input.
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

/// Base of estimators of the frequency of the values of some coordinates.
class SharesOfSome : public ShareEstimator {
 public:
  SharesOfSome(const Domain& domain, std::span<const std::size_t> coordinates)
      : ShareEstimator(domain.restricted_to(coordinates)), seen_(domain, coordinates) {}
  Number truth(std::uint64_t j, std::uint64_t x) const override { return Number(seen_(x) == j ? 1 : 0); }

 protected:
  const Projection& seen() const { return seen_; }

 private:
  Projection seen_;
};

/// Returns an estimator of fractions from events: input j has an event of outputs with probability `own` given j
/// and `other` given any other input. The weight is (1[event] - other) / (own - other). Null if own = other, or if
/// either is a function of symbols.
EstimatorPtr event_estimator(const Domain& domain, const Number& own, const Number& other,
                             std::function<bool(std::uint64_t j, std::span<const std::uint64_t> output)> event);

/// Returns an estimator of the fractions for a channel with linearly independent rows. Its weights have the least
/// variance for uniformly distributed inputs (generalised least squares); with as many outputs as inputs they are
/// the inverse of the channel. Null if the rows are dependent: then there is no unbiased estimator. Throws
/// LimitError if the channel is too large.
EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel, Budget& budget);

/// The same for the fractions of the values of some coordinates. These may have an estimator even if the fractions
/// of the inputs have none. Null if no weights are unbiased.
EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel,
                                     std::span<const std::size_t> coordinates, Budget& budget);

/// Returns an estimator of the fractions of values of some coordinates, from one of the fractions of the inputs.
EstimatorPtr sums_of_shares(const Domain& domain, EstimatorPtr shares, std::span<const std::size_t> coordinates);

/// Returns an estimator of the fractions of inputs from independent parts that see disjoint sets of coordinates
/// which cover the domain. Its weight is the product of the parts' weights.
struct EstimatorPart {
  EstimatorPtr estimator;
  std::vector<std::size_t> coordinates;
  std::size_t words;
};
EstimatorPtr product_estimator(const Domain& domain, std::vector<EstimatorPart> parts);

/// Checks that the estimator is unbiased: for every target j and input x, the sum over y of P(y given x) weight(j,
/// y) equals truth(j, x), exactly. On failure `where` names them. Throws LimitError past the budget.
bool is_unbiased(const Estimator& estimator, const Channel& channel, Budget& budget, std::string& where);

/// Returns the sum over the targets of the mean squared error of the estimate from n outputs, for inputs drawn
/// from the prior: 1/n times the sum of the variances of the weights. Exact.
Number mean_squared_error(const Estimator& estimator, const Channel& channel, const Prior& prior, const Number& n,
                          Budget& budget);

}  // namespace oddsbound::mechanisms
