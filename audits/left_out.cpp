#include "audits/left_out.h"

#include <algorithm>

namespace oddsbound::audits {

namespace {

bool should_hold(const ClaimedLevel& claim) { return claim.expect_holds; }

std::string why_unasked(const Claim& claim) {
  if (!claim.notion->define) return "it compares no probabilities";
  if (claim.arguments.has(kForAll)) return "it is about other priors than the spec's";
  return claim.arguments.has_roots() ? "its level has a square root in it, and audits compute with numbers"
                                     : "it compares no outputs at a finite level";
}

}  // namespace

std::vector<ClaimLeftOut> unasked_claims(const std::vector<Question>& questions, const Spec& spec) {
  std::vector<bool> asked(spec.claims.size(), false);
  for (const Question& question : questions) {
    for (const ClaimedLevel& claim : question.claims) asked[claim.claim] = true;
  }
  std::vector<ClaimLeftOut> unasked;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i]) continue;
    unasked.push_back({i, spec.claims[i].notion->name, why_unasked(spec.claims[i])});
  }
  return unasked;
}

std::vector<ClaimLeftOut> leave_out(std::vector<Question>& questions, const Spec& spec) {
  std::vector<ClaimLeftOut> left_out = unasked_claims(questions, spec);
  for (const Question& question : questions) {
    if (std::any_of(question.claims.begin(), question.claims.end(), should_hold)) continue;
    for (const ClaimedLevel& claim : question.claims) {
      left_out.push_back({claim.claim, question.title(), "it is expected to be refuted"});
    }
  }
  std::erase_if(questions, [](const Question& question) {
    return std::none_of(question.claims.begin(), question.claims.end(), should_hold);
  });
  std::stable_sort(left_out.begin(), left_out.end(),
                   [](const ClaimLeftOut& a, const ClaimLeftOut& b) { return a.claim < b.claim; });
  return left_out;
}

}  // namespace oddsbound::audits
