// The file of a release, read, and the table it is made from.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/budget.h"
#include "mechanisms/releases/release.h"
#include "specs/reading.h"

namespace oddsbound::specs {

struct ReleaseFile {
  std::shared_ptr<const mechanisms::Release> release;
  std::map<std::size_t, std::string> columns;  // of attributes whose column has another name
};

/// Throws SpecError for whatever is wrong with it: one error, at its place.
ReleaseFile read_release(const std::string& path, Budget& budget);
/// The same of a document; files: all that were read so far.
ReleaseFile read_release_document(const JsonDocument& document, const std::string& directory,
                                  std::vector<SourceFile>& files, Budget& budget);

/// What releases about the same people cost before: {"oddsbound_spent": 1, "steps": [...]}, with steps as declared
/// ones. Nothing if the file is not there.
std::vector<mechanisms::CostPart> read_spent(const std::string& path, const Domain& schema, Budget& budget);
std::vector<mechanisms::CostPart> read_spent_document(const JsonDocument& document, const Domain& schema,
                                                      Budget& budget);

/// A row of the CSV table for each person: every attribute has a column, and every cell is one of its values. Throws
/// SpecError, at its line.
mechanisms::PeopleTable read_people(const std::string& path, const ReleaseFile& release, Budget& budget);
/// The same of the table's text.
mechanisms::PeopleTable read_people_text(const std::string& path, std::string_view text, const ReleaseFile& release,
                                         Budget& budget);

struct NamedTable {
  std::string name;
  mechanisms::PeopleTable table;
};
/// Why nobody can be asked which of two tables a release is from: they have not as many records, or the same ones.
/// Empty if neither.
std::string complaint_about(const NamedTable& a, const NamedTable& b, const Domain& schema);
/// The mechanism of a spec that names two tables, and a note on how they differ. value: where they are named.
Mechanism release_of_tables(const ReleaseFile& file, JsonView value, const Domain& domain, ReadingContext& context);

}  // namespace oddsbound::specs
