// Shuffled reports: published and computed values, and everything against plain loops over all inputs of the other
// people and all histograms.
#include "verifier/notions/shuffled.h"

#include <doctest/doctest.h>

#include <map>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_prior.h"
#include "verifier/engine/shuffled_bits.h"
#include "verifier/engine/shuffled_draws.h"
#include "verifier/engine/shuffled_reports.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using Histogram = std::vector<std::uint64_t>;
using Masses = std::map<Histogram, Number>;
using ReportRows = std::vector<std::vector<Number>>;

Number parsed(const char* text) { return parse_number(text); }
Level shuffled_level(const std::string& text) { return as_level(evaluate_expression(text)); }

ReportRows k_randomized(std::size_t k, std::int64_t t) {
  const auto total = static_cast<std::int64_t>(k) + t - 1;
  ReportRows rows(k, std::vector<Number>(k, Number::ratio(1, total)));
  for (std::size_t x = 0; x < k; ++x) rows[x][x] = Number::ratio(t, total);
  return rows;
}

Model model_of(const ReportRows& rows) {
  return {domain_of_sizes({static_cast<std::uint32_t>(rows.size())}), channel_of_rows(rows), {}};
}

Arguments arguments_of(const Level& epsilon, const Number& delta) {
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  arguments.set("delta", delta);
  return arguments;
}

MeasuredNumber shuffled_delta(const Model& local, std::uint64_t people, const Level& epsilon,
                              const std::string& neighbors = "") {
  Budget budget;
  MeasuredModel subject(local, budget);
  Arguments arguments = arguments_of(epsilon, Number(0));
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  return std::get<MeasuredNumber>(approximate_dp_notion().decide_shuffled(subject, people, arguments).actual);
}

MeasuredNumber shuffled_delta_of_values(const Model& local, std::uint64_t people, std::size_t coordinate,
                                        const Level& epsilon) {
  Budget budget;
  MeasuredModel subject(local, budget);
  Arguments arguments = arguments_of(epsilon, Number(0));
  arguments.set("coordinate", Coordinates{{coordinate}});
  return std::get<MeasuredNumber>(approximate_bcdp_notion().decide_shuffled(subject, people, arguments).actual);
}

// Plain loops.

Masses one_more(const Masses& before, const std::vector<Number>& row) {
  Masses after;
  for (const auto& [histogram, mass] : before) {
    for (std::size_t y = 0; y < row.size(); ++y) {
      Histogram more = histogram;
      ++more[y];
      after[more] += mass * row[y];
    }
  }
  return after;
}

Number plain_excess(const Masses& p, const Masses& q, const Number& factor) {
  Number sum;
  for (const auto& [histogram, mass] : p) sum += std::max(Number(0), mass - factor * q.at(histogram));
  return sum;
}

void for_all_others(const ReportRows& rows, std::uint64_t people, std::size_t first, const Masses& so_far,
                    const std::function<void(const Masses&)>& visit) {
  if (people == 0) return visit(so_far);
  for (std::size_t x = first; x < rows.size(); ++x) {
    for_all_others(rows, people - 1, x, one_more(so_far, rows[x]), visit);
  }
}

Number plain_delta(const Model& local, std::uint64_t people, const Number& factor, bool by_coordinate) {
  const ReportRows rows = rows_of(*local.channel);
  Number worst;
  for_all_others(rows, people - 1, 0, {{Histogram(rows[0].size(), 0), Number(1)}}, [&](const Masses& others) {
    std::vector<Masses> given;
    for (const auto& row : rows) given.push_back(one_more(others, row));
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      for (std::uint64_t z = 0; z < rows.size(); ++z) {
        if (by_coordinate && differing(local.domain, x, z) > 1) continue;
        worst = std::max(worst, plain_excess(given[x], given[z], factor));
      }
    }
  });
  return worst;
}

Number plain_delta_of_values(const Model& local, std::uint64_t people, std::size_t coordinate, const Number& factor) {
  Budget budget;
  const ReportRows rows = rows_of(*local.channel);
  const std::vector<Number> prior = local.prior->dense(budget).weights;
  const std::size_t values = local.domain.values(coordinate);
  ReportRows given(values, std::vector<Number>(rows[0].size()));
  std::vector<Number> mass(values), drawn(rows[0].size());
  Number total;
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    const std::size_t a = local.domain.digit(x, coordinate);
    mass[a] += prior[x];
    total += prior[x];
    for (std::size_t y = 0; y < rows[x].size(); ++y) {
      given[a][y] += prior[x] * rows[x][y];
      drawn[y] += prior[x] * rows[x][y];
    }
  }
  for (Number& one : drawn) one /= total;
  Masses others{{Histogram(rows[0].size(), 0), Number(1)}};
  for (std::uint64_t k = 1; k < people; ++k) others = one_more(others, drawn);
  Number worst;
  for (std::size_t a = 0; a < values; ++a) {
    for (std::size_t b = 0; b < values; ++b) {
      if (mass[a].is_zero() || mass[b].is_zero()) continue;
      std::vector<Number> from = given[a], to = given[b];
      for (Number& one : from) one /= mass[a];
      for (Number& one : to) one /= mass[b];
      worst = std::max(worst, plain_excess(one_more(others, from), one_more(others, to), factor));
    }
  }
  return worst;
}

// The witness gives the events their probabilities: p - factor q is delta.
void check_event(const MeasuredNumber& delta, const Number& factor) {
  CHECK(delta.witness.p_from - factor * delta.witness.p_to == delta.at_least);
  CHECK(delta.witness.outputs.empty() == delta.at_least.is_zero());
}

}  // namespace

TEST_CASE("shuffled k-randomized response: exact deltas") {
  const auto delta = [](std::size_t k, std::uint64_t people, const char* level) {
    return shuffled_delta(model_of(k_randomized(k, 3)), people, shuffled_level(level)).at_least;
  };
  CHECK(delta(3, 8, "log(3/2)") == parsed("8461/156250"));
  CHECK(delta(3, 8, "log(2)") == parsed("5601/390625"));
  CHECK(delta(4, 6, "log(2)") == parsed("67/5184"));
  CHECK(delta(2, 8, "log(3/2)") == parsed("8019/131072"));
  // The worst number of other people with the same answer is not at an end.
  CHECK(delta(2, 3, "0") == parsed("5/16"));
  CHECK(delta(3, 8, "log(3)").is_zero());
}

TEST_CASE("shuffled randomized response: the least epsilon at delta = 1e-6") {
  const auto delta = [](std::int64_t t, std::uint64_t people, const char* level) {
    return shuffled_delta(model_of(k_randomized(2, t)), people, shuffled_level(level)).at_least;
  };
  const Number million = parsed("1e-6");
  CHECK(delta(3, 100, "0.5500655") > million);
  CHECK(delta(3, 100, "0.5500656") < million);
  CHECK(delta(3, 1000, "0.1420576") > million);
  CHECK(delta(3, 1000, "0.1420577") < million);
  CHECK(delta(9, 1000, "0.3772052") > million);
  CHECK(delta(9, 1000, "0.3772053") < million);
}

TEST_CASE("shuffled reports of a half-copied bit: exact deltas under the prior") {
  // x2 = x1 with probability 3/4; x2 is sent with 7/8.
  Budget budget;
  const Domain domain = domain_of_sizes({2, 2});
  const std::vector<Number> row0{Number::ratio(7, 8), Number::ratio(1, 8)}, row1{row0[1], row0[0]};
  std::vector<Number> weights{Number(3), Number(1), Number(1), Number(3)};
  const Model local{domain, channel_of_rows({row0, row1, row0, row1}), Prior::from_weights(domain, weights, budget)};
  const auto delta = [&](const char* level) {
    return shuffled_delta_of_values(local, 10, 0, shuffled_level(level)).at_least;
  };
  CHECK(delta("log(11/10)") == parsed("485/8192"));
  CHECK(delta("log(3/2)") == parsed("23/4096"));
  CHECK(delta("log(2)") == parsed("1/8192"));
  CHECK(delta("log(11/5)").is_zero());
}

TEST_CASE("deltas of shuffled reports are those of plain loops") {
  Random random(8101);
  for (int round = 0; round < effort(150, 25); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    const std::uint64_t people = 1 + below(random, model.channel->outputs() > 3 || model.domain.inputs() > 4 ? 2 : 4);
    for (const char* text : {"0", "log(5/4)", "log(2)", "log(7/2)", "1"}) {
      const Level level = shuffled_level(text);
      for (const bool by_coordinate : {false, true}) {
        const MeasuredNumber found = shuffled_delta(model, people, level, by_coordinate ? "coordinate" : "");
        CHECK(found.at_least == plain_delta(model, people, level.exponential(), by_coordinate));
        CHECK(!found.unfinished);
        CHECK(found.witness.p_from - level.exponential() * found.witness.p_to == found.at_least);
      }
    }
  }
}

TEST_CASE("deltas of shuffled bits are those of plain loops") {
  Random random(8102);
  for (int round = 0; round < effort(150, 25); ++round) {
    CAPTURE(round);
    ReportRows rows;
    for (std::size_t x = 0; x < 2 + below(random, 2); ++x) {
      const Number p = Number::ratio(static_cast<std::int64_t>(below(random, 9)), 8);
      rows.push_back({Number(1) - p, p});
    }
    const Model model = model_of(rows);
    const std::uint64_t people = 1 + below(random, 6);
    for (const char* text : {"0", "log(5/4)", "log(2)", "log(7/2)", "1"}) {
      const Level level = shuffled_level(text);
      const MeasuredNumber found = shuffled_delta(model, people, level);
      CHECK(found.at_least == plain_delta(model, people, level.exponential(), false));
      check_event(found, level.exponential());
    }
  }
}

TEST_CASE("deltas of shuffled reports under a prior are those of plain loops") {
  Random random(8103);
  for (int round = 0; round < effort(150, 25); ++round) {
    CAPTURE(round);
    Model model = random_model(random, Entries::kRational);
    if (!model.prior) model.prior = Prior::uniform(model.domain);
    const std::uint64_t people = 1 + below(random, 4);
    for (const char* text : {"0", "log(5/4)", "log(2)", "1"}) {
      const Level level = shuffled_level(text);
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        const MeasuredNumber found = shuffled_delta_of_values(model, people, i, level);
        CHECK(found.at_least == plain_delta_of_values(model, people, i, level.exponential()));
        check_event(found, level.exponential());
      }
    }
  }
}

TEST_CASE("bounds of deltas of shuffled reports enclose those of plain loops") {
  Random random(8104);
  for (int round = 0; round < effort(100, 20); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    const std::uint64_t people = 1 + below(random, model.channel->outputs() > 3 || model.domain.inputs() > 4 ? 2 : 4);
    Budget budget;
    const engine::LocalReports reports = engine::LocalReports::of(*model.channel, budget);
    std::vector<engine::RowPair> pairs;
    for (std::uint32_t a = 0; a < reports.rows.size(); ++a) {
      for (std::uint32_t b = 0; b < reports.rows.size(); ++b) {
        if (a != b) pairs.emplace_back(a, b);
      }
    }
    if (pairs.empty()) continue;
    for (const char* text : {"0", "log(5/4)", "log(2)", "1"}) {
      const Number factor = shuffled_level(text).exponential();
      const engine::ShuffledEvent found = engine::bounds_beside_any(reports, pairs, people, factor, budget);
      const Number delta = plain_delta(model, people, factor, false);
      CHECK(found.excess.lower <= delta);
      CHECK(delta <= found.excess.upper);
    }
  }
}

TEST_CASE("bounds from fewer classes of reports enclose the sums of all") {
  Random random(8105);
  for (int round = 0; round < effort(100, 20); ++round) {
    CAPTURE(round);
    Budget budget;
    std::vector<engine::DrawnReport> reports(2 + below(random, 5));
    Number drawn, p, q;
    const auto share = [&] { return Number(1 + static_cast<std::int64_t>(below(random, 9))); };
    for (engine::DrawnReport& report : reports) {
      drawn += report.drawn = share();
      p += report.p = share();
      q += report.q = share();
    }
    const Number sent = Number::ratio(1 + static_cast<std::int64_t>(below(random, 4)), 4);  // 1: nothing is left
    for (engine::DrawnReport& report : reports) {
      report.drawn = report.drawn / drawn * sent;
      report.p /= p;
      report.q /= q;
    }
    const std::uint64_t people = 1 + below(random, 12);
    const Number factor = parsed(round % 2 == 0 ? "5/4" : "exp(1/5)");
    const engine::DrawnExcess all = engine::excess_beside_draws(reports, people, factor, budget);
    REQUIRE(all.is_exact());
    for (const double most : {0.001, 8.0, 100.0, 1000.0}) {
      const engine::DrawnExcess bounds = engine::excess_beside_draws(reports, people, factor, budget, most);
      CHECK(bounds.excess.lower <= all.excess.lower);
      CHECK(all.excess.upper <= bounds.excess.upper);
    }
  }
}

TEST_CASE("levels of shuffled reports are those of one report") {
  Budget budget;
  const Model local = model_of(k_randomized(3, 3));
  MeasuredModel subject(local, budget);
  Arguments arguments;
  arguments.set("epsilon", shuffled_level("log(3)"));
  const Decision decision = ldp_notion().decide_shuffled(subject, 4, arguments);
  CHECK(decision.holds == Answer::kYes);
  CHECK(decision.tight == Answer::kYes);
  const Witness witness = std::get<MeasuredLevel>(decision.actual).witness.get();
  CHECK(witness.p_from == parsed("81/625"));
  CHECK(witness.p_to == parsed("27/625"));
  REQUIRE(witness.others.size() == 1);
  CHECK(witness.others[0].second == Number(3));
}

TEST_CASE("bounds of shuffled reports that are irrational enclose those that are near") {
  const auto at = [](const char* low, const char* high, std::uint64_t people, const char* level) {
    Budget budget;
    const Number p = parsed(low), q = parsed(high);
    return engine::largest_excess_of_bits({p, q, q, p, people}, shuffled_level(level).exponential(), budget);
  };
  // 1/(1+e) is between 0.2689414 and 0.2689415.
  for (const char* level : {"0", "0.1", "0.3", "0.9"}) {
    const auto irrational = at("1/(1+exp(1))", "exp(1)/(1+exp(1))", 200, level);
    const auto wide = at("0.2689414", "0.7310586", 200, level), narrow = at("0.2689415", "0.7310585", 200, level);
    CHECK(irrational.excess.lower < irrational.excess.upper);
    CHECK(narrow.excess.upper < irrational.excess.lower);
    CHECK(irrational.excess.upper < wide.excess.lower);
    CHECK(irrational.excess.upper < irrational.excess.lower * parsed("1.0000000001"));
  }
}

TEST_CASE("exponents that are fine in different ways are no obstacle") {
  const Number e = parsed("exp(1)"), keep = e / (e + Number(1)), lie = Number(1) - keep;
  Model local = model_of({{keep, lie}, {lie, keep}});
  local.prior = Prior::uniform(local.domain);
  const Level level = shuffled_level("0.1234567");
  const MeasuredNumber any = shuffled_delta(local, 300, level);
  const MeasuredNumber draws = shuffled_delta_of_values(local, 300, 0, level);
  for (const MeasuredNumber& delta : {any, draws}) {
    CHECK(delta.at_least < delta.at_most());
    CHECK(delta.at_most() < delta.at_least * parsed("1.0000000001"));
  }
  CHECK(draws.at_most() < any.at_least);
}

TEST_CASE("bounds of draws that are irrational enclose those that are near") {
  Budget budget;
  const Number factor = parsed("5/4");
  const auto at = [&](const char* low) {
    const Number p = parsed(low), half = Number::ratio(1, 2), q = Number(1) - p;
    return engine::excess_beside_draws({{half, q, p}, {half, p, q}}, 40, factor, budget);
  };
  const auto irrational = at("1/(1+exp(1))"), wide = at("0.2689414"), narrow = at("0.2689415");
  CHECK(narrow.is_exact());
  CHECK(!irrational.is_exact());
  CHECK(narrow.excess.upper < irrational.excess.lower);
  CHECK(irrational.excess.upper < wide.excess.lower);
}

TEST_CASE("a delta that may be tiny is above 0 if n equal reports show it") {
  // Irrational probabilities and a level just above epsilon: the bounds alone do not exclude 0.
  const Number truth = parsed("exp(1)/(2 + exp(1))"), other = parsed("1/(2 + exp(1))");
  const ReportRows rows{{truth, other, other}, {other, truth, other}, {other, other, truth}};
  const Level epsilon = shuffled_level("9/10");
  const Number factor = epsilon.exponential();
  for (const std::uint64_t people : {200, 400}) {
    const MeasuredNumber delta = shuffled_delta(model_of(rows), people, epsilon);
    CHECK(delta.at_least > Number(0));
    CHECK(delta.at_least <= delta.at_most());
    if (!delta.witness.unlisted && delta.witness.outputs.size() == 1) {
      CHECK(delta.witness.p_from - factor * delta.witness.p_to == delta.at_least);
    }
    // At the level itself, delta is 0.
    const MeasuredNumber none = shuffled_delta(model_of(rows), people, shuffled_level("1"));
    CHECK(none.at_least.is_zero());
    CHECK(none.at_most().is_zero());
  }
}
