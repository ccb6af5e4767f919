#include "runs/claim_limits.h"

#include "verifier/notions/over_set.h"

namespace oddsbound::runs {

void add_limits(const Model& model, const specs::Claim& claim, std::size_t number, ClaimLimits& all) {
  if (const auto* for_all = claim.arguments.find_if<ForAll>(kForAll)) {
    std::vector<smt::OverSet> compared = notions::compared_over_set(model.domain, claim.arguments);
    for (smt::OverSet& one : compared) {
      if (!one.level.is_infinite()) all.over_sets.push_back({number, for_all->set, std::move(one), compared.size()});
    }
    return;
  }
  if (claim.notion->limit_guesses) {
    const notions::LimitedGuesses limited = claim.notion->limit_guesses(claim.arguments);
    if (limited.level.is_infinite()) return;
    all.limits.push_back(optimal::limit_of_guesses(model, limited.coordinate, limited.level, number));
    return;
  }
  const LookedAt inputs(model.domain);
  std::vector<optimal::Limit> limits =
      optimal::limits_of(model, claim.notion->define(model, claim.arguments, inputs), number);
  optimal::leave_out_implied(limits);
  for (optimal::Limit& limit : limits) all.limits.push_back(std::move(limit));
}

}  // namespace oddsbound::runs
