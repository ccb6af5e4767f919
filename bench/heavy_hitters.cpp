// Accuracy and time of heavy hitters: five patterns that 15 % of all people have each, the rest random; level 1
// per attribute; combinations of a tenth are searched for. For comparison, scale 8.03: the noise required if the
// paper's proof is repaired by counting every test of a chain.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <set>

#include "bench/size.h"
#include "bench/timing.h"
#include "mechanisms/random/source.h"
#include "mechanisms/sampler.h"
#include "releases/heavy_hitters.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;

namespace {

constexpr std::size_t kPatterns = 5;
constexpr SmallRatio kShare{1, 10};

Domain bits(std::size_t attributes) {
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < attributes; ++i) coordinates.push_back({"a" + std::to_string(i), {"0", "1"}});
  return Domain(std::move(coordinates));
}

struct People {
  PeopleTable table;
  std::vector<std::vector<std::int64_t>> patterns;
  std::vector<std::int64_t> counts;
};

People people_of(std::size_t attributes, std::size_t people, std::mt19937_64& random) {
  std::vector<std::vector<std::int64_t>> patterns(kPatterns, std::vector<std::int64_t>(attributes));
  for (auto& pattern : patterns) {
    for (std::int64_t& bit : pattern) bit = static_cast<std::int64_t>(random() & 1);
  }
  std::vector<std::vector<std::uint32_t>> columns(attributes, std::vector<std::uint32_t>(people));
  std::vector<std::int64_t> counts(kPatterns);
  for (std::size_t p = 0; p < people; ++p) {
    const auto kind = static_cast<std::size_t>(random() % 100) / 15;
    if (kind < kPatterns) ++counts[kind];
    for (std::size_t i = 0; i < attributes; ++i) {
      columns[i][p] =
          static_cast<std::uint32_t>(kind < kPatterns ? patterns[kind][i] : static_cast<std::int64_t>(random() & 1));
    }
  }
  return {PeopleTable(std::move(columns)), std::move(patterns), std::move(counts)};
}

struct Outcome {
  bool all_found = false;
  double error = 0, listed = 0, tests = 0;
};

Outcome outcome_of(const HeavyHittersRequest& request, const People& people, std::uint64_t seed) {
  const auto source = Randomness{seed, 1}.source(0);
  const std::vector<std::int64_t> told = heavy_hitters_step(request)->run(people.table, *source);
  const std::size_t width = request.attributes.size() + 1, listed = static_cast<std::size_t>(told[0]);
  Outcome outcome{true, 0, static_cast<double>(listed), static_cast<double>(told.size() - 1 - listed * width)};
  for (std::size_t k = 0; k < kPatterns; ++k) {
    bool found = false;
    for (std::size_t l = 0; l < listed; ++l) {
      const auto row = told.begin() + static_cast<std::ptrdiff_t>(1 + l * width);
      if (!std::equal(people.patterns[k].begin(), people.patterns[k].end(), row)) continue;
      found = true;
      outcome.error = std::max(
          outcome.error, std::abs(static_cast<double>(row[static_cast<std::ptrdiff_t>(width) - 1] - people.counts[k])));
    }
    outcome.all_found = outcome.all_found && found;
  }
  return outcome;
}

HeavyHittersRequest request_of(std::size_t attributes, SmallRatio scale) {
  HeavyHittersRequest request{bits(attributes)};
  request.attributes = every_coordinate(request.schema);
  request.scale = scale;
  request.count_scale = scale;
  request.margin = margin_for(scale, kShare);
  request.share = kShare;
  request.window = 1'000'000;
  request.lists = true;
  return request;
}

SmallRatio scale_of(std::size_t attributes) {
  return scale_for(parse_level("1"), levels_of(attributes, false), kShare);
}

void row_of(std::size_t attributes, std::size_t people, SmallRatio scale) {
  const int runs = bench::sized(30, 1);
  const HeavyHittersRequest request = request_of(attributes, scale);
  std::mt19937_64 random(4);
  int found = 0;
  double error = 0, listed = 0, tests = 0;
  for (int run = 0; run < runs; ++run) {
    const Outcome outcome = outcome_of(request, people_of(attributes, people, random), static_cast<std::uint64_t>(run));
    found += outcome.all_found ? 1 : 0;
    if (outcome.all_found) error = std::max(error, outcome.error);
    listed += outcome.listed / runs;
    tests += outcome.tests / runs;
  }
  std::printf("| %zu | %zu | %.2f | %d of %d | %s | %.1f | %.0f |\n", attributes, people, scale.number().approx(),
              found, runs, found == 0 ? "" : std::to_string(error / static_cast<double>(people)).c_str(), listed,
              tests);
}

}  // namespace

int main() {
  std::printf("| attributes | people | scale | all five found | largest error / people | listed | tests |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [attributes, people] : {std::pair{16, 1000}, {16, 2000}, {64, 2000}, {64, 5000}}) {
    const auto d = static_cast<std::size_t>(attributes), n = static_cast<std::size_t>(people);
    row_of(d, n, scale_of(d));
    row_of(d, n, {803, 100});
  }
  const std::size_t many = bench::sized(1'000'000, 1000);
  constexpr std::size_t kAttributes = 64;
  std::mt19937_64 random(5);
  const People people = people_of(kAttributes, many, random);
  const HeavyHittersRequest request = request_of(kAttributes, scale_of(kAttributes));
  const double found = bench::seconds([&] { outcome_of(request, people, 1); });
  // A lower bound for any algorithm: it reads every value of every column once.
  std::uint64_t ones = 0;
  const double read = bench::seconds([&] {
    for (std::size_t i = 0; i < kAttributes; ++i) {
      for (const std::uint32_t value : people.table.column(i)) ones += value;
    }
  });
  std::printf("\n%zu people, %zu attributes: %.2f s, %.1f times what counting every attribute's ones takes (%llu)\n",
              many, kAttributes, found, found / read, static_cast<unsigned long long>(ones));
}
