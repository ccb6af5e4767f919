// What those who help ask of the one who leads, and the answers. Each begins with its kind.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace oddsbound::cluster {

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
    Packer packer;
    packer.put(static_cast<std::uint64_t>(MessageKind::kAsk)).put(request).put(part).put(content).put(task).put(hands);
    packer.put(std::uint64_t{results.size()});
    for (const UnitResult& result : results) {
      packer.put(result.round).put(result.unit).put(result.is_there).put(result.bytes);
    }
    return packer.take();
  }
  /// Of what follows the kind.
  static Ask from(Unpacker& message) {
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
    Packer packer;
    packer.put(static_cast<std::uint64_t>(kind)).put(request).put(outcome).put(round);
    packer.put(std::uint64_t{units.size()});
    for (const auto& [unit, bytes] : units) packer.put(unit).put(bytes);
    return packer.take();
  }
  static Reply from(MessageKind kind, Unpacker& message) {
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
