// What a design of one matrix for each attribute is told with, besides its loss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.h"
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
  std::uint64_t decisions = 0;  // points whose limits were decided
  std::uint64_t open = 0;       // of these, where the answer stayed open
  bool stopped = false;         // by the number of decisions
};

// The mechanism with the least loss within what was asked for, and the proof that there is none with less.

/// A mechanism to look at: P(output given row).
struct ShownMatrix {
  std::vector<std::string> rows, outputs;
  std::vector<std::vector<Number>> entries;
};

/// The least loss where the limits that are drawn are e^epsilon.
struct CurvePoint {
  Number exponential;
  Number loss;
  bool turns = false;    // the mechanism that is best is another kind of one, from somewhere after the point before
  bool exactly = false;  // from this very point
};

struct DesignResult {
  std::string name;
  std::string loss_words;   // "expected zero_one loss"
  Number loss;              // of the mechanism, exactly
  Number at_least;          // no mechanism within the constraints has less; the same where all e^level are rational
  bool is_most = false;     // what is told is a use: the mechanism has the "loss" at least, and none more than at_least
  bool symmetric = false;   // only mechanisms with the symmetries that were asked for are meant
  Number share{0};          // of a mechanism that tells nothing, mixed in where limits over sets did not end otherwise
  std::string family;       // that the mechanism is one of: "k-randomized response"; empty: none that is known
  std::size_t outputs = 0;  // that are ever given
  std::size_t entries = 0;  // different ones
  std::optional<ProductDesign> product{};  // of the form of a product
  ShownMatrix matrix;
  std::vector<CurvePoint> curve;  // by rising e^epsilon; empty: not asked for
  std::string spec;               // its text: the mechanism as a matrix, the constraints as claims
  std::string certificate;        // the proof's text
  /// What does not go together: constraints, and limits on losses. There is no mechanism then, and no spec; the
  /// certificate proves it.
  std::vector<std::string> conflict;
  bool confidential = false;  // the mechanism was made for a confidential table
  bool rounded = false;       // numbers are rounded for others: the loss up (a use down), the bound the other way
};

/// What a design is told with.
struct DesignWords {
  std::string loss;
  std::vector<std::string> levels;  // of the form of a product: what they are, and a line for each attribute
  std::vector<std::string> proven;  // a line each
  std::vector<std::string> curve;   // what it is, and a line for each point where what is best turns, and for the ends
  std::string made;                 // how large it is, or how many points were decided
};

inline constexpr const char* kRoundedDesign =
    "the prior is confidential: numbers that depend on it are rounded to three significant digits; not shown: curves "
    "(--exact shows all). The spec has the mechanism exactly";
/// "log(5) = 1.60944"
std::string epsilon_words(const CurvePoint& point);
/// "randomized response at log(3) = 1.09861", "as it is"
std::string level_of_attribute(const Level& level);
/// Of one that has no conflict.
DesignWords design_words(const DesignResult& result);
DesignWords product_design_words(const DesignResult& result);
/// The loss, or use, as text. A long number that is not known to be the best is rounded up (of a use, down).
std::string told_loss(const DesignResult& result);
/// The same for the description of the spec, which is often published: rounded if the mechanism was made for a
/// confidential table.
std::string described_loss(const DesignResult& result);
std::string text_design(const DesignResult& result);

// A mechanism that was mended so that its claims hold, and how far it is from what it was.

/// The least mixture with a mechanism that tells every output alike, or the nearest mechanism: by the largest change of
/// an entry, or by the largest total variation between rows for one input.
enum class RepairBy { kMixture, kEntries, kRows };

struct RepairOptions {
  RepairBy by = RepairBy::kRows;
  /// Rows of a matrix need not add up to 1 exactly: each is divided by what it adds up to, which is off by 1/1000 at
  /// most.
  bool rounded_rows = false;
  std::uint64_t denominator = 1000;  // of what stands for e^level where that is not rational
};

struct RepairResult {
  std::string name;
  std::optional<Number> rounding;  // of rounded rows: how far off the largest sum was
  std::optional<Number> share;     // of what was mixed in
  Number entries, rows;            // the largest change of an entry, and total variation of rows, from what was read
  std::vector<std::string> notes;  // claims that were not looked at, or are no longer made
  ShownMatrix before, after;
  std::string spec;           // its text
  bool confidential = false;  // what was changed depends on a confidential table
  bool rounded = false;       // changes and the mechanism after them are rounded up, for others
};

/// What changed, and what else is to be known, a line each.
std::vector<std::string> repair_words(const RepairResult& result);
std::string text_repair(const RepairResult& result);

/// What others may see, as reports/publishable.h says. Probabilities of the mechanism are rounded as well: it was made
/// for the table.
DesignResult publishable(DesignResult result);
RepairResult publishable(RepairResult result);

}  // namespace oddsbound::designs
