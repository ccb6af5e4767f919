// Mechanisms whose outputs are too many to be listed: of them there is the code that runs, and no channel. What a run
// tells are numbers, each about something: how many people are old, and have a job.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanisms/estimator.h"
#include "mechanisms/random/source.h"
#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// What a number is about, as a key that is the same in every run. That two things have one key is as good as
/// impossible, and costs an audit some of its power, never its soundness.
using ToldKey = std::uint64_t;
/// The key of a sequence of numbers (FNV-1a).
constexpr ToldKey key_of(std::span<const std::uint64_t> parts) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (std::uint64_t part : parts) {
    for (int byte = 0; byte < 8; ++byte, part >>= 8) hash = (hash ^ (part & 0xff)) * 0x100000001b3ULL;
  }
  return hash;
}
/// The same of a name.
constexpr ToldKey key_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

struct KeyedNumber {
  ToldKey key = 0;
  double number = 0;  // 1 where all that is told is that it is listed
  friend bool operator==(const KeyedNumber&, const KeyedNumber&) = default;
};

class BlackBoxMechanism {
 public:
  virtual ~BlackBoxMechanism() = default;
  /// Runs it, only through choices (random/choice.h), and says what was told, in whatever order; no key twice.
  virtual std::vector<KeyedNumber> draw(std::uint64_t x, RandomSource& source) const = 0;
  /// Runs it, and says what was told as a label.
  virtual std::string draw_label(std::uint64_t x, RandomSource& source) const = 0;
};

// A mechanism as a whole: what it is (its channel), the code that runs it, and what can be learned from its outputs.

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
  std::shared_ptr<const BlackBoxMechanism> unlisted{};
  /// Of outputs that consist of independent copies: the means of the coordinates, by each copy alone. Empty if there is
  /// one only.
  std::vector<EstimatorPtr> copies{};
  /// For the user: a parameter that the family chose, or a declared one that is probably a mistake.
  std::string note{};
  /// Coordinates that nothing reads (mechanisms/family.h), in order.
  std::vector<std::size_t> unread{};

  /// What outputs are called where there is no channel.
  std::string outputs_word() const { return unlisted ? "unlisted" : "continuous"; }

  SamplerPtr sampler_or_rows() const { return sampler ? sampler : row_sampler(channel); }
};

// Drawing an answer once, and several reports from it.

/// Draws an output of `permanent`, then `times` reports for that output as the input of `report`; gives the number of
/// their counts (verifier/model/adaptive_channel.h).
SamplerPtr memoized_sampler(Stage permanent, Stage report, std::uint64_t times);

}  // namespace oddsbound::mechanisms
