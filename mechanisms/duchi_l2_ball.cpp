// Duchi, Jordan and Wainwright's mechanism for the l2 ball, as Mechanism 3 of the BCDP paper gives it, with half of the
// radius B that is printed there: the printed one makes the output's mean twice the input. Continuous outputs: a
// sampler in floating point, no exact levels.
#include "base/budget.h"
#include "mechanisms/ball.h"
#include "mechanisms/formulas.h"

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
