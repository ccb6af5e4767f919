// Where inputs and outputs can be enumerated, one pass adds the probabilities of the outputs with a large lift.
//
// Otherwise a product is folded part by part (likelihood_classes.h). Components that share no coordinate are
// independent under a prior with independent coordinates: those that do not see the coordinate of the claim count
// nothing, and the lifts of whole inputs multiply.
//
// Otherwise two bounds. With E = e^epsilon and the event R_s of the outputs that make the label s more than E times as
// likely, P(R_s) < P(R_s given s) / E <= 1 / E unless R_s is empty, and R_s is empty if E P(s) >= 1. So the tail is at
// most the sum of 1 / E over the labels with P(s) < 1 / E. An output with a large lift is the lower bound.
#include "verifier/notions/lift_tail.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/likelihood_classes.h"
#include "verifier/notions/scope.h"

namespace oddsbound::notions {

namespace {

// The inputs with mass of each label.
struct LabelMembers {
  std::vector<std::vector<std::pair<std::uint64_t, Number>>> inputs;  // with weights
  std::vector<Number> masses;
  Number total;

  LabelMembers(const std::vector<Number>& weights, const Partition& labels)
      : inputs(labels.size()), masses(labels.size()) {
    const std::vector<std::uint32_t> label_of = labels.labels();
    for (std::uint64_t x = 0; x < weights.size(); ++x) {
      if (weights[x].is_zero()) continue;
      inputs[label_of[x]].emplace_back(x, weights[x]);
      masses[label_of[x]] += weights[x];
      total += weights[x];
    }
  }
};

// True if joint[s] / masses[s] > factor * (sum of joint) / total for some label s that has mass.
bool has_large_lift(const std::vector<Number>& joint, const Number& all, const std::vector<Number>& masses,
                    const Number& total, const Number& factor) {
  const Number bound = factor * all;
  for (std::size_t label = 0; label < joint.size(); ++label) {
    if (masses[label].is_zero()) continue;
    if (compare_products(joint[label], total, bound, masses[label]) > 0) return true;
  }
  return false;
}

/// The outputs with a large lift, and their probability.
class LiftTailScan final : public AccumulatorOf<LiftTailScan> {
 public:
  struct Found {
    std::vector<std::uint64_t> outputs;
    Number probability;
  };

  LiftTailScan(const std::vector<Number>& weights, const Partition& labels, Number factor)
      : members_(std::make_shared<LabelMembers>(weights, labels)), factor_(std::move(factor)) {}

  void offer(ColumnView& column) override {
    const std::span<const std::uint32_t> ranks = column.ranks();
    std::vector<Number> joint(members_->inputs.size());
    std::vector<FractionTerm> terms;
    for (std::size_t label = 0; label < joint.size(); ++label) {
      terms.clear();
      for (const auto& [x, weight] : members_->inputs[label]) terms.push_back(column.pool().term(weight, ranks[x]));
      joint[label] = weighted_sum(terms);
    }
    Number all = sum_of(joint);
    if (!has_large_lift(joint, all, members_->masses, members_->total, factor_)) return;
    outputs_.push_back(column.output());
    masses_.push_back(std::move(all));
  }
  void take(LiftTailScan&& later) {
    outputs_.insert(outputs_.end(), later.outputs_.begin(), later.outputs_.end());
    masses_.insert(masses_.end(), later.masses_.begin(), later.masses_.end());
  }
  LiftTailScan successor() const {
    LiftTailScan next = *this;
    next.outputs_.clear();
    next.masses_.clear();
    return next;
  }

  Found finish(MeasuredModel&) { return {std::move(outputs_), sum_of(masses_) / members_->total}; }

 private:
  std::shared_ptr<const LabelMembers> members_;
  Number factor_;
  std::vector<std::uint64_t> outputs_;
  std::vector<Number> masses_;
};

struct LiftTailQuestion {
  Partition labels;
  Number factor;

  using Accumulator = LiftTailScan;
  friend bool operator==(const LiftTailQuestion&, const LiftTailQuestion&) = default;
  std::unique_ptr<LiftTailScan> begin(MeasuredModel& subject) const {
    return std::make_unique<LiftTailScan>(subject.prior().dense(subject.budget()).weights, labels, factor);
  }
};

// Joint probabilities of the labels and an output, times the total mass.
std::vector<Number> joint_of(const Likelihoods& likelihoods, const std::vector<LabeledInput>& inputs,
                             std::size_t labels) {
  std::vector<Number> joint(labels);
  for (std::size_t k = 0; k < inputs.size(); ++k) joint[inputs[k].label] += inputs[k].weight * likelihoods[k];
  return joint;
}

std::optional<Number> tail_of_product(MeasuredModel& subject, const Partition& labels, const Number& factor) {
  const auto inputs = labeled_inputs(subject, [&](InputView row) { return labels.label_of(row); });
  if (!inputs) return std::nullopt;
  // Claims about other labels and levels ask for the same classes.
  const auto& classes =
      subject.remember("classes of likelihoods", [&] { return classes_of_product(subject, *inputs); });
  if (!classes) return std::nullopt;
  std::vector<Number> masses(labels.size());
  for (const LabeledInput& input : *inputs) masses[input.label] += input.weight;
  const Number total = sum_of(masses);
  std::vector<Number> tail;
  for (const LikelihoodClass& own : *classes) {
    subject.budget().check_every();
    const std::vector<Number> joint = joint_of(own.likelihoods, *inputs, labels.size());
    Number all = sum_of(joint);
    if (has_large_lift(joint, all, masses, total, factor)) tail.push_back(std::move(all));
  }
  return sum_of(tail) / total;
}

// The largest lifts of whole inputs over the outputs of a component, with their probabilities.
using Lifts = std::unordered_map<Number, Number, NumberHash>;

std::optional<Lifts> lifts_of_inputs(MeasuredModel& subject) {
  const auto inputs = labeled_inputs(subject, [](InputView) { return 0; });
  if (!inputs) return std::nullopt;
  const auto classes = classes_of_product(subject, *inputs);
  if (!classes) return std::nullopt;
  Number total;
  for (const LabeledInput& input : *inputs) total += input.weight;
  Lifts lifts;
  for (const auto& [own, example] : *classes) {
    const Number probability = probability_given(0, *inputs, own) / total;
    // The class is several outputs with one lift.
    lifts[*std::max_element(own.begin(), own.end()) / probability] += probability;
  }
  return lifts;
}

std::optional<Number> tail_of_components(MeasuredModel& subject, const Number& factor) {
  constexpr std::size_t kMostLifts = std::size_t{1} << 16;
  Lifts all{{Number(1), Number(1)}};
  for (const engine::Component& component : engine::components_of(subject.model(), subject.budget())) {
    MeasuredModel part(component.model, subject.budget());
    const auto own = lifts_of_inputs(part);
    if (!own) return std::nullopt;
    Lifts together;
    for (const auto& [lift, probability] : all) {
      for (const auto& [more, times] : *own) {
        subject.budget().check_every();
        together[lift * more] += probability * times;
      }
      if (together.size() > kMostLifts) return std::nullopt;
    }
    all = std::move(together);
  }
  std::vector<Number> tail;
  for (auto& [lift, probability] : all) {
    if (lift > factor) tail.push_back(std::move(probability));
  }
  return sum_of(tail);
}

// The event of all outputs with a large lift, which is not listed.
MeasuredNumber unlisted_tail(Number probability, const std::string& coordinate) {
  MeasuredNumber tail{std::move(probability), {}};
  tail.witness.from = tail.witness.to = everyone();
  tail.witness.p_from = tail.witness.p_to = tail.at_least;
  tail.witness.coordinate = coordinate;
  tail.witness.likelihood_event = !tail.at_least.is_zero();
  return tail;
}

// Between two bounds, by the largest lift; exact if no lift exceeds e^epsilon.
MeasuredNumber bounded_tail(MeasuredModel& subject, const Partition& labels, const std::string& coordinate,
                            const Level& epsilon, const GroupLevel& largest) {
  if (largest.at_most() <= epsilon) return unlisted_tail(Number(0), coordinate);
  const Number most = Number(1) / epsilon.exponential();
  std::int64_t possible = 0;
  for (const Number& mass : label_masses(subject, labels)) {
    if (!mass.is_zero() && mass < most * subject.prior().total()) ++possible;
  }
  MeasuredNumber tail = unlisted_tail(Number(0), coordinate);
  if (largest.at_least > epsilon && largest.shows_something()) {
    const FoundOutput shown = largest.witness.get();
    tail.at_least = rounded_decimal(shown.p_to, false);
    tail.witness.outputs = {subject.channel().label_of(shown.output)};
    tail.witness.p_from = tail.witness.p_to = shown.p_to;
  }
  Number at_most = std::min(Number(1), rounded_decimal(Number(possible) * most, true));
  if (at_most <= tail.at_least) return tail;
  tail.unfinished = MeasuredNumber::Unfinished{
      std::move(at_most), "outputs are too many to go through (--max-cells), and their lifts too many to list"};
  return tail;
}

// The coordinate's component, if its outputs are independent of all others.
std::optional<MeasuredNumber> tail_in_component(MeasuredModel& subject, std::size_t coordinate, const Number& factor) {
  const auto about = engine::component_about(subject.model(), coordinate, subject.budget());
  if (!about) return std::nullopt;
  MeasuredModel part(about->component.model, subject.budget());
  const Partition labels = Partition::by_value(part.domain(), about->coordinate);
  const std::string& name = subject.domain().coordinate(coordinate).name;
  if (part.can_enumerate()) return unlisted_tail(part.answer(LiftTailQuestion{labels, factor}).probability, name);
  auto tail = tail_of_product(part, labels, factor);
  if (!tail) return std::nullopt;
  return unlisted_tail(*std::move(tail), name);
}

}  // namespace

void expect_lift_tail(MeasuredModel& subject, const Partition& labels, const Level& epsilon) {
  if (subject.can_enumerate() && !epsilon.is_infinite())
    subject.expect(LiftTailQuestion{labels, epsilon.exponential()});
}

MeasuredNumber lift_tail(MeasuredModel& subject, const std::function<Partition()>& labels,
                         std::optional<std::size_t> coordinate, bool by_inputs, const Level& epsilon,
                         const std::function<GroupLevel()>& largest_lift) {
  const std::string name = coordinate ? subject.domain().coordinate(*coordinate).name : "";
  if (epsilon.is_infinite()) return unlisted_tail(Number(0), name);
  const Number& factor = epsilon.exponential();
  if (subject.can_enumerate()) {
    const LiftTailScan::Found& found = subject.answer(LiftTailQuestion{labels(), factor});
    MeasuredNumber tail = unlisted_tail(found.probability, name);
    tail.witness.likelihood_event = false;
    for (const std::uint64_t y : found.outputs) {
      tail.witness.outputs.push_back(subject.channel().output_label(y));
    }
    return tail;
  }
  if (coordinate) {
    if (auto tail = tail_in_component(subject, *coordinate, factor)) return *std::move(tail);
  }
  if (by_inputs && subject.prior().has_independent_coordinates()) {
    if (auto tail = tail_of_components(subject, factor)) return unlisted_tail(*std::move(tail), name);
    if (largest_lift().at_most() <= epsilon) return unlisted_tail(Number(0), name);
  }
  const Partition own = labels();
  if (auto tail = tail_of_product(subject, own, factor)) return unlisted_tail(*std::move(tail), name);
  return bounded_tail(subject, own, name, epsilon, largest_lift());
}

}  // namespace oddsbound::notions
