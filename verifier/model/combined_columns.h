// Columns of channels whose entries are combined from those of parts: products (product_channel.h) multiply them,
// mixtures (mixture_channel.h) add them.
//
// The ranks of the parts' entries determine an entry. If they have few combinations, each is computed and ranked once,
// and an entry is one table look-up. Otherwise the whole table is computed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "verifier/model/channel.h"

namespace oddsbound::model {

enum class Combination { kProduct, kSum };

/// The most combinations that are computed in advance.
constexpr std::uint64_t kMostCombinations = std::uint64_t{1} << 20;

/// Returns a * b; UINT64_MAX if it does not fit.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b);

struct CombinedParts {
  std::span<const Factor> parts;  // their coordinates are not used
  Combination combination;
  std::uint64_t inputs, outputs;  // of the whole
  /// Returns the input of part p in input x of the whole.
  std::function<std::uint64_t(std::size_t p, std::uint64_t x)> input_of;
  /// Returns the output of each part in output y of the whole.
  std::function<std::vector<std::uint64_t>(std::uint64_t y)> outputs_of;
};

/// Returns the columns of the whole. The channels of the parts must outlive them. Throws LimitError past the budget.
std::unique_ptr<Columns> combined_columns(const CombinedParts& whole, Budget& budget);

}  // namespace oddsbound::model
