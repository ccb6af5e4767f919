#include "design/page.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/html/frame.h"
#include "reports/words.h"

namespace oddsbound::designs {

namespace {

constexpr const char* kExact =
    "Every probability is exact in the spec; on the page decimals are rounded for reading, and so are fractions with "
    "too many digits, which are given as about so much.";

Page page_about(const std::string& name, const Html& badge, const std::string& title, const RenderOptions& options) {
  Page page(title, options, name + " " + badge);
  page.section("found", "What was found");
  return page;
}

Drawing curve_figure(const DesignResult& result) {
  Sweep sweep{"The least loss as limits get wider", "epsilon", "", {{"the least", {}, {}}}, {}};
  sweep.measure = result.loss_words;
  for (const CurvePoint& point : result.curve) {
    Sweep::Point& drawn = sweep.lines[0].points.emplace_back(
        Sweep::Point{std::log(point.exponential.approx()),
                     epsilon_words(point),
                     {point.loss.approx(), number_and_about(point.loss, kLongestFraction)}});
    if (!point.turns) continue;
    sweep.turns = "what is best turns";
    drawn.turn = point.exactly ? "what is best turns here" : "what is best turns just before";
  }
  return draw(sweep);
}

Drawing levels_figure(const ProductDesign& product) {
  const std::string what = "randomized response";
  Bars bars{"Levels of randomized response by attribute", "nats", {what}, {}, {}};
  for (const auto& [attribute, level] : product.levels) {
    bars.rows.push_back({attribute, what, {rounded_nats(level), level_of_attribute(level)}});
  }
  return draw(bars);
}

}  // namespace

std::string html_design(const DesignResult& result, const RenderOptions& options) {
  const std::string title = "A designed mechanism";
  if (!result.conflict.empty()) {
    Page page = page_about(result.name, Html::badge(Tone::kBad, "no mechanism"), title, options);
    page.paragraph("No mechanism keeps all of these:");
    page.paragraphs(result.conflict);
    return page.finish("That these do not go together is proven by the certificate.");
  }
  const bool best = result.at_least == result.loss;
  const Html badge = best ? Html::badge(Tone::kGood, "proven best") : Html::badge(Tone::kOpen, "bounded");
  Page page = page_about(result.name, badge, title, options);
  const DesignWords words = design_words(result);
  page.paragraph(words.loss);
  page.paragraphs(words.proven);
  page.paragraph(words.made);
  std::vector<Drawing> drawings;
  if (!result.matrix.entries.empty()) {
    const DrawnPart part = drawn_part(result.matrix);
    Drawing& drawing = drawings.emplace_back(
        draw(matrix_heat("The mechanism", result.matrix, part, largest_entry(result.matrix, part))));
    drawing.wide = part.outputs.size() > 6;  // fractions in more columns do not fit beside another figure
    if (!part.words.empty()) page.paragraph(Html::faint(part.words));
  }
  if (!result.curve.empty()) drawings.push_back(curve_figure(result));
  if (result.product && !result.product->levels.empty()) drawings.push_back(levels_figure(*result.product));
  page.figures(drawings);
  return page.finish(std::string(kExact) +
                     " That nothing within these constraints is better than is said was proven exactly" +
                     (result.certificate.empty() ? "." : "; the certificate has the proof.") +
                     " The constraints stand as claims in the spec, to be verified." +
                     (result.curve.empty() ? "" : " Between two points of the curve the loss lies between theirs."));
}

std::string html_repair(const RepairResult& result, const RenderOptions& options) {
  const DrawnPart part = drawn_part(result.before, result.after);
  const double darkest = std::max(largest_entry(result.before, part), largest_entry(result.after, part));
  std::vector<Drawing> drawings{draw(matrix_heat("Before", result.before, part, darkest)),
                                draw(matrix_heat("After", result.after, part, darkest))};
  if (result.rows.is_zero()) {
    drawings = {draw(matrix_heat("The mechanism", result.after, part, darkest))};
  } else {
    drawings.push_back(draw(change_heat("The change", result.before, result.after, part)));
  }
  const Html badge = Html::badge(Tone::kGood, result.rows.is_zero() ? "nothing was changed" : "mended");
  Page page = page_about(result.name, badge, "A mended mechanism", options);
  page.paragraphs(repair_words(result));
  if (!part.words.empty()) page.paragraph(Html::faint(part.words));
  page.figures(drawings);
  return page.finish(std::string(kExact) +
                     " The mended mechanism keeps the claims of its spec exactly, but for those that are named as not "
                     "looked at; each change is what it has more or less than the mechanism that was read.");
}

namespace {

// Same limit as for figures of losses between inputs.
constexpr std::size_t kMostDrawn = 48;
constexpr std::size_t kShortFraction = 9, kSurelyLong = 64;

// Returns those with the largest weights, in their original order.
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
  heat.unit = "probability";
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

}  // namespace oddsbound::designs
