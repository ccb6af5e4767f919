// Cascades and functions of outputs as specs state them, with rows computed by hand.
#include <doctest/doctest.h>

#include "specs/spec.h"
#include "tests/support/families.h"
#include "verifier/model/channel.h"

using namespace oddsbound;
using oddsbound::testing::kPair;
using oddsbound::testing::kThree;
using oddsbound::testing::kTwo;
using oddsbound::testing::read_example;

namespace {

const std::string kWarner = R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j";
const std::string kThreeRuns = R"j({"type": "repeat", "times": 3, "mechanism": )j" + kWarner + "}";

std::string function_of(const std::string& mechanism, const std::string& function) {
  return R"j({"type": "function", "mechanism": )j" + mechanism + R"j(, "function": )j" + function + "}";
}

// Rows as texts: "label: probability" per output, one line per input.
std::vector<std::string> rows_as_text(const std::string& domain, const std::string& mechanism) {
  Budget budget;
  const Spec spec = read_example(domain, mechanism, budget);
  std::vector<std::string> rows;
  for (std::uint64_t x = 0; x < spec.model.channel->inputs(); ++x) {
    std::string& row = rows.emplace_back();
    for (std::uint64_t y = 0; y < spec.model.channel->outputs(); ++y) {
      row += (y > 0 ? ", " : "") + spec.model.channel->output_label(y) + ": " +
             spec.model.channel->entry(x, y).to_string();
    }
  }
  return rows;
}

using Rows = std::vector<std::string>;

}  // namespace

TEST_CASE("functions of three randomized responses") {
  const auto rows = [](const std::string& function) { return rows_as_text(kTwo, function_of(kThreeRuns, function)); };
  CHECK(rows(R"("sum")") == Rows{"0: 27/64, 1: 27/64, 2: 9/64, 3: 1/64", "0: 1/64, 1: 9/64, 2: 27/64, 3: 27/64"});
  CHECK(rows(R"({"count": "1"})") == rows(R"("sum")"));
  CHECK(rows(R"({"count": ["0"]})") ==
        Rows{"0: 1/64, 1: 9/64, 2: 27/64, 3: 27/64", "0: 27/64, 1: 27/64, 2: 9/64, 3: 1/64"});
  CHECK(rows(R"({"count": ["0", "1"]})") == Rows{"3: 1", "3: 1"});
  CHECK(rows(R"("max")") == Rows{"0: 27/64, 1: 37/64", "0: 1/64, 1: 63/64"});
  CHECK(rows(R"("min")") == Rows{"0: 63/64, 1: 1/64", "0: 37/64, 1: 27/64"});
  // Three zeros: part 0.
  CHECK(rows(R"("argmax")") == Rows{"0: 43/64, 1: 3/16, 2: 9/64", "0: 49/64, 1: 3/16, 2: 3/64"});
  CHECK(rows(R"({"at_least": 2, "of": "sum"})") == Rows{"false: 27/32, true: 5/32", "false: 5/32, true: 27/32"});
  CHECK(rows(R"({"at_least": "3/2", "of": {"count": "1"}})") == rows(R"({"at_least": 2, "of": "sum"})"));
  CHECK(rows(R"({"at_least": 9, "of": "max"})") == Rows{"false: 1, true: 0", "false: 1, true: 0"});
  CHECK(rows(R"({"one_of": ["0", "3"], "of": "sum"})") == Rows{"false: 9/16, true: 7/16", "false: 9/16, true: 7/16"});
  CHECK(rows(R"({"one_of": ["2"], "of": "argmax"})") == Rows{"false: 55/64, true: 9/64", "false: 61/64, true: 3/64"});
  CHECK(rows(R"j({"one_of": ["(0,0,1)", "(1,1,1)"]})j") ==
        Rows{"false: 27/32, true: 5/32", "false: 17/32, true: 15/32"});
}

TEST_CASE("sums of fractions, decimals and negative numbers") {
  const std::string mechanism = R"j({"type": "compose", "mechanisms": [
      {"type": "matrix", "outputs": ["-1/2", "0.25"], "rows": [["1/3", "2/3"], [1, 0]]},
      {"type": "matrix", "outputs": ["3", "-0"], "rows": [["1/4", "3/4"], ["1/2", "1/2"]]}]})j";
  CHECK(rows_as_text(kTwo, function_of(mechanism, R"("sum")")) ==
        Rows{"-1/2: 1/4, 1/4: 1/2, 5/2: 1/12, 13/4: 1/6", "-1/2: 1/2, 1/4: 0, 5/2: 1/2, 13/4: 0"});
  CHECK(rows_as_text(kTwo, function_of(mechanism, R"("max")")) ==
        Rows{"0: 1/4, 1/4: 1/2, 3: 1/4", "0: 1/2, 1/4: 0, 3: 1/2"});
  CHECK(rows_as_text(kTwo, function_of(mechanism, R"("argmax")")) == Rows{"0: 1/2, 1: 1/2", "0: 0, 1: 1"});
}

TEST_CASE("bits of an encoding are parts, and a mechanism without parts is one") {
  const std::string bits = R"j({"type": "unary_encoding", "epsilon": "log(9)", "variant": "symmetric"})j";
  // Each bit is right with probability 3/4.
  CHECK(rows_as_text(kThree, function_of(bits, R"({"count": "1"})"))[0] == "0: 9/64, 1: 33/64, 2: 19/64, 3: 3/64");
  CHECK(rows_as_text(kThree, function_of(kWarner, R"({"at_least": 1, "of": "sum"})"))[0] == "false: 3/5, true: 2/5");
}

TEST_CASE("a sum of parts on different coordinates") {
  const std::string mechanism = R"j({"type": "per_coordinate", "mechanisms": {"*": )j" + kWarner + "}}";
  CHECK(rows_as_text(kPair, function_of(mechanism, R"("sum")")) ==
        Rows{"0: 9/16, 1: 3/8, 2: 1/16", "0: 3/16, 1: 5/8, 2: 3/16", "0: 3/16, 1: 5/8, 2: 3/16",
             "0: 1/16, 1: 3/8, 2: 9/16"});
}

TEST_CASE("cascades match inputs by label") {
  const auto cascade = [](const std::string& first, const std::string& rest) {
    return R"j({"type": "cascade", "first": )j" + first + ", " + rest + "}";
  };
  CHECK(rows_as_text(kTwo, cascade(kWarner, R"("second": )" + kWarner)) == Rows{"0: 5/8, 1: 3/8", "0: 3/8, 1: 5/8"});
  const std::string table = R"("second": {"type": "matrix", "outputs": ["u", "v"],
      "rows": [["1/2", "1/2"], [1, 0], [0, 1]]}, "inputs": ["1", "never", "0"])";
  CHECK(rows_as_text(kTwo, cascade(kWarner, table)) == Rows{"u: 1/8, v: 7/8", "u: 3/8, v: 5/8"});
}

TEST_CASE("the outputs of a cascade are those of the second mechanism, in its order and with its brackets") {
  const std::string each = R"j({"type": "per_coordinate", "mechanisms": {"*": )j" + kWarner + "}}";
  const auto report = [](const std::string& answer, const std::string& labels) {
    return R"j({"type": "on", "coordinates": [")j" + answer + R"j("], "mechanism": {"type": "matrix", "outputs": )j" +
           labels + R"j(, "rows": [[1, 0], [0, 1]]}})j";
  };
  const auto together = [](const std::string& mechanisms) {
    return R"j({"type": "compose", "mechanisms": [)j" + mechanisms + "]}";
  };
  const auto cascade = [&](const std::string& second) {
    return R"j({"type": "cascade", "first": )j" + each + R"j(, "second": )j" + second + "}";
  };
  const std::string first = report("answer1", R"(["p", "q"])"), second = report("answer2", R"(["u", "v"])");
  // For input (0,1) the first answer is 0 with probability 3/4, the second one with 1/4.
  CHECK(rows_as_text(kPair, cascade(together(second + ", " + first)))[1] ==
        "(u,p): 3/16, (u,q): 1/16, (v,p): 9/16, (v,q): 3/16");
  CHECK(rows_as_text(kPair, cascade(together(first + ", " + second)))[1] ==
        "(p,u): 3/16, (p,v): 9/16, (q,u): 1/16, (q,v): 3/16");
  CHECK(rows_as_text(kPair, cascade(together(together(second + ", " + first))))[1] ==
        "((u,p)): 3/16, ((u,q)): 1/16, ((v,p)): 9/16, ((v,q)): 3/16");
}

TEST_CASE("a cascade by parts keeps its parts") {
  Budget budget;
  const std::string each = R"j({"type": "per_coordinate", "mechanisms": {"*": )j" + kWarner + "}}";
  const std::string mechanism = R"j({"type": "cascade", "first": )j" + each + R"j(, "second": )j" + each + "}";
  const Spec spec = read_example(kPair, mechanism, budget);
  CHECK(spec.model.channel->factors().size() == 2);
  CHECK(spec.mechanism.parts.size() == 2);
  CHECK(spec.model.channel->output_label(1) == "(0,1)");
  CHECK(spec.model.channel->entry(0, 1) == Number::ratio(15, 64));
}
