#include "verifier/optimal/utility.h"

#include <algorithm>

#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::optimal {

namespace {

// The sum over x of prior(x) column(x) log(column(x) / P(y)). By Jensen's inequality it is 0 only where it has no
// terms.
void add_information(const Column& column, const std::vector<Number>& prior, const Number& weight,
                     std::vector<WeightedLog>& sum) {
  const Number total = inner(prior, column);
  for (std::size_t x = 0; x < column.size(); ++x) {
    const Number part = prior[x] * column[x];
    if (!part.is_zero() && column[x] != total) sum.push_back({weight * part, column[x] / total});
  }
}

// So many digits that what is rounded off matters to nobody.
constexpr int kInformationDigits = 17;

exact::DecimalBounds bounds_of_information(const std::vector<WeightedLog>& sum) {
  if (sum.empty()) return {"0", "0"};
  return exact::decimal_bounds(sum, kInformationDigits);
}

Number use_of(const Column& column, const Utility& utility) {
  if (utility.forms.empty()) {
    std::vector<WeightedLog> sum;
    add_information(column, utility.prior, Number(1), sum);
    return parse_number(bounds_of_information(sum).upper);
  }
  Number most = inner(utility.forms[0], column);
  for (const std::vector<Number>& form : utility.forms) most = std::max(most, inner(form, column));
  return most;
}

Number information_below(const std::vector<Column>& columns, const std::vector<Number>& weights,
                         const std::vector<Number>& prior) {
  std::vector<WeightedLog> sum;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!weights[j].is_zero()) add_information(columns[j], prior, weights[j], sum);
  }
  return parse_number(bounds_of_information(sum).lower);
}

}  // namespace

MostUseful most_useful(const std::vector<Column>& columns, const Utility& utility, Budget& budget) {
  std::vector<Number> uses;
  for (const Column& column : columns) {
    budget.look();
    uses.push_back(use_of(column, utility));
  }
  Mix mix = best_mix(columns, uses, budget);
  Number attained = mix.gain;
  if (utility.forms.empty()) {
    attained = information_below(columns, mix.weights, utility.prior);
    mix.gain = parse_number(exact::decimal_bounds(mix.gain).upper);
  }
  return {std::move(mix.weights), std::move(attained), std::move(mix.gain), std::move(mix.prices)};
}

}  // namespace oddsbound::optimal
