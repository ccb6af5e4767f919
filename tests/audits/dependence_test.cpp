// Dependence between runs: the bets are fair, false alarms are at most as frequent as stated, and the power is as
// stated.
#include "audits/dependence.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "audits/confidence.h"
#include "mechanisms/random/distributions.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/too_many.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::read_example;
using oddsbound::testing::too_many;

namespace {

using Drawn = std::vector<std::uint32_t>;

// Draws runs of one input.
class Drawer {
 public:
  Drawer(const std::vector<Number>& row, std::uint64_t seed)
      : choice_(row), source_(Randomness{seed, 0x64657065}.source(0)) {}
  std::uint32_t draw() { return static_cast<std::uint32_t>(choice_.run(*source_)); }
  Drawn draw(std::size_t count) {
    Drawn outputs(count);
    for (std::uint32_t& y : outputs) y = draw();
    return outputs;
  }
  bool happens(double share) {
    return static_cast<double>(UniformBelow(std::uint64_t{1} << 40).run(*source_)) < std::ldexp(share, 40);
  }
  std::uint64_t below(std::uint64_t n) { return UniformBelow(n).run(*source_); }

 private:
  Categorical choice_;
  std::unique_ptr<RandomSource> source_;
};

std::vector<Number> row_of(const std::vector<std::int64_t>& weights) {
  std::int64_t all = 0;
  for (const std::int64_t weight : weights) all += weight;
  std::vector<Number> row;
  for (const std::int64_t weight : weights) row.push_back(Number::ratio(weight, all));
  return row;
}

// A mechanism with the same row for both inputs.
Spec spec_of(const std::vector<Number>& row, Budget& budget) {
  std::string text;
  for (const Number& p : row) text += (text.empty() ? "\"" : ", \"") + p.to_string() + "\"";
  return read_example(R"j([{"name": "x", "size": 2}])j",
                      R"j({"type": "matrix", "outputs": )j" + std::to_string(row.size()) + R"j(, "rows": [[)j" + text +
                          "], [" + text + "]]}",
                      budget);
}

DependenceWatch watch_of(const std::vector<Number>& row, double alpha) {
  Budget budget;
  return {*spec_of(row, budget).model.channel, alpha, budget};
}

// With probability `share`, an output repeats the output of `lag` runs before.
Drawn repeating(Drawer& drawer, std::size_t count, std::size_t lag, double share) {
  Drawn outputs = drawer.draw(count);
  for (std::size_t i = lag; i < count; ++i) {
    if (drawer.happens(share)) outputs[i] = outputs[i - lag];
  }
  return outputs;
}

}  // namespace

TEST_CASE("every bet on repeats is fair: its mean over all sequences of independent outputs is 1") {
  const std::vector<double> row{0.7, 0.2, 0.1};
  constexpr std::size_t kRuns = 9;
  const std::vector<double> bets = repeat_bets();
  std::vector<double> means(kRepeatKinds * bets.size());
  std::vector<bool> moved(kRepeatKinds);
  for (std::size_t code = 0; code < 19683; ++code) {  // 3^9
    Drawn outputs;
    double weight = 1;
    std::size_t rest = code;
    for (std::size_t i = 0; i < kRuns; ++i) {
      outputs.push_back(static_cast<std::uint32_t>(rest % 3));
      weight *= row[rest % 3];
      rest /= 3;
    }
    RepeatCounts counts(1);
    counts.count_batch(0, outputs);
    // The same outputs as two batches, the second one longer.
    counts.count_batches(0, std::span(outputs).first(4), std::span(outputs).last(5));
    for (std::size_t kind = 0; kind < kRepeatKinds; ++kind) {
      moved[kind] = moved[kind] || counts.differences[kind][0] + counts.differences[kind][4] > 0;
      for (std::size_t b = 0; b < bets.size(); ++b) {
        means[kind * bets.size() + b] += weight * std::exp(log_product(counts, kind, bets[b]));
      }
    }
  }
  for (const double mean : means) CHECK(mean == doctest::Approx(1).epsilon(1e-12));
  for (std::size_t kind = 0; kind < kRepeatKinds; ++kind) {
    CHECK(moved[kind] == (kind < 2 || kind == kHalfBatch || kind == kBatchBefore));
  }
}

TEST_CASE("independent runs raise no more alarms than the stated error allows, whatever they draw from") {
  const std::vector<std::vector<std::int64_t>> channels{
      {1, 1}, {999, 1}, {27, 10, 10, 10, 10, 10, 10, 10, 10, 10}, {900, 50, 49, 1}, std::vector<std::int64_t>(300, 1)};
  for (const double alpha : {0.01, 0.1, 0.5}) {
    std::uint64_t audits = 0, alarms = 0;
    for (const auto& weights : channels) {
      const std::vector<Number> row = row_of(weights);
      const DependenceWatch fresh = watch_of(row, alpha);
      for (std::uint64_t seed = 1; seed <= std::uint64_t{effort(400, 10)}; ++seed) {
        Drawer drawer(row, seed);
        DependenceWatch watch = fresh;
        for (std::uint64_t block = 0; block < 6; ++block) {
          if (block == 2) watch.begin_stage(false);
          watch.begin_block(block);
          watch.see(0, drawer.draw(300));
          watch.see(1, drawer.draw(150 + drawer.below(3)));
        }
        ++audits;
        alarms += watch.findings().empty() ? 0 : 1;
      }
    }
    CHECK(audits == std::uint64_t{effort(2000, 50)});
    CHECK(alarms < too_many(audits, alpha));
    MESSAGE(alarms << " false alarms in " << audits << " audits at an error of " << alpha);
  }
}

TEST_CASE("repeats in a small share of runs are found, and named") {
  const std::vector<Number> row = row_of({27, 10, 10, 10, 10, 10, 10, 10, 10, 10});
  for (const std::size_t lag : {1, 2, 5, 16}) {
    CAPTURE(lag);
    Drawer drawer(row, lag);
    DependenceWatch watch = watch_of(row, 0.0005);
    for (int batch = 0; batch < 40; ++batch) watch.see(0, repeating(drawer, 20'000, lag, 0.02));
    REQUIRE(watch.findings().size() == 1);
    CHECK(watch.findings()[0] ==
          "outputs depend on the output " + std::to_string(lag) + (lag == 1 ? " run before" : " runs before"));
  }
}

TEST_CASE("repeats of other kinds are found, and named") {
  const std::vector<Number> row = row_of({27, 10, 10, 10, 10, 10, 10, 10, 10, 10});
  SUBCASE("half a batch before") {
    Drawer drawer(row, 1);
    DependenceWatch watch = watch_of(row, 0.0005);
    for (int batch = 0; batch < 20; ++batch) watch.see(0, repeating(drawer, 10'000, 5'000, 0.07));
    REQUIRE(watch.findings().size() == 1);
    CHECK(watch.findings()[0] == "outputs depend on the output half a batch before");
  }
  SUBCASE("at the same place of the batch before, some of which are longer") {
    Drawer drawer(row, 1);
    DependenceWatch watch = watch_of(row, 0.0005);
    watch.begin_stage(false);
    Drawn before(10'000);
    for (std::uint64_t block = 0; block < 20; ++block) {
      watch.begin_block(block);
      Drawn outputs = drawer.draw(9'900 + drawer.below(200));
      for (std::size_t i = 0; i < std::min(outputs.size(), before.size()); ++i) {
        if (block > 0 && drawer.happens(0.07)) outputs[i] = before[i];
      }
      watch.see(0, outputs);
      before = outputs;
    }
    REQUIRE(watch.findings().size() == 1);
    CHECK(watch.findings()[0] == "outputs depend on the output at the same place of the batch before");
  }
  SUBCASE("outputs that avoid the one before") {
    Drawer drawer(row, 1);
    DependenceWatch watch = watch_of(row, 0.0005);
    for (int batch = 0; batch < 20; ++batch) {
      Drawn outputs = drawer.draw(10'000);
      for (std::size_t i = 1; i < outputs.size(); ++i) {
        if (outputs[i] == outputs[i - 1] && drawer.happens(0.3)) outputs[i] = drawer.draw();
      }
      watch.see(0, outputs);
    }
    REQUIRE(watch.findings().size() == 1);
    CHECK(watch.findings()[0] == "outputs depend on the output 1 run before");
  }
}

TEST_CASE("repeats in the stated share of runs are found as often as stated") {
  struct Case {
    std::vector<std::int64_t> weights;
    std::size_t lag;
  };
  for (const Case& known : std::vector<Case>{{{27, 10, 10, 10, 10, 10, 10, 10, 10, 10}, 1},
                                             {{1, 1}, 16},
                                             {{95, 5}, 3},
                                             {std::vector<std::int64_t>(100, 1), 7}}) {
    const std::vector<Number> row = row_of(known.weights);
    constexpr std::size_t kBatches = 10, kRuns = 4'000;
    Drawer drawer(row, 5);
    DependenceWatch first = watch_of(row, 0.0005);
    for (std::size_t batch = 0; batch < kBatches; ++batch) first.see(0, drawer.draw(kRuns));
    const DependencePower power = first.power();
    CHECK(power.runs == kBatches * kRuns);
    REQUIRE(power.within);
    REQUIRE(power.across);
    std::uint64_t missed = 0, missed_at_a_fifth = 0;
    constexpr std::uint64_t kTries = effort(100, 3);
    for (std::uint64_t i = 0; i < kTries; ++i) {
      for (const double part : {1.0, 0.2}) {
        DependenceWatch watch = watch_of(row, 0.0005);
        for (std::size_t batch = 0; batch < kBatches; ++batch) {
          watch.see(0, repeating(drawer, kRuns, known.lag, part * *power.within));
        }
        (part == 1.0 ? missed : missed_at_a_fifth) += watch.findings().empty() ? 1 : 0;
      }
    }
    CAPTURE(*power.within);
    CHECK(missed < too_many(kTries, 0.01));
    // The stated power is not far from the truth: most faults of a fifth of that size are missed.
    CHECK(missed_at_a_fifth > kTries / 2);
    MESSAGE("share " << *power.within << ": " << missed << " of " << kTries << " missed, at a fifth of it "
                     << missed_at_a_fifth);
  }
}

TEST_CASE("nothing is promised of repeats where batches are too short") {
  const std::vector<Number> row = row_of({1, 1});
  Drawer drawer(row, 1);
  DependenceWatch watch = watch_of(row, 0.0005);
  for (int batch = 0; batch < 10'000; ++batch) watch.see(0, drawer.draw(60));
  CHECK(watch.saw_any());
  CHECK_FALSE(watch.power().within);
  CHECK(watch.power().across);
  DependenceWatch single = watch_of(row, 0.0005);
  for (int batch = 0; batch < 10'000; ++batch) single.see(0, drawer.draw(1));
  CHECK_FALSE(single.saw_any());
  CHECK_FALSE(single.power().within);
  CHECK_FALSE(single.power().across);
}

TEST_CASE("outputs from a buffer that is used again are found wherever it begins again") {
  const std::vector<Number> row = row_of({27, 10, 10, 10, 10, 10, 10, 10, 10, 10});
  Drawer drawer(row, 1);
  const auto from_buffer = [](const Drawn& buffer, std::size_t& place, std::size_t count) {
    Drawn outputs(count);
    for (std::uint32_t& y : outputs) y = buffer[place++ % buffer.size()];
    return outputs;
  };
  const auto found = [](const DependenceWatch& watch) {
    return !watch.findings().empty() && watch.findings()[0].find("were given twice") != std::string::npos;
  };
  SUBCASE("within a batch") {
    for (const std::size_t size : {997, 1009, 4999}) {
      DependenceWatch watch = watch_of(row, 0.0005);
      const Drawn buffer = drawer.draw(size);
      std::size_t place = 0;
      watch.see(0, from_buffer(buffer, place, 11'000));
      CHECK(found(watch));
    }
  }
  SUBCASE("in a batch after the pilot") {
    DependenceWatch watch = watch_of(row, 0.0005);
    const Drawn buffer = drawer.draw(9'001);
    std::size_t place = 0;
    watch.see(0, from_buffer(buffer, place, 6'000));
    CHECK(watch.findings().empty());
    watch.begin_stage(false);
    watch.begin_block(0);
    watch.see(0, from_buffer(buffer, place, 6'000));
    CHECK(found(watch));
  }
  SUBCASE("in two blocks that are compared") {
    DependenceWatch watch = watch_of(row, 0.0005);
    const Drawn buffer = drawer.draw(9'001);
    std::size_t place = 0;
    watch.begin_stage(false);
    watch.begin_block(4);
    watch.see(0, from_buffer(buffer, place, 6'000));
    watch.begin_block(5);
    watch.see(0, from_buffer(buffer, place, 6'000));
    CHECK(found(watch));
  }
}

TEST_CASE("what shards saw adds up to what one audit sees") {
  const std::vector<Number> row = row_of({3, 2, 1});
  // A program that follows its seeds: the same block gives the same outputs.
  const auto run = [&](DependenceWatch& watch, const std::function<bool(std::uint64_t)>& mine) {
    for (int pilot = 0; pilot < 3; ++pilot) watch.see(0, Drawer(row, 100).draw(500));
    watch.begin_stage(false);
    for (std::uint64_t block = 0; block < 11; ++block) {
      if (!mine(block)) continue;
      watch.begin_block(block);
      watch.see(block % 2, Drawer(row, block).draw(400 + block));
      watch.see(0, Drawer(row, block + 50).draw(300));
    }
  };
  DependenceWatch whole = watch_of(row, 0.01);
  run(whole, [](std::uint64_t) { return true; });
  DependenceWatch merged = watch_of(row, 0.01);
  for (std::uint64_t shard = 0; shard < 3; ++shard) {
    DependenceWatch part = watch_of(row, 0.01);
    run(part, [&](std::uint64_t block) { return block / 2 % 3 == shard; });
    shard == 0 ? merged.begin_with(part.counts()) : merged.add_shard(part.counts());
  }
  CHECK(merged.counts().pilot.differences == whole.counts().pilot.differences);
  CHECK(merged.counts().rest.differences == whole.counts().rest.differences);
  CHECK(merged.counts().rest.within == whole.counts().rest.within);
  CHECK(merged.counts().rest.across == whole.counts().rest.across);
  CHECK(merged.counts().rest.runs == whole.counts().rest.runs);
  CHECK(whole.counts().rest.across[0] > 0);
  CHECK(merged.findings() == whole.findings());
}
