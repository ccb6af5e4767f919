// Making the mechanism that a request asks for.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/budget.h"
#include "design/program.h"
#include "design/result.h"
#include "design/spec.h"

namespace oddsbound::designs {

/// folder: where the spec will stand; empty: the current one. Throws SpecError for what is wrong with the request, and
/// LimitError past the budget.
designs::DesignResult run_design(const std::string& file, const std::string& folder, Budget& budget);

// The proof that comes with a designed mechanism, as JSON.

/// at_least: what is proven of the loss, or of how far some limit on losses is exceeded. row_names: by row.
std::string certificate_text(const designs::DesignFile& request, const std::vector<std::string>& row_names,
                             const designs::DesignProblem& wanted, const designs::Proof& proof, const Number& at_least,
                             bool conflict);

/// The limits and ceilings that a proof needs, in words.
std::vector<std::string> needed_by(const designs::DesignFile& request, const designs::DesignProblem& wanted,
                                   const designs::Proof& proof);

// What all ways of making a mechanism for a request have in common. For the files of runs only (heavy library).

/// The rows of the mechanism: one for all inputs that agree on what it reads.
struct ReadRows {
  std::vector<std::uint64_t> of_input;
  std::vector<std::string> names;  // what is read; no two are alike
};
ReadRows rows_of(const designs::DesignFile& request);

/// The mechanism's matrix in a spec: a row for each input.
nlohmann::ordered_json matrix_by_input(const ReadRows& rows, const designs::ShownMatrix& matrix);
/// The spec of what was made, with the constraints as claims. told: what was to be least, or most, and how much that
/// is.
nlohmann::ordered_json spec_of(const designs::DesignFile& request, const std::string& told,
                               nlohmann::ordered_json mechanism, const std::string& folder);

}  // namespace oddsbound::designs
