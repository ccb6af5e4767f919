// What others may see of a result: levels that depend on a confidential table are rounded outward to three significant
// digits, and whatever else the table determines is left out. Lock files, reports, annotations, text for logs and new
// specs all go through here. Verdicts are decided before, by exact values.
//
// Rounding blurs a statistic of the table, and no more: docs/what-a-level-reveals.md.
#pragma once

#include <string>

#include "reports/comparison.h"
#include "reports/estimate_result.h"
#include "reports/report.h"
#include "reports/run_plan_result.h"
#include "reports/tune_result.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

inline constexpr int kPublishedDigits = 3;

/// A decimal of at most so many significant digits, not below (up) or not above the given one, which is positive.
std::string rounded_decimal(const std::string& decimal, int digits, bool up);

/// The least decimal of three significant digits that is at least the level; 0 and inf stay.
Level rounded_up_for_others(const Level& level);
/// The largest one that is at most the level.
Level rounded_down_for_others(const Level& level);
/// The same of a number that is not negative.
Number rounded_up_for_others(const Number& number);
/// The nearest one of three significant digits that is not below (up) or not above the value.
Number rounded_outward(double value, bool up);
Number rounded_outward(const Number& value, bool up);
/// As it is written: "0.93", "inf".
std::string published_text(const Level& rounded);
std::string published_text(const Number& rounded);
/// (1 + headroom) times the level, rounded up: what a table may change by that a promise or a claim survives. 0 and inf
/// stay.
std::string text_with_headroom(const Level& level, const Number& headroom);

/// The level or the interval, rounded outward. The witness keeps its output and sides and loses its probabilities.
MeasuredLevel publishable(const MeasuredLevel& measured);
Witness publishable(const Witness& witness);
/// Nothing is changed in a spec none of whose tables is confidential. Such a result is for writers, not for JSON.
SpecResult publishable(SpecResult spec);
Report publishable(Report report);
ClaimResult publishable(ClaimResult claim);

/// The same for what other commands find (publishable_results.cpp). Bounds that runs show are rounded outward, and the
/// scores behind them are left out.
AuditResult publishable(AuditResult audit);
RunPlan publishable(RunPlan plan);
/// Which design is lowest is decided by exact values.
DesignComparison publishable(DesignComparison comparison);
/// Of the values that were decided, those that do not depend on the table (the grid), and those of at most three
/// significant digits.
TuneResult publishable(TuneResult result);
EstimateResult publishable(EstimateResult result);

// Figures of a ledger as people read them: decimals, rounded up, or "inf".

/// Of so many digits, where the number is no decimal of fewer.
std::string rounded_up(const Number& number, int digits = 6);
std::string rounded_up(const Level& level);
/// Whether rounded_up says the level itself.
bool is_short_decimal(const Level& level);

}  // namespace oddsbound::reports
