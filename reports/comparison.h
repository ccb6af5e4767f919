// Compares designs: the measured quantities of each, and which design is best in which. Decided by exact comparison
// of levels and numbers; open if the known intervals of two designs overlap.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "oddsbound/options.h"
#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

/// An exact value, or a lower and an upper bound.
template <typename Value>
struct Between {
  Value at_least, at_most;
  bool exact() const { return at_least == at_most; }
};

/// The known value of one quantity of one design.
struct ComparedCell {
  using Value = std::variant<std::monostate, Between<Level>, Between<Number>>;
  Value value;
  std::string reason;         // why there is no value, or only an interval
  bool confidential = false;  // depends on a confidential table
  /// Rounded outward for publication. Shown in place of the value; designs are still compared by the value.
  std::optional<Value> rounded{};

  const Value& shown() const { return rounded ? *rounded : value; }
  bool known() const { return !std::holds_alternative<std::monostate>(value); }
};
/// Returns nullopt if the known intervals overlap, or one value is unknown.
std::optional<std::strong_ordering> order_of(const ComparedCell& a, const ComparedCell& b);

/// One quantity of all designs. Smaller is better.
struct ComparedRow {
  enum class Kind { kLevel, kAverage, kError };
  Kind kind = Kind::kLevel;
  std::string quantity;             // "bcdp", "right guesses"
  std::string coordinate;           // empty: of the whole input
  std::vector<ComparedCell> cells;  // by design
  std::string not_compared;         // why designs are not ranked by this

  /// The designs with the smallest value, among those with a known value. Empty if open or not compared.
  std::vector<std::size_t> lowest() const;
  std::size_t known() const;
  /// For example "bcdp survived".
  std::string name() const;
};

struct ComparedDesign {
  std::string label;  // unique
  std::string file;
  std::string name;
  std::vector<std::string> coordinates;
  std::vector<SourceFile> files;
  std::vector<std::string> notes;
  std::vector<TableUse> tables{};  // tables of the prior with a rule for missing cells
  bool confidential = false;       // the prior or a set of priors depends on an unpublished table
};

struct DesignComparison {
  std::uint64_t samples = 0;  // number of outputs behind the errors of estimates
  std::vector<ComparedDesign> designs;
  std::vector<std::string> notes;  // what designs have in common, and what not
  std::vector<ComparedRow> rows;
  std::uint64_t open = 0;  // requested quantities that a limit left undecided
  std::vector<FileError> errors;

  /// True if design a is at least as good as b in everything measured of either, and better in something.
  bool dominates(std::size_t a, std::size_t b) const;
  /// 0: everything measured; 2: a file has an error; 3: a limit left something undecided.
  int exit_status() const;
};

std::string to_json(const DesignComparison& comparison);

/// The table of quantities in which designs differ, in blocks of designs that fit the width, and the conclusions.
std::string text_comparison(const DesignComparison& comparison, const RenderOptions& options = {});

/// "log(3) = 1.09861"; empty if nothing is known.
std::string cell_words(const ComparedCell& cell);
/// Notes about a design, including its tables.
std::vector<std::string> notes_of(const ComparedDesign& design);
/// "titanic", "the same", "open"
std::string lowest_words(const DesignComparison& comparison, const ComparedRow& row);
/// Sentences: which design is best in what, and which is dominated.
std::vector<std::string> comparison_words(const DesignComparison& comparison);

}  // namespace oddsbound::reports
