#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Anchor = Svg::Anchor;

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
