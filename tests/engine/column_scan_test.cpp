// Vectorized comparison of lines of two values, for every stride, against the definitions.

#include <doctest/doctest.h>

#include "tests/support/random_model.h"
#include "verifier/engine/column_scan.h"
#include "verifier/model/channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// Six binary coordinates (strides 1 to 32); entries are unreduced fractions.
Model binary_model(Random& random, std::uint64_t most_weight) {
  constexpr std::size_t kOutputs = 5;
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < 6; ++i) coordinates.push_back({"x" + std::to_string(i), {"0", "1"}});
  Model model;
  model.domain = Domain(coordinates);
  PoolBuilder builder;
  std::vector<Number> counts;
  for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
    std::int64_t weights[kOutputs];
    std::int64_t sum = 0;
    for (std::int64_t& weight : weights) sum += weight = static_cast<std::int64_t>(2 + 2 * below(random, most_weight));
    for (const std::int64_t weight : weights) builder.add(SmallFraction{weight, sum});
    counts.emplace_back(static_cast<std::int64_t>(1 + below(random, 9)));
  }
  Budget budget;
  model.channel = DenseChannel::from_rows(model.domain.inputs(), numbered_labels(kOutputs), std::move(builder), budget);
  model.prior = Prior::from_weights(model.domain, std::move(counts), budget);
  return model;
}

}  // namespace

TEST_CASE("levels of binary coordinates of every stride are those of the definitions") {
  Random random(78);
  for (const std::uint64_t most_weight : {3U, 500U, 500U}) {
    const Model model = binary_model(random, most_weight);
    Budget budget;
    MeasuredModel subject(model, budget);
    CHECK(ldp_level(subject).at_least == naive_ldp(model));
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      CHECK(cdp_levels(subject)[i].at_least == naive_cdp(model, i));
      CHECK(bcdp_levels(subject)[i].at_least == naive_bcdp(model, i));
    }
  }
}
