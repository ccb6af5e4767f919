// What a kind of prior is asked, and what kinds share. A new kind is a file that derives from PriorKind and the line in
// prior.h that declares how it is made.
#pragma once

#include <mutex>
#include <optional>

#include "verifier/model/prior.h"

namespace oddsbound::model {

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
