// Every kind of set against its definition: random members never exceed the level, and what shows it is a member.
#include "verifier/sets/kinds.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/sets/line.h"
#include "verifier/sets/set_level.h"

using namespace oddsbound;
using namespace oddsbound::sets;
using namespace oddsbound::testing;

namespace {

using Weights = std::vector<Number>;  // by input, normalized

Number sum_of(const Weights& weights) { return std::accumulate(weights.begin(), weights.end(), Number(0)); }

Weights normalized(Weights weights) {
  const Number total = sum_of(weights);
  for (Number& weight : weights) weight /= total;
  return weights;
}

Number share(Random& random) {
  switch (below(random, 6)) {
    case 0: return Number(0);
    case 1: return Number(1);
    default:
      return Number::ratio(1 + static_cast<std::int64_t>(below(random, 9)),
                           10 + static_cast<std::int64_t>(below(random, 30)));
  }
}

// Channels with zeros have infinite levels under most sets; of others every part of a formula counts.
Model model_for_sets(Random& random, Entries entries) {
  Model model = random_model(random, entries);
  if (below(random, 4) == 0) return model;
  auto rows = rows_of(*model.channel);
  const Number outputs(static_cast<std::int64_t>(rows[0].size()));
  for (auto& row : rows) {
    for (Number& entry : row) entry = (entry * Number(9) + Number(1) / outputs) / Number(10);
  }
  model.channel = channel_of_rows(rows);
  return model;
}

// A set with its definition in two ways.
struct Instance {
  PriorSetPtr set;
  std::function<bool(const Weights&)> contains;
  std::function<Weights(Random&)> member;
};

Prior prior_of(const Domain& domain, const Weights& weights) {
  Budget budget;
  return Prior::from_weights(domain, weights, budget);
}

Model with(const Model& model, const Weights& weights) {
  return {model.domain, model.channel, prior_of(model.domain, weights)};
}

Weights center_of(const Model& model) {
  Weights weights;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) weights.push_back(model.prior->probability(x));
  return weights;
}

Weights anything(Random& random, std::size_t inputs) { return random_distribution(random, inputs, Entries::kRational); }

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

// Conditionals that have most in common, and whatever marginal.
Weights of_correlation(Random& random, const Domain& domain, std::size_t i, const Number& q) {
  const std::uint64_t values = domain.values(i);
  const std::size_t records = domain.inputs() / values;
  const Weights common = anything(random, records);
  const Weights marginal = anything(random, values);
  Weights result(domain.inputs());
  const LabelledInputs inputs = by_value(domain, i);
  for (std::uint64_t a = 0; a < values; ++a) {
    const Weights own = anything(random, records);
    for (std::size_t z = 0; z < records; ++z) {
      result[inputs.inputs[a][z]] = marginal[a] * ((Number(1) - q) * common[z] + q * own[z]);
    }
  }
  return result;
}

Instance correlation_instance(const Model& model, std::size_t i, const Number& q, PriorSetPtr set) {
  return {std::move(set),
          [&model, i, q](const Weights& weights) { return naive_correlation(with(model, weights), i) <= q; },
          [&model, i, q](Random& own) { return of_correlation(own, model.domain, i, q); }};
}

Instance contaminated_instance(Random& random, const Model& model, Support support) {
  const Number r = share(random);
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
            Weights wrong = anything(own, center.size());
            for (std::size_t x = 0; x < center.size(); ++x) {
              if (!inside(x)) wrong[x] = Number(0);
            }
            return sum_of(wrong).is_zero() ? center : mixed(center, normalized(wrong), r);
          }};
}

// Mass is taken where an output is least likely given a value, and where it is likeliest given another one, and added
// the other way round: how much from which is by chance.
Weights greedy(Random& random, const Model& model, std::size_t i, Weights weights, const Number& most) {
  const LabelledInputs inputs = by_value(model.domain, i);
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
  const Number added_to_from = most * share(random);
  Number moved;
  Number left = below(random, 2) == 0 ? most * share(random) : most;
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

Instance ball_instance(Random& random, const Model& model, std::size_t i) {
  const Number r = share(random);
  const Weights center = center_of(model);
  return {total_variation_ball(*model.prior, r),
          [=](const Weights& weights) { return total_variation(center, weights) <= r; },
          [=, &model](Random& own) {
            if (below(own, 2) == 0) return greedy(own, model, i, center, r);
            if (below(own, 2) == 0) {  // as much as can be from some cells to few others
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
            const Weights other = anything(own, center.size());
            const Number distance = total_variation(center, other);
            return mixed(center, other, distance <= r ? Number(1) : r / distance);
          }};
}

Instance reweighted_instance(Random& random, const Model& model) {
  const Number factor = Number(1) + share(random) * Number(static_cast<std::int64_t>(1 + below(random, 4)));
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

Instance interval_instance(Random& random, const Model& model) {
  const std::size_t inputs = model.domain.inputs();
  const Weights inside = anything(random, inputs);
  Weights lower = inside, upper = inside;
  for (std::size_t x = 0; x < inputs; ++x) {
    if (below(random, 3) != 0) lower[x] *= share(random);
    if (below(random, 3) != 0) upper[x] += share(random);
  }
  return {within_intervals(lower, upper),
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
            return below(own, 2) == 0 ? weights : mixed(weights, inside, share(own));
          }};
}

// Whether the weights lie on the line between two others.
bool is_between(const Weights& weights, const Weights& a, const Weights& b) {
  for (std::size_t x = 0; x < a.size(); ++x) {
    if (a[x] == b[x]) continue;
    const Number w = (weights[x] - a[x]) / (b[x] - a[x]);
    return w.sign() >= 0 && w <= Number(1) && weights == mixed(a, b, w);
  }
  return weights == a;
}

Instance list_instance(Random& random, const Model& model, bool mixes) {
  std::vector<Weights> list;
  std::vector<Prior> priors;
  const std::size_t count = 1 + below(random, 4);
  for (std::size_t j = 0; j < count; ++j) {
    list.push_back(anything(random, model.domain.inputs()));
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
              mix = mixed(mix, list[below(own, list.size())], share(own));
            return mix;
          }};
}

Instance knowledge_instance(Random& random, const Model& model, std::size_t i) {
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
            const Weights learned = anything(own, project.size());
            for (std::size_t x = 0; x < weights.size(); ++x) weights[x] *= learned[project(x)];
            return sum_of(weights).is_zero() ? center : normalized(weights);
          }};
}

Weights table_of(const Weights& weights, const Projection& project) {
  Weights table(project.size());
  for (std::size_t x = 0; x < weights.size(); ++x) table[project(x)] += weights[x];
  return table;
}

// Adds and takes mass by turns at the inputs between two others, so that no table sees it that lacks some of the blocks
// of coordinates in which they differ.
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
  const Number amount = *most * (below(random, 2) == 0 ? Number(1) : share(random));
  for (std::size_t x = 0; x < weights.size(); ++x) weights[x] += amount * change[x];
}

std::vector<Marginal> marginals_of(const Model& model, const std::vector<std::vector<std::size_t>>& tables) {
  std::vector<Marginal> marginals;
  for (const auto& table : tables) {
    marginals.push_back({table, table_of(center_of(model), Projection(model.domain, table))});
  }
  return marginals;
}

Instance marginals_instance(Random& random, const Model& model, std::size_t i) {
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

struct Kind {
  std::string name;
  std::function<Instance(Random&, const Model&, std::size_t)> make;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"all",
       [](Random&, const Model& m, std::size_t i) { return correlation_instance(m, i, Number(1), all_priors()); }},
      {"product",
       [](Random&, const Model& m, std::size_t i) { return correlation_instance(m, i, Number(0), product_priors()); }},
      {"correlation",
       [](Random& r, const Model& m, std::size_t i) {
         const Number q = share(r);
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
      {"any of", [](Random& r, const Model& m, std::size_t) { return list_instance(r, m, false); }},
      {"mixtures", [](Random& r, const Model& m, std::size_t) { return list_instance(r, m, true); }},
      {"side knowledge", [](Random& r, const Model& m, std::size_t i) { return knowledge_instance(r, m, i); }},
  };
  return all;
}

SetLevel level_of(const Model& model, const PriorSet& set, std::size_t i, const Direction& direction = {}) {
  Budget budget;
  MeasuredModel subject(model, budget);
  return level_over(subject, set, by_value(model.domain, i), direction);
}

// What shows the level is a member, and shows it.
void check_member(const Model& model, const Instance& instance, std::size_t i, const SetLevel& found) {
  Weights weights(model.domain.inputs());
  for (const auto& [input, mass] : found.member.rows) weights[input] = mass;
  weights = normalized(weights);
  REQUIRE(instance.contains(weights));
  Number joint_from, joint_to, mass_from, mass_to;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    const Number& entry = model.channel->entry(x, *found.output);
    const std::uint64_t value = model.domain.digit(x, i);
    if (value == found.from) joint_from += weights[x] * entry, mass_from += weights[x];
    if (value == found.to) joint_to += weights[x] * entry, mass_to += weights[x];
  }
  REQUIRE(found.p_from == joint_from / mass_from);
  REQUIRE(found.p_to == joint_to / mass_to);
  const Ratio shown = Ratio::of(found.p_from, found.p_to);
  if (found.ratio.infinite) {
    REQUIRE((found.member.attains ? shown.infinite : shown > Ratio{Surd(Number(1'000'000'000))}));
  } else if (found.member.attains) {
    REQUIRE(shown == found.ratio);
  } else {
    REQUIRE(shown <= found.ratio);
    REQUIRE(Ratio{shown.value * Surd(shown_within())} >= found.ratio);
  }
}

Ratio exponential_of(const Level& level) {
  return level.is_infinite() ? Ratio::infinity() : Ratio{level.exponential()};
}

}  // namespace

TEST_CASE("Over every kind of set no random member exceeds the level, and what shows the level is a member") {
  std::uint64_t seed = 0;
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.name);
    Random random(++seed);
    int shown = 0;
    const int models = effort(1000, 60, 15);
    for (int round = 0; round < models; ++round) {
      CAPTURE(round);
      const Model model = model_for_sets(random, round % 10 == 0 ? Entries::kWithExp : Entries::kRational);
      const std::size_t i = below(random, model.domain.size());
      const Instance instance = kind.make(random, model, i);
      const SetLevel found = level_of(model, *instance.set, i);
      if (found.output) {
        ++shown;
        check_member(model, instance, i, found);
      }
      for (int member = 0; member < 50; ++member) {
        const Weights weights = instance.member(random);
        if (kind.name != "mixtures") REQUIRE(instance.contains(weights));  // which is asked along lines alone
        REQUIRE(exponential_of(naive_bcdp(with(model, weights), i)) <= found.ratio);
      }
    }
    CHECK(shown > models / 3);
  }
}

TEST_CASE("A set that contains another one has no smaller level") {
  Random random(5);
  for (int round = 0; round < effort(300, 60, 20); ++round) {
    const Model model = model_for_sets(random, Entries::kRational);
    const std::size_t i = below(random, model.domain.size());
    const Number smaller = share(random) / Number(2);
    const Number larger = smaller + share(random) / Number(2);
    const auto correlation = [&](const Number& q) {
      return correlation_at_most(model.domain, std::vector<std::optional<Number>>(model.domain.size(), q));
    };
    const std::vector<Prior> priors{*model.prior, prior_of(model.domain, anything(random, model.domain.inputs()))};
    std::vector<std::size_t> rest = every_coordinate(model.domain);
    if (rest.size() > 1) rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<std::vector<PriorSetPtr>> chains = {
        {product_priors(), correlation(smaller), correlation(larger), all_priors()},
        {any_of({*model.prior}), contaminated(*model.prior, smaller, Support::kCenter),
         contaminated(*model.prior, smaller, Support::kDomain), total_variation_ball(*model.prior, smaller),
         total_variation_ball(*model.prior, larger), all_priors()},
        {any_of({*model.prior}), reweighted(*model.prior, Number(1) + smaller),
         reweighted(*model.prior, Number(1) + larger), all_priors()},
        {any_of({*model.prior}), any_of(priors), mixtures_of(priors), all_priors()},
        {any_of({*model.prior}), with_marginals(marginals_of(model, {{i}, rest, {0}})),
         with_marginals(marginals_of(model, {{i}, rest})), with_marginals(marginals_of(model, {{i}})), all_priors()},
    };
    for (const auto& chain : chains) {
      Ratio before{Surd(Number(1))};
      for (const PriorSetPtr& set : chain) {
        CAPTURE(set->words());
        const Ratio level = level_of(model, *set, i).ratio;
        REQUIRE(before <= level);
        before = level;
      }
    }
    REQUIRE(level_of(model, *any_of({*model.prior}), i).ratio == exponential_of(naive_bcdp(model, i)));
    const auto whole = with_marginals(marginals_of(model, {every_coordinate(model.domain)}));
    REQUIRE(level_of(model, *whole, i).ratio == exponential_of(naive_bcdp(model, i)));
    REQUIRE(level_of(model, *product_priors(), i).ratio == exponential_of(naive_cdp(model, i)));
  }
}

TEST_CASE("Tables that cannot be had together are found, two by two or all at once") {
  const Domain bits({{"x", {"0", "1"}}, {"y", {"0", "1"}}, {"z", {"0", "1"}}});
  const Number half = Number::ratio(1, 2);
  const std::vector<Number> equal{half, Number(0), Number(0), half}, different{Number(0), half, half, Number(0)};
  Budget budget;
  CHECK(is_possible(bits, {{{0, 1}, equal}, {{1, 2}, equal}, {{0, 2}, equal}}, budget));
  CHECK(is_possible(bits, {{{0, 1}, equal}, {{1, 2}, different}, {{0, 2}, different}}, budget));
  CHECK(!is_possible(bits, {{{0, 1}, equal}, {{1, 2}, equal}, {{0, 2}, different}}, budget));
  CHECK(!is_possible(bits, {{{0, 1}, equal}, {{1}, {Number::ratio(1, 3), Number::ratio(2, 3)}}}, budget));
}
