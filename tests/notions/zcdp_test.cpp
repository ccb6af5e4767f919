// Zero-concentrated DP: rho of mechanisms with known values, which inputs are compared, and verdicts at the bounds.
#include "verifier/notions/zcdp.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/measures/cumulant.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/delta_by_parts.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using Rows = std::vector<std::vector<Number>>;

Level rho_level(const std::string& text) { return as_level(evaluate_expression(text)); }

Model model_of_rows(const Rows& rows, std::vector<std::size_t> sizes = {}) {
  if (sizes.empty()) sizes = {rows.size()};
  std::vector<Coordinate> coordinates;
  for (const std::size_t size : sizes) {
    Coordinate coordinate{"x" + std::to_string(coordinates.size()), {}};
    for (std::size_t v = 0; v < size; ++v) coordinate.values.push_back(std::to_string(v));
    coordinates.push_back(std::move(coordinate));
  }
  return {Domain(coordinates), channel_of_rows(rows), {}};
}

Decision decide_rho(const Model& model, const FieldValue& rho, const std::string& neighbors = "",
                    const std::optional<CoordinateGroups>& records = {}) {
  Arguments arguments;
  arguments.set("rho", rho);
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  if (records) arguments.set("records", *records);
  Budget budget;
  MeasuredModel subject(model, budget);
  return zcdp_notion().decide(subject, arguments);
}

MeasuredLevel rho_of(const Model& model, const std::string& neighbors = "",
                     const std::optional<CoordinateGroups>& records = {}) {
  return std::get<MeasuredLevel>(decide_rho(model, Level::infinite(), neighbors, records).actual);
}

double lower_rho(const MeasuredLevel& level) { return std::stod(decimal_bounds(level.at_least).lower); }
double upper_rho(const MeasuredLevel& level) { return std::stod(decimal_bounds(level.at_most()).upper); }

void check_rho(const MeasuredLevel& level, double rho) {
  CHECK(lower_rho(level) <= rho + 2e-9);
  CHECK(upper_rho(level) >= rho - 2e-9);
  CHECK(upper_rho(level) - lower_rho(level) <= 1e-8 * rho);
}

// Noise proportional to exp(-k^2 / (2 variance)), rounded to doubles, then clamped to the window.
std::vector<Number> gaussian_row(std::int64_t count, int variance, std::int64_t least, std::int64_t greatest) {
  constexpr std::int64_t kReach = 40;
  std::vector<Number> row(static_cast<std::size_t>(greatest - least + 1), Number(0));
  for (std::int64_t k = -kReach; k <= kReach; ++k) {
    const std::int64_t y = std::clamp(count + k, least, greatest) - least;
    row[static_cast<std::size_t>(y)] += number_of(std::exp(static_cast<double>(-k * k) / (2.0 * variance)));
  }
  const Number sum = sum_of(row);
  for (Number& number : row) number /= sum;
  return row;
}

Rows gaussian_rows(int variance, std::int64_t least, std::int64_t greatest) {
  return {gaussian_row(0, variance, least, greatest), gaussian_row(1, variance, least, greatest)};
}

std::vector<Number> product_row(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::vector<Number> row;
  for (const Number& left : a) {
    for (const Number& right : b) row.push_back(left * right);
  }
  return row;
}

std::vector<Number> exponential_row(const std::vector<std::int64_t>& utility) {
  std::vector<Number> row;
  for (const std::int64_t u : utility) row.push_back(Number::exp_of(Number(u)));
  const Number sum = sum_of(row);
  for (Number& number : row) number /= sum;
  return row;
}

Rows two_answers(const Number& odds) {
  const Number yes = odds / (odds + Number(1)), no = Number(1) - yes;
  return {{yes, no}, {no, yes}};
}

}  // namespace

TEST_CASE("rho of mechanisms whose values are known") {
  check_rho(rho_of(model_of_rows(two_answers(Number::exp_of(Number(1))))), 0.462117157);
  check_rho(rho_of(model_of_rows(two_answers(Number(3)))), 0.549306144);
  check_rho(rho_of(model_of_rows(two_answers(Number::exp_of(Number(4))))), 3.856110320);
  check_rho(rho_of(model_of_rows(gaussian_rows(1, 0, 1))), 0.337018754);
  check_rho(rho_of(model_of_rows(gaussian_rows(1, -1, 2))), 0.474234636);
  check_rho(rho_of(model_of_rows(gaussian_rows(1, -3, 4))), 0.499948814);
  const Rows wide = gaussian_rows(4, -3, 4);
  check_rho(rho_of(model_of_rows(wide)), 0.122616975);
  // A record moves from one cell to another: both counts change.
  check_rho(rho_of(model_of_rows({product_row(wide[0], wide[1]), product_row(wide[1], wide[0])})), 0.245233949);
  const MeasuredLevel selection = rho_of(model_of_rows({exponential_row({0, 0}), exponential_row({1, 0})}));
  check_rho(selection, 0.121316386);
  REQUIRE(selection.witness.get().order);
  CHECK(selection.witness.get().order->approx() == doctest::Approx(1.492).epsilon(2e-3));
  // The other direction has the larger value.
  const Rows scores = {exponential_row({0, 1, 1}), exponential_row({1, 0, 0})};
  Budget budget;
  std::uint64_t terms = 0;
  std::vector<PairedMass> masses;
  for (std::size_t y = 0; y < 3; ++y) masses.push_back({scores[0][y], scores[1][y]});
  CHECK(bounds_of_rho(masses, {}, terms, budget).at_least == doctest::Approx(0.378725103).epsilon(3e-9));
  check_rho(rho_of(model_of_rows(scores)), 0.464981438);
}

TEST_CASE("a claim holds above the upper bound, is refuted below the lower one, and the pair and the order show it") {
  const Model model = model_of_rows({exponential_row({0, 0}), exponential_row({1, 0})});
  CHECK(decide_rho(model, rho_level("1/8")).holds == Answer::kYes);
  CHECK(decide_rho(model, rho_level("0.121317")).holds == Answer::kYes);
  const Decision refuted = decide_rho(model, rho_level("0.121316"));
  CHECK(refuted.holds == Answer::kNo);
  REQUIRE(refuted.witness);
  REQUIRE(refuted.witness->order);
  CHECK(refuted.witness->outputs.empty());
  CHECK(refuted.witness->from != refuted.witness->to);
  CHECK(!decide_rho(model, rho_level("1/8")).witness);
  // A claim between the bounds: the search computes tighter ones.
  const MeasuredLevel found = rho_of(model);
  const Level between = Level::of_exponential(Number::exp_of(number_of((lower_rho(found) + upper_rho(found)) / 2)));
  const Decision near = decide_rho(model, between);
  const auto& level = std::get<MeasuredLevel>(near.actual);
  CHECK(upper_rho(level) - lower_rho(level) < (upper_rho(found) - lower_rho(found)) / 8);
  CHECK(near.holds != Answer::kOpen);
}

TEST_CASE("a level that is rho itself stays undecided, and the reason and the bounds say so") {
  const Decision decision = decide_rho(model_of_rows(two_answers(Number(3))), rho_level("log(sqrt(3))"));
  CHECK(decision.holds == Answer::kOpen);
  CHECK(open_reason(decision.actual) == "nearer bounds do not tell it from what is claimed");
  const auto& level = std::get<MeasuredLevel>(decision.actual);
  CHECK(level.at_least < rho_level("log(sqrt(3))"));
  CHECK(level.at_most() > rho_level("log(sqrt(3))"));
}

TEST_CASE("an output that one neighbor never has makes rho infinite, and equal rows make it 0") {
  const Number half = Number::ratio(1, 2);
  const Model never = model_of_rows({{half, half}, {Number(1), Number(0)}});
  const Decision infinite = decide_rho(never, rho_level("1000"));
  CHECK(infinite.holds == Answer::kNo);
  REQUIRE(infinite.witness);
  CHECK(infinite.witness->outputs.size() == 1);
  CHECK(infinite.witness->p_from == half);
  CHECK(infinite.witness->p_to.is_zero());
  CHECK(decide_rho(never, Level::infinite()).holds == Answer::kYes);
  for (const std::size_t inputs : {std::size_t{1}, std::size_t{3}}) {
    const Decision none = decide_rho(model_of_rows(Rows(inputs, {half, half})), Level());
    CHECK(none.holds == Answer::kYes);
    CHECK(!std::get<MeasuredLevel>(none.actual).unfinished);
    CHECK(std::get<MeasuredLevel>(none.actual).at_least == Level());
  }
}

TEST_CASE("neighbors differ in one coordinate, within a record, or at all; levels by coordinate are about that one") {
  // Coordinates 0 and 1 are each answered separately, with odds 2 and 3; the third is not released.
  Rows rows;
  const Rows first = two_answers(Number(2)), second = two_answers(Number(3));
  for (const auto& a : first) {
    for (const auto& b : second) {
      for (int c = 0; c < 2; ++c) rows.push_back(product_row(a, b));
    }
  }
  const Model model = model_of_rows(rows, {2, 2, 2});
  const double two = std::log(2.0) / 3, three = std::log(3.0) / 2;
  check_rho(rho_of(model), two + three);
  check_rho(rho_of(model, "coordinate"), three);
  check_rho(rho_of(model, "record"), two + three);
  check_rho(rho_of(model, "record", CoordinateGroups{{{0, 2}, {1}}}), three);
  CoordinateLevels claimed(3);
  claimed[0] = rho_level("0.2311");
  claimed[2] = Level();
  CHECK(decide_rho(model, claimed).holds == Answer::kYes);
  claimed[0] = rho_level("0.231");
  const Decision refuted = decide_rho(model, claimed);
  CHECK(refuted.holds == Answer::kNo);
  const auto& levels = std::get<NamedLevels>(refuted.actual);
  REQUIRE(levels.size() == 2);
  check_rho(levels[0].second, two);
  CHECK(levels[1].second.at_least == Level());
  REQUIRE(refuted.witness);
  CHECK(refuted.witness->coordinate == "x0");
}

TEST_CASE("the largest rho is that of some pair, and no pair of neighbors has more") {
  Random random(21);
  Budget budget;
  for (int round = 0; round < effort(60, 10); ++round) {
    const Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    if (model.domain.inputs() > 16) continue;
    const MeasuredLevel found = rho_of(model);
    const Rows rows = rows_of(*model.channel);
    double largest = 0;
    for (std::size_t x = 0; x < rows.size(); ++x) {
      for (std::size_t z = 0; z < rows.size(); ++z) {
        std::vector<PairedMass> masses;
        bool infinite = false;
        for (std::size_t y = 0; y < rows[x].size(); ++y) {
          infinite |= rows[z][y].is_zero() && !rows[x][y].is_zero();
          masses.push_back({rows[x][y], rows[z][y]});
        }
        std::uint64_t terms = 0;
        largest = std::max(largest, infinite ? HUGE_VAL : bounds_of_rho(masses, {}, terms, budget).at_least);
      }
    }
    CHECK(found.at_least.is_infinite() == std::isinf(largest));
    if (found.at_least.is_infinite()) continue;
    CHECK(largest <= upper_rho(found) * (1 + 1e-12));
    CHECK(lower_rho(found) <= largest * (1 + 1e-8));
    CHECK(upper_rho(found) <= lower_rho(found) * (1 + 1e-8));
  }
}

namespace {

// A channel on these coordinates; without zeros unless `zeros`.
Factor random_part(Random& random, const Domain& domain, std::vector<std::size_t> coordinates, bool zeros,
                   Entries entries) {
  const Domain own = domain.restricted_to(coordinates);
  Rows rows = rows_of(*random_channel(random, own, entries, 3));
  if (below(random, 3) == 0) rows[0] = rows.back();
  const Number each = Number::ratio(1, static_cast<std::int64_t>(2 * rows[0].size()));
  for (auto& row : rows) {
    for (Number& entry : row) entry = zeros ? entry : entry / Number(2) + each;
  }
  return {channel_of_rows(rows), std::move(coordinates)};
}

std::uint64_t input_number(const Domain& domain, const std::vector<std::string>& values) {
  InputRow row;
  for (std::size_t i = 0; i < values.size(); ++i) {
    row.push_back(static_cast<std::uint32_t>(domain.find_value(i, values[i]).value()));
  }
  return domain.number(row);
}

// A product with more outputs than are listed.
Model wide_product(Random& random, bool zeros, Entries entries) {
  const Domain domain = random_domain(random, 3, 3);
  std::vector<Factor> parts;
  for (double outputs = 1; outputs <= 4096;) {
    std::vector<std::size_t> seen;
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if (below(random, 2) == 0) seen.push_back(i);
    }
    if (seen.empty()) continue;
    const Factor part = random_part(random, domain, seen, zeros, entries);
    for (std::uint64_t times = 1 + below(random, 6); times > 0 && outputs <= 4096; --times) {
      if (part.channel->outputs() < 2) break;
      parts.push_back(part);
      outputs *= static_cast<double>(part.channel->outputs());
    }
  }
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(parts)), {}};
}

}  // namespace

TEST_CASE("rho of a product by its parts is that of the list of its outputs, and its witness shows it") {
  Random random(22);
  Budget budget;
  std::size_t infinite = 0, finite = 0, by_coordinate = 0;
  for (int round = 0; round < effort(36, 12, 8); ++round) {
    const Model model = wide_product(random, round % 4 == 3, round % 6 == 0 ? Entries::kWithExp : Entries::kRational);
    REQUIRE(notions::has_losses_by_parts(*model.channel));
    const Rows rows = rows_of(*model.channel);
    const Model listed{model.domain, channel_of_rows(rows), {}};
    const std::string neighbors = round % 3 == 0 ? "coordinate" : "all";
    by_coordinate += neighbors == "coordinate" ? 1 : 0;
    const MeasuredLevel found = rho_of(model, neighbors), expected = rho_of(listed, neighbors);
    CAPTURE(round);
    REQUIRE(found.at_least.is_infinite() == expected.at_least.is_infinite());
    const Witness& witness = found.witness.get();
    const auto &inputs_from = std::get<std::vector<std::string>>(witness.from),
               &inputs_to = std::get<std::vector<std::string>>(witness.to);
    const std::uint64_t from = input_number(model.domain, inputs_from), to = input_number(model.domain, inputs_to);
    std::size_t different = 0;
    for (std::size_t i = 0; i < model.domain.size(); ++i) different += inputs_from[i] != inputs_to[i] ? 1 : 0;
    if (neighbors == "coordinate") CHECK(different <= 1);
    if (found.at_least.is_infinite()) {
      ++infinite;
      REQUIRE(witness.outputs.size() == 1);
      std::uint64_t y = 0;
      while (model.channel->output_label(y) != witness.outputs[0]) ++y;
      CHECK(rows[from][y] == witness.p_from);
      CHECK(!witness.p_from.is_zero());
      CHECK(witness.p_to.is_zero());
      CHECK(rows[to][y].is_zero());
      continue;
    }
    if (expected.at_least == Level()) {
      CHECK(found.at_most() == Level());
      continue;
    }
    ++finite;
    CHECK(lower_rho(found) <= upper_rho(expected));
    CHECK(lower_rho(expected) <= upper_rho(found));
    CHECK(upper_rho(found) - lower_rho(found) <= 1e-8 * upper_rho(found));
    std::vector<PairedMass> masses;
    for (std::size_t y = 0; y < rows[from].size(); ++y) masses.push_back({rows[from][y], rows[to][y]});
    const double beyond = (*witness.order - Number(1)).approx();
    CHECK(rho_at(masses, beyond, budget).at_most >= lower_rho(found));
  }
  CHECK(infinite > 0);
  CHECK(finite > 0);
  CHECK(by_coordinate > 0);
}

TEST_CASE("rho of n equal runs is n times that of one, for any n, and of a record the sum of its parts") {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}, {"unseen", {"0", "1"}}});
  const ChannelPtr two = channel_of_rows(two_answers(Number(2))), three = channel_of_rows(two_answers(Number(3)));
  std::vector<Factor> parts(1000, {two, {0}});
  parts.resize(1700, {three, {1}});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), {}};
  const double of_a = 1000 * std::log(2.0) / 3, of_b = 700 * std::log(3.0) / 2;
  check_rho(rho_of(model), of_a + of_b);
  check_rho(rho_of(model, "coordinate"), of_b);
  check_rho(rho_of(model, "record", CoordinateGroups{{{0, 2}, {1}}}), of_b);
  CHECK(rho_of(model, "record", CoordinateGroups{{{2}}}).at_most() == Level());
  CoordinateLevels claimed(3);
  claimed[0] = rho_level("232");
  claimed[2] = Level();
  const Decision holds = decide_rho(model, claimed);
  CHECK(holds.holds == Answer::kYes);
  check_rho(std::get<NamedLevels>(holds.actual)[0].second, of_a);
  claimed[0] = rho_level("231");
  CHECK(decide_rho(model, claimed).holds == Answer::kNo);
}

TEST_CASE("the step from pure levels to rho that is a slip for all but selections is refuted") {
  // e^2 / 8 is the rho of a selection whose scores change by e / 2. Randomized response is not such a selection.
  const Model model = model_of_rows(two_answers(Number::exp_of(Number(1))));
  CHECK(decide_rho(model, rho_level("1/8")).holds == Answer::kNo);
  CHECK(decide_rho(model, rho_level("1/2")).holds == Answer::kYes);
}
