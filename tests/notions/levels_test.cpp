// The exact engine against the definitions on random models, and invariances of levels.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "mechanisms/k_randomized_response.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_model.h"
#include "verifier/measures/correlation.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// Checks that the level equals the quotient of its witness, recomputed from the channel.
void check_witness(const Model& model, const InputLevel& level) {
  const InputPair pair = level.witness.get();
  const Number p = model.channel->entry_at(model.domain, pair.from, pair.output);
  const Number q = model.channel->entry_at(model.domain, pair.to, pair.output);
  CHECK(p.sign() > 0);
  CHECK(level_between(p, q) == level.at_least);
}

Number conditional_of(const Model& model, std::size_t i, std::size_t value, const std::vector<std::uint64_t>& output) {
  Number joint, mass;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    if (model.domain.digit(x, i) != value) continue;
    joint += model.prior->probability(x) * model.channel->entry_of(x, output);
    mass += model.prior->probability(x);
  }
  return joint / mass;
}

void check_all_levels(const Model& model) {
  Budget budget;
  MeasuredModel subject(model, budget);
  CHECK(ldp_level(subject).at_least == naive_ldp(model));
  check_witness(model, ldp_level(subject));
  CHECK(bdp_level(subject).at_least == naive_bdp(model));
  check_witness(model, bdp_level(subject));
  CHECK(!model.prior->weight(bdp_level(subject).witness.get().from).is_zero());
  CHECK(!model.prior->weight(bdp_level(subject).witness.get().to).is_zero());
  for (std::size_t i = 0; i < model.domain.size(); ++i) {
    const InputLevel& cdp = cdp_levels(subject)[i];
    CHECK(cdp.at_least == naive_cdp(model, i));
    check_witness(model, cdp);
    InputPair pair = cdp.witness.get();
    pair.from[i] = pair.to[i];
    CHECK(pair.from == pair.to);
    const GroupLevel& bcdp = bcdp_levels(subject)[i];
    CHECK(bcdp.at_least == naive_bcdp(model, i));
    const FoundOutput found = bcdp.witness.get();
    CHECK(level_between(found.p_from, found.p_to) == bcdp.at_least);
    CHECK(conditional_of(model, i, bcdp.from, found.output) == found.p_from);
    CHECK(conditional_of(model, i, bcdp.to, found.output) == found.p_to);
    CHECK(correlation(model.domain, *model.prior, i, budget) == naive_correlation(model, i));
  }
}

struct AllLevels {
  Level ldp, bdp;
  std::vector<Level> cdp, bcdp;
  friend bool operator==(const AllLevels&, const AllLevels&) = default;
};

AllLevels all_levels(const Model& model) {
  Budget budget;
  MeasuredModel subject(model, budget);
  AllLevels levels{ldp_level(subject).at_least, bdp_level(subject).at_least, {}, {}};
  for (const InputLevel& level : cdp_levels(subject)) levels.cdp.push_back(level.at_least);
  for (const GroupLevel& level : bcdp_levels(subject)) levels.bcdp.push_back(level.at_least);
  return levels;
}

void check_not_above(const AllLevels& lower, const AllLevels& upper) {
  CHECK(lower.ldp <= upper.ldp);
  CHECK(lower.bdp <= upper.bdp);
  for (std::size_t i = 0; i < lower.cdp.size(); ++i) {
    CHECK(lower.cdp[i] <= upper.cdp[i]);
    CHECK(lower.bcdp[i] <= upper.bcdp[i]);
  }
}

}  // namespace

TEST_CASE("levels equal the definitions on random rational models") {
  Random random(11);
  for (int round = 0; round < 300; ++round) check_all_levels(random_model(random, Entries::kRational));
}

TEST_CASE("levels equal the definitions on random models with entries in K") {
  Random random(12);
  for (int round = 0; round < 60; ++round) check_all_levels(random_model(random, Entries::kWithExp));
}

TEST_CASE("levels equal the definitions where weights of a prior are out of the range of doubles") {
  Random random(19);
  for (int round = 0; round < 100; ++round) {
    Model model = random_model(random, Entries::kRational);
    Budget budget;
    std::vector<Number> weights = model.prior->dense(budget).weights;
    for (Number& weight : weights) {
      if (below(random, 2) == 0) weight *= Number(2).pow(-1200);
    }
    model.prior = Prior::from_weights(model.domain, weights, budget);
    check_all_levels(model);
  }
}

TEST_CASE("levels of products equal those of the same channel entry by entry") {
  Random random(13);
  for (int round = 0; round < 150; ++round) {
    Model model;
    model.domain = random_domain(random, 3, 3);
    const Entries entries = below(random, 4) == 0 ? Entries::kWithExp : Entries::kRational;
    std::vector<Factor> parts;
    const std::size_t count = 1 + below(random, 3);
    for (std::size_t p = 0; p < count; ++p) {
      std::vector<std::size_t> coordinates(model.domain.size());
      std::iota(coordinates.begin(), coordinates.end(), std::size_t{0});
      std::shuffle(coordinates.begin(), coordinates.end(), random);
      coordinates.resize(1 + below(random, coordinates.size()));
      const Domain part = model.domain.restricted_to(coordinates);
      if (!parts.empty() && below(random, 3) == 0) {
        parts.push_back(parts.back());
      } else {
        parts.push_back({random_channel(random, part, entries, 3), coordinates});
      }
    }
    const auto product = std::make_shared<const ProductChannel>(model.domain, parts);
    model.channel = product;
    Budget budget;
    switch (below(random, 3)) {
      case 0: model.prior = Prior::uniform(model.domain); break;
      case 1: model.prior = random_prior(random, model.domain); break;
      default: {
        std::vector<std::vector<Number>> marginals;
        for (std::size_t i = 0; i < model.domain.size(); ++i) {
          marginals.push_back(random_distribution(random, model.domain.values(i), Entries::kRational));
        }
        model.prior = Prior::product(model.domain, marginals);
      }
    }
    check_all_levels(model);
  }
}

TEST_CASE("levels by pairs of inputs are used when a product is too large to enumerate, and agree") {
  Random random(14);
  for (int round = 0; round < 60; ++round) {
    Model model;
    model.domain = random_domain(random, 2, 3);
    std::vector<std::size_t> coordinates(model.domain.size());
    std::iota(coordinates.begin(), coordinates.end(), std::size_t{0});
    std::vector<Factor> parts;
    for (int p = 0; p < 2; ++p)
      parts.push_back({random_channel(random, model.domain, Entries::kRational, 4), coordinates});
    model.channel = std::make_shared<const ProductChannel>(model.domain, parts);
    model.prior = random_prior(random, model.domain);
    Limits small;
    small.max_cells =
        std::max(model.domain.inputs() * model.domain.inputs(),
                 model.domain.inputs() * std::max(parts[0].channel->outputs(), parts[1].channel->outputs()));
    Budget budget(small);
    MeasuredModel subject(model, budget);
    CHECK(ldp_level(subject).at_least == naive_ldp(model));
    check_witness(model, ldp_level(subject));
    CHECK(bdp_level(subject).at_least == naive_bdp(model));
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      CHECK(cdp_levels(subject)[i].at_least == naive_cdp(model, i));
      check_witness(model, cdp_levels(subject)[i]);
    }
  }
}

TEST_CASE("levels do not depend on the names and the order of outputs and values") {
  Random random(15);
  for (int round = 0; round < 60; ++round) {
    const Model model = random_model(random, Entries::kRational);
    std::vector<std::vector<Number>> rows = rows_of(*model.channel);
    std::vector<std::size_t> order(rows[0].size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (auto& row : rows) {
      std::vector<Number> moved;
      for (const std::size_t y : order) moved.push_back(row[y]);
      row = std::move(moved);
    }
    // Reversing every coordinate's values reverses the inputs.
    std::reverse(rows.begin(), rows.end());
    Budget budget;
    std::vector<Number> weights = model.prior->dense(budget).weights;
    std::reverse(weights.begin(), weights.end());
    Model moved{model.domain, channel_of_rows(rows), Prior::from_weights(model.domain, weights, budget)};
    CHECK(all_levels(moved) == all_levels(model));
  }
}

TEST_CASE("post-processing and merging outputs never raise a level") {
  Random random(16);
  for (int round = 0; round < 80; ++round) {
    const Model model = random_model(random, Entries::kRational);
    const std::vector<std::vector<Number>> rows = rows_of(*model.channel);
    const std::size_t outputs = 1 + below(random, 3);
    std::vector<std::vector<Number>> kernel;
    for (std::size_t y = 0; y < rows[0].size(); ++y) {
      if (round % 2 == 0) {
        kernel.push_back(random_distribution(random, outputs, Entries::kRational));
      } else {
        kernel.emplace_back(outputs, Number(0));
        kernel.back()[below(random, outputs)] = Number(1);
      }
    }
    std::vector<std::vector<Number>> processed;
    for (const auto& row : rows) {
      processed.emplace_back(outputs, Number(0));
      for (std::size_t y = 0; y < row.size(); ++y) {
        for (std::size_t z = 0; z < outputs; ++z) processed.back()[z] += row[y] * kernel[y][z];
      }
    }
    check_not_above(all_levels({model.domain, channel_of_rows(processed), model.prior}), all_levels(model));
  }
}

TEST_CASE("the LDP level bounds all others, and Proposition 4 bounds BCDP") {
  Random random(17);
  for (int round = 0; round < 150; ++round) {
    Model model = random_model(random, round % 5 == 0 ? Entries::kWithExp : Entries::kRational);
    if (round % 2 == 0) {
      // Randomized response per coordinate, for which the proposition's bounds are finite.
      std::vector<Factor> parts;
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        const Level level = Level::of_exponential(Number::ratio(static_cast<std::int64_t>(4 + below(random, 9)), 4));
        parts.push_back(
            {k_randomized_response::mechanism(model.domain.restricted_to(std::span(&i, 1)), level).channel, {i}});
      }
      model.channel = std::make_shared<const ProductChannel>(model.domain, parts);
    }
    const AllLevels levels = all_levels(model);
    CHECK(levels.bdp <= levels.ldp);
    Budget budget;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      CHECK(levels.cdp[i] <= levels.ldp);
      CHECK(levels.bcdp[i] <= levels.ldp);
      CHECK(levels.bcdp[i] <= levels.bdp);
      const Number q = correlation(model.domain, *model.prior, i, budget);
      CHECK(levels.bcdp[i] <= bcdp_from_cdp(levels.cdp, q, i));
      CHECK(levels.bcdp[i] <= bcdp_from_cdp_and_ldp(levels.cdp[i], q, levels.ldp));
      CHECK(levels.bcdp[i] <= proposition_4_bound(levels.cdp, q, i, levels.ldp));
    }
  }
}

TEST_CASE("k-randomized response has its level exactly") {
  Budget budget;
  for (const std::uint64_t k : {1U, 2U, 5U}) {
    Coordinate coordinate{"x", {}};
    for (std::uint64_t v = 0; v < k; ++v) coordinate.values.push_back(std::to_string(v));
    const Domain domain({coordinate});
    for (const Level& epsilon : {Level(), Level::of_exponential(Number(3)),
                                 Level::of_exponential(Number::exp_of(Number(1))), Level::infinite()}) {
      const Model model{domain, k_randomized_response::mechanism(domain, epsilon).channel, Prior::uniform(domain)};
      MeasuredModel subject(model, budget);
      CHECK(ldp_level(subject).at_least == (k == 1 ? Level() : epsilon));
    }
  }
}

TEST_CASE("with independent coordinates the BCDP levels of a large product come from its parts") {
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < 12; ++i) coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
  Model model;
  model.domain = Domain(coordinates);
  model.prior = Prior::uniform(model.domain);
  std::vector<Factor> parts;
  for (std::size_t i = 1; i < 12; ++i) {
    const Level level = Level::of_exponential(Number(static_cast<std::int64_t>(i + 1)));
    parts.push_back(
        {k_randomized_response::mechanism(model.domain.restricted_to(std::span(&i, 1)), level).channel, {i}});
  }
  model.channel = std::make_shared<const ProductChannel>(model.domain, parts);
  Limits small;
  small.max_cells = 100;
  Budget budget(small);
  MeasuredModel subject(model, budget);
  for (std::size_t i = 0; i < 12; ++i) {
    const GroupLevel& level = bcdp_levels(subject)[i];
    CHECK(level.at_least == Level::of_exponential(Number(static_cast<std::int64_t>(i + 1))));
    CHECK(cdp_levels(subject)[i].at_least == level.at_least);
    const FoundOutput found = level.witness.get();
    CHECK(level_between(found.p_from, found.p_to) == level.at_least);
    CHECK(conditional_of(model, i, level.from, found.output) == found.p_from);
    CHECK(conditional_of(model, i, level.to, found.output) == found.p_to);
  }
}

// A probability of 30 reports of 256 bits each is a quotient of polynomials in exp(1) of degree 7,680, each with
// coefficients of as many digits.
TEST_CASE("levels of many bits are exact, and their witness is an event if probabilities are too long to write") {
  for (const int times : {2, 30}) {
    CAPTURE(times);
    Budget budget;
    const std::string report = R"j({"type": "unary_encoding", "epsilon": "1"})j";
    const Spec spec = read_example(
        sized(256), R"j({"type": "repeat", "times": )j" + std::to_string(times) + R"j(, "mechanism": )j" + report + "}",
        budget);
    MeasuredModel subject(spec.model, budget);
    const Level all = Level::of_exponential(Number::exp_of(Number(times)));
    Arguments arguments;
    for (const char* name : {"ldp", "bounded_range"}) {
      CAPTURE(name);
      const bool is_range = std::string(name) == "bounded_range";
      const Level level = is_range ? all + all : all;  // the least loss is minus the largest one
      arguments.set("epsilon", level);
      const Decision decision = find_notion(name)->decide(subject, arguments);
      CHECK(decision.holds == Answer::kYes);
      const MeasuredLevel& measured = std::get<MeasuredLevel>(decision.actual);
      CHECK(measured.at_least == level);
      CHECK(!measured.unfinished);
      const Witness witness = measured.witness.get();
      CHECK(witness.unlisted == (times == 30));
      CHECK(witness.likelihood_event == (times == 30));
      CHECK(witness.outputs.size() == (times == 30 ? 0U : 1U));
      CHECK(witness.from != witness.to);
    }
    arguments.set("epsilon", Level::of_exponential(Number::exp_of(Number(times)) - Number(1)));
    CHECK(find_notion("ldp")->decide(subject, arguments).holds == Answer::kNo);
  }
}

TEST_CASE("a million reports and an encoding of a million values are read, counted and measured") {
  Budget budget;
  const int many = effort(1'000'000, 20'000);
  const std::string size = std::to_string(many);
  const Spec reports = read_example(kTwo,
                                    R"j({"type": "repeat", "times": )j" + size +
                                        R"j(, "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}})j",
                                    budget);
  CHECK(reports.model.channel->output_count() == Number(2).pow(many));
  const Spec encoding = read_example(sized(many), R"j({"type": "unary_encoding", "epsilon": "log(3)"})j", budget);
  CHECK(encoding.model.channel->output_count() == Number(2).pow(many));
  for (const auto& [spec, level] : {std::pair(&reports, Number(3).pow(many)), std::pair(&encoding, Number(3))}) {
    MeasuredModel subject(spec->model, budget);
    CHECK(ldp_level(subject).at_least == Level::of_exponential(level));
  }
}
