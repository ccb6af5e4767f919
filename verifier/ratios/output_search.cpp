#include "verifier/ratios/output_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/errors.h"
#include "verifier/exact/tasks.h"
#include "verifier/model/witness.h"
#include "verifier/ratios/local_search.h"
#include "verifier/ratios/node_expander.h"
#include "verifier/ratios/proven_bound.h"

namespace oddsbound::ratios {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenTold = std::chrono::milliseconds(200);
// As many nodes wait for their turn; further ones are gone through at once.
constexpr std::size_t kMostWaiting = std::size_t{1} << 18;
// Nodes that are opened ahead of their turn, for each who works.
constexpr std::size_t kAhead = 4;

// A node that waits for its turn: the larger its bound, the earlier. No two are alike, so the order does not depend on
// how they came.
struct Waiting {
  double bound;
  Path path;
  std::vector<Pair> pairs;
  friend bool operator<(const Waiting& a, const Waiting& b) {
    if (a.bound != b.bound) return a.bound > b.bound;
    if (a.path.size() != b.path.size()) return a.path.size() > b.path.size();
    return a.path < b.path;
  }
};

// What comes of opening a node while a certain output is the best.
struct Opened {
  std::uint64_t best = 0;  // the number of that output
  bool is_open = false;    // there are pairs whose outputs may be better
  std::vector<OpenNode> children;
};

class OutputSearch {
 public:
  OutputSearch(const SeenRows& seen, const Patience& patience, Budget& budget)
      : seen_(seen),
        budget_(budget),
        patience_(patience),
        deadline_(Clock::now() +
                  std::chrono::milliseconds(static_cast<std::int64_t>(1000 * std::min(patience.seconds, 1e8)))),
        suffixes_(seen, by_information(seen), budget),
        exact_(seen, suffixes_),
        path_(suffixes_.depths()) {}

  /// What is known when it ends, for level_of.
  Bytes lead(Hands& hands) {
    hands_ = &hands;
    leads_ = true;
    const Node root = root_node(seen_, suffixes_);
    offer_any(root.pairs);
    try {
      const Bytes kept = hands.kept();
      if (kept.empty()) climb(root.pairs);
      bytes_ = LossKernel::bytes_to_keep(budget_);
      NodeExpander expander(seen_, suffixes_, exact_, bytes_, budget_, [this] { look(); });
      expander_ = &expander;
      kept.empty() ? begin(root) : go_on(kept);
      explore();
    } catch (const LimitError& error) {
      reason_ = error.what();
      hands.is_unfinished(waiting_.empty() ? Bytes() : state());
    }
    Packer outcome;
    outcome.put(best_->path).put(best_->from).put(best_->to).put(nodes_);
    outcome.put(root_bound_.has_value()).put(root_bound_.value_or(0)).put(reason_).put(above_);
    return outcome.take();
  }

  SearchedLevel level_of(const Bytes& outcome) {
    Unpacker known(outcome);
    read_best(known);
    nodes_ = known.word();
    const bool has_root_bound = known.flag();
    const double root_bound = known.number();
    if (has_root_bound) root_bound_ = root_bound;
    const std::string reason = known.text();
    above_ = known.number();
    return reason.empty() ? found() : unfinished(reason);
  }

  /// Opens a node for whoever leads: another thread or process.
  Bytes open(const Bytes& unit, std::size_t thread, Budget& budget) {
    Unpacker asked(unit);
    Helper& helper = helper_of(thread, asked.word(), budget);
    const Bytes best = asked.text();
    if (best != helper.best_as_bytes) {
      Unpacker bytes(best);
      helper.best = best_at(bytes, budget);
      helper.best_as_bytes = best;
    }
    Packer result;
    const Opened opened = open_node(*helper.expander, unpack_node(asked), helper.best);
    result.put(opened.is_open).put(std::uint64_t{opened.children.size()});
    for (const OpenNode& child : opened.children) pack(result, child);
    return result.take();
  }

 private:
  // What a thread that opens nodes keeps from one to the next.
  struct Helper {
    Budget* budget = nullptr;
    std::unique_ptr<NodeExpander> expander;
    Bytes best_as_bytes;
    BestOutput best;
  };

  const SeenFactor& factor(std::size_t depth) const { return seen_.factors[suffixes_.factor(depth)]; }

  void look() {
    if (patience_.stop.stop_requested()) Budget::fail_for_stop();
    budget_.look();
    const auto now = Clock::now();
    if (now > deadline_) budget_.fail_for_time();
    if (!patience_.told || now < next_told_) return;
    next_told_ = now + kBetweenTold;
    patience_.told(std::log(best_->least), std::log(std::max(above_, best_->least)), nodes_);
  }

  void count_node() {
    if (nodes_ == patience_.most_nodes) {
      throw LimitError("more than " + std::to_string(nodes_) + " branches of a search would be opened");
    }
    ++nodes_;
  }

  static void pack(Packer& packer, const OpenNode& node) {
    packer.put(node.path).put(std::uint64_t{node.pairs.size()});
    for (const Pair& pair : node.pairs) packer.put(pair.from).put(pair.to).put(pair.bound);
  }
  static OpenNode unpack_node(Unpacker& unpacker) {
    OpenNode node{unpacker.words<std::uint32_t>(), std::vector<Pair>(unpacker.count(24))};
    for (Pair& pair : node.pairs) {
      pair.from = static_cast<std::uint32_t>(unpacker.word());
      pair.to = static_cast<std::uint32_t>(unpacker.word());
      pair.bound = unpacker.number();
    }
    return node;
  }

  void begin(const Node& root) {
    std::vector<Pair> pairs = expander_->root_pairs(root, *best_, [this](double bound) {
      if (!root_bound_) root_bound_ = bound;
      above_ = bound;
    });
    const double bound = largest_bound(pairs);
    waiting_.insert({bound, {}, std::move(pairs)});
  }

  Bytes state() const {
    Packer packer;
    packer.put(best_->path).put(best_->from).put(best_->to).put(nodes_before_).put(*root_bound_);
    packer.put(std::uint64_t{waiting_.size()});
    for (const Waiting& node : waiting_) {
      packer.put(node.bound);
      pack(packer, {node.path, node.pairs});
    }
    return packer.take();
  }

  void go_on(const Bytes& kept) {
    Unpacker unpacker(kept);
    read_best(unpacker);
    nodes_ = unpacker.word();
    root_bound_ = unpacker.number();
    for (std::size_t left = unpacker.count(); left > 0; --left) {
      const double bound = unpacker.number();
      OpenNode node = unpack_node(unpacker);
      waiting_.insert({bound, std::move(node.path), std::move(node.pairs)});
    }
  }

  void read_best(Unpacker& unpacker) {
    best_ = best_at(unpacker, budget_);
    ++best_number_;
  }

  BestOutput best_at(Unpacker& unpacker, Budget& budget) const {
    Path path = unpacker.words<std::uint32_t>();
    const auto from = static_cast<std::uint32_t>(unpacker.word());
    const auto to = static_cast<std::uint32_t>(unpacker.word());
    if (path.size() != suffixes_.depths()) throw BytesError("an output has another number of parts");
    return measured(std::move(path), from, to, budget);
  }

  BestOutput measured(Path path, std::uint32_t from, std::uint32_t to, Budget& budget) const {
    Number p_from = exact_.of(from, suffixes_.depths(), path, budget)[0];
    Number p_to = exact_.of(to, suffixes_.depths(), path, budget)[0];
    // A ratio out of the range of doubles counts as one at its end.
    const double least = p_from.is_zero() ? 0
                         : p_to.is_zero() ? kInfinity
                                          : std::min((p_from / p_to).approx(), 0x1p999) * (1 - 0x1p-48);
    return {std::move(path), from, to, std::move(p_from), std::move(p_to), least};
  }

  // Best first: what is left is bounded by the node whose turn it is.
  void explore() {
    for (; !waiting_.empty(); waiting_.erase(turn_)) {
      turn_ = waiting_.begin();
      nodes_before_ = nodes_;
      hands_->keep([this] { return state(); });
      above_ = turn_->bound;
      if (best_->is_infinite() || turn_->bound < best_->least) return;
      const std::size_t depth = turn_->path.size();
      if (depth == suffixes_.depths() || waiting_.size() > kMostWaiting) {
        Node node = expander_->node_at(turn_->path);
        std::copy(turn_->path.begin(), turn_->path.end(), path_.begin());
        node.pairs = expander_->open_pairs(path_, depth, turn_->pairs, *best_);
        if (!node.pairs.empty()) visit(depth, node);
        continue;
      }
      Opened opened = opened_node({turn_->path, turn_->pairs});
      if (!opened.is_open) continue;
      count_node();
      for (OpenNode& child : opened.children) {
        const double bound = largest_bound(child.pairs);
        waiting_.insert({bound, std::move(child.path), std::move(child.pairs)});
      }
    }
  }

  Opened open_node(NodeExpander& expander, const OpenNode& node, const BestOutput& best) const {
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

  // As it is opened when it is its turn, whoever opened it: with what is the best output then.
  Opened opened_node(OpenNode node) {
    if (hands_->count() < 2) {
      look();
      return open_node(*expander_, node, *best_);
    }
    const auto known = ahead_.find(node.path);
    if (known != ahead_.end() && known->second.best == best_number_) return std::move(ahead_.extract(known).mapped());
    open_ahead(node);
    return std::move(ahead_.extract(node.path).mapped());
  }

  // Those whose turn comes next are opened at once: most of them will have it.
  void open_ahead(const OpenNode& first) {
    std::erase_if(ahead_, [&](const auto& known) { return known.second.best != best_number_; });
    std::vector<OpenNode> nodes{first};
    const std::size_t most = kAhead * hands_->count();
    for (auto next = std::next(turn_); next != waiting_.end() && nodes.size() < most; ++next) {
      if (next->bound < best_->least) break;
      if (next->path.size() == suffixes_.depths() || ahead_.contains(next->path)) continue;
      nodes.push_back({next->path, next->pairs});
    }
    Packer best;
    best.put(best_->path).put(best_->from).put(best_->to);
    const Bytes best_as_bytes = best.take();
    std::vector<Bytes> units;
    for (const OpenNode& node : nodes) {
      Packer unit;
      unit.put(bytes_).put(best_as_bytes);
      pack(unit, node);
      units.push_back(unit.take());
    }
    look();
    const std::vector<Bytes> results = hands_->map(units);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      Unpacker result(results[k]);
      Opened opened{best_number_, result.flag(), {}};
      for (std::size_t left = result.count(); left > 0; --left) opened.children.push_back(unpack_node(result));
      ahead_[nodes[k].path] = std::move(opened);
    }
  }

  Helper& helper_of(std::size_t thread, std::uint64_t bytes, Budget& budget) {
    const std::lock_guard lock(helpers_guard_);
    std::unique_ptr<Helper>& helper = helpers_[thread];
    if (!helper) {
      helper = std::make_unique<Helper>();
      Helper* own = helper.get();
      own->budget = &budget;
      own->expander = std::make_unique<NodeExpander>(seen_, suffixes_, exact_, bytes, budget, [this, own] {
        own->budget->look();
        if (leads_ && Clock::now() > deadline_) own->budget->fail_for_time();
      });
    }
    helper->budget = &budget;
    return *helper;
  }

  // Depth first, without keeping what is left.
  void visit(std::size_t depth, const Node& node) {
    look();
    count_node();
    if (depth == suffixes_.depths()) {
      for (const Pair& pair : node.pairs) offer(pair);
      return;
    }
    auto children = expander_->children_of(node, depth, *best_);
    std::stable_sort(children.begin(), children.end(), [](const auto& a, const auto& b) {
      return largest_bound(a.second.pairs) > largest_bound(b.second.pairs);
    });
    for (auto& [y, child] : children) {
      if (best_->is_infinite()) return;
      path_[depth] = y;
      child.pairs = expander_->open_pairs(path_, depth + 1, std::move(child.pairs), *best_);
      if (!child.pairs.empty()) visit(depth + 1, child);
    }
  }

  // The path is an output: it is the best one if its ratio is larger than that of the best.
  void offer(const Pair& pair) {
    BestOutput other = measured(path_, pair.from, pair.to, budget_);
    if (other.p_from.is_zero()) return;
    if (best_ && compare_products(other.p_from, best_->p_to, other.p_to, best_->p_from) <= 0) return;
    best_ = std::move(other);
    ++best_number_;
  }

  // Any output that a row of the first pair may have. It is no less likely from one of two groups than from the other.
  void offer_any(const std::vector<Pair>& pairs) {
    const auto first = std::find_if(seen_.rows.begin(), seen_.rows.end(), [&](const SeenRow& row) {
      return pairs.empty() || row.group == pairs.front().from;
    });
    const SeenRow& row = *first;
    for (std::size_t d = 0; d < path_.size(); ++d) path_[d] = exact_.first_possible(d, row);
    if (pairs.empty()) {  // one group: nothing is told apart
      const Number probability = exact_.of(row.group, suffixes_.depths(), path_, budget_)[0];
      best_ = BestOutput{path_, row.group, row.group, probability, probability, 0};
      return;
    }
    offer(pairs.front());
    if (seen_.direction.allows(pairs.front().to, pairs.front().from)) offer({pairs.front().to, pairs.front().from});
  }

  // The best candidates first: few of them have to be computed exactly.
  void climb(const std::vector<Pair>& pairs) {
    const std::size_t starts = std::clamp<std::size_t>(48 / std::max<std::size_t>(1, pairs.size()), 1, 8);
    const LocalSearch local(seen_, suffixes_);
    std::vector<std::pair<LocalSearch::Found, Pair>> candidates;
    const auto offer_candidates = [&] {
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const auto& a, const auto& b) { return a.first.ratio > b.first.ratio; });
      for (const auto& [candidate, pair] : candidates) {
        if (candidate.ratio * (1 + 4 * suffixes_.error()) < best_->least) break;
        const bool known = best_->path == candidate.path && best_->from == pair.from && best_->to == pair.to;
        if (known) continue;
        path_ = candidate.path;
        offer(pair);
      }
    };
    try {
      for (const Pair& pair : pairs) {
        local.climb(
            pair.from, pair.to, starts, [this] { look(); },
            [&](LocalSearch::Found found) { candidates.emplace_back(std::move(found), pair); });
      }
    } catch (const LimitError&) {
      offer_candidates();
      throw;
    }
    offer_candidates();
  }

  std::size_t count_factors() const {
    std::size_t count = 0;
    for (const SeenFactor& seen : seen_.factors) count += seen.factors.size();
    return count;
  }

  SearchedLevel found() const {
    SearchedLevel result;
    Number scale(1);
    result.output.resize(count_factors());
    for (std::size_t d = 0; d < best_->path.size(); ++d) {
      const std::vector<std::uint64_t>& outputs = factor(d).outputs[best_->path[d]];
      for (std::size_t k = 0; k < outputs.size(); ++k) result.output[factor(d).factors[k]] = outputs[k];
      scale *= factor(d).scale(best_->path[d]);
    }
    result.from = best_->from;
    result.to = best_->to;
    result.p_from = best_->p_from * scale;
    result.p_to = best_->p_to * scale;
    result.shown = result.p_from >= result.p_to;
    if (result.shown) result.level = level_between(result.p_from, result.p_to);
    result.nodes = nodes_;
    if (root_bound_) result.root_bound = std::min(level_above(*root_bound_), largest_loss(seen_));
    return result;
  }

  // No output is above the best, the node whose turn it was, or what all factors lose.
  SearchedLevel unfinished(const std::string& reason) const {
    SearchedLevel result = found();
    const Level bound = std::min(level_above(std::max(above_, best_->least)), largest_loss(seen_));
    if (bound > result.level) result.unfinished = Unfinished{bound, reason};
    return result;
  }

  const SeenRows& seen_;
  Budget& budget_;
  const Patience& patience_;
  Clock::time_point deadline_;
  Clock::time_point next_told_{};
  Suffixes suffixes_;
  PathWeights exact_;
  Hands* hands_ = nullptr;
  NodeExpander* expander_ = nullptr;
  std::uint64_t bytes_ = 0;  // of a kernel that are kept
  Path path_;
  std::optional<BestOutput> best_;  // there from the start, by offer_any
  std::uint64_t best_number_ = 0;
  double above_ = kInfinity;  // not below the ratio of any output that was not gone through
  std::uint64_t nodes_ = 0;
  std::optional<double> root_bound_;
  std::string reason_;  // why it ended before it was through
  std::set<Waiting> waiting_;
  std::set<Waiting>::iterator turn_{};  // of the node that is gone through
  std::uint64_t nodes_before_ = 0;      // its turn
  std::map<Path, Opened> ahead_;
  bool leads_ = false;
  std::mutex helpers_guard_;
  std::map<std::size_t, std::unique_ptr<Helper>> helpers_;
};

// All that a search depends on.
Bytes question_of(const SeenRows& seen, std::uint64_t most_nodes) {
  Packer packer;
  packer.put(most_nodes).put(std::uint64_t{seen.factors.size()});
  for (const SeenFactor& factor : seen.factors) {
    packer.put(std::vector<std::uint64_t>(factor.factors.begin(), factor.factors.end()));
    packer.put(factor.outputs).put(std::uint64_t{factor.classes}).put(factor.inputs);
    for (const std::vector<Number>& column : factor.entries) {
      for (const Number& entry : column) pack(packer, entry);
    }
  }
  packer.put(std::uint64_t{seen.rows.size()}).put(std::uint64_t{seen.masses.size()});
  for (const SeenRow& row : seen.rows) {
    packer.put(row.group).put(row.classes);
    pack(packer, row.weight);
  }
  return packer.put(seen.direction.from).put(seen.direction.to).take();
}

}  // namespace

SearchedLevel search_outputs(const SeenRows& seen, Budget& budget, const Patience& patience) {
  OutputSearch search(seen, patience, budget);
  const Unit open = [&](const Bytes& unit, std::size_t thread, Budget& own) { return search.open(unit, thread, own); };
  const Lead lead = [&](Hands& hands, Budget&) { return search.lead(hands); };
  const bool shared = budget.limits().scope != nullptr;
  const std::string name = shared ? task_name("search of outputs", question_of(seen, patience.most_nodes)) : "";
  return search.level_of(run_task(name, open, lead, budget));
}

}  // namespace oddsbound::ratios
