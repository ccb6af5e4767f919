// Declared classes of pairs of inputs, against all rows of the same channels at small sizes; then values in closed form
// at sizes that cannot be enumerated.

#include "verifier/engine/pair_classes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "mechanisms/family.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_product.h"
#include "verifier/engine/input_levels.h"
#include "verifier/engine/neighbor_losses.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

// Families whose pairs of inputs all have the same losses.
const std::set<std::string> kDeclaring{"k_randomized_response",
                                       "hadamard_response",
                                       "subset_selection",
                                       "unary_encoding",
                                       "rappor",
                                       "optimized_local_hashing",
                                       "d_bit_flip",
                                       "longitudinal_grr",
                                       "longitudinal_unary_encoding"};

std::string family_of(const std::string& mechanism) {
  for (const Family& family : families()) {
    if (mechanism.starts_with(R"({"type": ")" + family.name + "\"")) return family.name;
  }
  return "";
}

LossDistribution losses_of(const std::vector<std::vector<PairedOutputs>>& parts, Budget& budget) {
  LossDistribution whole;
  for (const auto& part : parts) {
    std::vector<Number> p, q;
    for (const PairedOutputs& kind : part) {
      p.push_back(kind.given_from);
      q.push_back(kind.given_to);
    }
    CHECK(sum_of(p).is_one());
    CHECK(sum_of(q).is_one());
    whole = whole.times(LossDistribution::of(p, q), budget);
  }
  return whole;
}

// The outputs of the class for one pair: possible in the way that their kinds state.
void check_outputs(const Channel& channel, const PairClass& own, std::uint64_t from, std::uint64_t to) {
  std::vector<std::size_t> kinds(own.parts.size(), 0);
  for (bool more = true; more;) {
    Number p(1), q(1);
    bool seen = true;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const PairedOutputs& kind = own.parts[k][kinds[k]];
      seen = seen && !(kind.given_from.is_zero() && kind.given_to.is_zero());
      p *= kind.given_from;
      q *= kind.given_to;
    }
    if (seen) {
      const std::vector<std::uint64_t> output = own.output(from, to, kinds);
      const Number a = channel.entry_of(from, output), b = channel.entry_of(to, output);
      CHECK(a.is_zero() == p.is_zero());
      CHECK(b.is_zero() == q.is_zero());
      CHECK(a * q == b * p);
      CHECK(a <= p);
      CHECK(b <= q);
    }
    more = false;
    for (std::size_t k = 0; k < kinds.size() && !more; ++k) {
      more = ++kinds[k] < own.parts[k].size();
      if (!more) kinds[k] = 0;
    }
  }
}

Level largest_loss(const Model& model, const std::vector<std::size_t>& group, Budget& budget) {
  Level largest;
  const auto rows = rows_of(*model.channel, budget);
  for_pairs_within(model.domain, group, [&](std::uint64_t from, std::uint64_t to) {
    for (std::size_t y = 0; y < rows[from].size(); ++y) {
      if (rows[from][y].is_zero() || rows[from][y] < rows[to][y]) continue;
      largest = std::max(largest, level_between(rows[from][y], rows[to][y]));
    }
  });
  return largest;
}

Number largest_delta(const Model& model, const std::vector<std::size_t>& group, const Number& factor) {
  Number largest;
  for_pairs_within(model.domain, group, [&](std::uint64_t from, std::uint64_t to) {
    largest = std::max(largest, naive_delta(model, from, to, factor));
  });
  return largest;
}

// Compares what declared classes tell about pairs within a group with all of these pairs.
void check_within(const Model& model, const std::vector<std::size_t>& group, Budget& budget) {
  const auto pairs = DeclaredPairs::of(model);
  REQUIRE(pairs);
  const auto worst = pairs->worst_within(group);
  REQUIRE(worst);
  const auto kept = std::make_shared<const DeclaredPairs>(*pairs);
  const auto level = declared_level(kept, std::make_shared<const Model>(model), group);
  CHECK(level.value().at_least == largest_loss(model, group, budget));
  const InputPair shown = level->witness.get();
  const Number p = model.channel->entry_at(model.domain, shown.from, shown.output);
  const Number q = model.channel->entry_at(model.domain, shown.to, shown.output);
  CHECK(level_between(p, q) == level->at_least);
  for (std::size_t i = 0; i < model.domain.size(); ++i) {
    if (std::find(group.begin(), group.end(), i) == group.end()) CHECK(shown.from[i] == shown.to[i]);
  }
  for (const Number& factor : {Number(1), Number::ratio(5, 4), Number(2), Number(5)}) {
    Number found;
    for (const DeclaredPairs::Pair& pair : *worst) {
      LossDistribution whole;
      for (const auto& [losses, times] : pairs->losses(pair)) whole = whole.times(losses.power(times, budget), budget);
      found = std::max(found, whole.excess(factor));
    }
    CHECK(found == largest_delta(model, group, factor));
  }
}

Model read_model(const std::string& domain, const std::string& mechanism) {
  Budget budget;
  return read_example(domain, mechanism, budget).model;
}

}  // namespace

TEST_CASE("declared classes of pairs are those of the rows, in every family that declares any") {
  Budget budget;
  std::set<std::string> declaring;
  std::vector<FamilyExample> examples = finite_examples();
  for (const char* epsilon : {"0", "1/2", "log(7)", "inf"}) {
    for (const char* type : {"k_randomized_response", "hadamard_response", "subset_selection", "unary_encoding"}) {
      for (const int k : {2, 3, 4, 7, 8, 9}) {
        if (k > effort(9, 7, 4)) continue;
        examples.push_back({sized(k), std::string(R"({"type": ")") + type + R"(", "epsilon": ")" + epsilon + "\"}"});
      }
    }
    for (const int buckets : {2, 3, 5, 7}) {
      examples.push_back({kFive, std::string(R"({"type": "optimized_local_hashing", "epsilon": ")") + epsilon +
                                     R"(", "buckets": )" + std::to_string(buckets) + "}"});
    }
    for (const int size : {1, 2, 4}) {
      examples.push_back({kFive, std::string(R"({"type": "subset_selection", "epsilon": ")") + epsilon +
                                     R"(", "size": )" + std::to_string(size) + "}"});
    }
  }
  examples.push_back({kTwo, R"({"type": "optimized_local_hashing", "epsilon": "1", "buckets": 2})"});
  examples.push_back({kThree, R"({"type": "rappor", "f": "0", "p": "0", "q": "3/4", "times": 2})"});
  examples.push_back({kThree, R"({"type": "unary_encoding", "epsilon": "inf", "variant": "symmetric"})"});
  for (const FamilyExample& example : examples) {
    CAPTURE(example.domain);
    CAPTURE(example.mechanism);
    const Model model = read_model(example.domain, example.mechanism);
    const WithPairClasses* declared = with_pair_classes(*model.channel);
    if (declared == nullptr) continue;
    declaring.insert(family_of(example.mechanism));
    const std::vector<PairClass> classes = declared->pair_classes();
    const auto rows = rows_of(*model.channel, budget);
    std::vector<LossDistribution> known;
    for (const PairClass& own : classes) {
      known.push_back(losses_of(own.parts, budget));
      CHECK(known.back() == LossDistribution::of(rows[own.from], rows[own.to]));
    }
    for (std::uint64_t from = 0; from < rows.size(); ++from) {
      for (std::uint64_t to = 0; to < rows.size(); ++to) {
        if (from == to) continue;
        const LossDistribution losses = LossDistribution::of(rows[from], rows[to]);
        const auto place = std::find(known.begin(), known.end(), losses);
        REQUIRE(place != known.end());
        check_outputs(*model.channel, classes[static_cast<std::size_t>(place - known.begin())], from, to);
      }
    }
    if (classes.size() == 1) {
      for (std::size_t i = 0; i < model.domain.size(); ++i) check_within(model, {i}, budget);
    }
    check_within(model, every_coordinate(model.domain), budget);
  }
  for (const Family& family : families()) {
    CAPTURE(family.name);
    CHECK(declaring.contains(family.name) == kDeclaring.contains(family.name));
  }
}

namespace {

// The multiset of ratios P(y given x) / P(y) over the inputs, as fractions of the inputs: what an output reveals.
using Likelihoods = std::map<Number, Number>;

std::map<Likelihoods, Number> masses_of(const std::vector<OutputClass>& classes) {
  std::map<Likelihoods, Number> masses;
  for (const OutputClass& own : classes) {
    Likelihoods likelihoods;
    for (const auto& [inputs, ratio] : own.likelihoods) likelihoods[ratio] += inputs;
    masses[likelihoods] += own.mass;
  }
  return masses;
}

std::map<Likelihoods, Number> masses_of(const std::vector<std::vector<Number>>& rows) {
  const Number share = Number::ratio(1, static_cast<std::int64_t>(rows.size()));
  std::map<Likelihoods, Number> masses;
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    Number mass;
    for (const auto& row : rows) mass += share * row[y];
    if (mass.is_zero()) continue;
    Likelihoods likelihoods;
    for (const auto& row : rows) likelihoods[row[y] / mass] += share;
    masses[likelihoods] += mass;
  }
  return masses;
}

}  // namespace

TEST_CASE("declared classes of outputs are those of the columns, at every size up to 17") {
  Budget budget;
  std::set<std::string> declaring;
  const std::vector<std::string> mechanisms{
      R"j({"type": "k_randomized_response", "epsilon": "1"})j",
      R"j({"type": "k_randomized_response", "epsilon": "inf"})j",
      R"j({"type": "hadamard_response", "epsilon": "log(3)"})j",
      R"j({"type": "hadamard_response", "epsilon": "inf"})j",
      R"j({"type": "hadamard_response", "epsilon": "0"})j",
      R"j({"type": "subset_selection", "epsilon": "1/2"})j",
      R"j({"type": "subset_selection", "epsilon": "log(4)"})j",
      R"j({"type": "subset_selection", "epsilon": "inf", "size": 2})j",
      R"j({"type": "unary_encoding", "epsilon": "log(3)"})j",
      R"j({"type": "unary_encoding", "epsilon": "2*log(2)", "variant": "symmetric"})j",
      R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"})j",
      R"j({"type": "rappor", "f": "0", "p": "1/4", "q": "1"})j",
      R"j({"type": "optimized_local_hashing", "epsilon": "log(2)"})j",
      R"j({"type": "optimized_local_hashing", "epsilon": "1", "buckets": 4})j",
      R"j({"type": "optimized_local_hashing", "epsilon": "inf", "buckets": 2})j",
      R"j({"type": "optimized_local_hashing", "epsilon": "0", "buckets": 5})j"};
  for (const std::string& mechanism : mechanisms) {
    for (int k = 2; k <= 17; ++k) {
      if (k > (mechanism.find("hadamard") == std::string::npos ? 8 : 17)) continue;
      CAPTURE(mechanism);
      CAPTURE(k);
      std::optional<Model> model;
      try {
        model = read_model(sized(k), mechanism);
      } catch (const std::exception&) {
        continue;  // a size that the family refuses for so few inputs
      }
      const std::vector<OutputClass> classes = with_pair_classes(*model->channel)->output_classes();
      if (classes.empty()) continue;
      declaring.insert(family_of(mechanism));
      CHECK(masses_of(classes) == masses_of(rows_of(*model->channel, budget)));
    }
  }
  CHECK(declaring == std::set<std::string>{"k_randomized_response", "hadamard_response", "subset_selection",
                                           "unary_encoding", "rappor", "optimized_local_hashing"});
}

TEST_CASE("products, repetitions and restrictions inherit classes of pairs") {
  Random random(60);
  Budget budget;
  const std::vector<std::string> parts{
      R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j",
      R"j({"type": "k_randomized_response", "epsilon": "1"})j",
      R"j({"type": "hadamard_response", "epsilon": "log(2)"})j",
      R"j({"type": "subset_selection", "epsilon": "log(3)", "size": 1})j",
      R"j({"type": "unary_encoding", "epsilon": "log(2)"})j",
      R"j({"type": "repeat", "mechanism": {"type": "k_randomized_response", "epsilon": "log(2)"}, "times": 2})j",
      R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"})j"};
  const std::vector<std::string> names{"a", "b", "c"};
  for (int round = 0; round < 40; ++round) {
    std::string domain, mechanisms;
    for (const std::string& name : names) {
      if (!domain.empty()) domain += ", ";
      domain += fmt::format(R"({{"name": "{}", "size": {}}})", name, 1 + below(random, 3));
    }
    const std::size_t count = 1 + below(random, 2);
    for (std::size_t k = 0; k < count; ++k) {
      std::string coordinates;
      for (const std::string& name : names) {
        if (below(random, 2) == 0) coordinates += (coordinates.empty() ? "\"" : ", \"") + name + "\"";
      }
      const std::string& part = parts[below(random, parts.size())];
      if (!mechanisms.empty()) mechanisms += ", ";
      mechanisms += coordinates.empty()
                        ? part
                        : fmt::format(R"({{"type": "on", "coordinates": [{}], "mechanism": {}}})", coordinates, part);
    }
    const std::string mechanism = R"({"type": "compose", "mechanisms": [)" + mechanisms + "]}";
    CAPTURE(domain);
    CAPTURE(mechanism);
    std::optional<Model> model;
    try {
      model = read_model("[" + domain + "]", mechanism);
    } catch (const std::exception&) {
      continue;  // a size that the family refuses for so few inputs
    }
    if (model->channel->outputs() > 3000) continue;
    const std::vector<std::vector<std::size_t>> groups{{0, 1, 2}, {0}, {1}, {2}, {0, 2}};
    for (const auto& group : groups) check_within(*model, group, budget);
  }
}

namespace {

void check_largest(const Model& model, const Level& expected, Budget& budget) {
  MeasuredModel subject(model, budget);
  const InputLevel level = level_among_all(subject);
  CHECK(level.at_least == expected);
  const Witness witness = witness_of(model, level.witness.get());
  CHECK(level_between(witness.p_from, witness.p_to) == expected);
}

}  // namespace

TEST_CASE("families at sizes that cannot be enumerated") {
  Budget budget;
  const Model krr = read_model(sized(11586), R"({"type": "k_randomized_response", "epsilon": "14"})");
  MeasuredModel subject(krr, budget);
  CHECK(level_among_all(subject).at_least == parse_level("14"));
  CHECK(levels_along(subject, {0})[0].at_least == parse_level("14"));
  const WorstNeighbors worst = worst_neighbors(krr, {0}, 16, false, budget).value();
  REQUIRE(worst.pairs.size() == 1);
  // Kairouz, Oh and Viswanath: delta(13) = (e^14 - e^13) / (e^14 + k - 1).
  const Number high = parse_level("14").exponential(), low = parse_level("13").exponential();
  CHECK(composed(worst.pairs[0].losses, 1e6, budget).value().excess(low) == (high - low) / (high + Number(11585)));

  for (const char* type : {"hadamard_response", "unary_encoding"}) {
    const Model model = read_model(sized(2000), std::string(R"({"type": ")") + type + R"(", "epsilon": "1"})");
    MeasuredModel own(model, budget);
    CHECK(level_among_all(own).at_least == parse_level("1"));
  }
  const Model hashing = read_model(sized(20000), R"({"type": "optimized_local_hashing", "epsilon": "1"})");
  MeasuredModel own(hashing, budget);
  const InputLevel level = level_among_all(own);
  CHECK(level.at_least == parse_level("1"));
  const Witness witness = witness_of(hashing, level.witness.get());
  CHECK(level_between(witness.p_from, witness.p_to) == level.at_least);
}

TEST_CASE("k-randomized response on 2^32 - 1 values") {
  Budget budget;
  const Model model =
      read_model(R"([{"name": "x", "size": 4294967295}])", R"({"type": "k_randomized_response", "epsilon": "14"})");
  MeasuredModel subject(model, budget);
  const InputLevel level = level_among_all(subject);
  CHECK(level.at_least == parse_level("14"));
  const Witness witness = witness_of(model, level.witness.get());
  CHECK(level_between(witness.p_from, witness.p_to) == level.at_least);
  const WorstNeighbors worst = worst_neighbors(model, {0}, 16, false, budget).value();
  const Number high = parse_level("14").exponential(), low = parse_level("13").exponential();
  CHECK(composed(worst.pairs.at(0).losses, 1e6, budget).value().excess(low) ==
        (high - low) / (high + Number(4'294'967'294)));
}

TEST_CASE("subset selection with more than 2^62 sets") {
  Budget budget;
  for (const auto& [k, d] : std::vector<std::pair<int, int>>{{70, 35}, {100, 20}, {100, 99}, {64, 32}}) {
    CAPTURE(k);
    CAPTURE(d);
    const Model model =
        read_model(sized(k), fmt::format(R"j({{"type": "subset_selection", "epsilon": "log(3)", "size": {}}})j", d));
    const Channel& channel = *model.channel;
    // Pascal's triangle.
    std::vector<std::vector<Number>> choose(static_cast<std::size_t>(k) + 1);
    for (std::size_t n = 0; n < choose.size(); ++n) {
      choose[n].assign(n + 1, Number(1));
      for (std::size_t i = 1; i < n; ++i) choose[n][i] = choose[n - 1][i - 1] + choose[n - 1][i];
    }
    const auto n = static_cast<std::size_t>(k), size = static_cast<std::size_t>(d);
    CHECK(channel.output_count() == choose[n][size]);
    const std::vector<PairClass> classes = with_pair_classes(channel)->pair_classes();
    REQUIRE(classes.size() == 1);
    // How many sets contain the first input alone, the second alone, both, and neither.
    const std::vector<Number> sets{choose[n - 2][size - 1], choose[n - 2][size - 1],
                                   size >= 2 ? choose[n - 2][size - 2] : Number(0),
                                   size + 2 <= n ? choose[n - 2][size] : Number(0)};
    const std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs{{0, 1}, {1, 0}, {3, 17}, {n - 1, 0}, {40, n - 1}};
    for (const auto& [from, to] : pairs) {
      for (std::size_t kind = 0; kind < 4; ++kind) {
        if (sets[kind].is_zero()) continue;
        const std::size_t kinds[] = {kind};
        const std::vector<std::uint64_t> output = classes[0].output(from, to, kinds);
        CHECK(sets[kind] * channel.entry_of(from, output) == classes[0].parts[0][kind].given_from);
        CHECK(sets[kind] * channel.entry_of(to, output) == classes[0].parts[0][kind].given_to);
        const std::string label = channel.label_of(output);
        CHECK(std::count(label.begin(), label.end(), ',') + 1 == d);
      }
    }
    // A set with an input is three times as likely from this input.
    CHECK(classes[0].parts[0][0].given_from == Number(3) * classes[0].parts[0][0].given_to);
    check_largest(model, parse_level("log(3)"), budget);
  }
}

TEST_CASE("a part that declares no classes is compared on its own, and the others are not enumerated") {
  Budget budget;
  const Model model =
      read_model(R"([{"name": "s", "size": 100000}, {"name": "b", "size": 2}])",
                 R"({"type": "per_coordinate", "mechanisms": {"s": {"type": "k_randomized_response", "epsilon": "2"},
          "b": {"type": "matrix", "outputs": 2, "rows": [["1/4", "3/4"], ["1/2", "1/2"]]}}})");
  MeasuredModel subject(model, budget);
  CHECK(level_among_all(subject).at_least == parse_level("2 + log(2)"));
  const std::vector<InputLevel> levels = levels_along(subject, {0, 1});
  CHECK(levels[0].at_least == parse_level("2"));
  CHECK(levels[1].at_least == parse_level("log(2)"));
  const WorstNeighbors worst = worst_neighbors(model, {0, 1}, 16, true, budget).value();
  Number largest;
  for (const NeighborLosses& pair : worst.pairs) {
    largest = std::max(largest, composed(pair.losses, 1e6, budget).value().atoms().front().ratio);
  }
  CHECK(largest == parse_level("2 + log(2)").exponential());
}

namespace {

// Randomized response that claims to hide its inputs better than it does.
class WrongClasses final : public ProductChannel, public WithPairClasses {
 public:
  using ProductChannel::ProductChannel;
  bool has_pair_classes() const override { return true; }
  std::vector<PairClass> pair_classes() const override {
    const Number half = Number::ratio(1, 2), third = Number::ratio(1, 3);
    return {{0, 1, {{{half, third}, {half, Number(1) - third}}}, [](auto, auto, std::span<const std::size_t> kinds) {
               return std::vector<std::uint64_t>{kinds[0]};
             }}};
  }
};

}  // namespace

TEST_CASE("a level from a wrong class of pairs is found out by its output") {
  const Domain domain({{"x", {"0", "1"}}});
  const ChannelPtr rows =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  const std::vector<Factor> parts{{rows, {0}}};
  const Model model{domain, std::make_shared<const WrongClasses>(domain, parts), std::nullopt};
  const auto pairs = DeclaredPairs::of(model);
  CHECK_THROWS_AS(pairs.value().output(pairs->worst_within({0}).value()[0]), std::logic_error);
}
