// Runs a design request: reads it, solves it, and writes the spec and the certificate.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/budget.h"
#include "design/program.h"
#include "design/result.h"
#include "design/spec.h"

namespace oddsbound::designs {

/// Returns the designed mechanism. folder: the folder of the spec; empty: the current one. Throws SpecError for
/// errors in the request, and LimitError past the budget.
DesignResult run_design(const std::string& file, const std::string& folder, Budget& budget);

// The certificate of a designed mechanism, as JSON.

/// Returns the text. at_least: the proven bound on the loss or, for a conflict, on the excess over some limit on
/// losses. row_names: by row.
std::string certificate_text(const DesignFile& request, const std::vector<std::string>& row_names,
                             const DesignProblem& wanted, const Proof& proof, const Number& at_least, bool conflict);

/// Returns the constraints and limits on losses that a proof uses, in words.
std::vector<std::string> needed_by(const DesignFile& request, const DesignProblem& wanted, const Proof& proof);

// Shared by all ways to run a request. Only for the run files: nlohmann/json is a heavy include.

/// The rows of the mechanism: one for all inputs that agree on the coordinates that it reads.
struct ReadRows {
  std::vector<std::uint64_t> of_input;
  std::vector<std::string> names;  // the values that are read; distinct
};
ReadRows rows_of(const DesignFile& request);

/// Returns the mechanism's matrix for a spec, with one row per input.
nlohmann::ordered_json matrix_by_input(const ReadRows& rows, const ShownMatrix& matrix);
/// Returns the spec of the mechanism, with the constraints as claims. told: the objective and its value.
nlohmann::ordered_json spec_of(const DesignFile& request, const std::string& told, nlohmann::ordered_json mechanism,
                               const std::string& folder);

}  // namespace oddsbound::designs
