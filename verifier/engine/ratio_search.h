// The largest quotient value(high) / (value(low) * bound) over millions of offered pairs of ranks.
//
// Approximations discard an offer only if its quotient is below the best one by more than their proven error. Each
// distinct remaining pair is compared exactly, once. 0/0 is ignored; p/0 with p > 0 is infinite and ends the
// search.
//
// LocalSearch, at the end, finds good outputs of a product channel by coordinate ascent.
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "verifier/engine/pair_losses.h"
#include "verifier/model/value_pool.h"

namespace oddsbound::engine {

class RatioSearch {
 public:
  /// bounds: the finite bounds that an offer may name; if empty, the bound is 1. The pool must outlive the search.
  explicit RatioSearch(const ValuePool& pool, std::span<const Number> bounds = {});

  /// The origin of an offer, from which the caller finds the two inputs again.
  struct Place {
    std::uint64_t output = 0;
    std::uint64_t tag = 0;
  };

  /// Returns true if offers with this quotient of approximations can still be the best.
  bool can_matter(double high, double low, std::size_t bound = 0) const {
    return !filter_ || high >= low * bound_approx_[bound] * threshold_;
  }
  /// True once an infinite quotient was found: nothing can exceed it.
  bool is_infinite() const { return infinite_; }

  void offer(std::uint32_t high, std::uint32_t low, Place place, std::size_t bound = 0) {
    assert(bound < bounds_->exact.size());
    if (infinite_ || !can_matter(pool_.approx(high), pool_.approx(low), bound)) return;
    if (high == last_high_ && low == last_low_ && bound == last_bound_) return;
    record(high, low, place, bound);
  }

  struct Best {
    std::uint32_t high, low;
    std::size_t bound;
    Place place;
    bool infinite;
  };
  /// Sets `result` to the best offer, the first among equals. Returns false if nothing but 0/0 was offered.
  bool best(Best& result, Budget& budget) const;

  /// Returns the outputs of offers that may be the best, in order; only the first of offers with the same ranks
  /// and bound.
  std::vector<std::uint64_t> sufficient_outputs() const;

  /// Adds the offers of a search with the same bounds over later outputs.
  void merge(RatioSearch&& later);
  /// Returns a search without offers, to be merged into this one. It discards quotients below the best one so far.
  RatioSearch successor() const;

 private:
  struct Bounds {
    std::vector<Number> exact;
    std::vector<double> approx;
  };
  void record(std::uint32_t high, std::uint32_t low, Place place, std::size_t bound);

  struct Candidate {
    std::uint32_t high, low;
    std::size_t bound;
    Place place;
  };
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
  RatioSearch(const ValuePool& pool, std::shared_ptr<const Bounds> bounds, bool filter)
      : pool_(pool), bounds_(std::move(bounds)), bound_approx_(bounds_->approx.data()), filter_(filter) {}
  bool reaches_threshold(const Candidate& candidate) const;
  void prune();

  const ValuePool& pool_;
  std::shared_ptr<const Bounds> bounds_;  // shared with all successors
  const double* bound_approx_;
  bool filter_;
  double threshold_ = 0;
  bool infinite_ = false;
  Candidate infinite_at_{};
  std::uint32_t last_high_ = UINT32_MAX;
  std::uint32_t last_low_ = UINT32_MAX;
  std::size_t last_bound_ = 0;
  std::vector<Candidate> candidates_;
  std::size_t prune_at_ = 1 << 16;
  std::unordered_map<Candidate, std::size_t, KeyHash, KeyEqual> seen_;
};

// Candidate outputs with a large ratio between two groups, by coordinate ascent in doubles: start at the outputs
// most specific to a heavy row, then change one output at a time while the ratio grows. Threads can climb at the same
// time.

class LocalSearch {
 public:
  /// Both must outlive this object.
  LocalSearch(const ProjectedRows& seen, const Suffixes& suffixes) : seen_(seen), suffixes_(suffixes) {}

  struct Found {
    Path path;
    double ratio;  // approximate
  };
  /// Returns the heaviest rows of a group, at most `most`; of rows with the same weight the first come first.
  std::vector<const SeenRow*> heaviest(std::uint32_t group, std::size_t most) const;
  /// Starts at a row of the group `from`. Calls look() between steps.
  Found climb(const SeenRow& start, std::uint32_t from, std::uint32_t to, const std::function<void()>& look) const;

 private:
  struct Weighed;

  Path likeliest_outputs(const SeenRow& row) const;

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
};

}  // namespace oddsbound::engine
