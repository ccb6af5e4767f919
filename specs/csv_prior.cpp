// The empirical prior of a CSV table: the weight of each distinct row, and the values of columns that the domain
// takes from the table. The table is read once.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "specs/csv.h"
#include "specs/reading.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "specs/table.h"

namespace oddsbound::specs {

namespace {

struct RowHash {
  std::size_t operator()(const InputRow& row) const {
    std::size_t hash = row.size();
    for (const std::uint32_t value : row) hash = hash * 1000003 + value;
    return hash;
  }
};

class CsvTable {
 public:
  CsvTable(JsonView value, DomainDraft draft, ReadingContext& context)
      : fields_(value, {"type", "file", "separator", "columns", "count", "missing", "missing_cells", "published"},
                "a prior from CSV"),
        draft_(std::move(draft)),
        context_(context) {}

  DomainAndPrior read() {
    const std::string text = read_named_file(fields_.require("file"), context_, use_.file);
    note_table(fields_, context_);
    read_missing();
    for (const Coordinate& coordinate : draft_.coordinates)
      columns_.push_back({ColumnValues(coordinate.values.stored())});
    const auto take = [&](CsvRow& row) {
      context_.budget.check_every();
      if (header_.empty()) {
        header_ = row.cells;
        read_columns();
      } else {
        add(row);
      }
    };
    each_csv_row(use_.file, text, context_.budget, take, read_separator());
    if (header_.empty()) throw SpecError({use_.file, 1, 0, ""}, "the file is empty, expected a header line");
    refuse_missing();
    if (use_.dropped > 0 && use_.dropped == use_.rows) {
      fields_.require("missing").fail("every row of '" + printable(use_.file) + "' has a missing cell, and is dropped",
                                      "leave out attributes that few people have answered, or use another rule");
    }
    name_values();
    if (context_.remarks.digests_wanted) context_.remarks.table_digests[use_.file].insert(digest_of_rows());
    if (missing_) remark();
    const JsonView file = fields_.require("file");
    DomainAndPrior result{at_place(file, [&] { return Domain(std::move(draft_.coordinates)); }), std::nullopt};
    result.prior =
        at_place(file, [&] { return Prior::from_rows(result.domain, std::move(weighted_), context_.budget); });
    return result;
  }

 private:
  struct Column {
    ColumnValues values;
    std::size_t place = 0;  // column index in the table
    bool placed = false;
    std::size_t missing = 0;      // number of missing cells
    std::size_t first_empty = 0;  // line where an empty cell first became kEmptyCell; 0: none
    std::size_t first_same = 0;   // line of the first cell that is literally kEmptyCell
  };

  [[noreturn]] void fail(std::size_t line, const std::string& message, const std::string& hint = "") const {
    throw SpecError({use_.file, line, 0, ""}, message, hint);
  }

  char read_separator() {
    const auto stated = fields_.find("separator");
    if (!stated) return ',';
    const std::string text = read_string(*stated, "a separator");
    if (!is_separator(text)) stated->fail("found '" + printable(text, 40) + R"(', expected ",", ";" or a tab ("\t"))");
    note_separator(use_.file, text[0], context_.files);
    return text[0];
  }

  void read_missing() {
    if (const auto cells = fields_.find("missing_cells")) {
      for (const JsonView cell : read_array(*cells, "cells that are missing")) {
        missing_cells_.insert(read_string(cell, "the text of a cell"));
      }
    }
    const auto treatment = fields_.find("missing");
    if (!treatment) return;
    if (treatment->is_object()) {
      missing_ = Missing::kAs;
      use_.as = read_string(Fields(*treatment, {"as"}, "a value for missing cells").require("as"), "a value");
    } else if (treatment->is_string() && treatment->text() == "drop") {
      missing_ = Missing::kDrop;
    } else if (treatment->is_string() && treatment->text() == "value") {
      missing_ = Missing::kValue;
    } else {
      treatment->fail("found '" + printable(treatment->text(), 40) +
                      R"(', expected "drop", "value" or {"as": a value})");
    }
  }

  std::size_t find_column(const std::string& wanted, JsonView place, const std::string& why) const {
    const auto found = std::find(header_.begin(), header_.end(), wanted);
    if (found == header_.end()) {
      const bool other = header_.size() == 1 && header_[0].find_first_of(";\t") != std::string::npos;
      std::string hint = other ? R"(its cells are separated by something else than commas: see "separator")"
                               : suggestion(wanted, header_);
      for (const std::string& name : header_) {
        if (hint.empty()) hint = hint_of_encoding(use_.file, name);
      }
      if (hint.empty()) hint = "columns: " + listing(header_);
      place.fail("the file '" + printable(use_.file) + "' has no column '" + printable(wanted) + "'" + why, hint);
    }
    if (std::count(header_.begin(), header_.end(), wanted) > 1) {
      place.fail("the file '" + printable(use_.file) + "' has two columns '" + printable(wanted) + "'");
    }
    return static_cast<std::size_t>(found - header_.begin());
  }

  std::size_t read_coordinate_name(JsonView key) const {
    std::vector<std::string> names;
    for (const Coordinate& coordinate : draft_.coordinates) names.push_back(coordinate.name);
    return read_name_of(key, names);
  }

  // A coordinate that `columns` omits uses the column of its own name.
  void read_columns() {
    const auto object = fields_.find("columns");
    if (object) {
      if (!object->is_object()) {
        object->fail("found " + object->kind_name() + ", expected an object: coordinate to column");
      }
      for (const JsonView::Member& member : object->members()) {
        const std::string name = read_string(member.value, "the name of a column");
        Column& column = columns_[read_coordinate_name(member.key)];
        column.place = find_column(name, member.value, "");
        column.placed = true;
      }
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].placed) continue;
      columns_[i].place = find_column(draft_.coordinates[i].name, object ? *object : fields_.require("file"),
                                      ", and 'columns' names none for the coordinate");
    }
    if (const auto count = fields_.find("count")) {
      count_column_ = find_column(read_string(*count, "the name of a column"), *count, "");
      use_.counted = use_.counted_dropped = Number(0);
    }
  }

  void add(const CsvRow& row) {
    require_cells(use_.file, row, header_.size());
    InputRow input(columns_.size());
    bool whole = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto value = value_of(row, i);
      if (value) input[i] = *value;
      whole = whole && value;
    }
    Number count = count_column_ ? read_people(use_.file, row, *count_column_) : Number(1);
    ++use_.rows;
    if (use_.counted) *use_.counted += count;
    if (!whole) {
      if (use_.dropped++ == 0) first_dropped_ = row.line;
      if (use_.counted) *use_.counted_dropped += count;
      return;
    }
    const auto [place, added] = known_.emplace(input, weighted_.size());
    if (added) {
      weighted_.push_back({std::move(input), std::move(count)});
    } else {
      weighted_[place->second].weight += count;
    }
  }

  // The value index of a cell. nullopt if its row is dropped.
  std::optional<std::uint32_t> value_of(const CsvRow& row, std::size_t i) {
    Column& column = columns_[i];
    const bool open = draft_.from_prior[i].has_value();
    const std::string& cell = row.cells[column.place];
    const auto declared = open ? std::nullopt : declared_value(i, cell);
    const bool missing = !declared && (cell.empty() || missing_cells_.contains(cell));
    if (!missing) {
      if (missing_ == Missing::kValue && cell == kEmptyCell && column.first_same == 0) column.first_same = row.line;
      if (declared) return declared;
      if (open) return added_value(row, i, cell);
      const Coordinate& coordinate = draft_.coordinates[i];
      fail(row.line, "'" + printable(cell) + "' is not a value of coordinate '" + printable(coordinate.name) + "'",
           hint_of_values(cell, coordinate));
    }
    ++column.missing;
    if (!missing_ || missing_ == Missing::kDrop) return std::nullopt;
    if (missing_ == Missing::kValue && cell.empty() && column.first_empty == 0) column.first_empty = row.line;
    const std::string& label = missing_ == Missing::kAs ? use_.as : (cell.empty() ? kEmptyCell : cell);
    if (open) return added_value(row, i, label);
    if (const auto value = declared_value(i, label)) return value;
    fail(row.line,
         "a cell of coordinate '" + printable(draft_.coordinates[i].name) + "' is " +
             (cell.empty() ? "empty" : "missing") + ", and '" + printable(label) + "' is not a value of it",
         "it has to be among the values, or these are \"from prior\"");
  }

  // The index of a value of a coordinate whose values the spec gives.
  std::optional<std::uint32_t> declared_value(std::size_t i, const std::string& value) const {
    const ValueNames& names = draft_.coordinates[i].values;
    if (!names.are_numbered()) return columns_[i].values.find(value);
    const auto found = names.find(value);
    return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
  }

  std::string hint_of_values(const std::string& cell, const Coordinate& coordinate) const {
    const std::string encoding = hint_of_encoding(use_.file, cell);
    return encoding.empty() ? hint_of_names(cell, coordinate.values) : encoding;
  }

  std::uint32_t added_value(const CsvRow& row, std::size_t i, const std::string& value) {
    ColumnValues& values = columns_[i].values;
    const std::uint32_t number = values.find_or_add(value);
    const std::uint64_t most = context_.budget.limits().max_inputs;
    if (values.size() > most) {
      fail(row.line, "coordinate '" + printable(draft_.coordinates[i].name) +
                         "' has more values in the table than inputs may be held (--max-inputs " +
                         std::to_string(most) + ")");
    }
    return number;
  }

  void refuse_missing() const {
    if (missing_ || use_.dropped == 0) return;
    std::set<std::string> names;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].missing > 0) names.insert(draft_.coordinates[i].name);
    }
    const std::vector<std::string> listed(names.begin(), names.end());
    fail(first_dropped_,
         std::to_string(use_.dropped) + (use_.dropped == 1 ? " row has" : " rows have") + " a missing cell, of " +
             listing(listed) + "; this is the first",
         R"(say what becomes of them: "missing": "drop", "value", or {"as": a value of the coordinate})");
  }

  [[noreturn]] void fail_same_value(const Column& column, const std::string& coordinate) const {
    fail(column.first_empty,
         "an empty cell of coordinate '" + coordinate + "' is the value '" + kEmptyCell + "', and so is the cell '" +
             kEmptyCell + "' at line " + std::to_string(column.first_same) + ", which is not missing",
         "where both mean the same, list it among 'missing_cells'");
  }

  // Fixes the values of coordinates that take them from the table, and renumbers the rows read so far.
  void name_values() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Column& column = columns_[i];
      const std::string name = printable(draft_.coordinates[i].name);
      if (column.first_empty > 0 && column.first_same > 0) fail_same_value(column, name);
      if (!draft_.from_prior[i]) continue;
      if (column.values.size() == 0) {
        draft_.from_prior[i]->fail("the column '" + printable(header_[column.place]) + "' of '" + printable(use_.file) +
                                   "' holds no value for coordinate '" + name + "'");
      }
      std::vector<std::uint32_t> places;
      draft_.coordinates[i].values = column.values.sorted(places);
      for (WeightedRow& row : weighted_) {
        context_.budget.check_every();
        row.row[i] = places[row.row[i]];
      }
    }
  }

  // Digest of the weighted rows as read. Independent of the order of rows and of unused columns.
  std::string digest_of_rows() const {
    std::set<std::string> rows;
    for (const WeightedRow& row : weighted_) {
      context_.budget.check_every();
      std::string text = row.weight.to_string();
      for (std::size_t i = 0; i < row.row.size(); ++i) {
        const std::string value = draft_.coordinates[i].values[row.row[i]];
        text += " " + std::to_string(value.size()) + ":" + value;
      }
      rows.insert(std::move(text));
    }
    std::string all;
    for (const std::string& row : rows) all += row + "\n";
    return sha256(all);
  }

  void remark() {
    use_.missing = *missing_;
    use_.missing_texts = missing_cells_;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].missing == 0) continue;
      use_.missing_cells.emplace_back(draft_.coordinates[i].name, columns_[i].missing);
    }
    context_.remarks.tables.push_back(std::move(use_));
  }

  Fields fields_;
  DomainDraft draft_;
  ReadingContext& context_;
  TableUse use_;
  std::optional<Missing> missing_;       // nullopt: a missing cell is an error
  std::set<std::string> missing_cells_;  // texts that count as missing besides ""
  std::vector<std::string> header_;
  std::vector<Column> columns_;  // per coordinate
  std::optional<std::size_t> count_column_;
  std::unordered_map<InputRow, std::size_t, RowHash> known_;
  std::vector<WeightedRow> weighted_;  // distinct rows, in order of first appearance
  std::size_t first_dropped_ = 0;      // line
};

}  // namespace

DomainAndPrior read_table(JsonView value, DomainDraft draft, ReadingContext& context) {
  return CsvTable(value, std::move(draft), context).read();
}

}  // namespace oddsbound::specs
