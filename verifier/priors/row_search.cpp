#include "verifier/priors/row_search.h"

#include <algorithm>
#include <queue>

namespace oddsbound::priors {

namespace {

// Maximum number of sweeps over all rows from one start.
constexpr int kMostRounds = 8;

struct OpenBox {
  Ratio below;
  Box box;
  std::size_t split;
  friend bool operator<(const OpenBox& a, const OpenBox& b) { return a.below < b.below; }
};

class RowSearch {
 public:
  RowSearch(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
            const std::optional<Ratio>& known, Budget& budget)
      : question_(question), bounds_(question.rows, question.label_of, column, from, to, budget), known_(known) {}

  LargestByRows run() {
    std::priority_queue<OpenBox> waiting;
    if (auto root = examined(question_.box, Ratio::infinity())) waiting.push(std::move(*root));
    std::optional<std::uint64_t> near_at;
    while (!waiting.empty()) {
      const OpenBox next = waiting.top();
      waiting.pop();
      if (is_beaten(next.below)) break;
      if (!near_at && is_near(next.below)) near_at = bounds_.folded();
      // Once the bound is near the best quotient, allows as much work again, which may still find the exact
      // answer.
      if (bounds_.folded() > question_.most_folded || (near_at && bounds_.folded() > 2 * *near_at)) {
        return {std::move(best_), next.below};
      }
      for (Box& box : split(next)) {
        if (auto child = examined(std::move(box), next.below)) waiting.push(std::move(*child));
      }
    }
    return {std::move(best_), std::nullopt};
  }

 private:
  bool is_beaten(const Ratio& below) const {
    return (best_.ratio() && below <= *best_.ratio()) || (known_ && below <= *known_);
  }
  bool is_near(const Ratio& below) const {
    const std::optional<Ratio> best = best_.ratio();
    return best && !best->infinite && below <= Ratio{best->value * Surd(shown_within())};
  }

  // Drops dominated points of the box and bounds it. Returns nullopt if the box is solved, or if nothing in it
  // exceeds what is known.
  std::optional<OpenBox> examined(Box box, Ratio below) {
    while (true) {
      const std::vector<std::size_t> open = open_rows(box);
      std::vector<Point> middle;
      for (const Points& points : box) middle.push_back(middle_of(*points));
      if (open.size() <= 1) {
        offer_lines(middle, open.empty() ? 0 : open.front(), *box[open.empty() ? 0 : open.front()]);
        return std::nullopt;
      }
      const JointMasses forms = bounds_.forms(middle);
      const std::optional<Ratio> shown = ratio_of(forms);
      if (!shown) return std::nullopt;  // then no other mixture has both masses either
      if (!best_.ratio() || *shown > *best_.ratio()) climb(std::move(middle));
      below = std::min(below, bounds_.enter(box, forms));
      if (is_beaten(below)) return std::nullopt;
      for (const std::size_t row : open) bounds_.look_along(box, row);
      if (drop_points(box, open)) continue;
      const std::size_t widest = bounds_.widest(box, open);
      below = std::min(below, bounds_.from_middle(box, open, *shown));
      if (is_beaten(below)) return std::nullopt;
      return OpenBox{below, std::move(box), widest};
    }
  }

  static std::vector<std::size_t> open_rows(const Box& box) {
    std::vector<std::size_t> open;
    for (std::size_t row = 0; row < box.size(); ++row) {
      if (box[row]->size() > 1) open.push_back(row);
    }
    return open;
  }

  // Offers the best line between two of the points, with the other rows fixed.
  BestLine<std::pair<std::size_t, std::size_t>> offer_lines(const std::vector<Point>& rows, std::size_t row,
                                                            const std::vector<Point>& points) {
    std::vector<JointMasses> all;
    std::vector<Point> moved = rows;
    for (const Point& point : points) {
      moved[row] = point;
      all.push_back(bounds_.forms(moved));
    }
    BestLine<std::pair<std::size_t, std::size_t>> best;
    for (std::size_t j = 0; j < points.size(); ++j) {
      for (std::size_t l = j; l < points.size(); ++l) best.offer(all[j], all[l], {j, l});
    }
    if (best.ratio() && (!best_.ratio() || *best.ratio() > *best_.ratio())) {
      const auto& [j, l] = best.where();
      moved[row] = points[j];
      best_.offer(all[j], all[l], {std::move(moved), row, points[l]});
    }
    return best;
  }

  // Moves from line to line while the quotient grows.
  void climb(std::vector<Point> rows) {
    std::optional<Ratio> reached = ratio_of(bounds_.forms(rows));
    bool grew = true;
    for (int round = 0; grew && round < kMostRounds; ++round) {
      grew = false;
      for (const std::size_t row : open_rows(question_.box)) {
        const std::vector<Point>& points = *question_.box[row];
        const auto best = offer_lines(rows, row, points);
        if (!best.ratio() || *best.ratio() <= *reached || !best.is_attained()) continue;
        rows[row] = points[best.where().first];
        rows = RowLine{rows, row, points[best.where().second]}.at(best.weight());
        const std::optional<Ratio> now = ratio_of(bounds_.forms(rows));
        grew = grew || *now > *reached;
        reached = now;
      }
    }
  }

  // Drops points that another point dominates for all rows of the box. Returns true if there were any.
  bool drop_points(Box& box, const std::vector<std::size_t>& open) {
    bool dropped = false;
    for (const std::size_t row : open) {
      std::vector<Point> left = *box[row];
      for (std::size_t j = 0; j < left.size() && left.size() > 1;) {
        const bool drop = std::any_of(left.begin(), left.end(), [&](const Point& other) {
          return &other != &left[j] && bounds_.never_falls(row, left[j], other);
        });
        if (!drop || !keeps_masses(box, row, left, j)) {
          ++j;
          continue;
        }
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(j));
        box[row] = std::make_shared<const std::vector<Point>>(left);
        dropped = true;
      }
    }
    return dropped;
  }

  // Returns true if both labels have mass at the mixture of the other points. If a label has no mass there, it has
  // none at any mixture of them; then the largest quotient is approached towards them, and the point is needed.
  bool keeps_masses(const Box& box, std::size_t row, std::vector<Point> points, std::size_t without) {
    points.erase(points.begin() + static_cast<std::ptrdiff_t>(without));
    std::vector<Point> middle;
    for (const Points& of_row : box) middle.push_back(middle_of(*of_row));
    middle[row] = middle_of(points);
    return ratio_of(bounds_.forms(middle)).has_value();
  }

  // Returns boxes that together contain quotients as near to the largest as those of this box.
  std::vector<Box> split(const OpenBox& waiting) const {
    const std::vector<Point>& points = *waiting.box[waiting.split];
    std::vector<Box> boxes;
    const auto add = [&](std::vector<Point> part) {
      boxes.push_back(waiting.box);
      boxes.back()[waiting.split] = std::make_shared<const std::vector<Point>>(std::move(part));
    };
    if (!question_.moves_masses[waiting.split]) {
      for (const Point& point : points) add({point});
    } else if (points.size() == 2) {
      const Point middle = middle_of(points);
      add({points[0], middle});
      add({middle, points[1]});
    } else {
      for (std::size_t j = 0; j < points.size(); ++j) {
        for (std::size_t l = j + 1; l < points.size(); ++l) add({points[j], points[l]});
      }
    }
    return boxes;
  }

  const RowQuestion& question_;
  BoxBounds bounds_;
  const std::optional<Ratio>& known_;
  BestLine<RowLine> best_;
};

}  // namespace

std::vector<Point> RowLine::at(const Number& weight) const {
  std::vector<Point> result = rows;
  Point& row = result[moving];
  for (std::size_t k = 0; k < row.size(); ++k) row[k] += weight * (end[k] - row[k]);
  return result;
}

LargestByRows largest_by_rows(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from,
                              std::uint32_t to, const std::optional<Ratio>& known, Budget& budget) {
  return RowSearch(question, column, from, to, known, budget).run();
}

}  // namespace oddsbound::priors
