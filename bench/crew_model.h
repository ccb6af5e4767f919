// A crew of as many processes as one likes, played by one: its units are worked on here, one after the other, and what
// they took is put together as the leader (cluster/coordinator.h) would hand them out.
//
// What is measured: every unit, and what the leader does between rounds, in processor time; so a search that opens more
// than it needs with more processes does so here too. What is supposed: that processes are alike and have a core each,
// what messages take, and that the leader's post is another thread than its work. What is left out: how programs are
// begun, and that a slow process is taken over from.
#pragma once

#include <cstdint>
#include <vector>

#include "base/task.h"

namespace oddsbound::bench {

/// What messages take, in seconds.
struct Messages {
  double one_way = 0;
  double per_byte = 0;
  double handling = 0;  // of one by the leader, which handles one after the other
};

/// What a run took, in seconds.
struct CrewTimes {
  double rounds = 0;        // from where units are handed out to where all results are there
  double units = 0;         // on all units, by whoever
  std::uint64_t count = 0;  // of units
  std::uint64_t rounds_count = 0;
  std::uint64_t messages = 0;  // to the leader, and as many from it
  std::uint64_t bytes = 0;
};

/// Of this process, in seconds.
double processor_time();

class PlayedCrew final : public TaskScopes {
 public:
  PlayedCrew(std::size_t processes, Messages messages) : processes_(processes), messages_(messages), free_(processes) {}

  std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) override;
  bool leads() const noexcept override { return true; }
  const CrewTimes& times() const { return times_; }
  /// What this process did in rounds, which is another thing than what a crew does in them.
  double played() const { return played_; }
  /// In the run of the crew, since this process began.
  double now() const { return processor_time() - played_ + times_.rounds; }

 private:
  class Part;
  class PlayedHands;
  class PlayedRound;

  std::size_t processes_;
  Messages messages_;
  CrewTimes times_;
  double played_ = 0;
  std::vector<PlayedRound*> begun_;  // that are not over
  std::vector<double> free_;         // when each process has done all that it had, of rounds that are over
};

}  // namespace oddsbound::bench
