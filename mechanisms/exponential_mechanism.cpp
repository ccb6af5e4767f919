// Mechanisms that select an output by its utility: the exponential mechanism (McSherry and Talwar 2007), and
// permute-and-flip (McKenna and Sheldon 2020).
#include <algorithm>
#include <unordered_map>

#include "base/errors.h"
#include "mechanisms/family.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/surd.h"
#include "verifier/model/channel.h"

namespace oddsbound::mechanisms {

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

// The parameters of a selection by utility.
struct Selecting {
  const std::vector<std::string>& labels;
  const Utility& utility;
  const Level& epsilon;
  Number scale;  // twice the sensitivity
  std::string note;
};

Selecting selecting(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_infinite()) throw ParameterError("epsilon", "found inf, expected a finite level");
  const std::vector<std::string>& labels = arguments.get<Labels>("outputs").labels;
  const Utility& utility = arguments.get<Table>("utility").rows;
  budget.require_cells(domain.inputs(), labels.size());
  check_shape(utility, labels.size());
  const Sensitivity sensitivity = chosen_sensitivity(utility, labels.size(), arguments);
  return {labels, utility, epsilon, Number(2) * sensitivity.scale, sensitivity.note};
}

std::vector<Field> selection_fields() {
  return {{"epsilon", FieldKind::kLevel, true, "the LDP level that is never exceeded"},
          {"outputs", FieldKind::kLabels, true, "labels, or how many"},
          {"utility", FieldKind::kTable, true, "a row of rational numbers per input, one per output"},
          {"sensitivity", FieldKind::kNumber, false,
           "by default the most by which an output's utility changes with the input, or 1 where no output's does"}};
}

}  // namespace

}  // namespace oddsbound::mechanisms

// P(y given x) proportional to exp(eps u(x, y) / (2 sensitivity)).

namespace oddsbound::mechanisms::exponential_mechanism {

namespace {

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Selecting by = selecting(domain, arguments, budget);
  PoolBuilder builder;
  for (const auto& row : by.utility) {
    std::vector<Number> densities;
    Number total(0);
    for (const Number& value : row) {
      densities.push_back(density(by.epsilon, value / by.scale));
      total += densities.back();
      budget.check();
    }
    for (const Number& density : densities) builder.add(density / total);
  }
  Mechanism mechanism{DenseChannel::from_rows(domain.inputs(), by.labels, std::move(builder), budget)};
  mechanism.note = by.note;
  return mechanism;
}

}  // namespace

Family family() {
  return {"exponential_mechanism",
          "an output with probability proportional to exp(eps u / (2 sensitivity)), u its utility for the input",
          "McSherry, Talwar (2007)", selection_fields(), build};
}

}  // namespace oddsbound::mechanisms::exponential_mechanism

// Permute-and-flip: outputs are visited in a random order. Output y is accepted with probability q_y = exp(eps
// (u(x, y) - largest u) / (2 sensitivity)), and the first accepted one is released. An output with the largest utility
// has q = 1.
//
// A random order is that of independent uniform times. Given the time t of y, output z comes before y and is released
// with probability t q_z, so
//   P(y given x) = q_y * integral over t from 0 to 1 of the product over z != y of (1 - t q_z).

namespace oddsbound::mechanisms::permute_and_flip {

namespace {

constexpr std::size_t kMostOutputs = 256;

using Coefficients = std::vector<Number>;

// Returns p(t) * (1 - q t).
Coefficients with_factor(const Coefficients& p, const Number& q) {
  Coefficients product = p;
  product.emplace_back(0);
  for (std::size_t k = 0; k < p.size(); ++k) product[k + 1] -= q * p[k];
  return product;
}

Number integral(const Coefficients& p) {
  std::vector<WeightedTerm> terms;
  for (std::size_t k = 0; k < p.size(); ++k) {
    terms.push_back({Number::ratio(1, static_cast<std::int64_t>(k) + 1), p[k]});
  }
  return weighted_sum(terms);
}

class PermuteAndFlip final : public Sampler {
 public:
  explicit PermuteAndFlip(std::vector<std::vector<Bernoulli>> coins) : coins_(std::move(coins)) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    std::vector<std::uint64_t> left(coins_[x].size());
    for (std::uint64_t y = 0; y < left.size(); ++y) left[y] = y;
    while (!left.empty()) {
      const auto place = static_cast<std::ptrdiff_t>(mechanisms::draw(UniformBelow(left.size()), source));
      output[0] = left[static_cast<std::size_t>(place)];
      left.erase(left.begin() + place);
      if (coins_[x][output[0]](source) == 1) return;
    }
  }

 private:
  std::vector<std::vector<Bernoulli>> coins_;  // [input][output]
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Selecting by = selecting(domain, arguments, budget);
  if (by.labels.size() > kMostOutputs) {
    throw ParameterError("outputs", "found " + std::to_string(by.labels.size()) + " outputs, expected at most " +
                                        std::to_string(kMostOutputs));
  }
  PoolBuilder builder;
  std::vector<std::vector<Bernoulli>> coins;
  for (const auto& row : by.utility) {
    const Number largest = *std::max_element(row.begin(), row.end());
    std::vector<Number> chances;
    for (const Number& value : row) chances.push_back(density(by.epsilon, (value - largest) / by.scale));
    std::unordered_map<Number, Number, NumberHash> known;  // outputs with equal q have equal probabilities
    for (std::size_t y = 0; y < chances.size(); ++y) {
      const auto [place, added] = known.try_emplace(chances[y]);
      if (added) {
        Coefficients others{Number(1)};
        for (std::size_t z = 0; z < chances.size(); ++z) {
          budget.check();
          if (z != y) others = with_factor(others, chances[z]);
        }
        place->second = chances[y] * integral(others);
      }
      builder.add(place->second);
    }
    std::vector<Bernoulli>& own = coins.emplace_back();
    for (const Number& chance : chances) {
      budget.check_every();
      own.emplace_back(chance);
    }
  }
  Mechanism mechanism{DenseChannel::from_rows(domain.inputs(), by.labels, std::move(builder), budget)};
  mechanism.sampler = std::make_shared<const PermuteAndFlip>(std::move(coins));
  mechanism.note = by.note;
  return mechanism;
}

}  // namespace

Family family() {
  return {"permute_and_flip",
          "outputs in random order, the first that is kept with probability exp(eps (u - largest u) / (2 sensitivity))",
          "McKenna, Sheldon (2020)", selection_fields(), build};
}

}  // namespace oddsbound::mechanisms::permute_and_flip
