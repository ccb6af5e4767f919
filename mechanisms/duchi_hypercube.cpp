// Duchi, Jordan and Wainwright (2013): see duchi.h.
#include "mechanisms/duchi.h"
#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "mechanisms/random/categorical.h"
#include "mechanisms/rule_channel.h"

namespace oddsbound {

namespace {

struct Rule {
  Domain domain;
  std::uint64_t dimension;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    const std::uint64_t twice = 2 * static_cast<std::uint64_t>(std::popcount(x ^ y));
    if (twice == dimension) return 2;
    return twice < dimension ? 0 : 1;
  }
  std::string label(std::uint64_t y) const { return input_label(domain, y); }
};

class Halfspace final : public RejectionSampler {
 public:
  Halfspace(std::uint64_t dimension, const Level& epsilon)
      : dimension_(dimension), agree_(odds_share(epsilon, Number(1), Number(1))) {}
  bool attempt(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const bool agree = agree_(source) == 1;
    const std::uint64_t z = oddsbound::draw(UniformBelow(std::uint64_t{1} << dimension_), source);
    const std::uint64_t twice = 2 * static_cast<std::uint64_t>(std::popcount(x ^ z));
    output[0] = z;
    return agree ? twice <= dimension_ : twice >= dimension_;
  }

 private:
  std::uint64_t dimension_;
  Bernoulli agree_;
};

class Means final : public SignMeanEstimator {
 public:
  Means(const Domain& domain, const Number& gain) : SignMeanEstimator(domain), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    return hypercube_sign(domain(), output[0], j) > 0 ? gain_ : -gain_;
  }

 private:
  Number gain_;
};

// P(output) by its relation to the input: most coordinates agree, most differ, as many do either.
struct Entries {
  Number agree, differ, tie;
};

Entries entries_of(std::size_t dimension, const Level& epsilon) {
  std::uint64_t half = std::uint64_t{1} << (dimension - 1);
  if (dimension % 2 == 0) half += binomial(dimension, dimension / 2) / 2;
  const Number agree = odds_share(epsilon, Number(1), Number(1));
  return {agree / whole(half), (Number(1) - agree) / whole(half), Number(1) / whole(half)};
}

void require_hypercube(const Domain& domain) {
  constexpr std::size_t kMost = 30;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain.values(i) != 2) {
      throw ModelError("every coordinate must have 2 values (for -1 and 1), and '" + domain.coordinate(i).name +
                       "' has " + std::to_string(domain.values(i)));
    }
  }
  if (domain.size() > kMost) throw LimitError("the hypercube mechanism is for at most 30 coordinates");
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  return duchi_hypercube(domain, arguments.get<Level>("epsilon"));
}

}  // namespace

int hypercube_sign(const Domain& domain, std::uint64_t vector, std::size_t i) {
  return domain.digit(vector, i) == 1 ? 1 : -1;
}

// By symmetry every coordinate of the output has the same mean along the input, that of <z, v> / d.
std::optional<Number> duchi_gain(std::size_t dimension, const Level& epsilon) {
  if (epsilon.is_zero()) return std::nullopt;
  const Entries entries = entries_of(dimension, epsilon);
  Number mean(0);
  for (std::uint64_t differing = 0; differing <= dimension; ++differing) {
    if (2 * differing == dimension) continue;
    const Number inner = whole(dimension) - Number(2) * whole(differing);
    mean += whole(binomial(dimension, differing)) * inner * (2 * differing < dimension ? entries.agree : entries.differ);
  }
  return whole(dimension) / mean;
}

Mechanism duchi_hypercube(const Domain& domain, const Level& epsilon) {
  require_hypercube(domain);
  const Entries entries = entries_of(domain.size(), epsilon);
  Mechanism result;
  result.channel = rule_channel(domain.inputs(), domain.inputs(), {entries.agree, entries.differ, entries.tie},
                                Rule{domain, domain.size()});
  result.sampler = std::make_shared<const Halfspace>(domain.size(), epsilon);
  if (const auto gain = duchi_gain(domain.size(), epsilon)) {
    result.estimator = std::make_shared<const Means>(domain, *gain);
  }
  return result;
}

Family duchi_hypercube_family() {
  return {"duchi_hypercube",
          "a sign vector that agrees with the input's in at least half of the coordinates, with odds e^eps",
          "Duchi, Jordan, Wainwright (2013)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"}},
          build};
}

}  // namespace oddsbound
