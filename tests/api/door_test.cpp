// The public interface: what programs do with the library without the command line.
#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>

#include "api/api.h"
#include "app/verify.h"
#include "base/files.h"
#include "specs/reading.h"
#include "tests/support/temporary_folder.h"

using namespace oddsbound;
using oddsbound::testing::TemporaryFolder;

namespace {

const std::string kGallery = ODDSBOUND_SOURCE_DIR "/specs/gallery/";

// Answers truthfully with probability 3/4.
Spec coin() {
  const Domain domain({{"vote", {"yes", "no"}}});
  auto spec = build("vote", domain, {"yes", "no"},
                    {{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  REQUIRE(spec);
  return *spec;
}

bool says(const FileError& error, const char* words) { return error.text().find(words) != std::string::npos; }

const LockOptions strict{Number(0), false, true};

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

TEST_CASE("figures that a limit leaves out leave the result open if they were wanted") {
  VerifyOptions options;
  options.figures = true;
  std::stop_source stop;
  Context context;
  context.limits.stop = stop.get_token();
  stop.request_stop();
  CHECK(verify(coin(), options, context).exit_status() == 3);
  options.figures_wanted = false;
  const Report left_out = verify(coin(), options, context);
  CHECK(left_out.exit_status() == 0);
  CHECK(left_out.specs.at(0).analysis.undecided.contains("figures"));
}

TEST_CASE("engines that disagree are an error of the report") {
  Spec spec = coin();
  REQUIRE(!add_claim(spec, "ldp", level("1"), false));
  VerifyOptions options;
  options.engine = Engine::kBoth;
  CHECK(verify(spec, options).exit_status() == 0);
  options.smt.solver = [](const std::string&, const ChildLimits&) {
    SolverAnswer answer;
    answer.satisfiable = Answer::kNo;  // whatever was asked
    return answer;
  };
  const Report report = verify(spec, options);
  REQUIRE(report.errors.size() == 1);
  CHECK(report.errors[0].text().find("exact says refuted, smt says holds") != std::string::npos);
  CHECK(report.exit_status() == 2);
  // The result holds the evidence of both engines. The command line writes it to files.
  REQUIRE(report.specs.at(0).disagreements.size() == 1);
  const auto& disagreement_dumps = report.specs[0].disagreements[0].exhibits;
  REQUIRE(disagreement_dumps.size() == 2);
  CHECK(disagreement_dumps[0].text.find("exact: refuted\nmeasured at output ") == 0);
  CHECK(disagreement_dumps[1].text.find("(check-sat)") != std::string::npos);
  const TemporaryFolder folder;
  const std::vector<std::string> sentences = write_disagreement_dumps(report, folder.path().string());
  REQUIRE(sentences.size() == 1);
  for (const auto& exhibit : disagreement_dumps) {
    const std::string file = folder.file("oddsbound-disagreement-" + exhibit.name);
    CHECK(sentences[0].find(file) != std::string::npos);
    CHECK(read_file(file, Limits()) == exhibit.text);
  }
  CHECK_THROWS_AS(write_disagreement_dumps(report, folder.file("none")), std::runtime_error);
}

TEST_CASE("reports are written as they were asked for") {
  const Report report = verify(*read(File{kGallery + "half-copied.json"}));
  CHECK(render(report, "html", {true})->find("<script") == std::string::npos);
  CHECK(render(report, "html", {false})->find("<script") != std::string::npos);
  CHECK(render(report, "text", {false, true})->find('\x1b') != std::string::npos);
  CHECK(render(report, "text")->find('\x1b') == std::string::npos);
  CHECK(render(report, "sarif")->find("\"exitCode\": 0") != std::string::npos);
  CHECK(render(report, "sarif", {false, false, 2})->find("\"exitCode\": 2") != std::string::npos);
}

TEST_CASE("limits hold for whatever is read, sampled from and estimated") {
  Context small;
  small.limits.max_inputs = 1;
  const Text text{R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}})j"};
  const Text listing{R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "truncated_geometric", "epsilon": "log(3)"}})j"};
  CHECK(says(read(File{kGallery + "mangat.json"}, small).error(), "--max-inputs"));
  CHECK(says(read(listing, small).error(), "--max-inputs"));
  CHECK(read(text, small));  // inputs of this family are not listed
  Context hurried;
  hurried.limits.max_seconds = 1e-9;
  const auto spec = read(text);
  REQUIRE(spec);
  CHECK(says(estimate(*spec, Text{"output\n0\n"}, {}, hurried).error(), "--max-seconds"));
  CHECK(says(estimate_error(*spec, 10, {}, hurried).error(), "--max-seconds"));
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

TEST_CASE("a stop leaves something known of every level that is searched, and names the files that were not come to") {
  const auto spec = read(File{kGallery + "house-votes.json"});
  REQUIRE(spec);
  std::stop_source stop;
  Context context;
  context.limits.stop = stop.get_token();
  stop.request_stop();
  const Report stopped = analyze(*spec, {}, context);
  CHECK(stopped.exit_status() == 3);
  const auto* levels = stopped.specs.at(0).analysis.by_coordinate("bcdp");
  REQUIRE(levels != nullptr);
  CHECK(levels->size() == 17);
  for (const MeasuredLevel& level : *levels) {
    REQUIRE(level.unfinished);
    CHECK(level.nodes == 0);
    CHECK(level.at_least == level_between(level.witness.get().p_from, level.witness.get().p_to));
    CHECK(level.at_least < level.at_most());
  }
  const std::vector<std::string> files{kGallery + "warner.json", "/nonexistent.json"};
  const Report none = verify(files, {}, context);
  CHECK(none.exit_status() == 3);
  REQUIRE(none.errors.size() == 2);
  CHECK(none.wrong_files() == 0);
  CHECK(none.errors[1].message == "the work was stopped before this was read");
  CHECK(render(none, "text")->find("2 files not reached") != std::string::npos);
  CHECK(render(none, "junit")->find("stopped") != std::string::npos);
  const auto again = read_report(Text{*render(none, "json"), "results.json"});
  REQUIRE(again);
  CHECK(again->exit_status() == 3);
}

TEST_CASE("a search tells how far it is") {
  const auto spec = read(File{kGallery + "house-votes.json"});
  REQUIRE(spec);
  std::mutex mutex;
  std::vector<std::string> told;
  Context context;
  context.limits.max_seconds = 1;
  context.progress = [&](std::uint64_t, std::uint64_t, const std::string& at) {
    const std::lock_guard lock(mutex);
    told.push_back(at);
  };
  analyze(*spec, {}, context);
  REQUIRE(!told.empty());
  const std::string& last = told.back();
  CHECK(last.find("house-votes: bcdp ") != std::string::npos);
  CHECK(last.find(" nodes") != std::string::npos);
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
  CHECK(wrong.audits.at(0).file == spec.file);
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
  const InputList inputs = *find_input(*spec, Text{"yes"});
  SampleOptions options{1000, 5};
  const auto samples = sample(*spec, inputs, options);
  REQUIRE(samples);
  CHECK(std::get<0>(samples->outputs).size() == 1000);
  CHECK(to_json(*sample(*spec, inputs, options)) == to_json(*samples));
  options.tally = true;
  std::uint64_t counted = 0;
  const auto tallied = sample(*spec, inputs, options);
  for (const DrawnOutput& drawn : std::get<1>(tallied->outputs)) counted += drawn.count;
  CHECK(counted == 1000);
  CHECK(!sample(*spec, std::vector<std::uint64_t>{99}));
  const auto estimates = estimate(*spec, Text{text_samples(*samples), "answers.csv"});
  REQUIRE(estimates);
  CHECK(estimates->outputs == 1000);
  CHECK(estimates->unbiased == true);
  CHECK(estimate_error(*spec, 1000)->outputs == 1000);
  EstimateOptions people;
  people.people_for = "1/20";
  const auto enough = estimate_error(*spec, 0, people);
  REQUIRE(enough);
  REQUIRE(enough->people_for);
  CHECK(enough->outputs == enough->people_for->enough);
  CHECK(enough->total_variation->at_most <= 0.05);
  people.people_for = "-1";
  CHECK(says(estimate_error(*spec, 0, people).error(), "above 0"));
  const auto halves = split({{}, {{"a", "1"}, {"b", "1"}}, {}, ""});
  REQUIRE(halves);
  CHECK(halves->exit_status() == 0);
  CHECK(halves->splits.size() == 3);
  CHECK(says(split({}).error(), "found no levels"));
  CHECK(estimate(*spec, Text{"output\nmaybe\n", "answers.csv"}).error().place.line == 2);
  const auto at_level = [](const Level& level) {
    SearchOptions asked;
    asked.level = level;
    return asked;
  };
  const auto found = search("bcdp composes");
  CHECK(found->exit_status() == 1);
  CHECK(found->specs.at(0).name == "not-bcdp-composes-premise.json");
  CHECK(search("bcdp decomposes").error().message.find("did you mean 'bcdp composes'?") != std::string::npos);
  CHECK(search("bcdp composes", at_level(Level())));
  CHECK(!search("bcdp composes", at_level(parse_level("1"))));
  CHECK(!search("bcdp post-processes", at_level(parse_level("log(2)"))));
}

TEST_CASE("parameters are tuned, and written as they were asked for") {
  TuneRequest request;
  request.parameter = "p";
  request.smallest = true;
  request.claims = {"odds of 3"};
  const File file{std::string(ODDSBOUND_SOURCE_DIR) + "/tests/cli/specs/flip.json"};
  const Expected<TuneResult> found = tune(file, request);
  REQUIRE(found);
  CHECK(found->points[*found->holds_at()].value.text() == "1/4");
  CHECK(render(*found, "json") == to_json(*found));
  CHECK(render(*found, "text") == text_tune(*found));
  CHECK(render(*found, "html", {true, false, std::nullopt})->find("holds at 1/4 = 0.25") != std::string::npos);
  CHECK(!render(*found, "sarif"));
  request.parameter = "q";
  CHECK(!tune(file, request));
  CHECK(!tune(File{"no-such-file.json"}, request));
  CHECK(tune(Text{"{", "a.json"}, request).error().place.file == "a.json");
}

TEST_CASE("designs are compared, and written as they were asked for") {
  const std::vector<std::string> files{kGallery + "warner.json", kGallery + "no-such-spec.json",
                                       kGallery + "mangat.json"};
  std::uint64_t told = 0;
  const DesignComparison found =
      compare(files, 10, {{}, [&](std::uint64_t, std::uint64_t, const std::string&) { ++told; }});
  CHECK(told == 3);
  CHECK(found.designs.size() == 2);
  CHECK(found.errors.size() == 1);
  CHECK(render(found, "json") == to_json(found));
  CHECK(render(found, "text") == text_comparison(found));
  CHECK(render(found, "html", {true, false, std::nullopt})->find("ldp against error of shares") != std::string::npos);
  CHECK(!render(found, "sarif"));
  const std::vector<std::string> paths{files[0], files[2]};
  std::vector<Spec> specs;
  for (const std::string& path : paths) specs.push_back(*read(File{path}));
  CHECK(to_json(compare(specs, 10)) == to_json(compare(paths, 10)));
}

TEST_CASE("a table becomes a spec, and what is wrong with it has a place") {
  NewSpecRequest request;
  request.table = kGallery + "data/titanic.csv";
  request.epsilon = "log(3)";
  request.count = "count";
  request.hidden = {"survived"};
  request.file = kGallery + "new.json";
  const Expected<NewSpec> made = new_spec(request);
  REQUIRE(made);
  const auto spec = read(Text{made->text, "new.json", kGallery});
  REQUIRE(spec);
  CHECK(verify(*spec).exit_status() == 0);
  request.epsilon = "0";
  CHECK(new_spec(request).error().place.file == "--epsilon '0'");
  request.epsilon = "1";
  request.table += "x";
  CHECK(new_spec(request).error().place.file == request.table);
}

TEST_CASE("inputs to sample for are found, read and drawn, and what is wrong with them is told") {
  const auto spec = read(File{kGallery + "half-copied.json"});
  REQUIRE(spec);
  CHECK(*find_input(*spec, Text{"1,0"}) == std::vector<std::uint64_t>{2});
  CHECK(*find_input(*spec, Text{"1"}) == std::vector<std::uint64_t>{1});  // x2, the only coordinate read
  CHECK(find_input(*spec, Text{"1,0,1", "--input"}).error().place.file == "--input");
  CHECK(*read_inputs(*spec, Text{"x2,x1\n1,0\n0,1\n"}) == std::vector<std::uint64_t>{1, 2});
  CHECK(read_inputs(*spec, Text{"x1,x2\n0,1\n0,9\n", "people.csv"}).error().place.line == 3);
  CHECK(draw_inputs(*spec, 100, 1)->size() == 100);
  CHECK(*draw_inputs(*spec, 100, 1) == *draw_inputs(*spec, 100, 1));
  CHECK(!draw_inputs(coin(), 1));
  const auto symbols = read(File{ODDSBOUND_SOURCE_DIR "/specs/parametric/warner.json"});
  REQUIRE(symbols);
  CHECK(sample(*symbols, std::vector<std::uint64_t>{0}).error().place.pointer == "/symbols");
  CHECK(!draw_inputs(*symbols, 1));
}

TEST_CASE("samples come in pieces, joined to one result, until who takes them has enough or asks for a stop") {
  const Spec spec = coin();
  const std::vector<std::uint64_t> inputs{0, 1};
  const SampleOptions options{200'000, 1};
  std::uint64_t done = 0;
  const Context context{{}, [&](std::uint64_t drawn, std::uint64_t, const std::string&) { done = drawn; }};
  const auto whole = sample(spec, inputs, options, context);
  REQUIRE(whole);
  CHECK(std::get<0>(whole->outputs).size() == 400'000);
  CHECK(done == 400'000);
  SampleWriter writer(false);
  std::string text;
  const auto take = [&](const SampleResult& piece) {
    text += writer.piece(piece);
    return true;
  };
  CHECK(*sample_in_pieces(spec, inputs, take, options));
  CHECK(text + writer.end() == text_samples(*whole));
  CHECK(!*sample_in_pieces(
      spec, inputs, [](const SampleResult&) { return false; }, options));
  std::stop_source stop;
  Context stopped;
  stopped.limits.stop = stop.get_token();
  stop.request_stop();
  CHECK(!sample(spec, inputs, options, stopped));
  CHECK(search("bcdp composes", {}, stopped)->exit_status() == 3);
  CHECK(sample(spec, inputs, {std::uint64_t{1} << 50}).error().message == "more than 2^50 draws");
  const auto vectors = read(File{kGallery + "duchi-l2-ball.json"});
  REQUIRE(vectors);
  CHECK(std::get<2>(sample(*vectors, inputs, {3, 1})->outputs).size() == 6);
  CHECK(!sample(*vectors, inputs, {3, 1, true}));
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
  CHECK(check(*locked, measure({{"r.json", File{file}}}, *locked)).exit_status == 0);
  write("log(3/2)");
  CHECK(check(*locked, measure({{"r.json", File{file}}}, *locked)).exit_status == 0);
  CHECK(check(*locked, measure({{"r.json", File{file}}}, *locked), strict).exit_status == 1);
  write("log(3)");
  const Checks grown = check(*locked, measure({{"r.json", File{file}}}, *locked));
  CHECK(grown.exit_status == 1);
  CHECK(render(grown, "sarif").has_value());
  CHECK(!render(grown, "html"));
  CHECK(check(*locked, measure({}, *locked)).exit_status == 1);
  CHECK(check(*locked, measure({{"r.json", File{"/nonexistent.json"}}}, *locked)).exit_status == 2);
  CHECK(!lock({{"r.json", File{"/nonexistent.json"}}}));
  Lock now = *read_lock(Text{lock_text(*locked)});
  CHECK(now.specs == locked->specs);
  CHECK(!read_lock(Text{"{}"}));
  const MeasuredSpecs measured = measure({{"r.json", File{file}}});
  const auto changes = accept(now, measured, "as was decided");
  REQUIRE(changes);
  CHECK(now.accepted.at(0).changes == *changes);
  CHECK(changes->back().find("ldp grew from log(2)") != std::string::npos);
  CHECK(check(now, measured, strict).exit_status == 0);
  CHECK(accept(now, measured, "once more")->empty());
  CHECK(now.accepted.size() == 1);
  std::filesystem::remove(file);
}

TEST_CASE("shuffled reports are locked by their claims and by their content") {
  const File file{kGallery + "shuffled-answers.json"};
  const auto now = lock({{"s.json", file}});
  REQUIRE(now);
  CHECK(check(*now, measure({{"s.json", file}}), {}).exit_status == 0);
  CHECK(lock_text(*now).find("by_content") != std::string::npos);
}

TEST_CASE("nothing is locked of what is wrong or undecided, and what is missing is dropped") {
  const std::string file = kGallery + "titanic.json";
  Lock now = *lock({{"t.json", File{file}}, {"w.json", File{kGallery + "warner.json"}}});
  const std::string before = lock_text(now);
  Context small;
  small.limits.max_cells = 1;
  std::uint64_t told = 0;
  small.progress = [&](std::uint64_t begun, std::uint64_t, const std::string&) { told = begun; };
  const MeasuredSpecs open = measure({{"t.json", File{file}}}, {}, small);
  CHECK(told == 1);
  CHECK(renew(now, open)->message.find("is undecided, and cannot be locked: ") != std::string::npos);
  CHECK(!accept(now, open, "in a hurry"));
  CHECK(renew(now, measure({{"n.json", File{"/nonexistent.json"}}}))->place.file == "/nonexistent.json");
  CHECK(lock_text(now) == before);
  MeasuredSpecs rest;
  rest.missing = {"w.json"};
  CHECK(renew(now, rest));  // a missing spec is accepted with a reason only
  CHECK(accept(now, rest, "not asked any more"));
  CHECK(now.specs.size() == 1);
}

TEST_CASE("keys of locks keep the words of the first locks for sets of priors") {
  const MeasuredSpecs now =
      measure({{"t.json", File{ODDSBOUND_SOURCE_DIR "/specs/sets-of-priors/titanic-wrong-table.json"}}});
  std::string keys;
  for (const auto& [key, level] : now.specs.at("t.json").levels) keys += key + "\n";
  CHECK(keys.find("but for a share of 1/100") != std::string::npos);
  CHECK(keys.find("fraction") == std::string::npos);
}

TEST_CASE("a lock of format 1 is converted for a reason, and a spec that moved keeps its promises") {
  const File file{kGallery + "half-copied.json"};
  Lock earlier;
  earlier.format = 1;
  earlier.paths = {"h.json"};
  const MeasuredSpecs now = measure({{"h.json", file}});
  LockedSpec& locked = earlier.specs["h.json"];
  locked.content = now.specs.at("h.json").content_hash;
  for (const auto& [key, level] : now.specs.at("h.json").levels) locked.levels[key] = level.upper.to_string();
  earlier.accepted.push_back({"then", {"elsewhere.json: bcdp x1 grew from log(1234/777) to 1"}});
  CHECK(check(earlier, now).exit_status == 0);
  CHECK(renew(earlier, now)->message.find("format 1") != std::string::npos);
  CHECK(!accept(earlier, now, "why"));
  Lock lower = earlier;
  lower.specs.at("h.json").levels.at("ldp") = "0";
  CHECK(upgrade(lower, now, "why")->message.find("ldp grew from 0") != std::string::npos);
  Lock gone = earlier;
  MeasuredSpecs nothing;
  nothing.missing = {"h.json"};
  CHECK(upgrade(gone, nothing, "why"));
  CHECK(upgrade(gone, MeasuredSpecs(), "why"));
  REQUIRE(!upgrade(earlier, now, "promises"));
  CHECK(earlier.format == 2);
  CHECK(earlier.accepted.at(0).changes.at(0).find("1234") == std::string::npos);
  CHECK(check(earlier, now, strict).exit_status == 0);
  CHECK(upgrade(earlier, now, "again")->message.find("format 2 already") != std::string::npos);
  const std::map<std::string, std::string> promised = earlier.specs.at("h.json").levels;
  MeasuredSpecs moved;
  moved.specs["m.json"] = now.specs.at("h.json");
  moved.missing = {"h.json"};
  CHECK(!renew(earlier, moved));
  CHECK(earlier.specs.size() == 1);
  CHECK(earlier.specs.at("m.json").levels == promised);
}

TEST_CASE("an analysis has a certificate where one is asked for") {
  const auto spec = read(File{kGallery + "half-copied.json"});
  REQUIRE(spec);
  CHECK(!analyze(*spec).specs[0].certificate);
  VerifyOptions options;
  options.certificate = true;
  const Report report = analyze(*spec, options);
  REQUIRE(report.specs[0].certificate);
  CHECK(report.specs[0].certificate->coordinates.size() == 2);
  CHECK(report.exit_status() == 0);
}
