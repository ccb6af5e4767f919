// Estimators from parts that each see classes of inputs, against enumeration of all outputs.
#include "mechanisms/estimator_by_parts.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_model.h"
#include "tests/support/random_prior.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using oddsbound::testing::below;
using oddsbound::testing::Random;
using oddsbound::testing::read_example;

namespace {

// A channel of some inputs whose rows are those of random classes.
ChannelPtr part_of_classes(std::uint64_t inputs, std::uint64_t outputs, Random& random, Budget& budget) {
  const auto classes = 1 + below(random, 3);
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t c = 0; c < classes; ++c) {
    std::vector<std::int64_t> weights;
    std::int64_t sum = 0;
    for (std::uint64_t y = 0; y < outputs; ++y) {
      weights.push_back(static_cast<std::int64_t>(below(random, 6)) + (y == 0 ? 1 : 0));
      sum += weights.back();
    }
    std::vector<Number>& row = rows.emplace_back();
    for (const std::int64_t weight : weights) row.push_back(Number::ratio(weight, sum));
  }
  PoolBuilder entries;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    for (const Number& entry : rows[below(random, classes)]) entries.add(entry);
  }
  return DenseChannel::from_rows(inputs, numbered_labels(outputs), std::move(entries), budget);
}

// Whether inputs with different values of the coordinates have different rows.
bool have_different_rows(const Channel& channel, const Projection& target, Budget& budget) {
  const auto rows = rows_of(channel, budget);
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t z = 0; z < x; ++z) {
      if (target(x) != target(z) && rows[x] == rows[z]) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("weights from parts are expected to be the target, and their squares what enumeration gives") {
  Random random(48);
  const int rounds = testing::effort(60, 6);
  int found = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    Budget budget;
    const Domain domain(std::vector<Coordinate>{{"a", ValueNames::numbered(2), false},
                                                {"b", ValueNames::numbered(2 + below(random, 2)), false}});
    std::vector<Factor> factors;
    std::vector<PartOfOutput> parts;
    for (std::uint64_t count = 2 + below(random, 3); factors.size() < count;) {
      std::vector<std::size_t> seen{0, 1};
      if (below(random, 3) == 0) seen.erase(seen.begin() + static_cast<std::ptrdiff_t>(below(random, 2)));
      const std::uint64_t inputs = domain.restricted_to(seen).inputs();
      const ChannelPtr channel = part_of_classes(inputs, 2 + below(random, 3), random, budget);
      parts.push_back({channel, seen, factors.size()});
      factors.push_back({channel, seen});
    }
    const ProductChannel channel(domain, factors);
    const std::vector<std::vector<std::size_t>> choices{{0}, {1}, {0, 1}};
    for (const std::vector<std::size_t>& coordinates : choices) {
      const Projection target(domain, coordinates);
      EstimatorPtr estimator;
      try {
        estimator = estimator_by_parts(domain, parts, coordinates, budget);
      } catch (const LimitError&) {
        ++refused;  // parts with dependent rows tell more together than these features do
        continue;
      }
      if (!estimator) {
        CHECK(!have_different_rows(channel, target, budget));
        continue;
      }
      ++found;
      std::string where;
      CHECK_MESSAGE(is_unbiased(*estimator, channel, budget, where), where);
      Number summed(0);
      std::vector<Number> weights;
      OutputCounts outputs;
      for (std::uint64_t x = 0; x < domain.inputs(); ++x) weights.push_back(Number(static_cast<std::int64_t>(x)));
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) outputs[channel.split(y)] = y % 5;
      const std::vector<SumOfWeights> sums = estimator->sums_over(outputs, budget);
      for (std::uint64_t j = 0; j < estimator->targets(); ++j) {
        Number sum(0), squares_sum(0);
        for (const auto& [output, count] : outputs) {
          const Number weight = estimator->weight(j, output), times(static_cast<std::int64_t>(count));
          sum += times * weight;
          squares_sum += times * weight * weight;
        }
        CHECK(sum == sums[j].sum);
        CHECK(squares_sum.approx() == doctest::Approx(sums[j].squares));
      }
      for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
        const std::vector<Number> squares = estimator->expected_squares(x, budget);
        for (std::uint64_t j = 0; j < estimator->targets(); ++j) {
          Number mean(0), square(0);
          for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
            const Number weight = estimator->weight(j, channel.split(y));
            mean += channel.entry(x, y) * weight;
            square += channel.entry(x, y) * weight * weight;
          }
          CHECK(mean == estimator->truth(j, x));
          CHECK(mean == estimator->expected_weight(j, x));
          CHECK(square == squares[j]);
          summed += weights[x] * square;
        }
      }
      CHECK(summed == estimator->summed_squares(weights, budget));
    }
  }
  MESSAGE("found ", found, ", refused ", refused);
  CHECK(found >= rounds / 2);
}

TEST_CASE("bits of a Bloom filter tell values apart that no bit tells alone") {
  // The expected values of three bits and a constant have dimension 4: five values need a product of two bits.
  Budget budget;
  const auto bit = [](const std::string& values) {
    return R"j({"type": "cases", "outputs": ["0", "1"], "cases": [{"when": {"v": [)j" + values +
           R"j(]}, "then": {"1": "3/4", "0": "1/4"}}, {"when": {}, "then": {"1": "1/4", "0": "3/4"}}]})j";
  };
  const Spec spec = read_example(R"j([{"name": "v", "size": 5}])j",
                                 R"j({"type": "compose", "mechanisms": [)j" + bit(R"("0", "1")") + "," +
                                     bit(R"("0", "2")") + "," + bit(R"("3")") + "]}",
                                 budget);
  std::vector<PartOfOutput> parts;
  for (const Factor& factor : spec.model.channel->factors()) {
    parts.push_back({factor.channel, factor.coordinates, parts.size()});
  }
  REQUIRE(parts.size() == 3);
  const EstimatorPtr estimator = estimator_by_parts(spec.model.domain, parts, std::vector<std::size_t>{0}, budget);
  REQUIRE(estimator);
  std::string where;
  CHECK_MESSAGE(is_unbiased(*estimator, *spec.model.channel, budget, where), where);
  // Without the third bit, 3 and 4 have the same rows.
  parts.pop_back();
  CHECK(!estimator_by_parts(spec.model.domain, parts, std::vector<std::size_t>{0}, budget));
}
