// The process that leads: it cuts tasks into units (base/task.h), works on them, and hands them to whoever asks.
//
// It waits for nobody: who is slow, or ended at a limit of its own, is of no help for a while, and what it had in hand
// is taken over. So there is no message that everybody has to answer, as those of MPI's collective operations are, and
// no process that others can wait for in vain.
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
  std::uint64_t left;  // to begin
  std::uint64_t all;
  bool is_last;  // of the rounds with some left
};

/// How many units one gets who asks for some and works on `hands` at once, of all hands that work on them: 0 if there
/// are none for now. has_any: whether it works on units already.
std::uint64_t units_for(std::uint64_t hands, const Stock& stock, std::uint64_t all_hands,
                        const std::function<bool()>& has_any);

class Coordinator {
 public:
  /// Both may be null, and outlive it.
  Coordinator(Transport* transport, Checkpoint* checkpoint, Bytes run);

  void receive(std::size_t from, const Bytes& message);
  /// Waits until all others are there. Throws std::runtime_error if one has come for another run, or not at all.
  void meet();
  void begin(const std::string& part, const Bytes& content);
  void end(const std::string& part);
  Bytes lead(const std::string& part, const std::string& task, const Unit& unit, const TaskBody& lead, Budget& budget);
  void send_home();

 private:
  class Round;
  class BegunRound;
  class CrewHands;
  struct Asking {
    std::size_t rank;
    Ask question;
  };
  struct Part {
    Bytes content;
    std::map<std::string, Bytes> outcomes;
  };
  using Key = std::pair<std::string, std::string>;  // a part and a task of it

  void take_results(const Ask& question);
  /// False if there is no answer yet.
  bool answer(const Asking& asking);
  void answer_all();
  void publish(const Key& key, Bytes outcome);
  void look_for_quarrels();
  void look();
  void wait_for_news(std::unique_lock<std::mutex>& lock);
  std::size_t hands_of_others(const Key& key);
  /// Null if there is none.
  Round* first_with_more(const Key& key);

  Transport* transport_;
  Checkpoint* checkpoint_;
  Bytes run_;
  std::mutex guard_;
  std::condition_variable changed_;
  std::map<std::size_t, std::pair<Bytes, std::string>> met_;   // by rank: its run and host
  std::map<std::string, Part> parts_;                          // that are worked on
  std::set<std::string> over_;                                 // parts that were
  std::map<Key, std::vector<Round*>> rounds_;                  // that are worked on, by when they were begun
  std::map<Key, std::map<std::size_t, std::uint64_t>> hands_;  // of the others that have come to a task, by rank
  std::deque<Asking> asking_;                                  // who waits for an answer
  std::string quarrel_;                                        // why the run cannot go on; empty: it can
  std::set<Key> led_;                                          // tasks at this moment
  std::atomic<std::uint64_t> rounds_begun_{0};
};

}  // namespace oddsbound::cluster
