// HTML pages: text that is always escaped, the parts of a page, and its frame (head, style, script, footer).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "reports/formats.h"
#include "reports/html/svg.h"
#include "reports/words.h"

namespace oddsbound::reports {

/// Markup. Made from text, it is the text escaped: no name from a file becomes markup.
class Html {
 public:
  Html() = default;
  Html(const char* text) : Html(std::string(text)) {}
  Html(const std::string& text);
  static Html faint(const std::string& text);
  static Html badge(Tone tone, const std::string& words);
  static Html hash(const std::string& text);
  static Html link(const std::string& address, const std::string& text);

  const std::string& markup() const { return markup_; }
  friend Html operator+(Html left, const Html& right) {
    left.markup_ += right.markup_;
    return left;
  }

 private:
  static Html element(const std::string& start, const std::string& text, const char* end);

  std::string markup_;
};

/// The first cell of a row is its header.
using HtmlRows = std::vector<std::vector<Html>>;

/// A number at the top of a page.
struct Tile {
  std::string name, value;
  Tone tone = Tone::kNone;
};

/// A page, written from top to bottom: its header, then sections.
class Page {
 public:
  /// title: of the window, without markup. heading: of the page.
  Page(std::string title, const RenderOptions& options, const Html& heading);

  void tiles(const std::vector<Tile>& tiles);
  /// Ends the header.
  void contents(const std::vector<std::string>& columns, const HtmlRows& rows);
  void section(const std::string& id, const Html& heading);
  /// Folds the following parts, until `unfold`, under a title that opens them. Not nested.
  void fold(const Html& title);
  void unfold();

  void heading(const Html& text);
  void paragraph(const Html& text);
  void paragraphs(const std::vector<std::string>& texts);
  void list(const std::vector<std::string>& items);
  /// On a phone, the cells of a row stack.
  void table(const std::vector<std::string>& columns, const HtmlRows& rows);
  void figures(const std::vector<Drawing>& drawings, const Html& title = "Figures");

  /// Adds the footer: how to read the page, the program, and the source files. Returns the document.
  std::string finish(const std::string& reading, const MadeWith& made_with = MadeWith::this_program(),
                     std::span<const SourceFile> files = {});

 private:
  void figure(const Drawing& drawing);

  std::string title_, body_;
  std::string end_ = "</header><main>";  // of the part that is written
  bool static_figures_;
  std::size_t figures_ = 0;
};

// The script that adds tooltips to a report's figures (reports/web). Present if Node was available at build time.

/// Returns the script; empty if the program was built without it.
std::string_view figures_script();

}  // namespace oddsbound::reports
