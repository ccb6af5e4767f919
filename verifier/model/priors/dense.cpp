// One weight per input: for priors that are given so, and for small tables that come out of others.
#include <algorithm>

#include "base/errors.h"
#include "verifier/model/priors/kind.h"

namespace oddsbound::model {

namespace {

class DensePrior final : public PriorKind {
 public:
  DensePrior(DomainShape shape, Number total, DenseWeights dense)
      : PriorKind(std::move(shape), std::move(total)), dense_(std::move(dense)) {}

  Number weight(InputView row) const override { return dense_.weights[index_of(shape(), row)]; }

  const DenseWeights& dense(Budget&) const override { return dense_; }

  bool has_full_support(Budget&) const override {
    return std::none_of(dense_.weights.begin(), dense_.weights.end(), [](const Number& w) { return w.is_zero(); });
  }

  void each_row(Budget& budget, const RowVisitor& visit) const override {
    InputRow row(shape().size());
    for (const Number& weight : dense_.weights) {
      budget.tick();
      if (!weight.is_zero()) visit(row, weight);
      advance(row, shape());
    }
  }

  InputRow draw(const Prior::PickWeight& pick) const override { return row_of(shape(), pick(dense_.weights)); }

  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const override {
    return sums_over(
        coordinates, [](InputView) { return true; }, budget);
  }

  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget& budget) const override {
    return sums_over(
        coordinates, [i, value](InputView row) { return row[i] == value; }, budget);
  }

 private:
  // The marginal of the inputs that are to be kept.
  template <typename Keeps>
  Prior sums_over(std::span<const std::size_t> coordinates, Keeps keeps, Budget& budget) const {
    DomainShape part = part_of(shape(), coordinates);
    std::vector<std::vector<WeightedTerm>> terms(inputs_within(part, budget));
    each_row(budget, [&](InputView row, const Number& weight) {
      if (!keeps(row)) return;
      std::uint64_t cell = 0;
      for (const std::size_t i : coordinates) cell = cell * shape()[i] + row[i];
      terms[cell].push_back({Number(1), weight});
    });
    std::vector<Number> weights;
    weights.reserve(terms.size());
    for (const auto& cell : terms) weights.push_back(weighted_sum(cell));
    return prior_of_weights(std::move(part), std::move(weights), budget);
  }

  DenseWeights dense_;
};

}  // namespace

Prior prior_of_weights(DomainShape shape, std::vector<Number> weights, Budget& budget) {
  for (const Number& weight : weights) {
    budget.tick();
    require_weight(weight);
  }
  Number total = positive_total(weights);
  DenseWeights dense = with_approximations(std::move(weights), budget);
  return Prior(std::make_shared<DensePrior>(std::move(shape), std::move(total), std::move(dense)));
}

Prior Prior::from_weights(const Domain& domain, std::vector<Number> weights, Budget& budget) {
  if (weights.size() != domain.inputs()) {
    throw ModelError("found " + std::to_string(weights.size()) + " entries, expected one for each of the " +
                     std::to_string(domain.inputs()) + " inputs");
  }
  return prior_of_weights(shape_of(domain), std::move(weights), budget);
}

}  // namespace oddsbound::model
