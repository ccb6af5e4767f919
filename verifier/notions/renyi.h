// Renyi differential privacy of a stated integer order (Mironov, Renyi Differential Privacy, 2017, Definition 4).
#pragma once

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// The orders that a claim may state.
inline constexpr std::int64_t kLeastOrder = 2, kGreatestOrder = 1000;

/// For all neighbors x, x' the Renyi divergence of order a between their outputs,
///
///   D_a = log(S) / (a - 1) with S = sum over outputs y of P(y given x)^a P(y given x')^(1 - a),
///
/// is at most epsilon. S is an exact number, and so is e^((a - 1) epsilon): the claim is decided exactly. D_a is a
/// level that can be written if S has a root of degree a - 1. Otherwise, or if it is long, it is shown between two
/// decimals. Where S is too long to compute with, D_a is enclosed (measures/cumulant.h).
///
/// Divergences of independent parts add, so S of a product is computed from its parts, without a list of outputs.
///
/// There is no `measure`: no order is more natural than the others.
Notion renyi_dp_notion();

/// The same between the outputs given two values of a coordinate, or two labels of a secret, under the prior.
Notion renyi_bcdp_notion();

}  // namespace oddsbound::notions
