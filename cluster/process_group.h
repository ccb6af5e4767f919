// A process that helps the one that leads: it asks for units of the tasks that it comes to, until it is told the
// outcome.
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
  /// The post outlives it.
  Worker(Transport& transport, const Bytes& run);

  void receive(const Bytes& message);
  /// Throws Abandoned where the leader has left the part, or the run is over.
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
  std::map<std::uint64_t, std::optional<Reply>> answers_;  // by request; none as long as it waits
  std::atomic<bool> sent_home_{false};
};

// All processes that work on one run, and the checkpoint that it goes on from: what tasks (base/task.h) are shared with
// and kept in.
//
// Every process runs the same program on the same files, and so comes to the same tasks. The one of rank 0 leads: it
// alone reads clocks, writes files and speaks to people.

class ProcessGroup final : public TaskScopes {
 public:
  /// Either may be null: without a post this process is alone. `run` says in lines what the run is; all processes have
  /// to have the same. Throws std::runtime_error if one has another, or does not come.
  ProcessGroup(Transport* transport, Checkpoint* checkpoint, const Bytes& run);
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  /// The others are sent home.
  ~ProcessGroup() override;

  std::unique_ptr<TaskScope> begin(const std::string& name, const Bytes& content) override;
  bool leads() const noexcept override { return coordinator_.has_value(); }
  /// For one who helps: there is nothing more to come to. Does not return before the run is over.
  void wait_for_the_end();

 private:
  class Part;

  Transport* transport_;
  std::optional<Coordinator> coordinator_;
  std::optional<Worker> helper_;
};

}  // namespace oddsbound::cluster
