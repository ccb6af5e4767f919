// Reports: read back from JSON, as CI output, as markup.
#include "reports/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/verify.h"
#include "reports/formats.h"
#include "reports/html/figures.h"
#include "reports/html/page.h"
#include "reports/markdown.h"
#include "reports/text.h"
#include "reports/words.h"
#include "tests/support/read_back.h"

using namespace oddsbound;
using oddsbound::testing::read_back;

namespace {

// Evaluated once for all cases of one process.
Report evaluate_gallery() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(ODDSBOUND_SOURCE_DIR "/specs/gallery")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  VerifyOptions options;
  options.figures = true;
  options.figures_wanted = false;
  return evaluate_files(files, options);
}

const Report& run_gallery() {
  static const Report run = evaluate_gallery();
  return run;
}

std::string spec_text(const std::string& label) {
  return R"j({"oddsbound": 1, "name": ")j" + label + R"j(", "domain": [{"name": ")j" + label +
         R"j(", "values": ["a", "b"]}], "prior": {"type": "uniform"},
      "mechanism": {"type": "k_randomized_response", "epsilon": "1"}, "claims": [{"notion": "ldp", "epsilon": "1/2"}]})j";
}

std::vector<Level> levels_of(const Measured& measured) {
  if (const auto* level = std::get_if<MeasuredLevel>(&measured)) return {level->at_least};
  std::vector<Level> levels;
  for (const MeasuredLevel& level : std::get<std::vector<MeasuredLevel>>(measured)) levels.push_back(level.at_least);
  return levels;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("every format tells of every claim") {
  const Report& run = run_gallery();
  const Report report = read_back(run);
  const Checks checks = checks_of(report, run.exit_status());
  CHECK(checks.list.size() == run.claims());
  for (const Format& format : formats()) {
    CAPTURE(format.name);
    const std::string text = format.of_report(report, checks, {false});
    for (const Check& check : checks.list) {
      const bool shown = format.name != "github" || check.outcome != Outcome::kPass;
      const bool plain = check.suite.find_first_of("&<>_") == std::string::npos;
      if (shown && plain) CHECK(text.find(check.suite) != std::string::npos);
    }
  }
}

TEST_CASE("facts of coordinates keep their names, whatever these are") {
  Budget budget;
  const std::string text = R"j({"oddsbound": 1, "name": "names", "domain": [{"name": "epsilon", "size": 2},
      {"name": "lower", "size": 2}], "mechanism": {"type": "k_randomized_response", "epsilon": "1"},
      "claims": [{"notion": "cdp", "epsilon": {"epsilon": "1", "lower": "2"}}]})j";
  Report run;
  run.specs.push_back(evaluate(read_spec_text("names.json", ".", text, budget), budget, VerifyOptions()));
  const Checks checks = checks_of(read_back(run), 0);
  using Facts = std::vector<std::pair<std::string, std::string>>;
  REQUIRE(checks.list.size() == 1);
  CHECK(checks.list[0].facts ==
        Facts{{"claimed epsilon", "1"}, {"claimed lower", "2"}, {"actual epsilon", "1"}, {"actual lower", "1"}});
}

TEST_CASE("both engines tell of what they decided, and of an opinion that is missing") {
  VerifyOptions options;
  options.engine = Engine::kBoth;
  const std::vector<std::string> files{ODDSBOUND_SOURCE_DIR "/specs/gallery/warner.json",
                                       ODDSBOUND_SOURCE_DIR "/specs/gallery/half-copied.json"};
  const Report both = evaluate_files(files, options);
  CHECK(both.exit_status() == 0);
  for (const SpecResult& spec : both.specs) {
    for (const ClaimResult& claim : spec.claims) CHECK(claim.decided_by == std::vector<std::string>{"exact", "smt"});
  }
  CHECK(text_verification(both, {}).find(", smt ") != std::string::npos);
  options.smt.seconds = 1e-4;
  const Report alone = evaluate_files(files, options);
  CHECK(alone.exit_status() == 3);
  CHECK(text_verification(alone, {false, true}).find("no second opinion") != std::string::npos);
}

TEST_CASE("a report says of every level and claim what the result says") {
  const Report& run = run_gallery();
  const Report report = read_back(run);
  REQUIRE(report.specs.size() == run.specs.size());
  for (std::size_t s = 0; s < run.specs.size(); ++s) {
    const SpecResult& spec = run.specs[s];
    const SpecResult& read = report.specs[s];
    CAPTURE(spec.file);
    CHECK(read.files.size() == spec.files.size());
    REQUIRE(read.analysis.levels.size() == spec.analysis.levels.size());
    for (std::size_t n = 0; n < spec.analysis.levels.size(); ++n) {
      CHECK(read.analysis.levels[n].first == spec.analysis.levels[n].first);
      CHECK(levels_of(read.analysis.levels[n].second) == levels_of(spec.analysis.levels[n].second));
    }
    if (spec.pairs && spec.pairs->inputs) CHECK(read.pairs->inputs->loss == spec.pairs->inputs->loss);
    REQUIRE(read.claims.size() == spec.claims.size());
    for (std::size_t c = 0; c < spec.claims.size(); ++c) {
      CHECK(read.claims[c].ok() == spec.claims[c].ok());
      CHECK(read.claims[c].undecided() == spec.claims[c].undecided());
      CHECK(read.claims[c].decision.holds == spec.claims[c].decision.holds);
      const auto& witness = spec.claims[c].decision.witness;
      const auto& shown = read.claims[c].decision.witness;
      REQUIRE(shown.has_value() == witness.has_value());
      if (witness) CHECK(witness_words(*shown, spec.coordinates) == witness_words(*witness, spec.coordinates));
      CHECK(read.claims[c].place.line == spec.claims[c].place.line);
    }
  }
}

TEST_CASE("every claim is a check with the outcome that the result gives it") {
  Budget budget;
  Report run;
  run.specs.push_back(evaluate(read_spec_text("a.json", ".", spec_text("x"), budget), budget, {}));
  Limits small;
  small.max_cells = 1;
  Budget little(small);
  run.specs.push_back(evaluate(read_spec_text("b.json", ".", spec_text("x"), budget), little, {}));
  run.errors.push_back(file_error("c.json", "no such file"));
  const Checks checks = checks_of(read_back(run), run.exit_status());
  REQUIRE(checks.list.size() == 3);
  CHECK(checks.list[0].outcome == Outcome::kFail);
  CHECK(checks.list[1].outcome == Outcome::kUndecided);
  CHECK(checks.list[2].outcome == Outcome::kError);
  CHECK(count(junit_report(checks), "<failure") == 1);
  CHECK(count(junit_report(checks), "<error") == 2);
  CHECK(count(github_annotations(checks), "::error ") == 2);
  CHECK(count(github_annotations(checks), "::warning ") == 1);
  CHECK(count(sarif_report(checks), "\"ruleId\"") == 3);
  CHECK(count(sarif_report(checks), "\"exitCode\": 2") == 1);
}

TEST_CASE("names stay text in HTML, in its data and in its pictures") {
  const std::string evil = "</script><img src=x onerror=alert(1)>";
  Budget budget;
  Report run;
  VerifyOptions options;
  options.figures = true;
  run.specs.push_back(evaluate(read_spec_text("a.json", ".", spec_text(evil), budget), budget, options));
  const Report report = read_back(run);
  for (const bool scripted : {false, true}) {
    const std::string html = html_report(report, checks_of(report, 1), {!scripted});
    CHECK(html.find("<img") == std::string::npos);
    CHECK(html.find("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;") != std::string::npos);
    CHECK(html.find("default-src 'none'") != std::string::npos);
    CHECK(html.find("unsafe-") == std::string::npos);
    CHECK(count(html, "<figure") == count(html, "</figure>"));
    CHECK(count(html, "<figure") >= 2);
  }
}

TEST_CASE("a cell is marked exactly where its loss is above the claim") {
  const auto marked = [](const std::string& epsilon) {
    Budget budget;
    Report run;
    VerifyOptions options;
    options.figures = true;
    const std::string text = R"j({"oddsbound": 1, "name": "k", "domain": [{"name": "x", "size": 3}],
      "mechanism": {"type": "k_randomized_response", "epsilon": "log(2)"},
      "claims": [{"notion": "ldp", "epsilon": ")j" +
                             epsilon + R"j("}]})j";
    run.specs.push_back(evaluate(read_spec_text("a.json", ".", text, budget), budget, options));
    for (const Drawing& drawing : figures_of(read_back(run).specs[0])) {
      if (drawing.marks.contains("outline")) return drawing.marks.at("outline");
    }
    return std::size_t{1000};
  };
  CHECK(marked("log(2)") == 0);
  CHECK(marked("log(1999999999999999999999/1000000000000000000000)") == 6);
}

TEST_CASE("levels are drawn over how wrong the prior may be, a figure for every claimed level and set") {
  Budget budget;
  VerifyOptions options;
  options.tolerances = true;
  const std::string text =
      R"j({"oddsbound": 1, "name": "t", "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}],
    "prior": {"type": "counts", "counts": [3, 1, 1, 3], "published": true},
    "mechanism": {"type": "per_coordinate", "mechanisms": {"a": {"type": "k_randomized_response", "epsilon": "1"}}},
    "claims": [{"notion": "bcdp", "epsilon": {"a": "1", "b": "1/2"}}]})j";
  Report run;
  run.specs.push_back(evaluate(read_spec_text("a.json", ".", text, budget), budget, options));
  std::vector<std::string> titles;
  for (const Drawing& drawing : figures_of(read_back(run).specs[0])) {
    if (!drawing.marks.contains("point")) continue;  // only sweeps have points here
    titles.push_back(drawing.title);
    CHECK(drawing.marks.at("point") == 13);
  }
  CHECK(std::count(titles.begin(), titles.end(), "a <= 1, all priors of small correlation") == 1);
  CHECK(titles.size() == 8);
}

TEST_CASE("a tiny level is no infinite one, whoever reads it") {
  Budget budget;
  Report run;
  std::string text = spec_text("x");
  text.replace(text.find("\"epsilon\": \"1\""), 14, "\"epsilon\": \"log(1 + 10^-400)\"");
  run.specs.push_back(evaluate(read_spec_text("a.json", ".", text, budget), budget, {}));
  const Report report = read_back(run);
  CHECK(rounded_nats(report.specs[0].analysis.level("ldp")->at_least) == 0);
  CHECK(html_report(report, checks_of(report, 0), {true}).find("∞") == std::string::npos);
}

TEST_CASE("results that contradict themselves are no results") {
  Budget budget;
  Report run;
  run.specs.push_back(evaluate(read_spec_text("a.json", ".", spec_text("x"), budget), budget, {}));
  std::string json = to_json(run);
  const std::string honest = "\"ok\": false";
  REQUIRE(json.find(honest) != std::string::npos);
  json.replace(json.find(honest), honest.size(), "\"ok\": true");
  CHECK_THROWS_AS(read_back(json), SpecError);
}

TEST_CASE("markup: what XML forbids and what is no UTF-8 becomes U+FFFD") {
  const std::string replacement = "\xef\xbf\xbd";
  CHECK(escaped_markup("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(escaped_markup(std::string_view("\0x\x01\x7f", 4)) == replacement + "x" + replacement + replacement);
  CHECK(escaped_markup("\xff\xc0\x80") == replacement + replacement + replacement);
  CHECK(escaped_markup("\xed\xa0\x80") == replacement + replacement + replacement);  // a surrogate
  CHECK(escaped_markup("\xef\xbf\xbe") == replacement);                              // U+FFFE
  CHECK(escaped_markup("ä€😀\n\t") == "ä€😀&#10;&#9;");
  CHECK(escaped_markup("\xf0\x9f\x98") == replacement + replacement + replacement);  // cut short
}

TEST_CASE("Markdown: no link, image, mention, table or markup begins in a name") {
  const std::string text = escaped_markdown("![x](http://a.b)|`c`\n@team <b> #1 *d* _e_ ~f~ \\g");
  for (const char c : std::string("![]|`\n@<>*_~\\")) CHECK(text.find(c) == std::string::npos);
  // Mentions and addresses are detected after entities are decoded.
  CHECK(escaped_markdown("@a") == "&#64;&#8203;a");
  CHECK(escaped_markdown("www.a") == "www&#8203;.a");
  CHECK(escaped_markdown("http://a") == "http&#58;&#8203;//a");
  CHECK(escaped_markdown("\xe2\x80\xae\xc2\x9b") == "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("a draft for the registry states what the spec does, and leaves the rest open") {
  Budget budget;
  Report run;
  const auto draft = [&](const std::string& claims) {
    const std::string text = R"j({"oddsbound": 1, "name": "A *bold* name", "description": "two\nlines: \"quoted\"",
        "domain": [{"name": "x", "values": ["a", "b"]}], "mechanism": {"type": "k_randomized_response", "epsilon": "1"},
        "claims": [)j" + claims +
                             "]}";
    run.specs = {evaluate(read_spec_text("a.json", ".", text, budget), budget, {})};
    return registry_report(run, checks_of(run, 0), {});
  };
  const std::string pure = draft(R"j({"notion": "ldp", "epsilon": "1/2"}, {"notion": "ldp", "epsilon": "log(3)"})j");
  CHECK(pure.starts_with("url_slug: \"a-bold-name\"\nstatus: Draft\ntier: 2\ndeployment:\n  basic:\n"));
  CHECK(count(pure, "variant_name: Pure DP\n") == 1);
  // log 3 = 1.09861228866810969...: rounded up.
  CHECK(count(pure, "      epsilon: 1.09861228867\n") == 1);
  CHECK(count(pure, "# data_curators: ") == 1);
  CHECK(count(pure, R"(description: "two lines: \"quoted\"")") == 1);
  CHECK(count(pure, R"(name: "A \\*bold\\* name")") == 1);
  const std::string approximate = draft(R"j({"notion": "approximate_dp", "epsilon": "1/2", "delta": "1/3"})j");
  CHECK(count(approximate, "variant_name: Approximate DP\n") == 1);
  CHECK(count(approximate, "      epsilon: 0.5\n      delta: 0.333333333334\n") == 1);
  const std::string refuted = draft(R"j({"notion": "ldp", "epsilon": "1/2"}, {"notion": "ldp", "epsilon": "inf"})j");
  CHECK(count(refuted, "variant_name: Custom\n") == 1);
  CHECK(count(refuted, "epsilon:") == 0);
  const std::string none = draft(R"j({"notion": "ldp", "epsilon": "1/2"})j");
  CHECK(count(none, "tier: 1\n") == 1);
  CHECK(count(none, "# dp_variant: ") == 1);
  run.specs.clear();
  CHECK(registry_report(run, checks_of(run, 0), {}) == "# The report has no result of a spec.\n");
}
