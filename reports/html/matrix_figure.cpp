#include "reports/html/matrix_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/html/svg.h"
#include "results/words.h"

namespace oddsbound::reports {

namespace {

// As many as losses between inputs are drawn of.
constexpr std::size_t kMostDrawn = 48;
constexpr std::size_t kShortFraction = 9, kSurelyLong = 64;

// Those with the greatest weights, in their order.
std::vector<std::size_t> heaviest(std::vector<std::size_t> numbers, const std::vector<double>& weights) {
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  if (numbers.size() > kMostDrawn) numbers.resize(kMostDrawn);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

bool is_given(const ShownMatrix& matrix, std::size_t output) {
  return std::any_of(matrix.entries.begin(), matrix.entries.end(),
                     [&](const auto& row) { return !row[output].is_zero(); });
}

std::vector<std::size_t> numbers_to(std::size_t end) {
  std::vector<std::size_t> numbers(end);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::string left_out_words(std::size_t drawn_rows, std::size_t rows, std::size_t drawn_outputs, std::size_t outputs,
                           const std::string& which) {
  if (drawn_rows == rows && drawn_outputs == outputs) return "";
  return fmt::format("{} of {} rows and {} of {} outputs are drawn, {}. All are in the spec.", drawn_rows, rows,
                     drawn_outputs, outputs, which);
}

std::string short_fraction(const Number& number) {
  if (number.text_size() > kSurelyLong) return "";
  std::string text = number.to_string();
  return text.size() > kShortFraction ? "" : text;
}

Heat heat_without_cells(const std::string& title, const ShownMatrix& matrix, const DrawnPart& part) {
  std::vector<std::string> rows, outputs;
  for (const std::size_t x : part.rows) rows.push_back(matrix.rows[x]);
  for (const std::size_t y : part.outputs) outputs.push_back(matrix.outputs[y]);
  return {title, "input", "output", "", distinct(std::move(rows)), distinct(std::move(outputs)), {}};
}

Number change_of(const ShownMatrix& before, const ShownMatrix& after, std::size_t x, std::size_t y) {
  return after.entries[x][y] - before.entries[x][y];
}

}  // namespace

DrawnPart drawn_part(const ShownMatrix& matrix) {
  DrawnPart part;
  part.rows = numbers_to(std::min(kMostDrawn, matrix.rows.size()));
  std::vector<double> weights(matrix.outputs.size());
  std::vector<std::size_t> given;
  for (std::size_t y = 0; y < matrix.outputs.size(); ++y) {
    if (is_given(matrix, y)) given.push_back(y);
    for (const std::size_t x : part.rows) weights[y] += matrix.entries[x][y].approx();
  }
  part.outputs = heaviest(given, weights);
  part.words = left_out_words(part.rows.size(), matrix.rows.size(), part.outputs.size(), given.size(),
                              "the first rows and what is likeliest there");
  return part;
}

DrawnPart drawn_part(const ShownMatrix& before, const ShownMatrix& after) {
  std::vector<double> of_rows(before.rows.size()), of_outputs(before.outputs.size());
  std::vector<std::size_t> given;
  for (std::size_t y = 0; y < before.outputs.size(); ++y) {
    if (is_given(before, y) || is_given(after, y)) given.push_back(y);
    for (std::size_t x = 0; x < before.rows.size(); ++x) {
      const double change = std::abs(change_of(before, after, x, y).approx());
      of_rows[x] += change;
      of_outputs[y] = std::max(of_outputs[y], change);
    }
  }
  DrawnPart part{heaviest(numbers_to(before.rows.size()), of_rows), heaviest(given, of_outputs), ""};
  part.words = left_out_words(part.rows.size(), before.rows.size(), part.outputs.size(), given.size(),
                              "those that changed the most");
  return part;
}

Heat matrix_heat(const std::string& title, const ShownMatrix& matrix, const DrawnPart& part, double darkest) {
  Heat heat = heat_without_cells(title, matrix, part);
  heat.unit = heat.measure = "probability";
  heat.darkest = darkest;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    for (std::size_t j = 0; j < part.outputs.size(); ++j) {
      const Number& entry = matrix.entries[part.rows[i]][part.outputs[j]];
      heat.cells.push_back(
          {i, j, {entry.approx(), number_and_about(entry, kLongestFraction)}, false, "", short_fraction(entry)});
    }
  }
  return heat;
}

Heat change_heat(const std::string& title, const ShownMatrix& before, const ShownMatrix& after, const DrawnPart& part) {
  Heat heat = heat_without_cells(title, after, part);
  heat.unit = "in probability";
  heat.measure = "change";
  heat.above = "more than before";
  heat.below_zero = "less";
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    for (std::size_t j = 0; j < part.outputs.size(); ++j) {
      const Number change = change_of(before, after, part.rows[i], part.outputs[j]);
      const std::string sign = change.sign() > 0 ? "+" : "", written = short_fraction(change);
      heat.cells.push_back({i,
                            j,
                            {change.approx(), sign + number_and_about(change, kLongestFraction)},
                            false,
                            "",
                            written.empty() ? "" : sign + written});
    }
  }
  return heat;
}

double largest_entry(const ShownMatrix& matrix, const DrawnPart& part) {
  double largest = 0;
  for (const std::size_t x : part.rows) {
    for (const std::size_t y : part.outputs) largest = std::max(largest, matrix.entries[x][y].approx());
  }
  return largest > 0 ? largest : 1;
}

}  // namespace oddsbound::reports
