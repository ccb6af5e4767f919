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

// An answer that is drawn once and kept, and several reports that are drawn from it, each on its own: what devices do
// that report every day (RAPPOR's permanent and instantaneous stages, and whatever is built like them).
//
// An output says how often each report came. Given the kept answer, reports are independent and alike, so all orders
// of the same reports are equally likely whatever the input is: their ratios are those of the counts, and so is every
// level that looks at outputs one by one, or at sets of them.

/// How often each of `outputs` comes in `runs` runs, numbered: at first all runs have output 0; the more of them have
/// it, the earlier, and among equals the same of the next output. So of two outputs the number is how often the second
/// one comes, and in one run it is the output itself.
class Counts {
 public:
  static constexpr std::uint64_t kMostOutputs = 1024;
  Counts(std::uint64_t outputs, std::uint64_t runs);
  /// Throws LimitError if there are more than the budget may enumerate, ModelError for more than kMostOutputs.
  void require_listable(const Budget& budget) const;
  /// How many there are; UINT64_MAX if there are more.
  std::uint64_t size() const { return size_; }
  std::uint64_t outputs() const { return outputs_; }
  std::uint64_t runs() const { return runs_; }
  /// The counts of that number, one per output.
  std::vector<std::uint64_t> at(std::uint64_t number) const;
  std::uint64_t number_of(std::span<const std::uint64_t> counts) const;
  /// In how many orders runs give these counts.
  static Number orders(std::span<const std::uint64_t> counts);

 private:
  std::uint64_t outputs_, runs_, size_;
};

/// [answer][number of counts]: the probability of these counts among independent runs that give output y with
/// probability rows[answer][y].
std::vector<std::vector<Number>> count_probabilities(const std::vector<std::vector<Number>>& rows, const Counts& counts,
                                                     Budget& budget);

class MemoizedChannel final : public Channel {
 public:
  /// `report` has an input for each output of `permanent`. Outputs are labelled "{a:2,b:0}", with the count of every
  /// report. times >= 1. Throws LimitError past the budget.
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
