#include "reports/html/frame.h"

#include <fmt/format.h>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "reports/html/svg.h"
#include "reports/markdown.h"

namespace oddsbound::reports {

namespace {

// The style sheet: phone first, dark mode, print.
constexpr const char* kStyle = R"css(
:root{color-scheme:light dark;--ink:#1c2430;--faint:#5b6675;--paper:#ffffff;--grid:#dfe4ea;--panel:#f5f7f9;
--series-1:#0b62a4;--series-2:#d1670c;--series-3:#8a93a0;--series-4:#5b3fa0;--good:#1a6b3c;--bad:#b3261e;--doubt:#8a5a00;
--heat-low:#eef4fa;--heat-high:#08467d;--heat-below:#8a3d05;--on-dark:#ffffff}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e8ecf1;--faint:#a3aebb;--paper:#14181e;--grid:#2c343e;
--panel:#1b2129;--series-1:#6cb2f0;--series-2:#f2a65a;--series-3:#8b96a5;--series-4:#b39df3;--good:#6fd09a;--bad:#ff8a80;
--doubt:#f0c060;--heat-low:#1c2733;--heat-high:#7cc0ff;--heat-below:#f5a855;--on-dark:#0d1117}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header,main,footer,nav{max-width:72rem;margin:0 auto;padding:0 1rem}
h1{font-size:1.7rem;line-height:1.2;margin:1.5rem 0 .5rem}
h2{font-size:1.3rem;margin:0 0 .25rem;overflow-wrap:anywhere}
h3{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:.25rem 0 .75rem;max-width:46rem;overflow-wrap:anywhere}
a{color:var(--series-1)}
.faint{color:var(--faint)}
.tiles{display:flex;flex-wrap:wrap;gap:.75rem;margin:1rem 0;padding:0}
.tiles div{background:var(--panel);border-radius:.5rem;padding:.5rem 1rem;min-width:6rem}
.tiles dt{color:var(--faint);font-size:.85rem}
.tiles dd{margin:0;font-size:1.5rem;font-variant-numeric:tabular-nums}
section{border-top:1px solid var(--grid);padding:1.25rem 0;break-inside:auto}
.badge{display:inline-block;border-radius:1rem;padding:0 .6rem;font-size:.85rem;border:1px solid;white-space:nowrap}
.good{color:var(--good)}.bad{color:var(--bad)}.doubt{color:var(--doubt)}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.9rem;margin:.25rem 0}
caption{text-align:left;color:var(--faint);padding:.25rem 0}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--grid)}
td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
td{min-width:6rem}.data td{white-space:nowrap;min-width:0}
@media(max-width:40rem){.stack,.stack tbody,.stack tr,.stack th,.stack td{display:block}
.stack thead{position:absolute;clip-path:inset(50%);height:1px;overflow:hidden}
.stack tr{padding:.5rem 0;border-bottom:1px solid var(--grid)}.stack th,.stack td{border:0;padding:.1rem 0}
.stack td[data-label]:not([data-label=""])::before{content:attr(data-label) ": ";color:var(--faint)}}
th{font-weight:600}
code,.hash{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.85em;overflow-wrap:anywhere}
.figures{display:grid;align-items:start;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1rem;margin:.75rem 0}
figure{margin:0;padding:.75rem;background:var(--paper);border:1px solid var(--grid);border-radius:.5rem;min-width:0;
break-inside:avoid}
figure.wide{grid-column:1/-1}
figcaption{font-weight:600;font-size:.95rem;margin-bottom:.4rem;overflow-wrap:anywhere}
.chart svg{max-width:100%;height:auto;display:block}
.chart svg:focus-visible{outline:2px solid var(--series-1)}
.tip{position:fixed;z-index:10;pointer-events:none;max-width:min(28rem,calc(100vw - 16px));max-height:60vh;overflow:hidden;
padding:6px 10px;font-size:13px;line-height:1.4;overflow-wrap:anywhere;white-space:pre-line;background:var(--paper);
border:1px solid var(--faint);border-radius:4px;box-shadow:0 2px 8px rgba(0,0,0,.25)}
details{margin:.4rem 0}summary{cursor:pointer;color:var(--faint)}
@media print{.tip,.frame,nav{display:none}body{font-size:11px}section{break-before:auto}a{color:inherit}}
.chart svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--ink)}
.chart .tick{fill:var(--faint)}.chart .small{font-size:8px}.chart .on-dark{fill:var(--on-dark)}
.chart .grid{stroke:var(--grid)}
.chart .s1{fill:var(--series-1)}.chart .s2{fill:var(--series-2)}.chart .s3{fill:var(--series-3)}.chart .s4{fill:var(--series-4)}
.chart .l1{stroke:var(--series-1)}.chart .l2{stroke:var(--series-2)}.chart .l3{stroke:var(--series-3)}.chart .l4{stroke:var(--series-4)}
.chart .bar.open{fill-opacity:.35}
.chart .bar.infinite,.chart .cell.infinite{fill:var(--bad)}
.chart .claim,.chart .sample-claim{stroke:var(--ink);stroke-width:2.5}.chart .contradicted,.chart .contradiction{stroke:var(--bad);stroke-width:2.5}
.chart .ground{fill:var(--heat-low)}.chart .cell{fill:var(--heat-high)}.chart .cell.below{fill:var(--heat-below)}
.chart .outline{fill:none;stroke:var(--bad);stroke-width:1.5}.chart .over,.chart .contradiction{fill:none;stroke:var(--bad);stroke-width:2}
.chart .allowed{fill:var(--series-2);fill-opacity:.15}
.chart .claimed{fill:none;stroke:var(--ink);stroke-dasharray:4 3}
.chart .reference{fill:none;stroke:var(--faint);stroke-dasharray:1 3}
.chart .curve{fill:none;stroke:var(--series-1);stroke-width:2}.chart .point{fill:var(--series-1)}.chart .turn{fill:var(--series-2)}
.chart .interval{fill:var(--series-1);fill-opacity:.55}.chart .open{fill-opacity:.25}
.chart .margin{fill:none;stroke:var(--ink);stroke-width:1.5}
.chart .ceiling{stroke:var(--faint)}.chart .exact{fill:var(--series-2);stroke:var(--paper)}
.chart .line,.chart .sample{fill:none;stroke-width:2}.chart .dashed{stroke-dasharray:7 3}.chart .threshold{fill:none;stroke-dasharray:5 4}
.chart .frame{fill:none;stroke:var(--ink);pointer-events:none}.chart .step{fill:none;pointer-events:all}
.chart .found{stroke:var(--good);stroke-width:2}
)css";

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
      html += i == 0 ? "<th scope=\"row\" role=\"rowheader\">" + cell + "</th>"
                     : "<td role=\"cell\"" + label + ">" + cell + "</td>";
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

Page::Page(std::string title, const FormatOptions& options, const Html& heading)
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
    if (seen.insert(file.file).second) rows.push_back({file.file, Html::hash(file.sha256)});
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
      scripts + "; style-src 'sha256-" + sha256_base64(kStyle) +
      "'; img-src 'none'; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>" +
      title_ + "</title><style>" + kStyle + "</style></head>\n<body>" + body_ + end_ + "</footer>";
  if (!script.empty()) html.append("<script>").append(script).append("</script>");
  return html + "</body></html>\n";
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
