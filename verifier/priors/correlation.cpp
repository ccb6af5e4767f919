// Priors of bounded correlation; the extreme cases are all priors (q = 1) and all product priors (q = 0).
//
// Let f and g be the columns of values a and b, F the largest entry of f and G the smallest of g. TV(P, Q) <= q if
// and only if P = (1 - q) W + q A and Q = (1 - q) W + q B for some distributions. For a fixed W the quotient is
// largest for A at F and B at G. The rest is linear-fractional in W, so it is largest at one record z of the
// others:
//
//   ((1-q) f(z) + q F) / ((1-q) g(z) + q G)
//
// BCDP paper, equation 13, quantifies over events instead of values. Single values suffice, because total
// variation is convex.

#include <algorithm>

#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

class CorrelationSearch final : public SetSearch {
 public:
  CorrelationSearch(const ColumnInputs& inputs, Number share) : inputs_(inputs), share_(std::move(share)) {}

  void look_at(const LabelledColumn& column) override { column_ = &column; }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    place_ = 0;
    if (share_.is_one()) return Ratio::of(column_->largest(from), column_->smallest(to));
    std::optional<Ratio> best;
    for (std::size_t z = 0; z < inputs_.inputs[from].size(); ++z) {
      const Ratio ratio = Ratio::of(mixed(column_->entries[from][z], column_->largest(from)),
                                    mixed(column_->entries[to][z], column_->smallest(to)));
      if (best && ratio <= *best) continue;
      best = ratio;
      place_ = z;
    }
    return best;
  }

  Member member(std::size_t from, std::size_t to) override {
    largest(from, to);
    MemberBuilder builder;
    const auto add = [&](std::size_t label, std::size_t extreme) {
      if (!share_.is_one()) builder.add(inputs_.inputs[label][place_], Number(1) - share_);
      builder.add(inputs_.inputs[label][extreme], share_);
    };
    add(from, column_->extremes[from].largest);
    add(to, column_->extremes[to].smallest);
    return builder.finish();
  }

 private:
  Number mixed(const Number& own, const Number& extreme) const { return own + share_ * (extreme - own); }

  const ColumnInputs& inputs_;
  const Number share_;
  const LabelledColumn* column_ = nullptr;
  std::size_t place_ = 0;
};

// The masses of labels do not matter: each label has mass 1 here, and the conditionals given any two labels have
// at most this distance.
SetDefinition conditionals_within(const SetQuestion& question, const Number& distance) {
  SetDefinition definition = SetDefinition::of_cells(question.domain.inputs());
  const auto& inputs = question.inputs.inputs;
  for (std::size_t a = 0; a < inputs.size(); ++a) {
    SetDefinition::Form mass;
    for (const std::uint64_t x : inputs[a]) mass.emplace_back(x, Number(1));
    definition.equal(std::move(mass), Number(1));
    for (std::size_t b = 0; b < a; ++b) {
      std::vector<std::pair<SetDefinition::Form, Number>> differences;
      for (std::size_t place = 0; place < inputs[a].size(); ++place) {
        differences.push_back({{{inputs[a][place], Number(1)}, {inputs[b][place], Number(-1)}}, Number(0)});
      }
      definition.distances_at_most(differences, Number(2) * distance);
    }
  }
  return definition;
}

class CorrelationSet final : public PriorSet {
 public:
  CorrelationSet(const Domain& domain, std::vector<std::optional<Number>> at_most) : at_most_(std::move(at_most)) {
    for (std::size_t i = 0; i < at_most_.size(); ++i) {
      if (!at_most_[i]) continue;
      stated_ += (stated_.empty() ? "" : ", ") + domain.coordinate(i).name + " " + at_most_[i]->to_string();
    }
    const bool same = std::all_of(at_most_.begin(), at_most_.end(), [&](const auto& q) { return q == at_most_[0]; });
    if (same) stated_ = at_most_[0]->to_string();
  }

  std::string words() const override { return "priors whose correlation is at most " + stated_; }

  std::string complaint(const Domain& domain, std::optional<std::size_t> about) const override {
    if (!about) return "correlation is that of coordinates, and the claim is not about one";
    if (!at_most_[*about]) return "it says nothing of the correlation of '" + domain.coordinate(*about).name + "'";
    return {};
  }

  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget&) const override {
    return std::make_unique<CorrelationSearch>(question.inputs, *at_most_[*question.inputs.coordinate]);
  }
  std::vector<SetDefinition> definitions(const SetQuestion& question, Budget&) const override {
    return {conditionals_within(question, *at_most_[*question.inputs.coordinate])};
  }
  std::optional<NamedInputs> named_inputs(Budget&) const override { return NamedInputs{{}, true}; }
  bool is_largest_part_by_part() const override { return true; }

 private:
  std::vector<std::optional<Number>> at_most_;
  std::string stated_;
};

class ProductSet final : public PriorSet {
 public:
  std::string words() const override { return "priors under which coordinates are independent"; }
  std::string complaint(const Domain&, std::optional<std::size_t> about) const override {
    return about ? "" : "independence is that of coordinates, and the claim is not about one";
  }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget&) const override {
    return std::make_unique<CorrelationSearch>(question.inputs, Number(0));
  }
  std::optional<NamedInputs> named_inputs(Budget&) const override { return NamedInputs{{}, true}; }
  bool is_largest_part_by_part() const override { return true; }
};

class AllSet final : public PriorSet {
 public:
  std::string words() const override { return "priors"; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget&) const override {
    return std::make_unique<CorrelationSearch>(question.inputs, Number(1));
  }
  std::vector<SetDefinition> definitions(const SetQuestion& question, Budget&) const override {
    return {SetDefinition::of_cells(question.domain.inputs())};
  }
  std::optional<NamedInputs> named_inputs(Budget&) const override { return NamedInputs{{}, true}; }
  bool is_largest_part_by_part() const override { return true; }
};

}  // namespace

PriorSetPtr all_priors() { return std::make_shared<AllSet>(); }
PriorSetPtr product_priors() { return std::make_shared<ProductSet>(); }
PriorSetPtr correlation_at_most(const Domain& domain, std::vector<std::optional<Number>> at_most) {
  return std::make_shared<CorrelationSet>(domain, std::move(at_most));
}

}  // namespace oddsbound::priors
