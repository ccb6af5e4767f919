// `bench_sampling`: speed of samplers, against the bare speed of the source of the random words that they consume.
#include <chrono>
#include <cstdio>
#include <limits>

#include "bench/size.h"
#include "mechanisms/family.h"
#include "specs/spec.h"

namespace {

using namespace oddsbound;

const int kRounds = bench::sized(7, 1);

double nanoseconds(std::uint64_t count, const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
         static_cast<double>(count);
}

struct Workload {
  const char* what;
  const char* mechanism;
  int inputs;
  std::uint64_t draws;
};

Spec read(const Workload& item, Budget& budget) {
  const std::string text = R"j({"oddsbound": 1, "name": "bench", "domain": [{"name": "x", "size": )j" +
                           std::to_string(item.inputs) + R"j(}], "mechanism": )j" + item.mechanism + "}";
  return read_spec_text("bench", ".", text, budget);
}

struct DrawTimes {
  double draw = std::numeric_limits<double>::infinity();  // ns
  double word = std::numeric_limits<double>::infinity();  // ns
  double words_per_draw = 0;
};

// Runs the sampler and the bare source in turn; returns the minimum time over several rounds for both.
DrawTimes measure(const Workload& item, const Randomness& randomness) {
  Budget budget;
  const Spec spec = read(item, budget);
  std::vector<std::uint64_t> output(output_words(*spec.model.channel));
  const auto inputs = static_cast<std::uint64_t>(item.inputs);
  volatile std::uint64_t sink = 0;
  DrawTimes result;
  for (int round = 0; round < kRounds; ++round) {
    const auto source = randomness.source(static_cast<std::uint64_t>(round));
    const std::uint64_t draws = bench::sized(item.draws, std::uint64_t{100});
    const double draw = nanoseconds(draws, [&] {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < draws; ++i) {
        spec.mechanism.sampler->draw(i % inputs, *source, output);
        sum += output[0];
      }
      sink = sink + sum;
    });
    const std::uint64_t words = source->words_drawn();
    const double word = nanoseconds(words, [&] {
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < words; ++i) sum += source->word();
      sink = sink + sum;
    });
    result.draw = std::min(result.draw, draw);
    result.word = std::min(result.word, word);
    result.words_per_draw = static_cast<double>(words) / static_cast<double>(draws);
  }
  return result;
}

}  // namespace

int main() {
  const Workload cases[] = {
      {"k-randomized response, 100 inputs", R"j({"type": "k_randomized_response", "epsilon": "1"})j", 100, 2'000'000},
      {"Hadamard response, 1000 inputs", R"j({"type": "hadamard_response", "epsilon": "1"})j", 1000, 2'000'000},
      {"optimized unary encoding, 100 inputs", R"j({"type": "unary_encoding", "epsilon": "1"})j", 100, 100'000},
      {"subset selection, 20 inputs, 5 of them", R"j({"type": "subset_selection", "epsilon": "1", "size": 5})j", 20,
       200'000},
      {"local hashing, 100 inputs", R"j({"type": "optimized_local_hashing", "epsilon": "1"})j", 100, 2'000'000},
      {"truncated geometric, 100 inputs", R"j({"type": "truncated_geometric", "epsilon": "1/4"})j", 100, 1'000'000},
      {"discrete Laplace, scale 4, 100 inputs", R"j({"type": "discrete_laplace_truncated", "scale": 4})j", 100,
       200'000},
      {"discrete Gaussian, variance 4, 20 inputs", R"j({"type": "discrete_gaussian_truncated", "variance": 4})j", 20,
       200'000},
  };
  const std::pair<const char*, Randomness> sources[] = {{"system (OpenSSL)", {}}, {"seeded (Threefry)", {1, 1}}};
  std::printf(
      "| sampler | source | draws a second and core | a draw | random words in it | their bare cost | ratio |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const auto& [name, randomness] : sources) {
    for (const Workload& item : cases) {
      const DrawTimes m = measure(item, randomness);
      const double bare = m.words_per_draw * m.word;
      std::printf("| %s | %s | %.1f million | %.1f ns | %.2f | %.1f ns | %.1f |\n", item.what, name, 1e3 / m.draw,
                  m.draw, m.words_per_draw, bare, m.draw / bare);
    }
  }
}
