// The second form of a release in a spec: the tables themselves, of any size, and which of them it was.
#include <algorithm>

#include "mechanisms/releases/on_tables.h"
#include "specs/release.h"
#include "specs/spec_parts.h"

namespace oddsbound::specs {

namespace {

using mechanisms::PeopleTable;

std::string records_word(std::size_t records) {
  return std::to_string(records) + (records == 1 ? " record" : " records");
}

// What is said of them besides: which attributes an audit is about.
std::string note_on(const NamedTable& a, const NamedTable& b, const Domain& schema) {
  const mechanisms::TableDifference found = difference(a.table, b.table, schema.size());
  return "'" + printable(a.name) + "' and '" + printable(b.name) + "' differ in " + records_word(found.records) +
         " of " + std::to_string(a.table.people()) + ", in " + printable(words_of(schema, found.attributes));
}

}  // namespace

std::string complaint_about(const NamedTable& a, const NamedTable& b, const Domain& schema) {
  if (a.table.people() != b.table.people()) {
    return "'" + printable(a.name) + "' has " + records_word(a.table.people()) + " and '" + printable(b.name) + "' " +
           records_word(b.table.people()) + ", expected as many: the number of people is public";
  }
  if (difference(a.table, b.table, schema.size()).records > 0) return "";
  return "'" + printable(a.name) + "' and '" + printable(b.name) + "' have the same records: nothing tells them apart";
}

Mechanism release_of_tables(const ReleaseFile& file, JsonView value, const Domain& domain, ReadingContext& context) {
  const std::vector<JsonView> names = read_array(value, "tables");
  constexpr std::size_t kTables = 2;
  if (names.size() != kTables) {
    value.fail("found " + std::to_string(names.size()) + (names.size() == 1 ? " table" : " tables") +
               ", expected two, which an audit is to tell apart");
  }
  const Domain& schema = file.release->schema;
  std::vector<NamedTable> tables;
  for (const JsonView name : names) {
    std::string path;
    const std::string text = read_named_file(name, context, path);
    tables.push_back({read_string(name, "a table"), read_people_text(path, text, file, context.budget)});
  }
  const std::string &first = tables[0].name, &second = tables[1].name;
  if (const std::string complaint = complaint_about(tables[0], tables[1], schema); !complaint.empty()) {
    value.fail(complaint);
  }
  const bool is_which = domain.size() == 1 && domain.coordinate(0).name == "table" &&
                        domain.coordinate(0).values == std::vector<std::string>{first, second};
  if (!is_which) {
    value.fail("the domain is not which table it was: one coordinate 'table' with the values '" + printable(first) +
                   "' and '" + printable(second) + "'",
               "oddsbound release --spec --tables writes such a spec");
  }
  context.remarks.notes.push_back(note_on(tables[0], tables[1], schema));
  Mechanism result;
  result.unlisted = at_place(value, [&] {
    return mechanisms::release_on_tables(file.release, {std::move(tables[0].table), std::move(tables[1].table)});
  });
  return result;
}

}  // namespace oddsbound::specs
