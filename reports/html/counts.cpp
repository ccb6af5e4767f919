#include <fmt/format.h>

#include <algorithm>

#include "reports/html/drawing.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;
using Anchor = Svg::Anchor;

constexpr double kCountsLeft = 14, kCountsPlot = 306, kCountsRight = 92, kCountsTop = 8, kCountsRow = 34;

double margin_of(const Counts::Row& row) { return row.margin.value_or(0); }

// All digits: these are people.
std::string whole(double number) { return fmt::format("{:.0f}", number); }

std::string value_text(const Counts::Row& row) {
  return whole(row.number) + (row.margin ? " ± " + whole(*row.margin) : "");
}

// From numbers to places: 0 is shown, and every end of an error bar.
class Scale {
 public:
  explicit Scale(const Counts& counts) {
    for (const Counts::Row& row : counts.rows) {
      least_ = std::min(least_, row.number - margin_of(row));
      most_ = std::max(most_, row.number + margin_of(row));
    }
    if (most_ <= least_) most_ = least_ + 1;
  }
  double x(double number) const { return kCountsLeft + (number - least_) / (most_ - least_) * kCountsPlot; }
  std::vector<double> ticks() const {
    std::vector<double> ticks;
    for (const double tick : round_ticks(std::max(most_, -least_))) {
      if (tick <= most_) ticks.push_back(tick);
      if (tick > 0 && -tick >= least_) ticks.push_back(-tick);
    }
    return ticks;
  }

 private:
  double least_ = 0, most_ = 0;
};

void draw_row(Svg& svg, const Counts::Row& row, double top, const Scale& scale) {
  constexpr std::size_t kLabel = 62;
  svg.text(kCountsLeft, top + 11, cut(row.about, kLabel), Anchor::kStart);
  const double y = top + 22;
  const double from = scale.x(std::min(0.0, row.number)), to = scale.x(std::max(0.0, row.number));
  svg.rect(from, y - 5, std::max(1.0, to - from), 10, "bar s1", row.about + ": " + value_text(row));
  const double low = scale.x(row.number - margin_of(row)), high = scale.x(row.number + margin_of(row));
  if (margin_of(row) > 0) {
    svg.path({{low, y - 4}, {low, y + 4}, {low, y}, {high, y}, {high, y - 4}, {high, y + 4}}, false, "margin");
  }
  svg.text(std::max(high, to) + 6, y + 4, value_text(row), Anchor::kStart, "value");
}

std::string picture(const Counts& counts) {
  const Scale scale(counts);
  const double bottom = kCountsTop + kCountsRow * static_cast<double>(counts.rows.size());
  Svg svg(kCountsLeft + kCountsPlot + kCountsRight, bottom + 36, counts.title);
  for (const double tick : scale.ticks()) {
    svg.line(scale.x(tick), kCountsTop, scale.x(tick), bottom, "grid");
    svg.text(scale.x(tick), bottom + 14, fmt::format("{:.12g}", tick), Anchor::kMiddle, "tick");
  }
  for (std::size_t i = 0; i < counts.rows.size(); ++i) {
    draw_row(svg, counts.rows[i], kCountsTop + kCountsRow * static_cast<double>(i), scale);
  }
  svg.text(kCountsLeft, bottom + 30, counts.unit + "; lines: within, in 95 of 100 runs", Anchor::kStart, "tick");
  return svg.finish();
}

}  // namespace

Drawing draw(const Counts& counts) {
  Drawing drawing{"counts", counts.title, picture(counts), "", {}, {"about", "number", "within, in 95 of 100 runs"},
                  {}};
  Json data{{"kind", "counts"}, {"unit", counts.unit}, {"rows", Json::array()}};
  for (const Counts::Row& row : counts.rows) {
    data["rows"].push_back(
        {{"about", row.about}, {"number", row.number}, {"margin", row.margin ? Json(*row.margin) : Json(nullptr)}});
    drawing.rows.push_back({row.about, whole(row.number), row.margin ? whole(*row.margin) : ""});
    drawing.marks["margin"] += margin_of(row) > 0 ? 1 : 0;
  }
  drawing.marks["bar"] = counts.rows.size();
  drawing.data = embedded_json(data);
  return drawing;
}

}  // namespace oddsbound::reports
