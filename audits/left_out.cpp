#include "audits/left_out.h"

#include <algorithm>

namespace oddsbound::audits {

namespace {

bool should_hold(const ClaimedLevel& claim) { return claim.expect_holds; }

}  // namespace

std::vector<ClaimLeftOut> unasked_claims(const Spec& spec, const std::set<std::size_t>& asked) {
  std::vector<ClaimLeftOut> unasked;
  for (std::size_t i = 0; i < spec.claims.size(); ++i) {
    if (asked.contains(i)) continue;
    const notions::Notion& notion = *spec.claims[i].notion;
    unasked.push_back(
        {i, notion.name, notion.define ? "it compares no outputs at a finite level" : "it compares no probabilities"});
  }
  return unasked;
}

std::vector<ClaimLeftOut> leave_out(std::vector<Question>& questions, const Spec& spec) {
  std::vector<ClaimLeftOut> left_out;
  std::set<std::size_t> asked;
  for (const Question& question : questions) {
    const bool played = std::any_of(question.claims.begin(), question.claims.end(), should_hold);
    for (const ClaimedLevel& claim : question.claims) {
      asked.insert(claim.claim);
      if (!played) left_out.push_back({claim.claim, question.title(), "it is expected to be refuted"});
    }
  }
  for (ClaimLeftOut& claim : unasked_claims(spec, asked)) left_out.push_back(std::move(claim));
  std::erase_if(questions, [](const Question& question) {
    return std::none_of(question.claims.begin(), question.claims.end(), should_hold);
  });
  std::stable_sort(left_out.begin(), left_out.end(),
                   [](const ClaimLeftOut& a, const ClaimLeftOut& b) { return a.claim < b.claim; });
  return left_out;
}

}  // namespace oddsbound::audits
