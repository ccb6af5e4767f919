// The pages of `compose` (what is known about all runs together, and the (epsilon, delta) curve between its two ends)
// and of `tune` (the value that was found, and the levels over the range).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/html/figures.h"
#include "reports/html/frame.h"
#include "reports/html/page.h"
#include "reports/publishable.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/interval.h"

namespace oddsbound::reports {

namespace {

constexpr double kDeltaLeft = 64, kDeltaTop = 14, kDeltaWidth = 420, kDeltaHeight = 260;
constexpr double kSmallestPower = -15;  // of ten: below, delta is drawn at the bottom

// Powers of ten from 0 down. Doubles suffice for a picture; the table has the decimals.
class DeltaScale {
 public:
  explicit DeltaScale(const std::vector<DeltaPoint>& curve) : most_(curve.back().epsilon.approx()) {
    double least = 0;
    for (const DeltaPoint& point : curve) least = std::min(least, power_of(point.upper));
    lowest_ = std::min(-1.0, std::floor(least));
  }

  double lowest() const { return lowest_; }
  double most() const { return most_; }
  double x(double epsilon) const { return kDeltaLeft + (most_ > 0 ? epsilon / most_ : 0) * kDeltaWidth; }
  double y_of_power(double power) const { return kDeltaTop + std::max(power, lowest_) / lowest_ * kDeltaHeight; }
  double y(const Number& delta) const { return y_of_power(power_of(delta)); }

 private:
  static double power_of(const Number& delta) {
    const double approx = delta.approx();
    return approx > 0 ? std::max(kSmallestPower, std::log10(approx)) : kSmallestPower;
  }

  double most_, lowest_;
};

void draw_delta_axes(const DeltaScale& scale, Svg& svg) {
  const int every = scale.lowest() < -8 ? 3 : scale.lowest() < -4 ? 2 : 1;
  for (int power = 0; power >= static_cast<int>(scale.lowest()); power -= every) {
    const double y = scale.y_of_power(power);
    svg.line(kDeltaLeft, y, kDeltaLeft + kDeltaWidth, y, "grid");
    svg.text(kDeltaLeft - 6, y + 4, power == 0 ? "1" : "1e" + std::to_string(power), Svg::Anchor::kEnd, "tick");
  }
  for (const double tick : round_ticks(scale.most())) {
    if (tick > scale.most() * (1 + 1e-9)) break;
    svg.line(scale.x(tick), kDeltaTop, scale.x(tick), kDeltaTop + kDeltaHeight, "grid");
    svg.text(scale.x(tick), kDeltaTop + kDeltaHeight + 16, short_number(tick), Svg::Anchor::kMiddle, "tick");
  }
  svg.text(kDeltaLeft + kDeltaWidth / 2, kDeltaTop + kDeltaHeight + 34, "epsilon (nats)", Svg::Anchor::kMiddle, "tick");
  svg.text(14, kDeltaTop + kDeltaHeight / 2, "delta", Svg::Anchor::kMiddle, "tick", -90);
}

Drawing draw_delta(const ComposedResult& result) {
  const DeltaScale scale(result.curve);
  Svg svg(kDeltaLeft + kDeltaWidth + 24, kDeltaTop + kDeltaHeight + 44, "The (epsilon, delta) curve",
          fmt::format("The smallest delta, on a logarithmic scale, for {} values of epsilon from 0 to {}, between its "
                      "lower and its upper end.",
                      result.curve.size(), short_number(scale.most())));
  draw_delta_axes(scale, svg);
  Positions upper, lower, area;
  for (const DeltaPoint& point : result.curve) {
    upper.emplace_back(scale.x(point.epsilon.approx()), scale.y(point.upper));
    lower.emplace_back(scale.x(point.epsilon.approx()), scale.y(point.lower));
  }
  area = upper;
  area.insert(area.end(), lower.rbegin(), lower.rend());
  svg.path(area, true, "allowed");
  svg.path(lower, false, "claimed");
  svg.path(upper, false, "curve");
  Drawing drawing{"The (epsilon, delta) curve",
                  "",
                  {{"point", result.curve.size()}},
                  {"epsilon", "delta, lower end", "delta, upper end"},
                  {}};
  for (std::size_t k = 0; k < result.curve.size(); ++k) {
    const DeltaPoint& point = result.curve[k];
    svg.circle(upper[k].first, upper[k].second, 2.5, "point",
               "epsilon " + decimal_text(point.epsilon) + ": delta " + delta_words(point));
    drawing.rows.push_back(
        {decimal_text(point.epsilon), decimal_bounds(point.lower).lower, decimal_bounds(point.upper).upper});
  }
  drawing.svg = svg.finish();
  drawing.wide = true;
  return drawing;
}

}  // namespace

Drawing draw_curve(const AuditedCurve& curve) {
  std::vector<DeltaPoint> stated, shown;
  for (const AuditedDelta& point : curve.points) {
    const Number epsilon = exact::number_of(point.epsilon.approx());
    shown.push_back({epsilon, point.at_least, point.at_least});
    if (point.stated_at_most) stated.push_back({epsilon, *point.stated_at_least, *point.stated_at_most});
  }
  const DeltaScale scale(stated.size() == shown.size() ? stated : shown);
  Svg svg(kDeltaLeft + kDeltaWidth + 24, kDeltaTop + kDeltaHeight + 44, "Delta from runs against the stated curve",
          fmt::format("Lower bounds of delta, on a logarithmic scale, for {} values of epsilon from {} to {}, and the "
                      "curve of the stated channel.",
                      shown.size(), short_number(curve.points.front().epsilon.approx()), short_number(scale.most())));
  draw_delta_axes(scale, svg);
  Positions line;
  for (const DeltaPoint& point : stated) line.emplace_back(scale.x(point.epsilon.approx()), scale.y(point.upper));
  if (line.size() > 1) svg.path(line, false, "curve");
  Drawing drawing{"Delta from runs, at least, against the curve of the stated channel",
                  "",
                  {{"point", shown.size()}},
                  {"epsilon", "delta, at least", "stated channel, at least", "stated channel, at most"},
                  {}};
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const AuditedDelta& point = curve.points[k];
    const std::string epsilon = point.epsilon.to_string(), least = decimal_bounds(point.at_least).lower;
    svg.circle(
        scale.x(shown[k].epsilon.approx()), scale.y(point.at_least), 2.5, "point",
        "epsilon " + epsilon + ": delta at least " + least + (point.exceeds() ? ", exceeds the stated one" : ""));
    drawing.rows.push_back({epsilon, least, point.stated_at_least ? decimal_bounds(*point.stated_at_least).lower : "",
                            point.stated_at_most ? decimal_bounds(*point.stated_at_most).upper : ""});
  }
  drawing.svg = svg.finish();
  drawing.wide = true;
  return drawing;
}

std::string html_composition(const ComposedResult& result, const RenderOptions& options) {
  const bool open = result.exit_status() != 0;
  const Html badge = open ? Html::badge(Tone::kOpen, "undecided in part") : Html::badge(Tone::kGood, "measured");
  Page page("Composition", options, Html("Independent runs on the same input ") + badge);
  page.paragraph(parts_words(result) + ". Compared: " + neighbors_words(result) + ".");
  page.section("found", "All runs together");
  for (const std::string& sentence : composition_words(result)) page.paragraph(capitalized(sentence) + ".");
  if (!result.curve_reason.empty()) page.paragraph("The curve is not complete: " + result.curve_reason + ".");
  if (!result.curve.empty()) page.figures({draw_delta(result)});
  HtmlRows rows;
  for (const ComposedPart& part : result.parts) rows.push_back({part.file, part.name, std::to_string(part.times)});
  page.heading("Mechanisms");
  page.table({"file", "name", "runs"}, rows);
  return page.finish(
      "For every event R and all compared inputs, P(R given x) is at most e^epsilon P(R given x') + delta. The curve "
      "shows the smallest delta at each epsilon. The solid line is its upper end and the dashed line its lower end; "
      "both are proven. They coincide where the losses of all runs are listed. Between two points, the straight line "
      "in the figure is drawn for the eye.",
      MadeWith::this_program(), result.files);
}

namespace {

void add_point(Sweep& sweep, const TunedPoint& point, const ClaimResult& claim, const TunedLevel& level) {
  const std::string label = claim.notion + (level.name.empty() ? "" : " " + level.name) +
                            (claim.name.empty() ? "" : " (" + claim.name + ")") + ", claim " +
                            std::to_string(claim.index);
  auto line =
      std::find_if(sweep.lines.begin(), sweep.lines.end(), [&](const auto& other) { return other.label == label; });
  if (line == sweep.lines.end()) line = sweep.lines.insert(line, {label, level.bound, {}});
  // A bound that varies with the parameter is not drawn as a line.
  if (line->bound != level.bound) line->bound.reset();
  line->points.push_back({point.value.approx(), value_words(point.value), {level.value, level.text}});
}

// One line per level of every claim, over the grid and the two ends.
std::vector<Sweep> sweeps_of(const TuneResult& result) {
  Sweep levels{"Levels over " + result.parameter, result.parameter, "nats", {}, {}};
  Sweep deltas{"Delta over " + result.parameter, result.parameter, "probability", {}, {}};
  Sweep shortfalls{"Shortfall over " + result.parameter, result.parameter, "type two error", {}, {}};
  Sweep posteriors{"Posterior probability over " + result.parameter, result.parameter, "probability", {}, {}};
  const auto holds = result.holds_at(), fails = result.fails_at();
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const TunedPoint& point = result.points[i];
    if (!point.on_grid && i != holds && i != fails) continue;
    for (const ClaimResult& claim : point.claims) {
      const auto* number = std::get_if<MeasuredNumber>(&claim.decision.actual);
      Sweep& sweep = number == nullptr                        ? levels
                     : number->kind == NumberKind::kDelta     ? deltas
                     : number->kind == NumberKind::kShortfall ? shortfalls
                                                              : posteriors;
      for (const TunedLevel& level : levels_of(claim)) add_point(sweep, point, claim, level);
    }
  }
  std::vector<Sweep> sweeps;
  for (Sweep* sweep : {&levels, &deltas, &shortfalls, &posteriors}) {
    if (sweep->lines.empty()) continue;
    if (holds)
      sweep->found = {result.points[*holds].value.approx(), "holds at " + value_words(result.points[*holds].value)};
    sweeps.push_back(std::move(*sweep));
  }
  return sweeps;
}

}  // namespace

std::string html_tune(const TuneResult& result, const RenderOptions& options) {
  const int status = result.exit_status();
  const Html badge = status == 0   ? Html::badge(Tone::kGood, "found")
                     : status == 1 ? Html::badge(Tone::kBad, "holds at no value")
                                   : Html::badge(Tone::kOpen, "undecided");
  Page page("Privacy over a parameter", options, result.name + " " + badge);
  page.paragraph(Html::faint(result.file));
  page.paragraph(capitalized(sought_words(result)) + "." +
                 (result.written.empty() ? "" : " The spec has " + result.written + "."));
  page.section("found", "What was found");
  for (const std::string& symbol : result.symbols) page.paragraph("For all " + symbol + ".");
  for (const std::string& note : result.notes) page.paragraph("Note: " + note);
  page.paragraphs(tune_words(result));
  for (const auto& place : {result.holds_at(), result.fails_at()}) {
    if (!place) continue;
    HtmlRows rows;
    for (const TunedClaimWords& words : claims_at(result, *place)) {
      rows.push_back({words.claim, Html::badge(words.tone, words.outcome), words.found, words.witness});
    }
    page.heading("At " + result.parameter + " = " + value_words(result.points[*place].value));
    page.table({"claim", "outcome", "what was found", "witness"}, rows);
  }
  std::vector<Drawing> drawings;
  for (const Sweep& sweep : sweeps_of(result)) drawings.push_back(draw(sweep));
  page.figures(drawings);
  HtmlRows points;
  for (const TunedPoint& point : result.points) {
    points.push_back(
        {value_words(point.value), Html::badge(tone_of(point.verdict()), point.word()), levels_words(point)});
  }
  page.heading("All values that were decided");
  page.table({"value", "outcome", "levels"}, points);
  return page.finish(std::string("Every value that is listed was decided exactly") +
                         (result.status ? ". Levels that depend on a confidential table are rounded up. "
                                        : ": decimals are rounded for reading, the exact values are beside them. ") +
                         "Lines between points are drawn for the eye; of values between two points nothing is said "
                         "unless it was proven.",
                     MadeWith::this_program(), result.files);
}

}  // namespace oddsbound::reports
