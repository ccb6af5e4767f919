// Rows of numbers that must sum to exactly 1.
#include <cassert>
#include <numeric>

#include "base/errors.h"
#include "specs/csv.h"
#include "specs/spec_parts.h"

namespace oddsbound::specs {

namespace {

// The sum of a row, over a common denominator of words while that fits, exactly in any case.
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

}  // namespace

PoolBuilder read_stochastic_rows(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context) {
  const std::vector<JsonView> arrays = read_array(value, "rows");
  if (arrays.size() != rows) {
    value.fail("found " + std::to_string(arrays.size()) + " rows, expected " + std::to_string(rows));
  }
  PoolBuilder builder;
  builder.reserve(rows * columns);
  for (const JsonView row : arrays) {
    const std::vector<JsonView> cells = read_array(row, "numbers");
    if (cells.size() != columns) {
      row.fail("the row has " + std::to_string(cells.size()) + " entries, expected one for each of the " +
               std::to_string(columns) + " outputs");
    }
    RowSum sum;
    for (const JsonView cell : cells) {
      context.budget.tick();
      SmallFraction fraction{};
      if (cell.kind() <= JsonKind::kString && read_small_fraction(cell.text(), fraction)) {
        builder.add(fraction);
        sum.add(fraction);
        continue;
      }
      const Number number = read_mass(cell, context);
      builder.add(number);
      sum.add(number);
    }
    require_one(sum, row, "the row");
  }
  return builder;
}

PoolBuilder read_stochastic_csv(JsonView file_name, std::uint64_t rows, std::uint64_t columns,
                                ReadingContext& context) {
  std::string path;
  const std::string text = read_named_file(file_name, context, path);
  const std::vector<CsvRow> table = parse_csv(path, text, context.budget);
  if (table.size() != rows) {
    throw SpecError({path, table.empty() ? 1 : table.back().line, 0, ""},
                    "found " + std::to_string(table.size()) + " rows of numbers, expected one for each of the " +
                        std::to_string(rows) + " inputs");
  }
  PoolBuilder builder;
  for (const CsvRow& row : table) {
    const auto fail = [&](const std::string& message) { throw SpecError({path, row.line, 0, ""}, message); };
    if (row.cells.size() != columns) {
      fail("the row has " + std::to_string(row.cells.size()) + " entries, expected one for each of the " +
           std::to_string(columns) + " outputs");
    }
    RowSum sum;
    for (const std::string& cell : row.cells) {
      context.budget.tick();
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
      builder.add(number);
      sum.add(number);
    }
    if (!sum.is_one()) fail("the row sums to " + printable(sum.total().to_string(), 120) + ", not 1");
  }
  return builder;
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
    context.budget.tick();
    numbers.push_back(read_mass(item, context));
    sum.add(numbers.back());
  }
  require_one(sum, value, "the distribution");
  return numbers;
}

}  // namespace oddsbound::specs
