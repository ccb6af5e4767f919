// Zero-concentrated differential privacy (Bun and Steinke, Concentrated Differential Privacy: Simplifications,
// Extensions, and Lower Bounds, 2016, Definition 1.1; partial-DP paper, Section 2).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// rho: between inputs x, x' that are neighbors, the Renyi divergence of every order a > 1 between the outputs is at
/// most rho a. The least rho is enclosed (measures/cumulant.h): a claim holds if the upper bound does not exceed it,
/// and is refuted if the lower one does. Losses of changes one after another add as roots do, sqrt(rho) <= sqrt(rho_1)
/// + sqrt(rho_2) (partial-DP paper, Lemma 7), so that levels by coordinate are about inputs that differ in that one
/// alone.
///
/// There is no `measure`: what `analyze` shows is locked and compared as a level, and a search over orders for every
/// pair of inputs of every spec would be paid by all who never asked.
Notion zcdp_notion();

}  // namespace oddsbound::notions
