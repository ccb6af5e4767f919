// A spec file, read: a model and the claims about it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
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
  bool tight = false;  // it is also claimed that no smaller level holds, for any values of the symbols
  std::string name;    // empty if the spec gives none
  SourcePlace place;
  std::map<std::string, std::string> source{};  // what the spec says, by field: canonical_json
};

/// What is known of symbols before a spec is read.
struct GivenSymbols {
  std::map<std::string, Number> values;  // they are numbers, and no symbols any more
  std::optional<Symbol> ranged;          // in place of the one of that name, or one more
};

struct Spec {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  Model model;  // its channel is null if the outputs are continuous or unlisted
  Mechanism mechanism;
  std::vector<Claim> claims;
  std::map<std::string, ForAll> prior_sets{};
  std::shared_ptr<const SymbolRing> symbols{};  // null: none, all numbers are constants
  SourcePlace symbols_place{};
  std::shared_ptr<const JsonDocument> document{};  // of a spec with symbols: what it was read from
  std::string directory{};
  GivenSymbols given{};              // before it was read
  std::vector<SourceFile> files{};   // that were read, the spec first
  std::vector<std::string> notes{};  // what is probably not meant
  std::vector<TableUse> tables{};    // of the prior, that say what becomes of missing cells
  bool confidential_prior = false;   // it depends on a table that is not stated to be published
};

/// Whether what is true about the claim depends on a confidential table: whatever is written for others is rounded.
bool depends_on_confidential_table(const Spec& spec, const Claim& claim);
/// Whether the prior or a set of priors does.
bool has_confidential_table(const Spec& spec);

/// Reads a spec from a file ("-" is standard input). File names within are relative to the spec's folder.
///
/// Throws SpecError for whatever is wrong with it: one error, at its place.
Spec read_spec(const std::string& path, Budget& budget);

/// The spec where its symbols have these values, one for each: an ordinary spec, and read like one, for samplers and
/// structure may depend on values that are known. What was given before still is.
Spec with_values(const Spec& spec, std::span<const Number> values, Budget& budget);

/// What is said besides where a spec has no set of priors of that name.
std::string hint_of_sets(const std::string& name, const std::map<std::string, ForAll>& named);

/// Throws SpecError at the symbols if the spec has any, because `what` needs numbers.
void require_no_symbols(const Spec& spec, const std::string& what);

/// The same from a text; `file` is the name that errors give.
Spec read_spec_text(const std::string& file, const std::string& directory, std::string text, Budget& budget,
                    GivenFiles given = {});
/// The same from a document, with what is known of its symbols.
Spec read_spec_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                        Budget& budget, const GivenSymbols& given = {});
/// The document of a file ("-" is standard input), and the folder that file names in it are relative to.
std::shared_ptr<const JsonDocument> read_document_of(const std::string& path, const Limits& limits);
std::string directory_of(const std::string& path);

// The parts of the spec reader, one function and one file each.

/// The symbols of a spec, by name, with their ranges.
std::vector<Symbol> read_symbols(JsonView value);

/// A domain as it is written: coordinates whose values are those of the prior's table have none yet.
struct DomainDraft {
  std::vector<Coordinate> coordinates;
  std::vector<std::optional<JsonView>> from_prior;  // per coordinate: where "from prior" stands
};
struct DomainAndPrior {
  Domain domain;
  std::optional<Prior> prior;
  bool values_from_prior = false;
};
/// Whether who asks for a domain needs the prior as well, or only what values it gives.
enum class PriorWanted { kYes, kNo };

/// The domain and the prior of a spec, together, for a prior's table may say what values coordinates have.
DomainAndPrior read_domain_and_prior(const Fields& spec, ReadingContext& context, PriorWanted wanted);
/// A domain all of whose values are listed.
Domain read_listed_domain(JsonView value, Budget& budget);
Prior read_prior(JsonView value, const Domain& domain, ReadingContext& context);
/// Counts a table of people that lacks `"published": true`: it is confidential.
void note_table(const Fields& fields, ReadingContext& context);
Prior read_network_prior(JsonView value, const Domain& domain, ReadingContext& context);
/// A set of priors, and those of the key `prior_sets`, by name. The context has the spec's prior.
priors::PriorSetPtr read_prior_set(JsonView value, const Domain& domain, ReadingContext& context);
priors::PriorSetPtr read_network_set(JsonView value, const Domain& domain, ReadingContext& context);
std::map<std::string, ForAll> read_prior_sets(JsonView value, const Domain& domain, ReadingContext& context);
/// The set that a claim is meant over: the name of one, or one written in its place.
ForAll read_for_all(JsonView value, const Domain& domain, ReadingContext& context);
/// Of a table (type csv), which is read once, with the values that the draft leaves open.
DomainAndPrior read_table(JsonView value, DomainDraft draft, ReadingContext& context);
Mechanism read_mechanism(JsonView value, const Domain& domain, ReadingContext& context);
/// The given fields of a claim or of a family.
Arguments read_fields(const Fields& given, std::span<const Field> fields, const Domain& domain,
                      ReadingContext& context);
std::vector<Claim> read_claims(JsonView value, const Model& model, ReadingContext& context);

/// The channel of a part of another mechanism; an error at the part if it has none.
ChannelPtr finite_channel(const Mechanism& mechanism, JsonView value);

/// Mechanisms made of other mechanisms; each reads the object whose `type` names it.
Mechanism read_per_coordinate(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_on(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_compose(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_repeat(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_memoized(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_adaptive(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_mixture(JsonView value, const Domain& domain, ReadingContext& context);
Mechanism read_post_process(JsonView value, const Domain& domain, ReadingContext& context);
/// A release from tables: on all tables of so many records, or on two that are named.
Mechanism read_release_mechanism(JsonView value, const Domain& domain, ReadingContext& context);

/// Throws SpecError at the value if inputs x outputs may not be enumerated.
void require_cells(JsonView value, std::uint64_t inputs, std::uint64_t outputs, Budget& budget);

/// The rows of a stochastic matrix: `rows` arrays of `columns` non-negative numbers, each summing to exactly 1.
PoolBuilder read_stochastic_rows(JsonView value, std::uint64_t rows, std::uint64_t columns, ReadingContext& context);
/// The same from a CSV file of numbers without a header.
PoolBuilder read_stochastic_csv(JsonView file_name, std::uint64_t rows, std::uint64_t columns, ReadingContext& context);
/// Numbers that are probabilities and sum to exactly 1.
std::vector<Number> read_distribution(JsonView value, std::uint64_t count, std::string_view of_what,
                                      ReadingContext& context);

/// The mechanism of another spec file, on the domain of this one.
Mechanism read_mechanism_file(JsonView file_name, const Domain& domain, ReadingContext& context);

}  // namespace oddsbound::specs
