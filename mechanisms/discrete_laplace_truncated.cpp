// Discrete Laplace noise, P(y given x) proportional to exp(-|y - x| / scale), on a window of outputs. The sampler is
// that of Canonne, Kamath and Steinke (2020), Algorithm 2, run until the output lies in the window.
#include "mechanisms/family.h"
#include "mechanisms/integer_noise.h"

namespace oddsbound::mechanisms::discrete_laplace_truncated {

namespace {

class Noise final : public RejectionSampler {
 public:
  Noise(const Window& window, const SmallRatio& scale) : window_(window), scale_(scale) {}
  bool attempt(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    bool negative = false;
    std::uint64_t magnitude = 0;
    return attempt_laplace(scale_.top, scale_.bottom, source, negative, magnitude) &&
           window_.place(x, negative, magnitude, output[0]);
  }

 private:
  Window window_;
  SmallRatio scale_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Window window = window_of(domain, arguments);
  const SmallRatio scale = positive_ratio(arguments, "scale");
  budget.require_cells(domain.inputs(), window.size());
  std::vector<Number> exponents;
  for (std::uint64_t n = 0; n < window.size(); ++n) {
    exponents.push_back(Number(static_cast<std::int64_t>(n)) / arguments.get<Number>("scale"));
  }
  Mechanism result;
  result.channel = window_channel(domain, window, exponents, budget);
  result.sampler = std::make_shared<const Noise>(window, scale);
  return result;
}

}  // namespace

Family family() {
  std::vector<Field> parameters{{"scale", FieldKind::kNumber, true, "of the noise: exp(-|n| / scale)"}};
  for (Field& field : window_fields()) parameters.push_back(std::move(field));
  return {"discrete_laplace_truncated", "discrete Laplace noise on the inputs as 0..k-1, conditioned on a window",
          "Ghosh, Roughgarden, Sundararajan (2009); sampler: Canonne, Kamath, Steinke (2020)", std::move(parameters),
          build};
}

}  // namespace oddsbound::mechanisms::discrete_laplace_truncated
