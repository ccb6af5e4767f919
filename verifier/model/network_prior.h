// Variable elimination: sums of products of tables, each over some of the coordinates. Sums out one coordinate at
// a time, greedily the one with the smallest intermediate table. The cost is the size of the largest intermediate
// table, not the number of inputs.
#pragma once

#include "verifier/model/prior.h"

namespace oddsbound::model {

/// Returns the product of the tables, summed over all coordinates that are not in `kept`: one cell per assignment
/// of the kept ones, in the given order. Throws LimitError if a table exceeds the budget's max_inputs.
std::vector<Number> summed_product(const DomainShape& shape, std::vector<WeightTable> tables,
                                   std::span<const std::size_t> kept, Budget& budget);

}  // namespace oddsbound::model
