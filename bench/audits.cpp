// `bench_audits`: the cost of an audit against its sampler, and of an audited program against the program alone.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "audits/external.h"
#include "audits/findings.h"
#include "bench/size.h"
#include "bench/timing.h"

namespace {

using namespace oddsbound;
using oddsbound::bench::seconds;

const int kRounds = bench::sized(7, 1);
const std::uint64_t kSamples = bench::sized(10'000'000, 10'000);
constexpr std::uint64_t kInputs = 100;

Spec read(Budget& budget) {
  const std::string text = R"j({"oddsbound": 1, "name": "bench", "domain": [{"name": "x", "size": )j" +
                           std::to_string(kInputs) +
                           R"j(}], "mechanism": {"type": "k_randomized_response", "epsilon": "1"}})j";
  return read_spec_text("bench", ".", text, budget);
}

void row(const char* what, double time, const char* against, double other) {
  std::printf("| %s | %.1f million a second | %s | %.1f million a second | %.2f times the time |\n", what,
              static_cast<double>(kSamples) / time / 1e6, against, static_cast<double>(kSamples) / other / 1e6,
              time / other);
}

void built_in() {
  Budget budget;
  const Spec spec = read(budget);
  AuditOptions options;
  options.samples = kSamples;
  const SamplerPtr sampler = spec.mechanism.sampler_or_rows();
  double audit = std::numeric_limits<double>::infinity(), draw = audit, words = audit;
  volatile std::uint64_t sink = 0;
  for (int round = 0; round < kRounds; ++round) {
    options.seed = static_cast<std::uint64_t>(round);
    const auto runner = built_in_runner(spec, options.seed);
    audit = std::min(audit, seconds([&] { assess(spec, measure(spec, *runner, options, budget), options, budget); }));
    const auto source = Randomness{options.seed, 1}.source(0);
    draw = std::min(draw, seconds([&] {
                      std::uint64_t sum = 0;
                      std::uint64_t output = 0;
                      for (std::uint64_t i = 0; i < kSamples; ++i) {
                        sampler->draw(i % kInputs, *source, {&output, 1});
                        sum += output;
                      }
                      sink = sink + sum;
                    }));
    const std::uint64_t count = source->words_drawn();
    words = std::min(words, seconds([&] {
                       std::uint64_t sum = 0;
                       for (std::uint64_t i = 0; i < count; ++i) sum += source->word();
                       sink = sink + sum;
                     }));
  }
  row("an audit of 10,000,000 runs, start to report", audit, "the bare sampler, seeded", draw);
  row("the same", audit, "the bare random words of the sampler", words);
}

constexpr const char* kProgram =
    "import json, random, sys\n"
    "labels = [str(i) for i in range(100)]\n"
    "weights = {x: [2.718281828 if y == x else 1 for y in labels] for x in labels}\n"
    "for line in sys.stdin:\n"
    "    r = json.loads(line)\n"
    "    g = random.Random(r['seed'])\n"
    "    print(json.dumps({'outputs': g.choices(labels, weights[r['input'][0]], k=r['count'])}), flush=True)\n";

double children_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds_of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

// An audit of the program, against the program alone with the same requests from a file and its answers discarded.
void external() {
  Budget budget;
  const Spec spec = read(budget);
  AuditOptions options;
  options.samples = kSamples;
  const std::string folder = "/tmp/oddsbound-bench";
  if (std::system(("mkdir -p " + folder).c_str()) != 0) return;
  FILE* file = std::fopen((folder + "/sampler.py").c_str(), "w");
  std::fputs(kProgram, file);
  std::fclose(file);
  const std::string command = "/usr/bin/python3 " + folder + "/sampler.py";
  const std::string kept = "tee " + folder + "/requests | " + command;
  const auto run = [&](const std::string& program) {
    DependenceWatch watch(*spec.model.channel, 0.001, budget);
    const auto runner = external_runner(spec, {program, {}, false}, 1, &watch, budget);
    assess(spec, measure(spec, *runner, options, budget), options, budget);
  };
  run(kept);  // keeps the requests of the last run
  double audit = std::numeric_limits<double>::infinity(), alone = audit, busy = 0;
  for (int round = 0; round < std::min(kRounds, 3); ++round) {
    const double before = children_seconds();
    const double time = seconds([&] { run(command); });
    audit = std::min(audit, time);
    busy = std::max(busy, (children_seconds() - before) / time);
    const std::string bare = command + " < " + folder + "/requests > /dev/null";
    alone = std::min(alone, seconds([&] {
                       if (std::system(bare.c_str()) != 0) std::exit(1);
                     }));
  }
  row("an audit of a Python program, 10,000,000 runs", audit, "the program alone, its answers thrown away", alone);
  std::printf("| the same | | the program's own processor time | | %.0f %% of the audit's time |\n", 100 * busy);
}

}  // namespace

int main() {
  std::printf("| what | runs | against | its runs | ratio |\n| --- | --- | --- | --- | --- |\n");
  built_in();
  external();
}
