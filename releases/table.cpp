#include "releases/table.h"

#include <algorithm>
#include <cassert>
#include <map>

#include "releases/spec.h"
#include "specs/csv.h"
#include "specs/reading.h"
#include "specs/spec_error.h"
#include "specs/table.h"

namespace oddsbound::releases {

std::size_t shared_by(const Attributes& a, const Attributes& b) {
  const auto in_b = [&](std::size_t i) { return std::binary_search(b.begin(), b.end(), i); };
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), in_b));
}

bool meet(const Attributes& a, const Attributes& b) { return shared_by(a, b) > 0; }

std::string words_of(const Domain& schema, const Attributes& attributes) {
  std::string text;
  for (const std::size_t i : attributes) text += (text.empty() ? "" : ", ") + schema.coordinate(i).name;
  return text;
}

std::string words_of(const Domain& schema, InputView record) {
  std::string words;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const Coordinate& attribute = schema.coordinate(i);
    words += (i == 0 ? "" : ", ") + attribute.name + "=" + attribute.values[record[i]];
  }
  return words;
}

TableDifference difference(const PeopleTable& a, const PeopleTable& b, std::size_t attributes) {
  assert(a.people() == b.people());
  TableDifference found;
  std::vector<bool> differs(a.people());
  for (std::size_t i = 0; i < attributes; ++i) {
    bool any = false;
    for (std::size_t p = 0; p < a.people(); ++p) {
      if (a.column(i)[p] == b.column(i)[p]) continue;
      differs[p] = any = true;
    }
    if (any) found.attributes.push_back(i);
  }
  found.records = static_cast<std::size_t>(std::count(differs.begin(), differs.end(), true));
  return found;
}

std::uint64_t people_with(const PeopleTable& table, const Pattern& pattern) {
  std::uint64_t count = 0;
  for (std::size_t p = 0; p < table.people(); ++p) {
    count += pattern.is_had([&](std::size_t i) { return table.column(i)[p]; }) ? 1 : 0;
  }
  return count;
}

std::int64_t sum_of(const PeopleTable& table, const PersonWeights& weights) {
  std::int64_t sum = 0;
  for (std::size_t p = 0; p < table.people(); ++p) {
    sum += weights.of([&](std::size_t i) { return table.column(i)[p]; });
  }
  return sum;
}

std::pair<std::int64_t, std::int64_t> PersonWeights::range() const {
  std::pair<std::int64_t, std::int64_t> range{0, 0};
  for (const std::vector<std::int64_t>& own : weights) {
    const auto [least, most] = std::minmax_element(own.begin(), own.end());
    range.first += *least;
    range.second += *most;
  }
  return range;
}

std::uint64_t PersonWeights::largest_change(const Attributes& changed) const {
  if (!meet(attributes, changed)) return 0;
  if (!joint) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (!std::binary_search(changed.begin(), changed.end(), attributes[i])) continue;
      const auto [least, most] = std::minmax_element(weights[i].begin(), weights[i].end());
      sum += static_cast<std::uint64_t>(*most - *least);
    }
    return sum;
  }
  // Cells that agree in the attributes that do not change, by the number of these values.
  std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> range_of;
  std::uint64_t most = 0;
  for (std::uint64_t cell = 0; cell < weights[0].size(); ++cell) {
    std::uint64_t kept = 0, scale = 1, rest = cell;
    for (std::size_t i = attributes.size(); i-- > 0; rest /= sizes[i]) {
      if (std::binary_search(changed.begin(), changed.end(), attributes[i])) continue;
      kept += scale * (rest % sizes[i]);
      scale *= sizes[i];
    }
    const std::int64_t own = weights[0][cell];
    auto& [low, high] = range_of.try_emplace(kept, own, own).first->second;
    low = std::min(low, own);
    high = std::max(high, own);
    most = std::max(most, static_cast<std::uint64_t>(high - low));
  }
  return most;
}

std::vector<std::uint64_t> contingency(const PeopleTable& table, const Domain& schema, const Attributes& attributes) {
  const Domain cells = schema.restricted_to(attributes);
  std::vector<std::uint64_t> counts(cells.inputs());
  for (std::size_t p = 0; p < table.people(); ++p) {
    std::uint64_t cell = 0;
    for (const std::size_t i : attributes) cell = cell * schema.values(i) + table.column(i)[p];
    ++counts[cell];
  }
  return counts;
}

std::uint64_t share_below(std::uint64_t top, std::uint64_t bottom, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(top) * n / bottom);
}

std::uint64_t share_above(std::uint64_t top, std::uint64_t bottom, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(top) * n + bottom - 1) / bottom);
}

std::string Labeled::words() const {
  const Coordinate& attribute = schema.coordinate(label);
  return attribute.name + "=" + attribute.values[1];
}

Attributes Labeled::inputs_and_label() const {
  Attributes all = inputs;
  all.push_back(label);
  return all;
}

namespace {

const std::string& column_of(const ReleaseFile& release, std::size_t attribute) {
  const auto named = release.columns.find(attribute);
  return named == release.columns.end() ? release.release->schema.coordinate(attribute).name : named->second;
}

class PeopleReader {
 public:
  PeopleReader(const std::string& path, const ReleaseFile& release)
      : path_(path), release_(release), schema_(release.release->schema), columns_(schema_.size()) {
    for (std::size_t i = 0; i < schema_.size(); ++i) values_.emplace_back(schema_.coordinate(i).values.listed());
  }

  void take(const CsvRow& row) {
    if (places_.empty()) return read_header(row);
    require_cells(path_, row, header_size_);
    for (std::size_t i = 0; i < schema_.size(); ++i) {
      const std::string& cell = row.cells[places_[i]];
      const auto value = values_[i].find(cell);
      if (!value) fail_cell(row.line, i, cell);
      columns_[i].push_back(*value);
    }
  }

  PeopleTable finish() {
    if (places_.empty()) throw SpecError({path_, 1, 0, ""}, "the file is empty, expected a header line");
    if (columns_[0].empty()) throw SpecError({path_, 1, 0, ""}, "the table has a header and no rows");
    return PeopleTable(std::move(columns_));
  }

 private:
  void read_header(const CsvRow& row) {
    header_size_ = row.cells.size();
    for (std::size_t i = 0; i < schema_.size(); ++i) {
      const std::string& wanted = column_of(release_, i);
      const auto found = std::find(row.cells.begin(), row.cells.end(), wanted);
      if (found == row.cells.end()) {
        std::string hint = suggestion(wanted, row.cells);
        if (hint.empty()) hint = "columns: " + listing(row.cells);
        throw SpecError({path_, row.line, 0, ""}, "there is no column '" + printable(wanted) + "'", hint);
      }
      if (std::count(row.cells.begin(), row.cells.end(), wanted) > 1) {
        throw SpecError({path_, row.line, 0, ""}, "two columns are called '" + printable(wanted) + "'");
      }
      places_.push_back(static_cast<std::size_t>(found - row.cells.begin()));
    }
  }

  [[noreturn]] void fail_cell(std::size_t line, std::size_t i, const std::string& cell) const {
    const Coordinate& attribute = schema_.coordinate(i);
    const std::string hint = hint_of_names(cell, attribute.values);
    throw SpecError({path_, line, 0, ""},
                    "'" + printable(cell) + "' is not a value of attribute '" + printable(attribute.name) + "'", hint);
  }

  const std::string& path_;
  const ReleaseFile& release_;
  const Domain& schema_;
  std::vector<ColumnValues> values_;
  std::vector<std::size_t> places_;
  std::size_t header_size_ = 0;
  std::vector<std::vector<std::uint32_t>> columns_;
};

}  // namespace

char separator_of_people(std::string_view text, const ReleaseFile& release, Budget& budget) {
  const Domain& schema = release.release->schema;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < schema.size(); ++i) columns.push_back(column_of(release, i));
  return separator_with(text, budget, columns);
}

PeopleTable read_people(const std::string& path, const ReleaseFile& release, Budget& budget) {
  return read_people_text(path, read_file(path, budget.limits()), release, budget);
}

PeopleTable read_people_text(const std::string& path, std::string_view text, const ReleaseFile& release,
                             Budget& budget) {
  PeopleReader reader(path, release);
  const auto take = [&](const CsvRow& row) {
    budget.check_every();
    reader.take(row);
  };
  each_csv_row(path, text, budget, take, separator_of_people(text, release, budget));
  return reader.finish();
}

}  // namespace oddsbound::releases
