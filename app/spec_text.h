// Writes specs as text with one line per coordinate and claim, and specs made of computed mechanisms and priors.
// Include only in files of app (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "reports/spec_result.h"
#include "specs/json_document.h"
#include "specs/spec.h"
#include "verifier/exact/number.h"

namespace oddsbound::app {

/// Returns the spec as the text of a file. Throws ModelError for a string that is not UTF-8.
std::string spec_text(const nlohmann::ordered_json& spec);

/// Returns the name of a file as a spec in `folder` (empty: the current one) refers to it. Computed from the names
/// alone, because specs do not follow links.
std::string name_from(const std::string& folder, const std::string& file);

/// Returns the text as a file name: characters other than letters and digits become '-'.
std::string as_file_name(const std::string& text);

// Specs with a computed matrix as mechanism. Include only in files of app (heavy library)

/// Returns the JSON of a document for a derived spec. Numbers keep every digit.
nlohmann::ordered_json json_of(specs::JsonView value);

/// Returns a mechanism with these rows, without outputs of probability 0 in every row.
nlohmann::ordered_json matrix_of(const std::vector<std::string>& outputs, const std::vector<std::vector<Number>>& rows);

/// Rewrites the file name of the prior's table, if it has one, for a spec in `folder`. file: the spec that was read.
void name_prior_from(nlohmann::ordered_json& spec, const std::string& folder, const std::string& file);

// Priors that attain levels over sets, as specs that can be verified separately

/// Returns one spec for every level of a claim over a set of priors that a prior attains or approaches: that prior,
/// the mechanism as a matrix, and two claims. A level slightly below is refuted; the level itself holds, tight if the
/// prior attains it. Priors of a sample omit the second claim: they are only constrained where the witness looks.
/// Throws LimitError if the budget is exceeded, ModelError for names that JSON cannot hold.
std::vector<NamedText> witness_specs(const Spec& spec, const ClaimResult& result, Budget& budget);

}  // namespace oddsbound::app
