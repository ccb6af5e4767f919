// Questions about levels between inputs that one pass over the columns answers.
//
// For one output, the worst pair in a group of inputs is its largest entry against its smallest. So the scan keeps
// two extremes per group and visits no pairs: it costs inputs x outputs steps.
//
// A question is asked of a MeasuredModel (measured_model.h). Its accumulator holds a reference to it, so a
// question must outlive its accumulators.
#pragma once

#include <optional>
#include <vector>

#include "base/bytes.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/ratio_search.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// The accumulator of a question that offers quotients to one RatioSearch. `offer(search, column)` offers those of
/// a column; `finish(search, subject)` turns the largest into the answer.
template <class Question>
class RatioScan final : public AccumulatorOf<RatioScan<Question>> {
 public:
  RatioScan(const Question& question, RatioSearch search) : question_(question), search_(std::move(search)) {}
  void offer(ColumnView& column) override { question_.offer(search_, column); }
  bool is_saturated() const override { return search_.is_infinite(); }
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override { return search_.sufficient_outputs(); }
  void take(RatioScan&& later) { search_.merge(std::move(later.search_)); }
  RatioScan successor() const { return {question_, search_.successor()}; }
  auto finish(MeasuredModel& subject) const { return question_.finish(search_, subject); }

 private:
  const Question& question_;
  RatioSearch search_;
};

/// The level over all pairs of inputs of the same group. Groups must not be empty.
struct AmongInputs {
  std::optional<std::vector<std::vector<std::uint64_t>>> groups{};  // nullopt: one group, of all inputs
  bool to_all = false;                                              // the second input of a pair is any input
  using Accumulator = RatioScan<AmongInputs>;
  Bytes as_bytes() const {
    BinaryWriter writer;
    writer.put("among inputs").put(groups.has_value()).put(to_all);
    return groups ? writer.put(*groups).take() : writer.take();
  }
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  void offer(RatioSearch& search, ColumnView& column) const;
  InputLevel finish(const RatioSearch& search, MeasuredModel& subject) const;
  friend bool operator==(const AmongInputs&, const AmongInputs&) = default;
};

/// The groups of inputs that agree outside one coordinate: `values` inputs each, `stride` apart.
struct Lines {
  std::uint64_t stride;
  std::uint64_t values;
  /// Returns the inputs of the line whose first input is `first`.
  std::vector<std::uint64_t> inputs_of(std::uint64_t first) const;
};

class LineScan;

/// For each of the coordinates, the level over all pairs of inputs that differ in that coordinate only.
struct AlongCoordinates {
  std::vector<std::size_t> coordinates;
  using Accumulator = LineScan;
  Bytes as_bytes() const { return BinaryWriter().put("along coordinates").put(coordinates).take(); }
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  friend bool operator==(const AlongCoordinates&, const AlongCoordinates&) = default;
};

class LineScan final : public AccumulatorOf<LineScan> {
 public:
  LineScan(std::vector<Lines> lines, const ValuePool& pool);
  void offer(ColumnView& column) override;
  bool is_saturated() const override;
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override { return telling_of_all(searches_); }
  void take(LineScan&& later);
  LineScan successor() const;
  std::vector<InputLevel> finish(MeasuredModel& subject) const;

 private:
  std::vector<Lines> lines_;           // per coordinate
  std::vector<RatioSearch> searches_;  // per coordinate
};

}  // namespace oddsbound::engine
