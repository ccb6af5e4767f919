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
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/approximate.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kRhoField = "rho";

struct RowPair {
  std::uint64_t from = 0, to = 0;
  RhoBounds rho{0, std::numeric_limits<double>::infinity(), 0};
};

// The compared pairs, without pairs of equal rows. Pairs with the same multiset of (p, q) over the outputs are
// kept once, as far as 4096 remembered keys allow.
class RowPairs {
 public:
  RowPairs(MeasuredModel& subject, const CoordinateGroups& groups) : columns_(subject.columns()) {
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

  std::vector<RowPair> take() { return std::move(pairs_); }

  /// An output that is possible given one input and impossible given its neighbor.
  struct Infinite {
    std::uint64_t from = 0, to = 0, output = 0;
  };
  const std::optional<Infinite>& infinite() const { return infinite_; }

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

 private:
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
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> kind_;  // equal rows have the same kind
  std::unordered_set<std::uint64_t> seen_kinds_;
  std::set<std::vector<std::uint64_t>> seen_ranks_;
  std::vector<RowPair> pairs_;
  std::optional<Infinite> infinite_;
};

// Encloses the largest rho over pairs, ever more tightly. Pairs are ordered by descending lower bound, so that a
// later pair mostly needs just an upper bound below the best.
class LargestRho {
 public:
  /// pairs: at least one, from these rows.
  LargestRho(std::shared_ptr<const RowPairs> rows, std::vector<RowPair> pairs, Budget& budget)
      : rows_(std::move(rows)), pairs_(std::move(pairs)), budget_(&budget) {
    for (RowPair& pair : pairs_) tell(pair, {.enough = 0, .tolerance = 1, .most_terms = 0});
    std::stable_sort(pairs_.begin(), pairs_.end(),
                     [](const RowPair& a, const RowPair& b) { return a.rho.at_least > b.rho.at_least; });
  }

  /// Refines until the bounds differ by at most `tolerance` times the lower one, or `most_terms` terms are spent.
  /// Returns whether the tolerance was reached.
  bool refine(double tolerance, std::uint64_t most_terms) {
    std::uint64_t terms = 0;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const double enough = best().rho.at_least;
      if (pairs_[k].rho.at_most <= enough * (1 + tolerance)) continue;
      if (terms >= most_terms) return false;
      terms += tell(pairs_[k], {enough, tolerance, most_terms - terms});
      if (pairs_[k].rho.at_least > enough) best_ = k;
    }
    return terms < most_terms;
  }

  const RowPair& best() const { return pairs_[best_]; }
  double at_most() const {
    double most = 0;
    for (const RowPair& pair : pairs_) most = std::max(most, pair.rho.at_most);
    return most;
  }

 private:
  std::uint64_t tell(RowPair& pair, const RhoGoal& goal) {
    std::uint64_t terms = 0;
    const RhoBounds found = bounds_of_rho(rows_->masses(pair), goal, terms, *budget_);
    pair.rho.at_most = std::min(pair.rho.at_most, found.at_most);
    if (found.at_least > pair.rho.at_least) {
      pair.rho.at_least = found.at_least;
      pair.rho.beyond = found.beyond;
    }
    return terms;
  }

  std::shared_ptr<const RowPairs> rows_;
  std::vector<RowPair> pairs_;
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
  std::optional<RowPairs::Infinite> infinite;
  std::shared_ptr<LargestRho> search;  // null: all rows are equal
  bool stopped = false;
};

const FoundRho& found_rho(MeasuredModel& subject, const CoordinateGroups& groups) {
  std::string key = "rho of";
  for (const auto& group : groups.groups) {
    for (const std::size_t i : group) key += " " + std::to_string(i);
    key += ";";
  }
  return subject.remember(key, [&] {
    const auto rows = std::make_shared<RowPairs>(subject, groups);
    FoundRho found{rows->infinite(), nullptr};
    std::vector<RowPair> compared = rows->take();
    if (found.infinite || compared.empty()) return found;
    found.search = std::make_shared<LargestRho>(rows, std::move(compared), subject.budget());
    found.search->refine(kFirstNearness, ~std::uint64_t{0});
    for (const double tolerance : kShownNearness) found.stopped |= !found.search->refine(tolerance, kMostTermsOfOrders);
    return found;
  });
}

// Returns a compared pair, if there is one.
std::pair<std::uint64_t, std::uint64_t> any_neighbors(const Domain& domain, const CoordinateGroups& groups) {
  for (const auto& group : groups.groups) {
    for (const std::size_t i : group) {
      if (domain.values(i) > 1) return {0, domain.stride(i)};
    }
  }
  return {0, 0};
}

Level rounded_level(const std::string& decimal) {
  return Level::of_exponential(Number::exp_of(as_number(evaluate_expression(decimal))));
}

// A witness that compares all outputs of two inputs, by the Renyi divergence of this order.
Witness between_inputs(const Domain& domain, std::uint64_t from, std::uint64_t to, Number order) {
  Witness witness;
  witness.from = domain.tuple(from);
  witness.to = domain.tuple(to);
  witness.order = std::move(order);
  return witness;
}

MeasuredLevel enclosed_level(const Domain& domain, const LargestRho& search, const std::string& reason) {
  const RowPair& best = search.best();
  const DecimalBounds least = decimal_bounds(number_of(best.rho.at_least));
  const DecimalBounds most = decimal_bounds(number_of(search.at_most()));
  MeasuredLevel level{rounded_level(least.lower), {}};
  level.witness = between_inputs(domain, best.from, best.to, Number(1) + number_of(best.rho.beyond));
  const Level above = rounded_level(most.upper);
  if (above != level.at_least) level.unfinished = Unfinished{above, reason};
  return level;
}

MeasuredLevel level_of_rho(MeasuredModel& subject, const CoordinateGroups& groups, const Level& claimed) {
  const Domain& domain = subject.domain();
  const FoundRho& found = found_rho(subject, groups);
  MeasuredLevel level;
  if (found.infinite) {
    const auto& [from, to, y] = *found.infinite;
    level.at_least = Level::infinite();
    level.witness = Witness{{subject.channel().output_label(y)}, domain.tuple(from), domain.tuple(to),
                            subject.channel().entry(from, y),    Number(0),          ""};
    return level;
  }
  if (!found.search) {
    const auto [from, to] = any_neighbors(domain, groups);
    level.witness = between_inputs(domain, from, to, Number(1));
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

Notion zcdp_notion() {
  return {
      .name = "zcdp",
      .summary =
          "zero-concentrated differential privacy: between neighbors, the Renyi divergence of every order a > 1 is at "
          "most rho a",
      .source = "Bun and Steinke (2016), Definition 1.1; partial-DP paper, Section 2",
      .fields = with_neighbors({compared({kRhoField, FieldKind::kLevelOrByCoordinate})}),
      .never_tight = "rho is enclosed between two numbers, and nothing tells whether it is exactly what is claimed",
      .decide = decide_zcdp,
      .complaint = complaint_about_neighbors,
      .locking = {.bounds = {kRhoField}}};
}

}  // namespace oddsbound::notions
