#include "verifier/engine/shuffled_draws.h"

#include <arb.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::engine {

namespace {

constexpr double kMostBits = 0x1p17;    // of a probability
constexpr double kMostWork = 0x1p31;    // words of all exact products
constexpr double kMostEnclosed = 0x1p23;  // histograms

// A class of reports: ratios are P / drawn and Q / drawn.
struct DrawnClass {
  Number drawn, p_ratio, q_ratio;
};

std::vector<DrawnClass> classes_of(const std::vector<DrawnReport>& reports, const Number& factor) {
  std::vector<std::pair<Number, DrawnReport>> classes;  // by score
  Number rest(1);
  const auto add = [&](const Number& score, const DrawnReport& report) {
    const auto found = std::find_if(classes.begin(), classes.end(), [&](const auto& own) { return own.first == score; });
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
  double count = 1;
  for (double k = 1; k < static_cast<double>(classes); ++k) count *= (static_cast<double>(people) + k) / k;
  return count;
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

  bool is_feasible() const {
    if (!is_rational_) return false;
    const double bits = static_cast<double>(bits_of(mass_unit_)) * static_cast<double>(people_);
    return bits <= kMostBits && histograms_of(masses_.size(), people_) * (bits / 64 + 8) <= kMostWork;
  }

  DrawnExcess sum() {
    Integer power = 1;
    for (std::uint64_t k = 0; k <= people_; ++k) {
      powers_.push_back(power);
      power *= masses_.back();
    }
    place(0, people_, Integer(1), Integer(0), Integer(0));
    const Integer whole = boost::multiprecision::pow(mass_unit_, static_cast<unsigned>(people_)) * ratio_unit_ * people_;
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

// All histograms, by Arb.
class EnclosedDraws {
 public:
  EnclosedDraws(const std::vector<DrawnClass>& classes, std::uint64_t people, const Number& factor, Budget& budget)
      : people_(people), budget_(budget) {
    for (const DrawnClass& one : classes) {
      masses_.push_back(std::make_unique<Ball>(one.drawn, kBits));
      scores_.push_back(std::make_unique<Ball>(one.p_ratio - factor * one.q_ratio, kBits));
    }
  }

  NumberBounds sum() {
    place(0, people_, Ball(1), Ball(0));
    arb_div_ui(sum_.get(), sum_.get(), people_, kBits);
    return {std::max(Number(0), end_of(sum_, false)), end_of(sum_, true)};
  }

 private:
  static constexpr slong kBits = 192;

  void place(std::size_t own, std::uint64_t left, const Ball& mass, const Ball& score) {
    budget_.check_every();
    if (own + 1 == masses_.size()) return add(own, left, mass, score);
    Ball with, score_with;
    arb_set(with.get(), mass.get());
    arb_set(score_with.get(), score.get());
    for (std::uint64_t count = 0; count <= left; ++count) {
      place(own + 1, left - count, with, score_with);
      arb_mul(with.get(), with.get(), masses_[own]->get(), kBits);
      arb_mul_ui(with.get(), with.get(), left - count, kBits);
      arb_div_ui(with.get(), with.get(), count + 1, kBits);
      arb_add(score_with.get(), score_with.get(), scores_[own]->get(), kBits);
    }
  }

  void add(std::size_t own, std::uint64_t left, const Ball& mass, const Ball& score) {
    arb_mul_ui(term_.get(), scores_[own]->get(), left, kBits);
    arb_add(term_.get(), term_.get(), score.get(), kBits);
    arb_nonnegative_part(term_.get(), term_.get());
    if (arb_is_zero(term_.get()) != 0) return;
    arb_pow_ui(power_.get(), masses_[own]->get(), left, kBits);
    arb_mul(power_.get(), power_.get(), mass.get(), kBits);
    arb_addmul(sum_.get(), power_.get(), term_.get(), kBits);
  }

  std::uint64_t people_;
  Budget& budget_;
  std::vector<std::unique_ptr<Ball>> masses_, scores_;
  Ball sum_{0}, term_, power_;
};

}  // namespace

DrawnExcess excess_beside_draws(const std::vector<DrawnReport>& reports, std::uint64_t people, const Number& factor,
                                Budget& budget) {
  std::vector<DrawnClass> classes = classes_of(reports, factor);
  const bool may_exceed = std::any_of(reports.begin(), reports.end(), [&](const DrawnReport& report) {
    return compare_products(report.p, Number(1), factor, report.q) > 0;
  });
  if (!may_exceed) return {};
  // The last class has no loop of its own.
  std::sort(classes.begin(), classes.end(), [](const auto& a, const auto& b) { return a.drawn < b.drawn; });
  ExactDraws exact(classes, people, factor, budget);
  if (exact.is_feasible()) return exact.sum();
  if (histograms_of(classes.size(), people) > kMostEnclosed) {
    throw LimitError("the histograms of the reports of " + std::to_string(people) + " people are too many to be listed");
  }
  DrawnExcess result;
  result.excess = EnclosedDraws(classes, people, factor, budget).sum();
  result.reason = "the exact delta of " + std::to_string(people) + " shuffled reports is not computed";
  return result;
}

}  // namespace oddsbound::engine
