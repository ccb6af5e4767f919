#include "reports/html/figures.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "reports/audit_result.h"
#include "reports/levels.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

const std::string kWhole = "whole input";

DrawnValue drawn(const Level& level) { return {rounded_nats(level), level.to_string()}; }

using Bound = std::optional<SpecResult::Bound>;

double rounded_value(const ClaimedValue& stated) {
  return stated.level() != nullptr ? rounded_nats(*stated.level()) : stated.number()->approx();
}

std::string words_of(const SpecResult::Bound& bound) {
  return exact_text(bound.level) + (bound.expect_holds ? "" : " (to be refuted)");
}

std::string with_claim(const std::string& title, const Bound& claimed) {
  return claimed ? title + "; claimed: " + words_of(*claimed) : title;
}

Bound claimed_of_notion(const SpecResult& spec, const std::string& notion, const std::string& coordinate) {
  return spec.claimed(coordinate, [&](const ClaimResult& claim) { return claim.notion == notion; });
}

// The bound claimed about inputs, or about values of a coordinate.
Bound claimed_beside(const SpecResult& spec, DrawnBeside what, const std::string& coordinate) {
  return spec.claimed(coordinate, [&](const ClaimResult& claim) {
    const Notion* notion = find_notion(claim.notion);
    return notion != nullptr && notion->drawn == what;
  });
}

// The attributes shown in a figure: all, or the 40 with the largest levels (under the prior if there is one).
std::set<std::string> shown_attributes(const SpecResult& spec) {
  constexpr std::size_t kMost = 40;
  const std::vector<MeasuredLevel>* levels = nullptr;
  for (const Notion* notion : measured_notions(true)) {
    const auto* own = spec.analysis.by_coordinate(notion->name);
    if (own != nullptr && (levels == nullptr || notion->drawn == DrawnBeside::kValues)) levels = own;
  }
  std::vector<std::size_t> order;
  if (levels != nullptr) order = secret_coordinates(spec);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return (*levels)[a].at_most() > (*levels)[b].at_most(); });
  std::set<std::string> shown;
  for (std::size_t k = 0; k < std::min(kMost, order.size()); ++k) shown.insert(spec.coordinates[order[k]]);
  return shown;
}

// Attributes come first, the whole input last.
Bars level_bars(const SpecResult& spec) {
  Bars bars{"Levels by attribute", "nats", {}, {}, {}};
  const std::set<std::string> shown = shown_attributes(spec);
  if (!shown.empty() && shown.size() < spec.coordinates.size()) {
    bars.title = fmt::format("Levels by attribute: the {} largest", shown.size());
  }
  const std::vector<Quantity> levels = quantities(spec);
  for (const bool whole : {false, true}) {
    for (const Quantity& quantity : levels) {
      const std::string& name = quantity.coordinate;
      const bool drawn_here = quantity.is_bound ? quantity.kind == kProposition4 : quantity.beside.empty();
      if (!drawn_here || whole != name.empty()) continue;
      if (whole ? quantity.notion->drawn != DrawnBeside::kInputs : !shown.contains(name)) continue;
      const MeasuredLevel& level = quantity.level;
      const std::string series = quantity.is_bound ? quantity.kind : quantity.notion->title;
      if (std::find(bars.series.begin(), bars.series.end(), series) == bars.series.end()) bars.series.push_back(series);
      Bars::Row& row = bars.rows.emplace_back(Bars::Row{whole ? kWhole : name, series, drawn(level.at_least)});
      if (level.unfinished) row.upper = rounded_nats(level.at_most());
      if (level.unfinished || level.rounded) row.value.text = known_words(level);
      if (quantity.is_bound && quantity.for_others) row.value.text = nats(level) + " (rounded up)";
      const Bound claimed = claimed_of_notion(spec, quantity.notion->name, name);
      if (claimed && !quantity.is_bound) {
        bars.claims.push_back({row.group, series, {claimed->level.approx(), words_of(*claimed)}});
      }
    }
  }
  // Arrow keys walk through one series after the other.
  const auto place_of = [&](const Bars::Row& row) {
    return std::find(bars.series.begin(), bars.series.end(), row.series) - bars.series.begin();
  };
  std::stable_sort(bars.rows.begin(), bars.rows.end(),
                   [&](const Bars::Row& a, const Bars::Row& b) { return place_of(a) < place_of(b); });
  return bars;
}

// The bound claimed for a pair of sides; nullptr: none.
using BoundOf = std::function<const Level*(std::size_t from, std::size_t to)>;

Heat loss_heat(const std::string& title, const std::string& sides, const LossMatrix& losses, const BoundOf& claimed) {
  std::vector<std::string> labels;
  for (const Label& side : losses.sides) labels.push_back(party_label(side));
  labels = distinct(std::move(labels));
  Heat heat{title, "from " + sides, "to " + sides, "nats", labels, labels, {}};
  for (std::size_t a = 0; a < losses.loss.size(); ++a) {
    for (std::size_t b = 0; b < losses.loss.size(); ++b) {
      if (a == b) continue;
      const Level& level = losses.loss[a][b];
      const Level* bound = claimed(a, b);
      const bool over = bound != nullptr && level > *bound;
      heat.cells.push_back(
          {a, b, {level.approx(), level.to_string()}, over, bound == nullptr ? "" : bound->to_string()});
    }
  }
  return heat;
}

// The matrix of claimed levels for pairs of `sides` inputs; nullptr if there is none.
const std::vector<std::vector<ClaimedValue>>* claimed_matrix(const SpecResult& spec, std::size_t sides) {
  for (const ClaimResult& claim : spec.claims) {
    const Notion* notion = find_notion(claim.notion);
    if (notion == nullptr || notion->drawn != DrawnBeside::kInputs || !claim.claimed) continue;
    const auto& matrix = claim.claimed->matrix;
    if (!matrix.empty()) return matrix.size() == sides && matrix.front().size() == sides ? &matrix : nullptr;
  }
  return nullptr;
}

// "Loss between inputs". If there are many sides, only the worst are drawn.
std::string loss_title(const std::string& sides, const LossMatrix& losses) {
  const std::string title = "Loss between " + sides;
  return losses.among ? fmt::format("{}, the worst {} of {}", title, losses.sides.size(), *losses.among) : title;
}

void add_losses(const SpecResult& spec, std::vector<Drawing>& drawings) {
  if (!spec.pairs) return;
  if (spec.pairs->inputs && spec.pairs->inputs->sides.size() > 1) {
    const LossMatrix& losses = *spec.pairs->inputs;
    const Bound claimed = claimed_beside(spec, DrawnBeside::kInputs, "");
    const auto* matrix = claimed ? nullptr : claimed_matrix(spec, losses.sides.size());
    const BoundOf bound_of = [&](std::size_t a, std::size_t b) {
      return matrix != nullptr ? (*matrix)[a][b].level() : claimed ? &claimed->level : nullptr;
    };
    const std::string title = loss_title("inputs", losses) + (matrix != nullptr ? "; the claim is a matrix" : "");
    drawings.push_back(draw(loss_heat(with_claim(title, claimed), "input", losses, bound_of)));
  }
  for (std::size_t i = 0; i < spec.pairs->values.size(); ++i) {
    const auto& losses = spec.pairs->values[i];
    if (!losses || losses->sides.size() < 3) continue;  // two values: the level is enough
    const std::string& name = spec.coordinates[i];
    const Bound claimed = claimed_beside(spec, DrawnBeside::kValues, name);
    const BoundOf bound_of = [&](std::size_t, std::size_t) { return claimed ? &claimed->level : nullptr; };
    const std::string title = loss_title("values of " + name, *losses) + ", given the prior";
    drawings.push_back(draw(loss_heat(with_claim(title, claimed), name, *losses, bound_of)));
  }
}

// The places of at most so many of `count` points, evenly spread.
std::vector<std::size_t> thinned(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places;
  const std::size_t kept = std::min(most, count);
  for (std::size_t i = 0; i < kept; ++i) places.push_back(kept < 2 ? i : i * (count - 1) / (kept - 1));
  return places;
}

Curve tradeoff_curve_of(const std::string& title, const Tradeoff& curve, const Bound& claimed) {
  Curve drawn{with_claim(title + ": " + cut(party_label(curve.from), 40) + " against " + cut(party_label(curve.to), 40),
                         claimed),
              {},
              {}};
  // The remaining points are vertices of the same curve.
  for (const std::size_t i : thinned(curve.vertices.size(), 200)) {
    drawn.points.emplace_back(curve.vertices[i].type_one.approx(), curve.vertices[i].type_two.approx());
  }
  if (!claimed || claimed->level.is_infinite()) return drawn;
  // BCDP paper, Proposition 2: the boundary of the errors that a level allows.
  const double odds = std::exp(claimed->level.approx());
  const double corner = std::isfinite(odds) ? 1 / (1 + odds) : 0;
  drawn.claimed = {{0, 1}, {corner, corner}, {1, 0}};
  return drawn;
}

void add_curves(const SpecResult& spec, std::vector<Drawing>& drawings) {
  const auto& curves = spec.analysis.tradeoffs;
  for (std::size_t i = 0; curves && i < curves->size(); ++i) {
    const Tradeoff& curve = (*curves)[i];
    // The first one is between inputs.
    const std::string coordinate = i == 0 ? "" : curve.of;
    const DrawnBeside what = i == 0 ? DrawnBeside::kInputs : DrawnBeside::kValues;
    const std::string title = "Trade-off curve of " + (i == 0 ? "inputs" : coordinate);
    drawings.push_back(draw(tradeoff_curve_of(title, curve, claimed_beside(spec, what, coordinate))));
  }
}

// The title after the claim, and the axis label.
std::pair<std::string, std::string> growing_words(Growing set) {
  switch (set) {
    case Growing::kWeights: return {"cells of the prior off by a factor", "factor"};
    case Growing::kContaminated: return {"the prior wrong for a fraction of the people", "share"};
    case Growing::kTotalVariation: return {"priors within a total variation of the stated one", "total variation"};
    case Growing::kCorrelation: break;
  }
  return {"all priors of small correlation", "correlation at most"};
}

// The level over sets of growing size, for each claimed level that was compared.
void add_tolerances(const SpecResult& spec, std::vector<Drawing>& drawings) {
  for (const Tolerance& tolerance : spec.analysis.tolerances) {
    for (const Tolerance::Within& within : tolerance.within) {
      const auto [title, axis] = growing_words(within.set);
      Sweep sweep{fmt::format("{} <= {}, {}", tolerance.coordinate, exact_text(tolerance.claimed), title),
                  axis,
                  "nats",
                  {{tolerance.coordinate, rounded_nats(tolerance.claimed), {}}},
                  {}};
      for (const auto& level : within.levels) {
        DrawnValue value = drawn(level.at_most.value_or(level.at_least));
        if (level.at_most) value.text = "between " + exact_text(level.at_least) + " and " + exact_text(*level.at_most);
        sweep.lines[0].points.push_back({level.size.approx(), decimal_text(level.size), std::move(value)});
      }
      if (within.fails) sweep.found = {within.holds.approx(), "holds at " + decimal_text(within.holds)};
      if (!within.levels.empty()) drawings.push_back(draw(sweep));
    }
  }
}

void add_correlations(const SpecResult& spec, std::vector<Drawing>& drawings) {
  if (!spec.pairs || spec.pairs->correlation.size() < 2) return;
  Heat heat{"Correlation of attributes in the prior",
            "attribute known",
            "attribute learned about",
            "total variation",
            spec.coordinates,
            spec.coordinates,
            {}};
  heat.to.emplace_back("all others");
  const auto add = [&](std::size_t from, std::size_t to, const Number& value) {
    heat.cells.push_back({from, to, {value.approx(), value.to_string()}, false, ""});
  };
  for (std::size_t i = 0; i < heat.from.size(); ++i) {
    for (std::size_t j = 0; j < heat.from.size(); ++j) {
      if (i != j) add(i, j, spec.pairs->correlation[i][j]);
    }
    if (spec.analysis.correlation) add(i, heat.from.size(), (*spec.analysis.correlation)[i]);
  }
  drawings.push_back(draw(heat));
}

}  // namespace

std::vector<Drawing> figures_of(const SpecResult& spec) {
  std::vector<Drawing> drawings;
  const Bars bars = level_bars(spec);
  if (!bars.rows.empty()) drawings.push_back(draw(bars));
  add_losses(spec, drawings);
  add_curves(spec, drawings);
  add_tolerances(spec, drawings);
  add_correlations(spec, drawings);
  return drawings;
}

std::vector<Drawing> figures_of(const AuditResult& result) {
  std::vector<Drawing> drawings;
  const StatisticalAudit* audit = result.statistical();
  if (audit == nullptr) return drawings;
  Intervals intervals{"What the runs show, with confidence " + confidence_words(audit->error), "nats", {}};
  for (const AuditedLevel& level : audit->levels) {
    Intervals::Row row{
        level.title(), level.at_least, level.at_most, level.ceiling, std::nullopt, {}, game_words(level, *audit)};
    if (level.exact) row.exact = DrawnValue{rounded_value(*level.exact), exact_level_words(level)};
    for (const AuditedClaim& claim : level.claims) {
      row.claims.push_back({{rounded_value(claim.claimed), claim.claimed.text()}, claim.contradicted});
    }
    if (level.delta_at) intervals.unit = "nats; delta is a probability";
    intervals.rows.push_back(std::move(row));
  }
  if (!intervals.rows.empty()) drawings.push_back(draw(intervals));
  if (audit->curve && !audit->curve->points.empty()) drawings.push_back(draw_curve(*audit->curve));
  Sweep evidence{"Evidence against the claims over time", "runs", "log evidence", {}, {}};
  evidence.measure = "log evidence";
  evidence.bounds = "contradicted from";
  for (const AnytimeLevel& one : audit->history) {
    auto& line = evidence.lines.emplace_back(Sweep::Line{audit->levels.at(one.question).title(), one.threshold, {}});
    for (const std::size_t i : thinned(one.history.size(), 60)) {
      const auto runs = static_cast<double>(one.history[i].runs);
      line.points.push_back({runs,
                             std::to_string(one.history[i].runs),
                             {one.history[i].log_evidence, short_number(one.history[i].log_evidence)}});
    }
  }
  if (!evidence.lines.empty()) drawings.push_back(draw(evidence));
  return drawings;
}

}  // namespace oddsbound::reports
