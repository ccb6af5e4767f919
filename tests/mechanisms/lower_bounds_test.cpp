// Proofs of lower bounds, applied to finite mechanisms: the packing of Theorem 16 (partial DP paper), and Lemma 2,
// Claim 1 and inequality (21) of the context-aware LDP paper, with the constants of their proofs.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/families.h"
#include "verifier/model/channel.h"

using namespace oddsbound;
using oddsbound::testing::read_example;
using oddsbound::testing::sized;

namespace {

std::vector<std::vector<double>> rows_of(const Spec& spec) {
  const Channel& channel = *spec.model.channel;
  std::vector<std::vector<double>> rows(channel.inputs());
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) rows[x].push_back(channel.entry(x, y).approx());
  }
  return rows;
}

// Smallest n that the packing of Theorem 16 does not exclude: d exp(-eps ceil(3 nu n)) / 10 <= 1.
double least_by_packing(double d, double epsilon, double nu) {
  double people = 1;
  while (d * std::exp(-epsilon * std::ceil(3 * nu * people)) / 10 > 1) ++people;
  return people;
}

}  // namespace

TEST_CASE("Theorem 16: tables with 3 nu n copies of one record are that many changes apart, which gives 1 / 33") {
  for (const double epsilon : {0.1, 0.5, 1.0, 3.0}) {
    const double least = 10 * std::exp(1.1 * epsilon);
    for (const double d : {std::ceil(least), 4 * std::ceil(least), 1e6, 1e9}) {
      for (const double nu : {0.1, 0.01, 0.001}) {
        CHECK(least_by_packing(d, epsilon, nu) >= std::log(d / 10) / (33 * epsilon * nu));
      }
    }
  }
  // The printed constant does not follow: 0.05 log(12) / (0.1 * 0.001) = 1242.
  CHECK(least_by_packing(12, 0.1, 0.001) < 0.05 * std::log(12) / (0.1 * 0.001));
}

TEST_CASE("Lemma 2 and Claim 1: what a high-low mechanism tells of symbols that are not sensitive") {
  for (const int k : {5, 8}) {
    for (const char* level : {"1/2", "1", "2"}) {
      Budget budget;
      const Spec spec = read_example(sized(k),
                                     R"j({"type": "high_low_hadamard_response", "sensitive": [["0"], ["1"]],
                                                  "epsilon": ")j" +
                                         std::string(level) + "\"}",
                                     budget);
      const auto rows = rows_of(spec);
      const double e = std::exp(std::string(level) == "1/2" ? 0.5 : std::stod(level));
      double sum = 0;
      for (std::size_t y = 0; y < rows[0].size(); ++y) {
        double all = 0;
        for (const auto& row : rows) all += row[y];
        for (std::size_t i = 2; i < rows.size(); ++i)
          sum += (rows[i][y] - rows[0][y]) * (rows[i][y] - rows[0][y]) / all;
      }
      // The last line of the proof, which is O(k eps).
      CHECK(sum <= e - 1 + (1 - 1 / e) * (k - 1));
      CHECK(sum > 0);
      for (const auto& row : rows) {
        double most = 0;  // max over output sets M of Q(M given i) - e^-eps Q(M given 1)
        for (std::size_t y = 0; y < row.size(); ++y) most += std::max(0.0, row[y] - rows[0][y] / e);
        CHECK(most <= 1 - 1 / e + 1e-12);
      }
    }
  }
}

TEST_CASE("(21): what a block mechanism tells of distributions near the uniform one") {
  constexpr double kAlpha = 0.01;
  for (const int blocks : {1, 2, 4}) {
    const int k = 8, size = k / blocks;
    Budget budget;
    const std::string domain = R"j([{"name": "block", "size": )j" + std::to_string(blocks) +
                               R"j(}, {"name": "symbol", "size": )j" + std::to_string(size) + "}]";
    const Spec spec =
        read_example(domain, R"j({"type": "block_hadamard_response", "blocks": ["block"], "epsilon": "1"})j", budget);
    const auto rows = rows_of(spec);
    const double squares = blocks * size * size;
    double chi = 0;  // mean over signs z of the chi-squared distance; pairs of symbols contribute separately
    for (std::size_t y = 0; y < rows[0].size(); ++y) {
      double all = 0, pairs = 0;
      for (const auto& row : rows) all += row[y] / k;
      for (std::size_t x = 0; x < rows.size(); x += 2) {
        const double moved = 2 * size * kAlpha / squares * (rows[x][y] - rows[x + 1][y]);
        pairs += moved * moved;
      }
      if (all > 0) chi += pairs / all;
    }
    CHECK(chi > 0);
    CHECK(chi <= 8 * k * kAlpha * kAlpha * (std::exp(1) - 1) * (std::exp(1) - 1) / squares);
  }
}
