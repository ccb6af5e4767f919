// A parsed spec (a model and the claims about it) and the functions of the spec reader. spec_reader.cpp reads the
// whole file, domains, claims and symbols; mechanism_reader.cpp, composition_reader.cpp, stages_reader.cpp,
// function_reader.cpp, shuffle_reader.cpp, prior_reader.cpp, prior_set_reader.cpp, csv_prior.cpp and field_reader.cpp
// read the parts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "oddsbound/options.h"
#include "specs/csv.h"
#include "specs/json_document.h"
#include "specs/reading.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "verifier/exact/symbols.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::specs {

struct Claim {
  const Notion* notion;
  Arguments arguments;
  bool expect_holds = true;
  bool tight = false;  // also claims that no smaller level holds, for any values of the symbols
  std::string name;    // empty if the spec gives none
  SourcePlace place;
  std::map<std::string, std::string> source{};  // canonical_json of each field, as written
  /// Decimals as the spec writes them ("3.1488"), by field and coordinate ("": the field itself).
  std::map<std::pair<std::string, std::string>, std::string> decimals{};
};

/// Values and ranges of symbols that are fixed before the spec is read.
struct GivenSymbols {
  std::map<std::string, Number> values;  // symbols that are replaced by numbers
  std::optional<Symbol> ranged;          // replaces the symbol of that name, or adds one
};

struct Spec {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  Model model;  // the channel is null if the outputs are continuous, unlisted or shuffled
  Mechanism mechanism;
  std::vector<Claim> claims;
  std::map<std::string, ForAll> prior_sets{};
  std::shared_ptr<const SymbolRing> symbols{};  // null: all numbers are constants
  SourcePlace symbols_place{};
  std::shared_ptr<const JsonDocument> document{};  // the source of a spec with symbols
  std::string directory{};
  GivenSymbols given{};              // what was known before reading
  std::vector<SourceFile> files{};   // files read, the spec first
  std::vector<std::string> notes{};  // warnings about probable mistakes
  std::vector<TableUse> tables{};    // tables of the prior with a rule for missing cells
  std::optional<TableUse> table{};   // the same of a prior of type csv: how inputs with missing cells are read
  bool confidential_prior = false;   // the prior depends on a table that is not declared published
  /// A printed matrix: claims are about all matrices that agree with it, and the channel of the model is one of these.
  std::shared_ptr<const RoundedRows> rounded{};
};

/// True if the truth of the claim depends on a confidential table. Published output about it must be rounded.
bool depends_on_confidential_table(const Spec& spec, const Claim& claim);
/// True if the prior or a set of priors depends on a confidential table.
bool has_confidential_table(const Spec& spec);

/// True for a rational number above 0 and below 1.
bool is_row_tolerance(const Number& tolerance);
/// Reads a spec from a file ("-" is standard input). File names in it are relative to the spec's folder.
///
/// Throws SpecError at the first error, with its place.
Spec read_spec(const std::string& path, Budget& budget, const std::optional<RowTolerance>& tolerance = {});

/// Returns the spec with its symbols replaced by these values, one for each. The spec is read again, because samplers
/// and structure may depend on the values. Symbols fixed in `spec.given` keep their values.
Spec with_values(const Spec& spec, std::span<const Number> values, Budget& budget);

/// Returns the hint for an unknown name of a set of priors.
std::string hint_of_sets(const std::string& name, const std::map<std::string, ForAll>& named);

/// Throws SpecError at the symbols if the spec has any, because `what` needs numbers, and at the mechanism if that
/// shuffles reports, because `what` needs a channel.
void require_no_symbols(const Spec& spec, const std::string& what);

/// Reads a spec from a text. `file` is the name in error messages.
Spec read_spec_text(const std::string& file, const std::string& directory, std::string text, Budget& budget,
                    GivenFiles given = {}, const std::optional<RowTolerance>& tolerance = {});
/// Reads a spec from a parsed document, with what is known about its symbols. tolerance: of a printed matrix, which
/// is the spec's own mechanism; without it rows sum to exactly 1.
Spec read_spec_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                        Budget& budget, const GivenSymbols& given = {},
                        const std::optional<RowTolerance>& tolerance = {});
/// Returns the document of a file ("-" is standard input). directory_of returns the folder that file names in it are
/// relative to.
std::shared_ptr<const JsonDocument> read_document_of(const std::string& path, const Limits& limits);
std::string directory_of(const std::string& path);

// Parts of the spec reader

/// Reads the symbols of a spec, by name, with their ranges.
std::vector<Symbol> read_symbols(JsonView value);

/// A domain as written. Coordinates that take their values from the prior's table have no values yet.
struct DomainDraft {
  std::vector<Coordinate> coordinates;
  std::vector<std::optional<JsonView>> from_prior;  // per coordinate: the place of "from prior"
};
struct DomainAndPrior {
  Domain domain;
  std::optional<Prior> prior;
  bool values_from_prior = false;
};
/// Whether the caller needs the prior, or only the values that its table supplies.
enum class PriorWanted { kYes, kNo };

/// Reads the domain and the prior of a spec together, because the prior's table may supply values of coordinates.
DomainAndPrior read_domain_and_prior(const Fields& spec, ReadingContext& context, PriorWanted wanted);
/// Reads a domain whose values are all listed.
Domain read_listed_domain(JsonView value, Budget& budget);
Prior read_prior(JsonView value, const Domain& domain, ReadingContext& context);
/// Counts a table of people as confidential unless it has `"published": true`.
void note_table(const Fields& fields, ReadingContext& context);
Prior read_network_prior(JsonView value, const Domain& domain, ReadingContext& context);
/// Read one set of priors, or all sets in `prior_sets` by name. The context must hold the spec's prior.
priors::PriorSetPtr read_prior_set(JsonView value, const Domain& domain, ReadingContext& context);
priors::PriorSetPtr read_network_set(JsonView value, const Domain& domain, ReadingContext& context);
std::map<std::string, ForAll> read_prior_sets(JsonView value, const Domain& domain, ReadingContext& context);
/// Reads the set that a claim ranges over: a name in `prior_sets`, or an inline set.
ForAll read_for_all(JsonView value, const Domain& domain, ReadingContext& context);
/// Reads the prior of a table (type csv) and fills in the values that the draft leaves open. The table is read once.
DomainAndPrior read_table(JsonView value, DomainDraft draft, ReadingContext& context);
Mechanism read_mechanism(JsonView value, const Domain& domain, ReadingContext& context);
/// Reads a mechanism of this family. epsilon: the level, if the value states none.
Mechanism read_family(const mechanisms::Family& family, JsonView value, const Domain& domain, ReadingContext& context,
                      const std::optional<Level>& epsilon);
/// Reads the given fields of a claim or a family.
Arguments read_fields(const Fields& given, std::span<const Field> fields, const Domain& domain,
                      ReadingContext& context);
std::vector<Claim> read_claims(JsonView value, const Model& model, ReadingContext& context);
Claim read_claim(JsonView value, const Model& model, ReadingContext& context);

/// Returns the channel of a part of another mechanism. Throws SpecError at the part if it has none.
ChannelPtr finite_channel(const Mechanism& mechanism, JsonView value);

/// Read mechanisms made of other mechanisms, each from the object with that `type`.
Mechanism read_per_coordinate(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_on(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_compose(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_repeat(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_memoized(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_cascade(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_adaptive(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_mixture(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_post_process(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_function(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_shuffle(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_public(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_bcdp_steps(JsonView value, const Domain& domain, ReadingContext& context);
/// Reads a mechanism of one type.
using MechanismReader = Mechanism (*)(JsonView value, const Domain& domain, ReadingContext& context);
/// The types that modules add (cmake/modules.cmake).
const std::vector<std::pair<std::string, MechanismReader>>& module_mechanisms();

/// Throws SpecError at the value if enumerating inputs x outputs exceeds the limit.
void require_cells(JsonView value, std::uint64_t inputs, std::uint64_t outputs, Budget& budget);

/// Reads a stochastic matrix: `rows` arrays of `columns` non-negative numbers, each with sum exactly 1.
PoolBuilder read_stochastic_rows(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context);
/// The same from a CSV file of numbers without a header.
PoolBuilder read_stochastic_csv(JsonView file_name, std::uint64_t rows, std::uint64_t columns, ReadingContext& context);
/// Read the same with rows that may miss 1 by rounding: the bounds of the entries go to `context.rounded`.
void read_rounded_rows(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context);
void read_rounded_csv(JsonView file_name, std::uint64_t rows, std::uint64_t columns, ReadingContext& context);
/// Reads probabilities with sum exactly 1.
std::vector<Number> read_distribution(JsonView value, std::uint64_t count, std::string_view of_what,
                                      ReadingContext& context);

/// Reads the mechanism of another spec file, on the domain of this one.
Mechanism read_mechanism_file(JsonView file_name, const Domain& domain, ReadingContext& context);

}  // namespace oddsbound::specs
