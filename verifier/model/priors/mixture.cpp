// Priors of which one is drawn first: sums of theirs, in whatever kind each of them is.
#include <algorithm>

#include "base/errors.h"
#include "verifier/model/priors/kind.h"

namespace oddsbound::model {

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

  // A row that several components have is visited with the first of them.
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

  InputRow draw(const Prior::PickWeight& pick) const override { return components_[pick(shares_)].draw(pick); }

  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const override {
    std::vector<Prior> parts;
    for (const Prior& component : components_) parts.push_back(component.marginal(coordinates, budget));
    return make(part_of(shape(), coordinates), std::move(parts), shares_);
  }

  // Bayes' rule: the value makes a component the likelier the likelier the component makes the value.
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
