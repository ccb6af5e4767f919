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
std::optional<GroupLevel> searched(const Model& model, const PriorSet& set, std::size_t i) {
  Budget budget;
  try {
    return search_product(model, set, Partition::by_value(model.domain, i), {}, 1, budget, {});
  } catch (const LimitError&) {
    return std::nullopt;
  }
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
// if some part covers its quotient.
bool is_within_a_part(const MeanBounds& bounds, const Weights& member, const ColumnInputs& all,
                      const ColumnInputs& named, const std::vector<std::vector<double>>& columns, std::size_t from,
                      std::size_t to) {
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
            REQUIRE(is_within_a_part(*bounds, weights, all, named, columns, from, to));
          }
        }
      }
    }
  }
}
