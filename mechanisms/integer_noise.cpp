// Integer noise on the inputs as 0..k-1: the truncated, clamped and wrapped discrete Laplace mechanisms, the truncated
// and wrapped discrete Gaussian ones and the truncated geometric one. Truncated noise is conditioned on the output
// lying in a window; clamped outputs are moved to its ends, and wrapped ones are taken modulo its size.
#include "mechanisms/integer_noise.h"

#include <algorithm>
#include <cmath>

#include "mechanisms/family.h"
#include "mechanisms/k_randomized_response.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "verifier/model/channel.h"
#include "verifier/model/definition.h"

namespace oddsbound::mechanisms {

namespace {

/// Outputs least..greatest, which include 0..k-1.
struct Window {
  std::int64_t least, greatest;
  std::uint64_t size() const { return static_cast<std::uint64_t>(greatest - least + 1); }
  std::int64_t output(std::uint64_t place) const { return least + static_cast<std::int64_t>(place); }
  /// Sets output to the place in the window of x plus or minus the magnitude; returns false outside of the window.
  bool place(std::uint64_t x, bool negative, std::uint64_t magnitude, std::uint64_t& output) const {
    if (magnitude >= size()) return false;
    const auto step = static_cast<std::int64_t>(magnitude);
    const std::int64_t y = static_cast<std::int64_t>(x) + (negative ? -step : step);
    if (y < least || y > greatest) return false;
    output = static_cast<std::uint64_t>(y - least);
    return true;
  }
};

/// Reads the optional fields `least` and `greatest`. Throws ParameterError if the window misses an input.
Window window_of(const Domain& domain, const Arguments& arguments) {
  const auto last = static_cast<std::int64_t>(domain.inputs()) - 1;
  const Window window{arguments.find<std::int64_t>("least").value_or(0),
                      arguments.find<std::int64_t>("greatest").value_or(last)};
  if (window.least > 0) {
    throw ParameterError("least", "found " + std::to_string(window.least) + ", expected at most 0, the first input");
  }
  if (window.greatest < last) {
    throw ParameterError("greatest", "found " + std::to_string(window.greatest) + ", expected at least " +
                                         std::to_string(last) + ", the last input");
  }
  return window;
}

/// Returns the parameters of a family of noise on a window: the size of the noise, and the window.
std::vector<Field> window_fields(Field noise) {
  return {std::move(noise),
          {"least", FieldKind::kInteger, false, "the least output; by default 0, the first input"},
          {"greatest", FieldKind::kInteger, false, "the greatest output; by default k - 1, the last input"}};
}

/// The same for discrete Laplace noise.
std::vector<Field> laplace_fields() {
  return window_fields({"scale", FieldKind::kNumber, true, "of the noise: exp(-|n| / scale)"});
}

/// Returns the channel with P(y given x) proportional to exp(-exponents[|y - x|]) over the window. exponents has
/// one entry per distance that occurs.
ChannelPtr window_channel(const Domain& domain, const Window& window, const std::vector<Number>& exponents,
                          Budget& budget) {
  budget.require_cells(domain.inputs(), window.size());
  std::vector<Number> densities;
  for (const Number& exponent : exponents) densities.push_back(Number::exp_of(-exponent));
  PoolBuilder builder;
  for (std::int64_t x = 0; x < static_cast<std::int64_t>(domain.inputs()); ++x) {
    Number total(0);
    for (std::int64_t y = window.least; y <= window.greatest; ++y) {
      total += densities[static_cast<std::size_t>(std::abs(y - x))];
    }
    for (std::int64_t y = window.least; y <= window.greatest; ++y) {
      builder.add(densities[static_cast<std::size_t>(std::abs(y - x))] / total);
      budget.check_every();
    }
    budget.check();
  }
  std::vector<std::string> labels;
  for (std::int64_t y = window.least; y <= window.greatest; ++y) labels.push_back(std::to_string(y));
  return DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(builder), budget);
}

}  // namespace

SmallRatio positive_ratio(const Arguments& arguments, const std::string& name) {
  const Number& value = arguments.get<Number>(name);
  if (const auto ratio = small_ratio(value)) return *ratio;
  throw ParameterError(name, "found " + value.to_string() + ", expected a positive fraction of integers up to " +
                                 std::to_string(kMostOfRatio));
}

}  // namespace oddsbound::mechanisms

// The discrete_gaussian_truncated family: P(y given x) proportional to exp(-(y - x)^2 / (2 variance)) on a window
// of outputs. The sampler is Algorithm 3 of Canonne, Kamath and Steinke (2020), repeated until the output lies in
// the window.

namespace oddsbound::mechanisms::discrete_gaussian_truncated {

namespace {

/// Draws Gaussian noise: Laplace noise, placed among the outputs and then kept with a probability. place(x, negative,
/// magnitude, output) returns false for noise that is drawn again.
template <typename Place>
class Noise final : public RejectionSampler {
 public:
  Noise(Place place, std::uint64_t scale, std::vector<SmallRatio> keep)
      : place_(std::move(place)), scale_(scale), keep_(std::move(keep)) {}
  bool attempt(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    bool negative = false;
    std::uint64_t magnitude = 0;
    return attempt_laplace(scale_, 1, source, negative, magnitude) && place_(x, negative, magnitude, output[0]) &&
           mechanisms::draw(BernoulliExp(keep_[magnitude].top, keep_[magnitude].bottom), source) == 1;
  }

 private:
  Place place_;
  std::uint64_t scale_;
  std::vector<SmallRatio> keep_;  // per magnitude: keep with probability exp(-top/bottom)
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
  const auto place = [window](std::uint64_t x, bool negative, std::uint64_t magnitude, std::uint64_t& output) {
    return window.place(x, negative, magnitude, output);
  };
  result.sampler =
      std::make_shared<const Noise<decltype(place)>>(place, scale, keep_exponents(variance, scale, window.size()));
  return result;
}

}  // namespace

Family family() {
  return {"discrete_gaussian_truncated", "discrete Gaussian noise on the inputs as 0..k-1, conditioned on a window",
          "Canonne, Kamath, Steinke (2020)",
          window_fields({"variance", FieldKind::kNumber, true, "of the noise: exp(-n^2 / (2 variance))"}), build};
}

}  // namespace oddsbound::mechanisms::discrete_gaussian_truncated

// The discrete_laplace_truncated family: P(y given x) proportional to exp(-|y - x| / scale) on a window of
// outputs. The sampler is Algorithm 2 of Canonne, Kamath and Steinke (2020), repeated until the output lies in the
// window.

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
  return {"discrete_laplace_truncated", "discrete Laplace noise on the inputs as 0..k-1, conditioned on a window",
          "Ghosh, Roughgarden, Sundararajan (2009); sampler: Canonne, Kamath, Steinke (2020)", laplace_fields(), build};
}

}  // namespace oddsbound::mechanisms::discrete_laplace_truncated

// The discrete_laplace_clamped and discrete_laplace_wrapped families: discrete Laplace noise with P(n) ~ exp(-|n| /
// scale), moved into a window of outputs. With a = exp(-1 / scale), the noise n has probability (1 - a)/(1 + a) *
// a^|n|, and at least n >= 1 has a^n / (1 + a).

namespace oddsbound::mechanisms {

namespace {

/// a^0, a^1, ..., a^count for a = exp(-1 / scale).
std::vector<Number> laplace_powers(const SmallRatio& scale, std::uint64_t count, Budget& budget) {
  std::vector<Number> powers;
  for (std::uint64_t n = 0; n <= count; ++n) {
    budget.check_every();
    powers.push_back(Number::exp_of(-Number(static_cast<std::int64_t>(n)) / scale.number()));
  }
  return powers;
}

}  // namespace

}  // namespace oddsbound::mechanisms

namespace oddsbound::mechanisms::discrete_laplace_clamped {

namespace {

// Slots: distance n between inner places, size + n at the two ends of the window.
struct Rule {
  Window window;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    const auto distance = static_cast<std::uint64_t>(std::abs(window.output(y) - static_cast<std::int64_t>(x)));
    const bool at_end = y == 0 || y + 1 == window.size();
    return static_cast<std::uint32_t>(at_end ? window.size() + distance : distance);
  }
  std::string label(std::uint64_t y) const { return std::to_string(window.output(y)); }
};

class Noise final : public Sampler {
 public:
  Noise(const Window& window, const SmallRatio& scale) : window_(window), scale_(scale) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const std::int64_t at = static_cast<std::int64_t>(x) - window_.least;
    output[0] = mechanisms::draw(ClampedLaplace(scale_, at, window_.size() - 1), source);
  }

 private:
  Window window_;
  SmallRatio scale_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Window window = window_of(domain, arguments);
  const SmallRatio scale = positive_ratio(arguments, "scale");
  budget.require_cells(domain.inputs(), window.size());
  const std::vector<Number> powers = laplace_powers(scale, window.size(), budget);
  const Number& a = powers[1];
  std::vector<Number> values;  // inner places by distance, then ends by distance
  for (std::uint64_t n = 0; n < window.size(); ++n) {
    values.push_back((Number(1) - a) / (Number(1) + a) * powers[n]);
  }
  for (std::uint64_t n = 0; n < window.size(); ++n) {
    values.push_back(window.size() == 1 ? Number(1) : powers[n] / (Number(1) + a));
  }
  Mechanism result;
  result.channel = rule_channel(domain.inputs(), window.size(), values, Rule{window});
  result.sampler = std::make_shared<const Noise>(window, scale);
  return result;
}

}  // namespace

Family family() {
  return {"discrete_laplace_clamped",
          "discrete Laplace noise on the inputs as 0..k-1; outputs beyond a window become its ends",
          "Ghosh, Roughgarden, Sundararajan (2009); sampler: Canonne, Kamath, Steinke (2020)", laplace_fields(), build};
}

}  // namespace oddsbound::mechanisms::discrete_laplace_clamped

namespace oddsbound::mechanisms::discrete_laplace_wrapped {

namespace {

// Slots: the distance modulo the size of the window.
struct Rule {
  Window window;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    const std::int64_t distance = window.output(y) - static_cast<std::int64_t>(x);
    return static_cast<std::uint32_t>(distance < 0 ? distance + static_cast<std::int64_t>(window.size()) : distance);
  }
  std::string label(std::uint64_t y) const { return std::to_string(window.output(y)); }
};

// Noise modulo m is d with probability (1 - a)/(1 + a) * (a^d + a^(m - d)) / (1 - a^m), for 0 <= d < m.
Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Window window = window_of(domain, arguments);
  const SmallRatio scale = positive_ratio(arguments, "scale");
  budget.require_cells(domain.inputs(), window.size());
  const std::uint64_t m = window.size();
  const std::vector<Number> powers = laplace_powers(scale, m, budget);
  const Number& a = powers[1];
  const Number factor = (Number(1) - a) / ((Number(1) + a) * (Number(1) - powers[m]));
  std::vector<Number> values;
  for (std::uint64_t d = 0; d < m; ++d) values.push_back((powers[d] + powers[m - d]) * factor);
  Mechanism result;
  result.channel = rule_channel(domain.inputs(), m, values, Rule{window});
  return result;
}

}  // namespace

Family family() {
  return {"discrete_laplace_wrapped",
          "discrete Laplace noise on the inputs as 0..k-1; outputs are taken modulo the size of a window",
          "discrete Laplace noise: Ghosh, Roughgarden, Sundararajan (2009)", laplace_fields(), build};
}

}  // namespace oddsbound::mechanisms::discrete_laplace_wrapped

// The discrete_gaussian_wrapped family: noise n with P(n) proportional to exp(-n^2 / (2 variance)) for |n| <= reach,
// then modulo the size of a window. Without a reach, the probabilities would be infinite sums, which have no exact
// form.

namespace oddsbound::mechanisms::discrete_gaussian_wrapped {

namespace {

constexpr std::int64_t kMostReach = 4096;

// The place in the window of x plus or minus the magnitude, modulo the size; false beyond the reach.
struct Wrapped {
  Window window;
  std::uint64_t reach;
  bool operator()(std::uint64_t x, bool negative, std::uint64_t magnitude, std::uint64_t& output) const {
    if (magnitude > reach) return false;
    const std::uint64_t size = window.size(), step = magnitude % size;
    const std::uint64_t at = static_cast<std::uint64_t>(static_cast<std::int64_t>(x) - window.least);
    output = (at + (negative ? size - step : step)) % size;
    return true;
  }
};

std::uint64_t reach_of(const Arguments& arguments) {
  const auto reach = arguments.get<std::int64_t>("reach");
  if (reach < 0 || reach > kMostReach) {
    throw ParameterError(
        "reach", "found " + std::to_string(reach) + ", expected an integer from 0 to " + std::to_string(kMostReach));
  }
  return static_cast<std::uint64_t>(reach);
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Window window = window_of(domain, arguments);
  const SmallRatio ratio = positive_ratio(arguments, "variance");
  const Number& variance = arguments.get<Number>("variance");
  const std::uint64_t reach = reach_of(arguments);
  budget.require_cells(domain.inputs(), window.size());
  const std::uint64_t m = window.size();
  std::vector<Number> values(m, Number(0));
  Number total(0);
  for (std::uint64_t n = 0; n <= reach; ++n) {
    budget.check();
    const Number distance = whole(n);
    const Number weight = Number::exp_of(-(distance * distance) / (Number(2) * variance));
    values[n % m] += weight;
    if (n > 0) values[(m - n % m) % m] += weight;
    total += n > 0 ? weight * Number(2) : weight;
  }
  for (Number& value : values) value /= total;
  const std::uint64_t scale = laplace_scale_for(ratio);
  Mechanism result;
  result.channel = rule_channel(domain.inputs(), m, values, discrete_laplace_wrapped::Rule{window});
  result.sampler = std::make_shared<const discrete_gaussian_truncated::Noise<Wrapped>>(
      Wrapped{window, reach}, scale, discrete_gaussian_truncated::keep_exponents(variance, scale, reach + 1));
  return result;
}

}  // namespace

Family family() {
  std::vector<Field> fields =
      window_fields({"variance", FieldKind::kNumber, true, "of the noise: exp(-n^2 / (2 variance))"});
  fields.insert(fields.begin() + 1,
                {"reach", FieldKind::kInteger, true, "the noise is conditioned on -reach to reach; at most 4096"});
  return {
      "discrete_gaussian_wrapped",
      "discrete Gaussian noise up to a reach on the inputs as 0..k-1; outputs are taken modulo the size of a window",
      "Canonne, Kamath, Steinke (2020)", std::move(fields), build};
}

}  // namespace oddsbound::mechanisms::discrete_gaussian_wrapped

// The truncated_geometric family (Ghosh, Roughgarden and Sundararajan 2009): two-sided geometric noise on 0..k-1,
// clamped to that range.

namespace oddsbound::mechanisms::truncated_geometric {

namespace {

// Slots: distance n between inner entries, k + n at the two ends of the range.
struct Rule {
  Domain domain;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    const std::uint64_t k = domain.inputs();
    const std::uint64_t distance = x > y ? x - y : y - x;
    return static_cast<std::uint32_t>(y == 0 || y == k - 1 ? k + distance : distance);
  }
  std::string label(std::uint64_t y) const { return input_label(domain, y); }
};

class Noise final : public Sampler {
 public:
  Noise(std::uint64_t inputs, const Number& alpha)
      : most_(inputs - 1), none_((Number(1) - alpha) / (Number(1) + alpha)), further_(alpha) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = x;
    if (most_ == 0 || none_(source) == 1) return;
    const bool up = mechanisms::draw(UniformBelow(2), source) == 1;
    const std::uint64_t room = up ? most_ - x : x;
    std::uint64_t steps = 1;
    while (steps < room && further_(source) == 1) ++steps;
    steps = std::min(steps, room);
    output[0] = up ? x + steps : x - steps;
  }

 private:
  std::uint64_t most_;
  Bernoulli none_, further_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  constexpr std::uint64_t kMost = 100'000;
  const std::uint64_t k = domain.inputs();
  if (k > kMost) throw LimitError("truncated_geometric is for at most 100000 inputs");
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Number alpha = epsilon.is_infinite() ? Number(0) : Number(1) / epsilon.exponential();
  const Number inner = (Number(1) - alpha) / (Number(1) + alpha);
  std::vector<Number> values(2 * k);
  Number power(1);
  for (std::uint64_t n = 0; n < k; ++n, power *= alpha) {
    values[n] = inner * power;
    values[k + n] = k == 1 ? Number(1) : power / (Number(1) + alpha);
    budget.check();
  }
  Mechanism result;
  result.channel = rule_channel(k, k, values, Rule{domain});
  result.sampler = std::make_shared<const Noise>(k, alpha);
  return result;
}

}  // namespace

Family family() {
  return {
      "truncated_geometric",
      "two-sided geometric noise on the inputs as 0..k-1, clamped to that range",
      "Ghosh, Roughgarden, Sundararajan (2009)",
      {{"epsilon", FieldKind::kLevel, true, "the level between neighboring inputs; inputs n apart have n times it"}},
      build};
}

}  // namespace oddsbound::mechanisms::truncated_geometric
