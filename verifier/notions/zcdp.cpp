#include "verifier/notions/zcdp.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/rho_candidates.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kRhoField = "rho";
constexpr const char* kDeltaField = "delta";
constexpr const char* kNeverTight =
    "rho is enclosed between two numbers, and whether it equals the claimed value is not decided";

// Encloses the largest rho over candidates, ever more tightly. They are ordered by descending lower bound, so that a
// later one mostly needs just an upper bound below the best.
class LargestRho {
 public:
  /// candidates: at least one. A rho may be infinite if it is only bounded from below.
  LargestRho(std::shared_ptr<const RhoCandidates> candidates, Budget& budget)
      : candidates_(std::move(candidates)), budget_(&budget) {
    for (std::size_t k = 0; k < candidates_->size(); ++k) {
      found_.push_back({k});
      enclose(found_.back(), {.enough = 0, .tolerance = 1, .most_terms = 0});
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Found& a, const Found& b) { return a.rho.at_least > b.rho.at_least; });
  }

  /// Refines until the bounds differ by at most `tolerance` times the lower one, or `most_terms` terms are spent.
  /// Returns whether the tolerance was reached.
  bool refine(double tolerance, std::uint64_t most_terms) {
    std::uint64_t terms = 0;
    for (std::size_t k = 0; k < found_.size(); ++k) {
      const double enough = best().at_least;
      if (found_[k].rho.at_most <= enough * (1 + tolerance)) continue;
      if (terms >= most_terms) return false;
      terms += enclose(found_[k], {enough, tolerance, most_terms - terms});
      if (found_[k].rho.at_least > enough) best_ = k;
    }
    return terms < most_terms;
  }

  /// The largest lower bound, and the pair that has it.
  const RhoBounds& best() const { return found_[best_].rho; }
  std::pair<InputRow, InputRow> neighbors() const {
    return candidates_->neighbors(found_[best_].candidate, best().beyond);
  }
  double at_most() const {
    double most = 0;
    for (const Found& one : found_) most = std::max(most, one.rho.at_most);
    return most;
  }

 private:
  struct Found {
    std::size_t candidate;
    RhoBounds rho{0, std::numeric_limits<double>::infinity(), 0};
  };

  std::uint64_t enclose(Found& one, const RhoGoal& goal) {
    std::uint64_t terms = 0;
    const RhoBounds found = candidates_->bounds(one.candidate, goal, terms, *budget_);
    one.rho.at_most = std::min(one.rho.at_most, found.at_most);
    if (found.at_least > one.rho.at_least) {
      one.rho.at_least = found.at_least;
      one.rho.beyond = found.beyond;
    }
    return terms;
  }

  std::shared_ptr<const RhoCandidates> candidates_;
  std::vector<Found> found_;
  Budget* budget_;
  std::size_t best_ = 0;
};

// Tolerances of the bounds, in steps: each takes thirty times as long as the one before if many orders have nearly
// the same value, as with Gaussian noise.
constexpr double kFirstNearness = 0x1p-10;
constexpr double kShownNearness[] = {0x1p-20, 0x1p-30};
constexpr double kFinestNearness[] = {0x1p-38, 0x1p-46};  // for a claim that lies between the bounds
constexpr std::uint64_t kMostTermsOfOrders = std::uint64_t{1} << 21;

// The enclosure of the largest rho over all pairs of neighbors.
struct FoundRho {
  std::optional<Witness> infinite;
  std::shared_ptr<LargestRho> search;  // null: all rows are equal
  bool stopped = false;
  std::string reason{};  // why bounds stay apart; empty if they do not
};

// delta: of delta-approximate zCDP; null: of zCDP. With delta = 0 both are the same, and zCDP needs no list of losses.
const FoundRho& found_rho(MeasuredModel& subject, const CoordinateGroups& groups, const Number* delta) {
  if (delta != nullptr && delta->is_zero()) delta = nullptr;
  const std::string key = delta == nullptr ? "rho of" : "rho at delta " + delta->to_string() + " of";
  return subject.remember(key + key_of_groups(groups), [&] {
    const std::shared_ptr<const RhoCandidates> compared =
        delta == nullptr ? rho_candidates(subject, groups) : approximate_rho_candidates(subject, groups, *delta);
    FoundRho found{compared->infinite(), nullptr, false, compared->reason()};
    if (found.infinite || compared->size() == 0) return found;
    found.search = std::make_shared<LargestRho>(compared, subject.budget());
    found.search->refine(kFirstNearness, ~std::uint64_t{0});
    for (const double tolerance : kShownNearness) found.stopped |= !found.search->refine(tolerance, kMostTermsOfOrders);
    return found;
  });
}

MeasuredLevel enclosed_level(const Domain& domain, const LargestRho& search, const std::string& reason) {
  const RhoBounds& best = search.best();
  const DecimalBounds least = decimal_bounds(number_of(best.at_least));
  const bool is_finite = search.at_most() < std::numeric_limits<double>::infinity();
  MeasuredLevel level{rounded_level(least.lower), {}};
  level.witness = between_inputs(domain, search.neighbors(), Number(1) + number_of(best.beyond));
  const Level above = is_finite ? rounded_level(decimal_bounds(number_of(search.at_most())).upper) : Level::infinite();
  if (above != level.at_least) level.unfinished = Unfinished{above, reason};
  return level;
}

MeasuredLevel level_of_rho(MeasuredModel& subject, const CoordinateGroups& groups, const Level& claimed,
                           const Number* delta = nullptr) {
  const Domain& domain = subject.domain();
  const FoundRho& found = found_rho(subject, groups, delta);
  MeasuredLevel level;
  if (found.infinite) {
    level.at_least = Level::infinite();
    level.witness = *found.infinite;
    return level;
  }
  if (!found.search) {
    level.witness = between_inputs(domain, any_neighbors(domain, groups), Number(1));
    return level;
  }
  const std::string stopped =
      "the search over orders was stopped after " + std::to_string(kMostTermsOfOrders) + " terms";
  const std::string enclosed =
      found.reason.empty() ? "it is the largest of infinitely many orders, and is enclosed" : found.reason;
  level = enclosed_level(domain, *found.search, found.stopped ? stopped : enclosed);
  if (!found.reason.empty() || standing_of(level, claimed).holds != Answer::kOpen) return level;
  LargestRho finer = *found.search;
  for (const double tolerance : kFinestNearness) {
    const bool reached = finer.refine(tolerance, kMostTermsOfOrders);
    level = enclosed_level(domain, finer, reached ? "nearer bounds do not tell it from what is claimed" : stopped);
    if (!reached || standing_of(level, claimed).holds != Answer::kOpen) break;
  }
  return level;
}

Decision decide_zcdp(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateGroups compared = neighborhoods(subject.domain(), arguments);
  return decide_divergence(
      subject.domain(), arguments, kRhoField, compared,
      [&](const CoordinateGroups& groups, const Level& claimed) { return level_of_rho(subject, groups, claimed); });
}

Decision decide_approximate_zcdp(MeasuredModel& subject, const Arguments& arguments) {
  const CoordinateGroups compared = neighborhoods(subject.domain(), arguments);
  const auto& delta = arguments.get<Number>(kDeltaField);
  return decide_divergence(subject.domain(), arguments, kRhoField, compared,
                           [&](const CoordinateGroups& groups, const Level& claimed) {
                             return level_of_rho(subject, groups, claimed, &delta);
                           });
}

Definition imply_zcdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  return imply_neighbors(model, arguments, inputs, kRhoField,
                         [](const Level& rho) { return deltas_of_divergence(rho, 0); });
}

// P = (1 - delta) P' + delta P'' and the same for Q: with P'(R) <= e^epsilon Q'(R) + d for an event R,
// P(R) <= e^epsilon Q(R) + (1 - delta) d + delta.
Definition imply_approximate_zcdp(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  const auto& delta = arguments.get<Number>(kDeltaField);
  return imply_neighbors(model, arguments, inputs, kRhoField, [&](const Level& rho) {
    std::vector<ImpliedDelta> implied = deltas_of_divergence(rho, 0);
    for (ImpliedDelta& one : implied) one.delta = (Number(1) - delta) * one.delta + delta;
    return implied;
  });
}

}  // namespace

MeasuredLevel measured_rho(MeasuredModel& subject, const CoordinateGroups& groups) {
  return level_of_rho(subject, groups, Level::infinite());
}

Notion zcdp_notion() {
  return {
      .name = "zcdp",
      .summary =
          "zero-concentrated differential privacy: between neighbors, the Renyi divergence of every order a > 1 is at "
          "most rho a",
      .source = "Bun and Steinke (2016), Definition 1.1; partial-DP paper, Section 2",
      .fields = with_neighbors({compared({kRhoField, FieldKind::kLevelOrByCoordinate})}),
      .never_tight = kNeverTight,
      .decide = decide_zcdp,
      .imply = imply_zcdp,
      .complaint = complaint_about_neighbors(kRhoField),
      .large_proofs = {.by_losses = true, .by_classes = true},
      .bounds_odds = false,
      .unbounded = true,
      .locking = {.bounds = {kRhoField}}};
}

Notion approximate_zcdp_notion() {
  return {.name = "approximate_zcdp",
          .summary =
              "approximate zero-concentrated differential privacy: zcdp between the outputs given events of "
              "probability at least 1 - delta",
          .source = "Bun and Steinke (2016), Definition 8.1",
          .fields = with_neighbors(
              {compared({kRhoField, FieldKind::kLevelOrByCoordinate}), {kDeltaField, FieldKind::kProbability}}),
          .never_tight = kNeverTight,
          .decide = decide_approximate_zcdp,
          .imply = imply_approximate_zcdp,
          .complaint = complaint_about_neighbors(kRhoField),
          .bounds_odds = false,
          .unbounded = true,
          .locking = {.bounds = {kRhoField}}};
}

}  // namespace oddsbound::notions
