#include <fmt/format.h>

#include <algorithm>

#include "reports/html/drawing.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;
using Anchor = Svg::Anchor;
using Points = std::vector<std::pair<double, double>>;

constexpr double kCurveLeft = 48, kCurveTop = 14, kCurvePlot = 236;

Points placed(const Points& points) {
  Points result;
  for (const auto& [a, b] : points) result.emplace_back(kCurveLeft + a * kCurvePlot, kCurveTop + (1 - b) * kCurvePlot);
  return result;
}

std::string picture(const Curve& curve) {
  Svg svg(kCurveLeft + kCurvePlot + 16, kCurveTop + kCurvePlot + 44, curve.title);
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double x = kCurveLeft + tick * kCurvePlot, y = kCurveTop + (1 - tick) * kCurvePlot;
    svg.line(x, kCurveTop, x, kCurveTop + kCurvePlot, "grid");
    svg.line(kCurveLeft, y, kCurveLeft + kCurvePlot, y, "grid");
    svg.text(x, kCurveTop + kCurvePlot + 14, short_number(tick), Anchor::kMiddle, "tick");
    svg.text(kCurveLeft - 6, y + 4, short_number(tick), Anchor::kEnd, "tick");
  }
  if (!curve.claimed.empty()) {
    svg.path(placed(curve.claimed), true, "allowed");
    svg.path(placed(curve.claimed), false, "claimed");
  }
  svg.path(placed({{0, 1}, {1, 0}}), false, "reference");
  svg.path(placed(curve.points), false, "curve");
  for (const auto& [x, y] : placed(curve.points)) svg.circle(x, y, 2.5, "point");
  svg.text(kCurveLeft + kCurvePlot / 2, kCurveTop + kCurvePlot + 32, "type I error", Anchor::kMiddle, "tick");
  svg.text(12, kCurveTop + kCurvePlot / 2, "type II error", Anchor::kMiddle, "tick", -90);
  return svg.finish();
}

Json points_json(const Points& points) {
  Json json = Json::array();
  for (const auto& [a, b] : points) json.push_back({a, b});
  return json;
}

}  // namespace

Drawing draw(const Curve& curve) {
  Drawing drawing{"curve", curve.title, picture(curve), "", {}, {"type I error", "type II error"}, {}};
  drawing.marks = {{"point", curve.points.size()}};
  Json data{{"kind", "curve"}, {"points", points_json(curve.points)}};
  data["claimed"] = curve.claimed.empty() ? Json(nullptr) : points_json(curve.claimed);
  data["claim"] = curve.claim.empty() ? Json(nullptr) : Json(curve.claim);
  drawing.data = embedded_json(data);
  for (const auto& [a, b] : curve.points) drawing.rows.push_back({fmt::format("{:.6g}", a), fmt::format("{:.6g}", b)});
  return drawing;
}

}  // namespace oddsbound::reports
