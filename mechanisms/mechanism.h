// Mechanisms: the channel, the code that runs it, and the estimators from its outputs. Also mechanisms without a
// channel: black boxes with too many outputs to list, whose runs reveal keyed numbers (how many people are old,
// and have a job), and continuous ones.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "mechanisms/estimator.h"
#include "mechanisms/random/source.h"
#include "mechanisms/sampler.h"
#include "verifier/model/shuffle.h"

namespace oddsbound::mechanisms {

/// The subject of a revealed number, as a key that is the same in every run. A collision of two keys is
/// practically impossible; it would cost an audit some power, but not its soundness.
using RevealedKey = std::uint64_t;
/// Returns the key of a sequence of numbers (FNV-1a).
constexpr RevealedKey key_of(std::span<const std::uint64_t> parts) {
  std::uint64_t hash = kFnvOffset;
  for (std::uint64_t part : parts) {
    for (int byte = 0; byte < 8; ++byte, part >>= 8) {
      const char low = static_cast<char>(part & 0xff);
      hash = fnv1a({&low, 1}, hash);
    }
  }
  return hash;
}
/// Returns the key of a name.
constexpr RevealedKey key_of(std::string_view name) { return fnv1a(name); }

struct KeyedNumber {
  RevealedKey key = 0;
  double number = 0;  // 1 if the key itself is all that is revealed
  friend bool operator==(const KeyedNumber&, const KeyedNumber&) = default;
};

class BlackBoxMechanism {
 public:
  virtual ~BlackBoxMechanism() = default;
  /// Runs the mechanism, only through choices (random/choice.h). Returns the revealed numbers in any order, each
  /// key once.
  virtual std::vector<KeyedNumber> draw(std::uint64_t x, RandomSource& source) const = 0;
  /// Runs the mechanism and returns its output as a label.
  virtual std::string draw_label(std::uint64_t x, RandomSource& source) const = 0;
};

// A mechanism as a whole: its channel, the code that runs it, and the estimators from its outputs.

/// A mechanism whose outputs are vectors of real numbers. It has only a sampler in floating point: no exact level,
/// no exhaustive check.
class ContinuousMechanism {
 public:
  virtual ~ContinuousMechanism() = default;
  /// The number of coordinates of an output, over all its copies.
  virtual std::size_t dimension() const = 0;
  /// The number of independent vectors in an output, one after the other.
  virtual std::size_t copies() const { return 1; }
  virtual void draw(std::uint64_t x, RandomSource& source, std::span<double> output) const = 0;
  /// The expectation of the coordinates of an output (of a copy): the input's coordinates, if the mechanism is
  /// unbiased.
  virtual std::vector<double> mean(std::uint64_t x) const = 0;
  /// Whether density() is known.
  virtual bool has_density() const { return false; }
  /// The density of an output for an input, up to a factor that is the same for all inputs; rounded.
  virtual double density(std::uint64_t, std::span<const double>) const { return 0; }
};

/// A published bound on the expected total variation distance of the estimates from n outputs, for every distribution
/// of the inputs: the sum of sqrt(square / n).
struct DistanceBound {
  std::string source;
  std::vector<Number> squares;
};

/// The steps in which a mechanism answers about ever fewer coordinates (Mechanism 1 of the BCDP paper).
struct MeanSteps {
  std::vector<double> levels;      // of one copy, rounded; step k sees the coordinates order[k..]
  std::vector<std::size_t> order;  // of the coordinates
  std::size_t copies = 1;          // runs of all steps
  /// The largest variance of a step's answer about one of its coordinates, over all inputs in [-1, 1]^coordinates.
  double (*variance)(std::size_t coordinates, double level) = nullptr;
};

/// An independent part of a mechanism: the coordinates it sees, and its estimator.
struct MechanismPart {
  ChannelPtr channel;
  EstimatorPtr estimator;  // null: least squares on the channel
  std::vector<std::size_t> coordinates;
};

struct Mechanism {
  ChannelPtr channel{};      // null for continuous, unlisted and shuffled outputs
  SamplerPtr sampler{};      // null: the channel's rows
  EstimatorPtr estimator{};  // null: least squares on the channel
  /// The parts, in the order of their outputs, if the mechanism consists of parts; no part has parts itself.
  std::vector<MechanismPart> parts{};
  std::shared_ptr<const ContinuousMechanism> continuous{};
  std::shared_ptr<const BlackBoxMechanism> unlisted{};
  /// Histograms of the reports of several people. The other people's inputs are no part of the model, so there is
  /// neither a channel nor a sampler.
  std::shared_ptr<const model::Shuffle> shuffle{};
  /// For outputs of several independent copies: the estimator of the means from each copy alone. Empty for a
  /// single copy.
  std::vector<EstimatorPtr> copies{};
  /// For the estimator above.
  std::optional<DistanceBound> distance_bound{};
  /// The steps of a mechanism that estimates every mean in one of them.
  std::optional<MeanSteps> mean_steps{};
  /// For the user: a parameter that the family chose, or a declared one that is probably a mistake.
  std::string note{};
  /// Coordinates that no part reads (mechanisms/family.h), in order.
  std::vector<std::size_t> unread{};

  /// The kind of outputs of a mechanism without a channel.
  std::string outputs_word() const { return shuffle ? "shuffled" : unlisted ? "unlisted" : "continuous"; }

  SamplerPtr sampler_or_rows() const { return sampler ? sampler : row_sampler(channel); }
};

// One kept answer, and several reports drawn from it.

/// Returns a sampler that draws an output of `permanent`, then `times` reports with that output as the input of
/// `report`. Its output is the number of the report counts (verifier/model/adaptive_channel.h).
SamplerPtr memoized_sampler(Stage permanent, Stage report, std::uint64_t times);

}  // namespace oddsbound::mechanisms
