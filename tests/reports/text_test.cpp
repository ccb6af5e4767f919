// Text and JSON reports that golden files do not cover: extreme numbers, hostile names, undecided parts.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "app/verify.h"
#include "reports/claim_words.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/words.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

Report run_text(const std::string& text, const Limits& limits = {}) {
  Budget budget(limits);
  Report run;
  run.specs.push_back(evaluate(read_spec_text("spec.json", ".", text, budget), budget, {}));
  return run;
}

std::string response(const std::string& epsilon, const std::string& claims = "[]") {
  return R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "values": ["a", "b"]}], "prior": {"type": "uniform"},
      "mechanism": {"type": "k_randomized_response", "epsilon": ")j" +
         epsilon + R"j("}, "claims": )j" + claims + "}";
}

}  // namespace

TEST_CASE("levels beyond the range of doubles are shown and written exactly") {
  for (const char* epsilon : {"log(1 + 10^-400)", "log(1 + 10^-5000)", "1000000", "5000*log(10)", "0", "inf"}) {
    const Report run = run_text(response(epsilon));
    CHECK(!text_analysis(run, {}).empty());
    const auto json = nlohmann::json::parse(to_json(run));
    const auto& ldp = json["specs"][0]["analysis"]["ldp"];
    CHECK(parse_level(ldp["epsilon"].get<std::string>()) == parse_level(epsilon));
    if (ldp["epsilon"] == "inf") continue;
    CHECK(Level::of_exponential(parse_number(ldp["exp"].get<std::string>())) == parse_level(epsilon));
    CHECK(parse_level(ldp["lower"].get<std::string>()) <= parse_level(epsilon));
    CHECK(parse_level(ldp["upper"].get<std::string>()) >= parse_level(epsilon));
  }
}

TEST_CASE("the exit status follows from the worst that happened") {
  Report run = run_text(response("log(3)", R"j([{"notion": "ldp", "epsilon": "log(3)"}])j"));
  CHECK(run.exit_status() == 0);
  run = run_text(response("log(3)", R"j([{"notion": "ldp", "epsilon": "1"}])j"));
  CHECK(run.exit_status() == 1);
  CHECK(run.failed() == 1);
  run.errors.resize(1);
  CHECK(run.exit_status() == 2);
  Limits small;
  small.max_cells = 1;
  run = run_text(response("log(3)", R"j([{"notion": "ldp", "epsilon": "log(3)"}])j"), small);
  CHECK(run.exit_status() == 3);
  CHECK(run.undecided() == 1);
  CHECK(run.specs[0].analysis.undecided.at("ldp").find("--max-cells") != std::string::npos);
  // The claimed level is shown, and the fingerprint is that of earlier versions, which did not show it.
  CHECK(text_verification(run, {}).find("? ldp <= log(3): undecided: ") != std::string::npos);
  CHECK(claim_identity(run.specs[0].claims.at(0)) == "ldp");
}

TEST_CASE("witnesses read as sentences") {
  const std::vector<std::string> names = {"class", "sex"};
  Witness witness{{"yes"}, std::string("crew"), std::string("1st"), Number::ratio(3, 4), Number::ratio(1, 4), "class"};
  CHECK(witness_words(witness, names) == "output `yes` is 3 times more likely from class=crew than from class=1st");
  witness.p_to = Number(0);
  CHECK(witness_words(witness, names) == "output `yes` can come from class=crew, never from class=1st");
  witness.from = std::vector<std::string>{"crew", "male"};
  witness.to = std::vector<std::string>{"1st", "male"};
  witness.coordinate.clear();
  CHECK(witness_words(witness, names) ==
        "output `yes` can come from class=crew, never from class=1st, both with sex=male");
  witness.outputs = {"a", "b", "c", "d", "e"};
  witness.p_to = witness.p_from;
  CHECK(witness_words(witness, names) ==
        "an output in {`a`, `b`, `c`, `d`, ... (5 in all)} is as likely from class=crew as from class=1st, both with "
        "sex=male");
}

TEST_CASE("of coordinates that are equal on both sides, more than three are counted") {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};
  Witness witness{{"y"},
                  std::vector<std::string>{"0", "1", "2", "3", "4"},
                  std::vector<std::string>{"1", "0", "2", "3", "4"},
                  Number(1),
                  Number(0),
                  ""};
  CHECK(witness_words(witness, names) ==
        "output `y` can come from (a=0, b=1), never from (a=1, b=0), both with c=2, d=3, e=4");
  std::get<std::vector<std::string>>(witness.to)[1] = "1";
  CHECK(witness_words(witness, names) ==
        "output `y` can come from a=0, never from a=1, both equal in the other 4 attributes");
}

TEST_CASE("a witness of many coordinates takes time in proportion to them") {
  // Quadratic time would take minutes.
  const std::vector<std::string> names(200'000, "c");
  const std::vector<std::string> from(names.size(), "0");
  std::vector<std::string> to = from;
  to.back() = "1";
  const Witness witness{{"y"}, from, to, Number(1), Number(0), ""};
  CHECK(witness_words(witness, names) ==
        "output `y` can come from c=0, never from c=1, both equal in the other 199999 attributes");
}

TEST_CASE("long levels are shown by their root where that is short") {
  CHECK(exact_text(parse_level("100*log(3)")) == "100*log(3)");
  CHECK(exact_text(parse_level("log(9)")) == "log(9)");
  CHECK(level_words(parse_level("400*log(3)")) == "400*log(3) = 439.445");
  CHECK(exact_text(parse_level("log(3^100 + 1)")).find("characters in JSON") != std::string::npos);
}
