// The number of people from which on steps of releases keep their promise, and simulations of it.

#include <doctest/doctest.h>
#include <cmath>

#include "mechanisms/sampler.h"
#include "releases/heavy_hitters.h"
#include "releases/release.h"
#include "releases/threshold.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::schema_of;

namespace {

HeavyHittersRequest hitters_request(const std::vector<std::size_t>& values, SmallRatio scale, std::uint64_t margin,
                                    SmallRatio share) {
  HeavyHittersRequest request{schema_of(values), {}, scale};
  request.attributes = every_coordinate(request.schema);
  request.count_scale = scale;
  request.margin = margin;
  request.share = share;
  return request;
}

// Records with the number of people that have each.
using Groups = std::vector<std::pair<std::vector<std::uint32_t>, std::uint64_t>>;

PeopleTable table_of(const Groups& groups) {
  std::vector<std::vector<std::uint32_t>> columns(groups[0].first.size());
  for (const auto& [record, count] : groups) {
    for (std::size_t i = 0; i < record.size(); ++i) columns[i].insert(columns[i].end(), count, record[i]);
  }
  return PeopleTable(std::move(columns));
}

std::vector<std::uint32_t> digits_of(std::uint64_t number, std::size_t digits) {
  std::vector<std::uint32_t> record;
  for (std::size_t i = digits; i > 0; --i) record.push_back(static_cast<std::uint32_t>(number >> (i - 1) & 1));
  return record;
}

// Records with numbers >= z have the label.
Groups labeled_from(std::uint64_t z, std::size_t digits, const std::vector<std::uint64_t>& counts) {
  Groups groups;
  for (std::uint64_t x = 0; x < counts.size(); ++x) {
    groups.emplace_back(digits_of(x, digits), counts[x]);
    groups.back().first.push_back(x >= z ? 1 : 0);
  }
  return groups;
}

Labeled people_of(const Domain& schema) {
  Labeled people{schema, every_coordinate(schema), schema.size() - 1};
  people.inputs.pop_back();
  return people;
}

// The request that a spec's epsilon and error are read as (releases/learning_steps.cpp).
ThresholdRequest threshold_request(std::size_t digits, std::uint64_t epsilon, SmallRatio error) {
  const Domain schema = schema_of(std::vector<std::size_t>(digits + 1, 2));
  const SmallRatio share{error.top, 100 * error.bottom};
  const SmallRatio scale = scale_for(parse_level(std::to_string(epsilon) + "/6"), levels_of(digits + 1, false), share);
  HeavyHittersRequest hitters{schema, {}, scale};
  hitters.count_scale = scale;
  hitters.margin = margin_for(scale, share);
  hitters.share = share;
  return {people_of(schema), error, {3, epsilon}, {6 * comparisons_for(digits), epsilon}, {epsilon, 6}, hitters};
}

std::uint64_t on_wrong_side(const Groups& groups, const std::vector<std::int64_t>& told) {
  std::uint64_t wrong = 0;
  for (const auto& [record, count] : groups) {
    bool from = true;
    for (std::size_t i = 0; i + 1 < record.size(); ++i) {
      if (record[i] == static_cast<std::uint32_t>(told[i])) continue;
      from = record[i] > static_cast<std::uint32_t>(told[i]);
      break;
    }
    if (from != (record.back() == 1)) wrong += count;
  }
  return wrong;
}

std::uint64_t people_in(const Groups& groups) {
  std::uint64_t people = 0;
  for (const auto& [record, count] : groups) people += count;
  return people;
}

// Fraction of runs in which the promise is broken.
template <typename Broken>
double broken_in(const Step& step, const Groups& groups, int runs, Broken broken) {
  const PeopleTable table = table_of(groups);
  int times = 0;
  for (int run = 0; run < runs; ++run) {
    const auto source = Randomness{12, static_cast<std::uint64_t>(run)}.source(0);
    times += broken(step.run(table, *source)) ? 1 : 0;
  }
  return static_cast<double>(times) / runs;
}

// Four digits, threshold 13. of_thousand/1000 of the people have number 12, as many have 13: the search must find
// 30. The first, middle and last number each have at least 3 of 10 people on the wrong side.
Groups hidden(std::uint64_t people, std::uint64_t of_thousand = 30) {
  const std::uint64_t near = share_above(of_thousand, 1'000, people), side = share_below(3, 10, people);
  std::vector<std::uint64_t> counts(16);
  counts[0] = people - 2 * near - 2 * side;
  counts[8] = counts[14] = side;
  counts[12] = counts[13] = near;
  return labeled_from(13, 4, counts);
}

}  // namespace

TEST_CASE("tails of the noise are those that its choices state") {
  for (const SmallRatio scale : {SmallRatio{1, 2}, {3, 1}, {401, 100}}) {
    for (std::int64_t least = -9; least <= 9; ++least) {
      CHECK(laplace_tail(scale, least) ==
            doctest::Approx(ClampedLaplace(scale, 1 - least, 1).probability(1).approx()).epsilon(1e-12));
    }
  }
}

// With a = e^(-1/scale), a combination whose count exceeds the first threshold by k fails a test with probability
// at most sum of a^(k - level * margin) / (1 + a). At most 1/share combinations have the fraction `share`. k is
// half the count, rounded down.
TEST_CASE("heavy hitters: the number of people from which on all of a share are found, by hand") {
  struct {
    std::vector<std::size_t> values;
    SmallRatio scale;
    std::uint64_t margin;
    SmallRatio share;
    std::uint64_t people;
  } const cases[] = {
      // 10 e^(-15/3) / (1 + e^(-1/3)) = 0.0393; with 14: 0.0548. A count of 30, from 291 people on.
      {{2, 2}, {3, 1}, 16, {1, 10}, 291},
      // 10 (2 e^(-40/4) + e^(-19/4)) / (1 + e^(-1/4)) = 0.0491; with 39: 0.0631. A count of 80.
      {{2, 2, 2, 2}, {4, 1}, 21, {1, 10}, 791},
      // 100 (2 e^(-59/4) + e^(-29/4)) / (1 + e^(-1/4)) = 0.0400; with 58: 0.0513. A count of 118.
      {{2, 2, 2, 2}, {4, 1}, 30, {1, 100}, 11'701},
      // At most 3 combinations have 3/10. 3 (2 e^(-31/4) + e^(-15/4)) / (1 + e^(-1/4)) = 0.0411; with 30: 0.0528.
      {{2, 3, 2}, {4, 1}, 16, {3, 10}, 204},
      // (2 e^(-23/4) + e^(-11/4)) / (1 + e^(-1/4)) = 0.0396; with 22: 0.0508.
      {{2, 2, 2, 2}, {4, 1}, 12, {1, 1}, 46},
      // 32 tests of pairs, 16 of fours, ..., 1 of all, whose threshold is higher by 105: k = 125.
      {std::vector<std::size_t>(64, 2), {402, 100}, 21, {1, 10}, 2'491},
  };
  for (const auto& one : cases) {
    const auto step = heavy_hitters_step(hitters_request(one.values, one.scale, one.margin, one.share));
    CHECK(step->promise()->people == one.people);
  }
  HeavyHittersRequest leaves = hitters_request({2, 2, 2, 2}, {4, 1}, 21, {1, 10});
  leaves.test_leaves = true;
  // 10 (4 e^(-61/4) + 2 e^(-40/4) + e^(-19/4)) / (1 + e^(-1/4)) = 0.0492.
  CHECK(heavy_hitters_step(leaves)->promise()->people == 1'211);
}

TEST_CASE(
    "heavy hitters: from that number on all of a share are found in 95 of 100 runs, and with half of it are not") {
  const HeavyHittersRequest request = hitters_request({2, 2, 2, 2}, {4, 1}, 21, {1, 10});
  const auto step = heavy_hitters_step(request);
  const auto part_missed = [&](std::uint64_t people) {
    // As many combinations as can have a tenth, each with just that fraction.
    const std::uint64_t each = share_above(1, 10, people), all = people / each;
    Groups groups{{{1, 1, 1, 1}, people - all * each}};
    for (std::uint64_t k = 0; k < all; ++k) groups.emplace_back(digits_of(k, 4), each);
    return broken_in(*step, groups, effort(20'000, 200), [&](const std::vector<std::int64_t>& told) {
      std::uint64_t found = 0;
      for (const Listed& one : listed_in(request, told)) {
        found += 8 * one.values[0] + 4 * one.values[1] + 2 * one.values[2] + one.values[3] < all ? 1 : 0;
      }
      return found < all;
    });
  };
  // It is 0.0475 for 800 people: 10 e^(-19/4) / (1 + e^(-1/4)), since pairs have larger counts here.
  const double deviation = std::sqrt(kMostBroken / effort(20'000, 200));
  for (const std::uint64_t people : {791u, 800u, 1'000u}) CHECK(part_missed(people) <= kMostBroken + 2 * deviation);
  CHECK(part_missed(800) >= 0.0475 - 3 * deviation);
  CHECK(part_missed(391) > kMostBroken);
}

TEST_CASE("heavy hitters that list nothing say how many people it takes, or how many have to have a combination") {
  HeavyHittersRequest request = hitters_request({2, 2}, {3, 1}, 16, {1, 10});
  const std::vector<std::int64_t> none{0}, one{1, 0, 0, 40};
  const std::string promised =
      "with 291 people or more, in at least 95 % of runs every combination that at least 0.1 of all people have is "
      "listed";
  CHECK(heavy_hitters_step(request)->notes(none, 1'000) == std::vector<std::string>{promised});
  CHECK(heavy_hitters_step(request)->notes(one, 291).empty());
  CHECK(heavy_hitters_step(request)->notes(one, 290) ==
        std::vector<std::string>{"290 people are too few to rely on it: " + promised});
  request.threshold = 100;
  // At most 8 combinations have 114 or more of 1,000 people: 8 e^(-14/3) / (1 + e^(-1/3)) = 0.0438. With 113: 0.0612.
  CHECK(heavy_hitters_step(request)->notes(none, 1'000) ==
        std::vector<std::string>{"in at least 95 % of runs every combination that at least 114 people have is listed"});
  CHECK(heavy_hitters_step(request)->notes(one, 1'000).empty());
  CHECK_FALSE(heavy_hitters_step(request)->promise());
}

TEST_CASE("lists are no longer on average than is said of them") {
  for (const std::uint64_t margin : {4u, 12u, 21u}) {
    const HeavyHittersRequest request = hitters_request({2, 3, 2, 2, 2}, {4, 1}, margin, {1, 10});
    const auto step = heavy_hitters_step(request);
    Groups groups{{{1, 2, 1, 1, 1}, 8}};
    for (std::uint32_t k = 0; k < 8; ++k) groups.push_back({{k & 1, 0, k >> 1 & 1, k >> 2, 0}, 5});
    const PeopleTable table = table_of(groups);
    double length = 0;
    const int runs = effort(2'000, 100);
    for (int run = 0; run < runs; ++run) {
      const auto source = Randomness{5, static_cast<std::uint64_t>(run)}.source(0);
      length += static_cast<double>(step->run(table, *source)[0]) / runs;
    }
    CHECK(length <= listed_on_average(request));
  }
  // Lemma 30: 8/nu, with a margin of scale * log(16/nu).
  const HeavyHittersRequest many = hitters_request(std::vector<std::size_t>(64, 2), {402, 100}, 21, {1, 10});
  CHECK(listed_on_average(many) <= 80);
}

TEST_CASE("thresholds: the number of people from which on the error is kept, by hand and computed apart") {
  // One digit: one comparison, of 0 with 3/40 of all people. With 67 people: e^(-6/2) / (1 + e^(-1/2)) = 0.0310;
  // 33 of them may be on the wrong side, and 16 count as few: 2 e^(-18/2) / (1 + e^(-1/2)) = 0.0002. With 66
  // people: e^(-5/2) / 1.6065 = 0.0511.
  const Domain schema = schema_of({2, 2});
  HeavyHittersRequest hitters{schema, {}, {1, 1}};
  hitters.count_scale = SmallRatio{1, 1};
  hitters.share = {1, 10};
  CHECK(threshold_step({people_of(schema), {1, 2}, {2, 1}, {2, 1}, {1, 1}, hitters})->promise()->people == 67);
  // tests/checker/threshold_people.py sums the same bounds, with the product for each u (57,134 for 16 digits).
  CHECK(threshold_step(threshold_request(4, 1, {1, 5}))->promise()->people == 16'167);
  CHECK(threshold_step(threshold_request(4, 20, {1, 5}))->promise()->people == 834);
  CHECK(threshold_step(threshold_request(16, 1, {1, 10}))->promise()->people == 57'201);
}

TEST_CASE("thresholds: from that number on the error is kept in 95 of 100 runs, and with half of it is not") {
  const auto step = threshold_step(threshold_request(4, 20, {1, 5}));
  const std::uint64_t enough = step->promise()->people.value();
  const auto part_broken = [&](const Groups& groups, int runs) {
    const std::uint64_t people = people_in(groups);
    return broken_in(*step, groups, runs,
                     [&](const std::vector<std::int64_t>& told) { return 5 * on_wrong_side(groups, told) > people; });
  };
  const int runs = effort(400, 10);
  for (const std::uint64_t people : {enough, enough + 1, enough + 33, 2 * enough}) {
    std::vector<std::uint64_t> even(16, people / 16), few(16), ends(16);
    even[3] += people % 16;
    // One person more than may be on the wrong side has the label.
    few[15] = few[1] = 0;
    few[14] = share_below(1, 5, people) + 1;
    few[0] = people - few[14];
    ends[7] = people / 2;
    ends[8] = people - ends[7];
    for (const std::uint64_t near : {18u, 22u, 24u, 26u, 28u, 30u, 33u}) {
      CHECK(part_broken(hidden(people, near), runs) <= kMostBroken);
    }
    for (const std::uint64_t z : {1u, 5u, 8u, 15u}) CHECK(part_broken(labeled_from(z, 4, even), runs) <= kMostBroken);
    CHECK(part_broken(labeled_from(14, 4, few), runs) <= kMostBroken);
    CHECK(part_broken(labeled_from(8, 4, ends), runs) <= kMostBroken);
  }
  CHECK(part_broken(hidden(enough / 2), runs) > kMostBroken);
  const auto digit = threshold_step(threshold_request(1, 1, {2, 5}));
  const std::uint64_t all = digit->promise()->people.value();
  for (const std::uint64_t z : {0u, 1u}) {
    for (const std::uint64_t first : {all / 3, all / 2, 2 * all / 3}) {
      const Groups groups = labeled_from(z, 1, {first, all - first});
      CHECK(broken_in(*digit, groups, 10 * runs, [&](const std::vector<std::int64_t>& told) {
              return 5 * on_wrong_side(groups, told) > 2 * all;
            }) <= kMostBroken);
    }
  }
}

TEST_CASE("thresholds: 3,000 people of four digits are too few for epsilon 1 and error 1/5, and this is said") {
  const auto step = threshold_step(threshold_request(4, 1, {1, 5}));
  const auto source = Randomness{1, 1}.source(0);
  const std::vector<std::int64_t> told = step->run(table_of(hidden(3'000)), *source);
  const std::vector<std::string> notes = step->notes(told, 3'000);
  REQUIRE(notes.size() == 1);
  CHECK(notes[0].find("3000 people are too few to rely on it: with " + std::to_string(*step->promise()->people) +
                      " people or more, in at least 95 % of runs at most 0.2 of all people are on the wrong side") ==
        0);
  CHECK(step->notes(told, *step->promise()->people).empty());
}

TEST_CASE("thresholds: where no prefix is found this is told, with one of the first, the middle and the last of all") {
  ThresholdRequest request = threshold_request(4, 1, {1, 5});
  request.label_scale = request.search_scale = request.hitters.scale = {1, 100};
  request.hitters.count_scale = SmallRatio{1, 100};
  request.rate = {100, 1};
  request.hitters.margin = 1;
  const Groups groups = hidden(1'000);
  const auto told_with = [&](std::uint64_t threshold) {
    request.hitters.threshold = threshold;
    const auto source = Randomness{2, 1}.source(0);
    return threshold_step(request)->run(table_of(groups), *source);
  };
  // 30 people on either side have the first digits 110.
  CHECK(told_with(0).back() == 0);
  CHECK(5 * on_wrong_side(groups, told_with(0)) <= 1'000);
  // Nothing is listed. The first number has 670 people on the wrong side, the middle and the last 330 each.
  const std::vector<std::int64_t> none = told_with(10'000);
  CHECK(none.back() == 1);
  CHECK((none == std::vector<std::int64_t>{1, 0, 0, 0, 1} || none == std::vector<std::int64_t>{1, 1, 1, 1, 1}));
  const std::vector<ToldNumber> answers = threshold_step(request)->answers(none, 1'000);
  REQUIRE(answers.size() == 2);
  CHECK(answers[1].about == "no prefix found: one of the first, middle and last of all");
  CHECK(threshold_step(request)->answers(told_with(0), 1'000).size() == 1);
}

TEST_CASE("points and distributions: from the number of people that they name on their promises are kept") {
  const SmallRatio scale = scale_for(parse_level("4"), levels_of(3, false), {1, 25});
  HeavyHittersRequest hitters = hitters_request({4, 4, 2}, scale, margin_for(scale, {1, 25}), {1, 25});
  hitters.window = 100;
  const auto point = point_step({people_of(hitters.schema), hitters});
  const std::uint64_t enough = point->promise()->people.value();
  CHECK(point->promise()->words.find("at most 0.2 of all people") == 0);
  for (const std::uint64_t people : {enough, enough + 7, 3 * enough}) {
    for (const auto& [with, others] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
             {share_above(1, 10, people), share_above(1, 10, people)}, {1, people / 3}, {people / 2, people / 9}}) {
      Groups groups{{{2, 3, 1}, with}};
      std::uint64_t left = people - with;
      for (std::uint32_t k = 0; left > 0 && k < 16; ++k) {
        if (k == 11) continue;
        const std::uint64_t count = k == 15 ? left : std::min(left, others);
        groups.push_back({{k / 4, k % 4, 0}, count});
        left -= count;
      }
      const auto broken = [&](const std::vector<std::int64_t>& told) {
        std::uint64_t wrong = 0;
        for (const auto& [record, count] : groups) {
          const bool here =
              record[0] == static_cast<std::uint32_t>(told[0]) && record[1] == static_cast<std::uint32_t>(told[1]);
          if (here != (record[2] == 1)) wrong += count;
        }
        return 5 * wrong > people;
      };
      CHECK(broken_in(*point, groups, effort(300, 10), broken) <= kMostBroken);
    }
  }
  const auto counted = distribution_step({hitters, false});
  const std::uint64_t people = counted->promise()->people.value();
  const std::uint64_t each = share_above(3, 25, people);
  Groups groups{{{0, 0, 1}, people - 8 * each}};
  for (std::uint32_t k = 0; k < 8; ++k) groups.push_back({{k / 2, 3 - k / 2, k % 2}, each});
  const auto missed = [&](const std::vector<std::int64_t>& told) { return counted->answers(told, people).size() < 8; };
  CHECK(broken_in(*counted, groups, effort(1'000, 10), missed) <= kMostBroken);
}

TEST_CASE("no number of people is named where none is known") {
  HeavyHittersRequest request = hitters_request({2, 2}, {1 << 20, 1}, 1, {1, 1 << 20});
  const auto step = heavy_hitters_step(request);
  CHECK_FALSE(step->promise()->people);
  CHECK(words_of(*step->promise(), 7).find("it is not known how many people are needed so that in at least 95 %") == 0);
  // A choice that hardly depends on the number on the wrong side; and comparisons too noisy for any number of people.
  ThresholdRequest blind = threshold_request(4, 1, {1, 5}), lost = blind;
  blind.rate = {1, std::uint64_t{1} << 40};
  lost.search_scale = {std::uint64_t{1} << 40, 1};
  CHECK_FALSE(threshold_step(blind)->promise()->people);
  CHECK_FALSE(threshold_step(lost)->promise()->people);
}
