// Why no member of a set has a larger quotient than a bound, at one output and between two labels: for whoever checks
// it without looking for what is largest (docs/certificates.md says how, and why it is enough).
//
// Quotients are P(output given from) / P(output given to). No two kinds of sets need to be told the same.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/sets/ratio.h"

namespace oddsbound::sets {

/// Nothing but the set itself: what is largest has a closed form.
struct ByForm {};

/// Of tables: a price for each of their cells that is not 0, in their order. The prices of an input's cells are
/// together not below P(output | input) of one with the label `from`, minus bound * mass of `from` / mass of `to` times
/// that of one with the label `to`; those of all cells, times what these hold, are together not above 0. None: one of
/// the labels has no mass.
struct ByPrices {
  std::vector<Number> prices;
};

/// Of mixtures: by the numbers of what is mixed, two of which the mixed term is negative for, and not above the root of
/// the product of their own terms.
struct BySquares {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
};

/// Of a sample: what is staked against a larger quotient (QuotientBound in bets.h).
struct ByBets {
  Number slope, shift;
};

/// Of a sample, where a label's inputs have two entries: how likely the smaller one is given `from` at least, and the
/// larger one given `to`.
struct ByLimits {
  Number from, to;
};

/// Of a network, or of a part of what its rows may be: means, the first not above bound * P(output given to), the last
/// not below P(output given from), and between each two of them a share (row_proof.h).
struct MeanCuts {
  std::vector<Number> means;
  std::vector<Number> shares;  // one fewer
};
/// A row of a coordinate's table, in two where a value's entry is a number; or all of its extreme points, if what
/// labels weigh does not depend on it.
struct RowSplit {
  std::size_t coordinate, row;
  std::optional<std::pair<std::size_t, Number>> at;
  std::vector<std::vector<Number>> points;
};
struct RowProof {
  std::variant<MeanCuts, RowSplit> why;
  std::vector<RowProof> parts;  // of what is split, in its order
};
/// bound: not above that which is claimed; order: of coordinates, parents first, in which sums are folded.
struct ByRows {
  Number bound;
  std::vector<std::size_t> order;
  RowProof proof;
};

using SetProof = std::variant<ByForm, ByPrices, BySquares, ByBets, ByLimits, ByRows>;

/// What tables say of the mass of a label: prices of their cells, as above. Those of an input's cells are together not
/// below 1 if it has the label, else not below 0, and show what it is at most; likewise -1, and what it is at least.
struct MassProof {
  std::vector<Number> at_most, at_least;
};

/// Where what is largest has a closed form: whether it is above the bound is all there is to know.
inline std::optional<SetProof> by_form(const std::optional<Ratio>& largest, const Surd& bound) {
  if (largest && *largest > Ratio{bound}) return std::nullopt;
  return ByForm{};
}

}  // namespace oddsbound::sets
