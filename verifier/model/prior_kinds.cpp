// The kinds of priors except networks: dense tables, sparse tables, products of marginals, and mixtures.
//
// Dense: one weight per input, for priors given in this form and for small tables derived from others.

#include <algorithm>
#include <cassert>

#include "base/errors.h"
#include "verifier/model/prior.h"

namespace oddsbound::model {

namespace {

class DensePrior final : public PriorKind {
 public:
  DensePrior(DomainShape shape, Number total, DenseWeights dense)
      : PriorKind(std::move(shape), std::move(total)), dense_(std::move(dense)) {}

  Number weight(InputView row) const override { return dense_.weights[index_of(shape(), row)]; }

  const DenseWeights& dense(Budget&) const override { return dense_; }

  bool has_full_support(Budget&) const override {
    return std::none_of(dense_.weights.begin(), dense_.weights.end(), [](const Number& w) { return w.is_zero(); });
  }

  void each_row(Budget& budget, const RowVisitor& visit) const override {
    InputRow row(shape().size());
    for (const Number& weight : dense_.weights) {
      budget.check_every();
      if (!weight.is_zero()) visit(row, weight);
      advance(row, shape());
    }
  }

  InputRow draw(const PickWeight& pick) const override { return row_of(shape(), pick(dense_.weights)); }

  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const override {
    return sums_over(
        coordinates, [](InputView) { return true; }, budget);
  }

  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget& budget) const override {
    return sums_over(
        coordinates, [i, value](InputView row) { return row[i] == value; }, budget);
  }

 private:
  // Returns the marginal of the inputs for which keeps(row) holds.
  template <typename Keeps>
  Prior sums_over(std::span<const std::size_t> coordinates, Keeps keeps, Budget& budget) const {
    DomainShape part = part_of(shape(), coordinates);
    std::vector<std::vector<WeightedTerm>> terms(inputs_within(part, budget));
    each_row(budget, [&](InputView row, const Number& weight) {
      if (!keeps(row)) return;
      std::uint64_t cell = 0;
      for (const std::size_t i : coordinates) cell = cell * shape()[i] + row[i];
      terms[cell].push_back({Number(1), weight});
    });
    std::vector<Number> weights;
    weights.reserve(terms.size());
    for (const auto& cell : terms) weights.push_back(weighted_sum(cell));
    return prior_of_weights(std::move(part), std::move(weights), budget);
  }

  DenseWeights dense_;
};

}  // namespace

Prior prior_of_weights(DomainShape shape, std::vector<Number> weights, Budget& budget) {
  for (const Number& weight : weights) {
    budget.check_every();
    require_weight(weight);
  }
  Number total = positive_total(weights);
  DenseWeights dense = with_approximations(std::move(weights), budget);
  return Prior(std::make_shared<DensePrior>(std::move(shape), std::move(total), std::move(dense)));
}

Prior Prior::from_weights(const Domain& domain, std::vector<Number> weights, Budget& budget) {
  if (weights.size() != domain.inputs()) {
    throw ModelError("found " + std::to_string(weights.size()) + " entries, expected one for each of the " +
                     std::to_string(domain.inputs()) + " inputs");
  }
  return prior_of_weights(shape_of(domain), std::move(weights), budget);
}

// Sparse: the rows of a table, which are the inputs of positive weight.

namespace {

bool before(InputView a, InputView b) { return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end()); }

class SparsePrior final : public PriorKind {
 public:
  /// `cells`: distinct rows in ascending order, one after another. All weights are positive.
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
    // Rows are distinct, so support is full if and only if there are as many rows as inputs.
    Number inputs(1);
    for (const std::uint32_t values : shape()) inputs *= Number(values);
    return inputs == rows();
  }

  Number support_size(Budget&) const override { return rows(); }

  void each_row(Budget& budget, const RowVisitor& visit) const override {
    for (std::size_t r = 0; r < weights_.size(); ++r) {
      budget.check_every();
      visit(row(r), weights_[r]);
    }
  }

  InputRow draw(const PickWeight& pick) const override {
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
    budget.check_every();
    require_weight(given.weight);
  }
  std::sort(rows.begin(), rows.end(), [](const WeightedRow& a, const WeightedRow& b) { return a.row < b.row; });
  std::vector<std::uint32_t> cells;
  std::vector<Number> weights;
  std::vector<WeightedTerm> terms;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    budget.check_every();
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

// Product: independent coordinates. A query about some coordinates does not depend on the others.

namespace {

using Marginals = std::vector<std::vector<Number>>;

class ProductPrior final : public PriorKind {
 public:
  ProductPrior(DomainShape shape, Number total, Marginals marginals, std::vector<Number> totals)
      : PriorKind(std::move(shape), std::move(total)), marginals_(std::move(marginals)), totals_(std::move(totals)) {}

  Number weight(InputView row) const override {
    Number product(1);
    for (std::size_t i = 0; i < row.size(); ++i) product *= marginals_[i][row[i]];
    return product;
  }

  bool has_independent_coordinates() const override { return true; }

  bool is_uniform() const override {
    return std::all_of(marginals_.begin(), marginals_.end(), [](const auto& marginal) {
      return std::all_of(marginal.begin(), marginal.end(), [&](const Number& weight) { return weight == marginal[0]; });
    });
  }

  std::vector<WeightTable> tables() const override {
    std::vector<WeightTable> tables;
    for (std::size_t i = 0; i < marginals_.size(); ++i) tables.push_back({{i}, marginals_[i]});
    return tables;
  }

  bool has_full_support(Budget&) const override {
    return std::all_of(marginals_.begin(), marginals_.end(), [](const auto& marginal) {
      return std::none_of(marginal.begin(), marginal.end(), [](const Number& weight) { return weight.is_zero(); });
    });
  }

  Number support_size(Budget&) const override {
    Number product(1);
    for (const auto& marginal : marginals_) {
      product *= Number(static_cast<std::int64_t>(marginal.size()) -
                        std::count_if(marginal.begin(), marginal.end(), [](const Number& w) { return w.is_zero(); }));
    }
    return product;
  }

  void each_row(Budget& budget, const RowVisitor& visit) const override {
    InputRow row(shape().size());
    each_row_from(0, Number(1), row, budget, visit);
  }

  std::vector<Number> marginal_weights(std::size_t i, Budget&) const override {
    const Number others = total() / totals_[i];
    std::vector<Number> weights;
    weights.reserve(marginals_[i].size());
    for (const Number& weight : marginals_[i]) weights.push_back(weight * others);
    return weights;
  }

  InputRow draw(const PickWeight& pick) const override {
    InputRow row;
    for (const auto& marginal : marginals_) row.push_back(static_cast<std::uint32_t>(pick(marginal)));
    return row;
  }

  Prior marginal(std::span<const std::size_t> coordinates, Budget&) const override {
    return make(coordinates, marginals_);
  }

  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget&) const override {
    Marginals given = marginals_;
    for (std::uint32_t v = 0; v < given[i].size(); ++v) {
      if (v != value) given[i][v] = Number(0);
    }
    positive_total(given[i]);
    return make(coordinates, given);
  }

  /// `all` has passed the checks of Prior::product.
  static Prior make(std::span<const std::size_t> coordinates, const Marginals& all) {
    DomainShape shape;
    Marginals marginals;
    std::vector<Number> totals;
    Number total(1);
    for (const std::size_t i : coordinates) {
      shape.push_back(static_cast<std::uint32_t>(all[i].size()));
      marginals.push_back(all[i]);
      totals.push_back(positive_total(all[i]));
      total *= totals.back();
    }
    return Prior(
        std::make_shared<ProductPrior>(std::move(shape), std::move(total), std::move(marginals), std::move(totals)));
  }

 private:
  void each_row_from(std::size_t i, const Number& prefix, InputRow& row, Budget& budget,
                     const RowVisitor& visit) const {
    if (i == row.size()) {
      budget.check_every();
      visit(row, prefix);
      return;
    }
    for (row[i] = 0; row[i] < shape()[i]; ++row[i]) {
      const Number& weight = marginals_[i][row[i]];
      if (!weight.is_zero()) each_row_from(i + 1, prefix * weight, row, budget, visit);
    }
  }

  Marginals marginals_;
  std::vector<Number> totals_;  // of each marginal
};

Prior product_of_all(const Marginals& marginals) {
  std::vector<std::size_t> all(marginals.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return ProductPrior::make(all, marginals);
}

}  // namespace

Prior Prior::product(const Domain& domain, std::vector<std::vector<Number>> marginals) {
  bool fits = marginals.size() == domain.size();
  for (std::size_t i = 0; fits && i < marginals.size(); ++i) fits = marginals[i].size() == domain.values(i);
  if (!fits) throw ModelError("a product prior needs a weight for every value of every coordinate");
  for (const auto& marginal : marginals) {
    for (const Number& weight : marginal) require_weight(weight);
  }
  return product_of_all(marginals);
}

// Mixture: weighted sums of components of any kinds.

namespace {

class MixturePrior final : public PriorKind {
 public:
  /// All shares are positive.
  MixturePrior(DomainShape shape, Number total, std::vector<Prior> components, std::vector<Number> shares)
      : PriorKind(std::move(shape), std::move(total)), components_(std::move(components)), shares_(std::move(shares)) {
    for (std::size_t c = 0; c < shares_.size(); ++c) scales_.push_back(shares_[c] / components_[c].total());
  }

  Number weight(InputView row) const override {
    std::vector<WeightedTerm> terms;
    for (std::size_t c = 0; c < components_.size(); ++c) terms.push_back({scales_[c], components_[c].weight(row)});
    return weighted_sum(terms);
  }

  bool has_full_support(Budget& budget) const override {
    Number inputs(1);
    for (const std::uint32_t values : shape()) inputs *= Number(values);
    Number most(0);
    for (const Prior& component : components_) {
      if (component.has_full_support(budget)) return true;
      most += component.support_size(budget);
    }
    return most >= inputs && support_size(budget) == inputs;
  }

  // A row of several components is visited with the first of them.
  void each_row(Budget& budget, const RowVisitor& visit) const override {
    for (std::size_t c = 0; c < components_.size(); ++c) {
      components_[c].each_row(budget, [&](InputView row, const Number&) {
        const bool seen = std::any_of(components_.begin(), components_.begin() + static_cast<std::ptrdiff_t>(c),
                                      [row](const Prior& earlier) { return !earlier.weight(row).is_zero(); });
        if (!seen) visit(row, weight(row));
      });
    }
  }

  std::vector<Number> marginal_weights(std::size_t i, Budget& budget) const override {
    std::vector<Number> sums(shape()[i], Number(0));
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const std::vector<Number> weights = components_[c].marginal_weights(i, budget);
      for (std::size_t v = 0; v < sums.size(); ++v) sums[v] += scales_[c] * weights[v];
    }
    return sums;
  }

  InputRow draw(const PickWeight& pick) const override { return components_[pick(shares_)].draw(pick); }

  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const override {
    std::vector<Prior> parts;
    for (const Prior& component : components_) parts.push_back(component.marginal(coordinates, budget));
    return make(part_of(shape(), coordinates), std::move(parts), shares_);
  }

  // Bayes' rule: the posterior share of a component is proportional to its share times its probability of the
  // value.
  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget& budget) const override {
    std::vector<Prior> parts;
    std::vector<Number> shares;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      Number share = scales_[c] * components_[c].marginal_weights(i, budget)[value];
      if (share.is_zero()) continue;
      shares.push_back(std::move(share));
      parts.push_back(components_[c].conditional(i, value, coordinates, budget));
    }
    return make(part_of(shape(), coordinates), std::move(parts), std::move(shares));
  }

  static Prior make(DomainShape shape, std::vector<Prior> components, std::vector<Number> shares) {
    Number total = positive_total(shares);
    return Prior(
        std::make_shared<MixturePrior>(std::move(shape), std::move(total), std::move(components), std::move(shares)));
  }

 protected:
  std::vector<Number> expand(std::uint64_t inputs, Budget& budget) const override {
    std::vector<std::vector<WeightedTerm>> terms(inputs);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      components_[c].each_row(budget, [&](InputView row, const Number& weight) {
        terms[index_of(shape(), row)].push_back({scales_[c], weight});
      });
    }
    std::vector<Number> weights;
    weights.reserve(inputs);
    for (const auto& cell : terms) weights.push_back(weighted_sum(cell));
    return weights;
  }

 private:
  std::vector<Prior> components_;
  std::vector<Number> shares_;
  std::vector<Number> scales_;  // of the components' weights
};

}  // namespace

Prior Prior::mixture(const Domain& domain, std::vector<Prior> components, std::vector<Number> shares) {
  const DomainShape shape = shape_of(domain);
  if (components.size() != shares.size()) throw ModelError("a mixture needs a share for each of its components");
  std::vector<Prior> parts;
  std::vector<Number> of_parts;
  for (std::size_t c = 0; c < components.size(); ++c) {
    if (components[c].shape() != shape) throw ModelError("a component of a mixture is a prior on other inputs");
    require_weight(shares[c]);
    if (shares[c].is_zero()) continue;
    parts.push_back(std::move(components[c]));
    of_parts.push_back(std::move(shares[c]));
  }
  return MixturePrior::make(shape, std::move(parts), std::move(of_parts));
}

}  // namespace oddsbound::model
