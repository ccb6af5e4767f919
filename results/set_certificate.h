// Proofs of claims that hold over sets of priors, which tests/checker/set_certificates.py checks without this program
// (docs/certificates.md): entries of the document of all claims (claim_certificate.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/sets/set_proof.h"

namespace oddsbound::results {

struct SetCertificate {
  /// At one output, between two labels.
  struct Pair {
    std::string output;
    Party from, to;
    SetProof proof;
  };
  struct Mass {
    Party label;
    MassProof proof;
  };
  /// Of each level that a claim states.
  struct Level {
    std::string coordinate;    // whose values the labels are; empty: none
    std::vector<Mass> masses;  // of the labels, where some pair has prices
    std::vector<Pair> pairs;   // none: the set, the mechanism and the claim say it all, in this way
    std::string way = "recompute";
  };
  struct Claim {
    std::size_t index;
    std::string name;
    std::string for_all;
    std::vector<Level> levels;
  };
};

/// What of these numbers is written, in characters or somewhat more.
std::size_t written_size(const SetCertificate::Level& level);

/// The levels of a claim, as a JSON array over several lines.
std::string levels_text(const SetCertificate::Claim& claim);

}  // namespace oddsbound::results
