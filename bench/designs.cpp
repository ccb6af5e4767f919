// `bench_designs`: the exact optimum against the bare solver in doubles, which proves neither optimality nor that
// its rows satisfy the constraints.
#include <cmath>
#include <cstdio>

#include "bench/float_solver.h"
#include "bench/size.h"
#include "bench/timing.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::designs;
using oddsbound::bench::seconds;

std::vector<LossTerm> charges_of(std::size_t inputs, const std::function<Number(std::size_t, std::size_t)>& loss) {
  std::vector<LossTerm> charges;
  for (std::size_t x = 0; x < inputs; ++x) {
    LossTerm charge{x, {}, Number::ratio(1, static_cast<std::int64_t>(inputs))};
    for (std::size_t y = 0; y < inputs; ++y) charge.losses.push_back(loss(x, y));
    charges.push_back(std::move(charge));
  }
  return charges;
}

Limit pairwise(std::size_t inputs, const Level& level) {
  Limit limit;
  limit.level = level;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    limit.sides.push_back({{x, Number(1)}});
    limit.names.push_back(std::to_string(x));
  }
  return limit;
}

// All pairs of inputs at level log(3); the loss is their distance on a line.
DesignProblem line(std::size_t inputs) {
  DesignProblem wanted{inputs, inputs, {}, false, {pairwise(inputs, Level::of_exponential(Number(3)))}, {Number(3)}};
  wanted.charges = charges_of(
      inputs, [](std::size_t x, std::size_t y) { return Number(static_cast<std::int64_t>(x < y ? y - x : x - y)); });
  for (std::size_t a = 0; a < inputs; ++a) {
    for (std::size_t b = 0; b < inputs; ++b) {
      if (a != b) wanted.limits[0].pairs.emplace_back(a, b);
    }
  }
  return wanted;
}

// Cells of a square grid, neighbors at log(3/2); the loss is the distance.
DesignProblem grid(std::size_t side) {
  const std::size_t inputs = side * side;
  const auto distance = [&](std::size_t x, std::size_t y) {
    const auto off = [](std::size_t a, std::size_t b) { return static_cast<std::int64_t>(a < b ? b - a : a - b); };
    return off(x / side, y / side) + off(x % side, y % side);
  };
  DesignProblem wanted{
      inputs, inputs, {}, false, {pairwise(inputs, Level::of_exponential(Number::ratio(3, 2)))}, {Number::ratio(3, 2)}};
  wanted.charges = charges_of(inputs, [&](std::size_t x, std::size_t y) { return Number(distance(x, y)); });
  for (std::size_t a = 0; a < inputs; ++a) {
    for (std::size_t b = 0; b < inputs; ++b) {
      if (distance(a, b) == 1) wanted.limits[0].pairs.emplace_back(a, b);
    }
  }
  return wanted;
}

void row(const char* what, const DesignProblem& wanted) {
  Number exact;
  double floating = 0;
  Budget budget{Limits{}};
  const double whole = seconds([&] { exact = least_loss(wanted, budget).value().loss; });
  const LpInstance posed = pose(wanted);
  const double bare = seconds([&] { floating = bench::least_loss_in_doubles(posed); });
  std::printf("| %s | %.2f s | %.2f s | %.1f times the time | %.1e |\n", what, whole, bare, whole / bare,
              std::abs(exact.approx() - floating));
}

}  // namespace

int main() {
  std::printf("| least loss | exactly | in doubles | | apart |\n| --- | --- | --- | --- | --- |\n");
  row("10 x 10 under LDP", line(10));
  if (bench::is_tiny()) return 0;
  row("40 x 40 under LDP", line(40));
  row("grid of 4 x 4 under d-privacy", grid(4));
  row("grid of 7 x 7 under d-privacy", grid(7));
}
