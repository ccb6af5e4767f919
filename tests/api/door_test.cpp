// The front door: what programs do with the library, without the command line.
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "oddsbound/oddsbound.h"

using namespace oddsbound;

namespace {

const std::string kGallery = ODDSBOUND_SOURCE_DIR "/specs/gallery/";

// The truth with probability 3/4.
Spec coin() {
  const Domain domain({{"vote", {"yes", "no"}}});
  auto spec = build("vote", domain, {"yes", "no"},
                    {{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  REQUIRE(spec);
  return *spec;
}

Arguments level(const std::string& epsilon) {
  Arguments fields;
  fields.set("epsilon", parse_level(epsilon));
  return fields;
}

}  // namespace

TEST_CASE("a spec is read from a file or a text, and what is wrong with it is a value with its place") {
  const auto file = read(File{kGallery + "warner.json"});
  REQUIRE(file);
  CHECK(file->name == "warner");
  const auto missing = read(File{"/nonexistent.json"});
  REQUIRE(!missing);
  CHECK(missing.error().place.file == "/nonexistent.json");
  const auto broken = read(Text{"{\n  \"oddsbound\": 2}", "mine.json", "."});
  REQUIRE(!broken);
  CHECK(broken.error().place.line == 2);
  CHECK(broken.error().text().find("mine.json:2:") == 0);
}

TEST_CASE("verify, analyze and render say what the command line says") {
  const auto spec = read(File{kGallery + "half-copied.json"});
  REQUIRE(spec);
  const Report report = verify(*spec);
  CHECK(report.exit_status() == 0);
  CHECK(report.claims() == spec->claims.size());
  CHECK(analyze(*spec).specs.at(0).claims.empty());
  for (const std::string& format : formats_of_reports()) CHECK(render(report, format).has_value());
  CHECK(!render(report, "pdf"));
  const auto again = read_report(Text{*render(report, "json"), "results.json"});
  REQUIRE(again);
  CHECK(*render(*again, "json") == *render(report, "json"));
  CHECK(!read_report(Text{"{}", "results.json"}));
  const std::vector<std::string> files{kGallery + "warner.json", "/nonexistent.json"};
  std::atomic<int> told = 0;
  const Report two = verify(files, {}, {{}, [&](std::uint64_t, std::uint64_t, const std::string&) { ++told; }});
  CHECK(two.specs.size() == 1);
  CHECK(two.errors.size() == 1);
  CHECK(two.exit_status() == 2);
  CHECK(told == 2);
}

TEST_CASE("a stop that was asked for, and a limit, leave claims undecided") {
  const auto spec = read(File{kGallery + "titanic.json"});
  REQUIRE(spec);
  Context context;
  std::stop_source stop;
  context.limits.stop = stop.get_token();
  CHECK(verify(*spec, {}, context).exit_status() == 0);
  stop.request_stop();
  const Report stopped = verify(*spec, {}, context);
  CHECK(stopped.undecided() == stopped.claims());
  CHECK(stopped.exit_status() == 3);
  Context small;
  small.limits.max_cells = 1;
  CHECK(verify(coin(), {}, small).exit_status() == 0);  // there is no claim to leave open
}

TEST_CASE("what is no channel cannot be built, and is told") {
  const Domain domain({{"vote", {"yes", "no"}}});
  const Number half = Number::ratio(1, 2);
  const auto error_of = [&](const std::vector<std::string>& outputs, const std::vector<std::vector<Number>>& rows) {
    const auto spec = build("vote", domain, outputs, rows);
    REQUIRE(!spec);
    return spec.error().message;
  };
  CHECK(error_of({"a", "b"}, {{half, half}}).find("found 1 rows, expected one for each of the 2 inputs") == 0);
  CHECK(error_of({"a", "b"}, {{half, half}, {half}}).find("has 1 entries, expected 2") != std::string::npos);
  CHECK(error_of({"a", "b"}, {{half, half}, {half, Number(1)}}).find("sums to 3/2") != std::string::npos);
  CHECK(error_of({"a", "b"}, {{half, half}, {Number(2), Number(-1)}}).find("negative") != std::string::npos);
  CHECK(error_of({"a", "a"}, {{half, half}, {half, half}}) == "two outputs have one label");
  CHECK(error_of({}, {{}, {}}) == "a mechanism needs at least one output");
}

TEST_CASE("claims are added by the names of notions, and decided") {
  Spec spec = coin();
  CHECK(!add_claim(spec, "ldp", level("log(3)")));
  CHECK(!add_claim(spec, "ldp", level("1"), false));
  CHECK(add_claim(spec, "lpd", level("1"))->message == "there is no notion 'lpd'");
  CHECK(add_claim(spec, "bdp", level("1"))->message.find("needs a prior") != std::string::npos);
  CHECK(add_claim(spec, "ldp", Arguments())->message.find("needs the field 'epsilon'") != std::string::npos);
  const Report report = verify(spec);
  CHECK(report.claims() == 2);
  CHECK(report.exit_status() == 0);
  CHECK(report.specs[0].claims[1].decision.witness->p_from == Number::ratio(3, 4));
}

TEST_CASE("functions are audited: a right one passes, a wrong one is contradicted, an impossible one is told") {
  Spec spec = coin();
  REQUIRE(!add_claim(spec, "ldp", level("log(3)")));
  AuditRequest request;
  request.options.samples = 100'000;
  request.options.seed = 3;
  const auto lies_once_in = [](std::uint64_t times) {
    return [times](std::uint64_t vote, RandomSource& random) { return random.word() % times != 0 ? vote : 1 - vote; };
  };
  CHECK(audit(spec, lies_once_in(4), request).exit_status() == 0);
  const Report wrong = audit(spec, lies_once_in(16), request);
  CHECK(wrong.exit_status() == 1);
  CHECK(wrong.audits.at(0).verdict() == "contradicted");
  const Report impossible = audit(
      spec, [](std::uint64_t, RandomSource&) { return std::uint64_t{7}; }, request);
  CHECK(impossible.exit_status() == 2);
  const Report thrown = audit(
      spec, [](std::uint64_t, RandomSource&) -> std::uint64_t { throw std::runtime_error("no coin"); }, request);
  CHECK(thrown.exit_status() == 2);
  CHECK(audit(spec, request).exit_status() == 0);
}

TEST_CASE("samples and estimates of them, errors to expect, searches") {
  const auto spec = read(File{kGallery + "warner.json"});
  REQUIRE(spec);
  const auto labels = sample(*spec, 0, 1000, 5);
  REQUIRE(labels);
  CHECK(labels->size() == 1000);
  CHECK(*sample(*spec, 0, 1000, 5) == *labels);
  CHECK(!sample(*spec, 99, 1));
  std::string table = "output\n";
  for (const std::string& label : *labels) table += label + "\n";
  const auto estimates = estimate(*spec, Text{table, "answers.csv"});
  REQUIRE(estimates);
  CHECK(estimates->outputs == 1000);
  CHECK(estimates->unbiased == true);
  CHECK(estimate_error(*spec, 1000)->outputs == 1000);
  CHECK(estimate(*spec, Text{"output\nmaybe\n", "answers.csv"}).error().place.line == 2);
  SearchSize size;
  size.coordinates = {2, 2};
  CHECK(search("bcdp composes", size)->exit_status() == 0);
  CHECK(!search("bcdp decomposes", size));
}

TEST_CASE("a lock of specs holds, and fails where something grew") {
  const std::string file =
      std::filesystem::temp_directory_path() / ("oddsbound-door-" + std::to_string(getpid()) + ".json");
  const auto write = [&](const std::string& epsilon) {
    write_whole(file, R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "size": 2}],
      "mechanism": {"type": "k_randomized_response", "epsilon": ")j" +
                          epsilon + "\"}}");
  };
  write("log(2)");
  const auto locked = lock({{"r.json", File{file}}});
  REQUIRE(locked);
  CHECK(check(*locked, {{"r.json", File{file}}}).exit_status == 0);
  write("log(3)");
  const Checks grown = check(*locked, {{"r.json", File{file}}});
  CHECK(grown.exit_status == 1);
  CHECK(render(grown, "sarif").has_value());
  CHECK(!render(grown, "html"));
  CHECK(check(*locked, {}).exit_status == 1);
  CHECK(check(*locked, {{"r.json", File{"/nonexistent.json"}}}).exit_status == 2);
  CHECK(!lock({{"r.json", File{"/nonexistent.json"}}}));
  std::filesystem::remove(file);
}
