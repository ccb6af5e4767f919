// Proofs of lower bounds, applied to finite mechanisms: the packing of Theorem 16 (partial DP paper), and Lemma 2,
// Claim 1, Theorem 3 and inequality (21) of the context-aware LDP paper, with the constants of their proofs.
#include <doctest/doctest.h>

#include <cmath>

#include "mechanisms/distance.h"
#include "tests/support/families.h"
#include "verifier/exact/expression.h"
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

// The lower bound of Theorem 3 of the context-aware paper, with constants. The packing has balanced signs z only (as
// many
// + as -), and 2 alpha in place of alpha: then all masses are positive up to alpha = k'/(2k), and the distance from the
// uniform distribution is alpha.
namespace {

using Signs = std::vector<int>;

std::vector<Signs> balanced_signs(int size) {
  std::vector<Signs> all;
  for (int bits = 0; bits < 1 << size; ++bits) {
    Signs z;
    int sum = 0;
    for (int i = 0; i < size; ++i) {
      z.push_back((bits >> i & 1) != 0 ? 1 : -1);
      sum += z.back();
    }
    if (sum == 0) all.push_back(z);
  }
  return all;
}

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

// The number of balanced signs that differ from given ones in at most a sixth of the places.
double near_ones(int hidden) {
  double count = 0;
  for (int j = 0; 12 * j <= hidden; ++j) count += std::exp(2 * log_choose(hidden / 2.0, j));
  return count;
}

// At least the mean chi-squared distance of a high-low mechanism's outputs over the packing, by Claim 1; k symbols, of
// which `hidden` are not sensitive.
double most_chi_squared(int k, int hidden, double e, double alpha) {
  const double pairs = static_cast<double>(hidden) / (hidden - 1);  // of signs: -1/(hidden - 1) each
  return 4 * alpha * alpha * k / (hidden * static_cast<double>(hidden)) * pairs * (e - 1 + (1 - 1 / e) * (k - 1));
}

// A mechanism from which distributions of k symbols are estimated within alpha / 6, with probability 2/3, takes at
// least so many people: Fano's inequality for lists, where those within alpha / 6 of an estimate are near one another.
double least_people(int k, int hidden, double e, double alpha) {
  const double known = 2.0 / 3 * (log_choose(hidden, hidden / 2.0) - std::log(near_ones(hidden))) - std::log(2);
  return known / most_chi_squared(k, hidden, e, alpha);
}

}  // namespace

TEST_CASE(
    "Theorem 3, lower bound: the packing of balanced signs, its neighbors and its chi-squared distance, counted") {
  for (const int hidden : {4, 6, 12}) {
    const int k = hidden + 2;
    const std::vector<Signs> all = balanced_signs(hidden);
    CHECK(std::log(static_cast<double>(all.size())) == doctest::Approx(log_choose(hidden, hidden / 2.0)));
    const double alpha = hidden / (2.0 * k);  // the largest
    const auto mass = [&](const Signs& z, int i) {
      return 1.0 / k + (i < 2 ? 0 : 2 * alpha * z[std::size_t(i - 2)] / hidden);
    };
    double near = 0;
    for (const Signs& z : all) {
      double total = 0, from_uniform = 0, apart = 0;
      for (int i = 0; i < k; ++i) {
        CHECK(mass(z, i) >= -1e-15);
        total += mass(z, i);
        from_uniform += std::abs(mass(z, i) - 1.0 / k) / 2;
        apart += std::abs(mass(z, i) - mass(all[0], i)) / 2;
      }
      CHECK(total == doctest::Approx(1));
      CHECK(from_uniform == doctest::Approx(alpha));
      near += apart <= alpha / 3 + 1e-12 ? 1 : 0;
    }
    CHECK(near == doctest::Approx(near_ones(hidden)));
    for (const char* level : {"1/2", "2"}) {
      Budget budget;
      const Spec spec =
          read_example(sized(k),
                       R"j({"type": "high_low_hadamard_response", "sensitive": [["0"], ["1"]], "epsilon": ")j" +
                           std::string(level) + "\"}",
                       budget);
      const auto rows = rows_of(spec);
      double chi = 0;
      for (std::size_t y = 0; y < rows[0].size(); ++y) {
        double uniform = 0, squares = 0;
        for (const auto& row : rows) uniform += row[y] / k;
        for (const Signs& z : all) {
          double moved = 0;
          for (int i = 0; i < k; ++i) moved += (mass(z, i) - 1.0 / k) * rows[std::size_t(i)][y];
          squares += moved * moved;
        }
        if (uniform > 0) chi += squares / static_cast<double>(all.size()) / uniform;
      }
      const double e = std::exp(std::string(level) == "2" ? 2.0 : 0.5);
      CHECK(chi > 0);
      CHECK(chi <= most_chi_squared(k, hidden, e, alpha));
    }
  }
}

TEST_CASE(
    "Theorem 3: the lower bound with constants is below what the scheme takes, and of the order k / (alpha^2 eps)") {
  // Markov: an expected distance of beta gives 3 beta with probability 2/3, so alpha = 18 beta.
  constexpr double kBeta = 0.01;
  for (const int k : {42, 102, 402}) {
    const int hidden = k - 2;
    for (const char* level : {"1/4", "1/2", "1"}) {
      const double epsilon = parse_number(level).approx(),
                   least = least_people(k, hidden, std::exp(epsilon), 18 * kBeta);
      CHECK(least > 0);
      Budget budget;
      const Spec spec =
          read_example(sized(k),
                       R"j({"type": "high_low_hadamard_response", "sensitive": [["0"], ["1"]], "epsilon": ")j" +
                           std::string(level) + "\"}",
                       budget);
      REQUIRE(spec.mechanism.distance_bound);
      const auto most = mechanisms::outputs_by_bound(spec.mechanism.distance_bound->squares, Number::ratio(1, 100));
      CHECK(least <= static_cast<double>(most));
      // Within constant factors: k / (alpha^2 epsilon), for k from about 40 on.
      const double order = k / (18 * 18 * kBeta * kBeta * epsilon);
      CHECK(least > order / 40);
      CHECK(least < order);
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
