// Reads priors by their `type`, rows that must sum to 1, and Bayesian networks.

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/errors.h"
#include "specs/csv.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "specs/table.h"
#include "verifier/exact/decimal.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::specs {

namespace {

using PriorReader = Prior (*)(JsonView value, const Domain& domain, ReadingContext& context);

Prior from_weights(JsonView value, const Domain& domain, std::vector<Number> weights, ReadingContext& context) {
  return at_place(value, [&] { return Prior::from_weights(domain, std::move(weights), context.budget); });
}

Prior from_rows(JsonView value, const Domain& domain, std::vector<WeightedRow> rows, ReadingContext& context) {
  return at_place(value, [&] { return Prior::from_rows(domain, std::move(rows), context.budget); });
}

Prior read_uniform(JsonView value, const Domain& domain, ReadingContext&) {
  const Fields fields(value, {"type"}, "a uniform prior");
  return Prior::uniform(domain);
}

Prior read_probabilities(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "probabilities"}, "a prior of probabilities");
  const JsonView list = fields.require("probabilities");
  return from_weights(list, domain, read_distribution(list, domain.inputs(), "inputs", context), context);
}

Prior read_counts(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "counts", "published"}, "a prior of counts");
  note_table(fields, context);
  const JsonView list = fields.require("counts");
  std::vector<Number> counts;
  for (const JsonView item : read_array(list, "counts")) {
    counts.push_back(read_number(item, context));
    if (!counts.back().is_integer() || counts.back().sign() < 0) {
      item.fail("found " + printable(item.text(), 40) + ", expected a count: a non-negative integer");
    }
  }
  return from_weights(list, domain, std::move(counts), context);
}

Prior read_product(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "marginals"}, "a product prior");
  const JsonView object = fields.require("marginals");
  if (!object.is_object()) object.fail("found " + object.kind_name() + ", expected an object: coordinate to numbers");
  std::vector<std::vector<Number>> marginals(domain.size());
  for (const JsonView::Member& member : object.members()) {
    const std::size_t i = read_coordinate(member.key, domain);
    marginals[i] = read_distribution(member.value, domain.values(i), "values", context);
  }
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (marginals[i].empty())
      object.fail("there is no marginal for coordinate '" + printable(domain.coordinate(i).name) + "'");
  }
  return at_place(value, [&] { return Prior::product(domain, std::move(marginals)); });
}

Prior read_mixture(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "weights", "components"}, "a mixture prior");
  const std::vector<JsonView> components = read_array(fields.require("components"), "priors");
  if (components.empty()) fields.require("components").fail("a mixture needs at least one component");
  std::vector<Number> shares = read_distribution(fields.require("weights"), components.size(), "components", context);
  std::vector<Prior> priors;
  for (const JsonView component : components) priors.push_back(read_prior(component, domain, context));
  return at_place(value, [&] { return Prior::mixture(domain, std::move(priors), std::move(shares)); });
}

Prior read_diagonal(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "marginal"}, "a diagonal prior");
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain.values(i) != domain.values(0)) {
      value.fail("a diagonal prior needs coordinates of equal size; '" + printable(domain.coordinate(0).name) +
                 "' has " + std::to_string(domain.values(0)) + " values and '" + printable(domain.coordinate(i).name) +
                 "' has " + std::to_string(domain.values(i)));
    }
  }
  const std::vector<Number> marginal =
      read_distribution(fields.require("marginal"), domain.values(0), "values", context);
  std::vector<WeightedRow> rows;
  for (std::uint32_t v = 0; v < marginal.size(); ++v) rows.push_back({InputRow(domain.size(), v), marginal[v]});
  return from_rows(value, domain, std::move(rows), context);
}

Prior read_csv(JsonView value, const Domain& domain, ReadingContext& context) {
  DomainDraft draft;
  for (std::size_t i = 0; i < domain.size(); ++i) draft.coordinates.push_back(domain.coordinate(i));
  draft.from_prior.resize(domain.size());
  return *read_table(value, std::move(draft), context).prior;
}

const std::vector<std::pair<std::string, PriorReader>>& prior_readers() {
  static const std::vector<std::pair<std::string, PriorReader>> table = {
      {"uniform", read_uniform},   {"probabilities", read_probabilities},
      {"counts", read_counts},     {"csv", read_csv},
      {"product", read_product},   {"mixture", read_mixture},
      {"diagonal", read_diagonal}, {"network", read_network_prior},
  };
  return table;
}

}  // namespace

void note_table(const Fields& fields, ReadingContext& context) {
  const auto published = fields.find("published");
  const bool is_published = published && read_boolean(*published, "whether the table is published");
  if (!is_published) ++context.remarks.confidential_tables;
}

Prior read_prior(JsonView value, const Domain& domain, ReadingContext& context) {
  return reader_of_type(value, prior_readers(), "a prior", "type of prior")(value, domain, context);
}

// Rows of numbers that must sum to exactly 1

namespace {

// The exact sum of a row. Uses a common denominator in machine words while it fits, exact numbers otherwise.
class RowSum {
 public:
  void add(SmallFraction fraction) {
    assert(fraction.numerator >= 0 && fraction.denominator > 0);
    if (!small_ || denominator_ % fraction.denominator != 0) {
      if (small_) widen(fraction.denominator);
      if (!small_) {
        terms_.push_back({Number(1), Number::ratio(fraction.numerator, fraction.denominator)});
        return;
      }
    }
    numerator_ += static_cast<__int128>(fraction.numerator) * (denominator_ / fraction.denominator);
    if (numerator_ > kLargest) spill();
  }

  void add(const Number& number) {
    if (small_) spill();
    terms_.push_back({Number(1), number});
  }

  bool is_one() const { return small_ ? numerator_ == denominator_ : weighted_sum(terms_).is_one(); }
  Number total() const {
    return small_ ? Number::ratio(static_cast<std::int64_t>(numerator_), denominator_) : weighted_sum(terms_);
  }

 private:
  static constexpr __int128 kLargest = std::int64_t{1} << 62;

  void widen(std::int64_t denominator) {
    const __int128 factor = denominator / std::gcd(denominator, denominator_);
    if (factor * denominator_ > kLargest || factor * numerator_ > kLargest) {
      spill();
      return;
    }
    numerator_ *= factor;
    denominator_ = static_cast<std::int64_t>(factor * denominator_);
  }

  void spill() {
    small_ = false;
    terms_.push_back({Number(1), wide_ratio()});
  }

  Number wide_ratio() const {
    constexpr int kBits = 31;
    assert(numerator_ >= 0 && (numerator_ >> (4 * kBits)) == 0);
    Number top(0);
    for (int shift = 3 * kBits; shift >= 0; shift -= kBits) {
      const __int128 part = (numerator_ >> shift) & ((std::int64_t{1} << kBits) - 1);
      top = top * Number(std::int64_t{1} << kBits) + Number(static_cast<std::int64_t>(part));
    }
    return top / Number(denominator_);
  }

  bool small_ = true;
  __int128 numerator_ = 0;
  std::int64_t denominator_ = 1;
  std::vector<WeightedTerm> terms_;
};

void require_one(const RowSum& sum, JsonView row, std::string_view what) {
  if (sum.is_one()) return;
  row.fail(std::string(what) + " sums to " + printable(sum.total().to_string(), 120) + ", not 1");
}

// For rows of the spec's own matrix that miss 1 by at most 1/1000. `repair` takes no rows from a file of their own.
std::string hint_of_rounding(const RowSum& sum, const std::string& pointer) {
  const Number misses = sum.total() - Number(1);
  const Number most = Number::ratio(1, 1000);
  const bool is_rounding = misses.is_rational() && misses <= most && -misses <= most;
  const std::string start = "if the numbers are rounded: oddsbound verify --row-tolerance";
  if (!is_rounding) return "";
  if (pointer == "/mechanism/file") return start;
  return pointer.starts_with("/mechanism/rows/") ? start + ", or oddsbound repair --rounded-rows" : "";
}

// Calls take(cell) for the cells of each row, then end(row).
template <typename Take, typename End>
void each_row(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context, Take take, End end) {
  const std::vector<JsonView> arrays = read_array(value, "rows");
  if (arrays.size() != rows) {
    value.fail("found " + std::to_string(arrays.size()) + " rows, expected " + std::to_string(rows));
  }
  for (const JsonView row : arrays) {
    const std::vector<JsonView> cells = read_array(row, "numbers");
    if (cells.size() != columns) {
      row.fail("the row has " + std::to_string(cells.size()) + " entries, expected one for each of the " +
               std::to_string(columns) + " outputs");
    }
    for (const JsonView cell : cells) {
      context.budget.check_every();
      take(cell);
    }
    end(row);
  }
}

// The same for a CSV file of numbers without a header: take(number), then end(fail), where fail(message, hint) throws
// at the row.
template <typename Take, typename End>
void each_csv_row_of_numbers(JsonView file_name, std::uint64_t rows, std::uint64_t columns, ReadingContext& context,
                             Take take, End end) {
  std::string path;
  const std::string text = read_named_file(file_name, context, path);
  const char separator = separator_by(text, context.budget, [&](const auto& cells) { return cells.size() == columns; });
  note_separator(path, separator, context.files);
  std::vector<CsvRow> table;
  each_csv_row(
      path, text, context.budget, [&](CsvRow& row) { table.push_back(std::move(row)); }, separator);
  if (table.size() != rows) {
    throw SpecError({path, table.empty() ? 1 : table.back().line, 0, ""},
                    "found " + std::to_string(table.size()) + " rows of numbers, expected one for each of the " +
                        std::to_string(rows) + " inputs");
  }
  for (const CsvRow& row : table) {
    const auto fail = [&](const std::string& message, const std::string& hint = "") {
      throw SpecError({path, row.line, 0, ""}, message, hint);
    };
    if (row.cells.size() != columns) {
      fail("the row has " + std::to_string(row.cells.size()) + " entries, expected one for each of the " +
           std::to_string(columns) + " outputs");
    }
    for (const std::string& cell : row.cells) {
      context.budget.check_every();
      Number number;
      bool negative = false;
      try {
        number = as_number(context.parameters.evaluate(cell));
        negative = number.sign() < 0;
      } catch (const SpecError&) {
        throw;
      } catch (const Interrupted&) {
        throw;
      } catch (const std::runtime_error& error) {
        fail("the entry '" + printable(cell) + "': " + error.what());
      }
      if (negative) fail("the probability " + printable(number.to_string()) + " is negative");
      take(number);
    }
    end(fail);
  }
}

std::string complaint_about_sum(const RowSum& sum) {
  return "the row sums to " + printable(sum.total().to_string(), 120) + ", not 1";
}

// Collects the rows of a printed matrix.
class PrintedRow {
 public:
  explicit PrintedRow(ReadingContext& context) : rounded_(*context.rounded) {}

  void add(const Number& number) { numbers_.push_back(number); }
  /// Calls fail(message) if no row of probabilities agrees with the numbers added since the last call.
  template <typename Fail>
  void end(Fail fail) {
    const std::vector<Number> row = std::move(numbers_);
    numbers_.clear();
    if (rounded_.add(row)) return;
    fail("the row sums to " + printable(sum_of(row).to_string(), 120) + ", and " +
         what_is_needed(smallest_tolerance(row, rounded_.exact_zeros)));
  }
  template <typename Fail>
  void require_rational(const Number& number, Fail fail) const {
    if (number.is_rational()) return;
    fail("found " + printable(number.to_string(), 60) + ", expected a rational number (--row-tolerance)");
  }

 private:
  static std::string what_is_needed(const std::optional<Number>& tolerance) {
    if (!tolerance) return "--exact-zeros leaves no row with sum 1";
    if (*tolerance >= Number(1)) return "no --row-tolerance below 1 allows a row with sum 1";
    return "rows with sum 1 need --row-tolerance " + decimal_text(*tolerance) + " or more";
  }

  RoundedRows& rounded_;
  std::vector<Number> numbers_;
};

}  // namespace

PoolBuilder read_stochastic_rows(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context) {
  PoolBuilder builder;
  builder.reserve(rows * columns);
  RowSum sum;
  const auto take = [&](JsonView cell) {
    SmallFraction fraction{};
    if (cell.kind() <= JsonKind::kString && read_small_fraction(cell.text(), fraction)) {
      builder.add(fraction);
      sum.add(fraction);
      return;
    }
    const Number number = read_mass(cell, context);
    builder.add(number);
    sum.add(number);
  };
  each_row(value, rows, columns, context, take, [&](JsonView row) {
    if (!sum.is_one()) row.fail(complaint_about_sum(sum), hint_of_rounding(sum, row.place().pointer));
    sum = RowSum();
  });
  return builder;
}

PoolBuilder read_stochastic_csv(JsonView file_name, std::uint64_t rows, std::uint64_t columns,
                                ReadingContext& context) {
  PoolBuilder builder;
  RowSum sum;
  const auto take = [&](const Number& number) {
    builder.add(number);
    sum.add(number);
  };
  each_csv_row_of_numbers(file_name, rows, columns, context, take, [&](const auto& fail) {
    if (!sum.is_one()) fail(complaint_about_sum(sum), hint_of_rounding(sum, file_name.place().pointer));
    sum = RowSum();
  });
  return builder;
}

void read_rounded_rows(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context) {
  PrintedRow printed(context);
  const auto take = [&](JsonView cell) {
    const Number number = read_mass(cell, context);
    printed.require_rational(number, [&](const std::string& message) { cell.fail(message); });
    printed.add(number);
  };
  each_row(value, rows, columns, context, take,
           [&](JsonView row) { printed.end([&](const std::string& message) { row.fail(message); }); });
}

void read_rounded_csv(JsonView file_name, std::uint64_t rows, std::uint64_t columns, ReadingContext& context) {
  PrintedRow printed(context);
  std::vector<Number> numbers;
  const auto take = [&](const Number& number) { numbers.push_back(number); };
  each_csv_row_of_numbers(file_name, rows, columns, context, take, [&](const auto& fail) {
    for (const Number& number : numbers) {
      printed.require_rational(number, fail);
      printed.add(number);
    }
    numbers.clear();
    printed.end(fail);
  });
}

std::vector<Number> read_distribution(JsonView value, std::uint64_t count, std::string_view of_what,
                                      ReadingContext& context) {
  const std::vector<JsonView> items = read_array(value, "numbers");
  if (items.size() != count) {
    value.fail("found " + std::to_string(items.size()) + " numbers, expected one for each of the " +
               std::to_string(count) + " " + std::string(of_what));
  }
  std::vector<Number> numbers;
  RowSum sum;
  for (const JsonView item : items) {
    context.budget.check_every();
    numbers.push_back(read_mass(item, context));
    sum.add(numbers.back());
  }
  require_one(sum, value, "the distribution");
  return numbers;
}

// Bayesian networks: priors whose rows are numbers, and sets of priors whose rows are intervals

namespace {

struct NodeDraft {
  JsonView at;
  std::size_t coordinate = 0;
  std::vector<std::size_t> parents;
  std::vector<JsonView> rows;  // per assignment of the parents
};

NodeDraft read_node(JsonView value, const Domain& domain) {
  const Fields fields(value, {"coordinate", "parents", "table"}, "a node of a network");
  NodeDraft node{value, read_coordinate(fields.require("coordinate"), domain), {}, {}};
  constexpr std::uint64_t kMostAssignments = std::uint64_t{1} << 32;
  std::uint64_t assignments = 1;
  if (const auto parents = fields.find("parents")) {
    for (const JsonView parent : read_array(*parents, "coordinates")) {
      const std::size_t i = read_coordinate(parent, domain);
      if (i == node.coordinate) parent.fail("a coordinate cannot be its own parent");
      if (std::find(node.parents.begin(), node.parents.end(), i) != node.parents.end()) {
        parent.fail("the parent '" + printable(parent.text()) + "' is listed twice");
      }
      node.parents.push_back(i);
      if (assignments > kMostAssignments / domain.values(i)) {
        parent.fail("the parents have more than 2^32 assignments, and a table has a row for each");
      }
      assignments *= domain.values(i);
    }
  }
  const JsonView table = fields.require("table");
  node.rows = read_array(table, "rows");
  if (node.rows.size() != assignments) {
    table.fail("found " + std::to_string(node.rows.size()) + " rows, expected one for each of the " +
               std::to_string(assignments) + " assignments of the parents");
  }
  return node;
}

// Fails at a node on a cycle. Nodes may be in any order in the file.
void require_acyclic(const std::vector<NodeDraft>& nodes, const Domain& domain) {
  std::vector<bool> placed(domain.size(), false);
  for (std::size_t round = 0; round < nodes.size(); ++round) {
    for (const NodeDraft& node : nodes) {
      placed[node.coordinate] = placed[node.coordinate] || std::all_of(node.parents.begin(), node.parents.end(),
                                                                       [&](std::size_t i) { return placed[i]; });
    }
  }
  for (const NodeDraft& node : nodes) {
    if (placed[node.coordinate]) continue;
    node.at.fail("coordinate '" + printable(domain.coordinate(node.coordinate).name) +
                 "' depends on itself through its parents");
  }
}

// Exactly one node per coordinate, without cycles.
std::vector<NodeDraft> read_nodes(JsonView value, const Domain& domain) {
  std::vector<NodeDraft> nodes;
  std::vector<bool> named(domain.size(), false);
  for (const JsonView item : read_array(value, "nodes")) {
    nodes.push_back(read_node(item, domain));
    if (named[nodes.back().coordinate]) item.fail("two nodes for one coordinate");
    named[nodes.back().coordinate] = true;
  }
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (!named[i]) value.fail("there is no node for coordinate '" + printable(domain.coordinate(i).name) + "'");
  }
  require_acyclic(nodes, domain);
  return nodes;
}

// An entry of a table: a number, or the two ends of an interval.
void read_entry(JsonView value, IntervalNode::Row& row, ReadingContext& context) {
  if (!value.is_array()) {
    row.lower.push_back(read_probability(value, context));
    row.upper.push_back(row.lower.back());
    return;
  }
  const std::vector<JsonView> ends = value.items();
  if (ends.size() != 2) {
    value.fail("found " + std::to_string(ends.size()) + " numbers, expected the two ends of an interval");
  }
  row.lower.push_back(read_probability(ends[0], context));
  row.upper.push_back(read_probability(ends[1], context));
  if (row.lower.back() > row.upper.back()) {
    value.fail("found an interval from " + printable(ends[0].text(), 40) + " to " + printable(ends[1].text(), 40) +
               ", expected the smaller end first");
  }
}

IntervalNode::Row read_row(JsonView value, std::uint64_t values, ReadingContext& context) {
  IntervalNode::Row row;
  const std::vector<JsonView> entries = read_array(value, "numbers and intervals");
  if (entries.size() != values) {
    value.fail("found " + std::to_string(entries.size()) + " entries, expected one for each of the " +
               std::to_string(values) + " values");
  }
  for (const JsonView entry : entries) read_entry(entry, row, context);
  const Number least = sum_of(row.lower), most = sum_of(row.upper);
  if (row.lower == row.upper && !least.is_one()) {
    value.fail("the row sums to " + printable(least.to_string(), 60) + ", not 1");
  }
  if (least > Number(1)) {
    value.fail("no distribution lies in the intervals of the row: the lower ends sum to " +
               printable(least.to_string(), 60) + ", which is above 1");
  }
  if (most < Number(1)) {
    value.fail("no distribution lies in the intervals of the row: the upper ends sum to " +
               printable(most.to_string(), 60) + ", which is below 1");
  }
  return row;
}

}  // namespace

Prior read_network_prior(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "nodes"}, "a network prior");
  std::vector<NetworkNode> nodes;
  for (const NodeDraft& draft : read_nodes(fields.require("nodes"), domain)) {
    NetworkNode& node = nodes.emplace_back(NetworkNode{draft.coordinate, draft.parents, {}});
    for (const JsonView row : draft.rows) {
      node.table.push_back(read_distribution(row, domain.values(node.coordinate), "values", context));
    }
  }
  return at_place(value, [&] { return Prior::network(domain, std::move(nodes)); });
}

PriorSetPtr read_network_set(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "nodes"}, "a set of priors by a network");
  std::vector<IntervalNode> nodes;
  for (const NodeDraft& draft : read_nodes(fields.require("nodes"), domain)) {
    IntervalNode& node = nodes.emplace_back(IntervalNode{draft.coordinate, draft.parents, {}});
    for (const JsonView row : draft.rows) node.rows.push_back(read_row(row, domain.values(node.coordinate), context));
  }
  return network_within(std::move(nodes));
}

}  // namespace oddsbound::specs
