// What the adversary believes beforehand: a distribution on the inputs, of any of several kinds.
//
// A prior over many coordinates is small where it is written down (the rows of a table, marginals, a network) and large
// where it is counted out. So each kind (priors/) answers the questions of algorithms in its own way, and the weights
// of all inputs exist only where dense() is asked for. Weights are exact and not normalized: each is to be divided by
// total().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"
#include "verifier/model/domain.h"

namespace oddsbound::model {

class PriorKind;

/// How many values each coordinate has.
using DomainShape = std::vector<std::uint32_t>;

struct WeightedRow {
  InputRow row;
  Number weight;
};

/// A coordinate of a Bayesian network: its distribution given the values of its parents.
struct NetworkNode {
  std::size_t coordinate = 0;
  std::vector<std::size_t> parents;
  std::vector<std::vector<Number>> table;  // per assignment of the parents, the last one fastest
};

/// A weight for each assignment of some coordinates, the last one fastest.
struct WeightTable {
  std::vector<std::size_t> over;
  std::vector<Number> cells;
};

/// The weights of all inputs, in input order.
struct DenseWeights {
  std::vector<Number> weights;
  std::vector<double> approx;         // within a relative error of 2^-50
  bool approximations_usable = true;  // false if a positive weight may leave the range of doubles
};

class Prior {
 public:
  explicit Prior(std::shared_ptr<const PriorKind> kind) : kind_(std::move(kind)) {}

  // The kinds, each defined in its file in priors/. All throw ModelError for a negative weight, no mass at all, or
  // another shape than the domain's.

  /// One weight per input, in input order.
  static Prior from_weights(const Domain& domain, std::vector<Number> weights, Budget& budget);
  /// Inputs in any order; those that are not named have no mass, the weights of equal ones are added.
  static Prior from_rows(const Domain& domain, std::vector<WeightedRow> rows, Budget& budget);
  static Prior uniform(const Domain& domain);
  /// Independent coordinates; marginals[i] has one weight per value of coordinate i.
  static Prior product(const Domain& domain, std::vector<std::vector<Number>> marginals);
  /// A Bayesian network with one node per coordinate, in any order. Throws ModelError for a cycle of parents, or a
  /// distribution that does not sum to 1.
  static Prior network(const Domain& domain, std::vector<NetworkNode> nodes);
  /// shares[c] of component c, each normalized before.
  static Prior mixture(const Domain& domain, std::vector<Prior> components, std::vector<Number> shares);

  const DomainShape& shape() const;
  /// What the weights of all inputs sum to.
  const Number& total() const;
  Number weight(InputView row) const;
  /// The probability of an input, by its number in the domain.
  Number probability(std::uint64_t input) const;
  /// True if the coordinates are known to be independent; false says nothing.
  bool has_independent_coordinates() const;
  /// Tables over few coordinates each whose product is the weight of every input, where the prior is written as such;
  /// else none.
  std::vector<WeightTable> tables() const;
  /// Whether every input has mass.
  bool has_full_support(Budget& budget) const;
  /// How many inputs have mass.
  Number support_size(Budget& budget) const;
  /// Visits every input that has mass once, with its weight, in an order of the kind's own. The row is valid during the
  /// visit.
  void each_row(Budget& budget, const std::function<void(InputView row, const Number& weight)>& visit) const;

  /// The same by the numbers of inputs, the smallest first. Throws LimitError where inputs have none, or where all of
  /// them have mass and are too many.
  std::vector<std::pair<std::uint64_t, Number>> numbered_rows(Budget& budget) const;

  /// Makes a row of weights that `pick` chose, each time one of some by its index: the prior's if each is chosen with
  /// the probability of its weight, whatever was chosen before. The weights that are handed over are not normalized,
  /// and stay where they are as long as the prior.
  using PickWeight = std::function<std::size_t(std::span<const Number> weights)>;
  InputRow draw(const PickWeight& pick) const;

  /// The weight of every value of coordinate i (same scale as total()).
  std::vector<Number> marginal_weights(std::size_t i, Budget& budget) const;
  /// The prior of these coordinates alone, in the given order, each at most once. Throws LimitError if that takes a
  /// table larger than a domain may be.
  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const;
  /// The same given the value of coordinate i. Throws ModelError if that has no mass.
  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates, Budget& budget) const;

  /// The weights of all inputs, made when first asked for and kept. Throws LimitError if there are more inputs than may
  /// be held (--max-inputs). May be called from several threads; the budget is the caller's own.
  const DenseWeights& dense(Budget& budget) const;

 private:
  std::shared_ptr<const PriorKind> kind_;
};

}  // namespace oddsbound::model
