// The rows of a table: the inputs that have mass, however many others there are.
#include <algorithm>
#include <cassert>

#include "base/errors.h"
#include "verifier/model/priors/kind.h"

namespace oddsbound::model {

namespace {

bool before(InputView a, InputView b) { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); }

class SparsePrior final : public PriorKind {
 public:
  /// rows: distinct, in ascending order, one after the other in `cells`; all weights are positive.
  SparsePrior(DomainShape shape, Number total, std::vector<std::uint32_t> cells, std::vector<Number> weights)
      : PriorKind(std::move(shape), std::move(total)), cells_(std::move(cells)), weights_(std::move(weights)) {
    assert(cells_.size() == weights_.size() * this->shape().size());
    for (std::size_t r = 1; r < weights_.size(); ++r) assert(before(row(r - 1), row(r)));
  }

  Number weight(InputView wanted) const override {
    std::size_t low = 0;
    std::size_t high = weights_.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (before(row(middle), wanted)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool found = low < weights_.size() && !before(wanted, row(low));
    return found ? weights_[low] : Number(0);
  }

  bool has_full_support(Budget&) const override {
    // Rows are distinct, so there are as many as inputs only if each input is one.
    Number inputs(1);
    for (const std::uint32_t values : shape()) inputs *= Number(values);
    return inputs == rows();
  }

  Number support_size(Budget&) const override { return rows(); }

  void each_row(Budget& budget, const RowVisitor& visit) const override {
    for (std::size_t r = 0; r < weights_.size(); ++r) {
      budget.tick();
      visit(row(r), weights_[r]);
    }
  }

  InputRow draw(const Prior::PickWeight& pick) const override {
    const InputView chosen = row(pick(weights_));
    return {chosen.begin(), chosen.end()};
  }

  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const override {
    return parts_of(
        coordinates, [](InputView) { return true; }, budget);
  }

  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget& budget) const override {
    return parts_of(
        coordinates, [i, value](InputView row) { return row[i] == value; }, budget);
  }

 private:
  InputView row(std::size_t r) const { return InputView(cells_).subspan(r * shape().size(), shape().size()); }
  Number rows() const { return Number(static_cast<std::int64_t>(weights_.size())); }

  template <typename Keeps>
  Prior parts_of(std::span<const std::size_t> coordinates, Keeps keeps, Budget& budget) const {
    std::vector<WeightedRow> rows;
    each_row(budget, [&](InputView row, const Number& weight) {
      if (keeps(row)) rows.push_back({part_of_row(row, coordinates), weight});
    });
    return prior_of_rows(part_of(shape(), coordinates), std::move(rows), budget);
  }

  std::vector<std::uint32_t> cells_;
  std::vector<Number> weights_;
};

}  // namespace

Prior prior_of_rows(DomainShape shape, std::vector<WeightedRow> rows, Budget& budget) {
  for (const WeightedRow& given : rows) {
    budget.tick();
    require_weight(given.weight);
  }
  std::sort(rows.begin(), rows.end(), [](const WeightedRow& a, const WeightedRow& b) { return a.row < b.row; });
  std::vector<std::uint32_t> cells;
  std::vector<Number> weights;
  std::vector<WeightedTerm> terms;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    budget.tick();
    terms.push_back({Number(1), rows[r].weight});
    if (r + 1 < rows.size() && rows[r + 1].row == rows[r].row) continue;
    Number weight = weighted_sum(terms);
    terms.clear();
    if (weight.is_zero()) continue;
    cells.insert(cells.end(), rows[r].row.begin(), rows[r].row.end());
    weights.push_back(std::move(weight));
  }
  Number total = positive_total(weights);
  return Prior(std::make_shared<SparsePrior>(std::move(shape), std::move(total), std::move(cells), std::move(weights)));
}

Prior Prior::from_rows(const Domain& domain, std::vector<WeightedRow> rows, Budget& budget) {
  DomainShape shape = shape_of(domain);
  for (const WeightedRow& given : rows) {
    bool fits = given.row.size() == shape.size();
    for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = given.row[i] < shape[i];
    if (!fits) throw ModelError("a row of the prior is no input of the domain");
  }
  return prior_of_rows(std::move(shape), std::move(rows), budget);
}

}  // namespace oddsbound::model
