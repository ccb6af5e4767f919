#include "verifier/priors/multilinear.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/errors.h"

namespace oddsbound::priors {

namespace {

constexpr std::uint64_t kMostInputs = std::uint64_t{1} << 16;
constexpr std::size_t kMostPoints = 200;

// Enumerates the extreme points of the distributions within bounds: all entries but one are at an end of their
// interval.
class ExtremePoints {
 public:
  ExtremePoints(const IntervalNode::Row& row, Budget& budget) : row_(row), budget_(budget), point_(row.lower.size()) {
    for (std::size_t free = 0; free < point_.size(); ++free) {
      extend(0, free, Number(1), sum_of(row.lower), sum_of(row.upper));
    }
  }
  std::vector<Point> take() const { return {found_.begin(), found_.end()}; }

 private:
  // left: the mass for this entry, the later ones and the free one. These can hold between `least` and `most`
  // together.
  void extend(std::size_t entry, std::size_t free, const Number& left, const Number& least, const Number& most) {
    budget_.check_every();
    if (left < least || left > most) return;
    if (entry == point_.size()) {
      point_[free] = left;
      found_.insert(point_);
      if (found_.size() > kMostPoints) {
        throw LimitError("a row of the network has more than " + std::to_string(kMostPoints) + " extreme points");
      }
      return;
    }
    if (entry == free) return extend(entry + 1, free, left, least, most);
    const Number &lower = row_.lower[entry], &upper = row_.upper[entry];
    for (const Number& end : {lower, upper}) {
      point_[entry] = end;
      extend(entry + 1, free, left - end, least - lower, most - upper);
      if (lower == upper) return;
    }
  }

  const IntervalNode::Row& row_;
  Budget& budget_;
  Point point_;
  std::set<Point> found_;
};

}  // namespace

Points single_point(const Point& point) { return std::make_shared<const std::vector<Point>>(1, point); }

std::vector<Point> extreme_points(const IntervalNode::Row& row, Budget& budget) {
  return ExtremePoints(row, budget).take();
}

Point middle_of(const std::vector<Point>& points) {
  if (points.size() == 1) return points.front();
  Point middle = points.front();
  for (std::size_t j = 1; j < points.size(); ++j) {
    for (std::size_t k = 0; k < middle.size(); ++k) middle[k] += points[j][k];
  }
  for (Number& entry : middle) entry /= Number(static_cast<std::int64_t>(points.size()));
  return middle;
}

NetworkRows::NetworkRows(const Domain& domain, const std::vector<IntervalNode>& nodes, Budget& budget)
    : inputs_(domain.inputs()), parents_(domain.size()), first_row_(domain.size()) {
  if (inputs_ > kMostInputs) throw LimitError("a network of intervals is searched for 65,536 inputs at most");
  for (const IntervalNode& node : nodes) {
    parents_[node.coordinate] = node.parents;
    first_row_[node.coordinate] = all_.size();
    for (const IntervalNode::Row& row : node.rows) {
      all_.push_back(std::make_shared<const std::vector<Point>>(extreme_points(row, budget)));
      coordinates_.push_back(node.coordinate);
    }
  }
  const std::vector<std::size_t> order = parents_first();
  for (std::size_t last = 0; last < domain.size(); ++last) {
    walks_.push_back(walk_in(domain, order_with_last(order, last)));
  }
  order_ = order_for_unknown_rows(domain);
  walks_.push_back(walk_in(domain, order_));
}

std::size_t NetworkRows::times_met(std::size_t row) const {
  std::size_t times = 0;
  for (const std::vector<std::uint32_t>& rows : walks_.back().rows) {
    times += static_cast<std::size_t>(std::count(rows.begin(), rows.end(), row));
  }
  return times;
}

std::vector<bool> NetworkRows::with_ancestors(std::vector<bool> coordinates) const {
  bool grew = true;
  while (grew) {
    grew = false;
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      if (!coordinates[i]) continue;
      for (const std::size_t parent : parents_[i]) {
        grew = grew || !coordinates[parent];
        coordinates[parent] = true;
      }
    }
  }
  return coordinates;
}

std::vector<Number> NetworkRows::joint(const std::vector<Point>& rows) const {
  const Walk& walk = walks_.front();
  std::vector<Number> masses{Number(1)};
  for (const std::vector<std::uint32_t>& chosen : walk.rows) {
    std::vector<Number> next;
    for (std::size_t k = 0; k < masses.size(); ++k) {
      for (const Number& entry : rows[chosen[k]]) next.push_back(masses[k] * entry);
    }
    masses = std::move(next);
  }
  std::vector<Number> by_input(inputs_);
  for (std::size_t k = 0; k < masses.size(); ++k) by_input[walk.inputs[k]] = masses[k];
  return by_input;
}

std::vector<std::size_t> NetworkRows::parents_first() const {
  std::vector<std::size_t> order;
  std::vector<bool> placed(parents_.size(), false);
  while (order.size() < parents_.size()) {
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      const auto is_placed = [&](std::size_t parent) { return placed[parent]; };
      if (placed[i] || !std::all_of(parents_[i].begin(), parents_[i].end(), is_placed)) continue;
      placed[i] = true;
      order.push_back(i);
    }
  }
  return order;
}

// Chosen from the last coordinate backwards. Among the coordinates that no remaining one depends on, takes the one
// whose rows are met least often: the number of assignments of the other remaining coordinates, divided by its
// number of rows. Known rows may be met any number of times.
std::vector<std::size_t> NetworkRows::order_for_unknown_rows(const Domain& domain) const {
  const std::size_t size = parents_.size();
  std::vector<double> rows(size, 1);
  std::vector<bool> known(size, true);
  for (std::size_t i = 0; i < size; ++i) {
    for (const std::size_t parent : parents_[i]) rows[i] *= static_cast<double>(domain.values(parent));
  }
  for (std::size_t row = 0; row < all_.size(); ++row) {
    if (all_[row]->size() > 1) known[coordinates_[row]] = false;
  }
  std::vector<std::size_t> rest(size), order;
  std::iota(rest.begin(), rest.end(), std::size_t{0});
  while (!rest.empty()) {
    const auto is_free = [&](std::size_t i) {
      return std::none_of(rest.begin(), rest.end(), [&](std::size_t other) {
        return std::find(parents_[other].begin(), parents_[other].end(), i) != parents_[other].end();
      });
    };
    // The number of times that each row is met, up to a factor common to all coordinates.
    const auto met = [&](std::size_t i) {
      return known[i] ? 0 : 1 / (rows[i] * static_cast<double>(domain.values(i)));
    };
    std::size_t best = size;
    for (const std::size_t i : rest) {
      if (is_free(i) && (best == size || met(i) < met(best))) best = i;
    }
    order.insert(order.begin(), best);
    rest.erase(std::find(rest.begin(), rest.end(), best));
  }
  return order;
}

std::vector<std::size_t> NetworkRows::order_with_last(const std::vector<std::size_t>& parents_first,
                                                      std::size_t last) const {
  std::vector<bool> depends(parents_.size(), false);
  depends[last] = true;
  std::vector<std::size_t> before, after{last};
  for (const std::size_t i : parents_first) {
    if (i == last) continue;
    depends[i] = std::any_of(parents_[i].begin(), parents_[i].end(), [&](std::size_t p) { return depends[p]; });
    (depends[i] ? after : before).push_back(i);
  }
  before.insert(before.end(), after.begin(), after.end());
  return before;
}

NetworkRows::Walk NetworkRows::walk_in(const Domain& domain, const std::vector<std::size_t>& order) const {
  Walk walk;
  std::vector<std::uint64_t> inputs{0};  // unassigned coordinates have their first value
  for (const std::size_t i : order) {
    std::vector<std::uint32_t>& rows = walk.rows.emplace_back();
    std::vector<std::uint64_t> next;
    for (const std::uint64_t x : inputs) {
      std::uint64_t row = 0;
      for (const std::size_t parent : parents_[i]) row = row * domain.values(parent) + domain.digit(x, parent);
      rows.push_back(static_cast<std::uint32_t>(first_row_[i] + row));
      for (std::uint64_t v = 0; v < domain.values(i); ++v) next.push_back(x + v * domain.stride(i));
    }
    inputs = std::move(next);
  }
  walk.inputs = std::move(inputs);
  return walk;
}

}  // namespace oddsbound::priors
