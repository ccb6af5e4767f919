// Counting questions about records: what those who fit distributions to answers need to know of them.
#pragma once

#include <cstdint>
#include <vector>

#include "mechanisms/releases/counts.h"

namespace oddsbound::mechanisms {

/// Records that there may be where each has a number of its own.
inline constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 20;

/// Throws LimitError if there are more records than that, or the lists of members_of were too long.
void require_few_records(const Domain& schema, const std::vector<NamedPattern>& queries);
/// By query, the records that have it, in order.
std::vector<std::vector<std::uint32_t>> members_of(const Domain& schema, const std::vector<NamedPattern>& queries);

}  // namespace oddsbound::mechanisms
