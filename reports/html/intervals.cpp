#include <algorithm>
#include <cmath>

#include "reports/html/drawing.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;
using Anchor = Svg::Anchor;

constexpr double kIntervalsLeft = 112, kIntervalsPlot = 270, kIntervalsTop = 16, kIntervalsRow = 34;

double scale_of(const Intervals& intervals, std::vector<double>& ticks) {
  std::vector<double> values;
  for (const Intervals::Row& row : intervals.rows) {
    values.push_back(row.lower);
    if (row.upper) values.push_back(*row.upper);
    if (row.exact) values.push_back(row.exact->value);
    for (const Intervals::Claim& claim : row.claims) values.push_back(claim.value.value);
  }
  ticks = round_ticks(largest_finite(values));
  return kIntervalsPlot / ticks.back();
}

void draw_row(Svg& svg, const Intervals::Row& row, double y, double scale) {
  const auto x_of = [&](double value) {
    return kIntervalsLeft + (std::isfinite(value) ? std::min(kIntervalsPlot, value * scale) : kIntervalsPlot);
  };
  const double left = x_of(row.lower), right = row.upper ? x_of(*row.upper) : kIntervalsLeft + kIntervalsPlot;
  svg.text(kIntervalsLeft - 8, y + 4, cut(row.label, 16), Anchor::kEnd);
  svg.rect(left, y - 6, std::max(2.0, right - left), 12, row.upper ? "interval" : "interval open", row.text);
  if (row.ceiling && std::isfinite(*row.ceiling) && *row.ceiling * scale <= kIntervalsPlot) {
    svg.line(x_of(*row.ceiling), y - 4, x_of(*row.ceiling), y + 4, "ceiling");
  }
  for (const Intervals::Claim& claim : row.claims) {
    const double x = x_of(claim.value.value);
    svg.line(x, y - 11, x, y + 11, claim.contradicted ? "claim contradicted" : "claim");
    if (claim.contradicted) svg.cross(x, y - 13, 3, "contradiction");
  }
  if (row.exact) svg.diamond(x_of(row.exact->value), y, 5, "exact");
}

std::string picture(const Intervals& intervals) {
  std::vector<double> ticks;
  const double scale = scale_of(intervals, ticks);
  const double bottom = kIntervalsTop + kIntervalsRow * static_cast<double>(intervals.rows.size());
  Svg svg(kIntervalsLeft + kIntervalsPlot + 20, bottom + 54, intervals.title);
  for (const double tick : ticks) {
    svg.line(kIntervalsLeft + tick * scale, kIntervalsTop, kIntervalsLeft + tick * scale, bottom, "grid");
    svg.text(kIntervalsLeft + tick * scale, bottom + 14, short_number(tick), Anchor::kMiddle, "tick");
  }
  for (std::size_t i = 0; i < intervals.rows.size(); ++i) {
    draw_row(svg, intervals.rows[i], kIntervalsTop + kIntervalsRow * (static_cast<double>(i) + 0.5), scale);
  }
  svg.text(kIntervalsLeft, bottom + 30, "bar: interval; diamond: exact level; line: claim", Anchor::kStart, "tick");
  svg.text(kIntervalsLeft, bottom + 46, intervals.unit, Anchor::kStart, "tick");
  return svg.finish();
}

Json optional_number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

}  // namespace

Drawing draw(const Intervals& intervals) {
  Drawing drawing{"intervals", intervals.title, picture(intervals), "", {}, {}, {}};
  drawing.columns = {"level", "at least", "at most", "exact", "claimed", "could have shown"};
  Json data{{"kind", "intervals"}, {"unit", intervals.unit}, {"rows", Json::array()}};
  for (const Intervals::Row& row : intervals.rows) {
    Json json{{"label", row.label}, {"lower", std::isfinite(row.lower) ? row.lower : 0}};
    json["upper"] = optional_number(row.upper);
    json["ceiling"] = optional_number(row.ceiling);
    json["exact"] = row.exact ? optional_number(row.exact->value) : Json(nullptr);
    json["exact_infinite"] = row.exact && std::isinf(row.exact->value);
    json["claims"] = Json::array();
    std::string claimed;
    for (const Intervals::Claim& claim : row.claims) {
      Json one;
      add_value(one, claim.value.value);
      one["text"] = claim.value.text;
      one["contradicted"] = claim.contradicted;
      json["claims"].push_back(std::move(one));
      claimed += (claimed.empty() ? "" : ", ") + claim.value.text + (claim.contradicted ? " (contradicted)" : "");
    }
    json["text"] = row.text;
    data["rows"].push_back(std::move(json));
    drawing.rows.push_back({row.label, short_number(row.lower), row.upper ? short_number(*row.upper) : "",
                            row.exact ? row.exact->text : "", claimed, row.ceiling ? short_number(*row.ceiling) : ""});
    drawing.marks["exact"] += row.exact ? 1 : 0;
    drawing.marks["claim"] += row.claims.size();
  }
  drawing.marks["interval"] = intervals.rows.size();
  drawing.data = embedded_json(data);
  return drawing;
}

}  // namespace oddsbound::reports
