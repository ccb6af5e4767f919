#include "verifier/engine/output_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/errors.h"
#include "verifier/engine/listed_outputs.h"
#include "verifier/engine/ratio_search.h"
#include "verifier/engine/search_node.h"
#include "verifier/engine/speculative_expansion.h"
#include "verifier/exact/threads.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

namespace {

// At most this many nodes wait; beyond it, the node in turn is explored depth first.
constexpr std::size_t kMostWaiting = std::size_t{1} << 18;

class OutputSearch {
 public:
  OutputSearch(const ProjectedRows& seen, const SearchLimits& search_limits, Budget& budget)
      : seen_(seen),
        budget_(budget),
        search_limits_(search_limits),
        watch_(search_limits, budget, std::chrono::milliseconds(0)),
        suffixes_(seen, by_information(seen), budget),
        exact_(seen, suffixes_),
        path_(suffixes_.depths()),
        expansion_(seen, suffixes_, exact_, search_limits.averages) {}

  /// Returns the state of knowledge at the end, for level_of. spare: threads of this process for what is not a unit;
  /// null: none.
  Bytes lead(WorkerPool& workers, SpareThreads* spare = nullptr) {
    workers_ = &workers;
    spare_ = spare;
    leads_ = true;
    const Node root = root_node(seen_, suffixes_);
    offer_any(root.pairs);
    try {
      const Bytes kept = workers.kept().empty() ? search_limits_.begun : workers.kept();
      if (!kept.empty() || !lists_outputs(root)) {
        if (kept.empty()) climb(root.pairs);
        bytes_ = LossKernel::bytes_to_keep(budget_);
        kept.empty() ? begin(root) : go_on(kept);
        explore();
      }
    } catch (const LimitError& error) {
      reason_ = error.what();
      left_ = waiting_.empty() ? Bytes() : state();
      workers.is_unfinished(left_);
    } catch (...) {
      is_over_ = true;
      throw;
    }
    is_over_ = true;
    BinaryWriter outcome;
    pack(outcome, *best_);
    outcome.put(nodes_);
    outcome.put(root_bound_.has_value())
        .put(root_bound_.value_or(0))
        .put(has_transport_bound_)
        .put(reason_)
        .put(above_);
    return outcome.take();
  }

  GroupLevel level_of(const Bytes& outcome) {
    BinaryReader known(outcome);
    read_best(known);
    nodes_ = known.word();
    const bool has_root_bound = known.flag();
    const double root_bound = known.bound();
    if (has_root_bound) root_bound_ = root_bound;
    has_transport_bound_ = known.flag();
    const std::string reason = known.text();
    above_ = known.bound();
    known.require_end();
    return reason.empty() ? found() : unfinished(reason);
  }

  bool is_through() const { return reason_.empty(); }
  /// The state from which the search can be resumed.
  const Bytes& left() const { return left_; }

  /// Expands nodes for the coordinator, which is another thread or process.
  Bytes open(const Bytes& unit, std::size_t thread, Budget& budget) {
    return expansion_.open(unit, thread, budget, [this, thread](Budget& own) { look_from(thread, own); });
  }

  std::size_t most_threads() const { return expansion_.most_expanders(budget_); }

 private:
  // The coordinator uses thread 0: it works on no unit while it is here.
  NodeExpander& expander() { return expansion_.expander(0, bytes_, budget_, look_); }

  const SeenFactor& factor(std::size_t depth) const { return seen_.factors[suffixes_.factor(depth)]; }

  void look() { watch_.check(best_->least, above_, nodes_); }

  // The coordinator is thread 0, and reports progress also while it works on a unit.
  void look_from(std::size_t thread, Budget& own) {
    if (is_over_) throw Abandoned();
    if (leads_ && thread == 0) return look();
    own.check();
    if (!leads_) return;
    if (search_limits_.stop.stop_requested()) Budget::fail_for_stop();
    if (watch_.is_late()) own.fail_for_time();
  }

  void count_node() {
    if (nodes_ >= search_limits_.most_nodes) {
      throw LimitError("more than " + std::to_string(nodes_) + " branches of a search would be opened");
    }
    ++nodes_;
  }

  // Finds the best output among all, if that takes far fewer steps than the first bounds. Returns false if it does not.
  bool lists_outputs(const Node& root) {
    constexpr double kManySteps = 0x1p26, kFewer = 64;  // bounds of fewer steps take a fraction of a second
    const double size = static_cast<double>(suffixes_.layer(0).size);
    const double bounds = size * size * static_cast<double>(root.weights.size());
    if (root.pairs.empty() || bounds < kManySteps) return false;
    const ListedOutputs outputs(seen_, suffixes_, exact_, budget_);
    if (outputs.steps() > bounds / kFewer) return false;
    const std::optional<ListedOutput> found = outputs.best([this] { look(); });
    if (!found) return false;
    best_ = expansion_.best_at(found->path, found->from, found->to, budget_);
    ++best_number_;
    return true;
  }

  void begin(const Node& root) {
    std::vector<Pair> pairs = expander().root_pairs(root, *best_, [this](double bound) {
      if (!root_bound_) root_bound_ = std::max(bound, best_->least);
      above_ = bound;
    });
    has_transport_bound_ = expander().pays_transport(0, root.pairs.size());
    const double bound = largest_bound(pairs);
    add(bound, {{}, std::move(pairs)});
  }

  Bytes state() const {
    BinaryWriter writer;
    pack(writer, *best_);
    writer.put(nodes_before_).put(*root_bound_).put(has_transport_bound_);
    writer.put(std::uint64_t{waiting_.size()});
    for (const WaitingNode& waiting : waiting_) {
      writer.put(waiting.bound);
      pack(writer, waiting.node);
    }
    return writer.take();
  }

  void go_on(const Bytes& kept) {
    BinaryReader reader(kept);
    read_best(reader);
    nodes_ = reader.word();
    root_bound_ = reader.bound();
    has_transport_bound_ = reader.flag();
    for (std::size_t left = reader.count(24); left > 0; --left) {
      const double bound = reader.bound();
      OpenNode node = unpack_node(reader, expansion_.ranges());
      if (bound > *root_bound_ || bound != largest_bound(node.pairs)) {
        throw BytesError("the bound of a node is not that of its groups");
      }
      add(bound, std::move(node));
    }
    reader.require_end();
    if (waiting_.empty()) throw BytesError("nothing is left of a search that is not done");
  }

  void add(double bound, OpenNode node) { waiting_.insert({bound, std::move(node)}); }

  void read_best(BinaryReader& reader) {
    best_ = expansion_.unpack_best(reader, budget_);
    ++best_number_;
  }

  // Best first: the bound of the node in turn bounds all outputs that are left.
  void explore() {
    SpeculativeExpansion ahead(*workers_, expansion_.ranges(), bytes_);
    for (; !waiting_.empty(); waiting_.erase(turn_)) {
      turn_ = waiting_.begin();
      nodes_before_ = nodes_;
      workers_->keep([this] { return state(); });
      above_ = turn_->bound;
      if (best_->is_infinite() || turn_->bound < best_->least) return;
      look();
      const bool is_alone = workers_->count() < 2;
      const bool is_output = turn_->node.path.size() == suffixes_.depths();
      const bool is_visited = waiting_.size() > kMostWaiting || (is_output && is_alone);
      // The node in turn is about to be removed, and a pending round may contain it.
      if (is_alone || is_visited) ahead.forget();
      if (is_visited) {
        visit_turn();
        continue;
      }
      Opened opened = is_alone ? open_node(expander(), turn_->node, *best_) : opened_with_others(ahead);
      if (!opened.is_open) continue;
      if (opened.is_better) {
        visit_turn();
        continue;
      }
      count_node();
      for (OpenNode& child : opened.children) {
        const double bound = largest_bound(child.pairs);
        add(bound, std::move(child));
      }
    }
  }

  void visit_turn() {
    const OpenNode& turn = turn_->node;
    Node node = expander().node_at(turn.path);
    std::copy(turn.path.begin(), turn.path.end(), path_.begin());
    node.pairs = expander().open_pairs(path_, turn.path.size(), turn.pairs, *best_);
    if (!node.pairs.empty()) visit(turn.path.size(), node);
  }

  // Returns the same result as expanding the node in its turn with the current best output, on any thread or process.
  Opened opened_with_others(SpeculativeExpansion& ahead) {
    // The nodes that come next are expanded in the same round: most of them will have their turn.
    return ahead.opened(*turn_, *best_, best_number_, [this](const std::function<bool(const WaitingNode&)>& takes) {
      for (auto waiting = turn_; waiting != waiting_.end(); ++waiting) {
        if (waiting->bound < best_->least || !takes(*waiting)) return;
      }
    });
  }

  // Depth first: keeps no waiting nodes.
  void visit(std::size_t depth, const Node& node) {
    look();
    count_node();
    if (depth == suffixes_.depths()) {
      for (const Pair& pair : node.pairs) offer(pair);
      return;
    }
    auto children = expander().children_of(node, path_, depth, *best_);
    std::stable_sort(children.begin(), children.end(), [](const auto& a, const auto& b) {
      return largest_bound(a.second.pairs) > largest_bound(b.second.pairs);
    });
    for (auto& [y, child] : children) {
      if (best_->is_infinite()) return;
      path_[depth] = y;
      child.pairs = expander().open_pairs(path_, depth + 1, std::move(child.pairs), *best_);
      if (!child.pairs.empty()) visit(depth + 1, child);
    }
  }

  // The path is an output. Makes it the best one if its ratio is larger.
  void offer(const Pair& pair) {
    BestOutput other = expansion_.best_at(path_, pair.from, pair.to, budget_);
    if (other.p_from.is_zero()) return;
    if (best_ && compare_products(other.p_from, best_->p_to, other.p_to, best_->p_from) <= 0) return;
    best_ = std::move(other);
    ++best_number_;
  }

  // Offers an output that some row of the first pair's `from` group can give, for both directions of the pair if
  // allowed: in one of the two its ratio is at least 1.
  void offer_any(const std::vector<Pair>& pairs) {
    const auto first = std::find_if(seen_.rows.begin(), seen_.rows.end(), [&](const SeenRow& row) {
      return pairs.empty() || row.group == pairs.front().from;
    });
    const SeenRow& row = *first;
    for (std::size_t d = 0; d < path_.size(); ++d) path_[d] = exact_.first_possible(d, row);
    if (pairs.empty()) {  // one group: there is no pair
      const Number probability = exact_.of(row.group, suffixes_.depths(), path_, budget_)[0];
      best_ = BestOutput{path_, row.group, row.group, probability, probability, 0};
      return;
    }
    offer(pairs.front());
    if (seen_.direction.allows(pairs.front().to, pairs.front().from)) offer({pairs.front().to, pairs.front().from});
  }

  struct Climb {
    const SeenRow* start;
    Pair pair;
    LocalSearch::Found reached{};  // without a path: a limit came first
  };

  void climb(const std::vector<Pair>& pairs) {
    constexpr std::size_t kAtOnce = std::size_t{1} << 14;
    const std::size_t starts = std::clamp<std::size_t>(48 / std::max<std::size_t>(1, pairs.size()), 1, 8);
    const LocalSearch local(seen_, suffixes_);
    std::map<std::uint32_t, std::vector<const SeenRow*>> heaviest;  // by group
    std::vector<Climb> climbs;
    for (const Pair& pair : pairs) {
      look();
      const auto [rows, is_new] = heaviest.try_emplace(pair.from);
      if (is_new) rows->second = local.heaviest(pair.from, starts);
      for (const SeenRow* row : rows->second) climbs.push_back({row, pair});
      if (climbs.size() < kAtOnce) continue;
      climb_all(local, climbs);
      climbs.clear();
    }
    climb_all(local, climbs);
  }

  void climb_all(const LocalSearch& local, std::vector<Climb>& climbs) {
    try {
      std::optional<TakenThreads> others;
      if (spare_ != nullptr) others.emplace(*spare_, climbs.size());
      by_threads(1 + (others ? others->count() : 0), climbs.size(), budget_,
                 [&](std::uint64_t k, std::size_t thread, Budget& own) {
                   Climb& one = climbs[k];
                   one.reached = local.climb(*one.start, one.pair.from, one.pair.to, [&] { look_from(thread, own); });
                 });
    } catch (const LimitError&) {
      offer_reached(climbs);
      throw;
    }
    offer_reached(climbs);
  }

  // Offers them in decreasing order, so few of them are computed exactly.
  void offer_reached(std::vector<Climb>& climbs) {
    std::stable_sort(climbs.begin(), climbs.end(),
                     [](const Climb& a, const Climb& b) { return a.reached.ratio > b.reached.ratio; });
    for (const Climb& one : climbs) {
      const auto& [path, ratio] = one.reached;
      if (path.size() < path_.size() || ratio * (1 + 4 * suffixes_.error()) < best_->least) break;
      const bool known = best_->path == path && best_->from == one.pair.from && best_->to == one.pair.to;
      if (known) continue;
      path_ = path;
      offer(one.pair);
    }
  }

  std::size_t count_factors() const {
    std::size_t count = 0;
    for (const SeenFactor& seen : seen_.factors) count += seen.factors.size();
    return count;
  }

  GroupLevel found() const {
    GroupLevel result;
    Number scale(1);
    std::vector<std::uint64_t> output(count_factors());
    for (std::size_t d = 0; d < best_->path.size(); ++d) {
      const std::vector<std::uint64_t>& outputs = factor(d).outputs[best_->path[d]];
      for (std::size_t k = 0; k < outputs.size(); ++k) output[factor(d).factors[k]] = outputs[k];
      scale *= factor(d).scale(best_->path[d]);
    }
    result.from = best_->from;
    result.to = best_->to;
    result.attain({std::move(output), best_->p_from * scale, best_->p_to * scale});
    result.way = root_bound_ ? Way::kSearch : Way::kDirect;  // without a bound of the root, all outputs were listed
    if (root_bound_) result.nodes = nodes_;
    if (has_transport_bound_) result.transport_bound = std::min(level_above(*root_bound_), largest_loss(seen_));
    return result;
  }

  // Upper bound: the maximum of the best ratio and the bound of the node in turn, or the sum of the factors'
  // largest losses.
  GroupLevel unfinished(const std::string& reason) const {
    GroupLevel result = found();
    result.way = Way::kSearch;
    result.nodes = nodes_;
    const Level bound = std::min(level_above(std::max(above_, best_->least)), largest_loss(seen_));
    if (bound > result.at_least) result.unfinished = Unfinished{bound, reason};
    return result;
  }

  const ProjectedRows& seen_;
  Budget& budget_;
  const SearchLimits& search_limits_;
  SearchWatch watch_;
  Suffixes suffixes_;
  PathWeights exact_;
  WorkerPool* workers_ = nullptr;
  const NodeExpansion::Look look_ = [this](Budget&) { look(); };
  std::uint64_t bytes_ = 0;  // for the loss kernel
  Path path_;
  std::optional<BestOutput> best_;  // set first by offer_any
  std::uint64_t best_number_ = 0;
  double above_ = kInfinity;  // upper bound of the ratios of all unexplored outputs
  std::uint64_t nodes_ = 0;
  std::optional<double> root_bound_;
  bool has_transport_bound_ = false;  // the root's bound is a transport bound
  std::string reason_;                // why the search ended early; empty if it did not
  Bytes left_;                        // the state in that case
  std::set<WaitingNode> waiting_;
  std::set<WaitingNode>::iterator turn_{};  // the node that is being processed
  std::uint64_t nodes_before_ = 0;          // before this node
  SpareThreads* spare_ = nullptr;
  bool leads_ = false;
  std::atomic<bool> is_over_ = false;  // results of units are of no use any more
  NodeExpansion expansion_;
};

// Serializes everything that the result of a search depends on.
Bytes question_of(const ProjectedRows& seen, std::uint64_t most_nodes) {
  BinaryWriter writer;
  writer.put(most_nodes).put(std::uint64_t{seen.factors.size()});
  for (const SeenFactor& factor : seen.factors) {
    writer.put(std::vector<std::uint64_t>(factor.factors.begin(), factor.factors.end()));
    writer.put(factor.outputs).put(std::uint64_t{factor.classes}).put(factor.inputs);
    for (const std::vector<Number>& column : factor.entries) {
      for (const Number& entry : column) exact::pack(writer, entry);
    }
  }
  writer.put(std::uint64_t{seen.rows.size()}).put(std::uint64_t{seen.masses.size()});
  for (const SeenRow& row : seen.rows) {
    writer.put(row.group).put(row.classes);
    exact::pack(writer, row.weight);
  }
  return writer.put(seen.direction.from).put(seen.direction.to).take();
}

}  // namespace

SearchWatch::SearchWatch(const SearchLimits& limits, Budget& budget, std::chrono::milliseconds first_report)
    : limits_(limits),
      budget_(budget),
      deadline_(Clock::now() +
                std::chrono::milliseconds(static_cast<std::int64_t>(1000 * std::min(limits.seconds, 1e8)))),
      next_report_(Clock::now() + first_report) {}

void SearchWatch::check(double found, double at_most, std::uint64_t nodes) {
  if (limits_.stop.stop_requested()) Budget::fail_for_stop();
  budget_.check();
  const auto now = Clock::now();
  if (now > deadline_) budget_.fail_for_time();
  if (!limits_.report || now < next_report_) return;
  next_report_ = now + kBetweenReports;
  limits_.report(std::log(found), std::log(std::max(at_most, found)), nodes);
}

GroupLevel search_outputs(const ProjectedRows& seen, Budget& budget, const SearchLimits& search_limits) {
  OutputSearch search(seen, search_limits, budget);
  const Unit open = [&](const Bytes& unit, std::size_t thread, Budget& own) { return search.open(unit, thread, own); };
  if (budget.limits().scope == nullptr) {
    SpareThreads own(wanted_threads(budget.limits()), 1);
    SpareThreads& spare = search_limits.spare != nullptr ? *search_limits.spare : own;
    ThreadPool workers(open, budget, spare, search.most_threads() - 1);
    return search.level_of(search.lead(workers, &spare));
  }
  const TaskBody lead = [&](WorkerPool& workers, Budget&) { return search.lead(workers); };
  const std::string name = task_name("search of outputs", question_of(seen, search_limits.most_nodes));
  return search.level_of(run_task(name, open, lead, budget));
}

Probe searched_in_short(const ProjectedRows& seen, Budget& budget, std::uint64_t most_nodes, double seconds) {
  SearchLimits search_limits;
  search_limits.seconds = seconds;
  search_limits.most_nodes = most_nodes;
  Budget alone(budget, Budget::kAlone);
  OutputSearch search(seen, search_limits, alone);
  const TaskBody lead = [&](WorkerPool& workers, Budget&) { return search.lead(workers); };
  Bytes outcome = run_task("", {}, lead, alone);
  return search.is_through() ? Probe{std::move(outcome), {}} : Probe{{}, search.left()};
}

GroupLevel level_found_in_short(const ProjectedRows& seen, Budget& budget, const Bytes& outcome) {
  const SearchLimits search_limits;
  return OutputSearch(seen, search_limits, budget).level_of(outcome);
}

}  // namespace oddsbound::engine
