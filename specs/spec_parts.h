// The parts of the spec reader, one function and one file each.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "specs/reading.h"
#include "specs/spec.h"

namespace oddsbound::specs {

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
sets::PriorSetPtr read_prior_set(JsonView value, const Domain& domain, ReadingContext& context);
sets::PriorSetPtr read_network_set(JsonView value, const Domain& domain, ReadingContext& context);
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
