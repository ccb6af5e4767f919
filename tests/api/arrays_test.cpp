// The public interface for programs that hold their data in arrays: numbers of inputs and outputs, tables in
// memory.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "api/api.h"

using namespace oddsbound;

namespace {

const std::string kFolder = ODDSBOUND_SOURCE_DIR "/specs/gallery/";

Spec gallery_spec(const std::string& name) {
  const auto spec = read(File{kFolder + name});
  REQUIRE(spec);
  return *spec;
}

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string joined_by_commas(const std::vector<std::string>& parts) {
  std::string joined;
  for (const std::string& part : parts) joined += (joined.empty() ? "" : ",") + part;
  return joined;
}

AuditRequest small_request() {
  AuditRequest request;
  request.options.samples = 100'000;
  request.options.seed = 3;
  return request;
}

// Returns the true input with probability times/8.
BatchSamplerFunction truth_of_eight(std::uint64_t times) {
  return [times](std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) outputs[i] = random.word() % 8 < times ? inputs[i] : 1 - inputs[i];
  };
}

}  // namespace

TEST_CASE("numbers that are drawn are those of the labels that are") {
  const std::string one_part = R"json({"oddsbound": 1, "name": "one", "domain": [{"name": "a", "values": ["n", "y"]},
      {"name": "b", "values": ["n", "y"]}], "mechanism": {"type": "per_coordinate",
      "mechanisms": {"a": {"type": "k_randomized_response", "epsilon": "1"}, "b": "not released"}}})json";
  for (const Spec& spec : {gallery_spec("titanic.json"), gallery_spec("warner.json"), *read(Text{one_part})}) {
    const auto sampled = sampled_parts(spec);
    REQUIRE(sampled);
    const std::vector<SampledPart>& parts = sampled->parts;
    const InputList inputs(std::vector<std::uint64_t>(5000, 1));
    SampleOptions options;
    options.seed = 7;
    options.count = 2;
    std::vector<std::uint64_t> numbers(10000 * parts.size());
    REQUIRE(sample_numbers(spec, inputs, numbers, options));
    const auto drawn = sample(spec, inputs, options);
    REQUIRE(drawn);
    const auto& labels = std::get<std::vector<std::string>>(drawn->outputs);
    REQUIRE(labels.size() == 10000);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      std::vector<std::string> told;
      for (std::size_t k = 0; k < parts.size(); ++k) {
        told.push_back(parts[k].labels.at(numbers[i * parts.size() + k]));
      }
      REQUIRE((sampled->tuples ? "(" + joined_by_commas(told) + ")" : told[0]) == labels[i]);
    }
  }
}

TEST_CASE("numbers are refused where there is no place for them, or there are none") {
  const Spec spec = gallery_spec("warner.json");
  std::vector<std::uint64_t> numbers(3);
  const auto wrong = sample_numbers(spec, InputList(std::vector<std::uint64_t>(2, 0)), numbers);
  REQUIRE(!wrong);
  CHECK(wrong.error().text().find("no place") != std::string::npos);
  const auto ball = read(Text{R"({"oddsbound": 1, "name": "ball", "domain": [{"name": "a", "values": ["-1", "1"]}],
      "mechanism": {"type": "duchi_l2_ball", "epsilon": "1", "radius": "1"}})"});
  REQUIRE(ball);
  REQUIRE(!sampled_parts(*ball));
  CHECK(sampled_parts(*ball).error().text().find("continuous") != std::string::npos);
}

TEST_CASE("a choice of a second mechanism by the first one's output is one number") {
  const auto spec = read(Text{R"json({"oddsbound": 1, "name": "then", "domain": [{"name": "a", "values": ["n", "y"]}],
      "mechanism": {"type": "adaptive", "first": {"type": "k_randomized_response", "epsilon": "log(3)"},
                    "then": {"n": {"type": "k_randomized_response", "epsilon": "0"},
                             "y": {"type": "matrix", "outputs": ["z"], "rows": [["1"], ["1"]]}}}})json"});
  REQUIRE(spec);
  const auto parts = sampled_parts(*spec);
  REQUIRE(parts);
  CHECK(!parts->tuples);
  REQUIRE(parts->parts.size() == 1);
  SampleOptions options;
  options.seed = 1;
  const InputList inputs(std::vector<std::uint64_t>(100, 1));
  std::vector<std::uint64_t> numbers(100);
  REQUIRE(sample_numbers(*spec, inputs, numbers, options));
  const auto drawn = sample(*spec, inputs, options);
  const auto& labels = std::get<std::vector<std::string>>(drawn->outputs);
  for (std::size_t i = 0; i < 100; ++i) CHECK(parts->parts[0].labels.at(numbers[i]) == labels[i]);
}

TEST_CASE("a function that draws for many inputs at once is audited as one that draws for each") {
  const Spec spec = gallery_spec("warner.json");
  const Report right = audit_batches(spec, truth_of_eight(6), small_request());
  REQUIRE(right.audits.size() == 1);
  CHECK(right.audits[0].verdict() == "passes");
  const Report wrong = audit_batches(spec, truth_of_eight(7), small_request());
  CHECK(wrong.audits.at(0).verdict() == "contradicted");
  AuditRequest named = small_request();
  named.function = "mine";
  const std::string text = *render(audit_batches(spec, truth_of_eight(6), named), "text");
  CHECK(text.find("the function `mine`") != std::string::npos);
  const auto back = read_report(Text{*render(audit_batches(spec, truth_of_eight(6), named), "json")});
  REQUIRE(back);
  CHECK(render(*back, "json")->find(R"("function": "mine")") != std::string::npos);
}

TEST_CASE("a function whose runs repeat is found to") {
  std::vector<std::uint64_t> remembered;
  const auto repeats = [&](std::span<const std::uint64_t> inputs, RandomSource& random,
                           std::span<std::uint64_t> outputs) {
    while (remembered.size() < 512) remembered.push_back(random.word() % 4);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      outputs[i] = remembered[i % remembered.size()] != 0 ? inputs[i] : 1 - inputs[i];
    }
  };
  const Report report = audit_batches(gallery_spec("warner.json"), repeats, small_request());
  const auto* found = report.audits.at(0).statistical();
  REQUIRE(found != nullptr);
  CHECK(!found->dependence.empty());
}

TEST_CASE("an output that does not exist ends the audit with its words, and so does what a function throws") {
  const Spec spec = gallery_spec("warner.json");
  const auto outside = [](std::span<const std::uint64_t>, RandomSource&, std::span<std::uint64_t> outputs) {
    outputs.back() = 2;
  };
  CHECK(render(audit_batches(spec, outside, small_request()), "json")->find("output number 2 of 2") !=
        std::string::npos);
  const auto throws = [](std::span<const std::uint64_t>, RandomSource&, std::span<std::uint64_t>) {
    throw std::runtime_error("its own reason");
  };
  CHECK(render(audit_batches(spec, throws, small_request()), "json")->find("its own reason") != std::string::npos);
}

TEST_CASE("a table may be given as a text, and is none of those on disk") {
  const Spec from_disk = gallery_spec("titanic.json");
  Text text{text_of_file(kFolder + "titanic.json"), "titanic.json", "/nowhere"};
  const auto missing = read(text);
  REQUIRE(!missing);
  CHECK(missing.error().place.pointer == "/prior/file");
  text.files["data/titanic.csv"] = text_of_file(kFolder + "data/titanic.csv");
  const auto given = read(text);
  REQUIRE(given);
  const auto levels = [](const Spec& spec) {
    const Report report = analyze(spec);
    return report.specs.at(0).analysis.by_coordinate("bcdp")->at(3).at_least.to_string();
  };
  CHECK(levels(*given) == levels(from_disk));
  text.files["data/titanic.csv"] = "class,sex,age,survived,count\n1st,male\n";
  const auto broken = read(text);
  REQUIRE(!broken);
  CHECK(broken.error().place.file == "/nowhere/data/titanic.csv");
  CHECK(broken.error().place.line == 2);
}
