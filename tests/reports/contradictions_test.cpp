// A result that contradicts itself, or whose parts do not fit together, is rejected: a report about it would state
// values that nobody measured.

#include <doctest/doctest.h>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/verify.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::read_back;

namespace {

using Json = nlohmann::ordered_json;

Json verified_file(const std::string& file) {
  VerifyOptions options;
  options.figures = true;
  return Json::parse(to_json(evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/" + file}, options)));
}

Json verified(const std::string& name) { return verified_file("specs/gallery/" + name + ".json"); }

Json& analysis(Json& document) { return document["specs"][0]["analysis"]; }
Json& claim(Json& document, std::size_t index) { return document["specs"][0]["claims"][index]; }

void check_refused(const Json& whole, const std::function<void(Json&)>& change) {
  Json document = whole;
  change(document);
  CHECK_THROWS_AS(read_back(document.dump()), SpecError);
}

// half-copied: claims about cdp and bcdp, which hold, and about bcdp of x1, which is refuted.
const Json& half_copied() {
  static const Json document = verified("half-copied");
  return document;
}

}  // namespace

TEST_CASE("two sides of a witness have as many values") {
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["witness"]["to"] = {"0"}; });
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["witness"]["from"] = Json::array(); });
}

TEST_CASE("an event of too many outputs is that of the likelihood ratio") {
  const Json whole = verified_file("tests/cli/specs/forty-attributes.json");
  std::size_t events = 0;
  for (std::size_t c = 0; c < whole["specs"][0]["claims"].size(); ++c) {
    Json honest = whole;
    Json& actual = claim(honest, c)["actual"];
    if (!actual.is_object() || !actual.contains("witness") || !actual["witness"].contains("event")) continue;
    ++events;
    CHECK_NOTHROW(read_back(honest.dump()));
    check_refused(whole, [c](Json& document) { claim(document, c)["actual"]["witness"]["event"] = "any output"; });
    check_refused(whole, [c](Json& document) { claim(document, c)["actual"]["witness"]["event"] = true; });
  }
  CHECK(events > 0);
}

TEST_CASE("a level is what its exponential and its witness say") {
  CHECK_NOTHROW(read_back(half_copied().dump()));
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["exp"] = "77"; });
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["epsilon"] = "inf"; });
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["witness"]["p_from"] = "1/999"; });
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["witness"]["p_to"] = "0"; });
  check_refused(half_copied(),
                [](Json& document) { analysis(document)["proposition_4"]["x1"]["epsilon"] = "log(77)"; });
  check_refused(half_copied(), [](Json& document) {
    Json& level = analysis(document)["ldp"];
    level = {{"epsilon", "inf"}, {"witness", level["witness"]}};
    level["witness"]["p_from"] = level["witness"]["p_to"] = "0";
  });
}

TEST_CASE("averages and effects are probabilities, guesses no worse for what is known, and decimals in their order") {
  VerifyOptions options;
  options.effects = true;
  const Json whole = Json::parse(to_json(
      evaluate_files(std::vector<std::string>{ODDSBOUND_SOURCE_DIR "/specs/gallery/half-copied.json"}, options)));
  CHECK_NOTHROW(read_back(whole.dump()));
  const auto refused = [&](const std::function<void(Json&)>& change) {
    check_refused(whole, [&](Json& document) { change(document["specs"][0]["effects"]["attributes"]["x1"]); });
  };
  refused([](Json& effects) { effects["average"]["guess_before"] = "0"; });
  refused([](Json& effects) { effects["average"]["guess_after"] = "1/1000"; });
  refused([](Json& effects) { effects["average"]["total_variation"] = "7"; });
  refused([](Json& effects) { effects["average"]["information"]["upper"] = "<b>"; });
  refused([](Json& effects) { effects["average"]["information"]["lower"] = "5"; });
  refused([](Json& effects) { effects["average"]["information"]["lower"] = "-1"; });
  refused([](Json& effects) { effects["worst"]["posterior"] = "3/2"; });
  refused([](Json& effects) { effects["prior"] = "-1/2"; });
  check_refused(whole, [](Json& document) { document["specs"][0]["effects"]["attributes"].erase("x1"); });
}

TEST_CASE("an infinite level has infinite decimals, or none as in older documents") {
  const std::string file = ODDSBOUND_SOURCE_DIR "/tests/cli/specs/certain.json";
  const Json whole = Json::parse(to_json(evaluate_files(std::vector{file}, {})));
  CHECK(whole["specs"][0]["analysis"]["ldp"]["upper"] == "inf");
  CHECK_NOTHROW(read_back(whole.dump()));
  Json older = whole;
  for (const char* key : {"lower", "upper"}) analysis(older)["ldp"].erase(key);
  CHECK_NOTHROW(read_back(older.dump()));
  check_refused(whole, [](Json& document) { analysis(document)["ldp"]["lower"] = "1000"; });
  check_refused(whole, [](Json& document) { analysis(document)["ldp"]["exp"] = "3"; });
  check_refused(half_copied(), [](Json& document) { analysis(document)["ldp"]["upper"] = "inf"; });
}

TEST_CASE("a level between two bounds is above the first, below the second, and open to what lies between") {
  const auto between = [](Json& level, const std::string& at_most) {
    Json whole{{"at_least", {{"exp", level["exp"]}, {"epsilon", level["epsilon"]}}}};
    whole["at_most"]["epsilon"] = at_most;
    whole["reason"] = "the time limit was reached";
    whole["witness"] = level["witness"];
    level = whole;
  };
  Json open = half_copied();
  between(analysis(open)["bcdp"]["x1"], "inf");
  CHECK_NOTHROW(read_back(open.dump()));
  check_refused(half_copied(), [&](Json& document) { between(analysis(document)["bcdp"]["x1"], "0"); });
  check_refused(open, [](Json& document) { analysis(document)["bcdp"]["x1"].erase("at_most"); });
  check_refused(open, [](Json& document) { analysis(document)["bcdp"]["x1"].erase("reason"); });
  check_refused(open, [](Json& document) { analysis(document)["bcdp"]["x1"]["at_most"]["exp"] = "3"; });
  check_refused(open, [](Json& document) { analysis(document)["bcdp"]["x1"]["lower"] = "77"; });
  check_refused(open, [](Json& document) { analysis(document)["bcdp"]["x1"]["witness"]["p_to"] = "1/999"; });
  // The second claim holds because the level of x1 is known. It does not if the level may be larger.
  check_refused(half_copied(), [&](Json& document) { between(claim(document, 1)["actual"]["x1"], "inf"); });
  // The third claim is refuted either way.
  Json refuted = half_copied();
  between(claim(refuted, 2)["actual"]["x1"], "inf");
  CHECK_NOTHROW(read_back(refuted.dump()));
}

TEST_CASE("no coordinate is left out of a report") {
  check_refused(half_copied(), [](Json& document) { document["specs"][0]["coordinates"] = {"x1"}; });
  check_refused(half_copied(), [](Json& document) { document["specs"][0]["coordinates"] = {"x1", "x1"}; });
  check_refused(half_copied(), [](Json& document) {
    document["specs"][0]["coordinates"] = {"x1"};
    for (const char* key : {"cdp", "bcdp", "correlation", "proposition_4", "correlation_between"}) {
      analysis(document)[key].erase("x2");
    }
  });
}

TEST_CASE("what is true is about what was claimed") {
  // No actual value for a claimed coordinate.
  check_refused(half_copied(), [](Json& document) { claim(document, 0)["actual"] = Json::object(); });
  check_refused(half_copied(), [](Json& document) { claim(document, 0)["actual"].erase("x1"); });
  // A claim about fewer coordinates, or of another form.
  check_refused(half_copied(), [](Json& document) { claim(document, 0)["claimed"].erase("x1"); });
  check_refused(half_copied(), [](Json& document) {
    claim(document, 0)["notion"] = "ldp";
    claim(document, 0)["claimed"] = "1";
  });
  check_refused(half_copied(), [](Json& document) {
    claim(document, 0)["actual"] = {{"delta", "0"}, {"witness", analysis(document)["ldp"]["witness"]}};
  });
  check_refused(half_copied(), [](Json& document) { claim(document, 0)["actual"] = {{"kernel", {{"1"}}}}; });
  // A claim that holds has no witness against it.
  check_refused(half_copied(), [](Json& document) { claim(document, 0)["witness"] = claim(document, 2)["witness"]; });
}

TEST_CASE("a kernel shows that a claim holds, a gain that it does not") {
  const Json post = verified("post-processing");
  CHECK_NOTHROW(read_back(post.dump()));
  std::size_t kernels = 0, gains = 0;
  for (std::size_t c = 0; c < post["specs"][0]["claims"].size(); ++c) {
    const Json& own = post["specs"][0]["claims"][c];
    if (own["notion"] != "post_processing_of") continue;
    own["verdict"] == "holds" ? ++kernels : ++gains;
    check_refused(post, [c](Json& document) {
      claim(document, c)["verdict"] = claim(document, c)["verdict"] == "holds" ? "refuted" : "holds";
      claim(document, c)["ok"] = claim(document, c)["verdict"] == claim(document, c)["expect"];
    });
    if (own["verdict"] == "holds") continue;
    check_refused(post, [c](Json& document) {
      claim(document, c)["witness"]["best_of_the_other"] = claim(document, c)["witness"]["value"];
    });
  }
  CHECK(kernels > 0);
  CHECK(gains > 0);
}

TEST_CASE("counts are counts, and those of the summary are of the claims that are there") {
  check_refused(half_copied(), [](Json& document) { document["specs"][0]["inputs"] = -4; });
  check_refused(half_copied(), [](Json& document) { document["specs"][0]["inputs"] = "7/2"; });
  check_refused(half_copied(), [](Json& document) { document["specs"][0]["outputs"] = -1; });
  check_refused(half_copied(), [](Json& document) { document["summary"]["failed"] = 5; });
  check_refused(half_copied(), [](Json& document) { document["specs"][0]["claims"].erase(2); });
  check_refused(half_copied(), [](Json& document) { document["specs"].erase(0); });
}
