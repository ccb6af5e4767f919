// f-DP: shortfalls computed by hand, products by their parts, and all of it against plain loops over tests.
#include "verifier/notions/f_dp.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using CurvePoints = std::vector<std::vector<Number>>;

Decision decide_curve(const Model& model, const CurvePoints& points, const Number& delta = Number(0),
                      const std::string& neighbors = "") {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("f", Table{points});
  if (!delta.is_zero()) arguments.set("delta", delta);
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  return f_dp_notion().decide(subject, arguments);
}

MeasuredNumber shortfall_of(const Model& model, const CurvePoints& points, const std::string& neighbors = "") {
  return std::get<MeasuredNumber>(decide_curve(model, points, Number(0), neighbors).actual);
}

Number curve_number(const std::string& text) { return parse_number(text); }

CurvePoints curve_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  CurvePoints points;
  for (const auto& [x, y] : texts) points.push_back({curve_number(x), curve_number(y)});
  return points;
}

Number height_at(const CurvePoints& points, const Number& x) {
  for (std::size_t k = 1; k < points.size(); ++k) {
    const auto& left = points[k - 1];
    const auto& right = points[k];
    if (x <= right[0]) return left[1] + (right[1] - left[1]) * (x - left[0]) / (right[0] - left[0]);
  }
  return Number(0);
}

// Over the vertices of the trade-off curves: f is convex, and the curves are linear between these.
Number plain_shortfall(const Model& model, const CurvePoints& points, bool by_coordinate) {
  const auto rows = rows_of(*model.channel);
  Number largest(0);
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t z = 0; z < rows.size(); ++z) {
      if (by_coordinate && differing(model.domain, x, z) > 1) continue;
      const auto [from, to] = merged_outputs(rows[x], rows[z]);
      for (const ErrorPair& test : tradeoff_curve(from, to)) {
        largest = std::max(largest, height_at(points, test.type_one) - test.type_two);
      }
    }
  }
  return largest;
}

// Convex, with values at multiples of 1/8 that fall by sorted steps.
CurvePoints random_curve(Random& random) {
  std::vector<std::uint64_t> steps(8);
  for (auto& step : steps) step = below(random, 4) * below(random, 4);
  std::sort(steps.begin(), steps.end(), std::greater<>());
  std::uint64_t total = 1 + below(random, 3);
  for (const std::uint64_t step : steps) total += step;
  CurvePoints points;
  std::int64_t left = 0;
  for (const std::uint64_t step : steps) left += static_cast<std::int64_t>(step);
  for (std::size_t k = 0; k <= steps.size(); ++k) {
    points.push_back(
        {Number::ratio(static_cast<std::int64_t>(k), 8), Number::ratio(left, static_cast<std::int64_t>(total))});
    if (k < steps.size()) left -= static_cast<std::int64_t>(steps[k]);
  }
  return points;
}

}  // namespace

TEST_CASE("shortfalls that are computed by hand") {
  const Number keep = Number::ratio(3, 4), lie = Number::ratio(1, 4);
  const Model answer{domain_of_sizes({2}), channel_of_rows({{keep, lie}, {lie, keep}}), {}};
  CHECK(shortfall_of(answer, curve_of({{"0", "1"}, {"1/4", "1/4"}, {"1", "0"}})).at_least.is_zero());
  CHECK(decide_curve(answer, curve_of({{"0", "1"}, {"1/4", "1/4"}, {"1", "0"}})).holds == Answer::kYes);
  // At the type one error 1/4 the curve through (1/2, 1/4) is at 5/8, and the best test errs with 1/4.
  const auto bent = curve_of({{"0", "1"}, {"1/2", "1/4"}, {"1", "0"}});
  CHECK(shortfall_of(answer, bent).at_least == Number::ratio(3, 8));
  CHECK(decide_curve(answer, bent).holds == Answer::kNo);
  CHECK(decide_curve(answer, bent, Number::ratio(3, 8)).holds == Answer::kYes);
  CHECK(decide_curve(answer, bent, Number::ratio(374, 1000)).holds == Answer::kNo);
  // Nothing is claimed.
  CHECK(shortfall_of(answer, curve_of({{"0", "0"}, {"1", "0"}})).at_least.is_zero());
  // An output that identifies the input: a test never errs on it.
  const Model shown{domain_of_sizes({2}), channel_of_rows({{Number(1), Number(0)}, {Number(0), Number(1)}}), {}};
  CHECK(shortfall_of(shown, curve_of({{"0", "9/10"}, {"1", "0"}})).at_least == Number::ratio(9, 10));
}

TEST_CASE("shortfalls are those of all tests") {
  Random random(7115);
  int positive = 0, zero = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    const CurvePoints points = random_curve(random);
    for (const bool by_coordinate : {false, true}) {
      const MeasuredNumber found = shortfall_of(model, points, by_coordinate ? "coordinate" : "");
      const Number plain = plain_shortfall(model, points, by_coordinate);
      CHECK(found.at_least == plain);
      CHECK(!found.unfinished);
      CHECK(found.kind == NumberKind::kShortfall);
      (plain.is_zero() ? zero : positive) += 1;
    }
  }
  CHECK(positive > 20);
  CHECK(zero > 20);
}

TEST_CASE("the shortfall of a product is that of its parts") {
  Random random(7116);
  for (int round = 0; round < effort(20, 5, 1); ++round) {
    CAPTURE(round);
    const auto kept = [&] {
      const Number keep = Number::ratio(21 + static_cast<std::int64_t>(below(random, 9)), 40);
      return channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
    };
    const ChannelPtr first = kept(), second = kept();
    std::vector<Factor> factors;
    for (int run = 0; run < 7; ++run) {
      factors.push_back({first, {0}});
      factors.push_back({second, {1}});
    }
    const Model product{
        domain_of_sizes({2, 2}), std::make_shared<ProductChannel>(domain_of_sizes({2, 2}), factors), {}};
    REQUIRE(has_losses_by_parts(*product.channel));
    const CurvePoints points = random_curve(random);
    CHECK(shortfall_of(product, points).at_least == plain_shortfall(product, points, false));
    CHECK(shortfall_of(product, points, "coordinate").at_least == plain_shortfall(product, points, true));
  }
}

TEST_CASE("approximate DP is f-DP with a curve of two lines and their mirror images") {
  Random random(7117);
  for (int round = 0; round < effort(200, 40); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    const Number factor(1 + static_cast<std::int64_t>(below(random, 4)));
    const Number delta = Number::ratio(static_cast<std::int64_t>(below(random, 5)), 5);
    const Number rest = Number(1) - delta, middle = rest / (Number(1) + factor);
    CurvePoints points{{Number(0), rest}};
    if (middle.sign() > 0) points.push_back({middle, middle});
    if (rest.sign() > 0 && rest < Number(1)) points.push_back({rest, Number(0)});
    points.push_back({Number(1), Number(0)});
    Budget budget;
    MeasuredModel subject(model, budget);
    Arguments arguments;
    arguments.set("epsilon", Level::of_exponential(factor));
    arguments.set("delta", delta);
    CHECK(decide_curve(model, points).holds == approximate_dp_notion().decide(subject, arguments).holds);
  }
}
