#include "audits/request_plan.h"

#include <algorithm>
#include <numeric>

#include "mechanisms/random/choice.h"

namespace oddsbound::audits {

namespace {

constexpr std::size_t kMostInputsAsked = 4;
constexpr std::uint64_t kMostSmallRequests = 256;  // of an input

std::uint64_t small_size(RandomSource& source) {
  const std::uint64_t sort = UniformBelow(16).run(source);
  if (sort < 6) return 1;
  if (sort < 9) return 2;
  return 3 + UniformBelow(kLargestSmallRequest - 2).run(source);
}

}  // namespace

std::vector<PlannedRequest> plan_requests(std::span<const Runs> runs, std::uint64_t runs_for_each,
                                          std::uint64_t cut_from, RandomSource& source) {
  std::vector<std::size_t> most(runs.size());
  std::iota(most.begin(), most.end(), std::size_t{0});
  std::stable_sort(most.begin(), most.end(),
                   [&](std::size_t a, std::size_t b) { return runs[a].count > runs[b].count; });
  std::vector<std::uint64_t> left;
  for (const Runs& part : runs) left.push_back(part.count);
  // A large request is a unit, or two that follow one another.
  std::vector<PlannedRequest> units;
  for (std::size_t i = 0; i < std::min(kMostInputsAsked, most.size()); ++i) {
    const Runs& part = runs[most[i]];
    const std::uint64_t requests = std::min(kMostSmallRequests, part.count / runs_for_each);
    for (std::uint64_t r = 0; r < requests; ++r) {
      const std::uint64_t size = small_size(source);
      if (size + 1 > left[most[i]]) break;
      left[most[i]] -= size;
      units.push_back({{part.input, size, part.who}, true, false});
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) units.push_back({{runs[i].input, left[i], runs[i].who}, false, false});
  for (std::size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[UniformBelow(i).run(source)]);
  std::vector<PlannedRequest> requests;
  for (PlannedRequest& unit : units) {
    const std::uint64_t count = unit.runs.count;
    if (unit.small || count < cut_from) {
      requests.push_back(std::move(unit));
      continue;
    }
    PlannedRequest second = unit;
    unit.runs.count = count - count / 2;
    second.runs.count = count / 2;
    second.second = true;
    requests.push_back(std::move(unit));
    requests.push_back(std::move(second));
  }
  return requests;
}

}  // namespace oddsbound::audits
