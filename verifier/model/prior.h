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
#include <mutex>
#include <optional>
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

// What a kind of prior is asked, and what kinds share. A new kind is a file that derives from PriorKind and the line in
// prior.h that declares how it is made.

/// Immutable; the questions are those of Prior (prior.h).
class PriorKind {
 public:
  using RowVisitor = std::function<void(InputView row, const Number& weight)>;

  PriorKind(DomainShape shape, Number total) : shape_(std::move(shape)), total_(std::move(total)) {}
  PriorKind(const PriorKind&) = delete;
  PriorKind& operator=(const PriorKind&) = delete;
  virtual ~PriorKind() = default;

  const DomainShape& shape() const { return shape_; }
  const Number& total() const { return total_; }
  virtual Number weight(InputView row) const = 0;
  virtual void each_row(Budget& budget, const RowVisitor& visit) const = 0;
  virtual bool has_full_support(Budget& budget) const = 0;
  virtual InputRow draw(const Prior::PickWeight& pick) const = 0;
  virtual Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const = 0;
  virtual Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                            Budget& budget) const = 0;
  virtual bool has_independent_coordinates() const { return false; }
  virtual std::vector<WeightTable> tables() const { return {}; }
  /// Unless a kind knows better, its rows are visited.
  virtual Number support_size(Budget& budget) const;
  virtual std::vector<Number> marginal_weights(std::size_t i, Budget& budget) const;
  virtual const DenseWeights& dense(Budget& budget) const;

 protected:
  /// The weights of so many inputs.
  virtual std::vector<Number> expand(std::uint64_t inputs, Budget& budget) const;

 private:
  DomainShape shape_;
  Number total_;
  mutable std::mutex mutex_;  // of what follows
  mutable std::optional<DenseWeights> dense_;
};

DomainShape shape_of(const Domain& domain);
/// The shape of some of the coordinates.
DomainShape part_of(const DomainShape& shape, std::span<const std::size_t> coordinates);
/// The same of a row: its values of these coordinates.
InputRow part_of_row(InputView row, std::span<const std::size_t> coordinates);
/// The number of inputs. Throws LimitError if there are more than the budget's domains may have.
std::uint64_t inputs_within(const DomainShape& shape, const Budget& budget);
/// The number of an input in its domain, and back; the domain has at most 2^62.
std::uint64_t index_of(const DomainShape& shape, InputView row);
/// The number of what these coordinates have, among all that they may have; in their order, the last one fastest.
std::uint64_t index_of(const DomainShape& shape, InputView row, std::span<const std::size_t> coordinates);
InputRow row_of(const DomainShape& shape, std::uint64_t input);
/// Goes on to the next row, the last coordinate fastest; false after the last one.
bool advance(InputRow& row, const DomainShape& shape);

/// Throws ModelError for a negative one.
void require_weight(const Number& weight);
/// The sum of weights that are those of a prior. Throws ModelError if it is 0.
Number positive_total(std::span<const Number> weights);
DenseWeights with_approximations(std::vector<Number> weights, Budget& budget);

/// from_weights() and from_rows() for who has a shape and no domain.
Prior prior_of_weights(DomainShape shape, std::vector<Number> weights, Budget& budget);
Prior prior_of_rows(DomainShape shape, std::vector<WeightedRow> rows, Budget& budget);

}  // namespace oddsbound::model
