// The reader: exact numbers from text, positions of errors, every way to write a domain, a prior and a mechanism.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/errors.h"
#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

using namespace oddsbound;

namespace {

Spec read(const std::string& text) {
  Budget budget;
  return read_spec_text("spec.json", std::string(ODDSBOUND_SOURCE_DIR) + "/specs/gallery", text, budget);
}

std::string with(const std::string& mechanism, const std::string& prior = R"({"type": "uniform"})") {
  return R"({"oddsbound": 1, "name": "t", "domain": [{"name": "x", "size": 2}, {"name": "y", "values": ["a", "b"]}],
             "prior": )" +
         prior + R"(, "mechanism": )" + mechanism + "}";
}

const std::string kMatrix =
    R"({"type": "matrix", "outputs": ["u", "v"], "rows": [[1, 0], [0.5, 0.50], ["1/3", "2/3"], ["0.25", "3/4"]]})";

std::vector<std::string> labels_of(const std::string& mechanism) {
  Budget budget;
  return output_labels(*read(with(mechanism)).model.channel, budget);
}

Number entry(const std::string& mechanism, std::uint64_t x, std::uint64_t y) {
  return read(with(mechanism)).model.channel->entry(x, y);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const SpecError& error) {
    return error.what();
  }
  return "";
}

Number probability(const std::string& prior, std::uint64_t x) {
  return read(with(kMatrix, prior)).model.prior->probability(x);
}

}  // namespace

TEST_CASE("JSON numbers are decimals, not doubles") {
  const Spec spec = read(with(R"({"type": "matrix", "outputs": 2, "rows": [
      [0.1, 0.9], [1e-1, 9E-1], [0.10000000000000000555, 0.89999999999999999445], [1, 0]]})"));
  CHECK(spec.model.channel->entry(0, 0) == Number::ratio(1, 10));
  CHECK(spec.model.channel->entry(1, 0) == Number::ratio(1, 10));
  CHECK(spec.model.channel->entry(2, 0) != Number::ratio(1, 10));
}

TEST_CASE("parameters refer to one another in any order") {
  const std::string text =
      R"j({"oddsbound": 1, "name": "t", "parameters": {"p": "t/(1+t)", "t": "exp(eps)", "eps": "log(3)"},
      "domain": [{"name": "x", "size": 2}],
      "mechanism": {"type": "matrix", "outputs": 2, "rows": [["p", "1-p"], ["1-p", "p"]]}})j";
  CHECK(read(text).model.channel->entry(0, 0) == Number::ratio(3, 4));
}

TEST_CASE("every mechanism type gives the channel its definition says") {
  const std::string response = R"j({"type": "k_randomized_response", "epsilon": "log(3)"})j";
  CHECK(entry(kMatrix, 2, 1) == Number::ratio(2, 3));
  CHECK(labels_of(response) == std::vector<std::string>{"(0,a)", "(0,b)", "(1,a)", "(1,b)"});
  CHECK(entry(response, 0, 0) == Number::ratio(1, 2));
  CHECK(entry(response, 0, 3) == Number::ratio(1, 6));
  const std::string per =
      R"({"type": "per_coordinate", "mechanisms": {"y": )" + response + R"(, "x": )" + response + "}}";
  CHECK(labels_of(per) == std::vector<std::string>{"(0,a)", "(0,b)", "(1,a)", "(1,b)"});
  CHECK(entry(per, 1, 1) == Number::ratio(9, 16));
  CHECK(entry(per, 1, 0) == Number::ratio(3, 16));
  const std::string on = R"({"type": "on", "coordinates": ["y", "x"], "mechanism": )" + response + "}";
  CHECK(labels_of(on) == std::vector<std::string>{"(a,0)", "(a,1)", "(b,0)", "(b,1)"});
  CHECK(entry(on, 1, 2) == Number::ratio(1, 2));
  const std::string compose = R"({"type": "compose", "mechanisms": [)" + kMatrix + ", " + kMatrix + "]}";
  CHECK(labels_of(compose) == std::vector<std::string>{"(u,u)", "(u,v)", "(v,u)", "(v,v)"});
  CHECK(entry(compose, 2, 1) == Number::ratio(2, 9));
  const std::string repeat = R"({"type": "repeat", "times": 2, "mechanism": )" + kMatrix + "}";
  CHECK(labels_of(repeat) == labels_of(compose));
  CHECK(entry(repeat, 3, 3) == Number::ratio(9, 16));
  const std::string adaptive = R"({"type": "adaptive", "first": )" + kMatrix + R"(, "then": {"v": )" + kMatrix +
                               R"(, "u": {"type": "matrix", "outputs": ["w"], "rows": [[1],[1],[1],[1]]}}})";
  CHECK(labels_of(adaptive) == std::vector<std::string>{"(u,w)", "(v,u)", "(v,v)"});
  CHECK(entry(adaptive, 2, 1) == Number::ratio(2, 9));
  const std::string mixture = R"({"type": "mixture", "weights": ["1/4", "3/4"], "mechanisms": [)" + kMatrix +
                              R"(, {"type": "matrix", "outputs": ["v", "w"], "rows": [[1,0],[1,0],[1,0],[0,1]]}]})";
  CHECK(labels_of(mixture) == std::vector<std::string>{"u", "v", "w"});
  CHECK(entry(mixture, 1, 1) == Number::ratio(7, 8));
  const std::string mapped = R"({"type": "post_process", "mechanism": )" + per +
                             R"j(, "map": {"(0,a)": "s", "(0,b)": "d", "(1,a)": "d", "(1,b)": "s"}})j";
  CHECK(labels_of(mapped) == std::vector<std::string>{"s", "d"});
  CHECK(entry(mapped, 0, 0) == Number::ratio(10, 16));
  const std::string kernel =
      R"({"type": "post_process", "mechanism": )" + kMatrix + R"(, "outputs": 2, "rows": [["1/2","1/2"],[0,1]]})";
  CHECK(entry(kernel, 2, 0) == Number::ratio(1, 6));
  const std::string cases =
      R"({"type": "on", "coordinates": ["x"], "mechanism": {"type": "cases", "outputs": ["n", "p"],
      "cases": [{"when": {"x": ["1"]}, "then": {"p": 1}}, {"when": {}, "then": {"n": "1/3", "p": "2/3"}}]}})";
  CHECK(entry(cases, 1, 1) == Number::ratio(2, 3));
  CHECK(entry(cases, 2, 1) == Number(1));
}

TEST_CASE("every prior type gives the distribution its definition says") {
  CHECK(probability(R"({"type": "uniform"})", 3) == Number::ratio(1, 4));
  CHECK(probability(R"j({"type": "probabilities", "probabilities": ["1/2", 0.125, "exp(0)/8", "1/4"]})j", 2) ==
        Number::ratio(1, 8));
  CHECK(probability(R"({"type": "counts", "counts": [1, 0, 2, "3+1"]})", 3) == Number::ratio(4, 7));
  CHECK(probability(R"({"type": "product", "marginals": {"y": ["1/3", "2/3"], "x": ["1/4", "3/4"]}})", 3) ==
        Number::ratio(1, 2));
  CHECK(probability(R"({"type": "diagonal", "marginal": ["1/3", "2/3"]})", 3) == Number::ratio(2, 3));
  CHECK(probability(R"({"type": "diagonal", "marginal": ["1/3", "2/3"]})", 1).is_zero());
  const std::string mixture = R"({"type": "mixture", "weights": ["1/2", "1/2"], "components": [
      {"type": "uniform"}, {"type": "counts", "counts": [0, 0, 0, 9]}]})";
  CHECK(probability(mixture, 3) == Number::ratio(5, 8));
  const std::string network = R"({"type": "network", "nodes": [
      {"coordinate": "y", "parents": ["x"], "table": [["1/3", "2/3"], ["1/5", "4/5"]]},
      {"coordinate": "x", "table": [["1/4", "3/4"]]}]})";
  CHECK(probability(network, 3) == Number::ratio(3, 5));
}

TEST_CASE("a CSV prior is the table's empirical distribution") {
  Budget budget;
  const Spec titanic = read_spec(std::string(ODDSBOUND_SOURCE_DIR) + "/specs/gallery/titanic.json", budget);
  CHECK(titanic.model.prior->total() == Number(2201));
  // Class, sex, age, survived: 3rd-class boys who died, 35 of 2,201.
  const Domain& domain = titanic.model.domain;
  const std::uint64_t x = 2 * domain.stride(0);
  CHECK(titanic.model.prior->probability(x) == Number::ratio(35, 2201));
  const std::vector<Number> survived = titanic.model.prior->marginal_weights(3, budget);
  CHECK(survived[1] == Number(711));
}

TEST_CASE("errors name line, column and pointer") {
  const std::string text =
      "{\"oddsbound\": 1, \"name\": \"t\",\n \"domain\": [{\"name\": \"x\", \"size\": 2}],\n"
      " \"mechanism\": {\"type\": \"matrix\", \"outputs\": 2,\n  \"rows\": [[1, 0], [\"1/2\", \"1/3\"]]}}";
  CHECK(error_of(text) == "spec.json:4:20: /mechanism/rows/1: the row sums to 5/6, not 1");
  CHECK(error_of("{\"oddsbound\": 1, \"na\\u006de\": \"a\", \"name\": \"b\"}").find("the key 'name' occurs twice") !=
        std::string::npos);
  CHECK(error_of("{\"oddsbound\": 1, \"a/b~c\": 1}").find("/a~1b~0c") != std::string::npos);
  // Columns count characters, not bytes.
  CHECK(error_of("{\"oddsbound\": 1, \"name\": \"\u00e9\u00e9\", \"x\": 1}").find("spec.json:1:32: /x") !=
        std::string::npos);
}

TEST_CASE("a document keeps exact texts and decodes escapes") {
  const JsonDocument document(
      "d.json", "{\"a\": [1.50, -0, 12345678901234567890123, \"\\u00e9\\n\\\"q\\\\\"], \"b\": null, \"c\": true}");
  const auto members = document.root().members();
  REQUIRE(members.size() == 3);
  const auto items = members[0].value.items();
  REQUIRE(items.size() == 4);
  CHECK(items[0].text() == "1.50");
  CHECK(items[1].text() == "-0");
  CHECK(items[2].text() == "12345678901234567890123");
  CHECK(items[3].text() == "\u00e9\n\"q\\");
  CHECK(items[3].place().pointer == "/a/3");
  CHECK(items[3].place().column == 43);
  CHECK(members[2].value.place().pointer == "/c");
  CHECK(members[1].value.kind() == JsonKind::kNull);
}

TEST_CASE("places are right in any order, and a copy has the same") {
  std::string text = "{\"\u00e9\": [";
  std::vector<std::pair<std::size_t, std::size_t>> expected;
  std::size_t line = 1;
  std::size_t column = 8;
  for (std::size_t i = 0; i < 3000; ++i) {
    expected.emplace_back(line, column);
    const std::string number = std::to_string(i);
    text += number;
    column += number.size() + 1;
    if (i % 700 == 699) {
      text += "\n";
      ++line;
      column = 2;
    }
    text += i == 2999 ? "]" : ",";
  }
  text += ", \"b\": {\"c\": 1}}";
  const JsonDocument document("d.json", text);
  const auto members = document.root().members();
  const auto items = members[0].value.items();
  REQUIRE(items.size() == expected.size());
  const auto check = [&](std::size_t i, const SourcePlace& place) {
    CAPTURE(i);
    CHECK(place.line == expected[i].first);
    CHECK(place.column == expected[i].second);
    CHECK(place.pointer == "/\u00e9/" + std::to_string(i));
  };
  for (const std::size_t i : {2999u, 0u, 1u, 1500u, 700u, 701u, 699u, 2u, 2998u}) check(i, items[i].place());
  CHECK(members[1].value.members()[0].value.place().pointer == "/b/c");
  CHECK(members[1].key.place().pointer == "/b");
  CHECK(document.root().place().pointer.empty());
  const auto copy = document.with_text(items[5], "7");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    check(i, copy->root().members()[0].value.items()[i].place());
    if (i == 20) break;
  }
}

TEST_CASE("expressions that were evaluated before have the same values, errors and limits") {
  KnownExpressions known;
  std::size_t looked_up = 0;
  const ExpressionScope scope{[&](std::string_view) {
                                ++looked_up;
                                return ExpressionValue{false, Number(3), Number(1)};
                              },
                              {},
                              kMaxLiteralDigits,
                              &known};
  for (const char* text : {"exp(1)/(exp(1)+x)", "(exp(1)+x)^2 - (exp(1) + x)", "exp(1)/(exp(1)+x)", "(exp(1)+x)*2",
                           "1/(exp(1)+x) ", "-(exp(1)+x)^2", "sqrt((2))"}) {
    CAPTURE(text);
    const ExpressionScope fresh{scope.lookup, {}, kMaxLiteralDigits, nullptr};
    CHECK(as_surd(evaluate_expression(text, scope)) == as_surd(evaluate_expression(text, fresh)));
  }
  CHECK(known.find("(exp(1)+x)") != nullptr);
  CHECK(known.find("exp(1)") != nullptr);
  looked_up = 0;
  evaluate_expression("(exp(1)+x)*4", scope);
  CHECK(looked_up == 0);
  // A whole expression within a word's parentheses.
  for (const char* text : {"log(exp(1)/(exp(1)+x))", "2*log(exp(1)/(exp(1)+x)) - 1", "log( exp(1)/(exp(1)+x))"}) {
    CAPTURE(text);
    const ExpressionScope fresh{scope.lookup, {}, kMaxLiteralDigits, nullptr};
    const ExpressionValue found = evaluate_expression(text, scope), expected = evaluate_expression(text, fresh);
    CHECK(found.plain == expected.plain);
    CHECK(found.under_log == expected.under_log);
  }
  CHECK_THROWS_AS(evaluate_expression("log(exp(1)", scope), NumberError);
  CHECK_THROWS_AS(evaluate_expression("log exp(1)", scope), NumberError);
  // Nesting is counted as if no subexpression were cached.
  const auto nested = [](int depth, const std::string& inside) {
    return std::string(static_cast<std::size_t>(depth), '(') + inside +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  evaluate_expression(nested(150, "1"), scope);
  CHECK_THROWS_AS(evaluate_expression(nested(60, nested(150, "1") + "+1"), scope), LimitError);
  CHECK_NOTHROW(evaluate_expression(nested(40, nested(150, "1") + "+1"), scope));
  CHECK_THROWS_AS(evaluate_expression("(exp(1)+x", scope), NumberError);
  for (int again = 0; again < 2; ++again) CHECK_THROWS_AS(evaluate_expression("x(1)", scope), NumberError);
  // Long expressions are evaluated each time.
  std::string sum = "(1";
  while (sum.size() < KnownExpressions::kLongest) sum += "+1";
  sum += ")";
  evaluate_expression(sum, scope);
  CHECK(known.find(sum) == nullptr);
}

TEST_CASE("CSV follows RFC 4180") {
  Budget budget;
  const auto rows = parse_csv("t.csv", "\xef\xbb\xbfx,\"y,z\"\r\n\r\n\"a \"\"q\"\"\",\"two\nlines\"\nlast,", budget);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].cells == std::vector<std::string>{"x", "y,z"});
  CHECK(rows[1].line == 3);
  CHECK(rows[1].cells == std::vector<std::string>{"a \"q\"", "two\nlines"});
  CHECK(rows[2].line == 5);
  CHECK(rows[2].cells == std::vector<std::string>{"last", ""});
  CHECK_THROWS_AS(parse_csv("t.csv", "\"a\"b\n", budget), SpecError);
  CHECK_THROWS_AS(parse_csv("t.csv", "\"a", budget), SpecError);
  CHECK_THROWS_AS(parse_csv("t.csv", std::string("a\0b", 3), budget), SpecError);
  CHECK_THROWS_AS(parse_csv("t.csv", "a\rb", budget), SpecError);
  CHECK(parse_csv("t.csv", "", budget).empty());
  // A line without characters is no row; a quoted empty cell is one.
  CHECK(parse_csv("t.csv", "x\n\"\"\n\na\n", budget).size() == 3);
}

TEST_CASE("cells may be separated by semicolons and tabs") {
  Budget budget;
  const auto cells_of = [&](const std::string& text, char separator) {
    std::vector<std::vector<std::string>> rows;
    each_csv_row(
        "t.csv", text, budget, [&](CsvRow& row) { rows.push_back(row.cells); }, separator);
    return rows;
  };
  using Rows = std::vector<std::vector<std::string>>;
  CHECK(cells_of("\"a;b\";c,d\n1;\n", ';') == Rows{{"a;b", "c,d"}, {"1", ""}});
  CHECK(cells_of("a\t\"b\tc\"\n", '\t') == Rows{{"a", "b\tc"}});
  CHECK_THROWS_WITH_AS(cells_of("\"a\",b\n", ';'), doctest::Contains("expected ';' or the end of the line"), SpecError);
  CHECK_THROWS_WITH_AS(cells_of("\"a\",b\n", '\t'), doctest::Contains("expected a tab or"), SpecError);
  // Only the first row counts, outside quotes; a tie is a comma.
  CHECK(separator_of("a;b,c;d\n1,2,3,4,5\n") == ';');
  CHECK(separator_of("\"a;b;c\",d\n") == ',');
  CHECK(separator_of("a\tb\n") == '\t');
  CHECK(separator_of("a;b,c\n") == ',');
  CHECK(separator_of("a\n1;2\n") == ',');
  CHECK(separator_of("\"two\nlines\";b;c\n") == ';');
}

TEST_CASE("a missing cell drops its row, counts as a value, or is an error; a declared value is never missing") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("oddsbound-missing-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "t.csv") << "x,y\n0,a\n0,a\n,b\n1,?\n1,NA\n1,b\n";
  Budget budget;
  const auto weights = [&](const std::string& options) {
    const std::string text = R"({"oddsbound": 1, "name": "t", "domain": [{"name": "x", "values": ["0", "1"]},
      {"name": "y", "values": ["a", "b", "NA"]}], "prior": {"type": "csv", "file": "t.csv")" +
                             options + R"(}, "mechanism": {"type": "k_randomized_response", "epsilon": "1"}})";
    return read_spec_text("t.json", folder.string(), text, budget).model.prior->dense(budget).weights;
  };
  const auto shares = [](const std::vector<std::int64_t>& counts) {
    std::vector<Number> numbers;
    for (const std::int64_t count : counts) numbers.emplace_back(count);
    return numbers;
  };
  CHECK(weights(R"(, "missing": "drop", "missing_cells": ["?", "NA"])") == shares({2, 0, 0, 0, 1, 1}));
  CHECK_THROWS_WITH_AS(weights(R"(, "missing_cells": ["?"])"), doctest::Contains("2 rows have a missing cell"),
                       SpecError);
  CHECK_THROWS_AS(weights(R"(, "missing": {"as": "NA"}, "missing_cells": ["?"])"), SpecError);  // x has no NA
  CHECK_THROWS_AS(weights(R"(, "missing": "drop")"), SpecError);
  std::ofstream(folder / "t.csv") << "y,x\n?,0\n,1\nNA,1\n";
  CHECK(weights(R"(, "missing": {"as": "NA"}, "missing_cells": ["?"])") == shares({0, 0, 1, 0, 0, 2}));
  fs::remove_all(folder);
}

TEST_CASE("suggestions are near words, or none") {
  const std::vector<std::string> words = {"epsilon", "prior", "x"};
  CHECK(suggestion("epsilom", words) == "did you mean 'epsilon'?");
  CHECK(suggestion("piror", words) == "did you mean 'prior'?");
  CHECK(suggestion("X", words) == "did you mean 'x'?");
  CHECK(suggestion("y", words).empty());
  CHECK(suggestion("mechanism", words).empty());
  CHECK(listing(words) == "epsilon, prior or x");
}

TEST_CASE("what is known is listed completely, and of many values the first ones") {
  const auto names = [](std::size_t count) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back("n" + std::to_string(i));
    return all;
  };
  CHECK(listing(names(1)) == "n0");
  CHECK(listing(names(13)) == "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 or n12");
  CHECK(listing(names(48)).ends_with("n46 or n47"));
  CHECK(listing(names(49)) == "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 and 37 more");
  std::vector<std::string> notions;
  for (const Notion& notion : notion_table()) notions.push_back(notion.name);
  REQUIRE(notions.size() > 12);
  for (const std::string& name : notions) CHECK(listing(notions).find(name) != std::string::npos);
  const std::string text = listing(std::vector<std::string>(40, std::string(2000, 'x')));
  CHECK(text.size() < 1200);
  CHECK(text.ends_with(" more"));
}

TEST_CASE("what may steer a terminal is shown as bytes") {
  CHECK(printable("a\x1b[31m\x07") == "a\\x1b[31m\\x07");
  CHECK(printable("\u202ex") == "\\xe2\\x80\\xaex");
  CHECK(printable("\u009bx") == "\\xc2\\x9bx");
  CHECK(printable("caf\u00e9") == "caf\u00e9");
  CHECK(printable(std::string(1000, 'x'), 20).size() < 30);
}

TEST_CASE("limits stop the reader, and name their flag") {
  Limits small;
  small.max_inputs = 3;
  Budget few(small);
  CHECK_THROWS_WITH_AS(read_spec_text("s.json", ".", with(kMatrix), few), doctest::Contains("--max-inputs"), SpecError);
  small = {};
  small.max_cells = 7;
  Budget cells(small);
  CHECK_THROWS_WITH_AS(read_spec_text("s.json", ".", with(kMatrix), cells), doctest::Contains("--max-cells"),
                       SpecError);
  small = {};
  small.max_seconds = -1;
  Budget late(small);
  CHECK_THROWS_AS(late.check(), LimitError);
}

namespace {

std::vector<std::string> pointers_of_errors(const std::string& text) {
  std::vector<std::string> pointers;
  try {
    read(text);
  } catch (const SpecErrors& errors) {
    for (const SpecError& error : errors.all()) pointers.push_back(error.place().pointer);
  } catch (const SpecError& error) {
    pointers.push_back(error.place().pointer);
  }
  return pointers;
}

}  // namespace

TEST_CASE("the errors of parts that do not depend on one another are found together") {
  const std::string head =
      R"({"oddsbound": 1, "name": "t", "domain": [{"name": "x", "size": 2}], "parameters": {"a": "1/0", "b": "a"}, )";
  const std::string mechanism = R"("mechanism": {"type": "k_randomized_response", "epsilon": "b"})";
  // What uses a parameter with an error has no error of its own.
  CHECK(pointers_of_errors(head + mechanism + "}") == std::vector<std::string>{"/parameters/a"});
  // Nor does a claim that needs the prior, or a set of priors, with an error.
  CHECK(pointers_of_errors(head + R"("prior": {"type": "none"}, )" + mechanism +
                           R"(, "claims": [{"notion": "bcdp", "epsilon": "1"}, {"notion": "ldp", "epsilon": "-1"},
                                           {"notion": "bdp", "epsilon": "1", "for_all": "s"}]})") ==
        std::vector<std::string>{"/parameters/a", "/prior/type", "/claims/1/epsilon"});
  std::string claims;
  for (int k = 0; k < 20; ++k) claims += std::string(k == 0 ? "" : ",") + R"({"notion": "ldp", "epsilon": "c"})";
  CHECK(pointers_of_errors(head + mechanism + R"(, "claims": [)" + claims + "]}").size() == 10);
  // Without a domain nothing is read.
  CHECK(pointers_of_errors(R"({"oddsbound": 1, "domain": [], "claims": [1], "mechanism": 1})") ==
        std::vector<std::string>{"", "/domain"});
}

TEST_CASE("a matrix of levels may be about some coordinates, and constrains nothing else") {
  const auto levels_of = [](const std::string& matrix, const std::string& of) {
    const Spec spec = read(R"({"oddsbound": 1, "name": "t", "parameters": {"t": "3"},
        "domain": [{"name": "x", "size": 2}, {"name": "y", "size": 2}, {"name": "z", "size": 2}],
        "mechanism": {"type": "k_randomized_response", "epsilon": 1},
        "claims": [{"notion": "context_ldp", "epsilon": {"matrix": )" +
                           matrix + R"(, "of": )" + of + "}}]}");
    return spec.claims[0].arguments.get<LevelMatrix>("epsilon").levels;
  };
  const std::string four = R"j([["0", 1, 2, "log(t)"], [4, 0, 6, 7], [8, 9, 0, 11], [12, 13, "inf", 0]])j";
  // Inputs are numbered 4 x + 2 y + z, rows of the matrix 2 z + x.
  const std::vector<Level> levels = levels_of(four, R"(["z", "x"])");
  REQUIRE(levels.size() == 64);
  for (std::uint64_t a = 0; a < 8; ++a) {
    for (std::uint64_t b = 0; b < 8; ++b) {
      CAPTURE(a);
      CAPTURE(b);
      const std::uint64_t from = 2 * (a % 2) + a / 4, to = 2 * (b % 2) + b / 4;
      Level expected = parse_level(std::to_string(from == to ? 0 : 4 * from + to));
      if (from == 0 && to == 3) expected = parse_level("log(3)");
      if (a / 2 % 2 != b / 2 % 2 || (from == 3 && to == 2)) expected = Level::infinite();
      CHECK(levels[8 * a + b] == expected);
    }
  }
  CHECK(levels_of(R"([[0, 1], [2, 0]])", R"(["y"])")[2] == parse_level("1"));
}

TEST_CASE("neighbors may be pairs of inputs, or inputs within a distance") {
  const auto pairs_of = [](const std::string& neighbors) {
    const Spec spec = read(R"({"oddsbound": 1, "name": "t",
        "domain": [{"name": "x", "values": ["-1", "0", "1/2", "3"]}, {"name": "y", "size": 3}],
        "mechanism": {"type": "k_randomized_response", "epsilon": 1},
        "claims": [{"notion": "zcdp", "rho": "1", "neighbors": )" +
                           neighbors + "}]}");
    return spec.claims[0].arguments.get<std::shared_ptr<const InputPairs>>("neighbors")->pairs;
  };
  using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  // Inputs are numbered 3 x + y.
  CHECK(pairs_of(R"({"pairs": [[["3", "2"], ["-1", "0"]], [["0", "0"], ["0", "1"]]]})") == Pairs{{0, 11}, {3, 4}});
  CHECK(pairs_of(R"({"metric": "absolute", "of": ["x"], "at_most": 1})") ==
        Pairs{{0, 3}, {1, 4}, {2, 5}, {3, 6}, {4, 7}, {5, 8}});
  CHECK(pairs_of(R"({"metric": "linf", "of": ["y"], "at_most": 2})").size() == 4 * 3);
  CHECK(pairs_of(R"({"metric": "hamming", "at_most": 1})").size() == 4 * 3 + 3 * 6);
  CHECK(pairs_of(R"({"metric": "hamming", "at_most": 2})").size() == 12 * 11 / 2);
  // l1 at most 3/2: y differs by 1, or x by 1/2, 1 or 3/2, or x by 1/2 and y by 1. The last counts in l2, too.
  CHECK(pairs_of(R"({"metric": "l1", "at_most": "3/2"})").size() == 8 + 3 * 3 + 4);
  CHECK(pairs_of(R"({"metric": "l2", "at_most": 1.2})").size() == 8 + 2 * 3 + 4);
  CHECK(pairs_of(R"({"metric": "linf", "at_most": 1})").size() == 8 + 2 * 3 + 2 * 4);
}
