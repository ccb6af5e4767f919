// How far a release moves beliefs (partial DP paper, Proposition 26): by at most tanh(loss / 2) if some attributes of
// a record are set to fixed values, for any prior. The printed statement, which removes the whole record, fails.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "releases/counts.h"
#include "releases/halfspace.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::release_of;
using oddsbound::testing::schema_of;

namespace {

using Beliefs = std::vector<double>;

Beliefs normalized(Beliefs weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

double total_variation(const Beliefs& a, const Beliefs& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]) / 2;
  return sum;
}

// The table with these attributes of one record set to their first values.
std::uint64_t blanked(const Domain& tables, std::size_t width, std::uint64_t table, std::size_t record,
                      const Attributes& attributes) {
  InputRow row = tables.row(table);
  for (const std::size_t i : attributes) row[record * width + i] = 0;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < row.size(); ++i) at = at * tables.values(i) + row[i];
  return at;
}

// min(|a|, |b|), negated if a and b differ in sign (0 counts as positive). The eleventh record decides it.
int decided(int a, int b) {
  const int least = std::min(std::abs(a), std::abs(b));
  return (a < 0) == (b < 0) ? least : -least;
}

// P(yes), with odds exp(decided / 10).
Number yes(int decided) {
  const Number odds = Number::exp_of(Number::ratio(decided, 10));
  return odds / (Number(1) + odds);
}

}  // namespace

TEST_CASE("setting attributes of a record moves the belief about the whole table by tanh(loss / 2) at most") {
  std::mt19937_64 random(26);
  const Domain schema = schema_of({2, 2});
  constexpr std::size_t kPeople = 2;
  const Domain tables = domain_of_tables(schema, kPeople);
  double most = 0;
  for (int round = 0; round < effort(12, 3); ++round) {
    const Noise noise(Noise::Kind::kLaplace, {1 + random() % 4, 1 + random() % 2});
    const StepPtr step = counts_step({schema, {{{0, 1}}, {{"b", {{1}, {1}}}}}, noise, 0});
    Budget budget;
    const Mechanism mechanism = release_mechanism(release_of(schema, {step}), kPeople, budget);
    std::vector<Beliefs> columns;
    for (std::uint64_t y = 0; y < mechanism.channel->outputs(); y += 1 + random() % 10) {
      columns.emplace_back();
      for (std::uint64_t x = 0; x < tables.inputs(); ++x)
        columns.back().push_back(mechanism.channel->entry(x, y).approx());
    }
    // Any prior: people and attributes may be dependent.
    Beliefs prior(tables.inputs());
    for (double& weight : prior) weight = random() % 3 == 0 ? 0.001 : static_cast<double>(1 + random() % 100);
    for (const Attributes& set : std::vector<Attributes>{{0}, {1}, {0, 1}}) {
      const double bound = std::tanh(step->loss(set).pure.approx() / 2);
      for (const Beliefs& column : columns) {
        for (std::size_t record = 0; record < kPeople; ++record) {
          Beliefs with = prior, without = prior;
          for (std::uint64_t x = 0; x < tables.inputs(); ++x) {
            with[x] *= column[x];
            without[x] *= column[blanked(tables, schema.size(), x, record, set)];
          }
          const double moved = total_variation(normalized(with), normalized(without));
          CHECK(moved <= bound + 1e-12);
          most = std::max(most, moved / bound);
        }
      }
    }
  }
  CHECK(most > 0.4);  // the bound is not vacuous
}

// Ten people share one fair bit. An eleventh has ten bits of another attribute, all known to be 1. Let a and b be
// half of (ones - zeros) of each. The answer is yes with odds exp(decided(a, b) / 10): level 1/10 in every
// attribute. The bits of the ten people are independent of all other attributes, as Proposition 26 requires.
TEST_CASE("removing a whole record moves the belief in one attribute of others by more than Proposition 26 says") {
  const Number level = Number::exp_of(Number::ratio(1, 10));
  for (int a = -5; a <= 5; ++a) {
    for (int b = -5; b <= 5; ++b) {
      for (const int next : {decided(std::min(a + 1, 5), b), decided(a, std::min(b + 1, 5))}) {
        const int now = decided(a, b);
        for (const auto& [p, q] : {std::pair{yes(now), yes(next)}, {yes(next), yes(now)}}) {
          CHECK(p <= level * q);
          CHECK(Number(1) - p <= level * (Number(1) - q));
        }
      }
    }
  }
  const auto believed = [](int b) { return yes(decided(5, b)) / (yes(decided(5, b)) + yes(decided(-5, b))); };
  const Number moved = believed(5) - believed(-5);
  const Number half = Number::exp_of(Number::ratio(1, 2));
  CHECK(moved == (half - Number(1)) / (half + Number(1)));         // tanh(5/20) = 0.2449
  CHECK(moved > Number::exp_of(Number::ratio(1, 5)) - Number(1));  // e^(2/10) - 1 = 0.2214
}
