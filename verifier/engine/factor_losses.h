// Levels between pairs of inputs of a product channel, from its factors.
//
// The loss of a pair is max over y of P(y | x) / P(y | x'). Over all output tuples this maximum is the product of
// the factors' maxima, so the outputs of the product are never enumerated. Cost: a loss table per distinct factor
// (classes^2 x outputs), then at most one product per pair of inputs. pairs_are_cheaper() compares this with a
// pass over the columns.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// The distinct losses of all factors. A loss is an index into this list.
class LossValues {
 public:
  static constexpr std::uint32_t kInfinite = 0;
  static constexpr std::uint32_t kNone = 1;  // loss 1: the rows are equal
  LossValues() : values_{Number(0), Number(1)}, approx_{0, 1}, index_{{Number(1), kNone}} {}
  std::uint32_t intern(const Number& value);
  const Number& value(std::uint32_t loss) const { return values_[loss]; }
  double approx(std::uint32_t loss) const { return approx_[loss]; }

 private:
  std::vector<Number> values_;
  std::vector<double> approx_;
  std::unordered_map<Number, std::uint32_t, NumberHash> index_;
};

/// The loss of every ordered pair of inputs of one channel. Inputs with equal rows form a class; losses are stored
/// per pair of classes.
class FactorLosses {
 public:
  FactorLosses(const Channel& channel, LossValues& values, Budget& budget);
  std::uint32_t loss(std::uint64_t from, std::uint64_t to) const {
    return loss_[class_of_[from] * classes_ + class_of_[to]];
  }
  std::uint32_t class_of(std::uint64_t input) const { return class_of_[input]; }
  /// Returns the largest loss from a class to any class, approximately; may be infinity.
  double most_from(std::uint32_t of_class) const { return most_from_[of_class]; }
  /// Returns the largest loss of all pairs, as an index.
  std::uint32_t largest() const { return largest_; }
  /// Returns an output that attains the loss of the pair.
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
  /// All inputs of the domain.
  explicit PairLossSolver(MeasuredModel& subject);
  /// Only these inputs. `from` and `to` below are indices into this list.
  PairLossSolver(MeasuredModel& subject, std::vector<InputRow> inputs);
  /// Returns the largest loss over the pairs that `for_each_pair` visits. It must visit at least one; from == to
  /// is allowed.
  using Visit = std::function<void(std::uint64_t from, std::uint64_t to)>;
  InputLevel largest(const std::function<void(const Visit&)>& for_each_pair);
  /// Returns the largest loss over all pairs. Skips pairs that are certainly smaller.
  InputLevel largest_of_all();
  /// Returns the loss of one ordered pair, as a level.
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
  std::vector<InputRow> inputs_;  // empty: all inputs of the domain, in order
  LossValues values_;
  std::vector<std::shared_ptr<const FactorLosses>> losses_;
  std::vector<std::vector<std::uint32_t>> projections_;
};

/// Returns true if the losses of all pairs cost less than enumerating the product, or if enumerating it exceeds
/// the budget.
bool pairs_are_cheaper(const MeasuredModel& subject);

}  // namespace oddsbound::engine
