// A pool returns results in the order of the units, shares them among its threads, and returns threads it took.

#include <doctest/doctest.h>
#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>

#include "base/errors.h"
#include "verifier/exact/thread_pool.h"
#include "verifier/exact/threads.h"

using namespace oddsbound;

namespace {

Limits limits_without_delay() {
  Limits limits;
  limits.microseconds_alone = 0;
  return limits;
}

std::vector<Bytes> numbered(std::uint64_t from, std::uint64_t count) {
  std::vector<Bytes> units;
  for (std::uint64_t k = from; k < from + count; ++k) units.push_back(BinaryWriter().put(k).take());
  return units;
}

Bytes doubled(const Bytes& unit) { return BinaryWriter().put(2 * BinaryReader(unit).word()).take(); }

void check_doubled(const std::vector<Bytes>& results, std::uint64_t from, std::uint64_t count) {
  REQUIRE(results.size() == count);
  for (std::uint64_t k = 0; k < count; ++k) CHECK(BinaryReader(results[k]).word() == 2 * (from + k));
}

}  // namespace

TEST_CASE("units run at the same time on as many threads as are spare") {
  Budget budget(limits_without_delay());
  for (const std::size_t threads : {1U, 2U, 3U, 5U}) {
    CAPTURE(threads);
    SpareThreads spare(threads, 1);
    // Ends only if every thread works on one of the units.
    std::latch all(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::atomic<int>> of_thread(threads);
    const Unit unit = [&](const Bytes& bytes, std::size_t thread, Budget&) {
      all.arrive_and_wait();
      ++of_thread.at(thread);
      return doubled(bytes);
    };
    {
      ThreadPool pool(unit, budget, spare, SIZE_MAX);
      CHECK(pool.count() == threads);
      check_doubled(pool.map(numbered(7, threads)), 7, threads);
      CHECK(pool.count() == threads);
      CHECK(spare.count() == 0);
    }
    for (const std::atomic<int>& count : of_thread) CHECK(count == 1);
    CHECK(spare.count() == threads - 1);
    CHECK(spare.units() == threads - 1);
  }
}

TEST_CASE("results of pending rounds are in the order of their units") {
  Budget budget(limits_without_delay());
  const Unit unit = [](const Bytes& bytes, std::size_t, Budget&) { return doubled(bytes); };
  for (const std::size_t threads : {1U, 2U, 3U}) {
    CAPTURE(threads);
    SpareThreads spare(threads, 1);
    ThreadPool pool(unit, budget, spare, SIZE_MAX);
    for (std::uint64_t k = 0; k < 200; ++k) {
      auto first = pool.begin(numbered(k, k % 30));
      auto forgotten = pool.begin(numbered(k, 9));
      auto second = pool.begin(numbered(k + 5, 11));
      if (k % 2 == 0) forgotten.reset();
      if (k % 3 == 0) check_doubled(second->results(), k + 5, 11);
      check_doubled(first->results(), k, k % 30);
      if (k % 3 != 0) check_doubled(second->results(), k + 5, 11);
    }
    CHECK(pool.map({}).empty());
  }
}

TEST_CASE("the first error of a round is thrown where its results are asked for") {
  Budget budget(limits_without_delay());
  const Unit unit = [](const Bytes& bytes, std::size_t, Budget&) -> Bytes {
    const std::uint64_t k = BinaryReader(bytes).word();
    if (k == 13 || k == 17) throw std::runtime_error(std::to_string(k));
    return doubled(bytes);
  };
  for (const std::size_t threads : {1U, 2U, 3U}) {
    CAPTURE(threads);
    SpareThreads spare(threads, 1);
    ThreadPool pool(unit, budget, spare, SIZE_MAX);
    for (int repeated = 0; repeated < 50; ++repeated) {
      auto good = pool.begin(numbered(0, 10)), bad = pool.begin(numbered(10, 10)), last = pool.begin(numbered(20, 10));
      check_doubled(good->results(), 0, 10);
      check_doubled(last->results(), 20, 10);
      CHECK_THROWS_WITH(bad->results(), "13");
    }
  }
}

TEST_CASE("two pools share the threads of a run") {
  Budget budget(limits_without_delay());
  const Unit unit = [](const Bytes& bytes, std::size_t, Budget&) { return doubled(bytes); };
  SpareThreads spare(3, 1);
  ThreadPool small(unit, budget, spare, 1);
  CHECK(small.count() == 2);
  check_doubled(small.map(numbered(0, 5)), 0, 5);
  {
    ThreadPool other(unit, budget, spare, SIZE_MAX);
    CHECK(other.count() == 2);
    check_doubled(other.map(numbered(0, 5)), 0, 5);
    CHECK(spare.count() == 0);
    CHECK(ThreadPool(unit, budget, spare, SIZE_MAX).count() == 1);
  }
  CHECK(spare.count() == 1);
  Limits patient;
  patient.microseconds_alone = 1'000'000'000;
  Budget short_work(patient);
  CHECK(ThreadPool(unit, short_work, spare, SIZE_MAX).count() == 1);
}

TEST_CASE("threads of a loop are spare when no item is left for them") {
  SpareThreads few(4, 3);
  CHECK(few.count() == 1);
  CHECK(few.take(3) == 1);
  CHECK(few.take(3) == 0);
  { const SpareThreads::Item item(few); }
  CHECK(few.count() == 1);
  few.give(1);
  CHECK(few.count() == 2);

  SpareThreads many(2, 4);
  for (const std::size_t spare : {0U, 0U, 1U, 2U}) {
    {
      const SpareThreads::Item item(many);
    }
    CHECK(many.count() == spare);
  }
  {
    const TakenThreads taken(many, 1);
    CHECK(taken.count() == 1);
    CHECK(many.count() == 1);
  }
  CHECK(many.count() == 2);
}

TEST_CASE("a loop of long items starts all threads at once") {
  Limits limits;
  limits.microseconds_alone = UINT32_MAX;
  Budget budget(limits);
  // Ends only if all items run at the same time, although the first thread has not been alone for long.
  std::latch all(3);
  std::atomic<int> done = 0;
  by_threads(
      3, 3, budget,
      [&](std::uint64_t, std::size_t, Budget&) {
        all.arrive_and_wait();
        ++done;
      },
      Starting::kAtOnce);
  CHECK(done == 3);
}
