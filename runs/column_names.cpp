#include "runs/column_names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace oddsbound::runs {

namespace {

using optimal::Column;

// The rows of the larger of two values; empty where there are not two.
std::vector<std::size_t> larger_of_two(const Column& column) {
  const auto [least, most] = std::minmax_element(column.begin(), column.end());
  std::vector<std::size_t> rows;
  if (*least == *most) return rows;
  for (std::size_t x = 0; x < column.size(); ++x) {
    if (column[x] == *most) rows.push_back(x);
    if (column[x] != *most && column[x] != *least) return {};
  }
  return rows;
}

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  std::uint64_t count = 1;
  for (std::uint64_t i = 1; i <= k; ++i) count = count * (n - k + i) / i;
  return count;
}

Number largest(const Column& column) { return *std::max_element(column.begin(), column.end()); }

}  // namespace

std::vector<std::string> names_of(const std::vector<Column>& columns, const std::vector<std::string>& rows) {
  std::vector<std::string> names;
  std::map<std::string, std::size_t> columns_of;
  for (const Column& column : columns) {
    std::vector<std::string> larger;
    for (const std::size_t x : larger_of_two(column)) {
      larger.push_back(rows[x].find(',') == std::string::npos ? rows[x] : "(" + rows[x] + ")");
    }
    names.push_back(larger.empty() ? "" : fmt::format("{{{}}}", fmt::join(larger, ", ")));
    ++columns_of[names.back()];
  }
  // A name that two columns would have says of neither which rows it is about.
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].empty() || columns_of[names[k]] > 1) names[k] = "y" + std::to_string(k + 1);
  }
  return names;
}

std::string family_of_columns(const std::vector<Column>& columns, const std::vector<Number>& weights) {
  const std::size_t rows = columns[0].size(), size = larger_of_two(columns[0]).size();
  const auto is_like_first = [&](const Column& column) {
    return larger_of_two(column).size() == size && largest(column) == largest(columns[0]);
  };
  const bool alike = size > 0 && std::all_of(columns.begin(), columns.end(), is_like_first) &&
                     std::all_of(weights.begin(), weights.end(), [&](const Number& w) { return w == weights[0]; });
  // Columns differ, so that so many of one size are all of them.
  if (alike && columns.size() == choose(rows, size)) {
    return size == 1 ? "k-randomized response" : fmt::format("subset selection ({} of {})", size, rows);
  }
  const bool two = columns.size() == 2 && size > 0 && larger_of_two(columns[1]).size() == rows - size;
  return two ? "a binary mechanism" : "";
}

}  // namespace oddsbound::runs
