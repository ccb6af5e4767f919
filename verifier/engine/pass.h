// One pass over the columns of a channel: whatever is found by looking at every output is an accumulator, which is
// offered columns, merges with that of a later range of outputs, and is asked for its result in the end. The pass owns
// the order of outputs, threads, budget, and the end before the last output when nothing more can be learned.
//
// An accumulator's result must depend on the outputs it was offered alone, not on how they were cut into ranges: then
// it is the same, witness included, for any number of threads.
#pragma once

#include <cassert>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "verifier/model/channel.h"

namespace oddsbound::engine {

/// The column of one output; its entries are fetched when they are first asked for. Views stay valid until the pass
/// moves on.
class ColumnView {
 public:
  explicit ColumnView(const Columns& columns) : columns_(columns) {}
  void move_to(std::uint64_t output) {
    output_ = output;
    ranks_ = {};
    approx_ = {};
  }

  std::uint64_t output() const { return output_; }
  const ValuePool& pool() const { return columns_.pool(); }
  std::span<const std::uint32_t> ranks() {
    if (ranks_.empty()) ranks_ = columns_.ranks(output_, rank_scratch_);
    return ranks_;
  }
  std::span<const double> approx() {
    if (approx_.empty()) approx_ = columns_.approx(output_, ranks(), approx_scratch_);
    return approx_;
  }

 private:
  const Columns& columns_;
  std::uint64_t output_ = 0;
  std::span<const std::uint32_t> ranks_;
  std::span<const double> approx_;
  std::vector<std::uint32_t> rank_scratch_;
  std::vector<double> approx_scratch_;
};

class Accumulator {
 public:
  virtual ~Accumulator() = default;
  /// Outputs come in increasing order.
  virtual void offer(ColumnView& column) = 0;
  /// Takes in what was found in a range of later outputs. The other one is not used any more.
  virtual void merge(Accumulator&& later) = 0;
  /// An empty one for outputs after those that this one was offered. It takes over scratch memory, and may know what
  /// this one learned, as far as that only discards what the merged result would not hold anyway.
  virtual std::unique_ptr<Accumulator> for_later() = 0;
  /// True if no later output can change the result. One whose `offer` throws for other reasons than time and memory is
  /// never saturated, or by a single output: ranges that are worked on apart know of no others.
  virtual bool is_saturated() const { return false; }
  /// Outputs that, offered alone to an empty one, tell as much as all that were offered. None: it is not known which.
  virtual std::optional<std::vector<std::uint64_t>> sufficient_outputs() const { return std::nullopt; }

 protected:
  Accumulator() = default;
  Accumulator(const Accumulator&) = default;
  Accumulator(Accumulator&&) = default;
  Accumulator& operator=(const Accumulator&) = default;
  Accumulator& operator=(Accumulator&&) = default;
};

/// An accumulator whose class has `void take(Self&& later)` and `Self successor()` for the two above.
template <class Self>
class AccumulatorOf : public Accumulator {
 public:
  void merge(Accumulator&& later) final {
    assert(dynamic_cast<Self*>(&later) != nullptr && "ranges are merged with ranges of the same question");
    static_cast<Self&>(*this).take(static_cast<Self&&>(later));
  }
  std::unique_ptr<Accumulator> for_later() final {
    return std::make_unique<Self>(static_cast<Self&>(*this).successor());
  }
};

/// Outputs [begin, end).
struct OutputRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// An accumulator in a pass, and what ended it, if anything did: errors of one do not touch the others.
struct PassClient {
  Accumulator* accumulator;
  std::exception_ptr error = nullptr;
};

/// All outputs that one of several searches names, in order.
template <class Searches>
std::vector<std::uint64_t> telling_of_all(const Searches& searches) {
  std::set<std::uint64_t> outputs;
  for (const auto& search : searches) {
    const std::vector<std::uint64_t> of_one = search.sufficient_outputs();
    outputs.insert(of_one.begin(), of_one.end());
  }
  return {outputs.begin(), outputs.end()};
}

/// Offers every output of the range to every rider, by as many threads as the budget's limits say. Riders must be
/// empty, and begin where the range begins.
///
/// Results are the same for any number of threads. So is an error: that of the smallest output at which one arose. A
/// limit of time or memory is the error of every rider that is not finished.
void pass(const Columns& columns, OutputRange range, std::span<PassClient> riders, Budget& budget);

/// The same for one accumulator and all outputs; throws its error.
void pass(const Columns& columns, Accumulator& accumulator, Budget& budget);

}  // namespace oddsbound::engine
