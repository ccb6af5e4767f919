// Channels of two stages: adaptive compositions that are too large to enumerate (AdaptiveChannel), and reports
// drawn from a memoized answer (MemoizedChannel).
//
// AdaptiveChannel splits by the output of its first mechanism: given that output, the rest is a product channel,
// in which levels can be searched.
#pragma once

#include "verifier/model/channel.h"

namespace oddsbound::model {

/// Runs `first`, then the channel that its output y selects; both outputs are released as "(y,z)". A split output
/// is y, then z as its channel splits it, then zeros up to words().
class AdaptiveChannel final : public Channel {
 public:
  /// `then` has one channel per output of `first`, all on the same domain. Throws LimitError if the inputs that
  /// `first` sees cannot be enumerated, or if an output of it is impossible for some input: that branch would have
  /// fewer inputs.
  AdaptiveChannel(const Domain& domain, ChannelPtr first, std::vector<ChannelPtr> then, Budget& budget);

  Number output_count() const override { return output_count_; }
  /// One branch per output y of `first`: P(y, z given x) as a product of channels on the same inputs. Its rows sum
  /// to P(y given x) > 0. Its first factor has one output; the others are those of the second channel.
  std::span<const ChannelPtr> branches() const { return branches_; }
  const Channel& first() const { return *first_; }
  std::span<const ChannelPtr> then() const { return then_; }
  /// Returns the length of a split output.
  std::size_t words() const { return words_; }
  std::unique_ptr<Columns> columns(Budget& budget) const override;
  std::vector<std::uint64_t> split(std::uint64_t y) const override;
  /// The second stage of a split output: the channel that the first output selects, with its own split output.
  struct Second {
    const Channel& channel;
    std::span<const std::uint64_t> output;
    std::uint64_t first_index;  // of the channel's outputs among those of the whole
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

/// Returns the branches of a channel; empty if it is not such a composition.
std::span<const ChannelPtr> branches_of(const Channel& channel);

// Memoized reports: an answer is drawn once and kept, and several reports are drawn from it independently. Devices
// that report every day do this (RAPPOR's permanent and instantaneous stages, and similar mechanisms).
//
// An output states how often each report occurs. Given the kept answer, the reports are i.i.d., so all orders of
// the same reports are equally likely for every input. Probability ratios of sequences are therefore those of
// their counts. So is every level that compares single outputs or sets of outputs.

/// All count vectors of `outputs` outputs in `runs` runs, numbered. Number 0 has all runs at output 0. A vector
/// with more runs at output 0 comes earlier; ties are ordered by output 1, and so on. With two outputs, the number
/// is the count of the second; with one run, it is the output itself.
class Counts {
 public:
  static constexpr std::uint64_t kMostOutputs = 1024;
  Counts(std::uint64_t outputs, std::uint64_t runs);
  /// Throws LimitError if size() exceeds the budget's max_cells, ModelError for more than kMostOutputs outputs.
  void require_listable(const Budget& budget) const;
  /// Returns the number of count vectors; UINT64_MAX if it does not fit.
  std::uint64_t size() const { return size_; }
  std::uint64_t outputs() const { return outputs_; }
  std::uint64_t runs() const { return runs_; }
  /// Returns the count vector of a number, one count per output.
  std::vector<std::uint64_t> at(std::uint64_t number) const;
  std::uint64_t number_of(std::span<const std::uint64_t> counts) const;
  /// Returns the multinomial coefficient: the number of run sequences with these counts.
  static Number orders(std::span<const std::uint64_t> counts);

 private:
  std::uint64_t outputs_, runs_, size_;
};

/// Returns [answer][number of counts]: the probability of these counts among independent runs that give output y
/// with probability rows[answer][y].
std::vector<std::vector<Number>> count_probabilities(const std::vector<std::vector<Number>>& rows, const Counts& counts,
                                                     Budget& budget);

/// Returns the label of these counts, "{a:2,b:0}".
std::string count_label(std::span<const std::string> reports, std::span<const std::uint64_t> counts);

class MemoizedChannel final : public Channel {
 public:
  /// `report` has one input per output of `permanent`. Outputs are labelled by the count of every report,
  /// "{a:2,b:0}". Requires times >= 1. Throws LimitError past the budget.
  MemoizedChannel(const Channel& permanent, const Channel& report, std::uint64_t times, Budget& budget);
  std::uint64_t times() const { return counts_.runs(); }

  std::string label_of(std::span<const std::uint64_t> output) const override;
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override {
    return table_->entry_of(x, output);
  }
  std::unique_ptr<Columns> columns(Budget& budget) const override { return table_->columns(budget); }

 private:
  MemoizedChannel(const Channel& permanent, const Channel& report, Counts counts, Budget& budget);

  Counts counts_;
  std::vector<std::string> reports_;  // their labels
  ChannelPtr table_;
};

}  // namespace oddsbound::model
