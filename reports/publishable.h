// The publishable form of a result. Levels that depend on a confidential table are rounded outward to three
// significant digits; everything else that the table determines is left out. Lock files, reports, annotations, logs
// and new specs use it. Verdicts are decided before rounding, by exact values.
//
// Rounding only blurs a statistic of the table; it gives no privacy guarantee (docs/what-a-level-reveals.md).
#pragma once

#include <string>

#include "reports/comparison.h"
#include "reports/composition.h"
#include "reports/estimate_result.h"
#include "reports/report.h"
#include "reports/run_plan_result.h"
#include "reports/tune_result.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

inline constexpr int kPublishedDigits = 3;

/// Returns a decimal of at most `digits` significant digits, >= (up) or <= the given positive one.
std::string rounded_decimal(const std::string& decimal, int digits, bool up);

/// Returns the smallest decimal of three significant digits that is >= the level. 0 and inf are unchanged.
Level rounded_up_for_others(const Level& level);
/// Returns the largest one that is <= the level.
Level rounded_down_for_others(const Level& level);
/// The same for a non-negative number.
Number rounded_up_for_others(const Number& number);
/// Returns the nearest decimal of three significant digits that is >= (up) or <= the value.
Number rounded_outward(double value, bool up);
Number rounded_outward(const Number& value, bool up);
/// "0.93", "inf".
std::string published_text(const Level& rounded);
std::string published_text(const Number& rounded);
/// Returns (1 + headroom) * level, rounded up: a promise or claim that survives changes of the table by that much. 0
/// and inf are unchanged.
std::string text_with_headroom(const Level& level, const Number& headroom);

/// The level or the interval, rounded outward. The witness keeps its output and sides and loses its probabilities.
MeasuredLevel publishable(const MeasuredLevel& measured);
Witness publishable(const Witness& witness);
/// Specs without confidential tables are unchanged. The result is for writers, not for JSON.
SpecResult publishable(SpecResult spec);
Report publishable(Report report);
ClaimResult publishable(ClaimResult claim);

/// The same for other results (publishable_results.cpp). Bounds of audits are rounded outward, and their scores are
/// left out.
AuditResult publishable(AuditResult audit);
RunPlan publishable(RunPlan plan);
/// The ranking of designs is decided by exact values.
DesignComparison publishable(DesignComparison comparison);
/// Keeps the decided values that do not depend on the table (the grid), and those of at most three significant
/// digits.
TuneResult publishable(TuneResult result);
EstimateResult publishable(EstimateResult result);
/// Nothing in it depends on a prior. Only the digests of files are left out.
ComposedResult publishable(ComposedResult result);

// Figures of a ledger for readers: decimals, rounded up, or "inf"

/// Returns this many digits; fewer if the number is a shorter decimal.
std::string rounded_up(const Number& number, int digits = 6);
std::string rounded_up(const Level& level);
/// True if rounded_up returns the level exactly.
bool is_short_decimal(const Level& level);

}  // namespace oddsbound::reports
