// Results of design and repair: a mechanism, its loss with the proven bound, and their words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "oddsbound/design.h"
#include "verifier/exact/level.h"
#include "verifier/exact/number.h"

namespace oddsbound::designs {

struct AttributeLevel {
  std::string attribute;
  Level level;
};

struct ProductDesign {
  std::vector<AttributeLevel> levels;
  bool tied = false;
  std::uint64_t decisions = 0;  // points at which limits were decided
  std::uint64_t open = 0;       // of these, without an answer
  bool stopped = false;         // at the limit on decisions
};

// The mechanism with the least loss under the constraints, and the proof that no mechanism has less.

/// A matrix to show: P(output given row).
struct ShownMatrix {
  std::vector<std::string> rows, outputs;
  std::vector<std::vector<Number>> entries;
};

/// The least loss if the swept limits are e^epsilon.
struct CurvePoint {
  Number exponential;
  Number loss;
  bool turns = false;    // the optimal mechanism changes its form somewhere after the previous point
  bool exactly = false;  // exactly at this point
};

struct DesignResult {
  std::string name;
  std::string loss_words;   // "expected zero_one loss"
  Number loss;              // of the mechanism, exact
  Number at_least;          // no mechanism within the constraints has less; = loss if all e^level are rational
  bool is_most = false;     // utility: the mechanism has at least `loss`, and none has more than at_least
  bool symmetric = false;   // only mechanisms with the requested symmetries are considered
  Number share{0};          // fraction of a mechanism that reveals nothing, if limits over sets needed it
  std::string family;       // "k-randomized response"; empty: unknown
  std::size_t outputs = 0;  // with positive probability
  std::size_t entries = 0;  // different ones
  std::optional<ProductDesign> product{};  // for the product form
  ShownMatrix matrix;
  std::vector<CurvePoint> curve;  // by increasing e^epsilon; empty: not requested
  std::string spec;               // its text: the mechanism as a matrix, the constraints as claims
  std::string certificate;        // the text of the proof
  /// Constraints and limits on losses that conflict. There is then no mechanism and no spec; the certificate
  /// proves the conflict.
  std::vector<std::string> conflict;
  bool confidential = false;  // the design depends on a confidential table
  bool rounded = false;       // rounded for publication: the loss up (a utility down), the bound the other way
};

/// A design in words.
struct DesignWords {
  std::string loss;
  std::vector<std::string> levels;  // product form: a title, and one line per attribute
  std::vector<std::string> proven;  // one line each
  std::vector<std::string> curve;   // a title, and one line for each end and each point where the optimum changes
  std::string made;                 // its size, or the number of decisions
};

inline constexpr const char* kRoundedDesign =
    "the prior is confidential: numbers that depend on it are rounded to three significant digits; not shown: curves "
    "(--exact shows all). The spec has the mechanism exactly";
/// Returns a text like "log(5) = 1.60944".
std::string epsilon_words(const CurvePoint& point);
/// Returns a text like "randomized response at log(3) = 1.09861", or "as it is".
std::string level_of_attribute(const Level& level);
/// Requires a result without conflict.
DesignWords design_words(const DesignResult& result);
DesignWords product_design_words(const DesignResult& result);
/// Returns the loss or utility as text. A long number that is not proven optimal is rounded up (a utility down).
std::string told_loss(const DesignResult& result);
/// The same for the description of the spec, which is often published: rounded if the design depends on a
/// confidential table.
std::string described_loss(const DesignResult& result);
std::string text_design(const DesignResult& result);

// A mechanism that was changed so that its claims hold, and its distance from the original.

struct RepairResult {
  std::string name;
  bool without_claims = false;     // no claim limits probabilities of outputs
  std::optional<Number> rounding;  // with rounded_rows: the largest deviation of a sum from 1
  std::optional<Number> share;     // fraction of the uniform mechanism
  Number entries, rows;            // largest change of an entry, and largest total variation of a row
  std::vector<std::string> notes;  // claims that were skipped or removed
  ShownMatrix before, after;
  std::string spec;           // its text
  bool confidential = false;  // the changes depend on a confidential table
  bool rounded = false;       // changes and changed entries are rounded up for publication
};

/// Returns the changes and the notes, one line each.
std::vector<std::string> repair_words(const RepairResult& result);
std::string text_repair(const RepairResult& result);

/// Returns what may be published (reports/publishable.h). Entries of the mechanism are rounded as well, since they
/// depend on the table.
DesignResult publishable(DesignResult result);
RepairResult publishable(RepairResult result);

}  // namespace oddsbound::designs
