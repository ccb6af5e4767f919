#include "tests/support/random_sets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/random_network.h"
#include "verifier/priors/line.h"

namespace oddsbound::testing {

using namespace priors;

namespace {

Number sum_of(const Weights& weights) { return std::accumulate(weights.begin(), weights.end(), Number(0)); }

}  // namespace

Weights normalized(Weights weights) {
  const Number total = sum_of(weights);
  for (Number& weight : weights) weight /= total;
  return weights;
}

Number random_share(Random& random) {
  switch (below(random, 6)) {
    case 0: return Number(0);
    case 1: return Number(1);
    default:
      return Number::ratio(1 + static_cast<std::int64_t>(below(random, 9)),
                           10 + static_cast<std::int64_t>(below(random, 30)));
  }
}

Weights random_weights(Random& random, std::size_t inputs) {
  return random_distribution(random, inputs, Entries::kRational);
}

Prior prior_of(const Domain& domain, const Weights& weights) {
  Budget budget;
  return Prior::from_weights(domain, weights, budget);
}

Model with_prior(const Model& model, const Weights& weights) {
  return {model.domain, model.channel, prior_of(model.domain, weights)};
}

ChannelPtr without_zeros(const Channel& channel) {
  auto rows = rows_of(channel);
  const Number outputs(static_cast<std::int64_t>(rows[0].size()));
  for (auto& row : rows) {
    for (Number& entry : row) entry = (entry * Number(9) + Number(1) / outputs) / Number(10);
  }
  return channel_of_rows(rows);
}

Model model_for_sets(Random& random, Entries entries) {
  Model model = random_model(random, entries);
  if (below(random, 4) != 0) model.channel = without_zeros(*model.channel);
  return model;
}

namespace {

Weights center_of(const Model& model) {
  Weights weights;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) weights.push_back(model.prior->probability(x));
  return weights;
}

Weights mixed(const Weights& a, const Weights& b, const Number& w) {
  Weights result;
  for (std::size_t x = 0; x < a.size(); ++x) result.push_back((Number(1) - w) * a[x] + w * b[x]);
  return result;
}

Number total_variation(const Weights& a, const Weights& b) {
  Number twice;
  for (std::size_t x = 0; x < a.size(); ++x) twice += a[x] < b[x] ? b[x] - a[x] : a[x] - b[x];
  return twice / Number(2);
}

// Conditionals with a common part of weight 1 - q, and any marginal.
Weights of_correlation(Random& random, const Domain& domain, std::size_t i, const Number& q) {
  const std::uint64_t values = domain.values(i);
  const std::size_t records = domain.inputs() / values;
  const Weights common = random_weights(random, records);
  const Weights marginal = random_weights(random, values);
  Weights result(domain.inputs());
  const ColumnInputs inputs = Partition::by_value(domain, i);
  for (std::uint64_t a = 0; a < values; ++a) {
    const Weights own = random_weights(random, records);
    for (std::size_t z = 0; z < records; ++z) {
      result[inputs.inputs[a][z]] = marginal[a] * ((Number(1) - q) * common[z] + q * own[z]);
    }
  }
  return result;
}

SetInstance correlation_instance(const Model& model, std::size_t i, const Number& q, PriorSetPtr set) {
  return {std::move(set),
          [&model, i, q](const Weights& weights) { return naive_correlation(with_prior(model, weights), i) <= q; },
          [&model, i, q](Random& own) { return of_correlation(own, model.domain, i, q); }};
}

SetInstance contaminated_instance(Random& random, const Model& model, Support support) {
  const Number r = random_share(random);
  const Weights center = center_of(model);
  const auto inside = [center, support](std::size_t x) { return support == Support::kDomain || !center[x].is_zero(); };
  return {contaminated(*model.prior, r, support),
          [=](const Weights& weights) {
            for (std::size_t x = 0; x < center.size(); ++x) {
              if (weights[x] < (Number(1) - r) * center[x] || (!inside(x) && !weights[x].is_zero())) return false;
            }
            return true;
          },
          [=](Random& own) {
            Weights wrong = random_weights(own, center.size());
            for (std::size_t x = 0; x < center.size(); ++x) {
              if (!inside(x)) wrong[x] = Number(0);
            }
            return sum_of(wrong).is_zero() ? center : mixed(center, normalized(wrong), r);
          }};
}

// Takes mass where an output is least likely given one value and most likely given another, and adds it at the
// opposite ends. The amounts are random.
Weights greedy(Random& random, const Model& model, std::size_t i, Weights weights, const Number& most) {
  const ColumnInputs inputs = Partition::by_value(model.domain, i);
  const std::uint64_t y = below(random, model.channel->outputs());
  const std::size_t labels = inputs.inputs.size();
  const std::size_t from = below(random, labels);
  const std::size_t to = (from + 1) % labels;
  const auto ordered = [&](std::size_t label) {
    std::vector<std::uint64_t> order = inputs.inputs[label];
    std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
      return model.channel->entry(a, y) < model.channel->entry(b, y);
    });
    return order;
  };
  const std::vector<std::uint64_t> up = ordered(from);
  std::vector<std::uint64_t> down = ordered(to);
  std::reverse(down.begin(), down.end());
  const Number added_to_from = most * random_share(random);
  Number moved;
  Number left = below(random, 2) == 0 ? most * random_share(random) : most;
  const auto take = [&](const std::vector<std::uint64_t>& order, Number amount) {
    for (const std::uint64_t x : order) {
      const Number taken = std::min(amount, weights[x]);
      weights[x] -= taken;
      amount -= taken;
      moved += taken;
    }
  };
  take(up, left);
  take(down, most - moved);
  take(up, most - moved);
  const Number share_of_from = std::min(added_to_from, moved);
  weights[up.back()] += share_of_from;
  weights[down.back()] += moved - share_of_from;
  return weights;
}

SetInstance ball_instance(Random& random, const Model& model, std::size_t i) {
  const Number r = random_share(random);
  const Weights center = center_of(model);
  return {total_variation_ball(*model.prior, r),
          [=](const Weights& weights) { return total_variation(center, weights) <= r; },
          [=, &model](Random& own) {
            if (below(own, 2) == 0) return greedy(own, model, i, center, r);
            if (below(own, 2) == 0) {  // as much as possible, from some cells to a few others
              Weights moved = center;
              Number left = r;
              for (int tries = 0; tries < 6; ++tries) {
                const std::size_t x = below(own, moved.size());
                const Number taken = std::min(left, moved[x]);
                moved[x] -= taken;
                moved[below(own, moved.size())] += taken;
                left -= taken;
              }
              return moved;
            }
            const Weights other = random_weights(own, center.size());
            const Number distance = total_variation(center, other);
            return mixed(center, other, distance <= r ? Number(1) : r / distance);
          }};
}

SetInstance reweighted_instance(Random& random, const Model& model) {
  const Number factor = Number(1) + random_share(random) * Number(static_cast<std::int64_t>(1 + below(random, 4)));
  const Weights center = center_of(model);
  return {reweighted(*model.prior, factor),
          [=](const Weights& weights) {
            std::optional<Number> least, most;
            for (std::size_t x = 0; x < center.size(); ++x) {
              if (center[x].is_zero() != weights[x].is_zero()) return false;
              if (center[x].is_zero()) continue;
              const Number w = weights[x] / center[x];
              least = least ? std::min(*least, w) : w;
              most = most ? std::max(*most, w) : w;
            }
            return *most <= *least * factor * factor;
          },
          [=](Random& own) {
            Weights weights = center;
            for (Number& weight : weights) {
              switch (below(own, 4)) {
                case 0: break;
                case 1: weight /= factor; break;
                default: weight *= factor; break;
              }
            }
            return normalized(weights);
          }};
}

SetInstance interval_instance(Random& random, const Model& model) {
  const std::size_t inputs = model.domain.inputs();
  Weights inside = random_weights(random, inputs);
  const bool sparse = below(random, 2) == 0;  // most inputs of a table have no mass
  if (sparse) {
    for (Number& weight : inside) weight = below(random, 3) == 0 ? Number(0) : weight;
    inside[below(random, inputs)] += Number(1);
    inside = normalized(inside);
  }
  Weights lower = inside, upper = inside;
  for (std::size_t x = 0; x < inputs; ++x) {
    if (below(random, 3) != 0) lower[x] *= random_share(random);
    if (below(random, 3) != 0) upper[x] += random_share(random);
  }
  CellIntervals intervals;
  for (std::size_t x = 0; x < inputs; ++x) {
    if (sparse && inside[x].is_zero()) {
      lower[x] = upper[x] = Number(0);
    } else {
      intervals.rows.push_back({x, {lower[x], upper[x]}});
    }
  }
  return {within_intervals(intervals),
          [=](const Weights& weights) {
            for (std::size_t x = 0; x < inputs; ++x) {
              if (weights[x] < lower[x] || weights[x] > upper[x]) return false;
            }
            return true;
          },
          [=](Random& own) {
            Weights weights = lower;
            Number left = Number(1) - sum_of(lower);
            std::vector<std::size_t> order(inputs);
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::shuffle(order.begin(), order.end(), own);
            for (const std::size_t x : order) {
              const Number added = std::min(left, upper[x] - lower[x]);
              weights[x] += added;
              left -= added;
            }
            return below(own, 2) == 0 ? weights : mixed(weights, inside, random_share(own));
          }};
}

// Returns true if the weights lie on the segment from a to b.
bool is_between(const Weights& weights, const Weights& a, const Weights& b) {
  for (std::size_t x = 0; x < a.size(); ++x) {
    if (a[x] == b[x]) continue;
    const Number w = (weights[x] - a[x]) / (b[x] - a[x]);
    return w.sign() >= 0 && w <= Number(1) && weights == mixed(a, b, w);
  }
  return weights == a;
}

SetInstance list_instance(Random& random, const Model& model, bool mixes) {
  std::vector<Weights> list;
  std::vector<Prior> priors;
  const std::size_t count = 1 + below(random, 4);
  for (std::size_t j = 0; j < count; ++j) {
    list.push_back(random_weights(random, model.domain.inputs()));
    priors.push_back(prior_of(model.domain, list.back()));
  }
  return {mixes ? mixtures_of(priors) : any_of(priors),
          [=](const Weights& weights) {
            for (const Weights& a : list) {
              if (weights == a) return true;
              for (const Weights& b : list) {
                if (mixes && is_between(weights, a, b)) return true;
              }
            }
            return false;
          },
          [=](Random& own) {
            Weights mix = list[below(own, list.size())];
            for (int times = 0; mixes && times < 2; ++times)
              mix = mixed(mix, list[below(own, list.size())], random_share(own));
            return mix;
          }};
}

SetInstance knowledge_instance(Random& random, const Model& model, std::size_t i) {
  const Weights center = center_of(model);
  std::vector<std::size_t> about;
  for (std::size_t j = 0; j < model.domain.size(); ++j) {
    if (j != i && below(random, 3) != 0) about.push_back(j);
  }
  const Projection project(model.domain, about);
  return {side_knowledge(*model.prior, about),
          [=](const Weights& weights) {
            std::vector<std::optional<Number>> learned(project.size());
            for (std::size_t x = 0; x < center.size(); ++x) {
              if (center[x].is_zero()) {
                if (!weights[x].is_zero()) return false;
                continue;
              }
              const Number w = weights[x] / center[x];
              auto& known = learned[project(x)];
              if (known && *known != w) return false;
              known = w;
            }
            return true;
          },
          [=](Random& own) {
            Weights weights = center;
            const Weights learned = random_weights(own, project.size());
            for (std::size_t x = 0; x < weights.size(); ++x) weights[x] *= learned[project(x)];
            return sum_of(weights).is_zero() ? center : normalized(weights);
          }};
}

Weights table_of(const Weights& weights, const Projection& project) {
  Weights table(project.size());
  for (std::size_t x = 0; x < weights.size(); ++x) table[project(x)] += weights[x];
  return table;
}

// Alternately adds and subtracts mass at the inputs between two others. A table that lacks one of the blocks of
// coordinates in which these differ does not change.
void move(Random& random, const Domain& domain, const std::vector<std::vector<std::size_t>>& tables, Weights& weights) {
  const std::uint64_t u = below(random, weights.size());
  const std::uint64_t v = below(random, weights.size());
  const std::size_t blocks = 2 + below(random, domain.size() > 2 ? 2 : 1);
  std::vector<std::size_t> block_of(domain.size());
  for (std::size_t& block : block_of) block = below(random, blocks);
  for (const auto& table : tables) {
    std::vector<bool> seen(blocks, false);
    for (const std::size_t j : table) seen[block_of[j]] = true;
    if (std::all_of(seen.begin(), seen.end(), [](bool is) { return is; })) return;
  }
  std::vector<Number> change(weights.size());
  for (std::size_t toggled = 0; toggled < std::size_t{1} << blocks; ++toggled) {
    InputRow row = domain.row(u);
    const InputRow other = domain.row(v);
    int sign = 1;
    for (std::size_t block = 0; block < blocks; ++block) sign = (toggled >> block & 1) != 0 ? -sign : sign;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if ((toggled >> block_of[j] & 1) != 0) row[j] = other[j];
    }
    change[domain.number(row)] += Number(sign);
  }
  std::optional<Number> most;
  for (std::size_t x = 0; x < weights.size(); ++x) {
    if (change[x].sign() < 0) most = most ? std::min(*most, weights[x] / -change[x]) : weights[x] / -change[x];
  }
  if (!most) return;
  const Number amount = *most * (below(random, 2) == 0 ? Number(1) : random_share(random));
  for (std::size_t x = 0; x < weights.size(); ++x) weights[x] += amount * change[x];
}

}  // namespace

std::vector<Marginal> marginals_of(const Model& model, const std::vector<std::vector<std::size_t>>& tables) {
  std::vector<Marginal> marginals;
  for (const auto& table : tables) {
    marginals.push_back({table, table_of(center_of(model), Projection(model.domain, table))});
  }
  return marginals;
}

namespace {

SetInstance marginals_instance(Random& random, const Model& model, std::size_t i) {
  std::vector<std::vector<std::size_t>> tables{{i}};
  for (std::size_t count = below(random, 4); count > 0; --count) {
    std::vector<std::size_t>& table = tables.emplace_back(every_coordinate(model.domain));
    std::shuffle(table.begin(), table.end(), random);
    if (table.size() > 1) table.resize(1 + below(random, table.size() - 1));
  }
  if (tables.size() > 1 && below(random, 2) == 0) std::reverse(tables.begin(), tables.end());
  const Weights center = center_of(model);
  return {with_marginals(marginals_of(model, tables)),
          [=, &model](const Weights& weights) {
            for (const auto& table : tables) {
              const Projection project(model.domain, table);
              if (table_of(weights, project) != table_of(center, project)) return false;
            }
            return std::all_of(weights.begin(), weights.end(), [](const Number& w) { return w.sign() >= 0; });
          },
          [=, &model](Random& own) {
            Weights weights = center;
            for (int times = 0; times < 12; ++times) move(own, model.domain, tables, weights);
            return weights;
          }};
}

SetInstance network_instance(Random& random, const Model& model) {
  const std::vector<IntervalNode> nodes = random_intervals(random, model.domain, 4);
  return {network_within(nodes),
          [=, &model](const Weights& weights) { return is_within(model.domain, nodes, weights); },
          [=, &model](Random& own) { return joint_of(model.domain, random_rows_within(own, nodes)); }};
}

}  // namespace

const std::vector<KindOfSet>& kinds_of_sets() {
  static const std::vector<KindOfSet> all = {
      {"all",
       [](Random&, const Model& m, std::size_t i) { return correlation_instance(m, i, Number(1), all_priors()); }},
      {"product",
       [](Random&, const Model& m, std::size_t i) { return correlation_instance(m, i, Number(0), product_priors()); }},
      {"correlation",
       [](Random& r, const Model& m, std::size_t i) {
         const Number q = random_share(r);
         std::vector<std::optional<Number>> at_most(m.domain.size());
         at_most[i] = q;
         return correlation_instance(m, i, q, correlation_at_most(m.domain, at_most));
       }},
      {"contaminated",
       [](Random& r, const Model& m, std::size_t) { return contaminated_instance(r, m, Support::kDomain); }},
      {"contaminated within the support",
       [](Random& r, const Model& m, std::size_t) { return contaminated_instance(r, m, Support::kCenter); }},
      {"total variation", [](Random& r, const Model& m, std::size_t i) { return ball_instance(r, m, i); }},
      {"reweighted", [](Random& r, const Model& m, std::size_t) { return reweighted_instance(r, m); }},
      {"intervals", [](Random& r, const Model& m, std::size_t) { return interval_instance(r, m); }},
      {"marginals", [](Random& r, const Model& m, std::size_t i) { return marginals_instance(r, m, i); }},
      {"network", [](Random& r, const Model& m, std::size_t) { return network_instance(r, m); }},
      {"any of", [](Random& r, const Model& m, std::size_t) { return list_instance(r, m, false); }},
      {"mixtures", [](Random& r, const Model& m, std::size_t) { return list_instance(r, m, true); }},
      {"side knowledge", [](Random& r, const Model& m, std::size_t i) { return knowledge_instance(r, m, i); }},
  };
  return all;
}

GroupLevel level_of(const Model& model, const PriorSet& set, std::size_t coordinate, const AllowedPairs& direction) {
  Budget budget;
  MeasuredModel subject(model, budget);
  return level_over(subject, set, Partition::by_value(model.domain, coordinate), direction);
}

// Checks that the witness is a member of the set and attains the level.
void check_member(const Model& model, const SetInstance& instance, std::size_t i, const GroupLevel& found) {
  const FoundOutput witness = found.witness.get();
  Weights weights(model.domain.inputs());
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    for (const auto& [input, mass] : witness.prior->rows) {
      if (input == model.domain.tuple(x)) weights[x] = mass;
    }
  }
  weights = normalized(weights);
  REQUIRE(instance.contains(weights));
  Number joint_from, joint_to, mass_from, mass_to;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    const Number& entry = model.channel->entry_of(x, witness.output);
    const std::uint64_t value = model.domain.digit(x, i);
    if (value == found.from) joint_from += weights[x] * entry, mass_from += weights[x];
    if (value == found.to) joint_to += weights[x] * entry, mass_to += weights[x];
  }
  REQUIRE(witness.p_from == joint_from / mass_from);
  REQUIRE(witness.p_to == joint_to / mass_to);
  const Ratio shown = Ratio::of(witness.p_from, witness.p_to), largest = exponential_of(found.at_least);
  if (largest.infinite) {
    REQUIRE((witness.prior->attains ? shown.infinite : shown > Ratio{Surd(Number(1'000'000'000))}));
  } else if (witness.prior->attains) {
    REQUIRE(shown == largest);
  } else {
    REQUIRE(shown <= largest);
    REQUIRE(Ratio{shown.value * Surd(shown_within())} >= largest);
  }
}

}  // namespace oddsbound::testing
