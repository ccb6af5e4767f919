// Counterexamples to general properties are specs; the exact engine confirms their claims.

#include <doctest/doctest.h>

#include "app/search.h"
#include "app/verify.h"

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
