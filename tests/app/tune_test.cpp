// Parameter values for which claims hold: hand-computed ones, and every kind of faulty request.

#include <doctest/doctest.h>
#include <algorithm>
#include <functional>

#include "app/tune.h"
#include "app/verify.h"
#include "base/errors.h"

using namespace oddsbound;

namespace {

// One bit that is flipped with probability f; the level is |log((1-f)/f)|.
std::string flip(const std::string& declared, const std::string& probability, const std::string& bound) {
  const std::string kept = "\"1 - (" + probability + ")\"", flipped = "\"" + probability + "\"";
  return R"({"oddsbound": 1, "name": "flip", )" + declared + R"(, "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "matrix", "outputs": 2, "rows": [[)" +
         kept + ", " + flipped + "], [" + flipped + ", " + kept +
         R"(]]}, "claims": [{"name": "bound", "notion": "ldp", "epsilon": ")" + bound + R"("},
    {"notion": "ldp", "epsilon": "0", "expect": "refuted"}]})";
}

std::string symbol(const std::string& range) { return R"("symbols": {"p": {)" + range + "}}"; }
const std::string kHalf = symbol(R"("ge": "0", "le": "1/2")");

VariedSpec varied(const std::string& text, const std::string& parameter) {
  return VariedSpec(std::make_shared<JsonDocument>("a.json", text), ".", parameter);
}

TuneResult tuned(const std::string& text, const std::string& parameter = "p", TuneRequest request = {},
                 const Limits& limits = {}) {
  request.parameter = parameter;
  Budget budget(limits);
  return tune(varied(text, parameter), request, budget);
}

TuneRequest smallest() {
  TuneRequest request;
  request.smallest = true;
  return request;
}

std::string value_at(const TuneResult& result, std::optional<std::size_t> place) {
  return place ? result.points[*place].value.text() : "none";
}

Number number_at(const TuneResult& result, std::optional<std::size_t> place) {
  REQUIRE(place);
  return result.points[*place].value.number;
}

bool says(const TuneResult& result, const std::string& words) {
  return text_tune(result).find(words) != std::string::npos;
}

std::string complaint(const std::string& text, const std::string& parameter, const TuneRequest& request = {}) {
  try {
    Budget budget;
    tune(varied(text, parameter), request, budget);
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a flipped bit: log((1-p)/p) <= log(3) from p = 1/4 on") {
  const TuneResult result = tuned(flip(kHalf, "p", "log(3)"), "p", smallest());
  CHECK(value_at(result, result.holds_at()) == "1/4");
  CHECK(number_at(result, result.holds_at()) - number_at(result, result.fails_at()) <= result.width);
  CHECK(result.exit_status() == 0);
  REQUIRE(result.proven);
  CHECK(result.proven->text("p") == "1/4 <= p <= 1/2");
  CHECK(says(result, "at 1/4 ldp is exactly what is claimed, log(3)"));
  REQUIRE(result.proven_to_fail);
  CHECK(result.proven_to_fail->text("p") == "0 <= p < 1/4");
  CHECK(result.is_exact());
}

TEST_CASE("what was sought may be no rational: p^2 = 1/8") {
  TuneRequest request = smallest();
  request.width = Number::ratio(1, 1000);
  const TuneResult result = tuned(flip(kHalf, "p^2", "log(7)"), "p", request);
  const Number holds = number_at(result, result.holds_at()), fails = number_at(result, result.fails_at());
  CHECK(fails * fails < Number::ratio(1, 8));
  CHECK(holds * holds > Number::ratio(1, 8));
  CHECK(holds - fails <= Number::ratio(1, 1000));
  CHECK(!says(result, "exactly what is claimed"));
  REQUIRE(result.proven_to_fail);
  CHECK(result.proven_to_fail->to.number == fails);
  CHECK(!result.is_exact());
}

TEST_CASE("a level that falls and rises: holds from 1/4 to 3/4, and both ends are found") {
  const std::string text = flip(symbol(R"("ge": "0", "le": "1")"), "p", "log(3)");
  const TuneResult largest = tuned(text);
  CHECK(value_at(largest, largest.holds_at()) == "3/4");
  CHECK(largest.runs().size() == 3);
  CHECK(says(largest, "the verdict changes 2 times"));
  REQUIRE(largest.proven);
  CHECK(largest.proven->to.text() == "3/4");
  CHECK(says(largest, "this is exactly the largest"));
  CHECK(value_at(tuned(text, "p", smallest()), tuned(text, "p", smallest()).holds_at()) == "1/4");
}

TEST_CASE("claims may hold everywhere, also up to an end that is not a value") {
  const TuneResult closed = tuned(flip(symbol(R"("ge": "1/4", "le": "1/2")"), "p", "log(100)"));
  CHECK(value_at(closed, closed.holds_at()) == "1/2");
  CHECK(!closed.fails_at());
  CHECK(closed.exit_status() == 0);
  CHECK(says(closed, "all 17 values that were decided, up to the largest value of the range, p = 1/2"));
  const TuneResult open = tuned(flip(symbol(R"("gt": "1/4", "lt": "1/2")"), "p", "log(100)"));
  CHECK(says(open, "all 15 values that were decided, up to the largest of them, p = 31/64"));
  REQUIRE(open.proven);
  CHECK(open.proven->text("p") == "1/4 < p < 1/2");
}

TEST_CASE("claims may hold nowhere") {
  const TuneResult result = tuned(flip(symbol(R"("ge": "1/8", "le": "1/4")"), "p", "1/10"));
  CHECK(!result.holds_at());
  CHECK(result.exit_status() == 1);
  CHECK(says(result, "the claims hold at none of the 17 values that were decided"));
}

TEST_CASE("a peak between two values of the grid is found by Z3, and decided there") {
  const std::string text = flip(symbol(R"("ge": "0", "le": "1")"), "1/2 - 2/(5 + 50000*(p - 1/3)^2)", "log(3)");
  TuneRequest request;
  request.parts = 2;
  const TuneResult result = tuned(text, "p", request);
  CHECK(result.runs().size() == 3);
  CHECK(value_at(result, result.holds_at()) == "1");
  CHECK(says(result, "the verdict changes 2 times"));
  request.prove = false;
  CHECK(tuned(text, "p", request).runs().size() == 1);
}

TEST_CASE("claims that fail at once at different outputs fail, and no one violation shows it") {
  // Two bits: one is flipped less as p grows, the other more.
  const std::string text = R"j({"oddsbound": 1, "name": "a", "symbols": {"p": {"ge": "1/100", "le": "1/2"}},
    "domain": [{"name": "x", "size": 2}], "mechanism": {"type": "matrix", "outputs": 4, "rows":
    [["(1-p)/2", "p/2", "(1/2+p)/2", "(1/2-p)/2"], ["p/2", "(1-p)/2", "(1/2-p)/2", "(1/2+p)/2"]]},
    "claims": [{"notion": "ldp", "epsilon": "1/2"}]})j";
  const TuneResult result = tuned(text);
  CHECK(!result.holds_at());
  CHECK(!result.proven_to_fail);
}

TEST_CASE("a total variation has its exact end too: 1 - 2p <= 1/3 from p = 1/3 on") {
  const std::string text = R"j({"oddsbound": 1, "name": "a", "symbols": {"p": {"ge": "0", "le": "1/2"}},
    "domain": [{"name": "x", "size": 2}], "mechanism": {"type": "matrix", "outputs": 2, "rows":
    [["1-p", "p"], ["p", "1-p"]]}, "claims": [{"notion": "approximate_dp", "epsilon": "0", "delta": "1/3"}]})j";
  const TuneResult result = tuned(text, "p", smallest());
  CHECK(value_at(result, result.holds_at()) == "1/3");
  CHECK(result.is_exact());
}

TEST_CASE("an end before the first value of the grid is found by Z3, and then narrowed down") {
  TuneRequest request = smallest();
  request.parts = 2;
  const TuneResult result = tuned(flip(symbol(R"("gt": "0", "le": "1/2")"), "p", "log(5)"), "p", request);
  CHECK(value_at(result, result.holds_at()) == "1/6");
  CHECK(result.is_exact());
  CHECK(result.exit_status() == 0);
}

TEST_CASE("an epsilon: log(3) is found, and all values below it are proven") {
  const std::string text = R"j({"oddsbound": 1, "name": "a", "parameters": {"eps": "1"}, "domain": [{"name": "x",
    "size": 3}], "mechanism": {"type": "k_randomized_response", "epsilon": "eps"},
    "claims": [{"notion": "ldp", "epsilon": "log(3)", "tight": true}]})j";
  TuneRequest request;
  request.from = Number(0);
  request.to = Number(4);
  for (const std::string parameter : {"eps", "/parameters/eps", "/mechanism/epsilon"}) {
    const TuneResult result = tuned(text, parameter, request);
    CHECK(value_at(result, result.holds_at()) == "log(3)");
    REQUIRE(result.proven);
    CHECK(result.proven->text("eps") == "0 <= eps <= log(3)");
    CHECK(says(result, "that claims are tight is left out"));
    REQUIRE(result.proven_to_fail);
    CHECK(result.proven_to_fail->text("eps") == "log(3) < eps <= 4");
    CHECK(result.is_exact());
  }
  request.to = Number(1);
  CHECK(tuned(text, "eps", request).proven->to < TunedValue{Number(1)});
}

TEST_CASE("whole numbers: four runs of log(2) are log(16)") {
  const std::string text = R"j({"oddsbound": 1, "name": "a", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "repeat", "mechanism": {"type": "k_randomized_response", "epsilon": "log(2)"}, "times": 1},
    "claims": [{"notion": "ldp", "epsilon": "log(16)"}]})j";
  TuneRequest request;
  request.integers = true;
  request.parts = 2;
  request.from = Number(1);
  request.to = Number::ratio(21, 2);
  const TuneResult result = tuned(text, "/mechanism/times", request);
  CHECK(value_at(result, result.holds_at()) == "4");
  CHECK(value_at(result, result.fails_at()) == "5");
  // 1, 2, 4 and 8, and what lies between 4 and 8.
  CHECK(result.points.size() == 6);
  CHECK(says(result, "this is exactly the largest value"));
  CHECK(says(result,
             "more runs reveal no less, so the claims hold for every whole number with 1 <= /mechanism/times <= 4"));
  CHECK(says(result, "and fail for every whole number with 4 < /mechanism/times <= 21/2"));
  // A list of values is decided as it is.
  request.grid = {Number(1), Number(10)};
  const TuneResult listed = tuned(text, "/mechanism/times", request);
  CHECK(value_at(listed, listed.holds_at()) == "4");
  CHECK(!listed.proven);
  CHECK(says(listed, "whole numbers that are not listed below were not decided"));
}

TEST_CASE("the largest number of runs with a small delta is that of all numbers one by one") {
  const auto text = [](const std::string& epsilon, const std::string& more, const std::string& notion) {
    return R"j({"oddsbound": 1, "name": "a", "domain": [{"name": "x", "size": 3}], "prior": {"type": "uniform"},
      "mechanism": {"type": "repeat", "mechanism": {"type": "k_randomized_response", "epsilon": ")j" +
           epsilon + R"j("}, "times": 1}, "claims": [{"notion": ")j" + notion + R"j(", "epsilon": "1")j" + more + "}]}";
  };
  TuneRequest request;
  request.integers = true;
  request.from = Number(1);
  request.to = Number(40);
  const std::pair<std::string, std::string> claims[] = {
      {R"(, "delta": "1e-3")", "approximate_dp"}, {R"(, "delta": "1/50")", "approximate_dp"}, {"", "ldp"}};
  for (const std::string epsilon : {"1/10", "1/5", "log(2)", "2"}) {
    for (const auto& [more, notion] : claims) {
      CAPTURE(epsilon);
      CAPTURE(more);
      const TuneResult result = tuned(text(epsilon, more, notion), "/mechanism/times", request);
      TuneRequest each = request;
      for (int k = 1; k <= 40; ++k) each.grid.emplace_back(k);
      const TuneResult all = tuned(text(epsilon, more, notion), "/mechanism/times", each);
      CHECK(all.points.size() == 40);
      CHECK(value_at(result, result.holds_at()) == value_at(all, all.holds_at()));
      CHECK(value_at(result, result.fails_at()) == value_at(all, all.fails_at()));
      CHECK(result.exit_status() == all.exit_status());
      CHECK(result.points.size() <= 14);
      CHECK(all.runs().size() <= 2);
      const std::size_t statements = (result.proven ? 1U : 0U) + (result.proven_to_fail ? 1U : 0U);
      CHECK(statements == (!result.holds_at() ? 0 : !result.fails_at() ? 1 : 2));
    }
  }
}

TEST_CASE("other whole numbers, and runs within a mechanism, have no proof") {
  const std::string text = R"j({"oddsbound": 1, "name": "a", "domain": [{"name": "x", "size": 2}],
    "mechanism": {"type": "compose", "mechanisms": [
      {"type": "repeat", "mechanism": {"type": "k_randomized_response", "epsilon": "log(2)"}, "times": 1}]},
    "claims": [{"notion": "ldp", "epsilon": "log(16)"}]})j";
  TuneRequest request;
  request.integers = true;
  request.from = Number(1);
  request.to = Number(8);
  const TuneResult result = tuned(text, "/mechanism/mechanisms/0/times", request);
  CHECK(value_at(result, result.holds_at()) == "4");
  CHECK(!result.proven);
  CHECK(!result.proven_to_fail);
}

TEST_CASE("other symbols stay: a claim holds if it does for all of their values") {
  const std::string text =
      flip(R"("symbols": {"p": {"gt": "0", "le": "1/2"}, "q": {"ge": "1/2", "le": "1"}})", "p*q", "log(3)");
  TuneRequest request = smallest();
  request.parts = 4;
  request.width = Number::ratio(1, 16);
  const TuneResult result = tuned(text, "p", request);
  // p q >= 1/4 for all q >= 1/2.
  CHECK(value_at(result, result.holds_at()) == "1/2");
  CHECK(result.symbols == std::vector<std::string>{"1/2 <= q <= 1"});
}

TEST_CASE("at both ends `verify` says what tune says") {
  for (const std::string probability : {"p", "p^2", "p/(1 + p)", "1/2 - p/3", "(1 - p)*p"}) {
    const std::string text = flip(symbol(R"("ge": "1/10", "le": "9/10")"), probability, "log(2)");
    const TuneResult result = tuned(text);
    const VariedSpec spec = varied(text, "p");
    for (const TunedPoint& point : result.points) {
      Budget budget;
      const SpecResult there = evaluate(spec.at(point.value.text(), budget), budget, VerifyOptions());
      CHECK(there.claims.at(0).verdict == point.verdict());
    }
  }
}

TEST_CASE("what a limit leaves is undecided, and says so") {
  Limits limits;
  std::stop_source stop;
  stop.request_stop();
  limits.stop = stop.get_token();
  const TuneResult stopped = tuned(flip(kHalf, "p", "log(3)"), "p", smallest(), limits);
  CHECK(stopped.undecided() == stopped.points.size());
  CHECK(stopped.exit_status() == 3);
  CHECK(says(stopped, "nothing was decided"));
  CHECK(says(stopped, "undecided at 17 values, the first is 0: the work was stopped"));
}

TEST_CASE("a stop while Z3 is asked for a proof shows in the exit status") {
  std::stop_source stop;
  Limits limits;
  limits.stop = stop.get_token();
  TuneRequest request = smallest();
  std::size_t questions = 0;
  request.smt.solver = [&](const std::string& script, const ChildLimits& own) {
    ++questions;
    stop.request_stop();
    return solve_with_z3(script, own);
  };
  const TuneResult stopped = tuned(flip(kHalf, "p", "log(3)"), "p", request, limits);
  CHECK(questions > 0);
  CHECK(stopped.undecided() == 0);
  CHECK(value_at(stopped, stopped.holds_at()) == "1/4");
  CHECK(stopped.exit_status() == 3);
  CHECK(says(stopped, "a limit was reached before all proofs and near values were tried"));
  request = smallest();
  request.prove = false;
  CHECK(tuned(flip(kHalf, "p", "log(3)"), "p", request).exit_status() == 0);
}

TEST_CASE("claims are chosen by number or name; without that they are those that should hold") {
  const std::string text = flip(kHalf, "p", "log(3)");
  TuneRequest request = smallest();
  for (const std::string claim : {"0", "bound"}) {
    request.claims = {claim};
    CHECK(value_at(tuned(text, "p", request), tuned(text, "p", request).holds_at()) == "1/4");
  }
  request.claims = {"1", "bound", "0"};
  const TuneResult both = tuned(text, "p", request);
  CHECK(both.points[0].claims.size() == 2);
  CHECK(value_at(both, both.holds_at()) == "1/2");
  CHECK(says(tuned(text), "claims that are expected to be refuted are left out"));
}

TEST_CASE("requests that cannot be met are errors") {
  const std::string text = flip(kHalf, "p", "log(3)");
  TuneRequest request;
  const auto with = [&](const std::function<void(TuneRequest&)>& change) {
    TuneRequest changed;
    change(changed);
    return complaint(text, "p", changed);
  };
  const auto has = [](const std::string& text_, const std::string& words) {
    CAPTURE(text_);
    return text_.find(words) != std::string::npos;
  };
  CHECK(has(complaint(text, "q"), "the spec has no parameter or symbol 'q'"));
  CHECK(has(complaint(text, "/mechanism/row/0"), "there is no 'row' here"));
  CHECK(has(complaint(text, "/mechanism/rows/7"), "there is no '7' here"));
  CHECK(has(complaint(text, "/mechanism/rows"), "found an array, expected a number"));
  CHECK(has(complaint(text, "/name"), "this cannot be varied"));
  CHECK(has(complaint(text, "/mechanism/rows/0/0"), "has no lower end"));
  CHECK(has(with([](auto& r) { r.claims = {"bond"}; }),
            "there is no claim 'bond' (did you mean 'bound'? the spec has 2"));
  CHECK(has(with([](auto& r) { r.claims = {"2"}; }), "the spec has 2, and they count from 0"));
  CHECK(has(with([](auto& r) { r.to = Number(2); }), "does not reach 2"));
  CHECK(has(with([](auto& r) { r.from = Number::ratio(1, 2); }), "holds no more than one value"));
  CHECK(has(with([](auto& r) { r.from = Number::exp_of(Number(-1)); }), "expected a rational number"));
  CHECK(has(with([](auto& r) { r.width = Number(0); }), "expected a rational above 0"));
  CHECK(has(with([](auto& r) { r.grid = {Number(0), Number(1)}; }), "does not reach 1"));
  CHECK(has(with([](auto& r) {
              r.grid = {Number(0), Number::ratio(1, 3)};
              r.to = Number::ratio(1, 4);
            }),
            "the value 1/3 of the grid is not within 0 <= the range <= 1/4"));
  CHECK(has(with([](auto& r) {
              r.integers = true;
              r.from = Number::ratio(1, 4);
            }),
            "there is no whole number"));
  request.from = Number(0);
  request.to = Number(2);
  CHECK(has(complaint(flip(R"("parameters": {"p": "1/4"})", "p", "log(3)"), "p", request), "(where p is 9/8)"));
}

TEST_CASE("the progress names the values that are decided, and the proofs that Z3 looks for") {
  std::vector<std::string> reports;
  Budget budget;
  const std::string text = flip(kHalf, "p", "log(3)");
  const TuneResult result =
      tune(varied(text, "p"), smallest(), budget, [&](std::size_t done, std::size_t of, const std::string& at) {
        CHECK(done <= of);
        reports.push_back(at);
      });
  const auto count = [&](const std::string& begin) {
    return std::count_if(reports.begin(), reports.end(), [&](const std::string& at) { return at.starts_with(begin); });
  };
  CHECK(static_cast<std::size_t>(count("p = ")) == result.points.size());
  CHECK(count("Z3 looks for a value at which the claims fail, ") >= 1);
}

TEST_CASE("a parameter that nothing refers to is named, whatever refers to it in vain") {
  const std::string declared = R"("parameters": {"spare": "1/8", "of_spare": "2*spare", "base": "1/8", "f": "2*base"})";
  const std::string note = "nothing in the spec refers to";
  TuneRequest request;
  request.from = Number(0);
  request.to = Number::ratio(1, 4);
  request.parts = 2;
  request.prove = false;
  for (const auto& [parameter, used] : std::vector<std::pair<std::string, bool>>{{"of_spare", false},
                                                                                 {"/parameters/of_spare", false},
                                                                                 {"base", true},
                                                                                 {"f", true},
                                                                                 {"/parameters/f", true}}) {
    CAPTURE(parameter);
    CHECK(says(tuned(flip(declared, "f", "log(3)"), parameter, request), note) == !used);
  }
  CHECK_FALSE(says(tuned(flip(kHalf, "p", "log(3)"), "p", request), note));
}
