// Proofs part by part, where inputs and outputs of a mechanism of independent parts are too many to go through.
#pragma once

#include <optional>

#include "results/claim_certificate.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// The largest quotient of every part, between all that it sees or as far as one coordinate goes, if the claim compares
/// inputs like that: an output of all parts has at most their product. None for other claims, for mechanisms without
/// parts, and where the product is more than is claimed.
std::optional<ByParts> certify_by_parts(const Claim& claim, const Model& model, Budget& budget);

}  // namespace oddsbound::runs
