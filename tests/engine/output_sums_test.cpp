// Bounds of sums over outputs: the exact sums by enumeration lie between them, always, and they are close.

#include "verifier/engine/output_sums.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

// L_a(y) of a partition, by definition: [label][output], divided by the total.
std::vector<std::vector<Number>> masses_of(const Model& model, const Partition& partition) {
  std::vector<std::vector<Number>> masses(partition.size(), std::vector<Number>(model.channel->outputs()));
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    const Number weight = model.prior->probability(x);
    const std::uint32_t label = partition.label_of(model.domain.row(x));
    for (std::uint64_t y = 0; y < model.channel->outputs() && !weight.is_zero(); ++y) {
      masses[label][y] += weight * model.channel->entry(x, y);
    }
  }
  return masses;
}

struct ExactSums {
  Number guess;
  std::vector<WeightedLog> information;  // collected
  std::vector<Number> excesses;
};

ExactSums exact_sums(const std::vector<std::vector<Number>>& masses, const std::vector<LabelSums::Excess>& asked) {
  ExactSums sums;
  std::vector<Number> totals;
  for (const auto& label : masses) totals.push_back(sum_of(label));
  for (std::size_t y = 0; y < masses[0].size(); ++y) {
    Number best, all;
    for (const auto& label : masses) {
      best = std::max(best, label[y]);
      all += label[y];
    }
    sums.guess += best;
    for (std::size_t a = 0; a < masses.size(); ++a) {
      const Number& mass = masses[a][y];
      if (!mass.is_zero()) sums.information.push_back({mass, mass / (totals[a] * all)});
    }
  }
  sums.information = collected(sums.information);
  for (const LabelSums::Excess& excess : asked) {
    Number& sum = sums.excesses.emplace_back();
    for (std::size_t y = 0; y < masses[0].size(); ++y) {
      const Number difference =
          masses[excess.from][y] / totals[excess.from] - excess.factor * masses[excess.to][y] / totals[excess.to];
      if (difference.sign() > 0) sum += difference;
    }
  }
  return sums;
}

// All pairs of labels with mass, at several factors.
LabelSums everything_about(const Model& model, const Partition& partition) {
  LabelSums sums{partition, true, true};
  Budget budget;
  std::vector<bool> has_mass(partition.size());
  model.prior->each_row(budget, [&](InputView row, const Number&) { has_mass[partition.label_of(row)] = true; });
  for (std::uint32_t a = 0; a < partition.size(); ++a) {
    for (std::uint32_t b = 0; b < partition.size(); ++b) {
      if (a == b || !has_mass[a] || !has_mass[b]) continue;
      for (const Number& factor :
           {Number(0), Number(1), Number::ratio(3, 2), Number::exp_of(Number(1)), Number(1000)}) {
        sums.excesses.push_back({a, b, factor});
      }
    }
  }
  return sums;
}

void check_between(const NumberBounds& bounds, const Number& exact, double gap) {
  CHECK(bounds.lower <= exact);
  CHECK(exact <= bounds.upper);
  CHECK((bounds.upper - bounds.lower).approx() <= gap);
}

void check_between(const NumberBounds& bounds, const std::vector<WeightedLog>& exact, double gap) {
  // 40 digits: closer than the bounds are to one another.
  const DecimalBounds value = exact.empty() ? DecimalBounds{"0", "0"} : decimal_bounds(exact, 40);
  CHECK(bounds.lower <= parse_number(value.lower));
  CHECK(parse_number(value.upper) <= bounds.upper);
  CHECK((bounds.upper - bounds.lower).approx() <= gap);
}

// Returns the largest distance between the two ends.
void check_sums(const Model& model, const SumEffort& effort, double gap) {
  Budget budget;
  std::vector<LabelSums> asked;
  for (std::size_t i = 0; i < model.domain.size(); ++i) {
    asked.push_back(everything_about(model, Partition::by_value(model.domain, i)));
  }
  const OutputSums sums = sum_outputs(model, asked, true, budget, effort);
  REQUIRE(sums.labels.size() == asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const ExactSums exact = exact_sums(masses_of(model, asked[i].partition), asked[i].excesses);
    check_between(sums.labels[i].guess, exact.guess, gap);
    check_between(sums.labels[i].information, exact.information, gap);
    for (std::size_t e = 0; e < exact.excesses.size(); ++e) {
      check_between(sums.labels[i].excesses[e], exact.excesses[e], gap);
    }
  }
  const auto masses = masses_of(model, Partition::by_input(model.domain));
  const ExactSums exact = exact_sums(masses, {});
  check_between(sums.record_guess, exact.guess, gap);
  check_between(sums.record_information, exact.information, gap);
  std::optional<std::uint64_t> likeliest;
  Number most;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    Number probability;
    for (const auto& input : masses) probability += input[y];
    if (likeliest && probability <= most) continue;
    likeliest = y;
    most = probability;
  }
  if (!sums.likeliest.empty()) CHECK(sums.likeliest == model.channel->split(*likeliest));
}

ChannelPtr randomized_response(const Number& keep) {
  return channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
}

// A bit that is asked `times` times.
Model repeated_bit(const Number& keep, std::size_t times) {
  Model model{Domain({{"x", {"0", "1"}}}), nullptr, std::nullopt};
  const ChannelPtr once = randomized_response(keep);
  model.channel = std::make_shared<const ProductChannel>(model.domain, std::vector<Factor>(times, {once, {0}}));
  model.prior = Prior::uniform(model.domain);
  return model;
}

}  // namespace

TEST_CASE("exact sums of random products lie between close bounds") {
  Random random(481);
  int rounds = 0;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(12, 3); ++round, ++rounds) {
      const Model model = random_product(random, kind, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
      if (model.domain.inputs() * model.channel->outputs() > 4096) continue;
      check_sums(model, {}, 1e-12);
    }
  }
  CHECK(rounds > 0);
}

TEST_CASE("exact sums lie between the bounds of visits by mass") {
  Random random(482);
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(8, 2); ++round) {
      const Model model = random_product(random, kind, Entries::kRational);
      if (model.domain.inputs() * model.channel->outputs() > 4096) continue;
      // Without work for more than one pass; with some.
      for (const double work : {0.0, 0x1p20}) check_sums(model, {0, work}, 40);
    }
  }
}

TEST_CASE("visits by mass bound sums of many outputs, and more work narrows them") {
  // Twelve answers of three values about one bit that they copy: 531,441 outputs, in blocks of 81.
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < 12; ++i) coordinates.push_back({"v" + std::to_string(i), {"0", "1", "2"}});
  const Domain domain(coordinates);
  Random random(483);
  std::vector<Factor> parts;
  for (std::size_t i = 0; i < 12; ++i) {
    std::vector<std::vector<Number>> rows(3, std::vector<Number>(3, Number::ratio(1, 8)));
    for (std::size_t v = 0; v < 3; ++v) rows[v][v] = Number::ratio(3, 4);
    parts.push_back({channel_of_rows(rows), {i}});
  }
  std::vector<WeightedRow> rows;
  for (int r = 0; r < 6; ++r) {
    WeightedRow row{InputRow(12), Number(1 + static_cast<std::int64_t>(below(random, 9)))};
    for (auto& value : row.row) value = static_cast<std::uint32_t>(below(random, 3));
    row.row[0] = static_cast<std::uint32_t>(r % 2);
    rows.push_back(std::move(row));
  }
  Budget budget;
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts),
                    Prior::from_rows(domain, rows, budget)};
  LabelSums asked{Partition::by_value(domain, 0), true, true, {{0, 1, Number(2)}, {1, 0, Number(2)}}};
  const OutputSums all = sum_outputs(model, std::span(&asked, 1), true, budget);
  CHECK(all.complete);
  double last = 10;
  for (const double work : {0.0, 0x1p20, 0x1p24}) {
    const OutputSums some = sum_outputs(model, std::span(&asked, 1), true, budget, {0, work});
    const auto check = [&](const NumberBounds& wide, const NumberBounds& close) {
      CHECK(wide.lower <= close.upper);
      CHECK(close.lower <= wide.upper);
      return (wide.upper - wide.lower).approx();
    };
    CHECK(!some.complete);
    double gap = check(some.labels[0].guess, all.labels[0].guess);
    gap += check(some.labels[0].information, all.labels[0].information);
    gap += check(some.labels[0].excesses[0], all.labels[0].excesses[0]);
    gap += check(some.labels[0].excesses[1], all.labels[0].excesses[1]);
    gap += check(some.record_guess, all.record_guess);
    CHECK(gap < last);
    last = gap;
  }
}

TEST_CASE("equal factors are types: a bit asked many times, against its loss distribution") {
  Budget budget;
  const Number keep = Number::ratio(3, 4);
  for (const std::size_t times : {1, 2, 7, 40, 1000}) {
    const LossDistribution once =
        LossDistribution::of(std::vector<Number>{keep, Number(1) - keep}, std::vector<Number>{Number(1) - keep, keep});
    const LossDistribution all = once.power(times, budget);
    const Model model = repeated_bit(keep, times);
    LabelSums asked{Partition::by_value(model.domain, 0), true, false};
    for (const Number& factor : {Number(1), Number(3), Number(20)}) asked.excesses.push_back({0, 1, factor});
    const OutputSums sums = sum_outputs(model, std::span(&asked, 1), true, budget);
    CHECK(sums.complete);
    for (std::size_t e = 0; e < asked.excesses.size(); ++e) {
      check_between(sums.labels[0].excesses[e], all.excess(asked.excesses[e].factor), 1e-12);
    }
    // If two values have equal prior probabilities, the best guess is right with probability (1 + total variation) / 2.
    check_between(sums.labels[0].guess, (Number(1) + all.excess(Number(1))) / Number(2), 1e-12);
    CHECK(sums.record_guess.lower <= sums.labels[0].guess.upper);
    CHECK(sums.record_guess.upper >= sums.labels[0].guess.lower);
  }
}

TEST_CASE("a value that no output reveals, a single value, and answers without noise") {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0"}}, {"c", {"0", "1"}}});
  const ChannelPtr exact = channel_of_rows({{Number(1), Number(0)}, {Number(0), Number(1)}});
  const Model model{domain,
                    std::make_shared<const ProductChannel>(
                        domain, std::vector<Factor>{{exact, {2}}, {randomized_response(Number::ratio(2, 3)), {2}}}),
                    Prior::uniform(domain)};
  Budget budget;
  std::vector<LabelSums> asked;
  for (std::size_t i = 0; i < 3; ++i) asked.push_back(everything_about(model, Partition::by_value(domain, i)));
  const OutputSums sums = sum_outputs(model, asked, true, budget);
  check_between(sums.labels[0].guess, Number::ratio(1, 2), 1e-13);
  CHECK(sums.labels[0].information.lower.is_zero());
  CHECK(sums.labels[0].information.upper.approx() < 1e-13);
  CHECK(sums.labels[1].guess.lower.is_one());
  CHECK(sums.labels[1].information.upper.is_zero());
  check_between(sums.labels[2].guess, Number(1), 1e-13);
  check_between(sums.labels[2].information, std::vector<WeightedLog>{{Number(1), Number(2)}}, 1e-13);
  check_sums(model, {}, 1e-12);
}

TEST_CASE("weights and entries that leave the range of doubles") {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}});
  const Number tiny = Number(1) / Number(10).pow(100), tinier = Number(1) / Number(10).pow(310);
  const ChannelPtr rare = channel_of_rows({{tinier, Number(1) - tinier}, {tiny, Number(1) - tiny}});
  Budget budget;
  Model model{domain,
              std::make_shared<const ProductChannel>(domain, std::vector<Factor>(4, {rare,
                                                                                     {
                                                                                         0,
                                                                                     }})),
              std::nullopt};
  model.prior = Prior::from_weights(domain, {Number(1), tiny, Number(1), Number(3)}, budget);
  check_sums(model, {}, 1e-12);
  model.prior = Prior::from_weights(domain, {Number(1), tiny, Number(1), tinier}, budget);
  const LabelSums asked = everything_about(model, Partition::by_value(domain, 1));
  CHECK_THROWS_AS(sum_outputs(model, std::span(&asked, 1), false, budget), LimitError);  // a weight below 2^-400
}

TEST_CASE("limits: rows, factors and time") {
  Budget budget;
  const Model model = repeated_bit(Number::ratio(2, 3), 3);
  LabelSums asked{Partition::by_value(model.domain, 0), false, false, {{0, 1, Number::exp_of(Number(300))}}};
  CHECK_THROWS_AS(sum_outputs(model, std::span(&asked, 1), false, budget), LimitError);
  std::vector<Coordinate> bits(17);
  for (std::size_t i = 0; i < 17; ++i) bits[i] = {"x" + std::to_string(i), {"0", "1"}};
  const Domain domain(bits);
  const Model wide{domain,
                   std::make_shared<const ProductChannel>(
                       domain, std::vector<Factor>{{randomized_response(Number::ratio(2, 3)), {0}},
                                                   {randomized_response(Number::ratio(2, 3)), {1}}}),
                   Prior::uniform(domain)};
  CHECK_THROWS_AS(sum_outputs(wide, {}, true, budget), LimitError);  // 2^17 rows
}

TEST_CASE("results do not depend on the number of threads") {
  Random random(484);
  for (int round = 0; round < 20; ++round) {
    const Model model = random_product(random, kinds_of_priors()[0], Entries::kRational);
    std::vector<LabelSums> asked;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      asked.push_back(everything_about(model, Partition::by_value(model.domain, i)));
    }
    std::optional<OutputSums> first;
    for (const std::size_t threads : {1, 3}) {
      Limits limits;
      limits.threads = threads;
      limits.microseconds_alone = 0;
      Budget budget(limits);
      const OutputSums sums = sum_outputs(model, asked, true, budget);
      if (!first) first = sums;
      CHECK(sums.record_information.lower == first->record_information.lower);
      CHECK(sums.record_information.upper == first->record_information.upper);
      CHECK(sums.likeliest == first->likeliest);
      for (std::size_t i = 0; i < asked.size(); ++i) {
        CHECK(sums.labels[i].guess.lower == first->labels[i].guess.lower);
        CHECK(sums.labels[i].information.upper == first->labels[i].information.upper);
      }
    }
  }
}

TEST_CASE("logarithms within the stated error") {
  Random random(485);
  const auto check = [](double x) {
    Ball exact(x);
    arb_log(exact.get(), exact.get(), Ball::kBits);
    const double error = 0x1p-49 + 0x1p-51 * std::abs(exact.above());
    const Number own = number_of(bounded_log(x));
    CHECK(own <= number_of(exact.above()) + number_of(error));
    CHECK(own >= number_of(exact.below()) - number_of(error));
  };
  for (int k = 0; k < effort(20000, 2000); ++k) {
    const double mantissa = 1 + static_cast<double>(below(random, std::uint64_t{1} << 52)) * 0x1p-52;
    check(std::ldexp(mantissa, static_cast<int>(below(random, 2000)) - 1000));
    check(mantissa);
    check(mantissa / 2);
  }
  for (int j = 0; j <= 256; ++j) {
    check(1 + j / 256.0);
    check(std::nextafter(1 + j / 256.0, 0));
  }
  CHECK(std::isfinite(bounded_log(0)));
}
