// Pairs of inputs, each with a level. One pass over the columns answers two questions: which pair's loss exceeds its
// level most, and which pair does not attain its level.
//
// A pass computes log P(y | from) - log P(y | to) - level in doubles, with a proven bound of the error, for every pair
// and output. The candidates within the error of the largest are compared by enclosures. Those that enclosures do not
// separate from 0 are compared exactly, once per key: values of a channel are mostly c * exp(r) times one of few
// numbers, so that thousands of quotients are a few keys. Comparing quotients one by one would multiply polynomials of
// high degree for each of them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/exact/scaled_level.h"
#include "verifier/model/model.h"
#include "verifier/model/pair_levels.h"

namespace oddsbound::engine {

/// Logarithms of the values of a pool and of levels, in doubles.
struct ExcessLogs {
  std::vector<double> values;  // by rank; -infinity for 0
  std::vector<double> bounds;
  double error = 0;  // of value - value - bound, at most
};

class WorstPairScan;
class EachPairScan;

/// The pair with the largest excess (its loss minus its level); the first one among those that are not separated.
struct WorstPair {
  InputLevel level;
  ScaledLevel bound;
  /// Yes if every loss is at most its level; open if some excess agrees with 0 to kMostComparedBits bits.
  Answer holds = Answer::kNo;
  /// Yes if some pair with a positive level attains it.
  Answer attained = Answer::kNo;
};

/// Question: the worst of the pairs, which are not empty.
struct BetweenPairs {
  std::shared_ptr<const BoundedPairs> bounded;
  using Accumulator = WorstPairScan;
  Bytes as_bytes() const;
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  friend bool operator==(const BetweenPairs& a, const BetweenPairs& b) { return *a.bounded == *b.bounded; }
};

/// Question: the first pair that does not attain its level, if every pair keeps its own; nullopt if each attains it.
struct FirstSlack {
  std::shared_ptr<const BoundedPairs> bounded;
  using Accumulator = EachPairScan;
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  friend bool operator==(const FirstSlack& a, const FirstSlack& b) { return *a.bounded == *b.bounded; }
};

class WorstPairScan final : public AccumulatorOf<WorstPairScan> {
 public:
  struct Candidate {
    std::uint32_t high, low, bound;  // ranks, and the level
    std::uint64_t output;
    std::size_t pair;
    double excess;
  };

  WorstPairScan(const BoundedPairs& bounded, std::shared_ptr<const ExcessLogs> logs);
  void offer(ColumnView& column) override;
  bool is_saturated() const override { return infinite_.has_value(); }
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override;
  void take(WorstPairScan&& later);
  WorstPairScan successor() const;
  WorstPair finish(MeasuredModel& subject) const;

 private:
  void record(const Candidate& candidate);
  void prune();

  struct KeyHash {
    std::size_t operator()(const Candidate& c) const {
      return (c.high * 0x9e3779b97f4a7c15ULL) ^ (c.low * 0xc2b2ae3d27d4eb4fULL) ^ (c.bound * 0x165667b19e3779f9ULL);
    }
  };
  struct KeyEqual {
    bool operator()(const Candidate& a, const Candidate& b) const {
      return a.high == b.high && a.low == b.low && a.bound == b.bound;
    }
  };

  const BoundedPairs& bounded_;
  std::shared_ptr<const ExcessLogs> logs_;
  std::vector<double> row_;  // logarithms of the column
  double threshold_;         // a smaller excess is not the largest
  std::optional<Candidate> infinite_;
  std::vector<Candidate> candidates_;
  std::unordered_set<Candidate, KeyHash, KeyEqual> seen_;
  std::size_t prune_at_ = 1 << 16;
};

class EachPairScan final : public AccumulatorOf<EachPairScan> {
 public:
  EachPairScan(std::shared_ptr<const BoundedPairs> bounded, std::shared_ptr<const ExcessLogs> logs);
  void offer(ColumnView& column) override;
  void take(EachPairScan&& later);
  EachPairScan successor() const { return {bounded_, logs_}; }
  std::optional<std::size_t> finish(MeasuredModel& subject) const;

 private:
  struct Best {
    double excess;
    std::uint32_t high = 0, low = 0;
  };
  std::shared_ptr<const BoundedPairs> bounded_;
  std::shared_ptr<const ExcessLogs> logs_;
  std::vector<double> row_;
  std::vector<Best> best_;  // by pair
};

}  // namespace oddsbound::engine
