// Estimators of the fractions of inputs from independent parts that all see the whole input, such as the bits of an
// encoding: the weight of an output is a sum over its parts. They need no list of the outputs of all parts together.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mechanisms/estimator.h"
#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

class AdditiveEstimator final : public ShareEstimator {
 public:
  /// weights: [part][target][output of the part]; constants: per target.
  AdditiveEstimator(const Domain& domain, std::vector<ChannelPtr> parts,
                    std::vector<std::vector<std::vector<Number>>> weights, std::vector<Number> constants);

  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override;
  /// Whether the expected weights are the fractions, as an identity; otherwise `where` names the target.
  bool is_unbiased(Budget& budget, std::string& where) const;
  /// The sum over the targets of the mean squared error from n outputs, for inputs drawn from the prior. Exact.
  Number mean_squared_error(const Prior& prior, const Number& n, Budget& budget) const;

 private:
  /// The mean of the weight of target j at input x, and its variance.
  Number mean(std::uint64_t j, std::uint64_t x) const;
  Number variance(std::uint64_t j, std::uint64_t x) const;

  std::vector<ChannelPtr> parts_;
  std::vector<std::vector<std::vector<Number>>> weights_;
  std::vector<Number> constants_;
};

/// Whether the channel consists of several parts that each see the whole input.
bool has_whole_parts(const Domain& domain, const Channel& channel);

/// Whether two inputs have the same distribution in every part: then no fractions of inputs can be estimated. Throws
/// LimitError past the budget.
bool has_equal_inputs(const Channel& channel, Budget& budget);

/// Returns an estimator for such a channel whose weights have a small variance for uniform inputs: they minimize the
/// sum of the squared weights times the variances of the parts' outputs. Null if no sum over parts is unbiased. Throws
/// LimitError past the budget.
std::shared_ptr<const AdditiveEstimator> additive_estimator(const Domain& domain, const Channel& channel,
                                                            Budget& budget);

}  // namespace oddsbound::mechanisms
