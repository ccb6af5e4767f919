// Linear programs: a vertex attains the maximum that the duals prove, whatever bases are proposed.

#include <doctest/doctest.h>
#include <algorithm>
#include <csignal>
#include <numeric>
#include <random>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "verifier/linear/basis.h"
#include "verifier/linear/linear_program.h"

using namespace oddsbound;
using oddsbound::linear::BasisSource;
using oddsbound::linear::CandidateBasis;
using oddsbound::linear::Equations;
using oddsbound::linear::LinearProgram;
using oddsbound::testing::effort;

namespace {

using Matrix = std::vector<std::vector<Number>>;

Equations equations_of(const Matrix& rows, std::vector<Number> right) {
  Equations equations{std::vector<std::vector<std::pair<std::size_t, Number>>>(rows[0].size()), std::move(right)};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (!rows[i][j].is_zero()) equations.columns[j].emplace_back(i, rows[i][j]);
    }
  }
  return equations;
}

Number product(const std::vector<Number>& a, const std::vector<Number>& b) {
  Number sum;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

// Checks the optimum (vertex, value and duals) by sums alone.
void check_optimum(const Matrix& rows, const std::vector<Number>& right, const std::vector<Number>& form,
                   LinearProgram& polytope) {
  const LinearProgram::Optimum optimum = polytope.maximize(form);
  const std::vector<Number> x = polytope.vertex();
  for (const Number& part : x) REQUIRE(part.sign() >= 0);
  for (std::size_t i = 0; i < rows.size(); ++i) REQUIRE(product(rows[i], x) == right[i]);
  REQUIRE(product(form, x) == optimum.value);
  REQUIRE(product(right, optimum.duals) == optimum.value);
  for (std::size_t j = 0; j < form.size(); ++j) {
    Number cost;
    for (std::size_t i = 0; i < rows.size(); ++i) cost += optimum.duals[i] * rows[i][j];
    REQUIRE(cost >= form[j]);
  }
}

Number small(std::mt19937_64& random, int least, int most) {
  return Number(std::uniform_int_distribution<std::int64_t>(least, most)(random));
}

struct Instance {
  Matrix rows;
  std::vector<Number> right;
  std::vector<Number> point;  // a feasible point of most instances
};

// Bounded; most are degenerate, some have dependent equations, some are empty.
Instance random_instance(std::mt19937_64& random, int round) {
  const auto columns = 2 + random() % 7;
  const auto equations = 1 + random() % 4;
  Instance instance{Matrix(equations, std::vector<Number>(columns)), {}, std::vector<Number>(columns)};
  instance.rows.emplace_back(columns, Number(1));  // makes it bounded
  for (Number& part : instance.point) part = random() % 2 == 0 ? Number(0) : small(random, 0, 4) / small(random, 1, 5);
  for (std::size_t i = 0; i < equations; ++i) {
    for (Number& entry : instance.rows[i]) entry = small(random, -2, 2);
    if (random() % 4 == 0 && i > 0) instance.rows[i] = instance.rows[i - 1];
  }
  if (round % 10 == 0) instance.rows[0][0] = Number::exp_of(Number(1));
  for (auto& row : instance.rows) {
    Number sum = product(row, instance.point);
    if (sum.sign() < 0) {
      for (Number& entry : row) entry = -entry;
      sum = -sum;
    }
    instance.right.push_back(sum);
  }
  if (random() % 4 == 0) instance.right[0] += small(random, 0, 2);
  return instance;
}

std::vector<Number> random_form(std::mt19937_64& random, std::size_t columns) {
  std::vector<Number> form(columns);
  for (Number& entry : form) entry = small(random, -3, 3) / small(random, 1, 3);
  if (random() % 8 == 0) form[0] = Number::exp_of(small(random, -1, 1));
  return form;
}

// Maximum over all basic feasible points, by trying every set of columns; nullopt if there is none.
std::optional<Number> most_by_hand(const Instance& instance, const std::vector<Number>& form) {
  std::optional<Number> most;
  const std::size_t columns = form.size();
  for (std::size_t set = 0; set < std::size_t{1} << columns; ++set) {
    std::vector<std::size_t> chosen;
    for (std::size_t j = 0; j < columns; ++j) {
      if ((set >> j & 1) != 0) chosen.push_back(j);
    }
    Matrix matrix;
    for (std::size_t i = 0; i < instance.rows.size(); ++i) {
      std::vector<Number>& row = matrix.emplace_back();
      for (const std::size_t j : chosen) row.push_back(instance.rows[i][j]);
      row.push_back(instance.right[i]);
    }
    const Matrix reduced = linear::reduced_row_echelon_form(matrix);
    Number value;
    bool is_point = true;
    for (std::size_t i = 0; i < reduced.size(); ++i) {
      const Number& part = reduced[i].back();
      const bool own = i < chosen.size();  // if independent, row i belongs to column i
      is_point = is_point && part.sign() >= 0 && (own ? !reduced[i][i].is_zero() : part.is_zero());
      if (own) value += part * form[chosen[i]];
    }
    is_point = is_point && chosen.size() <= reduced.size();
    if (is_point && (!most || value > *most)) most = value;
  }
  return most;
}

// Proposes random bases and duals, sometimes the basis of CLP, sometimes none.
class WrongBases final : public BasisSource {
 public:
  WrongBases(const Equations& equations, const Budget& budget, std::uint64_t seed)
      : columns_(equations.columns.size()),
        rows_(equations.right.size()),
        better_(linear::clp_bases(equations, budget)),
        random_(seed) {}

  std::optional<CandidateBasis> propose(std::span<const double> form) override {
    if (random_() % 4 == 0) return better_->propose(std::vector<double>(form.size(), 1.0));
    if (random_() % 8 == 0) return std::nullopt;
    CandidateBasis proposal{{chosen(columns_), chosen(rows_)}, {}};
    const std::size_t size = std::min(proposal.basis.columns.size(), proposal.basis.rows.size());
    proposal.basis.columns.resize(size);
    proposal.basis.rows.resize(size);
    std::uniform_real_distribution<double> price(-3, 3);
    for (std::size_t i = 0; i < rows_; ++i) proposal.duals.push_back(price(random_));
    return proposal;
  }

 private:
  std::vector<std::size_t> chosen(std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::shuffle(all.begin(), all.end(), random_);
    all.resize(random_() % (count + 1));
    return all;
  }

  std::size_t columns_, rows_;
  std::unique_ptr<BasisSource> better_;
  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("A linear program that is solved by hand, from either end") {
  // Maximize 3 x + 5 y with x + s = 4, 2 y + t = 12, 3 x + 2 y + u = 18: 36 at (2, 6).
  const Matrix rows{{1, 0, 1, 0, 0}, {0, 2, 0, 1, 0}, {3, 2, 0, 0, 1}};
  Budget budget;
  LinearProgram polytope(equations_of(rows, {4, 12, 18}), budget);
  REQUIRE(!polytope.is_empty());
  const LinearProgram::Optimum most = polytope.maximize(std::vector<Number>{3, 5, 0, 0, 0});
  CHECK(most.value == Number(36));
  CHECK(polytope.vertex() == std::vector<Number>{2, 6, 2, 0, 0});
  CHECK(most.duals == std::vector<Number>{0, Number::ratio(3, 2), 1});
  CHECK(polytope.maximize(std::vector<Number>{-3, -5, 0, 0, 0}).value == Number(0));
  CHECK(polytope.vertex() == std::vector<Number>{0, 0, 4, 12, 18});
}

TEST_CASE("Equations that no point fulfills are found, and those that say nothing new do no harm") {
  Budget budget;
  CHECK(LinearProgram(equations_of({{1, 1}, {1, 1}}, {1, 2}), budget).is_empty());
  CHECK(LinearProgram(equations_of({{1, 0}, {1, 1}}, {2, 1}), budget).is_empty());
  CHECK(LinearProgram({{}, {Number(1)}}, budget).is_empty());
  const Matrix rows{{1, 1, 0, 0}, {0, 0, 1, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 1}};
  const std::vector<Number> right{1, 2, 1, 2, 3};
  LinearProgram polytope(equations_of(rows, right), budget);
  REQUIRE(!polytope.is_empty());
  check_optimum(rows, right, {1, 0, 0, 1}, polytope);
  CHECK(polytope.maximize(std::vector<Number>{1, 0, 0, 1}).value == Number(3));
}

TEST_CASE("On random polytopes, most of them degenerate, a vertex attains what prices prove") {
  std::mt19937_64 random(1);
  int empty = 0;
  const int rounds = effort(3000, 400, 100);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Instance instance = random_instance(random, round);
    Budget budget;
    LinearProgram polytope(equations_of(instance.rows, instance.right), budget);
    if (polytope.is_empty()) {
      ++empty;
      REQUIRE(product(instance.rows[0], instance.point) != instance.right[0]);
      continue;
    }
    for (int question = 0; question < 4; ++question) {
      check_optimum(instance.rows, instance.right, random_form(random, instance.point.size()), polytope);
    }
  }
  CHECK(empty > rounds / 50);
  CHECK(empty < rounds / 3);
}

TEST_CASE("Whoever proposes bases, and be they wrong, the most is that of all vertices") {
  std::mt19937_64 random(3);
  const int rounds = effort(1500, 200, 60);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Instance instance = random_instance(random, round % 9 + 1);
    const Equations equations = equations_of(instance.rows, instance.right);
    Budget budget;
    LinearProgram asks_clp(equations, budget), asks_nobody(equations, budget, nullptr);
    LinearProgram is_misled(equations, budget, std::make_unique<WrongBases>(equations, budget, random()));
    for (int question = 0; question < 3; ++question) {
      const std::vector<Number> form = random_form(random, instance.point.size());
      const std::optional<Number> most = most_by_hand(instance, form);
      for (LinearProgram* polytope : {&asks_clp, &asks_nobody, &is_misled}) {
        REQUIRE(polytope->is_empty() == !most);
        if (!most) continue;
        REQUIRE(polytope->maximize(form).value == *most);
        check_optimum(instance.rows, instance.right, form, *polytope);
      }
    }
  }
}

TEST_CASE("A form that is plainly negative has no value that is not, and nearly all that are far from 0 are") {
  std::mt19937_64 random(4);
  int negative = 0, plain = 0;
  const int rounds = effort(1500, 200, 60);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Instance instance = random_instance(random, round % 9 + 1);
    const Equations equations = equations_of(instance.rows, instance.right);
    Budget budget;
    LinearProgram polytope(equations, budget), other(equations, budget);
    LinearProgram is_misled(equations, budget, std::make_unique<WrongBases>(equations, budget, random()));
    if (polytope.is_empty()) continue;
    for (int question = 0; question < 6; ++question) {
      std::vector<Number> form = random_form(random, instance.point.size());
      // The maximum is barely negative, 0, or clearly negative.
      const Number most = other.maximize(form).value;
      const Number shift = question % 3 == 0 ? Number(0) : Number::ratio(1, question % 3 == 1 ? 1LL << 60 : 8);
      const Number ones = other.maximize(std::vector<Number>(form.size(), Number(1))).value;
      if (ones.is_zero()) continue;
      for (Number& entry : form) entry -= most / ones + shift;
      const bool is_negative = other.maximize(form).value.sign() < 0;
      REQUIRE(is_negative == (question % 3 != 0));
      std::vector<double> rounded;
      for (const Number& entry : form) rounded.push_back(entry.approx());
      const bool is_plain = polytope.is_certified_negative(rounded);
      REQUIRE((!is_plain || is_negative));
      REQUIRE((!is_misled.is_certified_negative(rounded) || is_negative));
      if (question % 3 != 2) continue;
      ++negative;
      plain += is_plain ? 1 : 0;
    }
  }
  CHECK(negative > rounds / 2);
  CHECK(plain > negative * 9 / 10);
}

TEST_CASE("What doubles do not hold is decided all the same") {
  Budget budget;
  const Number huge = Number(10).pow(400), tiny = Number(1) / huge;
  const Matrix rows{{1, 1, 1}, {huge, tiny, 0}};
  for (const Number& second : {tiny * Number::ratio(1, 2), Number(3) * huge / Number(4), huge}) {
    const std::vector<Number> right{1, second};
    LinearProgram polytope(equations_of(rows, right), budget);
    REQUIRE(!polytope.is_empty());
    check_optimum(rows, right, {huge, -tiny, tiny}, polytope);
    check_optimum(rows, right, {-tiny, tiny * tiny, 0}, polytope);
    CHECK(!polytope.is_certified_negative(std::vector<double>{-1, -1, std::nan("")}));
  }
  CHECK(LinearProgram(equations_of(rows, {1, huge + tiny}), budget).is_empty());
  // Inconsistent by less than a solver in doubles resolves.
  const Number near = Number::ratio(1, 1LL << 60);
  const Matrix equal{{1, 1}, {1, 1}};
  CHECK(LinearProgram(equations_of(equal, {Number(1), Number(1) + near}), budget).is_empty());
  LinearProgram close(equations_of({{1, 1}}, {1}), budget);
  CHECK(close.maximize(std::vector<Number>{Number(1), Number(1) + near}).value == Number(1) + near);
  CHECK(close.maximize(std::vector<Number>{Number(1) + near, Number(1)}).value == Number(1) + near);
}

TEST_CASE("Who stops the work stops the solver, which leaves signals as they were") {
  struct sigaction before = {}, after = {};
  sigaction(SIGINT, nullptr, &before);
  std::stop_source source;
  Limits limits;
  limits.stop = source.get_token();
  Budget budget(limits);
  LinearProgram polytope(equations_of({{1, 1, 1, 1}, {1, 0, 1, 0}}, {2, 1}), budget);
  CHECK(polytope.maximize(std::vector<Number>{1, 2, 3, 4}).value == Number(7));
  sigaction(SIGINT, nullptr, &after);
  CHECK((before.sa_handler == after.sa_handler));
  source.request_stop();
  CHECK_THROWS_AS(polytope.maximize(std::vector<Number>{4, 3, 2, 1}), LimitError);
}

TEST_CASE("A form takes a value on a simplex if it lies between the corners' values") {
  std::mt19937_64 random(2);
  int empty = 0;
  const int rounds = effort(2000, 300, 100);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    Matrix rows(2, std::vector<Number>(5));
    std::vector<Number> right{small(random, 0, 3), small(random, 1, 3)};
    for (Number& entry : rows[0]) entry = small(random, -2, 2);
    for (Number& entry : rows[1]) entry = Number(1);
    Budget budget;
    LinearProgram polytope(equations_of(rows, right), budget);
    Number least = rows[0][0], most = rows[0][0];
    for (const Number& entry : rows[0]) {
      least = std::min(least, entry);
      most = std::max(most, entry);
    }
    const bool possible = least * right[1] <= right[0] && right[0] <= most * right[1];
    REQUIRE(polytope.is_empty() != possible);
    empty += possible ? 0 : 1;
  }
  CHECK(empty > 0);
  CHECK(empty < rounds);
}
