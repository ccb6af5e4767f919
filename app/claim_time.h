// The order in which the claims of a spec are decided, and the part of the time limit that each has: one expensive
// claim must not use up the time of the others.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/spec.h"
#include "verifier/smt/solver.h"

namespace oddsbound::app {

/// Returns the places of claims in the order in which they are decided. It depends on the spec alone, so that equal
/// runs do equal work.
std::vector<std::size_t> cheap_first(const Spec& spec, std::span<const std::size_t> which);

/// Claims with equal work are answered together: by one pass over the columns, or by levels that the subject remembers.
/// Every other claim has work of its own.
std::string work_of(const Spec& spec, std::size_t index, const MeasuredModel& subject, Engine engine);

/// Divides the time that is left among the claims that are left. Equal work gets the parts of all its claims at once.
class TimeOfClaims {
 public:
  /// places: of the claims to decide, in their order; works: by place.
  TimeOfClaims(const std::vector<std::size_t>& places, const std::vector<std::string>& works)
      : works_(works), left_(places.size()) {
    for (const std::size_t place : places) ++shares_[works_[place]].claims;
  }

  /// Begins the claim at `place`. Work that is all that is left may use all the time.
  void begin(std::size_t place, Budget& budget, std::optional<Budget::Part>& part) {
    Share& share = shares_[works_[place]];
    const double seconds = budget.seconds_left() * static_cast<double>(share.claims) / static_cast<double>(left_);
    if (share.seconds == 0) share.seconds = seconds;
    if (share.claims < left_) part.emplace(budget, seconds);
    is_part_ = share.claims < left_;
    begun_ = Clock::now();
  }

  /// Ends it.
  void end(std::size_t place) {
    Share& share = shares_[works_[place]];
    constexpr double kMost = 0.4;  // searches and passes end before the end of their part
    const double passed = std::chrono::duration<double>(Clock::now() - begun_).count();
    share.ran_out = share.ran_out || (is_part_ && passed > kMost * share.seconds);
    --share.claims;
    --left_;
  }

  /// True if the part of the claim's work was too short. Then it had `seconds_of` seconds.
  bool ran_out(std::size_t place) const { return shares_.at(works_[place]).ran_out; }
  double seconds_of(std::size_t place) const { return shares_.at(works_[place]).seconds; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Share {
    std::size_t claims = 0;  // that are left
    double seconds = 0;      // of the first claim
    bool ran_out = false;
  };

  const std::vector<std::string>& works_;
  std::size_t left_;
  std::map<std::string, Share> shares_;
  bool is_part_ = false;
  Clock::time_point begun_;
};

}  // namespace oddsbound::app
