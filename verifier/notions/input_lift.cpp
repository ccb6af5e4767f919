// With w the prior, the lift of input a by output y is
//
//   P(y given a) / P(y) = 1 / sum over b of w(b) P(y given b) / P(y given a).
//
// Under a prior with independent coordinates, lifts multiply over components without a common coordinate.
//
// Within a component, each quotient in the sum is a product over the independent parts. An output that has, in every
// part, the least quotient for every b has the largest lift of a. The quotients of a part that are least for each b by
// itself give a bound. Randomized response has an output for which all are least, so the bound is the lift. For the
// inverse of a lift the quotients are to be largest.
//
// Where the bound exceeds the lift of every output that is found, the classes of outputs with proportional likelihoods
// (likelihood_classes.h) decide, if there are few.
#include "verifier/notions/input_lift.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/notions/likelihood_classes.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kTooManyOutputs =
    "inputs and outputs are too many to go through (--max-cells), and their likelihoods too many to list";

// The outputs of a part that are best for one input, by the sum and for every other input by itself.
struct BestOfPart {
  std::uint64_t output = 0;       // the best sum
  std::vector<Number> quotients;  // of this output, by input
  std::vector<Number> extremes;   // by input, over all outputs
};

class LiftByParts {
 public:
  LiftByParts(MeasuredModel& subject, bool upper)
      : subject_(subject), upper_(upper), parts_(repeated_parts(subject.model())) {
    auto inputs = labeled_inputs(subject, [](InputView) { return 0; });
    if (!inputs) {
      throw LimitError("inputs and outputs are too many to go through (--max-cells), and more than " +
                       std::to_string(kMostInputsWithMass) + " inputs have mass");
    }
    inputs_ = *std::move(inputs);
    for (const LabeledInput& input : inputs_) total_ += input.weight;
    for (const RepeatedPart& repeated : parts_) {
      auto own = likelihoods_of_part(subject, repeated.part, inputs_);
      if (!own) {
        throw LimitError("inputs and outputs are too many to go through (--max-cells), as are those of one part");
      }
      likelihoods_.push_back(*std::move(own));
    }
  }

  InputLift find() {
    if (!upper_) {
      if (auto infinite = impossible()) return *std::move(infinite);
    }
    for (std::size_t a = 0; a < inputs_.size(); ++a) offer(a);
    if (best_bound_ == best_sum_) return found(best_input_, joined_output(subject_.model(), output_of_units()));
    if (auto exact = by_classes()) return *std::move(exact);
    InputLift open = found(best_input_, joined_output(subject_.model(), output_of_units()));
    open.level.unfinished = Unfinished{level_of_sum(best_bound_), kTooManyOutputs};
    return open;
  }

 private:
  // True if a sum of quotients is the better one.
  bool is_better(const Number& one, const Number& other) const { return upper_ ? one < other : other < one; }

  Level level_of_sum(const Number& sum) const { return Level::of_exponential(upper_ ? total_ / sum : sum / total_); }

  // An output that is impossible given an input, but not given another one, has an infinite inverse of a lift.
  std::optional<InputLift> impossible() {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      for (std::uint64_t y = 0; y < likelihoods_[k].size(); ++y) {
        const std::vector<Number>& own = likelihoods_[k][y];
        const auto is_zero = [](const Number& number) { return number.is_zero(); };
        const auto never = std::find_if(own.begin(), own.end(), is_zero);
        const auto some = std::find_if_not(own.begin(), own.end(), is_zero);
        if (never == own.end() || some == own.end()) continue;
        const auto other = static_cast<std::size_t>(some - own.begin());
        std::vector<std::uint64_t> of_units(unit_count());
        for (std::size_t j = 0; j < parts_.size(); ++j) {
          std::uint64_t output = y;
          if (j != k) {
            output = 0;
            while (likelihoods_[j][output][other].is_zero()) ++output;
          }
          for (const std::size_t place : parts_[j].places) of_units[place] = output;
        }
        return found(static_cast<std::size_t>(never - own.begin()), joined_output(subject_.model(), of_units));
      }
    }
    return std::nullopt;
  }

  std::size_t unit_count() const {
    std::size_t count = 0;
    for (const RepeatedPart& repeated : parts_) count += repeated.places.size();
    return count;
  }

  BestOfPart best_of_part(std::size_t k, std::size_t a) const {
    BestOfPart best;
    std::optional<Number> best_sum;
    for (std::uint64_t y = 0; y < likelihoods_[k].size(); ++y) {
      subject_.budget().check_every();
      const std::vector<Number>& own = likelihoods_[k][y];
      if (own[a].is_zero()) continue;
      std::vector<Number> quotients;
      for (const Number& other : own) quotients.push_back(other / own[a]);
      Number sum = weighted(quotients);
      if (!best_sum) best.extremes = quotients;
      for (std::size_t b = 0; b < own.size(); ++b) {
        if (is_better(quotients[b], best.extremes[b])) best.extremes[b] = quotients[b];
      }
      if (best_sum && !is_better(sum, *best_sum)) continue;
      best_sum = std::move(sum);
      best.output = y;
      best.quotients = std::move(quotients);
    }
    return best;
  }

  void offer(std::size_t a) {
    const std::size_t inputs = inputs_.size();
    std::vector<Number> quotients(inputs, Number(1)), extremes = quotients;
    std::vector<std::uint64_t> outputs;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      const BestOfPart best = best_of_part(k, a);
      outputs.push_back(best.output);
      const auto times = static_cast<std::int64_t>(parts_[k].places.size());
      for (std::size_t b = 0; b < inputs; ++b) {
        subject_.budget().check_every();
        const Number power = best.quotients[b].pow(times);
        extremes[b] *= best.quotients[b] == best.extremes[b] ? power : best.extremes[b].pow(times);
        quotients[b] *= power;
      }
    }
    Number sum = weighted(quotients), bound = weighted(extremes);
    if (best_outputs_.empty() || is_better(bound, best_bound_)) best_bound_ = std::move(bound);
    if (!best_outputs_.empty() && !is_better(sum, best_sum_)) return;
    best_sum_ = std::move(sum);
    best_input_ = a;
    best_outputs_ = std::move(outputs);
  }

  Number weighted(const std::vector<Number>& numbers) const {
    std::vector<WeightedTerm> terms;
    for (std::size_t b = 0; b < numbers.size(); ++b) terms.push_back({inputs_[b].weight, numbers[b]});
    return weighted_sum(terms);
  }

  std::vector<std::uint64_t> output_of_units() const {
    std::vector<std::uint64_t> of_units(unit_count());
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      for (const std::size_t place : parts_[k].places) of_units[place] = best_outputs_[k];
    }
    return of_units;
  }

  // The lift of an input by an output.
  InputLift found(std::size_t a, std::vector<std::uint64_t> output) const {
    const Model& model = subject_.model();
    std::vector<Number> likelihoods;
    for (const LabeledInput& input : inputs_) {
      likelihoods.push_back(model.channel->entry_at(model.domain, input.row, output));
    }
    const Number everyone = weighted(likelihoods) / total_;
    const Number &from = upper_ ? likelihoods[a] : everyone, &to = upper_ ? everyone : likelihoods[a];
    InputLift lift;
    lift.input = inputs_[a].row;
    lift.level.attain({std::move(output), from, to});
    return lift;
  }

  std::optional<InputLift> by_classes() const {
    constexpr double kShareOfTime = 0.5;
    Budget& budget = subject_.budget();
    struct Found {
      std::optional<LikelihoodClasses> classes;
      bool complete;
    };
    // For the largest lift and the smallest one.
    const auto& [classes, complete] = subject_.remember("classes of likelihoods for lifts", [&] {
      auto found = classes_of_product(subject_, inputs_, kShareOfTime * budget.seconds_left());
      const bool is_complete = found.has_value();
      return Found{std::move(found), is_complete};
    });
    if (!complete) return std::nullopt;
    std::optional<Number> best;
    std::size_t best_input = 0;
    const LikelihoodClass* of_best = nullptr;
    for (const LikelihoodClass& own : *classes) {
      if (!own.example) return std::nullopt;
      budget.check_every();
      const auto extreme = upper_ ? std::max_element(own.likelihoods.begin(), own.likelihoods.end())
                                  : std::min_element(own.likelihoods.begin(), own.likelihoods.end());
      Number sum = weighted(own.likelihoods) / *extreme;
      if (best && !is_better(sum, *best)) continue;
      best = std::move(sum);
      best_input = static_cast<std::size_t>(extreme - own.likelihoods.begin());
      of_best = &own;
    }
    return found(best_input, output_of_example(subject_.model(), *of_best->example));
  }

  MeasuredModel& subject_;
  bool upper_;
  std::vector<RepeatedPart> parts_;
  std::vector<LabeledInput> inputs_;  // with mass
  Number total_;
  std::vector<std::vector<std::vector<Number>>> likelihoods_;  // by part, output and input
  Number best_sum_, best_bound_;                               // of quotients, times the total mass
  std::size_t best_input_ = 0;
  std::vector<std::uint64_t> best_outputs_;  // by part
};

// Lifts of independent components multiply. A coordinate that no part sees has a lift of 1.
InputLift over_components(MeasuredModel& subject, bool upper,
                          const std::function<InputLift(MeasuredModel&, bool)>& enumerated) {
  const Domain& domain = subject.domain();
  InputLift whole;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const std::vector<Number> weights = subject.prior().marginal_weights(i, subject.budget());
    const auto some = std::find_if(weights.begin(), weights.end(), [](const Number& own) { return !own.is_zero(); });
    whole.input.push_back(static_cast<InputRow::value_type>(some - weights.begin()));
  }
  FoundOutput output{std::vector<std::uint64_t>(subject.channel().factors().size()), Number(1), Number(1)};
  Number at_most(1);
  std::optional<Unfinished> unfinished;
  for (const engine::Component& component : engine::components_of(subject.model(), subject.budget())) {
    MeasuredModel part(component.model, subject.budget());
    const InputLift own = largest_lift_of_inputs(part, upper, enumerated);
    for (std::size_t k = 0; k < own.input.size(); ++k) whole.input[component.coordinates[k]] = own.input[k];
    const FoundOutput shown = own.level.witness.get();
    for (std::size_t k = 0; k < component.factors.size(); ++k) output.output[component.factors[k]] = shown.output[k];
    output.p_from *= shown.p_from;
    output.p_to *= shown.p_to;
    if (own.level.unfinished) unfinished = own.level.unfinished;
    if (!own.level.at_most().is_infinite()) at_most *= own.level.at_most().exponential();
  }
  whole.level.attain(std::move(output));
  if (unfinished && !whole.level.at_least.is_infinite()) {
    whole.level.unfinished = Unfinished{Level::of_exponential(at_most), unfinished->reason};
  }
  return whole;
}

}  // namespace

InputLift largest_lift_of_inputs(MeasuredModel& subject, bool upper,
                                 const std::function<InputLift(MeasuredModel&, bool upper)>& enumerated) {
  if (subject.can_enumerate()) return enumerated(subject, upper);
  if (subject.prior().has_independent_coordinates() && !engine::is_connected(subject.model())) {
    return over_components(subject, upper, enumerated);
  }
  return LiftByParts(subject, upper).find();
}

}  // namespace oddsbound::notions
