// Losses between pairs of inputs of a product channel, from its factors: the largest P(y given x) / P(y given x') over
// all output tuples y is the product over the factors of the same for their own outputs, so the outputs of the product
// are never enumerated.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "verifier/privacy/subject.h"
#include "verifier/privacy/witness.h"

namespace oddsbound {

/// For every ordered pair of inputs of one channel, its loss: an index into a list of distinct values.
class FactorLosses {
 public:
  FactorLosses(const Channel& channel, Budget& budget);
  std::uint32_t loss(std::uint64_t from, std::uint64_t to) const { return loss_[from * inputs_ + to]; }
  static constexpr std::uint32_t kInfinite = 0;
  const Number& value(std::uint32_t loss) const { return values_[loss]; }
  double approx(std::uint32_t loss) const { return approx_[loss]; }
  /// An output that shows the loss of the pair.
  std::uint64_t output(std::uint64_t from, std::uint64_t to, Budget& budget) const;

 private:
  const Channel& channel_;
  std::uint64_t inputs_;
  std::vector<std::uint32_t> loss_;
  std::vector<Number> values_;
  std::vector<double> approx_;
};

class PairLosses {
 public:
  explicit PairLosses(Subject& subject);
  /// The largest loss over the pairs that `for_each_pair` visits (at least one, both different or equal).
  using Visit = std::function<void(std::uint64_t from, std::uint64_t to)>;
  InputLevel largest(const std::function<void(const Visit&)>& for_each_pair);

 private:
  Subject& subject_;
  std::vector<std::shared_ptr<const FactorLosses>> losses_;
  std::vector<std::vector<std::uint32_t>> projections_;
};

/// True if losses by pairs cost less than enumerating the product, or enumerating it is beyond the budget.
bool pairs_are_cheaper(const Subject& subject);

}  // namespace oddsbound
