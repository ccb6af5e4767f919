// The exponential mechanism (McSherry and Talwar 2007): P(y given x) proportional to exp(eps u(x, y) / (2
// sensitivity)).
#include "base/errors.h"
#include "mechanisms/family.h"
#include "verifier/exact/surd.h"
#include "verifier/model/channel.h"

namespace oddsbound::mechanisms::exponential_mechanism {

namespace {

using Utility = std::vector<std::vector<Number>>;  // [input][output]

void check_shape(const Utility& utility, std::size_t outputs) {
  for (std::size_t x = 0; x < utility.size(); ++x) {
    if (utility[x].size() != outputs) {
      throw ParameterError("utility", "row " + std::to_string(x) + " has " + std::to_string(utility[x].size()) +
                                          " numbers, expected one for each of the " + std::to_string(outputs) +
                                          " outputs");
    }
    for (const Number& value : utility[x]) {
      if (!value.is_rational()) {
        throw ParameterError("utility", "found " + value.to_string() + ", expected a rational number");
      }
    }
  }
}

// Returns the largest change of an output's utility between two inputs.
Number range_of(const Utility& utility, std::size_t outputs) {
  Number range(0);
  for (std::size_t y = 0; y < outputs; ++y) {
    Number least = utility[0][y];
    Number most = least;
    for (const auto& row : utility) {
      if (row[y] < least) least = row[y];
      if (row[y] > most) most = row[y];
    }
    if (most - least > range) range = most - least;
  }
  return range;
}

struct Sensitivity {
  Number scale;
  std::string note;
};

// A declared sensitivity below the range of the utility can be right for neighbors, but usually is a mistake.
Sensitivity chosen_sensitivity(const Utility& utility, std::size_t outputs, const Arguments& arguments) {
  const auto given = arguments.find<Number>("sensitivity");
  const Number range = range_of(utility, outputs);
  if (!given) return {range.is_zero() ? Number(1) : range, ""};
  if (given->sign() <= 0 || !given->is_rational()) {
    throw ParameterError("sensitivity", "found " + given->to_string() + ", expected a positive rational number");
  }
  if (*given >= range) return {*given, ""};
  constexpr std::size_t kLongestShown = 40;
  const auto text = [](const Number& number) { return base::shortened(number.to_string(), kLongestShown); };
  return {*given, "the sensitivity is " + text(*given) + ", but the utility of an output changes by " + text(range) +
                      " between two inputs: the LDP level may exceed epsilon"};
}

Number density(const Level& epsilon, const Number& times) {
  try {
    return rational_power(epsilon.exponential(), times);
  } catch (const NumberError&) {
    throw ParameterError(
        "epsilon", "e^(epsilon * " + times.to_string() + ") cannot be written exactly; with a rational epsilon it can");
  }
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_infinite()) throw ParameterError("epsilon", "found inf, expected a finite level");
  const std::vector<std::string>& labels = arguments.get<Labels>("outputs").labels;
  const Utility& utility = arguments.get<Table>("utility").rows;
  budget.require_cells(domain.inputs(), labels.size());
  check_shape(utility, labels.size());
  const Sensitivity sensitivity = chosen_sensitivity(utility, labels.size(), arguments);
  const Number scale = Number(2) * sensitivity.scale;
  PoolBuilder builder;
  for (const auto& row : utility) {
    std::vector<Number> densities;
    Number total(0);
    for (const Number& value : row) {
      densities.push_back(density(epsilon, value / scale));
      total += densities.back();
      budget.check();
    }
    for (const Number& density : densities) builder.add(density / total);
  }
  Mechanism mechanism{DenseChannel::from_rows(domain.inputs(), labels, std::move(builder), budget)};
  mechanism.note = sensitivity.note;
  return mechanism;
}

}  // namespace

Family family() {
  return {"exponential_mechanism",
          "an output with probability proportional to exp(eps u / (2 sensitivity)), u its utility for the input",
          "McSherry, Talwar (2007)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level that is never exceeded"},
           {"outputs", FieldKind::kLabels, true, "labels, or how many"},
           {"utility", FieldKind::kTable, true, "a row of rational numbers per input, one per output"},
           {"sensitivity", FieldKind::kNumber, false,
            "by default the most by which an output's utility changes with the input, or 1 where no output's does"}},
          build};
}

}  // namespace oddsbound::mechanisms::exponential_mechanism
