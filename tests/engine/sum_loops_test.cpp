// The loops of a pass over outputs against plain loops, to the last bit, whichever version of them this processor runs.

#include "verifier/engine/sum_loops.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tests/support/random_model.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

// Non-negative doubles of very different sizes, some of them 0 or subnormal.
std::vector<double> random_masses(Random& random, std::size_t count) {
  std::vector<double> masses(count);
  for (double& mass : masses) {
    const auto size = static_cast<int>(below(random, 12));
    const double digits = 1 + static_cast<double>(below(random, 1 << 30)) * 0x1p-30 / 3;
    mass = size == 0 ? 0 : std::ldexp(digits, size == 1 ? -1060 : -40 * size);
  }
  return masses;
}

void check_equal(const std::vector<double>& found, const std::vector<double>& plain, std::size_t count) {
  REQUIRE(found.size() >= count);
  for (std::size_t k = 0; k < count; ++k) {
    CHECK(std::bit_cast<std::uint64_t>(found[k]) == std::bit_cast<std::uint64_t>(plain[k]));
  }
}

const std::vector<std::size_t> kLanes = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 27, 31, 32, 33, 64, 81, 100, 128};

}  // namespace

TEST_CASE("outputs are fixed as by plain loops") {
  Random random(1);
  for (const std::size_t lanes : kLanes) {
    for (std::size_t most = 1; most <= 9; ++most) {
      constexpr std::size_t kCells = 11;
      SumStep step;
      step.outputs = 2 + below(random, 4);
      step.classes = 1 + below(random, 5);
      const std::vector<double> entries = random_masses(random, step.outputs * step.classes);
      step.entries = entries.data();
      step.first_maximum = below(random, 5);
      step.begin = {0};
      for (std::size_t t = 0; t < step.first_maximum + 2; ++t) {
        for (std::size_t k = t % most; k < most; ++k) {
          step.sources.push_back({static_cast<std::uint32_t>(below(random, kCells)),
                                  static_cast<std::uint32_t>(below(random, step.classes))});
        }
        step.begin.push_back(static_cast<std::uint32_t>(step.sources.size()));
      }
      const std::vector<double> from = random_masses(random, kCells * lanes);
      const std::size_t first = below(random, step.outputs), end = first + 1 + below(random, step.outputs - first);
      const std::size_t size = step.targets() * (end - first) * lanes;
      std::vector<double> found(size, -1), plain(size, -2);
      fix_outputs(step, from.data(), lanes, first, end, found.data());
      std::size_t place = 0;
      for (std::size_t t = 0; t < step.targets(); ++t) {
        for (std::size_t y = first; y < end; ++y) {
          for (std::size_t l = 0; l < lanes; ++l) {
            double sum = 0;
            for (std::uint32_t k = step.begin[t]; k < step.begin[t + 1]; ++k) {
              const double product =
                  from[step.sources[k].cell * lanes + l] * entries[y * step.classes + step.sources[k].entry];
              sum = t < step.first_maximum ? sum + product : std::max(sum, product);
            }
            plain[place++] = sum;
          }
        }
      }
      check_equal(found, plain, size);
    }
  }
}

TEST_CASE("terms of all lanes are those of plain loops") {
  Random random(2);
  for (const std::size_t lanes : kLanes) {
    const std::vector<double> masses = random_masses(random, 3 * lanes), inverse = random_masses(random, lanes);
    std::vector<double> found(lanes), plain(lanes);
    set_maxima(masses.data(), 3, lanes, found.data());
    for (std::size_t l = 0; l < lanes; ++l) plain[l] = std::max({masses[l], masses[lanes + l], masses[2 * lanes + l]});
    check_equal(found, plain, lanes);

    set_excesses(masses.data(), 1.3, masses.data() + lanes, 0.7, lanes, found.data());
    for (std::size_t l = 0; l < lanes; ++l) plain[l] = std::max(0.0, masses[l] * 1.3 - masses[lanes + l] * 0.7);
    check_equal(found, plain, lanes);

    const LogTable& table = LogTable::get();
    table.add_logs(masses.data() + 2 * lanes, inverse.data(), 0x1.9p300, lanes, found.data());
    for (std::size_t l = 0; l < lanes; ++l) {
      const double mass = masses[2 * lanes + l];
      plain[l] += mass * table.log(mass * inverse[l] * 0x1.9p300);
    }
    check_equal(found, plain, lanes);
  }
}

TEST_CASE("terms are added up as a tree") {
  CHECK(tree_sum(nullptr, 0) == 0);
  Random random(3);
  for (const std::size_t lanes : kLanes) {
    std::vector<double> terms = random_masses(random, lanes), plain = terms;
    for (std::size_t count = lanes; count > 1; count = (count + 1) / 2) {
      const std::size_t half = (count + 1) / 2;
      for (std::size_t i = half; i < count; ++i) plain[i - half] += plain[i];
    }
    const double sum = tree_sum(terms.data(), lanes);
    check_equal({sum}, plain, 1);
  }
}
