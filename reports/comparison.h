// Designs side by side: what was measured of each, and which is better in what. That is decided by exact comparison of
// levels and numbers; where what is known of two of them overlaps, it is open.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/environment.h"
#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/source_file.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

/// A value, or two between which it lies.
template <typename Value>
struct Between {
  Value at_least, at_most;
  bool exact() const { return at_least == at_most; }
};

/// What is known of one quantity of one design.
struct ComparedCell {
  using Value = std::variant<std::monostate, Between<Level>, Between<Number>>;
  Value value;
  std::string reason;         // why there is none, or why no more is known
  bool confidential = false;  // it depends on a confidential table
  /// Rounded outward, for others: shown in place of the value, by which designs are compared all the same.
  std::optional<Value> rounded{};

  const Value& shown() const { return rounded ? *rounded : value; }
  bool known() const { return !std::holds_alternative<std::monostate>(value); }
};
/// None where what is known of them overlaps, or one is not known.
std::optional<std::strong_ordering> order_of(const ComparedCell& a, const ComparedCell& b);

/// One quantity of all designs. Of all of them, less is better.
struct ComparedRow {
  enum class Kind { kLevel, kAverage, kError };
  Kind kind = Kind::kLevel;
  std::string quantity;             // "bcdp", "right guesses"
  std::string coordinate;           // empty: of the whole input
  std::vector<ComparedCell> cells;  // by design
  std::string not_compared;         // why nothing is said of which is better

  /// The designs that no other one is below, of those where it is known; empty where that is open, or not compared.
  std::vector<std::size_t> lowest() const;
  std::size_t known() const;
  /// "bcdp survived"
  std::string name() const;
};

struct ComparedDesign {
  std::string label;  // no two have the same
  std::string file;
  std::string name;
  std::vector<std::string> coordinates;
  std::vector<SourceFile> files;
  std::vector<std::string> notes;
  std::vector<TableUse> tables{};  // of the prior, that say what becomes of missing cells
  bool confidential = false;       // the prior or a set of priors depends on a table that is not published
};

struct DesignComparison {
  std::uint64_t samples = 0;  // the outputs from which is estimated
  std::vector<ComparedDesign> designs;
  std::vector<std::string> notes;  // what designs have in common, and what not
  std::vector<ComparedRow> rows;
  std::uint64_t open = 0;  // what was asked for, and a limit left undecided
  std::vector<FileError> errors;

  /// Design a is at least as good as b in all that was measured of either, and better in something.
  bool dominates(std::size_t a, std::size_t b) const;
  /// 0: all is measured; 2: something is wrong with a file; 3: a limit left something undecided.
  int exit_status() const;
};

std::string to_json(const DesignComparison& comparison);
/// Throws SpecError for what is no such document, or contradicts itself.
DesignComparison comparison_from_json(const JsonDocument& document, Budget& budget);

std::string text_comparison(const DesignComparison& comparison);

/// "log(3) = 1.09861"; empty where nothing is known.
std::string cell_words(const ComparedCell& cell);
/// What is to be known of a design, tables too.
std::vector<std::string> notes_of(const ComparedDesign& design);
/// "titanic", "the same", "open"
std::string lowest_words(const DesignComparison& comparison, const ComparedRow& row);
/// Which design is best in what, and which is never better than another one.
std::vector<std::string> comparison_words(const DesignComparison& comparison);

}  // namespace oddsbound::reports
