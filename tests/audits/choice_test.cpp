// Audits with more inputs than can be tried: which inputs are chosen. Findings about a choice of all inputs equal
// the findings about all inputs.
#include "audits/choice.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "audits/findings.h"
#include "base/errors.h"
#include "specs/reading.h"
#include "tests/support/audit_options.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::effort;
using oddsbound::testing::options_of;
using oddsbound::testing::read_example;

namespace {

const std::string kSource = ODDSBOUND_SOURCE_DIR;

// All inputs of a small domain, as a choice.
InputChoicePtr choice_of_all(const Spec& spec) {
  Budget budget;
  auto choice = std::make_shared<InputChoice>();
  choice->domain = spec.model.domain;
  for (std::uint64_t x = 0; x < spec.model.domain.inputs(); ++x) {
    choice->rows.push_back(spec.model.domain.row(x));
    choice->reasons.push_back(ChosenFor::kRandom);
    if (spec.model.prior) choice->weights.push_back(spec.model.prior->weight(choice->rows.back()));
  }
  return choice;
}

// Forty questions with three answers each, by randomized response at level 1.
Spec forty_questions() {
  std::string domain, parts;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "\"q" + std::to_string(i) + "\"";
    domain += (i > 0 ? ", " : "") + std::string("{\"name\": ") + name + ", \"size\": 3}";
    parts += (i > 0 ? ", " : "") + name + ": {\"type\": \"k_randomized_response\", \"epsilon\": \"1\"}";
  }
  Budget budget;
  return read_example("[" + domain + "]", "{\"type\": \"per_coordinate\", \"mechanisms\": {" + parts + "}}", budget);
}

// Answers one question truthfully, and all others correctly.
class TellsOne final : public Sampler {
 public:
  TellsOne(SamplerPtr right, std::size_t question) : right_(std::move(right)), question_(question) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    right_->draw(x, source, output);
  }
  void draw_row(InputView row, RandomSource& source, std::span<std::uint64_t> output) const override {
    right_->draw_row(row, source, output);
    output[question_] = row[question_];
  }

 private:
  SamplerPtr right_;
  std::size_t question_;
};

}  // namespace

TEST_CASE("a choice of all inputs asks what is asked of all inputs, and deals the same") {
  std::size_t compared = 0;
  for (const char* name : {"warner", "half-copied", "titanic", "parity-secret", "partial-records", "high-low"}) {
    CAPTURE(name);
    Budget budget;
    const Spec spec = read_spec(kSource + "/specs/gallery/" + name + ".json", budget);
    for (const bool all_levels : {false, true}) {
      const auto of_all = questions_of(spec, all_levels, budget);
      const auto of_choice = questions_of(spec, all_levels, budget, choice_of_all(spec));
      std::size_t c = 0;
      for (const Question& question : of_all) {
        // A choice asks about single coordinates only, not about sets of them.
        if (question.about.find(", ") != std::string::npos) continue;
        CAPTURE(question.title());
        REQUIRE(c < of_choice.size());
        const Question& chosen = of_choice[c++];
        CHECK(chosen.title() == question.title());
        // A choice has no side for an input that is compared with no other.
        if (chosen.sides.size() != question.sides.size()) continue;
        CHECK(chosen.pairs == question.pairs);
        CHECK(chosen.side_of == question.side_of);
        CHECK(chosen.claims.size() == question.claims.size());
        Game game;
        for (std::uint32_t s = 0; s < question.sides.size(); ++s) {
          CHECK(chosen.sides[s].party == question.sides[s].party);
          CHECK(chosen.sides[s].probabilities == question.sides[s].probabilities);
          game.sides.push_back(s);
        }
        const Deal one = Dealer(question, game, 5).deal(1000, 3), other = Dealer(chosen, game, 5).deal(1000, 3);
        REQUIRE(one.runs.size() == other.runs.size());
        for (std::size_t r = 0; r < one.runs.size(); ++r) {
          CHECK(one.runs[r].input == other.runs[r].input);
          CHECK(one.runs[r].count == other.runs[r].count);
          CHECK(one.runs[r].who.number == other.runs[r].who.number);
        }
        ++compared;
      }
      CHECK(c == of_choice.size());
    }
  }
  CHECK(compared > 20);
}

TEST_CASE("inputs are chosen alike for a seed: different ones, and neighbors for every coordinate") {
  Budget budget;
  Spec spec = forty_questions();
  spec.model.prior = Prior::uniform(spec.model.domain);
  const AuditOptions options = options_of(1'000'000, 3, 0.01);
  const auto choice = choose_inputs(spec, options, budget);
  REQUIRE(choice);
  CHECK(choice->rows == choose_inputs(spec, options, budget)->rows);
  CHECK(choice->rows != choose_inputs(spec, options_of(1'000'000, 4, 0.01), budget)->rows);
  CHECK(choice->tried() <= kMostInputs);
  std::vector<InputRow> sorted = choice->rows;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  for (const ChosenFor reason : {ChosenFor::kPrior, ChosenFor::kWitness, ChosenFor::kRandom, ChosenFor::kNeighbor}) {
    CHECK(std::count(choice->reasons.begin(), choice->reasons.end(), reason) >= 2);
  }
  const InputSubset tried(spec.model.domain, std::span(choice->rows).first(choice->tried()));
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) CHECK(tried.pairs_within({i}).size() >= 4);
  CHECK(!choose_inputs(read_spec(kSource + "/specs/gallery/warner.json", budget), options, budget));
}

TEST_CASE("the rows of a table are all there, whichever of them are tried") {
  Budget budget;
  const Spec spec = read_spec(kSource + "/specs/gallery/house-votes.json", budget);
  const auto choice = choose_inputs(spec, options_of(100'000, 1, 0.01), budget);
  REQUIRE(choice);
  CHECK(!choice->drawn);
  Number sum(0);
  for (const Number& weight : choice->weights) sum += weight;
  CHECK(sum == spec.model.prior->total());
  for (const Question& question : questions_of(spec, false, budget, choice)) {
    for (const Side& side : question.sides) {
      Number all(0);
      for (const Number& probability : side.probabilities) all += probability;
      CHECK(all == Number(1));
    }
  }
}

TEST_CASE("inputs are drawn given a value as likely as the prior makes them") {
  Budget budget;
  const Spec spec = read_spec(kSource + "/specs/large/hundred-days.json", budget);
  const auto choice = choose_inputs(spec, options_of(100'000, 1, 0.01), budget);
  REQUIRE(choice);
  for (const Question& question : questions_of(spec, false, budget, choice)) {
    if (question.compares_inputs) continue;
    CHECK(question.is_drawn());
    const Deal deal = Dealer(question, {{0, 1}, false}, 1).deal(8'000, 0);
    CHECK(deal.runs.size() == 8'000);
    double first = 0, same = 0;
    for (const Runs& runs : deal.runs) {
      const std::uint32_t side = question.side_of_run(runs.input);
      REQUIRE(side < 2);
      CHECK(runs.who.row[49] == *question.sides[side].drawn);
      first += side == 0 ? 1 : 0;
      same += runs.who.row[50] == runs.who.row[49] ? 1 : 0;
    }
    CHECK(std::abs(first - 4'000) < 6 * std::sqrt(8'000 * 0.25));
    CHECK(std::abs(same - 7'200) < 6 * std::sqrt(8'000 * 0.09));
  }
}

TEST_CASE("a sampler that tells one answer of forty is found, and the right one passes") {
  const Spec spec = forty_questions();
  Budget budget;
  const AuditOptions options = options_of(std::uint64_t{effort(200'000, 40'000)}, 1, 0.01);
  const auto bounds = [&](SamplerPtr sampler) {
    const auto runner = sampler_runner(spec.model.channel, std::move(sampler), options.seed);
    return assess(spec, measure(spec, *runner, options, budget), options, budget);
  };
  const AuditFindings right = bounds(spec.mechanism.sampler);
  const AuditFindings wrong = bounds(std::make_shared<const TellsOne>(spec.mechanism.sampler, 7));
  REQUIRE(right.levels.size() == 41);
  REQUIRE(right.tried);
  CHECK(right.tried->compared() > 80);
  for (std::size_t q = 0; q < right.levels.size(); ++q) {
    const std::string title = right.levels[q].question.title();
    CAPTURE(title);
    CHECK(right.levels[q].bound <= (title == "ldp" ? 40 : 1));
    if (title != "ldp") CHECK((wrong.levels[q].bound > 1) == (title == "cdp q7"));
  }
}

TEST_CASE("an input draws the same by its row as by its number") {
  Budget budget;
  const Spec spec = read_spec(kSource + "/specs/gallery/house-votes.json", budget);
  const std::size_t words = output_words(*spec.model.channel);
  std::vector<std::uint64_t> one(words), other(words);
  for (std::uint64_t x = 0; x < 5'000'000; x += 1'234'567) {
    spec.mechanism.sampler->draw(x, *Randomness{1, 2}.source(x), one);
    spec.mechanism.sampler->draw_row(spec.model.domain.row(x), *Randomness{1, 2}.source(x), other);
    CHECK(one == other);
  }
  CHECK_THROWS_AS(
      row_sampler(spec.model.channel->factors()[0].channel)->draw_row(InputRow{0}, *Randomness{1, 2}.source(0), one),
      LimitError);
}
