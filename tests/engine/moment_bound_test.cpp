// The moment bound is never below a ratio of an output, and its bounds of moments hold for every output.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/effort.h"
#include "tests/support/random_table.h"
#include "verifier/engine/moment_bound.h"
#include "verifier/engine/output_search.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

constexpr std::uint64_t kBytes = std::uint64_t{1} << 28;

bool has_mass(const std::vector<double>& weights) {
  return std::any_of(weights.begin(), weights.end(), [](double weight) { return weight > 0; });
}

// Calls visit() with `path` at all outputs of the factors from `depth` on.
template <class Visit>
void visit_outputs(const Suffixes& suffixes, std::size_t depth, Path& path, const Visit& visit) {
  if (depth == suffixes.depths()) return visit();
  for (std::uint32_t y = 0; y < suffixes.entries(depth).size(); ++y) {
    path[depth] = y;
    visit_outputs(suffixes, depth + 1, path, visit);
  }
}

// The terms l_i of every row with weight, at an output.
std::vector<std::vector<double>> terms_at(const Suffixes& suffixes, std::size_t depth,
                                          const std::vector<double>& weights, const Path& path) {
  std::vector<std::vector<double>> terms;
  std::vector<double> means(suffixes.depths() - depth, 0);
  double total = 0;
  for (std::uint32_t s = 0; s < weights.size(); ++s) {
    if (weights[s] == 0) continue;
    std::vector<double>& own = terms.emplace_back();
    std::uint32_t suffix = s;
    for (std::size_t d = depth; d < suffixes.depths(); ++d) {
      own.push_back(std::log(suffixes.entries(d)[path[d]][suffixes.layer(d).seen[suffix]]));
      means[d - depth] += weights[s] * own.back();
      suffix = suffixes.layer(d).next[suffix];
    }
    total += weights[s];
  }
  for (std::vector<double>& own : terms) {
    for (std::size_t i = 0; i < own.size(); ++i) own[i] -= means[i] / total;
  }
  return terms;
}

// Checks all bounds of the moments at an output against plain loops.
void check_moments(const GroupMoments& moments, const std::vector<std::vector<double>>& terms,
                   const std::vector<double>& weights, const Path& path, std::size_t depth) {
  double second = 0, third = 0, fourth = 0, triples = 0, total = 0;
  std::size_t r = 0;
  for (const double weight : weights) {
    if (weight == 0) continue;
    const std::vector<double>& l = terms[r++];
    double sum = 0, squares = 0;
    for (const double term : l) {
      sum += term;
      squares += term * term;
    }
    CHECK(std::abs(sum) <= moments.size);
    if (moments.is_small) {
      CHECK(sum <= moments.most);
      CHECK(squares <= moments.most_squares);
      CHECK(squares >= moments.least_squares - 1e-12);
    }
    total += weight;
    second += weight * sum * sum;
    third += weight * sum * sum * sum;
    fourth += weight * sum * sum * sum * sum;
    for (std::size_t i = 0; i < l.size(); ++i) {
      for (std::size_t j = i + 1; j < l.size(); ++j) {
        for (std::size_t k = j + 1; k < l.size(); ++k) triples += weight * l[i] * l[j] * l[k];
      }
    }
  }
  second /= total;
  third /= total;
  fourth /= total;
  triples /= total;
  CHECK(second <= moments.variance);
  if (!moments.is_small) return;
  double above = moments.third, below = -moments.third;
  for (std::size_t i = 0; i < moments.above.size(); ++i) {
    above += moments.above[i][path[depth + i]];
    below += moments.below[i][path[depth + i]];
  }
  constexpr double kRounding = 1e-12;
  CHECK(6 * std::abs(triples) <= moments.third + kRounding);
  CHECK(third <= above + kRounding);
  CHECK(third >= below - kRounding);
  CHECK(fourth <= 2 * moments.most_squares * second - std::pow(moments.least_squares, 2) + moments.fourth + kRounding);
}

Model model_of(const std::vector<std::vector<std::uint32_t>>& inputs, const Number& odds, Budget& budget) {
  std::vector<Coordinate> coordinates;
  std::vector<Factor> parts;
  const Number most = odds / (odds + Number(1)), least = Number(1) / (odds + Number(1));
  for (std::size_t i = 0; i < inputs[0].size(); ++i) {
    coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
    if (i > 0) parts.push_back({channel_of_rows({{most, least}, {least, most}}), {i}});
  }
  const Domain domain(coordinates);
  std::vector<WeightedRow> rows;
  for (const std::vector<std::uint32_t>& input : inputs)
    rows.push_back({InputRow(input.begin(), input.end()), Number(1)});
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(parts)),
          Prior::from_rows(domain, std::move(rows), budget)};
}

}  // namespace

TEST_CASE("bounds of moments hold for every output, and the moment bound for every ratio, at every depth") {
  Random random(5301);
  Limits limits;
  limits.max_seconds = 1e6;
  Budget budget(limits);
  std::size_t bounds = 0, useful = 0, near = 0, refused = 0;
  for (int round = 0; round < effort(600, 110, 22); ++round) {
    CAPTURE(round);
    const std::vector<KindOfTable> kinds = kinds_of_tables();
    KindOfTable kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(kind.name);
    kind.attributes = std::min<std::size_t>(kind.attributes, 6);
    kind.rows = std::min<std::size_t>(kind.rows, 40);
    const Model model = random_table(random, kind, budget);
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    const Suffixes suffixes(seen, by_information(seen), budget);
    const PathWeights exact(seen, suffixes);
    const MomentBound bound(suffixes, kBytes);
    Node node = root_node(seen, suffixes);
    Path path(suffixes.depths(), 0);
    for (std::size_t depth = 0; depth < suffixes.depths(); ++depth) {
      CAPTURE(depth);
      for (const Pair& pair : node.pairs) {
        if (!bound.applies(depth) || !has_mass(node.weights[pair.from]) || !has_mass(node.weights[pair.to])) continue;
        const GroupMoments u = bound.moments(depth, node.weights[pair.from], [] {});
        const GroupMoments v = bound.moments(depth, node.weights[pair.to], [] {});
        Path at = path;
        visit_outputs(suffixes, depth, at, [&] {
          check_moments(u, terms_at(suffixes, depth, node.weights[pair.from], at), node.weights[pair.from], at, depth);
        });
        LargestRatio largest;
        largest_below(seen, suffixes, exact, at, depth, pair, nullptr, budget, largest);
        const double ratio = (largest.above / largest.below).approx();
        const double found = bound.bound(u, v);
        CHECK(found >= ratio * (1 - 1e-15));
        CHECK(bound.bound(u, v) == found);
        bounds += 1;
        refused += found == kInfinity ? 1 : 0;
        useful += std::log(found) < largest_loss(seen).approx() ? 1 : 0;
        near += std::log(found) < 1.2 * std::log(ratio) ? 1 : 0;
      }
      path[depth] = static_cast<std::uint32_t>(below(random, seen.factors[suffixes.factor(depth)].outputs.size()));
      const std::vector<Pair> pairs = node.pairs;
      node = fixed(suffixes, node, depth, path[depth]);
      node.pairs = pairs;
      if (node.out_of_range) break;
    }
  }
  MESSAGE(bounds << " bounds, " << useful << " useful, " << near << " near, " << refused << " refused");
  CHECK(bounds > 200);
  CHECK(useful > 60);
  CHECK(near > 60);
  CHECK(refused > 10);
}

TEST_CASE("the moment bound is the ratio if each group has one row") {
  Budget budget;
  const Number odds = Number::ratio(11, 10);
  const Model model = model_of({{0, 0, 0, 0, 0}, {1, 1, 1, 1, 0}}, odds, budget);
  const ProjectedRows seen = rows_by_value(model, 0, budget);
  const Suffixes suffixes(seen, by_information(seen), budget);
  const MomentBound bound(suffixes, kBytes);
  REQUIRE(bound.applies(0));
  const Node root = root_node(seen, suffixes);
  const double found = bound.bound(bound.moments(0, root.weights[0], [] {}), bound.moments(0, root.weights[1], [] {}));
  CHECK(found >= std::pow(1.1, 3));  // the last attribute has one value
  CHECK(found <= std::pow(1.1, 3) * (1 + 1e-6));
}

TEST_CASE("a rare row with large losses is not lost in the moments") {
  Budget budget;
  std::vector<std::vector<std::uint32_t>> inputs(49, {0, 0, 0, 0, 0, 0, 0});
  inputs.push_back({0, 1, 1, 1, 1, 1, 1});
  inputs.push_back({1, 0, 0, 0, 0, 0, 0});
  const ProjectedRows seen = rows_by_value(model_of(inputs, Number::ratio(23, 10), budget), 0, budget);
  const Suffixes suffixes(seen, by_information(seen), budget);
  const PathWeights exact(seen, suffixes);
  const MomentBound bound(suffixes, kBytes);
  REQUIRE(bound.applies(0));
  const Node root = root_node(seen, suffixes);
  for (const Pair& pair : root.pairs) {
    const GroupMoments u = bound.moments(0, root.weights[pair.from], [] {});
    const GroupMoments v = bound.moments(0, root.weights[pair.to], [] {});
    CHECK(u.is_small);
    LargestRatio largest;
    Path path(suffixes.depths(), 0);
    largest_below(seen, suffixes, exact, path, 0, pair, nullptr, budget, largest);
    CHECK(bound.bound(u, v) >= (largest.above / largest.below).approx() * (1 - 1e-15));
  }
}

TEST_CASE("with moments, a search over 2^33 outputs at a small level has a much lower bound") {
  Random random(5302);
  Budget budget;
  std::vector<std::vector<std::uint32_t>> inputs(500, std::vector<std::uint32_t>(34));
  for (std::vector<std::uint32_t>& input : inputs) {
    for (std::uint32_t& value : input) value = static_cast<std::uint32_t>(below(random, 2));
    for (std::size_t i = 1; i < input.size(); ++i) {
      if (below(random, 4) == 0) input[i] = input[0];
    }
  }
  const ProjectedRows seen = rows_by_value(model_of(inputs, Number::ratio(21, 20), budget), 0, budget);
  SearchLimits search_limits;
  search_limits.most_nodes = 1;
  const GroupLevel with = search_outputs(seen, budget, search_limits);
  search_limits.averages = Averages::kNever;
  const GroupLevel without = search_outputs(seen, budget, search_limits);
  REQUIRE(with.unfinished);
  REQUIRE(without.unfinished);
  CHECK(with.at_least == without.at_least);
  CHECK(with.at_most().approx() < 1.1 * with.at_least.approx());
  CHECK(without.at_most().approx() > 1.5 * with.at_least.approx());
}

TEST_CASE("the moment bound leaves out factors that are too large, and matrices that do not fit into memory") {
  const std::vector<std::vector<double>> many_outputs(1 << 18, {0.5, 0.25}), square(65, std::vector<double>(65, 0.5));
  CHECK(!LogFactor(many_outputs).is_usable);
  CHECK(!LogFactor(square).is_usable);
  CHECK(LogFactor({{0.5, 0.25}, {0.5, 0.75}}).is_usable);
  CHECK(!LogFactor({{0.5, 0}, {0.5, 1}}).is_usable);
  Budget budget;
  const Model model = model_of({{0, 0, 0, 0, 0}, {0, 1, 0, 1, 0}, {1, 1, 1, 1, 0}, {1, 0, 1, 0, 1}}, Number(2), budget);
  const ProjectedRows seen = rows_by_value(model, 0, budget);
  const Suffixes suffixes(seen, by_information(seen), budget);
  CHECK(MomentBound(suffixes, kBytes).applies(0));
  CHECK(!MomentBound(suffixes, 100).applies(0));
  CHECK(!MomentBound(suffixes, kBytes).applies(2));  // two factors are open
}
