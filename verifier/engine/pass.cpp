// The outputs are cut into chunks whose size does not depend on the number of threads. Each thread has one worker,
// and workers take chunks in order. If a worker's next chunk directly follows its last one, it continues with the
// same accumulators (a run); otherwise it starts new ones. At the end, the runs are merged in the order of
// outputs.
//
// Once an accumulator is saturated or has failed in some chunk, no worker needs to offer it later chunks. Workers
// share the earliest such chunk.

#include "verifier/engine/pass.h"

#include <algorithm>
#include <atomic>

#include "verifier/exact/threads.h"

namespace oddsbound::engine {

namespace {

bool is_open(const PassClient& rider) {
  return rider.accumulator != nullptr && !rider.error && !rider.accumulator->is_saturated();
}

void fail_open(std::span<PassClient> riders, const std::exception_ptr& error) {
  for (PassClient& rider : riders) {
    if (is_open(rider)) rider.error = error;
  }
}

// The only loop over the columns of a channel.
void offer_outputs(ColumnView& column, OutputRange range, std::span<PassClient> riders, Budget& budget) {
  for (std::uint64_t y = range.begin; y < range.end; ++y) {
    if (std::none_of(riders.begin(), riders.end(), is_open)) return;
    try {
      budget.check();
    } catch (...) {
      fail_open(riders, std::current_exception());
      return;
    }
    column.move_to(y);
    for (PassClient& rider : riders) {
      if (!is_open(rider)) continue;
      try {
        rider.accumulator->offer(column);
      } catch (...) {
        rider.error = std::current_exception();
      }
    }
  }
}

// The chunks of the range, and the last chunk that each client needs.
class Chunks {
 public:
  Chunks(OutputRange range, std::uint64_t size, std::size_t riders)
      : range_(range), size_(size), count_((range.end - range.begin + size - 1) / size), last_needed_(riders) {
    for (auto& last : last_needed_) last = UINT64_MAX;
  }

  std::uint64_t count() const { return count_; }
  OutputRange outputs(std::uint64_t chunk) const {
    assert(chunk < count_);
    const std::uint64_t begin = range_.begin + chunk * size_;
    return {begin, begin + std::min(size_, range_.end - begin)};
  }
  bool is_needed(std::uint64_t chunk, std::size_t rider) const { return chunk <= last_needed_[rider]; }
  bool is_needed(std::uint64_t chunk) const {
    return std::any_of(last_needed_.begin(), last_needed_.end(), [&](const auto& last) { return chunk <= last; });
  }
  void end_rider(std::size_t rider, std::uint64_t chunk) {
    std::uint64_t last = last_needed_[rider];
    while (chunk < last && !last_needed_[rider].compare_exchange_weak(last, chunk)) {
    }
  }

 private:
  OutputRange range_;
  std::uint64_t size_;
  std::uint64_t count_;
  std::vector<std::atomic<std::uint64_t>> last_needed_;  // per client
};

// The results of one worker for consecutive chunks.
struct Run {
  std::uint64_t first_chunk = 0;
  std::vector<PassClient> riders;  // null if an earlier chunk ended the client
  std::vector<std::unique_ptr<Accumulator>> owned;

  void add(std::unique_ptr<Accumulator> accumulator) {
    riders.push_back({accumulator.get()});
    owned.push_back(std::move(accumulator));
  }
};

class Worker {
 public:
  Worker(const Columns& columns, Chunks& chunks, std::span<const PassClient> riders)
      : column_(columns), chunks_(chunks) {
    for (const PassClient& rider : riders) first_.add(rider.accumulator->for_later());
    riders_ = riders.size();
  }

  void work(std::uint64_t chunk, Budget& budget) {
    if (failure_ || !chunks_.is_needed(chunk)) return;
    try {
      go_through(chunk, budget);
    } catch (...) {
      failure_ = std::current_exception();
      failed_chunk_ = chunk;
      for (std::size_t r = 0; r < riders_; ++r) chunks_.end_rider(r, chunk);
    }
  }

  /// Returns the runs, including one with the worker's own failure.
  std::vector<Run> take_runs() {
    if (!failure_) return std::move(runs_);
    Run& failed = runs_.emplace_back();
    failed.first_chunk = failed_chunk_;
    failed.riders.assign(riders_, {nullptr, failure_});
    return std::move(runs_);
  }

 private:
  void go_through(std::uint64_t chunk, Budget& budget) {
    if (runs_.empty()) {
      runs_.push_back(std::move(first_));
      runs_.back().first_chunk = chunk;
    } else if (chunk != last_chunk_ + 1) {
      begin_run(chunk);
    }
    last_chunk_ = chunk;
    std::vector<PassClient>& riders = runs_.back().riders;
    offer_outputs(column_, chunks_.outputs(chunk), riders, budget);
    for (std::size_t r = 0; r < riders.size(); ++r) {
      if (!is_open(riders[r])) chunks_.end_rider(r, chunk);
    }
  }

  void begin_run(std::uint64_t chunk) {
    Run run;
    run.first_chunk = chunk;
    for (std::size_t r = 0; r < riders_; ++r) {
      // A client that is not needed ended in an earlier run, and nothing is merged after that run.
      const bool needed = chunks_.is_needed(chunk, r);
      run.add(needed ? runs_.back().riders[r].accumulator->for_later() : nullptr);
    }
    runs_.push_back(std::move(run));
  }

  ColumnView column_;
  Chunks& chunks_;
  Run first_;
  std::size_t riders_ = 0;
  std::vector<Run> runs_;
  std::uint64_t last_chunk_ = 0;
  std::exception_ptr failure_;
  std::uint64_t failed_chunk_ = 0;
};

void merge_runs(std::vector<Run>& runs, std::span<PassClient> riders) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first_chunk < b.first_chunk; });
  for (std::size_t r = 0; r < riders.size(); ++r) {
    PassClient& whole = riders[r];
    for (Run& run : runs) {
      if (!is_open(whole)) break;
      PassClient& part = run.riders[r];
      whole.error = part.error;
      if (whole.error) break;
      assert(part.accumulator != nullptr && "only riders that ended before are left out of a run");
      try {
        whole.accumulator->merge(std::move(*part.accumulator));
      } catch (...) {
        whole.error = std::current_exception();
      }
    }
  }
}

void pass_by_threads(const Columns& columns, Chunks& chunks, std::size_t threads, std::span<PassClient> riders,
                     Budget& budget) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::size_t t = 0; t < threads; ++t) workers.push_back(std::make_unique<Worker>(columns, chunks, riders));
  by_threads(threads, chunks.count(), budget,
             [&](std::uint64_t chunk, std::size_t thread, Budget& own) { workers[thread]->work(chunk, own); });
  std::vector<Run> runs;
  for (const auto& worker : workers) {
    for (Run& run : worker->take_runs()) runs.push_back(std::move(run));
  }
  merge_runs(runs, riders);
}

}  // namespace

void pass(const Columns& columns, OutputRange range, std::span<PassClient> riders, Budget& budget) {
  assert(range.begin <= range.end && range.end <= columns.outputs());
  assert(columns.inputs() > 0);
  const std::uint64_t size = std::max<std::uint64_t>(1, budget.limits().chunk_cells / columns.inputs());
  const std::uint64_t chunks = (range.end - range.begin + size - 1) / size;
  const std::size_t threads = std::min<std::uint64_t>(chunks, wanted_threads(budget.limits()));
  if (threads > 1 && !riders.empty()) {
    Chunks parts(range, size, riders.size());
    pass_by_threads(columns, parts, threads, riders, budget);
    return;
  }
  ColumnView column(columns);
  offer_outputs(column, range, riders, budget);
}

void pass(const Columns& columns, Accumulator& accumulator, Budget& budget) {
  PassClient rider{&accumulator};
  pass(columns, {0, columns.outputs()}, std::span(&rider, 1), budget);
  if (rider.error) std::rethrow_exception(rider.error);
}

std::vector<std::uint32_t> rank_rows(const Columns& columns, Budget& budget) {
  GatheredRows<std::uint32_t> rows(columns);
  pass(columns, rows, budget);
  return std::move(rows).finish();
}

std::vector<std::vector<double>> rounded_rows(const Channel& channel, Budget& budget) {
  const auto columns = channel.columns(budget);
  GatheredRows<double> rows(*columns);
  pass(*columns, rows, budget);
  const std::vector<double> entries = std::move(rows).finish();
  std::vector<std::vector<double>> result;
  for (auto row = entries.begin(); row != entries.end(); row += static_cast<std::ptrdiff_t>(channel.outputs())) {
    result.emplace_back(row, row + static_cast<std::ptrdiff_t>(channel.outputs()));
  }
  return result;
}

}  // namespace oddsbound::engine
