// Variable elimination: sums of products of tables, where each table is over some of the coordinates. Coordinates are
// summed out one by one, the one that takes the smallest table first, so that what it costs is the size of the largest
// table in between and not the number of inputs.
#pragma once

#include "verifier/model/prior.h"

namespace oddsbound::model {

/// The product of the tables, summed over all coordinates that are not to be kept: a cell per assignment of those that
/// are, in the given order. Throws LimitError if a table is larger than a domain may be.
std::vector<Number> summed_product(const DomainShape& shape, std::vector<WeightTable> tables,
                                   std::span<const std::size_t> kept, Budget& budget);

}  // namespace oddsbound::model
