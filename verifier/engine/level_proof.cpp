#include "verifier/engine/level_proof.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <numeric>
#include <optional>

#include "verifier/engine/search_node.h"
#include "verifier/engine/transport_bound.h"

namespace oddsbound::engine {

namespace {

// Nodes with at most this many remaining outputs are enumerated, not bounded.
constexpr std::uint64_t kFewOutputs = 27;
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
  Prover(const ProjectedRows& seen, const Level& upper, double seconds, Budget& budget)
      : seen_(seen),
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
    proof.enumerated = left_[depth] <= kFewOutputs || depth + 1 == suffixes_.depths();
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

  void close_pairs(const Node& node, std::size_t depth, std::vector<ClosedPair>& closed, std::vector<Pair>& open) {
    if (node.out_of_range) {
      open = node.pairs;
      return;
    }
    if (!kernel_) kernel_.emplace(suffixes_, LossKernel::bytes_to_keep(budget_), budget_);
    const GroupWeights reach = reaches(*kernel_, depth, node.weights, [this] { look(); });
    for (const Pair& pair : node.pairs) {
      ClosedPair done{pair.from, pair.to, 0, {}};
      const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
      if (find_credit(u, v, reach[pair.to], done.credit) || find_plan(depth, u, v, done.shares)) {
        closed.push_back(std::move(done));
      } else {
        open.push_back(pair);
      }
    }
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
  Budget& budget_;
  std::chrono::steady_clock::time_point deadline_;
  double most_;
  Suffixes suffixes_;
  std::vector<std::uint64_t> left_;
  std::vector<std::vector<std::uint32_t>> in_order_;  // [depth]
  std::optional<LossKernel> kernel_;                  // created when the first node is bounded
};

}  // namespace

LevelProof prove_level(const ProjectedRows& seen, const Level& upper, Budget& budget, double seconds) {
  return Prover(seen, upper, seconds, budget).run();
}

}  // namespace oddsbound::engine
