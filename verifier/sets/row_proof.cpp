#include "verifier/sets/row_proof.h"

#include <algorithm>
#include <numeric>

#include "verifier/exact/rounding.h"

namespace oddsbound::sets {

namespace {

using Intervals = IntervalNode::Row;
using Box = std::vector<Intervals>;  // per row

constexpr std::size_t kMostParts = 256;  // of a proof
constexpr std::size_t kMostMeans = 200;  // of a part
constexpr int kHalvings = 40;
constexpr double kNear = 1e-9, kRoom = 1e-13;

// What of a label, the more the better, rows of a box can have: the value with the most first, up to its upper end.
// fill(value, mass): in this order.
template <typename Value, typename Above, typename Fill>
void fill_row(const std::vector<Value>& lower, const std::vector<Value>& upper, std::size_t size, Above above,
              Fill fill) {
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), above);
  Value left(1);
  for (const Value& least : lower) left -= least;
  for (const std::size_t k : order) {
    const Value added = std::min(left, Value(upper[k] - lower[k]));
    fill(k, Value(lower[k] + added));
    left -= added;
  }
}

// Of rounded rows: the output with either label, and the label.
struct Rounded {
  double n = 0, m = 0, k = 0, l = 0;
};
struct RoundedRow {
  std::vector<double> lower, upper;
};

std::vector<double> rounded(const std::vector<Number>& numbers) {
  std::vector<double> result;
  result.reserve(numbers.size());
  for (const Number& number : numbers) result.push_back(number.approx());
  return result;
}

Number simple(double low, double high) {
  return exact::simplest_between(exact::number_of(low), exact::number_of(high));
}

class RowProver {
 public:
  RowProver(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
            Number bound, const std::optional<Number>& tight_at, Budget& budget)
      : question_(question),
        column_(column),
        rounded_column_(rounded(column)),
        from_(from),
        to_(to),
        bound_(std::move(bound)),
        rounded_bound_(bound_.approx()),
        tight_at_(tight_at),
        budget_(budget) {}

  std::optional<RowProof> prove(const Box& box) {
    if (++parts_ > kMostParts || is_hopeless_) return std::nullopt;
    if (std::optional<MeanCuts> cuts = cut(box)) return RowProof{*std::move(cuts), {}};
    const std::optional<std::size_t> row = most_open(box);
    return row ? split(box, *row) : std::nullopt;
  }

 private:
  // The rows of the box that weigh most for a mean: what they say, by (1 - s) (n - q m) - s (bound k - q l).
  struct Weighed {
    const RowProver& prover;
    double mean, share;
    double operator()(const Rounded& sum) const {
      return (1 - share) * (sum.n - mean * sum.m) - share * (prover.rounded_bound_ * sum.k - mean * sum.l);
    }
  };

  Rounded farthest(const std::vector<RoundedRow>& box, const Weighed& weigh) const {
    std::vector<Rounded> leaves(column_.size());
    for (std::size_t x = 0; x < leaves.size(); ++x) {
      if (question_.label_of[x] == from_) leaves[x] = {rounded_column_[x], 1, 0, 0};
      if (question_.label_of[x] == to_) leaves[x] = {0, 0, rounded_column_[x], 1};
    }
    std::vector<double> weights;
    return question_.rows.fold(NetworkRows::kAnyLast, std::move(leaves),
                               [&](std::size_t row, std::span<const Rounded> values) {
                                 budget_.tick();
                                 weights.clear();
                                 for (const Rounded& value : values) weights.push_back(weigh(value));
                                 Rounded sum;
                                 fill_row(
                                     box[row].lower, box[row].upper, values.size(),
                                     [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; },
                                     [&](std::size_t k, double mass) {
                                       sum.n += mass * values[k].n;
                                       sum.m += mass * values[k].m;
                                       sum.k += mass * values[k].k;
                                       sum.l += mass * values[k].l;
                                     });
                                 return sum;
                               });
  }

  // Exactly: of the label `from` this share, of `to` that, and not above 0 for any rows.
  bool is_never_above(const Box& box, const Number& mean, const Number& share) const {
    std::vector<Number> leaves(column_.size());
    const Number rest = Number(1) - share;
    for (std::size_t x = 0; x < leaves.size(); ++x) {
      if (question_.label_of[x] == from_) leaves[x] = rest * (column_[x] - mean);
      if (question_.label_of[x] == to_) leaves[x] = share * (mean - bound_ * column_[x]);
    }
    const Number most = question_.rows.fold(NetworkRows::kAnyLast, std::move(leaves),
                                            [&](std::size_t row, std::span<const Number> values) {
                                              budget_.tick();
                                              Number sum;
                                              fill_row(
                                                  box[row].lower, box[row].upper, values.size(),
                                                  [&](std::size_t a, std::size_t b) { return values[a] > values[b]; },
                                                  [&](std::size_t k, const Number& mass) { sum += mass * values[k]; });
                                              return sum;
                                            });
    return most.sign() <= 0;
  }

  bool holds(const Box& box, const MeanCuts& cuts) const {
    if (!is_never_above(box, cuts.means.front(), Number(1)) || !is_never_above(box, cuts.means.back(), Number(0))) {
      return false;
    }
    for (std::size_t i = 0; i < cuts.shares.size(); ++i) {
      if (!is_never_above(box, cuts.means[i], cuts.shares[i])) return false;
      if (!is_never_above(box, cuts.means[i + 1], cuts.shares[i])) return false;
    }
    return true;
  }

  // The least bound * P(output given to), and the largest P(output given from), by Dinkelbach's steps.
  double farthest_mean(const std::vector<RoundedRow>& box, double share, double mean) const {
    for (int round = 0; round < kHalvings; ++round) {
      const Weighed weigh{*this, mean, share};
      const Rounded sum = farthest(box, weigh);
      const double joint = share == 1 ? rounded_bound_ * sum.k : sum.n, mass = share == 1 ? sum.l : sum.m;
      if (weigh(sum) <= 0 || mass <= 0) break;
      const double next = joint / mass;
      if (share == 1 ? next >= mean : next <= mean) break;
      mean = next;
    }
    return mean;
  }

  struct Shares {
    double least, best;
  };
  // Those with which a mean is passed: none, or from the least on to the best, which leaves the most room.
  std::optional<Shares> shares_at(const std::vector<RoundedRow>& box, double mean, double room) {
    double low = 0, high = 1;
    for (int round = 0; round < kHalvings; ++round) {
      const double share = (low + high) / 2;
      const Rounded sum = farthest(box, {*this, mean, share});
      const double rises = -(sum.n - mean * sum.m) - (rounded_bound_ * sum.k - mean * sum.l);
      (rises > 0 ? high : low) = share;
    }
    const double best = (low + high) / 2;
    const auto passes = [&](double share) {
      const Weighed weigh{*this, mean, share};
      return weigh(farthest(box, weigh)) <= room;
    };
    if (!passes(best)) {
      const Weighed weigh{*this, mean, best};
      const Rounded sum = farthest(box, weigh);
      is_hopeless_ = is_hopeless_ || weigh(sum) < kNear * (sum.m + sum.l);
      return std::nullopt;
    }
    low = 0, high = best;
    for (int round = 0; round < kHalvings; ++round) {
      const double share = (low + high) / 2;
      (passes(share) ? high : low) = share;
    }
    return Shares{high, best};
  }

  // How far up the share is enough.
  double reach(const std::vector<RoundedRow>& box, double mean, double most, double share, double room) const {
    const auto passes = [&](double q) {
      const Weighed weigh{*this, q, share};
      return weigh(farthest(box, weigh)) <= room;
    };
    if (passes(most)) return most;
    double low = mean, high = most;
    for (int round = 0; round < kHalvings; ++round) {
      const double q = (low + high) / 2;
      (passes(q) ? low : high) = q;
    }
    return low;
  }

  std::optional<MeanCuts> cut(const Box& exact_box) {
    std::vector<RoundedRow> box;
    for (const Intervals& row : exact_box) box.push_back({rounded(row.lower), rounded(row.upper)});
    const double least = farthest_mean(box, 1, rounded_bound_), most = farthest_mean(box, 0, 0);
    const double tight = tight_at_ ? tight_at_->approx() : -1;
    MeanCuts cuts;
    // Of one mean that is below all of the one side and above all of the other.
    if (tight >= most * (1 - kNear) && tight <= least * (1 + kNear)) {
      cuts.means.push_back(*tight_at_);
    } else if (most < least) {
      cuts.means.push_back(simple(most + (least - most) / 4, least - (least - most) / 4));
    } else {
      cuts.means.push_back(least > 0 ? simple(least * (1 - 1e-3), least * (1 - kNear)) : Number(0));
      const double end = most * (1 + 1e-3);
      while (cuts.means.back().approx() < most) {
        const double mean = cuts.means.back().approx();
        const bool is_tight = tight > 0 && mean >= tight * (1 - kNear) && mean <= tight * (1 + kNear);
        const std::optional<Shares> shares = shares_at(box, mean, is_tight ? kRoom : 0);
        if (!shares || cuts.means.size() > kMostMeans) return std::nullopt;
        const double room = shares->best - shares->least;
        cuts.shares.push_back(simple(shares->least + room / 64, shares->least + room / 4));
        const double share = cuts.shares.back().approx();
        const double farthest = reach(box, mean, end, share, 0);
        const double to_tight = mean < tight * (1 - kNear) ? reach(box, mean, tight, share, kRoom) : mean;
        if (farthest >= end) {
          cuts.means.push_back(simple(most * (1 + kNear), end));
        } else if (to_tight >= tight * (1 - kNear) && to_tight > mean) {
          cuts.means.push_back(*tight_at_);
        } else if (farthest > mean * (1 + kNear)) {
          cuts.means.push_back(simple(mean + (farthest - mean) * 0.9, mean + (farthest - mean) * 0.999));
        } else {
          return std::nullopt;
        }
      }
    }
    return holds(exact_box, cuts) ? std::optional(cuts) : std::nullopt;
  }

  // Of the rows that are met more than once, the one that leaves most open.
  std::optional<std::size_t> most_open(const Box& box) const {
    std::optional<std::size_t> most;
    Number widest;
    for (std::size_t row = 0; row < box.size(); ++row) {
      if (question_.rows.times_met(row) < 2) continue;
      const Number width = width_of(box[row]).second;
      if (width > widest) {
        widest = width;
        most = row;
      }
    }
    return most;
  }

  static std::pair<std::size_t, Number> width_of(const Intervals& row) {
    std::pair<std::size_t, Number> widest{0, Number(0)};
    for (std::size_t k = 0; k < row.lower.size(); ++k) {
      const Number width = row.upper[k] - row.lower[k];
      if (width > widest.second) widest = {k, width};
    }
    return widest;
  }

  std::optional<RowProof> split(const Box& box, std::size_t row) {
    const std::size_t coordinate = question_.rows.coordinate_of(row);
    RowSplit split{coordinate, row - question_.rows.first_row(coordinate), std::nullopt, {}};
    std::vector<Box> parts;
    if (!question_.moves_masses[row]) {
      for (Point& point : extreme_points(box[row], budget_)) {
        parts.push_back(box);
        parts.back()[row] = {point, point};
        split.points.push_back(std::move(point));
      }
    } else {
      const std::size_t value = width_of(box[row]).first;
      const Number middle = (box[row].lower[value] + box[row].upper[value]) / Number(2);
      parts.assign(2, box);
      parts[0][row].upper[value] = middle;
      parts[1][row].lower[value] = middle;
      for (Box& part : parts) tighten(part[row]);
      split.at = {value, middle};
    }
    RowProof proof{std::move(split), {}};
    for (const Box& part : parts) {
      std::optional<RowProof> own = prove(part);
      if (!own) return std::nullopt;
      proof.parts.push_back(*std::move(own));
    }
    return proof;
  }

  // Ends that some distribution in it attains: what others have to leave, and can take.
  static void tighten(Intervals& row) {
    const Number least = std::accumulate(row.lower.begin(), row.lower.end(), Number(0));
    const Number most = std::accumulate(row.upper.begin(), row.upper.end(), Number(0));
    const Intervals before = row;
    for (std::size_t k = 0; k < row.lower.size(); ++k) {
      row.lower[k] = std::max(before.lower[k], Number(1) - (most - before.upper[k]));
      row.upper[k] = std::min(before.upper[k], Number(1) - (least - before.lower[k]));
    }
  }

  const RowQuestion& question_;
  const std::vector<Number>& column_;
  const std::vector<double> rounded_column_;
  const std::uint32_t from_, to_;
  const Number bound_;
  const double rounded_bound_;
  const std::optional<Number>& tight_at_;
  Budget& budget_;
  std::size_t parts_ = 0;
  bool is_hopeless_ = false;  // rows come nearer to the bound than numbers show, as do those of some smaller part
};

// Numbers that are not above the bound, simple ones first: what holds with one of them holds.
std::vector<Number> bounds_to_try(const Surd& bound) {
  if (bound.is_rational()) return {bound.plain()};
  const double near = bound.approx();
  std::vector<Number> tried{simple(near * (1 - 1e-6), near * (1 - 1e-9))};
  if (bound.is_number()) tried.push_back(bound.plain());
  return tried;
}

}  // namespace

std::optional<ByRows> prove_by_rows(const std::vector<IntervalNode>& nodes, const RowQuestion& question,
                                    const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
                                    const Surd& bound, const std::optional<Number>& tight_at, Budget& budget) {
  Box box(question.rows.all().size());
  for (const IntervalNode& node : nodes) {
    const std::size_t first = question.rows.first_row(node.coordinate);
    std::copy(node.rows.begin(), node.rows.end(), box.begin() + static_cast<std::ptrdiff_t>(first));
  }
  for (const Number& tried : bounds_to_try(bound)) {
    if (Surd(tried) > bound) continue;
    RowProver prover(question, column, from, to, tried, tight_at, budget);
    if (auto proof = prover.prove(box)) return ByRows{tried, question.rows.order(), *std::move(proof)};
  }
  return std::nullopt;
}

}  // namespace oddsbound::sets
