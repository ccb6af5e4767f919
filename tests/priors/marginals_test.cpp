// Priors with given marginals: against all of them if they form a line, and against the search's own results.

#include <doctest/doctest.h>
#include <algorithm>

#include "tests/support/effort.h"
#include "tests/support/random_sets.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

namespace {

std::vector<std::vector<std::size_t>> pairs_of(const Domain& domain) {
  std::vector<std::vector<std::size_t>> pairs;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    for (std::size_t j = i + 1; j < domain.size(); ++j) pairs.push_back({i, j});
  }
  return pairs;
}

LabelledColumn column_of(const Channel& channel, const ColumnInputs& inputs, std::uint64_t output) {
  LabelledColumn column;
  for (const auto& of_label : inputs.inputs) {
    std::vector<Number>& entries = column.entries.emplace_back();
    for (const std::uint64_t x : of_label) entries.push_back(channel.entry(x, output));
    const auto [least, most] = std::minmax_element(entries.begin(), entries.end());
    column.extremes.push_back(
        {static_cast<std::size_t>(most - entries.begin()), static_cast<std::size_t>(least - entries.begin())});
  }
  return column;
}

}  // namespace

TEST_CASE("Three bits' tables of two leave a line of priors, and its ends have the level") {
  // Adding t where the number of ones is even and subtracting it elsewhere is the only change that keeps all
  // marginals.
  const Domain bits({{"x", {"0", "1"}}, {"y", {"0", "1"}}, {"z", {"0", "1"}}});
  Random random(1);
  for (int round = 0; round < effort(300, 60, 20); ++round) {
    CAPTURE(round);
    std::vector<std::vector<Number>> rows;
    for (std::uint64_t x = 0; x < bits.inputs(); ++x)
      rows.push_back(random_distribution(random, 3, Entries::kRational));
    const Weights center = random_weights(random, bits.inputs());
    const Model model{bits, channel_of_rows(rows), prior_of(bits, center)};
    const auto is_even = [&](std::size_t x) { return ((x >> 2 ^ x >> 1 ^ x) & 1) == 0; };
    std::optional<Number> up, down;
    for (std::size_t x = 0; x < center.size(); ++x) {
      std::optional<Number>& end = is_even(x) ? down : up;
      end = end ? std::min(*end, center[x]) : center[x];
    }
    for (std::size_t i = 0; i < bits.size(); ++i) {
      Ratio most{Surd(Number(0))};
      for (const Number& t : {*up, -*down}) {
        Weights end = center;
        for (std::size_t x = 0; x < end.size(); ++x) end[x] += is_even(x) ? t : -t;
        most = std::max(most, exponential_of(naive_bcdp(with_prior(model, end), i)));
      }
      Budget budget;
      MeasuredModel subject(model, budget);
      const PriorSetPtr set = with_marginals(marginals_of(model, pairs_of(bits)));
      REQUIRE(exponential_of(level_over(subject, *set, Partition::by_value(bits, i), {}).at_least) ==
              std::max(most, Ratio{Surd(Number(1))}));
    }
  }
}

TEST_CASE("A quotient is at most what is not below the largest, whatever was asked before") {
  Random random(2);
  int below_largest = 0, asked = 0;
  for (int round = 0; round < effort(300, 60, 20); ++round) {
    CAPTURE(round);
    const Model model = model_for_sets(random, round % 5 == 0 ? Entries::kWithExp : Entries::kRational);
    const std::size_t i = below(random, model.domain.size());
    std::vector<std::vector<std::size_t>> tables = pairs_of(model.domain);
    tables.push_back({i});
    const PriorSetPtr set = with_marginals(marginals_of(model, tables));
    const ColumnInputs inputs = Partition::by_value(model.domain, i);
    const std::uint64_t outputs = model.channel->outputs();
    const SetQuestion question{model.domain, inputs, model.channel->output_count()};
    Budget budget;
    const auto used = set->search(question, budget);
    std::optional<Ratio> before;
    for (std::uint64_t y = 0; y < outputs; ++y) {
      const LabelledColumn column = column_of(*model.channel, inputs, y);
      const auto fresh = set->search(question, budget);
      used->look_at(column);
      fresh->look_at(column);
      for (std::size_t from = 0; from < inputs.inputs.size(); ++from) {
        const std::size_t to = (from + 1) % inputs.inputs.size();
        if (from == to) continue;
        const std::optional<Ratio> largest = fresh->largest(from, to);
        if (!largest) continue;
        if (before) {
          const bool is = used->is_at_most(from, to, *before);
          REQUIRE(is == (!before->infinite && *largest <= *before));
          below_largest += is ? 0 : 1;
          ++asked;
        }
        if (!largest->infinite) {
          REQUIRE(used->is_at_most(from, to, *largest));
          const Number more = Number(1) + Number::ratio(1, 1LL << 60);
          REQUIRE(used->is_at_most(from, to, Ratio{largest->value * Surd(more)}));
          REQUIRE((largest->value.sign() == 0 || !used->is_at_most(from, to, Ratio{largest->value / Surd(more)})));
        }
        REQUIRE(used->largest(from, to) == largest);
        REQUIRE(used->member(from, to).rows == fresh->member(from, to).rows);
        before = largest;
      }
    }
  }
  CHECK(below_largest > asked / 10);
  CHECK(below_largest < asked * 9 / 10);
}

TEST_CASE("Levels over tables, and what shows them, are the same for any number of threads") {
  Random random(3);
  for (int round = 0; round < effort(60, 20, 8); ++round) {
    CAPTURE(round);
    const Model model = model_for_sets(random, Entries::kRational);
    const std::size_t i = below(random, model.domain.size());
    const PriorSetPtr set = with_marginals(marginals_of(model, {{i}, {0}, {model.domain.size() - 1}}));
    std::vector<GroupLevel> levels;
    for (const std::size_t threads : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      Limits limits;
      limits.threads = threads;
      limits.chunk_cells = 1;
      limits.microseconds_alone = 0;
      Budget budget(limits);
      MeasuredModel subject(model, budget);
      levels.push_back(level_over(subject, *set, Partition::by_value(model.domain, i), {}));
    }
    for (const GroupLevel& level : levels) {
      const FoundOutput shown = level.witness.get(), first = levels[0].witness.get();
      REQUIRE(level.at_least == levels[0].at_least);
      REQUIRE(shown.output == first.output);
      REQUIRE(level.from == levels[0].from);
      REQUIRE(level.to == levels[0].to);
      REQUIRE((shown.prior == nullptr ? first.prior == nullptr : shown.prior->rows == first.prior->rows));
    }
  }
}
