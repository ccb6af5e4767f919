// Dropped rays are combinations of the kept ones, so the maximum of a linear-fractional form over the kept rays is
// the same.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/engine/ray_hull.h"
#include "verifier/engine/simplicial_cone.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using Rays = std::vector<std::vector<Number>>;

RayCloud cloud_of(const Rays& rays) {
  RayCloud cloud;
  cloud.states = rays[0].size();
  for (const std::vector<Number>& ray : rays) {
    const Number sum = std::accumulate(ray.begin(), ray.end(), Number(0));
    for (const Number& entry : ray) cloud.entries.push_back((entry / sum).approx());
  }
  cloud.error = 0x1p-50;
  cloud.exact = [&rays](std::size_t r) { return rays[r]; };
  cloud.enclosed = [&rays](std::size_t r) { return std::vector<Interval>(rays[r].begin(), rays[r].end()); };
  return cloud;
}

// Maximum of (a . ray) / (b . ray) over some rays; nullopt if only b . ray is 0.
std::optional<Number> largest(const Rays& rays, const std::vector<std::size_t>& of, const std::vector<Number>& a,
                              const std::vector<Number>& b) {
  Number most;
  for (const std::size_t r : of) {
    Number above;
    Number below;
    for (std::size_t x = 0; x < a.size(); ++x) {
      above += a[x] * rays[r][x];
      below += b[x] * rays[r][x];
    }
    if (above.is_zero()) continue;
    if (below.is_zero()) return std::nullopt;
    most = std::max(most, above / below);
  }
  return most;
}

// Small integers: many rays are proportional or lie on an edge or a face, and many entries are 0.
Rays random_rays(Random& random, std::size_t states, std::uint64_t most) {
  Rays rays;
  for (std::uint64_t r = 1 + below(random, 30); r > 0; --r) {
    std::vector<Number> ray;
    for (std::size_t x = 0; x < states; ++x) ray.emplace_back(static_cast<std::int64_t>(below(random, most)));
    if (std::any_of(ray.begin(), ray.end(), [](const Number& entry) { return !entry.is_zero(); })) rays.push_back(ray);
  }
  rays.emplace_back(states, Number(1));
  return rays;
}

std::vector<std::size_t> all_of(const Rays& rays) {
  std::vector<std::size_t> all(rays.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

TEST_CASE("without the rays that are left out every ratio is as large") {
  Random random(81);
  Budget budget;
  std::size_t left_out = 0;
  for (int round = 0; round < effort(1500, 150); ++round) {
    CAPTURE(round);
    const std::size_t states = 1 + below(random, 5);
    const Rays rays = random_rays(random, states, 2 + below(random, 20));
    const NeededRays needed = needed_rays(cloud_of(rays), 1000, 0, budget);
    CHECK(needed.slack == 0);
    left_out += rays.size() - needed.rays.size();
    for (int k = 0; k < 10; ++k) {
      std::vector<Number> a;
      std::vector<Number> b;
      for (std::size_t x = 0; x < states; ++x) {
        a.emplace_back(static_cast<std::int64_t>(below(random, 5)));
        b.emplace_back(static_cast<std::int64_t>(below(random, 5)));
      }
      CHECK(largest(rays, needed.rays, a, b) == largest(rays, all_of(rays), a, b));
    }
  }
  CHECK(left_out > 0);
}

TEST_CASE("of every ray that is left out it is recorded of which others it is made") {
  Random random(83);
  Budget budget;
  std::size_t left_out = 0;
  for (int round = 0; round < effort(1000, 150); ++round) {
    CAPTURE(round);
    const std::size_t states = 1 + below(random, 5);
    const Rays rays = random_rays(random, states, 2 + below(random, 20));
    const RayCloud cloud = cloud_of(rays);
    const NeededRays needed = needed_rays(cloud, 1000, 1e-9, budget, true);
    CHECK(needed.slack <= 1e-9);
    std::vector<int> seen(rays.size());
    for (const std::size_t r : needed.rays) ++seen[r];
    for (const RedundantRay& out : needed.left_out) {
      ++seen[out.ray];
      for (std::size_t x = 0; x < states; ++x) {
        double sum = 0;
        for (std::size_t k = 0; k < out.of.size(); ++k) sum += out.weights[k] * cloud.ray(out.of[k])[x];
        CHECK(std::abs(cloud.ray(out.ray)[x] - sum) <= 1.01e-9 * sum);
      }
      for (const std::size_t r : out.of) CHECK(std::count(needed.rays.begin(), needed.rays.end(), r) == 1);
    }
    CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    left_out += needed.left_out.size();
  }
  CHECK(left_out > 0);
}

TEST_CASE("the rays that lead are those with the largest ratios between entries") {
  Random random(82);
  Budget budget;
  std::size_t left_out = 0;
  for (int round = 0; round < effort(500, 100); ++round) {
    CAPTURE(round);
    const std::size_t states = 1 + below(random, 4);
    const Rays rays = random_rays(random, states, 2 + below(random, 20));
    const std::vector<std::size_t> leading = leading_rays(cloud_of(rays), budget);
    left_out += rays.size() - leading.size();
    for (std::size_t from = 0; from < states; ++from) {
      for (std::size_t to = 0; to < states; ++to) {
        std::vector<Number> a(states);
        std::vector<Number> b(states);
        a[from] = Number(1);
        b[to] = Number(1);
        CHECK(largest(rays, leading, a, b) == largest(rays, all_of(rays), a, b));
      }
    }
  }
  CHECK(left_out > 0);
}

TEST_CASE("of points on a circle all are needed, of those within it none") {
  Rays rays;
  for (int k = 0; k < 24; ++k) {
    const std::int64_t t = k - 12;
    // A rational point of the circle by its slope, moved away from the origin.
    const Number scale = Number(1) / Number(1 + t * t);
    const Number x = Number(1 - t * t) * scale;
    const Number y = Number(2 * t) * scale;
    rays.push_back({Number(2) + x, Number(2) + y, Number(1)});
    rays.push_back({Number(2) + x * Number::ratio(9, 10), Number(2) + y * Number::ratio(9, 10), Number(1)});
  }
  Budget budget;
  const NeededRays needed = needed_rays(cloud_of(rays), 1000, 0, budget);
  std::vector<std::size_t> outer;
  for (std::size_t r = 0; r < rays.size(); r += 2) outer.push_back(r);
  CHECK(std::includes(needed.rays.begin(), needed.rays.end(), outer.begin(), outer.end()));
  // An inner point between two neighbors lies outside the polygon only if these are far apart.
  CHECK(needed.rays.size() <= outer.size() + 6);
  const NeededRays few = needed_rays(cloud_of(rays), 12, 0, budget);
  CHECK(few.rays.size() <= 12);
  CHECK(few.slack > 0);
  CHECK_THROWS_AS(needed_rays(cloud_of(rays), 2, 0, budget), LimitError);
}

TEST_CASE("rays that differ in the last bits only are told apart exactly") {
  const Number tiny = Number(1) / Number(10).pow(30);
  const Rays rays{
      {Number(1), Number(1)}, {Number(1) + tiny, Number(1)}, {Number(1), Number(1) + tiny}, {Number(2), Number(2)}};
  Budget budget;
  const NeededRays needed = needed_rays(cloud_of(rays), 1000, 0, budget);
  const std::vector<Number> a{Number(1), Number(0)};
  const std::vector<Number> b{Number(0), Number(1)};
  CHECK(largest(rays, needed.rays, a, b) == Number(1) + tiny);
  CHECK(largest(rays, needed.rays, b, a) == Number(1) + tiny);
}

TEST_CASE("a combination is recognized exactly") {
  Budget budget;
  const std::vector<Number> x{Number(1), Number(0), Number(1)};
  const std::vector<Number> y{Number(0), Number(1), Number(1)};
  CHECK(is_combination({x, y}, {Number(2), Number(3), Number(5)}, budget));
  CHECK(is_combination({x, y}, x, budget));
  CHECK_FALSE(is_combination({x, y}, {Number(2), Number(3), Number(4)}, budget));
  CHECK_FALSE(is_combination({x, y}, {Number(2), Number(-3), Number(-1)}, budget));
  CHECK_FALSE(is_combination({x, x}, x, budget));  // not independent: returns false
  const Number e = Number::exp_of(Number(1));
  CHECK(is_combination({x, y}, {e, e, e + e}, budget));
}

TEST_CASE("intervals say what is exactly so, or nothing") {
  Random random(83);
  Budget budget;
  int known = 0;
  int unknown = 0;
  const auto enclosed = [](const std::vector<Number>& ray) { return std::vector<Interval>(ray.begin(), ray.end()); };
  for (int round = 0; round < effort(2000, 300); ++round) {
    CAPTURE(round);
    const std::size_t states = 2 + below(random, 3);
    Rays rays;
    std::vector<std::vector<Interval>> intervals;
    std::vector<Number> vector(states);
    for (std::size_t k = 1 + below(random, states); k > 0; --k) {
      std::vector<Number>& ray = rays.emplace_back();
      const Number weight = Number(static_cast<std::int64_t>(below(random, 4)) - (below(random, 4) == 0 ? 1 : 0));
      for (std::size_t x = 0; x < states; ++x) {
        const std::int64_t part = static_cast<std::int64_t>(below(random, 4));
        ray.push_back(below(random, 3) == 0 ? Number(part) * Number::exp_of(Number(1)) : Number::ratio(part, 3));
        vector[x] += weight * ray.back();
      }
      intervals.push_back(enclosed(ray));
    }
    const std::optional<bool> found = is_combination(intervals, enclosed(vector), budget);
    if (found && *found) CHECK(is_combination(rays, vector, budget));
    if (found && !*found) CHECK_FALSE(is_combination(rays, vector, budget));
    (found ? known : unknown) += 1;
  }
  CHECK(known > 0);
  CHECK(unknown > 0);
}
