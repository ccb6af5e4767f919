// Delta of different independent answers, enclosed on a grid (verifier/engine/loss_grid.h): both ends, their relative
// gap, the processor time and the memory. Every part is randomized response, each at another level.
#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <memory>
#include <vector>

#include "bench/size.h"
#include "verifier/engine/refined_losses.h"

using namespace oddsbound;

namespace {

// Part k at the level log(1 + k width), each `times` times.
engine::LossProduct answers(std::int64_t parts, std::uint64_t times, const Number& width) {
  engine::LossProduct product;
  for (std::int64_t k = 1; k <= parts; ++k) {
    const Number ratio = Number(1) + Number(k) * width, lie = Number(1) / (ratio + Number(1)), truth = Number(1) - lie;
    const std::vector<Number> p{truth, lie}, q{lie, truth};
    product.push_back({std::make_shared<const engine::LossDistribution>(engine::LossDistribution::of(p, q)), times});
  }
  return product;
}

// The most that this process has had resident, in MB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void measure(const char* name, const engine::LossProduct& product, std::int64_t epsilon, double gap) {
  Budget budget;
  const std::clock_t start = std::clock();
  const auto found = engine::refined_losses({&product}, Number::exp_of(Number(epsilon)), gap, budget);
  const double time = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const auto [lower, upper] = found.bounds;
  const double left = upper.is_zero() ? 0 : ((upper - lower) / upper).approx();
  std::printf("| %s | %lld | %g | %.9g | %.9g | %.2g | %.3f s | %.0f MB |\n", name, static_cast<long long>(epsilon),
              gap, lower.approx(), upper.approx(), left, time, peak_memory());
}

}  // namespace

int main() {
  std::printf("| answers | epsilon | wanted gap | lower end | upper end | gap | time | peak memory |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
  const engine::LossProduct ten = answers(bench::sized(10, 3), 10, Number::ratio(1, 20));
  measure("ten levels, ten answers each", ten, 1, 1e-3);
  if (bench::is_tiny()) return 0;
  measure("ten levels, ten answers each", ten, 1, 1e-4);
  measure("ten levels, ten answers each", ten, 1, 1e-6);
  measure("ten levels, ten answers each", ten, 12, 1e-3);
  measure("twenty levels", answers(20, 1, Number::ratio(1, 100)), 1, 1e-3);
  measure("forty levels", answers(40, 1, Number::ratio(1, 100)), 1, 1e-3);
  measure("forty levels", answers(40, 1, Number::ratio(1, 100)), 4, 1e-6);
  measure("hundred levels", answers(100, 1, Number::ratio(1, 100)), 10, 1e-3);
  measure("hundred levels", answers(100, 1, Number::ratio(1, 100)), 10, 1e-6);
  measure("ten levels, a thousand answers each", answers(10, 1000, Number::ratio(1, 200)), 40, 1e-3);
  measure("one level, ten thousand times", answers(1, 10'000, Number(2)), 5683, 1e-6);
  measure("one level, a million times", answers(1, 1'000'000, Number::ratio(1, 100)), 80, 1e-6);
  measure("a thousand levels", answers(1000, 1, Number::ratio(1, 10000)), 5, 1e-3);
}
