#include "verifier/notions/f_dp.h"

#include <algorithm>
#include <utility>

#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/stated.h"

namespace oddsbound::notions {

namespace {

constexpr const char* kCurve = "f";
constexpr const char* kDelta = "delta";

// The condition delta(factor) <= most of approximate_dp that says that a line is below the curves. An excess of the
// delta is a shortfall of `weight` times as much.
struct Line {
  Number factor;  // >= 1
  Number most;
  Number weight;
};

// The line b - s a. For s < 1 the two hypotheses are exchanged: delta(s) = 1 - s + s delta'(1 / s), with the divergence
// delta' of the other direction.
Line line_of(const std::vector<Number>& left, const std::vector<Number>& right) {
  const Number slope = (left[1] - right[1]) / (right[0] - left[0]);
  const Number height = left[1] + slope * left[0];
  if (slope >= Number(1)) return {slope, Number(1) - height, Number(1)};
  return {Number(1) / slope, Number(1) - height / slope, slope};
}

// Where f is 0, nothing is claimed.
std::vector<Line> lines_of(const Table& curve) {
  std::vector<Line> lines;
  for (std::size_t k = 0; k + 1 < curve.rows.size(); ++k) {
    if (curve.rows[k][1] > curve.rows[k + 1][1]) lines.push_back(line_of(curve.rows[k], curve.rows[k + 1]));
  }
  return lines;
}

Number claimed_shortfall(const Arguments& arguments) { return arguments.find<Number>(kDelta).value_or(Number(0)); }

// The delta of a line with this shortfall.
Number allowed_delta(const Line& line, const Number& shortfall) { return line.most + shortfall / line.weight; }

MeasuredNumber shortfall_at(MeasuredModel& subject, const Arguments& arguments, const Line& line,
                            const Number& claimed) {
  Arguments own = arguments;
  own.set("epsilon", Level::of_exponential(line.factor));
  own.set(kDelta, std::min(Number(1), allowed_delta(line, claimed)));
  MeasuredNumber found = measured_delta(subject, own);
  const auto excess = [&](const Number& delta) { return std::max(Number(0), line.weight * (delta - line.most)); };
  if (found.unfinished) found.unfinished->at_most = excess(found.unfinished->at_most);
  found.at_least = excess(found.at_least);
  return found;
}

// The sum of max(0, P(y) - factor Q(y)) is at most the delta of each line.
Statement state_curve(const Model& model, const Arguments& arguments, Budget& budget) {
  const std::vector<Line> lines = lines_of(arguments.get<Table>(kCurve));
  Statement statement;
  statement.begin_bound();
  const Number shortfall = claimed_shortfall(arguments);
  statement.add_attained(Formula::equal(shortfall, Number(0)));
  for_rows_of_neighbors(model, neighborhoods(model.domain, arguments), budget,
                        [&](DistributionView p, DistributionView q) {
                          for (const Line& line : lines) {
                            std::vector<Amount> excess;
                            for (std::size_t y = 0; y < p.size(); ++y) {
                              budget.check_every();
                              const Number most = line.factor * q[y];
                              excess.push_back(Amount::where(Formula::greater(p[y], most), p[y] - most));
                            }
                            const Amount sum = Amount::sum(std::move(excess));
                            const Number delta = allowed_delta(line, shortfall);
                            statement.add_violation(Formula::greater(sum, delta));
                            statement.add_attained(Formula::equal(sum, delta));
                          }
                        });
  return statement;
}

// The lines themselves.
Definition imply_lines(const Model& model, const Arguments& arguments, const InputSubset& inputs) {
  std::vector<ImpliedDelta> bounds;
  for (const Line& line : lines_of(arguments.get<Table>(kCurve))) {
    bounds.push_back({Level::of_exponential(line.factor), allowed_delta(line, claimed_shortfall(arguments))});
  }
  Definition definition;
  add_implied(definition, comparison_of_neighbors(model.domain, inputs, neighborhoods(model.domain, arguments)),
              bounds);
  return definition;
}

MeasuredNumber measured_shortfall(MeasuredModel& subject, const Arguments& arguments, const Number& claimed) {
  std::optional<MeasuredNumber> worst;
  Number at_most(0);
  std::string reason;
  for (const Line& line : lines_of(arguments.get<Table>(kCurve))) {
    MeasuredNumber own = shortfall_at(subject, arguments, line, claimed);
    if (own.unfinished && own.at_most() > at_most) reason = "it follows from deltas: " + own.unfinished->reason;
    at_most = std::max(at_most, own.at_most());
    if (!worst || own.at_least > worst->at_least) worst = std::move(own);
  }
  if (!worst || worst->at_least.is_zero()) worst = no_delta(subject.domain());
  worst->unfinished.reset();
  if (at_most > worst->at_least) worst->unfinished = MeasuredNumber::Unfinished{at_most, reason};
  worst->kind = NumberKind::kShortfall;
  return *std::move(worst);
}

std::optional<std::pair<std::string, std::string>> complaint_about_curve(const Domain& domain,
                                                                         const Arguments& arguments) {
  const auto complaint = [](const std::string& message) { return std::pair(std::string(kCurve), message); };
  const auto& points = arguments.get<Table>(kCurve).rows;
  if (!points.front()[0].is_zero()) return complaint("found a first point that is not at 0, expected [0, f(0)]");
  if (!points.back()[0].is_one() || !points.back()[1].is_zero()) {
    return complaint("found a last point that is not [1, 0], where every trade-off curve ends");
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (points[k][1].sign() < 0 || points[k][1] > Number(1)) {
      return complaint("the value at point " + std::to_string(k) + " is not between 0 and 1");
    }
    if (k > 0 && points[k][0] <= points[k - 1][0]) {
      return complaint("point " + std::to_string(k) + " is not to the right of the one before");
    }
    if (k < 2) continue;
    const auto rise = [&](std::size_t at) {
      return (points[at][1] - points[at - 1][1]) / (points[at][0] - points[at - 1][0]);
    };
    if (rise(k) < rise(k - 1)) {
      return complaint("the curve is not convex at point " + std::to_string(k - 1) +
                       ", and trade-off curves are convex");
    }
  }
  return complaint_about_records(domain, arguments);
}

}  // namespace

Notion f_dp_notion() {
  Field curve{kCurve, FieldKind::kPoints};
  Field delta{kDelta, FieldKind::kProbability, false};
  return {.name = "f_dp",
          .summary =
              "f-differential privacy: between neighbors, no test has a smaller type two error than f of its type "
              "one error, minus delta",
          .source = "Dong, Roth and Su, Gaussian Differential Privacy (2022), Definition 3",
          .fields = with_neighbors({std::move(curve), std::move(delta)}),
          .form = ClaimForm::kNumber,
          .decide =
              [](MeasuredModel& subject, const Arguments& arguments) {
                const Number claimed = arguments.find<Number>(kDelta).value_or(Number(0));
                return decide_number(measured_shortfall(subject, arguments, claimed), claimed);
              },
          .state = state_curve,
          .imply = imply_lines,
          .complaint = complaint_about_curve,
          .unbounded = true,
          .locking = {.bounds = {kDelta}}};
}

}  // namespace oddsbound::notions
