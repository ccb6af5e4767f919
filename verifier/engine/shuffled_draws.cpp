#include "verifier/engine/shuffled_draws.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"
#include "verifier/model/adaptive_channel.h"

namespace oddsbound::engine {

namespace {

constexpr double kMostBits = 0x1p17;  // of a probability
constexpr double kMostWork = 0x1p31;  // words of all exact products

// A class of reports: ratios are P / drawn and Q / drawn.
struct DrawnClass {
  Number drawn, p_ratio, q_ratio;
};

std::vector<DrawnClass> classes_of(const std::vector<DrawnReport>& reports, const Number& factor) {
  std::vector<std::pair<Number, DrawnReport>> classes;  // by score
  Number rest(1);
  const auto add = [&](const Number& score, const DrawnReport& report) {
    const auto found =
        std::find_if(classes.begin(), classes.end(), [&](const auto& own) { return own.first == score; });
    if (found == classes.end()) {
      classes.emplace_back(score, report);
      return;
    }
    found->second.drawn += report.drawn;
    found->second.p += report.p;
    found->second.q += report.q;
  };
  for (const DrawnReport& report : reports) {
    rest -= report.drawn;
    add((report.p - factor * report.q) / report.drawn, report);
  }
  if (!rest.is_zero()) add(Number(0), {rest, Number(0), Number(0)});
  std::vector<DrawnClass> result;
  for (const auto& [score, report] : classes) {
    result.push_back({report.drawn, report.p / report.drawn, report.q / report.drawn});
  }
  return result;
}

// The number of histograms.
double histograms_of(std::size_t classes, std::uint64_t people) {
  return static_cast<double>(Counts(classes, people).size());
}

Integer common_denominator(const std::vector<const Number*>& numbers) {
  Integer common = 1;
  for (const Number* number : numbers) common = lcm(common, denominator(exact::rational_of(*number)));
  return common;
}

Integer times(const Number& number, const Integer& common) {
  return numerator(exact::rational_of(number) * Rational(common));
}

// All histograms, with integers over common denominators.
class ExactDraws {
 public:
  ExactDraws(const std::vector<DrawnClass>& classes, std::uint64_t people, const Number& factor, Budget& budget)
      : people_(people), factor_(factor), factor_approx_(factor.approx()), budget_(budget) {
    std::vector<const Number*> masses, ratios;
    for (const DrawnClass& one : classes) {
      masses.push_back(&one.drawn);
      ratios.insert(ratios.end(), {&one.p_ratio, &one.q_ratio});
    }
    for (const auto& list : {masses, ratios}) {
      for (const Number* number : list) is_rational_ = is_rational_ && number->is_rational();
    }
    if (!is_rational_) return;
    mass_unit_ = common_denominator(masses);
    ratio_unit_ = common_denominator(ratios);
    for (const DrawnClass& one : classes) {
      masses_.push_back(times(one.drawn, mass_unit_));
      p_.push_back(times(one.p_ratio, ratio_unit_));
      q_.push_back(times(one.q_ratio, ratio_unit_));
    }
  }

  bool is_feasible(double most) const {
    if (!is_rational_) return false;
    const double bits = static_cast<double>(bits_of(mass_unit_)) * static_cast<double>(people_);
    const double work = histograms_of(masses_.size(), people_) * (bits / 64 + 8);
    return bits <= kMostBits && work <= std::min(kMostWork, most * 256);
  }

  DrawnExcess sum() {
    Integer power = 1;
    for (std::uint64_t k = 0; k <= people_; ++k) {
      powers_.push_back(power);
      power *= masses_.back();
    }
    place(0, people_, Integer(1), Integer(0), Integer(0));
    const Integer whole =
        boost::multiprecision::pow(mass_unit_, static_cast<unsigned>(people_)) * ratio_unit_ * people_;
    DrawnExcess result{exact::make_number(Rational(p_sum_, whole)), exact::make_number(Rational(q_sum_, whole)), {}};
    result.excess.lower = result.excess.upper = result.p - factor_ * result.q;
    return result;
  }

 private:
  // mass: of the reports placed so far, in any order. p, q: the sums of their ratios.
  void place(std::size_t own, std::uint64_t left, const Integer& mass, const Integer& p, const Integer& q) {
    budget_.check_every();
    if (own + 1 == masses_.size()) return add(mass * powers_[left], p + p_[own] * left, q + q_[own] * left);
    Integer with = mass, p_with = p, q_with = q;
    for (std::uint64_t count = 0; count <= left; ++count) {
      place(own + 1, left - count, with, p_with, q_with);
      with = with * masses_[own] * (left - count) / (count + 1);
      p_with += p_[own];
      q_with += q_[own];
    }
  }

  void add(const Integer& mass, const Integer& p, const Integer& q) {
    const double gained = p.convert_to<double>(), lost = factor_approx_ * q.convert_to<double>();
    if (gained < lost * (1 - 0x1p-40)) return;
    const bool is_certain = gained > lost * (1 + 0x1p-40) && std::isfinite(gained);
    if (!is_certain && exact::make_number(Rational(p)) <= factor_ * exact::make_number(Rational(q))) return;
    p_sum_ += mass * p;
    q_sum_ += mass * q;
  }

  std::uint64_t people_;
  const Number& factor_;
  double factor_approx_;
  Budget& budget_;
  bool is_rational_ = true;
  Integer mass_unit_ = 1, ratio_unit_ = 1;
  std::vector<Integer> masses_, p_, q_;
  std::vector<Integer> powers_;  // of the last mass
  Integer p_sum_ = 0, q_sum_ = 0;
};

// The same by Arb, where histograms are too many or numbers are irrational.

struct ScoredClass {
  std::shared_ptr<const Ball> mass, score;
  double near_mass, near_score;

  ScoredClass(std::shared_ptr<const Ball> own_mass, std::shared_ptr<const Ball> own_score)
      : mass(std::move(own_mass)), score(std::move(own_score)), near_mass(mass->above()), near_score(score->above()) {}
};

constexpr slong kBits = 192;
constexpr slong kSkipped = -90;  // counts are skipped where the mass is below 2^kSkipped

// By rising score.
std::vector<ScoredClass> scored(const std::vector<DrawnClass>& classes, const Number& factor) {
  std::vector<std::pair<Number, const DrawnClass*>> order;
  for (const DrawnClass& one : classes) order.emplace_back(one.p_ratio - factor * one.q_ratio, &one);
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ScoredClass> result;
  for (const auto& [score, one] : order) {
    result.emplace_back(std::make_shared<Ball>(one->drawn, kBits), std::make_shared<Ball>(score, kBits));
  }
  return result;
}

// About how many histograms are visited: all counts within some 11 standard deviations, of all classes but the largest.
double visited(const std::vector<ScoredClass>& classes, std::uint64_t people) {
  const auto n = static_cast<double>(people);
  double product = 1, largest = 1;
  for (const ScoredClass& one : classes) {
    const double counts = std::min(n + 1, 22 * std::sqrt(n * one.near_mass) + 32);
    product *= counts;
    largest = std::max(largest, counts);
  }
  return product / largest;
}

std::shared_ptr<Ball> new_ball() { return std::make_shared<Ball>(); }

// Replaces two neighboring classes by their mean. The expectation of a convex function falls (Jensen).
void merge_two(std::vector<ScoredClass>& classes) {
  std::size_t best = 0;
  double least = HUGE_VAL;
  for (std::size_t k = 0; k + 1 < classes.size(); ++k) {
    const ScoredClass &a = classes[k], &b = classes[k + 1];
    const double gap = b.near_score - a.near_score;
    const double lost = a.near_mass * b.near_mass / (a.near_mass + b.near_mass) * gap * gap;
    if (lost < least) least = lost, best = k;
  }
  const ScoredClass a = classes[best], b = classes[best + 1];
  const auto mass = new_ball(), score = new_ball();
  arb_add(mass->get(), a.mass->get(), b.mass->get(), kBits);
  arb_mul(score->get(), a.mass->get(), a.score->get(), kBits);
  arb_addmul(score->get(), b.mass->get(), b.score->get(), kBits);
  arb_div(score->get(), score->get(), mass->get(), kBits);
  classes[best] = ScoredClass(mass, score);
  classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(best) + 1);
}

// Splits a class between its neighbors such that the mean stays. The expectation of a convex function grows.
void split_one(std::vector<ScoredClass>& classes) {
  std::size_t best = 1;
  double least = HUGE_VAL;
  for (std::size_t k = 1; k + 1 < classes.size(); ++k) {
    const double gained = classes[k].near_mass * (classes[k + 1].near_score - classes[k].near_score) *
                          (classes[k].near_score - classes[k - 1].near_score);
    if (gained < least) least = gained, best = k;
  }
  const ScoredClass below = classes[best - 1], own = classes[best], above = classes[best + 1];
  Ball width, part;
  arb_sub(width.get(), above.score->get(), below.score->get(), kBits);
  arb_sub(part.get(), own.score->get(), below.score->get(), kBits);
  arb_div(part.get(), part.get(), width.get(), kBits);
  arb_mul(part.get(), part.get(), own.mass->get(), kBits);
  const auto upper = new_ball(), lower = new_ball();
  arb_add(upper->get(), above.mass->get(), part.get(), kBits);
  arb_sub(lower->get(), own.mass->get(), part.get(), kBits);
  arb_add(lower->get(), lower->get(), below.mass->get(), kBits);
  classes[best - 1] = ScoredClass(lower, below.score);
  classes[best + 1] = ScoredClass(upper, above.score);
  classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(best));
}

// Visits the counts of one class after the other. Given the counts before, each is binomial.
class EnclosedDraws {
 public:
  EnclosedDraws(std::vector<ScoredClass> classes, std::uint64_t people, Budget& budget)
      : classes_(std::move(classes)), people_(people), budget_(budget) {
    arb_zero(largest_.get());
    for (const ScoredClass& one : classes_) arb_max(largest_.get(), largest_.get(), one.score->get(), kBits);
    // The last class has no loop of its own.
    std::sort(classes_.begin(), classes_.end(), [](const auto& a, const auto& b) { return a.near_mass < b.near_mass; });
    for (std::size_t own = 0; own + 1 < classes_.size(); ++own) {
      const auto rest = new_ball(), chance = new_ball(), odds = new_ball();
      arb_zero(rest->get());
      for (std::size_t k = own + 1; k < classes_.size(); ++k) {
        arb_add(rest->get(), rest->get(), classes_[k].mass->get(), kBits);
      }
      arb_div(odds->get(), classes_[own].mass->get(), rest->get(), kBits);
      arb_add(chance->get(), rest->get(), classes_[own].mass->get(), kBits);
      arb_div(rest->get(), rest->get(), chance->get(), kBits);
      arb_div(chance->get(), classes_[own].mass->get(), chance->get(), kBits);
      arb_log(rest->get(), rest->get(), kBits);
      chances_.push_back(chance->above());
      arb_log(chance->get(), chance->get(), kBits);
      log_chances_.push_back(chance);
      log_others_.push_back(rest);
      odds_.push_back(odds);
    }
  }

  NumberBounds sum() {
    place(0, people_, Ball(1), Ball(0));
    arb_div_ui(sum_.get(), sum_.get(), people_, kBits);
    const Number lower = std::max(Number(0), end_of(sum_, false));
    arb_addmul(sum_.get(), skipped_.get(), largest_.get(), kBits);
    return {lower, std::max(lower, end_of(sum_, true))};
  }

 private:
  void place(std::size_t own, std::uint64_t left, const Ball& mass, const Ball& score) {
    budget_.check_every();
    if (own + 1 == classes_.size()) return add(own, left, mass, score);
    const auto n = static_cast<double>(left);
    const auto mode = static_cast<std::uint64_t>(std::clamp(std::floor((n + 1) * chances_[own]), 0.0, n));
    Ball seen(0), at_mode, with;
    set_binomial(at_mode, own, left, mode);
    arb_mul(at_mode.get(), at_mode.get(), mass.get(), kBits);
    const auto visit = [&](std::uint64_t count) {
      arb_add(seen.get(), seen.get(), with.get(), kBits);
      Ball score_with;
      arb_mul_ui(score_with.get(), classes_[own].score->get(), count, kBits);
      arb_add(score_with.get(), score_with.get(), score.get(), kBits);
      place(own + 1, left - count, with, score_with);
    };
    const auto is_tiny = [&] { return arf_cmpabs_2exp_si(arb_midref(with.get()), kSkipped) < 0; };
    arb_set(with.get(), at_mode.get());
    for (std::uint64_t count = mode; !is_tiny(); ++count) {
      visit(count);
      if (count == left) break;
      arb_mul_ui(with.get(), with.get(), left - count, kBits);
      arb_div_ui(with.get(), with.get(), count + 1, kBits);
      arb_mul(with.get(), with.get(), odds_[own]->get(), kBits);
    }
    arb_set(with.get(), at_mode.get());
    for (std::uint64_t count = mode; count > 0; --count) {
      arb_mul_ui(with.get(), with.get(), count, kBits);
      arb_div_ui(with.get(), with.get(), left - count + 1, kBits);
      arb_div(with.get(), with.get(), odds_[own]->get(), kBits);
      if (is_tiny()) break;
      visit(count - 1);
    }
    arb_sub(seen.get(), mass.get(), seen.get(), kBits);
    arb_nonnegative_part(seen.get(), seen.get());
    arb_add(skipped_.get(), skipped_.get(), seen.get(), kBits);
  }

  void set_binomial(Ball& result, std::size_t own, std::uint64_t left, std::uint64_t count) const {
    Ball term;
    const auto set_log_factorial = [](Ball& ball, std::uint64_t k) {
      arb_set_ui(ball.get(), k + 1);
      arb_lgamma(ball.get(), ball.get(), kBits);
    };
    set_log_factorial(result, left);
    for (const std::uint64_t part : {count, left - count}) {
      set_log_factorial(term, part);
      arb_sub(result.get(), result.get(), term.get(), kBits);
    }
    arb_mul_ui(term.get(), log_chances_[own]->get(), count, kBits);
    arb_add(result.get(), result.get(), term.get(), kBits);
    arb_mul_ui(term.get(), log_others_[own]->get(), left - count, kBits);
    arb_add(result.get(), result.get(), term.get(), kBits);
    arb_exp(result.get(), result.get(), kBits);
  }

  void add(std::size_t own, std::uint64_t left, const Ball& mass, const Ball& score) {
    arb_mul_ui(term_.get(), classes_[own].score->get(), left, kBits);
    arb_add(term_.get(), term_.get(), score.get(), kBits);
    arb_nonnegative_part(term_.get(), term_.get());
    if (arb_is_zero(term_.get()) == 0) arb_addmul(sum_.get(), mass.get(), term_.get(), kBits);
  }

  std::vector<ScoredClass> classes_;
  std::uint64_t people_;
  Budget& budget_;
  std::vector<double> chances_;                                               // [class]: among this one and later ones
  std::vector<std::shared_ptr<const Ball>> log_chances_, log_others_, odds_;  // the same
  Ball sum_{0}, skipped_{0}, largest_, term_;
};

}  // namespace

DrawnExcess excess_beside_draws(const std::vector<DrawnReport>& reports, std::uint64_t people, const Number& factor,
                                Budget& budget, double most, DrawnEnds wanted) {
  const bool is_rational = std::all_of(reports.begin(), reports.end(), [](const DrawnReport& report) {
    return report.drawn.is_rational() && report.p.is_rational() && report.q.is_rational();
  });
  // Products of quotients in exp have the finest exponents of both. Delta falls as the factor rises.
  if (!is_rational && !factor.is_rational()) {
    const Ball near(factor, kBits);
    const Number above = end_of(near, true), below = std::max(Number(1), end_of(near, false));
    DrawnExcess result = excess_beside_draws(reports, people, above, budget, most, wanted);
    const DrawnExcess upper = excess_beside_draws(reports, people, below, budget, most, wanted);
    result.excess.upper = std::max(result.excess.lower, upper.excess.upper);
    result.reason = upper.reason;
    return result;
  }
  const bool may_exceed = std::any_of(reports.begin(), reports.end(), [&](const DrawnReport& report) {
    return compare_products(report.p, Number(1), factor, report.q) > 0;
  });
  if (!may_exceed) return {};
  std::vector<DrawnClass> classes = classes_of(reports, factor);
  std::sort(classes.begin(), classes.end(), [](const auto& a, const auto& b) { return a.drawn < b.drawn; });
  ExactDraws exact(classes, people, factor, budget);
  if (exact.is_feasible(most)) return exact.sum();
  DrawnExcess result;
  std::vector<ScoredClass> lower = scored(classes, factor), upper = lower;
  const bool is_reduced = visited(lower, people) > most;
  while (lower.size() > 1 && visited(lower, people) > most) merge_two(lower);
  while (upper.size() > 2 && visited(upper, people) > most) split_one(upper);
  if (!is_reduced || wanted != DrawnEnds::kUpper) result.excess = EnclosedDraws(lower, people, budget).sum();
  if (is_reduced) {
    result.excess.upper = Number(1);
    if (wanted != DrawnEnds::kLower) result.excess.upper = EnclosedDraws(upper, people, budget).sum().upper;
  }
  result.reason =
      is_reduced ? "the histograms of the reports of " + std::to_string(people) + " people are too many to be listed"
                 : "the exact delta of " + std::to_string(people) + " shuffled reports is not computed";
  return result;
}

}  // namespace oddsbound::engine
