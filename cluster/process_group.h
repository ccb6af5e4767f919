// The processes of one run: Worker, which requests units of the tasks that it reaches until it receives their
// outcome, and ProcessGroup, which joins a coordinator and its workers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "base/task.h"
#include "cluster/checkpoint.h"
#include "cluster/coordinator.h"
#include "cluster/transport.h"

namespace oddsbound::cluster {

class Worker {
 public:
  /// `transport` outlives this object.
  Worker(Transport& transport, const Bytes& run);

  void receive(const Bytes& message);
  /// Works on units of a task until its outcome arrives, and returns it. Throws Abandoned if the coordinator has
  /// left the part or the run is over.
  Bytes help(const std::string& part, const Bytes& content, const std::string& task, const Unit& unit, Budget& budget);
  bool is_sent_home() const noexcept { return sent_home_; }
  void wait_until_sent_home();

 private:
  std::uint64_t ask(Ask& question);
  Reply answer_to(std::uint64_t request);

  Transport& transport_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t requests_ = 0;
  std::map<std::uint64_t, std::optional<Reply>> answers_;  // by request; nullopt while waiting
  std::atomic<bool> sent_home_{false};
};

// All processes of one run and its checkpoint: shares tasks (base/task.h) among them and keeps their outcomes.
//
// Every process runs the same program on the same files, and so reaches the same tasks. Rank 0 is the coordinator:
// it alone reads clocks, writes files and reports to people.

class ProcessGroup final : public TaskScopes {
 public:
  /// Either pointer may be null; without a transport this process is alone. `run` describes the run in lines and
  /// must be equal in all processes. Throws std::runtime_error if a process has another one or does not join.
  ProcessGroup(Transport* transport, Checkpoint* checkpoint, const Bytes& run);
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  /// Sends the workers home.
  ~ProcessGroup() override;

  std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) override;
  bool leads() const noexcept override { return coordinator_.has_value(); }
  /// In a worker that has no more tasks to reach: waits for the end of the run and ends the process. Returns at
  /// once in the coordinator.
  void wait_for_the_end();

 private:
  class Part;

  Transport* transport_;
  std::optional<Coordinator> coordinator_;
  std::optional<Worker> helper_;
};

}  // namespace oddsbound::cluster
