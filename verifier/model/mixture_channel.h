// Mixtures: one of several mechanisms, chosen at random, gives the output, and the choice stays secret.
//
// If the mechanisms see different coordinates, P(y given x) is a sum of terms that depend on few coordinates each. A
// MixtureChannel keeps these terms as tables instead of one entry per input. Levels follow from their extremes
// (engine/mixture_levels.h).
#pragma once

#include <functional>

#include "verifier/model/channel.h"

namespace oddsbound::model {

class MixtureChannel final : public Channel {
 public:
  /// `terms`: their entries of one output add up to its probability. No coordinate belongs to two terms. A term's
  /// outputs are those of the mixture, and its rows sum to the weight of its mechanisms. Labels are those of the
  /// first term.
  MixtureChannel(const Domain& domain, std::vector<Factor> terms);

  std::span<const Factor> terms() const { return terms_; }
  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override;
  Number entry_at(const Domain& domain, InputView row, std::span<const std::uint64_t> output) const override;
  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::unique_ptr<Columns> columns_of(const Domain& domain, std::span<const InputRow> rows,
                                      Budget& budget) const override;

 private:
  /// project(t, x): the input of term t in input x of `inputs` inputs.
  std::unique_ptr<Columns> enumerate(std::uint64_t inputs,
                                     const std::function<std::uint64_t(std::size_t, std::uint64_t)>& project,
                                     Budget& budget) const;

  std::vector<Factor> terms_;
  std::vector<Projection> projections_;  // of an input to what each term sees
};

/// Returns the terms of the mixture that gives each output the sum of its shares: P(z given x) = sum of share *
/// P(y given x). Channels that share coordinates, directly or through others, are one term. Channels without a share
/// are left out. Throws LimitError past the budget.
std::vector<Factor> mixture_terms(const Domain& domain, const std::vector<ChannelPtr>& channels,
                                  const std::vector<DerivedOutput>& outputs, Budget& budget);

/// Returns the mixture itself: by its terms if one table would be large, otherwise as one table.
ChannelPtr mixture_of(const Domain& domain, const std::vector<ChannelPtr>& channels, std::vector<DerivedOutput> outputs,
                      Budget& budget);

/// Returns the channel as a mixture that keeps terms; null if it is not one.
const MixtureChannel* as_mixture(const Channel& channel);

}  // namespace oddsbound::model
