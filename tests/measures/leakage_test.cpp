// Average leakage of a release, against values computed by hand and against the definitions.
#include "verifier/measures/leakage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_product.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/averages.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Number ratio(std::int64_t p, std::int64_t q) { return Number::ratio(p, q); }

// I(X_i; Y) by definition, in double; nullopt: of the whole input.
double naive_information(const Model& model, std::optional<std::size_t> coordinate) {
  const std::uint64_t labels = coordinate ? model.domain.values(*coordinate) : model.domain.inputs();
  double information = 0;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    std::vector<double> joint(labels, 0), mass(labels, 0);
    double output = 0;
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      const std::uint64_t label = coordinate ? model.domain.digit(x, *coordinate) : x;
      const double p = (model.prior->probability(x) * model.channel->entry(x, y)).approx();
      joint[label] += p;
      mass[label] += model.prior->probability(x).approx();
      output += p;
    }
    for (std::uint64_t v = 0; v < labels; ++v) {
      if (joint[v] > 0) information += joint[v] * std::log(joint[v] / mass[v] / output);
    }
  }
  return information;
}

Number naive_guess(const Model& model, std::optional<std::size_t> coordinate) {
  const std::uint64_t labels = coordinate ? model.domain.values(*coordinate) : model.domain.inputs();
  Number right(0);
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    std::vector<Number> joint(labels, Number(0));
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      joint[coordinate ? model.domain.digit(x, *coordinate) : x] +=
          model.prior->probability(x) * model.channel->entry(x, y);
    }
    right += *std::max_element(joint.begin(), joint.end());
  }
  return right;
}

void check_information(const Leakage& leakage, double expected) {
  CHECK(std::stod(leakage.information.lower) <= expected + 1e-9);
  CHECK(std::stod(leakage.information.upper) >= expected - 1e-9);
  CHECK(std::stod(leakage.information.upper) - std::stod(leakage.information.lower) < 1e-12);
}

}  // namespace

TEST_CASE("a binary symmetric channel leaks half as much again, and 1 - H(1/4) bits") {
  const Domain domain({{"x", {"0", "1"}}});
  const Model model{domain, channel_of_rows({{ratio(3, 4), ratio(1, 4)}, {ratio(1, 4), ratio(3, 4)}}),
                    Prior::uniform(domain)};
  Budget budget;
  MeasuredModel subject(model, budget);
  for (const Leakage& leakage : {leakages_of(subject).values[0], leakages_of(subject).record}) {
    CHECK(leakage.prior == ratio(1, 2));
    CHECK(leakage.posterior == ratio(3, 4));
    CHECK(leakage.factor() == ratio(3, 2));
    const double entropy = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
    check_information(leakage, std::log(2.0) - entropy);
  }
  CHECK(leakages_of(subject).values[0].total_variation == ratio(1, 2));
}

// Smith, On the foundations of quantitative information flow, 2009, has two programs that copy parts of a secret:
// one copies five bits of ten, the other copies ten bits of one secret in eight. Their Bayes vulnerabilities
// differ; their mutual informations differ less.
TEST_CASE("programs that copy parts of a secret leak as the literature says") {
  std::vector<std::string> values;
  for (int v = 0; v < 16; ++v) values.push_back(std::to_string(v));
  const Domain domain({{"secret", values}});
  Budget budget;
  std::vector<std::vector<Number>> half(16, std::vector<Number>(4, Number(0)));
  std::vector<std::vector<Number>> seldom(16, std::vector<Number>(3, Number(0)));
  for (std::size_t x = 0; x < 16; ++x) {
    half[x][x % 4] = Number(1);
    seldom[x][x < 2 ? x : 2] = Number(1);
  }
  const Model copies_bits{domain, channel_of_rows(half), Prior::uniform(domain)};
  MeasuredModel bits(copies_bits, budget);
  const Leakage of_bits = leakages_of(bits).values[0];
  CHECK(of_bits.factor() == Number(4));  // number of outputs: deterministic, uniform prior
  check_information(of_bits, std::log(4.0));
  const Model copies_some{domain, channel_of_rows(seldom), Prior::uniform(domain)};
  MeasuredModel some(copies_some, budget);
  const Leakage of_some = leakages_of(some).values[0];
  CHECK(of_some.factor() == Number(3));
  check_information(of_some, 2.0 / 16 * std::log(16.0) + 14.0 / 16 * std::log(16.0 / 14));
}

TEST_CASE("nothing is said by an output that is independent of the input, exactly") {
  const Domain domain({{"x", {"0", "1"}}, {"y", {"0", "1"}}});
  const Model model{domain, channel_of_rows(std::vector<std::vector<Number>>(4, {ratio(1, 3), ratio(2, 3)})),
                    Prior::uniform(domain)};
  Budget budget;
  MeasuredModel subject(model, budget);
  const Leakage leakage = leakages_of(subject).record;
  CHECK(leakage.factor() == Number(1));
  CHECK(leakage.information.upper == "0");
  CHECK(leakages_of(subject).values[1].information.upper == "0");
  CHECK(leakages_of(subject).likeliest == std::vector<std::uint64_t>{1});
}

TEST_CASE("averages of random models are those of the definitions, and effects are Bayes' rule") {
  Random random(1701);
  Budget budget;
  for (int round = 0; round < effort(200, 20); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    MeasuredModel subject(model, budget);
    const Effects effects = measure_effects(subject);
    CHECK(effects.without.empty());
    REQUIRE(effects.record.has_value());
    CHECK(effects.record->posterior == naive_guess(model, {}));
    check_information(*effects.record, naive_information(model, {}));
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const AttributeEffects& own = effects.attributes[i];
      REQUIRE((own.worst && own.frequent && own.average));
      CHECK(own.average->posterior == naive_guess(model, i));
      CHECK(own.average->factor() >= Number(1));
      check_information(*own.average, naive_information(model, i));
      // The most frequent output is at least as probable as the worst one; a posterior is at most 1.
      CHECK(own.worst->probability <= own.frequent->probability);
      CHECK(own.worst->posterior <= Number(1));
    }
  }
}

namespace {

// The largest total variation between two values of mass, by definition.
Number naive_total_variation(const Model& model, std::size_t coordinate) {
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t a = 0; a < model.domain.values(coordinate); ++a) {
    std::vector<Number> row(model.channel->outputs(), Number(0));
    Number mass(0);
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      if (model.domain.digit(x, coordinate) != a) continue;
      mass += model.prior->probability(x);
      for (std::uint64_t y = 0; y < row.size(); ++y) row[y] += model.prior->probability(x) * model.channel->entry(x, y);
    }
    if (mass.is_zero()) continue;
    for (Number& p : row) p /= mass;
    rows.push_back(std::move(row));
  }
  Number farthest(0);
  for (const auto& p : rows) {
    for (const auto& q : rows) {
      Number distance(0);
      for (std::size_t y = 0; y < p.size(); ++y) distance += p[y] > q[y] ? p[y] - q[y] : Number(0);
      farthest = std::max(farthest, distance);
    }
  }
  return farthest;
}

std::uint64_t naive_likeliest(const Model& model) {
  std::vector<Number> outputs(model.channel->outputs(), Number(0));
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    for (std::uint64_t y = 0; y < outputs.size(); ++y) {
      outputs[y] += model.prior->probability(x) * model.channel->entry(x, y);
    }
  }
  return static_cast<std::uint64_t>(std::max_element(outputs.begin(), outputs.end()) - outputs.begin());
}

void check_leakage(const Model& model, const Leakages& leakages) {
  CHECK(leakages.record.posterior == naive_guess(model, {}));
  CHECK(leakages.likeliest == model.channel->split(naive_likeliest(model)));
  check_information(leakages.record, naive_information(model, {}));
  REQUIRE(leakages.values.size() == model.domain.size());
  for (std::size_t i = 0; i < model.domain.size(); ++i) {
    const Leakage& own = leakages.values[i];
    CHECK(own.posterior == naive_guess(model, i));
    REQUIRE(own.total_variation.has_value());
    CHECK(*own.total_variation == naive_total_variation(model, i));
    check_information(own, naive_information(model, i));
    CHECK((own.information.upper == "0") == own.total_variation->is_zero());
  }
}

}  // namespace

TEST_CASE("averages over the rows of products are those of enumeration, for every kind of prior") {
  Random random(2811);
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(40, 6); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
      Limits limits;
      limits.threads = 1 + static_cast<std::size_t>(round % 2);
      limits.chunk_cells = round % 4 < 2 ? 1 : limits.chunk_cells;
      Budget budget(limits);
      MeasuredModel subject(model, budget);
      check_leakage(model, leakages_of(subject));
      const Leakages without = measure_leakages(subject, false);
      CHECK(without.record.posterior == leakages_of(subject).record.posterior);
      CHECK(without.record.information.upper == "0");
    }
  }
}

// Weights that are no machine words are summed as exact numbers; tiny ones are beyond the range of doubles.
TEST_CASE("averages do not depend on the form of the weights") {
  Random random(2812);
  Budget budget;
  for (int round = 0; round < effort(40, 6); ++round) {
    CAPTURE(round);
    Model model = random_model(random, round % 2 == 0 ? Entries::kWithExp : Entries::kRational);
    MeasuredModel plain(model, budget);
    const Leakages expected = leakages_of(plain);
    for (const Number& unit : {ratio(1, 3).pow(100), Number(10).pow(400), Number::exp_of(ratio(1, 2)), ratio(1, 7)}) {
      std::vector<Number> weights = model.prior->dense(budget).weights;
      for (Number& weight : weights) weight *= unit;
      Model scaled = model;
      scaled.prior = Prior::from_weights(model.domain, std::move(weights), budget);
      MeasuredModel subject(scaled, budget);
      const Leakages& found = leakages_of(subject);
      CHECK(found.record.posterior == expected.record.posterior);
      CHECK(found.likeliest == expected.likeliest);
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        CHECK(found.values[i].posterior == expected.values[i].posterior);
        CHECK(found.values[i].total_variation == expected.values[i].total_variation);
        CHECK(std::stod(found.values[i].information.upper) ==
              doctest::Approx(std::stod(expected.values[i].information.upper)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("averages of a product count rows of positive mass x outputs, not inputs x outputs") {
  constexpr std::size_t kAttributes = 12;
  std::vector<Coordinate> coordinates;
  std::vector<Factor> answers;
  const ChannelPtr answer = channel_of_rows({{ratio(3, 4), ratio(1, 4)}, {ratio(1, 4), ratio(3, 4)}});
  for (std::size_t i = 0; i < kAttributes; ++i) {
    coordinates.push_back({"x" + std::to_string(i), {"no", "yes"}});
    answers.push_back({answer, {i}});
  }
  Model model;
  model.domain = Domain(std::move(coordinates));
  model.channel = std::make_shared<const ProductChannel>(model.domain, std::move(answers));
  Budget budget;
  const InputRow none(kAttributes, 0), all(kAttributes, 1);
  model.prior = Prior::from_rows(model.domain, {{none, Number(1)}, {all, Number(1)}}, budget);
  Limits limits;
  limits.max_cells = 8192;
  Budget enough(limits);
  MeasuredModel subject(model, enough);
  const Leakages& leakages = leakages_of(subject);
  // The best guess is the value that most of the twelve answers have; if six do, it is right half of the time.
  Number right(0);
  for (std::int64_t k = 0, ways = 1; k <= 12; ways = ways * (12 - k) / (k + 1), ++k) {
    const Number as_given = Number(ways) * ratio(3, 4).pow(12 - k) * ratio(1, 4).pow(k);
    if (k < 6) right += as_given;
    if (k == 6) right += as_given / Number(2);
  }
  CHECK(leakages.record.posterior == right);
  CHECK(leakages.values[5].posterior == right);
  limits.max_cells = 2 * 4096 - 1;
  Budget little(limits);
  MeasuredModel bounded(model, little);
  for (const Leakage& leakage : {leakages_of(bounded).record, leakages_of(bounded).values[5]}) {
    CHECK(leakage.posterior <= right);
    REQUIRE(leakage.posterior_at_most.has_value());
    CHECK(right <= *leakage.posterior_at_most);
    CHECK((*leakage.posterior_at_most - leakage.posterior).approx() < 1e-13);
  }
}

TEST_CASE("a mechanism that is no product has no averages if rows x outputs are too many") {
  Model model;
  model.domain = Domain({{"x", {"0", "1"}}});
  model.channel = channel_of_rows({{ratio(3, 4), ratio(1, 4)}, {ratio(1, 4), ratio(3, 4)}});
  model.prior = Prior::uniform(model.domain);
  Limits limits;
  limits.max_cells = 3;
  Budget little(limits);
  MeasuredModel refused(model, little);
  CHECK_THROWS_WITH_AS(leakages_of(refused), doctest::Contains("--max-cells 3"), LimitError);
  CHECK(!has_information_bounds(refused, std::nullopt));
}

namespace {

Model uniform_model(const std::string& domain, const std::string& mechanism) {
  Budget budget;
  Model model = read_example(domain, mechanism, budget).model;
  model.prior = Prior::uniform(model.domain);
  return model;
}

// Both enclosures have 40 digits: they are disjoint unless the sums are equal, or nearly so.
bool may_be_equal(const std::vector<WeightedLog>& a, const std::vector<WeightedLog>& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  const DecimalBounds p = decimal_bounds(a, 40), q = decimal_bounds(b, 40);
  return parse_number(p.lower) <= parse_number(q.upper) && parse_number(q.lower) <= parse_number(p.upper);
}

}  // namespace

TEST_CASE("information and guesses by classes of outputs are those of all inputs and outputs") {
  Random random(4805);
  Budget budget;
  const std::vector<std::string> parts{R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j",
                                       R"j({"type": "k_randomized_response", "epsilon": "1"})j",
                                       R"j({"type": "hadamard_response", "epsilon": "log(2)"})j",
                                       R"j({"type": "subset_selection", "epsilon": "log(3)", "size": 1})j",
                                       R"j({"type": "unary_encoding", "epsilon": "log(2)"})j",
                                       R"j({"type": "k_randomized_response", "epsilon": "inf"})j",
                                       R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"})j"};
  const std::vector<std::string> names{"a", "b", "c"};
  int known = 0, unknown = 0;
  for (int round = 0; round < effort(120, 40); ++round) {
    std::string domain, mechanisms;
    for (const std::string& name : names) {
      if (!domain.empty()) domain += ", ";
      domain += R"({"name": ")" + name + R"(", "size": )" + std::to_string(1 + below(random, 4)) + "}";
    }
    for (std::size_t k = 0, count = 1 + below(random, 3); k < count; ++k) {
      // Some parts share coordinates, and some coordinates are seen by none.
      std::string coordinates;
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (i % count == k || below(random, 8) == 0) {
          coordinates += (coordinates.empty() ? "\"" : ", \"") + names[i] + "\"";
        }
      }
      if (coordinates.empty()) coordinates = "\"a\"";
      if (!mechanisms.empty()) mechanisms += ", ";
      mechanisms += R"({"type": "on", "coordinates": [)" + coordinates + R"(], "mechanism": )" +
                    parts[below(random, parts.size())] + "}";
    }
    const std::string mechanism = R"({"type": "compose", "mechanisms": [)" + mechanisms + "]}";
    CAPTURE(domain);
    CAPTURE(mechanism);
    std::optional<Model> model;
    try {
      model = uniform_model("[" + domain + "]", mechanism);
    } catch (const std::exception&) {
      continue;  // a size that the family refuses for so few inputs
    }
    if (model->channel->outputs() > 3000) continue;
    MeasuredModel subject(*model, budget);
    for (std::optional<std::size_t> about : {std::optional<std::size_t>(), std::optional<std::size_t>(0),
                                             std::optional<std::size_t>(1), std::optional<std::size_t>(2)}) {
      const auto information = information_by_classes(*model, about);
      const auto guesses = guesses_by_classes(*model, about);
      CHECK(information.has_value() == guesses.has_value());
      ++(information ? known : unknown);
      if (!information) continue;
      CHECK(may_be_equal(*information, information_of(subject, about)));
      CHECK(guesses->posterior == naive_guess(*model, about));
      CHECK(guesses->prior == guesses_of(subject, about).prior);
    }
  }
  CHECK(known > 50);
  CHECK(unknown > 20);
}

TEST_CASE("classes of outputs say nothing under another prior, or about outputs that share coordinates") {
  Budget budget;
  Model model = uniform_model(R"([{"name": "a", "size": 3}])", R"({"type": "k_randomized_response", "epsilon": "1"})");
  CHECK(information_by_classes(model, std::nullopt));
  model.prior = Prior::from_weights(model.domain, {Number(2), Number(2), Number(2)}, budget);
  CHECK(!information_by_classes(model, std::nullopt));  // not known to be uniform
  model.prior = Prior::product(model.domain, {{Number(2), Number(2), Number(2)}});
  CHECK(information_by_classes(model, std::nullopt));
  model.prior = Prior::product(model.domain, {{Number(2), Number(2), Number(1)}});
  CHECK(!information_by_classes(model, std::nullopt));
  CHECK(!guesses_by_classes(model, 0));
  model.prior.reset();
  CHECK(!information_by_classes(model, std::nullopt));
  const Model twice = uniform_model(
      R"([{"name": "a", "size": 3}])",
      R"({"type": "repeat", "times": 2, "mechanism": {"type": "k_randomized_response", "epsilon": "1"}})");
  CHECK(!information_by_classes(twice, std::nullopt));
  const Model wide = uniform_model(R"([{"name": "a", "size": 2}, {"name": "b", "size": 2}])",
                                   R"({"type": "k_randomized_response", "epsilon": "1"})");
  CHECK(information_by_classes(wide, std::nullopt));
  CHECK(!information_by_classes(wide, 0));
}

TEST_CASE("information about 2^32 - 1 values") {
  const Model model =
      uniform_model(R"([{"name": "a", "size": 4294967295}])", R"({"type": "k_randomized_response", "epsilon": "inf"})");
  CHECK(model.prior->is_uniform());
  Budget budget;
  MeasuredModel subject(model, budget);
  const std::vector<WeightedLog> everything = information_of(subject, std::nullopt);
  REQUIRE(everything.size() == 1);
  CHECK(everything[0].weight == Number(1));
  CHECK(everything[0].argument == Number(4294967295));
  CHECK(guesses_of(subject, 0).posterior == Number(1));
  // All other questions about a prior would visit the values.
  CHECK_THROWS_WITH_AS(leakages_of(subject), doctest::Contains("--max-inputs 16777216"), LimitError);
  CHECK_THROWS_WITH_AS(model.prior->marginal_weights(0, budget), doctest::Contains("--max-inputs"), LimitError);
  CHECK_THROWS_WITH_AS(model.prior->each_row(budget, [](InputView, const Number&) {}),
                       doctest::Contains("--max-inputs"), LimitError);
}

TEST_CASE("with too few cells for exact averages, bounds hold them") {
  Random random(2813);
  int bounded_models = 0;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(15, 4); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
      std::uint64_t largest = 0;  // of the factors, which are always listed
      for (const Factor& factor : model.channel->factors()) {
        largest = std::max(largest, factor.channel->inputs() * factor.channel->outputs());
      }
      Budget budget;
      std::int64_t rows = 0;
      REQUIRE(model.prior->support_size(budget).fits_int64(rows));
      Limits limits;
      limits.max_cells = static_cast<std::uint64_t>(rows) * model.channel->outputs() - 1;
      if (limits.max_cells < largest) continue;
      ++bounded_models;
      Budget little(limits);
      MeasuredModel plain(model, budget), subject(model, little);
      const Leakages &exact = leakages_of(plain), &found = leakages_of(subject);
      const auto check = [](const Leakage& own, const Leakage& known) {
        CHECK(own.prior == known.prior);
        CHECK(own.posterior <= known.posterior);
        CHECK(known.posterior <= own.posterior_at_most.value_or(own.posterior));
        CHECK(std::stod(own.information.lower) <= std::stod(known.information.upper));
        CHECK(std::stod(known.information.lower) <= std::stod(own.information.upper));
        CHECK(std::stod(own.information.upper) - std::stod(own.information.lower) < 1e-12);
        if (!known.total_variation) return;
        CHECK(*own.total_variation <= *known.total_variation);
        CHECK(*known.total_variation <= own.total_variation_at_most.value_or(*own.total_variation));
        CHECK(own.total_variation->is_zero() == known.total_variation->is_zero());
      };
      check(found.record, exact.record);
      for (std::size_t i = 0; i < exact.values.size(); ++i) check(found.values[i], exact.values[i]);
      if (!found.likeliest.empty()) CHECK(found.likeliest == exact.likeliest);
    }
  }
  CHECK(bounded_models > 10);
}

TEST_CASE("the information of all parts, added up, bounds that of every attribute and of the record") {
  Random random(4806);
  int equal = 0, more = 0;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(6, 2); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
      Budget budget;
      const auto sum = information_by_parts(model, budget);
      REQUIRE(sum);
      const double bound = sum->empty() ? 0 : std::stod(decimal_bounds(*sum).upper);
      const double record = naive_information(model, std::nullopt);
      CHECK(record <= bound + 1e-12);
      for (std::size_t i = 0; i < model.domain.size(); ++i) CHECK(naive_information(model, i) <= bound + 1e-12);
      // One part reveals what all do.
      if (model.channel->factors().size() == 1) CHECK(record == doctest::Approx(bound));
      ++(record < bound - 1e-12 ? more : equal);
    }
  }
  CHECK(equal > 0);
  CHECK(more > 0);
}

TEST_CASE("the information of the 64 bits of a unary encoding is bounded closely") {
  // A prior that is not uniform, so that classes of outputs do not tell.
  Budget budget;
  Spec spec = read_example(sized(64), R"j({"type": "rappor", "f": "1/2", "p": "1/2", "q": "3/4"})j", budget);
  std::vector<Number> weights;
  for (int v = 0; v < 64; ++v) weights.emplace_back(64 - v);
  spec.model.prior = Prior::from_weights(spec.model.domain, weights, budget);
  const auto sum = information_by_parts(spec.model, budget);
  REQUIRE(sum);
  CHECK(std::stod(decimal_bounds(*sum).upper) < 0.04);
}
