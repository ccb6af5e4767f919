#include "verifier/priors/product_search.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/errors.h"
#include "verifier/engine/node_expansion.h"
#include "verifier/engine/ratio_search.h"
#include "verifier/engine/search_node.h"
#include "verifier/priors/set_level.h"

namespace oddsbound::priors {

namespace {

using engine::Pair;

// Maximum number of waiting nodes.
constexpr std::size_t kMostWaiting = std::size_t{1} << 20;
// LocalSearch starts from at most this many rows of each label.
constexpr std::size_t kStarts = 4;

struct Waiting {
  double bound;
  Path path;
  std::vector<Pair> pairs;
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.path.size() < b.path.size();
  }
};

class ProductSearch {
 public:
  ProductSearch(const Model& model, const PriorSet& set, const ProductColumns& columns, const AllowedPairs& direction,
                std::size_t at_once, Budget& budget, const SearchLimits& search_limits)
      : model_(model),
        set_(set),
        columns_(columns),
        at_once_(at_once),
        budget_(budget),
        search_limits_(search_limits),
        watch_(search_limits, budget, engine::SearchWatch::kBetweenReports),
        suffixes_(columns.seen(), engine::by_information(columns.seen()), budget),
        exact_(columns.seen(), suffixes_) {
    const auto& labels = columns.labels();
    for (std::uint32_t from = 0; from < labels.size(); ++from) {
      for (std::uint32_t to = 0; to < labels.size(); ++to) {
        const auto is_empty = [&](std::size_t label) { return labels[label].named == 0 && !labels[label].others; };
        if (direction.allows(from, to) && !is_empty(from) && !is_empty(to)) pairs_.push_back({from, to});
      }
    }
  }

  /// For sets whose quotient is largest where every part has its own largest quotient.
  GroupLevel part_by_part() {
    for (const Pair& pair : pairs_) offer(extreme_of(pair).path, {pair});
    return found();
  }

  GroupLevel by_bounds(const MeanBounds& means) {
    for (Pair& pair : pairs_) {
      const Extreme extreme = extreme_of(pair);
      offer(extreme.path, {pair});
      pair.bound = extreme.quotient;
    }
    above_ = engine::largest_bound(pairs_);
    try {
      climb();
      LossKernel kernel(suffixes_, LossKernel::bytes_to_keep(budget_), budget_);
      QuotientBounds bounds(columns_, suffixes_, means, kernel, search_limits_.averages);
      explore(bounds);
    } catch (const LimitError& error) {
      GroupLevel level = found();
      if (known() && known()->infinite) return level;
      level.unfinished = Unfinished{std::max(level.at_most(), engine::level_above(above_)), error.what()};
      return level;
    }
    return found();
  }

 private:
  const SeenFactor& factor(std::size_t depth) const { return columns_.seen().factors[suffixes_.factor(depth)]; }
  const std::optional<Ratio>& known() const { return found_.known(); }

  void look() { watch_.check(best_least_, above_, nodes_); }

  // The output of every part with the largest quotient of its own: the largest entry that `from` may have over the
  // smallest that `to` may have. No member has a larger quotient than the product of these, which is rounded up.
  struct Extreme {
    Path path;
    double quotient = 1;
  };
  Extreme extreme_of(const Pair& pair) const {
    const auto& seen = columns_.seen();
    const auto& from = columns_.labels()[pair.from];
    const auto& to = columns_.labels()[pair.to];
    const auto extreme = [&](const ProductColumns::RowsOfLabel& rows, const std::vector<Number>& column, std::size_t f,
                             bool largest) {
      const std::size_t end = rows.first + (rows.others ? rows.named + 2 : rows.named);
      Number found = column[seen.rows[rows.first].classes[f]];
      for (std::size_t r = rows.first; r < end; ++r) {
        const Number& entry = column[seen.rows[r].classes[f]];
        if (largest ? entry > found : entry < found) found = entry;
      }
      return found;
    };
    Extreme result{Path(suffixes_.depths(), 0)};
    for (std::size_t d = 0; d < suffixes_.depths(); ++d) {
      const std::size_t f = suffixes_.factor(d);
      std::optional<Ratio> best;
      for (std::uint32_t y = 0; y < seen.factors[f].outputs.size(); ++y) {
        const std::vector<Number>& column = seen.factors[f].entries[y];
        const Ratio ratio = Ratio::of(extreme(from, column, f, true), extreme(to, column, f, false));
        if (best && ratio <= *best) continue;
        best = ratio;
        result.path[d] = y;
      }
      if (best) result.quotient *= best->infinite ? kNoMean : best->value.approx() * (1 + 0x1p-40);
    }
    // A product of zeros and infinities, or one outside the range of doubles, bounds nothing.
    if (!(result.quotient >= 0x1p-900)) result.quotient = kNoMean;
    return result;
  }

  // Evaluates an output exactly with the set's own search.
  void offer(const Path& path, const std::vector<Pair>& pairs) {
    std::vector<std::uint32_t> outputs(path.size());
    for (std::size_t d = 0; d < path.size(); ++d) outputs[suffixes_.factor(d)] = path[d];
    const ProductColumns::At at = columns_.at(outputs, exact_.products(path, budget_));
    const SetQuestion question{model_.domain, at.inputs, model_.channel->output_count(), at_once_, false};
    const std::unique_ptr<SetSearch> search = set_.search(question, budget_);
    search->look_at(at.column);
    for (const Pair& pair : pairs) {
      const auto name = [&] { return columns_.output_of(outputs, scale_); };
      found_.compare(*search, at.inputs, at.column, pair.from, pair.to, name);
    }
    if (!known()) return;
    best_path_ = best_least_ == least_of(*known()) ? best_path_ : path;
    best_least_ = least_of(*known());
  }

  // Returns a double that is at most the ratio.
  static double least_of(const Ratio& ratio) {
    return ratio.infinite ? kNoMean : std::min(ratio.value.approx(), 0x1p999) * (1 - 0x1p-40);
  }

  // Starts from outputs that are good under the weights of the named inputs, then changes one part's output of the
  // best one at a time while the quotient grows.
  void climb() {
    const ProjectedRows& seen = columns_.seen();
    const engine::LocalSearch local(seen, suffixes_);
    for (const Pair& pair : pairs_) {
      if (seen.masses[pair.from].is_zero() || seen.masses[pair.to].is_zero()) continue;
      std::vector<engine::LocalSearch::Found> candidates;
      for (const engine::SeenRow* row : local.heaviest(pair.from, kStarts)) {
        candidates.push_back(local.climb(*row, pair.from, pair.to, [this] { look(); }));
      }
      const auto best = std::max_element(candidates.begin(), candidates.end(),
                                         [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
      if (best != candidates.end()) offer(best->path, {pair});
    }
    bool improved = known().has_value();
    while (improved) {
      improved = false;
      for (std::size_t d = 0; d < suffixes_.depths(); ++d) {
        for (std::uint32_t y = 0; y < factor(d).outputs.size(); ++y) {
          look();
          if (known()->infinite) return;
          if (y == best_path_[d]) continue;
          const double before = best_least_;
          Path path = best_path_;
          path[d] = y;
          offer(path, pairs_);
          improved = improved || best_least_ > before;
        }
      }
    }
  }

  bool is_beaten(const Pair& pair) const { return pair.bound == 0 || pair.bound < best_least_; }

  void explore(QuotientBounds& bounds) {
    std::priority_queue<Waiting> waiting;
    waiting.push({above_, {}, pairs_});
    while (!waiting.empty()) {
      const Waiting next = waiting.top();
      waiting.pop();
      above_ = next.bound;
      if (known() && (known()->infinite || next.bound < best_least_)) return;
      look();
      std::vector<Pair> pairs = next.pairs;
      std::erase_if(pairs, [&](const Pair& pair) { return is_beaten(pair); });
      if (next.path.size() == suffixes_.depths()) {
        offer(next.path, pairs);
        continue;
      }
      if (waiting.size() >= kMostWaiting) throw LimitError("too many branches of a search wait for their turn");
      if (nodes_++ == search_limits_.most_nodes) throw LimitError("too many branches of a search would be opened");
      for (std::uint32_t y = 0; y < factor(next.path.size()).outputs.size(); ++y) {
        Path path = next.path;
        path.push_back(y);
        std::vector<Pair> open = bounded(bounds, path, pairs);
        if (open.empty()) continue;
        const double bound = engine::largest_bound(open);
        waiting.push({bound, std::move(path), std::move(open)});
      }
    }
  }

  std::vector<Pair> bounded(QuotientBounds& bounds, const Path& path, std::vector<Pair> pairs) {
    const std::optional<std::vector<double>> weights = bounds.weights_at(path);
    if (!weights) return pairs;
    const std::size_t depth = path.size();
    const std::function<void()> looking = [this] { look(); };
    const bool averages = bounds.pays_averaged(depth), is_slow = !bounds.pays_largest(depth);
    for (Pair& pair : pairs) {
      look();
      if (averages) {
        const double most = bounds.averaged_below(depth, *weights, pair.from, pair.to, best_least_, looking);
        const bool is_smaller = most < pair.bound;  // not always: for wide sets it may be far above that of the parent
        pair.bound = most <= best_least_ ? 0 : std::min(pair.bound, most);
        if (is_beaten(pair) || (is_slow && is_smaller)) continue;
      }
      pair.bound = std::min(pair.bound, bounds.largest_below(depth, *weights, pair.from, pair.to));
    }
    std::erase_if(pairs, [&](const Pair& pair) { return is_beaten(pair); });
    return pairs;
  }

  GroupLevel found() const {
    GroupLevel level = found_.level(model_.domain);
    level.witness.update([this](FoundOutput& shown) {
      shown.p_from *= scale_;
      shown.p_to *= scale_;
    });
    level.way = Way::kSearch;
    level.nodes = nodes_;
    return level;
  }

  const Model& model_;
  const PriorSet& set_;
  const ProductColumns& columns_;
  const std::size_t at_once_;
  Budget& budget_;
  const SearchLimits& search_limits_;
  engine::SearchWatch watch_;
  Suffixes suffixes_;
  PathWeights exact_;
  std::vector<Pair> pairs_;
  LargestQuotient found_;
  Number scale_{1};  // of the best output's entries
  Path best_path_;
  double best_least_ = 0;   // lower bound of the best quotient
  double above_ = kNoMean;  // upper bound of all quotients that are left
  std::uint64_t nodes_ = 0;
};

}  // namespace

GroupLevel search_product(const Model& model, const PriorSet& set, const Partition& labels,
                          const AllowedPairs& direction, std::size_t at_once, Budget& budget,
                          const SearchLimits& search_limits) {
  const std::optional<NamedInputs> named = set.named_inputs(budget);
  if (!named) {
    throw LimitError(
        "inputs and outputs are too many to go through (--max-cells), and the set says something about "
        "every input");
  }
  const ProductColumns columns(model, labels, *named, budget);
  ProductSearch search(model, set, columns, direction, at_once, budget, search_limits);
  if (set.is_largest_part_by_part()) {
    if (columns.parts_see_labels_or_others()) return search.part_by_part();
    throw LimitError(
        "inputs and outputs are too many to go through (--max-cells), and a part of the mechanism sees "
        "more than what is compared");
  }
  const SetQuestion question{model.domain, columns.named(), model.channel->output_count(), at_once, false};
  const std::unique_ptr<MeanBounds> means = set.bounds(question, budget);
  if (!means) throw LimitError("inputs and outputs are too many to go through (--max-cells)");
  return search.by_bounds(*means);
}

ColumnSearch::ColumnSearch(const PriorSet& set, const SetQuestion& question) : set_(set), question_(question) {
  column_.entries.resize(labels());
  column_.extremes.resize(labels());
}

ColumnSearch ColumnSearch::successor() {
  ColumnSearch later(set_, question_);
  later.search_ = std::move(search_);
  return later;
}

SetSearch& ColumnSearch::look_at(ColumnView& view) {
  if (!search_) search_ = set_.search(question_, *Budget::current());
  fill(view);
  search_->look_at(column_);
  return *search_;
}

void ColumnSearch::fill(ColumnView& view) {
  const auto ranks = view.ranks();
  for (std::size_t label = 0; label < labels(); ++label) {
    const std::vector<std::uint64_t>& inputs = question_.inputs.inputs[label];
    std::vector<Number>& entries = column_.entries[label];
    auto& [largest, smallest] = column_.extremes[label] = {};
    entries.clear();
    for (const std::uint64_t x : inputs) {
      const std::size_t place = entries.size();
      entries.push_back(view.pool().value(ranks[x]));
      if (ranks[x] > ranks[inputs[largest]]) largest = place;
      if (ranks[x] < ranks[inputs[smallest]]) smallest = place;
    }
  }
}

}  // namespace oddsbound::priors
