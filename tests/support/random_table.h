// Random tables of a product of small mechanisms, and the largest ratio below a node of the search over outputs, by
// listing: for tests of bounds.
#pragma once

#include <vector>

#include "base/budget.h"
#include "tests/support/random_product.h"
#include "verifier/engine/search_node.h"
#include "verifier/model/model.h"

namespace oddsbound::testing {

struct KindOfTable {
  const char* name;
  std::size_t attributes, most_values, rows;
  bool zeros;      // impossible answers
  bool random;     // channels with random rows
  bool symmetric;  // outputs with equal ratios
  bool mixed;      // attributes with different levels
  Number factor;
};

/// Kinds of tables that are hard in different ways.
std::vector<KindOfTable> kinds_of_tables();
/// The first attribute is also answered in every other table.
Model random_table(Random& random, const KindOfTable& kind, Budget& budget);

/// A ratio; 0 if no output is possible for the first group.
struct LargestRatio {
  Number above = Number(0), below = Number(1);
};
/// Raises `largest` to the largest exact ratio of two groups over all outputs below a node. known: an output to leave
/// out, or null. path: overwritten from `depth` on.
void largest_below(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact, Path& path,
                   std::size_t depth, const Pair& pair, const Path* known, Budget& budget, LargestRatio& largest);

}  // namespace oddsbound::testing
