// The file of a release, read, and the table it is made from.
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

struct ReleaseFile {
  std::shared_ptr<const releases::Release> release;
  std::map<std::size_t, std::string> columns;  // of attributes whose column has another name
};

/// Throws SpecError for whatever is wrong with it: one error, at its place.
ReleaseFile read_release(const std::string& path, Budget& budget);
/// The same of a document; files: all that were read so far.
ReleaseFile read_release_document(const JsonDocument& document, const std::string& directory,
                                  std::vector<SourceFile>& files, Budget& budget);

/// What releases about the same people cost before: {"oddsbound_spent": 1, "steps": [...]}, with steps as declared
/// ones. Nothing if the file is not there.
std::vector<releases::CostPart> read_spent(const std::string& path, const Domain& schema, Budget& budget);
std::vector<releases::CostPart> read_spent_document(const JsonDocument& document, const Domain& schema,
                                                      Budget& budget);

/// A row of the CSV table for each person: every attribute has a column, and every cell is one of its values. Throws
/// SpecError, at its line.
releases::PeopleTable read_people(const std::string& path, const ReleaseFile& release, Budget& budget);
/// The same of the table's text.
releases::PeopleTable read_people_text(const std::string& path, std::string_view text, const ReleaseFile& release,
                                         Budget& budget);

struct NamedTable {
  std::string name;
  releases::PeopleTable table;
};
/// Why nobody can be asked which of two tables a release is from: they have not as many records, or the same ones.
/// Empty if neither.
std::string complaint_about(const NamedTable& a, const NamedTable& b, const Domain& schema);
/// The mechanism of a spec that names two tables, and a note on how they differ. value: where they are named.
Mechanism release_of_tables(const ReleaseFile& file, JsonView value, const Domain& domain, ReadingContext& context);

// Fields that several steps of releases have in common.

/// A positive fraction of integers up to kMostOfRatio; the second one also of what a file's numbers come to.
mechanisms::SmallRatio read_ratio(JsonView value, ReadingContext& context);
mechanisms::SmallRatio ratio_of(JsonView place, const Number& number);
/// One that is at most 1.
mechanisms::SmallRatio read_share(JsonView value, ReadingContext& context);
/// A finite level above 0.
Level read_finite_level(JsonView value, ReadingContext& context);
std::optional<std::uint64_t> find_whole(const Fields& fields, const char* name, std::int64_t least, std::int64_t most);
/// Fails at the first of these that is given.
void follow_from(const Fields& fields, const std::string& what, std::initializer_list<const char*> names);

/// Of heavy hitters: scales and margin by what may be lost and the request's share.
void set_hitters(JsonView place, const Level& epsilon, releases::HeavyHittersRequest& request);
/// The same as given: "scale", "margin", "threshold", and "count_scale" if there.
void read_hitters(const Fields& fields, ReadingContext& context, releases::HeavyHittersRequest& request);
/// "window" and "limit", if they are there; for the scales that are set.
void read_hitters_limits(const Fields& fields, releases::HeavyHittersRequest& request);

/// A step that is not to be had, or whose level passes limits, is told at its place.
template <typename Make>
releases::StepPtr made(JsonView value, const Domain& schema, Make make) {
  return at_place(value, [&] {
    releases::StepPtr step = make();
    step->loss(every_coordinate(schema));
    return step;
  });
}

}  // namespace oddsbound::releases
