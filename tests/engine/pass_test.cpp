// One pass over the columns: levels and witnesses are the same for any number of threads and any chunks.

#include <doctest/doctest.h>
#include <string>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/engine/column_scan.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/input_levels.h"
#include "verifier/engine/measured_model.h"
#include "verifier/engine/pass.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/context.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Limits in_pieces(std::size_t threads, std::uint64_t chunk_cells) {
  Limits limits;
  limits.threads = threads;
  limits.chunk_cells = chunk_cells;
  limits.microseconds_alone = 0;
  return limits;
}

std::string text_of(const InputLevel& level) {
  const InputPair pair = level.witness.get();
  std::string text = level.at_least.to_string() + " at " + std::to_string(pair.output.at(0)) + ":";
  for (const std::uint32_t value : pair.from) text += " " + std::to_string(value);
  text += " to";
  for (const std::uint32_t value : pair.to) text += " " + std::to_string(value);
  return text + "\n";
}

std::string text_of(const GroupLevel& level) {
  const FoundOutput found = level.witness.get();
  return level.at_least.to_string() + " at " + std::to_string(found.output.at(0)) + ": " + std::to_string(level.from) +
         " to " + std::to_string(level.to) + ", " + found.p_from.to_string() + " against " + found.p_to.to_string() +
         "\n";
}

std::string text_of(const MeasuredLevel& level) {
  const Witness witness = level.witness.get();
  return level.at_least.to_string() + " at " + witness.outputs.at(0) + ": " + party_text(witness.from) + " to " +
         party_text(witness.to) + "\n";
}

template <typename Result>
std::string text_of(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) text += text_of(result);
  return text;
}

// A model with many outputs, zeros and ties.
Model many_outputs(Random& random, Entries entries) {
  Model model = random_model(random, entries);
  model.channel = random_channel(random, model.domain, entries, 40);
  return model;
}

struct Asked {
  std::vector<std::vector<std::uint64_t>> blocks;
  Inputs sensitive;
  LevelMatrix bounds;
  std::vector<std::uint32_t> label_of;
};

Asked random_questions(Random& random, const Model& model) {
  const std::uint64_t n = model.domain.inputs();
  Asked asked{{{}, {}}, {{below(random, n)}}, {}, {}};
  for (std::uint64_t x = 0; x < n; ++x) asked.blocks[below(random, 2)].push_back(x);
  std::erase_if(asked.blocks, [](const auto& group) { return group.empty(); });
  for (std::uint64_t k = 0; k < n * n; ++k) {
    asked.bounds.levels.push_back(below(random, 3) == 0
                                      ? Level::infinite()
                                      : Level::of_exponential(Number(1 + static_cast<std::int64_t>(below(random, 3)))));
  }
  for (std::uint64_t x = 0; x < n; ++x) asked.label_of.push_back(static_cast<std::uint32_t>(below(random, 3)));
  return asked;
}

// All levels that are found by columns, with their witnesses.
std::string all_of(const Model& model, const Asked& asked, const Limits& limits, bool one_pass) {
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  if (one_pass) expect_levels(subject);
  std::string text =
      text_of(ldp_level(subject)) + text_of(bdp_level(subject)) + text_of(cdp_levels(subject)) +
      text_of(bcdp_levels(subject)) + text_of(level_among(subject, {asked.blocks})) +
      text_of(level_among(subject, {std::vector<std::vector<std::uint64_t>>{asked.sensitive.inputs}, true})) +
      text_of(level_between_labels(subject, Partition::by_label(model.domain, asked.label_of, 3), 1e8));
  if (const auto context = context_level(subject, asked.bounds)) {
    text += text_of(context->level) + context->bound.to_string();
  }
  std::vector<std::size_t> all(model.domain.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const HockeyStick stick = hockey_stick(subject, Level::of_exponential(Number(2)), {{all}});
  text += stick.delta.to_string() + " from " + std::to_string(stick.from) + " to " + std::to_string(stick.to) + "\n";
  const auto distributions =
      output_distributions(subject, {given_input(0), given_value(subject, 0, bcdp_levels(subject)[0].from),
                                     given_label(subject, asked.label_of, asked.label_of[0])});
  for (const auto& distribution : distributions) {
    for (const Number& p : distribution) text += p.to_string() + " ";
  }
  return text;
}

// Checks that one range of outputs and two merged ranges give the same answer.
template <typename Question>
void check_merging(const Model& model, const Question& question, Random& random) {
  Budget budget(in_pieces(1, 1));
  MeasuredModel subject(model, budget);
  const Columns& columns = subject.columns();
  const auto over = [&](OutputRange range) {
    auto accumulator = question.begin(subject);
    PassClient rider{accumulator.get()};
    pass(columns, range, std::span(&rider, 1), budget);
    REQUIRE(!rider.error);
    return accumulator;
  };
  const std::uint64_t middle = below(random, columns.outputs() + 1);
  const auto whole = over({0, columns.outputs()});
  const auto first = over({0, middle});
  first->merge(std::move(*over({middle, columns.outputs()})));
  CHECK(text_of(first->finish(subject)) == text_of(whole->finish(subject)));
}

// Records the outputs offered to it; throws LimitError at `fails_at`, is saturated from `enough_at` on.
class Recorder final : public AccumulatorOf<Recorder> {
 public:
  explicit Recorder(std::uint64_t fails_at = UINT64_MAX, std::uint64_t enough_at = UINT64_MAX)
      : fails_at_(fails_at), enough_at_(enough_at) {}
  void offer(ColumnView& column) override {
    if (column.output() >= fails_at_) throw LimitError("at " + std::to_string(column.output()));
    outputs.push_back(column.output());
  }
  bool is_saturated() const override { return !outputs.empty() && outputs.back() >= enough_at_; }
  void take(Recorder&& later) { outputs.insert(outputs.end(), later.outputs.begin(), later.outputs.end()); }
  Recorder successor() const { return Recorder(fails_at_, enough_at_); }

  std::vector<std::uint64_t> outputs;

 private:
  std::uint64_t fails_at_, enough_at_;
};

ChannelPtr uniform_channel(std::uint64_t outputs) {
  return channel_of_rows({std::vector(outputs, Number::ratio(1, static_cast<std::int64_t>(outputs)))});
}

std::string message_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    return caught.what();
  }
  return "";
}

Model model_of_columns(const std::vector<std::vector<Number>>& columns) {
  std::vector<std::vector<Number>> rows(columns[0].size());
  for (const auto& column : columns) {
    for (std::size_t x = 0; x < rows.size(); ++x) rows[x].push_back(column[x]);
  }
  Coordinate coordinate{"x", {}};
  for (std::size_t x = 0; x < rows.size(); ++x) coordinate.values.push_back(std::to_string(x));
  Model model{Domain({coordinate}), channel_of_rows(rows), std::nullopt};
  model.prior = Prior::uniform(model.domain);
  return model;
}

constexpr std::size_t kThreads[] = {1, 2, 3, 7};

}  // namespace

TEST_CASE("levels and witnesses are the same for any number of threads and any chunks") {
  Random random(41);
  for (int round = 0; round < effort(60, 24); ++round) {
    const Model model = many_outputs(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    Asked asked = random_questions(random, model);
    // Some label must have mass, so that it has a distribution.
    Budget budget;
    const std::vector<Number>& weights = model.prior->dense(budget).weights;
    for (std::uint64_t x = 0; x < asked.label_of.size(); ++x) {
      if (!weights[x].is_zero()) asked.label_of[0] = asked.label_of[x];
    }
    const std::string alone = all_of(model, asked, in_pieces(1, std::uint64_t{1} << 17), false);
    for (const std::size_t threads : kThreads) {
      for (const std::uint64_t cells : {std::uint64_t{1}, 3 * model.domain.inputs(), std::uint64_t{1} << 17}) {
        CAPTURE(threads);
        CAPTURE(cells);
        CHECK(all_of(model, asked, in_pieces(threads, cells), true) == alone);
      }
    }
  }
}

TEST_CASE("what two ranges of outputs merge to is what one range finds") {
  Random random(42);
  for (int round = 0; round < 60; ++round) {
    const Model model = many_outputs(random, round % 3 == 0 ? Entries::kWithExp : Entries::kRational);
    const Asked asked = random_questions(random, model);
    check_merging(model, AlongCoordinates{{0}}, random);
    check_merging(model, between_values(model.domain, {0}), random);
    Budget budget;
    const auto columns = model.channel->columns(budget);
    const std::uint64_t middle = below(random, columns->outputs() + 1);
    GatheredRows<std::uint32_t> first(*columns), second(*columns);
    PassClient front{&first}, back{&second};
    pass(*columns, {0, middle}, std::span(&front, 1), budget);
    pass(*columns, {middle, columns->outputs()}, std::span(&back, 1), budget);
    first.merge(std::move(second));
    CHECK(std::move(first).finish() == rank_rows(*columns, budget));
  }
}

TEST_CASE("an infinite level in the middle is found at its first output, and ends the pass") {
  std::vector<std::vector<Number>> columns(64, {Number::ratio(1, 64), Number::ratio(1, 64), Number::ratio(1, 64)});
  columns[30] = {Number::ratio(1, 64), Number(0), Number::ratio(1, 64)};
  columns[31] = {Number::ratio(1, 64), Number::ratio(2, 64), Number::ratio(1, 64)};
  columns[50] = {Number(0), Number::ratio(1, 64), Number::ratio(1, 64)};
  columns[51] = {Number::ratio(2, 64), Number::ratio(1, 64), Number::ratio(1, 64)};
  const Model model = model_of_columns(columns);
  for (const std::size_t threads : kThreads) {
    Budget budget(in_pieces(threads, 3));
    MeasuredModel subject(model, budget);
    CHECK(text_of(ldp_level(subject)) == "inf at 30: 0 to 1\n");
    CHECK(text_of(cdp_levels(subject)) == "inf at 30: 0 to 1\n");
    CHECK(text_of(bcdp_levels(subject)) == "inf at 30: 0 to 1, 1/64 against 0\n");
  }
}

TEST_CASE("of equal losses the one at the first output is the witness") {
  std::vector<std::vector<Number>> columns;
  for (std::int64_t y = 0; y < 20; ++y) {
    // Quotients: 1 for y < 6, then 3, as 3/200 to 1/200 and as 6/200 to 2/200 in turn.
    const std::int64_t scale = y % 2 == 0 ? 1 : 2;
    const std::int64_t high = y < 6 ? scale : 3 * scale;
    columns.push_back({Number::ratio(high, 200), Number::ratio(scale, 200)});
  }
  Number first_rest(1), second_rest(1);
  for (const auto& column : columns) {
    first_rest -= column[0];
    second_rest -= column[1];
  }
  columns.push_back({first_rest, second_rest});
  const Model model = model_of_columns(columns);
  for (const std::size_t threads : kThreads) {
    for (const std::uint64_t cells : {2U, 6U, 1000U}) {
      Budget budget(in_pieces(threads, cells));
      MeasuredModel subject(model, budget);
      CHECK(text_of(ldp_level(subject)) == "log(3) at 6: 0 to 1\n");
      CHECK(text_of(bcdp_levels(subject)) == "log(3) at 6: 0 to 1, 3/200 against 1/200\n");
    }
  }
}

TEST_CASE("errors and ends are those of the smallest output, and touch no other accumulator") {
  Budget plain;
  const ChannelPtr channel = uniform_channel(100);
  const auto columns = channel->columns(plain);
  for (const std::size_t threads : kThreads) {
    for (const std::uint64_t cells : {1U, 4U, 1000U}) {
      Budget budget(in_pieces(threads, cells));
      Recorder fails(37), has_enough(60, 40), all, never_reached(50, 50);
      PassClient riders[] = {{&fails}, {&has_enough}, {&all}, {&never_reached}};
      pass(*columns, {10, 90}, riders, budget);
      CHECK(message_of(riders[0].error) == "at 37");
      CHECK(message_of(riders[1].error) == "");
      CHECK(message_of(riders[2].error) == "");
      CHECK(message_of(riders[3].error) == "at 50");
      std::vector<std::uint64_t> expected;
      for (std::uint64_t y = 10; y < 90; ++y) expected.push_back(y);
      CHECK(all.outputs == expected);
      CHECK(has_enough.outputs.back() >= 40);
      CHECK(has_enough.outputs.back() < 60);
    }
  }
}

TEST_CASE("what goes wrong between two outputs ends the pass for all, and is told") {
  class Breaks final : public AccumulatorOf<Breaks> {
   public:
    void offer(ColumnView& column) override { last_ = column.output(); }
    bool is_saturated() const override {
      if (last_ >= 37) throw std::runtime_error("out of order");
      return false;
    }
    void take(Breaks&&) {}
    Breaks successor() const { return {}; }

   private:
    std::uint64_t last_ = 0;
  };
  Budget plain;
  const auto columns = uniform_channel(100)->columns(plain);
  for (const std::size_t threads : kThreads) {
    Budget budget(in_pieces(threads, 4));
    Breaks breaks;
    CHECK_THROWS_WITH(pass(*columns, breaks, budget), "out of order");
  }
}

TEST_CASE("a limit stops a pass alike for any number of threads") {
  Random random(43);
  Model model = many_outputs(random, Entries::kRational);
  model.channel = uniform_channel(1000);
  model.domain = Domain(std::vector<Coordinate>{{"x", {"0"}}});
  model.prior = Prior::uniform(model.domain);
  for (const std::size_t threads : kThreads) {
    Limits limits = in_pieces(threads, 1);
    limits.max_cells = 999;
    Budget budget(limits);
    MeasuredModel subject(model, budget);
    const Analysis analysis = analyze(subject);
    for (const char* level : {"ldp", "bdp", "cdp", "bcdp"}) {
      CHECK(analysis.undecided.at(level) ==
            "the channel has 1 inputs x 1000 outputs, more than may be enumerated (--max-cells 999)");
    }
    Limits instant = in_pieces(threads, 1);
    instant.max_seconds = 1e-9;
    Budget over(instant);
    Recorder none;
    PassClient rider{&none};
    Budget plain;
    const auto columns = model.channel->columns(plain);
    pass(*columns, {0, 1000}, std::span(&rider, 1), over);
    CHECK(message_of(rider.error) == "the time limit was reached (--max-seconds 1e-09)");
  }
}

TEST_CASE("a question that fails leaves the others their answers, and may be asked again") {
  Random random(44);
  Model model = many_outputs(random, Entries::kRational);
  model.prior.reset();
  Budget budget(in_pieces(2, 1));
  MeasuredModel subject(model, budget);
  subject.expect(between_values(model.domain, {0}));
  subject.expect(AmongInputs{});
  CHECK_THROWS_AS(subject.answer(between_values(model.domain, {0})), ModelError);
  CHECK(ldp_level(subject).at_least == naive_ldp(model));
  CHECK_THROWS_AS(subject.answer(between_values(model.domain, {0})), ModelError);
}
