// What a prior took from a table in which cells may be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::specs {

/// What becomes of a missing cell: one that is no value of its coordinate, and is empty or named as missing.
enum class Missing { kDrop, kAs, kValue };

/// How many rows were dropped, or cells replaced. A row is a line of the table; with a column of counts it stands for
/// as many as that says.
struct TableUse {
  std::string file;
  Missing missing = Missing::kDrop;
  std::string as{};                         // kAs: the value that missing cells count as
  std::uint64_t rows = 0;                   // without the header
  std::uint64_t dropped = 0;                // of these
  std::optional<Number> counted{};          // what the column of counts sums to, if there is one
  std::optional<Number> counted_dropped{};  // of that, what the dropped rows do
  std::vector<std::pair<std::string, std::uint64_t>> missing_cells{};  // by coordinate, where there are any
  bool counts_withheld = false;  // a table that is confidential: no words say how many rows and cells
};

}  // namespace oddsbound::specs
