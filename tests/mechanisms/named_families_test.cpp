// Families that are combinations, or sums over all integers: against the combination, and against plain sums.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "specs/spec.h"
#include "tests/support/families.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using oddsbound::testing::kFive;
using oddsbound::testing::kThree;
using oddsbound::testing::kTwo;
using oddsbound::testing::read_example;
using oddsbound::testing::sized;

namespace {

using NumberRows = std::vector<std::vector<Number>>;

NumberRows exact_rows(const Spec& spec) {
  const Channel& channel = *spec.model.channel;
  NumberRows rows(channel.inputs());
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) rows[x].push_back(channel.entry(x, y));
  }
  return rows;
}

NumberRows exact_rows(const std::string& domain, const std::string& mechanism) {
  Budget budget;
  return exact_rows(read_example(domain, mechanism, budget));
}

NumberRows exact_rows_of_file(const std::string& file) {
  Budget budget;
  return exact_rows(read_spec(ODDSBOUND_SOURCE_DIR "/specs/deployed/" + file, budget));
}

Level measured_ldp(const std::string& domain, const std::string& mechanism) {
  Budget budget;
  const Spec spec = read_example(domain, mechanism, budget);
  MeasuredModel subject(spec.model, budget);
  return ldp_level(subject).at_least;
}

// P(noise = n) of discrete Laplace noise.
double laplace(double scale, int n) {
  const double a = std::exp(-1 / scale);
  return (1 - a) / (1 + a) * std::pow(a, std::abs(n));
}

constexpr int kFarthestNoise = 60;  // noise beyond it has a probability below 1e-12

// Calls the function with every value of noise up to kFarthestNoise for each of several draws, and the probability.
void for_all_noise(double scale, std::size_t draws, std::vector<int>& noise, double mass,
                   const std::function<void(double)>& visit) {
  if (draws == 0) return visit(mass);
  for (int n = -kFarthestNoise; n <= kFarthestNoise; ++n) {
    noise.push_back(n);
    for_all_noise(scale, draws - 1, noise, mass * laplace(scale, n), visit);
    noise.pop_back();
  }
}

double rounded(const Number& number) { return number.approx(); }

const char* const kScores = R"j([{"name": "a", "values": ["-1", "2"]}, {"name": "b", "values": ["0", "2"]}])j";

}  // namespace

TEST_CASE("report noisy max has the probabilities of plain sums over the noise") {
  const NumberRows rows = exact_rows(kScores, R"j({"type": "report_noisy_max", "scale": 2})j");
  const std::vector<std::vector<int>> scores{{-1, 0}, {-1, 2}, {2, 0}, {2, 2}};
  for (std::size_t x = 0; x < scores.size(); ++x) {
    std::vector<double> found(2, 0);
    std::vector<int> noise;
    for_all_noise(2, 2, noise, 1,
                  [&](double mass) { found[scores[x][1] + noise[1] > scores[x][0] + noise[0] ? 1 : 0] += mass; });
    for (std::size_t y = 0; y < 2; ++y) CHECK(rounded(rows[x][y]) == doctest::Approx(found[y]).epsilon(1e-9));
  }
  // Three candidates, equal scores: the first one also wins ties.
  const NumberRows three = exact_rows(R"j([{"name": "a", "values": ["5"]}, {"name": "b", "values": ["5"]},
                                        {"name": "c", "values": ["5"]}])j",
                                      R"j({"type": "report_noisy_max", "scale": "1/2"})j");
  std::vector<double> found(3, 0);
  std::vector<int> noise;
  for_all_noise(0.5, 3, noise, 1, [&](double mass) {
    std::size_t best = 0;
    for (std::size_t z = 1; z < 3; ++z) best = noise[z] > noise[best] ? z : best;
    found[best] += mass;
  });
  for (std::size_t y = 0; y < 3; ++y) CHECK(rounded(three[0][y]) == doctest::Approx(found[y]).epsilon(1e-9));
}

TEST_CASE("AboveThreshold has the probabilities of plain sums over the noise") {
  const NumberRows rows = exact_rows(
      kScores,
      R"j({"type": "above_threshold", "threshold": 1, "threshold_scale": 1, "query_scale": 2, "answers": 2})j");
  const std::vector<std::vector<int>> scores{{-1, 0}, {-1, 2}, {2, 0}, {2, 2}};
  const auto above = [](int score, int threshold) {
    double mass = 0;
    for (int n = -kFarthestNoise; n <= kFarthestNoise; ++n) mass += score + n >= threshold ? laplace(2, n) : 0;
    return mass;
  };
  for (std::size_t x = 0; x < scores.size(); ++x) {
    std::vector<double> found(4, 0);  // FF, FT, TF, TT
    for (int n = -kFarthestNoise; n <= kFarthestNoise; ++n) {
      const double first = above(scores[x][0], 1 + n), second = above(scores[x][1], 1 + n), mass = laplace(1, n);
      found[0] += mass * (1 - first) * (1 - second);
      found[1] += mass * (1 - first) * second;
      found[2] += mass * first * (1 - second);
      found[3] += mass * first * second;
    }
    for (std::size_t y = 0; y < 4; ++y) CHECK(rounded(rows[x][y]) == doctest::Approx(found[y]).epsilon(1e-9));
  }
  // A single answer ends the output.
  const NumberRows one =
      exact_rows(kScores, R"j({"type": "above_threshold", "threshold": 1, "threshold_scale": 1, "query_scale": 2})j");
  for (std::size_t x = 0; x < scores.size(); ++x) {
    CHECK(one[x] == std::vector<Number>{rows[x][0], rows[x][1], rows[x][2] + rows[x][3]});
  }
}

TEST_CASE("AboveThreshold has at most the level of its analysis, for any number of queries") {
  for (const int queries : {1, 2, 3}) {
    std::string domain;
    for (int q = 0; q < queries; ++q) {
      domain += std::string(q > 0 ? ", " : "[") + R"j({"name": "q)j" + std::to_string(q) + R"j(", "size": 2})j";
    }
    const Level level = measured_ldp(domain + "]", R"j({"type": "above_threshold", "threshold": 0, "threshold_scale": 2,
                                                   "query_scale": 4})j");
    CHECK(level <= parse_level("1"));
    if (queries > 1) CHECK(level > parse_level("1/4"));
  }
}

TEST_CASE("optimal partition selection is the matrix of the deployed spec") {
  CHECK(exact_rows(sized(13), R"j({"type": "optimal_partition_selection", "epsilon": "log(3)", "delta": "1/1000"})j") ==
        exact_rows_of_file("partition-selection.json"));
  const NumberRows all = exact_rows(kThree, R"j({"type": "optimal_partition_selection", "epsilon": "0", "delta": 1})j");
  CHECK(all == NumberRows{{Number(1), Number(0)}, {Number(0), Number(1)}, {Number(0), Number(1)}});
}

TEST_CASE("dBitFlip is the mixture of the deployed spec, with half of the level for one bit") {
  CHECK(exact_rows(sized(4), R"j({"type": "d_bit_flip", "epsilon": "1", "bits": 2})j") ==
        exact_rows_of_file("microsoft-d-bit-flip.json"));
  CHECK(measured_ldp(kFive, R"j({"type": "d_bit_flip", "epsilon": "log(9)", "bits": 1})j") == parse_level("log(3)"));
  for (const int bits : {2, 4, 5}) {
    CHECK(measured_ldp(kFive, R"j({"type": "d_bit_flip", "epsilon": "log(9)", "bits": )j" + std::to_string(bits) +
                                  "}") == parse_level("log(9)"));
  }
  // Too many outputs to list: the class of pairs.
  CHECK(measured_ldp(sized(500), R"j({"type": "d_bit_flip", "epsilon": "log(9)", "bits": 4})j") ==
        parse_level("log(9)"));
  CHECK(measured_ldp(kTwo, R"j({"type": "d_bit_flip", "epsilon": "inf", "bits": 1})j").is_infinite());
}

TEST_CASE("longitudinal mechanisms are cascades, and a single report has the stated level") {
  for (const char* first : {"log(2)", "log(9)", "0"}) {
    const std::string levels = R"j(, "epsilon": "log(9)", "first": ")j" + std::string(first) + "\"";
    CHECK(measured_ldp(sized(4), R"j({"type": "longitudinal_grr")j" + levels + "}") == parse_level(first));
    CHECK(measured_ldp(sized(4), R"j({"type": "longitudinal_unary_encoding")j" + levels + "}") == parse_level(first));
  }
  CHECK(measured_ldp(sized(3), R"j({"type": "longitudinal_unary_encoding", "epsilon": "log(9)", "first": "log(4)",
                                "variant": "sue"})j") == parse_level("log(4)"));
  CHECK(measured_ldp(sized(3), R"j({"type": "longitudinal_grr", "epsilon": "inf", "first": "1"})j") ==
        parse_level("1"));
  // p = 9/12 and 1/12, p_1 = 2/5: the kept answer is reported with probability (2/5 - 1/12) / (9/12 - 1/12) = 19/40.
  const std::string kept = R"j({"type": "k_randomized_response", "epsilon": "log(9)"})j";
  const std::string report = R"j({"type": "matrix", "outputs": 4, "rows": [
      ["19/40", "7/40", "7/40", "7/40"], ["7/40", "19/40", "7/40", "7/40"], ["7/40", "7/40", "19/40", "7/40"],
      ["7/40", "7/40", "7/40", "19/40"]]})j";
  CHECK(exact_rows(sized(4), R"j({"type": "longitudinal_grr", "epsilon": "log(9)", "first": "log(2)"})j") ==
        exact_rows(sized(4), R"j({"type": "cascade", "first": )j" + kept + R"j(, "second": )j" + report + "}"));
  CHECK(exact_rows(sized(4), R"j({"type": "longitudinal_grr", "epsilon": "log(9)", "first": "log(2)", "times": 2})j") ==
        exact_rows(sized(4),
                   R"j({"type": "memoized", "times": 2, "permanent": )j" + kept + R"j(, "report": )j" + report + "}"));
  // Kept bits and reports as multi-freq-ldpy states them.
  CHECK(exact_rows(sized(4), R"j({"type": "longitudinal_unary_encoding", "epsilon": "3", "first": "1"})j") ==
        exact_rows_of_file("multi-freq-ldpy-l-osue.json"));
}

TEST_CASE("a public seed with a hash function is optimized local hashing") {
  const NumberRows found = exact_rows(kFive, R"j({"type": "public", "seeds": 20, "mechanism": {"type": "cascade",
      "first": {"type": "modular_hash", "prime": 5, "buckets": 2},
      "second": {"type": "k_randomized_response", "epsilon": "log(3)"}}})j");
  CHECK(found == exact_rows(kFive, R"j({"type": "optimized_local_hashing", "epsilon": "log(3)", "buckets": 2})j"));
}

TEST_CASE("the level with a public seed is the largest over the seeds") {
  const std::string by_seed = R"j({"type": "public", "seeds": 3, "mechanism": {"type": "cases", "outputs": ["u", "v"],
      "cases": [{"when": {"seed": "0", "x": "0"}, "then": {"u": "1/3", "v": "2/3"}},
                {"when": {"seed": "1", "x": "0"}, "then": {"u": "1/5", "v": "4/5"}},
                {"when": {}, "then": {"u": "1/2", "v": "1/2"}}]}})j";
  CHECK(measured_ldp(kTwo, by_seed) == parse_level("log(5/2)"));
  const NumberRows rows = exact_rows(kTwo, by_seed);
  CHECK(rows[0] == std::vector<Number>{Number::ratio(1, 9), Number::ratio(2, 9), Number::ratio(1, 15),
                                       Number::ratio(4, 15), Number::ratio(1, 6), Number::ratio(1, 6)});
}

TEST_CASE("wrapped discrete Gaussian noise is a sum of exponentials up to the reach") {
  // Noise -1, 0, 1 modulo 2: even with probability 1/(1 + 2 a), a = exp(-1/2).
  CHECK(measured_ldp(kTwo, R"j({"type": "discrete_gaussian_wrapped", "variance": 1, "reach": 1})j") ==
        parse_level("log(2*exp(-1/2))"));
  CHECK(measured_ldp(kTwo, R"j({"type": "discrete_gaussian_wrapped", "variance": 1, "reach": 0})j").is_infinite());
}
