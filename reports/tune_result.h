// The result of `tune`: for which values of a parameter the claims hold, and the largest (or smallest) such value.
// Statements are about decided values; the values between two of them are known only if proved.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <vector>

#include "reports/spec_result.h"
#include "reports/words.h"
#include "verifier/smt/solver.h"

namespace oddsbound::reports {

/// A value of the parameter: a rational, or the logarithm of one.
struct TunedValue {
  Number number;
  bool logarithm = false;

  /// In the grammar: "1/4", "log(3)".
  std::string text() const;
  /// For display and drawing.
  double approx() const;
  friend bool operator==(const TunedValue&, const TunedValue&) = default;
  friend std::strong_ordering operator<=>(const TunedValue& a, const TunedValue& b);
};

/// A value, and the results of the claims there.
struct TunedPoint {
  TunedValue value;
  bool on_grid = false;
  std::vector<ClaimResult> claims;  // empty: a limit was reached before
  std::string reason;               // which limit

  /// Refuted if at least one claim is; holds if all do.
  Verdict verdict() const;
  /// False if some claim is about a set that contains the true prior only with some confidence.
  bool is_certain() const;
  /// "holds", "holds with confidence", "fails", "undecided".
  std::string word() const;
  /// Why it is undecided.
  std::string open_reason() const;
};

struct TuneRange {
  TunedValue from, to;
  bool from_open = false, to_open = false;

  /// "0 < p <= 1/2", for the parameter p
  std::string text(const std::string& name) const;
};

/// Consecutive decided values with the same verdict, by index.
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
  std::string written;               // the value in the spec; empty: a symbol
  std::vector<std::string> symbols;  // the other symbols, with ranges: claims are about all their values
  bool smallest = false;
  bool integers = false;
  TuneRange range;
  Number width;
  std::vector<TunedPoint> points;           // in order of their values
  std::optional<TuneRange> proven;          // the claims hold for every value in it
  std::optional<TuneRange> proven_to_fail;  // the claims hold for no value in it; it lies outward
  std::string not_proven;                   // why a requested proof is missing
  bool stopped = false;                     // a limit was reached before all proofs and near values were tried
  std::optional<int> status{};              // exit status, if points were left out for publication

  /// True if claims, and thus the result, depend on a confidential table.
  bool confidential() const;

  /// The index of the result: the outermost value at which the claims hold.
  std::optional<std::size_t> holds_at() const;
  /// The index of the next value outward; nullopt if there is none.
  std::optional<std::size_t> fails_at() const;
  std::vector<TunedRun> runs() const;
  /// True if the result is exactly the extreme value: all values further outward, up to the end of the range, are
  /// proved to fail.
  bool is_exact() const;
  std::size_t undecided() const;
  /// True if both ends are decided, and at most `width` apart.
  bool narrow() const;
  /// 0: found; 1: the claims hold at no decided value; 3: something relevant is undecided.
  int exit_status() const;
};

std::string to_json(const TuneResult& result);

std::string text_tune(const TuneResult& result);

/// The measured level or delta of a claim at a point: by coordinate, or a single one without a name.
struct TunedLevel {
  std::string name;
  std::string text;
  double value;                 // for drawing
  std::optional<double> bound;  // the claimed bound
  bool at_bound;                // equal to the bound
  bool over_bound;              // above the bound
};
std::vector<TunedLevel> levels_of(const ClaimResult& claim);
/// "holds", "holds with confidence 0.95", "fails", "undecided".
std::string outcome_of(const ClaimResult& claim);

/// A claim at one value: its outcome, what was found (or why it is undecided), and its witness.
struct TunedClaimWords {
  Tone tone;
  std::string claim, outcome, found, witness;
};
std::vector<TunedClaimWords> claims_at(const TuneResult& result, std::size_t place);
/// Every claim's levels at one value, and why something is undecided.
std::string levels_words(const TunedPoint& point);
/// "the largest p with 0 <= p <= 1 for which the claims hold"
std::string sought_words(const TuneResult& result);
/// "1/4", "1/3 = 0.333333"
std::string value_words(const TunedValue& value);
/// The conclusions, as sentences.
std::vector<std::string> tune_words(const TuneResult& result);

}  // namespace oddsbound::reports
