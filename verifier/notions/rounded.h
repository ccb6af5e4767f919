// Levels of a matrix that is known up to rounding (verifier/model/rounded_rows.h): bounds for all matrices of the set.
#pragma once

#include <string>

#include "base/budget.h"
#include "verifier/model/rounded_rows.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns the reason for what is not answered for printed matrices.
std::string not_supported_by_rounding(const std::string& what);

/// Returns why claims of this form are not bounded; empty if they are.
std::string complaint_about_rounding(const Notion& notion, const Arguments& arguments);

/// Decides a claim for all matrices of the set at once. Each level is between two numbers: no matrix of the set has a
/// level below the first, and one has the second. The bounds of a delta need not be attained. The witness shows the
/// first. Throws LimitError for claims that are
/// not bounded. The channel of the model is not used.
Decision decide_rounded(const Notion& notion, const Arguments& arguments, const Model& model, const RoundedRows& rows,
                        Budget& budget);

/// The same without a claim, for notions that can be measured.
Measured measure_rounded(const Notion& notion, const Model& model, const RoundedRows& rows, Budget& budget);

}  // namespace oddsbound::notions
