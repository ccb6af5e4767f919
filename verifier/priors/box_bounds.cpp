#include "verifier/priors/box_bounds.h"

#include <algorithm>

namespace oddsbound::priors {

namespace {

// Returns the values of a row's continuations, mixed by a distribution.
template <typename Value, typename Part>
Number mixture(const Point& point, std::span<const Value> values, Part part) {
  Number sum;
  for (std::size_t k = 0; k < point.size(); ++k) {
    if (!point[k].is_zero()) sum += point[k] * (values[k].*part);
  }
  return sum;
}

Span range_of(const std::vector<Point>& points, std::span<const Span> values) {
  Span range{mixture(points[0], values, &Span::low), mixture(points[0], values, &Span::high)};
  for (std::size_t j = 1; j < points.size(); ++j) {
    range.low = std::min(range.low, mixture(points[j], values, &Span::low));
    range.high = std::max(range.high, mixture(points[j], values, &Span::high));
  }
  return range;
}

// Returns the sum of the slopes from one point to another.
Span along(const std::vector<Span>& slopes, const Point& begin, const Point& end) {
  Span sum;
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    const Number moved = end[k + 1] - begin[k + 1];
    if (moved.is_zero()) continue;
    const bool forward = moved.sign() > 0;
    sum.low += moved * (forward ? slopes[k].low : slopes[k].high);
    sum.high += moved * (forward ? slopes[k].high : slopes[k].low);
  }
  return sum;
}

struct Quotient {
  Number joint, mass;
};

}  // namespace

BoxBounds::BoxBounds(const NetworkRows& rows, const std::vector<std::uint32_t>& label_of,
                     const std::vector<Number>& column, std::uint32_t from, std::uint32_t to, Budget& budget)
    : rows_(rows), label_of_(label_of), column_(column), budget_(budget), from_{from}, to_{to} {}

template <typename Value, typename Combine>
Value BoxBounds::sum(std::size_t last, std::vector<Value> by_input, Combine combine) {
  folded_ += by_input.size();
  return rows_.fold(last, std::move(by_input), [&](std::size_t row, std::span<const Value> values) {
    budget_.check_every();
    return combine(row, values);
  });
}

JointMasses BoxBounds::forms(const std::vector<Point>& rows) {
  std::vector<JointMasses> leaves(label_of_.size());
  for (std::size_t x = 0; x < leaves.size(); ++x) {
    if (label_of_[x] == from_.label) leaves[x] = {column_[x], Number(1), {}, {}};
    if (label_of_[x] == to_.label) leaves[x] = {{}, {}, column_[x], Number(1)};
  }
  return sum<JointMasses>(
      NetworkRows::kAnyLast, std::move(leaves), [&](std::size_t row, std::span<const JointMasses> values) {
        const Point& point = rows[row];
        return JointMasses{mixture(point, values, &JointMasses::p_from),
                           mixture(point, values, &JointMasses::mass_from), mixture(point, values, &JointMasses::p_to),
                           mixture(point, values, &JointMasses::mass_to)};
      });
}

// Dinkelbach's algorithm: returns the largest mean (the smallest for sign -1) in the box. While the maximum of
// joint - mean * mass is positive, its maximizer has a larger mean; a maximum of 0 proves that no mean is larger.
Number BoxBounds::farthest_mean(const Box& box, const Side& side, int sign, Number mean) {
  const Number up(sign);
  while (true) {
    std::vector<Quotient> leaves(label_of_.size());
    for (std::size_t x = 0; x < leaves.size(); ++x) {
      if (label_of_[x] == side.label) leaves[x] = {column_[x], Number(1)};
    }
    const auto gain = [&](const Quotient& q) { return up * (q.joint - mean * q.mass); };
    const Quotient farthest =
        sum<Quotient>(NetworkRows::kAnyLast, std::move(leaves), [&](std::size_t row, std::span<const Quotient> values) {
          std::optional<Quotient> best;
          for (const Point& point : *box[row]) {
            Quotient next{mixture(point, values, &Quotient::joint), mixture(point, values, &Quotient::mass)};
            if (!best || gain(next) > gain(*best)) best = std::move(next);
          }
          return std::move(*best);
        });
    if (gain(farthest).sign() <= 0) return mean;
    mean = farthest.joint / farthest.mass;
  }
}

Span BoxBounds::joint(const Box& box, const Side& side) {
  std::vector<Span> leaves(label_of_.size());
  for (std::size_t x = 0; x < leaves.size(); ++x) {
    if (label_of_[x] == side.label) leaves[x] = {column_[x], column_[x]};
  }
  return sum<Span>(NetworkRows::kAnyLast, std::move(leaves),
                   [&](std::size_t row, std::span<const Span> values) { return range_of(*box[row], values); });
}

Ratio BoxBounds::enter(const Box& box, const JointMasses& middle) {
  const Number mean = middle.p_from / middle.mass_from, other = middle.p_to / middle.mass_to;
  from_.mean = {farthest_mean(box, from_, -1, mean), farthest_mean(box, from_, 1, mean)};
  to_.mean = {farthest_mean(box, to_, -1, other), farthest_mean(box, to_, 1, other)};
  from_.joint = joint(box, from_);
  to_.joint = joint(box, to_);
  from_.slopes.assign(box.size(), {});
  to_.slopes.assign(box.size(), {});
  return Ratio::of(from_.mean.high, to_.mean.low);
}

BoxBounds::Slopes BoxBounds::slopes(const Box& box, std::size_t row, const Side& side) {
  Slopes slopes;
  const std::size_t coordinate = rows_.coordinate_of(row);
  for (std::size_t k = 1; k < box[row]->front().size(); ++k) {
    std::vector<Span> leaves(label_of_.size());
    for (std::size_t x = 0; x < leaves.size(); ++x) {
      if (label_of_[x] == side.label) leaves[x] = {column_[x] - side.mean.high, column_[x] - side.mean.low};
    }
    slopes.push_back(sum<Span>(coordinate, std::move(leaves), [&](std::size_t at, std::span<const Span> values) {
      if (at == row) return Span{values[k].low - values[0].high, values[k].high - values[0].low};
      return rows_.coordinate_of(at) == coordinate ? Span{} : range_of(*box[at], values);
    }));
  }
  return slopes;
}

void BoxBounds::look_along(const Box& box, std::size_t row) {
  from_.slopes[row] = slopes(box, row, from_);
  to_.slopes[row] = slopes(box, row, to_);
}

// Returns the change of the quotient's logarithm.
Span BoxBounds::change(const Span& of_from, const Span& of_to) const {
  const auto least = [](const Number& slope, const Span& joint) {
    return slope / (slope.sign() >= 0 ? joint.high : joint.low);
  };
  const auto most = [](const Number& slope, const Span& joint) {
    return slope / (slope.sign() >= 0 ? joint.low : joint.high);
  };
  return {least(of_from.low, from_.joint) - most(of_to.high, to_.joint),
          most(of_from.high, from_.joint) - least(of_to.low, to_.joint)};
}

bool BoxBounds::never_falls(std::size_t row, const Point& begin, const Point& end) const {
  const Span of_from = along(from_.slopes[row], begin, end), of_to = along(to_.slopes[row], begin, end);
  if (of_from.low.sign() >= 0 && of_to.high.sign() <= 0) return true;
  return has_logarithm() && change(of_from, of_to).low.sign() >= 0;
}

Number BoxBounds::most_from_middle(const Box& box, std::size_t row) const {
  const Point middle = middle_of(*box[row]);
  Number most;
  for (const Point& point : *box[row]) {
    most = std::max(most, change(along(from_.slopes[row], middle, point), along(to_.slopes[row], middle, point)).high);
  }
  return most;
}

std::size_t BoxBounds::widest(const Box& box, const std::vector<std::size_t>& open) const {
  const auto width = [&](std::size_t row) {
    if (has_logarithm()) return most_from_middle(box, row);
    Number widest;
    for (const Point& point : *box[row]) {
      for (std::size_t k = 0; k < point.size(); ++k) widest = std::max(widest, point[k] - box[row]->front()[k]);
    }
    return widest;
  };
  std::vector<Number> widths;
  for (const std::size_t row : open) widths.push_back(width(row));
  return open[static_cast<std::size_t>(std::max_element(widths.begin(), widths.end()) - widths.begin())];
}

// log R <= log R(middle) + s, and e^s <= 1 / (1 - s).
Ratio BoxBounds::from_middle(const Box& box, const std::vector<std::size_t>& open, const Ratio& middle) const {
  if (!has_logarithm()) return Ratio::infinity();
  Number rest(1);
  for (const std::size_t row : open) rest -= most_from_middle(box, row);
  if (rest.sign() <= 0) return Ratio::infinity();
  return {middle.value / Surd(rest)};
}

}  // namespace oddsbound::priors
