// Classes of pairs of inputs with equal losses, and classes of outputs, declared by channels from closed forms.
//
// Levels and divergences between two inputs depend on nothing but the losses of the pair. A channel whose pairs are of
// few classes need not be enumerated for them, however many inputs and outputs it has (engine/pair_classes.h). Classes
// say nothing about questions that compare more than two inputs. Classes of outputs do, under the uniform prior alone:
// what an output reveals on average follows from them (measures/leakage.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "verifier/model/channel.h"

namespace oddsbound::model {

/// The probabilities of some outputs together, given the first and the second input of a pair.
struct PairedOutputs {
  Number given_from, given_to;
};

/// Ordered pairs of different inputs that have the same losses: for every ratio of probabilities, the outputs with
/// this ratio have the same probability given the first input. The pairs need not be images of each other under a
/// symmetry of the channel.
struct PairClass {
  std::uint64_t from, to;  // one such pair
  /// The outputs of a pair as independent parts. Each part lists kinds of outputs: the outputs of a kind have the same
  /// ratio of probabilities, and those of all kinds of a part together have probability 1.
  std::vector<std::vector<PairedOutputs>> parts;
  /// Returns an output, as Channel::split returns it, for any pair of the class and one kind of each part. These kinds
  /// must have a positive probability given one of the inputs.
  using OutputOf = std::function<std::vector<std::uint64_t>(std::uint64_t from, std::uint64_t to,
                                                            std::span<const std::size_t> kinds)>;
  OutputOf output;
};

/// Outputs that reveal equally much about a uniform input: for every ratio, P(y given x) is this multiple of P(y) for
/// the same number of inputs x.
struct OutputClass {
  Number mass;  // the probability of all these outputs together, for a uniform input
  struct Likelihood {
    Number inputs;  // the fraction of the inputs x for which
    Number ratio;   // P(y given x) / P(y) is this
  };
  std::vector<Likelihood> likelihoods;  // the fractions sum to 1, and so do the products of fraction and ratio
};

/// A base of channels that may declare their classes of pairs.
class WithPairClasses {
 public:
  virtual ~WithPairClasses() = default;
  virtual bool has_pair_classes() const = 0;
  /// Requires has_pair_classes(). Every ordered pair of different inputs is in exactly one class.
  virtual std::vector<PairClass> pair_classes() const = 0;
  /// Returns classes that every output of positive probability is in; empty if the channel does not declare them.
  virtual std::vector<OutputClass> output_classes() const { return {}; }
};

/// Returns the channel as one that declares its classes of pairs; null if it does not.
const WithPairClasses* with_pair_classes(const Channel& channel);

/// Returns the independent parts of a product, where parts with declared classes are not split into factors; empty if
/// the channel is not a product, or declares classes itself.
std::vector<Factor> units_of(const Channel& channel);

}  // namespace oddsbound::model
