// Shared by all parts of the spec reader: exact numbers with parameters, coordinates and their values, errors with
// their place, and the reading context.
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
#include "specs/json_fields.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "verifier/exact/expression.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"
#include "verifier/model/rounded_rows.h"
#include "verifier/model/value_pool.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::specs {

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
  const Channel* outputs_of = nullptr;  // the mechanism whose outputs claims name
  bool has_mechanism = true;            // false: the mechanism had an error, which is reported
  /// Set: the printed matrix of the spec, whose rows may miss 1 by rounding.
  std::shared_ptr<RoundedRows> rounded{};
};

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
/// Returns a hint for a text that is no value of a coordinate: a similar value, or which values there are.
std::string hint_of_names(std::string_view unknown, const ValueNames& known);
std::uint64_t read_value_of(JsonView value, const Domain& domain, std::size_t coordinate);
/// Reads an array of values, one per coordinate.
InputRow read_input(JsonView value, const Domain& domain);
std::vector<std::string> read_labels(JsonView value, Budget& budget);
/// Returns the text of a file that the spec names. Errors are placed at the name.
std::string read_named_file(JsonView name, const ReadingContext& context, std::string& path);

/// Returns the text of a file, or of standard input for "-". Throws SpecError if it cannot be read or is too large.
std::string read_file(const std::string& path, const Limits& limits);

}  // namespace oddsbound::specs
