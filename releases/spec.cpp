// The second form of a release in a spec: two given tables of any size; the input is which table it was.

#include "releases/spec.h"

#include "releases/step.h"
#include "specs/spec.h"
#include "specs/table.h"

namespace oddsbound::releases {

namespace {

std::string records_word(std::size_t records) {
  return std::to_string(records) + (records == 1 ? " record" : " records");
}

// A note on how the tables differ: the attributes that an audit is about.
std::string note_on(const NamedTable& a, const NamedTable& b, const Domain& schema) {
  const TableDifference found = difference(a.table, b.table, schema.size());
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
  return "'" + printable(a.name) + "' and '" + printable(b.name) +
         "' have the same records: nothing distinguishes them";
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
    note_separator(path, separator_of_people(text, file, context.budget), context.files);
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
    return release_on_tables(file.release, {std::move(tables[0].table), std::move(tables[1].table)});
  });
  return result;
}

using mechanisms::SmallRatio;

SmallRatio ratio_of(JsonView place, const Number& number) {
  if (const auto ratio = mechanisms::small_ratio(number)) return *ratio;
  place.fail("found " + printable(number.to_string(), 60) + ", expected a positive fraction of integers up to " +
             std::to_string(mechanisms::kMostOfRatio));
}

SmallRatio read_ratio(JsonView value, ReadingContext& context) { return ratio_of(value, read_number(value, context)); }

SmallRatio read_share(JsonView value, ReadingContext& context) {
  const SmallRatio share = read_ratio(value, context);
  if (share.top > share.bottom) value.fail("expected a share of all people, 1 at most");
  return share;
}

Level read_finite_level(JsonView value, ReadingContext& context) {
  const Level level = read_level(value, context);
  if (level.is_zero() || level.is_infinite()) value.fail("expected a finite level above 0");
  return level;
}

std::optional<std::uint64_t> find_whole(const Fields& fields, const char* name, std::int64_t least, std::int64_t most) {
  const auto given = fields.find(name);
  if (!given) return std::nullopt;
  return static_cast<std::uint64_t>(read_integer(*given, std::string("'") + name + "'", least, most));
}

void follow_from(const Fields& fields, const std::string& what, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto given = fields.find(name)) given->fail(std::string("'") + name + "' follows from " + what);
  }
}

void set_hitters(JsonView place, const Level& epsilon, HeavyHittersRequest& request) {
  at_place(place, [&] {
    request.scale = scale_for(epsilon, levels_of(request.attributes.size(), request.test_leaves), request.share);
    request.count_scale = request.scale;
    request.margin = margin_for(request.scale, request.share);
    return 0;
  });
}

void read_hitters(const Fields& fields, ReadingContext& context, HeavyHittersRequest& request) {
  request.scale = read_ratio(fields.require("scale"), context);
  if (const auto scale = fields.find("count_scale")) request.count_scale = read_ratio(*scale, context);
  for (const char* name : {"margin", "threshold"}) fields.require(name);
  request.margin = *find_whole(fields, "margin", 1, kMostWindow);
  request.threshold = *find_whole(fields, "threshold", 0, kMostWindow);
}

void read_hitters_limits(const Fields& fields, HeavyHittersRequest& request) {
  constexpr std::int64_t kMostTests = 1 << 24;
  if (request.count_scale) {
    request.window = Noise(Noise::Kind::kLaplace, *request.count_scale).window();
  }
  if (const auto window = find_whole(fields, "window", 0, kMostWindow)) request.window = *window;
  if (const auto limit = find_whole(fields, "limit", 1, kMostTests)) request.limit = *limit;
}

}  // namespace oddsbound::releases
