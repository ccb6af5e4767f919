// Messages between the processes that work on one run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace oddsbound::cluster {

class Transport {
 public:
  /// Called for every message, by a thread of the post's own or one that looks; may send.
  using Receiver = std::function<void(std::size_t from, const Bytes& message)>;

  virtual ~Transport() = default;
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
  explicit Waiting(Transport* transport) : transport_(transport) {
    if (transport_ != nullptr) transport_->count_waiting(1);
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    if (transport_ != nullptr) transport_->count_waiting(-1);
  }

 private:
  Transport* transport_;
};

// What those who help ask of the one who leads, and the answers. Each begins with its kind.

enum class MessageKind : std::uint64_t {
  kHello,    // to the leader: what run one has come for, and where one is
  kAsk,      // to the leader: for units of a task, with the results of those before
  kUnits,    // the answer: some units
  kOutcome,  // the answer: the task is done
  kGone,     // the answer: there is nothing more to do in that part of the run
  kEnd       // the run is over
};

/// Of one process: more than it may have threads.
inline constexpr std::uint64_t kMostHands = std::uint64_t{1} << 16;

struct UnitResult {
  std::uint64_t round = 0;
  std::uint64_t unit = 0;
  bool is_there = false;  // false: it failed
  Bytes bytes;
};

struct Ask {
  std::uint64_t request = 0;
  std::string part;
  Bytes content;  // of the part
  std::string task;
  std::uint64_t hands = 1;  // units that are worked on at once
  std::vector<UnitResult> results;

  Bytes as_message() const {
    BinaryWriter packer;
    packer.put(static_cast<std::uint64_t>(MessageKind::kAsk)).put(request).put(part).put(content).put(task).put(hands);
    packer.put(std::uint64_t{results.size()});
    for (const UnitResult& result : results) {
      packer.put(result.round).put(result.unit).put(result.is_there).put(result.bytes);
    }
    return packer.take();
  }
  /// Of what follows the kind.
  static Ask from(BinaryReader& message) {
    Ask question;
    question.request = message.word();
    question.part = message.text();
    question.content = message.text();
    question.task = message.text();
    question.hands = message.below(kMostHands + 1);
    for (std::size_t left = message.count(32); left > 0; --left) {
      UnitResult& result = question.results.emplace_back();
      result.round = message.word();
      result.unit = message.word();
      result.is_there = message.flag();
      result.bytes = message.text();
    }
    message.require_end();
    return question;
  }
};

struct Reply {
  MessageKind kind = MessageKind::kGone;
  std::uint64_t request = 0;
  Bytes outcome;
  std::uint64_t round = 0;
  std::vector<std::pair<std::uint64_t, Bytes>> units;

  Bytes as_message() const {
    BinaryWriter packer;
    packer.put(static_cast<std::uint64_t>(kind)).put(request).put(outcome).put(round);
    packer.put(std::uint64_t{units.size()});
    for (const auto& [unit, bytes] : units) packer.put(unit).put(bytes);
    return packer.take();
  }
  static Reply from(MessageKind kind, BinaryReader& message) {
    Reply answer{kind, message.word(), message.text(), message.word(), {}};
    for (std::size_t left = message.count(16); left > 0; --left) {
      const std::uint64_t unit = message.word();
      answer.units.emplace_back(unit, message.text());
    }
    message.require_end();
    return answer;
  }
};

}  // namespace oddsbound::cluster
