// For which values of a parameter claims hold: what was decided at which values, and what follows about the largest
// (or smallest) one. Everything is said of values that were decided; what lies between two of them is known only where
// it was proven.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "reports/spec_result.h"
#include "verifier/smt/solver.h"

namespace oddsbound::reports {

/// A value of the parameter: a rational, or the logarithm of one.
struct TunedValue {
  Number number;
  bool logarithm = false;

  /// In the grammar: "1/4", "log(3)".
  std::string text() const;
  /// For reading and drawing.
  double approx() const;
  friend bool operator==(const TunedValue&, const TunedValue&) = default;
  friend std::strong_ordering operator<=>(const TunedValue& a, const TunedValue& b);
};

/// What was asked for.
struct TuneRequest {
  std::string parameter;            // a symbol, a parameter, or a JSON pointer
  std::vector<std::string> claims;  // by number (as in `verify`'s JSON, from 0) or by name; none: all that should hold
  std::optional<Number> from, to;   // the range; none: a symbol's own, or that of `grid`
  std::size_t parts = 16;           // that the range is cut into for a first look
  std::vector<Number> grid;         // or these values
  std::optional<Number> width;      // of the interval in the end; none: 2^-20 of the range
  bool smallest = false;            // else the largest value is sought
  bool integers = false;            // only whole numbers are values
  bool prove = true;                // also ask Z3 about all values between those that were decided
  SmtOptions smt;                   // how
};

/// A value and what became of the claims there.
struct TunedPoint {
  TunedValue value;
  bool on_grid = false;
  std::vector<ClaimResult> claims;  // none: a limit was reached before them
  std::string reason;               // which

  /// Refuted: at least one claim is. Holds: all do.
  Verdict verdict() const;
  /// No claim is about a set that has the true prior in it with some confidence only.
  bool is_certain() const;
  /// "holds", "holds with confidence", "fails", "undecided".
  std::string word() const;
  /// Why it is undecided.
  std::string open_reason() const;
};

struct TuneRange {
  TunedValue from, to;
  bool from_open = false, to_open = false;

  /// "0 < p <= 1/2", of the parameter p
  std::string text(const std::string& name) const;
};

/// Neighbours of one verdict among the values that were decided, by their places.
struct TunedRun {
  std::size_t first, last;
  Verdict verdict;
};

struct TuneResult {
  std::string file;
  std::string name;
  std::vector<SourceFile> files;
  std::vector<std::string> notes;
  std::vector<std::string> coordinates;  // of the spec
  std::string parameter;
  std::string written;               // what the spec has there; empty: a symbol
  std::vector<std::string> symbols;  // the other ones, with their ranges: claims are about all their values
  bool smallest = false;
  bool integers = false;
  TuneRange range;
  Number width;
  std::vector<TunedPoint> points;           // in order of their values
  std::optional<TuneRange> proven;          // the claims hold for every value in it
  std::optional<TuneRange> proven_to_fail;  // they hold for no value in it, all of which lie outward
  std::string not_proven;                   // why there is none, if one was asked for
  std::optional<int> status{};              // of what was found, where some of the points were left out for others

  /// Claims depend on a confidential table, and so does what was found.
  bool confidential() const;

  /// The value that was sought: the outermost at which the claims hold, by its place.
  std::optional<std::size_t> holds_at() const;
  /// The next one outward; none if that is the last one.
  std::optional<std::size_t> fails_at() const;
  std::vector<TunedRun> runs() const;
  /// The value that was found is exactly what was sought: all values outward are proven to fail, up to the end of the
  /// range.
  bool is_exact() const;
  std::size_t undecided() const;
  /// Both ends are decided, and no further apart than was asked.
  bool narrow() const;
  /// 0: found; 1: the claims hold at no value that was decided; 3: something that matters is undecided.
  int exit_status() const;
};

std::string to_json(const TuneResult& result);
/// Throws SpecError for what is no such document, or contradicts itself.
TuneResult tune_from_json(const JsonDocument& document, Budget& budget);

std::string text_tune(const TuneResult& result);

/// What the claim measures at a point, where that is a level or a delta: by coordinate, or one without a name.
struct TunedLevel {
  std::string name;
  std::string text;
  double value;                 // for drawing
  std::optional<double> bound;  // that is claimed
  bool at_bound;                // it is exactly that
  bool over_bound;              // it is above that
};
std::vector<TunedLevel> levels_of(const ClaimResult& claim);
/// "holds", "holds with confidence 0.95", "fails", "undecided".
std::string outcome_of(const ClaimResult& claim);
/// "1/4", "1/3 = 0.333333"
std::string value_words(const TunedValue& value);
/// What follows, in sentences.
std::vector<std::string> tune_words(const TuneResult& result);

}  // namespace oddsbound::reports
