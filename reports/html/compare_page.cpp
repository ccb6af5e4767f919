#include "reports/html/compare_page.h"

#include <algorithm>

#include "reports/html/drawing.h"
#include "reports/html/frame.h"
#include "reports/html/parts.h"
#include "reports/markup.h"
#include "results/report.h"
#include "results/words.h"

namespace oddsbound::reports {

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

// A level and an error of the same, as one point for each design that has both.
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

// That of whole inputs, or else of the first attribute of which most designs have both; BCDP levels rather than others.
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
  Page page(has_script(options));
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
