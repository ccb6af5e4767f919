// Extreme columns: their number and form against theorems and brute force.

#include <doctest/doctest.h>
#include <algorithm>
#include <random>
#include <set>

#include "base/errors.h"
#include "design/columns.h"

using namespace oddsbound;
using namespace oddsbound::designs;

namespace {

Limit limit_between_all(std::size_t rows, const Number& exponential) {
  Limit limit;
  limit.level = Level::of_exponential(exponential);
  for (std::uint64_t x = 0; x < rows; ++x) limit.sides.push_back({{x, Number(1)}});
  for (std::size_t a = 0; a < rows; ++a) {
    for (std::size_t b = 0; b < rows; ++b) {
      if (a != b) limit.pairs.emplace_back(a, b);
    }
  }
  return limit;
}

std::vector<Column> columns_under_ldp(std::size_t rows, const Number& exponential) {
  Budget budget{Limits{}};
  return extreme_columns(cone_of({limit_between_all(rows, exponential)}, {exponential}, rows), rows, budget);
}

// Returns the vector at which all forms are 0, scaled so that its free entry is 1; nullopt unless the forms leave
// exactly one line.
std::optional<Column> common_zero(const linear::Matrix& forms, std::size_t rows) {
  std::vector<std::size_t> pivots;
  Column column(rows);
  const linear::Matrix reduced = linear::reduced_row_echelon_form(forms);
  for (const std::vector<Number>& row : reduced) {
    const auto pivot = std::find_if(row.begin(), row.end(), [](const Number& n) { return !n.is_zero(); });
    if (pivot != row.end()) pivots.push_back(static_cast<std::size_t>(pivot - row.begin()));
  }
  if (pivots.size() + 1 != rows) return std::nullopt;
  std::size_t free = 0;
  while (free < pivots.size() && pivots[free] == free) ++free;
  column[free] = Number(1);
  for (std::size_t k = 0; k < pivots.size(); ++k) column[pivots[k]] = -reduced[k][free];
  return column;
}

// Brute force: tries every choice of rows - 1 tight forms.
std::set<Column> by_brute_force(linear::Matrix forms, std::size_t rows) {
  for (std::size_t x = 0; x < rows; ++x) forms.emplace_back(rows)[x] = Number(1);
  std::vector<bool> chosen(forms.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(rows - 1), true);
  std::set<Column> found;
  do {
    linear::Matrix tight;
    for (std::size_t k = 0; k < forms.size(); ++k) {
      if (chosen[k]) tight.push_back(forms[k]);
    }
    std::optional<Column> column = common_zero(tight, rows);
    const auto is_kept = [&](const std::vector<Number>& form) { return dot(form, *column).sign() >= 0; };
    if (!column || !std::all_of(forms.begin(), forms.end(), is_kept)) continue;
    Number least(0);
    for (const Number& entry : *column) {
      if (!entry.is_zero() && (least.is_zero() || entry < least)) least = entry;
    }
    for (Number& entry : *column) entry /= least;
    found.insert(*std::move(column));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return found;
}

}  // namespace

TEST_CASE("under LDP the extreme columns have two values, and are all that do") {
  // Kairouz, Oh and Viswanath (2016): 2^k patterns. The two constant patterns are no extreme rays for k > 1.
  const Number l = Number::ratio(5, 2);
  for (std::size_t k = 2; k <= 9; ++k) {
    const std::vector<Column> columns = columns_under_ldp(k, l);
    CHECK(columns.size() == (std::size_t{1} << k) - 2);
    for (const Column& column : columns) {
      for (const Number& entry : column) CHECK((entry.is_one() || entry == l));
    }
    CHECK(std::set<Column>(columns.begin(), columns.end()).size() == columns.size());
  }
  CHECK(columns_under_ldp(1, l) == std::vector<Column>{{Number(1)}});
  CHECK(columns_under_ldp(3, Number(1)) == std::vector<Column>{{Number(1), Number(1), Number(1)}});
}

TEST_CASE("extreme columns are those that brute force finds") {
  std::mt19937 random(5);
  const auto draw = [&](int most) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(most)); };
  for (int round = 0; round < 60; ++round) {
    const std::size_t rows = 2 + static_cast<std::size_t>(draw(3));
    linear::Matrix forms;
    for (std::int64_t k = 0; k < 2 + draw(5); ++k) {
      // A comparison of two conditional probabilities; the inputs of its sides may overlap.
      std::vector<Number>& form = forms.emplace_back(rows);
      const Number bound = Number::ratio(1 + draw(6), 1 + draw(2));
      for (std::size_t x = 0; x < rows; ++x) form[x] = bound * Number(draw(3)) - Number(draw(3));
    }
    Budget budget{Limits{}};
    const std::vector<Column> columns = extreme_columns(forms, rows, budget);
    CHECK(std::set<Column>(columns.begin(), columns.end()) == by_brute_force(forms, rows));
    CHECK(std::is_sorted(columns.rbegin(), columns.rend()));
  }
}

TEST_CASE("a level of 0 in one direction is one in both") {
  Limit limit;
  limit.sides = {{{0, Number(1)}}, {{1, Number(1)}}};
  limit.pairs = {{0, 1}};
  Budget budget{Limits{}};
  CHECK(extreme_columns(cone_of({limit}, {Number(1)}, 2), 2, budget) == std::vector<Column>{{Number(1), Number(1)}});
}

TEST_CASE("too many extreme columns are a limit") { CHECK_THROWS_AS(columns_under_ldp(16, Number(2)), LimitError); }
