// The adversary's prior belief: a distribution on the inputs, of one of several kinds.
//
// A prior over many coordinates is small as written (the rows of a table, marginals, a network) and large when
// enumerated. So each kind (prior_kinds.cpp, network_prior.cpp) answers queries in its own way, and the weights of
// all inputs exist only after a call of dense(). Weights are exact and not normalized: divide each by total().
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

class Prior;

/// The number of values of each coordinate.
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
  std::vector<double> approx;         // relative error <= 2^-50
  bool approximations_usable = true;  // false if a positive weight may leave the range of doubles
};

// The interface of a kind of prior. A new kind is a class derived from PriorKind and a static constructor in Prior.

/// Immutable; the queries are those of Prior.
class PriorKind {
 public:
  using RowVisitor = std::function<void(InputView row, const Number& weight)>;
  using PickWeight = std::function<std::size_t(std::span<const Number> weights)>;

  PriorKind(DomainShape shape, Number total) : shape_(std::move(shape)), total_(std::move(total)) {}
  PriorKind(const PriorKind&) = delete;
  PriorKind& operator=(const PriorKind&) = delete;
  virtual ~PriorKind() = default;

  const DomainShape& shape() const { return shape_; }
  const Number& total() const { return total_; }
  virtual Number weight(InputView row) const = 0;
  virtual void each_row(Budget& budget, const RowVisitor& visit) const = 0;
  virtual bool has_full_support(Budget& budget) const = 0;
  virtual InputRow draw(const PickWeight& pick) const = 0;
  virtual Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const = 0;
  virtual Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                            Budget& budget) const = 0;
  virtual bool has_independent_coordinates() const { return false; }
  virtual bool is_uniform() const { return false; }
  virtual std::vector<WeightTable> tables() const { return {}; }
  /// The default visits all rows.
  virtual Number support_size(Budget& budget) const;
  virtual std::vector<Number> marginal_weights(std::size_t i, Budget& budget) const;
  virtual const DenseWeights& dense(Budget& budget) const;

 protected:
  /// Returns the weights of all `inputs` inputs.
  virtual std::vector<Number> expand(std::uint64_t inputs, Budget& budget) const;

 private:
  DomainShape shape_;
  Number total_;
  mutable std::mutex mutex_;  // guards dense_
  mutable std::optional<DenseWeights> dense_;
};

class Prior {
 public:
  explicit Prior(std::shared_ptr<const PriorKind> kind) : kind_(std::move(kind)) {}

  // Constructors of the kinds. All throw ModelError for a negative weight, total mass 0, or a shape other than the
  // domain's.

  /// One weight per input, in input order.
  static Prior from_weights(const Domain& domain, std::vector<Number> weights, Budget& budget);
  /// Inputs in any order. Inputs that are not listed have weight 0; weights of equal inputs are added.
  static Prior from_rows(const Domain& domain, std::vector<WeightedRow> rows, Budget& budget);
  /// Stores no weights if a coordinate has more values than --max-inputs of the thread's budget.
  static Prior uniform(const Domain& domain);
  /// Independent coordinates; marginals[i] has one weight per value of coordinate i.
  static Prior product(const Domain& domain, std::vector<std::vector<Number>> marginals);
  /// A Bayesian network with one node per coordinate, in any order. Throws ModelError if parents form a cycle, or
  /// if a distribution does not sum to 1.
  static Prior network(const Domain& domain, std::vector<NetworkNode> nodes);
  /// The mixture with weight shares[c] for component c; each component is normalized first.
  static Prior mixture(const Domain& domain, std::vector<Prior> components, std::vector<Number> shares);

  const DomainShape& shape() const { return kind_->shape(); }
  /// Returns the sum of the weights of all inputs.
  const Number& total() const { return kind_->total(); }
  Number weight(InputView row) const { return kind_->weight(row); }
  /// Returns the probability of an input, by its number in the domain.
  Number probability(std::uint64_t input) const;
  /// True if the coordinates are known to be independent; false means unknown.
  bool has_independent_coordinates() const { return kind_->has_independent_coordinates(); }
  /// True if all inputs are known to have equal weights; false means unknown.
  bool is_uniform() const { return kind_->is_uniform(); }
  /// Returns tables, each over few coordinates, whose product is the weight of every input; empty if the prior
  /// does not have this form.
  std::vector<WeightTable> tables() const { return kind_->tables(); }
  /// True if every input has positive weight.
  bool has_full_support(Budget& budget) const { return kind_->has_full_support(budget); }
  /// Returns the number of inputs of positive weight.
  Number support_size(Budget& budget) const { return kind_->support_size(budget); }
  /// Calls visit(row, weight) once for every input of positive weight, in an order that depends on the kind. The
  /// row is valid during the call.
  void each_row(Budget& budget, const PriorKind::RowVisitor& visit) const { kind_->each_row(budget, visit); }

  /// Returns (number, weight) of the inputs of positive weight, ascending. Throws LimitError if inputs have no
  /// numbers, or if all have positive weight and exceed max_inputs.
  std::vector<std::pair<std::uint64_t, Number>> numbered_rows(Budget& budget) const;

  /// Builds an input from choices by `pick`, which returns an index into the weights it is given. The input has
  /// the prior's distribution if `pick` chooses each index with probability proportional to its weight,
  /// independently of earlier choices. These weights are not normalized, and the spans stay valid as long as the
  /// prior.
  InputRow draw(const PriorKind::PickWeight& pick) const { return kind_->draw(pick); }

  /// Returns the weight of every value of coordinate i (same scale as total()).
  std::vector<Number> marginal_weights(std::size_t i, Budget& budget) const {
    return kind_->marginal_weights(i, budget);
  }
  /// Returns the prior of these coordinates alone, in the given order, each at most once. Throws LimitError if
  /// that needs a table larger than max_inputs.
  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const {
    return kind_->marginal(coordinates, budget);
  }
  /// The same given the value of coordinate i. Throws ModelError if that value has weight 0.
  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget& budget) const {
    return kind_->conditional(i, value, coordinates, budget);
  }

  /// Returns the weights of all inputs; computed at the first call and cached. Throws LimitError past
  /// --max-inputs. Thread-safe; `budget` is the caller's own.
  const DenseWeights& dense(Budget& budget) const { return kind_->dense(budget); }

 private:
  std::shared_ptr<const PriorKind> kind_;
};

// Helpers that kinds share.

DomainShape shape_of(const Domain& domain);
/// Returns the shape of some of the coordinates.
DomainShape part_of(const DomainShape& shape, std::span<const std::size_t> coordinates);
/// Returns the values of these coordinates in a row.
InputRow part_of_row(InputView row, std::span<const std::size_t> coordinates);
/// Returns the number of inputs. Throws LimitError past the budget's max_inputs.
std::uint64_t inputs_within(const DomainShape& shape, const Budget& budget);
/// Converts between an input and its number; the domain has at most 2^62 inputs.
std::uint64_t index_of(const DomainShape& shape, InputView row);
/// Returns the index of these coordinates' values among all their assignments; in their order, the last one
/// fastest.
std::uint64_t index_of(const DomainShape& shape, InputView row, std::span<const std::size_t> coordinates);
InputRow row_of(const DomainShape& shape, std::uint64_t input);
/// Advances to the next row, the last coordinate fastest; false after the last one.
bool advance(InputRow& row, const DomainShape& shape);

/// Throws ModelError for a negative weight.
void require_weight(const Number& weight);
/// Returns the sum of a prior's weights. Throws ModelError if it is 0.
Number positive_total(std::span<const Number> weights);
DenseWeights with_approximations(std::vector<Number> weights, Budget& budget);

/// from_weights() and from_rows() for a shape without a domain.
Prior prior_of_weights(DomainShape shape, std::vector<Number> weights, Budget& budget);
Prior prior_of_rows(DomainShape shape, std::vector<WeightedRow> rows, Budget& budget);

}  // namespace oddsbound::model
