// What groups weigh once the first outputs of a path are fixed, exactly.
#pragma once

#include <map>
#include <optional>

#include "verifier/ratios/suffixes.h"

namespace oddsbound::ratios {

/// An output of the whole: per depth, an index into the factor's outputs.
using Path = std::vector<std::uint32_t>;

class PathWeights {
 public:
  /// Both outlive it.
  PathWeights(const SeenRows& seen, const Suffixes& suffixes);

  /// By suffix, the weights of a group after the first `depth` outputs of the path, as shares of the group; up to what
  /// they have in common with those of other groups.
  std::vector<Number> of(std::uint32_t group, std::size_t depth, const Path& path, Budget& budget) const;
  /// For every row the product of what all outputs of a path give it.
  std::vector<Number> products(const Path& path, Budget& budget) const;
  /// The first output of the factor at this depth that the row may have.
  std::uint32_t first_possible(std::size_t depth, const SeenRow& row) const;

 private:
  using Powers = std::map<std::uint32_t, std::uint32_t>;  // by entry

  // What the first `depth` outputs give a row, and the suffix that is left of it; none if it may not have them.
  std::optional<Powers> powers_of(std::size_t row, std::size_t depth, const Path& path, std::uint32_t& suffix) const;
  Number product_of(const Powers& powers) const;

  static constexpr std::uint32_t kZero = 0;
  static constexpr std::uint32_t kOne = 1;

  const SeenRows& seen_;
  const Suffixes& suffixes_;
  std::vector<Number> values_;                                    // of all factors, each different one once
  std::vector<std::vector<std::vector<std::uint32_t>>> entries_;  // [depth][output][class]
};

}  // namespace oddsbound::ratios
