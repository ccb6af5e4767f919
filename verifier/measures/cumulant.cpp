#include "verifier/measures/cumulant.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <queue>
#include <vector>

#include "verifier/exact/interval.h"

namespace oddsbound::measures {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A bound that is not a number counts as no bound: infinity above, 0 below.
double upper_of(const Ball& bound) {
  const double above = arb_is_finite(bound.get()) != 0 ? bound.above() : kInfinity;
  return std::isnan(above) ? kInfinity : above;
}
double lower_of(const Ball& bound) {
  const double below = arb_is_finite(bound.get()) != 0 ? bound.below() : 0;
  return below > 0 ? below : 0;
}

}  // namespace

// The cumulant of two unequal distributions.
class Cumulant {
 public:
  // Doubles the precision until KL has 72 accurate bits. Everything else is accurate then too, because terms
  // cancel most near order 1. The loop terminates, as KL is positive.
  Cumulant(std::span<const PairedMass> masses, Budget& budget) {
    constexpr slong kAccurate = 72;
    for (bits_ = Ball::kBits;; bits_ *= 2) {
      budget.check();
      enclose(masses);
      if (arb_is_positive(divergence_.get()) != 0 && arb_rel_accuracy_bits(divergence_.get()) >= kAccurate) break;
    }
    arb_sub(eighth_.get(), largest_.get(), least_.get(), bits_);
    arb_sqr(eighth_.get(), eighth_.get(), bits_);
    arb_mul_2exp_si(eighth_.get(), eighth_.get(), -3);
  }

  slong bits() const { return bits_; }
  std::uint64_t terms() const { return terms_.size(); }

  /// KL, the limit of D_a at order 1; D_inf, the largest loss; w^2 / 8, where w is the width of the range of losses.
  const Ball& divergence() const { return divergence_; }
  const Ball& largest() const { return largest_; }
  const Ball& eighth_of_square() const { return eighth_; }

  /// Returns L(1 + beyond) = log sum P exp(beyond log(P / Q)) = log(1 + sum P (exp(..) - 1)), as P sums to 1. The
  /// last form loses no digits near order 1.
  std::unique_ptr<const Ball> at(double beyond) const {
    auto sum = std::make_unique<Ball>();
    const Ball order(beyond);
    Ball term;
    for (const auto& [mass, loss] : terms_) {
      arb_mul(term.get(), loss->get(), order.get(), bits_);
      arb_expm1(term.get(), term.get(), bits_);
      arb_addmul(sum->get(), term.get(), mass->get(), bits_);
    }
    arb_log1p(sum->get(), sum->get(), bits_);
    return sum;
  }

 private:
  struct Term {
    std::unique_ptr<Ball> mass, loss;  // P of all these outputs together, and log(P / Q)
  };

  void enclose(std::span<const PairedMass> masses) {
    terms_.clear();
    arb_zero(divergence_.get());
    for (const PairedMass& pair : masses) {
      if (pair.p.is_zero()) continue;
      // log(1 + (P - Q) / Q) keeps its digits if P and Q are nearly equal.
      auto mass = std::make_unique<Ball>(Number(pair.count) * pair.p, bits_);
      auto loss = std::make_unique<Ball>((pair.p - pair.q) / pair.q, bits_);
      arb_log1p(loss->get(), loss->get(), bits_);
      arb_addmul(divergence_.get(), mass->get(), loss->get(), bits_);
      if (terms_.empty()) {
        arb_set(largest_.get(), loss->get());
        arb_set(least_.get(), loss->get());
      } else {
        arb_max(largest_.get(), largest_.get(), loss->get(), bits_);
        arb_min(least_.get(), least_.get(), loss->get(), bits_);
      }
      terms_.push_back({std::move(mass), std::move(loss)});
    }
  }

  slong bits_ = 0;
  std::vector<Term> terms_;
  Ball divergence_, largest_, least_, eighth_;
};

namespace {

// The cumulant of the worst choice: the sum over components of the maximum over choices of a sum of cumulants.
class WorstCumulant {
 public:
  using Value = std::shared_ptr<const Ball>;  // of L at an order
  using OfEach = std::function<const Ball&(const Cumulant&)>;

  WorstCumulant(std::span<const std::unique_ptr<const Cumulant>> all, const ComponentChoices& components)
      : all_(all), components_(components) {
    std::vector<bool> is_used(all_.size(), false);
    for (const auto& choices : components) {
      for (const IndependentOutputs& choice : choices) {
        for (const auto& [index, count] : choice) {
          if (!all_[index] || is_used[index]) continue;
          is_used[index] = true;
          used_.push_back(index);
        }
      }
    }
    for (const std::size_t index : used_) {
      bits_ = std::max(bits_, all_[index]->bits());
      terms_ += all_[index]->terms();
    }
    divergence_ = worst([](const Cumulant& one) -> const Ball& { return one.divergence(); });
    largest_ = worst([](const Cumulant& one) -> const Ball& { return one.largest(); });
    eighth_ = worst([](const Cumulant& one) -> const Ball& { return one.eighth_of_square(); });
  }

  bool is_zero() const { return used_.empty(); }
  std::uint64_t terms() const { return terms_; }

  /// Returns KL, the limit at order 1.
  RhoBounds limit() const { return {lower_of(*divergence_), upper_of(*divergence_), 0}; }

  /// Returns an upper bound of D_inf, the largest loss.
  double largest() const { return upper_of(*largest_); }

  /// Returns an upper bound of rho without a search. First, D_a / a <= D_inf. Second, L'' at order a is the
  /// variance of the loss under the distribution proportional to P^a Q^(1 - a), which is at most w^2 / 4 for
  /// losses in a range of width w (Popoviciu), and variances of independent losses add. As L(1) = 0 and L'(1) = KL,
  /// L(1 + b) <= KL b + w^2 / 8 b^2. Divided by b (1 + b), this is a weighted mean of KL and w^2 / 8.
  double cap() const { return std::min(std::max(upper_of(*eighth_), upper_of(*divergence_)), largest()); }

  /// Returns L(1 + beyond).
  Value at(double beyond) const {
    const auto values = values_at(beyond);
    return worst([&](const Cumulant& one) -> const Ball& { return *values.at(&one); });
  }

  /// Returns the choices whose sums have the largest lower bound at the order 1 + beyond; of KL for beyond = 0.
  std::vector<std::size_t> worst_choices(double beyond) const {
    const auto values = values_at(beyond);
    const OfEach of_each = [&](const Cumulant& one) -> const Ball& {
      return beyond == 0 ? one.divergence() : *values.at(&one);
    };
    std::vector<std::size_t> chosen;
    for (const auto& choices : components_) {
      std::size_t best = 0;
      double most = 0;
      for (std::size_t k = 0; k < choices.size(); ++k) {
        const double below = lower_of(*sum(choices[k], of_each));
        if (below > most) {
          most = below;
          best = k;
        }
      }
      chosen.push_back(best);
    }
    return chosen;
  }

  /// Returns D_a / a = L(a) / (a (a - 1)).
  RhoBounds over_order(double beyond, const Value& value) const {
    Ball order(beyond), quotient;
    arb_add_ui(quotient.get(), order.get(), 1, bits_);
    arb_mul(quotient.get(), quotient.get(), order.get(), bits_);
    arb_div(quotient.get(), value->get(), quotient.get(), bits_);
    return {lower_of(quotient), upper_of(quotient), beyond};
  }

  /// Returns an upper bound of L(a) / (a (a - 1)) over all orders from 1 + from to 1 + to. With b = a - 1, let the
  /// chord be k b - m, k > 0. It is above L between its ends and below L elsewhere, so its value at b = 0
  /// satisfies -m <= L(1) = 0. Where the chord is positive, (k b - m) / (b (b + 1)) increases up to b = x + sqrt(x
  /// (x + 1)), x = m / k, and decreases from there: its derivative has the sign of -k b^2 + 2 m b + m. The maximum
  /// is k / (sqrt(x + 1) + sqrt(x))^2. If the maximum is not between the ends, the larger value of the two ends is
  /// the bound.
  double between(double from, const Value& value_from, double to, const Value& value_to) const {
    Ball slope, start, term;
    const Ball first(from), last(to);
    arb_sub(slope.get(), value_to->get(), value_from->get(), bits_);
    arb_sub(term.get(), last.get(), first.get(), bits_);
    arb_div(slope.get(), slope.get(), term.get(), bits_);
    if (from == 0) return upper_of(slope);  // x = 0: the bound is the slope k
    if (arb_is_positive(slope.get()) == 0) return kInfinity;
    arb_mul(start.get(), slope.get(), first.get(), bits_);
    arb_sub(start.get(), start.get(), value_from->get(), bits_);
    arb_div(start.get(), start.get(), slope.get(), bits_);
    arb_nonnegative_part(start.get(), start.get());
    Ball root, next, place;
    arb_sqrt(root.get(), start.get(), bits_);
    arb_add_ui(next.get(), start.get(), 1, bits_);
    arb_sqrt(next.get(), next.get(), bits_);
    arb_mul(place.get(), root.get(), next.get(), bits_);
    arb_add(place.get(), place.get(), start.get(), bits_);
    if (arb_lt(place.get(), first.get()) != 0 || arb_gt(place.get(), last.get()) != 0) {
      return std::max(over_order(from, value_from).at_most, over_order(to, value_to).at_most);
    }
    arb_add(term.get(), root.get(), next.get(), bits_);
    arb_sqr(term.get(), term.get(), bits_);
    arb_div(slope.get(), slope.get(), term.get(), bits_);
    return upper_of(slope);
  }

 private:
  std::map<const Cumulant*, std::unique_ptr<const Ball>> values_at(double beyond) const {
    std::map<const Cumulant*, std::unique_ptr<const Ball>> values;
    for (const std::size_t index : used_) values.emplace(all_[index].get(), all_[index]->at(beyond));
    return values;
  }

  std::unique_ptr<Ball> sum(const IndependentOutputs& choice, const OfEach& of_each) const {
    auto total = std::make_unique<Ball>();
    for (const auto& [index, count] : choice) {
      if (!all_[index]) continue;
      if (count == 1) {
        arb_add(total->get(), total->get(), of_each(*all_[index]).get(), bits_);
      } else {
        arb_addmul_ui(total->get(), of_each(*all_[index]).get(), count, bits_);
      }
    }
    return total;
  }

  Value worst(const OfEach& of_each) const {
    auto total = std::make_shared<Ball>();
    for (const auto& choices : components_) {
      std::unique_ptr<Ball> largest;
      for (const IndependentOutputs& choice : choices) {
        auto own = sum(choice, of_each);
        if (largest) {
          arb_max(largest->get(), largest->get(), own->get(), bits_);
        } else {
          largest = std::move(own);
        }
      }
      if (largest) arb_add(total->get(), total->get(), largest->get(), bits_);
    }
    return total;
  }

  std::span<const std::unique_ptr<const Cumulant>> all_;
  const ComponentChoices& components_;
  std::vector<std::size_t> used_;  // indices of distributions
  slong bits_ = Ball::kBits;
  std::uint64_t terms_ = 0;
  Value divergence_, largest_, eighth_;
};

bool are_equal(std::span<const PairedMass> masses) {
  return std::all_of(masses.begin(), masses.end(), [](const PairedMass& pair) { return pair.p == pair.q; });
}

// An interval of orders with an upper bound of D_a / a.
struct OrdersBetween {
  double from, to;
  WorstCumulant::Value value_from, value_to;
  double at_most;
  bool operator<(const OrdersBetween& other) const { return at_most < other.at_most; }
};

// Best-first search: halves the interval with the largest bound, until that bound is as small as needed.
class OrderSearch {
 public:
  OrderSearch(const WorstCumulant& cumulant, const RhoGoal& goal, std::uint64_t& terms, Budget& budget)
      : cumulant_(cumulant), goal_(goal), terms_(terms), budget_(budget), found_(cumulant.limit()) {}

  RhoBounds run() {
    const double cap = cumulant_.cap();
    found_.at_most = cap;
    // needed is 0 if KL underflows and goal.enough is 0: then only the cap is known.
    const double needed = wanted();
    if (needed == 0 || cap <= needed) return found_;
    // 1 + last > D_inf / needed, including rounding. So every order beyond it has D_a / a <= needed.
    const double last = 2 * std::exp2(std::floor(std::log2(cumulant_.largest() / needed * (1 + 0x1p-40))));
    if (!(last < 0x1p500)) return found_;
    const auto nothing = std::make_shared<const Ball>();
    open({0, last, nothing, value_at(last), 0}, cap);
    while (!open_.empty()) {
      found_.at_most = std::max(open_.top().at_most, needed);
      if (found_.at_most <= wanted() || terms_ >= goal_.most_terms) break;
      budget_.check();
      const OrdersBetween next = open_.top();
      const double middle = next.from + (next.to - next.from) / 2;
      if (middle <= next.from || middle >= next.to) break;
      open_.pop();
      const WorstCumulant::Value value = value_at(middle);
      open({next.from, middle, next.value_from, value, 0}, next.at_most);
      open({middle, next.to, value, next.value_to, 0}, next.at_most);
    }
    return found_;
  }

 private:
  // Returns the value below which bounds need no more accuracy.
  double wanted() const { return std::max(goal_.enough, found_.at_least) * (1 + goal_.tolerance); }

  WorstCumulant::Value value_at(double beyond) {
    terms_ += cumulant_.terms();
    WorstCumulant::Value value = cumulant_.at(beyond);
    const RhoBounds here = cumulant_.over_order(beyond, value);
    if (here.at_least > found_.at_least) {
      found_.at_least = here.at_least;
      found_.beyond = beyond;
    }
    return value;
  }

  void open(OrdersBetween orders, double cap) {
    orders.at_most = std::min(cap, cumulant_.between(orders.from, orders.value_from, orders.to, orders.value_to));
    open_.push(std::move(orders));
  }

  const WorstCumulant& cumulant_;
  const RhoGoal& goal_;
  std::uint64_t& terms_;
  Budget& budget_;
  RhoBounds found_;
  std::priority_queue<OrdersBetween> open_;
};

// A single pair of distributions.
class OnePair {
 public:
  OnePair(std::span<const PairedMass> masses, Budget& budget) {
    all_.push_back(std::make_unique<const Cumulant>(masses, budget));
  }
  WorstCumulant cumulant() const { return {all_, alone_}; }

 private:
  std::vector<std::unique_ptr<const Cumulant>> all_;
  ComponentChoices alone_{{{{0, 1}}}};
};

}  // namespace

IndependentPairs::IndependentPairs(const std::vector<std::vector<PairedMass>>& distributions, Budget& budget) {
  for (const auto& masses : distributions) {
    cumulants_.push_back(are_equal(masses) ? nullptr : std::make_unique<const Cumulant>(masses, budget));
  }
}

IndependentPairs::~IndependentPairs() = default;

RhoBounds IndependentPairs::bounds(const ComponentChoices& components, const RhoGoal& goal, std::uint64_t& terms,
                                   Budget& budget) const {
  const WorstCumulant cumulant(cumulants_, components);
  if (cumulant.is_zero()) return {};
  terms += cumulant.terms();
  return OrderSearch(cumulant, goal, terms, budget).run();
}

RhoBounds IndependentPairs::at(const ComponentChoices& components, double beyond) const {
  const WorstCumulant cumulant(cumulants_, components);
  return cumulant.over_order(beyond, cumulant.at(beyond));
}

std::vector<std::size_t> IndependentPairs::worst_choices(const ComponentChoices& components, double beyond) const {
  return WorstCumulant(cumulants_, components).worst_choices(beyond);
}

RhoBounds bounds_of_rho(std::span<const PairedMass> masses, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) {
  if (are_equal(masses)) return {};
  const OnePair pair(masses, budget);
  const WorstCumulant cumulant = pair.cumulant();
  terms += cumulant.terms();
  return OrderSearch(cumulant, goal, terms, budget).run();
}

RhoBounds rho_at(std::span<const PairedMass> masses, double beyond, Budget& budget) {
  if (are_equal(masses)) return {0, 0, beyond};
  const OnePair pair(masses, budget);
  const WorstCumulant cumulant = pair.cumulant();
  return beyond == 0 ? cumulant.limit() : cumulant.over_order(beyond, cumulant.at(beyond));
}

double rho_between(std::span<const PairedMass> masses, double from, double to, Budget& budget) {
  if (are_equal(masses)) return 0;
  const OnePair pair(masses, budget);
  const WorstCumulant cumulant = pair.cumulant();
  const auto value = [&](double beyond) { return beyond == 0 ? std::make_shared<const Ball>() : cumulant.at(beyond); };
  return cumulant.between(from, value(from), to, value(to));
}

}  // namespace oddsbound::measures
