#include "reports/html/frame.h"

#include <fmt/format.h>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/html/svg.h"
#include "reports/markdown.h"

namespace oddsbound::reports {

namespace {

std::string_view script_of(const FormatOptions& options) {
  return options.static_figures ? std::string_view() : figures_script();
}

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

}  // namespace

std::string whole_page(const std::string& title, const std::string& body, const FormatOptions& options) {
  const std::string_view script = script_of(options);
  const std::string scripts = script.empty() ? "'none'" : "'sha256-" + sha256_base64(script) + "'";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; script-src " +
      scripts + "; style-src 'sha256-" + sha256_base64(kStyle) +
      "'; img-src 'none'; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>" +
      title + "</title><style>" + kStyle + "</style></head>\n<body>" + body;
  if (!script.empty()) html.append("<script>").append(script).append("</script>");
  return html + "</body></html>\n";
}

std::string page_footer(const std::string& reading, const MadeWith& made_with, std::span<const SourceFile> files) {
  std::vector<std::vector<std::string>> environment{{"oddsbound", made_with.version}, {"report written", date_words()}};
  for (const auto& [name, value] : made_with.environment) environment.push_back({name, value});
  HtmlRows rows;
  std::set<std::string> seen;
  for (const SourceFile& file : files) {
    if (!seen.insert(file.file).second) continue;
    rows.push_back({escaped_markup(file.file), "<span class=\"hash\">" + escaped_markup(file.sha256) + "</span>"});
  }
  return "<footer><section id=\"limits\"><h2>What this says, and what it does not</h2><p>" + reading +
         "</p></section><section id=\"environment\"><h2>Made with</h2>" +
         table_html({"what", "which"}, text_rows(environment)) +
         (rows.empty() ? "" : "<h3>Files</h3>" + table_html({"file", "SHA-256"}, rows)) + "</section></footer>";
}

namespace {

// Long tables behind figures would make the page heavy; the JSON has all rows.
constexpr std::size_t kMostRows = 64;

std::string behind(const Drawing& drawing) {
  std::vector<std::vector<std::string>> rows = drawing.rows;
  const bool whole = rows.size() <= kMostRows;
  if (!whole) rows.resize(kMostRows);
  return "<details class=\"data\"><summary>The numbers</summary>" +
         table_html(drawing.columns, text_rows(rows), TableOf::kNumbers) +
         (whole ? "" : "<p class=\"faint\">" + std::to_string(drawing.rows.size()) + " rows in all, see the JSON</p>") +
         "</details>";
}

}  // namespace

std::string badge_html(const Badge& badge) {
  return "<span class=\"badge " + badge.style_class + "\">" + escaped_markup(badge.words) + "</span>";
}

HtmlRows text_rows(const std::vector<std::vector<std::string>>& rows) {
  HtmlRows html;
  for (const auto& row : rows) {
    html.emplace_back();
    for (const std::string& cell : row) html.back().push_back(escaped_markup(cell));
  }
  return html;
}

std::string table_html(const std::vector<std::string>& columns, const HtmlRows& rows, TableOf of) {
  const bool stacks = of == TableOf::kWords;
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
      const std::string label = stacks && !row[i].empty() ? " data-label=\"" + escaped_markup(columns[i]) + "\"" : "";
      html += i == 0 ? "<th scope=\"row\" role=\"rowheader\">" + row[i] + "</th>"
                     : "<td role=\"cell\"" + label + ">" + row[i] + "</td>";
    }
    html += "</tr>";
  }
  return html + "</tbody></table></div>";
}

std::string Page::figures(const std::vector<Drawing>& drawings, const std::string& heading) {
  if (drawings.empty()) return "";
  std::string html = (heading.empty() ? "" : "<h3>" + escaped_markup(heading) + "</h3>") + "<div class=\"figures\">";
  for (const bool wide : {false, true}) {
    for (const Drawing& drawing : drawings) {
      if (drawing.wide == wide) html += figure(drawing);
    }
  }
  return html + "</div>";
}

std::string Page::figure(const Drawing& drawing) {
  std::string html = std::string("<figure class=\"figure") + (drawing.wide ? " wide" : "") + "\" id=\"f" +
                     std::to_string(++figures_) + "\" data-marks=\"" +
                     escaped_markup(nlohmann::json(drawing.marks).dump()) + "\"><figcaption>" +
                     escaped_markup(drawing.title) + "</figcaption><div class=\"chart\">" + drawing.svg + "</div>";
  return html + behind(drawing) + "</figure>";
}

}  // namespace oddsbound::reports

#ifdef ODDSBOUND_FIGURES_SCRIPT

// .incbin embeds the script as it is, without escapes.
__asm__(
    ".section .rodata\n"
    ".global oddsbound_figures_script_begin\n"
    ".global oddsbound_figures_script_end\n"
    "oddsbound_figures_script_begin:\n"
    ".incbin \"" ODDSBOUND_FIGURES_SCRIPT
    "\"\n"
    "oddsbound_figures_script_end:\n"
    ".byte 0\n"
    ".text\n");

extern "C" const char oddsbound_figures_script_begin[];
extern "C" const char oddsbound_figures_script_end[];

namespace oddsbound::reports {

std::string_view figures_script() { return {oddsbound_figures_script_begin, oddsbound_figures_script_end}; }

}  // namespace oddsbound::reports

#else

namespace oddsbound::reports {

std::string_view figures_script() { return {}; }

}  // namespace oddsbound::reports

#endif
