// The distribution of a sum, a largest or smallest number, or the place of the largest, of independent outputs.
//
// Only the distinct distributions are computed: inputs for which the parts have the same distributions, in any order,
// are of one class.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "verifier/model/channel.h"

namespace oddsbound::model {

enum class Aggregate { kSum, kMax, kMin, kArgmax };

/// An independent part, with a number for each of its outputs.
struct ScoredPart {
  ChannelPtr channel;
  std::vector<std::size_t> coordinates;
  std::shared_ptr<const std::vector<std::int64_t>> scores;  // parts with the same object share work
};

/// Returns the aggregate of one number per part. kArgmax: the index of the first part with the largest number.
std::int64_t aggregate_of(Aggregate kind, std::span<const std::int64_t> scores);

/// Sums of so many scores do not overflow.
inline constexpr std::int64_t kLargestScore = std::int64_t{1} << 40;
inline constexpr std::size_t kMostSummed = std::size_t{1} << 21;

/// Returns all results that outputs of the parts can give, ascending. Throws LimitError past the budget, for scores
/// beyond kLargestScore, or for sums of more than kMostSummed parts.
std::vector<std::int64_t> possible_results(Aggregate kind, std::span<const ScoredPart> parts, Budget& budget);

/// Distributions over some results, by class of inputs.
struct ClassLaws {
  std::vector<std::int64_t> results;      // possible_results()
  std::vector<std::uint32_t> class_of;    // per input
  std::vector<std::vector<Number>> laws;  // [class][result]: probabilities
};

/// Throws LimitError as possible_results() does.
ClassLaws aggregate_laws(Aggregate kind, const Domain& domain, std::span<const ScoredPart> parts, Budget& budget);

/// A channel whose rows are those of a few classes of inputs.
class ClassedChannel final : public Channel {
 public:
  /// `rows` is a channel on the classes. Requires class_of[x] < rows->inputs() for every input x.
  ClassedChannel(ChannelPtr rows, std::vector<std::uint32_t> class_of);

  std::string label_of(std::span<const std::uint64_t> output) const override { return rows_->label_of(output); }
  Number entry_of(std::uint64_t x, std::span<const std::uint64_t> output) const override {
    return rows_->entry_of((*class_of_)[x], output);
  }
  std::unique_ptr<Columns> columns(Budget& budget) const override;

 private:
  class ClassedColumns;
  ChannelPtr rows_;
  std::shared_ptr<const std::vector<std::uint32_t>> class_of_;
};

}  // namespace oddsbound::model
