#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "reports/html/svg.h"

namespace oddsbound::reports {

namespace {

using Anchor = Svg::Anchor;

constexpr double kBarsLeft = 112, kBarsPlot = 250, kBarsRight = 48, kBarsTop = 26, kBarsBar = 13, kBarsGap = 12;

// Positions of the bars, by group and series.
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
  /// Positive if there is such a bar, else 0.
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
  Svg svg(
      kBarsLeft + kBarsPlot + kBarsRight, layout.bottom() + 52 + 16 * static_cast<double>(bars.series.size()),
      bars.title,
      fmt::format("Bars of {}{} from 0 to {}, for {} labels.", bars.measure,
                  bars.unit.empty() ? "" : " (" + bars.unit + ")", short_number(ticks.back()), layout.groups().size()));
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
    svg.line(x, y - 1, x, y + kBarsBar + 1, "claim",
             claim.group + ", " + claim.series + ", " + bars.ticks + ": " + claim.value.text);
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

}  // namespace

Drawing draw(const Bars& bars) {
  const Layout layout(bars);
  // A claim about a quantity that was not measured has no bar.
  std::vector<Bars::Row> claims;
  std::copy_if(bars.claims.begin(), bars.claims.end(), std::back_inserter(claims),
               [&](const Bars::Row& claim) { return layout.y(claim) > 0; });
  Drawing drawing{bars.title,
                  picture(bars, claims),
                  {{"bar", bars.rows.size()}, {"claim", claims.size()}},
                  {"attribute", bars.measure, bars.unit.empty() ? "about" : bars.unit, "exact", bars.ticks},
                  {}};
  for (const Bars::Row& row : bars.rows) {
    const auto claim = std::find_if(claims.begin(), claims.end(), [&](const Bars::Row& one) {
      return one.group == row.group && one.series == row.series;
    });
    drawing.rows.push_back(
        {row.group, row.series, nats_text(row), row.value.text, claim == claims.end() ? "" : claim->value.text});
  }
  return drawing;
}

namespace {

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
  svg.rect(left, y - 6, std::max(2.0, right - left), 12, row.upper ? "interval" : "interval open",
           row.label + ": " + row.text);
  if (row.ceiling && std::isfinite(*row.ceiling) && *row.ceiling * scale <= kIntervalsPlot) {
    svg.line(x_of(*row.ceiling), y - 4, x_of(*row.ceiling), y + 4, "ceiling",
             row.label + ": could have shown " + short_number(*row.ceiling));
  }
  for (const Intervals::Claim& claim : row.claims) {
    const double x = x_of(claim.value.value);
    svg.line(x, y - 11, x, y + 11, claim.contradicted ? "claim contradicted" : "claim",
             row.label + ", claimed: " + claim.value.text + (claim.contradicted ? " (contradicted)" : ""));
    if (claim.contradicted) svg.crosses({{x, y - 13}}, 3, "contradiction");
  }
  if (row.exact) svg.diamond(x_of(row.exact->value), y, 5, "exact", row.label + ", exact: " + row.exact->text);
}

std::string picture(const Intervals& intervals) {
  std::vector<double> ticks;
  const double scale = scale_of(intervals, ticks);
  const double bottom = kIntervalsTop + kIntervalsRow * static_cast<double>(intervals.rows.size());
  Svg svg(kIntervalsLeft + kIntervalsPlot + 20, bottom + 54, intervals.title,
          fmt::format("{} intervals from 0 to {} ({}), with exact levels and claims.", intervals.rows.size(),
                      short_number(ticks.back()), intervals.unit));
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

}  // namespace

Drawing draw(const Intervals& intervals) {
  Drawing drawing{intervals.title,
                  picture(intervals),
                  {},
                  {"level", "at least", "at most", "exact", "claimed", "could have shown"},
                  {}};
  for (const Intervals::Row& row : intervals.rows) {
    std::string claimed;
    for (const Intervals::Claim& claim : row.claims) {
      claimed += (claimed.empty() ? "" : ", ") + claim.value.text + (claim.contradicted ? " (contradicted)" : "");
    }
    drawing.rows.push_back({row.label, short_number(row.lower), row.upper ? short_number(*row.upper) : "",
                            row.exact ? row.exact->text : "", claimed, row.ceiling ? short_number(*row.ceiling) : ""});
    drawing.marks["exact"] += row.exact ? 1 : 0;
    drawing.marks["claim"] += row.claims.size();
  }
  drawing.marks["interval"] = intervals.rows.size();
  return drawing;
}

namespace {

constexpr double kCountsLeft = 14, kCountsPlot = 306, kCountsRight = 92, kCountsTop = 8, kCountsRow = 34;

double margin_of(const Counts::Row& row) { return row.margin.value_or(0); }

// All digits: these are counts of people.
std::string whole(double number) { return fmt::format("{:.0f}", number); }

std::string value_text(const Counts::Row& row) {
  return whole(row.number) + (row.margin ? " ± " + whole(*row.margin) : "");
}

// Maps numbers to positions. The range contains 0 and all error bars.
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
  Svg svg(kCountsLeft + kCountsPlot + kCountsRight, bottom + 36, counts.title,
          fmt::format("{} counts of {} as bars from 0, with error bars.", counts.rows.size(), counts.unit));
  for (const double tick : scale.ticks()) {
    svg.line(scale.x(tick), kCountsTop, scale.x(tick), bottom, "grid");
    svg.text(scale.x(tick), bottom + 14, fmt::format("{:.12g}", tick), Anchor::kMiddle, "tick");
  }
  for (std::size_t i = 0; i < counts.rows.size(); ++i) {
    draw_row(svg, counts.rows[i], kCountsTop + kCountsRow * static_cast<double>(i), scale);
  }
  svg.text(kCountsLeft, bottom + 30, counts.unit + "; lines: 95 % intervals", Anchor::kStart, "tick");
  return svg.finish();
}

}  // namespace

Drawing draw(const Counts& counts) {
  Drawing drawing{counts.title, picture(counts), {}, {"about", "number", "+- (95 % interval)"}, {}};
  for (const Counts::Row& row : counts.rows) {
    drawing.rows.push_back({row.about, whole(row.number), row.margin ? whole(*row.margin) : ""});
    drawing.marks["margin"] += margin_of(row) > 0 ? 1 : 0;
  }
  drawing.marks["bar"] = counts.rows.size();
  return drawing;
}

namespace {

constexpr double kCurveLeft = 48, kCurveTop = 14, kCurvePlot = 236;

Positions placed(const Positions& points) {
  Positions result;
  for (const auto& [a, b] : points) result.emplace_back(kCurveLeft + a * kCurvePlot, kCurveTop + (1 - b) * kCurvePlot);
  return result;
}

std::string picture(const Curve& curve) {
  Svg svg(kCurveLeft + kCurvePlot + 16, kCurveTop + kCurvePlot + 44, curve.title,
          fmt::format("The least type II error for each type I error, both from 0 to 1: {} vertices{}.",
                      curve.points.size(), curve.claimed.empty() ? "" : ", and the area that the claim allows"));
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
  for (const auto& [a, b] : curve.points) {
    const auto [x, y] = placed({{a, b}}).front();
    svg.circle(x, y, 2.5, "point", fmt::format("type I error {:.6g}, type II error {:.6g}", a, b));
  }
  svg.text(kCurveLeft + kCurvePlot / 2, kCurveTop + kCurvePlot + 32, "type I error", Anchor::kMiddle, "tick");
  svg.text(12, kCurveTop + kCurvePlot / 2, "type II error", Anchor::kMiddle, "tick", -90);
  return svg.finish();
}

}  // namespace

Drawing draw(const Curve& curve) {
  Drawing drawing{curve.title, picture(curve), {{"point", curve.points.size()}}, {"type I error", "type II error"}, {}};
  for (const auto& [a, b] : curve.points) drawing.rows.push_back({fmt::format("{:.6g}", a), fmt::format("{:.6g}", b)});
  return drawing;
}

}  // namespace oddsbound::reports
