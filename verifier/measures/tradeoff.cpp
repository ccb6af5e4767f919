#include "verifier/measures/tradeoff.h"

#include <algorithm>

namespace oddsbound::measures {

GivenInputs given_input(std::uint64_t input) { return {{input}, {Number(1)}}; }

namespace {

// One exact probability per output.
class Distribution final : public AccumulatorOf<Distribution> {
 public:
  explicit Distribution(const GivenInputs& given) : given_(given) {
    assert(!given.inputs.empty() && given.inputs.size() == given.weights.size());
    mass_ = sum_of(given.weights);
  }

  void offer(ColumnView& column) override {
    const std::span<const std::uint32_t> ranks = column.ranks();
    if (given_.inputs.size() == 1) {
      probabilities_.push_back(column.pool().value(ranks[given_.inputs[0]]));
      return;
    }
    std::vector<WeightedTerm> terms;
    for (std::size_t k = 0; k < given_.inputs.size(); ++k) {
      terms.push_back({given_.weights[k], column.pool().value(ranks[given_.inputs[k]])});
    }
    probabilities_.push_back(weighted_sum(terms) / mass_);
  }
  void take(Distribution&& later) {
    probabilities_.insert(probabilities_.end(), std::make_move_iterator(later.probabilities_.begin()),
                          std::make_move_iterator(later.probabilities_.end()));
  }
  Distribution successor() const { return {given_, mass_}; }
  std::vector<Number> finish() && { return std::move(probabilities_); }

 private:
  Distribution(const GivenInputs& given, Number mass) : given_(given), mass_(std::move(mass)) {}

  const GivenInputs& given_;
  Number mass_;
  std::vector<Number> probabilities_;
};

template <typename Contains>
GivenInputs given_those(MeasuredModel& subject, Contains contains) {
  const std::vector<Number>& weights = subject.prior().dense(subject.budget()).weights;
  GivenInputs given;
  for (std::uint64_t x = 0; x < weights.size(); ++x) {
    if (weights[x].is_zero() || !contains(x)) continue;
    given.inputs.push_back(x);
    given.weights.push_back(weights[x]);
  }
  return given;
}

}  // namespace

GivenInputs given_value(MeasuredModel& subject, std::size_t coordinate, std::uint64_t value) {
  const Domain& domain = subject.domain();
  return given_those(subject, [&](std::uint64_t x) { return domain.digit(x, coordinate) == value; });
}

GivenInputs given_label(MeasuredModel& subject, std::span<const std::uint32_t> label_of, std::uint32_t label) {
  return given_those(subject, [&](std::uint64_t x) { return label_of[x] == label; });
}

std::vector<std::vector<Number>> output_distributions(MeasuredModel& subject, const std::vector<GivenInputs>& given) {
  const Columns& columns = subject.columns();
  std::vector<Distribution> distributions(given.begin(), given.end());
  std::vector<Rider> riders;
  for (Distribution& distribution : distributions) riders.push_back({&distribution});
  pass(columns, {0, columns.outputs()}, riders, subject.budget());
  std::vector<std::vector<Number>> result;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (riders[k].error) std::rethrow_exception(riders[k].error);
    result.push_back(std::move(distributions[k]).finish());
  }
  return result;
}

std::vector<ErrorPair> tradeoff_curve(std::span<const Number> from, std::span<const Number> to) {
  std::vector<std::size_t> order;
  for (std::size_t y = 0; y < from.size(); ++y) {
    if (!from[y].is_zero() || !to[y].is_zero()) order.push_back(y);
  }
  const auto quotient = [&](std::size_t a, std::size_t b) { return compare_products(to[a], from[b], to[b], from[a]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return quotient(a, b) > 0; });
  ErrorPair errors{Number(0), Number(1)};
  std::vector<ErrorPair> vertices;
  // Outputs that "from" never produces are rejected at no cost: the curve starts below (0, 1) then.
  if (order.empty() || !from[order[0]].is_zero()) vertices.push_back(errors);
  for (std::size_t k = 0; k < order.size(); ++k) {
    errors.type_one += from[order[k]];
    errors.type_two -= to[order[k]];
    if (k + 1 == order.size() || quotient(order[k], order[k + 1]) != 0) vertices.push_back(errors);
  }
  return vertices;
}

}  // namespace oddsbound::measures
