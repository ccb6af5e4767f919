#include "releases/run.h"

#include "app/spec_text.h"
#include "base/errors.h"
#include "base/files.h"
#include "mechanisms/sampler.h"
#include "releases/halfspace.h"
#include "releases/release.h"
#include "releases/spec.h"
#include "releases/step.h"
#include "releases/threshold.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::releases {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kReleasePurpose = 0x72656c6561736573ULL;  // separates the streams of one seed

std::vector<std::string> names_of(const Domain& schema, const Attributes& attributes) {
  std::vector<std::string> names;
  for (const std::size_t i : attributes) names.push_back(schema.coordinate(i).name);
  return names;
}

// The budget's lines, and those that are always in the ledger: every attribute, and a person.
std::vector<BudgetLine> lines_of(const Release& release) {
  std::vector<BudgetLine> lines = release.budget;
  const auto add = [&](std::string of, Attributes attributes) {
    for (const BudgetLine& line : release.budget) {
      if (line.attributes == attributes) return;
    }
    lines.push_back({std::move(of), std::move(attributes)});
  };
  for (std::size_t i = 0; i < release.schema.size(); ++i) add(release.schema.coordinate(i).name, {i});
  add("a person", every_coordinate(release.schema));
  return lines;
}

std::vector<LedgerEntry> ledger_of(const Release& release, Budget& budget) {
  std::vector<LedgerEntry> ledger;
  for (const BudgetLine& line : lines_of(release)) {
    budget.check();
    const LedgerLine found = ledger_line(line, release.loss(line.attributes), release.deltas);
    LedgerEntry entry{line.of, names_of(release.schema, line.attributes), {}, found.loss.pure, found.loss.rho};
    for (const std::size_t i : line.attributes) entry.values.push_back(release.schema.coordinate(i).values.size());
    for (const auto& [delta, epsilon] : found.at) entry.at.push_back({delta, epsilon});
    entry.most_pure = line.epsilon;
    entry.most_delta = line.delta;
    entry.most_rho = line.rho;
    entry.exceeded = found.exceeded;
    ledger.push_back(std::move(entry));
  }
  return ledger;
}

// Writes all steps as declared steps.
std::string spent_text(const Release& accounted) {
  Json spent;
  spent["oddsbound_spent"] = 1;
  spent["steps"] = Json::array();
  for (const StepPtr& step : accounted.steps) {
    for (const CostPart& part : step->parts()) {
      if (part.loss.is_zero()) continue;
      Json declared = {{"name", part.name}, {"attributes", names_of(accounted.schema, part.reads)}};
      if (!part.loss.pure.is_infinite()) declared["epsilon"] = part.loss.pure.to_string();
      declared["rho"] = part.loss.rho.to_string();
      if (part.each) declared["each"] = true;
      spent["steps"].push_back(std::move(declared));
    }
  }
  return spec_text(spent);
}

void tell(const Release& release, const PeopleTable& table, ReleaseResult& result) {
  const auto source = mechanisms::Randomness{result.seed, kReleasePurpose}.source(0);
  const Told told = release.run(table, *source);
  for (std::size_t s = 0; s < told.size(); ++s) {
    std::vector<ReleasedNumber>& numbers = result.steps[s].numbers.emplace();
    for (const ToldNumber& answer : release.steps[s]->answers(told[s], table.people())) {
      numbers.push_back({answer.about, answer.number, answer.margin});
    }
    result.steps[s].notes = release.steps[s]->notes(told[s], table.people());
  }
}

// The ledger as claims about tables with `people` records: one per attribute, per set in the budget, and for a
// person. Pure losses, or rho if quotients are unbounded.
Json claims_of(const Release& release, const Domain& tables, std::size_t people) {
  const std::size_t size = release.schema.size();
  const Attributes all = every_coordinate(release.schema);
  const bool bounded = !release.loss(all).pure.is_infinite();
  Json each, records = Json::array();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Loss loss = release.loss({i % size});
    each[tables.coordinate(i).name] = bounded ? loss.pure.to_string() : loss.rho.to_string();
    if (i % size == 0) records.push_back(Json::array());
    records.back().push_back(tables.coordinate(i).name);
  }
  Json claims = Json::array();
  if (bounded) {
    claims.push_back({{"notion", "partial_dp"}, {"epsilon", each}, {"records", records}});
  } else {
    claims.push_back({{"notion", "zcdp"}, {"rho", each}});
  }
  const auto claim = [&](const std::string& of, const Attributes& attributes) {
    const Loss loss = release.loss(attributes);
    Json one = {{"notion", bounded ? "approximate_dp" : "zcdp"}};
    one[bounded ? "epsilon" : "rho"] = bounded ? loss.pure.to_string() : loss.rho.to_string();
    if (bounded) one["delta"] = "0";
    one["name"] = of;
    one["neighbors"] = "record";
    one["records"] = records;
    if (attributes == all) return one;
    for (std::size_t p = 0; p < people; ++p) {
      for (const std::size_t i : attributes) one["differ"].push_back(tables.coordinate(p * size + i).name);
    }
    return one;
  };
  for (const BudgetLine& line : release.budget) {
    if (line.attributes.size() > 1 && line.attributes != all) claims.push_back(claim(line.of, line.attributes));
  }
  claims.push_back(claim("a person", all));
  return claims;
}

// Only one run at a time may read the ledger and add to it before it publishes. Two concurrent runs would each
// ignore what the other spends.
std::optional<FileLock> ledger_lock(const ReleaseRequest& request) {
  if (!request.spent || !request.table) return {};
  try {
    if (std::optional<FileLock> lock = FileLock::take(*request.spent)) return lock;
  } catch (const std::runtime_error& error) {
    throw SpecError({*request.spent, 0, 0, ""}, error.what());
  }
  throw SpecError({*request.spent, 0, 0, ""},
                  "another release is spending from this ledger: nothing was released, nothing was spent",
                  "try again when it has ended");
}

}  // namespace

namespace {

PlanQuestion question_of(const ReleaseRequest& request) {
  if (!request.plan) {
    if (request.people || !request.error.empty()) throw ModelError("'people' and 'error' are for a plan");
    return {};
  }
  if (request.table) throw ModelError("a plan is made before data are collected: it reads no table");
  if (request.people == 0U) throw ModelError("found 0 people, expected 1 or more");
  PlanQuestion question{request.people, {}};
  if (request.error.empty()) return question;
  try {
    const Number error = parse_number(request.error);
    if (error.is_rational() && error >= Number(1) / Number(10).pow(12) && error < Number(1)) {
      question.error = error.approx();
      return question;
    }
  } catch (const NumberError&) {
    // The complaint below.
  }
  throw ModelError("found the error '" + printable(request.error, 40) +
                   "', expected a fraction of all people: a rational number of at least 1e-12 and below 1");
}

}  // namespace

ReleaseResult run_release(const std::string& file, const ReleaseRequest& request, Budget& budget) {
  const PlanQuestion question = question_of(request);
  const ReleaseFile read = read_release(file, budget);
  const Release& release = *read.release;
  const std::optional<FileLock> lock = ledger_lock(request);
  Release accounted = release;
  if (request.spent) {
    for (const CostPart& part : read_spent(*request.spent, release.schema, budget)) {
      accounted.steps.push_back(declared_step(part));
    }
  }
  ReleaseResult result{file, release.name, {}, request.seed, {}, ledger_of(accounted, budget)};
  for (std::size_t s = 0; s < accounted.steps.size(); ++s) {
    const std::string words = accounted.steps[s]->words();
    const bool before = s >= release.steps.size();
    result.steps.push_back({before ? "before: " + words : words});
    if (const auto promise = accounted.steps[s]->promise()) {
      result.steps[s].people_needed = promise->people;
      result.steps[s].notes = {words_of(*promise, std::nullopt)};
    }
    if (request.plan && !before) {
      result.steps[s].plan = accounted.steps[s]->plan(question);
      if (question.error && result.steps[s].plan.size() == accounted.steps[s]->plan({question.people, {}}).size()) {
        result.steps[s].notes.emplace_back("for this step, no bound is known on how many people that error needs");
      }
    }
    if (!request.table || before || accounted.steps[s]->runs()) continue;
    throw ModelError("the step '" + words + "' is declared: it cannot be run");
  }
  if (!request.table || result.exit_status() != 0) return result;
  const PeopleTable people = read_people(*request.table, read, budget);
  result.people = people.people();
  if (request.spent) write_whole(*request.spent, spent_text(accounted));
  tell(release, people, result);
  return result;
}

std::string release_spec(const std::string& file, std::size_t records, std::optional<std::uint64_t> window,
                         const std::string& folder, Budget& budget) {
  const Release release = *read_release(file, budget).release;
  const Domain tables = domain_of_tables(release.schema, records);
  Json spec;
  spec["oddsbound"] = 1;
  spec["name"] = release.name + ", tables of " + std::to_string(records) + (records == 1 ? " record" : " records");
  spec["description"] = "Made by oddsbound release --spec: the release's own code on all tables of so many records.";
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Coordinate& coordinate = tables.coordinate(i);
    spec["domain"].push_back({{"name", coordinate.name}, {"values", coordinate.values.listed()}});
  }
  spec["mechanism"] = {{"type", "release"}, {"file", name_from(folder, file)}, {"records", records}};
  if (window) spec["mechanism"]["window"] = *window;
  spec["claims"] = claims_of(release, tables, records);
  return spec_text(spec);
}

// The spec of the question from which of two tables a release is.

namespace {

// The ledger's loss: pure, or at some deltas if quotients are unbounded. Audits detect nothing at the deltas used
// in practice, so a delta of 1/10 is added at which they can.
Json claims_about(const Release& release, const Attributes& differ) {
  const Loss loss = release.loss(differ);
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

// Returns the attributes in which the tables differ. Throws SpecError at the second table.
Attributes differing(const NamedTable& a, const NamedTable& b, const Domain& schema) {
  if (const std::string complaint = complaint_about(a, b, schema); !complaint.empty()) {
    throw SpecError({b.name, 0, 0, ""}, complaint);
  }
  const TableDifference found = difference(a.table, b.table, schema.size());
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
  const ReleaseFile read = read_release(file, budget);
  const Release& release = *read.release;
  const NamedTable a{tables[0], read_people(tables[0], read, budget)};
  const NamedTable b{tables[1], read_people(tables[1], read, budget)};
  const Attributes differ = differing(a, b, release.schema);
  release_on_tables(read.release, {a.table, b.table});  // as the spec reader does: throws if a step cannot be run
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

}  // namespace oddsbound::releases
