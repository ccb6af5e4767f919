// A mechanism as a whole: what it is (its channel), the code that runs it, and what can be learned from its outputs.
#pragma once

#include "mechanisms/estimator.h"
#include "mechanisms/sampler.h"
#include "mechanisms/unlisted.h"

namespace oddsbound::mechanisms {

/// A mechanism whose outputs are vectors of real numbers. It has a sampler only, in floating point: no exact level, no
/// exhaustive check.
class ContinuousMechanism {
 public:
  virtual ~ContinuousMechanism() = default;
  /// The number of coordinates of an output, of all its copies.
  virtual std::size_t dimension() const = 0;
  /// How many independent vectors an output consists of, one after the other.
  virtual std::size_t copies() const { return 1; }
  virtual void draw(std::uint64_t x, RandomSource& source, std::span<double> output) const = 0;
  /// What the coordinates of an output (of a copy) estimate without bias, if anything: the input's coordinates.
  virtual std::vector<double> mean(std::uint64_t x) const = 0;
  /// Whether density() is known.
  virtual bool has_density() const { return false; }
  /// The density of an output for an input, up to a factor that is the same for all inputs; rounded.
  virtual double density(std::uint64_t, std::span<const double>) const { return 0; }
};

/// An independent part of a mechanism: the coordinates it sees, and what its outputs say about them.
struct MechanismPart {
  ChannelPtr channel;
  EstimatorPtr estimator;  // null: what least squares makes of the channel
  std::vector<std::size_t> coordinates;
};

struct Mechanism {
  ChannelPtr channel{};      // null for outputs that are continuous or unlisted
  SamplerPtr sampler{};      // null: the channel's rows
  EstimatorPtr estimator{};  // null: what least squares makes of the channel
  /// Of a mechanism that is made of such, in the order of their outputs; none is made of parts itself.
  std::vector<MechanismPart> parts{};
  std::shared_ptr<const ContinuousMechanism> continuous{};
  std::shared_ptr<const UnlistedMechanism> unlisted{};
  /// Of outputs that consist of independent copies: the means of the coordinates, by each copy alone. Empty if there is
  /// one only.
  std::vector<EstimatorPtr> copies{};
  /// For the user: a parameter that the family chose, or a declared one that is probably a mistake.
  std::string note{};
  /// Coordinates that nothing reads (mechanisms/unread.h), in order.
  std::vector<std::size_t> unread{};

  /// What outputs are called where there is no channel.
  std::string outputs_word() const { return unlisted ? "unlisted" : "continuous"; }

  SamplerPtr sampler_or_rows() const { return sampler ? sampler : row_sampler(channel); }
};

}  // namespace oddsbound::mechanisms
