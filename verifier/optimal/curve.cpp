#include "verifier/optimal/curve.h"

#include <cmath>

#include "base/errors.h"
#include "verifier/exact/rounding.h"

namespace oddsbound::optimal {

namespace {

constexpr int kSteps = 24;
constexpr std::int64_t kNearby = std::int64_t{1} << 20;

Number value_of(const Posed& posed, const std::vector<Number>& point) {
  Number value(0);
  for (std::size_t j = 0; j < point.size(); ++j) {
    if (!posed.form[j].is_zero() && !point[j].is_zero()) value += posed.form[j] * point[j];
  }
  return value;
}

// The loss at the basis, if that is best.
std::optional<Number> loss_at(const Posed& posed, const exact::Basis& basis) {
  const auto point = exact::point_of(posed.equations, basis);
  if (!point || !exact::prices_of(posed.equations, basis, posed.form)) return std::nullopt;
  return -value_of(posed, *point);
}

class Curve {
 public:
  Curve(const std::function<Wanted(const Number&)>& at, Budget& budget) : at_(at), budget_(budget) {}

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
  Posed posed_at(const Number& t) {
    budget_.look();
    return pose(at_(t));
  }

  // A step at t, with what is best there.
  void stand(const Number& t, bool turns, bool exactly) {
    const Posed posed = posed_at(t);
    basis_.reset();
    std::vector<double> form;
    for (const Number& number : posed.form) form.push_back(number.approx());
    if (const auto proposal = exact::clp_bases(posed.equations, budget_)->propose(form)) {
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

  // Follows the basis as far as it is best, and the next one from there.
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
    const exact::Basis old = *basis_;
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
    const Posed posed = posed_at(very);
    const auto before = loss_at(posed, old), after = loss_at(posed, *basis_);
    if (!before || !after) return;
    steps_.pop_back();
    if (loss) steps_.pop_back();
    if (very == steps_.back().t) steps_.pop_back();
    steps_.push_back({very, *after, true, true});
  }

  const std::function<Wanted(const Number&)>& at_;
  Budget& budget_;
  std::vector<CurveStep> steps_;
  std::optional<exact::Basis> basis_;  // that is best at the last step
};

}  // namespace

std::vector<CurveStep> loss_curve(const std::function<Wanted(const Number& t)>& at, const Number& from,
                                  const Number& to, Budget& budget) {
  return Curve(at, budget).follow(from, to);
}

}  // namespace oddsbound::optimal
