// Claims that nobody plays against.
#pragma once

#include <vector>

#include "audits/outcomes.h"
#include "audits/question.h"

namespace oddsbound::audits {

/// Takes the questions without a claim that should hold from the list, and says which claims go with them, and which no
/// question is about.
std::vector<ClaimLeftOut> leave_out(std::vector<Question>& questions, const Spec& spec);

/// Claims that none of these questions is about, and why.
std::vector<ClaimLeftOut> unasked_claims(const std::vector<Question>& questions, const Spec& spec);

}  // namespace oddsbound::audits
