// Outputs of a product by their likelihoods P(y given x) under a prior with few inputs. An output moves beliefs by its
// likelihoods up to a factor only, so outputs with proportional likelihoods are one class: n runs of randomized
// response have n + 1 classes, not 2^n outputs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/model/channel.h"

namespace oddsbound::notions {

/// An input with mass: its weight and label.
struct LabeledInput {
  InputRow row;
  Number weight;
  std::uint32_t label = 0;
};

/// Returns the sum over the inputs with this label of weight x likelihood.
Number probability_given(std::uint32_t label, const std::vector<LabeledInput>& inputs,
                         const std::vector<Number>& likelihoods);

/// The limit on inputs with mass.
inline constexpr std::int64_t kMostInputsWithMass = 1024;
/// Returns the inputs with mass, labeled; nullopt if they are too many.
std::optional<std::vector<LabeledInput>> labeled_inputs(MeasuredModel& subject,
                                                        const std::function<std::uint32_t(InputView)>& label_of);

/// A distinct independent part of a channel (engine/pair_classes.h), and how often the channel has it.
struct RepeatedPart {
  Factor part;
  std::vector<std::size_t> places;  // among the units of the channel
};
/// Returns the distinct parts in the order of their first places.
std::vector<RepeatedPart> repeated_parts(const Model& model);
/// Returns the probabilities of the part's outputs as [output][input]; nullopt if they are too many.
std::optional<std::vector<std::vector<Number>>> likelihoods_of_part(MeasuredModel& subject, const Factor& part,
                                                                    const std::vector<LabeledInput>& inputs);
/// Joins outputs of the units of a channel to one output, as Channel::split returns it.
std::vector<std::uint64_t> joined_output(const Model& model, const std::vector<std::uint64_t>& of_units);

/// One per input with mass.
using Likelihoods = std::vector<Number>;

/// An output of some parts, as a tree of outputs of single parts.
struct ExampleOutput {
  std::uint64_t output = 0;  // if both are null
  std::shared_ptr<const ExampleOutput> first{}, second{};
};

/// Outputs with proportional likelihoods. likelihoods: of all of them together. example: one of them, null if it is not
/// known.
struct LikelihoodClass {
  Likelihoods likelihoods;
  std::shared_ptr<const ExampleOutput> example{};
};

/// The classes of all outputs of a product. The example of a class has the outputs of equal parts one after another, in
/// the order of repeated_parts().
using LikelihoodClasses = std::vector<LikelihoodClass>;
/// Returns nullopt if there are too many classes, or if fewer than `reserve` seconds are left.
std::optional<LikelihoodClasses> classes_of_product(MeasuredModel& subject, const std::vector<LabeledInput>& inputs,
                                                    double reserve = 0);
/// Returns the example of a class as an output of the channel. Requires one.
std::vector<std::uint64_t> output_of_example(const Model& model, const ExampleOutput& example);

}  // namespace oddsbound::notions
