#include "reports/html/design_page.h"

#include <algorithm>
#include <cmath>

#include "reports/html/drawing.h"
#include "reports/html/frame.h"
#include "reports/html/matrix_figure.h"
#include "reports/html/parts.h"
#include "reports/markup.h"
#include "results/report.h"
#include "results/words.h"

namespace oddsbound::reports {

namespace {

constexpr const char* kExact =
    "Every probability is exact in the spec; on the page decimals are rounded for reading, and so are fractions with "
    "too many digits, which are given as about so much.";

std::string paragraphs(const std::vector<std::string>& lines) {
  std::string html;
  for (const std::string& line : lines) html += "<p>" + escaped_markup(line) + "</p>";
  return html;
}

std::string note_of(const DrawnPart& part) {
  return part.words.empty() ? "" : "<p class=\"faint\">" + escaped_markup(part.words) + "</p>";
}

std::string page_of(const std::string& name, const Badge& badge, const std::string& told, const std::string& found,
                    const std::string& reading, const FormatOptions& options) {
  return whole_page(told,
                    "<header><h1>" + escaped_markup(name) + " " + badge_html(badge) +
                        "</h1></header><main><section id=\"found\"><h2>What was found</h2>" + found +
                        "</section></main>" + page_footer(reading, MadeWith::this_program(), {}),
                    options);
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

std::string html_design(const DesignResult& result, const FormatOptions& options) {
  const std::string told = "A designed mechanism";
  if (!result.conflict.empty()) {
    return page_of(result.name, {"bad", "no mechanism"}, told,
                   "<p>No mechanism keeps all of these:</p>" + paragraphs(result.conflict),
                   "That these do not go together is proven by the certificate.", options);
  }
  const DesignWords words = design_words(result);
  std::vector<std::string> lines{words.loss};
  lines.insert(lines.end(), words.proven.begin(), words.proven.end());
  lines.push_back(words.made);
  std::string found = paragraphs(lines);
  std::vector<Drawing> drawings;
  if (!result.matrix.entries.empty()) {
    const DrawnPart part = drawn_part(result.matrix);
    Drawing& drawing = drawings.emplace_back(
        draw(matrix_heat("The mechanism", result.matrix, part, largest_entry(result.matrix, part))));
    drawing.wide = part.outputs.size() > 6;  // of which fractions would not fit beside another figure
    found += note_of(part);
  }
  if (!result.curve.empty()) drawings.push_back(curve_figure(result));
  if (result.product && !result.product->levels.empty()) drawings.push_back(levels_figure(*result.product));
  Page page(has_script(options));
  const Badge badge = result.at_least == result.loss ? Badge{"good", "proven best"} : Badge{"doubt", "bounded"};
  return page_of(result.name, badge, told, found + page.figures(drawings),
                 std::string(kExact) +
                     " That nothing within these constraints is better than is said was proven exactly" +
                     (result.certificate.empty() ? "." : "; the certificate has the proof.") +
                     " The constraints stand as claims in the spec, to be verified." +
                     (result.curve.empty() ? "" : " Between two points of the curve the loss lies between theirs."),
                 options);
}

std::string html_repair(const RepairResult& result, const FormatOptions& options) {
  const DrawnPart part = drawn_part(result.before, result.after);
  const double darkest = std::max(largest_entry(result.before, part), largest_entry(result.after, part));
  std::vector<Drawing> drawings{draw(matrix_heat("Before", result.before, part, darkest)),
                                draw(matrix_heat("After", result.after, part, darkest))};
  if (result.rows.is_zero()) {
    drawings = {draw(matrix_heat("The mechanism", result.after, part, darkest))};
  } else {
    drawings.push_back(draw(change_heat("The change", result.before, result.after, part)));
  }
  Page page(has_script(options));
  const Badge badge = result.rows.is_zero() ? Badge{"good", "nothing was changed"} : Badge{"good", "mended"};
  return page_of(result.name, badge, "A mended mechanism",
                 paragraphs(repair_words(result)) + note_of(part) + page.figures(drawings),
                 std::string(kExact) +
                     " The mended mechanism keeps the claims of its spec exactly, but for those that are named as not "
                     "looked at; each change is what it has more or less than the mechanism that was read.",
                 options);
}

}  // namespace oddsbound::reports
