#include "verifier/priors/row_proof.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "verifier/exact/interval.h"
#include "verifier/priors/mean_cuts.h"
#include "verifier/priors/product_search.h"

namespace oddsbound::priors {

namespace {

using Intervals = IntervalNode::Row;

constexpr std::size_t kMostParts = 256;  // of a proof

class RowProver {
 public:
  RowProver(const RowQuestion& question, const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
            const Number& bound, const std::optional<Number>& tight_at, Budget& budget)
      : question_(question),
        column_(column),
        from_(from),
        to_(to),
        bound_(bound),
        budget_(budget),
        cutter_(question, column, from, to, bound.approx(), tight_at, budget) {}

  std::optional<RowProof> prove(const IntervalBox& box) {
    if (++parts_ > kMostParts || cutter_.is_hopeless()) return std::nullopt;
    std::optional<MeanCuts> cuts = cutter_.cut(box);
    if (cuts && holds(box, *cuts)) return RowProof{*std::move(cuts), {}};
    const std::optional<std::size_t> row = most_open(box);
    return row ? split(box, *row) : std::nullopt;
  }

  // Tightens the ends to values that some distribution in the row attains, given the bounds of the other entries.
  static void tighten(Intervals& row) {
    const Number least = std::accumulate(row.lower.begin(), row.lower.end(), Number(0));
    const Number most = std::accumulate(row.upper.begin(), row.upper.end(), Number(0));
    const Intervals before = row;
    for (std::size_t k = 0; k < row.lower.size(); ++k) {
      row.lower[k] = std::max(before.lower[k], Number(1) - (most - before.upper[k]));
      row.upper[k] = std::min(before.upper[k], Number(1) - (least - before.lower[k]));
    }
  }

 private:
  // Returns true if (1 - share) P(from) (A - mean) <= share P(to) (B - mean) for all rows of the box, exactly.
  bool is_never_above(const IntervalBox& box, const Number& mean, const Number& share) const {
    std::vector<Number> leaves(column_.size());
    const Number rest = Number(1) - share;
    for (std::size_t x = 0; x < leaves.size(); ++x) {
      if (question_.label_of[x] == from_) leaves[x] = rest * (column_[x] - mean);
      if (question_.label_of[x] == to_) leaves[x] = share * (mean - bound_ * column_[x]);
    }
    const Number most = question_.rows.fold(
        NetworkRows::kAnyLast, std::move(leaves), [&](std::size_t row, std::span<const Number> values) {
          budget_.check_every();
          Number sum;
          fill_row(
              box[row].lower, box[row].upper, [&](std::size_t a, std::size_t b) { return values[a] > values[b]; },
              [&](std::size_t k, const Number& mass) { sum += mass * values[k]; });
          return sum;
        });
    return most.sign() <= 0;
  }

  bool holds(const IntervalBox& box, const MeanCuts& cuts) const {
    if (!is_never_above(box, cuts.means.front(), Number(1)) || !is_never_above(box, cuts.means.back(), Number(0))) {
      return false;
    }
    for (std::size_t i = 0; i < cuts.shares.size(); ++i) {
      if (!is_never_above(box, cuts.means[i], cuts.shares[i])) return false;
      if (!is_never_above(box, cuts.means[i + 1], cuts.shares[i])) return false;
    }
    return true;
  }

  // Returns the widest row among those that are met more than once.
  std::optional<std::size_t> most_open(const IntervalBox& box) const {
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

  std::optional<RowProof> split(const IntervalBox& box, std::size_t row) {
    const std::size_t coordinate = question_.rows.coordinate_of(row);
    RowSplit split{coordinate, row - question_.rows.first_row(coordinate), std::nullopt, {}};
    std::vector<IntervalBox> parts;
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
      for (IntervalBox& part : parts) tighten(part[row]);
      split.at = {value, middle};
    }
    RowProof proof{std::move(split), {}};
    for (const IntervalBox& part : parts) {
      std::optional<RowProof> own = prove(part);
      if (!own) return std::nullopt;
      proof.parts.push_back(*std::move(own));
    }
    return proof;
  }

  const RowQuestion& question_;
  const std::vector<Number>& column_;
  const std::uint32_t from_, to_;
  const Number& bound_;
  Budget& budget_;
  MeanCutter cutter_;
  std::size_t parts_ = 0;
};

// Returns numbers that are at most the bound, simple ones first. A proof for one of them proves the bound.
std::vector<Number> bounds_to_try(const Surd& bound) {
  if (bound.is_rational()) return {bound.plain()};
  const double near = bound.approx();
  if (!std::isfinite(near)) return {};
  std::vector<Number> tried{
      exact::simplest_between(exact::number_of(near * (1 - 1e-6)), exact::number_of(near * (1 - 1e-9)))};
  if (bound.is_number()) tried.push_back(bound.plain());
  return tried;
}

}  // namespace

std::optional<ByRows> prove_by_rows(const std::vector<IntervalNode>& nodes, const RowQuestion& question,
                                    const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
                                    const Surd& bound, const std::optional<Number>& tight_at, Budget& budget) {
  IntervalBox box(question.rows.all().size());
  for (const IntervalNode& node : nodes) {
    const std::size_t first = question.rows.first_row(node.coordinate);
    std::copy(node.rows.begin(), node.rows.end(), box.begin() + static_cast<std::ptrdiff_t>(first));
  }
  // Otherwise rounded ends could leave a value mass that it never has.
  for (Intervals& row : box) RowProver::tighten(row);
  for (const Number& tried : bounds_to_try(bound)) {
    if (Surd(tried) > bound) continue;
    RowProver prover(question, column, from, to, tried, tight_at, budget);
    if (auto proof = prover.prove(box)) return ByRows{tried, question.rows.order(), *std::move(proof)};
  }
  return std::nullopt;
}

namespace {

class ProofScan final : public AccumulatorOf<ProofScan> {
 public:
  ProofScan(const PriorSet& set, const SetQuestion& question, const AllowedPairs& direction, const Surd& bound)
      : set_(set), question_(question), columns_(set, question), direction_(direction), bound_(bound) {}

  void offer(ColumnView& view) override {
    SetSearch& search = columns_.look_at(view);
    for (std::size_t from = 0; from < columns_.labels(); ++from) {
      for (std::size_t to = 0; to < columns_.labels(); ++to) {
        Budget::current()->check_every();
        if (direction_.allows(from, to)) prove(search, view.output(), from, to);
        if (found_.missing) return;
      }
    }
  }

  bool is_saturated() const override { return found_.missing.has_value(); }
  void take(ProofScan&& later) {
    std::move(later.found_.pairs.begin(), later.found_.pairs.end(), std::back_inserter(found_.pairs));
    if (found_.masses.empty()) found_.masses = std::move(later.found_.masses);
    if (!found_.missing) found_.missing = later.found_.missing;
  }
  ProofScan successor() const { return {set_, question_, direction_, bound_}; }

  SetLevelProof finish() { return std::move(found_); }

 private:
  void prove(SetSearch& search, std::uint64_t output, std::size_t from, std::size_t to) {
    // For any prior the quotient is at most that of the extreme entries.
    if (Ratio::of(columns_.column().largest(from), columns_.column().smallest(to)) <= Ratio{bound_}) return;
    std::optional<SetProof> proof = search.proof(from, to, bound_);
    if (!proof) {
      found_.missing = SetLevelProof::Place{output, from, to};
      return;
    }
    if (std::holds_alternative<ByForm>(*proof)) return;
    if (std::holds_alternative<ByPrices>(*proof) && found_.masses.empty()) found_.masses = search.mass_proofs();
    found_.pairs.push_back({output, from, to, std::move(*proof)});
  }

  const PriorSet& set_;
  const SetQuestion& question_;
  ColumnSearch columns_;
  const AllowedPairs& direction_;
  const Surd& bound_;
  SetLevelProof found_;
};

}  // namespace

SetLevelProof prove_level(MeasuredModel& subject, const PriorSet& set, const ColumnInputs& inputs,
                          const AllowedPairs& direction, const Surd& bound, std::size_t at_once) {
  const SetQuestion question{subject.domain(), inputs, subject.channel().output_count(), at_once};
  ProofScan scan(set, question, direction, bound);
  pass(subject.columns(), scan, subject.budget());
  return scan.finish();
}

}  // namespace oddsbound::priors
