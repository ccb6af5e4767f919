// As in a program of a user: the public header alone, with everything of std and of the library in scope, and a name of
// its own for what the library calls otherwise inside.
#include <doctest/doctest.h>
#include <oddsbound/oddsbound.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <random>

using namespace std;
using namespace oddsbound;

namespace {

// Names of folders of the library.
namespace base {}
namespace specs {}
namespace reports {}
struct Budget {};
struct Channel {};

const string kSource = ODDSBOUND_SOURCE_DIR;
const string kGallery = kSource + "/specs/gallery/";

// Answers truthfully with probability 3/4.
Spec coin() {
  const Domain domain({{"vote", {"yes", "no"}}});
  auto spec = build("vote", domain, {"yes", "no"},
                    {{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}},
                    {Number(1), Number(3)});
  REQUIRE(spec);
  return *spec;
}

Arguments epsilon(const string& level) {
  Arguments fields;
  fields.set("epsilon", parse_level(level));
  return fields;
}

}  // namespace

TEST_CASE("a spec that is built is verified, and a copy keeps its own claims") {
  Spec spec = coin();
  const Spec without = spec;
  REQUIRE(!add_claim(spec, "ldp", epsilon("1")));
  REQUIRE(!add_claim(spec, "ldp", epsilon("log(3)")));
  Arguments by_coordinate;
  by_coordinate.set("epsilon", vector<optional<Level>>{parse_level("log(3)")});
  REQUIRE(!add_claim(spec, "bcdp", by_coordinate));
  CHECK(add_claim(spec, "nothing", epsilon("1")));
  CHECK(spec.name() == "vote");
  CHECK(spec.claims() == 3);
  CHECK(without.claims() == 0);
  CHECK(spec.coordinates().at(0).values == vector<string>{"yes", "no"});
  const Report report = verify(spec);
  CHECK(report.exit_status() == 1);
  const vector<ClaimResult>& claims = report.specs.at(0).claims;
  REQUIRE(claims.at(0).verdict == Verdict::kRefuted);
  REQUIRE(claims[0].decision.witness);
  CHECK(claims[0].decision.witness->p_from == Number::ratio(3, 4));
  CHECK(claims.at(1).verdict == Verdict::kHolds);
  const Report levels = analyze(spec);
  const auto ldp = find_if(levels.specs.at(0).levels.begin(), levels.specs[0].levels.end(),
                           [](const MeasuredLevel& level) { return level.notion == "ldp"; });
  REQUIRE(ldp != levels.specs[0].levels.end());
  CHECK(ldp->at_least == parse_level("log(3)"));
  CHECK(ldp->at_most == ldp->at_least);
}

TEST_CASE("errors are values with their place, and limits leave results undecided") {
  CHECK(read(File{"/nonexistent.json"}).error().place.file == "/nonexistent.json");
  CHECK(read(Text{"{\n  \"oddsbound\": 2}", "mine.json"}).error().place.line == 2);
  CHECK(!build("none", Domain(vector<Coordinate>{}), {"a"}, {}));
  CHECK(!build("sum", Domain({Coordinate{"x", {"0"}}}), {"a"}, {{Number::ratio(1, 2)}}));
  const auto spec = read(File{kGallery + "titanic.json"});
  REQUIRE(spec);
  stop_source stop;
  Context context;
  context.limits.stop = stop.get_token();
  stop.request_stop();
  CHECK(verify(*spec, {}, context).exit_status() == 3);
  const vector<string> files{kGallery + "warner.json", "/nonexistent.json"};
  const Report two = verify(files);
  CHECK(two.specs.size() == 1);
  CHECK(two.errors.size() == 1);
}

TEST_CASE("results are written in every format, and read back") {
  VerifyOptions options;
  options.claim_certificates = true;
  const Report report = verify(*read(File{kGallery + "warner.json"}), options);
  CHECK(report.specs.at(0).claim_certificate);
  for (const string& format : formats_of_reports()) CHECK(render(report, format));
  CHECK(!render(report, "pdf"));
  const auto again = read_report(Text{*render(report, "json"), "results.json"});
  REQUIRE(again);
  CHECK(again->render("json") == report.render("json"));
}

TEST_CASE("samplers are audited, in parts and as a whole") {
  Spec spec = coin();
  AuditRequest request;
  request.options.samples = 100'000;
  request.options.seed = 7;
  const auto truthful = [](uint64_t vote, RandomSource& random) { return random.word() % 4 != 0 ? vote : 1 - vote; };
  CHECK(audit(spec, truthful, request).audits.at(0).verdict() == "passes");
  const auto many = [](span<const uint64_t> inputs, RandomSource& random, span<uint64_t> outputs) {
    for (size_t i = 0; i < inputs.size(); ++i) outputs[i] = random.word() % 8 != 0 ? inputs[i] : 1 - inputs[i];
  };
  CHECK(audit_batches(spec, many, request).audits.at(0).verdict() == "deviates");
  CHECK(audit(spec, request).exit_status() == 0);
  request.spec = kGallery + "warner.json";
  const auto plan = plan_runs(request, 0.1);
  REQUIRE(plan);
  CHECK(plan->samples > 0);
  CHECK(audit_exhaustively(vector<string>{request.spec}).exit_status() == 0);
  CHECK(merge_shards(vector<string>{"/nonexistent.json"}).exit_status() == 2);
  CHECK(!read_plan(File{"/nonexistent.json"}));
}

TEST_CASE("outputs are drawn, and estimated from") {
  const Spec spec = coin();
  const InputList inputs(vector<uint64_t>(1000, 1));
  SampleOptions options;
  options.seed = 5;
  const auto drawn = sample(spec, inputs, options);
  REQUIRE(drawn);
  CHECK(get<vector<string>>(drawn->outputs).size() == 1000);
  const auto estimates = estimate(spec, Text{*drawn->render("text"), "drawn.csv"});
  REQUIRE(estimates);
  CHECK(estimates->estimates.at(1).value > 0.8);
  CHECK(estimate_error(spec, 100)->exit_status() == 0);
  EstimateOptions people;
  people.people_for = "1/20";
  CHECK(estimate_error(spec, 0, people)->render("json")->find("\"enough\"") != std::string::npos);
  CHECK(!estimate_error(spec, 100, people));
  CHECK(split({{{"", "1/10"}}, {{"age", "1"}, {"job", "2"}}})->render("text")->find("proposition 6") !=
        std::string::npos);
  CHECK(!split({}));
  CHECK(!least_squares(spec, Text{"output\n"}, {{}, "vote", 1}));
  CHECK(find_input(spec, Text{"yes", "input"})->size() == 1);
  CHECK(draw_inputs(spec, 10, 1)->size() == 10);
  CHECK(read_inputs(spec, Text{"vote\nyes\n", "votes.csv"})->size() == 1);
  CHECK(sampled_parts(spec)->parts.at(0).labels == vector<string>{"yes", "no"});
  options.tally = true;
  size_t pieces = 0;
  CHECK(*sample_in_pieces(
      spec, inputs, [&](const SampleResult& piece) { return pieces += get<1>(piece.outputs).size(); }, options));
  CHECK(pieces == 2);
}

TEST_CASE("parameters are tuned, specs compared, counterexamples found, specs made, designed and repaired") {
  TuneRequest request;
  request.parameter = "/mechanism/epsilon";
  request.from = Number(0);
  request.to = Number(4);
  const auto tuned = tune(Text{R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "k_randomized_response", "epsilon": "1"}, "claims": [{"notion": "ldp", "epsilon": "1"}]})j"},
                          request);
  REQUIRE(tuned);
  CHECK(tuned->holds_at == Number(1));
  const vector<string> files{kGallery + "warner.json", kGallery + "half-copied.json"};
  CHECK(compare(files, 10).exit_status() == 0);
  CHECK(compare(vector<Spec>{coin(), coin()}, 10).render("text"));
  ComposeOptions twice;
  twice.times = {1, 1};
  twice.delta = Number::ratio(1, 16);
  twice.epsilon = parse_level("log(5)");
  const auto together = compose(vector<Spec>{coin(), coin()}, twice);
  REQUIRE(together);
  CHECK(together->epsilon == parse_level("log(8)"));
  CHECK(together->delta == Number::ratio(1, 4));
  CHECK(together->render("html"));
  CHECK(!compose(files, twice));  // other inputs
  CHECK(search("bcdp composes")->specs.size() == 2);
  CHECK(!new_spec(NewSpecRequest{"/nonexistent.csv", "1"}));
  const string folder = kSource + "/specs/designs";
  const auto best = design(File{folder + "/grid.design.json"}, folder);
  REQUIRE(best);
  CHECK(best->loss == Number::ratio(10, 9));
  CHECK(best->render("html"));
  RepairOptions options;
  options.rounded_rows = true;
  CHECK(verify(*read(Text{repair(File{kSource + "/examples/solved-in-floats.json"}, options)->spec})).exit_status() ==
        0);
}

TEST_CASE("releases are run and read back") {
  const File file{kSource + "/specs/releases/survey.release.json"};
  ReleaseRequest request;
  request.table = kSource + "/specs/releases/data/people.csv";
  request.seed = 7;
  const auto released = release(file, request);
  REQUIRE(released);
  CHECK(released->exit_status() == 0);
  CHECK(read_result(Text{*released->render("json")})->render("csv") == released->render("csv"));
  CHECK(release_spec(file, 1, 0, kSource + "/specs/releases"));
}

TEST_CASE("a lock fails where a level grew, until that is accepted") {
  const string file = filesystem::temp_directory_path() / ("oddsbound-interface-" + to_string(getpid()) + ".json");
  const auto write_spec = [&](const string& level) {
    ofstream(file) << R"j({"oddsbound": 1, "name": "r", "domain": [{"name": "x", "size": 2}],
      "mechanism": {"type": "k_randomized_response", "epsilon": ")j"
                   << level << "\"}}";
  };
  const LockedFiles files{{"r.json", File{file}}};
  write_spec("1");
  auto locked = lock(files);
  REQUIRE(locked);
  CHECK(check(*locked, files).exit_status() == 0);
  write_spec("2");
  const Checks failed = check(*locked, files);
  CHECK(failed.exit_status() == 1);
  CHECK(any_of(failed.list.begin(), failed.list.end(), [](const Check& one) { return one.outcome == Outcome::kFail; }));
  CHECK(failed.render("sarif"));
  CHECK(renew(*locked, files));
  CHECK(accept(*locked, files, "less noise")->size() > 0);
  CHECK(check(*read_lock(Text{locked->text()}), files).exit_status() == 0);
  CHECK(upgrade(*locked, files, "again"));
  filesystem::remove(file);
}
