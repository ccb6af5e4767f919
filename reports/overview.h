// The first screen of an analysis: one row per attribute, the worst level first. Text and HTML show it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/spec_result.h"

namespace oddsbound::reports {

struct OverviewRow {
  std::string attribute;
  std::vector<std::string> levels;  // by column of the overview, in nats; empty if not measured
  std::string odds_factor;          // e^level, rounded up: "26.8", "inf"
  std::string half_becomes;         // what a probability of 50 % becomes at most, rounded up: "96.4 %"
  std::string output;               // the output that shows the level: "`yes`"; empty if none does
  std::string sides;                // "45-64 rather than 18-29", "rules out child"

  /// "45-64 rather than 18-29: `yes`"
  std::string words() const { return output.empty() ? sides : sides + ": " + output; }
};

/// A witness has a value of every attribute, so a row for each of n attributes would take the square of n.
inline constexpr std::size_t kMostOverviewRows = 100;

struct Overview {
  std::vector<std::string> columns;  // "CDP", "BCDP", "BCDP knowing class"
  std::string decisive;              // the column that rows are ordered by, and that odds factors are of
  bool of_prior = false;             // it is about an adversary with the spec's prior
  std::vector<OverviewRow> rows;     // at most kMostOverviewRows
  std::size_t further = 0;           // attributes below the last row
  std::vector<std::string> record;   // levels of full records: "ldp 11 (odds factor 59900)"
  /// Why levels are not known exactly: the reason, and the levels.
  std::vector<std::pair<std::string, std::vector<std::string>>> unfinished;
};

/// Returns nullopt if no levels by attribute are measured.
std::optional<Overview> overview_of(const SpecResult& spec);

/// Names the attributes that have no row; empty if there are none.
std::string further_words(const Overview& overview);

/// A sentence about the columns of the table.
std::string overview_words(const Overview& overview);

}  // namespace oddsbound::reports
