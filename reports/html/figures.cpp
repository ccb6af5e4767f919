#include "reports/html/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "reports/html/svg.h"
#include "reports/words.h"

namespace oddsbound {

namespace {

const std::string kWhole = "whole input";

DrawnValue drawn(const ReportLevel& level) { return {level.nats, level.epsilon}; }
DrawnValue drawn(const Level& level) { return {level.approx(), level.to_string()}; }

Bars level_bars(const ReportSpec& spec) {
  Bars bars{"Levels by attribute", "nats", {}, {}, {}};
  const auto add = [&](const std::string& series, const std::string& notion, const ByName<ReportLevel>& levels) {
    if (levels.empty()) return;
    bars.series.push_back(series);
    for (const auto& [name, level] : levels) {
      bars.rows.push_back({name, series, drawn(level)});
      if (const auto claimed = spec.claimed(notion, name)) bars.claims.push_back({name, series, drawn(*claimed)});
    }
  };
  add("coordinate DP", "cdp", spec.cdp);
  add("Bayesian coordinate DP", "bcdp", spec.bcdp);
  add("bound of Proposition 4", "", spec.proposition_4);
  if (spec.ldp) {
    bars.series.emplace_back("local DP");
    bars.rows.push_back({kWhole, "local DP", drawn(*spec.ldp)});
    if (const auto claimed = spec.claimed("ldp", "")) bars.claims.push_back({kWhole, "local DP", drawn(*claimed)});
  }
  return bars;
}

// Labels as they are, numbered where two are equal.
std::vector<std::string> distinct(std::vector<std::string> labels) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    while (!seen.insert(labels[i]).second) labels[i] += " #" + std::to_string(i);
  }
  return labels;
}

Heat loss_heat(const std::string& title, const std::string& sides, const ReportLosses& losses,
               const std::function<std::optional<Level>(std::size_t, std::size_t)>& claimed) {
  Heat heat{title, "from " + sides, "to " + sides, "nats", distinct(losses.sides), distinct(losses.sides), {}};
  for (std::size_t a = 0; a < losses.levels.size(); ++a) {
    for (std::size_t b = 0; b < losses.levels.size(); ++b) {
      if (a == b) continue;
      const Level& level = losses.levels[a][b];
      const std::optional<Level> bound = claimed(a, b);
      heat.cells.push_back({a, b, drawn(level), bound && level > *bound, bound ? bound->to_string() : ""});
    }
  }
  return heat;
}

std::string with_claim(const std::string& title, const std::optional<Level>& claimed) {
  return claimed ? title + "; claimed: " + exact_text(*claimed) : title;
}

void add_losses(const ReportSpec& spec, std::vector<Drawing>& drawings) {
  if (spec.input_losses && spec.input_losses->sides.size() > 1) {
    const std::optional<Level> claimed = spec.claimed("ldp", "");
    const auto& matrix = spec.claimed_matrix;
    const std::size_t sides = spec.input_losses->sides.size();
    const bool by_pairs = !claimed && matrix && matrix->size() == sides && matrix->front().size() == sides;
    const std::string title = by_pairs ? "Loss between inputs; the claim is a matrix" : "Loss between inputs";
    drawings.push_back(draw(loss_heat(with_claim(title, claimed), "input", *spec.input_losses,
                                      [&](std::size_t a, std::size_t b) -> std::optional<Level> {
                                        return by_pairs ? std::optional((*matrix)[a][b]) : claimed;
                                      })));
  }
  for (const auto& [name, losses] : spec.value_losses) {
    if (losses.sides.size() < 3) continue;  // two values: the level says it all
    const std::optional<Level> claimed = spec.claimed("bcdp", name);
    drawings.push_back(draw(loss_heat(with_claim("Loss between values of " + name + ", given the prior", claimed), name,
                                      losses, [&](std::size_t, std::size_t) { return claimed; })));
  }
}

// Curves of many vertices are thinned out for the eye; what is left are vertices of the same curve.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points) {
  constexpr std::size_t kMost = 200;
  if (points.size() <= kMost) return points;
  std::vector<std::pair<double, double>> result;
  for (std::size_t i = 0; i < kMost; ++i) result.push_back(points[i * (points.size() - 1) / (kMost - 1)]);
  return result;
}

Curve tradeoff_curve_of(const std::string& title, const ReportCurve& curve, const std::optional<Level>& claimed) {
  Curve drawn{with_claim(title + ": " + cut(curve.from, 40) + " against " + cut(curve.to, 40), claimed),
              thinned(curve.vertices),
              {},
              ""};
  if (!claimed || claimed->is_infinite()) return drawn;
  // BCDP paper, Proposition 2: the boundary of errors that a level allows.
  const double odds = std::exp(claimed->approx());
  const double corner = std::isfinite(odds) ? 1 / (1 + odds) : 0;
  drawn.claimed = {{0, 1}, {corner, corner}, {1, 0}};
  drawn.claim = claimed->to_string();
  return drawn;
}

void add_curves(const ReportSpec& spec, std::vector<Drawing>& drawings) {
  if (spec.input_curve) {
    drawings.push_back(draw(tradeoff_curve_of("Telling inputs apart", *spec.input_curve, spec.claimed("ldp", ""))));
  }
  for (const auto& [name, curve] : spec.value_curves) {
    drawings.push_back(draw(tradeoff_curve_of("Telling " + name + " apart", curve, spec.claimed("bcdp", name))));
  }
}

void add_correlations(const ReportSpec& spec, std::vector<Drawing>& drawings) {
  if (spec.correlation_between.size() < 2) return;
  Heat heat{"Correlation of attributes in the prior",
            "attribute known",
            "attribute learned about",
            "total variation",
            {},
            {},
            {}};
  for (const auto& [name, cells] : spec.correlation_between) heat.from.push_back(name);
  heat.to = heat.from;
  heat.to.emplace_back("all others");
  for (std::size_t i = 0; i < heat.from.size(); ++i) {
    for (const auto& [name, value] : spec.correlation_between[i].second) {
      const auto place = std::find(heat.from.begin(), heat.from.end(), name);
      if (place == heat.from.end()) continue;
      heat.cells.push_back(
          {i, static_cast<std::size_t>(place - heat.from.begin()), {value.value, value.text}, false, ""});
    }
    const auto all = std::find_if(spec.correlation.begin(), spec.correlation.end(),
                                  [&](const auto& one) { return one.first == heat.from[i]; });
    if (all == spec.correlation.end()) continue;
    heat.cells.push_back({i, heat.from.size(), {all->second.value, all->second.text}, false, ""});
  }
  drawings.push_back(draw(heat));
}

}  // namespace

std::vector<Drawing> figures_of(const ReportSpec& spec) {
  std::vector<Drawing> drawings;
  const Bars bars = level_bars(spec);
  if (!bars.rows.empty()) drawings.push_back(draw(bars));
  add_losses(spec, drawings);
  add_curves(spec, drawings);
  add_correlations(spec, drawings);
  return drawings;
}

std::vector<Drawing> figures_of(const ReportAudit& audit) {
  std::vector<Drawing> drawings;
  Intervals intervals{"What the runs show, with confidence " + audit.confidence, "nats (delta: a probability)", {}};
  for (const ReportAuditLevel& level : audit.levels) {
    Intervals::Row row{level.title, level.at_least, level.at_most, level.ceiling, std::nullopt, {}, level.words};
    if (!level.exact.empty()) row.exact = DrawnValue{level.exact_value, level.exact};
    for (const ReportAuditClaim& claim : level.claims) {
      row.claims.push_back({{claim.value, claim.claimed}, claim.contradicted});
    }
    intervals.rows.push_back(std::move(row));
  }
  if (!intervals.rows.empty()) drawings.push_back(draw(intervals));
  EvidenceLines evidence{"Evidence against the claims over time", {}};
  for (const ReportEvidence& one : audit.evidence) evidence.lines.push_back({one.title, one.threshold, one.points});
  if (!evidence.lines.empty()) drawings.push_back(draw(evidence));
  return drawings;
}

}  // namespace oddsbound
