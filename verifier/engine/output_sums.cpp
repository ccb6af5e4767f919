// Bounds of the sums, with g = n u / (1 - n u), the relative error of every L_a(y), and N the number of roundings on
// a path through the tree in which the terms of all outputs are added up.
//
// - Best guess, sum max_a L_a: relative error g + N u.
// - Divergence, sum (p - E q)_+ with p = L_a / m_a, q = L_b / m_b: p and E q have a relative error d = g + 5 u. A term
//   is wrong by at most d (p + E q) where it is positive, or computed as positive. There E q <= (1 + 3 d) p, so the sum
//   is wrong by at most 2 d (1 + 2 d) sum p <= 2.1 d, whatever E is, and by N u times the sum for the additions.
// - Information, sum L_a log(L_a / (pi_a q)), q = sum_a L_a: L_a, the quotient and its logarithm are wrong by the
//   factors 1 + g, 1 + 2 g + 5 u and by 2^-49 + 4 u |log|. sum L_a |log| <= information + 2 / e, as x log x >= -1 / e.
//   In all: (g + N u + 8 u) (information + 1) + 2 g + 5 u + 2^-49.
// - Entropy of the output, - sum q log q: (g + N u + 8 u) (entropy + 1) + g + 2^-49.
//
// Underflow. Every product is wrong by at most 2^-1075 besides, and all outputs below it together inherit this error
// once, since the entries of a factor sum to 1. With fewer than 2^64 products, weights and factors in [2^-400, 2^400]
// and terms L_a < 2^-900 left out of logarithms, this adds less than 2^-200 to every sum.
//
// Outputs below an unopened prefix. Rows with the same rest (outputs of the other factors) are a cell c; their masses
// by label are m_c = (m_ac)_a. An output below has L(y) = sum_c f_c(y) m_c. Every sum is one of a function F of L that
// is convex and homogeneous, so F(sum_c f_c m_c) <= sum_c f_c F(m_c). Over all outputs below, sum_y f_c(y) = 1:
//   F(sum_c m_c) <= sum_y F(L(y)) <= sum_c F(m_c).
// The upper end is what an output that reveals the rest of the row would add. The entropy of the output adds m log(1/m)
// and m H(rest of the output), which lies between sum_c m_c H(rest of the output given c) and that with the entropy of
// c added, and is at most m log(number of rests).

#include "verifier/engine/output_sums.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/sum_plan.h"
#include "verifier/engine/sum_visitor.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/threads.h"

namespace oddsbound::engine {

namespace {

Number power_of_2(int exponent) {
  return exponent < 0 ? Number(1) / Number(2).pow(-exponent) : Number(2).pow(exponent);
}

// The bounds that the sums in doubles prove.
class SumErrors {
 public:
  // roundings, additions: n and N.
  SumErrors(std::uint64_t roundings, std::uint64_t additions) {
    // The double nearest to an entry may be wrong by u (1 + 2^-10); so may every rounding here.
    unit_ = power_of_2(-53) * (Number(1) + power_of_2(-10));
    const Number n = Number(static_cast<std::int64_t>(roundings)) * unit_;
    entry_ = n / (Number(1) - n);
    const Number all = Number(static_cast<std::int64_t>(additions)) * unit_;
    tree_ = all / (Number(1) - all);
  }

  NumberBounds guess(double lower, double upper) const {
    const Number error = (entry_ + tree_) * (Number(1) + power_of_2(-10));
    return around(lower, upper, number_of(upper) * error * Number(2), Number(1));
  }
  NumberBounds excess(double lower, double upper) const {
    const Number d = entry_ + Number(5) * unit_;
    return around(lower, upper, Number(21) / Number(10) * d + Number(2) * tree_ * number_of(upper), Number(1));
  }
  NumberBounds information(double lower, double upper) const {
    return around(lower, upper, of_logarithms(upper, Number(2)), std::nullopt);
  }
  // The entropy of the output less that of the output given the input.
  NumberBounds record_information(double lower, double upper, const Number& conditional) const {
    NumberBounds bounds = around(lower, upper, of_logarithms(upper, Number(2)) + conditional * unit_, std::nullopt);
    bounds.lower = std::max(Number(0), bounds.lower - conditional);
    bounds.upper = std::max(Number(0), bounds.upper - conditional);
    return bounds;
  }

 private:
  Number of_logarithms(double value, const Number& times) const {
    return (entry_ + tree_ + Number(8) * unit_) * (number_of(std::max(0.0, value)) + Number(1)) + times * entry_ +
           Number(5) * unit_ + power_of_2(-49);
  }
  // Within [0, most].
  static NumberBounds around(double lower, double upper, const Number& error, const std::optional<Number>& most) {
    const Number all = error + power_of_2(-200);
    NumberBounds bounds{std::max(Number(0), number_of(lower) - all), std::max(Number(0), number_of(upper) + all)};
    if (most) bounds.upper = std::min(bounds.upper, *most);
    return bounds;
  }

  Number unit_, entry_, tree_;
};

// The number of elementary operations of a pass over all outputs, roughly, and of a block.
struct SumWork {
  double all = 0, block = 0;
};
SumWork work_of(const SumPlan& plan) {
  constexpr double kOfLog = 8, kOfTerm = 2;
  SumWork work;
  double prefixes = 1;
  for (std::size_t d = 0; d < plan.block; ++d) {
    prefixes *= static_cast<double>(plan.steps[d].outputs);
    work.all += prefixes * static_cast<double>(plan.steps[d].sources.size());
  }
  double lanes = 1;
  for (std::size_t d = plan.block; d < plan.steps.size(); ++d) {
    lanes *= static_cast<double>(plan.steps[d].outputs);
    work.block += lanes * static_cast<double>(plan.steps[d].sources.size());
  }
  double terms = plan.record ? kOfLog : 0;
  for (const PlannedPartition& own : plan.partitions) {
    const auto labels = static_cast<double>(own.inverse_masses.size());
    terms += (own.guesses ? labels : 0) + (own.information ? labels * kOfLog : 0) +
             static_cast<double>(own.excesses.size()) * kOfTerm;
  }
  work.block += lanes * terms;
  work.all += prefixes * work.block;
  return work;
}

// A pass, with the outputs that may be the most likely.
struct Passed {
  PartialSums sums;
  LikelySums likely;
  bool left_any = false;
  double blocks = 0, steps = 0;
};

Passed pass_over(const SumPlan& plan, const VisitLimits& limits, double margin, Budget& budget) {
  // A unit of work is a prefix. Units do not depend on the number of threads, so results do not either.
  constexpr std::uint64_t kUnits = 64;
  std::size_t depth = 0;
  std::uint64_t count = 1;
  while (depth < plan.block && count < kUnits) count *= plan.steps[depth++].outputs;
  const std::size_t threads = wanted_threads(budget.limits());
  budget.require_memory(count * plan.sums * 3 * sizeof(double) +
                        threads * (plan.bytes + (limits.threshold > 0 ? plan.bytes_by_mass : 0)));
  std::vector<std::unique_ptr<SumVisitor>> visitors(threads);
  std::vector<SumVisitor::Found> found(count);
  by_threads(threads, count, budget, [&](std::uint64_t unit, std::size_t thread, Budget& own) {
    if (!visitors[thread]) visitors[thread] = std::make_unique<SumVisitor>(plan, limits, margin);
    std::vector<std::uint32_t> prefix(depth);
    for (std::size_t d = depth, rest = unit; d-- > 0; rest /= plan.steps[d].outputs) {
      prefix[d] = static_cast<std::uint32_t>(rest % plan.steps[d].outputs);
    }
    found[unit] = visitors[thread]->below(prefix, own);
  });
  Passed all{PartialSums(plan.sums), LikelySums(margin)};
  for (const SumVisitor::Found& unit : found) {
    all.likely.add(unit.likely);
    all.left_any = all.left_any || unit.left_any;
    all.blocks += static_cast<double>(unit.blocks);
    all.steps += unit.steps;
  }
  for (std::size_t step = 1; step < count; step *= 2) {
    for (std::size_t k = 0; k + step < count; k += 2 * step) found[k].sums.add(found[k + step].sums);
  }
  all.sums = std::move(found[0].sums);
  return all;
}

// Turns the sums of a pass into bounds, and keeps the closest bounds of all passes.
class SumBoundsFound {
 public:
  explicit SumBoundsFound(const SumPlan& plan) : plan_(plan) {}

  void take(const Passed& passed) {
    std::uint64_t cells = 0;
    if (passed.left_any) {  // the cells of a prefix are added up
      for (const SumDepth& depth : plan_.depths) cells = std::max<std::uint64_t>(cells, depth.cells);
    }
    const SumErrors errors(plan_.roundings + cells, plan_.additions + cells);
    const PartialSums& sums = passed.sums;
    const auto lower = [&](std::size_t s) { return sums.visited[s] + sums.lower[s]; };
    const auto upper = [&](std::size_t s) { return sums.visited[s] + sums.upper[s]; };
    OutputSums now;
    for (const PlannedPartition& own : plan_.partitions) {
      LabelSumBounds& bounds = now.labels.emplace_back();
      const bool one = own.inverse_masses.size() == 1;  // a single label: known, exactly
      if (own.guesses) bounds.guess = errors.guess(lower(own.guess_sum), upper(own.guess_sum));
      if (own.guesses && one) bounds.guess = {Number(1), Number(1)};
      if (own.information && !one) {
        bounds.information = errors.information(lower(own.information_sum), upper(own.information_sum));
      }
      for (std::size_t e = 0; e < own.excesses.size(); ++e) {
        bounds.excesses.push_back(errors.excess(lower(own.first_excess + e), upper(own.first_excess + e)));
      }
    }
    if (plan_.record) {
      now.record_guess = errors.guess(lower(plan_.guess_sum), upper(plan_.guess_sum));
      now.record_information =
          errors.record_information(lower(plan_.entropy_sum), upper(plan_.entropy_sum), plan_.conditional_entropy);
    }
    now.complete = !passed.left_any;
    if (any_) {
      narrow(now);
    } else {
      bounds_ = std::move(now);
    }
    any_ = true;
  }

  OutputSums result() && { return std::move(bounds_); }

 private:
  static void narrow(NumberBounds& bounds, const NumberBounds& other) {
    bounds.lower = std::max(bounds.lower, other.lower);
    bounds.upper = std::min(bounds.upper, other.upper);
  }
  void narrow(const OutputSums& other) {
    for (std::size_t k = 0; k < bounds_.labels.size(); ++k) {
      LabelSumBounds& own = bounds_.labels[k];
      narrow(own.guess, other.labels[k].guess);
      narrow(own.information, other.labels[k].information);
      for (std::size_t e = 0; e < own.excesses.size(); ++e) narrow(own.excesses[e], other.labels[k].excesses[e]);
    }
    narrow(bounds_.record_guess, other.record_guess);
    narrow(bounds_.record_information, other.record_information);
    bounds_.complete = bounds_.complete || other.complete;
  }

  const SumPlan& plan_;
  bool any_ = false;
  OutputSums bounds_;
};

// The output of a channel that these outputs of the plan's factors stand for: the first of the most likely ones.
std::vector<std::uint64_t> split_output(const SumPlan& plan, const LikelySum& likely, std::size_t factors) {
  std::vector<std::uint64_t> output(factors);
  for (std::size_t f = 0; f < plan.factors.size(); ++f) {
    std::size_t k = 0;
    for (const auto& [y, times] : plan.factors[f].outputs[likely.outputs[f]]) {
      for (std::uint64_t t = 0; t < times; ++t) output[plan.factors[f].factors[k++]] = y;
    }
  }
  return output;
}

// Decides exactly; empty if that takes long.
std::vector<std::uint64_t> most_likely(const Model& model, const SumPlan& plan, LikelySums found, Budget& budget) {
  constexpr std::uint64_t kMostEntries = 1 << 22;
  for (const SummedFactor& factor : plan.factors) {
    if (!factor.knows_likeliest) return {};
  }
  const std::size_t factors = model.channel->factors().size();
  std::vector<std::vector<std::uint64_t>> outputs;
  for (const LikelySum& likely : found.take()) outputs.push_back(split_output(plan, likely, factors));
  std::sort(outputs.begin(), outputs.end());
  if (outputs.size() <= 1) return outputs.empty() ? std::vector<std::uint64_t>() : outputs[0];
  if (plan.rows * outputs.size() * factors > kMostEntries) return {};
  std::size_t best = 0;
  Number most;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    std::vector<WeightedTerm> terms;
    model.prior->each_row(budget, [&](InputView row, const Number& weight) {
      terms.push_back({weight, model.channel->entry_at(model.domain, row, outputs[k])});
    });
    const Number probability = weighted_sum(terms);
    if (k > 0 && probability <= most) continue;
    most = probability;
    best = k;
  }
  return outputs[best];
}

}  // namespace

bool can_sum_outputs(const Model& model) { return model.prior.has_value() && !model.channel->factors().empty(); }

OutputSums sum_outputs(const Model& model, std::span<const LabelSums> labels, bool record, Budget& budget,
                       const SumEffort& effort) {
  constexpr double kFirstThreshold = 0x1p-6, kFiner = 8;
  const SumPlan plan = plan_of_sums(model, labels, record, budget);
  const SumWork work = work_of(plan);
  std::atomic<bool> late = false;
  VisitLimits limits;
  limits.late = &late;
  const std::chrono::duration<double> time(std::min(1e6, seconds_to_search(budget) / 2));
  limits.deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(time);
  const double margin = 0x1p-50 * static_cast<double>(plan.roundings + 2 * plan.factors.size() + 8);
  SumBoundsFound bounds(plan);
  if (work.all <= effort.all) {
    Passed passed = pass_over(plan, limits, margin, budget);
    bounds.take(passed);
    OutputSums sums = std::move(bounds).result();
    if (record) sums.likeliest = most_likely(model, plan, std::move(passed.likely), budget);
    return sums;
  }
  double done = 0;
  std::vector<std::uint64_t> likeliest;
  for (limits.threshold = kFirstThreshold; done * kFiner <= effort.by_mass && !late; limits.threshold /= kFiner) {
    Passed passed = pass_over(plan, limits, margin, budget);
    bounds.take(passed);
    if (record) likeliest = most_likely(model, plan, std::move(passed.likely), budget);
    done += passed.blocks * work.block + passed.steps + 0x1p16;
  }
  OutputSums sums = std::move(bounds).result();
  sums.likeliest = std::move(likeliest);
  return sums;
}

}  // namespace oddsbound::engine
