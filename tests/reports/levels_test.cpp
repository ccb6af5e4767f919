// The list of levels that every report shows: its order, and what stands beside a level.
#include "reports/levels.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/verify.h"
#include "reports/effects.h"

using namespace oddsbound;

namespace {

// The attribute `class` is public.
const SpecResult& class_known() {
  static const Report report =
      evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/specs/gallery/titanic-class-known.json"}, {});
  return report.specs.at(0);
}

}  // namespace

TEST_CASE("levels of the whole input come first, then those of each attribute with their bounds") {
  const std::vector<Quantity> all = quantities(class_known());
  std::vector<std::string> attributes;
  for (const Quantity& quantity : all) {
    if (attributes.empty() || attributes.back() != quantity.coordinate) attributes.push_back(quantity.coordinate);
  }
  CHECK(attributes == std::vector<std::string>{"", "class", "sex", "age", "survived"});
  const auto bound = std::find_if(all.begin(), all.end(), [](const Quantity& quantity) { return quantity.is_bound; });
  REQUIRE(bound != all.end());
  CHECK(bound->kind == kProposition4);
  CHECK(bound->notion == notion_drawn(DrawnBeside::kValues));
  CHECK((bound - 1)->coordinate == bound->coordinate);
}

TEST_CASE("a level for those who know the public attributes follows the level itself") {
  const std::vector<Quantity> all = quantities(class_known());
  std::size_t given = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].beside != "knowing class") continue;
    ++given;
    CHECK(all[i - 1].notion == all[i].notion);
    CHECK(all[i - 1].coordinate == all[i].coordinate);
    CHECK(all[i].of_prior);
  }
  CHECK(given > 0);
  CHECK(given == levels_given_public(class_known()).size());
}

TEST_CASE("a level of a public attribute is not explained by an output") {
  for (const Quantity& quantity : quantities(class_known())) {
    const bool is_public = quantity_words(quantity, class_known()) == "public: everybody knows it";
    CHECK(is_public == (quantity.coordinate == "class" && quantity.beside.empty()));
  }
  CHECK(secret_coordinates(class_known()) == std::vector<std::size_t>{1, 2, 3});
  CHECK(has_prior(class_known()));
}

TEST_CASE("sentences begin with the attribute of the largest level") {
  VerifyOptions options;
  options.effects = true;
  const Report report =
      evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/tests/cli/specs/twelve-questions.json"}, options);
  SpecResult spec = report.specs.at(0);
  REQUIRE((spec.effects && spec.effects->without.empty()));
  const auto names = [](const SpecResult& result) {
    std::vector<std::string> attributes;
    for (const EffectWords& words : effect_words(result)) attributes.push_back(words.coordinate);
    return attributes;
  };
  const std::vector<std::string> sorted = names(spec);
  REQUIRE(sorted.size() == 12);
  CHECK(std::vector(sorted.begin(), sorted.begin() + 4) ==
        std::vector<std::string>{"age", "sleep", "anxiety", "depression"});
  CHECK(sorted.back() == "gender");
  // Documents of earlier versions have no levels here.
  for (AttributeEffects& effects : spec.effects->attributes) effects.level.reset();
  CHECK(names(spec) == spec.coordinates);
}
