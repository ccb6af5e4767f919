// Independent coordinates: what is asked about some of them does not depend on the others.
#include <algorithm>

#include "base/errors.h"
#include "verifier/model/priors/kind.h"

namespace oddsbound::model {

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

  InputRow draw(const Prior::PickWeight& pick) const override {
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

  /// Of marginals that were checked.
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
      budget.tick();
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

Prior Prior::uniform(const Domain& domain) {
  std::vector<std::vector<Number>> marginals;
  for (std::size_t i = 0; i < domain.size(); ++i) marginals.emplace_back(domain.values(i), Number(1));
  return product_of_all(marginals);
}

}  // namespace oddsbound::model
