#include "verifier/exact/log_sum.h"

#include <algorithm>
#include <unordered_map>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

struct Power {
  Integer base;  // above 1
  Rational exponent;
};

// Powers of integers of which no two have a factor in common.
class CoprimePowers {
 public:
  // What has a factor in common with a base is split at it, and so is the base. The product of all bases and of what is
  // still to be added gets smaller by each split.
  void multiply(const Integer& integer, const Rational& exponent) {
    std::vector<Power> waiting{{integer, exponent}};
    while (!waiting.empty()) {
      const Power next = std::move(waiting.back());
      waiting.pop_back();
      if (next.base == 1) continue;
      const auto shared = std::find_if(powers_.begin(), powers_.end(), [&](const Power& own) {
        if (Budget* budget = Budget::current()) budget->look();
        return gcd(own.base, next.base) != 1;
      });
      if (shared == powers_.end()) {
        powers_.push_back(next);
        continue;
      }
      const Power own = std::move(*shared);
      powers_.erase(shared);
      const Integer factor = gcd(own.base, next.base);
      waiting.push_back({factor, own.exponent + next.exponent});
      waiting.push_back({own.base / factor, own.exponent});
      waiting.push_back({next.base / factor, next.exponent});
    }
  }

  const std::vector<Power>& powers() const { return powers_; }

 private:
  std::vector<Power> powers_;
};

// base^exponent where that is rational.
std::optional<Rational> rational_value(const Power& power) {
  const Integer degree = denominator(power.exponent);
  Integer root = power.base;
  if (degree != 1) {
    // A root of a larger degree than there are bits is below 2.
    if (degree > bits_of(power.base)) return std::nullopt;
    const auto small = static_cast<unsigned long>(degree);
    if (mpz_root(root.backend().data(), power.base.backend().data(), small) == 0) return std::nullopt;
  }
  constexpr std::size_t kMostBits = 1 << 22;
  const Integer times = abs(numerator(power.exponent));
  if (times * bits_of(root) > kMostBits) throw LimitError("the exact level is too long to be written");
  const Integer value = boost::multiprecision::pow(root, static_cast<unsigned>(times));
  return power.exponent < 0 ? Rational(1, value) : Rational(value);
}

}  // namespace

std::vector<WeightedLog> collected(std::vector<WeightedLog> sum) {
  std::unordered_map<Number, std::size_t, NumberHash> place;
  std::vector<WeightedLog> once;
  for (WeightedLog& term : sum) {
    if (term.argument.is_one()) continue;
    const auto [found, added] = place.try_emplace(term.argument, once.size());
    if (added) {
      once.push_back(std::move(term));
    } else {
      once[found->second].weight += term.weight;
    }
  }
  std::erase_if(once, [](const WeightedLog& term) { return term.weight.is_zero(); });
  return once;
}

bool is_rational(const std::vector<WeightedLog>& sum) {
  return std::all_of(sum.begin(), sum.end(),
                     [](const WeightedLog& term) { return term.weight.is_rational() && term.argument.is_rational(); });
}

std::optional<Level> level_of_sum(const std::vector<WeightedLog>& sum) {
  CoprimePowers powers;
  for (const WeightedLog& term : sum) {
    const Rational weight = rational_of(term.weight), argument = rational_of(term.argument);
    powers.multiply(numerator(argument), weight);
    powers.multiply(denominator(argument), -weight);
  }
  Rational product = 1;
  for (const Power& power : powers.powers()) {
    if (power.exponent == 0) continue;
    const std::optional<Rational> value = rational_value(power);
    if (!value) return std::nullopt;
    product *= *value;
  }
  if (product < 1) return std::nullopt;
  return Level::of_exponential(make_number(product));
}

}  // namespace oddsbound::exact
