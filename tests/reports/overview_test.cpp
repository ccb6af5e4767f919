// The first screen of an analysis: its order, its decimals, and the bound on a probability of 50 %.
#include <doctest/doctest.h>

#include <fstream>

#include "app/verify.h"
#include "reports/claim_words.h"
#include "reports/layout.h"
#include "reports/overview.h"
#include "reports/text.h"
#include "tests/support/temporary_folder.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

std::vector<Level> levels_of_texts(const std::vector<std::string>& texts) {
  std::vector<Level> levels;
  for (const std::string& text : texts) levels.push_back(parse_level(text));
  return levels;
}

// What the probability of a value becomes at most, over all outputs, if it was 50 %: the others in proportion to the
// prior.
Number largest_from_half(const Model& model, std::size_t coordinate, std::uint64_t value) {
  Budget budget;
  Number largest(0);
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    Number own(0), others(0), own_mass(0), other_mass(0);
    model.prior->each_row(budget, [&](InputView row, const Number& weight) {
      const Number joint = weight * model.channel->entry_at(model.domain, row, model.channel->split(y));
      const bool is_own = row[coordinate] == value;
      (is_own ? own : others) += joint;
      (is_own ? own_mass : other_mass) += weight;
    });
    if (own.is_zero()) continue;
    const Number given = own / own_mass, otherwise = others / other_mass;
    largest = std::max(largest, given / (given + otherwise));
  }
  return largest;
}

}  // namespace

TEST_CASE("the worst attribute is first, and 50 % becomes at most what is shown") {
  for (const char* file :
       {"/specs/gallery/titanic.json", "/specs/gallery/berkeley.json", "/specs/gallery/half-copied.json"}) {
    CAPTURE(file);
    const std::string path = std::string(ODDSBOUND_SOURCE_DIR) + file;
    const Report run = evaluate_files(std::vector{path}, {});
    const auto overview = overview_of(run.specs.at(0));
    REQUIRE(overview);
    CHECK(overview->decisive == "BCDP");
    Budget budget;
    const Spec spec = read_spec(path, budget);
    std::optional<double> before;
    for (const OverviewRow& row : overview->rows) {
      const std::size_t i = *spec.model.domain.find(row.attribute);
      const Number shown = parse_number(row.half_becomes.substr(0, row.half_becomes.find(' '))) / Number(100);
      Number largest(0);
      for (std::uint64_t v = 0; v < spec.model.domain.coordinate(i).values.size(); ++v) {
        largest = std::max(largest, largest_from_half(spec.model, i, v));
      }
      CHECK(largest <= shown);
      if (spec.model.domain.coordinate(i).values.size() == 2) CHECK(shown - largest < parse_number("0.001"));
      const MeasuredLevel& level = run.specs[0].analysis.by_coordinate("bcdp")->at(i);
      CHECK((!before || level.at_least.approx() <= *before));
      before = level.at_least.approx();
      const Number factor = parse_number(row.odds_factor);
      CHECK(factor >= level.at_least.exponential());
      CHECK(factor <= level.at_least.exponential() * parse_number("1.01"));
    }
  }
}

TEST_CASE("different levels look different, equal ones alike, and bounds are rounded up") {
  const auto levels = levels_of_texts({"log(3)", "log(3 + 10^-9)", "1", "log(3)", "inf", "0"});
  const std::vector<std::string> nats = distinct_nats(levels);
  CHECK(nats[0] != nats[1]);
  CHECK(nats[0] == nats[3]);
  CHECK(nats[2] == "1");
  CHECK(nats[4] == "inf");
  CHECK(nats[5] == "0");
  const std::vector<std::string> factors = distinct_odds_factors(levels);
  CHECK(factors[0] == "3");
  CHECK(factors[1] == "3.01");
  CHECK(factors[2] == "2.72");
  CHECK(factors[4] == "inf");
  CHECK(factors[5] == "1");
  const std::vector<std::string> half = distinct_half_becomes(levels);
  CHECK(half[0] == "75 %");
  CHECK(half[1] == "75.1 %");
  CHECK(half[2] == "73.2 %");
  CHECK(half[4] == "100 %");
  CHECK(half[5] == "50 %");
  CHECK(distinct_half_becomes(levels_of_texts({"8", "16", "1000000"})) ==
        std::vector<std::string>{"99.97 %", "99.99999 %", "below 100 %"});
}

TEST_CASE("a survey of twelve questions fits forty lines of a hundred columns") {
  RenderOptions options;
  options.width = 100;
  const std::string path = ODDSBOUND_SOURCE_DIR "/tests/cli/specs/twelve-questions.json";
  const std::string text = text_analysis(evaluate_files(std::vector{path}, {}), options);
  std::size_t lines = 0;
  for (std::size_t begin = 0; begin < text.size(); ++lines) {
    const std::size_t end = text.find('\n', begin);
    CHECK(columns_of(std::string_view(text).substr(begin, end - begin)) <= 100);
    begin = end + 1;
  }
  CHECK(lines <= 40);
  CHECK(text.find("depression") != std::string::npos);
}

TEST_CASE("decimals are echoed as the spec writes them, and kept in results") {
  Budget budget;
  const std::string text = R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "values": ["a", "b"]}],
      "prior": {"type": "uniform"}, "mechanism": {"type": "k_randomized_response", "epsilon": "1"},
      "claims": [{"notion": "ldp", "epsilon": "3.1488"}, {"notion": "bcdp", "epsilon": {"x": 1.50}},
                 {"notion": "cdp", "epsilon": "5/4"}]})j";
  const SpecResult spec = evaluate(read_spec_text("spec.json", ".", text, budget), budget, {});
  CHECK(claim_words(spec.claims.at(0)).claim == "ldp <= 3.1488");
  CHECK(claim_identity(spec.claims.at(0)) == "ldp <= 1968/625");
  CHECK(claim_words(spec.claims.at(1)).claim == "bcdp x <= 1.50");
  CHECK(claim_words(spec.claims.at(2)).claim == "cdp x <= 5/4");
}

// Question i of n is answered truthfully with probability (i + 2) / (i + 3), so the last one has the largest level.
// Each is a part of a composition, on its own attribute.
TEST_CASE("the overview has a hundred rows, the worst, and counts the other attributes") {
  constexpr int kAttributes = 130;
  std::string domain, parts;
  for (int i = 0; i < kAttributes; ++i) {
    const std::string comma = i == 0 ? "" : ", ", name = "\"q" + std::to_string(i) + "\"";
    const std::string others = "\"1/" + std::to_string(i + 3) + "\"";
    const std::string truth = "\"" + std::to_string(i + 2) + "/" + std::to_string(i + 3) + "\"";
    domain += comma + "{\"name\": " + name + ", \"values\": [\"no\", \"yes\"]}";
    parts += comma + "{\"type\": \"on\", \"coordinates\": [" + name +
             "], \"mechanism\": {\"type\": \"matrix\", \"outputs\": [\"no\", \"yes\"], \"rows\": [[" + truth + ", " +
             others + "], [" + others + ", " + truth + "]]}}";
  }
  const testing::TemporaryFolder folder;
  const std::string file = folder.file("questions.json");
  std::ofstream(file) << "{\"oddsbound\": 1, \"name\": \"questions\", \"domain\": [" << domain
                      << "], \"mechanism\": {\"type\": \"compose\", \"mechanisms\": [" << parts << "]}}";
  const Report run = evaluate_files(std::vector{file}, {});
  const auto overview = overview_of(run.specs.at(0));
  REQUIRE(overview);
  REQUIRE(overview->rows.size() == 100);
  CHECK(overview->further == 30);
  CHECK(overview->rows.front().attribute == "q129");
  CHECK(overview->rows.back().attribute == "q30");
  for (const OverviewRow& row : overview->rows) CHECK(row.sides == "no rather than yes");
  CHECK(further_words(*overview).starts_with("30 more attributes"));
}
