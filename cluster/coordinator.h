// The coordinating process: hands the units of its tasks (base/task.h) to workers on request, works on units
// itself, and collects the results.
//
// It never waits for a particular worker. Units of a worker that is slow or has ended are done here after a while.
// So no message needs an answer from everyone, unlike MPI's collective operations, and no process can block the
// run.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "base/task.h"
#include "cluster/checkpoint.h"
#include "cluster/transport.h"

namespace oddsbound::cluster {

/// The units of a round.
struct Stock {
  std::uint64_t left;  // not yet handed out
  std::uint64_t all;
  bool is_last;  // no later round has units left
};

/// Returns how many units to send to a worker that runs `slots` units at once, of `all_slots` in total; 0 if it
/// should wait. has_any() returns whether the worker already has units of the round.
std::uint64_t units_for(std::uint64_t slots, const Stock& stock, std::uint64_t all_slots,
                        const std::function<bool()>& has_any);

class Coordinator {
 public:
  /// `transport` and `checkpoint` may be null; they outlive this object.
  Coordinator(Transport* transport, Checkpoint* checkpoint, Bytes run);

  void receive(std::size_t from, const Bytes& message);
  /// Waits for the other processes. Throws std::runtime_error if one has joined another run, or does not join
  /// within a minute.
  void meet();
  void begin(const std::string& part, const Bytes& content);
  void end(const std::string& part);
  Bytes lead(const std::string& part, const std::string& task, const Unit& unit, const TaskBody& lead, Budget& budget);
  void send_home();

 private:
  class Round;
  class BegunRound;
  class ProcessPool;
  struct Asking {
    std::size_t rank;
    Ask question;
  };
  struct Part {
    Bytes content;
    std::map<std::string, Bytes> outcomes;
  };
  using Key = std::pair<std::string, std::string>;  // a part and one of its tasks

  void take_results(const Ask& question);
  /// Answers a request if possible; false if there is no answer yet.
  bool answer(const Asking& asking);
  void answer_all();
  void publish(const Key& key, Bytes outcome);
  void find_conflicts();
  void look();
  void wait_for_news(std::unique_lock<std::mutex>& lock);
  std::size_t slots_of_others(const Key& key);
  /// Returns the earliest round of a task with units left; null if there is none.
  Round* first_with_more(const Key& key);

  Transport* transport_;
  Checkpoint* checkpoint_;
  Bytes run_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::size_t, std::pair<Bytes, std::string>> met_;     // by rank: its run and host
  std::map<std::string, Part> parts_;                            // in progress
  std::set<std::string> over_;                                   // finished parts
  std::map<Key, std::vector<Round*>> rounds_;                    // in progress, oldest first
  std::map<Key, std::map<std::size_t, std::uint64_t>> workers_;  // worker threads per task, by rank
  std::deque<Asking> asking_;                                    // requests without an answer
  std::string quarrel_;                                          // why the run must fail; empty if it can go on
  std::set<Key> led_;                                            // tasks that run now
  std::atomic<std::uint64_t> rounds_begun_{0};
};

}  // namespace oddsbound::cluster
