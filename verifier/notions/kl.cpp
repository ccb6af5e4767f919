#include "verifier/notions/kl.h"

#include <optional>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/interval.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

using LogSum = std::vector<WeightedLog>;

// The largest divergence between neighbors.
struct LargestMean {
  std::optional<Witness> infinite;
  std::pair<InputRow, InputRow> neighbors;
  LogSum sum;                       // of these neighbors
  std::optional<Number> at_most{};  // in nats, if another divergence may be larger than the sum
};

LogSum mean_loss(std::span<const PairedMass> masses) {
  LogSum sum;
  for (const auto& [p, q, count] : masses) {
    if (!p.is_zero()) sum.push_back({Number(count) * p, p / q});
  }
  return collected(std::move(sum));
}

void enclose(Ball& result, const LogSum& sum, slong bits, Budget& budget) {
  arb_zero(result.get());
  for (const auto& [weight, argument] : sum) {
    budget.check_every();
    Ball logarithm(argument, bits);
    const Ball factor(weight, bits);
    arb_log(logarithm.get(), logarithm.get(), bits);
    arb_addmul(result.get(), factor.get(), logarithm.get(), bits);
  }
}

LogSum difference(LogSum sum, const LogSum& other) {
  for (const auto& [weight, argument] : other) sum.push_back({-weight, argument});
  return collected(std::move(sum));
}

// Exact for rational sums. Other sums, and those that are too long, count as equal only if they are written alike.
bool are_equal(const LogSum& a, const LogSum& b) {
  const LogSum rest = difference(a, b);
  if (rest.empty()) return true;
  if (!is_rational(rest)) return false;
  try {
    const auto level = level_of_sum(rest);
    return level && level->is_zero();
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError&) {
    return false;
  }
}

// The largest of some sums, and an upper bound of all if others are too near to be compared with it.
struct Largest {
  std::size_t index = 0;
  std::optional<Number> at_most{};
};

Largest largest_of(const std::vector<LogSum>& sums, Budget& budget) {
  constexpr slong kFewestBits = 128, kMostBits = 4096;
  std::vector<std::size_t> left(sums.size());
  for (std::size_t k = 0; k < left.size(); ++k) left[k] = k;
  Largest found;
  for (slong bits = kFewestBits; left.size() > 1 && bits <= kMostBits; bits *= 4) {
    Ball best, own;
    std::vector<std::size_t> kept;
    for (const std::size_t k : left) {
      budget.check();
      enclose(own, sums[k], bits, budget);
      if (!kept.empty() && arb_lt(own.get(), best.get()) != 0) continue;
      if (!kept.empty() && arb_gt(own.get(), best.get()) != 0) kept.clear();
      if (!kept.empty() && are_equal(sums[k], sums[kept.front()])) continue;
      // Those that are kept overlap the first of them, not always one another.
      if (kept.empty()) arb_set(best.get(), own.get());
      kept.push_back(k);
      const Number end = end_of(own, true);
      if (kept.size() == 1 || end > *found.at_most) found.at_most = end;
    }
    left = std::move(kept);
  }
  found.index = left.front();
  if (left.size() == 1) found.at_most.reset();
  return found;
}

void mean_of_rows(const RowPairs& pairs, Budget& budget, LargestMean& found) {
  std::vector<LogSum> sums;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    budget.check();
    sums.push_back(mean_loss(pairs.masses(k)));
  }
  const Largest largest = largest_of(sums, budget);
  found.sum = std::move(sums[largest.index]);
  found.neighbors = pairs.neighbors(largest.index);
  found.at_most = largest.at_most;
}

void mean_of_parts(const PartPairs& pairs, Budget& budget, LargestMean& found) {
  std::vector<LogSum> of_losses;
  for (const auto& masses : pairs.masses()) of_losses.push_back(mean_loss(masses));
  std::vector<LogSum> totals;
  std::vector<std::vector<std::size_t>> chosen;
  Number above(0);
  bool is_exact = true;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    LogSum total;
    Number total_above(0);
    bool is_total_exact = true;
    chosen.emplace_back();
    for (const auto& kinds : pairs.choices(k)) {
      std::vector<LogSum> sums(1);  // equal values
      for (const auto& kind : kinds) {
        LogSum& own = sums.emplace_back();
        for (const auto& [index, times] : kind) {
          for (const auto& [weight, argument] : of_losses[index]) own.push_back({Number(times) * weight, argument});
        }
        own = collected(std::move(own));
      }
      const Largest largest = largest_of(sums, budget);
      chosen.back().push_back(largest.index == 0 ? PartPairs::kEqual : largest.index - 1);
      const LogSum& best = sums[largest.index];
      total.insert(total.end(), best.begin(), best.end());
      if (largest.at_most) {
        is_total_exact = false;
        total_above += *largest.at_most;
      } else {
        Ball own;
        enclose(own, best, Ball::kBits, budget);
        total_above += end_of(own, true);
      }
    }
    totals.push_back(collected(std::move(total)));
    is_exact = is_exact && is_total_exact;
    above = std::max(above, total_above);
  }
  const Largest largest = largest_of(totals, budget);
  found.sum = std::move(totals[largest.index]);
  found.neighbors = pairs.neighbors(largest.index, chosen[largest.index]);
  if (largest.at_most || !is_exact) found.at_most = largest.at_most ? std::max(above, *largest.at_most) : above;
}

const LargestMean& largest_mean(MeasuredModel& subject, const CoordinateGroups& groups) {
  return subject.remember("mean loss in" + key_of_groups(groups), [&] {
    LargestMean found;
    found.neighbors = any_neighbors(subject.domain(), groups);
    const auto measure = [&](const auto& pairs, const auto& of_pairs) {
      found.infinite = pairs.infinite();
      if (!found.infinite && pairs.size() > 0) of_pairs(pairs, subject.budget(), found);
    };
    if (const auto parts = part_pairs(subject, groups)) {
      measure(*parts, mean_of_parts);
    } else {
      measure(RowPairs(subject, groups), mean_of_rows);
    }
    return found;
  });
}

// Readers of results compute with exact levels, so one that is too long to be written is rounded.
MeasuredLevel level_of_mean(const LogSum& sum, const Level& claimed) {
  try {
    return level_of_logs(sum, claimed);
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError&) {
    return refined_outward(sum, claimed, false);
  }
}

MeasuredLevel level_of_neighbors(MeasuredModel& subject, const CoordinateGroups& groups, const Level& claimed) {
  const LargestMean& found = largest_mean(subject, groups);
  if (found.infinite) return {Level::infinite(), *found.infinite};
  MeasuredLevel level = level_of_mean(found.sum, claimed);
  if (found.at_most) {
    const Level above = Level::of_exponential(Number::exp_of(*found.at_most));
    level.unfinished = Unfinished{std::max(level.at_most(), above), "two divergences are too near to be compared"};
  }
  level.witness = between_inputs(subject.domain(), found.neighbors, Number(1));
  return level;
}

Decision decide_kl(MeasuredModel& subject, const Arguments& arguments) {
  return decide_divergence(subject.domain(), arguments, "epsilon", neighborhoods(subject.domain(), arguments),
                           [&](const CoordinateGroups& groups, const Level& claimed) {
                             return level_of_neighbors(subject, groups, claimed);
                           });
}

Definition imply_kl(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  return imply_neighbors(model, arguments, inputs, "epsilon",
                         [](const Level& divergence) { return std::vector{distance_of_mean_loss(divergence)}; });
}

}  // namespace

Notion kl_dp_notion() {
  return {.name = "kl_dp",
          .summary =
              "KL differential privacy: between neighbors, the mean loss (the Kullback-Leibler divergence) is at most "
              "eps",
          .source = "Cuff and Yu, Differential Privacy as a Mutual Information Constraint (2016)",
          .fields = with_neighbors({{"epsilon", FieldKind::kLevelOrByCoordinate}}),
          .decide = decide_kl,
          .imply = imply_kl,
          .complaint = complaint_about_neighbors("epsilon"),
          .bounds_odds = false,
          .unbounded = true};
}

}  // namespace oddsbound::notions
