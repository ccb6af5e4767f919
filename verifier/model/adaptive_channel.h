// An adaptive composition that is too large to be listed: what its first mechanism answered is fixed, and the rest is a
// product that levels can be searched in.
#pragma once

#include "verifier/model/channel.h"

namespace oddsbound::model {

/// First `first`, then the channel that its output y chooses; both outputs are released as "(y,z)". Split, an output is
/// y, then z as that channel splits it, then zeros up to the length of the longest.
class AdaptiveChannel final : public Channel {
 public:
  /// then: one channel per output of `first`, all on the same domain. Throws LimitError if what `first` sees cannot be
  /// listed, or if some input cannot have some output of it: then that output's branch would have fewer inputs.
  AdaptiveChannel(const Domain& domain, ChannelPtr first, std::vector<ChannelPtr> then, Budget& budget);

  Number output_count() const override { return output_count_; }
  /// Per output y of the first, P(y and z given x) as a product of channels on the same inputs: its rows sum to
  /// P(y given x), which is positive. Its first factor has one output; the others are those of the second channel.
  std::span<const ChannelPtr> branches() const { return branches_; }
  const Channel& first() const { return *first_; }
  std::span<const ChannelPtr> then() const { return then_; }
  /// How long a split output is.
  std::size_t words() const { return words_; }
  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::vector<std::uint64_t> split(std::uint64_t y) const override;
  /// What `first` answered in a split output, with the channel that answers next and its split output.
  struct Second {
    const Channel& channel;
    std::span<const std::uint64_t> output;
    std::uint64_t first_index;  // of its outputs among those of the whole
  };
  Second second(std::span<const std::uint64_t> output) const;
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  Number entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const override;

 private:
  ChannelPtr first_;
  std::vector<ChannelPtr> then_;
  std::vector<ChannelPtr> branches_;
  std::size_t words_ = 1;
  Number output_count_;
};

/// The branches of a channel; none if it is no such composition.
std::span<const ChannelPtr> branches_of(const Channel& channel);

}  // namespace oddsbound::model
