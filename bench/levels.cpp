// Google Benchmark over parts of the engine, for work on one of them.
#include <benchmark/benchmark.h>

#include "bench/workloads.h"
#include "verifier/measures/correlation.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::bench;

const Weights& weights() {
  static const Weights result = random_weights();
  return result;
}

const Model& model() {
  static const Model result = exact_model(weights());
  return result;
}

const std::vector<double>& channel() {
  static const std::vector<double> result = double_channel(weights());
  return result;
}

template <typename Measure>
void measure(benchmark::State& state, Measure measure_level) {
  model();
  for (auto _ : state) {
    Budget budget;
    MeasuredModel subject(model(), budget);
    benchmark::DoNotOptimize(measure_level(subject));
  }
}

void exact_ldp(benchmark::State& state) {
  measure(state, [](MeasuredModel& subject) { return ldp_level(subject); });
}
void exact_cdp(benchmark::State& state) {
  measure(state, [](MeasuredModel& subject) { return cdp_levels(subject); });
}
void exact_bcdp(benchmark::State& state) {
  measure(state, [](MeasuredModel& subject) { return bcdp_levels(subject); });
}
void exact_correlation(benchmark::State& state) {
  measure(state,
          [](MeasuredModel& subject) { return correlation(subject.domain(), subject.prior(), 3, subject.budget()); });
}
void double_levels(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(double_loops(weights(), channel()));
}
void intern_and_rank(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(exact_model(weights()));
}

BENCHMARK(exact_ldp)->Unit(benchmark::kMillisecond);
BENCHMARK(exact_cdp)->Unit(benchmark::kMillisecond);
BENCHMARK(exact_bcdp)->Unit(benchmark::kMillisecond);
BENCHMARK(exact_correlation)->Unit(benchmark::kMillisecond);
BENCHMARK(double_levels)->Unit(benchmark::kMillisecond);
BENCHMARK(intern_and_rank)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
