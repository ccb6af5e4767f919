// `block_experiment`: the synthetic comparison of the context-aware LDP paper, Section 7. Hadamard response on k = 1000
// symbols at eps = 1 against its block-structured variant with m blocks, for several distributions and numbers of
// samples; writes CSV. bench/plot_blocks.py draws it.
//
//   block_experiment > blocks.csv && python3 bench/plot_blocks.py blocks.csv blocks.svg
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "bench/distributions.h"
#include "bench/size.h"
#include "mechanisms/family.h"
#include "specs/spec.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::bench;

const std::uint64_t kSymbols = sized(1000, 100);
const int kDoublings = sized(10, 1);

Distribution from_formula(double (*weight)(double)) {
  Distribution weights;
  for (std::uint64_t i = 0; i < kSymbols; ++i) weights.push_back(weight(static_cast<double>(i)));
  return normalised(std::move(weights));
}

// The heavy symbols spread over the blocks: 389 has no factor in common with 1000.
Distribution spread(const Distribution& given) {
  Distribution result(kSymbols);
  for (std::uint64_t i = 0; i < kSymbols; ++i) result[i * 389 % kSymbols] = given[i];
  return result;
}

Spec scheme(std::uint64_t blocks, Budget& budget) {
  const std::string mechanism = blocks == 1
                                    ? R"j({"type": "hadamard_response", "epsilon": "1"})j"
                                    : R"j({"type": "block_hadamard_response", "blocks": ["block"], "epsilon": "1"})j";
  const std::string text = R"j({"oddsbound": 1, "name": "experiment", "domain": [{"name": "block", "size": )j" +
                           std::to_string(blocks) + R"j(}, {"name": "symbol", "size": )j" +
                           std::to_string(kSymbols / blocks) + "}], \"mechanism\": " + mechanism + "}";
  return read_spec_text("experiment", ".", text, budget);
}

std::vector<std::uint64_t> draw_outputs(const Spec& spec, const Distribution& truth, std::uint64_t n,
                                        RandomSource& source) {
  std::vector<double> steps(kSymbols);
  std::partial_sum(truth.begin(), truth.end(), steps.begin());
  std::vector<std::uint64_t> counts(spec.model.channel->outputs());
  std::uint64_t output = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = static_cast<double>(source.word() >> 11) * 0x1p-53;
    spec.mechanism.sampler->draw(place_in(steps, u), source, {&output, 1});
    ++counts[output];
  }
  return counts;
}

// The estimators' weights as doubles, for the outputs that carry any: [symbol][(output, weight)].
using Weights = std::vector<std::vector<std::pair<std::uint64_t, double>>>;

Weights weights_of(const Spec& spec) {
  Weights weights(kSymbols);
  for (std::uint64_t j = 0; j < kSymbols; ++j) {
    for (std::uint64_t y = 0; y < spec.model.channel->outputs(); ++y) {
      const double weight = spec.mechanism.estimator->weight(j, {&y, 1}).approx();
      if (weight != 0) weights[j].emplace_back(y, weight);
    }
  }
  return weights;
}

Distribution estimate(const Weights& weights, const std::vector<std::uint64_t>& counts, std::uint64_t n) {
  Distribution result;
  for (const auto& row : weights) {
    double sum = 0;
    for (const auto& [y, weight] : row) sum += weight * static_cast<double>(counts[y]);
    result.push_back(sum / static_cast<double>(n));
  }
  return result;
}

}  // namespace

// block_experiment [REPETITIONS]
int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : sized(10, 1);
  const Distribution geometric = from_formula([](double i) { return std::pow(0.95, i); });
  const std::pair<const char*, Distribution> distributions[] = {
      {"geometric", geometric},
      {"geometric spread", spread(geometric)},
      {"zipf", from_formula([](double i) { return 1 / (i + 1); })},
      {"uniform", from_formula([](double) { return 1.0; })},
  };
  std::printf("distribution,blocks,samples,tv_error,tv_error_projected\n");
  std::uint64_t stream = 0;
  for (const std::uint64_t blocks : {1, 10, 20, 50, 100}) {
    Budget budget;
    const Spec spec = scheme(blocks, budget);
    const Weights weights = weights_of(spec);
    for (const auto& [name, truth] : distributions) {
      for (int doubling = 0; doubling < kDoublings; ++doubling) {
        const std::uint64_t n = std::uint64_t{1000} << doubling;
        double error = 0;
        double projected_error = 0;
        for (int repetition = 0; repetition < repetitions; ++repetition) {
          SeededSource source(1, 7, stream++);
          const Distribution found = estimate(weights, draw_outputs(spec, truth, n, source), n);
          error += distance(found, truth) / repetitions;
          projected_error += distance(projected(found), truth) / repetitions;
        }
        std::printf("%s,%llu,%llu,%.6f,%.6f\n", name, static_cast<unsigned long long>(blocks),
                    static_cast<unsigned long long>(n), error, projected_error);
      }
    }
  }
}
