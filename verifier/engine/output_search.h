// The largest ratio between groups of rows over all outputs of a product channel, by best-first branch and bound.
// Neither inputs nor outputs are enumerated.
//
// A node fixes the outputs of the first factors. Let u and v be the weights of two groups after these outputs, by
// what the remaining factors distinguish (r, s). Let l(r, s) be the largest loss from r to s over the outputs of
// these factors. For every c >= 0,
//
//     c + sum_r max(u_r - c v_r, 0) / R_r     with R_r = sum_s v_s exp(-l(r, s))
//
// bounds the ratio of every output below the node. Proof: let f_r be the probability of the output given r. Then
// f_r <= exp(l(r, s)) f_s, so R_r f_r <= sum_s v_s f_s. Apply this to the part max(u_r - c v_r, 0) of u_r; the
// rest of u_r is at most c v_r.
//
// Invariant: doubles with a bound of their error discard nodes; exact numbers decide if doubles cannot, and for
// every ratio found. The node with the largest bound is next, so at any time the level lies between the best
// output and that bound.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>

#include "base/bytes.h"
#include "verifier/engine/averaged_bound.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"
#include "verifier/exact/thread_pool.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// When a search stops early, and who is informed of its progress (at most every 200 ms).
struct SearchLimits {
  double seconds = 1e8;
  std::stop_token stop{};
  /// Receives the level found so far, its upper bound (both in nats, rounded), and the number of expanded nodes.
  std::function<void(double at_least, double at_most, std::uint64_t nodes)> report{};
  std::uint64_t most_nodes = UINT64_MAX;  // limit of expanded nodes, if there is another method
  Bytes begun{};                          // state that a probe left (Probe::begun)
  Averages averages = Averages::kWhereCheaper;
  /// Threads that other searches of the run leave free. Null: all of the budget's threads are for this search.
  SpareThreads* spare = nullptr;
};

/// Keeps the limits of a search, and informs of its progress.
class SearchWatch {
 public:
  static constexpr std::chrono::milliseconds kBetweenReports{200};

  /// Both arguments must outlive this object. first_report: from now.
  SearchWatch(const SearchLimits& limits, Budget& budget, std::chrono::milliseconds first_report);
  /// Throws LimitError after a stop request, past the budget or after the limits' seconds. Otherwise reports the
  /// largest ratio found and an upper bound of all ratios, if a report is due.
  void check(double found, double at_most, std::uint64_t nodes);
  bool is_late() const { return Clock::now() > deadline_; }

 private:
  using Clock = std::chrono::steady_clock;

  const SearchLimits& limits_;
  Budget& budget_;
  Clock::time_point deadline_, next_report_;
};

/// Returns the level with an output that attains it, the same for any number of threads. At least one group of each
/// side must have mass; with only one group in all, the level is 0. If `search_limits` or a limit of the budget ends
/// the search, the level is unfinished. Throws LimitError if nothing is known by then; a stop request alone does not
/// make it throw.
GroupLevel search_outputs(const ProjectedRows& seen, Budget& budget, const SearchLimits& search_limits = {});

/// A search with a small node limit, by one thread: either its outcome, or the state from which a longer search
/// resumes (SearchLimits::begun), which is empty if there is none.
struct Probe {
  Bytes outcome, begun;
};

/// The search in two steps, for many searches that are shared with other threads and processes (base/task.h):
/// first probe each, then compute the level from the outcome.
Probe searched_in_short(const ProjectedRows& seen, Budget& budget, std::uint64_t most_nodes, double seconds);
GroupLevel level_found_in_short(const ProjectedRows& seen, Budget& budget, const Bytes& outcome);

}  // namespace oddsbound::engine
