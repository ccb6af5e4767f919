#include "verifier/engine/loss_grid.h"

#include <arb.h>
#include <gmp.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::engine {

namespace {

constexpr std::size_t kWordBits = 64;
constexpr slong kLossBits = 192;  // of logarithms of ratios
constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 23;
constexpr std::size_t kMostFew = 384;                       // words of the masses of a factor that counts as sparse
constexpr std::uint64_t kTrimmed = std::uint64_t{1} << 24;  // units that a tail may lose at a multiplication

// An owned arf.
class GridFloat {
 public:
  GridFloat() { arf_init(value_); }
  GridFloat(const GridFloat&) = delete;
  ~GridFloat() { arf_clear(value_); }
  arf_ptr get() { return value_; }

 private:
  arf_t value_;
};

// Adds the least multiple of 2^-unit >= every number in the ball to a mass.
void add_ceiling(std::vector<unsigned long>& mass, const Ball& ball, slong unit) {
  GridFloat end;
  arb_get_ubound_arf(end.get(), ball.get(), kLossBits + static_cast<slong>(kWordBits * mass.size()));
  if (arf_sgn(end.get()) <= 0) return;
  arf_mul_2exp_si(end.get(), end.get(), unit);
  Fmpz integer;
  arf_get_fmpz(integer.get(), end.get(), ARF_RND_CEIL);
  std::vector<unsigned long> added(mass.size());
  fmpz_get_ui_array(added.data(), static_cast<slong>(added.size()), integer.get());
  mpn_add_n(mass.data(), mass.data(), added.data(), static_cast<mp_size_t>(mass.size()));
}

// The integer nearest to the middle of the ball, whose radius is much smaller than 1.
std::int64_t nearest_point(const Ball& ball) {
  if (mag_cmp_2exp_si(arb_radref(ball.get()), -32) > 0) throw LimitError("a privacy loss is not known closely enough");
  Fmpz whole;
  arf_get_fmpz(whole.get(), arb_midref(ball.get()), ARF_RND_NEAR);
  if (fmpz_bits(whole.get()) > 60) throw LimitError("a privacy loss is too large for a grid");
  return fmpz_get_si(whole.get());
}

}  // namespace

bool LossGrid::is_empty(std::size_t point) const {
  const Word* mass = masses_.data() + point * stride();
  return std::all_of(mass, mass + fineness_.words, [](Word word) { return word == 0; });
}

std::size_t LossGrid::filled() const {
  std::size_t count = 0;
  for (std::size_t k = 0; k < points(); ++k) count += is_empty(k) ? 0 : 1;
  return count;
}

LossGrid::Mass LossGrid::total() const {
  Mass sum = finite_;
  mpn_add_n(sum.data(), sum.data(), infinite_.data(), static_cast<mp_size_t>(stride()));
  return sum;
}

// Rounded up to a multiple of the unit.
LossGrid::Mass LossGrid::product(const Mass& a, const Mass& b) const {
  Mass result(stride());
  mpn_mul_n(result.data(), a.data(), b.data(), static_cast<mp_size_t>(fineness_.words));
  LossGrid rounded(fineness_);
  rounded.masses_ = std::move(result);
  rounded.round_up();
  return std::move(rounded.masses_);
}

// The masses are in units of 2^-2B, and become multiples of 2^-B: B = 64 words - 1.
void LossGrid::round_up() {
  const std::size_t words = fineness_.words;
  const auto count = static_cast<mp_size_t>(stride());
  Mass below_one(stride());  // 2^B - 1
  std::fill(below_one.begin(), below_one.begin() + static_cast<std::ptrdiff_t>(words), ~Word{0});
  below_one[words - 1] >>= 1;
  for (std::size_t k = 0; k < points(); ++k) {
    Word* mass = masses_.data() + k * stride();
    mpn_add_n(mass, mass, below_one.data(), count);
    for (std::size_t i = 0; i < words; ++i) {
      mass[i] = mass[words - 1 + i] >> (kWordBits - 1) | mass[words + i] << 1;
    }
    std::fill(mass + words, mass + stride(), Word{0});
    mpn_add_n(finite_.data(), finite_.data(), mass, count);
  }
}

// The tails move up: the lower one to the first point that stays, the upper one to infinity.
void LossGrid::trim() {
  const auto count = static_cast<mp_size_t>(stride());
  const auto tail = [&](bool upper) {
    Mass sum(stride());
    std::size_t left_out = 0;
    while (left_out + 1 < points()) {
      const std::size_t k = upper ? points() - 1 - left_out : left_out;
      Mass longer = sum;
      mpn_add_n(longer.data(), longer.data(), masses_.data() + k * stride(), count);
      const bool small =
          longer[0] <= kTrimmed && std::all_of(longer.begin() + 1, longer.end(), [](Word word) { return word == 0; });
      if (!small) break;
      sum = std::move(longer);
      ++left_out;
    }
    return std::pair(left_out, sum[0]);
  };
  const auto [below, below_mass] = tail(false);
  const auto add_word = [&](Word* mass, Word added) { mpn_add_1(mass, mass, count, added); };
  add_word(masses_.data() + below * stride(), below_mass);
  masses_.erase(masses_.begin(), masses_.begin() + static_cast<std::ptrdiff_t>(below * stride()));
  low_ += static_cast<std::int64_t>(below);
  const auto [above, above_mass] = tail(true);
  masses_.resize(masses_.size() - above * stride());
  mpn_sub_1(finite_.data(), finite_.data(), count, above_mass);
  add_word(infinite_.data(), above_mass);
  add_word(moved_.data(), below_mass);
  add_word(moved_.data(), above_mass);
}

std::optional<Number> rational_log(const Number& ratio) {
  Number coefficient, exponent;
  return ratio.is_monomial(coefficient, exponent) && coefficient.is_one() ? std::optional(exponent) : std::nullopt;
}

void LossGrid::set_spacing(Ball& result, long bits) const {
  const std::optional<Number> nats = rational_log(fineness_.step);
  Ball known(nats.value_or(fineness_.step), bits);
  nats ? arb_swap(result.get(), known.get()) : arb_log(result.get(), known.get(), bits);
}

std::optional<std::int64_t> LossGrid::exact_point(const Number& ratio) const {
  std::int64_t point = 0;
  if (ratio.is_one()) return point;
  if (const auto spacing = rational_log(fineness_.step)) {
    const auto loss = rational_log(ratio);
    return loss && (*loss / *spacing).fits_int64(point) ? std::optional(point) : std::nullopt;
  }
  constexpr double kMostSteps = 4096;  // powers are compared
  const double steps = std::log(ratio.approx()) / std::log(fineness_.step.approx());
  if (!(std::abs(steps) < kMostSteps)) return std::nullopt;
  point = std::lround(steps);
  return fineness_.step.pow(point) == ratio ? std::optional(point) : std::nullopt;
}

LossGrid LossGrid::of(const LossDistribution& losses, const Fineness& fineness, Budget& budget) {
  LossGrid grid(fineness);
  const auto unit = static_cast<slong>(kWordBits * fineness.words) - 1;
  const slong bits = kLossBits + unit;
  std::map<std::int64_t, Mass> masses;
  const auto add = [&](std::int64_t point, const Ball& mass) {
    add_ceiling(masses.try_emplace(point, grid.stride()).first->second, mass, unit);
  };
  Ball spacing, whole_step;
  grid.set_spacing(spacing, bits);
  arb_neg(spacing.get(), spacing.get());
  arb_expm1(whole_step.get(), spacing.get(), bits);  // e^-h - 1
  for (const LossDistribution::Atom& atom : losses.atoms()) {
    budget.check_every();
    Ball loss(atom.ratio, bits), mass(atom.mass, bits), beyond, share;
    if (const auto point = grid.exact_point(atom.ratio)) {
      add(*point, mass);
      continue;
    }
    grid.split_ = 1;
    arb_log(loss.get(), loss.get(), bits);
    arb_div(loss.get(), loss.get(), spacing.get(), bits);
    arb_neg(loss.get(), loss.get());
    const std::int64_t near = nearest_point(loss);
    arb_sub_si(beyond.get(), loss.get(), near, bits);
    if (arb_contains_zero(beyond.get()) == 0) {
      const std::int64_t point = arb_is_negative(beyond.get()) != 0 ? near - 1 : near;
      arb_sub_si(beyond.get(), loss.get(), point, bits);
      arb_mul(share.get(), beyond.get(), spacing.get(), bits);
      arb_expm1(share.get(), share.get(), bits);
      arb_div(share.get(), share.get(), whole_step.get(), bits);  // of P, at the upper point
      arb_mul(share.get(), share.get(), mass.get(), bits);
      add(point + 1, share);
      arb_sub(share.get(), mass.get(), share.get(), bits);
      add(point, share);
    } else {
      // The enclosure does not show on which side of the point the loss lies. The split puts at most 2 |beyond| of the
      // mass on the neighbor there, so both neighbors get that much.
      add(near, mass);
      arb_abs(beyond.get(), beyond.get());
      arb_mul_2exp_si(beyond.get(), beyond.get(), 1);
      arb_mul(share.get(), beyond.get(), mass.get(), bits);
      add(near - 1, share);
      add(near + 1, share);
    }
  }
  add_ceiling(grid.infinite_, Ball(losses.infinite(), bits), unit);
  std::erase_if(masses, [](const auto& point) {
    return std::all_of(point.second.begin(), point.second.end(), [](Word word) { return word == 0; });
  });
  if (masses.empty()) masses.try_emplace(0, grid.stride());
  grid.low_ = masses.begin()->first;
  grid.reserve(static_cast<std::uint64_t>(masses.rbegin()->first - grid.low_) + 1, budget);
  for (const auto& [point, mass] : masses) {
    const auto place = static_cast<std::size_t>(point - grid.low_) * grid.stride();
    std::copy(mass.begin(), mass.end(), grid.masses_.begin() + static_cast<std::ptrdiff_t>(place));
    mpn_add_n(grid.finite_.data(), grid.finite_.data(), mass.data(), static_cast<mp_size_t>(mass.size()));
  }
  return grid;
}

// Makes room for that many empty points.
void LossGrid::reserve(std::uint64_t points, Budget& budget) {
  if (points > kMostPoints) throw LimitError("the losses need more than " + std::to_string(kMostPoints) + " points");
  // A product of long integers takes some times its own memory.
  budget.require_memory(points * stride() * sizeof(Word) * 4);
  masses_.assign(points * stride(), Word{0});
}

// One of the factors has few points with a mass: each adds a multiple of the other factor.
void LossGrid::multiply_sparse(const LossGrid& many, const LossGrid& few, Budget& budget) {
  const std::size_t words = fineness_.words;
  const std::size_t length = many.masses_.size() - words;  // the upper half of the last mass is 0
  for (std::size_t k = 0; k < few.points(); ++k) {
    if (few.is_empty(k)) continue;
    budget.check();
    for (std::size_t i = 0; i < words; ++i) {
      const Word factor = few.masses_[k * stride() + i];
      if (factor == 0) continue;
      Word* begin = masses_.data() + k * stride() + i;
      const Word carry = mpn_addmul_1(begin, many.masses_.data(), static_cast<mp_size_t>(length), factor);
      mpn_add_1(begin + length, begin + length, static_cast<mp_size_t>(words - i), carry);
    }
  }
}

void LossGrid::multiply_dense(const LossGrid& a, const LossGrid& b, Budget& budget) {
  budget.check();
  const LossGrid &longer = a.points() < b.points() ? b : a, &shorter = a.points() < b.points() ? a : b;
  const std::size_t size = masses_.size();
  masses_.resize(size + stride());
  mpn_mul(masses_.data(), longer.masses_.data(), static_cast<mp_size_t>(longer.masses_.size()), shorter.masses_.data(),
          static_cast<mp_size_t>(shorter.masses_.size()));
  masses_.resize(size);
}

LossGrid LossGrid::times(const LossGrid& other, Budget& budget) const {
  assert(fineness_.step == other.fineness_.step && fineness_.words == other.fineness_.words);
  LossGrid result(fineness_);
  result.low_ = low_ + other.low_;
  result.split_ = split_ + other.split_;
  result.reserve(points() + other.points() - 1, budget);
  const std::size_t own = filled(), others = other.filled();
  if (std::min(own, others) * fineness_.words <= kMostFew) {
    own < others ? result.multiply_sparse(other, *this, budget) : result.multiply_sparse(*this, other, budget);
  } else {
    result.multiply_dense(*this, other, budget);
  }
  result.round_up();
  // Some loss is infinite: the first one, or the second one alone. Masses move in either factor.
  const Mass own_total = total(), other_total = other.total();
  const auto count = static_cast<mp_size_t>(stride());
  const auto add = [&](Mass& sum, const Mass& added) { mpn_add_n(sum.data(), sum.data(), added.data(), count); };
  add(result.infinite_, product(infinite_, other_total));
  add(result.infinite_, product(finite_, other.infinite_));
  add(result.moved_, product(moved_, other_total));
  add(result.moved_, product(own_total, other.moved_));
  result.trim();
  // Masses sum to 1 and some roundings. Below 5/4, products of two sums have room in the words of a mass.
  if (result.total()[fineness_.words - 1] >= Word{5} << 61) throw LimitError("too many losses to round");
  return result;
}

LossGrid LossGrid::power(std::uint64_t n, Budget& budget) const {
  assert(n >= 1);
  LossGrid result = *this;
  for (int bit = 62 - __builtin_clzll(n); bit >= 0; --bit) {
    result = result.times(result, budget);
    if ((n >> bit & 1) != 0) result = result.times(*this, budget);
  }
  return result;
}

LossGrid LossGrid::of(const LossProduct& product, const Fineness& fineness, Budget& budget) {
  assert(!product.empty());
  std::vector<LossGrid> parts;
  for (const IndependentLosses& part : product) {
    parts.push_back(of(*part.losses, fineness, budget).power(part.times, budget));
  }
  std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.points() < b.points(); });
  LossGrid whole = std::move(parts.front());
  for (std::size_t k = 1; k < parts.size(); ++k) whole = whole.times(parts[k], budget);
  return whole;
}

namespace {

// Radius in points of the window around epsilon, for the split after which `left` others follow. Either the others
// move the sum by at most `left` points, or, but for a mass of 2^(1 - bits), by Hoeffding's bound.
std::uint64_t window_radius(std::uint64_t left, double spacing, double bits) {
  const auto n = static_cast<double>(left);
  const double likely = std::ceil(std::sqrt(n * bits * 0.34658) * (1 + 0x1p-40) + n * spacing / 8) + 1;
  return 1 + (likely < n ? static_cast<std::uint64_t>(likely) : left);
}

}  // namespace

NumberBounds LossGrid::excess(const Number& factor, Budget& budget) const {
  const std::size_t words = fineness_.words;
  const auto unit = static_cast<slong>(kWordBits * words) - 1;
  const slong bits = 2 * unit + kLossBits;
  Ball epsilon(factor, bits), spacing, step, term, sum, weighted;
  set_spacing(spacing, bits);
  arb_log(epsilon.get(), epsilon.get(), bits);
  arb_div(epsilon.get(), epsilon.get(), spacing.get(), bits);
  const std::int64_t near = nearest_point(epsilon);
  arb_sub_si(term.get(), epsilon.get(), near, bits);
  const bool on_point = arb_contains_zero(term.get()) != 0;
  const std::int64_t first = arb_is_negative(term.get()) != 0 ? near : near + 1;  // above epsilon
  const auto place_of = [&](std::int64_t point) {
    return std::clamp<std::int64_t>(point - low_, 0, static_cast<std::int64_t>(points()));
  };
  const auto mass_at = [&](std::int64_t place) { return masses_.data() + static_cast<std::size_t>(place) * stride(); };

  // The sums of m_k and of m_k e^(-h (k - first)), from the top.
  arb_neg(step.get(), spacing.get());
  arb_exp(step.get(), step.get(), bits);
  Mass above = infinite_;
  const std::int64_t begin = place_of(first), end = static_cast<std::int64_t>(points());
  for (std::int64_t place = end - 1; place >= begin; --place) {
    budget.check_every();
    Fmpz mass(mass_at(place), words);
    arb_mul(weighted.get(), weighted.get(), step.get(), bits);
    arb_add_fmpz(weighted.get(), weighted.get(), mass.get(), bits);
    mpn_add_n(above.data(), above.data(), mass_at(place), static_cast<mp_size_t>(stride()));
  }
  // A point above epsilon weighs 1 - e^(epsilon - h k).
  const auto quotient_at = [&](Ball& result, std::int64_t point) {
    arb_sub_si(result.get(), epsilon.get(), point, bits);
    arb_mul(result.get(), result.get(), spacing.get(), bits);
    arb_exp(result.get(), result.get(), bits);
  };
  arb_set_fmpz(sum.get(), Fmpz(above.data(), stride()).get());
  if (begin < end) {
    quotient_at(term, low_ + begin);
    arb_submul(sum.get(), term.get(), weighted.get(), bits);
  }
  if (on_point && near >= low_ && near - low_ < end) {
    quotient_at(term, near);
    arb_sub_ui(term.get(), term.get(), 1, bits);
    Fmpz mass(mass_at(near - low_), words);
    arb_mul_fmpz(term.get(), term.get(), mass.get(), bits);
    arb_neg(term.get(), term.get());
    Ball zero;
    arb_union(term.get(), term.get(), zero.get(), bits);
    arb_add(sum.get(), sum.get(), term.get(), bits);
  }
  Ball upper;
  arb_mul_2exp_si(upper.get(), sum.get(), -unit);
  NumberBounds bounds{Number(0), end_of(upper, true)};
  if (bounds.upper <= Number(0)) return {Number(0), Number(0)};

  // Minus a bound of all that splits and roundings added.
  const double tail_bits = std::ceil(32 - std::log2(std::max(upper.below(), 0x1p-900)));
  Fmpz window, windows;
  std::int64_t low = place_of(near), high = low;  // the window [low, high)
  std::uint64_t unlikely = 0;
  const auto take = [&](std::int64_t place) {
    Fmpz mass(mass_at(place), words);
    fmpz_add(window.get(), window.get(), mass.get());
  };
  for (std::uint64_t left = 0; left < split_; ++left) {
    budget.check_every();
    const std::uint64_t radius = window_radius(left, spacing.above(), tail_bits);
    if (radius < left + 1) ++unlikely;
    const auto reach = static_cast<std::int64_t>(std::min<std::uint64_t>(radius, std::uint64_t{1} << 60));
    while (low > place_of(near - reach - 1)) take(--low);
    while (high < place_of(near + reach + 2)) take(high++);
    fmpz_add(windows.get(), windows.get(), window.get());
    fmpz_add(windows.get(), windows.get(), Fmpz(moved_.data(), stride()).get());
  }
  Ball added;
  arb_set_fmpz(added.get(), windows.get());
  arb_set_ui(term.get(), unlikely);
  arb_mul_2exp_si(term.get(), term.get(), unit + 1 - static_cast<slong>(tail_bits));
  arb_add(added.get(), added.get(), term.get(), bits);
  arb_expm1(term.get(), spacing.get(), bits);
  arb_mul(added.get(), added.get(), term.get(), bits);
  arb_mul_2exp_si(added.get(), added.get(), -2);
  arb_sub(sum.get(), sum.get(), added.get(), bits);
  arb_sub_fmpz(sum.get(), sum.get(), Fmpz(total().data(), stride()).get(), bits);
  arb_sub_fmpz(sum.get(), sum.get(), Fmpz(moved_.data(), stride()).get(), bits);
  arb_mul_2exp_si(sum.get(), sum.get(), -unit);
  arb_add_ui(sum.get(), sum.get(), 1, bits);
  bounds.lower = std::max(Number(0), end_of(sum, false));
  return bounds;
}

}  // namespace oddsbound::engine
