// Writes SVG (shapes with CSS classes, escaped text, axes) and defines the figures of a report.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::reports {

/// Positions in pixels.
using Positions = std::vector<std::pair<double, double>>;

/// Shapes with a tooltip are the marks of a figure (reports/web).
class Svg {
 public:
  /// Size in pixels; the page may scale it down. title and description: text for screen readers.
  Svg(double width, double height, std::string title, std::string description);

  void rect(double x, double y, double width, double height, const std::string& style_class,
            const std::string& tooltip = "");
  /// Rectangles of one size at these corners, as one element. opacity: of the fill.
  void rects(const Positions& corners, double width, double height, double opacity, const std::string& style_class,
             const std::string& tooltip = "");
  /// The ground of a matrix. The script finds the cells by the size of one, and their texts in the table.
  void ground(double x, double y, double width, double height, double cell_width, double cell_height);
  void line(double x1, double y1, double x2, double y2, const std::string& style_class,
            const std::string& tooltip = "");
  void path(const Positions& points, bool closed, const std::string& style_class, const std::string& tooltip = "");
  void circle(double x, double y, double radius, const std::string& style_class, const std::string& tooltip = "");
  void diamond(double x, double y, double radius, const std::string& style_class, const std::string& tooltip = "");
  /// Crosses at these centers, as one element.
  void crosses(const Positions& centers, double radius, const std::string& style_class,
               const std::string& tooltip = "");
  enum class Anchor { kStart, kMiddle, kEnd };
  void text(double x, double y, const std::string& words, Anchor anchor, const std::string& style_class = "label",
            double angle = 0);
  std::string finish() const;

 private:
  double width_, height_;
  std::string title_, description_, body_;
};

/// Returns the labels, with a number appended to repeated ones.
std::vector<std::string> distinct(std::vector<std::string> labels);
/// Returns at most `longest` characters, followed by an ellipsis if cut.
std::string cut(const std::string& text, std::size_t longest);
/// Returns about six round values from 0 to at least `most`.
std::vector<double> round_ticks(double most);
/// "1.0986", "∞"
std::string short_number(double value);
/// Returns the largest finite value; positive.
double largest_finite(const std::vector<double>& values);

// The figures of a report. Each kind is a data type with a function `draw`. A Drawing has a picture (SVG) and the
// numbers as a table.

struct Drawing {
  std::string title;
  std::string svg;
  std::map<std::string, std::size_t> marks;  // marks of each class in the picture; for tests
  std::vector<std::string> columns;          // of the table
  std::vector<std::vector<std::string>> rows;
  bool wide = false;  // too many marks for one column of figures
};

/// A value that may be infinite, with its exact text.
struct DrawnValue {
  double value = 0;
  std::string text;
};

/// Horizontal bars in groups, one per series, with ticks at claimed values.
struct Bars {
  struct Row {
    std::string group, series;
    DrawnValue value;
    std::optional<double> upper{};  // upper bound of an unfinished level; the gap is drawn
  };
  std::string title, unit;
  std::vector<std::string> series;
  std::vector<Row> rows, claims;
  std::string measure = "level", ticks = "claimed";  // meaning of bars and ticks
};

/// Counts as bars from 0, with error bars if their errors are bounded.
struct Counts {
  struct Row {
    std::string about;
    double number;
    std::optional<double> margin{};
  };
  std::string title, unit;
  std::vector<Row> rows;
};

/// A matrix of cells. Cells above their claim are marked; cells below 0 have a separate color.
struct Heat {
  struct Cell {
    std::size_t from, to;
    DrawnValue value;
    bool over = false;
    std::string claim;      // empty: none
    std::string written{};  // text in the cell if it fits; else the rounded value
  };
  std::string title, rows_are, columns_are, unit;
  std::vector<std::string> from, to;
  std::vector<Cell> cells;
  std::optional<double> darkest{};    // end of the scale; nullopt: the largest value
  std::string above{}, below_zero{};  // meaning of values above and below 0; empty: none below
};

/// A trade-off curve, and the lower boundary that a claim allows.
struct Curve {
  std::string title;
  std::vector<std::pair<double, double>> points, claimed;
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

/// Levels (or another measure) over the values of a parameter, with bounds, and the value that was found. Evidence
/// over runs is drawn so too.
struct Sweep {
  struct Point {
    double at;
    std::string at_text;
    DrawnValue value;
    std::string turn{};  // marks what changes here; empty: nothing
  };
  struct Line {
    std::string label;
    std::optional<double> bound;
    std::vector<Point> points;
  };
  std::string title, parameter, unit;  // empty unit: a single line whose measure contains it
  std::vector<Line> lines;
  std::optional<std::pair<double, std::string>> found;  // position and text
  std::string measure = "level", bounds = "bound";
  std::string turns{};  // meaning of the marks; empty: no marks
};

Drawing draw(const Bars& bars);
Drawing draw(const Counts& counts);
Drawing draw(const Heat& heat);
Drawing draw(const Curve& curve);
Drawing draw(const Intervals& intervals);
Drawing draw(const Sweep& sweep);

}  // namespace oddsbound::reports
