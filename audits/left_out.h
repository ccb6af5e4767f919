// Claims that nobody plays against.
#pragma once

#include <set>
#include <vector>

#include "audits/outcomes.h"
#include "audits/question.h"

namespace oddsbound::audits {

/// Takes the questions without a claim that should hold from the list, and says which claims go with them, and which no
/// question is about.
std::vector<ClaimLeftOut> leave_out(std::vector<Question>& questions, const Spec& spec);

/// Claims that no question is about, and why; asked: the indices of all others.
std::vector<ClaimLeftOut> unasked_claims(const Spec& spec, const std::set<std::size_t>& asked);

}  // namespace oddsbound::audits
