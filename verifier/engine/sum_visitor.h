// One thread of a pass over the outputs of a product channel (output_sums.h), in doubles.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/sum_plan.h"

namespace oddsbound::engine {

// Sums over the visited outputs, and what bounds those over the others.
struct PartialSums {
  std::vector<double> visited, lower, upper;

  explicit PartialSums(std::size_t sums = 0) : visited(sums), lower(sums), upper(sums) {}
  void clear() {
    for (std::vector<double>* all : {&visited, &lower, &upper}) std::fill(all->begin(), all->end(), 0);
  }
  void add(const PartialSums& other) {
    for (std::size_t s = 0; s < visited.size(); ++s) {
      visited[s] += other.visited[s];
      lower[s] += other.lower[s];
      upper[s] += other.upper[s];
    }
  }
};

// An output, as the output of each factor of the plan, and its probability.
struct LikelySum {
  double probability = 0;
  std::vector<std::uint32_t> outputs;
};

// The outputs that may be the most likely one.
class LikelySums {
 public:
  // margin: a relative difference of probabilities that exceeds all roundings.
  explicit LikelySums(double margin = 0) : margin_(margin) {}

  bool may_be(double probability) const { return probability > 0 && probability >= best_ * (1 - margin_); }
  void add(LikelySum output) {
    if (output.probability > best_) {
      best_ = output.probability;
      std::erase_if(found_, [&](const LikelySum& other) { return !may_be(other.probability); });
    }
    overflow_ = found_.size() == kMost ? std::max(overflow_, output.probability) : overflow_;
    if (found_.size() < kMost) found_.push_back(std::move(output));
  }
  void add(const LikelySums& other) {
    for (const LikelySum& output : other.found_) {
      if (may_be(output.probability)) add(output);
    }
    overflow_ = std::max(overflow_, other.overflow_);
    unopened_ = std::max(unopened_, other.unopened_);
  }
  void leave_unopened(double mass) { unopened_ = std::max(unopened_, mass); }
  // Empty if some other output may be as likely.
  std::vector<LikelySum> take() {
    if (may_be(overflow_) || may_be(unopened_)) return {};
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kMost = 32;
  double margin_;
  double best_ = 0, overflow_ = 0, unopened_ = 0;
  std::vector<LikelySum> found_;
};

// When to leave prefixes unopened.
struct VisitLimits {
  double threshold = 0;  // of masses
  std::chrono::steady_clock::time_point deadline{};
  std::atomic<bool>* late = nullptr;
};

class LogTable;

// One thread of the pass.
class SumVisitor {
 public:
  SumVisitor(const SumPlan& plan, const VisitLimits& limits, double margin);

  struct Found {
    PartialSums sums;
    LikelySums likely;
    bool left_any = false;     // prefixes unopened
    std::uint64_t blocks = 0;  // visited
    double steps = 0;          // products of steps outside blocks
  };
  /// Visits the outputs below a prefix: the outputs of the first factors, at most those before the block.
  Found below(std::span<const std::uint32_t> prefix, Budget& budget);

 private:
  double fix(std::size_t d, std::uint32_t output);
  bool may_open(double mass) const;
  void visit(std::size_t d);
  void leave(std::size_t d, double mass, PartialSums& sums);
  void add_term(const PlannedPartition& own, const double* by_label, double mass, std::vector<double>& sums) const;
  void visit_block();
  void add_outputs(const double* cells, std::size_t lanes, PartialSums& sums);
  void find_likely(const double* all, std::size_t lanes, std::size_t first);
  template <typename Visit>
  void each_in_lane(std::size_t lane, std::size_t first, const Visit& visit) const;

  const SumPlan& plan_;
  const VisitLimits& limits_;
  Budget* budget_ = nullptr;
  const LogTable& log_;
  double margin_;
  LikelySums likely_;
  std::vector<std::vector<double>> nodes_;     // [depth]: cells
  std::vector<std::vector<double>> in_block_;  // [depth in the block]: cells x lanes
  std::vector<PartialSums> sums_;              // [depth]
  std::vector<std::uint32_t> path_;
  std::vector<double> parts_;  // [depth]
  std::vector<double> term_, inverse_, lane_parts_, by_label_, by_rest_;
  std::size_t lane_parts_of_ = SIZE_MAX, lanes_known_ = 0;
  std::uint64_t visits_ = 0, blocks_ = 0;
  double steps_ = 0;
  bool left_any_ = false;
};

}  // namespace oddsbound::engine
