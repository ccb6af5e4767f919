// Heat maps of privacy losses, and levels along a swept parameter.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "reports/html/svg.h"

namespace oddsbound::reports {

// Heat maps

namespace {

using Anchor = Svg::Anchor;

constexpr std::size_t kLongestLabel = 16;

// Pixels per cell, for this many cells in a row or column.
double cell_size(std::size_t cells) { return cells <= 6 ? 46 : cells <= 10 ? 38 : cells <= 20 ? 20 : 11; }

// Pixels for the labels of rows or columns.
double room_for(const std::vector<std::string>& labels) {
  constexpr double kLetter = 6.4;
  std::size_t longest = 0;
  for (const std::string& label : labels) longest = std::max(longest, std::min(label.size(), kLongestLabel + 1));
  return 18 + kLetter * static_cast<double>(longest);
}

// Without numbers in the cells, the tooltip is the value alone: the script adds the labels from the table.
std::string tooltip_of(const Heat& heat, const Heat::Cell& cell, bool numbers) {
  return (numbers ? heat.from[cell.from] + " → " + heat.to[cell.to] + ": " : "") + cell.value.text +
         (cell.over ? ", above the claimed " + cell.claim : "");
}

double darkest_of(const Heat& heat) {
  if (heat.darkest) return *heat.darkest;
  std::vector<double> values;
  for (const Heat::Cell& cell : heat.cells) values.push_back(std::abs(cell.value.value));
  return largest_finite(values);
}

std::string style_of(const Heat::Cell& cell) {
  return std::isinf(cell.value.value) ? "cell infinite" : cell.value.value < 0 ? "cell below" : "cell";
}

// The text in a cell of this width.
std::string written_in(const Heat& heat, const Heat::Cell& cell, double size) {
  constexpr double kDigit = 6.3;
  if (std::isinf(cell.value.value)) return "∞";
  if (!cell.written.empty() && kDigit * static_cast<double>(cell.written.size()) <= size - 2) return cell.written;
  const double rounded = std::round(cell.value.value * 100) / 100;
  const std::string sign = !heat.below_zero.empty() && rounded > 0 ? "+" : "";
  return rounded == 0 ? "0" : sign + short_number(rounded);
}

// The legend below the picture: axes and colors.
std::vector<std::string> reading_of(const Heat& heat, double most) {
  std::vector<std::string> lines{"rows: " + heat.rows_are, "columns: " + heat.columns_are,
                                 "0 (pale) to " + short_number(most) + " " + heat.unit + " (dark)"};
  if (!heat.below_zero.empty()) lines.push_back("blue: " + heat.above + ", orange: " + heat.below_zero);
  return lines;
}

// Positions of the cells. Cells are at most as high as wide, and contain numbers if there is room.
struct HeatLayout {
  double wide, high, left, top;
  bool numbers;

  explicit HeatLayout(const Heat& heat)
      : wide(cell_size(heat.to.size())),
        high(std::min(wide, cell_size(heat.from.size()))),
        left(room_for(heat.from)),
        top(room_for(heat.to)),
        numbers(heat.to.size() <= 10 && heat.from.size() <= 20) {}
  double x(std::size_t to, double share = 0) const { return left + wide * (static_cast<double>(to) + share); }
  double y(std::size_t from, double share = 0) const { return top + high * (static_cast<double>(from) + share); }
};

// From 0, pale, to 1.
double shade_of(const Heat::Cell& cell, double most) {
  return std::isinf(cell.value.value) ? 1 : std::abs(cell.value.value) / most;
}

// Cells that look alike and have the same tooltip are one element: a matrix of 48 inputs has 2,256 cells.
void draw_cells(const Heat& heat, const HeatLayout& layout, double most, Svg& svg) {
  std::map<std::tuple<std::string, std::string, double>, Positions> alike;
  Positions outlines, crosses;
  for (const Heat::Cell& cell : heat.cells) {
    const double x = layout.x(cell.to), y = layout.y(cell.from);
    const std::string tooltip = tooltip_of(heat, cell, layout.numbers);
    alike[{tooltip, style_of(cell), shade_of(cell, most)}].emplace_back(x + 0.5, y + 0.5);
    if (!cell.over) continue;
    outlines.emplace_back(x + 1.5, y + 1.5);
    crosses.emplace_back(layout.numbers ? x + layout.wide - 8 : x + layout.wide / 2,
                         layout.numbers ? y + 8 : y + layout.high / 2);
  }
  for (const auto& [look, corners] : alike) {
    const auto& [tooltip, style, shade] = look;
    svg.rects(corners, layout.wide - 1, layout.high - 1, shade, style, tooltip);
  }
  for (const Heat::Cell& cell : heat.cells) {
    if (!layout.numbers) break;
    svg.text(layout.x(cell.to, 0.5), layout.y(cell.from, 0.5) + 4, written_in(heat, cell, layout.wide), Anchor::kMiddle,
             shade_of(cell, most) > 0.55 ? "value on-dark" : "value");
  }
  if (outlines.empty()) return;
  svg.rects(outlines, layout.wide - 3, layout.high - 3, 1, "outline");
  svg.crosses(crosses, layout.numbers ? 3 : layout.high / 4, "over");
}

std::string description_of(const Heat& heat, double most) {
  return fmt::format("A matrix of {} rows ({}) and {} columns ({}), from 0 (pale) to {} {} (dark).", heat.from.size(),
                     heat.rows_are, heat.to.size(), heat.columns_are, short_number(most), heat.unit);
}

std::string picture(const Heat& heat) {
  const HeatLayout layout(heat);
  const double most = darkest_of(heat);
  const std::vector<std::string> reading = reading_of(heat, most);
  const double right = layout.x(heat.to.size()), bottom = layout.y(heat.from.size());
  Svg svg(std::max(right + 12, 280.0), bottom + 10 + 16 * static_cast<double>(reading.size()), heat.title,
          description_of(heat, most));
  for (std::size_t i = 0; i < heat.from.size(); ++i) {
    svg.text(layout.left - 6, layout.y(i, 0.5) + 4, cut(heat.from[i], kLongestLabel), Anchor::kEnd,
             layout.high < 20 ? "tick small" : "tick");
  }
  for (std::size_t j = 0; j < heat.to.size(); ++j) {
    svg.text(layout.x(j, 0.5) + 3, layout.top - 6, cut(heat.to[j], kLongestLabel), Anchor::kStart,
             layout.wide < 20 ? "tick small" : "tick", -90);
  }
  svg.ground(layout.left, layout.top, right - layout.left, bottom - layout.top, layout.wide, layout.high);
  draw_cells(heat, layout, most, svg);
  double y = bottom + 18;
  for (const std::string& line : reading) {
    svg.text(8, y, cut(line, 44), Anchor::kStart, "tick");
    y += 16;
  }
  return svg.finish();
}

}  // namespace

Drawing draw(const Heat& heat) {
  const auto over = std::count_if(heat.cells.begin(), heat.cells.end(), [](const auto& cell) { return cell.over; });
  Drawing drawing{heat.title,
                  picture(heat),
                  {{"cell", heat.cells.size()}, {"outline", static_cast<std::size_t>(over)}},
                  {heat.rows_are},
                  {}};
  drawing.wide = heat.to.size() > 10;
  drawing.columns.insert(drawing.columns.end(), heat.to.begin(), heat.to.end());
  for (const std::string& label : heat.from) {
    drawing.rows.push_back({label});
    drawing.rows.back().resize(drawing.columns.size());
  }
  for (const Heat::Cell& cell : heat.cells) {
    drawing.rows[cell.from][cell.to + 1] = cell.value.text + (cell.over ? " (above " + cell.claim + ")" : "");
  }
  return drawing;
}

// Sweeps

namespace {

constexpr double kSweepLeft = 52, kSweepPlot = 330, kSweepTop = 18, kSweepHeight = 200;

// Maps values to pixels. Infinite values are at the upper edge.
struct SweepScale {
  double least = 0, most = 1, lowest = 0;
  std::vector<double> ticks;

  explicit SweepScale(const Sweep& sweep) {
    std::vector<double> at, levels;
    for (const auto& line : sweep.lines) {
      if (line.bound) levels.push_back(*line.bound * 1.1);
      for (const auto& point : line.points) {
        at.push_back(point.at);
        levels.push_back(point.value.value);
        if (std::isfinite(levels.back())) lowest = std::min(lowest, levels.back());
      }
    }
    if (!at.empty()) {
      least = *std::min_element(at.begin(), at.end());
      most = *std::max_element(at.begin(), at.end());
      // A single place is centered: without a width the scale would divide by zero.
      const double margin = least == most ? std::max(std::abs(least) / 2, 1e-9) : 0;
      least -= margin;
      most += margin;
    }
    ticks = round_ticks(largest_finite(levels));
  }
  double x(double at) const { return kSweepLeft + (at - least) / (most - least) * kSweepPlot; }
  double y(double level) const {
    const double top = ticks.back();
    return kSweepTop + (top - std::min(level, top)) / (top - lowest) * kSweepHeight;
  }
};

void draw_axes(const Sweep& sweep, const SweepScale& scale, Svg& svg) {
  for (const double tick : scale.ticks) {
    svg.line(kSweepLeft, scale.y(tick), kSweepLeft + kSweepPlot, scale.y(tick), "grid");
    svg.text(kSweepLeft - 6, scale.y(tick) + 4, short_number(tick), Anchor::kEnd, "tick");
  }
  const std::vector<double> steps = round_ticks(scale.most - scale.least);
  const double first = std::ceil(scale.least / steps.at(1) - 1e-6) * steps.at(1);
  for (const double further : steps) {
    const double at = first + further;
    if (at > scale.most + steps.at(1) * 1e-6) break;
    svg.text(scale.x(at), kSweepTop + kSweepHeight + 16, at < 1000 ? short_number(at) : fmt::format("{:.0f}", at),
             Anchor::kMiddle, "tick");
  }
  svg.text(kSweepLeft + kSweepPlot / 2, kSweepTop + kSweepHeight + 34, cut(sweep.parameter, 40), Anchor::kMiddle,
           "tick");
  svg.text(12, kSweepTop + kSweepHeight / 2, sweep.unit.empty() ? cut(sweep.measure, 30) : sweep.unit, Anchor::kMiddle,
           "tick", -90);
}

std::string tooltip_of(const Sweep& sweep, const Sweep::Line& line, const Sweep::Point& point) {
  return (sweep.unit.empty() ? "" : line.label + "; ") + sweep.parameter + ": " + point.at_text + "; " + sweep.measure +
         ": " + point.value.text + (point.turn.empty() ? "" : "; " + point.turn);
}

void draw_line(const Sweep& sweep, const Sweep::Line& line, const std::string& color, const SweepScale& scale,
               Svg& svg) {
  if (line.bound && std::isfinite(*line.bound)) {
    svg.path({{kSweepLeft, scale.y(*line.bound)}, {kSweepLeft + kSweepPlot, scale.y(*line.bound)}}, false,
             "threshold " + color);
  }
  Positions stretch;
  const auto finish = [&] {
    if (stretch.size() > 1) svg.path(stretch, false, "line " + color);
    stretch.clear();
  };
  for (const auto& point : line.points) {
    if (std::isfinite(point.value.value)) {
      stretch.emplace_back(scale.x(point.at), scale.y(point.value.value));
    } else {
      finish();
    }
  }
  finish();
  for (const auto& point : line.points) {
    const double x = scale.x(point.at);
    const std::string tooltip = tooltip_of(sweep, line, point);
    if (!point.turn.empty() && std::isfinite(point.value.value)) {
      svg.diamond(x, scale.y(point.value.value), 5, "point turn", tooltip);
    } else if (std::isfinite(point.value.value)) {
      svg.circle(x, scale.y(point.value.value), 2.5, "point", tooltip);
    } else {
      svg.crosses({{x, kSweepTop}}, 3, "over", tooltip);
    }
  }
  // A single point shows no line color, so its name is next to it.
  if (line.points.size() != 1) return;
  const double x = scale.x(line.points[0].at), y = std::max(scale.y(line.points[0].value.value), kSweepTop);
  const bool right = x > kSweepLeft + kSweepPlot / 2;
  svg.text(right ? x - 6 : x + 6, y + 12, cut(line.label, 24), right ? Anchor::kEnd : Anchor::kStart, "tick");
}

std::string picture(const Sweep& sweep) {
  const SweepScale scale(sweep);
  const double legend = kSweepTop + kSweepHeight + 54;
  const double end = legend + 16 * static_cast<double>(sweep.lines.size());
  Svg svg(kSweepLeft + kSweepPlot + 24, end + (sweep.turns.empty() ? 0 : 16), sweep.title,
          fmt::format("Lines of {} over {} from {} to {}: {}.", sweep.measure, sweep.parameter,
                      short_number(scale.least), short_number(scale.most), sweep.lines.size()));
  draw_axes(sweep, scale, svg);
  if (sweep.found) {
    const double x = scale.x(sweep.found->first);
    svg.line(x, kSweepTop, x, kSweepTop + kSweepHeight, "found");
    svg.text(x, kSweepTop - 6, cut(sweep.found->second, 40),
             x > kSweepLeft + kSweepPlot / 2 ? Anchor::kEnd : Anchor::kStart, "tick");
  }
  for (std::size_t i = 0; i < sweep.lines.size(); ++i) {
    const auto& line = sweep.lines[i];
    const std::string color = "l" + std::to_string(i % 4 + 1) + (i / 4 % 2 == 1 ? " dashed" : "");
    draw_line(sweep, line, color, scale, svg);
    const double y = legend + 16 * static_cast<double>(i);
    svg.path({{kSweepLeft, y - 4}, {kSweepLeft + 18, y - 4}}, false, "sample " + color);
    svg.text(kSweepLeft + 24, y,
             cut(line.label, 40) + (line.bound ? ", " + sweep.bounds + " " + short_number(*line.bound) : ""),
             Anchor::kStart, "tick");
  }
  if (!sweep.turns.empty()) {
    svg.diamond(kSweepLeft + 9, end - 4, 5, "turn");
    svg.text(kSweepLeft + 24, end, cut(sweep.turns, 44), Anchor::kStart, "tick");
  }
  return svg.finish();
}

void add_table(const Sweep& sweep, Drawing& drawing) {
  const bool one_line = sweep.unit.empty();
  drawing.columns = one_line ? std::vector<std::string>{sweep.parameter, sweep.measure}
                             : std::vector<std::string>{sweep.parameter, "line", sweep.unit};
  if (!sweep.turns.empty()) drawing.columns.push_back(sweep.turns);
  for (const auto& line : sweep.lines) {
    for (const auto& point : line.points) {
      std::vector<std::string>& row = drawing.rows.emplace_back(std::vector{point.at_text});
      if (!one_line) row.push_back(line.label);
      row.push_back(point.value.text);
      if (!sweep.turns.empty()) row.push_back(point.turn);
    }
  }
}

}  // namespace

Drawing draw(const Sweep& sweep) {
  Drawing drawing{sweep.title, picture(sweep), {}, {}, {}};
  for (const auto& line : sweep.lines) drawing.marks["point"] += line.points.size();
  add_table(sweep, drawing);
  drawing.wide = sweep.lines.size() > 1;
  return drawing;
}

}  // namespace oddsbound::reports
