#include "bench/crew_model.h"

#include <algorithm>
#include <ctime>
#include <queue>

#include "cluster/coordinator.h"

namespace oddsbound::bench {

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class SimulatedGroup::SimulatedRound final : public PendingUnits {
  // An event of a round: the coordinator is idle (process 0), or the results of another process arrive.
  struct Event {
    double at = 0;
    std::size_t process = 0;
    std::size_t bytes = 0;
    friend bool operator<(const Event& a, const Event& b) {  // earliest first
      return a.at != b.at ? a.at > b.at : a.process > b.process;
    }
  };

  // A worker as the coordinator sees it. It requests units while it works on others.
  struct Other {
    double is_free = 0;       // when it has finished all its units
    std::size_t asked = 2;    // requests without an answer
    std::size_t working = 0;  // number of answers in progress
  };

 public:
  SimulatedRound(SimulatedGroup& group, const Unit& unit, Budget& budget, std::vector<Bytes> units)
      : group_(group), unit_(unit), budget_(budget), units_(std::move(units)), others_(group.processes_) {
    group_.begun_.push_back(this);
  }
  SimulatedRound(const SimulatedRound&) = delete;
  SimulatedRound& operator=(const SimulatedRound&) = delete;
  ~SimulatedRound() override { std::erase(group_.begun_, this); }

  std::vector<Bytes> results() override {
    const double began = processor_time(), now = group_.now();
    // The workers began when the units were handed out, or when they had finished earlier ones.
    events_.push({now, 0, 0});
    for (std::size_t process = 1; process < group_.processes_; ++process) {
      others_[process].is_free = group_.free_[process];
      answer(process);
    }
    double end = now;
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.process == 0) {
        end = std::max(end, event.at);
        // While workers are busy, the coordinator works on units of a later round.
        SimulatedRound* const with_more = left() > 0 ? this : events_.empty() ? nullptr : later();
        if (with_more != nullptr) events_.push({event.at + with_more->work(0, 1, nullptr), 0, 0});
        continue;
      }
      post_ = std::max(post_, event.at) + group_.messages_.handling;
      ++group_.times_.messages;
      group_.times_.bytes += event.bytes;
      end = std::max(end, post_);
      --others_[event.process].working;
      ++others_[event.process].asked;
      answer(event.process);
    }
    for (std::size_t process = 1; process < group_.processes_; ++process) {
      group_.free_[process] = others_[process].is_free;
    }
    count_round(end - now);
    group_.played_ += processor_time() - began;
    return std::move(results_);
  }

 private:
  std::size_t left() const { return units_.size() - results_.size(); }
  // Returns a round that began after this one and has units left; null if there is none.
  SimulatedRound* later() const {
    const auto found = std::find_if(std::find(group_.begun_.begin(), group_.begun_.end(), this) + 1,
                                    group_.begun_.end(), [](const SimulatedRound* one) { return one->left() > 0; });
    return found == group_.begun_.end() ? nullptr : *found;
  }
  double one_way(std::size_t bytes) const {
    return group_.messages_.one_way + group_.messages_.per_byte * static_cast<double>(bytes);
  }

  void answer(std::size_t process) {
    Other& other = others_[process];
    while (other.asked > 0) {
      const cluster::Stock stock{left(), units_.size(), later() == nullptr};
      const std::size_t count = cluster::units_for(1, stock, group_.processes_, [&] { return other.working > 0; });
      if (count == 0) return;
      std::size_t bytes = 0;
      for (std::size_t k = results_.size(); k < results_.size() + count; ++k) bytes += units_[k].size();
      group_.times_.bytes += bytes;
      --other.asked;
      ++other.working;
      std::size_t told = 0;
      const double begins = std::max(other.is_free, post_ + one_way(bytes));
      other.is_free = begins + work(process, count, &told);
      events_.push({other.is_free + one_way(told), process, told});
    }
  }

  // Computes the next units and returns their time.
  double work(std::size_t process, std::size_t count, std::size_t* told) {
    double took = 0;
    for (; count > 0; --count) {
      const double began = processor_time();
      results_.push_back(unit_(units_[results_.size()], process, budget_));
      took += processor_time() - began;
      if (told != nullptr) *told += results_.back().size();
    }
    worked_ += took;
    return took;
  }

  void count_round(double took) const {
    GroupTimes& times = group_.times_;
    times.rounds += took;
    times.units += worked_;
    times.count += units_.size();
    ++times.rounds_count;
  }

  SimulatedGroup& group_;
  const Unit& unit_;
  Budget& budget_;
  std::vector<Bytes> units_, results_;
  std::vector<Other> others_;
  std::priority_queue<Event> events_;
  double post_ = group_.now();  // when the coordinator has handled all messages so far
  double worked_ = 0;
};

class SimulatedGroup::SimulatedPool final : public WorkerPool {
 public:
  SimulatedPool(SimulatedGroup& group, const Unit& unit, Budget& budget)
      : group_(group), unit_(unit), budget_(budget) {}
  std::size_t count() const override { return group_.processes_; }
  std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override {
    return std::make_unique<SimulatedRound>(group_, unit_, budget_, std::move(units));
  }

 private:
  SimulatedGroup& group_;
  const Unit& unit_;
  Budget& budget_;
};

class SimulatedGroup::Part final : public TaskScope {
 public:
  explicit Part(SimulatedGroup& group) : group_(group) {}
  Bytes run(const std::string& /*name*/, const Unit& unit, const TaskBody& lead, Budget& budget) override {
    Budget alone(budget, Budget::kAlone);
    SimulatedPool pool(group_, unit, alone);
    return lead(pool, alone);
  }
  bool is_abandoned() const noexcept override { return false; }

 private:
  SimulatedGroup& group_;
};

std::unique_ptr<TaskScope> SimulatedGroup::begin(const std::string& /*name*/, const Bytes& /*content*/) {
  return std::make_unique<Part>(*this);
}

}  // namespace oddsbound::bench
