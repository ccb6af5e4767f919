#include "verifier/notions/zcdp.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/pair_classes.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"

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

struct RowPair {
  std::uint64_t from = 0, to = 0;
};

// The compared pairs, without pairs of equal rows. Pairs with the same multiset of (p, q) over the outputs are
// kept once, as far as 4096 remembered keys allow.
class RowPairs final : public Candidates {
 public:
  RowPairs(MeasuredModel& subject, const CoordinateGroups& groups)
      : columns_(subject.columns()), model_(subject.model()) {
    rows_ = rank_rows(columns_, subject.budget());
    const std::uint64_t outputs = columns_.outputs();
    std::unordered_map<std::string_view, std::uint32_t> kinds;
    for (std::uint64_t x = 0; x < columns_.inputs(); ++x) {
      const std::string_view bytes(reinterpret_cast<const char*>(row(x)), outputs * sizeof(std::uint32_t));
      kind_.push_back(kinds.try_emplace(bytes, static_cast<std::uint32_t>(kinds.size())).first->second);
    }
    for_all_neighbors(subject.domain(), groups, [&](std::uint64_t from, std::uint64_t to) {
      subject.budget().check_every();
      if (!infinite_) offer(from, to, subject.budget());
    });
  }

  std::size_t size() const override { return pairs_.size(); }
  RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const override {
    return bounds_of_rho(masses(pairs_[k]), goal, terms, budget);
  }
  std::pair<InputRow, InputRow> neighbors(std::size_t k, double) const override {
    return {model_.domain.row(pairs_[k].from), model_.domain.row(pairs_[k].to)};
  }
  std::optional<Witness> infinite() const override {
    if (!infinite_) return std::nullopt;
    const auto& [from, to, y] = *infinite_;
    return Witness{{model_.channel->output_label(y)},
                   model_.domain.tuple(from),
                   model_.domain.tuple(to),
                   model_.channel->entry(from, y),
                   Number(0),
                   ""};
  }

 private:
  struct Infinite {
    std::uint64_t from = 0, to = 0, output = 0;
  };

  std::vector<PairedMass> masses(const RowPair& pair) const {
    std::vector<PairedMass> masses;
    std::uint64_t last = 0;
    for (const std::uint64_t ranks : ranks_of(pair.from, pair.to)) {
      if (masses.empty() || ranks != last) {
        masses.push_back({columns_.pool().value(static_cast<std::uint32_t>(ranks >> 32)),
                          columns_.pool().value(static_cast<std::uint32_t>(ranks)), 0});
      }
      ++masses.back().count;
      last = ranks;
    }
    return masses;
  }

  const std::uint32_t* row(std::uint64_t x) const { return rows_.data() + x * columns_.outputs(); }

  // Returns the two ranks of every output, sorted.
  std::vector<std::uint64_t> ranks_of(std::uint64_t from, std::uint64_t to) const {
    std::vector<std::uint64_t> ranks;
    for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
      ranks.push_back(std::uint64_t{row(from)[y]} << 32 | row(to)[y]);
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  }

  void offer(std::uint64_t from, std::uint64_t to, Budget& budget) {
    if (kind_[from] == kind_[to]) return;
    if (!seen_kinds_.insert(std::uint64_t{kind_[from]} << 32 | kind_[to]).second) return;
    budget.check();
    for (std::uint64_t y = 0; y < columns_.outputs(); ++y) {
      if (!columns_.pool().value(row(to)[y]).is_zero() || columns_.pool().value(row(from)[y]).is_zero()) continue;
      infinite_ = Infinite{from, to, y};
      return;
    }
    // Keys are as long as rows, so their number is limited.
    constexpr std::size_t kMostKeys = 4096;
    std::vector<std::uint64_t> key = ranks_of(from, to);
    if (seen_ranks_.contains(key)) return;
    if (seen_ranks_.size() < kMostKeys) seen_ranks_.insert(std::move(key));
    pairs_.push_back({from, to});
  }

  const Columns& columns_;
  const Model& model_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> kind_;  // equal rows have the same kind
  std::unordered_set<std::uint64_t> seen_kinds_;
  std::set<std::vector<std::uint64_t>> seen_ranks_;
  std::vector<RowPair> pairs_;
  std::optional<Infinite> infinite_;
};

// The pairs of neighbors of a product, group by group: the components' pairs are chosen independently, and divergences
// of independent parts add. No output is listed.
class PartPairs final : public Candidates {
 public:
  PartPairs(const MeasuredModel& subject, engine::NeighborKinds kinds)
      : model_(subject.model()), kinds_(std::move(kinds)), losses_(masses_of(kinds_.losses), subject.budget()) {
    std::set<ComponentChoices> known;
    for (std::size_t g = 0; g < kinds_.groups.size(); ++g) {
      ComponentChoices choices = choices_in(g);
      std::sort(choices.begin(), choices.end());
      if (!is_trivial(choices) && known.insert(std::move(choices)).second) groups_.push_back(g);
    }
  }

  std::size_t size() const override { return groups_.size(); }
  RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const override {
    return losses_.bounds(choices_in(groups_[k]), goal, terms, budget);
  }
  std::pair<InputRow, InputRow> neighbors(std::size_t k, double beyond) const override {
    const std::vector<std::size_t> chosen = losses_.worst_choices(choices_in(groups_[k]), beyond);
    const auto& components = kinds_.groups[groups_[k]].components;
    InputRow from(model_.domain.size()), to(model_.domain.size());
    for (std::size_t c = 0; c < components.size(); ++c) add(components[c][chosen[c]], from, to);
    return {std::move(from), std::move(to)};
  }

  std::optional<Witness> infinite() const override {
    for (const auto& group : kinds_.groups) {
      for (const auto& component : group.components) {
        for (const engine::NeighborKind& kind : component) {
          const bool found = std::any_of(kind.losses.begin(), kind.losses.end(), [&](const auto& part) {
            return !kinds_.losses[part.first]->infinite().is_zero();
          });
          if (found) return impossible_output(kind);
        }
      }
    }
    return std::nullopt;
  }

 private:
  // Ratios of outputs with P = 0 are of no account, and a pair with an infinite loss is never enclosed.
  static std::vector<std::vector<PairedMass>> masses_of(
      const std::vector<std::shared_ptr<const LossDistribution>>& losses) {
    std::vector<std::vector<PairedMass>> masses;
    for (const auto& one : losses) {
      auto& own = masses.emplace_back();
      if (!one->infinite().is_zero()) continue;
      for (const auto& [ratio, mass] : one->atoms()) own.push_back({mass, mass / ratio});
    }
    return masses;
  }

  static bool is_trivial(const ComponentChoices& choices) {
    return std::all_of(choices.begin(), choices.end(), [](const auto& component) {
      return std::all_of(component.begin(), component.end(), [](const auto& choice) { return choice.empty(); });
    });
  }

  ComponentChoices choices_in(std::size_t group) const {
    ComponentChoices choices;
    for (const auto& component : kinds_.groups[group].components) {
      auto& own = choices.emplace_back();
      for (const engine::NeighborKind& kind : component) own.push_back(kind.losses);
    }
    return choices;
  }

  static void add(const engine::NeighborKind& kind, InputRow& from, InputRow& to) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] += kind.from[i];
      to[i] += kind.to[i];
    }
  }

  // Each factor gives an output that is possible given `from`, and impossible given `to` if there is one.
  Witness impossible_output(const engine::NeighborKind& kind) const {
    const auto declared = engine::DeclaredPairs::of(model_);
    if (const auto pair = declared ? declared->between(kind.from, kind.to) : std::nullopt) {
      return witness_of(model_, {declared->output(*pair), kind.from, kind.to});
    }
    std::vector<std::uint64_t> output;
    for (const Factor& factor : model_.channel->factors()) {
      const Projection project(model_.domain, factor.coordinates);
      const std::uint64_t from = project(kind.from), to = project(kind.to);
      std::uint64_t shown = 0;
      bool possible = false;
      for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y) {
        if (factor.channel->entry(from, y).is_zero()) continue;
        const bool impossible = factor.channel->entry(to, y).is_zero();
        if (!possible || impossible) shown = y;
        possible = true;
        if (impossible) break;
      }
      output.push_back(shown);
    }
    return witness_of(model_, {std::move(output), kind.from, kind.to});
  }

  const Model& model_;
  engine::NeighborKinds kinds_;
  IndependentPairs losses_;
  std::vector<std::size_t> groups_;  // with different choices of losses
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
  if (has_losses_by_parts(subject.channel())) {
    auto kinds = engine::kinds_of_neighbors(subject.model(), groups.groups, most_kinds(subject), subject.budget());
    if (kinds) return std::make_shared<PartPairs>(subject, *std::move(kinds));
    if (!subject.can_enumerate()) refuse_kinds(subject);
  }
  return std::make_shared<RowPairs>(subject, groups);
}

const FoundRho& found_rho(MeasuredModel& subject, const CoordinateGroups& groups) {
  std::string key = "rho of";
  for (const auto& group : groups.groups) {
    for (const std::size_t i : group) key += " " + std::to_string(i);
    key += ";";
  }
  return subject.remember(key, [&] {
    const std::shared_ptr<const Candidates> compared = candidates_of(subject, groups);
    FoundRho found{compared->infinite(), nullptr};
    if (found.infinite || compared->size() == 0) return found;
    found.search = std::make_shared<LargestRho>(compared, subject.budget());
    found.search->refine(kFirstNearness, ~std::uint64_t{0});
    for (const double tolerance : kShownNearness) found.stopped |= !found.search->refine(tolerance, kMostTermsOfOrders);
    return found;
  });
}

// Returns a compared pair; equal inputs if there is none.
std::pair<InputRow, InputRow> any_neighbors(const Domain& domain, const CoordinateGroups& groups) {
  InputRow from(domain.size()), to(domain.size());
  for (const auto& group : groups.groups) {
    for (const std::size_t i : group) {
      if (domain.values(i) < 2) continue;
      to[i] = 1;
      return {from, to};
    }
  }
  return {from, to};
}

Level rounded_level(const std::string& decimal) {
  return Level::of_exponential(Number::exp_of(as_number(evaluate_expression(decimal))));
}

// A witness that compares all outputs of two inputs, by the Renyi divergence of this order.
Witness between_inputs(const Domain& domain, const std::pair<InputRow, InputRow>& inputs, Number order) {
  Witness witness;
  witness.from = domain.tuple(inputs.first);
  witness.to = domain.tuple(inputs.second);
  witness.order = std::move(order);
  return witness;
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
  const Domain& domain = subject.domain();
  if (const auto* level = arguments.find_if<Level>(kRhoField)) {
    return decide_level(level_of_rho(subject, neighborhoods(domain, arguments), *level), *level);
  }
  const auto& claimed = arguments.get<CoordinateLevels>(kRhoField);
  std::vector<MeasuredLevel> levels(claimed.size());
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!claimed[i]) continue;
    levels[i] = level_of_rho(subject, {{{i}}}, *claimed[i]);
    levels[i].witness.update([&](Witness& witness) { witness.coordinate = domain.coordinate(i).name; });
  }
  return decide_coordinates(domain, levels, claimed);
}

std::optional<std::pair<std::string, std::string>> complaint_about_neighbors(const Domain& domain,
                                                                             const Arguments& arguments) {
  if (arguments.find_if<CoordinateLevels>(kRhoField) == nullptr) return complaint_about_records(domain, arguments);
  const auto* neighbors = arguments.find_if<std::string>("neighbors");
  if (neighbors != nullptr && *neighbors != "coordinate") {
    return std::pair{"neighbors", "levels by coordinate are about neighbors that differ in that coordinate"};
  }
  if (arguments.has("differ")) return std::pair{"differ", "levels by coordinate say what differs"};
  return complaint_about_records(domain, arguments);
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
      .complaint = complaint_about_neighbors,
      .large_proofs = {.by_losses = true, .by_classes = true},
      .unbounded = true,
      .locking = {.bounds = {kRhoField}}};
}

}  // namespace oddsbound::notions
