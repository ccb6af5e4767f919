// The result of a release: the published numbers, and the ledger of costs by set of attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "oddsbound/releases.h"
#include "releases/release.h"
#include "specs/json_document.h"

namespace oddsbound::releases {

struct ReleasedNumber {
  std::string about;
  std::optional<std::int64_t> number{};  // nullopt: only that it is listed is published
  std::optional<double> margin{};        // 95 % are within this distance of the truth; nullopt: no bound
};

struct ReleasedStep {
  std::string what;
  std::optional<std::uint64_t> people_needed{};  // number from which on the promise is kept; nullopt: unknown
  std::vector<std::string> notes{};
  std::optional<std::vector<ReleasedNumber>> numbers{};  // nullopt: not run
  std::vector<PlannedFigure> plan{};                     // what to expect before data are collected
};

/// (epsilon, delta)-DP, with epsilon rounded up.
struct EpsilonAtDelta {
  Number delta, epsilon;
};

/// The loss over tables that differ in some attributes of one record.
struct LedgerEntry {
  std::string of;
  std::vector<std::string> attributes;
  std::vector<std::uint64_t> values;  // number of values of each attribute
  Level pure;                         // the largest log of a quotient of probabilities; infinite: no bound
  Number rho;                         // upper bound for zCDP
  std::vector<EpsilonAtDelta> at{};   // follows from rho and the pure loss
  std::optional<Level> most_pure{};   // the budget: with a delta, of (epsilon, delta)
  std::optional<Number> most_delta{}, most_rho{};
  bool exceeded = false;
};

struct ReleaseResult {
  std::string file, name;
  std::optional<std::uint64_t> people;  // nullopt: no table was read
  std::optional<std::uint64_t> seed;    // nullopt: the system's randomness; only that is private
  std::vector<ReleasedStep> steps;
  std::vector<LedgerEntry> ledger;  // one per budget line, attribute, and for a person

  /// Returns 0, or 1 if the budget is exceeded and no table was read.
  int exit_status() const;
};

std::string to_json(const ReleaseResult& result);
/// Whether the document is the result of a release: it has a ledger.
bool is_release(const JsonDocument& document);
/// Throws SpecError for any other document.
ReleaseResult release_from_json(const JsonDocument& document, Budget& budget);

/// Upper bounds from the loss, rounded up: the factor by which odds move, the change of a belief, and rho.
std::string odds_at_most(const Level& pure);
std::string belief_at_most(const Level& pure);
std::string rho_at_most(const Number& rho);
/// Returns an upper bound on the average number of bits (mutual information) that the release reveals about a
/// person's values of these attributes, if these are independent of everything else in the table: of other people,
/// and of the person's other attributes. Then
///   I(A; output) <= I(A; output | rest) <= max KL(output | a, rest || output | a', rest)
///     <= min(rho, loss tanh(loss/2)) nats,
/// and never more than the logarithm of the number of values.
std::string bits_at_most(const LedgerEntry& entry);

// A release in words: published numbers and ledger figures, for text, CSV and HTML.

/// A line of the ledger; all figures are rounded up.
struct LedgerWords {
  std::string loss, odds, belief, bits, rho;
  std::string at;      // "(2.47423, 0.000001)", one per delta
  std::string budget;  // "epsilon 1"; empty: no budget
};
LedgerWords ledger_words(const LedgerEntry& entry);

/// Returns "noise from the system's generator", or that the noise is seeded and not private.
std::string noise_words(const ReleaseResult& result);
/// Returns "people for ...: 1200 (source)".
std::string figure_words(const PlannedFigure& figure);
/// Returns "+-24 (95 % interval)"; empty if the error has no bound.
std::string margin_words(const ReleasedNumber& number);

std::string text_release(const ReleaseResult& result);
/// Returns the published numbers as CSV, one row each: step (from 1), about, number, margin_95, random. Names that
/// a spreadsheet would take for formulas are prefixed with '.
std::string csv_release(const ReleaseResult& result);

}  // namespace oddsbound::releases
