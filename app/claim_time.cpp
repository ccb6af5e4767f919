#include "app/claim_time.h"

#include <algorithm>
#include <numeric>

#include "verifier/notions/notion.h"

namespace oddsbound::app {

namespace {

// 0: closed forms and structure; 1: searches that end before the time limit, so that later claims have some time;
// 2: work without an end of its own; 3: levels over sets of priors, which solve problems of kind 1 many times.
int cost_of(const Claim& claim) {
  if (claim.arguments.has(kForAll)) return 3;
  if (claim.notion->unbounded) return 2;
  return claim.notion->needs_prior || !claim.notion->measure ? 1 : 0;
}

}  // namespace

std::vector<std::size_t> cheap_first(const Spec& spec, std::span<const std::size_t> which) {
  std::vector<std::size_t> places(which.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return cost_of(spec.claims[which[a]]) < cost_of(spec.claims[which[b]]);
  });
  return places;
}

std::string work_of(const Spec& spec, std::size_t index, const MeasuredModel& subject, Engine engine) {
  const Claim& claim = spec.claims[index];
  if (spec.symbols || spec.rounded || engine == Engine::kSmt || claim.arguments.has(kForAll))
    return "claim " + std::to_string(index);
  if (claim.notion->expect && subject.can_enumerate()) return "pass";
  // Notions that sum over outputs: one pass answers all such claims (measures/shared_sums.h).
  if (claim.notion->expect && claim.notion->unbounded) return "sums over outputs";
  const std::vector<std::string> bounds = notions::bounds_of(*claim.notion, claim.arguments);
  std::string work = "notion " + claim.notion->name;
  for (const auto& [field, source] : claim.source) {
    const bool is_bound = std::find(bounds.begin(), bounds.end(), field) != bounds.end();
    if (!is_bound && claim.arguments.find_value(field) != nullptr) work.append(" ").append(field).append(source);
  }
  return work;
}

}  // namespace oddsbound::app
