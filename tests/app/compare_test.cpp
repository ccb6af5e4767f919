// Comparison of designs: the lowest one is decided exactly, or reported as undecided.

#include <doctest/doctest.h>

#include "app/compare.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

const std::string kGallery = std::string(ODDSBOUND_SOURCE_DIR) + "/specs/gallery/";

DesignComparison compared(const std::vector<std::string>& names) {
  std::vector<std::string> files;
  for (const std::string& name : names) files.push_back(kGallery + name + ".json");
  return app::compare(files);
}

const ComparedRow& row_of(const DesignComparison& comparison, const std::string& name) {
  for (const ComparedRow& row : comparison.rows) {
    if (row.name() == name) return row;
  }
  FAIL("no row " << name);
  return comparison.rows.at(0);
}

ComparedCell between(const std::string& least, const std::string& most) {
  return {Between<Level>{parse_level(least), parse_level(most)}, ""};
}

ComparedRow row(std::vector<ComparedCell> cells) {
  return {ComparedRow::Kind::kLevel, "ldp", "", std::move(cells), ""};
}

using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE("what is lowest is decided exactly, and open where what is known overlaps") {
  CHECK(row({between("1", "1"), between("log(3)", "log(3)")}).lowest() == Places{0});
  CHECK(row({between("log(9)", "log(9)"), between("2*log(3)", "2*log(3)")}).lowest() == Places{0, 1});
  CHECK(row({between("inf", "inf"), between("inf", "inf")}).lowest() == Places{0, 1});
  CHECK(row({between("1", "2"), between("3/2", "3/2")}).lowest().empty());
  CHECK(row({between("1", "2"), between("2", "2")}).lowest().empty());
  CHECK(row({between("1", "2"), between("5/2", "inf"), between("3", "3")}).lowest() == Places{0});
  CHECK(row({between("1", "1"), {{}, "no prior"}}).lowest().empty());
  CHECK(row({between("1", "1"), {{}, "no prior"}, between("2", "2")}).lowest() == Places{0});
  ComparedRow apart = row({between("1", "1"), between("2", "2")});
  apart.not_compared = "the designs have different inputs";
  CHECK(apart.lowest().empty());
}

TEST_CASE("a design is dominated only where everything is decided") {
  DesignComparison comparison;
  comparison.designs.resize(2);
  comparison.rows = {row({between("1", "1"), between("2", "2")}), row({between("1", "1"), between("1", "1")})};
  CHECK(comparison.dominates(0, 1));
  CHECK(!comparison.dominates(1, 0));
  comparison.rows[1] = row({between("1", "1"), between("0", "2")});
  CHECK(!comparison.dominates(0, 1));
  comparison.rows[1] = row({between("1", "1"), {{}, "no prior"}});
  CHECK(!comparison.dominates(0, 1));
  comparison.rows[1] = row({{{}, "no prior"}, {{}, "no prior"}});
  CHECK(comparison.dominates(0, 1));
  comparison.rows[0] = comparison.rows[1];
  CHECK(!comparison.dominates(0, 1));
}

TEST_CASE("a mechanism twice tells more than once") {
  const DesignComparison comparison = compared({"bcdp-example-2-once", "bcdp-example-2-twice"});
  CHECK(comparison.exit_status() == 0);
  CHECK(comparison.dominates(0, 1));
  CHECK(cell_words(row_of(comparison, "bcdp x2").cells[1]) == "log(5) = 1.60944");
  CHECK(row_of(comparison, "cdp x1").lowest() == Places{0, 1});
}

TEST_CASE("one mechanism is known again, and files that cannot be read do not stop the others") {
  const DesignComparison comparison = compared({"warner", "no-such-spec", "warner"});
  CHECK(comparison.errors.size() == 1);
  CHECK(comparison.exit_status() == 2);
  REQUIRE(comparison.designs.size() == 2);
  CHECK(comparison.designs[0].label != comparison.designs[1].label);
  CHECK(comparison.notes.at(0).find("the same mechanism and the same prior") != std::string::npos);
  // A fraction of 1/2, answered truthfully with probability 3/4: 2 * (1/4) * (1/2 / (1/2))^2 / 1000 for each
  // answer.
  CHECK(cell_words(row_of(comparison, "error of shares").cells[0]) == "1/500 = 0.002");
}

TEST_CASE("attributes of different values are not compared in averages and errors") {
  const DesignComparison comparison = compared({"warner", "titanic"});
  CHECK(row_of(comparison, "error of shares").not_compared == "the designs have different inputs");
  CHECK(row_of(comparison, "cdp answer").cells[1].reason == "it has no such attribute");
  CHECK(row_of(comparison, "ldp").lowest() == Places{0});
}
