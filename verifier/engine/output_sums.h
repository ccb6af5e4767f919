// Sums over all outputs of a product channel under a prior, as proven bounds: the accuracy of the best guess, mutual
// information, and hockey-stick divergences between labels of the input.
//
// All of them are sums over outputs y of functions of L_a(y) = sum over rows r with label a of w_r prod_f P_f(y_f | r).
// The pass fixes the factors' outputs one after another, depth first. Per label it keeps one weight for each distinct
// remainder of the rows (a cell), so rows that agree in all remaining factors are added up. Memory: cells x factors.
// Time: the sum over depths of (outputs of the first factors) x cells. Inputs and outputs are never listed.
//
// Rounding (u = 2^-53). L_a(y) is a sum of products of non-negative doubles, so its relative error is at most n u / (1
// - n u), where n counts the roundings on a path: 1 for the weight, and per factor 1 for the entry, 1 for the product
// and (largest number of cells that are added up) - 1. The bounds of the sums follow (output_sums.cpp,
// docs/mathematics-searches.md).
//
// Outputs that are too many are visited by mass: a prefix with a mass below a threshold is not opened. The cells at
// this prefix bound what its outputs add, because all sums are of convex functions. Lower end: all outputs below the
// prefix are one output. Upper end: an output reveals the rest of the row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verifier/engine/loss_grid.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Sums about the labels of a partition.
struct LabelSums {
  /// The sum over outputs of (P(y given from) - factor P(y given to))_+, for labels that have mass; factor >= 0.
  struct Excess {
    std::uint32_t from = 0, to = 0;
    Number factor;
    friend bool operator==(const Excess&, const Excess&) = default;
  };
  Partition partition;
  bool guesses = false;
  bool information = false;
  std::vector<Excess> excesses{};
};

/// The bounds of these sums. Sums that were not asked for are 0.
struct LabelSumBounds {
  NumberBounds guess{};        // the accuracy of the best guess of the label
  NumberBounds information{};  // about the label, in nats
  std::vector<NumberBounds> excesses{};
};

struct OutputSums {
  std::vector<LabelSumBounds> labels;
  NumberBounds record_guess{}, record_information{};  // about the whole input, if it is asked for
  /// The most likely output (as Channel::split returns it), the first of several; empty if it was not found.
  std::vector<std::uint64_t> likeliest{};
  /// False: outputs were visited by mass.
  bool complete = true;
};

/// Returns true if sum_outputs applies: a product channel without symbols, and a prior.
bool can_sum_outputs(const Model& model);

/// The work above which outputs are visited by mass, and what such visits may take, in products and sums of doubles.
struct SumEffort {
  double all = 0x1p37;
  double by_mass = 0x1p34;
};

/// Returns the sums. record: also those about the whole input, and the most likely output. Takes at most half of the
/// time that searches may take; then the other outputs stay unvisited.
///
/// Throws LimitError past the budget, for more than 2^16 rows, and for weights or factors outside [2^-400, 2^400].
OutputSums sum_outputs(const Model& model, std::span<const LabelSums> labels, bool record, Budget& budget,
                       const SumEffort& effort = {});

/// The natural logarithm of a normal double >= 2^-1022: |result - log x| <= 2^-49 + 2^-51 |log x|. Finite for 0.
double bounded_log(double x);

}  // namespace oddsbound::engine
