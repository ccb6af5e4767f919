// Outputs that depend on the size of the request, on their place in it, or on one another through the counts of
// whole requests: fair bets, few false alarms, and the power that docs/auditing.md states.
#include "audits/request_sizes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>

#include "audits/confidence.h"
#include "audits/dependence.h"
#include "audits/runner.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/too_many.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::read_example;
using oddsbound::testing::too_many;

namespace {

using RequestAnswers = std::vector<std::uint32_t>;
// Applies a fault to the answers to a request for input x.
using RequestFault = std::function<void(std::uint32_t x, RequestAnswers& answers, RandomSource& source)>;

bool happens(double share, RandomSource& source) {
  return static_cast<double>(UniformBelow(std::uint64_t{1} << 40).run(source)) < std::ldexp(share, 40);
}

// With probability `share`, replaces the answer by the truth.
void tell(std::uint32_t x, double share, std::uint32_t& answer, RandomSource& source) {
  if (happens(share, source)) answer = x;
}

// Randomized response with odds 3 for the truth, called the way an audit calls a program.
class AskedSampler {
 public:
  explicit AskedSampler(std::uint64_t k)
      : k_(k),
        spec_(read_example(R"j([{"name": "x", "size": )j" + std::to_string(k) + "}]",
                           R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j", budget_)) {}

  DependenceWatch watch(double alpha) { return {*spec_.model.channel, alpha, budget_}; }

  // `samples` runs in the blocks of an audit of one level: two pilot blocks, then blocks of 2^18.
  void ask(DependenceWatch& watch, std::uint64_t samples, std::uint64_t seed, const RequestFault& fault = {},
           bool in_order = true) const {
    std::uint64_t block = 0, stream = 0;
    const auto ask_block = [&](std::uint64_t runs) {
      const auto source = Randomness{seed, 0x61736b65}.source(stream++);
      std::vector<Runs> parts;
      for (std::uint64_t x = 0; x < k_; ++x) parts.push_back({x, runs / k_, {x, {}}});
      watch.begin_block(block++);
      for (const PlannedRequest& request : plan_requests(parts, 128, 512, *source)) {
        const auto x = static_cast<std::uint32_t>(request.runs.input);
        RequestAnswers answers(request.runs.count);
        for (std::uint32_t& y : answers) {
          const std::uint64_t place = UniformBelow(k_ + 2).run(*source);
          y = place < 3 ? x : static_cast<std::uint32_t>((x + place - 2) % k_);
        }
        if (fault) fault(x, answers, *source);
        watch.see_request(x, answers, in_order, request.small);
      }
      watch.end_block(*source);
    };
    watch.begin_stage(true);
    for (int part = 0; part < 2; ++part) ask_block(samples / 20);
    watch.begin_stage(false);
    block = 0;
    for (std::uint64_t left = samples - samples / 10; left > 0;) {
      const std::uint64_t runs = std::min<std::uint64_t>(left, 1 << 18);
      ask_block(runs);
      left -= runs;
    }
  }

  // Number of seeds for which the fault is found and described with these words.
  std::uint64_t found(std::uint64_t samples, std::uint64_t seeds, const RequestFault& fault, const std::string& words,
                      bool in_order = true) {
    const DependenceWatch fresh = watch(0.0005);
    std::uint64_t count = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      DependenceWatch watched = fresh;
      ask(watched, samples, seed, fault, in_order);
      for (const std::string& finding : watched.findings()) {
        if (finding.find(words) == std::string::npos) continue;
        ++count;
        break;
      }
    }
    return count;
  }

 private:
  Budget budget_;
  std::uint64_t k_;
  Spec spec_;
};

// Gives each output as often as expected, up to rounding, in random order.
void take_exact_proportions(std::uint32_t x, std::uint32_t k, RequestAnswers& answers, RandomSource& source) {
  const double start = static_cast<double>(UniformBelow(1 << 30).run(source)) / (1 << 30);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const double share = (static_cast<double>(i) + start) / static_cast<double>(answers.size());
    const auto place = static_cast<std::uint32_t>(share * (k + 2));
    answers[i] = place < 3 ? x : (x + place - 2) % k;
  }
  for (std::size_t i = answers.size(); i > 1; --i) std::swap(answers[i - 1], answers[UniformBelow(i).run(source)]);
}

}  // namespace

TEST_CASE("a block's runs are asked for in full, some of them one, two or a few at a time") {
  const auto source = Randomness{1, 2}.source(3);
  std::vector<Runs> runs;
  for (std::uint64_t x = 0; x < 6; ++x) runs.push_back({x, 1000 + 10'000 * x, {x, {}}});
  std::map<std::uint64_t, std::uint64_t> asked, small, large;
  std::map<std::uint64_t, std::uint64_t> sizes;
  for (const PlannedRequest& request : plan_requests(runs, 128, 512, *source)) {
    CHECK(request.runs.count > 0);
    asked[request.runs.input] += request.runs.count;
    ++(request.small ? small : large)[request.runs.input];
    if (request.small) ++sizes[request.runs.count];
  }
  for (const Runs& part : runs) CHECK(asked[part.input] == part.count);
  CHECK(small == std::map<std::uint64_t, std::uint64_t>{{2, 164}, {3, 242}, {4, 256}, {5, 256}});
  for (const Runs& part : runs) CHECK(large[part.input] == 2);
  CHECK(sizes.size() == 18);
  CHECK(sizes[1] > 250);
  CHECK(sizes[2] > 120);
  const std::vector<Runs> few{{0, 127, {0, {}}}, {1, 1, {1, {}}}};
  for (const PlannedRequest& request : plan_requests(few, 128, 512, *source)) CHECK_FALSE(request.small);
}

TEST_CASE("every bet on answers is fair, and their shares sum to 1") {
  for (const double odds : odds_tried()) {
    for (std::size_t s = 1; s <= kBeside; ++s) {
      AnswerCounts::Cell in{}, out{};
      in[1][s - 1] = out[0][s - 1] = 1;
      const double share = static_cast<double>(s) / (kBeside + 1);
      CHECK(share * std::exp(log_product(in, odds)) + (1 - share) * std::exp(log_product(out, odds)) ==
            doctest::Approx(1).epsilon(1e-14));
    }
  }
  for (const auto& [inputs, outputs] : {std::pair{2, 3}, std::pair{10, 300}, std::pair{2048, 7}}) {
    const std::vector<std::vector<double>> rows(static_cast<std::size_t>(inputs),
                                                std::vector<double>(static_cast<std::size_t>(outputs), 0.1));
    const OutputSets sets(rows, static_cast<std::uint64_t>(outputs));
    CHECK(sets.count() ==
          OutputSets::count_for(static_cast<std::uint64_t>(inputs), static_cast<std::uint64_t>(outputs)));
    double sum = 0;
    for (std::size_t set = 0; set < sets.count(); ++set) sum += sets.weight(set);
    CHECK(sum == doctest::Approx(1));
  }
}

TEST_CASE("independent runs raise no more alarms about requests than the stated error allows") {
  AskedSampler binary(2), ten(10);
  std::uint64_t strict = 0;
  for (const double alpha : {0.0005, 0.5}) {
    std::uint64_t audits = 0, alarms = 0;
    for (AskedSampler* sampler : {&binary, &ten}) {
      const DependenceWatch fresh = sampler->watch(alpha);
      for (std::uint64_t seed = 1; seed <= std::uint64_t{effort(100, 10)}; ++seed) {
        DependenceWatch watch = fresh;
        sampler->ask(watch, 20'000, seed);
        CHECK(watch.compared().any());
        ++audits;
        alarms += watch.findings().empty() ? 0 : 1;
      }
    }
    if (alpha < 0.01) strict = alarms;
    CHECK(alarms < too_many(audits, alpha));
    MESSAGE(alarms << " false alarms in " << audits << " audits at an error of " << alpha);
  }
  CHECK(strict == 0);
}

TEST_CASE("the evidence of answers alone has mean at most 1 under independent runs") {
  // With an error of 1/2, evidence of 2 suffices; with mean 1, at most half of all audits reach it.
  AskedSampler binary(2);
  std::uint64_t alarms = 0;
  constexpr std::uint64_t kAudits = effort(200, 20);
  const OutputSets sets({{0.75, 0.25}, {0.25, 0.75}}, 2);
  for (std::uint64_t seed = 1; seed <= kAudits; ++seed) {
    DependenceWatch watch = binary.watch(0.5);
    binary.ask(watch, 20'000, seed + 1000);
    alarms += find_odd_answers(sets, watch.counts().answers, 0.5).empty() ? 0 : 1;
  }
  CHECK(alarms < too_many(kAudits, 0.5));
}

TEST_CASE("answers of independent runs lie in a set as often as the bets suppose") {
  AskedSampler binary(2);
  AnswerCounts answers;
  SpreadCounts spread;
  constexpr std::uint64_t kAudits = effort(20, 4);
  for (std::uint64_t seed = 1; seed <= kAudits; ++seed) {
    DependenceWatch watch = binary.watch(0.01);
    binary.ask(watch, 100'000, seed + 2000);
    if (answers.cells.empty()) answers = AnswerCounts(watch.counts().answers.cells.size() / kAnswerKinds);
    answers += watch.counts().answers;
    spread += watch.counts().spread;
    spread += watch.counts().pilot_spread;
  }
  const auto most_by_chance = [](double trials, double share) {
    return trials * share + 5 * std::sqrt(trials * share * (1 - share)) + 1;
  };
  for (std::size_t c = 0; c < answers.cells.size(); ++c) {
    const auto& [out, in] = answers.cells[c];
    for (std::size_t i = 0; i < kBeside; ++i) {
      const double share = static_cast<double>(i + 1) / (kBeside + 1);
      const auto trials = static_cast<double>(in[i] + out[i]);
      CAPTURE(c);
      CHECK(static_cast<double>(in[i]) <= most_by_chance(trials, share));
      CHECK(static_cast<double>(out[i]) <= most_by_chance(trials, 1 - share));
    }
  }
  const auto pairs = static_cast<double>(spread.pairs);
  CHECK(spread.pairs == 6 * kAudits);  // two inputs, two pilot blocks and one more
  for (std::size_t set = 0; set < kSpreadSets; ++set) {
    CHECK(static_cast<double>(spread.least[set]) <= most_by_chance(pairs, 1.0 / 16));
    CHECK(static_cast<double>(spread.greatest[set]) <= most_by_chance(pairs, 1.0 / 64));
  }
}

TEST_CASE("answers that are wrong in one place, or to requests of one size, are found, and named") {
  constexpr std::uint64_t kSeeds = effort(20, 2);
  const std::uint64_t enough = kSeeds - kSeeds / 20;
  AskedSampler ten(10);
  const auto in_place = [](auto place_of) {
    return [=](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
      tell(x, 0.6, answers[place_of(answers.size())], source);
    };
  };
  const auto at_size = [](std::size_t size) {
    return [=](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
      if (answers.size() != size) return;
      for (std::uint32_t& y : answers) tell(x, 0.6, y, source);
    };
  };
  CHECK(ten.found(100'000, kSeeds, in_place([](std::size_t) { return std::size_t{0}; }), "the first is drawn") >=
        enough);
  CHECK(ten.found(100'000, kSeeds, in_place([](std::size_t size) { return size - 1; }), "the last is drawn") >= enough);
  CHECK(ten.found(100'000, kSeeds, at_size(1), "one output alone is drawn") >= enough);
  CHECK(ten.found(100'000, kSeeds, at_size(2), "two outputs are drawn") >= enough);
  // Sizes are compared even if the order of answers is unknown.
  CHECK(ten.found(100'000, kSeeds, at_size(1), "one output alone is drawn", false) >= enough);
}

TEST_CASE("changes of the size that docs/auditing.md states are found in 19 of 20 audits") {
  AskedSampler binary(2);
  constexpr std::uint64_t kSeeds = effort(20, 2);
  const std::uint64_t enough = kSeeds - kSeeds / 20;
  struct Power {
    std::uint64_t samples;
    double only, first;  // changes of the probability of the truth, which is 3/4
  };
  for (const Power& power : {Power{100'000, 0.27, 0.16}, Power{1'000'000, 0.14, 0.08}}) {
    const auto less = [&](double change) {
      return [=](std::uint32_t x, std::uint32_t& y, RandomSource& source) {
        if (y == x && happens(change / 0.75, source)) y = 1 - x;
      };
    };
    const std::uint64_t only = binary.found(
        power.samples, kSeeds,
        [&](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
          if (answers.size() == 1) less(power.only)(x, answers[0], source);
        },
        "one output alone is drawn");
    const std::uint64_t first = binary.found(
        power.samples, kSeeds,
        [&](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
          less(power.first)(x, answers[0], source);
        },
        "the first is drawn");
    MESSAGE(power.samples << " runs: " << only << " and " << first << " of " << kSeeds << " found");
    CHECK(only >= enough);
    CHECK(first >= enough);
  }
}

TEST_CASE("counts of whole requests that vary too little or too much are found") {
  constexpr std::uint64_t kSeeds = effort(20, 2);
  const std::uint64_t enough = kSeeds - kSeeds / 20;
  for (const std::uint32_t k : {2U, 10U}) {
    AskedSampler sampler(k);
    for (const bool in_order : {true, false}) {
      CHECK(sampler.found(
                k == 2 ? 1'000'000 : 500'000, kSeeds,
                [&](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
                  take_exact_proportions(x, k, answers, source);
                },
                "vary less from request to request", in_order) >= enough);
    }
  }
  AskedSampler binary(2);
  CHECK(binary.found(
            1'000'000, kSeeds,
            [](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
              const double share = static_cast<double>(UniformBelow(1000).run(source)) / 3000;
              for (std::uint32_t& y : answers) tell(x, share, y, source);
            },
            "vary more from request to request") >= enough);
}

TEST_CASE("what shards saw of requests adds up to what one audit sees") {
  AskedSampler binary(2);
  DependenceWatch whole = binary.watch(0.01), one = binary.watch(0.01), other = binary.watch(0.01);
  const auto fault = [](std::uint32_t x, RequestAnswers& answers, RandomSource& source) {
    tell(x, 0.5, answers[0], source);
  };
  binary.ask(one, 30'000, 1, fault);
  binary.ask(other, 30'000, 2, fault);
  DependenceWatch merged = binary.watch(0.01);
  merged.begin_with(one.counts());
  merged.add_shard(other.counts());
  CHECK(merged.counts().answers.small_requests ==
        one.counts().answers.small_requests + other.counts().answers.small_requests);
  CHECK(merged.counts().pilot_answers.cells == one.counts().pilot_answers.cells);
  CHECK(merged.counts().spread.pairs == 4);
  binary.ask(whole, 60'000, 3, fault);
  CHECK_FALSE(merged.findings().empty());
  CHECK_FALSE(whole.findings().empty());
}
