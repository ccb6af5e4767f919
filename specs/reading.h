// Shared by all parts of the spec reader: fields of objects, exact numbers with parameters, errors with their place,
// and the reading context.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "mechanisms/family.h"
#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "verifier/exact/expression.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"
#include "verifier/model/value_pool.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::specs {

/// Runs `work`. Errors of numbers, models and limits become SpecErrors at the value; Interrupted and ParameterError
/// pass through.
template <typename Work>
auto at_place(JsonView value, Work work);

/// The fields of an object. Unknown keys and missing required keys are errors, with a suggestion for unknown ones.
class Fields {
 public:
  Fields(JsonView object, const std::vector<std::string>& known, std::string_view what);
  /// The fields of a whole file: "$schema", which editors need, may be there too. A file of another kind is an error
  /// that names the kind and the command that reads it. kind: spec, plan, design, release, ledger or lock.
  static Fields of_file(const JsonDocument& document, std::string_view kind, const std::vector<std::string>& known,
                        std::string_view what);
  bool has(const std::string& name) const { return members_.contains(name); }
  JsonView require(const std::string& name) const;
  std::optional<JsonView> find(const std::string& name) const;
  /// All fields that are present, by name.
  const std::map<std::string, JsonView::Member>& members() const { return members_; }
  JsonView object() const { return object_; }

 private:
  Fields(JsonView object, const std::vector<std::string>& known, std::string_view what, bool is_file);

  JsonView object_;
  std::string what_;
  std::map<std::string, JsonView::Member> members_;
};

/// Throws SpecError unless the version is 1. `format` is the name of the format in the message.
void require_version_1(JsonView version, const std::string& format);

/// Throws SpecError at the key unless it is a valid name for a parameter or symbol.
void require_name(JsonView key, const std::string& what);

/// Named values that may refer to one another in any order. Each is evaluated at its first use.
class Parameters {
 public:
  /// symbols: predefined names with their values.
  Parameters(std::optional<JsonView> object, const std::map<std::string, Number>& symbols, Budget& budget);
  /// Reads "parameters" and evaluates each, so that all errors in them are found. Ends the reading if their names
  /// cannot be read, because nothing else can be evaluated then.
  static std::unique_ptr<Parameters> read(const Fields& fields, const std::map<std::string, Number>& symbols,
                                          Budget& budget, FoundErrors& errors);
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;
  /// For numbers that the program wrote itself: lifts the limit on the digits of a literal.
  void allow_long_literals() { most_digits_ = kMaxExpressionLength; }
  ExpressionValue evaluate(std::string_view text);

 private:
  struct Entry {
    std::optional<JsonView> value;  // nullopt for a symbol
    std::optional<ExpressionValue> result;
    std::exception_ptr error;  // of the first evaluation; thrown again by later ones
  };
  ExpressionValue lookup(std::string_view name);

  Budget& budget_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> names_;
  std::vector<std::string> open_;
  std::size_t most_digits_ = kMaxLiteralDigits;
  KnownExpressions known_;
};

/// Side results of reading a spec.
struct Remarks {
  std::vector<std::string> notes;
  std::vector<TableUse> tables;         // tables with a rule for missing cells, in the order of reading
  std::size_t kept_answers = 0;         // mechanisms so far that draw an answer once and keep it
  std::size_t confidential_tables = 0;  // tables of people so far that are not declared published
  bool digests_wanted = false;          // record digests of the rows of CSV tables
  std::map<std::string, std::set<std::string>> table_digests;  // by file
};

/// The sets of priors that a spec names, and the facts about the spec's prior that sets refer to. Filled after the
/// prior is read.
struct KnownPriors {
  const Prior* center = nullptr;     // the spec's prior; null if there is none
  bool counted = false;              // it is a table of counts
  bool confidential = false;         // it depends on a table that is not declared published
  bool values_confidential = false;  // the values of some coordinate do too
  bool center_used = false;          // the set being read refers to `center`
  std::map<std::string, ForAll> named{};
};

/// The state that all parts of the reader share, besides the JSON value they read.
struct ReadingContext {
  const std::string& directory;  // file names in the spec are relative to it
  Parameters& parameters;
  Budget& budget;
  std::vector<std::string> open_files;  // specs being read, outermost first
  std::vector<SourceFile>& files;       // all files read so far
  Remarks& remarks;
  KnownPriors priors{};
};

/// Returns the string at the key `type` (or `key`) of an object.
std::string read_type(JsonView value, std::string_view what, std::string_view key = "type");
[[noreturn]] void fail_unknown_type(JsonView value, const std::string& type, const std::vector<std::string>& known,
                                    const std::string& what, std::string_view key = "type");

/// Returns the entry of the table for the type of an object. Fails with the known types otherwise.
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
/// Reads a whole number in [least, most].
std::int64_t read_integer(JsonView value, std::string_view what, std::int64_t least, std::int64_t most);
Number read_number(JsonView value, ReadingContext& context);
/// Reads a number that may contain a square root.
Surd read_surd(JsonView value, ReadingContext& context);
/// Reads a number in [0, 1].
Number read_probability(JsonView value, ReadingContext& context);
/// Reads a number that is non-negative for all values of the symbols.
Number read_mass(JsonView value, ReadingContext& context);
Level read_level(JsonView value, ReadingContext& context);
/// Reads "a/b", "a" or a decimal whose parts have at most 18 digits. The fraction is not reduced. False if the text
/// has another form.
bool read_small_fraction(std::string_view text, SmallFraction& fraction);

/// Returns the index of the coordinate with this name.
std::size_t read_name_of(JsonView name, const std::vector<std::string>& coordinates);
std::size_t read_coordinate(JsonView name, const Domain& domain);
/// Reads a list of distinct coordinates, at least one.
std::vector<std::size_t> read_coordinates(JsonView names, const Domain& domain);
/// The same, sorted.
std::vector<std::size_t> read_attributes(JsonView names, const Domain& domain);
/// Returns whether an optional flag is given. Its only allowed value is true.
bool read_flag(const Fields& fields, const char* name);
/// Reads a positive rational number.
Number read_positive(JsonView value, const std::string& what, ReadingContext& context);
std::uint64_t read_value_of(JsonView value, const Domain& domain, std::size_t coordinate);
/// Reads an array of values, one per coordinate.
InputRow read_input(JsonView value, const Domain& domain);
std::vector<std::string> read_labels(JsonView value, Budget& budget);
bool read_boolean(JsonView value, std::string_view what);
/// Returns the text of a file that the spec names. Errors are placed at the name.
std::string read_named_file(JsonView name, const ReadingContext& context, std::string& path);

/// Returns the text of a file, or of standard input for "-". Throws SpecError if it cannot be read or is too large.
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
