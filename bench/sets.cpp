// The cost of an uncertain prior: the level of a coordinate over each set that a spec names, against its level
// under the prior alone. bench_sets ATTRIBUTE SPEC... (survived specs/sets-of-priors/titanic-wrong-table.json)
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include "bench/timing.h"
#include "specs/spec.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/tolerance.h"

using namespace oddsbound;

namespace {

double least_seconds(const std::function<void()>& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 5; ++round) least = std::min(least, bench::seconds(work));
  return least;
}

bool rows_of(const Spec& spec, const std::string& attribute, Budget& budget) {
  const std::optional<std::size_t> coordinate = spec.model.domain.find(attribute);
  if (!coordinate) return false;
  const double alone = least_seconds([&] {
    MeasuredModel subject(spec.model, budget);
    bcdp_levels(subject);
  });
  for (const auto& [name, named] : spec.prior_sets) {
    MeasuredLevel level;
    const double time = least_seconds([&] {
      MeasuredModel subject(spec.model, budget);
      level = value_level_over(subject, *named.set, *coordinate);
    });
    std::printf("| %s, %s | %.6f | %.6f | %.1f ms | %.1f ms | %.1f |\n", spec.name.c_str(), name.c_str(),
                level.at_least.approx(), level.at_most().approx(), 1e3 * time, 1e3 * alone, time / alone);
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  Budget budget;
  std::printf(
      "| set | at least | at most | time | bcdp of the prior alone, all attributes | ratio |\n"
      "| --- | --- | --- | --- | --- | --- |\n");
  for (int i = 2; i < argc; ++i) {
    if (!rows_of(read_spec(argv[i], budget), argv[1], budget)) return 2;
  }
}
