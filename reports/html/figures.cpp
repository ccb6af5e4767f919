#include "reports/html/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "reports/html/svg.h"
#include "results/words.h"

namespace oddsbound {

namespace {

const std::string kWhole = "whole input";

DrawnValue drawn(const ReportLevel& level) { return {level.nats, level.epsilon}; }
DrawnValue drawn(const Level& level) { return {level.approx(), level.to_string()}; }

// Labels as they are, numbered where two are equal.
std::vector<std::string> distinct(std::vector<std::string> labels) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    while (!seen.insert(labels[i]).second) labels[i] += " #" + std::to_string(i);
  }
  return labels;
}

using Bound = std::optional<ReportSpec::Bound>;

std::string words_of(const ReportSpec::Bound& bound) {
  return exact_text(bound.level) + (bound.expect_holds ? "" : " (to be refuted)");
}

std::string with_claim(const std::string& title, const Bound& claimed) {
  return claimed ? title + "; claimed: " + words_of(*claimed) : title;
}

// The attributes that fit into a figure: all, or those with the largest levels.
std::set<std::string> shown_attributes(const ReportSpec& spec) {
  constexpr std::size_t kMost = 40;
  ByName<ReportLevel> levels = spec.bcdp.empty() ? spec.cdp : spec.bcdp;
  std::stable_sort(levels.begin(), levels.end(), [](auto& a, auto& b) { return a.second.nats > b.second.nats; });
  std::set<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, levels.size()); ++i) names.insert(levels[i].first);
  return names;
}

Bars level_bars(const ReportSpec& spec) {
  Bars bars{"Levels by attribute", "nats", {}, {}, {}};
  const std::set<std::string> shown = shown_attributes(spec);
  if (shown.size() < spec.cdp.size()) bars.title = fmt::format("Levels by attribute: the {} largest", shown.size());
  const auto add = [&](const std::string& group, const std::string& series, const ReportLevel& level,
                       const Bound& claimed) {
    bars.rows.push_back({group, series, drawn(level)});
    if (claimed) bars.claims.push_back({group, series, {claimed->level.approx(), words_of(*claimed)}});
  };
  const auto add_all = [&](const std::string& series, const std::string& notion, const ByName<ReportLevel>& levels) {
    if (levels.empty()) return;
    bars.series.push_back(series);
    for (const auto& [name, level] : levels) {
      if (shown.contains(name)) add(name, series, level, spec.claimed(notion, name));
    }
  };
  add_all("coordinate DP", "cdp", spec.cdp);
  add_all("Bayesian coordinate DP", "bcdp", spec.bcdp);
  add_all("bound of Proposition 4", "", spec.proposition_4);
  if (spec.ldp) {
    bars.series.emplace_back("local DP");
    add(kWhole, "local DP", *spec.ldp, spec.claimed("ldp", ""));
  }
  return bars;
}

// What is claimed for a pair of sides; null for nothing.
using BoundOf = std::function<const Level*(std::size_t from, std::size_t to)>;

Heat loss_heat(const std::string& title, const std::string& sides, const ReportLosses& losses, const BoundOf& claimed) {
  Heat heat{title, "from " + sides, "to " + sides, "nats", distinct(losses.sides), distinct(losses.sides), {}};
  for (std::size_t a = 0; a < losses.levels.size(); ++a) {
    for (std::size_t b = 0; b < losses.levels.size(); ++b) {
      if (a == b) continue;
      const Level& level = losses.levels[a][b];
      const Level* bound = claimed(a, b);
      const bool over = bound != nullptr && level > *bound;
      heat.cells.push_back({a, b, drawn(level), over, bound == nullptr ? "" : bound->to_string()});
    }
  }
  return heat;
}

void add_losses(const ReportSpec& spec, std::vector<Drawing>& drawings) {
  if (spec.input_losses && spec.input_losses->sides.size() > 1) {
    const Bound claimed = spec.claimed("ldp", "");
    const auto& matrix = spec.claimed_matrix;
    const std::size_t sides = spec.input_losses->sides.size();
    const bool by_pairs = !claimed && matrix && matrix->size() == sides && matrix->front().size() == sides;
    const BoundOf bound_of = [&](std::size_t a, std::size_t b) {
      return by_pairs ? &(*matrix)[a][b] : claimed ? &claimed->level : nullptr;
    };
    const std::string title = by_pairs ? "Loss between inputs; the claim is a matrix" : "Loss between inputs";
    drawings.push_back(draw(loss_heat(with_claim(title, claimed), "input", *spec.input_losses, bound_of)));
  }
  for (const auto& [name, losses] : spec.value_losses) {
    if (losses.sides.size() < 3) continue;  // two values: the level says it all
    const Bound claimed = spec.claimed("bcdp", name);
    const BoundOf bound_of = [&](std::size_t, std::size_t) { return claimed ? &claimed->level : nullptr; };
    const std::string title = "Loss between values of " + name + ", given the prior";
    drawings.push_back(draw(loss_heat(with_claim(title, claimed), name, losses, bound_of)));
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

Curve tradeoff_curve_of(const std::string& title, const ReportCurve& curve, const Bound& claimed) {
  Curve drawn{with_claim(title + ": " + cut(curve.from, 40) + " against " + cut(curve.to, 40), claimed),
              thinned(curve.vertices),
              {},
              ""};
  if (!claimed || claimed->level.is_infinite()) return drawn;
  // BCDP paper, Proposition 2: the boundary of errors that a level allows.
  const double odds = std::exp(claimed->level.approx());
  const double corner = std::isfinite(odds) ? 1 / (1 + odds) : 0;
  drawn.claimed = {{0, 1}, {corner, corner}, {1, 0}};
  drawn.claim = words_of(*claimed);
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
  Intervals intervals{"What the runs show, with confidence " + audit.confidence, "nats", {}};
  for (const ReportAuditLevel& level : audit.levels) {
    Intervals::Row row{level.title, level.at_least, level.at_most, level.ceiling, std::nullopt, {}, level.words};
    if (!level.exact.empty()) row.exact = DrawnValue{level.exact_value, level.exact};
    for (const ReportAuditClaim& claim : level.claims) {
      row.claims.push_back({{claim.value, claim.claimed}, claim.contradicted});
    }
    if (level.title.ends_with("delta")) intervals.unit = "nats; delta is a probability";
    intervals.rows.push_back(std::move(row));
  }
  if (!intervals.rows.empty()) drawings.push_back(draw(intervals));
  EvidenceLines evidence{"Evidence against the claims over time", {}};
  for (const ReportEvidence& one : audit.evidence) evidence.lines.push_back({one.title, one.threshold, one.points});
  if (!evidence.lines.empty()) drawings.push_back(draw(evidence));
  return drawings;
}

}  // namespace oddsbound
