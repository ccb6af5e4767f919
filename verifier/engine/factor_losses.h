// Losses between pairs of inputs of a product channel, from its factors: the largest P(y given x) / P(y given x') over
// all output tuples y is the product over the factors of the same for their own outputs, so the outputs of the product
// are never enumerated.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// The losses of all factors as indices into one list of distinct values.
class LossValues {
 public:
  static constexpr std::uint32_t kInfinite = 0;
  static constexpr std::uint32_t kNone = 1;  // a loss of 1: the rows are equal
  LossValues() : values_{Number(0), Number(1)}, approx_{0, 1}, index_{{Number(1), kNone}} {}
  std::uint32_t intern(const Number& value);
  const Number& value(std::uint32_t loss) const { return values_[loss]; }
  double approx(std::uint32_t loss) const { return approx_[loss]; }

 private:
  std::vector<Number> values_;
  std::vector<double> approx_;
  std::unordered_map<Number, std::uint32_t, NumberHash> index_;
};

/// For every ordered pair of inputs of one channel, its loss. Inputs with equal rows are one class, and losses are held
/// by pairs of classes.
class FactorLosses {
 public:
  FactorLosses(const Channel& channel, LossValues& values, Budget& budget);
  std::uint32_t loss(std::uint64_t from, std::uint64_t to) const {
    return loss_[class_of_[from] * classes_ + class_of_[to]];
  }
  std::uint32_t class_of(std::uint64_t input) const { return class_of_[input]; }
  /// The largest loss from a class to any, about; infinity.
  double most_from(std::uint32_t of_class) const { return most_from_[of_class]; }
  /// The largest of all, as an index.
  std::uint32_t largest() const { return largest_; }
  /// An output that shows the loss of the pair.
  std::uint64_t output(std::uint64_t from, std::uint64_t to, Budget& budget) const;

 private:
  const Channel& channel_;
  std::vector<std::uint32_t> class_of_;  // per input
  std::uint64_t classes_ = 0;
  std::vector<std::uint32_t> loss_;
  std::vector<double> most_from_;
  std::uint32_t largest_ = LossValues::kNone;
};

class PairLossSolver {
 public:
  /// Between all inputs.
  explicit PairLossSolver(MeasuredModel& subject);
  /// Between these alone, which are named by their places in the list.
  PairLossSolver(MeasuredModel& subject, std::vector<InputRow> inputs);
  /// The largest loss over the pairs that `for_each_pair` visits (at least one, both different or equal).
  using Visit = std::function<void(std::uint64_t from, std::uint64_t to)>;
  InputLevel largest(const std::function<void(const Visit&)>& for_each_pair);
  /// The same over all pairs; those that are certainly smaller are not visited.
  InputLevel largest_of_all();
  /// The loss of one ordered pair.
  Level loss(std::uint64_t from, std::uint64_t to) const;

 private:
  class Largest;
  class Tree;

  std::uint32_t class_at(std::size_t factor, std::uint64_t place) const {
    return losses_[factor]->class_of(projections_[factor][place]);
  }
  std::uint32_t loss_of(std::size_t factor, std::uint64_t from, std::uint64_t to) const {
    return losses_[factor]->loss(projections_[factor][from], projections_[factor][to]);
  }
  double approx_of(std::size_t factor, std::uint64_t from, std::uint64_t to) const;
  InputRow input(std::uint64_t place) const { return inputs_.empty() ? subject_.domain().row(place) : inputs_[place]; }

  MeasuredModel& subject_;
  std::vector<InputRow> inputs_;  // empty: all of them, in order
  LossValues values_;
  std::vector<std::shared_ptr<const FactorLosses>> losses_;
  std::vector<std::vector<std::uint32_t>> projections_;
};

/// True if losses by pairs cost less than enumerating the product, or enumerating it is beyond the budget.
bool pairs_are_cheaper(const MeasuredModel& subject);

}  // namespace oddsbound::engine
