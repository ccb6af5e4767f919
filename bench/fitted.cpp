// The errors of consistent counts and of fitted distributions: people with eight bits, most of them of a few kinds, and
// the 28 counts of people who have two bits. First: mean squared error of noisy answers, clamped to 0..1, and made
// consistent. Then: largest and mean error of distributions that are fitted in ten rounds of 1, 2 and 4 questions, at
// the same rho in each attribute.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "mechanisms/random/source.h"
#include "mechanisms/sampler.h"
#include "releases/counts.h"
#include "releases/hull.h"
#include "releases/mwem.h"
#include "releases/release.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;

namespace {

constexpr std::size_t kBits = 8;

Domain schema_of_bits() {
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < kBits; ++i)
    coordinates.push_back({std::string(1, static_cast<char>('a' + i)), {"0", "1"}});
  return Domain(std::move(coordinates));
}

std::vector<NamedPattern> pairs_of_bits() {
  std::vector<NamedPattern> queries;
  for (std::size_t i = 0; i < kBits; ++i) {
    for (std::size_t j = i + 1; j < kBits; ++j) {
      queries.push_back({std::to_string(i) + std::to_string(j), {{i, j}, {1, 1}}});
    }
  }
  return queries;
}

PeopleTable people_of_kinds(std::size_t people, std::mt19937_64& random) {
  constexpr std::size_t kKinds = 8;
  std::vector<std::uint64_t> kinds(kKinds);
  for (std::uint64_t& kind : kinds) kind = random();
  std::vector<std::vector<std::uint32_t>> columns(kBits, std::vector<std::uint32_t>(people));
  for (std::size_t p = 0; p < people; ++p) {
    // Each kind is half as frequent as the one before.
    const std::uint64_t kind =
        kinds[std::min<std::size_t>(kKinds - 1, static_cast<std::size_t>(__builtin_ctzll(random() | 1ULL << 62)))];
    for (std::size_t i = 0; i < kBits; ++i) columns[i][p] = static_cast<std::uint32_t>(kind >> i & 1);
  }
  return PeopleTable(std::move(columns));
}

double square(double x) { return x * x; }

void consistency_row(double epsilon) {
  constexpr std::size_t kPeople = 1000;
  constexpr int kRuns = 40;
  const Domain schema = schema_of_bits();
  const std::vector<NamedPattern> queries = pairs_of_bits();
  const auto members = members_of(schema, queries);
  std::mt19937_64 random(3);
  double plain = 0, clamped = 0, consistent = 0;
  int worse = 0;
  // rho = epsilon^2 / 2 per attribute; 7 of the counts involve it.
  const double deviation = std::sqrt(kBits - 1.0) / epsilon;
  std::normal_distribution<double> noise(0, deviation / kPeople);
  for (int run = 0; run < kRuns; ++run) {
    const PeopleTable table = people_of_kinds(kPeople, random);
    std::vector<double> truth, answers;
    for (const NamedPattern& query : queries) {
      truth.push_back(static_cast<double>(people_with(table, query.pattern)) / kPeople);
      answers.push_back(truth.back() + noise(random));
    }
    const HullPoint point = nearest_in_hull(members, schema.input_numbers(), answers);
    double of_answers = 0, of_point = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      of_answers += square(answers[q] - truth[q]) / static_cast<double>(queries.size());
      clamped += square(std::clamp(answers[q], 0.0, 1.0) - truth[q]) / static_cast<double>(queries.size()) / kRuns;
      of_point += square(point.coordinates[q] - truth[q]) / static_cast<double>(queries.size());
    }
    plain += of_answers / kRuns;
    consistent += of_point / kRuns;
    worse += of_point > of_answers * (1 + 1e-6) ? 1 : 0;  // consistent answers stay unchanged
  }
  std::printf("| %.2f | %.5f | %.5f | %.5f | %d of %d |\n", epsilon, plain, clamped, consistent, worse, kRuns);
}

void fitted_row(std::uint64_t together, bool fits_all) {
  constexpr std::size_t kPeople = 10'000;
  constexpr int kRuns = 10;
  // rate = e, variance = 1/e^2 with e = 0.1 / sqrt(20): rho = 0.1^2 / 2 per attribute.
  MwemRequest request{schema_of_bits(), pairs_of_bits(), 10,
                      together,         {559, 25'000},   {Noise::Kind::kGaussian, {2000, 1}}};
  request.fits_all = fits_all;
  const StepPtr step = mwem_step(request);
  std::mt19937_64 random(8);
  double largest = 0, mean = 0, uniform_largest = 0, uniform_mean = 0;
  for (int run = 0; run < kRuns; ++run) {
    const PeopleTable table = people_of_kinds(kPeople, random);
    const auto source = Randomness{static_cast<std::uint64_t>(run), 1}.source(0);
    const std::vector<ToldNumber> told = step->answers(step->run(table, *source), kPeople);
    const std::size_t asked = told.size() - request.queries.size();
    double worst = 0, worst_uniform = 0;
    for (std::size_t q = 0; q < request.queries.size(); ++q) {
      const auto truth = static_cast<double>(people_with(table, request.queries[q].pattern)) / kPeople;
      const double error = std::abs(static_cast<double>(*told[asked + q].number) / kPeople - truth);
      worst = std::max(worst, error);
      mean += error / static_cast<double>(request.queries.size()) / kRuns;
      worst_uniform = std::max(worst_uniform, std::abs(0.25 - truth));
      uniform_mean += std::abs(0.25 - truth) / static_cast<double>(request.queries.size()) / kRuns;
    }
    largest += worst / kRuns;
    uniform_largest += worst_uniform / kRuns;
  }
  std::printf("| %d | %s | %.4f | %.4f | %.4f | %.4f | %.3f |\n", static_cast<int>(together),
              fits_all ? "all" : "round", largest, mean, uniform_largest, uniform_mean,
              step->loss(every_coordinate(request.schema)).rho.approx() / step->loss({0}).rho.approx());
}

}  // namespace

int main() {
  std::printf(
      "| epsilon | noisy answers | moved into 0..1 | consistent | runs that it harmed |\n| --- | --- | --- | --- | --- "
      "|\n");
  for (const double epsilon : {0.02, 0.05, 0.1, 0.5}) consistency_row(epsilon);
  std::printf(
      "\n| together | fit | largest error | mean error | of the uniform one: largest | mean | a person's rho / an "
      "attribute's |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  for (const bool fits_all : {false, true}) {
    for (const std::uint64_t together : {1, 2, 4}) fitted_row(together, fits_all);
  }
}
