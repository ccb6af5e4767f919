#include "verifier/notions/zcdp.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "verifier/engine/measured_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/divergences.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kRhoField = "rho";

// The candidates for the largest rho: pairs of inputs, or sets of pairs that are searched together.
class Candidates {
 public:
  virtual ~Candidates() = default;
  virtual std::size_t size() const = 0;
  /// Bounds of the largest rho of the candidate's pairs.
  virtual RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const = 0;
  /// The pair whose rho is at least RhoBounds::at_least at the order 1 + beyond.
  virtual std::pair<InputRow, InputRow> neighbors(std::size_t k, double beyond) const = 0;
  /// An output that is possible given one input and impossible given its neighbor.
  virtual std::optional<Witness> infinite() const = 0;
};

class RowCandidates final : public Candidates {
 public:
  RowCandidates(MeasuredModel& subject, const CoordinateGroups& groups) : pairs_(subject, groups) {}

  std::size_t size() const override { return pairs_.size(); }
  RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const override {
    return bounds_of_rho(pairs_.masses(k), goal, terms, budget);
  }
  std::pair<InputRow, InputRow> neighbors(std::size_t k, double) const override { return pairs_.neighbors(k); }
  std::optional<Witness> infinite() const override { return pairs_.infinite(); }

 private:
  RowPairs pairs_;
};

// Divergences of independent parts add.
class PartCandidates final : public Candidates {
 public:
  PartCandidates(std::unique_ptr<const PartPairs> pairs, Budget& budget)
      : pairs_(std::move(pairs)), losses_(pairs_->masses(), budget) {}

  std::size_t size() const override { return pairs_->size(); }
  RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const override {
    return losses_.bounds(pairs_->choices(k), goal, terms, budget);
  }
  std::pair<InputRow, InputRow> neighbors(std::size_t k, double beyond) const override {
    return pairs_->neighbors(k, losses_.worst_choices(pairs_->choices(k), beyond));
  }
  std::optional<Witness> infinite() const override { return pairs_->infinite(); }

 private:
  std::unique_ptr<const PartPairs> pairs_;
  IndependentPairs losses_;
};

// Encloses the largest rho over candidates, ever more tightly. They are ordered by descending lower bound, so that a
// later one mostly needs just an upper bound below the best.
class LargestRho {
 public:
  /// candidates: at least one, without infinite losses.
  LargestRho(std::shared_ptr<const Candidates> candidates, Budget& budget)
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

  std::shared_ptr<const Candidates> candidates_;
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
};

std::shared_ptr<const Candidates> candidates_of(MeasuredModel& subject, const CoordinateGroups& groups) {
  if (auto parts = part_pairs(subject, groups)) {
    return std::make_shared<PartCandidates>(std::move(parts), subject.budget());
  }
  return std::make_shared<RowCandidates>(subject, groups);
}

const FoundRho& found_rho(MeasuredModel& subject, const CoordinateGroups& groups) {
  return subject.remember("rho of" + key_of_groups(groups), [&] {
    const std::shared_ptr<const Candidates> compared = candidates_of(subject, groups);
    FoundRho found{compared->infinite(), nullptr};
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
  const DecimalBounds most = decimal_bounds(number_of(search.at_most()));
  MeasuredLevel level{rounded_level(least.lower), {}};
  level.witness = between_inputs(domain, search.neighbors(), Number(1) + number_of(best.beyond));
  const Level above = rounded_level(most.upper);
  if (above != level.at_least) level.unfinished = Unfinished{above, reason};
  return level;
}

MeasuredLevel level_of_rho(MeasuredModel& subject, const CoordinateGroups& groups, const Level& claimed) {
  const Domain& domain = subject.domain();
  const FoundRho& found = found_rho(subject, groups);
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
  level = enclosed_level(domain, *found.search,
                         found.stopped ? stopped : "it is the largest of infinitely many orders, and is enclosed");
  if (standing_of(level, claimed).holds != Answer::kOpen) return level;
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
      .never_tight = "rho is enclosed between two numbers, and whether it equals the claimed value is not decided",
      .decide = decide_zcdp,
      .complaint = complaint_about_neighbors(kRhoField),
      .large_proofs = {.by_losses = true, .by_classes = true},
      .bounds_odds = false,
      .unbounded = true,
      .locking = {.bounds = {kRhoField}}};
}

}  // namespace oddsbound::notions
