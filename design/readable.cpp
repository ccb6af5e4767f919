#include "design/readable.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::designs {

namespace {

using Columns = std::vector<std::vector<Number>>;

bool is_given(const Rows& rows, std::size_t y) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return !row[y].is_zero(); });
}

Columns given_columns(const Rows& rows) {
  Columns columns;
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    if (!is_given(rows, y)) continue;
    std::vector<Number>& column = columns.emplace_back();
    for (const std::vector<Number>& row : rows) column.push_back(row[y]);
  }
  return columns;
}

bool are_multiples(const std::vector<Number>& a, const std::vector<Number>& b) {
  const std::size_t k = static_cast<std::size_t>(
      std::find_if(a.begin(), a.end(), [](const Number& n) { return !n.is_zero(); }) - a.begin());
  for (std::size_t x = 0; x < a.size(); ++x) {
    if (a[x] * b[k] != b[x] * a[k]) return false;
  }
  return true;
}

// Returns the two entries that occur in the columns, the smaller one first; nullopt if there are more or fewer.
std::optional<std::pair<Number, Number>> two_entries(const Columns& columns) {
  std::vector<Number> entries;
  for (const auto& column : columns) {
    for (const Number& entry : column) {
      if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
      if (entries.size() > 2) return std::nullopt;
    }
  }
  if (entries.size() != 2) return std::nullopt;
  return std::minmax(entries[0], entries[1]);
}

// Returns, by column, the inputs with the larger entry.
std::vector<std::vector<std::size_t>> larger_places(const Columns& columns, const Number& larger) {
  std::vector<std::vector<std::size_t>> places;
  for (const auto& column : columns) {
    std::vector<std::size_t>& own = places.emplace_back();
    for (std::size_t x = 0; x < column.size(); ++x) {
      if (column[x] == larger) own.push_back(x);
    }
  }
  return places;
}

std::string subsets(std::size_t inputs, std::vector<std::vector<std::size_t>> places, bool truth) {
  const std::size_t size = places[0].size();
  std::sort(places.begin(), places.end());
  if (std::adjacent_find(places.begin(), places.end()) != places.end()) return "";
  if (std::any_of(places.begin(), places.end(), [&](const auto& own) { return own.size() != size; })) return "";
  double all = 1;
  for (std::size_t k = 0; k < size; ++k) all = all * static_cast<double>(inputs - k) / static_cast<double>(k + 1);
  if (static_cast<double>(places.size()) < all - 0.5) return "";
  if (size > 1) return fmt::format("subset selection ({} of {})", size, inputs);
  if (truth) return "the truth";
  return inputs == 2 ? "Warner's randomized response" : "k-randomized response";
}

// Whether every input has the larger entry at half of the outputs, and any two inputs have it together at a
// quarter.
bool is_hadamard(std::size_t inputs, const std::vector<std::vector<std::size_t>>& places) {
  if (inputs < 3 || places.size() % 4 != 0) return false;
  std::vector<std::vector<std::size_t>> together(inputs, std::vector<std::size_t>(inputs));
  for (const auto& own : places) {
    for (const std::size_t a : own) {
      for (const std::size_t b : own) ++together[a][b];
    }
  }
  for (std::size_t a = 0; a < inputs; ++a) {
    for (std::size_t b = 0; b < inputs; ++b) {
      if (together[a][b] != places.size() / (a == b ? 2 : 4)) return false;
    }
  }
  return true;
}

// One input always gives its own output; the other one sometimes gives the same.
bool is_mangat(const Columns& columns) {
  if (columns.size() != 2 || columns[0].size() != 2) return false;
  for (std::size_t y = 0; y < 2; ++y) {
    for (std::size_t x = 0; x < 2; ++x) {
      if (columns[y][x].is_one() && !columns[1 - y][1 - x].is_one()) return true;
    }
  }
  return false;
}

// P(y given x) = c(y) a^|x - y|, with c = 1/(1 + a) for the first and last output and (1 - a)/(1 + a) for the
// others.
bool is_geometric(const Columns& columns) {
  const std::size_t size = columns.size();
  if (size < 3 || columns[0].size() != size || columns[0][0].is_zero()) return false;
  const Number a = columns[0][1] / columns[0][0];
  if (a.is_zero() || a >= Number(1)) return false;
  for (std::size_t y = 0; y < size; ++y) {
    const bool end = y == 0 || y + 1 == size;
    for (std::size_t x = 0; x < size; ++x) {
      const auto off = static_cast<std::int64_t>(x < y ? y - x : x - y);
      if (columns[y][x] * (Number(1) + a) != a.pow(off) * (end ? Number(1) : Number(1) - a)) return false;
    }
  }
  return true;
}

}  // namespace

std::string family_of(const Rows& rows) {
  const Columns columns = given_columns(rows);
  const std::size_t inputs = rows.size();
  if (inputs < 2) return "";
  if (std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row == rows[0]; })) {
    return "a mechanism that reveals nothing";
  }
  if (is_mangat(columns)) return "Mangat's randomized response";
  if (const auto entries = two_entries(columns)) {
    const auto places = larger_places(columns, entries->second);
    const std::string family = subsets(inputs, places, entries->first.is_zero());
    if (!family.empty()) return family;
    if (is_hadamard(inputs, places)) return "a Hadamard response";
  }
  return is_geometric(columns) ? "the truncated geometric mechanism" : "";
}

void merge_alike(const DesignProblem& wanted, Rows& rows) {
  if (!wanted.orbits.empty()) return;
  const Number loss = loss_of(wanted, rows);
  const auto column = [&](std::size_t y) {
    std::vector<Number> entries;
    for (const auto& row : rows) entries.push_back(row[y]);
    return entries;
  };
  const auto moved = [&](std::size_t from, std::size_t to) {
    Rows result = rows;
    for (auto& row : result) {
      row[to] += row[from];
      row[from] = Number(0);
    }
    return result;
  };
  for (std::size_t a = 0; a < wanted.outputs; ++a) {
    for (std::size_t b = a + 1; b < wanted.outputs; ++b) {
      if (!is_given(rows, a) || !is_given(rows, b) || !are_multiples(column(a), column(b))) continue;
      for (const auto& [from, to] : {std::pair(b, a), std::pair(a, b)}) {
        Rows merged = moved(from, to);
        if (loss_of(wanted, merged) > loss || !is_below(wanted.ceilings, merged)) continue;
        if (!is_within(wanted.limits, wanted.bounds, merged)) continue;
        rows = std::move(merged);
        break;
      }
    }
  }
}

std::pair<std::size_t, std::size_t> size_of(const Rows& rows) {
  const Columns columns = given_columns(rows);
  std::set<Number> entries;
  for (const auto& column : columns) entries.insert(column.begin(), column.end());
  return {columns.size(), entries.size()};
}

namespace {

// Adds the terms of the sum over x of prior(x) column(x) log(column(x) / P(y)). By Jensen's inequality it is 0
// only if there are no terms.
void add_information(const Column& column, const std::vector<Number>& prior, const Number& weight,
                     std::vector<WeightedLog>& sum) {
  const Number total = dot(prior, column);
  for (std::size_t x = 0; x < column.size(); ++x) {
    const Number part = prior[x] * column[x];
    if (!part.is_zero() && column[x] != total) sum.push_back({weight * part, column[x] / total});
  }
}

// Enough digits that the rounding is negligible.
constexpr int kInformationDigits = 17;

exact::DecimalBounds bounds_of_information(const std::vector<WeightedLog>& sum) {
  if (sum.empty()) return {"0", "0"};
  return exact::decimal_bounds(sum, kInformationDigits);
}

Number use_of(const Column& column, const Utility& utility) {
  if (utility.forms.empty()) {
    std::vector<WeightedLog> sum;
    add_information(column, utility.prior, Number(1), sum);
    return parse_number(bounds_of_information(sum).upper);
  }
  Number most = dot(utility.forms[0], column);
  for (const std::vector<Number>& form : utility.forms) most = std::max(most, dot(form, column));
  return most;
}

Number information_below(const std::vector<Column>& columns, const std::vector<Number>& weights,
                         const std::vector<Number>& prior) {
  std::vector<WeightedLog> sum;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!weights[j].is_zero()) add_information(columns[j], prior, weights[j], sum);
  }
  return parse_number(bounds_of_information(sum).lower);
}

}  // namespace

MostUseful most_useful(const std::vector<Column>& columns, const Utility& utility, Budget& budget) {
  std::vector<Number> uses;
  for (const Column& column : columns) {
    budget.check();
    uses.push_back(use_of(column, utility));
  }
  Mix mix = best_mix(columns, uses, budget);
  Number attained = mix.gain;
  if (utility.forms.empty()) {
    attained = information_below(columns, mix.weights, utility.prior);
    mix.gain = parse_number(exact::decimal_bounds(mix.gain).upper);
  }
  return {std::move(mix.weights), std::move(attained), std::move(mix.gain), std::move(mix.duals)};
}

}  // namespace oddsbound::designs
