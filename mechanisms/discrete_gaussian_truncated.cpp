// Discrete Gaussian noise, P(y given x) proportional to exp(-(y - x)^2 / (2 variance)), on a window of outputs.
// Canonne, Kamath and Steinke (2020); the sampler is their Algorithm 3, run until the output lies in the window.
#include <cmath>

#include "mechanisms/family.h"
#include "mechanisms/integer_noise.h"
#include "mechanisms/random/gaussian.h"

namespace oddsbound::mechanisms::discrete_gaussian_truncated {

namespace {

class Noise final : public RejectionSampler {
 public:
  Noise(const Window& window, std::uint64_t scale, std::vector<SmallRatio> keep)
      : window_(window), scale_(scale), keep_(std::move(keep)) {}
  bool attempt(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    bool negative = false;
    std::uint64_t magnitude = 0;
    if (!attempt_laplace(scale_, 1, source, negative, magnitude)) return false;
    if (!window_.place(x, negative, magnitude, output[0])) return false;
    return mechanisms::draw(BernoulliExp(keep_[magnitude].top, keep_[magnitude].bottom), source) == 1;
  }

 private:
  Window window_;
  std::uint64_t scale_;
  std::vector<SmallRatio> keep_;  // per magnitude: kept with probability exp(-top/bottom)
};

// Laplace noise of scale t, kept with probability exp(-(|n| - variance/t)^2 / (2 variance)), is Gaussian.
std::vector<SmallRatio> keep_exponents(const Number& variance, std::uint64_t scale, std::uint64_t count) {
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  const Number center = variance / Number(static_cast<std::int64_t>(scale));
  std::vector<SmallRatio> result;
  for (std::uint64_t n = 0; n < count; ++n) {
    const Number distance = Number(static_cast<std::int64_t>(n)) - center;
    const Number exponent = distance * distance / (Number(2) * variance);
    std::int64_t top = 0;
    std::int64_t bottom = 0;
    if (!exponent.fits_ratio(top, bottom) || top > kMost || bottom > kMost) {
      throw ParameterError("variance", "the fraction " + variance.to_string() +
                                           " is too long for the sampler on this window; take a shorter one");
    }
    result.push_back({static_cast<std::uint64_t>(top), static_cast<std::uint64_t>(bottom)});
  }
  return result;
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Window window = window_of(domain, arguments);
  const SmallRatio ratio = positive_ratio(arguments, "variance");
  const Number& variance = arguments.get<Number>("variance");
  budget.require_cells(domain.inputs(), window.size());
  std::vector<Number> exponents;
  for (std::uint64_t n = 0; n < window.size(); ++n) {
    const Number distance(static_cast<std::int64_t>(n));
    exponents.push_back(distance * distance / (Number(2) * variance));
  }
  const std::uint64_t scale = laplace_scale_for(ratio);
  Mechanism result;
  result.channel = window_channel(domain, window, exponents, budget);
  result.sampler = std::make_shared<const Noise>(window, scale, keep_exponents(variance, scale, window.size()));
  return result;
}

}  // namespace

Family family() {
  std::vector<Field> parameters{{"variance", FieldKind::kNumber, true, "of the noise: exp(-n^2 / (2 variance))"}};
  for (Field& field : window_fields()) parameters.push_back(std::move(field));
  return {"discrete_gaussian_truncated", "discrete Gaussian noise on the inputs as 0..k-1, conditioned on a window",
          "Canonne, Kamath, Steinke (2020)", std::move(parameters), build};
}

}  // namespace oddsbound::mechanisms::discrete_gaussian_truncated
