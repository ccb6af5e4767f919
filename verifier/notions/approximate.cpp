// Every pair is measured in doubles first: a term max(0, a - c b) is off by at most 2^-47 a, and the a sum to 1, so a
// delta is off by at most 2^-47 + outputs * 2^-53. Pairs that may be the largest are summed exactly, equal pairs of
// rows once.
#include "verifier/notions/approximate.h"

#include <algorithm>
#include <map>

#include "verifier/exact/decimal.h"
#include "verifier/notions/neighbors.h"
#include "verifier/ratios/rows.h"

namespace oddsbound::notions {

namespace {

class PairDeltas {
 public:
  PairDeltas(MeasuredModel& subject, const Number& factor)
      : subject_(subject), columns_(subject.columns()), factor_(factor), factor_approx_(factor.approx()) {
    filter_ = columns_.pool().approximations_usable() && factor_approx_ < 0x1p400;
    slack_ = 2 * (0x1p-46 + static_cast<double>(columns_.outputs()) * 0x1p-52);
    rows_ = rank_rows(columns_, subject.budget());
  }

  void offer(std::uint64_t from, std::uint64_t to) {
    subject_.budget().look();
    if (filter_) {
      const double approx = approximate(from, to);
      if (approx < best_approx_ - slack_) return;
      best_approx_ = std::max(best_approx_, approx);
    }
    const std::vector<std::uint64_t> event = event_of(from, to);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> key;
    for (const std::uint64_t y : event) key.emplace_back(row(from)[y], row(to)[y]);
    std::sort(key.begin(), key.end());
    const auto [place, added] = seen_.try_emplace(std::move(key));
    if (!added) return;
    HockeyStick candidate{Number(0), from, to, event, sum(from, event), sum(to, event)};
    candidate.delta = candidate.p_from - factor_ * candidate.p_to;
    if (candidate.delta > best_.delta) best_ = std::move(candidate);
  }

  const HockeyStick& best() const { return best_; }

 private:
  const std::uint32_t* row(std::uint64_t x) const { return rows_.data() + x * columns_.outputs(); }

  double approximate(std::uint64_t from, std::uint64_t to) const {
    double delta = 0;
    for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
      const double term = columns_.pool().approx(row(from)[y]) - factor_approx_ * columns_.pool().approx(row(to)[y]);
      delta += term > 0 ? term : 0;
    }
    return delta;
  }

  bool exceeds(std::uint32_t from, std::uint32_t to) const {
    const double left = columns_.pool().approx(from);
    const double right = factor_approx_ * columns_.pool().approx(to);
    if (filter_ && left > right * (1 + 0x1p-46)) return true;
    if (filter_ && left < right * (1 - 0x1p-46)) return false;
    return columns_.pool().value(from) > factor_ * columns_.pool().value(to);
  }

  std::vector<std::uint64_t> event_of(std::uint64_t from, std::uint64_t to) const {
    std::vector<std::uint64_t> event;
    for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
      if (exceeds(row(from)[y], row(to)[y])) event.push_back(y);
    }
    return event;
  }

  Number sum(std::uint64_t x, const std::vector<std::uint64_t>& event) const {
    std::map<std::uint32_t, std::int64_t> counts;
    for (const std::uint64_t y : event) ++counts[row(x)[y]];
    std::vector<WeightedTerm> terms;
    for (const auto& [rank, count] : counts) terms.push_back({Number(count), columns_.pool().value(rank)});
    return weighted_sum(terms);
  }

  MeasuredModel& subject_;
  const Columns& columns_;
  Number factor_;
  double factor_approx_;
  bool filter_;
  double slack_;
  std::vector<std::uint32_t> rows_;
  double best_approx_ = 0;
  HockeyStick best_;
  std::map<std::vector<std::pair<std::uint32_t, std::uint32_t>>, bool> seen_;
};

Definition define_approximate(const Model& model, const Arguments& arguments, const LookedAt& inputs) {
  const CoordinateGroups groups = neighborhoods(model.domain, arguments);
  Comparison comparison;
  comparison.level = arguments.get<Level>("epsilon");
  comparison.delta = arguments.get<Number>("delta");
  comparison.tight = Comparison::Tight::kDelta;
  for (const auto& [from, to] : pairs_among(inputs.places())) {
    for (const auto& group : groups.groups) {
      if (!differ_within(model.domain, inputs, from, to, group)) continue;
      comparison.pairs.emplace_back(from, to);
      break;
    }
  }
  return {comparison};
}

Decision decide_approximate(MeasuredModel& subject, const Arguments& arguments) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  const Number& delta = arguments.get<Number>("delta");
  const HockeyStick worst = hockey_stick(subject, epsilon, neighborhoods(subject.domain(), arguments));
  Witness witness;
  for (const std::uint64_t y : worst.event) witness.outputs.push_back(subject.channel().output_label(y));
  witness.from = subject.domain().tuple(worst.from);
  witness.to = subject.domain().tuple(worst.to);
  witness.p_from = worst.p_from;
  witness.p_to = worst.p_to;
  Decision decision;
  decision.holds = answer_of(worst.delta <= delta);
  decision.tight = answer_of(worst.delta == delta);
  if (decision.holds == Answer::kNo) decision.witness = witness;
  decision.actual = Delta{worst.delta, std::move(witness)};
  return decision;
}

}  // namespace

HockeyStick hockey_stick(MeasuredModel& subject, const Level& epsilon, const CoordinateGroups& groups) {
  if (epsilon.is_infinite()) return {};
  PairDeltas deltas(subject, epsilon.exponential());
  for_all_neighbors(subject.domain(), groups, [&](std::uint64_t from, std::uint64_t to) { deltas.offer(from, to); });
  return deltas.best();
}

Notion approximate_dp_notion() {
  return {.name = "approximate_dp",
          .summary = "approximate differential privacy: P(R given x) <= e^eps P(R given x') + delta for all events R",
          .source = "the hockey-stick divergence; partial-DP paper, Definition 1, for one record",
          .fields = with_neighbors({{"epsilon", FieldKind::kLevel}, {"delta", FieldKind::kProbability}}),
          .form = ClaimForm::kLevelAndDelta,
          .decide = decide_approximate,
          .define = define_approximate,
          .complaint = complaint_about_records,
          .locking = {.bounds = {"delta"}}};
}

}  // namespace oddsbound::notions
