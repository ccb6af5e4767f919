// Learning from tables of people: exact losses never exceed the stated ones on all small tables, and the result is
// right where the data leave no doubt.

#include <doctest/doctest.h>
#include <random>

#include "releases/halfspace.h"
#include "releases/heavy_hitters.h"
#include "releases/release.h"
#include "releases/threshold.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::level_of;
using oddsbound::testing::release_of;
using oddsbound::testing::schema_of;

namespace {

Model walked(const Domain& schema, StepPtr step, std::size_t people) {
  Budget budget{Limits{}};
  const auto release = release_of(schema, {std::move(step)});
  return {domain_of_tables(schema, people), release_mechanism(release, people, budget).channel, std::nullopt};
}

// The inputs are all attributes except the last, which is the label.
Labeled labeled(const Domain& schema) {
  Labeled people{schema, every_coordinate(schema), schema.size() - 1};
  people.inputs.pop_back();
  return people;
}

HeavyHittersRequest hitters(const Domain& schema, std::uint64_t scale, std::uint64_t threshold) {
  HeavyHittersRequest request{schema, {}, {scale, 1}};
  request.count_scale = SmallRatio{scale, 1};
  request.threshold = threshold;
  return request;
}

StepPtr point(std::uint64_t threshold, SmallRatio share) {
  const Domain schema = schema_of({2, 2});
  PointRequest request{labeled(schema), hitters(schema, 2, threshold)};
  request.hitters.attributes = {0, 1};
  request.hitters.share = share;
  return point_step(request);
}

StepPtr threshold(std::size_t digits, std::uint64_t scale) {
  const Domain schema = schema_of(std::vector<std::size_t>(digits + 1, 2));
  ThresholdRequest request{labeled(schema), {1, 2}, {6, 1}, {12, 1}, {1, 12}, hitters(schema, scale, 0)};
  return threshold_step(request);
}

HalfspaceRequest halfspace(std::size_t inputs, std::vector<Weights> planes) {
  HalfspaceRequest request{labeled(schema_of(std::vector<std::size_t>(inputs + 1, 2)))};
  request.planes = std::move(planes);
  return request;
}

PeopleTable table_with(const std::vector<std::vector<std::uint32_t>>& people) {
  std::vector<std::vector<std::uint32_t>> columns(people[0].size());
  for (const std::vector<std::uint32_t>& person : people) {
    for (std::size_t i = 0; i < person.size(); ++i) columns[i].push_back(person[i]);
  }
  return PeopleTable(std::move(columns));
}

double about(const Level& level) { return level.approx(); }

}  // namespace

TEST_CASE("points: exact losses on tables of a few people, within what heavy hitters cost") {
  const Domain schema = schema_of({2, 2});
  struct {
    std::size_t people;
    std::uint64_t threshold;
    SmallRatio share;
    double input, label;
  } const instances[] = {
      {1, 0, {1, 10}, 0.961867, 0.883354}, {2, 0, {1, 10}, 1.043509, 0.959390}, {3, 1, {1, 3}, 1.150456, 1.133359}};
  for (const auto& one : instances) {
    const StepPtr step = point(one.threshold, one.share);
    const Model model = walked(schema, step, one.people);
    CHECK(about(level_of(model, schema, one.people, {0})) == doctest::Approx(one.input).epsilon(1e-5));
    CHECK(about(level_of(model, schema, one.people, {1})) == doctest::Approx(one.label).epsilon(1e-5));
    CHECK(step->loss({0}).pure == parse_level("3/2"));
    CHECK(level_of(model, schema, one.people, {0, 1}) <= step->loss({0, 1}).pure);
  }
}

TEST_CASE("thresholds: the ledger is the most over all paths of the search, and is never below what the code loses") {
  const StepPtr two = threshold(2, 8);
  CHECK(two->loss({2}).pure == parse_level("1"));
  CHECK(two->loss({0}).pure == parse_level("5/6"));
  CHECK(two->loss({1}).pure == parse_level("3/4"));
  for (const Attributes& set : std::vector<Attributes>{{0}, {1}, {2}, {0, 1}, {0, 2}, {0, 1, 2}}) {
    Loss parts;
    for (const CostPart& part : two->parts()) parts += part.of(set);
    CHECK(two->loss(set).pure <= parts.pure);
    CHECK(two->loss(set).rho <= parts.rho);
  }
  const StepPtr one = threshold(1, 4);
  const Domain schema = schema_of({2, 2});
  for (std::size_t people = 1; people <= 2; ++people) {
    const Model model = walked(schema, one, people);
    for (const Attributes& set : std::vector<Attributes>{{0}, {1}, {0, 1}}) {
      CHECK(level_of(model, schema, people, set) <= one->loss(set).pure);
    }
  }
}

TEST_CASE(
    "thresholds: few with the label are told as the last number, many as the first, and what lies between is found") {
  // Noise of scale 1/100 is practically 0.
  const Domain schema = schema_of({2, 2, 2});
  HeavyHittersRequest lists = hitters(schema, 1, 0);
  lists.scale = {1, 100};
  lists.count_scale = lists.scale;
  const StepPtr step = threshold_step({labeled(schema), {1, 2}, {1, 100}, {1, 100}, {100, 1}, lists});
  std::vector<std::vector<std::uint32_t>> people;
  for (std::uint32_t k = 0; k < 40; ++k) people.push_back({k / 2 % 2, k % 2, 0});
  SeededSource source(1, 0, 0);
  CHECK(step->run(table_with(people), source) == std::vector<std::int64_t>{1, 1, 0});
  for (std::vector<std::uint32_t>& person : people) person[2] = 1;
  CHECK(step->run(table_with(people), source) == std::vector<std::int64_t>{0, 0, 0});
  for (std::uint32_t z = 1; z < 4; ++z) {
    for (std::vector<std::uint32_t>& person : people) person[2] = 2 * person[0] + person[1] >= z ? 1 : 0;
    const std::vector<std::int64_t> told = step->run(table_with(people), source);
    std::size_t wrong = 0;
    for (const std::vector<std::uint32_t>& person : people) {
      wrong += (2 * person[0] + person[1] >= static_cast<std::uint32_t>(2 * told[0] + told[1])) != (person[2] == 1);
    }
    CHECK(2 * wrong <= people.size());
  }
}

TEST_CASE("halfspaces: exact losses on tables of a few people") {
  const std::vector<Weights> axes{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  struct {
    std::size_t inputs;
    std::vector<Weights> planes;
    std::uint64_t margin;
    std::size_t people;
    double input, label;
  } const instances[] = {
      {2, axes, 1, 1, 0.246154, 0.246154}, {2, axes, 1, 2, 0.261264, 0.262740}, {2, axes, 1, 3, 0.273326, 0.275833}};
  for (const auto& one : instances) {
    HalfspaceRequest request = halfspace(one.inputs, one.planes);
    request.margin = one.margin;
    const StepPtr step = halfspace_step(request);
    const Model model = walked(request.people.schema, step, one.people);
    CHECK(about(level_of(model, request.people.schema, one.people, {0})) == doctest::Approx(one.input).epsilon(1e-5));
    CHECK(about(level_of(model, request.people.schema, one.people, {2})) == doctest::Approx(one.label).epsilon(1e-5));
    CHECK(step->loss({2}).pure == parse_level("log(3)"));
    CHECK(step->loss({0, 1}).pure == parse_level("2"));
  }
  HalfspaceRequest cube = halfspace(3, planes_of(3, 3));
  std::erase_if(cube.planes, [](const Weights& plane) {
    return std::any_of(plane.begin(), plane.end(), [](std::int64_t w) { return w > 1 || w < -1; });
  });
  CHECK(cube.planes.size() == 26);
  cube.margin = 2;
  const Model model = walked(cube.people.schema, halfspace_step(cube), 1);
  CHECK(about(level_of(model, cube.people.schema, 1, {1})) == doctest::Approx(0.316517).epsilon(1e-5));
  CHECK(about(level_of(model, cube.people.schema, 1, {3})) == doctest::Approx(0.543170).epsilon(1e-5));
}

TEST_CASE("a flip of an input moves the score of no plane by more than what epsilon is divided by") {
  std::mt19937_64 random(7);
  const std::int64_t odds = 3;
  for (int k = 0; k < effort(20000, 2000, 300); ++k) {
    const std::size_t inputs = 1 + random() % 6;
    Weights plane;
    std::vector<int> x;
    for (std::size_t i = 0; i < inputs; ++i) {
      plane.push_back(static_cast<std::int64_t>(random() % 7) - 3);
      x.push_back(random() % 2 == 0 ? 1 : -1);
    }
    const std::int64_t margin = 1 + static_cast<std::int64_t>(random() % inputs),
                       inner = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(margin));
    const auto score = [&] {
      const auto near = [&](int y) {
        return std::clamp<std::int64_t>(margin - static_cast<std::int64_t>(flips_of(x, y, plane)), 0, margin - inner);
      };
      return odds * near(1) - near(-1);
    };
    const std::int64_t before = score();
    const std::size_t i = random() % inputs;
    x[i] = -x[i];
    CHECK(std::abs(score() - before) <= odds + (inner >= 1 ? 0 : 1));
  }
}

TEST_CASE("flips are counted as trying them all counts them") {
  std::mt19937_64 random(11);
  for (int k = 0; k < effort(2000, 300, 100); ++k) {
    const std::size_t inputs = 1 + random() % 5;
    Weights plane;
    std::vector<int> x;
    for (std::size_t i = 0; i < inputs; ++i) {
      plane.push_back(static_cast<std::int64_t>(random() % 7) - 3);
      x.push_back(random() % 2 == 0 ? 1 : -1);
    }
    const int y = random() % 2 == 0 ? 1 : -1;
    std::uint64_t least = inputs + 1;
    for (std::uint64_t set = 0; set < std::uint64_t{1} << inputs; ++set) {
      std::int64_t sum = 0;
      std::uint64_t flips = 0;
      for (std::size_t i = 0; i < inputs; ++i) {
        const bool flipped = (set >> i & 1) == 1;
        flips += flipped ? 1 : 0;
        sum += plane[i] * (flipped ? -x[i] : x[i]);
      }
      if ((sum >= 0 ? 1 : -1) != y) least = std::min(least, flips);
    }
    CHECK(flips_of(x, y, plane) == least);
  }
}

TEST_CASE("the corrected loss prefers what is right on average, where the published one prefers what is wrong") {
  // Of 10 people, 7 have (1, 1, 1, 1, 1) and label 1; 2 have (-1, -1, -1, 1, 1) and 1 has (-1, ..., -1), label -1.
  const std::vector<std::pair<std::vector<int>, int>> kinds{
      {{1, 1, 1, 1, 1}, 1}, {{-1, -1, -1, 1, 1}, -1}, {{-1, -1, -1, -1, -1}, -1}};
  const Number shares[] = {Number::ratio(7, 10), Number::ratio(2, 10), Number::ratio(1, 10)};
  const Weights majority{1, 1, 1, 1, 1}, constant{0, 0, 0, 0, 0};
  const Number odds = Number::exp_of(Number(1));
  const auto near = [](const std::vector<int>& x, int y, const Weights& plane) {
    return std::clamp<std::int64_t>(2 - static_cast<std::int64_t>(flips_of(x, y, plane)), 0, 1);
  };
  const auto published = [&](const Weights& plane) {
    Number sum(0);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const auto& [x, y] = kinds[k];
      sum += shares[k] * (odds * Number(near(x, y, plane)) + Number(near(x, -y, plane))) / (odds + Number(1));
    }
    return sum;
  };
  const auto corrected = [&](const Weights& plane) {
    Number sum(0);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const auto& [x, y] = kinds[k];
      // E[odds * u(x, drawn) - u(x, -drawn)] / (odds - 1).
      const Number with = Number(near(x, y, plane)), without = Number(near(x, -y, plane));
      const Number mean = (odds * (odds * with - without) + (odds * without - with)) / (odds + Number(1));
      sum += shares[k] * mean / (odds - Number(1));
    }
    return sum;
  };
  CHECK(corrected(majority) == Number::ratio(2, 10));
  CHECK(corrected(constant) == Number::ratio(3, 10));
  CHECK(published(majority) > published(constant));
  CHECK(published(majority).approx() == doctest::Approx(0.41515).epsilon(1e-4));
  CHECK(published(constant).approx() == doctest::Approx(0.40758).epsilon(1e-4));
}

TEST_CASE("a distribution tells what heavy hitters tell, without what too few have") {
  const Domain schema = schema_of({2, 2});
  HeavyHittersRequest request = hitters(schema, 1, 0);
  request.scale = {1, 100};
  request.count_scale = request.scale;
  request.attributes = {0, 1};
  request.share = {1, 4};
  std::vector<std::vector<std::uint32_t>> people(20, {0, 1});
  for (std::size_t p = 0; p < 9; ++p) people[p] = {1, 1};
  SeededSource source(1, 0, 0);
  for (const bool normalised : {false, true}) {
    const StepPtr step = distribution_step({request, normalised});
    const std::vector<ToldNumber> told = step->answers(step->run(table_with(people), source), people.size());
    REQUIRE(told.size() == 1);
    CHECK(told[0].about == "a=0, b=1");
    CHECK(*told[0].number == (normalised ? 20 : 11));
  }
}
