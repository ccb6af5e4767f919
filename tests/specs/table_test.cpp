// Priors from tables: values taken from columns, missing cells, and their accounting.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "specs/collected.h"
#include "specs/csv.h"
#include "specs/spec.h"

using namespace oddsbound;

namespace {

namespace fs = std::filesystem;

// Reads a spec over the columns x and y of a table.
class TableSpec {
 public:
  explicit TableSpec(const std::string& table)
      : folder_(fs::temp_directory_path() / ("oddsbound-table-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "t.csv") << table;
  }
  TableSpec(const TableSpec&) = delete;
  TableSpec& operator=(const TableSpec&) = delete;
  ~TableSpec() { fs::remove_all(folder_); }

  Spec read(const std::string& x, const std::string& y, const std::string& options, const Limits& limits = {}) const {
    Budget budget(limits);
    const std::string text = R"({"oddsbound": 1, "name": "t", "domain": [{"name": "x", "values": )" + x +
                             R"(}, {"name": "y", "values": )" + y + R"(}], "prior": {"type": "csv", "file": "t.csv")" +
                             options + R"(}, "mechanism": {"type": "k_randomized_response", "epsilon": "1"}})";
    return read_spec_text("t.json", folder_.string(), text, budget);
  }
  std::string error(const std::string& x, const std::string& y, const std::string& options,
                    const Limits& limits = {}) const {
    try {
      read(x, y, options, limits);
    } catch (const SpecError& error) {
      return error.message();
    }
    return "";
  }

 private:
  fs::path folder_;
};

const std::string kOpen = R"("from prior")";

using Texts = std::vector<std::string>;

Texts values_of(const Spec& spec, std::size_t i) { return spec.model.domain.coordinate(i).values.listed(); }

std::vector<Number> weights_of(const Spec& spec) {
  Budget budget;
  return spec.model.prior->dense(budget).weights;
}

std::vector<Number> counts(const std::vector<std::int64_t>& values) {
  std::vector<Number> numbers;
  for (const std::int64_t value : values) numbers.emplace_back(value);
  return numbers;
}

}  // namespace

TEST_CASE("values of a column: plain integers by their size, then other texts by their bytes") {
  ColumnValues values({});
  for (const char* text : {"b", "10", "9", "-1", "07", "B", "", "-12", "0", "-0", "1.5", "+3", "100000000000000000000",
                           "99999999999999999999"}) {
    CHECK(!values.find(text));
    values.find_or_add(text);
  }
  CHECK(values.find_or_add("9") == 2);
  CHECK(values.size() == 14);
  std::vector<std::uint32_t> places;
  CHECK(values.sorted(places) == Texts{"-12", "-1", "0", "9", "10", "99999999999999999999", "100000000000000000000", "",
                                       "+3", "-0", "07", "1.5", "B", "b"});
  CHECK(places[0] == 13);  // b
  CHECK(places[1] == 4);   // 10
}

TEST_CASE("coordinates whose values come from the prior have those of their columns, and rows follow their order") {
  const TableSpec table("y,n,x\nb,1,10\na,2,9\nb,4,9\nb,8,10\nc,0,9\n");
  const Spec spec = table.read(kOpen, kOpen, R"(, "count": "n")");
  CHECK(values_of(spec, 0) == Texts{"9", "10"});
  CHECK(values_of(spec, 1) == Texts{"a", "b", "c"});  // also a value with count 0
  CHECK(weights_of(spec) == counts({2, 4, 0, 0, 9, 0}));
  CHECK(spec.tables.empty());
  // Next to declared values, and equal to the spec that lists them.
  const Spec half = table.read(R"(["10", "9", "8"])", kOpen, R"(, "count": "n")");
  const Spec listed = table.read(R"(["10", "9", "8"])", R"(["a", "b", "c"])", R"(, "count": "n")");
  CHECK(half.model.domain == listed.model.domain);
  CHECK(weights_of(half) == weights_of(listed));
}

TEST_CASE("values that a table cannot give are an error") {
  const TableSpec table("x,y\n0,\n1,?\n2,\n");
  CHECK(table.error(kOpen, kOpen, R"(, "missing": "drop", "missing_cells": ["?"])").find("every row of ") == 0);
  CHECK(table.error(kOpen, kOpen, "").find("2 rows have a missing cell, of y") == 0);
  CHECK(table.error(kOpen, R"(["a"])", R"(, "missing": "drop", "missing_cells": ["?"])").find("every row of ") == 0);
  CHECK(table.error(R"("from table")", kOpen, "").find("expected an array of values, or \"from prior\"") !=
        std::string::npos);
  Limits two;
  two.max_inputs = 2;
  CHECK(table.error(kOpen, R"(["?", ""])", "", two) ==
        "coordinate 'x' has more values in the table than inputs may be held (--max-inputs 2)");
  Budget budget;
  for (const char* prior : {"", R"(, "prior": {"type": "uniform"})"}) {
    const std::string text = R"({"oddsbound": 1, "name": "t", "domain": [{"name": "x", "values": "from prior"}])" +
                             std::string(prior) +
                             R"(, "mechanism": {"type": "k_randomized_response", "epsilon": "1"}})";
    CHECK_THROWS_WITH_AS(read_spec_text("t.json", ".", text, budget), doctest::Contains("needs a prior of type 'csv'"),
                         SpecError);
  }
}

TEST_CASE("missing cells that are values have their own text, empty ones are called missing") {
  const TableSpec table("x,y,n\n,a,1\n0,?,2\n0,a,4\n,,8\n");
  const std::string options = R"(, "missing": "value", "missing_cells": ["?"], "count": "n")";
  const Spec spec = table.read(kOpen, kOpen, options);
  CHECK(values_of(spec, 0) == Texts{"0", "missing"});
  CHECK(values_of(spec, 1) == Texts{"?", "a", "missing"});
  CHECK(weights_of(spec) == counts({2, 4, 0, 0, 1, 8}));
  REQUIRE(spec.tables.size() == 1);
  CHECK(spec.tables[0].missing == Missing::kValue);
  CHECK(spec.tables[0].dropped == 0);
  CHECK(spec.tables[0].missing_cells == std::vector<std::pair<std::string, std::uint64_t>>{{"x", 2}, {"y", 2}});
  // Declared values keep their places. The empty text may be declared itself; then it is not a missing cell.
  const Spec declared = table.read(R"(["missing", "0"])", R"(["", "a", "?"])", options);
  CHECK(weights_of(declared) == counts({8, 1, 0, 0, 4, 2}));
  CHECK(declared.tables[0].missing_cells == std::vector<std::pair<std::string, std::uint64_t>>{{"x", 2}});
  CHECK(table.error(R"(["0"])", kOpen, options).find("is empty, and 'missing' is not a value of it") !=
        std::string::npos);
  CHECK(table.error(kOpen, R"(["a", "missing"])", options).find("is missing, and '?' is not a value of it") !=
        std::string::npos);
}

TEST_CASE("an empty cell and the word for it are not one value in silence") {
  const TableSpec table("x,y\nmissing,a\n,a\n");
  const std::string message =
      "an empty cell of coordinate 'x' is the value 'missing', and so is the cell 'missing' at "
      "line 2, which is not missing";
  CHECK(table.error(kOpen, kOpen, R"(, "missing": "value")") == message);
  CHECK(table.error(R"(["missing"])", kOpen, R"(, "missing": "value")") == message);
  const Spec both = table.read(kOpen, kOpen, R"(, "missing": "value", "missing_cells": ["missing"])");
  CHECK(values_of(both, 0) == Texts{"missing"});
  CHECK(both.tables[0].missing_cells == std::vector<std::pair<std::string, std::uint64_t>>{{"x", 2}});
}

TEST_CASE("how many rows were dropped is counted, and what they stand for") {
  const TableSpec table("x,y,n\n,a,1\n0,?,2\n0,a,4\n,,8\n");
  const Spec spec = table.read(kOpen, kOpen, R"(, "missing": "drop", "missing_cells": ["?"], "count": "n")");
  REQUIRE(spec.tables.size() == 1);
  const TableUse& use = spec.tables[0];
  CHECK(use.missing == Missing::kDrop);
  CHECK(use.rows == 4);
  CHECK(use.dropped == 3);
  CHECK(*use.counted == Number(15));
  CHECK(*use.counted_dropped == Number(11));
  CHECK(use.missing_cells == std::vector<std::pair<std::string, std::uint64_t>>{{"x", 2}, {"y", 2}});
  CHECK(weights_of(spec) == counts({4}));
  const Spec replaced = table.read(kOpen, kOpen, R"(, "missing": {"as": "a"}, "missing_cells": ["?"])");
  CHECK(replaced.tables[0].as == "a");
  CHECK(replaced.tables[0].dropped == 0);
  CHECK(!replaced.tables[0].counted);
  CHECK(values_of(replaced, 0) == Texts{"0", "a"});
  CHECK(weights_of(replaced) == counts({2, 2}));
}

TEST_CASE("a dropped row gives its values, and must have no others") {
  const TableSpec table("x,y\n0,a\n1,\n");
  CHECK(values_of(table.read(kOpen, kOpen, R"(, "missing": "drop")"), 0) == Texts{"0", "1"});
  CHECK(table.error(kOpen, kOpen, "").find("1 row has a missing cell, of y") == 0);
  const TableSpec wrong("x,y\n0,a\n,b\n");
  CHECK(wrong.error(kOpen, R"(["a"])", R"(, "missing": "drop")") == "'b' is not a value of coordinate 'y'");
}

TEST_CASE("a spec says what separates the cells of its table") {
  const TableSpec table("x;y\n\"0\";a,b\n1;c\n");
  const Spec spec = table.read(kOpen, kOpen, R"(, "separator": ";")");
  CHECK(values_of(spec, 1) == Texts{"a,b", "c"});
  // The digest of the rows needs it too: these cells are no CSV with commas.
  REQUIRE(spec.files.size() == 2);
  CHECK(spec.files[1].separator == ';');
  CHECK(table.error(kOpen, kOpen, R"(, "separator": "|")").find("found '|', expected \",\", \";\" or a tab") == 0);
  const TableSpec plain("x;y\n0;a\n");
  CHECK(plain.error(kOpen, kOpen, "").find("has no column 'x'") != std::string::npos);
  const TableSpec tabs("x\ty\n0\ta\n");
  CHECK(values_of(tabs.read(kOpen, kOpen, R"(, "separator": "\t")"), 1) == Texts{"a"});
}

TEST_CASE("inputs with missing cells are read as the prior reads its table") {
  const TableSpec table("x,y\n0,a\n,?\n");
  const auto inputs_of = [&](const std::string& options, const std::string& rows) {
    Budget budget;
    const Spec spec = table.read(kOpen, kOpen, options);
    const InputList inputs = read_input_table("i.csv", "x,y\n" + rows, spec.model.domain, budget, {}, spec.table);
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < inputs.size(); ++k) labels.push_back(input_label(spec.model.domain, inputs[k].number));
    return labels;
  };
  CHECK(inputs_of(R"(, "missing": {"as": "a"}, "missing_cells": ["?"])", ",?\n0,\n") == Texts{"(a,a)", "(0,a)"});
  CHECK(inputs_of(R"(, "missing": "value", "missing_cells": ["?"])", ",?\n") == Texts{"(missing,?)"});
  CHECK_THROWS_AS(inputs_of(R"(, "missing": {"as": "a"}, "missing_cells": ["?"])", "0,NA\n"), SpecError);
  CHECK_THROWS_AS(inputs_of(R"(, "missing": "drop", "missing_cells": ["?"])", ",a\n"), SpecError);
}
