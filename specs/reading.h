// What all parts of the spec reader share: fields of objects, exact numbers with parameters, errors at their place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "mechanisms/family.h"
#include "specs/json_document.h"
#include "specs/source_file.h"
#include "specs/csv.h"
#include "verifier/exact/expression.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"
#include "verifier/model/value_pool.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::specs {

/// Runs `work`; errors of numbers, models and limits become SpecErrors at the value.
template <typename Work>
auto at_place(JsonView value, Work work);

/// The fields of an object: unknown ones are an error with a suggestion, as are missing required ones.
class Fields {
 public:
  Fields(JsonView object, std::vector<std::string> known, std::string_view what);
  bool has(const std::string& name) const { return members_.contains(name); }
  JsonView require(const std::string& name) const;
  std::optional<JsonView> find(const std::string& name) const;
  /// All that are there, by name.
  const std::map<std::string, JsonView::Member>& members() const { return members_; }
  JsonView object() const { return object_; }

 private:
  JsonView object_;
  std::string what_;
  std::map<std::string, JsonView::Member> members_;
};

/// Throws SpecError unless the version of a format, which is called that, is 1.
void require_version_1(JsonView version, const std::string& format);

/// Throws SpecError at the key unless it can be the name of a parameter or symbol.
void require_name(JsonView key, const std::string& what);

/// Named values that may refer to one another in any order; evaluated when first used.
class Parameters {
 public:
  /// symbols: names that are known beforehand, with their values.
  Parameters(std::optional<JsonView> object, const std::map<std::string, Number>& symbols, Budget& budget);
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;
  /// Evaluates all, so that an error in one that is never used is found.
  void evaluate_all();
  /// For numbers that the program wrote itself: as many digits as they have.
  void allow_long_literals() { most_digits_ = kMaxExpressionLength; }
  ExpressionValue evaluate(std::string_view text);

 private:
  struct Entry {
    std::optional<JsonView> value;  // of a parameter
    std::optional<ExpressionValue> result;
  };
  ExpressionValue lookup(std::string_view name);

  Budget& budget_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> names_;
  std::vector<std::string> open_;
  std::size_t most_digits_ = kMaxLiteralDigits;
  KnownExpressions known_;
};

/// What reading a spec has to say besides what it read.
struct Remarks {
  std::vector<std::string> notes;
  std::vector<TableUse> tables;         // that say what becomes of missing cells
  std::size_t kept_answers = 0;         // mechanisms read so far that draw an answer once, to be kept
  std::size_t confidential_tables = 0;  // tables of people read so far that are not stated to be published
  bool digests_wanted = false;          // of the rows of CSV tables
  std::map<std::string, std::set<std::string>> table_digests;  // by file
};

/// The sets of priors that a spec names, and what sets refer to. Filled once the prior is read.
struct KnownPriors {
  const Prior* center = nullptr;     // the spec's prior, if it has one
  bool counted = false;              // it is a table of counts
  bool confidential = false;         // it depends on a table that is not stated to be published
  bool values_confidential = false;  // so do the values of a coordinate
  bool center_used = false;          // by the set that is being read
  std::map<std::string, ForAll> named{};
};

/// Everything a part of the reader needs besides the JSON value it reads.
struct ReadingContext {
  const std::string& directory;  // file names in the spec are relative to it
  Parameters& parameters;
  Budget& budget;
  std::vector<std::string> open_files;  // specs that are being read, outermost first
  std::vector<SourceFile>& files;       // all that were read so far
  Remarks& remarks;
  KnownPriors priors{};
};

/// The string at the key `type`, or another, of an object.
std::string read_type(JsonView value, std::string_view what, std::string_view key = "type");
[[noreturn]] void fail_unknown_type(JsonView value, const std::string& type, const std::vector<std::string>& known,
                                    const std::string& what, std::string_view key = "type");

/// The reader that a table has for the type of an object.
template <typename Reader>
Reader reader_of_type(JsonView value, const std::vector<std::pair<std::string, Reader>>& readers, std::string_view what,
                      const std::string& what_type, std::string_view key = "type") {
  const std::string type = read_type(value, what, key);
  std::vector<std::string> known;
  for (const auto& [name, reader] : readers) {
    if (name == type) return reader;
    known.push_back(name);
  }
  fail_unknown_type(value, type, known, what_type, key);
}

std::string read_string(JsonView value, std::string_view what);
std::vector<JsonView> read_array(JsonView value, std::string_view what);
/// A whole number in [least, most].
std::int64_t read_integer(JsonView value, std::string_view what, std::int64_t least, std::int64_t most);
Number read_number(JsonView value, ReadingContext& context);
/// A number that may have a square root in it.
Surd read_surd(JsonView value, ReadingContext& context);
/// A number from 0 to 1.
Number read_probability(JsonView value, ReadingContext& context);
/// A number that is not negative, for any values of the symbols.
Number read_mass(JsonView value, ReadingContext& context);
Level read_level(JsonView value, ReadingContext& context);
/// "a/b", "a" or a decimal with parts of at most 18 digits, not reduced.
bool read_small_fraction(std::string_view text, SmallFraction& fraction);

/// Which of the coordinates of these names it is.
std::size_t read_name_of(JsonView name, const std::vector<std::string>& coordinates);
std::size_t read_coordinate(JsonView name, const Domain& domain);
/// A list of distinct coordinates, at least one.
std::vector<std::size_t> read_coordinates(JsonView names, const Domain& domain);
/// The same, sorted.
std::vector<std::size_t> read_attributes(JsonView names, const Domain& domain);
/// Whether an optional flag is given; it may only be true.
bool read_flag(const Fields& fields, const char* name);
/// A positive rational number.
Number read_positive(JsonView value, const std::string& what, ReadingContext& context);
std::uint64_t read_value_of(JsonView value, const Domain& domain, std::size_t coordinate);
/// An array of values, one per coordinate.
InputRow read_input(JsonView value, const Domain& domain);
std::vector<std::string> read_labels(JsonView value, Budget& budget);
bool read_boolean(JsonView value, std::string_view what);
/// The text of a file named in the spec; the error is placed at the name.
std::string read_named_file(JsonView name, const ReadingContext& context, std::string& path);

/// The text of a file, or of standard input for "-". Throws SpecError for what cannot be read or is too large.
std::string read_file(const std::string& path, const Limits& limits);

template <typename Work>
auto at_place(JsonView value, Work work) {
  try {
    return work();
  } catch (const SpecError&) {
    throw;
  } catch (const ParameterError&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error& error) {
    value.fail(error.what());
  }
}

}  // namespace oddsbound::specs
