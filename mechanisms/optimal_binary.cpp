// The optimal mechanism for two inputs under a level per direction: between Warner's randomized response (equal levels)
// and Mangat's (one of them infinite). Context-aware LDP paper, Theorem 2, equation (9).
#include "mechanisms/family.h"
#include "mechanisms/rule_channel.h"

namespace oddsbound::mechanisms::optimal_binary {

namespace {

struct Rule {
  Domain domain;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return static_cast<std::uint32_t>(2 * x + y); }
  std::string label(std::uint64_t y) const { return input_label(domain, y); }
};

// P(second output given first input), P(first output given second input).
std::pair<Number, Number> lies(const Level& forward, const Level& backward) {
  if (forward.is_zero() && backward.is_zero()) return {Number::ratio(1, 2), Number::ratio(1, 2)};
  if (forward.is_infinite() && backward.is_infinite()) return {Number(0), Number(0)};
  if (forward.is_infinite()) return {Number(1) / backward.exponential(), Number(0)};
  if (backward.is_infinite()) return {Number(0), Number(1) / forward.exponential()};
  const Number shrink = Number(1) / forward.exponential();
  const Number whole = backward.exponential() - shrink;
  return {(Number(1) - shrink) / whole, shrink * (backward.exponential() - Number(1)) / whole};
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  if (domain.input_numbers() != 2) {
    throw ModelError("optimal_binary is for 2 inputs, and here are " + std::to_string(domain.input_numbers()));
  }
  const auto [first, second] = lies(arguments.get<Level>("epsilon_12"), arguments.get<Level>("epsilon_21"));
  return {rule_channel(2, 2, {Number(1) - first, first, second, Number(1) - second}, Rule{domain})};
}

}  // namespace

Family family() {
  return {"optimal_binary",
          "two inputs, a level per direction: Warner for equal levels, Mangat if one is inf",
          "context-aware LDP paper, Theorem 2",
          {{"epsilon_12", FieldKind::kLevel, true, "how much likelier any output may be from the first input"},
           {"epsilon_21", FieldKind::kLevel, true, "how much likelier any output may be from the second input"}},
          build};
}

}  // namespace oddsbound::mechanisms::optimal_binary
