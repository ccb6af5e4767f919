// A process that helps the one that leads: it asks for units of the tasks that it comes to, until it is told the
// outcome.
#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>

#include "base/task.h"
#include "cluster/messages.h"
#include "cluster/post.h"

namespace oddsbound::cluster {

class Helper {
 public:
  /// The post outlives it.
  Helper(Post& post, const Bytes& run);

  void receive(const Bytes& message);
  /// Throws Abandoned where the leader has left the part, or the run is over.
  Bytes help(const std::string& part, const Bytes& content, const std::string& task, const Unit& unit, Budget& budget);
  bool is_sent_home() const noexcept { return sent_home_; }
  void wait_until_sent_home();

 private:
  std::uint64_t ask(Ask& question);
  Reply answer_to(std::uint64_t request);

  Post& post_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::uint64_t requests_ = 0;
  std::map<std::uint64_t, std::optional<Reply>> answers_;  // by request; none as long as it waits
  std::atomic<bool> sent_home_{false};
};

}  // namespace oddsbound::cluster
