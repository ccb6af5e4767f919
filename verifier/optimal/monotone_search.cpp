#include "verifier/optimal/monotone_search.h"

#include <algorithm>
#include <map>
#include <queue>

namespace oddsbound::optimal {

namespace {

bool is_below(const Corner& a, const Corner& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
  }
  return true;
}

// What decisions have told so far. Most questions follow from them.
class Decisions {
 public:
  Decisions(const MonotoneProblem& problem, Budget& budget) : problem_(problem), budget_(budget) {}

  Kept kept(const Corner& at) {
    if (std::any_of(kept_.begin(), kept_.end(), [&](const Corner& above) { return is_below(at, above); })) {
      return Kept::kYes;
    }
    if (broken_below(at)) return Kept::kNo;
    if (std::find(open_.begin(), open_.end(), at) != open_.end()) return Kept::kOpen;
    budget_.look();
    ++count_;
    const Kept answer = problem_.kept(at);
    (answer == Kept::kYes ? kept_ : answer == Kept::kNo ? broken_ : open_).push_back(at);
    return answer;
  }
  /// A point that is not above this one, and breaks a limit.
  std::optional<std::size_t> broken_below(const Corner& at) const {
    const auto found =
        std::find_if(broken_.begin(), broken_.end(), [&](const Corner& below) { return is_below(below, at); });
    if (found == broken_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - broken_.begin());
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t open() const { return open_.size(); }
  std::vector<Corner> take_broken() { return std::move(broken_); }

 private:
  const MonotoneProblem& problem_;
  Budget& budget_;
  std::vector<Corner> kept_, broken_, open_;
  std::uint64_t count_ = 0;
};

struct Box {
  Corner low, high;
  Number bound;  // the loss of its upper corner
  std::size_t node;
};

struct LeastFirst {
  bool operator()(const Box& a, const Box& b) const { return a.bound > b.bound; }
};

class Search {
 public:
  Search(const MonotoneProblem& problem, Budget& budget) : problem_(problem), decisions_(problem, budget) {}

  std::optional<MonotoneOptimum> run() {
    if (!start()) return std::nullopt;
    push(Corner(problem_.dimensions, Number(0)), Corner(problem_.dimensions, Number(1)));
    while (!boxes_.empty() && boxes_.top().bound < (Number(1) - problem_.gap) * best_.loss) {
      if (decisions_.count() >= problem_.most_decisions) {
        best_.stopped = true;
        break;
      }
      const Box box = boxes_.top();
      boxes_.pop();
      look_into(box);
    }
    best_.at_least = std::min(best_.loss, least_settled_.value_or(best_.loss));
    if (!boxes_.empty()) best_.at_least = std::min(best_.at_least, boxes_.top().bound);
    best_.decisions = decisions_.count();
    best_.open = decisions_.open();
    best_.proof.broken = decisions_.take_broken();
    return std::move(best_);
  }

 private:
  // A first point: as high as all coordinates together may be, and then each.
  bool start() {
    Corner at(problem_.dimensions, Number(0));
    if (!problem_.loss(at)) at.assign(problem_.dimensions, Number(1) / Number(2).pow(kNarrowestBits));
    if (decisions_.kept(at) != Kept::kYes) return false;
    raise_to_limit(at, [](Corner& corner, const Number& to) {
      for (Number& one : corner) one = std::max(one, to);
    });
    take(at);
    return true;
  }

  // Of the multiples of 1/4096 the largest to which coordinates can be raised.
  template <typename Raise>
  void raise_to_limit(Corner& at, Raise raise) {
    constexpr std::int64_t kMostRaises = 4096;
    const auto raised = [&](std::int64_t step) {
      Corner to = at;
      raise(to, Number::ratio(step, kMostRaises));
      return to;
    };
    std::int64_t low = 0;
    std::int64_t high = kMostRaises + 1;
    while (high - low > 1) {
      const std::int64_t middle = high > kMostRaises ? kMostRaises : low + (high - low) / 2;
      (decisions_.kept(raised(middle)) == Kept::kYes ? low : high) = middle;
    }
    at = raised(low);
  }

  void take(Corner at) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      raise_to_limit(at, [i](Corner& corner, const Number& to) { corner[i] = std::max(corner[i], to); });
    }
    const std::optional<Number> loss = problem_.loss(at);
    if (!loss || (!best_.at.empty() && *loss >= best_.loss)) return;
    best_.at = std::move(at);
    best_.loss = *loss;
  }

  std::size_t push(Corner low, Corner high) {
    const std::size_t node = best_.proof.nodes.size();
    best_.proof.nodes.emplace_back();
    Number bound = problem_.loss(high).value();
    boxes_.push({std::move(low), std::move(high), std::move(bound), node});
    return node;
  }

  void look_into(const Box& box) {
    if (decisions_.kept(box.low) == Kept::kNo) {
      best_.proof.nodes[box.node].broken_at = decisions_.broken_below(box.low);
      return;
    }
    if (decisions_.kept(box.high) == Kept::kYes) {
      take(box.high);
      return settle(box);
    }
    look_at_middle(box);
    const std::optional<std::size_t> i = coordinate_to_halve(box);
    if (!i) return settle(box);
    halve(box, *i);
  }

  void settle(const Box& box) { least_settled_ = std::min(least_settled_.value_or(box.bound), box.bound); }

  void look_at_middle(const Box& box) {
    Corner middle;
    for (std::size_t i = 0; i < box.low.size(); ++i) middle.push_back((box.low[i] + box.high[i]) / Number(2));
    if (problem_.loss(middle).value() < best_.loss && decisions_.kept(middle) == Kept::kYes) take(std::move(middle));
  }

  // That along which the loss of the upper corner changes most.
  std::optional<std::size_t> coordinate_to_halve(const Box& box) const {
    const Number narrowest = Number(1) / Number(2).pow(kNarrowestBits);
    std::optional<std::size_t> best;
    Number most(0);
    for (std::size_t i = 0; i < box.low.size(); ++i) {
      if (box.high[i] - box.low[i] <= narrowest) continue;
      Corner lowered = box.high;
      lowered[i] = (box.low[i] + box.high[i]) / Number(2);
      const Number change = problem_.loss(lowered).value() - box.bound;
      if (best && change <= most) continue;
      best = i;
      most = change;
    }
    return best;
  }

  void halve(const Box& box, std::size_t i) {
    const Number middle = (box.low[i] + box.high[i]) / Number(2);
    Corner low = box.low, high = box.high;
    low[i] = high[i] = middle;
    const std::size_t below = push(box.low, std::move(high));
    const std::size_t above = push(std::move(low), box.high);
    best_.proof.nodes[box.node] = {i, middle, below, above, std::nullopt};
  }

  const MonotoneProblem& problem_;
  Decisions decisions_;
  MonotoneOptimum best_;
  std::priority_queue<Box, std::vector<Box>, LeastFirst> boxes_;
  std::optional<Number> least_settled_;  // of boxes that are not halved any more
};

}  // namespace

std::optional<MonotoneOptimum> least_within(const MonotoneProblem& problem, Budget& budget) {
  return Search(problem, budget).run();
}

}  // namespace oddsbound::optimal
