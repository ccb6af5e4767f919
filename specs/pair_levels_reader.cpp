#include "specs/pair_levels_reader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <regex>

#include "specs/spec.h"
#include "specs/spec_error.h"
#include "specs/table.h"
#include "verifier/exact/scaled_level.h"
#include "verifier/model/pair_levels.h"

namespace oddsbound::specs {

namespace {

// A value that is an integer, a decimal or a fraction.
Number number_of_value(JsonView place, const Domain& domain, std::size_t coordinate, std::size_t value) {
  static const std::regex plain("-?[0-9]+([.][0-9]+|/0*[1-9][0-9]*)?");
  const std::string text = domain.coordinate(coordinate).values[value];
  if (text.size() > 100 || !std::regex_match(text, plain)) {
    place.fail("the value '" + printable(text, 40) + "' of '" + printable(domain.coordinate(coordinate).name, 40) +
               "' is not a number, and the metric needs numbers");
  }
  return parse_number(text);
}

ScaledLevel without_surd(ScaledLevel level) {
  if (const Level* own = level.level(); own != nullptr && own->surd() != nullptr) {
    throw NumberError("found the level " + printable(own->to_string(), 40) +
                      "; a level of a pair is c * sqrt(n), or has no square root");
  }
  return level;
}

ScaledLevel read_scaled_level(JsonView value, ReadingContext& context) {
  if (value.kind() != JsonKind::kNumber && value.kind() != JsonKind::kString) {
    value.fail("found " + value.kind_name() + ", expected a number or a string with an expression");
  }
  return at_place(value, [&] { return without_surd(as_scaled_level(context.parameters.evaluate(value.text()))); });
}

Level read_plain_level(JsonView value, ReadingContext& context) {
  const ScaledLevel level = read_scaled_level(value, context);
  if (level.level() == nullptr) {
    value.fail("found the level " + printable(level.to_string(), 40) + ", expected one without a square root");
  }
  return *level.level();
}

// The levels of a matrix, row after row. Levels with roots take twice the memory, so the others are kept as levels
// until one has a root.
class MatrixLevels {
 public:
  void add(ScaledLevel level) {
    if (roots_.empty() && level.level() != nullptr) {
      plain_.levels.push_back(*level.level());
      return;
    }
    if (roots_.empty()) {
      roots_.assign(plain_.levels.begin(), plain_.levels.end());
      plain_.levels = {};
    }
    roots_.push_back(std::move(level));
  }

  FieldValue take(const Domain& domain) && {
    if (roots_.empty()) return std::move(plain_);
    std::string written;
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      const bool first = k % domain.inputs() == 0;
      written += (first ? written.empty() ? "[[" : "],[" : ",") + ("\"" + roots_[k].to_string() + "\"");
    }
    return std::make_shared<const PairLevels>(domain, PairLevels::Matrix{std::move(roots_)}, written + "]]");
  }

 private:
  LevelMatrix plain_;
  std::vector<ScaledLevel> roots_;
};

FieldValue read_level_matrix(JsonView value, const Domain& domain, ReadingContext& context) {
  MatrixLevels levels;
  const std::vector<JsonView> rows = read_array(value, "rows of levels");
  if (rows.size() != domain.inputs()) {
    value.fail("found " + std::to_string(rows.size()) + " rows, expected one for each of the " +
               std::to_string(domain.inputs()) + " inputs");
  }
  for (const JsonView row : rows) {
    const std::vector<JsonView> cells = read_array(row, "levels");
    if (cells.size() != domain.inputs()) {
      row.fail("the row has " + std::to_string(cells.size()) + " levels, expected one for each of the " +
               std::to_string(domain.inputs()) + " inputs");
    }
    for (const JsonView cell : cells) levels.add(read_scaled_level(cell, context));
  }
  return std::move(levels).take(domain);
}

// Levels between the values of some coordinates, with the last of these fastest. Inputs that differ elsewhere are not
// constrained: partial DP of one record.
FieldValue read_matrix_of(const Fields& fields, const Domain& domain, ReadingContext& context) {
  const JsonView stated = fields.require("matrix");
  const std::vector<std::size_t> of = read_coordinates(fields.require("of"), domain);
  const std::vector<JsonView> rows = read_array(stated, "rows of levels");
  std::uint64_t size = 1;  // of the matrix; larger than all rows, it is not multiplied further
  for (const std::size_t i : of) size = size > rows.size() ? size : size * domain.values(i);
  if (rows.size() != size) {
    stated.fail("found " + std::to_string(rows.size()) +
                " rows, expected one for each combination of the values of 'of'");
  }
  std::vector<ScaledLevel> own;
  for (const JsonView row : rows) {
    const std::vector<JsonView> cells = read_array(row, "levels");
    if (cells.size() != size) {
      row.fail("the row has " + std::to_string(cells.size()) + " levels, expected one for each of the " +
               std::to_string(size) + " combinations of the values of 'of'");
    }
    for (const JsonView cell : cells) own.push_back(read_scaled_level(cell, context));
  }
  context.budget.require_cells(domain.inputs(), domain.inputs());
  std::vector<bool> inside(domain.size(), false);
  for (const std::size_t i : of) inside[i] = true;
  std::vector<std::uint64_t> place(domain.inputs()), elsewhere(domain.inputs());
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    context.budget.check_every();
    for (const std::size_t i : of) place[x] = place[x] * domain.values(i) + domain.digit(x, i);
    for (std::size_t i = 0; i < domain.size(); ++i) {
      if (!inside[i]) elsewhere[x] = elsewhere[x] * domain.values(i) + domain.digit(x, i);
    }
  }
  MatrixLevels levels;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    for (std::uint64_t z = 0; z < domain.inputs(); ++z) {
      context.budget.check_every();
      levels.add(elsewhere[x] == elsewhere[z] ? own[place[x] * size + place[z]] : ScaledLevel(Level::infinite()));
    }
  }
  return std::move(levels).take(domain);
}

FieldValue read_by_distance(const Fields& fields, const Domain& domain, ReadingContext& context) {
  Distance distance = read_distance(fields, domain);
  const JsonView stated = fields.require("epsilon");
  const Level unit = read_plain_level(stated, context);
  if (unit.is_infinite()) stated.fail("found inf, expected a finite level per unit of the distance");
  // As canonical_json writes it: keys are sorted.
  std::string written =
      "{\"epsilon\":\"" + unit.to_string() + "\",\"metric\":" + canonical_json(fields.require("metric"));
  if (const auto of = fields.find("of")) written += ",\"of\":" + canonical_json(*of);
  return std::make_shared<const PairLevels>(domain, PairLevels::ByDistance{std::move(distance), unit}, written + "}");
}

// Levels by value, if there is one coordinate, or one for each input in order.
FieldValue read_least_of(JsonView value, const Domain& domain, ReadingContext& context) {
  std::vector<std::optional<Level>> levels(domain.inputs());
  if (value.is_object()) {
    if (domain.size() != 1) {
      value.fail("found an object, expected a list with one level for each of the " + std::to_string(domain.inputs()) +
                     " inputs",
                 "levels by value are for domains of one coordinate");
    }
    for (const JsonView::Member& member : value.members()) {
      levels[read_value_of(member.key, domain, 0)] = read_plain_level(member.value, context);
    }
  } else {
    const std::vector<JsonView> items = read_array(value, "levels, one for each input, or an object: value to level");
    if (items.size() != levels.size()) {
      value.fail("found " + std::to_string(items.size()) + " levels, expected one for each of the " +
                 std::to_string(levels.size()) + " inputs");
    }
    for (std::size_t x = 0; x < items.size(); ++x) levels[x] = read_plain_level(items[x], context);
  }
  PairLevels::LeastOf least;
  std::string written;
  for (std::size_t x = 0; x < levels.size(); ++x) {
    if (!levels[x]) value.fail("no level is given for the value '" + printable(input_label(domain, x), 60) + "'");
    written += (x == 0 ? "\"" : ",\"") + levels[x]->to_string() + "\"";
    least.levels.push_back(*std::move(levels[x]));
  }
  return std::make_shared<const PairLevels>(domain, std::move(least), "{\"min_of\":[" + written + "]}");
}

// A table of levels. The header and the first column name the inputs, in any order: a value, or "(a,b)" of several.
class LevelTable {
 public:
  LevelTable(JsonView file_name, const Domain& domain, ReadingContext& context)
      : domain_(domain), context_(context), text_(read_named_file(file_name, context, path_)) {}

  FieldValue read() {
    context_.budget.require_cells(domain_.inputs(), domain_.inputs());
    for (std::uint64_t x = 0; x < domain_.inputs(); ++x) {
      context_.budget.check_every();
      numbers_.emplace(input_label(domain_, x), x);
    }
    const char separator = separator_by(text_, context_.budget, [&](const auto& cells) {
      return cells.size() > 1 && std::any_of(cells.begin() + 1, cells.end(),
                                             [&](const std::string& cell) { return numbers_.contains(cell); });
    });
    note_separator(path_, separator, context_.files);
    std::vector<ScaledLevel> levels(domain_.inputs() * domain_.inputs());
    std::vector<bool> seen(domain_.inputs(), false);
    std::size_t last_line = 1;
    each_csv_row(
        path_, text_, context_.budget,
        [&](CsvRow& row) {
          last_line = row.line;
          if (columns_.empty()) return read_header(row);
          const std::uint64_t from = input_at(row, 0);
          if (seen[from]) fail(row, 0, "the input '" + printable(row.cells[0], 60) + "' has two rows");
          seen[from] = true;
          if (row.cells.size() != columns_.size() + 1) {
            fail(row, std::nullopt,
                 "the row has " + std::to_string(row.cells.size() - 1) + " levels, expected one for each of the " +
                     std::to_string(columns_.size()) + " inputs of the header");
          }
          for (std::size_t k = 1; k < row.cells.size(); ++k) {
            context_.budget.check_every();
            levels[from * domain_.inputs() + columns_[k - 1]] = level_at(row, k);
          }
        },
        separator);
    if (columns_.empty()) throw SpecError({path_, 1, 0, ""}, "the file is empty, expected a header with the inputs");
    for (std::uint64_t x = 0; x < domain_.inputs(); ++x) {
      if (!seen[x]) {
        throw SpecError({path_, last_line, 0, ""},
                        "there is no row for the input '" + printable(input_label(domain_, x), 60) + "'");
      }
    }
    MatrixLevels found;
    for (ScaledLevel& level : levels) found.add(std::move(level));
    return std::move(found).take(domain_);
  }

 private:
  void read_header(const CsvRow& row) {
    std::vector<bool> seen(domain_.inputs(), false);
    for (std::size_t k = 1; k < row.cells.size(); ++k) {
      const std::uint64_t to = input_at(row, k);
      if (seen[to]) fail(row, k, "the input '" + printable(row.cells[k], 60) + "' has two columns");
      seen[to] = true;
      columns_.push_back(to);
    }
    for (std::uint64_t x = 0; x < seen.size(); ++x) {
      if (!seen[x]) {
        fail(row, std::nullopt, "there is no column for the input '" + printable(input_label(domain_, x), 60) + "'",
             "the header has an empty cell, then the inputs");
      }
    }
  }

  std::uint64_t input_at(const CsvRow& row, std::size_t k) const {
    const auto found = numbers_.find(row.cells[k]);
    if (found != numbers_.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [label, number] : numbers_) {
      if (known.size() < 1000) known.push_back(label);
    }
    fail(row, k, "'" + printable(row.cells[k], 60) + "' is not an input of the domain",
         suggestion(row.cells[k], known));
  }

  ScaledLevel level_at(const CsvRow& row, std::size_t k) const {
    try {
      return without_surd(as_scaled_level(context_.parameters.evaluate(row.cells[k])));
    } catch (const SpecError&) {
      throw;
    } catch (const Interrupted&) {
      throw;
    } catch (const std::runtime_error& error) {
      fail(row, k,
           "the level '" + printable(row.cells[k], 60) + "' of the column '" +
               printable(input_label(domain_, columns_[k - 1]), 60) + "': " + error.what());
    }
  }

  [[noreturn]] void fail(const CsvRow& row, std::optional<std::size_t> cell, const std::string& message,
                         const std::string& hint = "") const {
    throw SpecError({path_, row.line, cell ? column_of(row, *cell) : 0, ""}, message, hint);
  }

  // The column of a cell in its line; 0 if the line has quotes, and the cell's place is not known.
  std::size_t column_of(const CsvRow& row, std::size_t cell) const {
    std::size_t column = 1;
    for (std::size_t k = 0; k < cell; ++k) column += row.cells[k].size() + 1;
    std::size_t begin = 0;
    for (std::size_t line = 1; line < row.line; ++line) begin = text_.find('\n', begin) + 1;
    const std::string line = text_.substr(begin, text_.find('\n', begin) - begin);
    return line.find('"') == std::string::npos ? column : 0;
  }

  const Domain& domain_;
  ReadingContext& context_;
  std::string path_;  // before the text, which sets it
  std::string text_;
  std::map<std::string, std::uint64_t> numbers_;  // of inputs, by label
  std::vector<std::uint64_t> columns_;            // the input of each
};

}  // namespace

Distance read_distance(const Fields& fields, const Domain& domain) {
  const JsonView named = fields.require("metric");
  const std::string name = read_string(named, "a metric");
  const auto known = std::find(metric_names().begin(), metric_names().end(), name);
  if (known == metric_names().end()) {
    named.fail("unknown metric '" + printable(name) + "', expected " + listing(metric_names()),
               suggestion(name, metric_names()));
  }
  Distance found{static_cast<Metric>(known - metric_names().begin()), {}, {}};
  if (const auto coordinates = fields.find("of")) {
    found.of = read_coordinates(*coordinates, domain);
  } else {
    found.of = every_coordinate(domain);
  }
  if (found.metric == Metric::kAbsolute && found.of.size() != 1) {
    fields.object().fail("'absolute' is the distance of one coordinate; name it in 'of', or take 'l1'");
  }
  if (found.metric == Metric::kHamming) return found;
  constexpr std::size_t kMostNumbers = 1'000'000;
  for (const std::size_t i : found.of) {
    if (domain.values(i) > kMostNumbers) {
      fields.object().fail("a metric reads the number of every value, of at most " + std::to_string(kMostNumbers) +
                           "; '" + printable(domain.coordinate(i).name, 40) + "' has " +
                           std::to_string(domain.values(i)));
    }
    auto& own = found.numbers.emplace_back();
    for (std::size_t v = 0; v < domain.values(i); ++v) own.push_back(number_of_value(fields.object(), domain, i, v));
  }
  return found;
}

FieldValue read_pair_levels(JsonView value, const Domain& domain, ReadingContext& context) {
  if (!value.is_object()) {
    if (!value.is_array()) {
      value.fail("found " + value.kind_name() +
                 ", expected a matrix of levels, or an object with 'metric', 'matrix', 'min_of' or 'file'");
    }
    return read_level_matrix(value, domain, context);
  }
  const Fields fields(value, {"metric", "of", "epsilon", "matrix", "min_of", "file"}, "levels of pairs of inputs");
  std::string form;
  for (const char* own : {"metric", "matrix", "min_of", "file"}) {
    if (!fields.has(own)) continue;
    if (!form.empty()) value.fail("found '" + form + "' and '" + own + "', expected one of them");
    form = own;
  }
  if (form.empty()) value.fail("expected 'metric', 'matrix', 'min_of' or 'file'");
  if (form == "metric") return read_by_distance(fields, domain, context);
  if (const auto extra = fields.find("epsilon")) extra->fail("'epsilon' belongs to a metric");
  if (form == "matrix") return read_matrix_of(fields, domain, context);
  if (const auto extra = fields.find("of")) extra->fail("'of' belongs to a metric or a matrix");
  if (form == "min_of") return read_least_of(fields.require("min_of"), domain, context);
  return LevelTable(fields.require("file"), domain, context).read();
}

}  // namespace oddsbound::specs
