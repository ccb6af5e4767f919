#include "reports/html/tune_page.h"

#include <algorithm>

#include "reports/claim_words.h"
#include "reports/html/frame.h"
#include "reports/html/svg.h"
#include "reports/markdown.h"
#include "reports/report.h"
#include "reports/words.h"

namespace oddsbound::reports {

namespace {

Badge badge_of(Verdict verdict, const std::string& word) {
  return {verdict == Verdict::kHolds ? "good" : verdict == Verdict::kRefuted ? "bad" : "doubt", word};
}

Badge badge_of(const TunedPoint& point) { return badge_of(point.verdict(), point.word()); }

Badge outcome_badge(const ClaimResult& claim) { return badge_of(claim.verdict, outcome_of(claim)); }

// The claims at one value: findings and witnesses.
std::string claims_table(const TuneResult& result, std::size_t place) {
  const TunedPoint& point = result.points[place];
  HtmlRows rows;
  for (const ClaimResult& claim : point.claims) {
    const ClaimWords words = claim_words(claim);
    const auto& witness = claim.decision.witness;
    const std::string found = claim.verdict == Verdict::kUndecided ? words.verdict : words.found;
    rows.push_back({escaped_markup(words.claim), badge_html(outcome_badge(claim)), escaped_markup(found),
                    witness ? escaped_markup(witness_words(*witness, result.coordinates)) : ""});
  }
  return "<h3>At " + escaped_markup(result.parameter + " = " + value_words(point.value)) + "</h3>" +
         table_html({"claim", "outcome", "what was found", "witness"}, rows);
}

std::string points_table(const TuneResult& result) {
  HtmlRows rows;
  for (const TunedPoint& point : result.points) {
    std::vector<std::string> levels;
    for (const ClaimResult& claim : point.claims) {
      for (const TunedLevel& level : levels_of(claim)) {
        levels.push_back(claim.notion + (level.name.empty() ? " " : " " + level.name + " ") + level.text);
      }
    }
    const std::string reason = point.verdict() == Verdict::kUndecided ? point.open_reason() : "";
    rows.push_back({escaped_markup(value_words(point.value)), badge_html(badge_of(point)),
                    escaped_markup(joined(levels) + reason)});
  }
  return "<h3>All values that were decided</h3>" + table_html({"value", "outcome", "levels"}, rows);
}

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

std::string html_tune(const TuneResult& result, const FormatOptions& options) {
  Page page;
  const auto holds = result.holds_at(), fails = result.fails_at();
  const Badge badge = result.exit_status() == 0   ? Badge{"good", "found"}
                      : result.exit_status() == 1 ? Badge{"bad", "holds at no value"}
                                                  : Badge{"doubt", "undecided"};
  std::string body = "<header><h1>" + escaped_markup(result.name) + " " + badge_html(badge) +
                     "</h1><p class=\"faint\">" + escaped_markup(result.file) + "</p><p>The " +
                     (result.smallest ? "smallest " : "largest ") + escaped_markup(result.parameter) + " with " +
                     escaped_markup(result.range.text(result.parameter)) + " for which the claims hold." +
                     (result.written.empty() ? "" : " The spec has " + escaped_markup(result.written) + ".") +
                     "</p></header><main><section id=\"found\"><h2>What was found</h2>";
  for (const std::string& symbol : result.symbols) body += "<p>For all " + escaped_markup(symbol) + ".</p>";
  for (const std::string& note : result.notes) body += "<p>Note: " + escaped_markup(note) + "</p>";
  for (const std::string& sentence : tune_words(result)) body += "<p>" + escaped_markup(sentence) + "</p>";
  if (holds) body += claims_table(result, *holds);
  if (fails) body += claims_table(result, *fails);
  std::vector<Drawing> drawings;
  for (const Sweep& sweep : sweeps_of(result)) drawings.push_back(draw(sweep));
  body += page.figures(drawings) + points_table(result) + "</section></main>";
  body += page_footer(
      std::string("Every value that is listed was decided exactly") +
          (result.status ? ". Levels that depend on a confidential table are rounded up. "
                         : ": decimals are rounded for reading, the exact values stand beside them. ") +
          "Lines between points are drawn for the eye; of values between two points nothing is said unless it was "
          "proven.",
      MadeWith::this_program(), result.files);
  return whole_page("Privacy over a parameter", body, options);
}

namespace {

std::string cell_html(const ComparedCell& cell) {
  const std::string reason =
      cell.reason.empty() ? "" : "<span class=\"faint\">" + escaped_markup(cell.reason) + "</span>";
  if (!cell.known()) return reason;
  return escaped_markup(cell_words(cell)) + (reason.empty() ? "" : " " + reason);
}

std::string lowest_html(const DesignComparison& comparison, const ComparedRow& row) {
  const std::string words = lowest_words(comparison, row);
  const std::size_t lowest = row.lowest().size();
  if (lowest > 0 && lowest < row.known()) return badge_html({"good", words});
  return words == "open" ? badge_html({"doubt", words}) : escaped_markup(words);
}

std::string table_of(const DesignComparison& comparison) {
  std::vector<std::string> columns{"quantity"};
  for (const ComparedDesign& design : comparison.designs) columns.push_back(design.label);
  columns.push_back("lowest");
  HtmlRows rows;
  for (const ComparedRow& row : comparison.rows) {
    std::vector<std::string>& line = rows.emplace_back();
    line.push_back(escaped_markup(row.name()));
    for (const ComparedCell& cell : row.cells) line.push_back(cell_html(cell));
    line.push_back(lowest_html(comparison, row));
  }
  return table_html(columns, rows);
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

// The figure for full inputs, otherwise for the first attribute for which most designs have both. BCDP levels are
// preferred.
std::vector<Drawing> figure_of(const DesignComparison& comparison) {
  Sweep most;
  for (const ComparedRow& error : comparison.rows) {
    if (error.kind != ComparedRow::Kind::kError || !error.not_compared.empty()) continue;
    for (const ComparedRow& level : comparison.rows) {
      if (level.kind != ComparedRow::Kind::kLevel || level.coordinate != error.coordinate) continue;
      Sweep found = against(comparison, level, error);
      const bool preferred = level.quantity == "bcdp" && most.parameter == found.parameter;
      if (found.lines.size() > most.lines.size() || (preferred && found.lines.size() == most.lines.size())) {
        most = std::move(found);
      }
    }
  }
  if (most.lines.size() < 2) return {};
  return {draw(most)};
}

}  // namespace

std::string html_comparison(const DesignComparison& comparison, const FormatOptions& options) {
  Page page;
  std::string body =
      "<header><h1>Designs side by side</h1></header><main><section id=\"found\"><h2>What was found</h2>";
  for (const FileError& error : comparison.errors) body += "<p>" + escaped_markup(error.text()) + "</p>";
  std::vector<SourceFile> files;
  for (const ComparedDesign& design : comparison.designs) {
    body += "<p>" + escaped_markup(design.label) + " <span class=\"faint\">" + escaped_markup(design.file) + "</span>";
    for (const std::string& note : notes_of(design)) body += "<br>Note: " + escaped_markup(note);
    body += "</p>";
    files.insert(files.end(), design.files.begin(), design.files.end());
  }
  for (const std::string& note : comparison.notes) body += "<p>" + escaped_markup(note) + "</p>";
  for (const std::string& sentence : comparison_words(comparison)) body += "<p>" + escaped_markup(sentence) + "</p>";
  const std::vector<Drawing> drawings = figure_of(comparison);
  if (drawings.empty()) body += "<p>No figure: no two designs have a level and an error that can be compared.</p>";
  body += page.figures(drawings) + "<h3>All that was measured</h3>" + table_of(comparison) + "</section></main>";
  body += page_footer(
      "Less is better in every line of the table; what is lowest was decided exactly, by levels and numbers that are "
      "not "
      "rounded. Errors are mean squared, summed, of estimates from " +
          std::to_string(comparison.samples) + " outputs.",
      MadeWith::this_program(), files);
  return whole_page("Designs side by side", body, options);
}

}  // namespace oddsbound::reports
