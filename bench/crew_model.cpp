#include "bench/crew_model.h"

#include <algorithm>
#include <ctime>
#include <queue>

namespace oddsbound::bench {

namespace {

// A process that has nothing to do from a moment of the round on, with the bytes of its results.
struct Free {
  double at = 0;
  std::size_t process = 0;
  std::size_t bytes = 0;
  friend bool operator<(const Free& a, const Free& b) {  // the earliest first
    return a.at != b.at ? a.at > b.at : a.process > b.process;
  }
};

}  // namespace

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class PlayedCrew::PlayedHands final : public Hands {
 public:
  PlayedHands(PlayedCrew& crew, const Unit& unit, Budget& budget) : crew_(crew), unit_(unit), budget_(budget) {}

  std::size_t count() const override { return crew_.processes_; }

  std::vector<Bytes> map(const std::vector<Bytes>& units) override {
    const double began = processor_time();
    results_.clear();
    std::priority_queue<Free> waiting;
    for (std::size_t process = 0; process < crew_.processes_; ++process) waiting.push({0, process, 0});
    double post = 0;  // the leader's has handled all so far
    double end = 0;   // all results are there
    while (!waiting.empty()) {
      const Free next = waiting.top();
      waiting.pop();
      if (next.process == 0) {
        end = std::max(end, next.at);
        if (results_.size() < units.size()) waiting.push({next.at + work(units, 0, 1, nullptr), 0, 0});
        continue;
      }
      // Who waits since an earlier round has asked already.
      const double asked = next.at > 0 ? next.at + one_way(next.bytes) : 0;
      post = std::max(post, asked) + crew_.messages_.handling;
      ++crew_.times_.messages;
      crew_.times_.bytes += next.bytes;
      end = std::max(end, asked > 0 ? post : 0);
      const std::size_t left = units.size() - results_.size();
      if (left == 0) continue;
      const std::size_t share = std::max<std::size_t>(1, left / (2 * crew_.processes_));
      std::size_t bytes = 0;
      for (std::size_t k = results_.size(); k < results_.size() + share; ++k) bytes += units[k].size();
      crew_.times_.bytes += bytes;
      const double begins = post + one_way(bytes);
      std::size_t told = 0;
      const double took = work(units, next.process, share, &told);
      waiting.push({begins + took, next.process, told});
    }
    count_round(units.size(), end);
    crew_.played_ += processor_time() - began;
    return std::move(results_);
  }

 private:
  double one_way(std::size_t bytes) const {
    return crew_.messages_.one_way + crew_.messages_.per_byte * static_cast<double>(bytes);
  }

  // Of the next units; what they took.
  double work(const std::vector<Bytes>& units, std::size_t process, std::size_t count, std::size_t* told) {
    double took = 0;
    for (; count > 0; --count) {
      const double began = processor_time();
      results_.push_back(unit_(units[results_.size()], process, budget_));
      took += processor_time() - began;
      if (told != nullptr) *told += results_.back().size();
    }
    worked_ += took;
    return took;
  }

  void count_round(std::size_t units, double end) {
    CrewTimes& times = crew_.times_;
    times.rounds += end;
    times.units += worked_;
    times.idle += end * static_cast<double>(crew_.processes_) - worked_;
    times.count += units;
    ++times.rounds_count;
    worked_ = 0;
  }

  PlayedCrew& crew_;
  const Unit& unit_;
  Budget& budget_;
  std::vector<Bytes> results_;
  double worked_ = 0;
};

class PlayedCrew::Part final : public TaskScope {
 public:
  explicit Part(PlayedCrew& crew) : crew_(crew) {}
  Bytes run(const std::string& /*name*/, const Unit& unit, const Lead& lead, Budget& budget) override {
    Budget alone(budget, Budget::kAlone);
    PlayedHands hands(crew_, unit, alone);
    return lead(hands, alone);
  }
  bool is_abandoned() const noexcept override { return false; }

 private:
  PlayedCrew& crew_;
};

std::unique_ptr<TaskScope> PlayedCrew::begin(const std::string& /*name*/, const Bytes& /*content*/) {
  return std::make_unique<Part>(*this);
}

}  // namespace oddsbound::bench
