#include "reports/html/frame.h"

#include <fmt/format.h>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "reports/markdown.h"

// .incbin embeds a file as it is, without escapes.
#define ODDSBOUND_EMBED(name, include)      \
  __asm__(                                  \
      ".section .rodata\n"                  \
      ".global oddsbound_" name             \
      "_begin\n"                            \
      ".global oddsbound_" name             \
      "_end\n"                              \
      "oddsbound_" name "_begin:\n" include \
      "\n"                                  \
      "oddsbound_" name                     \
      "_end:\n"                             \
      ".byte 0\n"                           \
      ".text\n")

ODDSBOUND_EMBED("style", ".incbin \"" ODDSBOUND_STYLE "\"");
#ifdef ODDSBOUND_FIGURES_SCRIPT
ODDSBOUND_EMBED("script", ".incbin \"" ODDSBOUND_FIGURES_SCRIPT "\"");
#else
ODDSBOUND_EMBED("script", "");
#endif

// NOLINTBEGIN(readability-identifier-naming): symbols of the assembler
extern "C" const char oddsbound_style_begin[], oddsbound_style_end[];
extern "C" const char oddsbound_script_begin[], oddsbound_script_end[];
// NOLINTEND(readability-identifier-naming)

namespace oddsbound::reports {

namespace {

std::string page_style() { return {oddsbound_style_begin, oddsbound_style_end}; }

// The time of writing. SOURCE_DATE_EPOCH makes reports reproducible byte by byte.
std::string date_words() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  char* end = nullptr;
  std::time_t now = epoch == nullptr ? std::time(nullptr) : static_cast<std::time_t>(std::strtoll(epoch, &end, 10));
  std::tm utc{};
  if (gmtime_r(&now, &utc) == nullptr) return "";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

const char* class_of(Tone tone) {
  switch (tone) {
    case Tone::kGood: return "good";
    case Tone::kOpen: return "doubt";
    case Tone::kBad: return "bad";
    case Tone::kNone: break;
  }
  return "faint";
}

// On a phone, tables of words stack their cells; tables of numbers scroll.
std::string table_html(const std::vector<std::string>& columns, const HtmlRows& rows, bool stacks) {
  // The roles repeat the elements' own roles: browsers drop those if cells are displayed as blocks.
  std::string html = std::string("<div class=\"scroll\"><table role=\"table\"") + (stacks ? " class=\"stack\"" : "") +
                     "><thead role=\"rowgroup\"><tr role=\"row\">";
  for (const std::string& column : columns) {
    html += "<th scope=\"col\" role=\"columnheader\">" + escaped_markup(column) + "</th>";
  }
  html += "</tr></thead><tbody role=\"rowgroup\">";
  for (const auto& row : rows) {
    html += "<tr role=\"row\">";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string& cell = row[i].markup();
      const std::string label = stacks && !cell.empty() ? " data-label=\"" + escaped_markup(columns[i]) + "\"" : "";
      html.append(i == 0 ? "<th scope=\"row\" role=\"rowheader\">" : "<td role=\"cell\"" + label + ">");
      html.append(cell).append(i == 0 ? "</th>" : "</td>");
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

}  // namespace

Html::Html(const std::string& text) : markup_(escaped_markup(text)) {}

Html Html::element(const std::string& start, const std::string& text, const char* end) {
  Html html;
  if (!text.empty()) html.markup_ = "<" + start + ">" + escaped_markup(text) + end;
  return html;
}

Html Html::faint(const std::string& text) { return element("span class=\"faint\"", text, "</span>"); }
Html Html::hash(const std::string& text) { return element("span class=\"hash\"", text, "</span>"); }
Html Html::badge(Tone tone, const std::string& words) {
  return element(std::string("span class=\"badge ") + class_of(tone) + "\"", words, "</span>");
}
Html Html::link(const std::string& address, const std::string& text) {
  return element("a href=\"" + escaped_markup(address) + "\"", text, "</a>");
}

Page::Page(std::string title, const RenderOptions& options, const Html& heading)
    : title_(std::move(title)), static_figures_(options.static_figures) {
  if (!options.index.empty()) paragraph(Html::link(uri_reference(options.index), "All specs and audits"));
  body_ += "<header><h1>" + heading.markup() + "</h1>";
}

void Page::tiles(const std::vector<Tile>& tiles) {
  body_ += "<dl class=\"tiles\">";
  for (const auto& [name, value, tone] : tiles) {
    const std::string style = tone == Tone::kNone ? "" : std::string(" class=\"") + class_of(tone) + "\"";
    body_ += "<div><dt>" + escaped_markup(name) + "</dt><dd" + style + ">" + escaped_markup(value) + "</dd></div>";
  }
  body_ += "</dl>";
}

void Page::contents(const std::vector<std::string>& columns, const HtmlRows& rows) {
  body_ += "</header><nav aria-label=\"Contents\">" + table_html(columns, rows, true) + "</nav>";
  end_ = "<main>";
}

void Page::section(const std::string& id, const Html& heading) {
  body_ += end_ + "<section id=\"" + id + "\"><h2>" + heading.markup() + "</h2>";
  end_ = "</section>";
}

void Page::fold(const Html& title) { body_ += "<details class=\"more\"><summary>" + title.markup() + "</summary>"; }

void Page::unfold() { body_ += "</details>"; }

void Page::heading(const Html& text) { body_ += "<h3>" + text.markup() + "</h3>"; }

void Page::paragraph(const Html& text) { body_ += "<p>" + text.markup() + "</p>"; }

void Page::paragraphs(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) paragraph(text);
}

void Page::list(const std::vector<std::string>& items) {
  body_ += "<ul>";
  for (const std::string& item : items) body_ += "<li>" + escaped_markup(item) + "</li>";
  body_ += "</ul>";
}

void Page::table(const std::vector<std::string>& columns, const HtmlRows& rows) {
  body_ += table_html(columns, rows, true);
}

void Page::figures(const std::vector<Drawing>& drawings, const Html& title) {
  if (drawings.empty()) return;
  if (!title.markup().empty()) heading(title);
  body_ += "<div class=\"figures\">";
  for (const bool wide : {false, true}) {
    for (const Drawing& drawing : drawings) {
      if (drawing.wide == wide) figure(drawing);
    }
  }
  body_ += "</div>";
}

void Page::figure(const Drawing& drawing) {
  // Long tables behind figures would make the page heavy; the JSON has all rows.
  constexpr std::size_t kMostRows = 64;
  HtmlRows rows;
  for (const auto& row : drawing.rows) {
    if (rows.size() < kMostRows) rows.emplace_back(row.begin(), row.end());
  }
  body_ += std::string("<figure class=\"figure") + (drawing.wide ? " wide" : "") + "\" id=\"f" +
           std::to_string(++figures_) + "\" data-marks=\"" + escaped_markup(nlohmann::json(drawing.marks).dump()) +
           "\"><figcaption>" + escaped_markup(drawing.title) + "</figcaption><div class=\"chart\">" + drawing.svg +
           "</div><details class=\"data\"><summary>The numbers</summary>" + table_html(drawing.columns, rows, false);
  if (rows.size() < drawing.rows.size()) {
    paragraph(Html::faint(std::to_string(drawing.rows.size()) + " rows in all, see the JSON"));
  }
  body_ += "</details></figure>";
}

std::string Page::finish(const std::string& reading, const MadeWith& made_with, std::span<const SourceFile> files) {
  body_ += std::exchange(end_, "") + "</main><footer>";
  section("limits", "What this says, and what it does not");
  paragraph(reading);
  section("environment", "Made with");
  HtmlRows environment{{"oddsbound", made_with.version}, {"report written", date_words()}};
  for (const auto& [name, value] : made_with.environment) environment.push_back({name, value});
  table({"what", "which"}, environment);
  HtmlRows rows;
  std::set<std::string> seen;
  for (const SourceFile& file : files) {
    // Hashes of a confidential spec are withheld: a small table could be guessed from its hash.
    if (seen.insert(file.file).second) {
      rows.push_back(
          {file.file, file.sha256.empty() ? Html("not shown: a table is confidential") : Html::hash(file.sha256)});
    }
  }
  if (!rows.empty()) {
    heading("Files");
    table({"file", "SHA-256"}, rows);
  }
  const std::string_view script = static_figures_ ? std::string_view() : figures_script();
  const std::string scripts = script.empty() ? "'none'" : "'sha256-" + sha256_base64(script) + "'";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; script-src " +
      scripts + "; style-src 'sha256-" + sha256_base64(page_style()) +
      "'; img-src 'none'; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>" +
      title_ + "</title><style>" + page_style() + "</style></head>\n<body>" + body_ + end_ + "</footer>";
  if (!script.empty()) html.append("<script>").append(script).append("</script>");
  return html + "</body></html>\n";
}

std::string_view figures_script() { return {oddsbound_script_begin, oddsbound_script_end}; }

}  // namespace oddsbound::reports
