// The file of a release, and the table of people.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "releases/heavy_hitters.h"
#include "releases/reader.h"
#include "releases/release.h"
#include "specs/reading.h"

namespace oddsbound::releases {

/// Reads a mechanism of type "release": a release from all tables with a given number of records, or from two named
/// tables (module.cmake registers it).
Mechanism read_release_mechanism(JsonView value, const Domain& domain, ReadingContext& context);

struct ReleaseFile {
  std::shared_ptr<const Release> release;
  std::map<std::size_t, std::string> columns;  // for attributes whose column has another name
};

/// Reads a release. Throws SpecError with the first error, at its position.
ReleaseFile read_release(const std::string& path, Budget& budget);
/// The same for a document. files: all files read so far.
ReleaseFile read_release_document(const JsonDocument& document, const std::string& directory,
                                  std::vector<SourceFile>& files, Budget& budget);

/// Reads the costs of earlier releases about the same people: {"oddsbound_spent": 1, "steps": [...]}, with
/// declared steps. Empty if there is no such file.
std::vector<CostPart> read_spent(const std::string& path, const Domain& schema, Budget& budget);
std::vector<CostPart> read_spent_document(const JsonDocument& document, const Domain& schema, Budget& budget);

/// Returns what separates the cells of a table of people: ',', ';' or a tab.
char separator_of_people(std::string_view text, const ReleaseFile& release, Budget& budget);
/// Reads a CSV table with one row per person. Every attribute has a column, and every cell is one of its values.
/// Throws SpecError at the line.
PeopleTable read_people(const std::string& path, const ReleaseFile& release, Budget& budget);
/// The same from text.
PeopleTable read_people_text(const std::string& path, std::string_view text, const ReleaseFile& release,
                             Budget& budget);

struct NamedTable {
  std::string name;
  PeopleTable table;
};
/// Returns why an audit cannot distinguish the two tables: their numbers of records differ, or their records are
/// the same. Empty if neither.
std::string complaint_about(const NamedTable& a, const NamedTable& b, const Domain& schema);
/// Returns the mechanism of a spec with two tables, and adds a note on how they differ. value: the names of the
/// tables.
Mechanism release_of_tables(const ReleaseFile& file, JsonView value, const Domain& domain, ReadingContext& context);

// Fields shared by several steps.

/// read_ratio reads a positive fraction of integers up to kMostOfRatio; ratio_of converts a computed number.
mechanisms::SmallRatio read_ratio(JsonView value, ReadingContext& context);
mechanisms::SmallRatio ratio_of(JsonView place, const Number& number);
/// The same, at most 1.
mechanisms::SmallRatio read_share(JsonView value, ReadingContext& context);
/// Reads a finite level above 0.
Level read_finite_level(JsonView value, ReadingContext& context);
std::optional<std::uint64_t> find_whole(const Fields& fields, const char* name, std::int64_t least, std::int64_t most);
/// Fails at the first of these fields that is given.
void follow_from(const Fields& fields, const std::string& what, std::initializer_list<const char*> names);

/// Sets scales and margin of heavy hitters from epsilon and the request's share.
void set_hitters(JsonView place, const Level& epsilon, HeavyHittersRequest& request);
/// Reads them from fields: "scale", "margin", "threshold", and "count_scale" if given.
void read_hitters(const Fields& fields, ReadingContext& context, HeavyHittersRequest& request);
/// Reads "window" and "limit", if given; call it after the scales are set.
void read_hitters_limits(const Fields& fields, HeavyHittersRequest& request);

/// Makes a step. Reports at `value` if it cannot be made or its level exceeds limits.
template <typename Make>
StepPtr made(JsonView value, const Domain& schema, Make make) {
  return at_place(value, [&] {
    StepPtr step = make();
    step->loss(every_coordinate(schema));
    return step;
  });
}

}  // namespace oddsbound::releases
