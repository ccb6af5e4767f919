#include "verifier/engine/level_proof.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "base/errors.h"
#include "verifier/engine/network_messages.h"
#include "verifier/engine/search_node.h"
#include "verifier/engine/transport_bound.h"

namespace oddsbound::engine {

namespace {

// Nodes with at most this many remaining outputs are enumerated, not bounded.
constexpr std::uint64_t kFewOutputs = 27;
// So are nodes with at most kMostListed of them, if the checker takes less time to enumerate them than to check a
// transport plan for every pair. It takes as long for an output as for kStepsOfOutput entries of the kernel.
constexpr std::uint64_t kMostListed = std::uint64_t{1} << 14;
constexpr double kStepsOfOutput = 64;
// The passes over the kernel that a pair takes: a credit, and a plan.
constexpr double kPasses = 5;
// Averaged bounds are tried if they take at most this many times the steps of the transport bounds.
constexpr double kManyTimes = 4;
// Significant digits of written numbers: the fewest that still prove the bound.
constexpr int kDigits[] = {3, 17};

double with_digits(double value, int digits) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, digits - 1).ptr;
  double rounded = 0;
  std::from_chars(text, end, rounded);
  return rounded;
}

// Returns the number of remaining outputs at each depth, capped at 2^32.
std::vector<std::uint64_t> outputs_left(const ProjectedRows& seen, const Suffixes& suffixes) {
  std::vector<std::uint64_t> left(suffixes.depths() + 1, 1);
  for (std::size_t d = suffixes.depths(); d-- > 0;) {
    const std::uint64_t own = seen.factors[suffixes.factor(d)].outputs.size();
    left[d] = std::min(left[d + 1] * std::min(own, std::uint64_t{1} << 31), std::uint64_t{1} << 32);
  }
  return left;
}

// Returns the suffixes of every depth, ordered by their classes in the remaining factors.
std::vector<std::vector<std::uint32_t>> in_order_of_classes(const Suffixes& suffixes) {
  std::vector<std::vector<std::uint32_t>> orders(suffixes.depths() + 1);
  std::vector<std::uint32_t> place_after{0};
  orders.back() = {0};
  for (std::size_t d = suffixes.depths(); d-- > 0;) {
    const SuffixLayer& layer = suffixes.layer(d);
    std::vector<std::uint32_t>& order = orders[d];
    order.resize(layer.size);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return layer.seen[a] != layer.seen[b] ? layer.seen[a] < layer.seen[b]
                                            : place_after[layer.next[a]] < place_after[layer.next[b]];
    });
    std::vector<std::uint32_t> place(layer.size);
    for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
    place_after = std::move(place);
  }
  return orders;
}

class Prover {
 public:
  Prover(const ProjectedRows& seen, const Level& upper, double seconds, Averages averages, Budget& budget)
      : seen_(seen),
        averages_(averages),
        budget_(budget),
        deadline_(std::chrono::steady_clock::now() +
                  std::chrono::milliseconds(static_cast<std::int64_t>(1000 * std::min(seconds, 1e8)))),
        // Rounded down, so that it is at most the bound; capped at 2^999 for bounds outside the range of doubles.
        most_(std::min(upper.exponential_as_surd().approx(), 0x1p999) * (1 - 0x1p-48)),
        suffixes_(seen, by_information(seen), budget),
        left_(outputs_left(seen, suffixes_)),
        in_order_(in_order_of_classes(suffixes_)) {}

  LevelProof run() {
    LevelProof proof;
    for (std::size_t d = 0; d < suffixes_.depths(); ++d) proof.order.push_back(suffixes_.factor(d));
    proof.root = proved(root_node(seen_, suffixes_), 0);
    return proof;
  }

 private:
  void look() {
    budget_.check();
    if (std::chrono::steady_clock::now() > deadline_) budget_.fail_for_time();
  }

  ProofNode proved(const Node& node, std::size_t depth) {
    look();
    ProofNode proof;
    proof.enumerated = is_listed(depth, node.pairs.size()) || depth + 1 == suffixes_.depths();
    if (proof.enumerated) return proof;
    std::vector<Pair> open;
    close_pairs(node, depth, proof.closed, open);
    if (open.empty()) return proof;
    const std::size_t outputs = seen_.factors[suffixes_.factor(depth)].outputs.size();
    for (std::uint32_t y = 0; y < outputs; ++y) {
      Node child = fixed(suffixes_, node, depth, y);
      child.pairs = open;
      proof.next.push_back(proved(child, depth + 1));
    }
    return proof;
  }

  double transport_steps(std::size_t depth) const {
    const auto size = static_cast<double>(suffixes_.layer(depth).size);
    return kPasses * size * size;
  }

  bool is_listed(std::size_t depth, std::size_t pairs) const {
    if (left_[depth] <= kFewOutputs) return true;
    return averages_ == Averages::kWhereCheaper && left_[depth] <= kMostListed &&
           static_cast<double>(left_[depth]) * kStepsOfOutput <= transport_steps(depth) * static_cast<double>(pairs);
  }

  AveragedBound& averaged() {
    if (averaged_) return *averaged_;
    AveragedBound::Sizes sizes{.outputs = AveragedBound::kMostCells};
    if (averages_ != Averages::kWhereCheaper) sizes.cells = sizes.outputs = 8;
    return averaged_.emplace(seen_, suffixes_, sizes);
  }

  // The bound that takes fewer steps comes first. A transport bound that takes many more is not tried.
  void close_pairs(const Node& node, std::size_t depth, std::vector<ClosedPair>& closed, std::vector<Pair>& open) {
    open = node.pairs;
    if (node.out_of_range) return;
    bool pays_averaged = averages_ != Averages::kNever && averaged().applies(depth) && averaged().averaged(depth) > 0;
    bool is_first = pays_averaged, pays_transport = true;
    if (pays_averaged && averages_ == Averages::kWhereCheaper) {
      const double steps = averaged().steps(depth), others = transport_steps(depth);
      pays_averaged = steps < kManyTimes * others;
      is_first = steps < others;
      pays_transport = others < kManyTimes * steps;
    }
    if (is_first) close_averaged(node, depth, closed, open);
    if (!open.empty() && pays_transport) close_by_transport(node, depth, closed, open);
    if (!open.empty() && pays_averaged && !is_first) close_averaged(node, depth, closed, open);
  }

  void close_averaged(const Node& node, std::size_t depth, std::vector<ClosedPair>& closed, std::vector<Pair>& open) {
    std::erase_if(open, [&](const Pair& pair) {
      look();
      const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
      std::optional<AveragedProof> found = averaged().prove({depth, u, v, most_, nullptr, nullptr}, [this] { look(); });
      if (!found) return false;
      closed.push_back({.from = pair.from, .to = pair.to, .averaged = std::move(found)});
      return true;
    });
  }

  void close_by_transport(const Node& node, std::size_t depth, std::vector<ClosedPair>& closed,
                          std::vector<Pair>& open) {
    if (!kernel_) kernel_.emplace(suffixes_, LossKernel::bytes_to_keep(budget_), budget_);
    const GroupWeights reach = reaches(*kernel_, depth, node.weights, [this] { look(); });
    std::erase_if(open, [&](const Pair& pair) {
      ClosedPair done{.from = pair.from, .to = pair.to};
      const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
      if (!find_credit(u, v, reach[pair.to], done.credit) && !find_plan(depth, u, v, done.shares)) return false;
      closed.push_back(std::move(done));
      return true;
    });
  }

  bool find_credit(const std::vector<double>& u, const std::vector<double>& v, const std::vector<double>& reach,
                   double& credit) const {
    const double best = best_credit(u, v, reach);
    return std::any_of(std::begin(kDigits), std::end(kDigits), [&](int digits) {
      credit = with_digits(best, digits);
      return credit_bound(u, v, reach, credit, suffixes_.error()) <= most_;
    });
  }

  bool find_plan(std::size_t depth, const std::vector<double>& u, const std::vector<double>& v,
                 std::vector<double>& written) {
    const std::function<void()> looking = [this] { look(); };
    const std::size_t gathered = LossKernel::bytes_to_keep(budget_) / sizeof(double);
    // The same settings as in the search (node_expansion.cpp): the root's bound may be all that is known of a
    // level.
    const Refining refining =
        depth == 0 ? Refining{most_, 60, 0.002, false, gathered} : Refining{most_, 20, 0.005, true, gathered};
    const RefinedBound found = refined_bound(*kernel_, depth, u, v, suffixes_.error(), refining, looking);
    if (!(found.ratio <= most_)) return false;
    for (const int digits : kDigits) {
      std::vector<double> shares = found.shares;
      for (double& share : shares) share = with_digits(share, digits);
      if (plan_bound(*kernel_, depth, u, v, shares, suffixes_.error(), looking) > most_) continue;
      for (const std::uint32_t s : in_order_[depth]) {
        if (v[s] != 0) written.push_back(shares[s]);
      }
      return true;
    }
    return false;
  }

  const ProjectedRows& seen_;
  Averages averages_;
  Budget& budget_;
  std::chrono::steady_clock::time_point deadline_;
  double most_;
  Suffixes suffixes_;
  std::vector<std::uint64_t> left_;
  std::vector<std::vector<std::uint32_t>> in_order_;  // [depth]
  std::optional<LossKernel> kernel_;                  // created when the first transport bound is computed
  std::optional<AveragedBound> averaged_;             // created when its bound is first considered
};

}  // namespace

LevelProof prove_level(const ProjectedRows& seen, const Level& upper, Budget& budget, double seconds,
                       Averages averages) {
  return Prover(seen, upper, seconds, averages, budget).run();
}

namespace {

// Returns an upper bound of log of the largest ratio of two values over products of the sets, in nats. Sets over
// no coordinate contribute a ratio of 1. Infinite or NaN if doubles give no bound.
double bound_between(const RaySets& sets, std::uint32_t from, std::uint32_t to) {
  double sum = 0;
  for (const RaySet* set : sets) {
    if (set->over.empty()) continue;
    double largest = 0;
    for (const Ray& ray : set->rays) {
      if (ray.shares[from] > 0) largest = std::max(largest, ray.shares[from] / ray.shares[to]);
    }
    // The errors: of the shares in the ratio, and of the left-out rays on both sides.
    sum += std::log(largest) + 2 * set->slack + 4 * set->error;
  }
  return sum;
}

double bound_of(const RaySets& sets, const std::vector<Number>& masses) {
  double most = 0;
  for (std::uint32_t from = 0; from < masses.size(); ++from) {
    for (std::uint32_t to = 0; to < masses.size(); ++to) {
      if (to == from || masses[from].is_zero() || masses[to].is_zero()) continue;
      const double bound = bound_between(sets, from, to) + std::log((masses[to] / masses[from]).approx());
      most = std::isnan(bound) ? std::numeric_limits<double>::infinity() : std::max(most, bound);
    }
  }
  return most;
}

// Converts ray sets to the form of the proof.
class Recorded {
 public:
  Recorded(const Model& model, const Network& network) : network_(network) {
    for (const WeightTable& table : model.prior->tables()) owners_.push_back(table.over.back());
  }

  ProofSet read(const RaySet& set, const std::map<const RaySet*, std::size_t>& number_of) const {
    ProofSet result;
    result.factor = set.factor;
    if (set.table != nullptr) result.tables = owners_of(*set.table);
    for (const RaySet* part : set.made_of) result.sets.push_back(number_of.at(part));
    result.over = set.over;
    result.keeps_all = set.left_out.empty();
    if (!result.keeps_all) result.kept = set.kept;
    result.left_out = set.left_out;
    return result;
  }

 private:
  // Returns the owners of the prior's tables in a clique's table. Tables come first among the scopes.
  std::vector<std::size_t> owners_of(const WeightTable& table) const {
    std::vector<std::size_t> owners;
    for (const std::size_t s : network_.cliques[static_cast<std::size_t>(&table - network_.tables.data())].scopes) {
      if (s < owners_.size()) owners.push_back(owners_[s]);
    }
    return owners;
  }

  const Network& network_;
  std::vector<std::size_t> owners_;
};

void mark(const RaySet& set, std::map<const RaySet*, std::size_t>& needed) {
  std::vector<const RaySet*> waiting{&set};
  while (!waiting.empty()) {
    const RaySet* next = waiting.back();
    waiting.pop_back();
    if (needed.emplace(next, 0).second) waiting.insert(waiting.end(), next->made_of.begin(), next->made_of.end());
  }
}

NetworkClaim claim_about(Messages& messages, const Model& model, std::size_t i, RaySets& sets, Budget& budget) {
  NetworkClaim claim;
  try {
    sets = messages.about(i);
    claim.upper = bound_of(sets, model.prior->marginal_weights(i, budget));
    if (!std::isfinite(claim.upper))
      claim.reason = "its level is infinite, or its proof is out of the range of doubles";
  } catch (const LimitError& error) {
    claim.reason = error.what();
  }
  if (!claim.reason.empty()) sets.clear();
  return claim;
}

}  // namespace

std::optional<NetworkProof> prove_network(const Model& model, Budget& budget) {
  constexpr PruneOptions kRecorded{2048, 1e-9, true};
  const std::optional<Network> network = network_of(model, budget, Parts::kAsTheyAre);
  if (!network) return std::nullopt;
  Messages messages(*network, kRecorded, budget);
  NetworkProof proof;
  std::vector<RaySets> about(network->shape.size());
  std::map<const RaySet*, std::size_t> number_of;
  for (std::size_t i = 0; i < about.size(); ++i) {
    proof.claims.push_back(claim_about(messages, model, i, about[i], budget));
    for (const RaySet* set : about[i]) mark(*set, number_of);
  }
  const Recorded recorded(model, *network);
  for (const RaySet& set : messages.likelihoods().sets()) {
    const auto own = number_of.find(&set);
    if (own == number_of.end()) continue;
    own->second = proof.sets.size();
    proof.sets.push_back(recorded.read(set, number_of));
  }
  for (std::size_t i = 0; i < about.size(); ++i) {
    for (const RaySet* set : about[i]) proof.claims[i].sets.push_back(number_of.at(set));
  }
  return proof;
}

}  // namespace oddsbound::engine
