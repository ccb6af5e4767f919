#include "mechanisms/ball.h"

#include <cmath>
#include <numbers>

#include "base/budget.h"
#include "mechanisms/formulas.h"
#include "verifier/exact/expression.h"

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
  double inner = 0;
  for (std::size_t i = 0; i < input.size(); ++i) inner += input[i] * output[i];
  // The zero vector has no direction; any fixed one does.
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
  double inner = 0;
  for (std::size_t i = 0; i < input.size(); ++i) inner += input[i] * output[i];
  if (length == 0) inner = output[0];
  return 2 * (inner > 0 ? along : 1 - along);
}

std::vector<std::vector<double>> input_vectors(const Domain& domain) {
  constexpr std::uint64_t kMost = 1 << 20;
  if (domain.input_numbers() > kMost) throw LimitError("a continuous mechanism is for at most 1048576 inputs");
  std::vector<std::vector<double>> vectors(domain.inputs());
  for (std::size_t i = 0; i < domain.size(); ++i) {
    std::vector<double> values;
    for (const std::string& text : domain.coordinate(i).values) {
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
