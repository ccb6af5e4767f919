#include "reports/html/tune_page.h"

#include <algorithm>

#include "reports/claim_words.h"
#include "reports/html/frame.h"
#include "reports/html/svg.h"
#include "reports/words.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

void add_point(Sweep& sweep, const TunedPoint& point, const ClaimResult& claim, const TunedLevel& level) {
  const std::string label = claim.notion + (level.name.empty() ? "" : " " + level.name) +
                            (claim.name.empty() ? "" : " (" + claim.name + ")") + ", claim " +
                            std::to_string(claim.index);
  auto line =
      std::find_if(sweep.lines.begin(), sweep.lines.end(), [&](const auto& other) { return other.label == label; });
  if (line == sweep.lines.end()) line = sweep.lines.insert(line, {label, level.bound, {}});
  // A bound that varies with the parameter is not drawn as a line.
  if (line->bound != level.bound) line->bound.reset();
  line->points.push_back({point.value.approx(), value_words(point.value), {level.value, level.text}});
}

// One line per level of every claim, over the grid and the two ends.
std::vector<Sweep> sweeps_of(const TuneResult& result) {
  Sweep levels{"Levels over " + result.parameter, result.parameter, "nats", {}, {}};
  Sweep deltas{"Delta over " + result.parameter, result.parameter, "probability", {}, {}};
  const auto holds = result.holds_at(), fails = result.fails_at();
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const TunedPoint& point = result.points[i];
    if (!point.on_grid && i != holds && i != fails) continue;
    for (const ClaimResult& claim : point.claims) {
      const bool delta = std::holds_alternative<Delta>(claim.decision.actual);
      Sweep& sweep = delta ? deltas : levels;
      for (const TunedLevel& level : levels_of(claim)) add_point(sweep, point, claim, level);
    }
  }
  std::vector<Sweep> sweeps;
  for (Sweep* sweep : {&levels, &deltas}) {
    if (sweep->lines.empty()) continue;
    if (holds)
      sweep->found = {result.points[*holds].value.approx(), "holds at " + value_words(result.points[*holds].value)};
    sweeps.push_back(std::move(*sweep));
  }
  return sweeps;
}

}  // namespace

std::string html_tune(const TuneResult& result, const RenderOptions& options) {
  const int status = result.exit_status();
  const Html badge = status == 0   ? Html::badge(Tone::kGood, "found")
                     : status == 1 ? Html::badge(Tone::kBad, "holds at no value")
                                   : Html::badge(Tone::kOpen, "undecided");
  Page page("Privacy over a parameter", options, result.name + " " + badge);
  page.paragraph(Html::faint(result.file));
  page.paragraph(capitalized(sought_words(result)) + "." +
                 (result.written.empty() ? "" : " The spec has " + result.written + "."));
  page.section("found", "What was found");
  for (const std::string& symbol : result.symbols) page.paragraph("For all " + symbol + ".");
  for (const std::string& note : result.notes) page.paragraph("Note: " + note);
  page.paragraphs(tune_words(result));
  for (const auto& place : {result.holds_at(), result.fails_at()}) {
    if (!place) continue;
    HtmlRows rows;
    for (const TunedClaimWords& words : claims_at(result, *place)) {
      rows.push_back({words.claim, Html::badge(words.tone, words.outcome), words.found, words.witness});
    }
    page.heading("At " + result.parameter + " = " + value_words(result.points[*place].value));
    page.table({"claim", "outcome", "what was found", "witness"}, rows);
  }
  std::vector<Drawing> drawings;
  for (const Sweep& sweep : sweeps_of(result)) drawings.push_back(draw(sweep));
  page.figures(drawings);
  HtmlRows points;
  for (const TunedPoint& point : result.points) {
    points.push_back(
        {value_words(point.value), Html::badge(tone_of(point.verdict()), point.word()), levels_words(point)});
  }
  page.heading("All values that were decided");
  page.table({"value", "outcome", "levels"}, points);
  return page.finish(std::string("Every value that is listed was decided exactly") +
                         (result.status ? ". Levels that depend on a confidential table are rounded up. "
                                        : ": decimals are rounded for reading, the exact values stand beside them. ") +
                         "Lines between points are drawn for the eye; of values between two points nothing is said "
                         "unless it was proven.",
                     MadeWith::this_program(), result.files);
}

namespace {

void add_table(const DesignComparison& comparison, Page& page) {
  std::vector<std::string> columns{"quantity"};
  for (const ComparedDesign& design : comparison.designs) columns.push_back(design.label);
  columns.emplace_back("lowest");
  HtmlRows rows;
  for (const ComparedRow& row : comparison.rows) {
    std::vector<Html>& line = rows.emplace_back(std::vector<Html>{row.name()});
    for (const ComparedCell& cell : row.cells) {
      line.push_back(cell_words(cell) + (cell.known() ? " " : "") + Html::faint(cell.reason));
    }
    const std::string words = lowest_words(comparison, row);
    const std::size_t lowest = row.lowest().size();
    const bool ranked = lowest > 0 && lowest < row.known();
    line.push_back(ranked            ? Html::badge(Tone::kGood, words)
                   : words == "open" ? Html::badge(Tone::kOpen, words)
                                     : words);
  }
  page.table(columns, rows);
}

// A level against an error of the same quantity: one point per design that has both.
Sweep against(const DesignComparison& comparison, const ComparedRow& level, const ComparedRow& error) {
  Sweep sweep{level.name() + " against " + error.name(), error.name(), "nats", {}, {}};
  for (std::size_t i = 0; i < comparison.designs.size(); ++i) {
    const auto* nats = std::get_if<Between<Level>>(&level.cells[i].shown());
    const auto* squared = std::get_if<Between<Number>>(&error.cells[i].shown());
    if (nats == nullptr || squared == nullptr) continue;
    sweep.lines.push_back({comparison.designs[i].label,
                           {},
                           {{squared->at_most.approx(),
                             cell_words(error.cells[i]),
                             {rounded_nats(nats->at_most), cell_words(level.cells[i])}}}});
  }
  return sweep;
}

// The figure for full inputs, otherwise for the first attribute for which most designs have both. Levels
// between values, given the prior, are preferred.
std::vector<Drawing> figure_of(const DesignComparison& comparison) {
  Sweep most;
  for (const ComparedRow& error : comparison.rows) {
    if (error.kind != ComparedRow::Kind::kError || !error.not_compared.empty()) continue;
    for (const ComparedRow& level : comparison.rows) {
      if (level.kind != ComparedRow::Kind::kLevel || level.coordinate != error.coordinate) continue;
      Sweep found = against(comparison, level, error);
      const Notion* notion = find_notion(level.quantity);
      const bool between_values = notion != nullptr && notion->drawn == DrawnBeside::kValues;
      const bool preferred = between_values && most.parameter == found.parameter;
      if (found.lines.size() > most.lines.size() || (preferred && found.lines.size() == most.lines.size())) {
        most = std::move(found);
      }
    }
  }
  if (most.lines.size() < 2) return {};
  return {draw(most)};
}

}  // namespace

std::string html_comparison(const DesignComparison& comparison, const RenderOptions& options) {
  Page page("Designs side by side", options, "Designs side by side");
  page.section("found", "What was found");
  for (const FileError& error : comparison.errors) page.paragraph(error.text());
  std::vector<SourceFile> files;
  for (const ComparedDesign& design : comparison.designs) {
    page.paragraph(design.label + " " + Html::faint(design.file));
    for (const std::string& note : notes_of(design)) page.paragraph("Note: " + note);
    files.insert(files.end(), design.files.begin(), design.files.end());
  }
  page.paragraphs(comparison.notes);
  page.paragraphs(comparison_words(comparison));
  const std::vector<Drawing> drawings = figure_of(comparison);
  if (drawings.empty()) page.paragraph("No figure: no two designs have a level and an error that can be compared.");
  page.figures(drawings);
  page.heading("All that was measured");
  add_table(comparison, page);
  return page.finish(
      "Less is better in every line of the table; what is lowest was decided exactly, by levels and numbers that are "
      "not rounded. Errors are mean squared, summed, of estimates from " +
          std::to_string(comparison.samples) + " outputs.",
      MadeWith::this_program(), files);
}

}  // namespace oddsbound::reports
