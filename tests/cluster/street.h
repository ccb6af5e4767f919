// An in-process transport: the processes of one run as threads of the test.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cluster/process_group.h"
#include "verifier/exact/threads.h"

namespace oddsbound::testing {

/// The transports of `houses` processes, connected by queues.
class Street {
 public:
  explicit Street(std::size_t houses) {
    for (std::size_t rank = 0; rank < houses; ++rank) posts_.push_back(std::make_unique<House>(*this, rank));
  }
  cluster::Transport* transport(std::size_t rank) { return posts_[rank].get(); }
  /// Number of processes that had nothing left to send and were told to end.
  std::size_t gone_home() const { return gone_home_; }

 private:
  class House final : public cluster::Transport {
   public:
    House(Street& street, std::size_t rank) : street_(street), rank_(rank), postman_([this] { deliver(); }) {}
    House(const House&) = delete;
    House& operator=(const House&) = delete;
    ~House() override {
      {
        const std::lock_guard lock(guard_);
        is_over_ = true;
      }
      changed_.notify_all();
    }
    std::size_t rank() const override { return rank_; }
    std::size_t ranks() const override { return street_.posts_.size(); }
    std::string host() const override { return "house " + std::to_string(rank_); }
    void receive(Receiver receiver) override {
      const std::lock_guard not_while_reading(reading_);
      const std::lock_guard lock(guard_);
      receiver_ = std::move(receiver);
      changed_.notify_all();
    }
    void send(std::size_t to, Bytes message) override { street_.posts_[to]->put(rank_, std::move(message)); }
    void look() override { read_one(); }
    void go_home() override { ++street_.gone_home_; }

   private:
    void put(std::size_t from, Bytes message) {
      const std::lock_guard lock(guard_);
      waiting_.emplace_back(from, std::move(message));
      changed_.notify_all();
    }
    void deliver() {
      std::unique_lock lock(guard_);
      while (!is_over_) {
        if (waiting_.empty() || !receiver_) {
          changed_.wait(lock);
          continue;
        }
        lock.unlock();
        read_one();
        lock.lock();
      }
    }

    void read_one() {
      const std::lock_guard reading(reading_);
      std::unique_lock lock(guard_);
      if (waiting_.empty() || !receiver_) return;
      const auto [from, message] = std::move(waiting_.front());
      waiting_.pop_front();
      const Receiver receiver = receiver_;
      lock.unlock();
      receiver(from, message);
    }

    Street& street_;
    std::size_t rank_;
    std::mutex reading_;  // held while a receiver is called
    std::mutex guard_;
    std::condition_variable changed_;
    std::deque<std::pair<std::size_t, Bytes>> waiting_;
    Receiver receiver_;
    bool is_over_ = false;
    std::jthread postman_;
  };

  std::atomic<std::size_t> gone_home_{0};
  std::vector<std::unique_ptr<House>> posts_;
};

/// Runs `work` in `count` processes, each with its budget; rank 0 is the coordinator. Returns each result, nullopt
/// for a process that was abandoned before it finished.
template <typename Work>
std::vector<std::optional<Bytes>> by_processes(std::size_t count, cluster::Checkpoint* checkpoint, const Limits& limits,
                                               const Work& work) {
  Street street(count);
  std::vector<std::optional<Bytes>> results(count);
  const auto live = [&](std::size_t rank) {
    cluster::ProcessGroup crew(count > 1 ? street.transport(rank) : nullptr, rank == 0 ? checkpoint : nullptr,
                               "the test\n");
    try {
      const std::unique_ptr<TaskScope> scope = crew.begin("a part", "its content");
      Limits own = limits;
      own.scope = scope.get();
      Budget budget(own);
      results[rank] = work(budget, rank);
    } catch (const Abandoned&) {
    }
    crew.wait_for_the_end();
  };
  std::vector<std::jthread> others;
  for (std::size_t rank = 1; rank < count; ++rank) {
    others.emplace_back([&live, rank] {
      const exact::NumberThread cleanup;
      live(rank);
    });
  }
  live(0);
  others.clear();
  return results;
}

}  // namespace oddsbound::testing
