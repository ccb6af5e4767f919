#include "verifier/model/definition.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/random_model.h"

using namespace oddsbound;
using namespace oddsbound::model;

namespace {

Domain colors_and_sizes() { return Domain({{"color", {"red", "green"}}, {"size", {"s", "m", "l"}}}); }

}  // namespace

TEST_CASE("a partition labels inputs by row and by number alike") {
  const Domain domain = colors_and_sizes();  // inputs: (red,s) (red,m) (red,l) (green,s) (green,m) (green,l)
  const std::vector<std::pair<Partition, std::vector<std::uint32_t>>> cases = {
      {Partition::by_value(domain, 0), {0, 0, 0, 1, 1, 1}},
      {Partition::by_value(domain, 1), {0, 1, 2, 0, 1, 2}},
      {Partition::by_values(domain, {0, 1}), {0, 1, 2, 3, 4, 5}},
      {Partition::by_values(domain, {1, 0}), {0, 2, 4, 1, 3, 5}},
      {Partition::by_label(domain, {1, 0, 1, 1, 0, 0}, 2), {1, 0, 1, 1, 0, 0}},
      {Partition::by_input(domain), {0, 1, 2, 3, 4, 5}},
  };
  for (const auto& [partition, expected] : cases) {
    CHECK(partition.labels() == expected);
    const std::vector<std::vector<std::uint64_t>> members = partition.members();
    REQUIRE(members.size() == partition.size());
    std::size_t count = 0;
    for (std::uint32_t label = 0; label < members.size(); ++label) {
      for (const std::uint64_t x : members[label]) CHECK(expected[x] == label);
      count += members[label].size();
    }
    CHECK(count == expected.size());
    for (std::uint64_t x = 0; x < expected.size(); ++x) CHECK(partition.label_of(domain.row(x)) == expected[x]);
  }
}

TEST_CASE("a partition by coordinates knows them, and a label may have no input") {
  const Domain domain = colors_and_sizes();
  CHECK(Partition::by_value(domain, 1).coordinates() == std::vector<std::size_t>{1});
  CHECK(Partition::by_input(domain).coordinates().empty());
  const Partition sparse = Partition::by_label(domain, {0, 0, 2, 2, 2, 0}, 3);
  CHECK(sparse.size() == 3);
  CHECK(sparse.members()[1].empty());
}

TEST_CASE("inputs that are too many, or have no numbers, have labels by row, but are not listed") {
  for (const std::size_t count : {40, 100}) {
    CAPTURE(count);
    std::vector<Coordinate> coordinates;
    for (std::size_t i = 0; i < count; ++i) coordinates.push_back({"q" + std::to_string(i), {"no", "yes"}});
    const Domain domain(std::move(coordinates));
    const Partition partition = Partition::by_values(domain, {7, 39});
    InputRow row(count, 0);
    row[7] = 1;
    CHECK(partition.size() == 4);
    CHECK(partition.label_of(row) == 2);
    CHECK_THROWS_AS(partition.labels(), LimitError);
    CHECK_THROWS_AS(partition.members(), LimitError);
  }
}
