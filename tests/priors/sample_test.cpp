// Levels over samples: the inequality behind the bets, bounds against distributions tried one by one, and the
// probability that a bound fails, summed over all samples.

#include <doctest/doctest.h>
#include <cmath>
#include <functional>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/level.h"
#include "verifier/priors/bets.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/set_level.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

namespace {

Number choose(std::int64_t n, std::int64_t k) {
  Number result(1);
  for (std::int64_t i = 0; i < k; ++i) result = result * Number(n - i) / Number(i + 1);
  return result;
}

double log_regret(std::uint64_t draws) {
  const auto n = static_cast<double>(draws);
  return std::log(std::sqrt(M_PI)) + std::lgamma(n + 1) - std::lgamma(n + 0.5);
}

double log_threshold_of(const Tally& from, const Tally& to, double alpha) {
  return log_regret(from.draws) + log_regret(to.draws) - std::log(alpha);
}

Tally random_tally(Random& random) {
  Tally tally;
  const std::uint64_t values = 1 + below(random, 4);
  for (std::uint64_t k = 0; k < values; ++k) {
    const auto numerator = static_cast<std::int64_t>(below(random, 5) == 0 ? 0 : 1 + below(random, 20));
    const Number value = Number::ratio(numerator, 20);
    if (std::find(tally.values.begin(), tally.values.end(), value) != tally.values.end()) continue;
    tally.values.push_back(value);
    tally.counts.push_back(below(random, 3) == 0 ? 0 : below(random, below(random, 4) == 0 ? 1000 : 12));
    tally.draws += tally.counts.back();
  }
  return tally;
}

// n KL(draws || weights), and the mean under the weights.
struct Tried {
  double spent = 0, mean = 0;
};
Tried tried(const Tally& tally, std::vector<double> weights) {
  double mass = 0;
  for (const double weight : weights) mass += weight;
  Tried result;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    result.mean += weights[k] / mass * tally.values[k].approx();
    if (tally.counts[k] == 0) continue;
    const double share = static_cast<double>(tally.counts[k]) / static_cast<double>(tally.draws);
    result.spent += static_cast<double>(tally.counts[k]) * std::log(share * mass / weights[k]);
  }
  return result;
}

std::vector<double> random_weights(Random& random, const Tally& tally, double toward) {
  std::vector<double> weights;
  for (const std::uint64_t count : tally.counts) {
    const double share = tally.draws == 0 ? 0 : static_cast<double>(count) / static_cast<double>(tally.draws);
    weights.push_back(share + toward * static_cast<double>(1 + below(random, 100)) / 100);
  }
  return weights;
}

// Weights of a distribution near the bound, by value.
std::vector<double> weights_of(const Tally& tally, const std::vector<Number>& weights, const Number& more,
                               std::size_t extreme) {
  std::vector<double> result;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    result.push_back(weights[k].approx() * static_cast<double>(tally.counts[k]));
  }
  result[extreme] += more.approx();
  return result;
}

// Visits all ways to put `left` draws into cells.
void each_table(std::vector<std::int64_t>& counts, std::size_t cell, std::int64_t left,
                const std::function<void()>& visit) {
  if (cell + 1 == counts.size()) {
    counts[cell] = left;
    return visit();
  }
  for (std::int64_t here = 0; here <= left; ++here) {
    counts[cell] = here;
    each_table(counts, cell + 1, left - here, visit);
  }
}

double probability(const std::vector<std::int64_t>& counts, const std::vector<double>& prior) {
  double log = 0, draws = 0;
  for (std::size_t x = 0; x < counts.size(); ++x) {
    if (counts[x] == 0) continue;
    if (prior[x] == 0) return 0;
    const auto count = static_cast<double>(counts[x]);
    draws += count;
    log += count * std::log(prior[x]) - std::lgamma(count + 1);
  }
  return std::exp(log + std::lgamma(draws + 1));
}

// For each prior, the probability over all samples that P(output | from) / P(output | to) of some output exceeds
// the bound from the sample.
std::vector<double> failures(const Model& model, std::int64_t draws, const Number& confidence,
                             const std::vector<std::vector<double>>& priors) {
  Budget budget;
  const auto rows = rows_of(*model.channel);
  const ColumnInputs inputs = Partition::by_value(model.domain, 0);
  const SetQuestion question{model.domain, inputs, model.channel->outputs()};
  const auto given = [&](const std::vector<double>& prior, std::size_t label, std::uint64_t y) {
    double mass = 0, joint = 0;
    for (const std::uint64_t x : inputs.inputs[label]) {
      mass += prior[x];
      joint += prior[x] * rows[x][y].approx();
    }
    return mass == 0 ? -1 : joint / mass;
  };
  std::vector<double> failed(priors.size());
  std::vector<std::int64_t> counts(model.domain.inputs());
  each_table(counts, 0, draws, [&] {
    const std::vector<Number> weights(counts.begin(), counts.end());
    const auto search =
        sampled(Prior::from_weights(model.domain, weights, budget), confidence)->search(question, budget);
    std::vector<bool> fails(priors.size());
    for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
      LabelledColumn column;
      for (const auto& of_label : inputs.inputs) {
        auto& entries = column.entries.emplace_back();
        for (const std::uint64_t x : of_label) entries.push_back(rows[x][y]);
        const auto [least, most] = std::minmax_element(entries.begin(), entries.end());
        column.extremes.push_back(
            {static_cast<std::size_t>(most - entries.begin()), static_cast<std::size_t>(least - entries.begin())});
      }
      search->look_at(column);
      for (const std::size_t from : {std::size_t{0}, std::size_t{1}}) {
        const std::optional<Ratio> bound = search->largest(from, 1 - from);
        REQUIRE(bound);
        for (std::size_t p = 0; p < priors.size(); ++p) {
          const double mean = given(priors[p], from, y), other = given(priors[p], 1 - from, y);
          if (mean < 0 || other < 0 || bound->infinite) continue;
          fails[p] = fails[p] || mean > other * bound->value.approx() * (1 + 1e-9);
        }
      }
    }
    for (std::size_t p = 0; p < priors.size(); ++p) failed[p] += fails[p] ? probability(counts, priors[p]) : 0;
  });
  return failed;
}

Model model_of(Random& random, std::uint64_t records, std::uint64_t outputs) {
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < 2 * records; ++x) {
    std::vector<Number> row;
    Number total;
    for (std::uint64_t y = 0; y < outputs; ++y) {
      row.emplace_back(static_cast<std::int64_t>(below(random, 6) == 0 ? 0 : 1 + below(random, 9)));
      total += row.back();
    }
    if (total.is_zero()) row[0] = total = Number(1);
    for (Number& entry : row) entry /= total;
    rows.push_back(row);
  }
  std::vector<std::string> names;
  for (std::uint64_t z = 0; z < records; ++z) names.push_back(std::to_string(z));
  return {Domain({{"secret", {"a", "b"}}, {"record", names}}), channel_of_rows(rows), std::nullopt};
}

}  // namespace

TEST_CASE("Bets by the arcsine law have at least 1/r of the best bet's money, whatever is drawn") {
  for (std::int64_t n = 1; n <= 60; ++n) {
    const Number regret = Number(4).pow(n) / choose(2 * n, n);
    CHECK(log_regret(static_cast<std::uint64_t>(n)) == doctest::Approx(std::log(regret.approx())));
    for (std::int64_t j = 0; j <= n; ++j) {
      const Number average = choose(2 * j, j) * choose(2 * (n - j), n - j) / (choose(n, j) * Number(4).pow(n));
      const Number best = Number(j).pow(j) * Number(n - j).pow(n - j) / Number(n).pow(n);
      REQUIRE(best <= regret * average);
    }
  }
}

TEST_CASE("No distributions that the draws allow have a larger quotient than the bound, and some come near it") {
  Random random(31);
  int near = 0, infinite = 0;
  for (int round = 0; round < effort(400, 40); ++round) {
    CAPTURE(round);
    const Tally from = random_tally(random), to = random_tally(random);
    const Number alpha = Number::ratio(1, 1 + static_cast<std::int64_t>(1 + below(random, 500)));
    const QuotientOfMeans quotient(from, to, alpha);
    const Ratio& bound = quotient.bound().ratio;
    const double most = bound.infinite ? HUGE_VAL : bound.value.approx();
    const double log_threshold = log_threshold_of(from, to, alpha.approx());
    for (int i = 0; i < effort(300, 30); ++i) {
      const double toward = std::exp(-static_cast<double>(below(random, 12)));
      const Tried p = tried(from, random_weights(random, from, toward));
      const Tried q = tried(to, random_weights(random, to, toward));
      if (p.spent + q.spent < log_threshold && q.mean > 0) REQUIRE(p.mean <= most * q.mean * (1 + 1e-9));
    }
    const NearMeans shown = quotient.near();
    const Tried p = tried(from, weights_of(from, shown.from_weights, shown.from_more, from.largest()));
    const Tried q = tried(to, weights_of(to, shown.to_weights, shown.to_more, to.smallest()));
    REQUIRE(p.spent + q.spent <= log_threshold * (1 + 1e-9));
    if (bound.infinite) {
      ++infinite;
      CHECK(q.mean == 0);
      CHECK(p.mean > 0);
    } else {
      ++near;
      CHECK(p.mean >= most * q.mean * (1 - 1e-6));
    }
  }
  CHECK(near > 0);
  CHECK(infinite > 0);
}

TEST_CASE("Over all samples a bound fails at most as often as it may") {
  Random random(32);
  struct Case {
    std::uint64_t records;  // two: Clopper-Pearson limits; three or more: bets
    std::int64_t draws;
  };
  for (const auto& [records, draws] : {Case{2, 12}, Case{3, 6}, Case{2, 5}, Case{4, 4}}) {
    for (const Number& confidence : {Number::ratio(1, 2), Number::ratio(19, 20)}) {
      CAPTURE(records);
      const Model model = model_of(random, records, 2 + below(random, 2));
      std::vector<std::vector<double>> priors;
      for (int p = 0; p < 60; ++p) {
        std::vector<double> prior;
        double total = 0;
        for (std::uint64_t x = 0; x < 2 * records; ++x) {
          prior.push_back(below(random, 5) == 0 ? 0 : std::exp(-static_cast<double>(below(random, 5))));
          total += prior.back();
        }
        if (total == 0) prior[0] = total = 1;
        for (double& weight : prior) weight /= total;
        priors.push_back(prior);
      }
      for (const double failed : failures(model, draws, confidence, priors)) {
        CHECK(failed <= (Number(1) - confidence).approx());
      }
    }
  }
}

TEST_CASE("What nobody drew may be anything, and more draws and less confidence say more") {
  Random random(33);
  Budget budget;
  for (int round = 0; round < effort(60, 10); ++round) {
    const Model model = model_of(random, 2 + below(random, 3), 3);
    std::vector<Number> counts;
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      counts.emplace_back(x < model.domain.inputs() / 2 ? 0 : static_cast<std::int64_t>(1 + below(random, 30)));
    }
    const auto level = [&](std::int64_t times, const Number& confidence, const PriorSetPtr& set) -> Level {
      std::vector<Number> scaled;
      for (const Number& count : counts) scaled.push_back(count * Number(times));
      MeasuredModel subject(model, budget);
      return level_over(subject, set ? *set : *sampled(Prior::from_weights(model.domain, scaled, budget), confidence),
                        Partition::by_value(model.domain, 0), {})
          .at_most();
    };
    const Number half = Number::ratio(1, 2), sure = Number::ratio(999, 1000);
    // Nobody with the first value was drawn, so only the side of the other value is bounded.
    const Level anything = level(1, half, all_priors());
    CHECK(level(1, sure, nullptr) <= anything);
    CHECK(level(1, half, nullptr) <= level(1, sure, nullptr));
    for (Number& count : counts) count += Number(1);
    CHECK(level(1, half, nullptr) <= level(1, sure, nullptr));
    CHECK(level(400, sure, nullptr) <= level(1, sure, nullptr));
  }
}
