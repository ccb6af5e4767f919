#include "reports/html/parts.h"

#include <nlohmann/json.hpp>

#include "reports/html/svg.h"
#include "reports/markup.h"

namespace oddsbound::reports {

namespace {

// Long tables behind figures would make the page heavy; the JSON has them whole.
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
  // The roles are those that the elements have anyway: browsers forget them where cells are shown as blocks.
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
  if (scripted_) html += "<script type=\"application/json\" class=\"figure-data\">" + drawing.data + "</script>";
  return html + behind(drawing) + "</figure>";
}

}  // namespace oddsbound::reports
