// Messages between the processes of one run: the transport interface, and the requests and replies of workers and
// coordinator.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace oddsbound::cluster {

class Transport {
 public:
  /// Called for every message, by a thread of the transport or by one in look(). May send.
  using Receiver = std::function<void(std::size_t from, const Bytes& message)>;

  virtual ~Transport() = default;
  /// Returns the number of this process; 0 is the coordinator.
  virtual std::size_t rank() const = 0;
  virtual std::size_t ranks() const = 0;
  /// Returns the name of the machine, for messages to people.
  virtual std::string host() const = 0;
  /// Sets the receiver; earlier messages wait until then. An empty receiver makes later messages wait again.
  /// Returns once the previous receiver is no longer running, so a receiver must not call it.
  virtual void receive(Receiver receiver) = 0;
  /// Sends a message. Thread-safe; messages from one process to another arrive in order.
  virtual void send(std::size_t to, Bytes message) = 0;
  /// Handles arrived messages on the calling thread, unless another thread does: calls the receiver. Worker
  /// threads call it between units, so that the transport need not wake its own thread.
  virtual void look() {}
  /// Adds to the number of idle threads that wait for a message. While it is positive, messages are handled at
  /// once.
  virtual void count_waiting(int /*change*/) {}
  /// Waits for the end of this process, which has nothing more to send. Returns only if it is not a process of its
  /// own.
  virtual void go_home() = 0;
};

/// RAII: a thread that waits for a message.
class Waiting {
 public:
  /// `transport` may be null; it outlives this object.
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

// Requests of workers and replies of the coordinator. Each message starts with its kind.

enum class MessageKind : std::uint64_t {
  kHello,    // to the coordinator: the worker's run and host
  kAsk,      // to the coordinator: a request for units, with the results of earlier ones
  kUnits,    // reply: some units
  kOutcome,  // reply: the task is done
  kGone,     // reply: no more work in that part of the run
  kEnd       // the run is over
};

/// Upper bound on the threads of one process.
inline constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 16;

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
  std::uint64_t slots = 1;  // units that run at once
  std::vector<UnitResult> results;

  Bytes as_message() const {
    BinaryWriter writer;
    writer.put(static_cast<std::uint64_t>(MessageKind::kAsk)).put(request).put(part).put(content).put(task).put(slots);
    writer.put(std::uint64_t{results.size()});
    for (const UnitResult& result : results) {
      writer.put(result.round).put(result.unit).put(result.is_there).put(result.bytes);
    }
    return writer.take();
  }
  /// Reads what follows the kind.
  static Ask from(BinaryReader& message) {
    Ask question;
    question.request = message.word();
    question.part = message.text();
    question.content = message.text();
    question.task = message.text();
    question.slots = message.below(kMostSlots + 1);
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
    BinaryWriter writer;
    writer.put(static_cast<std::uint64_t>(kind)).put(request).put(outcome).put(round);
    writer.put(std::uint64_t{units.size()});
    for (const auto& [unit, bytes] : units) writer.put(unit).put(bytes);
    return writer.take();
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

// The startup hook of the two programs (single process and MPI).

/// Stores the program's arguments and its transport to other processes (null: none). The transport outlives all
/// runs.
void begin_program(std::vector<std::string> arguments, Transport* transport);

}  // namespace oddsbound::cluster
