// Channels computed from other channels, entry by entry: mixtures, post-processing, adaptive composition.
#pragma once

#include <string>
#include <vector>

#include "verifier/model/channel.h"

namespace oddsbound::model {

/// A term of a derived output: this share of that output of that channel.
struct OutputShare {
  std::size_t channel;
  std::uint64_t output;
  Number share;
};
struct DerivedOutput {
  std::string label;
  std::vector<OutputShare> shares;
};

/// P(z given x) = sum over the shares of z of share * P(y given x). All channels have the same inputs. Throws
/// LimitError past the budget.
ChannelPtr derived_channel(const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs, Budget& budget);

/// First `first`, then the channel that its output y chooses; both outputs are released as "(y,z)".
/// then: one channel per output of `first`.
ChannelPtr adaptive_channel(const ChannelPtr& first, const std::vector<ChannelPtr>& then, Budget& budget);

}  // namespace oddsbound::model
