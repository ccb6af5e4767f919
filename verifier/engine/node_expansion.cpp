#include "verifier/engine/node_expansion.h"

#include <algorithm>
#include <cmath>

#include "verifier/engine/transport_bound.h"

namespace oddsbound::engine {

namespace {

// A bound closer than this to the best ratio is checked exactly.
constexpr double kClose = 1e-9;

// Rounds of a refined transport bound that are expected.
constexpr double kRounds = 8;
// With a transport bound of so few steps at the root, the averaged bound does not pay.
constexpr double kFewSteps = 0x1p26;
// Bounds are lowered while they are at least this far, as a factor, from what is not a bound, and up to the square of
// this.
constexpr double kNear = 1.02, kFar = 1e15;
// With fewer factors in C, no bounds are lowered.
constexpr std::size_t kFewAveraged = 4;
// Groups are used if they take at most this many times the steps of one transport bound: they save more nodes.
constexpr double kTimesInGroups = 8;
// How many times the steps of the transport bound the ratios of all outputs may take.
constexpr double kManyTimes = 4;
// Moments may take this many times the steps of the transport bound: they save many nodes.
constexpr double kTimesInMoments = 256;

// Returns true if the outputs below a node at this depth are so many that moments may pay.
bool has_many_outputs(const Suffixes& suffixes, std::size_t depth) {
  constexpr double kMany = 32;  // to base 2
  double logarithm = 0;
  for (std::size_t d = depth; d < suffixes.depths(); ++d) {
    logarithm += std::log2(static_cast<double>(suffixes.entries(d).size()));
  }
  return logarithm >= kMany;
}

}  // namespace

double largest_bound(const std::vector<Pair>& pairs) {
  double most = 0;
  for (const Pair& pair : pairs) most = std::max(most, pair.bound);
  return most;
}

NodeExpander::NodeExpander(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact,
                           Averages averages, std::uint64_t bytes, Budget& budget, std::function<void()> look)
    : seen_(seen),
      suffixes_(suffixes),
      exact_(exact),
      averages_(averages),
      bytes_(bytes),
      budget_(&budget),
      look_(std::move(look)),
      root_(root_node(seen, suffixes)) {}

Node NodeExpander::node_at(const Path& path) const {
  Node node = root_;
  for (std::size_t d = 0; d < path.size(); ++d) node = fixed(suffixes_, node, d, path[d]);
  return node;
}

std::vector<Pair> NodeExpander::bounded(const Node& node, std::size_t depth, const std::vector<Pair>& pairs,
                                        const BestOutput& best, bool holds_best) {
  if (node.out_of_range) return pairs;
  std::vector<Pair> left = pairs;
  if (pays_averaged(depth, pairs.size())) left = averaged(node, depth, pairs, best, holds_best);
  if (left.empty() || !pays_transport(depth, pairs.size())) return left;
  const GroupWeights reach = reaches(kernel(), depth, node.weights, look_);
  std::vector<Pair> open;
  for (Pair pair : left) {
    const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
    pair.bound = std::min(pair.bound, transport_bound(u, v, reach[pair.to], suffixes_.error()));
    if (is_beaten(pair, best)) continue;
    if (depth > 0 && depth < suffixes_.depths()) {
      const Refining refining{best.least, 20, 0.005, true, bytes_ / sizeof(double)};
      const RefinedBound better = refined_bound(kernel(), depth, u, v, suffixes_.error(), refining, look_);
      pair.bound = std::min(pair.bound, better.ratio);
    }
    if (!is_beaten(pair, best)) open.push_back(pair);
  }
  return open;
}

LossKernel& NodeExpander::kernel() {
  if (!kernel_) kernel_.emplace(suffixes_, bytes_, *budget_);
  return *kernel_;
}

double NodeExpander::transport_steps(std::size_t depth, std::size_t pairs) const {
  const auto size = static_cast<double>(suffixes_.layer(depth).size);
  return size * size * (static_cast<double>(seen_.masses.size()) + kRounds * static_cast<double>(pairs));
}

AveragedBound& NodeExpander::averages() {
  if (!averaged_) averaged_.emplace(seen_, suffixes_, AveragedBound::sizes(suffixes_, averages_));
  return *averaged_;
}

bool NodeExpander::pays_averaged(std::size_t depth, std::size_t pairs) {
  if (averages_ == Averages::kNever) return false;
  const bool is_short = transport_steps(0, root_.pairs.size()) < kFewSteps;
  if ((is_short && !is_always()) || !averages().applies(depth)) return false;
  if (is_always()) return true;
  const double most = transport_steps(depth, pairs) * (averages().averaged(depth) == 0 ? kManyTimes : 1);
  return averages().steps(depth) * static_cast<double>(pairs) < most;
}

bool NodeExpander::pays_transport(std::size_t depth, std::size_t pairs) {
  if (!pays_averaged(depth, pairs)) return true;
  if (averages().averaged(depth) == 0 || is_always()) return false;
  // Not if it takes more steps than the averaged bounds of the tree below the node.
  return transport_steps(depth, pairs) <
         averages().steps(depth) * static_cast<double>(pairs) * averages().nodes_below(depth);
}

double NodeExpander::averaged_bound(const Node& node, std::size_t depth, const Pair& pair, const BestOutput& best,
                                    bool holds_best, double most) {
  const bool is_best = holds_best && pair.from == best.from && pair.to == best.to;
  const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
  const bool in_groups = is_always() || averages().group_steps(depth) < kTimesInGroups * transport_steps(depth, 1);
  return averages().bound({depth, u, v, most, is_best ? &best.path : nullptr, in_groups ? &best.path : nullptr}, look_);
}

// Keeps the pairs that the averaged bound does not discard. Then tries to halve the distance, in nats, of their bounds
// to the best ratio: the order of nodes and the upper bound of a search that stops early depend on them.
std::vector<Pair> NodeExpander::averaged(const Node& node, std::size_t depth, const std::vector<Pair>& pairs,
                                         const BestOutput& best, bool holds_best) {
  std::vector<Pair> open;
  for (Pair pair : pairs) {
    const double bound = averaged_bound(node, depth, pair, best, holds_best, best.least);
    if (bound <= best.least) continue;
    pair.bound = std::min(pair.bound, bound);
    if (is_beaten(pair, best)) continue;
    const double half = std::sqrt(best.least) * std::sqrt(pair.bound);
    if (depth > 0 && averages().averaged(depth) >= kFewAveraged && std::isfinite(half) && half > best.least * kNear) {
      pair.bound = std::min(pair.bound, averaged_bound(node, depth, pair, best, holds_best, half));
    }
    open.push_back(pair);
  }
  return open;
}

// Lowers the bounds of the root's pairs where the transport bound takes too many steps. `enough`: as in root_pairs.
void NodeExpander::lower(const Node& root, Pair& pair, const BestOutput& best, double& enough) {
  double closed = kInfinity, open = std::max(enough, best.least);
  if (averaged_bound(root, 0, pair, best, true, open) <= open) {
    pair.bound = std::min(pair.bound, open);
    return;
  }
  for (double step = kNear; step < kFar && std::isinf(closed); step *= step) {
    const double most = open * step;
    if (averaged_bound(root, 0, pair, best, true, most) <= most) {
      closed = most;
    } else {
      open = most;
    }
  }
  while (closed > open * kNear && std::isfinite(closed)) {
    const double most = std::sqrt(open) * std::sqrt(closed);
    (averaged_bound(root, 0, pair, best, true, most) <= most ? closed : open) = most;
  }
  pair.bound = std::min(pair.bound, closed);
  enough = std::max(enough, pair.bound);
}

MomentBound& NodeExpander::moments() {
  if (!moments_) moments_.emplace(suffixes_, bytes_);
  return *moments_;
}

bool NodeExpander::pays_moments(std::size_t depth, std::size_t pairs) {
  if (averages_ == Averages::kNever || pairs == 0) return false;
  if ((!is_always() && !has_many_outputs(suffixes_, depth)) || !moments().applies(depth)) return false;
  const auto groups = static_cast<double>(std::min(pairs + 1, seen_.masses.size()));
  return is_always() || moments().steps(depth) * groups < kTimesInMoments * transport_steps(depth, pairs);
}

std::vector<Pair> NodeExpander::lowered_by_moments(const Node& node, std::size_t depth, std::vector<Pair> pairs,
                                                   const BestOutput& best) {
  if (node.out_of_range || !pays_moments(depth, pairs.size())) return pairs;
  std::map<std::uint32_t, GroupMoments> known;
  const auto moments_of = [&](std::uint32_t group) -> const GroupMoments& {
    auto at = known.find(group);
    if (at == known.end()) at = known.emplace(group, moments().moments(depth, node.weights[group], look_)).first;
    return at->second;
  };
  const auto has_mass = [&](std::uint32_t group) {
    return std::any_of(node.weights[group].begin(), node.weights[group].end(), [](double w) { return w > 0; });
  };
  for (Pair& pair : pairs) {
    look_();
    if (!has_mass(pair.from) || !has_mass(pair.to)) continue;
    pair.bound = std::min(pair.bound, moments().bound(moments_of(pair.from), moments_of(pair.to)));
  }
  std::erase_if(pairs, [&](const Pair& pair) { return is_beaten(pair, best); });
  return pairs;
}

std::vector<std::pair<std::uint32_t, Node>> NodeExpander::children_of(const Node& node, const Path& path,
                                                                      std::size_t depth, const BestOutput& best) {
  const bool holds_best =
      std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth), best.path.begin());
  std::vector<std::pair<std::uint32_t, Node>> children;
  const std::size_t outputs = seen_.factors[suffixes_.factor(depth)].outputs.size();
  for (std::uint32_t y = 0; y < outputs; ++y) {
    look_();
    Node child = fixed(suffixes_, node, depth, y);
    child.pairs = bounded(child, depth + 1, node.pairs, best, holds_best && best.path[depth] == y);
    child.pairs = lowered_by_moments(child, depth + 1, std::move(child.pairs), best);
    if (!child.pairs.empty()) children.emplace_back(y, std::move(child));
  }
  return children;
}

// `enough` becomes the largest refined bound: refining another pair's bound below it does not lower the maximum.
std::vector<Pair> NodeExpander::root_pairs(const Node& root, const BestOutput& best,
                                           const std::function<void(double)>& tell) {
  std::vector<Pair> pairs = bounded(root, 0, root.pairs, best, true);
  tell(largest_bound(pairs));
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.bound > b.bound; });
  double enough = best.least;
  for (Pair& pair : pairs) {
    if (root.out_of_range || suffixes_.depths() == 0 || pair.bound < enough) continue;
    if (!pays_transport(0, root.pairs.size())) {
      lower(root, pair, best, enough);
      tell(largest_bound(pairs));
      continue;
    }
    const Refining refining{enough, 60, 0.002, false, bytes_ / sizeof(double)};
    const RefinedBound better =
        refined_bound(kernel(), 0, root.weights[pair.from], root.weights[pair.to], suffixes_.error(), refining, look_);
    pair.bound = std::min(pair.bound, better.ratio);
    enough = std::max(enough, pair.bound);
    tell(largest_bound(pairs));
  }
  pairs = lowered_by_moments(root, 0, std::move(pairs), best);
  tell(largest_bound(pairs));
  return pairs;
}

std::vector<Pair> NodeExpander::open_pairs(const Path& path, std::size_t depth, std::vector<Pair> pairs,
                                           const BestOutput& best) {
  std::erase_if(
      pairs, [&](const Pair& pair) { return is_beaten(pair, best) || cannot_beat_exactly(path, depth, pair, best); });
  return pairs;
}

// For bounds that doubles cannot separate from the best ratio: returns true if u_r <= best * v_r for every r,
// which bounds all ratios below the node by the best one.
bool NodeExpander::cannot_beat_exactly(const Path& path, std::size_t depth, const Pair& pair,
                                       const BestOutput& best) const {
  if (depth == suffixes_.depths() || pair.bound > best.least * (1 + std::max(kClose, 64 * suffixes_.error()))) {
    return false;
  }
  const std::vector<Number> u = exact_.of(pair.from, depth, path, *budget_);
  const std::vector<Number> v = exact_.of(pair.to, depth, path, *budget_);
  for (std::size_t r = 0; r < u.size(); ++r) {
    budget_->check_every();
    if (compare_products(u[r], best.p_to, v[r], best.p_from) > 0) return false;
  }
  return true;
}

namespace {

Path unpack_path(BinaryReader& reader, const NodeRanges& ranges) {
  Path path = reader.words<std::uint32_t>();
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
  for (auto& [y, child] : expander.children_of(weights, node.path, node.path.size(), best)) {
    OpenNode& kept = opened.children.emplace_back(OpenNode{node.path, std::move(child.pairs)});
    kept.path.push_back(y);
  }
  return opened;
}

void pack(BinaryWriter& writer, const OpenNode& node) {
  writer.put(node.path).put(std::uint64_t{node.pairs.size()});
  for (const Pair& pair : node.pairs) writer.put(pair.from).put(pair.to).put(pair.bound);
}

OpenNode unpack_node(BinaryReader& reader, const NodeRanges& ranges) {
  OpenNode node{unpack_path(reader, ranges), std::vector<Pair>(reader.count(24))};
  for (Pair& pair : node.pairs) {
    pair.from = static_cast<std::uint32_t>(reader.below(ranges.groups));
    pair.to = static_cast<std::uint32_t>(reader.below(ranges.groups));
    pair.bound = reader.bound();
    if (pair.from == pair.to) throw BytesError("a group is compared with itself");
  }
  return node;
}

void pack(BinaryWriter& writer, const BestOutput& best) { writer.put(best.path).put(best.from).put(best.to); }

Bytes unit_of(std::span<const OpenNode* const> nodes, const BestOutput& best, std::uint64_t bytes) {
  BinaryWriter best_packed, unit;
  pack(best_packed, best);
  unit.put(bytes).put(best_packed.take()).put(std::uint64_t{nodes.size()});
  for (const OpenNode* node : nodes) pack(unit, *node);
  return unit.take();
}

std::vector<Opened> unpack_opened(const Bytes& result, std::size_t nodes, const NodeRanges& ranges) {
  BinaryReader bytes(result);
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

NodeExpansion::NodeExpansion(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact,
                             Averages averages)
    : seen_(seen), suffixes_(suffixes), exact_(exact), averages_(averages) {
  for (std::size_t d = 0; d < suffixes.depths(); ++d) {
    ranges_.outputs.push_back(seen.factors[suffixes.factor(d)].outputs.size());
  }
  ranges_.groups = seen.masses.size();
}

// Each expander has a loss kernel, as much again in plans, tables of the averaged bound, and matrices of moments. A
// quarter of the memory is for the waiting nodes.
std::size_t NodeExpansion::most_expanders(const Budget& budget) const {
  constexpr std::uint64_t kOfAverages = std::uint64_t{1} << 27;
  std::uint64_t kernel = 0;
  for (std::size_t d = 0; d < suffixes_.depths(); ++d) {
    const std::uint64_t size = suffixes_.layer(d).size;
    kernel += sizeof(double) * size * size;
  }
  const std::uint64_t most = LossKernel::bytes_to_keep(budget);
  const std::uint64_t with_plans = 2 * std::min(kernel, most), of_moments = has_many_outputs(suffixes_, 0) ? most : 0;
  return std::max<std::uint64_t>(1, budget.memory_left_mb() / 4 * 3 / ((with_plans + kOfAverages + of_moments) >> 20));
}

BestOutput NodeExpansion::best_at(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const {
  Number p_from = exact_.of(from, suffixes_.depths(), path, budget)[0];
  Number p_to = exact_.of(to, suffixes_.depths(), path, budget)[0];
  double least = 0;
  if (!p_from.is_zero() && p_to.is_zero()) {
    least = kInfinity;
  } else if (!p_from.is_zero()) {
    // A ratio outside the range of doubles counts as 2^999.
    least = std::min((p_from / p_to).approx(), 0x1p999) * (1 - 0x1p-48);
  }
  return {std::move(path), from, to, std::move(p_from), std::move(p_to), least};
}

BestOutput NodeExpansion::unpack_best(BinaryReader& reader, Budget& budget) const {
  Path path = unpack_path(reader, ranges_);
  const auto from = static_cast<std::uint32_t>(reader.below(ranges_.groups));
  const auto to = static_cast<std::uint32_t>(reader.below(ranges_.groups));
  if (path.size() != suffixes_.depths()) throw BytesError("an output has another number of parts");
  for (const std::uint32_t group : {from, to}) {
    if (seen_.masses[group].is_zero()) throw BytesError("a group has no rows");
  }
  if (from != to && !seen_.direction.allows(from, to)) throw BytesError("these groups are not compared");
  BestOutput best = best_at(std::move(path), from, to, budget);
  if (best.p_from.is_zero()) throw BytesError("an output is not possible");
  return best;
}

Bytes NodeExpansion::open(const Bytes& unit, std::size_t thread, Budget& budget, const Look& look) {
  BinaryReader asked(unit);
  Helper& helper = helper_of(thread, asked.word(), budget, look);
  const Bytes best = asked.text();
  if (best != helper.best_as_bytes) {
    BinaryReader bytes(best);
    helper.best = unpack_best(bytes, budget);
    helper.best_as_bytes = best;
  }
  BinaryWriter result;
  std::size_t left = asked.count();
  for (result.put(std::uint64_t{left}); left > 0; --left) {
    const Opened opened = this->opened(unpack_node(asked, ranges_), helper, budget);
    result.put(opened.is_open).put(opened.is_better).put(std::uint64_t{opened.children.size()});
    for (const OpenNode& child : opened.children) pack(result, child);
  }
  return result.take();
}

Opened NodeExpansion::opened(const OpenNode& node, Helper& helper, Budget& budget) const {
  return node.path.size() < suffixes_.depths() ? open_node(*helper.expander, node, helper.best)
                                               : opened_output(*helper.expander, node, helper.best, budget);
}

Opened NodeExpansion::opened_output(NodeExpander& expander, const OpenNode& node, const BestOutput& best,
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

NodeExpansion::Helper& NodeExpansion::helper_of(std::size_t thread, std::uint64_t bytes, Budget& budget,
                                                const Look& look) {
  std::unique_lock lock(helpers_guard_);
  std::unique_ptr<Helper>& place = helpers_[thread];
  if (!place) place = std::make_unique<Helper>();
  Helper& helper = *place;
  lock.unlock();
  helper.budget = &budget;
  helper.look = look;
  if (!helper.expander) {
    helper.expander = std::make_unique<NodeExpander>(seen_, suffixes_, exact_, averages_, bytes, budget,
                                                     [&helper] { helper.look(*helper.budget); });
  }
  helper.expander->work_within(budget);
  return helper;
}

NodeExpander& NodeExpansion::expander(std::size_t thread, std::uint64_t bytes, Budget& budget, const Look& look) {
  return *helper_of(thread, bytes, budget, look).expander;
}

}  // namespace oddsbound::engine
