#include "verifier/notions/privacy_curve.h"

#include <arb.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/refined_losses.h"
#include "verifier/exact/interval.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"

namespace oddsbound::notions {

namespace {

constexpr slong kCurveBits = 256;  // of enclosures of sums of masses
// Bounds of epsilon: their relative distance if grids allow it, and the relative gap of delta that a grid is refined
// to.
constexpr double kEpsilonNearness = 1e-6, kSmallestEpsilon = 1e-9, kEpsilonGap = 1e-4;

}  // namespace

// The curve of a pair of inputs whose losses are listed.
class PrivacyCurve::Listed {
 public:
  Listed(const NeighborLosses& pair, const LossDistribution& losses, Budget& budget)
      : pair_(pair), losses_(losses), p_(losses.atoms().size() + 1), q_(losses.atoms().size() + 1) {
    arb_set(p_[0], Ball(losses.infinite(), kCurveBits).get());
    for (std::size_t k = 0; k < size(); ++k) {
      budget.check_every();
      const Ball ratio(ratio_at(k), kCurveBits), mass(losses.atoms()[k].mass, kCurveBits);
      arb_add(p_[k + 1], p_[k], mass.get(), kCurveBits);
      arb_div(q_[k + 1], mass.get(), ratio.get(), kCurveBits);
      arb_add(q_[k + 1], q_[k + 1], q_[k], kCurveBits);
    }
  }

  const NeighborLosses& pair() const { return pair_; }

  /// Encloses delta. The atoms with a larger ratio are counted exactly.
  void delta_at(const Number& factor, Ball& delta) const {
    const auto& atoms = losses_.atoms();
    const auto end = std::partition_point(atoms.begin(), atoms.end(), [&](const auto& a) { return a.ratio > factor; });
    delta_of(static_cast<std::size_t>(end - atoms.begin()), Ball(factor, kCurveBits), delta);
  }

  /// The smallest e^epsilon with a delta of at most `delta`, and an event that attains it.
  struct Attained {
    std::optional<Number> factor;  // nullopt: infinite
    LossDistribution::Event event;
  };
  Attained factor_at(const Number& delta) const {
    if (losses_.infinite() > delta) return {std::nullopt, {losses_.infinite(), Number(0)}};
    if (size() == 0) return {Number(1), {Number(0), Number(0)}};
    // The number of atoms with a ratio of at least the factor. Enclosures propose it.
    std::size_t count = proposed_count(delta);
    for (;;) {
      const Number next = count == size() ? Number(0) : ratio_at(count);
      LossDistribution::Event event = losses_.more_likely_than(next);
      Number factor = (event.p - delta) / event.q;
      if (factor > ratio_at(count - 1)) {
        --count;
      } else if (factor <= next && count < size()) {
        ++count;
      } else if (factor < Number(1)) {
        return {Number(1), losses_.more_likely_than(Number(1))};
      } else {
        return {std::move(factor), std::move(event)};
      }
    }
  }

 private:
  // Enclosures of numbers in a row.
  class Balls {
   public:
    explicit Balls(std::size_t size) : size_(static_cast<slong>(size)), first_(_arb_vec_init(size_)) {}
    Balls(Balls&& other) noexcept : size_(other.size_), first_(std::exchange(other.first_, nullptr)) {}
    ~Balls() {
      if (first_ != nullptr) _arb_vec_clear(first_, size_);
    }
    arb_ptr operator[](std::size_t place) const { return first_ + place; }

   private:
    slong size_;
    arb_ptr first_;
  };

  std::size_t size() const { return losses_.atoms().size(); }
  const Number& ratio_at(std::size_t k) const { return losses_.atoms()[k].ratio; }

  void delta_of(std::size_t count, const Ball& factor, Ball& delta) const {
    arb_mul(delta.get(), q_[count], factor.get(), kCurveBits);
    arb_sub(delta.get(), p_[count], delta.get(), kCurveBits);
  }

  // At least 1. The divergence rises from ratio to ratio.
  std::size_t proposed_count(const Number& delta) const {
    const Ball wanted(delta, kCurveBits);
    std::size_t low = 1, high = size();
    while (low < high) {
      const std::size_t middle = (low + high + 1) / 2;
      Ball own;
      delta_of(middle, Ball(ratio_at(middle - 1), kCurveBits), own);
      if (arf_cmp(arb_midref(own.get()), arb_midref(wanted.get())) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  const NeighborLosses& pair_;
  const LossDistribution& losses_;
  Balls p_, q_;  // [count]: of the infinite loss and the `count` largest ratios
};

struct PrivacyCurve::Sources {
  Sources(MeasuredModel& measured, CoordinateGroups all) : subject(measured) {
    for (auto& group : all.groups) {
      const auto& found = losses_within(subject, group);
      if (!found && !subject.can_enumerate()) refuse_kinds(subject);
      if (found) {
        add(*found);
      } else {
        enumerated.groups.push_back(std::move(group));
      }
    }
    if (!products.empty()) unlisted.emplace(products, budget());
    if (!above_products.empty()) above.emplace(above_products, budget());
  }

  void add(const ListedNeighbors& neighbors) {
    for (std::size_t k = 0; k < neighbors.pairs.size(); ++k) {
      const NeighborLosses& pair = neighbors.pairs[k];
      if (neighbors.listed[k]) {
        listed.emplace_back(pair, *neighbors.listed[k], budget());
      } else {
        unlisted_pairs.push_back(&pair);
        products.push_back(&pair.losses);
      }
    }
    if (neighbors.above) above_products.push_back(&*neighbors.above);
  }

  Budget& budget() const { return subject.budget(); }

  Witness witness_between(const InputRow& from, const InputRow& to) const {
    Witness witness;
    witness.likelihood_event = true;
    witness.from = subject.domain().tuple(from);
    witness.to = subject.domain().tuple(to);
    return witness;
  }

  /// An exact e^epsilon, infinite if empty, and what shows it.
  struct Largest {
    std::optional<Number> factor = Number(1);
    Witness witness;
  };

  /// The largest one over the pairs that are listed, and those whose outputs are.
  Largest largest_exact(const Number& delta) const {
    Largest found;
    const InputRow first(subject.domain().size());
    found.witness = witness_between(first, first);  // nothing is compared
    bool shown = false;
    for (const Listed& one : listed) {
      if (shown && !exceeds(one, *found.factor, delta)) continue;
      Listed::Attained own = one.factor_at(delta);
      if (own.factor && shown && *own.factor <= *found.factor) continue;
      found.witness = witness_between(one.pair().from, one.pair().to);
      take(found, std::move(own));
      shown = true;
      if (!found.factor) return found;
    }
    // In each step the pair with the largest delta: it exceeds the wanted one at the factor so far, so the factor
    // rises, and no pair comes twice.
    while (!enumerated.groups.empty() && found.factor) {
      const HockeyStick worst = hockey_stick(subject, Level::of_exponential(*found.factor), enumerated);
      const bool first_pair = !shown && worst.from != worst.to;
      if (worst.delta <= delta && !first_pair) break;
      shown = true;
      const Domain& domain = subject.domain();
      const NeighborLosses pair{domain.row(worst.from), domain.row(worst.to), {}};
      const LossDistribution losses = losses_of(worst.from, worst.to);
      found.witness = witness_between(pair.from, pair.to);
      take(found, Listed(pair, losses, budget()).factor_at(delta));
      if (worst.delta <= delta) break;
    }
    return found;
  }

  static void take(Largest& found, Listed::Attained own) {
    found.factor = std::move(own.factor);
    found.witness.p_from = std::move(own.event.p);
    found.witness.p_to = std::move(own.event.q);
  }

  // False if delta is known not to exceed the given one at this factor.
  static bool exceeds(const Listed& one, const Number& factor, const Number& delta) {
    Ball own;
    const Ball wanted(delta, kCurveBits);
    one.delta_at(factor, own);
    return arb_le(own.get(), wanted.get()) == 0;
  }

  LossDistribution losses_of(std::uint64_t from, std::uint64_t to) const {
    const Channel& channel = subject.channel();
    std::vector<Number> p, q;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget().check_every();
      p.push_back(channel.entry(from, y));
      q.push_back(channel.entry(to, y));
    }
    return LossDistribution::of(p, q);
  }

  bool is_listed() const { return !unlisted && !above; }

  /// A pair whose losses are not listed, and are infinite with a probability above `delta`; null if there is none.
  const NeighborLosses* find_infinite(const Number& delta) const {
    for (const NeighborLosses* pair : unlisted_pairs) {
      if (compare_infinite(pair->losses, delta) > 0) return pair;
    }
    return nullptr;
  }

  // Compares the probability of an infinite loss with a number. Enclosures decide if they can.
  static int compare_infinite(const LossProduct& product, const Number& number) {
    Ball finite(1.0), wanted(Number(1) - number, kCurveBits);
    for (const auto& [losses, times] : product) {
      Ball own(Number(1) - losses->infinite(), kCurveBits);
      arb_pow_ui(own.get(), own.get(), times, kCurveBits);
      arb_mul(finite.get(), finite.get(), own.get(), kCurveBits);
    }
    if (arb_lt(finite.get(), wanted.get()) != 0) return 1;
    if (arb_gt(finite.get(), wanted.get()) != 0) return -1;
    Number exact(1);
    for (const auto& [losses, times] : product) {
      exact *= (Number(1) - losses->infinite()).pow(static_cast<std::int64_t>(times));
    }
    return (Number(1) - number - exact).sign();
  }

  /// Bounds of the largest delta of pairs whose losses are not listed, and what ended the search for better ones.
  struct Bounds {
    NumberBounds delta{Number(0), Number(0)};
    std::size_t largest = 0;  // of unlisted_pairs
    std::string limit;
  };
  Bounds bounds_at(const Number& factor, double gap, const Number* threshold) {
    Bounds bounds;
    if (unlisted) {
      RefinedLosses found = unlisted->at(factor, gap, threshold, budget());
      bounds = {std::move(found.bounds), found.largest, std::move(found.limit)};
    }
    if (above) {
      const RefinedLosses found = above->at(factor, gap, threshold, budget());
      bounds.delta.upper = std::max(bounds.delta.upper, found.bounds.upper);
      if (bounds.limit.empty()) bounds.limit = found.limit;
    }
    return bounds;
  }

  MeasuredModel& subject;
  std::vector<Listed> listed;
  std::vector<const NeighborLosses*> unlisted_pairs;
  std::vector<const LossProduct*> products, above_products;
  std::optional<engine::RefinedProducts> unlisted, above;
  CoordinateGroups enumerated;
};

namespace {

// Rational numbers of nats with few digits, so that results are short.
Number short_rational(double nats) { return parse_number(fmt::format("{:.9g}", nats)); }

}  // namespace

// A bisection over epsilon, for losses on grids: delta exceeds the wanted one at `low`, and does not at `high`.
class PrivacyCurve::Search {
 public:
  Search(Sources& sources, const Number& delta) : sources_(sources), delta_(delta) {}

  /// least: known to be no larger than the wanted epsilon.
  MeasuredLevel run(Sources::Largest exact) {
    low_ = high_ = level_of(*exact.factor).approx();
    at_least_ = level_of(*exact.factor);
    witness_ = std::move(exact.witness);
    try {
      if (look_at(at_least_) == Answer::kYes) return {at_least_, std::move(witness_)};
      bracket();
      narrow(low_, high_, true, true);
    } catch (const LimitError& error) {
      reason_ = error.what();
    }
    MeasuredLevel level{at_least_, std::move(witness_)};
    if (at_least_ < at_most_) level.unfinished = Unfinished{at_most_, reason_};
    return level;
  }

 private:
  static Level level_of(const Number& factor) { return Level::of_exponential(factor); }
  static Level level_of(double nats) { return Level::of_exponential(Number::exp_of(short_rational(nats))); }

  // Returns whether delta is small enough at epsilon, and keeps the bounds of epsilon that follow.
  Answer look_at(const Level& epsilon) {
    const Sources::Bounds bounds = sources_.bounds_at(epsilon.exponential(), kEpsilonGap, &delta_);
    if (bounds.delta.upper <= delta_) {
      if (epsilon < at_most_) at_most_ = epsilon;
      return Answer::kYes;
    }
    if (bounds.delta.lower <= delta_) {
      if (!bounds.limit.empty()) reason_ = bounds.limit;
      return Answer::kOpen;
    }
    if (epsilon >= at_least_) {
      at_least_ = epsilon;
      const NeighborLosses& pair = *sources_.unlisted_pairs[bounds.largest];
      witness_ = sources_.witness_between(pair.from, pair.to);
      witness_.unlisted = true;
    }
    return Answer::kNo;
  }

  // Doubles the upper end until it suffices. Throws LimitError if nothing larger is of use.
  void bracket() {
    constexpr double kMost = 1e9;
    for (high_ = std::max(1.0, 2 * low_); high_ < kMost; high_ *= 2) {
      const Level epsilon = level_of(high_);
      const Answer answer = look_at(epsilon);
      if (answer == Answer::kYes) return;
      if (answer == Answer::kNo) low_ = epsilon.approx();
    }
    throw LimitError("no grid shows that delta is small enough for any epsilon");
  }

  void narrow(double low, double high, bool lower, bool upper) {
    while (high - low > kEpsilonNearness * high + kSmallestEpsilon) {
      const double middle = low + (high - low) / 2;
      const Answer answer = look_at(level_of(middle));
      if (answer == Answer::kOpen && lower && upper) {
        narrow(low, middle, true, false);
        return narrow(middle, high, false, true);
      }
      // Between two bounds, the lower one rises only to what is known to fail, and the upper one to what suffices.
      const bool down = answer == Answer::kYes || (answer == Answer::kOpen && lower);
      (down ? high : low) = middle;
    }
  }

  Sources& sources_;
  const Number& delta_;
  double low_ = 0, high_ = 0;
  Level at_least_, at_most_ = Level::infinite();
  Witness witness_;
  std::string reason_ = "the losses of the parts have too many sums to list, so epsilon is between two bounds";
};

PrivacyCurve::PrivacyCurve(MeasuredModel& subject, CoordinateGroups groups)
    : sources_(std::make_unique<Sources>(subject, std::move(groups))) {}

PrivacyCurve::~PrivacyCurve() = default;

bool PrivacyCurve::is_listed() const { return sources_->is_listed(); }

MeasuredLevel PrivacyCurve::epsilon_at(const Number& delta) {
  Sources::Largest exact = sources_->largest_exact(delta);
  if (!exact.factor) return {Level::infinite(), std::move(exact.witness)};
  if (const NeighborLosses* pair = sources_->find_infinite(delta)) {
    exact.witness = sources_->witness_between(pair->from, pair->to);
    exact.witness.unlisted = true;
    return {Level::infinite(), std::move(exact.witness)};
  }
  if (!is_listed()) return Search(*sources_, delta).run(std::move(exact));
  sources_->budget().reserve_output(2 * exact.factor->text_size());
  return {Level::of_exponential(*std::move(exact.factor)), std::move(exact.witness)};
}

NumberBounds PrivacyCurve::delta_at(const Number& factor, double gap) {
  NumberBounds largest{Number(0), Number(0)};
  const auto take = [&](const NumberBounds& own) {
    largest.lower = std::max(largest.lower, own.lower);
    largest.upper = std::max(largest.upper, own.upper);
  };
  for (const Listed& one : sources_->listed) {
    Ball delta;
    one.delta_at(factor, delta);
    take({end_of(delta, false), end_of(delta, true)});
  }
  if (!sources_->enumerated.groups.empty()) {
    const Number delta = hockey_stick(sources_->subject, Level::of_exponential(factor), sources_->enumerated).delta;
    take({delta, delta});
  }
  if (!is_listed()) take(sources_->bounds_at(factor, gap, nullptr).delta);
  return largest;
}

}  // namespace oddsbound::notions
