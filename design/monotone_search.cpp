#include "design/monotone_search.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "base/errors.h"
#include "verifier/exact/interval.h"

namespace oddsbound::designs {

namespace {

bool is_below(const Corner& a, const Corner& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
  }
  return true;
}

// Caches decisions; monotonicity answers most questions without a new one.
class Decisions {
 public:
  Decisions(const MonotoneProblem& problem, Budget& budget) : problem_(problem), budget_(budget) {}

  Answer kept(const Corner& at) {
    if (std::any_of(kept_.begin(), kept_.end(), [&](const Corner& above) { return is_below(at, above); })) {
      return Answer::kYes;
    }
    if (broken_below(at)) return Answer::kNo;
    if (std::find(open_.begin(), open_.end(), at) != open_.end()) return Answer::kOpen;
    budget_.check();
    ++count_;
    const Answer answer = problem_.kept(at);
    (answer == Answer::kYes ? kept_ : answer == Answer::kNo ? broken_ : open_).push_back(at);
    return answer;
  }
  /// Returns the index of a point that is not above this one and breaks a limit.
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
  Number bound;  // the loss at its upper corner
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
      examine(box);
    }
    best_.at_least = std::min(best_.loss, least_settled_.value_or(best_.loss));
    if (!boxes_.empty()) best_.at_least = std::min(best_.at_least, boxes_.top().bound);
    best_.decisions = decisions_.count();
    best_.open = decisions_.open();
    best_.proof.broken = decisions_.take_broken();
    return std::move(best_);
  }

 private:
  // Finds a first point: raises all coordinates together as far as possible, then each one.
  bool start() {
    Corner at(problem_.dimensions, Number(0));
    if (!problem_.loss(at)) at.assign(problem_.dimensions, Number(1) / Number(2).pow(kNarrowestBits));
    if (decisions_.kept(at) != Answer::kYes) return false;
    raise_to_limit(at, [](Corner& corner, const Number& to) {
      for (Number& one : corner) one = std::max(one, to);
    });
    take(at);
    return true;
  }

  // Raises coordinates to the largest possible multiple of 1/4096.
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
      (decisions_.kept(raised(middle)) == Answer::kYes ? low : high) = middle;
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

  void examine(const Box& box) {
    if (decisions_.kept(box.low) == Answer::kNo) {
      best_.proof.nodes[box.node].broken_at = decisions_.broken_below(box.low);
      return;
    }
    if (decisions_.kept(box.high) == Answer::kYes) {
      take(box.high);
      return settle(box);
    }
    try_middle(box);
    const std::optional<std::size_t> i = coordinate_to_halve(box);
    if (!i) return settle(box);
    halve(box, *i);
  }

  void settle(const Box& box) { least_settled_ = std::min(least_settled_.value_or(box.bound), box.bound); }

  void try_middle(const Box& box) {
    Corner middle;
    for (std::size_t i = 0; i < box.low.size(); ++i) middle.push_back((box.low[i] + box.high[i]) / Number(2));
    if (problem_.loss(middle).value() < best_.loss && decisions_.kept(middle) == Answer::kYes) take(std::move(middle));
  }

  // Returns the coordinate along which the loss of the upper corner changes most.
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

namespace {

constexpr int kSteps = 24;
constexpr std::int64_t kNearby = std::int64_t{1} << 20;

// Returns the loss at the basis if it is optimal.
std::optional<Number> loss_at(const LpInstance& posed, const linear::Basis& basis) {
  const auto point = linear::point_of(posed.equations, basis);
  if (!point || !linear::duals_of(posed.equations, basis, posed.form)) return std::nullopt;
  return -linear::dot(*point, posed.form);
}

class Curve {
 public:
  Curve(const std::function<DesignProblem(const Number&)>& at, Budget& budget) : at_(at), budget_(budget) {}

  std::vector<CurveStep> follow(const Number& from, const Number& to) {
    stand(from, false, false);
    const double low = std::log(from.approx()), high = std::log(to.approx());
    for (int k = 1; k <= kSteps; ++k) {
      const double epsilon = low + (high - low) * k / kSteps;
      constexpr double kParts = 1 << 16;
      const Number next = k == kSteps ? to : Number::ratio(std::llround(std::exp(epsilon) * kParts), 1 << 16);
      if (next > steps_.back().t && next <= to) go_to(next);
    }
    return std::move(steps_);
  }

 private:
  LpInstance posed_at(const Number& t) {
    budget_.check();
    return pose(at_(t));
  }

  // Appends a step at t, with an optimal basis there.
  void stand(const Number& t, bool turns, bool exactly) {
    const LpInstance posed = posed_at(t);
    basis_.reset();
    std::vector<double> form;
    for (const Number& number : posed.form) form.push_back(number.approx());
    if (const auto proposal = linear::clp_bases(posed.equations, budget_)->propose(form)) {
      if (const auto loss = loss_at(posed, proposal->basis)) {
        basis_ = proposal->basis;
        steps_.push_back({t, *loss, turns, exactly});
        return;
      }
    }
    const std::optional<Optimum> optimum = least_loss(at_(t), budget_);
    if (!optimum) throw ModelError("no mechanism keeps below all losses where the curve begins");
    steps_.push_back({t, optimum->loss, turns, exactly});
  }

  // Follows the basis while it is optimal, then continues with the next one.
  void go_to(const Number& end) {
    while (steps_.back().t < end) {
      const auto loss = basis_ ? loss_at(posed_at(end), *basis_) : std::nullopt;
      if (loss) {
        steps_.push_back({end, *loss});
      } else if (basis_) {
        turn(end);
      } else {
        stand(end, true, false);
      }
    }
  }

  void turn(const Number& end) {
    const linear::Basis old = *basis_;
    Number best = steps_.back().t, not_best = end;
    std::optional<Number> loss;
    while (not_best - best > best / Number(kNearby)) {
      const Number middle =
          simplest_between(best + (not_best - best) / Number(4), not_best - (not_best - best) / Number(4));
      if (auto found = loss_at(posed_at(middle), old)) {
        best = middle;
        loss = std::move(found);
      } else {
        not_best = middle;
      }
    }
    if (loss) steps_.push_back({best, *loss});
    stand(not_best, true, false);
    if (!basis_) return;
    const Number very = simplest_between(best, not_best);
    const LpInstance posed = posed_at(very);
    const auto before = loss_at(posed, old), after = loss_at(posed, *basis_);
    if (!before || !after) return;
    steps_.pop_back();
    if (loss) steps_.pop_back();
    if (very == steps_.back().t) steps_.pop_back();
    steps_.push_back({very, *after, true, true});
  }

  const std::function<DesignProblem(const Number&)>& at_;
  Budget& budget_;
  std::vector<CurveStep> steps_;
  std::optional<linear::Basis> basis_;  // optimal at the last step
};

}  // namespace

std::vector<CurveStep> loss_curve(const std::function<DesignProblem(const Number& t)>& at, const Number& from,
                                  const Number& to, Budget& budget) {
  return Curve(at, budget).follow(from, to);
}

}  // namespace oddsbound::designs
