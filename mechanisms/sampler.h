// Samplers: the code that draws an output of a mechanism for an input. The exhaustive check (audits/exhaustive.h)
// compares its distribution with the mechanism's channel.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "mechanisms/random/choice.h"
#include "verifier/model/channel.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"

namespace oddsbound::mechanisms {

class Sampler;
using SamplerPtr = std::shared_ptr<const Sampler>;

/// A channel and the code that draws its outputs.
struct Stage {
  ChannelPtr channel;
  SamplerPtr sampler;
};

/// An independent part of a sampler: it sees some coordinates of the input, and draws part of the output.
struct SamplerPart {
  ChannelPtr channel;
  SamplerPtr sampler;
  std::vector<std::size_t> coordinates;
};

class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Draws an output as Channel::split writes it, only through choices (random/choice.h).
  virtual void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const = 0;
  /// The same for an input without a number. Only samplers made of parts support it; others throw LimitError.
  virtual void draw_row(InputView, RandomSource&, std::span<std::uint64_t>) const { fail_for_size(); }
  /// The independent parts, if the sampler consists of parts.
  virtual std::span<const SamplerPart> parts() const { return {}; }
};

/// A sampler that draws until it accepts.
class RejectionSampler : public Sampler {
 public:
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const final {
    while (!attempt(x, source, output)) {
    }
  }
  /// One attempt; true if it accepts.
  virtual bool attempt(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const = 0;
};

/// Draws for an input given by its number or its row.
inline void draw_for(const Sampler& sampler, const InputRef& input, RandomSource& source,
                     std::span<std::uint64_t> output) {
  input.row.empty() ? sampler.draw(input.number, source, output) : sampler.draw_row(input.row, source, output);
}

/// Draws from the channel's rows by inversion: for mechanisms given as a table.
SamplerPtr row_sampler(ChannelPtr channel);

/// Draws each part independently.
SamplerPtr product_sampler(const Domain& domain, std::vector<SamplerPart> parts);

/// Returns the number of words of an output (Channel::split).
std::size_t output_words(const Channel& channel);
/// Returns the index of an output that was split. The words must form an output.
std::uint64_t join(const Channel& channel, std::span<const std::uint64_t> output);
/// Draws the index of an output.
std::uint64_t draw_index(const Channel& channel, const Sampler& sampler, std::uint64_t x, RandomSource& source);

/// Drawing an output for an input, as a choice whose stated probabilities are the channel's entries.
class OutputChoice final : public Choice {
 public:
  OutputChoice(const Channel& channel, const Sampler& sampler, std::uint64_t x);
  Key key() const override {
    return {reinterpret_cast<std::uintptr_t>(&sampler_), reinterpret_cast<std::uintptr_t>(&channel_), x_};
  }
  std::string describe() const override { return "output for input " + std::to_string(x_); }
  std::uint64_t outcomes() const override { return channel_.outputs(); }
  Number probability(std::uint64_t outcome) const override { return channel_.entry(x_, outcome); }
  /// Runs one round of a rejection sampler, or draw() of any other sampler.
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override;
  unsigned check_width() const override { return no_words(); }

  const Channel& channel() const { return channel_; }
  const Sampler& sampler() const { return sampler_; }
  std::uint64_t input() const { return x_; }

 private:
  const Channel& channel_;
  const Sampler& sampler_;
  std::uint64_t x_;
};

/// Draws the output of a part: as a separate choice if the source has an observer.
template <class PartSampler>
void draw_part(const Channel& channel, const PartSampler& sampler, std::uint64_t input, RandomSource& source,
               std::span<std::uint64_t> output) {
  if (source.observer() == nullptr) [[likely]] {
    sampler.draw(input, source, output);
    return;
  }
  const auto words = channel.split(source.observer()->choose(OutputChoice(channel, sampler, input)));
  std::copy(words.begin(), words.end(), output.begin());
}

/// The randomness of a batch: the system's generator, or a seed.
struct Randomness {
  std::optional<std::uint64_t> seed;
  std::uint64_t purpose = 0;  // separates the streams of different mechanisms under one seed

  /// Returns the source of a stream.
  std::unique_ptr<RandomSource> source(std::uint64_t stream) const;
};

/// Draws per stream of a seeded source. Changing it changes the results of every seed.
constexpr std::uint64_t kDrawsPerStream = 4096;

/// Makes draws number first, first + 1, ... of a run, as many as `outputs` holds; draw i is for input_of(i).
/// `first` is a multiple of kDrawsPerStream. With a seed the result is the same for any number of threads and
/// batches.
void sample_batch(const Sampler& sampler, const Channel& channel,
                  const std::function<InputRef(std::uint64_t)>& input_of, std::uint64_t first,
                  std::span<std::uint64_t> outputs, const Randomness& randomness, std::size_t threads);

// Draws from an adaptive composition: the first answer selects the mechanism that answers next.

/// Outputs are those of verifier/model/adaptive_channel.h. then: one per output of `first`.
SamplerPtr adaptive_sampler(Stage first, std::vector<Stage> then);

// Draws inputs from a prior of any kind, with any number of inputs.

class PriorSampler {
 public:
  explicit PriorSampler(Prior prior);
  ~PriorSampler();
  /// Draws with exactly the prior's probabilities. Thread-safe.
  InputRow draw(RandomSource& source) const;

 private:
  class Choices;
  Prior prior_;
  std::unique_ptr<Choices> choices_;
};

}  // namespace oddsbound::mechanisms
