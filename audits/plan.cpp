#include "audits/plan.h"

#include <algorithm>
#include <filesystem>

#include "base/errors.h"
#include "specs/reading.h"
#include "specs/suggest.h"

namespace oddsbound::audits {

namespace {

const std::vector<std::pair<std::string, Expectation>> kExpectations{
    {"passes", Expectation::kPasses},
    {"passes for the inputs tried", Expectation::kPassesForTried},
    {"contradicted", Expectation::kContradicted},
    {"deviates", Expectation::kDeviates},
    {"fails", Expectation::kFails}};

Expectation read_expectation(JsonView value) {
  const std::string word = read_string(value, "the expectation");
  std::vector<std::string> words;
  for (const auto& [name, expectation] : kExpectations) {
    if (name == word) return expectation;
    words.push_back(name);
  }
  value.fail("found the expectation '" + printable(word) + "', expected " + listing(words), suggestion(word, words));
}

std::string beside(const std::string& directory, const std::string& file) {
  return (std::filesystem::path(directory) / file).lexically_normal().string();
}

void read_sampler(JsonView value, const std::string& directory, AuditRequest& request) {
  if (value.is_string()) {
    if (value.text() != "built in")
      value.fail("found '" + printable(value.text()) + "', expected \"built in\" or an object");
    return;
  }
  const Fields fields(value, {"program", "transcript", "one_process_per_sample"}, "a sampler");
  if (const auto program = fields.find("program")) {
    request.program = read_string(*program, "the program");
    if (request.program.empty()) program->fail("the program is empty");
    if (fields.has("transcript")) value.fail("found a program and a transcript, expected one of them");
  } else {
    request.transcript = beside(directory, read_string(fields.require("transcript"), "the transcript"));
  }
  if (const auto each = fields.find("one_process_per_sample")) {
    request.one_process_per_sample = read_boolean(*each, "one_process_per_sample");
    if (request.program.empty()) each->fail("only a program has processes");
  }
}

}  // namespace

std::string word_of(Expectation expectation) {
  return std::find_if(kExpectations.begin(), kExpectations.end(),
                      [&](const auto& item) { return item.second == expectation; })
      ->first;
}

double error_of_confidence(const Number& confidence) {
  if (confidence < Number::ratio(1, 2) || confidence >= Number(1)) {
    throw ModelError("found " + confidence.to_string() + ", expected a confidence from 1/2 to below 1");
  }
  const double error = (Number(1) - confidence).approx();
  constexpr double kLeast = 1e-12;
  if (error < kLeast) throw ModelError("a confidence above 1 - 1e-12 is more than can be had");
  return error;
}

AuditRequest read_plan(const std::string& path, Budget& budget) {
  return read_plan_text(path, read_file(path, budget.limits()), budget);
}

AuditRequest read_plan_text(const std::string& path, std::string text, Budget& budget) {
  const JsonDocument document(path, std::move(text));
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const Fields fields(document.root(),
                      {"oddsbound", "name", "description", "spec", "sampler", "samples", "confidence", "seed", "until",
                       "all_levels", "expect"},
                      "an audit plan");
  Parameters none({}, {}, budget);
  AuditRequest request;
  request.files.push_back({path, sha256(document.text())});
  Remarks remarks;
  ReadingContext context{directory, none, budget, {}, request.files, remarks};
  read_integer(fields.require("oddsbound"), "the version", 1, 1);
  request.name = read_string(fields.require("name"), "the name");
  if (const auto words = fields.find("description")) read_string(*words, "the description");
  request.spec = beside(directory, read_string(fields.require("spec"), "the spec"));
  request.program_limits.directory = directory;
  if (const auto sampler = fields.find("sampler")) read_sampler(*sampler, directory, request);
  constexpr std::int64_t kMostSamples = 1'000'000'000'000;
  if (const auto samples = fields.find("samples")) {
    request.options.samples = static_cast<std::uint64_t>(read_integer(*samples, "the samples", 100, kMostSamples));
  }
  if (const auto confidence = fields.find("confidence")) {
    request.options.alpha =
        at_place(*confidence, [&] { return error_of_confidence(read_number(*confidence, context)); });
  }
  request.options.seed = static_cast<std::uint64_t>(read_integer(fields.require("seed"), "the seed", 0, INT64_MAX));
  request.seed_given = true;
  if (const auto until = fields.find("until")) request.until = read_boolean(*until, "until");
  if (const auto all = fields.find("all_levels")) request.options.all_levels = read_boolean(*all, "all_levels");
  if (const auto expect = fields.find("expect")) request.expect = read_expectation(*expect);
  return request;
}

}  // namespace oddsbound::audits
