#include "specs/collected.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/errors.h"
#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/reading.h"
#include "specs/spec_error.h"
#include "specs/table.h"

namespace oddsbound::specs {

namespace {

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& message,
                       const std::string& hint = "") {
  throw SpecError({file, line, 0, ""}, message, hint);
}

// A CSV file whose first row names its columns.
class NamedRows {
 public:
  /// columns: columns that the table may have; they show what separates its cells.
  NamedRows(const std::string& file, std::string_view text, const std::vector<std::string>& columns, Budget& budget)
      : file_(file) {
    each_csv_row(
        file, text, budget, [&](CsvRow& row) { rows_.push_back(std::move(row)); },
        separator_with(text, budget, columns));
    if (rows_.empty()) fail(file_, 1, "the file is empty, expected a row of column names");
  }

  std::size_t require(const std::string& name) const {
    const auto& names = rows_[0].cells;
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) {
      std::string hint = suggestion(name, names);
      if (hint.empty()) hint = "columns: " + listing(names);
      fail(file_, rows_[0].line, "there is no column '" + printable(name) + "'", hint);
    }
    return static_cast<std::size_t>(place - names.begin());
  }
  bool has(const std::string& name) const {
    return std::find(rows_[0].cells.begin(), rows_[0].cells.end(), name) != rows_[0].cells.end();
  }

  template <typename Use>
  void each(Use use) const {
    for (std::size_t r = 1; r < rows_.size(); ++r) {
      require_cells(file_, rows_[r], rows_[0].cells.size());
      use(rows_[r]);
    }
  }

 private:
  const std::string& file_;
  std::vector<CsvRow> rows_;
};

constexpr std::uint64_t kMostOutputs = std::uint64_t{1} << 53;

std::uint64_t parse_count(const std::string& file, const CsvRow& row, const std::string& cell) {
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
  if (error != std::errc() || end != cell.data() + cell.size() || count > kMostOutputs) {
    fail(file, row.line, "found the count '" + printable(cell) + "', expected a whole number from 0 to 2^53");
  }
  return count;
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::vector<std::uint64_t> find_output(const std::string& file, const CsvRow& row, OutputLabels& labels,
                                       const std::string& label) {
  try {
    if (const auto found = labels.find(label)) return *found;
  } catch (const ModelError& error) {
    fail(file, row.line, error.what());
  }
  fail(file, row.line, "the mechanism has no output '" + printable(label) + "'", labels.hint(label));
}

std::uint32_t find_value(const std::string& file, std::size_t line, const std::string& value, const Domain& domain,
                         std::size_t i) {
  const auto digit = domain.find_value(i, value);
  if (digit) return static_cast<std::uint32_t>(*digit);
  fail(file, line, "coordinate '" + printable(domain.coordinate(i).name) + "' has no value '" + printable(value) + "'",
       hint_of_names(value, domain.coordinate(i).values));
}

// The coordinates that an input with this many values gives: all coordinates, or all except `unread`. nullopt for any
// other count.
std::optional<std::vector<std::size_t>> coordinates_given(const Domain& domain, std::size_t values,
                                                          const std::vector<std::size_t>& unread) {
  std::vector<std::size_t> given = every_coordinate(domain);
  if (values == given.size()) return given;
  std::erase_if(given, [&](std::size_t i) { return std::binary_search(unread.begin(), unread.end(), i); });
  if (values == given.size()) return given;
  return std::nullopt;
}

std::vector<std::string> coordinate_names(const Domain& domain) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < domain.size(); ++i) names.push_back(domain.coordinate(i).name);
  return names;
}

std::string names_of(const Domain& domain, const std::vector<std::size_t>& coordinates) {
  std::vector<std::string> names;
  for (const std::size_t i : coordinates) names.push_back(domain.coordinate(i).name);
  return listing(names);
}

std::string counted_values(std::size_t values) { return std::to_string(values) + (values == 1 ? " value" : " values"); }

// The expected number of values for an error message, with the shorter form that leaves out `unread`.
std::string expected_values(const Domain& domain, const std::vector<std::size_t>& unread) {
  std::string text = std::to_string(domain.size()) + ", one per coordinate";
  if (unread.empty()) return text;
  return text + ", or " + std::to_string(domain.size() - unread.size()) + " without " + names_of(domain, unread) +
         ", which the mechanism does not read";
}

// The columns with the coordinate values of an input.
class InputColumns {
 public:
  InputColumns(const std::string& file, const NamedRows& rows, const Domain& domain,
               const std::vector<std::size_t>& unread = {}, const std::optional<TableUse>& missing = std::nullopt)
      : file_(file), domain_(domain), missing_(missing) {
    for (std::size_t i = 0; i < domain.size(); ++i) {
      const std::string& name = domain.coordinate(i).name;
      if (!rows.has(name) && std::binary_search(unread.begin(), unread.end(), i)) continue;
      columns_.emplace_back(i, rows.require(name));
    }
  }
  InputRow input_of(const CsvRow& row) const {
    InputRow input(domain_.size(), 0);
    for (const auto& [i, column] : columns_)
      input[i] = find_value(file_, row.line, value_of(row, i, column), domain_, i);
    return input;
  }

 private:
  std::string value_of(const CsvRow& row, std::size_t i, std::size_t column) const {
    const std::string& cell = row.cells[column];
    if (!missing_ || domain_.find_value(i, cell)) return cell;
    return missing_->replaced(cell).value_or(cell);
  }

  const std::string& file_;
  const Domain& domain_;
  std::optional<TableUse> missing_;
  std::vector<std::pair<std::size_t, std::size_t>> columns_;  // coordinate, column
};

// The column `output` and the optional column `count`.
class OutputColumns {
 public:
  OutputColumns(const std::string& file, const NamedRows& rows, const Channel& channel, Budget& budget)
      : file_(file), output_(rows.require("output")), labels_(channel, budget) {
    if (rows.has("count")) count_ = rows.require("count");
  }
  std::vector<std::uint64_t> output_of(const CsvRow& row) {
    return find_output(file_, row, labels_, row.cells[output_]);
  }
  /// The count of this row, 1 without a column `count`. Throws SpecError if the total exceeds 2^53.
  std::uint64_t count_of(const CsvRow& row) {
    const std::uint64_t times = count_ ? parse_count(file_, row, row.cells[*count_]) : 1;
    total_ += times;
    if (total_ > kMostOutputs) fail(file_, row.line, "the counts pass 2^53 in all");
    return times;
  }
  std::uint64_t total() const { return total_; }

 private:
  const std::string& file_;
  std::size_t output_;
  std::optional<std::size_t> count_;
  OutputLabels labels_;
  std::uint64_t total_ = 0;
};

}  // namespace

InputRow read_typed_input(const std::string& name, const std::string& text, const Domain& domain, std::size_t line,
                          const std::vector<std::size_t>& unread) {
  InputRow input(domain.size(), 0);
  if (text.starts_with("[")) {
    const JsonDocument document(name, text);
    const std::vector<JsonView> values = read_array(document.root(), "values, one per coordinate");
    const auto given = coordinates_given(domain, values.size(), unread);
    if (!given) {
      document.root().fail("found " + counted_values(values.size()) + ", expected " + expected_values(domain, unread),
                           "coordinates: " + names_of(domain, every_coordinate(domain)));
    }
    for (std::size_t k = 0; k < given->size(); ++k) {
      input[(*given)[k]] = static_cast<std::uint32_t>(read_value_of(values[k], domain, (*given)[k]));
    }
    return input;
  }
  const std::vector<std::string> values = domain.size() == 1 ? std::vector{text} : split_at_commas(text);
  const auto given = coordinates_given(domain, values.size(), unread);
  if (!given) {
    fail(name, line,
         "found " + counted_values(values.size()) + " in '" + printable(text) + "', expected " +
             expected_values(domain, unread) + ", separated by commas",
         "coordinates: " + names_of(domain, every_coordinate(domain)));
  }
  for (std::size_t k = 0; k < given->size(); ++k) {
    input[(*given)[k]] = find_value(name, line, values[k], domain, (*given)[k]);
  }
  return input;
}

std::vector<std::string> read_typed_names(const std::string& name, const std::string& text) {
  if (!text.starts_with("[")) return split_at_commas(text);
  const JsonDocument document(name, text);
  std::vector<std::string> names;
  for (const JsonView item : read_array(document.root(), "names")) names.push_back(read_string(item, "a name"));
  return names;
}

InputList read_input_table(const std::string& file, std::string_view text, const Domain& domain, Budget& budget,
                           const std::vector<std::size_t>& unread, const std::optional<TableUse>& missing) {
  const NamedRows rows(file, text, coordinate_names(domain), budget);
  const InputColumns columns(file, rows, domain, unread, missing);
  InputList inputs(domain);
  rows.each([&](const CsvRow& row) { inputs.add(domain, columns.input_of(row)); });
  return inputs;
}

CollectedOutputs read_output_table(const std::string& file, std::string_view text, const Channel& channel,
                                   Budget& budget) {
  const NamedRows rows(file, text, {"output"}, budget);
  OutputColumns columns(file, rows, channel, budget);
  CollectedOutputs result;
  rows.each([&](const CsvRow& row) {
    result.counts[columns.output_of(row)] += columns.count_of(row);
    budget.check_every();
  });
  result.total = columns.total();
  if (result.total == 0) fail(file, 0, "found no output, expected at least one");
  return result;
}

std::vector<RecordedRun> read_transcript(const std::string& file, std::string_view text, const Domain& domain,
                                         const Channel& channel, Budget& budget) {
  const NamedRows rows(file, text, {"output"}, budget);
  OutputColumns outputs(file, rows, channel, budget);
  std::vector<RecordedRun> runs;
  const auto add = [&](const CsvRow& row, const InputRow& input) {
    runs.push_back({domain.number(input), outputs.output_of(row), outputs.count_of(row)});
    budget.check_every();
  };
  if (rows.has("input") && !domain.find("input")) {
    const std::size_t column = rows.require("input");
    rows.each([&](const CsvRow& row) { add(row, read_typed_input(file, row.cells[column], domain, row.line)); });
  } else {
    const InputColumns inputs(file, rows, domain);
    rows.each([&](const CsvRow& row) { add(row, inputs.input_of(row)); });
  }
  if (outputs.total() == 0) fail(file, 0, "found no run, expected at least one");
  return runs;
}

std::vector<std::string> vector_columns(const Domain& domain, std::size_t copies) {
  std::vector<std::string> names;
  for (std::size_t copy = 1; copy <= copies; ++copy) {
    for (std::size_t i = 0; i < domain.size(); ++i) {
      names.push_back(domain.coordinate(i).name + (copies == 1 ? "" : "." + std::to_string(copy)));
    }
  }
  return names;
}

void each_vector(const std::string& file, std::string_view text, const std::vector<std::string>& names, Budget& budget,
                 const std::function<void(const std::vector<double>&)>& use) {
  const NamedRows rows(file, text, names, budget);
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(rows.require(name));
  bool found = false;
  std::vector<double> values(columns.size());
  rows.each([&](const CsvRow& row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row.cells[columns[i]];
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), values[i]);
      if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(values[i])) {
        fail(file, row.line, "found '" + printable(cell) + "', expected a number");
      }
    }
    use(values);
    found = true;
    budget.check_every();
  });
  if (!found) fail(file, 0, "found no output, expected at least one");
}

CollectedVectors read_vector_table(const std::string& file, std::string_view text, const Domain& domain,
                                   std::size_t copies, Budget& budget) {
  const std::size_t size = domain.size();
  CollectedVectors result;
  result.sum.resize(size);
  result.square.resize(size);
  each_vector(file, text, vector_columns(domain, copies), budget, [&](const std::vector<double>& values) {
    for (std::size_t i = 0; i < size; ++i) {
      double value = 0;
      for (std::size_t copy = 0; copy < copies; ++copy) value += values[copy * size + i] / static_cast<double>(copies);
      result.sum[i] += value;
      result.square[i] += value * value;
    }
    ++result.total;
  });
  return result;
}

}  // namespace oddsbound::specs
