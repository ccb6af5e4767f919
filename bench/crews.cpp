// Prints a table of the simulated times of runs by many processes (bench/crew_model.h):
//   bench_crews ONE_WAY PER_BYTE HANDLING (verify|analyze|audit) SPEC [RUNS]
// with the times of messages in seconds (bench_messages).
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "api/api.h"
#include "bench/crew_model.h"

using namespace oddsbound;

namespace {

constexpr std::size_t kCrews[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

struct Question {
  std::string command, spec;
  std::uint64_t runs = 0;
};

std::string answer(const Question& question, TaskScopes& group) {
  Context context;
  context.limits.threads = 1;
  context.limits.max_seconds = 1e5;
  context.limits.max_cells = std::uint64_t{1} << 32;
  context.limits.use_disjoint_parts = question.command != "verify";  // a pass over all columns, not a proof by cases
  context.limits.scopes = &group;
  if (question.command == "audit") {
    AuditRequest request;
    request.spec = question.spec;
    request.options.samples = question.runs;
    request.options.seed = 1;
    request.seed_given = true;
    return to_json(audit(std::vector<AuditRequest>{request}, context));
  }
  const std::vector<std::string> files{question.spec};
  return to_json(question.command == "verify" ? verify(files, {}, context) : analyze(files, {}, context));
}

void play(const Question& question, bench::Messages messages) {
  std::printf(
      "| processes | seconds | times faster | in rounds | leader alone | units' work | units | rounds | "
      "messages | kB |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  double of_one = 0;
  for (const std::size_t processes : kCrews) {
    bench::SimulatedGroup group(processes, messages);
    const double began = bench::processor_time();
    answer(question, group);
    const bench::GroupTimes& times = group.times();
    const double alone = bench::processor_time() - began - group.played();
    const double took = alone + times.rounds;
    if (processes == 1) of_one = took;
    std::printf("| %zu | %.2f | %.1f | %.2f | %.2f | %.2f | %llu | %llu | %llu | %llu |\n", processes, took,
                of_one / took, times.rounds, alone, times.units, static_cast<unsigned long long>(times.count),
                static_cast<unsigned long long>(times.rounds_count), static_cast<unsigned long long>(times.messages),
                static_cast<unsigned long long>(times.bytes / 1000));
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) {
    std::fprintf(stderr, "usage: bench_crews ONE_WAY PER_BYTE HANDLING (verify|analyze|audit) SPEC [RUNS]\n");
    return 2;
  }
  const bench::Messages messages{std::atof(argv[1]), std::atof(argv[2]), std::atof(argv[3])};
  play({argv[4], argv[5], argc > 6 ? std::strtoull(argv[6], nullptr, 10) : 0}, messages);
  return 0;
}
