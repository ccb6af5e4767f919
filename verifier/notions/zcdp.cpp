#include "verifier/notions/zcdp.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <tuple>

#include "base/errors.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/pass.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/divergences.h"
#include "verifier/notions/listed_events.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kRhoField = "rho";
constexpr const char* kDeltaField = "delta";
constexpr const char* kNeverTight =
    "rho is enclosed between two numbers, and whether it equals the claimed value is not decided";

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
  /// Why bounds of some candidate stay apart; empty if they do not.
  virtual std::string reason() const { return ""; }
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
  /// candidates: at least one. A rho may be infinite if it is only bounded from below.
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
  std::string reason{};  // why bounds stay apart; empty if they do not
};

// delta-approximate zCDP. P' and Q' are any distributions with (1 - delta) P' <= P and (1 - delta) Q' <= Q: those of
// the output given events of probability 1 - delta, or more. The least divergences of all orders, in both directions,
// have
//
//   (1 - delta) P' = min(P, s Q) and (1 - delta) Q' = min(Q, t P), where s and t give both the mass 1 - delta.
//
// They cap the ratios P/Q at s and Q/P at t. The sum S = sum P'^a Q'^(1 - a) is jointly convex, and its derivatives are
// a r^(a - 1) by P'(y) and (1 - a) r^a by Q'(y), for r = P'/Q'. Where P' is below its bound, r is the largest one;
// where Q' is, r is the smallest one: the conditions of Karush, Kuhn and Tucker. s, t > 1 unless the total variation
// distance is at most delta; then P' = Q' is possible.
//
// No post-processing raises rho, since P' and Q' are processed too. So a pair whose hockey-stick divergences are
// dominated by those of another one is not needed. Where the sums of the losses of independent outputs are too many to
// list, those of some of the outputs give a lower bound, and rho of zCDP an upper one.
class ApproximateCandidates final : public Candidates {
 public:
  ApproximateCandidates(MeasuredModel& subject, const CoordinateGroups& groups, Number delta)
      : delta_(std::move(delta)), domain_(subject.domain()) {
    bool is_described = has_losses_by_parts(subject.channel()) && !groups.only && add_parts(subject, groups);
    if (is_described) {
      is_described = has_described_events(subject.channel());
    } else {
      pairs_.clear();
      infinite_.reset();
      add_rows(subject, groups);
    }
    if (infinite_ && !is_described) list_event(subject, infinite_from_, infinite_to_, std::nullopt, *infinite_);
  }

  std::size_t size() const override { return pairs_.size(); }
  RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const override {
    const Pair& pair = pairs_[k];
    if (pair.is_bounded) {
      RhoBounds bounds;
      if (!pair.masses.empty()) bounds = bounds_of_rho(pair.masses, goal, terms, budget);
      bounds.at_most = pair.above ? pair.above->bounds({{pair.outputs}}, goal, terms, budget).at_most
                                  : std::numeric_limits<double>::infinity();
      return bounds;
    }
    if (!pair.masses.empty()) return bounds_of_rho(pair.masses, goal, terms, budget);
    auto masses = capped(losses_of_rows(domain_.number(pair.from), domain_.number(pair.to))).first;
    return bounds_of_rho(masses, goal, terms, budget);
  }
  std::pair<InputRow, InputRow> neighbors(std::size_t k, double) const override {
    return {pairs_[k].from, pairs_[k].to};
  }
  std::optional<Witness> infinite() const override { return infinite_; }
  std::string reason() const override {
    return is_bounded_
               ? "the sums of the parts' losses are too many to list: rho is at most that of zcdp, and at least "
                 "that of some of the parts"
               : "";
  }

 private:
  struct Pair {
    InputRow from, to;
    std::vector<PairedMass> masses;  // of P' and Q'; empty: they are computed from the rows when they are needed
    // True for independent outputs whose losses are not listed. Then `masses` are those of some of them, or empty.
    bool is_bounded = false;
    std::shared_ptr<const IndependentPairs> above{};  // of all of them, for zCDP; null: rho is infinite
    IndependentOutputs outputs{};
  };
  static constexpr std::size_t kMostKept = std::size_t{1} << 20;  // masses of all pairs

  // The ratio at which the ratios of `atoms` have to be capped, so that their excess is delta. atoms: ratio and mass,
  // by decreasing ratio; without: the mass of an infinite ratio, at most delta.
  Number cap_of(const std::vector<LossDistribution::Atom>& atoms, const Number& without) const {
    if (atoms.empty() || without == delta_) return atoms.empty() ? Number(0) : atoms[0].ratio;
    Number p = without, q(0);
    for (std::size_t k = 0;; ++k) {
      p += atoms[k].mass;
      q += atoms[k].mass / atoms[k].ratio;
      Number cap = (p - delta_) / q;
      if (k + 1 == atoms.size() || cap >= atoms[k + 1].ratio) return cap;
    }
  }

  static std::vector<LossDistribution::Atom> reversed(const std::vector<LossDistribution::Atom>& atoms) {
    std::vector<LossDistribution::Atom> back;
    for (auto atom = atoms.rbegin(); atom != atoms.rend(); ++atom) {
      back.push_back({Number(1) / atom->ratio, atom->mass / atom->ratio});
    }
    return back;
  }

  // The mass under Q of the outputs that are impossible under P.
  static Number mass_of_q_only(const LossDistribution& losses) {
    Number rest(1);
    for (const LossDistribution::Atom& atom : losses.atoms()) rest -= atom.mass / atom.ratio;
    return rest;
  }

  // P' and Q', and the same pair in the other order. Requires finite divergences, and a total variation distance above
  // delta.
  std::pair<std::vector<PairedMass>, std::vector<PairedMass>> capped(const LossDistribution& losses) const {
    const Number s = cap_of(losses.atoms(), losses.infinite());
    const Number t = cap_of(reversed(losses.atoms()), mass_of_q_only(losses));
    const Number rest = Number(1) - delta_;
    std::pair<std::vector<PairedMass>, std::vector<PairedMass>> both;
    for (const LossDistribution::Atom& atom : losses.atoms()) {
      const Number q = atom.mass / atom.ratio;
      Number p_own = std::min(atom.mass, s * q) / rest, q_own = std::min(q, t * atom.mass) / rest;
      both.second.push_back({q_own, p_own, 1});
      both.first.push_back({std::move(p_own), std::move(q_own), 1});
    }
    return both;
  }

  void add(const InputRow& from, const InputRow& to, const LossDistribution& losses, bool of_rows = false) {
    const Number q_only = mass_of_q_only(losses);
    if (losses.infinite() > delta_) return set_infinite(from, to, losses.infinite());
    if (q_only > delta_) return set_infinite(to, from, q_only);
    if (infinite_ || losses.excess(Number(1)) <= delta_) return;
    Pair pair{from, to, {}}, back{to, from, {}};
    if (!of_rows || kept_ < kMostKept) {
      std::tie(pair.masses, back.masses) = capped(losses);
      kept_ += 2 * pair.masses.size();
    }
    pairs_.push_back(std::move(pair));
    pairs_.push_back(std::move(back));
  }

  // The losses of half of the outputs, or a quarter, and so on, until they can be listed. Those that differ most come
  // first. nullopt if not even one can be listed.
  static std::optional<LossDistribution> losses_of_some(const LossProduct& product, Budget& budget) {
    LossProduct sorted = product;
    const auto differ = [](const engine::IndependentLosses& one) { return one.losses->excess(Number(1)); };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return differ(a) > differ(b); });
    std::uint64_t count = 0;
    for (const auto& part : sorted) count += part.times;
    for (count /= 2; count > 0; count /= 2) {
      LossProduct some;
      std::uint64_t left = count;
      for (const auto& part : sorted) {
        const std::uint64_t times = std::min(left, part.times);
        if (times > 0) some.push_back({part.losses, times});
        left -= times;
      }
      if (auto losses = listed_losses(some, false, budget)) return losses;
    }
    return std::nullopt;
  }

  // Independent outputs whose losses are not listed.
  void add_bounded(const InputRow& from, const InputRow& to, const LossProduct& product, Budget& budget) {
    const std::optional<LossDistribution> some = losses_of_some(product, budget);
    if (some && some->infinite() > delta_) return set_infinite(from, to, some->infinite());
    if (some && mass_of_q_only(*some) > delta_) return set_infinite(to, from, mass_of_q_only(*some));
    if (infinite_) return;
    Pair pair{from, to, {}, true}, back{to, from, {}, true};
    if (some && some->excess(Number(1)) > delta_) std::tie(pair.masses, back.masses) = capped(*some);
    std::vector<std::vector<PairedMass>> forward, backward;
    bool is_finite = true;
    for (const auto& [losses, times] : product) {
      is_finite = is_finite && losses->infinite().is_zero() && mass_of_q_only(*losses).is_zero();
      auto& masses = forward.emplace_back();
      auto& swapped = backward.emplace_back();
      for (const LossDistribution::Atom& atom : losses->atoms()) {
        masses.push_back({atom.mass, atom.mass / atom.ratio, 1});
        swapped.push_back({atom.mass / atom.ratio, atom.mass, 1});
      }
      pair.outputs.emplace_back(pair.outputs.size(), times);
    }
    back.outputs = pair.outputs;
    if (is_finite) {
      pair.above = std::make_shared<const IndependentPairs>(forward, budget);
      back.above = std::make_shared<const IndependentPairs>(backward, budget);
    }
    is_bounded_ = true;
    pairs_.push_back(std::move(pair));
    pairs_.push_back(std::move(back));
  }

  // The event of the outputs that are impossible given `to`.
  void set_infinite(const InputRow& from, const InputRow& to, const Number& probability) {
    if (infinite_ && infinite_->p_from >= probability) return;
    Witness witness{{}, domain_.tuple(from), domain_.tuple(to), probability, Number(0), ""};
    witness.likelihood_event = true;
    infinite_ = std::move(witness);
    infinite_from_ = from;
    infinite_to_ = to;
  }

  // Returns false if the rows of inputs are to be compared.
  bool add_parts(MeasuredModel& subject, const CoordinateGroups& groups) {
    for (const auto& group : groups.groups) {
      const std::optional<ListedNeighbors>& found = losses_within(subject, group);
      if (!found && subject.can_enumerate()) return false;
      if (!found || found->above) refuse_kinds(subject);
      for (std::size_t k = 0; k < found->pairs.size(); ++k) {
        const engine::NeighborLosses& pair = found->pairs[k];
        auto losses = found->listed[k] ? found->listed[k] : listed_losses(pair.losses, true, subject.budget());
        if (!losses && subject.can_enumerate()) return false;
        if (losses) {
          add(pair.from, pair.to, *losses);
        } else {
          add_bounded(pair.from, pair.to, pair.losses, subject.budget());
        }
      }
    }
    return true;
  }

  const std::uint32_t* row(std::uint64_t x) const { return rows_.data() + x * columns_->outputs(); }

  LossDistribution losses_of_rows(std::uint64_t a, std::uint64_t b) const {
    std::vector<Number> p, q;
    for (std::uint64_t y = 0; y < columns_->outputs(); ++y) {
      p.push_back(columns_->pool().value(row(a)[y]));
      q.push_back(columns_->pool().value(row(b)[y]));
    }
    return LossDistribution::of(p, q);
  }

  void add_rows(MeasuredModel& subject, const CoordinateGroups& groups) {
    columns_ = &subject.columns();
    rows_ = rank_rows(*columns_, subject.budget());
    const std::uint64_t outputs = columns_->outputs();
    constexpr std::size_t kMostKeys = 4096;
    std::set<std::vector<std::uint64_t>> seen;
    for_all_neighbors(domain_, groups, [&](std::uint64_t a, std::uint64_t b) {
      if (a > b) return;  // both directions are added together
      subject.budget().check();
      std::vector<std::uint64_t> key;
      for (std::uint64_t y = 0; y < outputs; ++y) key.push_back(std::uint64_t{row(a)[y]} << 32 | row(b)[y]);
      std::sort(key.begin(), key.end());
      if (seen.contains(key)) return;
      if (seen.size() < kMostKeys) seen.insert(std::move(key));
      add(domain_.row(a), domain_.row(b), losses_of_rows(a, b), true);
    });
  }

  Number delta_;
  const Domain& domain_;
  const Columns* columns_ = nullptr;  // null: pairs are those of parts
  std::vector<std::uint32_t> rows_;
  std::vector<Pair> pairs_;
  std::size_t kept_ = 0;
  bool is_bounded_ = false;
  std::optional<Witness> infinite_;
  InputRow infinite_from_, infinite_to_;
};

std::shared_ptr<const Candidates> candidates_of(MeasuredModel& subject, const CoordinateGroups& groups) {
  if (auto parts = part_pairs(subject, groups)) {
    return std::make_shared<PartCandidates>(std::move(parts), subject.budget());
  }
  return std::make_shared<RowCandidates>(subject, groups);
}

// delta: of delta-approximate zCDP; null: of zCDP. With delta = 0 both are the same, and zCDP needs no list of losses.
const FoundRho& found_rho(MeasuredModel& subject, const CoordinateGroups& groups, const Number* delta) {
  if (delta != nullptr && delta->is_zero()) delta = nullptr;
  const std::string key = delta == nullptr ? "rho of" : "rho at delta " + delta->to_string() + " of";
  return subject.remember(key + key_of_groups(groups), [&] {
    const std::shared_ptr<const Candidates> compared =
        delta == nullptr ? candidates_of(subject, groups)
                         : std::make_shared<const ApproximateCandidates>(subject, groups, *delta);
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
