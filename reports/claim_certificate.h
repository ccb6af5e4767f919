// The certificate of a spec's verdicts: one document with a proof per claim. Independent checker:
// checker/oddsbound_check. Format: docs/certificates.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/certificate.h"
#include "specs/source_file.h"
#include "verifier/notions/notion.h"
#include "verifier/smt/decide.h"

namespace oddsbound::reports {

/// A refuted claim: outputs whose probabilities for two sides differ too much, or the order of a divergence.
struct ByWitness {
  Witness witness;
};
/// A kernel, or a gain function that no kernel explains: the two vectors of duality.
struct ByRefinement {
  Refinement refinement;
};
/// Part by part: no quotient exceeds the product of the largest quotients of all parts, or no two compared inputs
/// attain these together and the product is small enough for each pair.
struct ByParts {
  std::vector<std::string> coordinates;  // with a claimed level; {""}: all inputs are compared
};
/// Block by block: the compared inputs are in one block of the mechanism. Blocks share neither inputs nor outputs.
struct ByCases {};
/// By the loss distributions of the parts, which the checker computes itself. witness: two inputs that refute the
/// claim, and the order of a divergence.
struct ByLosses {
  std::optional<Witness> witness{};
  /// Families whose pairs of inputs are all alike have one pair of rows: their inputs may be too many to list.
  bool by_classes = false;
};
/// By the document's own bounds of levels (SpecCertificate::bounds).
struct ByBounds {};
/// The checker recomputes everything from the spec, by enumerating inputs and outputs.
struct ByArithmetic {};
/// For all values of symbols: the proof consists of the queries and their answers.
struct ByQueries {};

using ClaimProof = std::variant<ByWitness, ByRefinement, ByParts, ByCases, ByLosses, ByBounds, ByArithmetic, ByQueries,
                                SetCertificate::Claim>;

struct MissingProof {
  std::size_t index;
  std::string name;
  std::string reason;
};

struct CertifiedClaim {
  std::size_t index = 0;
  std::string name;
  std::string notion;
  std::string verdict;
  ClaimProof proof;
  std::vector<Witness> attained{};  // tight claim: witnesses that no smaller level holds, if found
  std::vector<std::pair<std::string, std::string>> values{};  // values of symbols that refute it
  std::vector<QueryRecord> queries{};
};

struct SpecCertificate {
  std::string file;
  std::string name;
  std::string file_name;          // the name for the certificate file
  std::vector<SourceFile> files;  // files that the spec was read from, with hashes
  bool confidential = false;      // depends on a confidential table
  std::vector<CertifiedClaim> claims;
  std::optional<Certificate> bounds{};  // of BCDP levels, if a claim uses them
  std::vector<MissingProof> without{};  // decided, but not fully proved here
  std::vector<MissingProof> undecided{};
};

std::string to_json(const SpecCertificate& certificate);

/// Returns what is not proved and why, one line per reason.
std::vector<std::string> missing_proofs(const SpecCertificate& certificate);

}  // namespace oddsbound::reports
