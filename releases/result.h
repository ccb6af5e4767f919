// What a release told, and its ledger: what it costs by set of attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "releases/release.h"
#include "specs/json_document.h"

namespace oddsbound::releases {

struct ReleaseRequest {
  std::optional<std::string> table{};   // a CSV file with a row for each person; none: the ledger alone
  std::optional<std::uint64_t> seed{};  // none: the system's randomness; only that is private
  /// A file of what was spent on the same people before. It counts towards the budget, and what this release costs is
  /// added to it, before anything is told. One that is not there is made.
  std::optional<std::string> spent{};
};

struct ReleasedNumber {
  std::string about;
  std::optional<std::int64_t> number{};  // none: what was told is that it is listed
  std::optional<double> margin{};        // 95 % of all such numbers are no farther from the truth; none: no such bound
};

struct ReleasedStep {
  std::string what;
  std::optional<std::uint64_t> people_needed{};  // from so many on it keeps what it promises; none: no number is known
  std::vector<std::string> notes{};
  std::optional<std::vector<ReleasedNumber>> numbers{};  // none: it was not run
};

/// (epsilon, delta)-DP, with epsilon rounded up.
struct EpsilonAtDelta {
  Number delta, epsilon;
};

/// What is lost over tables that differ in some attributes of one record.
struct LedgerEntry {
  std::string of;
  std::vector<std::string> attributes;
  std::vector<std::uint64_t> values;  // how many each attribute has
  Level pure;  // the largest logarithm of a quotient of probabilities; infinite: there is no bound
  Number rho;  // of zCDP, at most
  std::vector<EpsilonAtDelta> at{};  // what follows from rho
  std::optional<Level> most_pure{};  // what the budget allows: with a delta, of (epsilon, delta)
  std::optional<Number> most_delta{}, most_rho{};
  bool exceeded = false;
};

struct ReleaseResult {
  std::string file, name;
  std::optional<std::uint64_t> people;  // none: no table was read
  std::optional<std::uint64_t> seed;    // none: the system's randomness; only that is private
  std::vector<ReleasedStep> steps;
  std::vector<LedgerEntry> ledger;  // by lines of the budget, and of everybody

  /// 0; 1: the budget is exceeded, and no table was read.
  int exit_status() const;
};

std::string to_json(const ReleaseResult& result);
/// Whether the document says of itself that it is one of a release: it has a ledger.
bool is_release(const JsonDocument& document);
/// Throws SpecError for what is no such document.
ReleaseResult release_from_json(const JsonDocument& document, Budget& budget);

/// Of what is lost, rounded up: by what factor odds move at most, how far a belief, and rho.
std::string odds_at_most(const Level& pure);
std::string belief_at_most(const Level& pure);
std::string rho_at_most(const Number& rho);
/// How many bits the release tells on average (mutual information) of what somebody has in these attributes, if that is
/// independent of all else in the table: of everybody else, and of this person's other attributes. Then
///   I(A; told) <= I(A; told | rest) <= max KL(told | a, rest || told | a', rest) <= min(rho, loss tanh(loss/2)) nats,
/// and it is never more than the logarithm of the number of values.
std::string bits_at_most(const LedgerEntry& entry);

// A release in words: what was told, and the figures of its ledger, for text, CSV and HTML.

/// A line of the ledger; all figures are rounded up.
struct LedgerWords {
  std::string loss, odds, belief, bits, rho;
  std::string at;      // "(2.47423, 0.000001)", for every delta
  std::string budget;  // "epsilon 1"; empty: there is none
};
LedgerWords ledger_words(const LedgerEntry& entry);

/// "noise from the system's generator", or that it is seeded, and so not private.
std::string noise_words(const ReleaseResult& result);
/// "within 24 in 95 of 100 runs"; empty where nothing bounds the error.
std::string margin_words(const ReleasedNumber& number);

std::string text_release(const ReleaseResult& result);
/// The numbers that were told, a row each: step (from 1), about, number, margin_95, random. Names that a spreadsheet
/// would take for formulas have ' before them.
std::string csv_release(const ReleaseResult& result);

}  // namespace oddsbound::releases
