#include "verifier/notions/rho_candidates.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "base/errors.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/engine/pass.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/listed_events.h"

namespace oddsbound::notions {

namespace {

class RowCandidates final : public RhoCandidates {
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
class PartCandidates final : public RhoCandidates {
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
class ApproximateCandidates final : public RhoCandidates {
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

}  // namespace

std::shared_ptr<const RhoCandidates> rho_candidates(MeasuredModel& subject, const CoordinateGroups& groups) {
  if (auto parts = part_pairs(subject, groups)) {
    return std::make_shared<PartCandidates>(std::move(parts), subject.budget());
  }
  return std::make_shared<RowCandidates>(subject, groups);
}

std::shared_ptr<const RhoCandidates> approximate_rho_candidates(MeasuredModel& subject, const CoordinateGroups& groups,
                                                                const Number& delta) {
  return std::make_shared<ApproximateCandidates>(subject, groups, delta);
}

}  // namespace oddsbound::notions
