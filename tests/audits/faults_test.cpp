// Samplers with one fault each, and their correct twins.
#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "audits/dependence.h"
#include "audits/findings.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/families.h"
#include "tests/support/function_sampler.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;
using oddsbound::testing::FunctionSampler;
using oddsbound::testing::read_example;

namespace {

const std::string kTen = R"j([{"name": "x", "size": 10}])j";
const std::string kResponse = R"j({"type": "k_randomized_response", "epsilon": "1"})j";

AuditFindings audit_double(const std::string& domain, const std::string& mechanism, const FunctionSampler::Draw& draw,
                           std::uint64_t samples) {
  Budget budget;
  const Spec spec =
      read_spec_text("test.json", ".",
                     R"j({"oddsbound": 1, "name": "test", "domain": )j" + domain + R"j(, "mechanism": )j" + mechanism +
                         R"j(, "claims": [{"notion": "ldp", "epsilon": "1"}]})j",
                     budget);
  AuditOptions options;
  options.samples = samples;
  // At this alpha, one of a hundred seeds may raise a false alarm. Seed 1 does for the fifth twin.
  options.seed = 2;
  const SamplerPtr faithful = spec.mechanism.sampler_or_rows();
  const SamplerPtr sampler = draw ? std::make_shared<const FunctionSampler>(draw) : faithful;
  const auto runner = sampler_runner(spec.model.channel, sampler, options.seed);
  return assess(spec, measure(spec, *runner, options, budget), options, budget);
}

std::uint64_t respond(std::uint64_t x, std::uint64_t k, const std::string& truth, RandomSource& source) {
  static std::map<std::pair<std::uint64_t, std::string>, Categorical> made;
  const auto key = std::pair(k, truth);
  if (!made.contains(key)) {
    const Number odds = parse_number(truth);
    const Number all = odds + Number(static_cast<std::int64_t>(k) - 1);
    made.emplace(key, Categorical({odds / all, Number(1) - odds / all}));
  }
  if (made.at(key).run(source) == 0) return x;
  const std::uint64_t other = UniformBelow(k - 1).run(source);
  return other + (other >= x ? 1 : 0);
}

}  // namespace

TEST_CASE("faults of samplers in the same process are caught, their mended twins are not") {
  struct Fault {
    std::string what, domain, mechanism;
    FunctionSampler::Draw draw;
    std::uint64_t samples;
    bool costs_privacy;
  };
  const std::vector<Fault> faults{
      {"epsilon is a tenth too large", kTen, kResponse,
       [](std::uint64_t x, RandomSource& source) { return respond(x, 10, "exp(11/10)", source); }, 200'000, true},
      {"epsilon is a tenth too small", kTen, kResponse,
       [](std::uint64_t x, RandomSource& source) { return respond(x, 10, "exp(9/10)", source); }, 400'000, false},
      {"never lies about one symbol", kTen, kResponse,
       [](std::uint64_t x, RandomSource& source) { return x == 4 ? x : respond(x, 10, "exp(1)", source); }, 50'000,
       true},
      {"one lie never happens", kTen, kResponse,
       [](std::uint64_t x, RandomSource& source) {
         for (;;) {
           const std::uint64_t y = respond(x, 10, "exp(1)", source);
           if (x != 2 || y != 7) return y;
         }
       },
       50'000, true},
      {"two runs must agree", R"j([{"name": "x", "size": 2}])j", kResponse,
       [](std::uint64_t x, RandomSource& source) {
         for (;;) {
           const std::uint64_t a = respond(x, 2, "exp(1)", source), b = respond(x, 2, "exp(1)", source);
           if (a == b) return a;
         }
       },
       20'000, true},
      {"one input in 64 at one and a half times the level", R"j([{"name": "x", "size": 64}])j", kResponse,
       [](std::uint64_t x, RandomSource& source) { return respond(x, 64, x == 40 ? "exp(3/2)" : "exp(1)", source); },
       1'000'000, true},
      {"a lie is always the next symbol", kTen, kResponse,
       [](std::uint64_t x, RandomSource& source) { return respond(x, 10, "exp(1)", source) == x ? x : (x + 1) % 10; },
       20'000, true},
  };
  for (const Fault& fault : faults) {
    CAPTURE(fault.what);
    const AuditFindings found = audit_double(fault.domain, fault.mechanism, fault.draw, fault.samples);
    CHECK(found.contradicted() == fault.costs_privacy);
    CHECK((found.contradicted() || found.deviates()));
    const AuditFindings twin = audit_double(fault.domain, fault.mechanism, {}, fault.samples);
    CHECK_FALSE(twin.contradicted());
    CHECK_FALSE(twin.deviates());
  }
}

TEST_CASE("runs that depend on one another are told from independent ones, whatever they draw from") {
  Budget budget;
  const Spec spec = read_example(kTen, kResponse, budget);
  const auto source = Randomness{3, 3}.source(0);
  const auto drawn = [&](std::size_t count, std::uint64_t k) {
    std::vector<std::uint32_t> outputs(count);
    for (std::uint32_t& y : outputs) y = static_cast<std::uint32_t>(UniformBelow(k).run(*source));
    return outputs;
  };
  SUBCASE("independent, from the stated channel, another one, or always the same") {
    for (const std::uint64_t k : {10, 3, 1}) {
      DependenceWatch watch(*spec.model.channel, 0.001, budget);
      for (int i = 0; i < 200; ++i) watch.see(static_cast<std::uint64_t>(i) % 10, drawn(1000, k));
      watch.compare_starts(drawn(100, k), drawn(100, k));
      CHECK(watch.findings().empty());
    }
  }
  SUBCASE("the same start") {
    DependenceWatch watch(*spec.model.channel, 0.001, budget);
    const auto start = drawn(watch.runs_to_compare(0), 10);
    watch.compare_starts(start, start);
    CHECK(watch.findings().size() == 1);
  }
  SUBCASE("a stretch comes again") {
    DependenceWatch watch(*spec.model.channel, 0.001, budget);
    const auto stretch = drawn(1000, 10);
    watch.see(1, stretch);
    watch.see(2, stretch);
    CHECK(watch.findings().empty());
    watch.see(1, stretch);
    // Each output also repeats the output at the same place of the batch before.
    REQUIRE(watch.findings().size() == 2);
    CHECK(watch.findings()[0].find("were given twice") != std::string::npos);
    CHECK(watch.findings()[1] == "outputs depend on the output at the same place of the batch before");
  }
  SUBCASE("an output comes again two runs later, in one of ten runs") {
    DependenceWatch watch(*spec.model.channel, 0.001, budget);
    for (int i = 0; i < 20; ++i) {
      auto outputs = drawn(1000, 10);
      for (std::size_t j = 2; j < outputs.size(); ++j) {
        if (UniformBelow(10).run(*source) == 0) outputs[j] = outputs[j - 2];
      }
      watch.see(0, outputs);
    }
    REQUIRE(watch.findings().size() == 1);
    CHECK(watch.findings()[0] == "outputs depend on the output 2 runs before");
  }
}
