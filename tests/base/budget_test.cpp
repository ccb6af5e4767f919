#include "base/budget.h"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/number.h"
#include "verifier/notions/analysis.h"

namespace oddsbound {
namespace {

Limits seconds(double most) {
  Limits limits;
  limits.max_seconds = most;
  return limits;
}

std::string limit_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const LimitError& error) {
    return error.what();
  }
  return "";
}

Number sum_with_exp(std::int64_t constant) { return Number::exp_of(Number(1)) + Number(constant); }

TEST_CASE("arithmetic stops at the time limit of its thread, though nobody ticks") {
  Budget budget(seconds(0.2));
  const std::string limit = limit_of([] {
    Number product(1);
    for (;;) product = product * Number::ratio(12345678901, 1234567) / Number(3) + Number(1);
  });
  CHECK(limit == "the time limit was reached (--max-seconds 0.2)");
}

TEST_CASE("a claim's part of the time ends before the budget, which then has the rest") {
  Budget budget(seconds(1000));
  {
    const Budget::Part part(budget, 0.05);
    CHECK(budget.seconds_left() <= 0.05);
    const Budget helper(budget, Budget::kHelper);
    CHECK(helper.seconds_left() <= 0.05);
    const std::string limit = limit_of([&] {
      while (true) budget.check();
    });
    CHECK(limit == "the claim's part of the time limit was reached (--max-seconds 1000 for all claims)");
  }
  CHECK(budget.seconds_left() > 900);
  budget.check();
  const Budget::Part longer(budget, 5000);
  CHECK(budget.seconds_left() <= 1000);
}

TEST_CASE("a part of a very long time limit does not end at once") {
  Limits limits;
  limits.max_seconds = 1e300;
  Budget budget(limits);
  const Budget::Part part(budget, 5e299);
  budget.check();
  CHECK(budget.seconds_left() > 1e6);
}

TEST_CASE("one operation on huge polynomials stops at the time limit") {
  const Number top = sum_with_exp(3).pow(1500) * sum_with_exp(7).pow(1500);
  const Number bottom = sum_with_exp(3).pow(1499) * sum_with_exp(11).pow(1500);
  const auto start = std::chrono::steady_clock::now();
  Budget budget(seconds(0.1));
  CHECK(limit_of([&] { Number quotient = (top / bottom) * (bottom / top + Number(1)); }) ==
        "the time limit was reached (--max-seconds 0.1)");
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("numbers that are computed in a process of their own are the same") {
  const Number a = sum_with_exp(3).pow(500) / sum_with_exp(5).pow(400);
  const Number b = sum_with_exp(5).pow(300) / sum_with_exp(7).pow(500);
  const Number rational = Number(3).pow(500000) / Number(7).pow(300000);
  const Number other = Number(7).pow(200000) / Number(9).pow(100000);
  const Number product = a * b;
  const Number sum = a + b;
  const Number products = rational * other;
  const Number difference = rational - other;
  Budget budget(seconds(100));
  CHECK(a * b == product);
  CHECK(a + b == sum);
  CHECK(rational * other == products);
  CHECK(rational - other == difference);
  CHECK(rational * other != difference);
}

TEST_CASE("enclosures that the time limit ends leave nothing behind") {
  // So close to 0 that its sign needs more bits than Arb stores inline.
  const Number near =
      parse_number("exp(1) - 2.71828182845904523536028747135266249775724709369995957496696762772407663035");
  const Number product = sum_with_exp(1).pow(150) * near;
  Budget budget(seconds(0));
  // The sanitizers report memory that is not freed.
  CHECK_THROWS_AS((void)product.sign(), LimitError);
}

TEST_CASE("a budget without limits of its own continues the one around it") {
  CHECK(Budget::current() == nullptr);
  Budget outer(seconds(0.01));
  {
    Budget inner;
    CHECK(Budget::current() == &inner);
    CHECK(inner.limits().max_seconds == 0.01);
    while (inner.seconds_left() > 0) {
    }
    CHECK_THROWS_AS(inner.check(), LimitError);
  }
  CHECK(Budget::current() == &outer);
}

TEST_CASE("memory is asked for before it is taken") {
  Limits limits;
  limits.max_memory_mb = 4096;
  const Budget budget(limits);
  CHECK_NOTHROW(budget.require_memory(1 << 20));
  CHECK_THROWS_WITH_AS(budget.require_memory(std::uint64_t{1} << 33),
                       "the memory limit was reached (--max-memory-mb 4096)", LimitError);
}

TEST_CASE("the allocator knows what is in use where the kernel does not say") {
  if (oddsbound::testing::kInstrumented) return;  // the sanitizers' allocator does not report to mallinfo2
  constexpr std::size_t kSize = std::size_t{64} << 20;
  const std::uint64_t before = allocated_bytes();
  {
    const std::vector<char> large(kSize, 'h');
    CHECK(allocated_bytes() >= before + kSize);
    const std::vector<std::string> small(10'000, std::string(100, 'h'));
    CHECK(allocated_bytes() >= before + kSize + small.size() * 100);
  }
  CHECK(allocated_bytes() < before + kSize);
  CHECK(bytes_of_pages(kDataPages) > 0);
  // There is no such field: the same as without /proc, except for the read buffer.
  CHECK(bytes_of_pages(1'000) >= before);
  CHECK(bytes_of_pages(1'000) < before + kSize);
}

TEST_CASE("what a host holds before does not count, unless all of the process does") {
  std::vector<char> held(std::size_t{64} << 20, 'h');
  Limits limits;
  limits.max_memory_mb = 48;
  {
    Budget of_library(limits);
    CHECK_NOTHROW(of_library.require_memory(1 << 20));
    CHECK(of_library.memory_left_mb() > 40);
    CHECK_THROWS_AS(of_library.require_memory(std::uint64_t{64} << 20), LimitError);
  }
  limits.memory_in_use = resident_bytes;
  Budget of_program(limits);
  CHECK(of_program.memory_left_mb() == 0);
  CHECK_THROWS_AS(of_program.require_memory(1), LimitError);
  CHECK(held.back() == 'h');
}

TEST_CASE("a host may count memory itself") {
  std::uint64_t used = 0;
  Limits limits;
  limits.max_memory_mb = 10;
  limits.memory_in_use = [&used] { return used; };
  const Budget budget(limits);
  CHECK(budget.memory_left_mb() == 10);
  used = std::uint64_t{8} << 20;
  CHECK(budget.memory_left_mb() == 2);
  CHECK_THROWS_AS(budget.require_memory(std::uint64_t{3} << 20), LimitError);
}

TEST_CASE("a level is not found if there is no time to write it") {
  const Level level = Level::of_exponential(Number(3).pow(2000000));
  const std::size_t size = written_size(level);
  CHECK(size >= level.exponential().to_string().size());
  CHECK(size < 3 * level.exponential().to_string().size());
  CHECK(written_size(Level::of_exponential(Number(3))) == 0);
  Budget patient(seconds(100));
  CHECK_NOTHROW(patient.reserve_output(size));
  Budget hasty(seconds(0.1));
  CHECK(limit_of([&] { hasty.reserve_output(size); }).find("(--max-seconds 0.1)") != std::string::npos);
}

TEST_CASE("No outweighs open, and open outweighs yes") {
  for (const Answer other : {Answer::kNo, Answer::kYes, Answer::kOpen}) {
    CHECK(both(Answer::kNo, other) == Answer::kNo);
    CHECK(both(other, Answer::kNo) == Answer::kNo);
    CHECK(both(Answer::kYes, other) == other);
    CHECK(both(other, Answer::kYes) == other);
  }
  CHECK(both(Answer::kOpen, Answer::kOpen) == Answer::kOpen);
  CHECK(answer_of(true) == Answer::kYes);
  CHECK(answer_of(false) == Answer::kNo);
}

}  // namespace
}  // namespace oddsbound
