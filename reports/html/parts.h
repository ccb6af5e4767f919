// The parts of a page: tables, badges, figures with their tables behind them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/html/drawing.h"

namespace oddsbound::reports {

struct Badge {
  std::string style_class, words;
};
std::string badge_html(const Badge& badge);

/// Cells that are HTML already; the first one of a row names it.
using HtmlRows = std::vector<std::vector<std::string>>;
/// Rows of text as such.
HtmlRows text_rows(const std::vector<std::vector<std::string>>& rows);

/// On a phone, tables of words show their cells one below the other, tables of numbers scroll.
enum class TableOf { kWords, kNumbers };
std::string table_html(const std::vector<std::string>& columns, const HtmlRows& rows, TableOf of = TableOf::kWords);

/// What is numbered on a page.
class Page {
 public:
  /// scripted: figures carry the data from which a script draws them.
  explicit Page(bool scripted) : scripted_(scripted) {}
  std::string figures(const std::vector<Drawing>& drawings, const std::string& heading = "Figures");
  /// The id of the section about a spec or an audit.
  std::string anchor_of(const auto& section) {
    return "s" + std::to_string(anchors_.try_emplace(&section, anchors_.size() + 1).first->second);
  }

 private:
  std::string figure(const Drawing& drawing);

  bool scripted_;
  std::size_t figures_ = 0;
  std::map<const void*, std::size_t> anchors_;
};

}  // namespace oddsbound::reports
