#include "verifier/measures/cumulant.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

// The cumulant of two unequal distributions.
class Cumulant {
 public:
  using Value = std::shared_ptr<const Ball>;  // of L at an order

  // Doubles the precision until KL has 72 accurate bits. Everything else is accurate then too, because terms
  // cancel most near order 1. The loop terminates, as KL is positive.
  Cumulant(std::span<const PairedMass> masses, Budget& budget) {
    constexpr slong kAccurate = 72;
    for (bits_ = Ball::kBits;; bits_ *= 2) {
      budget.check();
      enclose(masses);
      if (arb_is_positive(divergence_.get()) != 0 && arb_rel_accuracy_bits(divergence_.get()) >= kAccurate) return;
    }
  }

  std::uint64_t terms() const { return terms_.size(); }

  /// Returns KL, the limit at order 1.
  RhoBounds limit() const { return {lower_of(divergence_), upper_of(divergence_), 0}; }

  /// Returns an upper bound of D_inf, the largest loss.
  double largest() const { return upper_of(largest_); }

  /// Returns an upper bound of rho without a search. First, D_a / a <= D_inf. Second, L'' at order a is the
  /// variance of the loss under the distribution proportional to P^a Q^(1 - a), which is at most w^2 / 4 for
  /// losses in a range of width w (Popoviciu). As L(1) = 0 and L'(1) = KL, L(1 + b) <= KL b + w^2 / 8 b^2. Divided
  /// by b (1 + b), this is a weighted mean of KL and w^2 / 8.
  double cap() const {
    Ball width;
    arb_sub(width.get(), largest_.get(), least_.get(), bits_);
    arb_sqr(width.get(), width.get(), bits_);
    arb_mul_2exp_si(width.get(), width.get(), -3);
    return std::min(std::max(upper_of(width), upper_of(divergence_)), largest());
  }

  /// Returns L(1 + beyond) = log sum P exp(beyond log(P / Q)) = log(1 + sum P (exp(..) - 1)), as P sums to 1. The
  /// last form loses no digits near order 1.
  Value at(double beyond) const {
    const auto sum = std::make_shared<Ball>();
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
  Ball divergence_, largest_, least_;
};

bool are_equal(std::span<const PairedMass> masses) {
  return std::all_of(masses.begin(), masses.end(), [](const PairedMass& pair) { return pair.p == pair.q; });
}

// An interval of orders with an upper bound of D_a / a.
struct OrdersBetween {
  double from, to;
  Cumulant::Value value_from, value_to;
  double at_most;
  bool operator<(const OrdersBetween& other) const { return at_most < other.at_most; }
};

// Best-first search: halves the interval with the largest bound, until that bound is as small as needed.
class OrderSearch {
 public:
  OrderSearch(const Cumulant& cumulant, const RhoGoal& goal, std::uint64_t& terms, Budget& budget)
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
      const Cumulant::Value value = value_at(middle);
      open({next.from, middle, next.value_from, value, 0}, next.at_most);
      open({middle, next.to, value, next.value_to, 0}, next.at_most);
    }
    return found_;
  }

 private:
  // Returns the value below which bounds need no more accuracy.
  double wanted() const { return std::max(goal_.enough, found_.at_least) * (1 + goal_.tolerance); }

  Cumulant::Value value_at(double beyond) {
    terms_ += cumulant_.terms();
    Cumulant::Value value = cumulant_.at(beyond);
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

  const Cumulant& cumulant_;
  const RhoGoal& goal_;
  std::uint64_t& terms_;
  Budget& budget_;
  RhoBounds found_;
  std::priority_queue<OrdersBetween> open_;
};

}  // namespace

RhoBounds bounds_of_rho(std::span<const PairedMass> masses, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) {
  if (are_equal(masses)) return {};
  const Cumulant cumulant(masses, budget);
  terms += cumulant.terms();
  return OrderSearch(cumulant, goal, terms, budget).run();
}

RhoBounds rho_at(std::span<const PairedMass> masses, double beyond, Budget& budget) {
  if (are_equal(masses)) return {0, 0, beyond};
  const Cumulant cumulant(masses, budget);
  return beyond == 0 ? cumulant.limit() : cumulant.over_order(beyond, cumulant.at(beyond));
}

double rho_between(std::span<const PairedMass> masses, double from, double to, Budget& budget) {
  if (are_equal(masses)) return 0;
  const Cumulant cumulant(masses, budget);
  const auto value = [&](double beyond) { return beyond == 0 ? std::make_shared<const Ball>() : cumulant.at(beyond); };
  return cumulant.between(from, value(from), to, value(to));
}

}  // namespace oddsbound::measures
