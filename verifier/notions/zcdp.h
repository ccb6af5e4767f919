// Zero-concentrated differential privacy (Bun and Steinke, Concentrated Differential Privacy: Simplifications,
// Extensions, and Lower Bounds, 2016, Definition 1.1; partial-DP paper, Section 2).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// rho: for all neighbors x, x' the Renyi divergence of every order a > 1 between their outputs is at most rho a.
/// The least rho is enclosed (measures/cumulant.h): a claim holds if the upper bound does not exceed it, and is
/// refuted if the lower bound does. Successive changes compose as sqrt(rho) <= sqrt(rho_1) + sqrt(rho_2)
/// (partial-DP paper, Lemma 7). Levels by coordinate are therefore about inputs that differ in that coordinate
/// only.
///
/// There is no `measure`: `analyze` results are locked and compared as levels, and every spec would pay for a
/// search over orders for every pair of inputs.
Notion zcdp_notion();

/// delta-approximate zCDP: for all neighbors there are events of probability at least 1 - delta such that the outputs
/// given these events have rho. rho is enclosed for the best events, which are the same for all orders and both
/// directions.
Notion approximate_zcdp_notion();

/// Returns the least rho between inputs that differ only within one of the groups, exactly or enclosed. Throws
/// LimitError past the budget.
MeasuredLevel measured_rho(MeasuredModel& subject, const CoordinateGroups& groups);

}  // namespace oddsbound::notions
