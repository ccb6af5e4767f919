// The spec of which of two tables a release is from.
#include "mechanisms/releases/on_tables.h"
#include "runs/release.h"
#include "runs/spec_text.h"
#include "specs/release.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::runs {

namespace {

using Json = nlohmann::ordered_json;
using mechanisms::Attributes;
using mechanisms::Release;

// The ledger's loss: pure, or where noise has no bound on quotients, at some deltas. No audit sees anything at those
// that people use, so one is added at which it can.
Json claims_about(const Release& release, const Attributes& differ) {
  const mechanisms::Loss loss = release.loss(differ);
  const std::string name = words_of(release.schema, differ);
  if (!loss.pure.is_infinite()) {
    return Json::array({{{"notion", "ldp"}, {"epsilon", loss.pure.to_string()}, {"name", name}}});
  }
  std::vector<Number> deltas{Number::ratio(1, 10)};
  for (const Number& delta : release.deltas) {
    if (delta != deltas[0]) deltas.push_back(delta);
  }
  Json claims = Json::array();
  for (const auto& [delta, epsilon] : ledger_line({name, differ}, loss, deltas).at) {
    claims.push_back({{"notion", "approximate_dp"},
                      {"epsilon", decimal_text(epsilon)},
                      {"delta", delta.to_string()},
                      {"name", name}});
  }
  return claims;
}

// What they differ in. Throws SpecError, at the second one.
Attributes differing(const specs::NamedTable& a, const specs::NamedTable& b, const Domain& schema) {
  if (const std::string complaint = complaint_about(a, b, schema); !complaint.empty()) {
    throw SpecError({b.name, 0, 0, ""}, complaint);
  }
  const mechanisms::TableDifference found = difference(a.table, b.table, schema.size());
  if (found.records > 1) {
    throw SpecError({b.name, 0, 0, ""},
                    "'" + printable(a.name) + "' and '" + printable(b.name) + "' differ in " +
                        std::to_string(found.records) + " records, expected one: the ledger is about one person",
                    "records are compared row by row");
  }
  return found.attributes;
}

}  // namespace

std::string release_spec_of_tables(const std::string& file, const std::vector<std::string>& tables,
                                   const std::string& folder, Budget& budget) {
  if (tables.size() != 2) throw ModelError("a release is asked which of two tables it is from");
  const specs::ReleaseFile read = specs::read_release(file, budget);
  const Release& release = *read.release;
  const specs::NamedTable a{tables[0], specs::read_people(tables[0], read, budget)};
  const specs::NamedTable b{tables[1], specs::read_people(tables[1], read, budget)};
  const Attributes differ = differing(a, b, release.schema);
  release_on_tables(read.release, {a.table, b.table});  // as the reader of the spec does: it says what cannot be run
  const std::vector<std::string> names{name_from(folder, a.name), name_from(folder, b.name)};
  Json spec;
  spec["oddsbound"] = 1;
  spec["name"] = release.name + ", which of two tables";
  spec["description"] = "Made by oddsbound release --spec --tables: two tables of " + std::to_string(a.table.people()) +
                        " people that differ in one record, in " + words_of(release.schema, differ) + ".";
  spec["domain"].push_back({{"name", "table"}, {"values", names}});
  spec["mechanism"] = {{"type", "release"}, {"file", name_from(folder, file)}, {"tables", names}};
  spec["claims"] = claims_about(release, differ);
  return spec_text(spec);
}

}  // namespace oddsbound::runs
