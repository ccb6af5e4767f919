// The frame of all HTML pages (head, style, script, footer) and their parts (tables, badges, figures).
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "reports/formats.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

/// Returns the page. title: text without markup; body: HTML.
std::string whole_page(const std::string& title, const std::string& body, const FormatOptions& options);
/// Returns the footer: how to read the page (text without markup), the program, and the source files.
std::string page_footer(const std::string& reading, const MadeWith& made_with, std::span<const SourceFile> files);

// The report's style sheet: phone first, dark mode, print.

inline constexpr const char* kStyle = R"css(
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

// Parts of a page: tables, badges, figures with their tables

struct Badge {
  std::string style_class, words;
};
std::string badge_html(const Badge& badge);

/// Cells that are already HTML. The first cell of a row is its header.
using HtmlRows = std::vector<std::vector<std::string>>;
/// Escapes rows of text.
HtmlRows text_rows(const std::vector<std::vector<std::string>>& rows);

/// On a phone, tables of words stack their cells; tables of numbers scroll.
enum class TableOf { kWords, kNumbers };
std::string table_html(const std::vector<std::string>& columns, const HtmlRows& rows, TableOf of = TableOf::kWords);

/// Numbers the figures and sections of a page.
class Page {
 public:
  std::string figures(const std::vector<Drawing>& drawings, const std::string& heading = "Figures");
  /// The id of the section about a spec or an audit.
  std::string anchor_of(const auto& section) {
    return "s" + std::to_string(anchors_.try_emplace(&section, anchors_.size() + 1).first->second);
  }

 private:
  std::string figure(const Drawing& drawing);

  std::size_t figures_ = 0;
  std::map<const void*, std::size_t> anchors_;
};

// The script that adds tooltips to a report's figures (reports/web). Present if Node was available at build time.

/// Returns the script; empty if the program was built without it.
std::string_view figures_script();

}  // namespace oddsbound::reports
