// Mechanisms of Duchi, Jordan and Wainwright (2013); see duchi.h.

#include "mechanisms/duchi.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "base/budget.h"
#include "base/errors.h"
#include "mechanisms/k_randomized_response.h"
#include "verifier/exact/expression.h"

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

// Draws any vector; keeps it if it agrees with the input, otherwise with probability e^-eps.
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

// P(output) for an output that agrees with the input in most coordinates, and for any other.
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

// By symmetry every coordinate of the output has the same mean in the direction of the input: that of <z, v> / d.
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

// The hypercube family.

namespace oddsbound::mechanisms::duchi_hypercube {

namespace {

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  return duchi_mechanism(domain, arguments.get<Level>("epsilon"));
}

}  // namespace

Family family() {
  return {"duchi_hypercube",
          "a sign vector, e^eps times more likely if it agrees with the input in more than half of the coordinates",
          "Duchi, Jordan, Wainwright (2013); ties in even dimensions after Nguyen et al. (2016)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::duchi_hypercube

// The l2-ball family: Duchi, Jordan and Wainwright's mechanism as Mechanism 3 of the BCDP paper, with half of the
// radius B printed there (the printed radius makes the mean of the output twice the input). Outputs are
// continuous: a sampler in floating point, no exact levels.

namespace oddsbound::mechanisms::duchi_l2_ball {

namespace {

class Ball final : public ContinuousMechanism {
 public:
  Ball(std::vector<std::vector<double>> inputs, double radius, const Level& epsilon)
      : inputs_(std::move(inputs)), draw_(inputs_[0].size(), radius, epsilon) {}
  std::size_t dimension() const override { return inputs_[0].size(); }
  void draw(std::uint64_t x, RandomSource& source, std::span<double> output) const override {
    draw_(inputs_[x], source, output);
  }
  std::vector<double> mean(std::uint64_t x) const override { return inputs_[x]; }
  bool has_density() const override { return true; }
  double density(std::uint64_t x, std::span<const double> output) const override {
    return draw_.density(inputs_[x], output);
  }

 private:
  std::vector<std::vector<double>> inputs_;
  BallDraw draw_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  if (epsilon.is_zero() || epsilon.is_infinite()) {
    throw ParameterError("epsilon", "found " + epsilon.to_string() + ", expected a positive, finite level");
  }
  const Number& radius = arguments.get<Number>("radius");
  if (radius.sign() <= 0) throw ParameterError("radius", "found " + radius.to_string() + ", expected more than 0");
  std::vector<std::vector<double>> inputs = input_vectors(domain);
  for (std::uint64_t x = 0; x < inputs.size(); ++x) {
    if (length_of(inputs[x]) > radius.approx() * (1 + 1e-12)) {
      throw ParameterError("radius", "the input " + input_label(domain, x) + " is longer than the radius");
    }
  }
  Mechanism result;
  result.continuous = std::make_shared<const Ball>(std::move(inputs), radius.approx(), epsilon);
  return result;
}

}  // namespace

Family family() {
  return {"duchi_l2_ball",
          "a vector on a sphere, on the input's side with odds e^eps (continuous outputs)",
          "Duchi, Jordan, Wainwright (2013); BCDP paper, Mechanism 3, radius corrected",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"},
           {"radius", FieldKind::kNumber, true, "the greatest length of an input; values are read as numbers"}},
          build};
}

}  // namespace oddsbound::mechanisms::duchi_l2_ball

namespace oddsbound::mechanisms {

namespace {

double uniform(RandomSource& source) { return (static_cast<double>(source.word() >> 11) + 0.5) * 0x1p-53; }

double normal(RandomSource& source) {
  const double radius = std::sqrt(-2 * std::log(uniform(source)));
  return radius * std::cos(2 * std::numbers::pi * uniform(source));
}

}  // namespace

double length_of(std::span<const double> vector) {
  double square = 0;
  for (const double value : vector) square += value * value;
  return std::sqrt(square);
}

BallDraw::BallDraw(std::size_t dimension, double radius, const Level& epsilon)
    : radius_(radius), side_(odds_share(epsilon, Number(1), Number(1))) {
  const auto d = static_cast<double>(dimension);
  const double gain = sign_gain(epsilon).approx();
  length_ = radius * std::sqrt(std::numbers::pi) * (d / 2) * gain *
            std::exp(std::lgamma((d + 1) / 2) - std::lgamma(d / 2 + 1));
}

void BallDraw::operator()(std::span<const double> input, RandomSource& source, std::span<double> output) const {
  for (double& value : output) value = normal(source);
  const double scale = length_ / length_of(output);
  const double length = length_of(input);
  const bool forward = uniform(source) < 0.5 + length / (2 * radius_);
  const bool keep = side_(source) == 1;
  double inner = std::inner_product(input.begin(), input.end(), output.begin(), 0.0);
  // The zero vector has no direction; any fixed direction serves.
  if (length == 0) inner = output[0];
  const bool along = forward == keep;
  const double sign = (inner > 0) == along ? 1 : -1;
  for (double& value : output) value *= sign * scale;
}

double BallDraw::density(std::span<const double> input, std::span<const double> output) const {
  const double length = length_of(input);
  const double forward = 0.5 + length / (2 * radius_);
  const double keep = side_.probability().approx();
  const double along = forward * keep + (1 - forward) * (1 - keep);
  double inner = std::inner_product(input.begin(), input.end(), output.begin(), 0.0);
  if (length == 0) inner = output[0];
  return 2 * (inner > 0 ? along : 1 - along);
}

std::vector<std::vector<double>> input_vectors(const Domain& domain) {
  constexpr std::uint64_t kMost = 1 << 20;
  if (domain.input_numbers() > kMost) throw LimitError("a continuous mechanism is for at most 1048576 inputs");
  std::vector<std::vector<double>> vectors(domain.inputs());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    std::vector<double> values;
    for (const std::string& text : domain.coordinate(i).values.listed()) {
      try {
        values.push_back(parse_number(text).approx());
      } catch (const NumberError&) {
        throw ModelError("the value '" + text + "' of coordinate '" + domain.coordinate(i).name + "' is not a number");
      }
    }
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) vectors[x].push_back(values[domain.digit(x, i)]);
  }
  return vectors;
}

}  // namespace oddsbound::mechanisms
