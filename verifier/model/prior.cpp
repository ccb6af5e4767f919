#include "verifier/model/prior.h"

#include <algorithm>
#include <cassert>

#include "base/errors.h"

namespace oddsbound::model {

Number Prior::probability(std::uint64_t input) const { return weight(row_of(shape(), input)) / total(); }

std::vector<std::pair<std::uint64_t, Number>> Prior::numbered_rows(Budget& budget) const {
  constexpr std::uint64_t kMostNumbered = std::uint64_t{1} << 62;
  std::uint64_t inputs = 1;
  for (const std::uint32_t values : shape()) {
    if (inputs > kMostNumbered / values) fail_for_size();
    inputs *= values;
  }
  if (has_full_support(budget)) require_listable(inputs);
  std::vector<std::pair<std::uint64_t, Number>> rows;
  each_row(budget, [&](InputView row, const Number& weight) {
    budget.check_every();
    rows.emplace_back(index_of(shape(), row), weight);
  });
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return rows;
}

Number PriorKind::support_size(Budget& budget) const {
  std::int64_t rows = 0;
  each_row(budget, [&](InputView, const Number&) { ++rows; });
  return Number(rows);
}

std::vector<Number> PriorKind::marginal_weights(std::size_t i, Budget& budget) const {
  require_listable(shape_[i]);
  std::vector<std::vector<WeightedTerm>> terms(shape_[i]);
  each_row(budget, [&](InputView row, const Number& weight) { terms[row[i]].push_back({Number(1), weight}); });
  std::vector<Number> result;
  result.reserve(terms.size());
  for (const auto& of_value : terms) result.push_back(weighted_sum(of_value));
  return result;
}

const DenseWeights& PriorKind::dense(Budget& budget) const {
  const std::lock_guard lock(mutex_);
  if (!dense_) dense_ = with_approximations(expand(inputs_within(shape_, budget), budget), budget);
  return *dense_;
}

std::vector<Number> PriorKind::expand(std::uint64_t inputs, Budget& budget) const {
  std::vector<Number> weights(inputs, Number(0));
  each_row(budget, [&](InputView row, const Number& weight) { weights[index_of(shape_, row)] = weight; });
  return weights;
}

DomainShape shape_of(const Domain& domain) {
  DomainShape shape;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    static_assert(ValueNames::kMost <= UINT32_MAX);
    shape.push_back(static_cast<std::uint32_t>(domain.values(i)));
  }
  return shape;
}

DomainShape part_of(const DomainShape& shape, std::span<const std::size_t> coordinates) {
  return part_of_row(shape, coordinates);
}

InputRow part_of_row(InputView row, std::span<const std::size_t> coordinates) {
  InputRow part;
  part.reserve(coordinates.size());
  for (const std::size_t i : coordinates) part.push_back(row[i]);
  return part;
}

std::uint64_t inputs_within(const DomainShape& shape, const Budget& budget) {
  const std::uint64_t most = budget.limits().max_inputs;
  std::uint64_t inputs = 1;
  for (const std::uint32_t values : shape) {
    if (values > most / inputs) {
      throw LimitError("a prior is wanted for each of more inputs than may be held (--max-inputs " +
                       std::to_string(most) + ")");
    }
    inputs *= values;
  }
  return inputs;
}

std::uint64_t index_of(const DomainShape& shape, InputView row, std::span<const std::size_t> coordinates) {
  std::uint64_t index = 0;
  for (const std::size_t i : coordinates) index = index * shape[i] + row[i];
  return index;
}

std::uint64_t index_of(const DomainShape& shape, InputView row) {
  assert(row.size() == shape.size());
  std::uint64_t index = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    assert(row[i] < shape[i]);
    index = index * shape[i] + row[i];
  }
  return index;
}

InputRow row_of(const DomainShape& shape, std::uint64_t input) {
  InputRow row(shape.size());
  for (std::size_t i = shape.size(); i-- > 0;) {
    row[i] = static_cast<std::uint32_t>(input % shape[i]);
    input /= shape[i];
  }
  assert(input == 0);
  return row;
}

bool advance(InputRow& row, const DomainShape& shape) {
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (++row[i] < shape[i]) return true;
    row[i] = 0;
  }
  return false;
}

void require_weight(const Number& weight) {
  if (weight.sign() < 0) throw ModelError("the negative value " + weight.to_string() + " cannot be a probability");
}

Number positive_total(std::span<const Number> weights) {
  Number total = sum_of(weights);
  if (total.is_zero()) throw ModelError("the prior has no mass: all entries are 0");
  return total;
}

DenseWeights with_approximations(std::vector<Number> weights, Budget& budget) {
  DenseWeights dense;
  dense.approx.reserve(weights.size());
  for (const Number& weight : weights) {
    budget.check_every();
    const double approx = weight.approx();
    // A product of a weight and a channel entry, and a sum of such products, must stay in the range of doubles.
    if (!weight.is_zero() && !(approx > 0x1p-400 && approx < 0x1p400)) dense.approximations_usable = false;
    dense.approx.push_back(approx);
  }
  dense.weights = std::move(weights);
  return dense;
}

namespace {

// Uniform over coordinates with too many values to store their weights. Whatever visits these values is refused.
class HugeUniformPrior final : public PriorKind {
 public:
  explicit HugeUniformPrior(DomainShape shape) : PriorKind(shape, count_of(shape)) {}

  Number weight(InputView) const override { return Number(1); }
  bool is_uniform() const override { return true; }
  bool has_independent_coordinates() const override { return true; }
  bool has_full_support(Budget&) const override { return true; }
  Number support_size(Budget&) const override { return total(); }
  void each_row(Budget&, const RowVisitor&) const override { refuse(); }
  std::vector<Number> marginal_weights(std::size_t i, Budget&) const override {
    require_listable(shape()[i]);
    return std::vector<Number>(shape()[i], total() / Number(shape()[i]));
  }
  InputRow draw(const PickWeight&) const override { refuse(); }
  Prior marginal(std::span<const std::size_t> coordinates, Budget&) const override {
    std::vector<Coordinate> part;
    for (const std::size_t i : coordinates) part.push_back({std::to_string(i), ValueNames::numbered(shape()[i])});
    return Prior::uniform(Domain(std::move(part)));
  }
  Prior conditional(std::size_t, std::uint32_t, std::span<const std::size_t>, Budget&) const override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw LimitError("the prior is over a coordinate with more values than inputs may be held (--max-inputs)");
  }
  static Number count_of(const DomainShape& shape) {
    Number count(1);
    for (const std::uint32_t values : shape) count *= Number(values);
    return count;
  }
};

}  // namespace

Prior Prior::uniform(const Domain& domain) {
  const DomainShape shape = shape_of(domain);
  const bool is_huge = std::any_of(shape.begin(), shape.end(), [](std::uint32_t v) { return v > most_listable(); });
  if (is_huge) return Prior(std::make_shared<HugeUniformPrior>(shape));
  std::vector<std::vector<Number>> marginals;
  for (const std::uint32_t values : shape) marginals.emplace_back(values, Number(1));
  return product(domain, std::move(marginals));
}

}  // namespace oddsbound::model
