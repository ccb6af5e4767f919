// Why the verdicts of a spec are right, claim by claim, as one document that tests/checker/claim_certificates.py checks
// without this program (docs/certificates.md).
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
#include "verifier/notions/output_ranges.h"
#include "verifier/smt/decide.h"

namespace oddsbound::reports {

/// A refuted claim: outputs that two sides give too different probabilities, or an order of a divergence.
struct ByWitness {
  Witness witness;
};
/// By its definition, range of outputs by range.
struct ByRanges {
  std::vector<ComparedLevel> levels;
};
/// A kernel, or a gain function that none explains: the two vectors of duality.
struct ByRefinement {
  Refinement refinement;
};
/// Each part of a mechanism alone: no quotient is larger than the product of the largest ones of all parts.
struct ByParts {
  struct About {
    std::string coordinate;  // none: all inputs are compared
    /// Of each part, in its own values; none: it sees nothing in which what is compared differs. Empty: no two inputs
    /// that are compared have the largest quotients of all parts, and the product is small enough for each two.
    std::vector<std::optional<LargestQuotient>> parts;
  };
  std::vector<About> levels;
};
/// What is compared lies in one of a mechanism's blocks, which share neither inputs nor outputs: block by block.
struct ByCases {};
/// By the bounds of levels that the document has besides, as a certificate of its own.
struct ByBounds {};
/// The spec and the arithmetic of a checker say it all.
struct ByArithmetic {};
/// For all values of symbols: the queries and their answers are all there is.
struct ByQueries {};

using ClaimProof = std::variant<ByWitness, ByRanges, ByRefinement, ByParts, ByCases, ByBounds, ByArithmetic, ByQueries,
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
  std::vector<Witness> attained{};  // of a claim that is tight: what shows that no smaller level holds, where told
  std::vector<std::pair<std::string, std::string>> values{};  // of symbols, for which it is refuted
  std::vector<QueryRecord> queries{};
};

struct SpecCertificate {
  std::string file;
  std::string name;
  std::string file_name;          // what the certificate's own is to be called
  std::vector<SourceFile> files;  // that the spec was read from, with what they held
  bool confidential = false;      // a table behind it is
  std::vector<CertifiedClaim> claims;
  std::optional<Certificate> bounds{};  // of BCDP levels, where a claim rests on them
  std::vector<MissingProof> without{};  // decided, and not proved here in full
  std::vector<MissingProof> undecided{};
};

std::string to_json(const SpecCertificate& certificate);

/// What is not proved and why, a line for each reason.
std::vector<std::string> missing_proofs(const SpecCertificate& certificate);

}  // namespace oddsbound::reports
