#include "verifier/notions/kl.h"

#include <algorithm>
#include <deque>
#include <numeric>
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

// The largest of some sums. If others are too near to be compared with it, at_most bounds them too.
struct Largest {
  std::size_t index = 0;
  Number at_most{};
  bool is_certain = false;
};

Largest largest_of(const std::vector<LogSum>& sums, Budget& budget) {
  constexpr slong kFewestBits = 128, kMostBits = 4096;
  std::vector<std::size_t> left(sums.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  Number at_most;
  slong bits = kFewestBits;
  do {
    std::deque<Ball> balls;  // of those that are left
    const Ball* best = nullptr;
    for (const std::size_t k : left) {
      budget.check();
      Ball& own = balls.emplace_back();
      enclose(own, sums[k], bits, budget);
      if (best == nullptr || arb_gt(own.get(), best->get()) != 0) best = &own;
    }
    // A sum that is left out is certainly below the best one, or equal to one that is kept.
    std::vector<std::size_t> kept;
    auto own = balls.begin();
    for (const std::size_t k : left) {
      const Ball& ball = *own++;
      if (arb_lt(ball.get(), best->get()) != 0) continue;
      if (!kept.empty() && are_equal(sums[k], sums[kept.front()])) continue;
      const Number end = end_of(ball, true);
      at_most = kept.empty() ? end : std::max(at_most, end);
      kept.push_back(k);
    }
    left = std::move(kept);
    bits *= 4;
  } while (left.size() > 1 && bits <= kMostBits);
  return {left.front(), std::move(at_most), left.size() == 1};
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
  if (!largest.is_certain) found.at_most = largest.at_most;
}

void mean_of_parts(const PartPairs& pairs, Budget& budget, LargestMean& found) {
  std::vector<LogSum> of_losses;
  for (const auto& masses : pairs.masses()) of_losses.push_back(mean_loss(masses));
  std::vector<LogSum> totals;
  std::vector<std::vector<std::size_t>> chosen;
  Number at_most;
  bool is_certain = true;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    LogSum total;
    Number above;
    chosen.emplace_back();
    for (const auto& kinds : pairs.choices(k)) {
      std::vector<LogSum> sums(1);  // equal values
      for (const auto& kind : kinds) {
        LogSum own;
        for (const auto& [index, times] : kind) {
          const Number often(static_cast<std::int64_t>(times));
          for (const auto& [weight, argument] : of_losses[index]) own.push_back({often * weight, argument});
        }
        sums.push_back(collected(std::move(own)));
      }
      const Largest largest = largest_of(sums, budget);
      chosen.back().push_back(largest.index == 0 ? PartPairs::kEqual : largest.index - 1);
      const LogSum& best = sums[largest.index];
      total.insert(total.end(), best.begin(), best.end());
      above += largest.at_most;
      is_certain = is_certain && largest.is_certain;
    }
    totals.push_back(collected(std::move(total)));
    at_most = std::max(at_most, above);
  }
  const Largest largest = largest_of(totals, budget);
  found.sum = std::move(totals[largest.index]);
  found.neighbors = pairs.neighbors(largest.index, chosen[largest.index]);
  if (!is_certain || !largest.is_certain) found.at_most = std::move(at_most);
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
