#include "specs/collected.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/reading.h"
#include "specs/spec_error.h"
#include "specs/suggest.h"

namespace oddsbound {

namespace {

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& message,
                       const std::string& hint = "") {
  throw SpecError({file, line, 0, ""}, message, hint);
}

// A CSV file whose first row names its columns.
class NamedRows {
 public:
  NamedRows(const std::string& file, std::string_view text, Budget& budget)
      : file_(file), rows_(parse_csv(file, text, budget)) {
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
      const CsvRow& row = rows_[r];
      if (row.cells.size() != rows_[0].cells.size()) {
        fail(file_, row.line,
             "found " + std::to_string(row.cells.size()) + " cells, expected " + std::to_string(rows_[0].cells.size()));
      }
      use(row);
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

// Labels to outputs, listed once if the channel does not read them itself.
class OutputLabels {
 public:
  OutputLabels(const std::string& file, const Channel& channel, Budget& budget)
      : file_(file), channel_(channel), budget_(budget) {}

  std::vector<std::uint64_t> find(const CsvRow& row, const std::string& label) {
    std::vector<std::uint64_t> output;
    if (channel_.parse_label(label, output)) return output;
    if (index_.empty()) list(row);
    const auto place = index_.find(label);
    if (place == index_.end()) {
      fail(file_, row.line, "the mechanism has no output '" + printable(label) + "'", suggestion(label, labels_));
    }
    return channel_.split(place->second);
  }

 private:
  void list(const CsvRow& row) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 22;
    if (channel_.outputs() > kMost) {
      fail(file_, row.line, "the mechanism has more than 2^22 outputs, too many to look up labels");
    }
    labels_ = output_labels(channel_, budget_);
    for (std::uint64_t y = 0; y < labels_.size(); ++y) index_.emplace(labels_[y], y);
    if (index_.size() < labels_.size()) fail(file_, row.line, "two outputs of the mechanism have the same label");
  }

  const std::string& file_;
  const Channel& channel_;
  Budget& budget_;
  std::vector<std::string> labels_;
  std::unordered_map<std::string, std::uint64_t> index_;
};

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

std::uint64_t find_input(const std::string& file, std::size_t line, const std::vector<std::string>& values,
                         const Domain& domain) {
  std::uint64_t input = 0;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const auto digit = domain.find_value(i, values[i]);
    if (!digit) {
      const auto& known = domain.coordinate(i).values;
      std::string hint = suggestion(values[i], known);
      if (hint.empty()) hint = "values: " + listing(known);
      fail(file, line,
           "coordinate '" + printable(domain.coordinate(i).name) + "' has no value '" + printable(values[i]) + "'",
           hint);
    }
    input += *digit * domain.stride(i);
  }
  return input;
}

}  // namespace

std::uint64_t read_typed_input(const std::string& name, const std::string& text, const Domain& domain) {
  if (text.starts_with("[")) {
    const JsonDocument document(name, text);
    return read_input(document.root(), domain);
  }
  const std::vector<std::string> values = domain.size() == 1 ? std::vector{text} : split_at_commas(text);
  if (values.size() != domain.size()) {
    fail(name, 0,
         "found " + std::to_string(values.size()) + " values in '" + printable(text) + "', expected " +
             std::to_string(domain.size()) + ", one per coordinate, separated by commas");
  }
  return find_input(name, 0, values, domain);
}

std::vector<std::uint64_t> read_input_table(const std::string& file, std::string_view text, const Domain& domain,
                                            Budget& budget) {
  const NamedRows rows(file, text, budget);
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < domain.size(); ++i) columns.push_back(rows.require(domain.coordinate(i).name));
  std::vector<std::uint64_t> inputs;
  std::vector<std::string> values(domain.size());
  rows.each([&](const CsvRow& row) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = row.cells[columns[i]];
    inputs.push_back(find_input(file, row.line, values, domain));
  });
  return inputs;
}

CollectedOutputs read_output_table(const std::string& file, std::string_view text, const Channel& channel,
                                   Budget& budget) {
  const NamedRows rows(file, text, budget);
  const std::size_t output = rows.require("output");
  const bool counted = rows.has("count");
  const std::size_t count = counted ? rows.require("count") : 0;
  OutputLabels labels(file, channel, budget);
  CollectedOutputs result;
  rows.each([&](const CsvRow& row) {
    const std::uint64_t times = counted ? parse_count(file, row, row.cells[count]) : 1;
    result.counts[labels.find(row, row.cells[output])] += times;
    result.total += times;
    if (result.total > kMostOutputs) fail(file, row.line, "the counts pass 2^53 in all");
    budget.tick();
  });
  if (result.total == 0) fail(file, 0, "found no output, expected at least one");
  return result;
}

CollectedVectors read_vector_table(const std::string& file, std::string_view text, const Domain& domain,
                                   Budget& budget) {
  const NamedRows rows(file, text, budget);
  CollectedVectors result;
  result.sum.resize(domain.size());
  result.square.resize(domain.size());
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < domain.size(); ++i) columns.push_back(rows.require(domain.coordinate(i).name));
  rows.each([&](const CsvRow& row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string& cell = row.cells[columns[i]];
      double value = 0;
      const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value)) {
        fail(file, row.line, "found '" + printable(cell) + "', expected a number");
      }
      result.sum[i] += value;
      result.square[i] += value * value;
    }
    ++result.total;
    budget.tick();
  });
  if (result.total == 0) fail(file, 0, "found no output, expected at least one");
  return result;
}

}  // namespace oddsbound
