// Simulation of a process group of any size in one process. Units run here one after the other; their times are
// combined as the coordinator (cluster/coordinator.h) would hand them out.
//
// Measured, in processor time: every unit, and the coordinator's work between rounds. So a search that expands
// superfluous nodes with more processes does so here too. Assumed: equal processes with one core each, the cost of
// messages, and that the coordinator handles messages in another thread than its work. Not modelled: starting
// programs, and taking over from a slow process.
#pragma once

#include <cstdint>
#include <vector>

#include "base/task.h"

namespace oddsbound::bench {

/// Cost of messages, in seconds.
struct Messages {
  double one_way = 0;
  double per_byte = 0;
  double handling = 0;  // per message at the coordinator, one after the other
};

/// Times of a run, in seconds.
struct CrewTimes {
  double rounds = 0;        // from handing out units until all results are there
  double units = 0;         // sum over all units of all processes
  std::uint64_t count = 0;  // number of units
  std::uint64_t rounds_count = 0;
  std::uint64_t messages = 0;  // to the coordinator, and as many from it
  std::uint64_t bytes = 0;
};

/// Processor time of this process, in seconds.
double processor_time();

class PlayedCrew final : public TaskScopes {
 public:
  PlayedCrew(std::size_t processes, Messages messages) : processes_(processes), messages_(messages), free_(processes) {}

  std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) override;
  bool leads() const noexcept override { return true; }
  const CrewTimes& times() const { return times_; }
  /// Time this process spent in rounds, unlike the time that the simulated group spends in them.
  double played() const { return played_; }
  /// Simulated time of the group, since this process began.
  double now() const { return processor_time() - played_ + times_.rounds; }

 private:
  class Part;
  class PlayedHands;
  class PlayedRound;

  std::size_t processes_;
  Messages messages_;
  CrewTimes times_;
  double played_ = 0;
  std::vector<PlayedRound*> begun_;  // rounds that are not finished
  std::vector<double> free_;         // when each process finished its units of the finished rounds
};

}  // namespace oddsbound::bench
