// How often the level over a sample is below that of the population: samples drawn from tables of the gallery,
// each table taken as the whole population.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>

#include "specs/spec.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/set_level.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

namespace {

const std::string kGallery = ODDSBOUND_SOURCE_DIR "/specs/gallery/";

// Independent draws from a table of integer counts.
std::vector<Number> sample_of(Random& random, const std::vector<std::pair<std::uint64_t, Number>>& rows,
                              std::uint64_t inputs, int draws) {
  std::vector<std::uint64_t> up_to;
  std::uint64_t total = 0;
  for (const auto& [input, weight] : rows) {
    total += static_cast<std::uint64_t>(weight.approx());
    up_to.push_back(total);
  }
  std::vector<Number> counts(inputs);
  for (int draw = 0; draw < draws; ++draw) {
    const auto row = std::upper_bound(up_to.begin(), up_to.end(), below(random, total)) - up_to.begin();
    counts[rows[static_cast<std::size_t>(row)].first] += Number(1);
  }
  return counts;
}

}  // namespace

TEST_CASE("Samples of the gallery's tables seldom say less than is true") {
  struct Case {
    std::string spec, coordinate;
    int draws;
  };
  Random random(61);
  for (const auto& [name, coordinate, draws] :
       {Case{"titanic", "survived", 150}, Case{"titanic", "sex", 600}, Case{"berkeley", "gender", 60},
        Case{"berkeley", "gender", 900}, Case{"hair-eye-sex", "sex", 400}, Case{"hair-eye-sex", "hair", 200}}) {
    CAPTURE(name);
    CAPTURE(draws);
    Budget reading;
    const Spec spec = read_spec(kGallery + name + ".json", reading);
    const Domain& domain = spec.model.domain;
    const std::size_t i = *domain.find(coordinate);
    const ColumnInputs inputs = Partition::by_value(domain, i);
    const auto rows = spec.model.prior->numbered_rows(reading);
    for (const auto& [input, weight] : rows) REQUIRE(weight == Number(static_cast<std::int64_t>(weight.approx())));
    MeasuredModel population(spec.model, reading);
    const Level truth = level_over(population, *any_of({*spec.model.prior}), inputs, {}).at_least;
    const int samples = effort(200, 12, 4);
    int estimated_lower = 0;
    for (const Number& confidence : {Number::ratio(1, 2), Number::ratio(19, 20)}) {
      int failed = 0;
      for (int round = 0; round < samples; ++round) {
        Budget budget;
        MeasuredModel subject(spec.model, budget);
        const auto counts = sample_of(random, rows, domain.inputs(), draws);
        const Prior sample = Prior::from_weights(domain, counts, budget);
        const auto lower = [&](const PriorSetPtr& set) {
          return level_over(subject, *set, inputs, {}).at_most() < truth;
        };
        failed += lower(sampled(sample, confidence)) ? 1 : 0;
        estimated_lower += lower(any_of({sample})) ? 1 : 0;
      }
      // By chance, more than a fraction alpha of the samples may fail; more than this with probability at most 1/1000.
      const double alpha = (Number(1) - confidence).approx();
      CHECK(failed <= samples * alpha + 3.3 * std::sqrt(samples * alpha * (1 - alpha)) + 1);
    }
    CHECK(estimated_lower > 0);  // the level of the sample itself is not a bound
  }
}
