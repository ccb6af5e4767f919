// One pass over the columns of a channel. Everything that needs all outputs is an accumulator: the pass offers it
// columns, merges it with the accumulator of a later range of outputs, and asks for its result at the end. The
// pass handles the order of outputs, threads, the budget, and early termination once no later output matters.
//
// Invariant: an accumulator's result depends only on the outputs it was offered, not on how they were cut into
// ranges. So the result, witness included, is the same for any number of threads.
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

/// The column of one output. Entries are fetched on first access; spans are valid until the pass moves to the next
/// output.
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
  /// Outputs are offered in increasing order.
  virtual void offer(ColumnView& column) = 0;
  /// Adds what was found in a range of later outputs. `later` is not used afterwards.
  virtual void merge(Accumulator&& later) = 0;
  /// Returns an empty accumulator for later outputs. It takes over scratch memory. It may inherit knowledge of
  /// this one, but only to discard what the merged result would not contain anyway.
  virtual std::unique_ptr<Accumulator> for_later() = 0;
  /// Returns true if no later output can change the result. An accumulator whose `offer` throws for reasons other
  /// than time and memory must never be saturated, or be saturated by a single output: ranges that are processed
  /// separately do not know of each other.
  virtual bool is_saturated() const { return false; }
  /// Returns outputs that give an empty accumulator the same result as all that were offered; nullopt if not
  /// known.
  virtual std::optional<std::vector<std::uint64_t>> sufficient_outputs() const { return std::nullopt; }

 protected:
  Accumulator() = default;
  Accumulator(const Accumulator&) = default;
  Accumulator(Accumulator&&) = default;
  Accumulator& operator=(const Accumulator&) = default;
  Accumulator& operator=(Accumulator&&) = default;
};

/// Implements merge() and for_later() by `void take(Self&& later)` and `Self successor()` of the derived class.
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

/// An accumulator in a pass, and the error that ended it, if any. An error of one does not affect the others.
struct PassClient {
  Accumulator* accumulator;
  std::exception_ptr error = nullptr;
};

/// Returns the sufficient outputs of all searches, in order.
template <class Searches>
std::vector<std::uint64_t> telling_of_all(const Searches& searches) {
  std::set<std::uint64_t> outputs;
  for (const auto& search : searches) {
    const std::vector<std::uint64_t> of_one = search.sufficient_outputs();
    outputs.insert(of_one.begin(), of_one.end());
  }
  return {outputs.begin(), outputs.end()};
}

/// Offers every output of the range to every client, with as many threads as the budget's limits allow.
/// Accumulators must be empty, and begin where the range begins.
///
/// Results are the same for any number of threads. So is an error: it is that of the smallest output at which one
/// occurs. If a limit of time or memory is reached, every unfinished client gets that error.
void pass(const Columns& columns, OutputRange range, std::span<PassClient> riders, Budget& budget);

/// The same for one accumulator and all outputs. Throws its error.
void pass(const Columns& columns, Accumulator& accumulator, Budget& budget);

// Rows of a channel, for algorithms that compare whole rows; gathered by a pass over the columns.

/// Gathers the inputs x outputs entries, one input after another. Accumulators for later outputs write into the
/// same matrix.
template <class Entry>
class GatheredRows final : public AccumulatorOf<GatheredRows<Entry>> {
 public:
  explicit GatheredRows(const Columns& columns)
      : outputs_(columns.outputs()),
        matrix_(std::make_shared<std::vector<Entry>>(columns.inputs() * columns.outputs())) {}

  void offer(ColumnView& column) override {
    const std::uint64_t y = column.output();
    const std::span<const Entry> entries = entries_of(column);
    Entry* entry = matrix_->data() + y;
    for (std::uint64_t x = 0; x < entries.size(); ++x) entry[x * outputs_] = entries[x];
    if (seen_.begin == seen_.end) seen_.begin = y;
    seen_.end = y + 1;
  }
  void take(GatheredRows&& later) {
    assert(outputs_ == later.outputs_);
    for (std::uint64_t k = 0; matrix_ != later.matrix_ && k < matrix_->size(); k += outputs_) {
      for (std::uint64_t y = later.seen_.begin; y < later.seen_.end; ++y) (*matrix_)[k + y] = (*later.matrix_)[k + y];
    }
    if (seen_.begin == seen_.end) seen_.begin = later.seen_.begin;
    seen_.end = later.seen_.end;
  }
  GatheredRows successor() const {
    GatheredRows rows = *this;
    rows.seen_ = {};
    return rows;
  }

  std::vector<Entry> finish() && { return std::move(*matrix_); }

 private:
  static std::span<const Entry> entries_of(ColumnView& column) {
    if constexpr (std::is_same_v<Entry, double>) {
      return column.approx();
    } else {
      return column.ranks();
    }
  }

  std::uint64_t outputs_;
  std::shared_ptr<std::vector<Entry>> matrix_;
  OutputRange seen_;
};

/// Returns all rows as ranks in the pool of the columns. Throws LimitError if the budget is exceeded.
std::vector<std::uint32_t> rank_rows(const Columns& columns, Budget& budget);

/// Returns P(y | x) as [x][y], each with a relative error of at most 2^-50. Throws LimitError if the budget is
/// exceeded.
std::vector<std::vector<double>> rounded_rows(const Channel& channel, Budget& budget);

}  // namespace oddsbound::engine
