// Coordinates that a mechanism never reads: found from its construction; draws do not depend on them.
#include <doctest/doctest.h>

#include "mechanisms/family.h"
#include "mechanisms/sampler.h"
#include "specs/collected.h"
#include "specs/spec.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::kPair;
using oddsbound::testing::read_example;

namespace {

using Places = std::vector<std::size_t>;

const std::string kTriple = R"j([{"name": "a", "size": 2}, {"name": "b", "size": 3}, {"name": "c", "size": 2}])j";
const std::string kResponse = R"j({"type": "k_randomized_response", "epsilon": "1"})j";
const std::string kOnA = R"j({"type": "on", "coordinates": ["a"], "mechanism": )j" + kResponse + "}";
const std::string kOnC = R"j({"type": "on", "coordinates": ["c"], "mechanism": )j" + kResponse + "}";
const std::string kOnCB = R"j({"type": "on", "coordinates": ["c", "b"], "mechanism": {"type": "on",
    "coordinates": ["b"], "mechanism": )j" +
                          kResponse + "}}";
const std::string kCases = R"j({"type": "cases", "outputs": ["s", "t"], "cases": [
    {"when": {"c": "0"}, "then": {"s": "1/3", "t": "2/3"}},
    {"when": {"b": ["0", "1"], "c": "0"}, "then": {"t": "1"}},
    {"when": {}, "then": {"s": "1"}}]})j";
const std::string kRows = R"j({"type": "matrix", "outputs": ["s", "t"], "rows": [)j";
// Rows depend on b only: 0, 1 and 2 twice each, for both values of a.
const std::string kRowsOfB = kRows + R"j(["1/2", "1/2"], ["1/2", "1/2"], [1, 0], [1, 0], ["1/2", "1/2"], ["1/2", "1/2"],
    ["1/2", "1/2"], ["1/2", "1/2"], [1, 0], [1, 0], ["1/2", "1/2"], ["1/2", "1/2"]]})j";

std::string compose(const std::vector<std::string>& parts, const std::string& type = "compose") {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return "{\"type\": \"" + type + "\", \"mechanisms\": [" + text + "]" +
         (type == "mixture" ? R"j(, "weights": ["1/2", "1/2"]})j" : "}");
}

std::string within(const std::string& type, const std::string& mechanism, const std::string& rest) {
  return "{\"type\": \"" + type + "\", \"mechanism\": " + mechanism + ", " + rest + "}";
}

struct Example {
  std::string mechanism;
  Places unread;
};

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {kResponse, {}},
      {R"j({"type": "k_randomized_response", "epsilon": "0"})j", {}},
      {R"j({"type": "per_coordinate", "mechanisms": {"*": )j" + kResponse + R"j(, "b": "not released"}})j", {1}},
      {kOnA, {1, 2}},
      {kOnCB, {0, 2}},
      {compose({kOnA, kOnCB}), {2}},
      {compose({kOnA, kResponse}), {}},
      {compose({kOnA, kOnC}, "mixture"), {1}},
      {within("repeat", compose({kOnC, kOnA}), "\"times\": 3"), {1}},
      {within("post_process", kOnA, R"j("map": {"0": "x", "1": "x"})j"), {1, 2}},
      {within("post_process", kOnC, R"j("outputs": ["x", "y"], "rows": [["1/4", "3/4"], [1, 0]])j"), {0, 1}},
      {R"j({"type": "adaptive", "first": )j" + kOnA + R"j(, "then": {"0": )j" + kOnC + R"j(, "1": )j" + kOnA + "}}",
       {1}},
      {R"j({"type": "adaptive", "first": )j" + kOnA + R"j(, "then": {"0": )j" + kOnA + R"j(, "1": )j" + kOnA + "}}",
       {1, 2}},
      {R"j({"type": "memoized", "times": 2, "permanent": )j" + kOnC + R"j(, "report": )j" + kResponse + "}", {0, 1}},
      {R"j({"type": "memoized", "times": 2, "permanent": )j" + compose({kOnA, kOnC}) + R"j(, "report": )j" + kResponse +
           "}",
       {1}},
      {R"j({"type": "cascade", "first": )j" + kOnC + R"j(, "second": )j" + kResponse + "}", {0, 1}},
      {within("function", compose({kOnA, kOnC}), R"j("function": "sum")j"), {1}},
      {kCases, {0}},
      {kRowsOfB, {}},
  };
  return all;
}

std::vector<std::uint64_t> drawn(const Spec& spec, std::uint64_t input) {
  constexpr std::size_t kDraws = 200;
  const Channel& channel = *spec.model.channel;
  std::vector<std::uint64_t> outputs(kDraws * mechanisms::output_words(channel));
  mechanisms::sample_batch(
      *spec.mechanism.sampler_or_rows(), channel, [&](std::uint64_t) { return InputRef{input}; }, 0, outputs, {7, 1},
      1);
  return outputs;
}

}  // namespace

TEST_CASE("coordinates that no part of a mechanism reads are known from how it is made") {
  for (const Example& example : examples()) {
    CAPTURE(example.mechanism);
    Budget budget;
    CHECK(read_example(kTriple, example.mechanism, budget).mechanism.unread == example.unread);
  }
}

TEST_CASE("draws are the same whatever the value of a coordinate that is not read") {
  for (const Example& example : examples()) {
    CAPTURE(example.mechanism);
    Budget budget;
    const Spec spec = read_example(kTriple, example.mechanism, budget);
    const Domain& domain = spec.model.domain;
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      InputRow row = domain.row(x);
      for (const std::size_t i : example.unread) row[i] = 0;
      CHECK(drawn(spec, x) == drawn(spec, domain.number(row)));
    }
  }
}

TEST_CASE("inputs leave out all coordinates that are not read, or none") {
  Budget budget;
  const Spec spec = read_example(kTriple, kOnA, budget);
  const Domain& domain = spec.model.domain;
  const Places& unread = spec.mechanism.unread;
  CHECK(read_typed_input("--input", "1", domain, 0, unread) == InputRow{1, 0, 0});
  CHECK(read_typed_input("--input", R"(["1"])", domain, 0, unread) == InputRow{1, 0, 0});
  CHECK(read_typed_input("--input", "1,2,1", domain, 0, unread) == InputRow{1, 2, 1});
  for (const std::string wrong : {"1,2", "1,3,1", "2", "", "[]", R"(["1", "2"])", R"(["1", "2", "2"])"}) {
    CHECK_THROWS_AS(read_typed_input("--input", wrong, domain, 0, unread), SpecError);
  }
  CHECK_THROWS_AS(read_typed_input("--input", "1", domain), SpecError);
}

TEST_CASE("tables leave out columns that are not read, and recorded runs leave out none") {
  Budget budget;
  const Spec spec = read_example(kTriple, kOnA, budget);
  const Domain& domain = spec.model.domain;
  const Places& unread = spec.mechanism.unread;
  const auto numbers = [&](const std::string& table) {
    return read_input_table("people.csv", table, domain, budget, unread);
  };
  CHECK(numbers("a\n1\n0\n") == InputList(std::vector<std::uint64_t>{6, 0}));
  CHECK(numbers("c,a\n1,1\n0,0\n") == InputList(std::vector<std::uint64_t>{7, 0}));
  CHECK(numbers("c,a,b\n1,1,2\n0,0,1\n") == InputList(std::vector<std::uint64_t>{11, 2}));
  CHECK_THROWS_AS(numbers("b,c\n1,1\n"), SpecError);
  CHECK_THROWS_AS(numbers("a,b\n1,\n"), SpecError);
  CHECK_THROWS_AS(read_input_table("people.csv", "a\n1\n", domain, budget), SpecError);
  CHECK_THROWS_AS(read_transcript("runs.csv", "a,output\n1,1\n", domain, *spec.model.channel, budget), SpecError);
}
