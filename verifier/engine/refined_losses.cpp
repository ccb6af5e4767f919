#include "verifier/engine/refined_losses.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/errors.h"
#include "verifier/exact/interval.h"

namespace oddsbound::engine {

namespace {

constexpr double kMostExactAtoms = 4096;  // of one power that is put on the grid as a whole
constexpr double kFirstPoints = 0x1p13, kMostRefinedPoints = 0x1p21;
constexpr std::size_t kMostWords = 16;
// Words of all grids that are kept: the finest one of a product, and all coarser ones.
constexpr std::size_t kMostKeptWords = std::size_t{1} << 24;

}  // namespace

// One product under refinement.
class RefinedProducts::Product {
 public:
  Product(const LossProduct& product, Budget& budget) {
    choose_base(product);
    for (const auto& [losses, times] : product) {
      budget.check();
      const bool exact = !base_ && losses->atoms_of_power(times) <= kMostExactAtoms && losses->has_short_power(times);
      parts_.push_back(exact ? IndependentLosses{std::make_shared<const LossDistribution>(losses->power(times, budget))}
                             : IndependentLosses{losses, times});
    }
    measure_width();
    if (base_ && width_ / std::log(base_->approx()) > kMostRefinedPoints / 2) base_.reset();
    if (!base_) choose_unit();
  }

  const NumberBounds& bounds() const { return bounds_; }
  Number step_for(double points) const {
    if (base_) return *base_;
    const double steps = std::floor(std::log2(points / width_ * unit_.approx()));
    return Number::exp_of(unit_ / Number(2).pow(static_cast<std::int64_t>(std::clamp(steps, 0.0, 60.0))));
  }

  /// Begins with another factor, whose bounds need no grid.
  void begin(const Number& factor) {
    bounds_ = {Number(0), Number(1)};
    bound_by_the_largest(factor);
  }

  /// kept: words of the grids that all products keep.
  void refine(const Number& factor, const LossGrid::Fineness& fineness, std::size_t& kept, Budget& budget) {
    const NumberBounds found = grid_of(fineness, kept, budget)->excess(factor, budget);
    bounds_.lower = std::max(bounds_.lower, found.lower);
    bounds_.upper = std::min(bounds_.upper, found.upper);
  }

 private:
  // Grids are kept: a point of a curve or a step of a search costs a sum over a grid, not a composition.
  std::shared_ptr<const LossGrid> grid_of(const LossGrid::Fineness& fineness, std::size_t& kept, Budget& budget) {
    const std::pair key(fineness.step, fineness.words);
    const auto known = grids_.find(key);
    if (known != grids_.end()) return known->second;
    auto grid = std::make_shared<const LossGrid>(LossGrid::of(parts_, fineness, budget));
    const std::size_t words = grid->points() * 2 * fineness.words;
    if (kept + words <= kMostKeptWords) {
      kept += words;
      grids_.emplace(key, grid);
    }
    return grid;
  }

  // The largest sum of losses: if it is at most epsilon, the divergence is 0; else it alone is a lower bound.
  void bound_by_the_largest(const Number& factor) {
    constexpr slong kBits = 256;
    Ball loss, mass, term, possible, epsilon(factor, kBits);
    arb_log(epsilon.get(), epsilon.get(), kBits);
    arb_set_ui(mass.get(), 1);
    arb_set_ui(possible.get(), 1);
    bool never = false;  // every output is impossible under Q
    for (const auto& [losses, times] : parts_) {
      Ball finite(Number(1) - losses->infinite(), kBits);
      arb_pow_ui(finite.get(), finite.get(), times, kBits);
      arb_mul(possible.get(), possible.get(), finite.get(), kBits);
      never = never || losses->atoms().empty();
      if (never) continue;
      const LossDistribution::Atom& largest = losses->atoms().front();
      Ball ratio(largest.ratio, kBits), own(largest.mass, kBits);
      arb_log(ratio.get(), ratio.get(), kBits);
      arb_addmul_ui(loss.get(), ratio.get(), times, kBits);
      arb_pow_ui(own.get(), own.get(), times, kBits);
      arb_mul(mass.get(), mass.get(), own.get(), kBits);
    }
    // The mass of infinite losses, and what the largest finite loss adds.
    Ball least;
    arb_sub_ui(least.get(), possible.get(), 1, kBits);
    arb_neg(least.get(), least.get());
    arb_sub(term.get(), epsilon.get(), loss.get(), kBits);
    if (!never && arb_is_negative(term.get()) != 0) {
      arb_expm1(term.get(), term.get(), kBits);
      arb_submul(least.get(), term.get(), mass.get(), kBits);
    }
    bounds_.lower = std::max(Number(0), end_of(least, false));
    const bool all_finite =
        std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part.losses->infinite().is_zero(); });
    if (never || !all_finite || arb_is_negative(term.get()) != 0) return;
    if (arb_is_positive(term.get()) != 0 || largest_ratio() <= factor) bounds_.upper = Number(0);
  }

  Number largest_ratio() const {
    Number ratio(1);
    for (const auto& [losses, times] : parts_) {
      ratio *= losses->atoms().front().ratio.pow(static_cast<std::int64_t>(times));
    }
    return ratio;
  }

  // In nats, and by doubles, because it only proposes a spacing. By Hoeffding's bound, the sum of independent losses
  // lies in an interval of 12 sqrt(sum of the squared widths), but for a mass below 2^-100.
  void measure_width() {
    double all = 0, squares = 0;
    for (const auto& [losses, times] : parts_) {
      if (losses->atoms().empty()) continue;
      const double own =
          std::log(losses->atoms().front().ratio.approx()) - std::log(losses->atoms().back().ratio.approx());
      const double count = static_cast<double>(times);
      all += std::isfinite(own) ? own * count : 1;
      squares += std::isfinite(own) ? own * own * count : 1;
    }
    width_ = std::max(std::min(all, 12 * std::sqrt(squares)), 0x1p-40);
  }

  // If all ratios are powers of one number, as for runs of randomized response: then no loss is split.
  void choose_base(const LossProduct& product) {
    for (const auto& [losses, times] : product) {
      if (losses->atoms().empty() || losses->is_trivial()) continue;
      const std::optional<Number> own = losses->common_base();
      base_ = !own || !base_ ? own : common_base(*base_, *own);
      if (!base_) return;
    }
  }

  // If all losses are rational, their common divisor: then none is split. The divisor is at least 2^-40.
  void choose_unit() {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    std::int64_t common = 0, denominator = 1;
    for (const auto& [losses, times] : parts_) {
      for (const LossDistribution::Atom& atom : losses->atoms()) {
        const std::optional<Number> loss = rational_log(atom.ratio);
        std::int64_t above = 0, below = 1;
        if (!loss || !loss->fits_ratio(above, below) || std::abs(above) > kMost || below > kMost) return;
        const std::int64_t factor = below / std::gcd(denominator, below);
        if (factor > kMost / denominator || common > std::numeric_limits<std::int64_t>::max() / factor) return;
        denominator *= factor;
        common *= factor;
        if (std::abs(above) > std::numeric_limits<std::int64_t>::max() / (denominator / below)) return;
        common = std::gcd(common, above * (denominator / below));
      }
    }
    if (common == 0 || common > kMost) return;
    const Number divisor = Number::ratio(common, denominator);
    if (width_ / divisor.approx() < kMostRefinedPoints / 2) unit_ = divisor;
  }

  LossProduct parts_;
  double width_ = 1;
  std::optional<Number> base_;
  Number unit_ = Number(1);
  NumberBounds bounds_{Number(0), Number(1)};
  std::map<std::pair<Number, std::size_t>, std::shared_ptr<const LossGrid>> grids_;
};

namespace {

// The bounds of the largest divergence.
template <typename Products>
RefinedLosses largest_of(const Products& all) {
  RefinedLosses found{all[0].bounds(), 0, ""};
  for (std::size_t k = 1; k < all.size(); ++k) {
    const NumberBounds& own = all[k].bounds();
    if (own.lower > found.bounds.lower) found.largest = k;
    found.bounds.lower = std::max(found.bounds.lower, own.lower);
    found.bounds.upper = std::max(found.bounds.upper, own.upper);
  }
  return found;
}

double relative_gap(const NumberBounds& bounds) {
  return bounds.upper.is_zero() ? 0 : ((bounds.upper - bounds.lower) / bounds.upper).approx();
}

}  // namespace

RefinedProducts::RefinedProducts(const std::vector<const LossProduct*>& products, Budget& budget) {
  assert(!products.empty());
  for (const LossProduct* product : products) products_.emplace_back(*product, budget);
}

RefinedProducts::~RefinedProducts() = default;
RefinedProducts::RefinedProducts(RefinedProducts&&) noexcept = default;

RefinedLosses RefinedProducts::at(const Number& factor, double gap, const Number* threshold, Budget& budget) {
  for (Product& one : products_) one.begin(factor);
  RefinedLosses found = largest_of(products_);
  const auto is_done = [&](const NumberBounds& bounds) {
    if (relative_gap(bounds) <= gap) return true;
    return threshold != nullptr && (bounds.upper <= *threshold || bounds.lower > *threshold);
  };
  if (is_done(found.bounds)) return found;
  bool bounded = false;
  std::size_t words = 2;
  try {
    for (double points = kFirstPoints;;) {
      // Roundings up add at most a unit for each point and factor; 2^40 of them must be within the gap.
      const double small = std::max(found.bounds.upper.approx() * gap, 0x1p-900);
      while (words < kMostWords && -std::log2(small) + 40 > static_cast<double>(64 * words) - 1) words *= 2;
      for (Product& one : products_) {
        if (one.bounds().upper <= found.bounds.lower || relative_gap(one.bounds()) <= gap) continue;
        one.refine(factor, {one.step_for(points), words}, kept_, budget);
        bounded = true;
      }
      found = largest_of(products_);
      if (is_done(found.bounds)) return found;
      if (points >= kMostRefinedPoints) break;
      // The gap shrinks with the square of the spacing.
      points = std::min(
          points * std::clamp(std::exp2(std::ceil(std::log2(relative_gap(found.bounds) / gap) / 2)), 2.0, 32.0),
          kMostRefinedPoints);
    }
    found.limit = "the losses of independent outputs are too many to list, and a grid of " +
                  std::to_string(static_cast<std::uint64_t>(kMostRefinedPoints)) + " points leaves a gap";
  } catch (const LimitError& error) {
    if (!bounded) throw;
    found = largest_of(products_);
    found.limit = error.what();
  }
  return found;
}

RefinedLosses refined_losses(const std::vector<const LossProduct*>& products, const Number& factor, double gap,
                             Budget& budget) {
  return RefinedProducts(products, budget).at(factor, gap, nullptr, budget);
}

}  // namespace oddsbound::engine
