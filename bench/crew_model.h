// Simulates a run by any number of processes in one process. The units are computed here, one after the other; their
// times are combined in the order in which the coordinator (cluster/coordinator.h) would hand them out.
//
// Measured, in processor time: every unit, and the coordinator's work between rounds. So a search that expands more
// nodes than necessary with more processes does so here too. Assumed: equal processes with one core each, the times of
// messages, and a coordinator whose transport has its own thread. Left out: the start of programs, and units of slow
// processes that are done again.
#pragma once

#include <cstdint>
#include <vector>

#include "base/task.h"

namespace oddsbound::bench {

/// The times of messages, in seconds.
struct Messages {
  double one_way = 0;
  double per_byte = 0;
  double handling = 0;  // of one message by the coordinator, which handles them one after the other
};

/// The times of a run, in seconds.
struct GroupTimes {
  double rounds = 0;        // from handing out the units to the arrival of all results
  double units = 0;         // of all units, in any process
  std::uint64_t count = 0;  // of units
  std::uint64_t rounds_count = 0;
  std::uint64_t messages = 0;  // to the coordinator, and as many from it
  std::uint64_t bytes = 0;
};

/// Returns the processor time of this process, in seconds.
double processor_time();

class SimulatedGroup final : public TaskScopes {
 public:
  SimulatedGroup(std::size_t processes, Messages messages)
      : processes_(processes), messages_(messages), free_(processes) {}

  std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) override;
  bool leads() const noexcept override { return true; }
  const GroupTimes& times() const { return times_; }
  /// The time of this process in rounds. The simulated time of rounds is in times().
  double played() const { return played_; }
  /// The simulated time since this process began.
  double now() const { return processor_time() - played_ + times_.rounds; }

 private:
  class Part;
  class SimulatedPool;
  class SimulatedRound;

  std::size_t processes_;
  Messages messages_;
  GroupTimes times_;
  double played_ = 0;
  std::vector<SimulatedRound*> begun_;  // rounds in progress
  std::vector<double> free_;            // when each process has finished the units of earlier rounds
};

}  // namespace oddsbound::bench
