// k-ary randomized response: the true input with probability e^eps / (e^eps + k - 1), any other with probability 1
// / (e^eps + k - 1). For two inputs it is Warner's (1965); in general Kairouz, Oh and Viswanath (2016).

#include "mechanisms/k_randomized_response.h"

#include "mechanisms/cascade.h"
#include "mechanisms/family.h"
#include "mechanisms/random/distributions.h"
#include "verifier/model/adaptive_channel.h"

namespace oddsbound::mechanisms {

std::shared_ptr<const RuleValues> rule_values(const std::vector<Number>& values) {
  auto made = std::make_shared<RuleValues>();
  PoolBuilder builder;
  for (const Number& value : values) builder.add(value);
  Budget budget;
  made->pool = std::move(builder).finish(made->ranks, budget);
  return made;
}

}  // namespace oddsbound::mechanisms

namespace oddsbound::mechanisms::k_randomized_response {

namespace {

struct Rule {
  Domain domain;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return x == y ? 0 : 1; }
  std::string label(std::uint64_t y) const { return input_label(domain, y); }
};

// Outputs of a pair: its first input, its second one, and the others.
PairClass pairs_of(std::uint64_t k, const Number& truth, const Number& other) {
  const Number others = whole(k - 2) * other;
  return {0,
          1,
          {{{truth, other}, {other, truth}, {others, others}}},
          [](std::uint64_t from, std::uint64_t to, std::span<const std::size_t> kinds) {
            if (kinds[0] < 2) return std::vector{kinds[0] == 0 ? from : to};
            std::uint64_t y = 0;
            while (y == from || y == to) ++y;
            return std::vector{y};
          }};
}

// Outputs are images of each other under permutations of the inputs, so each has probability 1/k.
std::vector<OutputClass> outputs_of(std::uint64_t k, const Number& truth, const Number& other) {
  const Number inputs = whole(k);
  const Number own = Number(1) / inputs;
  return {{Number(1), {{own, inputs * truth}, {Number(1) - own, inputs * other}}}};
}

class Response final : public Sampler {
 public:
  Response(std::uint64_t inputs, const Number& truth) : others_(inputs - 1), truth_(truth) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    if (others_ == 0 || truth_(source) == 1) {
      output[0] = x;
      return;
    }
    const std::uint64_t other = mechanisms::draw(UniformBelow(others_), source);
    output[0] = other + (other >= x ? 1 : 0);
  }

 private:
  std::uint64_t others_;
  Bernoulli truth_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  return mechanism(domain, arguments.get<Level>("epsilon"));
}

}  // namespace

Mechanism mechanism(const Domain& domain, const Level& epsilon) {
  return mechanism(domain, odds_share(epsilon, Number(1), whole(domain.input_numbers()) - Number(1)));
}

Mechanism mechanism(const Domain& domain, const Number& truth) {
  const std::uint64_t k = domain.input_numbers();
  const Number other = k == 1 ? truth : (Number(1) - truth) / (whole(k) - Number(1));
  Mechanism result;
  result.channel = rule_channel(
      k, k, {truth, other}, Rule{domain}, [=] { return pairs_of(k, truth, other); },
      [=] { return outputs_of(k, truth, other); });
  result.sampler = std::make_shared<const Response>(k, truth);
  result.estimator = event_estimator(domain, truth, k == 1 ? Number(0) : other,
                                     [](std::uint64_t j, std::span<const std::uint64_t> y) { return y[0] == j; });
  return result;
}

Family family() {
  return {"k_randomized_response",
          "the true input with probability e^eps / (e^eps + k - 1), every other one with 1 / (e^eps + k - 1)",
          "Warner (1965) for two inputs; Kairouz, Oh, Viswanath (2016)",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level; inf releases the input itself"}},
          build,
          false,
          true};
}

}  // namespace oddsbound::mechanisms::k_randomized_response

// The optimal mechanism for two inputs with a level per direction: between Warner's randomized response (equal
// levels) and Mangat's (one level infinite). Context-aware LDP paper, Theorem 2, equation (9).

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
          {{"epsilon_12", FieldKind::kLevel, true, "how much more likely any output may be from the first input"},
           {"epsilon_21", FieldKind::kLevel, true, "how much more likely any output may be from the second input"}},
          build};
}

}  // namespace oddsbound::mechanisms::optimal_binary

// Longitudinal randomized response (Arcolezi, Couchot, Al Bouna and Xiao 2021): an answer is drawn at level eps and
// kept, and each report is drawn from it by randomized response again. With p and q = (1 - p)/(k - 1) those of the kept
// answer, a report is the input with probability p p' + (1 - p)(1 - p')/(k - 1) = q + p' (p - q), where p' is the
// probability that a report is the kept answer. p' is such that a single report has the level `first`.

namespace oddsbound::mechanisms::longitudinal_grr {

namespace {

constexpr std::int64_t kMostReports = 10'000;

std::int64_t reports_of(const Arguments& arguments) {
  const std::int64_t times = arguments.find<std::int64_t>("times").value_or(1);
  if (times < 1 || times > kMostReports) {
    throw ParameterError(
        "times", "found " + std::to_string(times) + ", expected an integer from 1 to " + std::to_string(kMostReports));
  }
  return times;
}

// The fraction of an input among the reports has the same mean as a single report.
class FractionEstimator final : public ShareEstimator {
 public:
  FractionEstimator(const Domain& domain, const Number& own, const Number& other, std::int64_t times)
      : ShareEstimator(domain),
        counts_(domain.inputs(), static_cast<std::uint64_t>(times)),
        other_(other),
        spread_(own - other),
        times_(times) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    const auto count = static_cast<std::int64_t>(counts_.at(output[0])[j]);
    return (Number::ratio(count, times_) - other_) / spread_;
  }

 private:
  model::Counts counts_;
  Number other_, spread_;
  std::int64_t times_;
};

// Returns the probability that a report is the kept answer.
Number kept_truth(std::uint64_t k, const Number& truth, const Number& first_truth) {
  if (k == 1) return Number(1);
  const Number other = (Number(1) - truth) / whole(k - 1);
  if (truth.has_symbols() && truth == first_truth) return Number(1);  // also where both are 1/k
  if (truth == other) return Number(1) / whole(k);                    // then first_truth is 1/k, too
  return (first_truth - other) / (truth - other);
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& budget) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Level& first = arguments.get<Level>("first");
  if (first > epsilon) {
    throw ParameterError("first", "found " + first.to_string() + ", expected at most epsilon, " + epsilon.to_string());
  }
  const std::int64_t times = reports_of(arguments);
  const std::uint64_t k = domain.inputs();
  const Number truth = odds_share(epsilon, Number(1), whole(k) - Number(1));
  const Number first_truth = odds_share(first, Number(1), whole(k) - Number(1));
  const Mechanism kept = k_randomized_response::mechanism(domain, truth);
  const Mechanism report = k_randomized_response::mechanism(domain, kept_truth(k, truth, first_truth));
  const Stage permanent{kept.channel, kept.sampler}, drawn{report.channel, report.sampler};
  if (times == 1) {
    Mechanism result = k_randomized_response::mechanism(domain, first_truth);
    std::vector<std::uint64_t> same(k);
    for (std::uint64_t y = 0; y < k; ++y) same[y] = y;
    result.sampler = cascade_sampler(permanent, drawn, std::move(same));
    return result;
  }
  Mechanism result;
  const auto runs = static_cast<std::uint64_t>(times);
  result.channel = std::make_shared<const model::MemoizedChannel>(*kept.channel, *report.channel, runs, budget);
  result.sampler = memoized_sampler(permanent, drawn, runs);
  if (k > 1 && is_informative(first) && !truth.has_symbols()) {
    const Number other = (Number(1) - first_truth) / whole(k - 1);
    result.estimator = std::make_shared<const FractionEstimator>(domain, first_truth, other, times);
  }
  return result;
}

}  // namespace

Family family() {
  return {"longitudinal_grr",
          "an answer of k-ary randomized response that is kept, and randomized response on it for every report",
          "Arcolezi, Couchot, Al Bouna, Xiao (2021)",
          {{"epsilon", FieldKind::kLevel, true, "the level of the kept answer, for any number of reports"},
           {"first", FieldKind::kLevel, true, "the level of a single report, at most epsilon"},
           {"times", FieldKind::kInteger, false,
            "how many reports are drawn from one kept answer (default 1); the output then counts each report"}},
          build,
          true};
}

}  // namespace oddsbound::mechanisms::longitudinal_grr
