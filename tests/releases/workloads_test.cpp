// The distance between the answers of two people, over all conjunctions or parities of k of d bits (partial DP
// paper, Section 4.1), which determines the noise of Theorem 11.
#include <doctest/doctest.h>

#include <bit>

#include "releases/counts.h"
#include "tests/releases/release_models.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::schema_of;

namespace {

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  std::uint64_t result = 1;
  for (std::uint64_t i = 0; i < k; ++i) result = result * (n - i) / (i + 1);
  return result;
}

// All sets of k of d bits, as masks.
std::vector<unsigned> sets_of(unsigned d, int k) {
  std::vector<unsigned> sets;
  for (unsigned set = 0; set < (1u << d); ++set) {
    if (std::popcount(set) == k) sets.push_back(set);
  }
  return sets;
}

bool conjunction(unsigned person, unsigned set) { return (person & set) == set; }
bool parity(unsigned person, unsigned set) { return std::popcount(person & set) % 2 == 1; }

// Maximum number of different answers (the squared distance) of two people who differ only in bits of `may_differ`.
std::uint64_t most_apart(unsigned d, int k, unsigned may_differ, bool (*answer)(unsigned, unsigned)) {
  const std::vector<unsigned> sets = sets_of(d, k);
  std::uint64_t most = 0;
  for (unsigned one = 0; one < (1u << d); ++one) {
    for (unsigned other = 0; other < one; ++other) {
      if (((one ^ other) & ~may_differ) != 0) continue;
      std::uint64_t apart = 0;
      for (const unsigned set : sets) apart += answer(one, set) != answer(other, set) ? 1 : 0;
      most = std::max(most, apart);
    }
  }
  return most;
}

StepPtr conjunctions(unsigned d, int k, std::uint64_t variance) {
  Counted counted;
  for (const unsigned set : sets_of(d, k)) {
    NamedPattern pattern;
    for (unsigned i = 0; i < d; ++i) {
      if ((set >> i & 1) == 0) continue;
      pattern.pattern.attributes.push_back(i);
      pattern.pattern.values.push_back(1);
    }
    counted.patterns.push_back(pattern);
  }
  const Noise noise(Noise::Kind::kGaussian, {variance, 1});
  return counts_step({schema_of(std::vector<std::size_t>(d, 2)), counted, noise, noise.window()});
}

}  // namespace

TEST_CASE("all conjunctions of k of d bits cost what Theorem 11 says: C(d, k) a person, C(d-1, k-1) one bit") {
  for (unsigned d = 1; d <= 5; ++d) {
    for (int k = 1; k <= static_cast<int>(d); ++k) {
      const auto size = static_cast<std::uint64_t>(k);
      const StepPtr step = conjunctions(d, k, 3);
      for (unsigned changed = 1; changed < (1u << d); ++changed) {
        Attributes attributes;
        for (unsigned i = 0; i < d; ++i) {
          if (changed >> i & 1) attributes.push_back(i);
        }
        const std::uint64_t apart = choose(d, size) - choose(d - attributes.size(), size);
        CHECK(most_apart(d, k, changed, conjunction) == apart);
        CHECK(step->loss(attributes).rho == Number::ratio(static_cast<std::int64_t>(apart), 6));
        if (attributes.size() == 1) CHECK(apart == choose(d - 1, size - 1));
      }
    }
  }
  // A full record against one bit: sqrt(d / k) in the paper's epsilon, d / k in rho.
  CHECK(conjunctions(8, 2, 1)->loss(every_coordinate(schema_of(std::vector<std::size_t>(8, 2)))).rho == Number(14));
  CHECK(conjunctions(8, 2, 1)->loss({0}).rho == Number::ratio(7, 2));
}

TEST_CASE("parities of k bits, k even, are never all apart: people who differ everywhere agree on them") {
  CHECK(most_apart(3, 2, 7, parity) == 2);
  CHECK(most_apart(8, 2, 255, parity) == 16);
  for (unsigned d = 1; d <= 6; ++d) {
    const unsigned all = (1u << d) - 1;
    for (int k = 1; k <= static_cast<int>(d); ++k) {
      const auto size = static_cast<std::uint64_t>(k);
      const std::uint64_t apart = most_apart(d, k, all, parity);
      // k = d is one set of all bits: the answers differ if one bit does.
      if (k % 2 == 0 && k < static_cast<int>(d)) {
        CHECK(apart < choose(d, size));
      } else {
        CHECK(apart == choose(d, size));
      }
      CHECK(most_apart(d, k, 1, parity) == choose(d - 1, size - 1));
      for (unsigned one = 0; one <= all && k % 2 == 0; ++one) {
        for (const unsigned set : sets_of(d, k)) CHECK(parity(one, set) == parity(one ^ all, set));
      }
    }
  }
}
