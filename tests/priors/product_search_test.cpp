// Search over products without enumerating columns: against the pass over all columns; its discard bounds against
// random members.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <memory>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "tests/support/random_sets.h"
#include "verifier/engine/search_node.h"
#include "verifier/model/product_channel.h"
#include "verifier/priors/product_search.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

namespace {

// Every coordinate is seen by one part, which may be repeated; sometimes another part sees coordinate i alone.
ChannelPtr separate_parts(Random& random, const Domain& domain, std::size_t i) {
  std::vector<std::size_t> left = every_coordinate(domain);
  std::shuffle(left.begin(), left.end(), random);
  std::vector<Factor> parts;
  while (!left.empty()) {
    const std::size_t count = std::min<std::size_t>(left.size(), 1 + below(random, 2));
    std::vector<std::size_t> own(left.end() - static_cast<std::ptrdiff_t>(count), left.end());
    left.resize(left.size() - count);
    if (below(random, 5) == 0) continue;
    ChannelPtr channel = random_channel(random, domain.restricted_to(own), Entries::kRational, 3);
    if (below(random, 6) != 0) channel = without_zeros(*channel);
    parts.insert(parts.end(), 1 + (below(random, 4) == 0 ? 1 : 0), Factor{channel, own});
  }
  if (parts.empty() || below(random, 3) == 0) {
    parts.push_back({random_channel(random, domain.restricted_to(std::vector{i}), Entries::kRational, 3), {i}});
  }
  return std::make_shared<const ProductChannel>(domain, std::move(parts));
}

// Some rows have no mass, as in tables.
Model product_model(Random& random, std::size_t& i) {
  Model model;
  if (below(random, 3) == 0) {
    model = random_product(random, kinds_of_priors()[below(random, kinds_of_priors().size())], Entries::kRational);
    i = below(random, model.domain.size());
    return model;
  }
  model.domain = random_domain(random);
  i = below(random, model.domain.size());
  model.channel = separate_parts(random, model.domain, i);
  Weights weights = random_weights(random, model.domain.inputs());
  for (Number& weight : weights) weight = below(random, 3) == 0 ? weight : Number(0);
  weights[below(random, weights.size())] += Number(1);
  model.prior = prior_of(model.domain, normalized(weights));
  return model;
}

// nullopt if the search does not apply (LimitError).
std::optional<GroupLevel> searched(const Model& model, const PriorSet& set, std::size_t i,
                                   engine::Averages averages = engine::Averages::kWhereCheaper) {
  Budget budget;
  try {
    engine::SearchLimits limits;
    limits.averages = averages;
    return search_product(model, set, Partition::by_value(model.domain, i), {}, 1, budget, limits);
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

double sum_of(const MeanBounds::Weighted& weighted, const std::vector<double>& column, double elsewhere) {
  double sum = weighted.elsewhere * elsewhere;
  REQUIRE(weighted.places.size() <= column.size());
  for (std::size_t k = 0; k < weighted.places.size(); ++k) sum += weighted.places[k] * column[k];
  return sum;
}

double mean_of(const Weights& weights, const std::vector<std::uint64_t>& inputs, const std::vector<double>& column) {
  double joint = 0, mass = 0;
  for (const std::uint64_t x : inputs) {
    joint += weights[x].approx() * column[x];
    mass += weights[x].approx();
  }
  return mass == 0 ? -1 : joint / mass;
}

// Returns true if one part of the bounds covers the means of all columns given these labels; for a single column,
// if some part covers its quotient. Adds to `weighted` where both means have weighted sums.
bool is_within_a_part(const MeanBounds& bounds, const Weights& member, const ColumnInputs& all,
                      const ColumnInputs& named, const std::vector<std::vector<double>>& columns, std::size_t from,
                      std::size_t to, int& weighted) {
  std::vector<bool> fits(bounds.parts(), true);
  bool quotient_fits = false;
  const auto of_label = [&](const std::vector<double>& column, std::size_t label) {
    std::vector<double> own;
    for (const std::uint64_t x : named.inputs[label]) own.push_back(column[x]);
    return own;
  };
  const auto in_order = [](const std::vector<double>& column) {
    return [&column](std::uint64_t x, std::uint64_t y) { return column[x] < column[y]; };
  };
  for (const std::vector<double>& column : columns) {
    const std::vector<std::uint64_t>&inputs = all.inputs[from], &others = all.inputs[to];
    const double largest = column[*std::max_element(inputs.begin(), inputs.end(), in_order(column))];
    const double smallest = column[*std::min_element(others.begin(), others.end(), in_order(column))];
    std::vector<double> least(bounds.parts());
    bounds.least(to, of_label(column, to), smallest, least);
    for (std::size_t part = 0; part < fits.size(); ++part) {
      const double most = bounds.most(part, from, of_label(column, from), largest);
      // Weighted sums bound the means of every column.
      const auto above = bounds.above(part, from), below = bounds.below(part, to);
      if (above && !above->never) REQUIRE(sum_of(*above, of_label(column, from), largest) >= most * (1 - 1e-9));
      if (below && !below->never) REQUIRE(sum_of(*below, of_label(column, to), smallest) <= least[part] * (1 + 1e-9));
      weighted += above && below ? 1 : 0;
      if (most * (1 + 1e-9) < mean_of(member, inputs, column)) fits[part] = false;
      if (least[part] * (1 - 1e-9) > mean_of(member, others, column)) fits[part] = false;
      const double quotient = mean_of(member, inputs, column) / mean_of(member, others, column);
      quotient_fits = quotient_fits || most / least[part] * (1 + 1e-9) >= quotient;
    }
  }
  return columns.size() == 1 ? quotient_fits : std::find(fits.begin(), fits.end(), true) != fits.end();
}

}  // namespace

TEST_CASE("A search over the outputs of a product finds what a pass over its columns finds, and shows it") {
  std::uint64_t seed = 100;
  for (const KindOfSet& kind : kinds_of_sets()) {
    CAPTURE(kind.name);
    Random random(++seed);
    int found = 0;
    const int models = effort(1500, 120, 25);
    for (int round = 0; round < models; ++round) {
      CAPTURE(round);
      std::size_t i = 0;
      const Model model = product_model(random, i);
      const SetInstance instance = kind.make(random, model, i);
      const std::optional<GroupLevel> level = searched(model, *instance.set, i);
      if (!level) continue;
      ++found;
      REQUIRE(!level->unfinished);
      Budget budget;
      MeasuredModel subject(model, budget);
      const GroupLevel by_columns = level_over(subject, *instance.set, Partition::by_value(model.domain, i), {});
      REQUIRE(level->at_least == by_columns.at_least);
      for (const auto averages : {engine::Averages::kAlways, engine::Averages::kNever}) {
        const std::optional<GroupLevel> other = searched(model, *instance.set, i, averages);
        REQUIRE(other);
        REQUIRE(!other->unfinished);
        REQUIRE(other->at_least == by_columns.at_least);
      }
      if (level->shows_something()) check_member(model, instance, i, *level);
    }
    const bool input_by_input = kind.name == "marginals" || kind.name == "network";
    CHECK((input_by_input ? found == 0 : found > models / 5));
  }
}

TEST_CASE("Some part of a set bounds all means under a member, whatever the column") {
  std::uint64_t seed = 200;
  for (const KindOfSet& kind : kinds_of_sets()) {
    CAPTURE(kind.name);
    Random random(++seed);
    int weighted = 0;
    for (int round = 0; round < effort(400, 60, 15); ++round) {
      CAPTURE(round);
      std::size_t i = 0;
      const Model model = product_model(random, i);
      const SetInstance instance = kind.make(random, model, i);
      Budget budget;
      const std::optional<NamedInputs> names = instance.set->named_inputs(budget);
      if (!names || instance.set->is_largest_part_by_part()) continue;
      const ColumnInputs all = Partition::by_value(model.domain, i);
      ColumnInputs named = all;
      for (auto& of_label : named.inputs) of_label.clear();
      for (const auto& [input, weight] : names->rows) named.inputs[model.domain.digit(input, i)].push_back(input);
      const auto bounds = instance.set->bounds({model.domain, named, Number(4)}, budget);
      REQUIRE(bounds);
      for (int member = 0; member < 20; ++member) {
        const Weights weights = instance.member(random);
        std::vector<std::vector<double>> columns;
        for (int c = 0; c < 6; ++c) {
          std::vector<double>& column = columns.emplace_back();
          for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
            column.push_back(std::exp(static_cast<double>(below(random, 20)) / 2));
          }
        }
        for (std::size_t from = 0; from < all.inputs.size(); ++from) {
          for (std::size_t to = 0; to < all.inputs.size(); ++to) {
            const bool compared = from != to && mean_of(weights, all.inputs[from], columns[0]) >= 0 &&
                                  mean_of(weights, all.inputs[to], columns[0]) >= 0;
            if (!compared) continue;
            // For mixtures, only mixtures of two, which have the largest quotient at every output, lie in one
            // part: one column.
            if (kind.name == "mixtures" || kind.name == "side knowledge") columns.resize(1);
            REQUIRE(is_within_a_part(*bounds, weights, all, named, columns, from, to, weighted));
          }
        }
      }
    }
    const bool expected = kind.name == "reweighted" || kind.name == "contaminated" || kind.name == "intervals" ||
                          kind.name == "any of" || kind.name == "mixtures" || kind.name == "side knowledge";
    // Within the support only where the fraction is 0.
    if (kind.name != "contaminated within the support") CHECK((weighted > 0) == expected);
  }
}

TEST_CASE("Below a node no quotient over a set exceeds either bound") {
  std::uint64_t seed = 300;
  for (const KindOfSet& kind : kinds_of_sets()) {
    CAPTURE(kind.name);
    Random random(++seed);
    int averaged = 0, near = 0;
    for (int round = 0; round < effort(600, 100, 25); ++round) {
      CAPTURE(round);
      std::size_t i = 0;
      const Model model = product_model(random, i);
      const SetInstance instance = kind.make(random, model, i);
      const PriorSet& set = *instance.set;
      Budget budget;
      const std::optional<NamedInputs> names = set.named_inputs(budget);
      if (!names || set.is_largest_part_by_part()) continue;
      std::optional<ProductColumns> columns;
      try {
        columns.emplace(model, Partition::by_value(model.domain, i), *names, budget);
      } catch (const LimitError&) {
        continue;
      }
      const engine::Suffixes suffixes(columns->seen(), engine::by_information(columns->seen()), budget);
      const engine::PathWeights exact(columns->seen(), suffixes);
      const auto means = set.bounds({model.domain, columns->named(), Number(4), 1, false}, budget);
      REQUIRE(means);
      engine::LossKernel kernel(suffixes, 1 << 20, budget);
      QuotientBounds bounds(*columns, suffixes, *means, kernel, engine::Averages::kAlways);
      for (int output = 0; output < 6; ++output) {
        std::vector<std::uint32_t> path, outputs(suffixes.depths());
        for (std::size_t d = 0; d < suffixes.depths(); ++d) {
          const std::size_t f = suffixes.factor(d);
          path.push_back(static_cast<std::uint32_t>(below(random, columns->seen().factors[f].outputs.size())));
          outputs[f] = path[d];
        }
        const ProductColumns::At at = columns->at(outputs, exact.products(path, budget));
        const SetQuestion question{model.domain, at.inputs, model.channel->output_count(), 1, false};
        const auto search = set.search(question, budget);
        search->look_at(at.column);
        for (std::uint32_t from = 0; from < columns->labels().size(); ++from) {
          const auto to = static_cast<std::uint32_t>(below(random, columns->labels().size()));
          if (from == to || at.inputs.inputs[from].empty() || at.inputs.inputs[to].empty()) continue;
          const std::optional<Ratio> largest = search->largest(from, to);
          if (!largest || search->stopped()) continue;
          const double ratio = largest->infinite ? kNoMean : largest->value.approx();
          for (std::size_t depth = 0; depth <= path.size(); ++depth) {
            const auto weights = bounds.weights_at(std::span(path).first(depth));
            if (!weights) continue;
            REQUIRE(ratio <= bounds.largest_below(depth, *weights, from, to) * (1 + 1e-12));
            if (!bounds.pays_averaged(depth)) continue;
            const double most = std::exp(static_cast<double>(below(random, 60)) / 20);
            const double bound = bounds.averaged_below(depth, *weights, from, to, most, [] {});
            REQUIRE(ratio <= std::max(most, bound) * (1 + 1e-12));
            averaged += bound < kNoMean ? 1 : 0;
            near += bound > most && bound < ratio * 1.05 ? 1 : 0;
          }
        }
      }
    }
    const bool by_sums = kind.name == "reweighted" || kind.name == "contaminated" || kind.name == "any of" ||
                         kind.name == "intervals" || kind.name == "mixtures" || kind.name == "side knowledge";
    if (by_sums) CHECK(averaged > 0);
    if (kind.name == "any of") CHECK(near > 0);
  }
}
