// Counterexamples to general properties are specs; the exact engine confirms their claims.

#include <doctest/doctest.h>

#include "app/search.h"
#include "app/verify.h"
#include "base/errors.h"

using namespace oddsbound;

TEST_CASE("every property is refuted by specs that verify, or holds at the size that was asked about") {
  for (const Property& property : properties()) {
    CAPTURE(property.name);
    Budget budget;
    const SearchResult result = search(property, SearchOptions(), budget);
    REQUIRE(!result.steps.empty());
    CHECK(text_search(result).find(property.name) != std::string::npos);
    CHECK((result.steps.back().found == Answer::kYes) == !result.specs.empty());
    for (const FoundSpec& found : result.specs) {
      const Spec spec = read_spec_text(found.name, ".", found.text, budget);
      const SpecResult checked = evaluate(spec, budget, VerifyOptions());
      for (const ClaimResult& claim : checked.claims) CHECK(claim.ok());
    }
  }
}

TEST_CASE("a search needs sizes, and not too many of them") {
  const auto refused = [](std::vector<std::uint64_t> coordinates, std::uint64_t outputs) {
    SearchOptions options;
    options.coordinates = std::move(coordinates);
    options.outputs = outputs;
    Budget budget;
    CHECK_THROWS_AS(search(properties().front(), options, budget), ModelError);
  };
  refused({}, 2);
  refused({1, 2}, 2);
  refused({2, 9}, 2);
  refused({2, 2}, 1);
  refused({2, 2}, 17);
  refused({8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8}, 2);
  refused({2, std::uint64_t{1} << 60}, 2);
}
