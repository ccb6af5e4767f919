// Messages between the processes that work on one run.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/bytes.h"

namespace oddsbound::cluster {

class Post {
 public:
  /// Called for every message, by a thread of the post's own or one that looks; may send.
  using Receiver = std::function<void(std::size_t from, const Bytes& message)>;

  virtual ~Post() = default;
  /// This process among all; 0 is the one that leads.
  virtual std::size_t rank() const = 0;
  virtual std::size_t ranks() const = 0;
  /// Where the process runs, for messages to people.
  virtual std::string host() const = 0;
  /// Messages that came before wait until then. An empty one is for none: they wait again. Returns when the one before
  /// is not called any more; not to be called by a receiver.
  virtual void receive(Receiver receiver) = 0;
  /// Any thread may send; messages from one process to another arrive in order.
  virtual void send(std::size_t to, Bytes message) = 0;
  /// Sees to what came, by the thread that calls, if nobody else does: it calls the receiver. Who works and passes by
  /// here now and then spares the post waking a thread of its own.
  virtual void look() {}
  /// One more, or one fewer, waits for a message and has nothing else to do: then it is to be seen at once.
  virtual void count_waiting(int /*change*/) {}
  /// Waits for the end of this process, which has nothing to tell any more. Returns only where it is no process of its
  /// own.
  virtual void go_home() = 0;
};

/// Somebody who waits for a message, as long as it lives.
class Waiting {
 public:
  /// No post, or one that outlives it.
  explicit Waiting(Post* post) : post_(post) {
    if (post_ != nullptr) post_->count_waiting(1);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    if (post_ != nullptr) post_->count_waiting(-1);
  }

 private:
  Post* post_;
};

}  // namespace oddsbound::cluster
