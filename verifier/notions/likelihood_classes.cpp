// A product is folded part by part. Proportional likelihoods are merged after each part.
#include "verifier/notions/likelihood_classes.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/errors.h"
#include "verifier/engine/loss_distribution.h"
#include "verifier/engine/pair_classes.h"

namespace oddsbound::notions {

namespace {

using ExamplePtr = std::shared_ptr<const ExampleOutput>;

struct LikelihoodsHash {
  std::size_t operator()(const Likelihoods& likelihoods) const {
    std::size_t hash = 0;
    for (const Number& own : likelihoods) hash = hash * 1'000'003 + own.hash();
    return hash;
  }
};

constexpr std::size_t kMostNumbers = std::size_t{1} << 16;  // inputs x classes
constexpr std::uint64_t kNoOutput = UINT64_MAX;             // of no part at all

// Classes in the order in which they were found.
class ClassCollector {
 public:
  // own: not all 0. Returns false if there are too many classes. example: returns that of a new class.
  template <typename Example>
  bool add(Likelihoods own, const Example& example) {
    const Number all = sum_of(own);
    Likelihoods direction;
    for (const Number& one : own) direction.push_back(one / all);
    const auto [place, added] = places_.try_emplace(std::move(direction), classes_.size());
    if (added) {
      classes_.push_back({std::move(own), example()});
      return classes_.size() * classes_.back().likelihoods.size() <= kMostNumbers;
    }
    Likelihoods& known = classes_[place->second].likelihoods;
    for (std::size_t k = 0; k < own.size(); ++k) known[k] += own[k];
    return true;
  }
  LikelihoodClasses take() { return std::move(classes_); }

 private:
  LikelihoodClasses classes_;
  std::unordered_map<Likelihoods, std::size_t, LikelihoodsHash> places_;
};

bool is_possible(const Likelihoods& own) {
  return std::any_of(own.begin(), own.end(), [](const Number& one) { return !one.is_zero(); });
}

// Folds parts within a limit of time.
class ClassFolder {
 public:
  ClassFolder(MeasuredModel& subject, const std::vector<LabeledInput>& inputs, double reserve)
      : subject_(subject), inputs_(inputs), reserve_(reserve) {}

  std::optional<LikelihoodClasses> all() const {
    constexpr std::size_t kMostExampleParts = 4096;  // a tree of examples is as deep
    const std::vector<RepeatedPart> parts = repeated_parts(subject_.model());
    LikelihoodClasses all = nothing();
    if (parts.size() > kMostExampleParts) all[0].example.reset();
    for (const RepeatedPart& repeated : parts) {
      auto own = of_part(repeated.part);
      if (own) own = power(*std::move(own), repeated.places.size());
      if (own) own = both(all, *own);
      if (!own) return std::nullopt;
      all = *std::move(own);
    }
    return all;
  }

 private:
  LikelihoodClasses nothing() const {
    LikelihoodClasses one(1);
    one[0].likelihoods.assign(inputs_.size(), Number(1));
    one[0].example = std::make_shared<const ExampleOutput>(ExampleOutput{kNoOutput});
    return one;
  }

  bool is_late() const {
    subject_.budget().check_every();
    return reserve_ > 0 && (++steps_ & 0xff) == 0 && subject_.budget().seconds_left() < reserve_;
  }

  std::optional<LikelihoodClasses> of_part(const Factor& part) const {
    auto likelihoods = likelihoods_of_part(subject_, part, inputs_);
    if (!likelihoods) return std::nullopt;
    ClassCollector classes;
    for (std::uint64_t y = 0; y < likelihoods->size(); ++y) {
      Likelihoods& own = (*likelihoods)[y];
      const auto example = [&] { return std::make_shared<const ExampleOutput>(ExampleOutput{y}); };
      if (is_possible(own) && !classes.add(std::move(own), example)) return std::nullopt;
    }
    return classes.take();
  }

  // The classes of the outputs of two independent parts.
  std::optional<LikelihoodClasses> both(const LikelihoodClasses& first, const LikelihoodClasses& second) const {
    ClassCollector together;
    for (const LikelihoodClass& before : first) {
      for (const LikelihoodClass& own : second) {
        if (is_late()) return std::nullopt;
        Likelihoods product;
        for (std::size_t k = 0; k < own.likelihoods.size(); ++k) {
          product.push_back(before.likelihoods[k] * own.likelihoods[k]);
        }
        const auto example = [&]() -> ExamplePtr {
          if (!before.example || !own.example) return nullptr;
          return std::make_shared<const ExampleOutput>(ExampleOutput{0, before.example, own.example});
        };
        if (is_possible(product) && !together.add(std::move(product), example)) return std::nullopt;
      }
    }
    return together.take();
  }

  // Two inputs: the classes are the ratios of a loss distribution, whose powers are those of a polynomial. They have no
  // examples. Returns nullopt if these are many, or long.
  std::optional<LikelihoodClasses> power_of_two_inputs(const LikelihoodClasses& part, std::uint64_t times) const {
    std::vector<Number> p, q;
    for (const LikelihoodClass& own : part) {
      p.push_back(own.likelihoods[0]);
      q.push_back(own.likelihoods[1]);
    }
    const LossDistribution once = LossDistribution::of(p, q);
    if (!once.has_short_power(times) || once.atoms_of_power(times) > static_cast<double>(kMostNumbers) / 2) {
      return std::nullopt;
    }
    LossDistribution losses;
    try {
      losses = once.power(times, subject_.budget());
    } catch (const Interrupted&) {
      throw;
    } catch (const LimitError&) {
      return std::nullopt;
    }
    LikelihoodClasses classes;
    Number q_left(1);
    for (const LossDistribution::Atom& atom : losses.atoms()) {
      classes.push_back({{atom.mass, atom.mass / atom.ratio}});
      q_left -= classes.back().likelihoods[1];
    }
    if (!losses.infinite().is_zero()) classes.push_back({{losses.infinite(), Number(0)}});
    if (!q_left.is_zero()) classes.push_back({{Number(0), q_left}});
    return classes;
  }

  // The classes of equal parts. Binary powers.
  std::optional<LikelihoodClasses> power(LikelihoodClasses part, std::uint64_t times) const {
    if (inputs_.size() == 2 && times > 1) {
      if (auto classes = power_of_two_inputs(part, times)) return classes;
    }
    LikelihoodClasses all = nothing();
    while (true) {
      if (times % 2 == 1) {
        auto more = both(all, part);
        if (!more) return std::nullopt;
        all = *std::move(more);
      }
      times /= 2;
      if (times == 0) return all;
      auto twice = both(part, part);
      if (!twice) return std::nullopt;
      part = *std::move(twice);
    }
  }

  MeasuredModel& subject_;
  const std::vector<LabeledInput>& inputs_;
  double reserve_;  // seconds that are left when it gives up
  mutable std::uint32_t steps_ = 0;
};

}  // namespace

std::optional<std::vector<LabeledInput>> labeled_inputs(MeasuredModel& subject,
                                                        const std::function<std::uint32_t(InputView)>& label_of) {
  if (subject.prior().support_size(subject.budget()) > Number(kMostInputsWithMass)) return std::nullopt;
  std::vector<LabeledInput> inputs;
  subject.prior().each_row(subject.budget(), [&](InputView row, const Number& weight) {
    inputs.push_back({InputRow(row.begin(), row.end()), weight, label_of(row)});
  });
  return inputs;
}

Number probability_given(std::uint32_t label, const std::vector<LabeledInput>& inputs,
                         const std::vector<Number>& likelihoods) {
  std::vector<WeightedTerm> terms;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].label == label) terms.push_back({inputs[k].weight, likelihoods[k]});
  }
  return weighted_sum(terms);
}

std::vector<RepeatedPart> repeated_parts(const Model& model) {
  std::map<std::pair<const Channel*, std::vector<std::size_t>>, std::size_t> index;
  std::vector<RepeatedPart> parts;
  const std::vector<Factor> units = engine::units_of_model(model);
  for (std::size_t k = 0; k < units.size(); ++k) {
    const auto [place, added] = index.try_emplace({units[k].channel.get(), units[k].coordinates}, parts.size());
    if (added) parts.push_back({units[k], {}});
    parts[place->second].places.push_back(k);
  }
  return parts;
}

std::optional<std::vector<std::vector<Number>>> likelihoods_of_part(MeasuredModel& subject, const Factor& part,
                                                                    const std::vector<LabeledInput>& inputs) {
  constexpr std::uint64_t kMostEntries = 1 << 20;
  if (part.channel->outputs() > kMostEntries / inputs.size()) return std::nullopt;
  const Projection project(subject.domain(), part.coordinates);
  std::vector<std::uint64_t> places;
  for (const LabeledInput& input : inputs) places.push_back(project(InputView(input.row)));
  std::vector<std::vector<Number>> likelihoods;
  for (std::uint64_t y = 0; y < part.channel->outputs(); ++y) {
    auto& own = likelihoods.emplace_back();
    for (const std::uint64_t x : places) {
      subject.budget().check_every();
      own.push_back(part.channel->entry(x, y));
    }
  }
  return likelihoods;
}

std::vector<std::uint64_t> joined_output(const Model& model, const std::vector<std::uint64_t>& of_units) {
  const std::vector<Factor> units = engine::units_of_model(model);
  std::vector<std::uint64_t> output;
  for (std::size_t k = 0; k < units.size(); ++k) {
    const std::vector<std::uint64_t> own = units[k].channel->split(of_units[k]);
    output.insert(output.end(), own.begin(), own.end());
  }
  return output;
}

std::optional<LikelihoodClasses> classes_of_product(MeasuredModel& subject, const std::vector<LabeledInput>& inputs,
                                                    double reserve) {
  return ClassFolder(subject, inputs, reserve).all();
}

std::vector<std::uint64_t> output_of_example(const Model& model, const ExampleOutput& example) {
  std::vector<std::uint64_t> in_order;
  std::vector<const ExampleOutput*> left{&example};
  while (!left.empty()) {
    const ExampleOutput* next = left.back();
    left.pop_back();
    if (next->first) {
      left.push_back(next->second.get());
      left.push_back(next->first.get());
    } else if (next->output != kNoOutput) {
      in_order.push_back(next->output);
    }
  }
  std::vector<std::uint64_t> of_units(in_order.size());
  std::size_t k = 0;
  for (const RepeatedPart& repeated : repeated_parts(model)) {
    for (const std::size_t place : repeated.places) of_units[place] = in_order[k++];
  }
  return joined_output(model, of_units);
}

}  // namespace oddsbound::notions
