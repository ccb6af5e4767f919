// `bench_table`: measures everything against its baseline in one run and prints the first table of docs/performance.md.
//
// Machines are shared and noisy, so the ratios matter: baseline and subject run in turn, and each takes its
// minimum time over several rounds.
#include <malloc.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "app/verify.h"
#include "bench/size.h"
#include "bench/timing.h"
#include "bench/workloads.h"
#include "mechanisms/k_randomized_response.h"
#include "reports/report.h"
#include "reports/text.h"
#include "verifier/measures/correlation.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/smt/refinement.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::bench;

struct Pair {
  double subject = std::numeric_limits<double>::infinity();
  double baseline = std::numeric_limits<double>::infinity();
};

Pair in_turn(int rounds, const std::function<void()>& subject, const std::function<void()>& baseline) {
  Pair best;
  for (int round = 0; round < rounds; ++round) {
    best.baseline = std::min(best.baseline, seconds(baseline));
    best.subject = std::min(best.subject, seconds(subject));
  }
  return best;
}

void row(const char* what, const char* against, const Pair& pair, const char* target) {
  const double ratio = pair.subject / pair.baseline;
  char text[64];
  if (ratio >= 0.5) {
    std::snprintf(text, sizeof text, "%.1f times the time", ratio);
  } else {
    std::snprintf(text, sizeof text, "%.0f times faster", 1 / ratio);
  }
  std::printf("| %s | %.1f ms | %s | %.1f ms | %s | %s |\n", what, 1e3 * pair.subject, against, 1e3 * pair.baseline,
              text, target);
}

long peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

}  // namespace

int main() {
  // The same settings as in cli/main.cpp.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  volatile double sink = 0;
  std::printf("| what | time | against | its time | ratio | aim |\n| --- | --- | --- | --- | --- | --- |\n");

  const Domain symbols = [] {
    Coordinate coordinate{"x", {}};
    for (int v = 0; v < sized(4096, 16); ++v) coordinate.values.push_back(std::to_string(v));
    return Domain({coordinate});
  }();
  const auto symbol_levels = [&] {
    Budget budget;
    const Model model{
        symbols, k_randomized_response::mechanism(symbols, Level::of_exponential(Number::exp_of(Number(1)))).channel,
        std::nullopt};
    MeasuredModel subject(model, budget);
    sink = sink + ldp_level(subject).at_least.approx() + cdp_levels(subject)[0].at_least.approx();
  };
  const long before = peak_memory_mb();
  const double symbol_time = seconds(symbol_levels);
  const long used = peak_memory_mb() - before;
  const Weights weights = random_weights();
  const std::vector<double> channel = double_channel(weights);
  const Model model = exact_model(weights);

  const auto exact_all = [&] {
    Budget budget;
    MeasuredModel subject(model, budget);
    const Analysis analysis = analyze(subject);
    sink = sink + analysis.level("ldp")->at_least.approx();
  };
  row("ldp, bdp, cdp, bcdp, correlation with witnesses, 1024 x 1024 rationals, 10 binary coordinates", "double loops",
      in_turn(9, exact_all, [&] { sink = sink + double_loops(weights, channel).ldp; }), "at most 5 times");

  const auto exact_bcdp = [&] {
    Budget budget;
    MeasuredModel subject(model, budget);
    sink = sink + bcdp_levels(subject)[0].at_least.approx();
  };
  row("bcdp alone", "Eigen, doubles", in_turn(9, exact_bcdp, [&] { sink = sink + eigen_bcdp(weights, channel)[0]; }),
      "at most 5 times");
  constexpr std::size_t kColumns = 16;
  Pair naive = in_turn(1, exact_bcdp, [&] { naive_mpq_bcdp(weights, kColumns); });
  naive.baseline *= static_cast<double>(kSize) / kColumns;
  row("bcdp alone", "sums of mpq (from 16 of the 1024 outputs)", naive, "at least 200 times faster");

  const auto exact_ldp = [&] {
    Budget budget;
    MeasuredModel subject(model, budget);
    sink = sink + ldp_level(subject).at_least.approx();
  };
  row("ldp alone", "a naive loop over pairs of inputs, doubles, 1/16 of it",
      in_turn(9, exact_ldp,
              [&] {
                double best = 0;
                for (std::size_t a = 0; a < kSize; a += 16) {
                  for (std::size_t b = 0; b < kSize; ++b) {
                    for (std::size_t y = 0; y < kSize; ++y)
                      best = std::max(best, channel[a * kSize + y] / channel[b * kSize + y]);
                  }
                }
                sink = sink + best;
              }),
      "about 3 ms");

  const std::string text = spec_text(weights);
  const auto path = std::filesystem::temp_directory_path() / "oddsbound-bench.json";
  std::ofstream(path) << text;
  const std::vector<std::string> files{path.string()};
  VerifyOptions options;
  options.decide_claims = false;
  row("analyze of the same from its file", "a bare nlohmann SAX pass",
      in_turn(
          5, [&] { sink = sink + static_cast<double>(text_analysis(evaluate_files(files, options), {}).size()); },
          [&] { sink = sink + static_cast<double>(bare_sax_pass(text)); }),
      "at most 3 times");
  std::filesystem::remove(path);

  row("ldp and cdp of k-randomized response, 4096 values, eps = 1", "filling 4096 x 4096 doubles",
      {symbol_time, seconds([&] {
         std::vector<double> matrix(std::size_t{4096} * 4096, 0.25);
         sink = sink + matrix[4095];
       })},
      "at most 1 s");
  for (auto [rows, columns, places] : {std::tuple(35, 25, 50), std::tuple(5, 7, 1250)}) {
    places = sized(places, 2);
    Limits limits;
    limits.max_cells = std::uint64_t{1} << 33;
    limits.use_disjoint_parts = false;
    Budget budget(limits);
    const Spec blocks = read_spec_text(
        "bench", ".",
        R"j({"oddsbound": 1, "name": "b", "domain": [{"name": "r", "size": )j" + std::to_string(rows) +
            R"j(}, {"name": "c", "size": )j" + std::to_string(columns) + R"j(}, {"name": "p", "size": )j" +
            std::to_string(places) +
            R"j(}], "mechanism": {"type": "block_hadamard_response", "blocks": ["r", "c"], "epsilon": "1"},
            "claims": [{"notion": "block_ldp", "blocks": ["r", "c"], "epsilon": "1"}]})j",
        budget);
    const auto all_levels = [&] {
      Budget fresh(limits);
      MeasuredModel subject(blocks.model, fresh);
      const Decision decision = blocks.claims[0].notion->decide(subject, blocks.claims[0].arguments);
      sink = sink + (decision.holds == Answer::kYes ? 1 : 0) + cdp_levels(subject)[2].at_least.approx();
    };
    const std::string what = "block_ldp, ldp and cdp of block Hadamard response by columns, 43,750 inputs in " +
                             std::to_string(rows) + " x " + std::to_string(columns) + " blocks";
    row(what.c_str(), "the largest of as many doubles",
        in_turn(1, all_levels,
                [&] {
                  std::vector<double> column(blocks.model.domain.inputs(), 0.5);
                  double largest = 0;
                  for (std::uint64_t y = 0; y < blocks.model.channel->outputs(); ++y) {
                    column[y % column.size()] = sink;
                    for (const double value : column) largest = std::max(largest, value);
                  }
                  sink = sink + largest;
                }),
        "at most 60 s");
  }
  const Refined refined = random_refinement();
  row("post_processing_of, 64 inputs and outputs, random rationals", "Eigen, LU in doubles",
      in_turn(
          3,
          [&] {
            const Refinement found = decide_refinement(refined.channel, refined.other, solve_with_z3, {60, 2048});
            sink = sink + (found.holds ? 1 : 0);
          },
          [&] { sink = sink + eigen_kernel(refined); }),
      "at most 10 s");
  std::printf("\nPeak memory of all of this: %ld MB.", peak_memory_mb());
  std::printf("\nMemory of k-randomized response: %ld MB (aim: at most 200 MB). File of the one before: %.1f MB.\n",
              used, static_cast<double>(text.size()) / 1e6);
}
