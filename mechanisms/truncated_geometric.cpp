// The truncated geometric mechanism: two-sided geometric noise on 0..k-1, clamped to that range. Ghosh, Roughgarden and
// Sundararajan (2009).
#include <algorithm>

#include "mechanisms/family.h"
#include "mechanisms/random/categorical.h"
#include "mechanisms/rule_channel.h"

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
    budget.look();
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
