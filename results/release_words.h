// A release in words: what was told, and the figures of its ledger, for text, CSV and HTML.
#pragma once

#include <string>

#include "results/release_result.h"

namespace oddsbound::results {

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

}  // namespace oddsbound::results
