// Audits of releases from whole tables: their outputs are numbers, each about something, and are not listed.
#include "audits/told.h"

#include <doctest/doctest.h>

#include "audits/answer.h"
#include "audits/findings.h"
#include "base/errors.h"
#include "mechanisms/releases/heavy_hitters.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::options_of;

namespace {

Spec tables_spec(const std::string& name, Budget& budget) {
  return read_spec(ODDSBOUND_SOURCE_DIR "/audits/specs/tables/" + name + ".json", budget);
}

AuditFindings audit(const Spec& spec, const AuditOptions& options) {
  Budget budget;
  const auto runner = built_in_runner(spec, options.seed);
  return assess(spec, measure(spec, *runner, options, budget), options, budget);
}

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

TEST_CASE("of which table it was an audit shows nearly all that Laplace noise loses, and never more") {
  Budget budget;
  const Spec spec = tables_spec("counts-laplace", budget);  // two counts change by 1, of scale 2: the level is 1
  const int seeds = effort(40, 12, 4);
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const AuditFindings findings = audit(spec, options_of(40'000, static_cast<std::uint64_t>(seed), 0.01));
    REQUIRE(findings.levels.size() == 1);
    CHECK(findings.levels[0].bound <= 1);
    CHECK_FALSE(findings.contradicted());
    sum += findings.levels[0].bound;
  }
  CHECK(sum / seeds > 0.75);
}

TEST_CASE("an audit of tables finds the same on one thread and on many") {
  Budget budget;
  const Spec spec = tables_spec("heavy-hitters", budget);
  AuditOptions options = options_of(150'000, 3, 0.01);
  const double alone = audit(spec, options).levels[0].bound;
  options.threads = 3;
  CHECK(audit(spec, options).levels[0].bound == alone);
  CHECK(alone > 0.2);
}

TEST_CASE("the delta that Gaussian noise loses between tables is found, and no more") {
  Budget budget;
  const Spec spec = tables_spec("counts-gaussian", budget);
  // Two counts change by 1 under variance 4: by 1/sqrt(2) in standard deviations, and as good as continuous. Then delta
  // at 0.94286 is Phi(0.35355 - 1.33341) - e^0.94286 Phi(-0.35355 - 1.33341) = 0.1636 - 2.5673 * 0.0458 = 0.0459.
  const AuditFindings findings = audit(spec, options_of(400'000, 1, 0.01));
  REQUIRE(findings.levels.size() == 2);
  CHECK(findings.levels[0].bound > 0.03);
  CHECK(findings.levels[0].bound < 0.047);
  CHECK_FALSE(findings.contradicted());
}

TEST_CASE("what numbers are about has the same key wherever it stands, and keys of steps differ") {
  HeavyHittersRequest request;
  request.schema = Domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}});
  request.attributes = {0, 1};
  request.scale = request.share = SmallRatio{1, 1};
  request.count_scale = SmallRatio{1, 1};
  request.threshold = 0;
  const StepPtr step = heavy_hitters_step(request);
  const std::vector<std::int64_t> two{2, 0, 1, 7, 1, 1, 5}, one{1, 1, 1, 4};
  const std::vector<KeyedNumber> of_two = step->keyed(two), of_one = step->keyed(one);
  REQUIRE(of_two.size() == 2);
  REQUIRE(of_one.size() == 1);
  CHECK(of_two[1].key == of_one[0].key);
  CHECK(of_two[0].key != of_one[0].key);
  CHECK(of_two[1].number == 5);
  CHECK(of_one[0].number == 4);
  // Without counts all that is told is what is listed.
  request.count_scale = std::nullopt;
  const std::vector<std::int64_t> listed{1, 1, 1};
  CHECK(heavy_hitters_step(request)->keyed(listed) == std::vector<KeyedNumber>{{of_one[0].key, 1}});
}

TEST_CASE("shares of ranges: what is told on one side alone tells most, what is told alike nothing") {
  // Key 1 is told on side 0 alone, in half of the runs; key 2 is higher on side 0; key 3 is the same on both.
  std::vector<std::pair<std::uint32_t, std::vector<KeyedNumber>>> outputs;
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t side = i % 2;
    std::vector<KeyedNumber> numbers{{2, side == 0 || i % 8 == 1 ? 9.0 : 4.0}, {3, static_cast<double>(i / 2 % 7)}};
    if (side == 0 && i % 4 == 0) numbers.push_back({1, 5});
    outputs.emplace_back(side, numbers);
  }
  const KeptOutputs all = kept(outputs);
  const std::vector<ToldKey> keys = keys_told(all);
  CHECK(keys == std::vector<ToldKey>{1, 2, 3});
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
