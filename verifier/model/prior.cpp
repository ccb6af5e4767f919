#include "verifier/model/prior.h"

#include <algorithm>

#include "verifier/model/priors/kind.h"

namespace oddsbound::model {

const DomainShape& Prior::shape() const { return kind_->shape(); }

const Number& Prior::total() const { return kind_->total(); }

Number Prior::weight(InputView row) const { return kind_->weight(row); }

Number Prior::probability(std::uint64_t input) const { return weight(row_of(shape(), input)) / total(); }

std::vector<WeightTable> Prior::tables() const { return kind_->tables(); }
bool Prior::has_independent_coordinates() const { return kind_->has_independent_coordinates(); }

bool Prior::has_full_support(Budget& budget) const { return kind_->has_full_support(budget); }

Number Prior::support_size(Budget& budget) const { return kind_->support_size(budget); }

void Prior::each_row(Budget& budget, const std::function<void(InputView, const Number&)>& visit) const {
  kind_->each_row(budget, visit);
}

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
    budget.tick();
    rows.emplace_back(index_of(shape(), row), weight);
  });
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return rows;
}

InputRow Prior::draw(const PickWeight& pick) const { return kind_->draw(pick); }

std::vector<Number> Prior::marginal_weights(std::size_t i, Budget& budget) const {
  return kind_->marginal_weights(i, budget);
}

Prior Prior::marginal(std::span<const std::size_t> coordinates, Budget& budget) const {
  return kind_->marginal(coordinates, budget);
}

Prior Prior::conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                         Budget& budget) const {
  return kind_->conditional(i, value, coordinates, budget);
}

const DenseWeights& Prior::dense(Budget& budget) const { return kind_->dense(budget); }

}  // namespace oddsbound::model
