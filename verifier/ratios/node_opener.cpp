#include "verifier/ratios/node_opener.h"

#include <algorithm>

namespace oddsbound::ratios {

namespace {

Path unpack_path(Unpacker& unpacker, const NodeRanges& ranges) {
  Path path = unpacker.words<std::uint32_t>();
  if (path.size() > ranges.outputs.size()) throw BytesError("a path has too many parts");
  for (std::size_t d = 0; d < path.size(); ++d) {
    if (path[d] >= ranges.outputs[d]) throw BytesError("there is no such output of a part");
  }
  return path;
}

}  // namespace

Opened open_node(NodeExpander& expander, const OpenNode& node, const BestOutput& best) {
  Opened opened;
  Node weights = expander.node_at(node.path);
  weights.pairs = expander.open_pairs(node.path, node.path.size(), node.pairs, best);
  opened.is_open = !weights.pairs.empty();
  if (!opened.is_open) return opened;
  for (auto& [y, child] : expander.children_of(weights, node.path.size(), best)) {
    OpenNode& kept = opened.children.emplace_back(OpenNode{node.path, std::move(child.pairs)});
    kept.path.push_back(y);
  }
  return opened;
}

void pack(Packer& packer, const OpenNode& node) {
  packer.put(node.path).put(std::uint64_t{node.pairs.size()});
  for (const Pair& pair : node.pairs) packer.put(pair.from).put(pair.to).put(pair.bound);
}

OpenNode unpack_node(Unpacker& unpacker, const NodeRanges& ranges) {
  OpenNode node{unpack_path(unpacker, ranges), std::vector<Pair>(unpacker.count(24))};
  for (Pair& pair : node.pairs) {
    pair.from = static_cast<std::uint32_t>(unpacker.below(ranges.groups));
    pair.to = static_cast<std::uint32_t>(unpacker.below(ranges.groups));
    pair.bound = unpacker.bound();
    if (pair.from == pair.to) throw BytesError("a group is compared with itself");
  }
  return node;
}

void pack(Packer& packer, const BestOutput& best) { packer.put(best.path).put(best.from).put(best.to); }

Bytes unit_of(std::span<const OpenNode* const> nodes, const BestOutput& best, std::uint64_t bytes) {
  Packer best_packed, unit;
  pack(best_packed, best);
  unit.put(bytes).put(best_packed.take()).put(std::uint64_t{nodes.size()});
  for (const OpenNode* node : nodes) pack(unit, *node);
  return unit.take();
}

std::vector<Opened> unpack_opened(const Bytes& result, std::size_t nodes, const NodeRanges& ranges) {
  Unpacker bytes(result);
  if (bytes.word() != nodes) throw BytesError("another number of nodes was opened");
  std::vector<Opened> all(nodes);
  for (Opened& opened : all) {
    opened.is_open = bytes.flag();
    opened.is_better = bytes.flag();
    for (std::size_t left = bytes.count(16); left > 0; --left) opened.children.push_back(unpack_node(bytes, ranges));
  }
  bytes.require_end();
  return all;
}

NodeOpener::NodeOpener(const SeenRows& seen, const Suffixes& suffixes, const PathWeights& exact)
    : seen_(seen), suffixes_(suffixes), exact_(exact) {
  for (std::size_t d = 0; d < suffixes.depths(); ++d) {
    ranges_.outputs.push_back(seen.factors[suffixes.factor(d)].outputs.size());
  }
  ranges_.groups = seen.masses.size();
}

BestOutput NodeOpener::best_at(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const {
  Number p_from = exact_.of(from, suffixes_.depths(), path, budget)[0];
  Number p_to = exact_.of(to, suffixes_.depths(), path, budget)[0];
  double least = 0;
  if (!p_from.is_zero() && p_to.is_zero()) {
    least = kInfinity;
  } else if (!p_from.is_zero()) {
    // A ratio out of the range of doubles counts as one at its end.
    least = std::min((p_from / p_to).approx(), 0x1p999) * (1 - 0x1p-48);
  }
  return {std::move(path), from, to, std::move(p_from), std::move(p_to), least};
}

BestOutput NodeOpener::unpack_best(Unpacker& unpacker, Budget& budget) const {
  Path path = unpack_path(unpacker, ranges_);
  const auto from = static_cast<std::uint32_t>(unpacker.below(ranges_.groups));
  const auto to = static_cast<std::uint32_t>(unpacker.below(ranges_.groups));
  if (path.size() != suffixes_.depths()) throw BytesError("an output has another number of parts");
  for (const std::uint32_t group : {from, to}) {
    if (seen_.masses[group].is_zero()) throw BytesError("a group has no rows");
  }
  if (from != to && !seen_.direction.allows(from, to)) throw BytesError("these groups are not compared");
  BestOutput best = best_at(std::move(path), from, to, budget);
  if (best.p_from.is_zero()) throw BytesError("an output is not possible");
  return best;
}

Bytes NodeOpener::open(const Bytes& unit, std::size_t thread, Budget& budget, const Look& look) {
  Unpacker asked(unit);
  Helper& helper = helper_of(thread, asked.word(), budget, look);
  const Bytes best = asked.text();
  if (best != helper.best_as_bytes) {
    Unpacker bytes(best);
    helper.best = unpack_best(bytes, budget);
    helper.best_as_bytes = best;
  }
  Packer result;
  std::size_t left = asked.count();
  for (result.put(std::uint64_t{left}); left > 0; --left) {
    const Opened opened = this->opened(unpack_node(asked, ranges_), helper, budget);
    result.put(opened.is_open).put(opened.is_better).put(std::uint64_t{opened.children.size()});
    for (const OpenNode& child : opened.children) pack(result, child);
  }
  return result.take();
}

Opened NodeOpener::opened(const OpenNode& node, Helper& helper, Budget& budget) const {
  return node.path.size() < suffixes_.depths() ? open_node(*helper.expander, node, helper.best)
                                               : opened_output(*helper.expander, node, helper.best, budget);
}

Opened NodeOpener::opened_output(NodeExpander& expander, const OpenNode& node, const BestOutput& best,
                                 Budget& budget) const {
  Opened opened;
  for (const Pair& pair : expander.open_pairs(node.path, node.path.size(), node.pairs, best)) {
    opened.is_open = true;
    const BestOutput other = best_at(node.path, pair.from, pair.to, budget);
    if (other.p_from.is_zero()) continue;
    opened.is_better |= compare_products(other.p_from, best.p_to, other.p_to, best.p_from) > 0;
  }
  return opened;
}

NodeOpener::Helper& NodeOpener::helper_of(std::size_t thread, std::uint64_t bytes, Budget& budget, const Look& look) {
  std::unique_lock lock(helpers_guard_);
  std::unique_ptr<Helper>& place = helpers_[thread];
  if (!place) place = std::make_unique<Helper>();
  Helper& helper = *place;
  lock.unlock();
  helper.budget = &budget;
  helper.look = look;
  if (!helper.expander) {
    helper.expander = std::make_unique<NodeExpander>(seen_, suffixes_, exact_, bytes, budget,
                                                     [&helper] { helper.look(*helper.budget); });
  }
  helper.expander->work_within(budget);
  return helper;
}

NodeExpander& NodeOpener::expander(std::size_t thread, std::uint64_t bytes, Budget& budget, const Look& look) {
  return *helper_of(thread, bytes, budget, look).expander;
}

}  // namespace oddsbound::ratios
