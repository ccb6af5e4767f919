// Round-trip time of a message between two processes: mpirun -n 2 bench_messages
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <vector>

#include "bench/size.h"
#include "cluster/mpi/mpi_transport.h"

using namespace oddsbound;

namespace {

const int kTimes = bench::sized(300, 5);

// Median round-trip time, in microseconds, of messages of `bytes` bytes that the other process returns.
double microseconds_of(cluster::Transport& transport, std::size_t bytes) {
  std::mutex guard;
  std::condition_variable changed;
  int back = 0;
  transport.receive([&](std::size_t, const Bytes&) {
    const std::lock_guard lock(guard);
    ++back;
    changed.notify_all();
  });
  std::vector<double> times;
  for (int sent = 1; sent <= kTimes; ++sent) {
    const cluster::Waiting waiting(&transport);
    const auto begin = std::chrono::steady_clock::now();
    transport.send(1, Bytes(bytes, 'x'));
    std::unique_lock lock(guard);
    changed.wait(lock, [&] { return back == sent; });
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  transport.receive({});
  std::nth_element(times.begin(), times.begin() + kTimes / 2, times.end());
  return times[kTimes / 2];
}

// Microseconds per message of a kilobyte and its answer, if many are sent without waiting for answers.
double microseconds_in_a_row(cluster::Transport& transport) {
  const int kMany = bench::sized(20'000, 20);
  std::mutex guard;
  std::condition_variable changed;
  int back = 0;
  transport.receive([&](std::size_t, const Bytes&) {
    const std::lock_guard lock(guard);
    if (++back == kMany) changed.notify_all();
  });
  const cluster::Waiting waiting(&transport);
  const auto begin = std::chrono::steady_clock::now();
  for (int sent = 0; sent < kMany; ++sent) transport.send(1, Bytes(1000, 'x'));
  std::unique_lock lock(guard);
  changed.wait(lock, [&] { return back == kMany; });
  lock.unlock();
  transport.receive({});
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / kMany;
}

void echo(cluster::Transport& transport) {
  std::mutex guard;
  std::condition_variable changed;
  bool over = false;
  transport.receive([&](std::size_t from, const Bytes& message) {
    if (!message.empty()) return transport.send(from, message);
    const std::lock_guard lock(guard);
    over = true;
    changed.notify_all();
  });
  const cluster::Waiting waiting(&transport);
  std::unique_lock lock(guard);
  changed.wait(lock, [&] { return over; });
}

}  // namespace

int main() {
  const std::unique_ptr<cluster::Transport> transport = cluster::mpi_transport();
  if (transport->ranks() != 2) {
    std::fprintf(stderr, "error: found %zu processes, expected 2\n", transport->ranks());
    return 2;
  }
  if (transport->rank() != 0) {
    echo(*transport);
    return 0;
  }
  std::printf("| bytes | microseconds there and back |\n| --- | --- |\n");
  for (const std::size_t bytes : {1U, 1'000U, 100'000U, 10'000'000U}) {
    std::printf("| %zu | %.0f |\n", bytes, microseconds_of(*transport, bytes));
  }
  std::printf("| 1000, many in a row | %.1f |\n", microseconds_in_a_row(*transport));
  transport->send(1, {});
  return 0;
}
