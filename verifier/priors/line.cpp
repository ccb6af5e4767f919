#include "verifier/priors/line.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/errors.h"
#include "verifier/priors/member.h"

namespace oddsbound::priors {

namespace {

// The polynomial first + second * w + third * w^2.
struct Quadratic {
  Number first, second, third;
  Surd at(const Surd& w) const { return Surd(first) + (Surd(second) + Surd(third) * w) * w; }
};

// Returns the product of two functions that are affine on the line.
Quadratic product(const Number& a0, const Number& a1, const Number& b0, const Number& b1) {
  const Number a = a1 - a0;
  const Number b = b1 - b0;
  return {a0 * b0, a0 * b + a * b0, a * b};
}

// A line with the same quotients as the given one, except at ends where the given one has no quotient.
struct Repaired {
  JointMasses begin, end;
  bool without_begin = false;
  bool without_end = false;
};

// A joint mass and its mass that are both 0 at an end have a constant quotient on the rest of the line.
void repair(Number& begin, Number& begin_mass, Number& end, Number& end_mass, Repaired& line) {
  if (begin_mass.is_zero()) {
    begin = end;
    begin_mass = end_mass;
    line.without_begin = true;
  } else if (end_mass.is_zero()) {
    end = begin;
    end_mass = begin_mass;
    line.without_end = true;
  }
}

// If both joint masses are 0 at an end, their quotient is constant on the rest of the line.
void repair_zeros(Repaired& line) {
  JointMasses& begin = line.begin;
  JointMasses& end = line.end;
  if (begin.p_from.is_zero() && begin.p_to.is_zero()) {
    begin.p_from = end.p_from;
    begin.p_to = end.p_to;
    line.without_begin = true;
  } else if (end.p_from.is_zero() && end.p_to.is_zero()) {
    end.p_from = begin.p_from;
    end.p_to = begin.p_to;
    line.without_end = true;
  }
}

// Returns the zeros of c0 + c1 w + c2 w^2 inside the line.
std::vector<Surd> zeros_within(const Number& c0, const Number& c1, const Number& c2) {
  std::vector<Surd> zeros;
  const auto add = [&](const Surd& w) {
    if (w.sign() > 0 && w < Surd(Number(1))) zeros.push_back(w);
  };
  if (c2.is_zero()) {
    if (!c1.is_zero()) add(Surd(-c0 / c1));
    return zeros;
  }
  const Number discriminant = c1 * c1 - Number(4) * c2 * c0;
  if (discriminant.sign() < 0) return zeros;
  const Surd root = Surd::root_of(discriminant);
  const Surd twice(Number(2) * c2);
  add((Surd(-c1) - root) / twice);
  if (!root.is_number() || root.sign() != 0) add((Surd(-c1) + root) / twice);
  return zeros;
}

const Number kHalf = Number::ratio(1, 2);
constexpr double kLeastOfDoubles = 1e-200;

// If only one of the joint masses is 0 at an end, or everywhere: the quotient is infinite there, or 0 on the whole
// line.
std::optional<LargestOnLine> infinite_or_nothing(const Repaired& line) {
  const JointMasses& begin = line.begin;
  const JointMasses& end = line.end;
  const bool never_from = begin.p_from.is_zero() && end.p_from.is_zero();
  if (never_from) return LargestOnLine{{}, kHalf};
  if (begin.p_to.is_zero() && end.p_to.is_zero()) return LargestOnLine{Ratio::infinity(), kHalf};
  if (begin.p_to.is_zero()) return LargestOnLine{Ratio::infinity(), Number(0), !line.without_begin};
  if (end.p_to.is_zero()) return LargestOnLine{Ratio::infinity(), Number(1), !line.without_end};
  return std::nullopt;
}

}  // namespace

JointMasses between(const JointMasses& begin, const JointMasses& end, const Number& w) {
  const Number rest = Number(1) - w;
  return {rest * begin.p_from + w * end.p_from, rest * begin.mass_from + w * end.mass_from,
          rest * begin.p_to + w * end.p_to, rest * begin.mass_to + w * end.mass_to};
}

std::optional<Ratio> ratio_of(const JointMasses& forms) {
  if (forms.mass_from.is_zero() || forms.mass_to.is_zero()) return std::nullopt;
  return Ratio::of(forms.p_from * forms.mass_to, forms.p_to * forms.mass_from);
}

// On each piece both conditional probabilities are quotients of affine functions, so each lies between its values
// at the ends of the piece.
bool is_certainly_below(const JointMasses& begin, const JointMasses& end, const Ratio& known) {
  constexpr int kPieces = 32;
  // Sums of non-negative terms: 2^-40 far exceeds the rounding of the approximations and of some ten operations.
  constexpr double kRoom = 1 + 0x1p-40;
  const double p_from[] = {begin.p_from.approx(), end.p_from.approx()};
  const double mass_from[] = {begin.mass_from.approx(), end.mass_from.approx()};
  const double p_to[] = {begin.p_to.approx(), end.p_to.approx()};
  const double mass_to[] = {begin.mass_to.approx(), end.mass_to.approx()};
  const double most = known.infinite ? std::numeric_limits<double>::infinity() : rounded_down(known);
  double from_before = 0, to_before = 0;
  for (int piece = 0; piece <= kPieces; ++piece) {
    const double w = static_cast<double>(piece) / kPieces;
    const auto at = [&](const double(&ends)[2]) { return (1 - w) * ends[0] + w * ends[1]; };
    const double masses[] = {at(mass_from), at(mass_to)}, to_p = at(p_to);
    for (const double number : {masses[0], masses[1], to_p}) {
      if (!(number > kLeastOfDoubles && number < 1 / kLeastOfDoubles)) return false;
    }
    const double from = at(p_from) / masses[0], to = to_p / masses[1];
    if (piece > 0 && !(std::max(from, from_before) / std::min(to, to_before) * kRoom < most)) return false;
    from_before = from;
    to_before = to;
  }
  return true;
}

bool is_better(const LargestOnLine& other, const LargestOnLine& than) {
  const auto order = other.ratio <=> than.ratio;
  return order > 0 || (order == 0 && other.attained && !than.attained);
}

std::optional<LargestOnLine> largest_on_line(const JointMasses& begin, const JointMasses& end) {
  if ((begin.mass_from.is_zero() && end.mass_from.is_zero()) || (begin.mass_to.is_zero() && end.mass_to.is_zero())) {
    return std::nullopt;
  }
  Repaired line{begin, end};
  repair(line.begin.p_from, line.begin.mass_from, line.end.p_from, line.end.mass_from, line);
  repair(line.begin.p_to, line.begin.mass_to, line.end.p_to, line.end.mass_to, line);
  repair_zeros(line);
  if (const auto found = infinite_or_nothing(line)) return found;
  const auto& [n0, m0, k0, l0] = line.begin;
  const auto& [n1, m1, k1, l1] = line.end;
  const Quadratic p = product(n0, n1, l0, l1);
  const Quadratic q = product(m0, m1, k0, k1);
  // The derivative of p/q has the sign of c0 + c1 w + c2 w^2.
  const Number c0 = p.second * q.first - p.first * q.second;
  const Number c1 = Number(2) * (p.third * q.first - p.first * q.third);
  const Number c2 = p.third * q.second - p.second * q.third;
  LargestOnLine best{{Surd(p.first / q.first)}, Number(0), !line.without_begin};
  if (c0.is_zero() && c1.is_zero() && c2.is_zero()) {
    if (!best.attained) best = {best.ratio, line.without_end ? kHalf : Number(1)};
    return best;
  }
  const auto take = [&](const LargestOnLine& other) {
    if (is_better(other, best)) best = other;
  };
  take({{Surd((n1 * l1) / (m1 * k1))}, Number(1), !line.without_end});
  for (const Surd& w : zeros_within(c0, c1, c2)) take({{p.at(w) / q.at(w)}, w});
  return best;
}

Number shown_within() { return Number(1) + Number(10).pow(-6); }
Number shown_of_infinite() { return Number(2).pow(40); }

namespace {

// Returns the largest multiple of 2^-bits that is at most a number in [0, 1].
Number multiple_below(const Surd& number, int bits) {
  Number below(0);
  for (int bit = 1; bit <= bits; ++bit) {
    const Number higher = below + Number(2).pow(-bit);
    if (Surd(higher) <= number) below = higher;
  }
  return below;
}

}  // namespace

Number weight_that_shows(const LargestOnLine& largest, const JointMasses& begin, const JointMasses& end) {
  if (largest.attained && largest.at.is_number()) return largest.at.plain();
  constexpr int kMostBits = 4000;
  for (int bits = 20; bits <= kMostBits; bits += bits / 2) {
    const Number step = Number(2).pow(-bits);
    const bool at_begin = largest.at.is_number() && largest.at.plain().is_zero();
    const Number w = largest.attained ? multiple_below(largest.at, bits) : at_begin ? step : Number(1) - step;
    const auto shown = ratio_of(between(begin, end, w));
    if (!shown) continue;
    if (largest.ratio.infinite ? *shown > Ratio{Surd(shown_of_infinite())}
                               : Ratio{shown->value * Surd(shown_within())} >= largest.ratio) {
      return w;
    }
  }
  throw LimitError("a prior that shows the level takes numbers of more than 4,000 bits");
}

}  // namespace oddsbound::priors
