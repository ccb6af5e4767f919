// Duchi, Jordan and Wainwright (2013): see duchi.h.
#include "mechanisms/duchi.h"

#include "base/errors.h"
#include "mechanisms/formulas.h"
#include "mechanisms/random/categorical.h"
#include "mechanisms/rule_channel.h"

namespace oddsbound::mechanisms {

namespace {

struct Agreement {
  Domain domain;
  bool agrees(std::uint64_t x, std::uint64_t y) const {
    return 2 * static_cast<std::size_t>(std::popcount(x ^ y)) < domain.size();
  }
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return agrees(x, y) ? 0 : 1; }
  std::string label(std::uint64_t y) const { return input_label(domain, y); }
};

// Any vector, kept for certain if it agrees, with probability e^-eps if not.
class Halfspace final : public RejectionSampler {
 public:
  Halfspace(Agreement rule, const Level& epsilon)
      : rule_(std::move(rule)), keep_(epsilon.is_infinite() ? Number(0) : Number(1) / epsilon.exponential()) {}
  bool attempt(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = mechanisms::draw(UniformBelow(rule_.domain.inputs()), source);
    return rule_.agrees(x, output[0]) || keep_(source) == 1;
  }

 private:
  Agreement rule_;
  Bernoulli keep_;
};

class SignMeans final : public SignMeanEstimator {
 public:
  SignMeans(const Domain& domain, const Number& gain) : SignMeanEstimator(domain), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    return hypercube_sign(domain(), output[0], j) > 0 ? gain_ : -gain_;
  }

 private:
  Number gain_;
};

// P(output): of one that agrees with the input in most coordinates, and of any other.
struct Entries {
  Number agree, other;
};

Entries entries_of(std::size_t dimension, const Level& epsilon) {
  std::uint64_t agreeing = std::uint64_t{1} << (dimension - 1);
  if (dimension % 2 == 0) agreeing -= binomial(dimension, dimension / 2) / 2;
  const std::uint64_t others = (std::uint64_t{1} << dimension) - agreeing;
  const Number share = odds_share(epsilon, whole(agreeing), whole(others));
  return {share / whole(agreeing), (Number(1) - share) / whole(others)};
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
    const Number inner = whole(dimension) - Number(2) * whole(differing);
    mean += whole(binomial(dimension, differing)) * inner * (2 * differing < dimension ? entries.agree : entries.other);
  }
  return whole(dimension) / mean;
}

Mechanism duchi_mechanism(const Domain& domain, const Level& epsilon) {
  require_hypercube(domain);
  const Entries entries = entries_of(domain.size(), epsilon);
  Mechanism result;
  result.channel = rule_channel(domain.inputs(), domain.inputs(), {entries.agree, entries.other}, Agreement{domain});
  result.sampler = std::make_shared<const Halfspace>(Agreement{domain}, epsilon);
  if (const auto gain = duchi_gain(domain.size(), epsilon)) {
    result.estimator = std::make_shared<const SignMeans>(domain, *gain);
  }
  return result;
}

}  // namespace oddsbound::mechanisms
