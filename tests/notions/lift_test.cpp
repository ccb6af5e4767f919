// The lift of values: closed forms, plain loops over random models, and the search over outputs beside the pass.
#include "verifier/notions/lift.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_product.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/averages.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Number share(std::int64_t p, std::int64_t q) { return Number::ratio(p, q); }
Level log_of(const Number& number) { return Level::of_exponential(number); }

MeasuredLevel measure(const Notion& notion, const Model& model, Arguments arguments, const Limits& limits = {}) {
  arguments.set("epsilon", Level::infinite());
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  return *single_level(notion.decide(subject, arguments).actual);
}

MeasuredLevel lift(const Model& model, const std::string& direction, std::optional<std::size_t> coordinate = {},
                   const Limits& limits = {}) {
  Arguments arguments;
  if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
  const Notion notion = direction == "upper"   ? pointwise_maximal_leakage_notion()
                        : direction == "lower" ? lower_lift_notion()
                                               : local_information_privacy_notion();
  return measure(notion, model, std::move(arguments), limits);
}

MeasuredLevel maximal_leakage(const Model& model, std::optional<std::size_t> coordinate = {}) {
  Arguments arguments;
  if (coordinate) arguments.set("coordinate", Coordinates{{*coordinate}});
  return measure(maximal_leakage_notion(), model, std::move(arguments));
}

// k-randomized response with e^epsilon = t, on one coordinate.
Model k_response(const std::vector<Number>& weights, std::int64_t t) {
  const auto k = static_cast<std::int64_t>(weights.size());
  std::vector<std::vector<Number>> rows(weights.size(), std::vector<Number>(weights.size(), share(1, t + k - 1)));
  std::vector<std::string> values;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    rows[v][v] = share(t, t + k - 1);
    values.push_back(std::to_string(v));
  }
  const Domain domain({{"x", values}});
  Budget budget;
  return {domain, channel_of_rows(rows), Prior::from_weights(domain, weights, budget)};
}

struct Naive {
  Number upper{1}, lower{1};  // exponentials
  bool lower_is_infinite = false;
  Number sum_of_largest{0};
};

// From the definition. coordinate: nullopt for whole inputs.
Naive naive(const Model& model, std::optional<std::size_t> coordinate) {
  const auto rows = rows_of(*model.channel);
  const std::size_t groups = coordinate ? model.domain.values(*coordinate) : rows.size();
  Naive found;
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    std::vector<Number> joint(groups), mass(groups);
    Number everyone(0), largest(0);
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      const std::size_t group = coordinate ? model.domain.digit(x, *coordinate) : x;
      joint[group] += model.prior->probability(x) * rows[x][y];
      mass[group] += model.prior->probability(x);
      everyone += model.prior->probability(x) * rows[x][y];
    }
    for (std::size_t g = 0; g < groups; ++g) {
      if (mass[g].is_zero()) continue;
      const Number given = joint[g] / mass[g];
      largest = std::max(largest, given);
      if (everyone.is_zero()) continue;
      found.upper = std::max(found.upper, given / everyone);
      if (given.is_zero()) {
        found.lower_is_infinite = true;
      } else {
        found.lower = std::max(found.lower, everyone / given);
      }
    }
    found.sum_of_largest += largest;
  }
  return found;
}

// The posterior probability of values of a coordinate, or of labels of a secret.
Decision decide_posterior(const Model& model, Arguments target, const std::vector<std::string>& values,
                          const Number& at_most, const Limits& limits = {}) {
  target.set("values", Parties{{values.begin(), values.end()}});
  target.set("at_most", at_most);
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  const Notion notion = posterior_notion();
  REQUIRE(!notion.complaint(model.domain, target));
  return notion.decide(subject, target);
}

MeasuredNumber posterior(const Model& model, std::size_t coordinate, const std::vector<std::string>& values,
                         const Limits& limits = {}) {
  Arguments target;
  target.set("coordinate", Coordinates{{coordinate}});
  return std::get<MeasuredNumber>(decide_posterior(model, target, values, Number(1), limits).actual);
}

// By Bayes' rule, output by output.
Number naive_posterior(const Model& model, std::size_t coordinate, const std::vector<std::string>& values) {
  Number largest(0);
  const auto rows = rows_of(*model.channel);
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    Number own(0), all(0);
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      const Number joint = model.prior->probability(x) * rows[x][y];
      const std::string value = model.domain.coordinate(coordinate).values[model.domain.digit(x, coordinate)];
      all += joint;
      if (std::find(values.begin(), values.end(), value) != values.end()) own += joint;
    }
    if (!all.is_zero()) largest = std::max(largest, own / all);
  }
  return largest;
}

void check_shown(const MeasuredLevel& level) {
  if (!level.shows_something()) return;
  const Witness witness = level.witness.get();
  CHECK(is_everyone(witness.from) != is_everyone(witness.to));
  if (witness.p_to.is_zero()) {
    CHECK(level.at_least.is_infinite());
  } else {
    CHECK(level.at_least == log_of(witness.p_from / witness.p_to));
  }
}

}  // namespace

TEST_CASE("the lift of randomized response has its closed forms") {
  const Model model = k_response({share(7, 10), share(1, 5), share(1, 10), Number(0)}, 3);
  // t / (1 + (t - 1) p), over the values that have mass
  CHECK(lift(model, "upper").at_least == log_of(share(5, 2)));
  CHECK(lift(model, "lower").at_least == log_of(share(12, 5)));
  CHECK(lift(model, "both").at_least == log_of(share(5, 2)));
  CHECK(maximal_leakage(model).at_least == log_of(share(5, 3)));
  const Model full = k_response({Number(1), Number(2), Number(3), Number(4)}, 3);
  CHECK(maximal_leakage(full, 0).at_least == log_of(Number(2)));  // k t / (t + k - 1)
}

TEST_CASE("the posterior of randomized response follows from Bayes' rule") {
  const Model model = k_response({Number(1), Number(3)}, 3);  // keeps a value with probability 3/4
  const MeasuredNumber rare = posterior(model, 0, {"0"});
  CHECK(rare.kind == NumberKind::kPosterior);
  CHECK(rare.at_least == share(1, 2));  // (1/4 3/4) / (1/4 3/4 + 3/4 1/4)
  CHECK(rare.witness.p_from == share(3, 4));
  CHECK(rare.witness.p_to == share(3, 8));
  CHECK(is_everyone(rare.witness.to));
  CHECK(posterior(model, 0, {"1"}).at_least == share(9, 10));  // (3/4 3/4) / (3/4 3/4 + 1/4 1/4)
  CHECK(posterior(model, 0, {"0", "1"}).at_least == Number(1));
}

TEST_CASE("a claimed posterior is decided at, above and below the true one") {
  const Model model = k_response({Number(1), Number(3)}, 3);
  Arguments target;
  target.set("coordinate", Coordinates{{0}});
  const auto decide = [&](const Number& at_most) { return decide_posterior(model, target, {"0"}, at_most); };
  CHECK(decide(share(1, 2)).holds == Answer::kYes);
  CHECK(decide(share(1, 2)).tight == Answer::kYes);
  CHECK(decide(share(51, 100)).tight == Answer::kNo);
  CHECK(decide(share(49, 100)).holds == Answer::kNo);
  CHECK(decide(share(49, 100)).witness);
  CHECK(decide(Number(0)).holds == Answer::kNo);
}

TEST_CASE("values without mass have posterior 0, and values with all mass 1") {
  const Model model = k_response({Number(1), Number(0)}, 3);
  CHECK(posterior(model, 0, {"1"}).at_least.is_zero());
  CHECK(posterior(model, 0, {"0"}).at_least == Number(1));
  Arguments target;
  target.set("coordinate", Coordinates{{0}});
  CHECK(decide_posterior(model, target, {"1"}, Number(0)).tight == Answer::kYes);
}

TEST_CASE("several values are named together in the witness") {
  const Model model = k_response({Number(1), Number(3), Number(4)}, 3);
  CHECK(posterior(model, 0, {"0", "2"}).witness.from == Label(std::string("0 or 2")));
}

TEST_CASE("posteriors of random models are those of the definition, also by the search over outputs") {
  Random random(4910);
  int searched = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    const KindOfPrior& kind = kinds_of_priors()[static_cast<std::size_t>(round) % kinds_of_priors().size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    const bool product = round % 2 == 1;
    const Model model = product ? random_product(random, kind, Entries::kRational)
                                : random_model(random, round % 8 == 6 ? Entries::kWithExp : Entries::kRational);
    Limits few;
    few.max_cells = 1;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const std::vector<std::string> all = model.domain.coordinate(i).values.listed();
      std::vector<std::string> values(1, all[0]);
      if (round % 3 == 0 && all.size() > 2) values.push_back(all[2]);
      const Number expected = naive_posterior(model, i, values);
      CHECK(posterior(model, i, values).at_least == expected);
      if (!product) continue;
      try {
        const MeasuredNumber found = posterior(model, i, values, few);
        CHECK(found.at_least <= expected);
        CHECK(expected <= found.at_most());
        searched += found.unfinished ? 0 : 1;
      } catch (const LimitError&) {
        continue;
      }
    }
  }
  CHECK(searched >= effort(150, 30));
}

TEST_CASE("an output that identifies a value lifts it to 1") {
  Budget budget;
  const Domain domain({{"x", {"a", "b"}}});
  const Model model{domain, channel_of_rows({{Number(1), Number(0)}, {Number(0), Number(1)}}),
                    Prior::from_weights(domain, {Number(1), Number(3)}, budget)};
  CHECK(lift(model, "upper", 0).at_least == log_of(Number(4)));
  CHECK(lift(model, "lower", 0).at_least.is_infinite());
}

TEST_CASE("lifts and maximal leakage of random models are those of the definition") {
  Random random(49);
  for (int round = 0; round < effort(400, 60); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, round % 4 == 3 ? Entries::kWithExp : Entries::kRational);
    std::vector<std::optional<std::size_t>> targets{std::nullopt};
    for (std::size_t i = 0; i < model.domain.size(); ++i) targets.emplace_back(i);
    for (const auto& target : targets) {
      const Naive expected = naive(model, target);
      const MeasuredLevel upper = lift(model, "upper", target), lower = lift(model, "lower", target);
      CHECK(upper.at_least == log_of(expected.upper));
      CHECK(lower.at_least == (expected.lower_is_infinite ? Level::infinite() : log_of(expected.lower)));
      CHECK(maximal_leakage(model, target).at_least == log_of(expected.sum_of_largest));
      check_shown(upper);
      check_shown(lower);
    }
  }
}

TEST_CASE("the search over outputs finds the lifts of the pass, or bounds of them") {
  Random random(50);
  int searched = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    const KindOfPrior& kind = kinds_of_priors()[static_cast<std::size_t>(round) % kinds_of_priors().size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    const Model model = random_product(random, kind, Entries::kRational);
    Limits few;
    few.max_cells = 1;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      for (const char* direction : {"upper", "lower"}) {
        const MeasuredLevel expected = lift(model, direction, i);
        try {
          const MeasuredLevel found = lift(model, direction, i, few);
          CHECK(found.at_least <= expected.at_least);
          CHECK(expected.at_least <= found.at_most());
          if (found.unfinished) continue;
          ++searched;
          CHECK(found.at_least == expected.at_least);
          check_shown(found);
        } catch (const LimitError&) {
          continue;
        }
      }
    }
  }
  CHECK(searched >= effort(300, 60));
}

TEST_CASE("of independent attributes, only the component of an attribute counts") {
  std::vector<Coordinate> bits;
  std::vector<Factor> answers;
  std::vector<std::vector<Number>> marginals;
  const ChannelPtr answer = channel_of_rows({{share(3, 4), share(1, 4)}, {share(1, 4), share(3, 4)}});
  for (std::size_t i = 0; i < 40; ++i) {
    bits.push_back({"x" + std::to_string(i), {"0", "1"}});
    answers.push_back({answer, {i}});
    marginals.push_back({Number(4), Number(1)});
  }
  const Domain domain(bits);
  const Model model{domain, std::make_shared<const ProductChannel>(domain, answers), Prior::product(domain, marginals)};
  // 1 rises from 1/5 to (1/5 * 3/4) / (1/5 * 3/4 + 4/5 * 1/4) = 3/7; 0 falls from 4/5 to 4/7, 1 to 1/13.
  const MeasuredLevel upper = lift(model, "upper", 7), lower = lift(model, "lower", 7);
  CHECK(upper.at_least == log_of(share(15, 7)));
  CHECK(lower.at_least == log_of(share(13, 5)));
  check_shown(upper);
  check_shown(lower);
  CHECK(upper.witness.get().from == Label(std::string("1")));
  CHECK(posterior(model, 7, {"1"}).at_least == share(3, 7));
  CHECK(posterior(model, 7, {"0"}).at_least == share(12, 13));
  CHECK(maximal_leakage(model, 7).at_least == log_of(share(3, 2)));
  // Whole inputs: the lifts of all attributes multiply.
  const MeasuredLevel whole = lift(model, "upper"), inverse = lift(model, "lower");
  CHECK(whole.at_least == log_of(share(15, 7).pow(40)));
  CHECK(inverse.at_least == log_of(share(13, 5).pow(40)));
  check_shown(whole);
  check_shown(inverse);
  CHECK(whole.witness.get().from == Label(std::vector<std::string>(40, "1")));
}
