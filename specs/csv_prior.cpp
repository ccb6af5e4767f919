// The prior that a table is: how often each row occurs in it.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "specs/csv.h"
#include "specs/spec_parts.h"
#include "specs/suggest.h"

namespace oddsbound::specs {

namespace {

// What becomes of rows with a cell that is no value of its coordinate, and is missing.
struct Missing {
  enum class Treatment { kError, kDrop, kAs } treatment = Treatment::kError;
  std::string as;               // kAs: the value that it counts as
  std::set<std::string> cells;  // besides the empty one
};

struct RowHash {
  std::size_t operator()(const InputRow& row) const {
    std::size_t hash = row.size();
    for (const std::uint32_t value : row) hash = hash * 1000003 + value;
    return hash;
  }
};

class CsvPrior {
 public:
  CsvPrior(JsonView value, const Domain& domain, ReadingContext& context)
      : fields_(value, {"type", "file", "columns", "count", "missing", "missing_cells"}, "a prior from CSV"),
        domain_(domain),
        context_(context) {}

  Prior read() {
    const std::string text = read_named_file(fields_.require("file"), context_, path_);
    read_missing();
    index_values();
    each_csv_row(path_, text, context_.budget, [&](CsvRow& row) {
      context_.budget.tick();
      if (header_.empty()) {
        header_ = row.cells;
        read_columns();
      } else {
        add(row);
      }
    });
    if (header_.empty()) throw SpecError({path_, 1, 0, ""}, "the file is empty, expected a header line");
    refuse_missing();
    const JsonView file = fields_.require("file");
    return at_place(file, [&] { return Prior::from_rows(domain_, std::move(weighted_), context_.budget); });
  }

 private:
  [[noreturn]] void fail(const CsvRow& row, const std::string& message, const std::string& hint = "") const {
    throw SpecError({path_, row.line, 0, ""}, message, hint);
  }

  void read_missing() {
    if (const auto cells = fields_.find("missing_cells")) {
      for (const JsonView cell : read_array(*cells, "cells that are missing")) {
        missing_.cells.insert(read_string(cell, "the text of a cell"));
      }
    }
    const auto treatment = fields_.find("missing");
    if (!treatment) return;
    if (treatment->is_object()) {
      missing_.treatment = Missing::Treatment::kAs;
      missing_.as = read_string(Fields(*treatment, {"as"}, "a value for missing cells").require("as"), "a value");
      return;
    }
    if (!treatment->is_string() || treatment->text() != "drop") {
      treatment->fail("found '" + printable(treatment->text(), 40) + R"(', expected "drop" or {"as": a value})");
    }
    missing_.treatment = Missing::Treatment::kDrop;
  }

  std::size_t find_column(const std::string& wanted, JsonView place, const std::string& why) const {
    const auto found = std::find(header_.begin(), header_.end(), wanted);
    if (found == header_.end()) {
      std::string hint = suggestion(wanted, header_);
      if (hint.empty()) hint = "columns: " + listing(header_);
      place.fail("the file '" + printable(path_) + "' has no column '" + printable(wanted) + "'" + why, hint);
    }
    if (std::count(header_.begin(), header_.end(), wanted) > 1) {
      place.fail("the file '" + printable(path_) + "' has two columns '" + printable(wanted) + "'");
    }
    return static_cast<std::size_t>(found - header_.begin());
  }

  // A coordinate that `columns` does not name has the column of its own name.
  void read_columns() {
    column_of_.assign(domain_.size(), header_.size());
    const auto object = fields_.find("columns");
    if (object) {
      if (!object->is_object()) {
        object->fail("found " + object->kind_name() + ", expected an object: coordinate to column");
      }
      for (const JsonView::Member& member : object->members()) {
        const std::string name = read_string(member.value, "the name of a column");
        column_of_[read_coordinate(member.key, domain_)] = find_column(name, member.value, "");
      }
    }
    for (std::size_t i = 0; i < domain_.size(); ++i) {
      if (column_of_[i] < header_.size()) continue;
      const std::string& name = domain_.coordinate(i).name;
      column_of_[i] = find_column(name, object ? *object : fields_.require("file"),
                                  ", and 'columns' names none for the coordinate");
    }
    if (const auto count = fields_.find("count")) {
      count_column_ = find_column(read_string(*count, "the name of a column"), *count, "");
    }
  }

  void index_values() {
    for (std::size_t i = 0; i < domain_.size(); ++i) {
      auto& values = values_.emplace_back();
      for (const std::string& value : domain_.coordinate(i).values) {
        values.emplace(value, static_cast<std::uint32_t>(values.size()));
      }
    }
  }

  void add(const CsvRow& row) {
    if (row.cells.size() != header_.size()) {
      fail(row, "the row has " + std::to_string(row.cells.size()) + " cells, the header has " +
                    std::to_string(header_.size()));
    }
    InputRow input(domain_.size());
    for (std::size_t i = 0; i < domain_.size(); ++i) {
      const std::string& cell = row.cells[column_of_[i]];
      const auto place = values_[i].find(cell);
      if (place != values_[i].end()) {
        input[i] = place->second;
      } else if (!replaced(row, i, cell, input[i])) {
        return;
      }
    }
    Number count = count_column_ ? read_count(row, *count_column_) : Number(1);
    const auto [place, added] = known_.emplace(input, weighted_.size());
    if (added) {
      weighted_.push_back({std::move(input), std::move(count)});
    } else {
      weighted_[place->second].weight += count;
    }
  }

  // Whether the row counts, with that value.
  bool replaced(const CsvRow& row, std::size_t i, const std::string& cell, std::uint32_t& value) {
    const Coordinate& coordinate = domain_.coordinate(i);
    const bool missing = cell.empty() || missing_.cells.contains(cell);
    if (!missing) {
      std::string hint = suggestion(cell, coordinate.values);
      if (hint.empty()) hint = "values: " + listing(coordinate.values);
      fail(row, "'" + printable(cell) + "' is not a value of coordinate '" + printable(coordinate.name) + "'", hint);
    }
    if (missing_.treatment == Missing::Treatment::kAs) {
      const auto place = values_[i].find(missing_.as);
      if (place == values_[i].end()) {
        fail(row, "a cell of coordinate '" + printable(coordinate.name) + "' is missing, and '" +
                      printable(missing_.as) + "' is not a value of it");
      }
      value = place->second;
      return true;
    }
    if (missing_.treatment == Missing::Treatment::kError) {
      if (missing_count_++ == 0) first_missing_ = row.line;
      missing_coordinates_.insert(coordinate.name);
    }
    return false;
  }

  void refuse_missing() const {
    if (missing_count_ == 0) return;
    const std::vector<std::string> names(missing_coordinates_.begin(), missing_coordinates_.end());
    throw SpecError({path_, first_missing_, 0, ""},
                    std::to_string(missing_count_) + (missing_count_ == 1 ? " row has" : " rows have") +
                        " a missing cell, of " + listing(names) + "; this is the first",
                    R"(say what becomes of them: "missing": "drop", or {"as": a value of the coordinate})");
  }

  Number read_count(const CsvRow& row, std::size_t column) const {
    const std::string& cell = row.cells[column];
    const bool digits =
        !cell.empty() && cell.size() <= kMaxLiteralDigits && cell.find_first_not_of("0123456789") == std::string::npos;
    if (!digits) fail(row, "found '" + printable(cell) + "', expected a count: a non-negative integer");
    return Number::from_digits(cell, "1");
  }

  Fields fields_;
  const Domain& domain_;
  ReadingContext& context_;
  std::string path_;
  Missing missing_;
  std::vector<std::string> header_;
  std::vector<std::size_t> column_of_;  // per coordinate
  std::optional<std::size_t> count_column_;
  std::vector<std::unordered_map<std::string, std::uint32_t>> values_;
  std::unordered_map<InputRow, std::size_t, RowHash> known_;
  std::vector<WeightedRow> weighted_;  // different ones, in the order of their first
  std::size_t missing_count_ = 0;      // rows
  std::size_t first_missing_ = 0;      // line
  std::set<std::string> missing_coordinates_;
};

}  // namespace

Prior read_csv_prior(JsonView value, const Domain& domain, ReadingContext& context) {
  return CsvPrior(value, domain, context).read();
}

}  // namespace oddsbound::specs
