// The methods that find levels between groups of rows, against each other: all give the same level.
#include "verifier/engine/group_levels.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/engine/output_search.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// The same mechanism as a matrix, so that its product structure is not used.
Model as_one_channel(const Model& model) {
  return {model.domain, channel_of_rows(testing::rows_of(*model.channel)), model.prior};
}

Partition random_partition(Random& random, const Domain& domain) {
  if (below(random, 2) == 0) {
    std::vector<std::uint32_t> label_of;
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      label_of.push_back(static_cast<std::uint32_t>(below(random, 3)));
    }
    return Partition::by_label(domain, std::move(label_of), 3);
  }
  std::vector<std::size_t> coordinates;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (below(random, 2) == 0) coordinates.push_back(i);
  }
  if (coordinates.empty()) coordinates.push_back(domain.size() - 1);
  return Partition::by_values(domain, std::move(coordinates));
}

std::uint64_t largest_factor(const Channel& channel) {
  std::uint64_t cells = 0;
  for (const Factor& factor : channel.factors()) {
    cells = std::max(cells, factor.channel->inputs() * factor.channel->outputs());
  }
  return cells;
}

// P(output given label), by enumerating all inputs.
Number given_that(const Model& model, const std::vector<std::uint32_t>& labels, std::size_t label,
                  const std::vector<std::uint64_t>& output) {
  Number joint;
  Number mass;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    if (labels[x] != label) continue;
    mass += model.prior->probability(x);
    joint += model.prior->probability(x) * model.channel->entry_of(x, output);
  }
  return joint / mass;
}

// Some binary attributes of a few people, answered by randomized response.
Model small_survey(Random& random, std::size_t attributes, std::size_t people) {
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < attributes; ++i) coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
  const Domain domain(std::move(coordinates));
  std::vector<Factor> parts;
  for (std::size_t i = 1; i < attributes; ++i) {
    const Number truth = Number::ratio(static_cast<std::int64_t>(10 + below(random, 10)), 20);
    parts.push_back({channel_of_rows({{truth, Number(1) - truth}, {Number(1) - truth, truth}}), {i}});
  }
  std::vector<WeightedRow> rows;
  for (std::size_t r = 0; r < people; ++r) {
    InputRow row(attributes);
    for (std::uint32_t& value : row) value = static_cast<std::uint32_t>(below(random, 2));
    rows.push_back({row, Number(static_cast<std::int64_t>(1 + below(random, 5)))});
  }
  Budget budget;
  return {domain, std::make_shared<const ProductChannel>(domain, std::move(parts)),
          Prior::from_rows(domain, std::move(rows), budget)};
}

}  // namespace

TEST_CASE("a secret's level is the same by search and in columns, with an output that shows it") {
  Random random(2211);
  const int rounds = effort(2000, 150);
  int searches = 0;
  for (int round = 0; round < rounds; ++round) {
    const auto& kinds = kinds_of_priors();
    const KindOfPrior& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    const Model model = random_product(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    const Partition secret = random_partition(random, model.domain);
    Limits limits;
    limits.max_cells = model.domain.inputs() * model.channel->outputs() - 1;
    if (largest_factor(*model.channel) > limits.max_cells) continue;
    ++searches;
    Budget few(limits);
    MeasuredModel searched(model, few);
    const GroupLevel found = level_between_labels(searched, secret, 1e8);
    CHECK(found.way != Way::kDirect);
    Budget budget{Limits()};
    const Model whole = as_one_channel(model);
    MeasuredModel enumerated(whole, budget);
    CHECK(found.at_least == level_between_labels(enumerated, secret, 1e8).at_least);
    const std::vector<std::uint32_t> labels = secret.labels();
    const FoundOutput shown = found.witness.get();
    CHECK(shown.p_from == given_that(model, labels, found.from, shown.output));
    CHECK(shown.p_to == given_that(model, labels, found.to, shown.output));
    CHECK(level_between(shown.p_from, shown.p_to) == found.at_least);
  }
  CHECK(searches > rounds / 2);
}

TEST_CASE("few rows of many inputs are searched, and gone through in columns where the search does not end") {
  Random random(2212);
  int searched = 0;
  for (int round = 0; round < effort(6, 2); ++round) {
    CAPTURE(round);
    const Model model = small_survey(random, 6, 3 + below(random, 8));
    Budget budget;
    MeasuredModel subject(model, budget);
    const std::vector<GroupLevel>& levels = bcdp_levels(subject);
    const std::vector<GroupLevel> in_no_time = levels_between_values(subject, every_coordinate(model.domain), -1);
    for (const std::size_t i : every_coordinate(model.domain)) {
      const Level level = naive_bcdp(model, i);
      CHECK_FALSE(levels[i].unfinished.has_value());
      CHECK(levels[i].at_least == level);
      CHECK_FALSE(in_no_time[i].unfinished.has_value());
      CHECK(in_no_time[i].at_least == level);
      if (levels[i].way == Way::kSearch && in_no_time[i].way == Way::kDirect) ++searched;
    }
  }
  CHECK(searched > 0);
}

TEST_CASE("a search with few branches to open leaves an interval") {
  Random random(2213);
  int left_open = 0;
  for (int round = 0; round < effort(20, 4); ++round) {
    CAPTURE(round);
    const Model model = small_survey(random, 7, 40);
    Budget budget;
    const GroupLevel stopped =
        search_outputs(rows_by_value(model, 0, budget), budget, {.most_nodes = 2, .averages = Averages::kNever});
    const Model whole = as_one_channel(model);
    MeasuredModel enumerated(whole, budget);
    const Level level = bcdp_levels(enumerated)[0].at_least;
    CHECK(stopped.at_least <= level);
    CHECK(stopped.at_most() >= level);
    if (stopped.unfinished) ++left_open;
  }
  CHECK(left_open > 0);
}

TEST_CASE("levels that several threads search for are those of one thread") {
  Random random(2214);
  std::uint64_t searched = 0;
  for (int round = 0; round < effort(60, 9); ++round) {
    CAPTURE(round);
    const Model model = small_survey(random, 9, 10);
    std::vector<std::size_t> coordinates = every_coordinate(model.domain);
    coordinates.resize(static_cast<std::size_t>(round) % 3 == 0 ? 1 : coordinates.size() - 2);
    std::vector<GroupLevel> alone;
    for (const std::size_t threads : {1U, 2U, 3U}) {
      CAPTURE(threads);
      Limits limits;
      limits.threads = threads;
      limits.microseconds_alone = 0;
      Budget budget(limits);
      MeasuredModel subject(model, budget);
      const std::vector<GroupLevel> levels = levels_between_values(subject, coordinates, 1e6);
      if (threads == 1) alone = levels;
      REQUIRE(levels.size() == coordinates.size());
      for (std::size_t k = 0; k < levels.size(); ++k) {
        CHECK(levels[k].at_least == alone[k].at_least);
        CHECK(levels[k].nodes == alone[k].nodes);
        CHECK(levels[k].from == alone[k].from);
        CHECK(levels[k].to == alone[k].to);
        CHECK(levels[k].unfinished.has_value() == alone[k].unfinished.has_value());
        CHECK(levels[k].witness.get().output == alone[k].witness.get().output);
        if (levels[k].way == Way::kSearch) ++searched;
      }
    }
  }
  CHECK(searched > 100);
}
