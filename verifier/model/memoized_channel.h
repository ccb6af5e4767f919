// An answer that is drawn once and kept, and several reports that are drawn from it, each on its own: what devices do
// that report every day (RAPPOR's permanent and instantaneous stages, and whatever is built like them).
//
// An output says how often each report came. Given the kept answer, reports are independent and alike, so all orders
// of the same reports are equally likely whatever the input is: their ratios are those of the counts, and so is every
// level that looks at outputs one by one, or at sets of them.
#pragma once

#include "verifier/model/channel.h"

namespace oddsbound::model {

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
