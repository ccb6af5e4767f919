#include <algorithm>
#include <cmath>

#include "reports/html/drawing.h"
#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;
using Anchor = Svg::Anchor;

constexpr double kBarsLeft = 112, kBarsPlot = 250, kBarsRight = 48, kBarsTop = 26, kBarsBar = 13, kBarsGap = 12;

// Where the bars of each group and series stand.
class Layout {
 public:
  explicit Layout(const Bars& bars) {
    for (const Bars::Row& row : bars.rows) {
      if (std::find(groups_.begin(), groups_.end(), row.group) == groups_.end()) groups_.push_back(row.group);
    }
    double y = kBarsTop;
    for (const std::string& group : groups_) {
      for (const std::string& series : bars.series) {
        const auto here = [&](const Bars::Row& row) { return row.group == group && row.series == series; };
        if (std::none_of(bars.rows.begin(), bars.rows.end(), here)) continue;
        place_[{group, series}] = y;
        y += kBarsBar;
      }
      y += kBarsGap;
    }
    bottom_ = y;
  }
  const std::vector<std::string>& groups() const { return groups_; }
  double bottom() const { return bottom_; }
  /// Above 0 if there is such a bar.
  double y(const Bars::Row& row) const {
    const auto found = place_.find({row.group, row.series});
    return found == place_.end() ? 0 : found->second;
  }
  double middle(const std::string& group) const {
    double sum = 0;
    int count = 0;
    for (const auto& [key, y] : place_) {
      if (key.first != group) continue;
      sum += y + kBarsBar / 2;
      ++count;
    }
    return sum / count;
  }

 private:
  std::vector<std::string> groups_;
  std::map<std::pair<std::string, std::string>, double> place_;
  double bottom_ = 0;
};

std::size_t series_index(const Bars& bars, const std::string& series) {
  return static_cast<std::size_t>(std::find(bars.series.begin(), bars.series.end(), series) - bars.series.begin());
}

std::string series_class(const Bars& bars, const std::string& series) {
  return "s" + std::to_string(series_index(bars, series) + 1);
}

std::string nats_text(const Bars::Row& row) {
  return short_number(row.value.value) + (row.upper ? " to " + short_number(*row.upper) : "");
}

void draw_axis(Svg& svg, const std::vector<double>& ticks, double scale, double bottom, const std::string& unit) {
  for (const double tick : ticks) {
    svg.line(kBarsLeft + tick * scale, kBarsTop - 6, kBarsLeft + tick * scale, bottom, "grid");
    svg.text(kBarsLeft + tick * scale, bottom + 14, short_number(tick), Anchor::kMiddle, "tick");
  }
  svg.text(kBarsLeft + kBarsPlot, bottom + 30, unit, Anchor::kEnd, "tick");
}

std::string picture(const Bars& bars, const std::vector<Bars::Row>& claims) {
  const Layout layout(bars);
  std::vector<double> values;
  for (const auto* rows : {&bars.rows, &claims}) {
    for (const Bars::Row& row : *rows) {
      values.push_back(row.value.value);
      if (row.upper) values.push_back(*row.upper);
    }
  }
  const std::vector<double> ticks = round_ticks(largest_finite(values));
  const double scale = kBarsPlot / ticks.back();
  Svg svg(kBarsLeft + kBarsPlot + kBarsRight, layout.bottom() + 52 + 16 * static_cast<double>(bars.series.size()),
          bars.title);
  draw_axis(svg, ticks, scale, layout.bottom(), bars.unit);
  for (const std::string& group : layout.groups()) {
    svg.text(kBarsLeft - 8, layout.middle(group) + 4, cut(group, 16), Anchor::kEnd);
  }
  const auto end_of = [&](double value) { return std::isfinite(value) ? value * scale : kBarsPlot; };
  for (const Bars::Row& row : bars.rows) {
    const double y = layout.y(row), width = std::max(2.0, end_of(row.value.value));
    const bool infinite = std::isinf(row.value.value);
    svg.rect(kBarsLeft, y + 1, width, kBarsBar - 2, "bar " + (infinite ? "infinite" : series_class(bars, row.series)),
             row.group + ", " + row.series + ": " + row.value.text);
    const double end = row.upper ? end_of(*row.upper) : width;
    if (end > width) {
      svg.rect(kBarsLeft + width, y + 1, end - width, kBarsBar - 2,
               "bar open " + (std::isinf(*row.upper) ? "infinite" : series_class(bars, row.series)),
               row.group + ", " + row.series + ": " + row.value.text);
    }
    svg.text(kBarsLeft + end + 5, y + kBarsBar - 3, nats_text(row), Anchor::kStart, "value");
  }
  for (const Bars::Row& claim : claims) {
    const double x = kBarsLeft + end_of(claim.value.value), y = layout.y(claim);
    svg.line(x, y - 1, x, y + kBarsBar + 1, "claim");
  }
  double y = layout.bottom() + 44;
  if (!claims.empty()) {
    svg.line(kBarsLeft + 5, y - 11, kBarsLeft + 5, y + 2, "sample-claim");
    svg.text(kBarsLeft + 16, y, bars.ticks, Anchor::kStart, "tick");
    y += 16;
  }
  for (const std::string& series : bars.series) {
    svg.rect(kBarsLeft, y - 9, 10, 10, series_class(bars, series));
    svg.text(kBarsLeft + 16, y, series, Anchor::kStart, "tick");
    y += 16;
  }
  return svg.finish();
}

Json row_json(const Bars::Row& row) {
  Json json{{"group", row.group}, {"series", row.series}};
  add_value(json, row.value.value);
  if (row.upper) add_value(json["upper"], *row.upper);
  json["text"] = row.value.text;
  return json;
}

}  // namespace

Drawing draw(const Bars& bars) {
  const Layout layout(bars);
  // A claim about what was not measured has no bar to stand at.
  std::vector<Bars::Row> claims;
  std::copy_if(bars.claims.begin(), bars.claims.end(), std::back_inserter(claims),
               [&](const Bars::Row& claim) { return layout.y(claim) > 0; });
  Drawing drawing{
      "bars", bars.title, picture(bars, claims),
      "",     {},         {"attribute", bars.measure, bars.unit.empty() ? "about" : bars.unit, "exact", bars.ticks},
      {}};
  drawing.marks = {{"bar", bars.rows.size()}, {"claim", claims.size()}};
  Json data{
      {"kind", "bars"}, {"unit", bars.unit}, {"series", bars.series}, {"measure", bars.measure}, {"ticks", bars.ticks}};
  data["rows"] = data["claims"] = Json::array();
  for (const Bars::Row& row : bars.rows) {
    data["rows"].push_back(row_json(row));
    const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Bars::Row& one) {
      return one.group == row.group && one.series == row.series;
    });
    drawing.rows.push_back(
        {row.group, row.series, nats_text(row), row.value.text, claim == claims.end() ? "" : claim->value.text});
  }
  for (const Bars::Row& claim : claims) data["claims"].push_back(row_json(claim));
  drawing.data = embedded_json(data);
  return drawing;
}

}  // namespace oddsbound::reports
