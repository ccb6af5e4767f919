// RAPPOR's two stages on the bits of a unary encoding: a permanent randomized response (kept with probability 1 - f,
// else a fair coin), then an instantaneous one (1 with probability q for a permanent 1, p for a permanent 0), drawn
// anew for every report from the same permanent bits. Erlingsson, Pihur and Korolova (2014), without the Bloom filter.
#include "mechanisms/bit_counts.h"
#include "mechanisms/bit_strings.h"
#include "mechanisms/family.h"
#include "mechanisms/random/categorical.h"

namespace oddsbound::mechanisms::rappor {

namespace {

BitDraw two_stages(const Number& f, const Number& p, const Number& q) {
  const Bernoulli permanent_one(Number(1) - f / Number(2));
  const Bernoulli permanent_zero(f / Number(2));
  const Bernoulli instant_zero(p);
  const Bernoulli instant_one(q);
  return [=](bool own, RandomSource& source) {
    const std::uint64_t permanent = own ? permanent_one(source) : permanent_zero(source);
    return permanent == 1 ? instant_one(source) : instant_zero(source);
  };
}

Number probability(const Arguments& arguments, const std::string& name) {
  const Number& value = arguments.get<Number>(name);
  if (value.sign() < 0 || value > Number(1)) {
    throw ParameterError(name, "found " + value.to_string() + ", expected a number from 0 to 1");
  }
  return value;
}

std::int64_t number_of_reports(const Arguments& arguments) {
  constexpr std::int64_t kMostReports = 10'000;
  const std::int64_t times = arguments.find<std::int64_t>("times").value_or(1);
  if (times < 1 || times > kMostReports) {
    throw ParameterError(
        "times", "found " + std::to_string(times) + ", expected an integer from 1 to " + std::to_string(kMostReports));
  }
  return times;
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Number f = probability(arguments, "f");
  const Number p = probability(arguments, "p");
  const Number q = probability(arguments, "q");
  const Number half = f / Number(2);
  const Number own = (Number(1) - half) * q + half * p;
  const Number other = half * q + (Number(1) - half) * p;
  const std::int64_t times = number_of_reports(arguments);
  if (times > 1) return memoized_bits(domain, {Number(1) - half, half}, {q, p}, times, budget);
  Mechanism result;
  result.channel = bit_string_channel(domain, own, other);
  result.sampler = bit_string_sampler(*result.channel, two_stages(f, p, q));
  result.estimator = bit_string_estimator(domain, own, other);
  return result;
}

}  // namespace

Family family() {
  return {"rappor",
          "unary encoding with a permanent and an instantaneous randomized response for every bit",
          "Erlingsson, Pihur, Korolova (2014)",
          {{"f", FieldKind::kNumber, true, "how often the permanent stage replaces a bit by a fair coin"},
           {"p", FieldKind::kNumber, true, "how often a permanent 0 is reported as 1"},
           {"q", FieldKind::kNumber, true, "how often a permanent 1 is reported as 1"},
           {"times", FieldKind::kInteger, false,
            "how many reports are drawn from one permanent answer (default 1); the output then counts the ones of each "
            "bit"}},
          build,
          true};
}

}  // namespace oddsbound::mechanisms::rappor
