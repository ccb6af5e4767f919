// Writing SVG: shapes with a class (the page's style gives the colors), text that stays text, axes.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::reports {

class Svg {
 public:
  /// In pixels; the page may show it smaller. title: what a screen reader says.
  Svg(double width, double height, std::string title);

  void rect(double x, double y, double width, double height, const std::string& style_class,
            const std::string& tooltip = "");
  /// The same, seen through: 0 is invisible.
  void shade(double x, double y, double width, double height, double opacity, const std::string& style_class,
             const std::string& tooltip);
  void line(double x1, double y1, double x2, double y2, const std::string& style_class);
  void path(const std::vector<std::pair<double, double>>& points, bool closed, const std::string& style_class);
  void circle(double x, double y, double radius, const std::string& style_class);
  void diamond(double x, double y, double radius, const std::string& style_class);
  void cross(double x, double y, double radius, const std::string& style_class);
  enum class Anchor { kStart, kMiddle, kEnd };
  void text(double x, double y, const std::string& words, Anchor anchor, const std::string& style_class = "label",
            double angle = 0);
  std::string finish() const;

 private:
  double width_, height_;
  std::string title_, body_;
};

/// Labels as they are, numbered where two are equal.
std::vector<std::string> distinct(std::vector<std::string> labels);
/// At most `longest` characters, the rest as an ellipsis.
std::string cut(const std::string& text, std::size_t longest);
/// About six round values from 0 to at least `most`.
std::vector<double> round_ticks(double most);
/// "1.0986", "∞"
std::string short_number(double value);
/// The largest finite one, at least a little.
double largest_finite(const std::vector<double>& values);

/// {"value": ..., "infinite": ...}: JSON has no infinity.
void add_value(nlohmann::ordered_json& json, double value);
/// JSON within a script element: no '<' in it, whatever names it holds.
std::string embedded_json(const nlohmann::ordered_json& json);

// The figures of a report. Each kind is given as data and becomes one Drawing: a static picture (SVG), the data from
// which the report's script draws it anew (reports/web, the same kinds by the same names), and the numbers as a table.

struct Drawing {
  std::string kind;
  std::string title;
  std::string svg;
  std::string data;                          // JSON
  std::map<std::string, std::size_t> marks;  // how many of each class the picture has; for tests
  std::vector<std::string> columns;          // of the table
  std::vector<std::vector<std::string>> rows;
  bool wide = false;  // too many marks for a column of figures
};

/// A value that may be infinite, with its exact text.
struct DrawnValue {
  double value = 0;
  std::string text;
};

/// Horizontal bars in groups, one per series, with ticks where something is claimed.
struct Bars {
  struct Row {
    std::string group, series;
    DrawnValue value;
    std::optional<double> upper{};  // of a level that lies between the value and this: a gap is drawn
  };
  std::string title, unit;
  std::vector<std::string> series;
  std::vector<Row> rows, claims;
  std::string measure = "level", ticks = "claimed";  // what bars and ticks show
};

/// Counts as bars from 0, with error bars where something bounds their errors.
struct Counts {
  struct Row {
    std::string about;
    double number;
    std::optional<double> margin{};
  };
  std::string title, unit;
  std::vector<Row> rows;
};

/// A matrix of cells; those above their claim are marked, those below 0 have a colour of their own.
struct Heat {
  struct Cell {
    std::size_t from, to;
    DrawnValue value;
    bool over = false;
    std::string claim;      // empty: none
    std::string written{};  // in the cell, where it fits; else the value, rounded
  };
  std::string title, rows_are, columns_are, unit;
  std::vector<std::string> from, to;
  std::vector<Cell> cells;
  std::string measure = "level";      // what cells show
  std::optional<double> darkest{};    // the end of the scale; none: the largest value
  std::string above{}, below_zero{};  // what values above 0, and below 0, say; empty: there are none below
};

/// A trade-off curve, and the lower boundary of what a claim allows.
struct Curve {
  std::string title;
  std::vector<std::pair<double, double>> points, claimed;
  std::string claim;  // empty: none
};

/// Confidence intervals, with the exact value and claims.
struct Intervals {
  struct Claim {
    DrawnValue value;
    bool contradicted;
  };
  struct Row {
    std::string label;
    double lower;
    std::optional<double> upper, ceiling;
    std::optional<DrawnValue> exact;
    std::vector<Claim> claims;
    std::string text;
  };
  std::string title, unit;
  std::vector<Row> rows;
};

/// Evidence over runs, with the threshold from which a claim is contradicted.
struct EvidenceLines {
  struct Line {
    std::string label;
    double threshold;
    std::vector<std::pair<double, double>> points;
  };
  std::string title;
  std::vector<Line> lines;
};

/// Levels (or another measure) over the values of a parameter, with the bound of each, and the value that was found.
struct Sweep {
  struct Point {
    double at;
    std::string at_text;
    DrawnValue value;
    std::string turn{};  // what changes here, marked; empty: nothing
  };
  struct Line {
    std::string label;
    std::optional<double> bound;
    std::vector<Point> points;
  };
  std::string title, parameter, unit;  // no unit: of the only line, whose measure says it
  std::vector<Line> lines;
  std::optional<std::pair<double, std::string>> found;  // where, and in words
  std::string measure = "level";
  std::string turns{};  // what is marked; empty: nothing
};

Drawing draw(const Bars& bars);
Drawing draw(const Counts& counts);
Drawing draw(const Heat& heat);
Drawing draw(const Curve& curve);
Drawing draw(const Intervals& intervals);
Drawing draw(const EvidenceLines& evidence);
Drawing draw(const Sweep& sweep);

}  // namespace oddsbound::reports
