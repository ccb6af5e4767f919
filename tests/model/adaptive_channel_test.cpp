#include <doctest/doctest.h>
#include <map>
#include <set>

#include "base/errors.h"
#include "tests/support/random_model.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

ChannelPtr any_channel(Random& random, std::uint64_t inputs, std::uint64_t outputs, Entries entries) {
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < inputs; ++x) rows.push_back(random_distribution(random, outputs, entries));
  return channel_of_rows(rows);
}

// Sums the probabilities of all sequences of reports by their counts.
std::map<std::vector<std::uint64_t>, Number> by_sequences(const Channel& permanent, const Channel& report,
                                                          std::uint64_t x, std::uint64_t times) {
  std::map<std::vector<std::uint64_t>, Number> sums;
  std::uint64_t sequences = 1;
  for (std::uint64_t t = 0; t < times; ++t) sequences *= report.outputs();
  for (std::uint64_t sequence = 0; sequence < sequences; ++sequence) {
    std::vector<std::uint64_t> counts(report.outputs(), 0);
    for (std::uint64_t t = 0, rest = sequence; t < times; ++t, rest /= report.outputs())
      ++counts[rest % report.outputs()];
    for (std::uint64_t b = 0; b < permanent.outputs(); ++b) {
      Number share = permanent.entry(x, b);
      for (std::uint64_t t = 0, rest = sequence; t < times; ++t, rest /= report.outputs()) {
        share *= report.entry(b, rest % report.outputs());
      }
      sums[counts] += share;
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("counts are numbered from the most of the first output on, and back") {
  const Counts two(2, 3);
  CHECK(two.size() == 4);
  CHECK(two.at(0) == std::vector<std::uint64_t>{3, 0});
  CHECK(two.at(1) == std::vector<std::uint64_t>{2, 1});
  const Counts three(3, 2);
  CHECK(three.size() == 6);
  CHECK(three.at(1) == std::vector<std::uint64_t>{1, 1, 0});
  CHECK(three.at(2) == std::vector<std::uint64_t>{1, 0, 1});
  CHECK(three.at(5) == std::vector<std::uint64_t>{0, 0, 2});
  CHECK(Counts::orders(std::vector<std::uint64_t>{2, 1, 1}) == Number(12));
  for (const std::uint64_t outputs : {1U, 2U, 3U, 5U}) {
    for (const std::uint64_t runs : {1U, 2U, 4U, 7U}) {
      const Counts counts(outputs, runs);
      for (std::uint64_t number = 0; number < counts.size(); ++number) {
        const std::vector<std::uint64_t> at = counts.at(number);
        CHECK(counts.number_of(at) == number);
        std::uint64_t sum = 0;
        for (const std::uint64_t count : at) sum += count;
        CHECK(sum == runs);
        if (number > 0) CHECK(counts.at(number - 1) > at);
      }
    }
  }
  for (std::uint64_t y = 0; y < 5; ++y) CHECK(Counts(5, 1).at(y)[y] == 1);
}

TEST_CASE("what is memoized has the probabilities of its sequences of reports") {
  Random random(41);
  Budget budget;
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    const Entries entries = round % 4 == 0 ? Entries::kWithExp : Entries::kRational;
    const std::uint64_t answers = 1 + below(random, 3);
    const ChannelPtr permanent = any_channel(random, 1 + below(random, 4), answers, entries);
    const ChannelPtr report = any_channel(random, answers, 1 + below(random, 3), entries);
    const std::uint64_t times = 1 + below(random, 4);
    const MemoizedChannel channel(*permanent, *report, times, budget);
    const Counts counts(report->outputs(), times);
    REQUIRE(channel.outputs() == counts.size());
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      const auto sums = by_sequences(*permanent, *report, x, times);
      for (std::uint64_t y = 0; y < channel.outputs(); ++y) CHECK(channel.entry(x, y) == sums.at(counts.at(y)));
    }
  }
}

TEST_CASE("labels of counts differ whatever the labels of reports are") {
  Budget budget;
  const auto named = [&](std::vector<std::string> labels) {
    PoolBuilder entries;
    for (std::size_t y = 0; y < labels.size(); ++y)
      entries.add(Number(1) / Number(static_cast<std::int64_t>(labels.size())));
    return DenseChannel::from_rows(1, std::move(labels), std::move(entries), budget);
  };
  const ChannelPtr kept = named({"only"});
  const MemoizedChannel plain(*kept, *named({"a", "b"}), 3, budget);
  CHECK(plain.output_label(1) == "{a:2,b:1}");
  const MemoizedChannel hostile(*kept, *named({"a", "b:1,c", "a:1,b", "c"}), 3, budget);
  const std::vector<std::string> labels = output_labels(hostile, budget);
  CHECK(std::set<std::string>(labels.begin(), labels.end()).size() == labels.size());
}

TEST_CASE("too many counts are a limit that names its flag") {
  Budget budget;
  Random random(2);
  const ChannelPtr permanent = any_channel(random, 2, 2, Entries::kRational);
  const ChannelPtr report = any_channel(random, 2, 16, Entries::kRational);
  CHECK_THROWS_WITH_AS(MemoizedChannel(*permanent, *report, 100, budget),
                       doctest::Contains("2396826047070372396 outputs, more than the limit of 134217728 (--max-cells)"),
                       LimitError);
  CHECK_THROWS_WITH_AS(MemoizedChannel(*permanent, *report, 1000, budget), doctest::Contains("2^64 outputs or more"),
                       LimitError);
}

TEST_CASE("an entry of derived outputs is the sum of its shares, also where equal sums are known") {
  Random random(63);
  for (int round = 0; round < 40; ++round) {
    const Entries entries = round % 4 == 0 ? Entries::kWithExp : Entries::kRational;
    const std::uint64_t inputs = 2 + below(random, 5);
    std::vector<ChannelPtr> channels;
    for (int k = 0; k < 2; ++k) channels.push_back(any_channel(random, inputs, 2, entries));
    channels.push_back(channels[0]);  // equal columns
    std::vector<DerivedOutput> outputs;
    const Number quarter = Number::ratio(1, 4);
    for (std::size_t y = 0; y < 4; ++y) {
      DerivedOutput output{std::to_string(y), {}};
      for (std::size_t k = 0; k < channels.size(); ++k) {
        for (std::uint64_t from = 0; from < 2; ++from) {
          output.shares.push_back({k, from, (k + y + from) % 2 == 0 ? quarter : Number::ratio(1, 12)});
        }
      }
      outputs.push_back(output);
    }
    Budget budget;
    const ChannelPtr derived = derived_channel(channels, outputs, budget);
    for (std::size_t y = 0; y < outputs.size(); ++y) {
      for (std::uint64_t x = 0; x < inputs; ++x) {
        Number expected;
        for (const OutputShare& share : outputs[y].shares) {
          expected += share.share * channels[share.channel]->entry(x, share.output);
        }
        CHECK(derived->entry(x, y) == expected);
      }
    }
  }
}
