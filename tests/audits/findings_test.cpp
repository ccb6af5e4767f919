// How the findings of a report share its error.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>

#include "audits/answer.h"
#include "audits/anytime.h"
#include "audits/confidence.h"
#include "audits/findings.h"
#include "base/errors.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/too_many.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::options_of;
using oddsbound::testing::too_many;

namespace {

// Binary coordinates, each answered independently at level 1: one level each, and the best attack is easy to find.
Spec coordinates(int number, Budget& budget) {
  std::string domain, levels, mechanisms;
  for (int i = 0; i < number; ++i) {
    const std::string name = "x" + std::to_string(i), comma = i > 0 ? ", " : "";
    domain += comma + R"j({"name": ")j" + name + R"j(", "size": 2})j";
    levels += comma + "\"" + name + R"j(": "1")j";
    mechanisms += comma + "\"" + name + R"j(": {"type": "k_randomized_response", "epsilon": "1"})j";
  }
  return read_spec_text("test.json", ".",
                        R"j({"oddsbound": 1, "name": "test", "domain": [)j" + domain +
                            R"j(], "mechanism": {"type": "per_coordinate", "mechanisms": {)j" + mechanisms +
                            R"j(}}, "claims": [{"notion": "cdp", "epsilon": {)j" + levels + "}}]}",
                        budget);
}

}  // namespace

TEST_CASE("the parts of the error add up to all of it and no more") {
  for (const double alpha : {1e-6, 0.01, 0.3, 0.5}) {
    CHECK(alpha_of_levels(alpha, 1) == doctest::Approx(0.8 * alpha).epsilon(1e-12));
    CHECK(alpha_of_agreement(alpha) == doctest::Approx(0.1 * alpha).epsilon(1e-15));
    CHECK(alpha_of_upper_bounds(alpha) == doctest::Approx(0.05 * alpha).epsilon(1e-15));
    CHECK(alpha_of_dependence(alpha) == doctest::Approx(0.05 * alpha).epsilon(1e-15));
    for (const std::size_t questions : {1, 2, 3, 7, 256}) {
      const auto number = static_cast<double>(questions);
      const double sum = number * alpha_of_levels(alpha, questions) + alpha_of_agreement(alpha) +
                         alpha_of_upper_bounds(alpha) + alpha_of_dependence(alpha);
      CHECK(sum <= alpha);
      CHECK(sum >= alpha * (1 - 1e-12));
    }
  }
}

TEST_CASE("every finding of an audit has its part of the error and no more") {
  Budget budget;
  const Spec spec = coordinates(2, budget);
  const double alpha = 0.02;
  const AuditOptions options = options_of(100'000, 3, alpha);
  const auto runner = built_in_runner(spec, options.seed);
  const Measurement measured = measure(spec, *runner, options, budget);
  const AuditFindings findings = assess(spec, measured, options, budget);
  REQUIRE(findings.levels.size() == 2);
  std::vector<Question> questions;
  for (const LevelFinding& level : findings.levels) {
    questions.push_back(level.question);
    const double each = 0.8 * alpha / 2;
    CHECK(level.alpha <= each);
    const Score& score = level.score;
    CHECK(level.bound ==
          doctest::Approx(level_of_share(lower_limit(score.guesses, score.right, each), level.game.sides.size() - 1))
              .epsilon(1e-10));
    CHECK(level.bound > 0.8);
  }
  CHECK(*findings.agreement.power == *check_agreement(*spec.model.channel, measured.stages, 0.1 * alpha, budget).power);
  const auto bounds = bounds_from_intervals(questions, measured.stages, 0.05 * alpha, budget);
  for (std::size_t q = 0; q < 2; ++q) {
    CHECK(bounds[q].high < 1.6);
    CHECK(*findings.levels[q].upper == bounds[q].high);
  }
}

TEST_CASE("a claim is contradicted by no more guesses than its part of the error asks for, and by no fewer") {
  Budget budget;
  const Spec spec = coordinates(5, budget);
  const double alpha = 0.02, each = 0.8 * alpha / 5;
  const double allowed = share_of(1.0, 1);
  constexpr std::uint64_t kRounds = 10'000;
  std::uint64_t first = 1;
  while (tail_bound(kRounds, first, allowed) > each) ++first;
  for (const std::uint64_t right : {first - 1, first}) {
    Measurement measured;
    for (const Question& question : questions_of(spec, false, budget)) {
      GameEvidence evidence;
      evidence.question = question;
      evidence.game.sides = {question.pairs[0].first, question.pairs[0].second};
      evidence.score = {kRounds, kRounds, right};
      evidence.planned = kRounds;
      measured.evidence.push_back(evidence);
    }
    const AuditFindings findings = assess(spec, measured, options_of(5 * kRounds, 1, alpha), budget);
    REQUIRE(findings.levels.size() == 5);
    for (const LevelFinding& level : findings.levels) CHECK(level.claims.at(0).contradicted == (right == first));
  }
}

TEST_CASE("levels of recorded runs and of audits that may stop at any time have their part of the error") {
  Budget budget;
  const Spec spec = coordinates(5, budget);
  const AuditOptions options = options_of(3'000, 3, 0.02);
  const auto runner = built_in_runner(spec, options.seed);
  const AnytimeResult until = audit_until(spec, *runner, options, budget);
  REQUIRE(until.levels.size() == 5);
  for (const AnytimeLevel& level : until.levels) CHECK(level.threshold == doctest::Approx(-std::log(0.8 * 0.02 / 5)));
  // Half of the error is for each end of an interval. Questions share the intervals, so none has an error of its
  // own.
  Tally runs(32, 32);
  for (std::uint64_t x = 0; x < 32; ++x) {
    for (std::uint64_t y = 0; y < 32; ++y) runs.row(x)[y] = x == y ? 500 : 100;
  }
  const AuditFindings recorded = assess_recorded(spec, runs, options, budget);
  REQUIRE(recorded.levels.size() == 5);
  const double end = 0.8 * 0.02 / (2 * 32 * 32);
  for (const LevelFinding& level : recorded.levels) {
    CHECK(level.bound ==
          doctest::Approx(std::log(lower_limit(3600, 500, end) / upper_limit(3600, 100, end))).epsilon(1e-9));
  }
}

TEST_CASE("of all levels of a report together, no more are wrong than stated") {
  Budget budget;
  const Spec spec = coordinates(5, budget);
  const double alpha = 0.5;
  std::uint64_t wrong = 0;
  constexpr std::uint64_t kAudits = effort(100, 5);
  for (std::uint64_t seed = 1; seed <= kAudits; ++seed) {
    const AuditOptions options = options_of(10'000, seed, alpha);
    const auto runner = built_in_runner(spec, seed);
    const AuditFindings findings = assess(spec, measure(spec, *runner, options, budget), options, budget);
    wrong += std::any_of(findings.levels.begin(), findings.levels.end(),
                         [](const LevelFinding& level) { return level.bound > 1; })
                 ? 1
                 : 0;
  }
  CHECK(wrong < too_many(kAudits, 0.8 * alpha));
  CHECK((wrong > kAudits / 20 || oddsbound::testing::kInstrumented));
  MESSAGE(wrong << " of " << kAudits << " reports with a lower bound above the truth, at an error of " << alpha);
}

// Outputs that are keyed numbers, which are not enumerated.

namespace {

struct Taken final : OutputTaker {
  void label(const std::string&, std::uint64_t, bool) override { FAIL("a label"); }
  void vector(const std::vector<double>&) override { FAIL("a vector"); }
  void told(const std::vector<KeyedNumber>& numbers) override { outputs.push_back(numbers); }
  std::vector<std::vector<KeyedNumber>> outputs;
};

std::string complaint_about_answer(const std::string& line) {
  Taken taken;
  try {
    read_answer_line(line, AnswerKind::kTold, taken);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "";
}

KeptOutputs kept(const std::vector<std::pair<std::uint32_t, std::vector<KeyedNumber>>>& outputs) {
  KeptOutputs kept;
  ToldOutput told;
  for (const auto& [side, numbers] : outputs) {
    told.clear();
    for (const KeyedNumber& one : numbers) told.add(one);
    kept.add(side, told.output());
  }
  return kept;
}

}  // namespace

TEST_CASE("shares of ranges: what is told on one side alone tells most, what is told alike nothing") {
  // Key 1 occurs on side 0 alone, in half of its runs; key 2 is higher on side 0; key 3 is the same on both.
  std::vector<std::pair<std::uint32_t, std::vector<KeyedNumber>>> outputs;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t side = i % 2;
    std::vector<KeyedNumber> numbers{{2, side == 0 || i % 8 == 1 ? 9.0 : 4.0}, {3, static_cast<double>(i / 2 % 7)}};
    if (side == 0 && i % 4 == 0) numbers.push_back({1, 5});
    outputs.emplace_back(side, numbers);
  }
  const KeptOutputs all = kept(outputs);
  const std::vector<RevealedKey> keys = revealed_keys(all);
  CHECK(keys == std::vector<RevealedKey>{1, 2, 3});
  const ToldFrequencies frequencies(keys, 0, all, all.size(), 2);
  const auto ratio = [&](const std::vector<KeyedNumber>& numbers) {
    ToldOutput told;
    for (const KeyedNumber& number : numbers) told.add(number);
    return frequencies.log_ratio(told.output());
  };
  CHECK(ratio({{1, 5}, {2, 9}, {3, 0}}) > ratio({{2, 9}, {3, 0}}) + 4);
  CHECK(ratio({{2, 4}, {3, 0}}) < -4);
  CHECK(ratio({{2, 9}, {3, 0}}) == ratio({{2, 9}, {3, 6}}));
}

TEST_CASE("a program answers with numbers by name") {
  Taken taken;
  read_answer_line(R"j({"outputs": [{"ill": 7, "age=old": -2.5}, {}]})j", AnswerKind::kTold, taken);
  REQUIRE(taken.outputs.size() == 2);
  CHECK(taken.outputs[0] == std::vector<KeyedNumber>{{key_of("ill"), 7}, {key_of("age=old"), -2.5}});
  CHECK(taken.outputs[1].empty());
  for (const auto& [line, expected] : std::vector<std::pair<std::string, std::string>>{
           {R"j({"outputs": ["ill"]})j", "has 'ill' where an object of numbers by name is expected"},
           {R"j({"outputs": [7]})j", "has '7' where an object of numbers by name is expected"},
           {R"j("ill")j", "has 'ill' where an object of numbers by name is expected"},
           {R"j({"outputs": [[7]]})j", "has an array where something else is expected"},
           {R"j({"outputs": [{"ill": "7"}]})j", "has '7' where a number is expected"},
           {R"j({"outputs": [{"ill": [7]}]})j", "has an array where something else is expected"},
           {R"j({"outputs": [{"ill": {"old": 7}}]})j", "has an object where an output is expected"},
           {R"j({"outputs": [{"ill": 7, "ill": 8}]})j", "names 'ill' twice in an output"},
           {R"j({"outputs": [{"ill": true}]})j", "has a truth value where an output is expected"},
           {R"j({"outputs": {"ill": 7}})j", "has an object where an output is expected"},
           {R"j({"ill": 7})j", "has the key 'ill', expected outputs, counts or error"},
           {R"j({"counts": {"ill": 7}})j", "has counts where outputs are objects of numbers"}}) {
    CAPTURE(line);
    CHECK(complaint_about_answer(line) == "the program's answer " + expected);
  }
}
