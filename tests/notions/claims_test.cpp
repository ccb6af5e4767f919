// Notions that compare pairs, sets and events, against their definitions and hand-computed values.
#include <doctest/doctest.h>

#include <algorithm>

#include "mechanisms/k_randomized_response.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/context.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/table.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// Q(y given x) <= e^level Q(y given z) for all outputs.
bool pair_holds(const Model& model, std::uint64_t x, std::uint64_t z, const Level& level) {
  if (level.is_infinite()) return true;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    if (model.channel->entry(x, y) > level.exponential() * model.channel->entry(z, y)) return false;
  }
  return true;
}

Level random_level(Random& random) {
  const char* levels[] = {"0", "log(2)", "log(3)", "1/2", "inf", "log(3/2)", "2"};
  return parse_level(levels[below(random, std::size(levels))]);
}

Arguments arguments_of(std::initializer_list<std::pair<std::string, FieldValue>> values) {
  Arguments arguments;
  for (const auto& [name, value] : values) arguments.set(name, value);
  return arguments;
}

std::vector<Label> labels(std::size_t count) { return std::vector<Label>(count, Label(std::string("label"))); }

Level secret_level(MeasuredModel& subject, const Secret& secret) {
  return level_between_labels(subject, secret.inputs, 1e8).at_least;
}

Number naive_delta_within(const Model& model, const Number& factor, const std::vector<std::size_t>& group) {
  Number worst;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    for (std::uint64_t z = 0; z < model.domain.inputs(); ++z) {
      bool neighbors = true;
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        if (std::find(group.begin(), group.end(), i) == group.end()) {
          neighbors = neighbors && model.domain.digit(x, i) == model.domain.digit(z, i);
        }
      }
      if (!neighbors) continue;
      worst = std::max(worst, naive_delta(model, x, z, factor));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("context_ldp, block_ldp and high_low_ldp hold exactly when every pair does") {
  Random random(21);
  Budget budget;
  for (int round = 0; round < 150; ++round) {
    Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::uint64_t n = model.domain.inputs();
    if (n > 12) continue;
    MeasuredModel subject(model, budget);

    LevelMatrix matrix;
    for (std::uint64_t k = 0; k < n * n; ++k) matrix.levels.push_back(random_level(random));
    bool expected = true;
    for (std::uint64_t x = 0; x < n; ++x) {
      for (std::uint64_t z = 0; z < n; ++z) expected = expected && pair_holds(model, x, z, matrix.levels[x * n + z]);
    }
    const Decision context = find_notion("context_ldp")->decide(subject, arguments_of({{"epsilon", matrix}}));
    CHECK(context.holds == answer_of(expected));
    CHECK(context.witness.has_value() == !expected);

    const Level level = random_level(random);
    std::vector<std::uint32_t> block_of(n);
    const std::uint64_t most = std::min<std::uint64_t>(n, 1 + below(random, 3));
    for (std::uint64_t x = 0; x < n; ++x) {
      block_of[x] = static_cast<std::uint32_t>(x < most ? x : below(random, most));
    }
    const Partition blocks = Partition::by_label(model.domain, std::move(block_of), most);
    expected = true;
    for (const auto& block : blocks.members()) {
      for (const std::uint64_t x : block) {
        for (const std::uint64_t z : block) expected = expected && pair_holds(model, x, z, level);
      }
    }
    CHECK(find_notion("block_ldp")->decide(subject, arguments_of({{"blocks", blocks}, {"epsilon", level}})).holds ==
          answer_of(expected));

    Inputs sensitive{{below(random, n)}};
    expected = true;
    for (std::uint64_t z = 0; z < n; ++z) expected = expected && pair_holds(model, sensitive.inputs[0], z, level);
    CHECK(find_notion("high_low_ldp")
              ->decide(subject, arguments_of({{"sensitive", sensitive}, {"epsilon", level}}))
              .holds == answer_of(expected));
  }
}

TEST_CASE("of a context matrix that holds the first pair with slack is named, with its own level and bound") {
  Random random(24);
  Budget budget;
  for (int round = 0; round < 60; ++round) {
    const Model model = random_model(random, Entries::kRational);
    const std::uint64_t n = model.domain.inputs();
    if (n > 8) continue;
    MeasuredModel subject(model, budget);
    // Every bound is attained, except those of two pairs.
    LevelMatrix matrix{std::vector<Level>(n * n, Level::infinite())};
    std::vector<std::size_t> finite;
    for (std::uint64_t x = 0; x < n; ++x) {
      for (std::uint64_t z = 0; z < n; ++z) {
        if (x == z) continue;
        LevelMatrix alone{std::vector<Level>(n * n, Level::infinite())};
        alone.levels[x * n + z] = Level();
        matrix.levels[x * n + z] = context_level(subject, alone)->level.at_least;
        if (!matrix.levels[x * n + z].is_infinite()) finite.push_back(x * n + z);
      }
    }
    const auto decide = [&] {
      return find_notion("context_ldp")->decide(subject, arguments_of({{"epsilon", matrix}}));
    };
    CHECK(decide().tight == Answer::kYes);
    CHECK_FALSE(decide().slack);
    if (finite.size() < 2) continue;
    const std::size_t first = finite[below(random, finite.size() - 1)], second = finite.back();
    const Level attained = matrix.levels[first];
    for (const std::size_t pair : {first, second})
      matrix.levels[pair] = matrix.levels[pair] + Level::of_exponential(Number(2));
    const Decision decision = decide();
    CHECK(decision.holds == Answer::kYes);
    CHECK(decision.tight == Answer::kNo);
    REQUIRE(decision.slack);
    CHECK(decision.slack->bound == matrix.levels[first]);
    CHECK(decision.slack->level.at_least == attained);
    CHECK(std::get<std::vector<std::string>>(decision.slack->level.witness.get().from) ==
          model.domain.tuple(first / n));
    CHECK(std::get<std::vector<std::string>>(decision.slack->level.witness.get().to) == model.domain.tuple(first % n));
  }
}

TEST_CASE("a context matrix without finite levels constrains nothing") {
  Random random(22);
  Budget budget;
  const Model model = random_model(random, Entries::kRational);
  MeasuredModel subject(model, budget);
  LevelMatrix matrix{std::vector<Level>(model.domain.inputs() * model.domain.inputs(), Level::infinite())};
  const Decision decision = find_notion("context_ldp")->decide(subject, arguments_of({{"epsilon", matrix}}));
  CHECK(decision.holds);
  CHECK(std::holds_alternative<std::monostate>(decision.actual));
}

TEST_CASE("partial_dp equals the definition over pairs within a record") {
  Random random(23);
  Budget budget;
  for (int round = 0; round < 100; ++round) {
    const Model model = random_model(random, Entries::kRational);
    MeasuredModel subject(model, budget);
    CoordinateLevels levels;
    for (std::size_t i = 0; i < model.domain.size(); ++i) levels.push_back(random_level(random));
    CoordinateGroups records;
    records.groups.resize(2);
    for (std::size_t i = 0; i < model.domain.size(); ++i) records.groups[below(random, 2)].push_back(i);
    bool expected = true;
    for (const auto& record : records.groups) {
      for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
        for (std::uint64_t z = 0; z < model.domain.inputs(); ++z) {
          Level sum;
          bool within = true;
          for (std::size_t i = 0; i < model.domain.size(); ++i) {
            if (model.domain.digit(x, i) == model.domain.digit(z, i)) continue;
            within = within && std::find(record.begin(), record.end(), i) != record.end();
            sum = sum + *levels[i];
          }
          if (within) expected = expected && pair_holds(model, x, z, sum);
        }
      }
    }
    CHECK(find_notion("partial_dp")->decide(subject, arguments_of({{"epsilon", levels}, {"records", records}})).holds ==
          answer_of(expected));
  }
}

TEST_CASE("the hockey stick equals its definition, and its event shows it") {
  Random random(24);
  Budget budget;
  for (int round = 0; round < 120; ++round) {
    const Model model = random_model(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    MeasuredModel subject(model, budget);
    const Level epsilon = random_level(random);
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      if (below(random, 2) == 0) group.push_back(i);
    }
    const HockeyStick stick = hockey_stick(subject, epsilon, {{group}});
    if (epsilon.is_infinite()) {
      CHECK(stick.delta.is_zero());
      continue;
    }
    CHECK(stick.delta == naive_delta_within(model, epsilon.exponential(), group));
    Number p, q;
    for (const std::uint64_t y : stick.event) {
      p += model.channel->entry(stick.from, y);
      q += model.channel->entry(stick.to, y);
    }
    CHECK(p == stick.p_from);
    CHECK(q == stick.p_to);
    CHECK(p - epsilon.exponential() * q == stick.delta);
  }
}

TEST_CASE("delta of a product is that of the list of its outputs, by parts or where the kinds of pairs are many") {
  Random random(53);
  Budget budget;
  for (const std::size_t values : {3u, 6u}) {  // 6 kinds of pairs of inputs, and 30
    Coordinate x{"x", {}};
    for (std::size_t v = 0; v < values; ++v) x.values.push_back(std::to_string(v));
    const Domain domain({x});
    std::vector<Factor> parts;
    for (std::uint64_t outputs = 1; outputs <= 4096; outputs *= parts.back().channel->outputs()) {
      parts.push_back({random_channel(random, domain, Entries::kRational, 4), {0}});
    }
    const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
    MeasuredModel subject(model, budget);
    const Decision decision =
        find_notion("approximate_dp")
            ->decide(subject, arguments_of({{"epsilon", parse_level("1/2")}, {"delta", Number(1)}}));
    const MeasuredNumber& delta = std::get<MeasuredNumber>(decision.actual);
    CHECK(delta.at_least == hockey_stick(subject, parse_level("1/2"), {{{0}}}).delta);
    CHECK(delta.witness.likelihood_event == (values == 3));
    CHECK(delta.witness.p_from - Number::exp_of(Number::ratio(1, 2)) * delta.witness.p_to == delta.at_least);
  }
}

TEST_CASE("delta of many pairs of neighbors comes from the parts, and its event is listed where outputs are few") {
  Random random(54);
  Budget budget;
  std::vector<Coordinate> coordinates;
  for (const std::size_t values : {4u, 4u, 4u, 4u, 5u}) {
    Coordinate x{"x" + std::to_string(coordinates.size()), {}};
    for (std::size_t v = 0; v < values; ++v) x.values.push_back(std::to_string(v));
    coordinates.push_back(std::move(x));
  }
  const Domain domain(coordinates);
  std::vector<Factor> parts;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const Domain own({domain.coordinate(i)});
    ChannelPtr part;
    while (!part || part->outputs() != 4) part = random_channel(random, own, Entries::kRational, 4);
    parts.push_back({part, {i}});
  }
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
  MeasuredModel subject(model, budget);
  const CoordinateGroups groups{{{0}, {1}, {2}, {3}, {4}}};
  REQUIRE(is_slow_to_compare_rows(model, groups));
  REQUIRE(!has_losses_by_parts(*model.channel));
  for (const char* epsilon : {"0", "log(2)", "1/2"}) {
    const Decision decision = find_notion("approximate_dp")
                                  ->decide(subject, arguments_of({{"epsilon", parse_level(epsilon)},
                                                                  {"delta", Number(1)},
                                                                  {"neighbors", std::string("coordinate")}}));
    const MeasuredNumber& delta = std::get<MeasuredNumber>(decision.actual);
    const Number factor = parse_level(epsilon).exponential();
    CHECK(delta.at_least == hockey_stick(subject, parse_level(epsilon), groups).delta);
    CHECK(!delta.witness.likelihood_event);
    const auto number_of = [&](const model::Label& label) {
      std::uint64_t input = 0;
      while (model::Label(domain.tuple(input)) != label) ++input;
      return input;
    };
    const std::uint64_t from = number_of(delta.witness.from), to = number_of(delta.witness.to);
    Number p, q;
    for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
      const auto& event = delta.witness.outputs;
      if (std::find(event.begin(), event.end(), model.channel->output_label(y)) == event.end()) continue;
      p += model.channel->entry(from, y);
      q += model.channel->entry(to, y);
    }
    CHECK(p == delta.witness.p_from);
    CHECK(q == delta.witness.p_to);
    CHECK(p - factor * q == delta.at_least);
  }
}

TEST_CASE("if nothing is compared, delta is 0, and the witness names an input") {
  Budget budget;
  const Domain domain(std::vector<Coordinate>{{"x", {"only"}}});
  const std::vector<Factor> parts(13, {channel_of_rows({{Number::ratio(1, 2), Number::ratio(1, 2)}}), {0}});
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
  MeasuredModel subject(model, budget);
  for (const char* epsilon : {"1", "inf"}) {
    const Decision decision =
        find_notion("approximate_dp")
            ->decide(subject, arguments_of({{"epsilon", parse_level(epsilon)}, {"delta", Number(0)}}));
    CHECK(decision.holds == Answer::kYes);
    const Witness& witness = std::get<MeasuredNumber>(decision.actual).witness;
    CHECK(witness.from == Label(std::vector<std::string>{"only"}));
    CHECK(witness.to == witness.from);
  }
}

// The exact delta is a sum of 1,001 quotients of polynomials in exp(1/20) of degree 1,000.
TEST_CASE("a thousand answers at a level that is no logarithm are decided by bounds that nearly meet") {
  Limits limits;
  limits.max_seconds = 60;
  Budget budget(limits);
  const Domain domain({{"x", {"a", "b"}}});
  const auto bounds_of = [&](std::size_t runs, const char* epsilon) {
    const ChannelPtr one = k_randomized_response::mechanism(domain, parse_level("1/20")).channel;
    const std::vector<Factor> parts(runs, {one, {0}});
    const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
    MeasuredModel subject(model, budget);
    const Decision decision =
        find_notion("approximate_dp")
            ->decide(subject, arguments_of({{"epsilon", parse_level(epsilon)}, {"delta", Number::ratio(1, 100)}}));
    CHECK(decision.holds == Answer::kNo);
    return std::get<MeasuredNumber>(decision.actual);
  };
  const MeasuredNumber many = bounds_of(1000, "3");
  CHECK((many.at_most() - many.at_least).approx() <= 1e-9);
  CHECK(many.at_least.approx() == doctest::Approx(0.0618).epsilon(0.002));
  CHECK_FALSE(bounds_of(100, "1/2").unfinished);
}

// Seventeen answers with unrelated levels: their 2^17 sums of losses are listed only if bounds do not decide.
TEST_CASE("claims about many different answers are decided by bounds, and near the exact delta by a list") {
  Budget budget;
  const Domain domain({{"x", {"a", "b"}}});
  std::vector<Factor> parts;
  engine::LossDistribution exact;
  for (std::int64_t k = 1; k <= 17; ++k) {
    const Level level = Level::of_exponential(Number::ratio(100 + k, 100));
    parts.push_back({k_randomized_response::mechanism(domain, level).channel, {0}});
    const Number lie = Number::ratio(100, 200 + k);
    const std::vector<Number> p{Number(1) - lie, lie}, q{lie, Number(1) - lie};
    exact = exact.times(engine::LossDistribution::of(p, q), budget);
  }
  const Number factor = Number::ratio(3, 2);
  const engine::LossDistribution::Event event = exact.more_likely_than(factor);
  const Number delta = event.p - factor * event.q;
  const Model model{domain, std::make_shared<const ProductChannel>(domain, parts), std::nullopt};
  Limits limits;
  limits.max_cells = 1 << 18;  // the outputs are not listed
  Budget small(limits);
  const auto decided = [&](const Number& claimed) {
    MeasuredModel subject(model, small);
    return find_notion("approximate_dp")
        ->decide(subject, arguments_of({{"epsilon", Level::of_exponential(factor)}, {"delta", claimed}}));
  };
  for (const auto& [of_delta, holds] :
       {std::pair(Number::ratio(11, 10), Answer::kYes), {Number::ratio(9, 10), Answer::kNo}}) {
    const Decision decision = decided(delta * of_delta);
    CHECK(decision.holds == holds);
    CHECK(decision.tight == Answer::kNo);
    const MeasuredNumber& found = std::get<MeasuredNumber>(decision.actual);
    REQUIRE(found.unfinished);
    CHECK(found.at_least <= delta);
    CHECK(delta <= found.at_most());
    CHECK((found.at_most() - found.at_least) / found.at_most() < Number::ratio(11, 10000));
  }
  for (const auto& [claimed, holds] :
       {std::pair(delta, Answer::kYes), {delta * Number::ratio(999999999, 1000000000), Answer::kNo}}) {
    const Decision decision = decided(claimed);
    CHECK(decision.holds == holds);
    CHECK(decision.tight == (holds == Answer::kYes ? Answer::kYes : Answer::kNo));
    const MeasuredNumber& found = std::get<MeasuredNumber>(decision.actual);
    CHECK(!found.unfinished);
    CHECK(found.at_least == delta);
    CHECK(!found.witness.unlisted);
  }
}

TEST_CASE("at epsilon 0 the hockey stick of Warner's response is its total variation distance") {
  // Rows (3/4, 1/4) and (1/4, 3/4): distance 1/2; at e^eps = 2: 3/4 - 2/4 = 1/4.
  const Domain domain({{"x", {"no", "yes"}}});
  const Model model{domain, k_randomized_response::mechanism(domain, parse_level("log(3)")).channel, std::nullopt};
  Budget budget;
  MeasuredModel subject(model, budget);
  CHECK(hockey_stick(subject, Level(), {{{0}}}).delta == Number::ratio(1, 2));
  CHECK(hockey_stick(subject, parse_level("log(2)"), {{{0}}}).delta == Number::ratio(1, 4));
  CHECK(hockey_stick(subject, parse_level("log(3)"), {{{0}}}).delta.is_zero());
}

TEST_CASE("a secret that is a coordinate has that coordinate's BCDP level, one that is constant has level 0") {
  Random random(25);
  Budget budget;
  for (int round = 0; round < 60; ++round) {
    const Model model = random_model(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    MeasuredModel subject(model, budget);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      std::vector<std::uint32_t> label_of;
      for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
        label_of.push_back(static_cast<std::uint32_t>(model.domain.digit(x, i)));
      }
      const Level& level = bcdp_levels(subject)[i].at_least;
      CHECK(secret_level(subject, {labels(model.domain.values(i)),
                                   Partition::by_label(model.domain, label_of, model.domain.values(i))}) == level);
      CHECK(secret_level(subject, {labels(model.domain.values(i)), Partition::by_value(model.domain, i)}) == level);
    }
    std::vector<std::uint32_t> identity;
    for (std::uint32_t x = 0; x < model.domain.inputs(); ++x) identity.push_back(x);
    CHECK(secret_level(subject,
                       {labels(identity.size()), Partition::by_label(model.domain, identity, identity.size())}) ==
          bdp_level(subject).at_least);
    CHECK(secret_level(subject, {labels(1), Partition::by_label(
                                                model.domain, std::vector<std::uint32_t>(model.domain.inputs(), 0), 1)})
              .is_zero());
  }
}

TEST_CASE("claims about some attributes of a survey have the levels of all attributes") {
  Random random(26);
  const Notion& bcdp = *find_notion("bcdp");
  int searched = 0;
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    const Model model = random_product(random, kinds_of_priors()[1], Entries::kRational);
    Limits small;
    small.max_cells = model.domain.inputs();  // each part may be listed, but not all outputs: each level is a search
    for (const Factor& part : model.channel->factors()) {
      small.max_cells = std::max(small.max_cells, part.channel->input_numbers() * part.channel->outputs());
    }
    Budget budget(small), own(small);
    MeasuredModel subject(model, budget), other(model, own);
    searched += searches_each_coordinate(subject) ? 1 : 0;
    std::vector<Arguments> claims;
    for (int claim = 0; claim < 2; ++claim) {
      CoordinateLevels levels(model.domain.size());
      levels[below(random, levels.size())] = random_level(random);
      claims.push_back(arguments_of({{"epsilon", levels}}));
      bcdp.expect(subject, claims.back());
    }
    for (const Arguments& claim : claims) {
      const Decision decision = bcdp.decide(subject, claim);
      for (const auto& [name, level] : std::get<NamedLevels>(decision.actual)) {
        CHECK(level.at_least == bcdp_levels(other)[model.domain.find(name).value()].at_least);
      }
    }
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      CHECK(bcdp_levels(subject)[i].at_least == naive_bcdp(model, i));
    }
  }
  CHECK(searched > 20);
}

TEST_CASE("differences far below double precision decide levels") {
  // Two outputs nearly tie; only exact comparison decides which is worse, and by how much.
  const Number tiny = Number(10).pow(-40);
  const Number half = Number::ratio(1, 2);
  const Domain domain({{"x", {"0", "1", "2"}}, {"y", {"0", "1"}}});
  std::vector<std::vector<Number>> rows;
  for (int x = 0; x < 6; ++x) rows.push_back({half + Number(x) * tiny, half - Number(x) * tiny});
  Model model{domain, channel_of_rows(rows), Prior::uniform(domain)};
  Budget budget;
  MeasuredModel subject(model, budget);
  CHECK(ldp_level(subject).at_least == naive_ldp(model));
  CHECK(ldp_level(subject).at_least == Level::of_exponential(half / (half - Number(5) * tiny)));
  for (std::size_t i = 0; i < 2; ++i) CHECK(bcdp_levels(subject)[i].at_least == naive_bcdp(model, i));
  CHECK(hockey_stick(subject, Level(), {{{0, 1}}}).delta == Number(5) * tiny);
}

TEST_CASE("entries beyond the range of doubles are measured exactly") {
  const Number small = Number::exp_of(Number(-5000));
  const Number tiny = Number(10).pow(-700);
  const Domain domain({{"x", {"0", "1"}}, {"y", {"0", "1"}}});
  const std::vector<std::vector<Number>> rows = {{small, Number(1) - small},
                                                 {tiny, Number(1) - tiny},
                                                 {Number::ratio(1, 2), Number::ratio(1, 2)},
                                                 {small * tiny, Number(1) - small * tiny}};
  Budget budget;
  Model model{domain, channel_of_rows(rows), Prior::from_weights(domain, {small, Number(1), Number(3), tiny}, budget)};
  MeasuredModel subject(model, budget);
  CHECK(ldp_level(subject).at_least == naive_ldp(model));
  CHECK(bdp_level(subject).at_least == naive_bdp(model));
  for (std::size_t i = 0; i < 2; ++i) CHECK(bcdp_levels(subject)[i].at_least == naive_bcdp(model, i));
  CHECK(hockey_stick(subject, parse_level("1"), {{{0, 1}}}).delta ==
        naive_delta_within(model, Number::exp_of(Number(1)), {0, 1}));
}

TEST_CASE("every notion is in the table once, with a summary and a source") {
  CHECK(notion_table().size() == 29);
  for (const Notion& notion : notion_table()) {
    CHECK(find_notion(notion.name) == &notion);
    CHECK(!notion.summary.empty());
    CHECK(!notion.source.empty());
  }
  CHECK(find_notion("no_such_notion") == nullptr);
}
