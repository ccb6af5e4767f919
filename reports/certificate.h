// Certificates of upper bounds: of a spec's BCDP levels, and of claims over sets of priors. Independent checkers:
// checker/oddsbound_check. Format:
// docs/certificates.md.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "verifier/engine/level_proof.h"
#include "verifier/model/model.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::reports {

struct Certificate {
  /// Fixes the output of a part of the mechanism. Several equal parts share a step; its output is then how often each
  /// label occurred.
  struct Step {
    std::vector<std::size_t> parts;  // indices in the spec
    std::vector<std::vector<std::pair<std::string, std::size_t>>> outputs;
  };
  struct Coordinate {
    std::string name;
    std::vector<std::string> values;
    std::string lower, upper;  // decimals in nats, rounded outward; the level is between them
    std::size_t from = 0;      // values and output (per part of `within`) that attain `lower`
    std::size_t to = 0;
    std::vector<std::string> output;
    std::vector<std::string> within;  // coordinates independent of all others, or all
    std::vector<Step> steps;
    ProofNode root;
    std::vector<std::size_t> sets;  // network: replaces within, steps and root
  };
  std::string file;
  std::string name;
  std::vector<Coordinate> coordinates;
  std::vector<std::pair<std::string, std::string>> without;  // coordinates without a proof, and why
  std::vector<std::string> names{};                          // network: of all coordinates; else empty
  std::vector<ProofSet> sets{};                              // shared by all proofs
  bool confidential = false;                                 // the prior is confidential
};

std::string to_json(const Certificate& certificate);

/// Returns the reasons for missing proofs as lines: one for consecutive coordinates with the same reason.
std::vector<std::string> missing_proofs(const Certificate& certificate);

// Proofs of claims that hold over sets of priors: entries of the document of all claims (claim_certificate.h).

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
  /// One per level that a claim states.
  struct Level {
    std::string coordinate;    // the labels are its values; empty: none
    std::vector<Mass> masses;  // of the labels, if some pair has duals
    std::vector<Pair> pairs;   // empty: the checker recomputes everything, by `way`
    std::string way = "recompute";
  };
  struct Claim {
    std::size_t index;
    std::string name;
    std::string for_all;
    std::vector<Level> levels;
  };
};

/// Returns an estimate from above of the characters that these numbers take.
std::size_t written_size(const SetCertificate::Level& level);

/// Returns the levels of a claim as a JSON array over several lines.
std::string levels_text(const SetCertificate::Claim& claim);

}  // namespace oddsbound::reports
