// Upper bounds of a spec's BCDP levels with their proofs, which tests/checker/certificate_search.py and, along a
// network, certificate_network.py check without this program (docs/certificates.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "verifier/engine/level_proof.h"
#include "verifier/engine/network_proof.h"
#include "verifier/model/model.h"
#include "verifier/priors/definition.h"

namespace oddsbound::reports {

struct Certificate {
  /// A part of the mechanism whose output is fixed, or several equal ones: then an output is how often each label came.
  struct Step {
    std::vector<std::size_t> parts;  // their numbers in the spec, as they are named there
    std::vector<std::vector<std::pair<std::string, std::size_t>>> outputs;
  };
  struct Coordinate {
    std::string name;
    std::vector<std::string> values;
    std::string lower, upper;  // decimals, in nats, rounded outward: the level lies between
    std::size_t from = 0;      // the values and the output, per part of `within`, that show the lower end
    std::size_t to = 0;
    std::vector<std::string> output;
    std::vector<std::string> within;  // coordinates that are independent of all others; or all
    std::vector<Step> steps;
    ProofNode root;
    std::vector<std::size_t> sets;  // along a network: in place of the three before
  };
  std::string file;
  std::string name;
  std::vector<Coordinate> coordinates;
  std::vector<std::pair<std::string, std::string>> without;  // coordinates, and why there is no proof
  std::vector<std::string> names{};                          // along a network: of all coordinates; else none
  std::vector<ProofSet> sets{};                              // and what all proofs are made of
  bool confidential = false;                                 // the prior is
};

std::string to_json(const Certificate& certificate);

/// Why there is no proof, in lines: one for the coordinates after each other that have one reason.
std::vector<std::string> missing_proofs(const Certificate& certificate);

// Proofs of claims that hold over sets of priors, which tests/checker/set_certificates.py checks without this program
// (docs/certificates.md): entries of the document of all claims (claim_certificate.h).

struct SetCertificate {
  /// At one output, between two labels.
  struct Pair {
    std::string output;
    Label from, to;
    SetProof proof;
  };
  struct Mass {
    Label label;
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

}  // namespace oddsbound::reports
