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

/// Which inputs of a mechanism of independent parts are compared: all; those that differ in a coordinate alone; those
/// that differ in it, and maybe in others.
struct ComparedInputs {
  std::optional<std::size_t> coordinate;
  bool others_differ = false;
};
/// Whether for all of them the product of the parts' largest quotients is at most exp of the level: then no output is
/// likelier, nor given a value than given another one under any prior. False where inputs are too many for that.
bool pairs_are_within(const Model& model, const ComparedInputs& compared, const Level& level, Budget& budget);

}  // namespace oddsbound::runs
