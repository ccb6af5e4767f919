// The averaged bound is never below a ratio of an output, and the search that uses it finds the levels of enumeration.

#include <doctest/doctest.h>
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "base/budget.h"
#include "tests/support/effort.h"
#include "tests/support/random_table.h"
#include "verifier/engine/averaged_bound.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/output_search.h"
#include "verifier/engine/search_node.h"
#include "verifier/model/model.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// All that a report shows of a search.
std::string words_of(const GroupLevel& level) {
  std::ostringstream text;
  text << level.at_least.to_string() << ' ' << level.from << ' ' << level.to << ' ' << level.nodes.value_or(UINT64_MAX);
  if (level.transport_bound) text << ' ' << level.transport_bound->to_string();
  if (level.unfinished) text << ' ' << level.unfinished->at_most.to_string() << ' ' << level.unfinished->reason;
  const FoundOutput& witness = level.witness.get();
  text << ' ' << witness.p_from.to_string() << ' ' << witness.p_to.to_string();
  for (const std::uint64_t part : witness.output) text << ' ' << part;
  return text.str();
}

}  // namespace

TEST_CASE("the averaged bound is at least every ratio below a node, at every depth and threshold") {
  Random random(5201);
  Limits limits;
  limits.max_seconds = 1e6;
  Budget budget(limits);
  std::size_t closed = 0, bounded = 0, averaged = 0, by_groups = 0;
  for (int round = 0; round < effort(400, 90, 18); ++round) {
    CAPTURE(round);
    const std::vector<KindOfTable> kinds = kinds_of_tables();
    KindOfTable kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(kind.name);
    kind.attributes = std::min<std::size_t>(kind.attributes, 5);
    kind.rows = std::min<std::size_t>(kind.rows, 40);
    const Model model = random_table(random, kind, budget);
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    const Suffixes suffixes(seen, by_information(seen), budget);
    const PathWeights exact(seen, suffixes);
    // Few cells, so that most factors are in C.
    AveragedBound::Sizes sizes{1 + below(random, 12), 12, 0, 2, 0};
    sizes.group_cells = sizes.cells * (2 + below(random, 20));
    AveragedBound bound(seen, suffixes, sizes);
    sizes.factors_to_group = SIZE_MAX;
    AveragedBound by_factor(seen, suffixes, sizes);
    Node node = root_node(seen, suffixes);
    Path path(suffixes.depths(), 0);
    for (std::size_t depth = 0;; ++depth) {
      if (bound.applies(depth)) {
        for (const Pair& pair : node.pairs) {
          Path known = path;
          for (std::size_t d = depth; d < known.size(); ++d) {
            known[d] = static_cast<std::uint32_t>(below(random, seen.factors[suffixes.factor(d)].outputs.size()));
          }
          const bool leaves_out = bound.averaged(depth) == 0 && below(random, 2) == 0;
          LargestRatio largest;
          largest_below(seen, suffixes, exact, path, depth, pair, nullptr, budget, largest);
          const double ratio = largest.below.is_zero() ? kInfinity : (largest.above / largest.below).approx();
          for (const double times : {0.5, 1 - 1e-12, 1 + 1e-6, 1.02, 1.5, 4.0}) {
            const double most = largest.below.is_zero() ? 1e6 : ratio * times;
            if (!(most > 0)) continue;
            LargestRatio others;
            if (leaves_out) {
              largest_below(seen, suffixes, exact, path, depth, pair, &known, budget, others);
            } else {
              others = largest;
            }
            const AveragedBound::Question question{depth, node.weights[pair.from],       node.weights[pair.to],
                                                   most,  leaves_out ? &known : nullptr, &known};
            const double found = bound.bound(question, [] {}), without_groups = by_factor.bound(question, [] {});
            const double other = others.below.is_zero() ? kInfinity : (others.above / others.below).approx();
            CAPTURE(depth);
            CAPTURE(most);
            CAPTURE(sizes.group_cells);
            CHECK(found >= most);
            CHECK(found >= other * (1 - 1e-15));
            CHECK(found <= without_groups);
            if (found == most) CHECK((other <= most * (1 + 1e-15)));
            CHECK(bound.bound(question, [] {}) == found);  // whatever the object was asked before
            by_groups += found == most && without_groups > most ? 1 : 0;
            closed += found == most ? 1 : 0;
            bounded += found < kInfinity ? 1 : 0;
            averaged += bound.averaged(depth) > 0 && found == most ? 1 : 0;
          }
        }
      }
      if (depth == suffixes.depths()) break;
      path[depth] = static_cast<std::uint32_t>(below(random, seen.factors[suffixes.factor(depth)].outputs.size()));
      const std::vector<Pair> pairs = node.pairs;
      node = fixed(suffixes, node, depth, path[depth]);
      node.pairs = pairs;
      if (node.out_of_range) break;
    }
  }
  CHECK(closed > 500);
  CHECK(averaged > 200);
  CHECK(by_groups > 20);
  CHECK(bounded > 1000);
}

TEST_CASE("with the averaged bound, the search finds the levels of enumeration") {
  Random random(5202);
  Limits limits;
  limits.max_seconds = 1e6;
  Budget budget(limits);
  std::size_t applied = 0;
  const int rounds = effort(300, 72, 9);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const std::vector<KindOfTable> kinds = kinds_of_tables();
    const KindOfTable& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(kind.name);
    const Model model = random_table(random, kind, budget);
    MeasuredModel subject(model, budget);
    const std::size_t coordinate = round % 3 == 0 ? below(random, model.domain.size()) : 0;
    const GroupLevel listed = subject.answer(between_values(model.domain, {coordinate})).front();
    const ProjectedRows seen = rows_by_value(model, coordinate, budget);
    for (const Averages averages :
         {Averages::kAlways, Averages::kInGroups, Averages::kWhereCheaper, Averages::kNever}) {
      SearchLimits search_limits;
      search_limits.averages = averages;
      const GroupLevel found = search_outputs(seen, budget, search_limits);
      CHECK(!found.unfinished);
      CHECK(found.at_least == listed.at_least);
      CHECK(level_between(found.witness.get().p_from, found.witness.get().p_to) == found.at_least);
      if (averages == Averages::kNever) continue;
      // Stopped early: the level is between the ends.
      search_limits.most_nodes = below(random, 4);
      const GroupLevel stopped = search_outputs(seen, budget, search_limits);
      CHECK(stopped.at_least <= listed.at_least);
      CHECK(stopped.at_most() >= listed.at_least);
      if (stopped.transport_bound) CHECK(*stopped.transport_bound >= listed.at_least);
    }
    const Suffixes suffixes(seen, by_information(seen), budget);
    applied +=
        AveragedBound(seen, suffixes, AveragedBound::sizes(suffixes, Averages::kWhereCheaper)).applies(0) ? 1 : 0;
  }
  CHECK(applied > static_cast<std::size_t>(rounds) / 2);
}

TEST_CASE("with the averaged bound, searches by one, two and three threads are the same") {
  Random random(5203);
  Limits limits;
  limits.max_seconds = 1e6;
  limits.microseconds_alone = 0;
  Budget budget(limits);
  std::uint64_t shared = 0, nodes = 0;
  for (int round = 0; round < effort(250, 66, 11); ++round) {
    CAPTURE(round);
    const std::vector<KindOfTable> kinds = kinds_of_tables();
    const KindOfTable& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(kind.name);
    const Model model = random_table(random, kind, budget);
    const ProjectedRows seen = rows_by_value(model, round % 3 == 0 ? below(random, model.domain.size()) : 0, budget);
    for (const Averages averages : {Averages::kAlways, Averages::kInGroups, Averages::kWhereCheaper}) {
      for (const std::uint64_t most_nodes : {UINT64_MAX, std::uint64_t{1 + below(random, 30)}}) {
        std::string alone;
        for (const std::size_t threads : {1U, 2U, 3U}) {
          CAPTURE(threads);
          SpareThreads spare(threads, 1);
          SearchLimits search_limits;
          search_limits.averages = averages;
          search_limits.most_nodes = most_nodes;
          search_limits.spare = &spare;
          const GroupLevel found = search_outputs(seen, budget, search_limits);
          if (threads == 1) alone = words_of(found);
          CHECK(words_of(found) == alone);
          CHECK(spare.count() == threads - 1);
          if (threads == 1) CHECK(spare.units() == 0);
          shared += spare.units();
          nodes += found.nodes.value_or(0);
        }
      }
    }
  }
  CHECK(nodes > 1000);
  CHECK(shared > 0);
}
