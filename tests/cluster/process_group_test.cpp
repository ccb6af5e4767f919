// Several processes find the result of one, even if some are slow, wrong or gone; a run resumes from its
// checkpoint.

#include <doctest/doctest.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "base/errors.h"
#include "base/files.h"
#include "cluster/process_group.h"
#include "tests/cluster/street.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "tests/support/temporary_folder.h"
#include "verifier/engine/column_scan.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/node_expansion.h"
#include "verifier/engine/output_search.h"
#include "verifier/exact/threads.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

constexpr std::uint64_t kUnits = 200;

// The sum of squares, one square per unit.
Bytes sum_of_squares(const std::string& name, Budget& budget, const std::function<void(std::uint64_t)>& at = {}) {
  const Unit unit = [&](const Bytes& bytes, std::size_t, Budget&) {
    const std::uint64_t k = BinaryReader(bytes).word();
    if (at) at(k);
    return BinaryWriter().put(k * k).take();
  };
  const TaskBody lead = [](WorkerPool& workers, Budget&) {
    std::vector<Bytes> units;
    for (std::uint64_t k = 0; k < kUnits; ++k) units.push_back(BinaryWriter().put(k).take());
    std::uint64_t sum = 0;
    for (const Bytes& square : workers.map(units)) sum += BinaryReader(square).word();
    return BinaryWriter().put(sum).take();
  };
  return run_task(name, unit, lead, budget);
}

const Bytes kSum = BinaryWriter().put((kUnits - 1) * kUnits * (2 * kUnits - 1) / 6).take();

Bytes text_of(const GroupLevel& found) {
  BinaryWriter writer;
  writer.put(found.at_least.to_string())
      .put(found.witness.get().output)
      .put(std::uint64_t{found.from})
      .put(std::uint64_t{found.to});
  writer.put(found.witness.get().p_from.to_string()).put(found.witness.get().p_to.to_string()).put(found.nodes.value());
  writer.put(found.unfinished.has_value());
  return writer.take();
}

// A worker pool whose size changes, like the coordinator's own when it runs several tasks at once.
class ChangingHands final : public WorkerPool {
 public:
  ChangingHands(const Unit& unit, Budget& budget, std::size_t period) : unit_(unit), budget_(budget), period_(period) {}
  std::size_t count() const override { return 1 + (asked_++ / period_) % 2; }
  std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override {
    return std::make_unique<Units>(std::move(units), unit_, budget_);
  }

 private:
  struct Units final : PendingUnits {
    Units(std::vector<Bytes> all, const Unit& by, Budget& within) : units(std::move(all)), unit(by), budget(within) {}
    std::vector<Bytes> results() override {
      std::vector<Bytes> found;
      for (const Bytes& one : units) found.push_back(unit(one, 0, budget));
      return found;
    }
    std::vector<Bytes> units;
    const Unit& unit;
    Budget& budget;
  };

  const Unit& unit_;
  Budget& budget_;
  std::size_t period_;
  mutable std::size_t asked_ = 0;
};

class ChangingScope final : public TaskScope {
 public:
  explicit ChangingScope(std::size_t period) : period_(period) {}
  Bytes run(const std::string& /*name*/, const Unit& unit, const TaskBody& lead, Budget& budget) override {
    Budget alone(budget, Budget::kAlone);
    ChangingHands workers(unit, alone, period_);
    return lead(workers, alone);
  }
  bool is_abandoned() const noexcept override { return false; }

 private:
  std::size_t period_;
};

Factor coin(std::size_t coordinate, const Number& from_zero, const Number& from_one) {
  return {channel_of_rows({{from_zero, Number(1) - from_zero}, {from_one, Number(1) - from_one}}), {coordinate}};
}

// Answers of people who differ in every answer, so that one output reveals little.
Model answers_that_differ(std::size_t answers, int people, Budget& budget) {
  Random random(7);
  std::vector<Coordinate> coordinates;
  std::vector<Factor> factors;
  for (std::size_t i = 0; i <= answers; ++i) {
    coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
    if (i > 0) factors.push_back(coin(i, Number::ratio(11, 21), Number::ratio(10, 21)));
  }
  const Domain domain(coordinates);
  std::vector<Number> weights(domain.inputs(), Number(0));
  for (int person = 0; person < people; ++person) weights[random() % weights.size()] += Number(1);
  return {domain, std::make_shared<const ProductChannel>(domain, factors),
          Prior::from_weights(domain, weights, budget)};
}

}  // namespace

TEST_CASE("units come back in their order, whoever worked on them") {
  for (const std::size_t count : {1U, 2U, 3U, 4U}) {
    for (const std::size_t threads : {1U, 2U}) {
      CAPTURE(count);
      Limits limits;
      limits.threads = threads;
      const auto results = by_processes(count, nullptr, limits, [](Budget& budget, std::size_t) {
        return sum_of_squares("one", budget) + sum_of_squares("another", budget);
      });
      CHECK(results[0] == kSum + kSum);
      for (const auto& result : results) CHECK((!result || *result == kSum + kSum));
    }
  }
}

TEST_CASE("others take part") {
  std::atomic<int> by_others = 0;
  const auto results = by_processes(2, nullptr, {}, [&](Budget& budget, std::size_t rank) {
    return sum_of_squares("shared", budget, [&](std::uint64_t) {
      if (rank == 1) ++by_others;
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    });
  });
  CHECK(results[0] == kSum);
  CHECK(by_others > 0);
}

TEST_CASE("several rounds may be begun before the results of the first are asked for, and be left") {
  for (const std::size_t count : {1U, 2U, 3U}) {
    CAPTURE(count);
    std::atomic<int> by_others = 0;
    const auto results = by_processes(count, nullptr, {}, [&](Budget& budget, std::size_t rank) {
      const Unit unit = [&](const Bytes& bytes, std::size_t, Budget&) {
        if (rank > 0) ++by_others;
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        return Bytes(bytes.rbegin(), bytes.rend());
      };
      const TaskBody lead = [](WorkerPool& workers, Budget&) {
        const auto begun = [&](char letter) { return workers.begin(std::vector<Bytes>(40, Bytes(1, letter) + "-")); };
        const std::unique_ptr<PendingUnits> first = begun('a'), second = begun('b'), left = begun('c');
        Bytes all;
        for (const Bytes& one : second->results()) all += one;
        for (const Bytes& one : first->results()) all += one;
        CHECK(workers.begin({})->results().empty());
        return all;
      };
      return run_task("rounds", unit, lead, budget);
    });
    Bytes expected;
    for (const char letter : {'b', 'a'}) {
      for (int k = 0; k < 40; ++k) expected += Bytes("-") + letter;
    }
    CHECK(results[0] == expected);
    CHECK((by_others > 0) == (count > 1));
  }
}

TEST_CASE("what comes back late goes to the round that it is of") {
  const auto results = by_processes(2, nullptr, {}, [](Budget& budget, std::size_t rank) {
    const Unit unit = [rank](const Bytes& bytes, std::size_t, Budget&) {
      std::this_thread::sleep_for(std::chrono::microseconds(bytes == "slow" && rank == 0 ? 4000 : 100));
      return bytes;
    };
    const TaskBody lead = [](WorkerPool& workers, Budget&) {
      Bytes all;
      while (workers.count() < 2) std::this_thread::yield();
      for (int k = 0; k < 30; ++k) {
        const auto slow = workers.begin({"slow", "slow", "slow"}),
                   quick = workers.begin(std::vector<Bytes>(20, "quick"));
        for (const Bytes& one : slow->results()) all += one.substr(0, 1);
        for (const Bytes& one : quick->results()) all += one.substr(0, 1);
      }
      return all;
    };
    return run_task("late", unit, lead, budget);
  });
  Bytes expected;
  for (int k = 0; k < 30; ++k) expected += "sss" + Bytes(20, 'q');
  CHECK(results[0] == expected);
}

TEST_CASE("who asks gets a part of its share, or what it works on at once") {
  const auto some = [] { return true; };
  const auto none = [] { return false; };
  const auto last = [](std::uint64_t left) { return cluster::Stock{left, 800, true}; };
  CHECK(cluster::units_for(1, last(80), 2, none) == 10);
  CHECK(cluster::units_for(1, last(80), 2, some) == 10);
  CHECK(cluster::units_for(16, last(80), 2, none) == 16);
  CHECK(cluster::units_for(1, last(7), 2, none) == 1);
  CHECK(cluster::units_for(1, last(7), 2, some) == 0);
  CHECK(cluster::units_for(4, last(3), 2, none) == 3);
  CHECK(cluster::units_for(1, last(0), 2, none) == 0);
  // If another round follows, messages do not shrink towards the end.
  const auto not_last = [](std::uint64_t left) { return cluster::Stock{left, 800, false}; };
  CHECK(cluster::units_for(1, not_last(800), 2, some) == 100);
  CHECK(cluster::units_for(1, not_last(120), 2, some) == 100);
  CHECK(cluster::units_for(1, not_last(7), 2, some) == 7);
}

TEST_CASE("who leads works by as many threads as it has") {
  Limits limits;
  limits.threads = 3;
  limits.microseconds_alone = 0;
  std::array<std::atomic<int>, 3> by_thread{};
  const auto results = by_processes(1, nullptr, limits, [&](Budget& budget, std::size_t) {
    const Unit unit = [&](const Bytes& bytes, std::size_t thread, Budget&) {
      ++by_thread.at(thread);
      std::this_thread::sleep_for(std::chrono::milliseconds(3));
      return bytes;
    };
    const TaskBody lead = [](WorkerPool& workers, Budget&) {
      CHECK(workers.count() == 3);
      return BinaryWriter().put(workers.map(std::vector<Bytes>(60, "unit"))).take();
    };
    return run_task("threads", unit, lead, budget);
  });
  CHECK(BinaryReader(*results[0]).texts().size() == 60);
  for (const std::atomic<int>& units : by_thread) CHECK(units > 0);
}

TEST_CASE("who has units gets no others where there are too few for everybody") {
  // The worker waits in its first unit; the coordinator does the rest.
  Limits limits;
  limits.threads = 1;
  std::atomic<int> by_leader = 0, by_other = 0;
  const auto results = by_processes(2, nullptr, limits, [&](Budget& budget, std::size_t rank) {
    const Unit unit = [&](const Bytes& bytes, std::size_t, Budget&) {
      ++(rank == 0 ? by_leader : by_other);
      const auto patience_ends = std::chrono::steady_clock::now() + std::chrono::seconds(10);
      while (rank == 1 && by_leader < 3 && std::chrono::steady_clock::now() < patience_ends) std::this_thread::yield();
      return bytes;
    };
    const TaskBody lead = [](WorkerPool& workers, Budget&) {
      while (workers.count() < 2) std::this_thread::yield();
      Bytes all;
      for (const Bytes& one : workers.map({"a", "b", "c", "d"})) all += one;
      return all;
    };
    return run_task("few", unit, lead, budget);
  });
  CHECK(results[0] == Bytes("abcd"));
  CHECK(by_leader >= 3);
  CHECK(by_other == 1);
}

TEST_CASE("who waits for others works on what was begun later, and fails where that is asked for") {
  // The worker returns its unit of the first round once the coordinator has begun one of the second.
  Limits limits;
  limits.threads = 1;
  std::atomic<bool> other_has_begun = false, leader_is_ahead = false;
  bool was_ahead = false;
  const auto results = by_processes(2, nullptr, limits, [&](Budget& budget, std::size_t rank) {
    const auto patience_ends = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    const auto wait_for = [&](const std::atomic<bool>& what) {
      while (!what && std::chrono::steady_clock::now() < patience_ends) std::this_thread::yield();
    };
    const Unit unit = [&](const Bytes& bytes, std::size_t, Budget&) {
      if (rank == 0 && bytes == "first") wait_for(other_has_begun);
      if (rank == 0 && bytes == "second") {
        leader_is_ahead = true;
        throw NumberError("no such number");
      }
      if (rank == 1 && bytes == "second") throw NumberError("no such number either");
      if (rank == 1) {
        other_has_begun = true;
        wait_for(leader_is_ahead);
      }
      return bytes;
    };
    const TaskBody lead = [&](WorkerPool& workers, Budget&) {
      while (workers.count() < 2) std::this_thread::yield();
      const auto first = workers.begin({"first", "first"}), second = workers.begin({"second", "second"});
      Bytes all;
      for (const Bytes& one : first->results()) all += one;
      was_ahead = leader_is_ahead.load();  // otherwise the worker's unit is taken over after a while
      CHECK_THROWS_WITH_AS(second->results(), "no such number", NumberError);
      return all;
    };
    return run_task("two rounds", unit, lead, budget);
  });
  CHECK(results[0] == Bytes("firstfirst"));
  CHECK(was_ahead);
}

TEST_CASE("what fails elsewhere is done by the one who leads, and what fails there is its error") {
  const auto results = by_processes(3, nullptr, {}, [](Budget& budget, std::size_t rank) {
    return sum_of_squares("failing", budget, [&](std::uint64_t k) {
      if (rank != 0 && k % 2 == 0) throw std::runtime_error("out of luck");
    });
  });
  CHECK(results[0] == kSum);
  const auto failed = by_processes(2, nullptr, {}, [](Budget& budget, std::size_t rank) -> Bytes {
    try {
      return sum_of_squares("failing", budget, [&](std::uint64_t k) {
        if (k == 100) throw NumberError("no such number");
      });
    } catch (const NumberError& error) {
      CHECK(rank == 0);
      return error.what();
    }
  });
  CHECK(failed[0] == "no such number");
  CHECK_FALSE(failed[1].has_value());
}

TEST_CASE("who ended at a limit of its own, or comes to other tasks, holds up nobody") {
  const auto results = by_processes(3, nullptr, {}, [](Budget& budget, std::size_t rank) -> Bytes {
    if (rank == 1) return sum_of_squares("a task that the leader never comes to", budget);
    if (rank == 2) throw Abandoned();
    return sum_of_squares("one", budget) + sum_of_squares("another", budget);
  });
  CHECK(results[0] == kSum + kSum);
  CHECK_FALSE(results[1].has_value());
}

TEST_CASE("what somebody took and never gave back is taken over") {
  std::atomic<bool> is_over = false;
  const auto results = by_processes(2, nullptr, {}, [&](Budget& budget, std::size_t rank) {
    Bytes sum = sum_of_squares("one", budget, [&](std::uint64_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      while (rank == 1 && !is_over) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    is_over = true;
    return sum;
  });
  CHECK(results[0] == kSum);
}

TEST_CASE("who helps ends where it waits for the end, and never goes on to what only one is to write") {
  Street street(3);
  const auto live = [&](std::size_t rank) {
    cluster::ProcessGroup crew(street.transport(rank), nullptr, "the test\n");
    crew.wait_for_the_end();
    CHECK((rank == 0 || street.gone_home() > 0));
  };
  std::vector<std::jthread> others;
  for (std::size_t rank = 1; rank < 3; ++rank) others.emplace_back([&live, rank] { live(rank); });
  live(0);
  others.clear();
  CHECK(street.gone_home() == 2);
}

TEST_CASE("who has another run in mind is named") {
  Street street(2);
  std::jthread other([&] {
    cluster::ProcessGroup crew(street.transport(1), nullptr, "oddsbound\nverify\nb.json 2\n");
    crew.wait_for_the_end();
  });
  CHECK_THROWS_WITH(cluster::ProcessGroup(street.transport(0), nullptr, "oddsbound\nverify\nb.json 1\n"),
                    "rank 1 on house 1 has come to another run: it has 'b.json 2' in place of 'b.json 1'");
}

TEST_CASE("searches over outputs are the same by several processes") {
  Random random(1501);
  const int rounds = effort(200, 60, 20);
  for (int round = 0; round < rounds; ++round) {
    const auto& kinds = kinds_of_priors();
    const Model model = random_product(random, kinds[static_cast<std::size_t>(round) % kinds.size()],
                                       round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    CAPTURE(round);
    Budget alone;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const ProjectedRows seen = rows_by_value(model, i, alone);
      const Bytes whole = text_of(search_outputs(seen, alone));
      const auto search = [&](Budget& budget, std::size_t) { return text_of(search_outputs(seen, budget)); };
      for (const auto& result : by_processes(2, nullptr, {}, search)) CHECK((!result || *result == whole));
    }
  }
}

TEST_CASE("a search by workers that get fewer and more is the same") {
  Budget alone;
  const Model model = answers_that_differ(12, 40, alone);
  const ProjectedRows seen = rows_by_value(model, 0, alone);
  const Bytes whole = text_of(search_outputs(seen, alone));
  for (const std::size_t period : {3U, 20U, 60U}) {
    CAPTURE(period);
    ChangingScope scope(period);
    Limits limits;
    limits.scope = &scope;
    Budget changing(limits);
    CHECK(text_of(search_outputs(seen, changing)) == whole);
  }
}

TEST_CASE("a search goes on from what a short one left") {
  Budget alone;
  const ProjectedRows seen = rows_by_value(answers_that_differ(12, 40, alone), 0, alone);
  const Bytes whole = text_of(search_outputs(seen, alone));
  const Probe look = searched_in_short(seen, alone, 100, 1e8);
  CHECK(look.outcome.empty());
  CHECK(text_of(search_outputs(seen, alone, {.begun = look.begun})) == whole);
  CHECK_THROWS_AS(search_outputs(seen, alone, {.begun = look.begun.substr(0, 100)}), BytesError);
  const Probe enough = searched_in_short(seen, alone, 1'000'000, 1e8);
  CHECK(text_of(level_found_in_short(seen, alone, enough.outcome)) == whole);
  CHECK(enough.begun.empty());
}

TEST_CASE("a search goes on where a stop ended it") {
  Budget alone;
  const Model model = answers_that_differ(14, 60, alone);
  const ProjectedRows seen = rows_by_value(model, 0, alone);
  const Bytes whole = text_of(search_outputs(seen, alone));
  const TemporaryFolder folder;
  bool done = false;
  Bytes last;
  int times = 0;
  for (; !done; ++times) {
    CAPTURE(times);
    cluster::Checkpoint checkpoint(folder.file("checkpoint"), "run", std::chrono::duration<double>(1e6));
    const auto some = [&](Budget& budget, std::size_t) {
      std::stop_source stop;
      const std::jthread clock([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2 + times));
        stop.request_stop();
      });
      const GroupLevel found = search_outputs(seen, budget, {.stop = stop.get_token()});
      done = !found.unfinished;
      return text_of(found);
    };
    last = *by_processes(1, &checkpoint, {}, some)[0];
  }
  CHECK(last == whole);
  CHECK(times > 2);
}

TEST_CASE("a pass over columns is the same by several processes, and after an interruption") {
  Random random(5);
  for (const bool has_zeros : {false, true}) {
    std::vector<Factor> factors;
    std::vector<Coordinate> coordinates;
    for (int i = 0; i < 9; ++i) {
      coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
      const Number p = Number::ratio(static_cast<std::int64_t>(random() % 7 + 1), 9);
      const Number low = has_zeros && i == 3 ? Number(0) : Number(1) - p;
      factors.push_back(coin(static_cast<std::size_t>(i), p, low));
    }
    const Domain domain(coordinates);
    const Model model{domain, std::make_shared<const ProductChannel>(domain, factors), Prior::uniform(domain)};
    const auto levels = [&](Budget& budget, std::size_t) {
      MeasuredModel subject(model, budget);
      subject.share_as("the model");
      const AlongCoordinates along{{0, 1, 2, 3, 8}};
      const BetweenLabels between = between_values(model.domain, {0, 3, 5});
      subject.expect(along);
      subject.expect(between);
      const InputLevel ldp = subject.answer(AmongInputs{});
      BinaryWriter writer;
      writer.put(ldp.at_least.to_string()).put(ldp.witness.get().output);
      for (const InputLevel& level : subject.answer(along)) {
        writer.put(level.at_least.to_string()).put(level.witness.get().output);
      }
      for (const GroupLevel& level : subject.answer(between))
        writer.put(level.at_least.to_string()).put(level.witness.get().output);
      return writer.take();
    };
    Budget plain;
    const Bytes whole = levels(plain, 0);
    Limits small;
    small.unit_cells = 4096;
    for (const std::size_t count : {1U, 2U, 3U}) {
      for (const auto& result : by_processes(count, nullptr, small, levels)) CHECK((!result || *result == whole));
    }
    const TemporaryFolder folder;
    cluster::Checkpoint checkpoint(folder.file("checkpoint"), "run", std::chrono::duration<double>(0));
    Limits little = small;
    little.max_seconds = 0.001;
    try {
      by_processes(1, &checkpoint, little, levels);
    } catch (const LimitError&) {
    }
    CHECK(by_processes(1, &checkpoint, small, levels)[0] == whole);
  }
}

namespace {

// Calls `read` on bytes with one bit or one word changed, and sometimes the end cut off. It must return a result
// or throw BytesError, NumberError or LimitError; any other exception is a fault of the reader.
void try_changes(const Bytes& bytes, std::uint64_t seed, int tries, const std::function<void(const Bytes&)>& read) {
  constexpr std::uint64_t kWords[] = {0,
                                      1,
                                      2,
                                      255,
                                      1ULL << 31,
                                      1ULL << 32,
                                      1ULL << 63,
                                      UINT64_MAX,
                                      0x7ff0000000000000ULL,
                                      0x7ff8000000000000ULL,
                                      0xbff0000000000000ULL};
  Random random(seed);
  int refused = 0;
  for (int k = 0; k < tries; ++k) {
    Bytes changed = bytes;
    const std::size_t at = random() % changed.size();
    if (k % 2 == 0) {
      changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
    } else {
      const Bytes word = BinaryWriter().put(kWords[random() % std::size(kWords)]).take();
      changed.replace(at / 8 * 8, 8, word);
    }
    if (k % 10 == 9) changed.resize(at);
    CAPTURE(k);
    try {
      read(changed);
    } catch (const BytesError&) {
      ++refused;
    } catch (const NumberError&) {
      ++refused;
    } catch (const LimitError&) {
    }
  }
  CHECK(refused > 0);
}

Limits second_of_time() {
  Limits limits;
  limits.max_seconds = 1;
  return limits;
}

// Wraps a scope: changes the outcome of the coordinator, and starts from the given state.
class ChangedScope final : public TaskScope {
 public:
  using Change = std::function<Bytes(Bytes)>;
  ChangedScope(Bytes kept, Change change) : kept_(std::move(kept)), change_(std::move(change)) {}
  Bytes run(const std::string& /*name*/, const Unit& unit, const TaskBody& lead, Budget& budget) override {
    Budget alone(budget, Budget::kAlone);
    KeptHands workers(unit, alone, *this);
    Bytes found = lead(workers, alone);
    return change_ ? change_(std::move(found)) : found;
  }
  bool is_abandoned() const noexcept override { return false; }
  const Bytes& last_state() const { return state_; }

 private:
  struct KeptHands final : WorkerPool {
    KeptHands(const Unit& of, Budget& within, ChangedScope& scope) : own(of, within, 1000), place(scope) {}
    std::size_t count() const override { return own.count(); }
    std::unique_ptr<PendingUnits> begin(std::vector<Bytes> units) override { return own.begin(std::move(units)); }
    Bytes kept() const override { return place.kept_; }
    void keep(const std::function<Bytes()>& state) override { place.state_ = state(); }
    ChangingHands own;
    ChangedScope& place;
  };

  Bytes kept_, state_;
  Change change_;
};

}  // namespace

TEST_CASE("a search whose bytes were changed ends, with a result or what is wrong with them") {
  Budget alone;
  const ProjectedRows seen = rows_by_value(answers_that_differ(8, 20, alone), 0, alone);
  const Probe look = searched_in_short(seen, alone, 30, 1e8);
  REQUIRE(!look.begun.empty());
  try_changes(look.begun, 1, 400, [&](const Bytes& changed) {
    Budget budget(second_of_time());
    search_outputs(seen, budget, {.begun = changed});
  });
  const Probe enough = searched_in_short(seen, alone, 1'000'000, 1e8);
  REQUIRE(!enough.outcome.empty());
  try_changes(enough.outcome, 2, 400, [&](const Bytes& changed) {
    Budget budget(second_of_time());
    level_found_in_short(seen, budget, changed);
  });
}

TEST_CASE("what a search hands out, and gets back, may be any bytes") {
  Budget budget(second_of_time());
  const ProjectedRows seen = rows_by_value(answers_that_differ(8, 20, budget), 0, budget);
  const Suffixes suffixes(seen, by_information(seen), budget);
  const PathWeights exact(seen, suffixes);
  NodeExpansion opener(seen, suffixes, exact, Averages::kWhereCheaper);
  const OpenNode root{{}, root_node(seen, suffixes).pairs};
  const BestOutput best =
      opener.best_at(Path(suffixes.depths(), 0), root.pairs.at(0).from, root.pairs.at(0).to, budget);
  const OpenNode* const nodes[] = {&root};
  const Bytes unit = unit_of(nodes, best, 1 << 20);
  const Bytes result = opener.open(unit, 0, budget, [](Budget&) {});
  CHECK(unpack_opened(result, 1, opener.ranges()).size() == 1);
  CHECK_THROWS_AS(unpack_opened(result, 2, opener.ranges()), BytesError);
  try_changes(unit.substr(8), 3, 300,
              [&](const Bytes& changed) { opener.open(unit.substr(0, 8) + changed, 0, budget, [](Budget&) {}); });
  try_changes(result, 4, 300, [&](const Bytes& changed) { unpack_opened(changed, 1, opener.ranges()); });
}

TEST_CASE("a pass over columns whose bytes were changed ends, with a result or what is wrong with them") {
  std::vector<Factor> factors;
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < 6; ++i) {
    coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
    factors.push_back(coin(i, Number::ratio(2, 3), Number::ratio(static_cast<std::int64_t>(i) + 1, 9)));
  }
  const Domain domain(coordinates);
  const Model model{domain, std::make_shared<const ProductChannel>(domain, factors), Prior::uniform(domain)};
  const auto levels = [&](ChangedScope& scope) {
    Limits limits = second_of_time();
    limits.unit_cells = 64;
    limits.scope = &scope;
    Budget budget(limits);
    MeasuredModel subject(model, budget);
    subject.share_as("the model");
    const BetweenLabels between = between_values(model.domain, {0, 3, 5});
    subject.expect(between);
    return subject.answer(AmongInputs{}).at_least.to_string() + subject.answer(between)[0].at_least.to_string();
  };
  Bytes outcome;
  ChangedScope noting({}, [&](Bytes found) { return outcome = std::move(found); });
  const std::string whole = levels(noting);
  const Bytes state = noting.last_state();
  REQUIRE(!outcome.empty());
  REQUIRE(!state.empty());
  ChangedScope going_on(state, {});
  CHECK(levels(going_on) == whole);
  try_changes(state, 5, 200, [&](const Bytes& changed) {
    ChangedScope scope(changed, {});
    levels(scope);
  });
  try_changes(outcome, 6, 200, [&](const Bytes& changed) {
    ChangedScope scope({}, [&](const Bytes&) { return changed; });
    levels(scope);
  });
}

TEST_CASE("a checkpoint is whole, of this run, or refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("checkpoint");
  const auto open = [&](const Bytes& run) { return cluster::Checkpoint(path, run, std::chrono::duration<double>(0)); };
  {
    cluster::Checkpoint checkpoint(path, "verify\na.json 1\n", std::chrono::duration<double>(0));
    checkpoint.finish("done", "its outcome");
    checkpoint.keep("begun", [] { return "its state"; });
  }
  {
    const cluster::Checkpoint checkpoint(path, "verify\na.json 1\n", std::chrono::duration<double>(0));
    CHECK(checkpoint.outcome("done") == "its outcome");
    CHECK(checkpoint.kept("begun") == "its state");
    CHECK_FALSE(checkpoint.outcome("begun").has_value());
    CHECK(checkpoint.kept("other").empty());
  }
  CHECK_THROWS_WITH(cluster::Checkpoint(path, "verify\na.json 2\n", std::chrono::duration<double>(0)),
                    doctest::Contains("that had 'a.json 1', this has 'a.json 2'"));
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  for (std::size_t size = 0; size < text.size(); size += 7) {
    write_whole(path, text.substr(0, size));
    CHECK_THROWS_WITH(open("verify\na.json 1\n"), doctest::Contains("it is"));
  }
  for (std::size_t at = 0; at < text.size(); at += 5) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    write_whole(path, changed);
    CHECK_THROWS_WITH(open("verify\na.json 1\n"), doctest::Contains("it is"));
  }
  std::filesystem::remove(path);
  // The next process removes a part file left by a process that was killed while writing. Other files stay.
  const std::vector<std::string> others{path + ".part-1", path + ".oddsbound-part-x",
                                        folder.file("other.oddsbound-part-1")};
  for (const std::string& other : others) write_whole(other, "mine");
  write_whole(path + ".oddsbound-part-1", "half");
  open("verify\n");
  CHECK_FALSE(std::filesystem::exists(path + ".oddsbound-part-1"));
  for (const std::string& other : others) CHECK(std::filesystem::exists(other));
  // A file of the user that has the name of a lock.
  write_whole(folder.file("levels.lock"), "mine");
  CHECK_THROWS_WITH(cluster::Checkpoint(folder.file("levels"), "run", std::chrono::duration<double>(0)),
                    doctest::Contains("of another kind"));
  CHECK(std::filesystem::file_size(folder.file("levels.lock")) == 4);
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  CHECK_THROWS_WITH(open("verify\n"), doctest::Contains("not an ordinary file"));
  CHECK_THROWS(cluster::Checkpoint(folder.file("none/checkpoint"), "run", std::chrono::duration<double>(0)));
}

TEST_CASE("messages that are cut short are errors") {
  cluster::Ask ask{3, "part", "content", "task", 2, {{1, 2, true, "bytes"}}};
  const Bytes message = ask.as_message();
  for (std::size_t size = 8; size < message.size(); ++size) {
    const Bytes cut = message.substr(0, size);
    BinaryReader unpacker(cut);
    unpacker.word();
    CHECK_THROWS_AS(cluster::Ask::from(unpacker), BytesError);
  }
  BinaryReader whole(message);
  whole.word();
  CHECK(cluster::Ask::from(whole).results[0].bytes == "bytes");
  const auto refuses = [](const cluster::Ask& changed) {
    const Bytes bytes = changed.as_message();
    BinaryReader unpacker(bytes);
    unpacker.word();
    CHECK_THROWS_AS(cluster::Ask::from(unpacker), BytesError);
  };
  ask.slots = UINT64_MAX;  // would overflow to 0 together with the coordinator's own
  refuses(ask);
  const Bytes more = message + "x";
  BinaryReader longer(more);
  longer.word();
  CHECK_THROWS_AS(cluster::Ask::from(longer), BytesError);
  const Bytes two = BinaryWriter().put(std::uint64_t{2}).put(std::uint64_t{1} << 32).take();
  CHECK_THROWS_AS(BinaryReader(two).flag(), BytesError);
  CHECK_THROWS_AS(BinaryReader(two).below(2), BytesError);
  CHECK(BinaryReader(two).below(3) == 2);
  const Bytes wide = BinaryWriter().put(std::vector<std::uint64_t>{1ULL << 32}).take();
  CHECK_THROWS_AS(BinaryReader(wide).words<std::uint32_t>(), BytesError);
  const Bytes no_number = BinaryWriter().put(std::nan("")).take();
  CHECK_THROWS_AS(BinaryReader(no_number).bound(), BytesError);
  const Bytes endless = BinaryWriter().put(~std::uint64_t{0}).take();
  CHECK_THROWS_AS(BinaryReader(endless).texts(), BytesError);
}
