#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/drawing.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;
using Anchor = Svg::Anchor;

constexpr double kEvidenceLeft = 52, kEvidencePlot = 330, kEvidenceTop = 14, kEvidenceHeight = 190;

std::string picture(const EvidenceLines& evidence) {
  double runs = 1, lowest = 0;
  std::vector<double> heights;
  for (const auto& line : evidence.lines) {
    heights.push_back(line.threshold * 1.05);
    for (const auto& [x, y] : line.points) {
      runs = std::max(runs, x);
      heights.push_back(y);
      if (std::isfinite(y)) lowest = std::min(lowest, y);
    }
  }
  const std::vector<double> ticks = round_ticks(largest_finite(heights));
  const double range = ticks.back() - lowest;
  const auto x_of = [&](double x) { return kEvidenceLeft + x / runs * kEvidencePlot; };
  const auto y_of = [&](double y) {
    return kEvidenceTop + (ticks.back() - std::clamp(y, lowest, ticks.back())) / range * kEvidenceHeight;
  };
  const double legend = kEvidenceTop + kEvidenceHeight + 54;
  Svg svg(kEvidenceLeft + kEvidencePlot + 24, legend + 16 * static_cast<double>(evidence.lines.size()), evidence.title);
  for (const double tick : ticks) {
    svg.line(kEvidenceLeft, y_of(tick), kEvidenceLeft + kEvidencePlot, y_of(tick), "grid");
    svg.text(kEvidenceLeft - 6, y_of(tick) + 4, short_number(tick), Anchor::kEnd, "tick");
  }
  for (const double tick : round_ticks(runs)) {
    if (tick > runs) break;
    svg.text(x_of(tick), kEvidenceTop + kEvidenceHeight + 16, fmt::format("{:.0f}", tick), Anchor::kMiddle, "tick");
  }
  svg.text(kEvidenceLeft + kEvidencePlot, kEvidenceTop + kEvidenceHeight + 34, "runs", Anchor::kEnd, "tick");
  svg.text(12, kEvidenceTop + kEvidenceHeight / 2, "log evidence", Anchor::kMiddle, "tick", -90);
  for (std::size_t i = 0; i < evidence.lines.size(); ++i) {
    const auto& line = evidence.lines[i];
    const std::string color = "l" + std::to_string(i % 4 + 1) + (i / 4 % 2 == 1 ? " dashed" : "");
    std::vector<std::pair<double, double>> points;
    for (const auto& [x, y] : line.points) points.emplace_back(x_of(x), y_of(y));
    svg.path({{kEvidenceLeft, y_of(line.threshold)}, {kEvidenceLeft + kEvidencePlot, y_of(line.threshold)}}, false,
             "threshold " + color);
    if (!points.empty()) svg.path(points, false, "line " + color);
    const double y = legend + 16 * static_cast<double>(i);
    svg.path({{kEvidenceLeft, y - 4}, {kEvidenceLeft + 18, y - 4}}, false, "sample " + color);
    svg.text(kEvidenceLeft + 24, y, cut(line.label, 40) + ", contradicted from " + short_number(line.threshold),
             Anchor::kStart, "tick");
  }
  return svg.finish();
}

}  // namespace

Drawing draw(const EvidenceLines& evidence) {
  Drawing drawing{"evidence", evidence.title, picture(evidence), "", {}, {"level", "runs", "log evidence"}, {}};
  Json data{{"kind", "evidence"}, {"series", Json::array()}};
  for (const auto& line : evidence.lines) {
    Json points = Json::array();
    for (const auto& [runs, value] : line.points) {
      // What is beyond the range of doubles is beyond any threshold.
      points.push_back({runs, std::isfinite(value) ? value : 2 * line.threshold});
      drawing.rows.push_back({line.label, fmt::format("{:.0f}", runs), short_number(value)});
    }
    drawing.marks["line"] += line.points.empty() ? 0 : 1;
    data["series"].push_back({{"label", line.label}, {"threshold", line.threshold}, {"points", std::move(points)}});
  }
  drawing.data = embedded_json(data);
  return drawing;
}

}  // namespace oddsbound::reports
