// The file of a release (docs/releases.md): its attributes, its steps, its budget; and the mechanism that it is on
// small tables.
#include <filesystem>

#include "mechanisms/releases/walk.h"
#include "specs/release.h"
#include "specs/release_steps.h"

namespace oddsbound::specs {

namespace {

using mechanisms::Attributes;
using mechanisms::BudgetLine;
using mechanisms::Release;
using mechanisms::StepPtr;

Number read_delta(JsonView value, ReadingContext& context) {
  const Number delta = read_positive(value, "delta", context);
  if (delta >= Number(1)) value.fail("found " + printable(delta.to_string(), 60) + ", expected delta below 1");
  return delta;
}

// One line, or one for each attribute.
std::vector<BudgetLine> read_budget_lines(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"each", "attributes", "person", "epsilon", "delta", "rho"}, "a line of the budget");
  if (fields.has("each") + fields.has("attributes") + fields.has("person") != 1) {
    value.fail("a line of the budget has one of 'each', 'attributes' and 'person'");
  }
  BudgetLine line;
  if (const auto epsilon = fields.find("epsilon")) line.epsilon = read_level(*epsilon, context);
  if (const auto rho = fields.find("rho")) line.rho = read_positive(*rho, "rho", context);
  if (!line.epsilon && !line.rho) value.fail("a line of the budget has 'epsilon' or 'rho'");
  if (const auto delta = fields.find("delta")) {
    if (!line.epsilon) delta->fail("'delta' goes with 'epsilon'");
    line.delta = read_delta(*delta, context);
  }
  for (const char* flag : {"each", "person"}) read_flag(fields, flag);
  std::vector<BudgetLine> lines;
  const auto add = [&](std::string of, Attributes attributes) {
    line.of = std::move(of);
    line.attributes = std::move(attributes);
    lines.push_back(line);
  };
  if (const auto attributes = fields.find("attributes")) {
    Attributes set = read_attributes(*attributes, schema);
    add(mechanisms::words_of(schema, set), set);
  } else if (fields.has("person")) {
    add("a person", every_coordinate(schema));
  } else {
    for (std::size_t i = 0; i < schema.size(); ++i) add(schema.coordinate(i).name, {i});
  }
  return lines;
}

void read_column_names(JsonView value, ReleaseFile& result) {
  if (!value.is_object()) value.fail("found " + value.kind_name() + ", expected an object: attribute to column");
  for (const JsonView::Member& member : value.members()) {
    result.columns[read_coordinate(member.key, result.release->schema)] =
        read_string(member.value, "the name of a column");
  }
}

}  // namespace

ReleaseFile read_release_document(const JsonDocument& document, const std::string& directory,
                                  std::vector<SourceFile>& files, Budget& budget) {
  const Fields fields(
      document.root(),
      {"oddsbound_release", "name", "description", "parameters", "attributes", "columns", "budget", "deltas", "steps"},
      "a release");
  require_version_1(fields.require("oddsbound_release"), "the format of releases");
  Parameters parameters(fields.find("parameters"), {}, budget);
  parameters.evaluate_all();
  Remarks remarks;
  ReadingContext context{directory, parameters, budget, {}, files, remarks};
  auto release = std::make_shared<Release>();
  release->name = read_string(fields.require("name"), "'name'");
  release->schema = read_listed_domain(fields.require("attributes"), budget);
  if (const auto deltas = fields.find("deltas")) {
    release->deltas.clear();
    for (const JsonView delta : read_array(*deltas, "deltas")) release->deltas.push_back(read_delta(delta, context));
  }
  if (const auto description = fields.find("description")) read_string(*description, "'description'");
  const JsonView steps = fields.require("steps");
  for (const JsonView step : read_array(steps, "steps")) {
    budget.look();
    release->steps.push_back(
        reader_of_type(step, step_readers(), "a step", "type of step")(step, release->schema, context));
  }
  if (release->steps.empty()) steps.fail("a release needs at least one step");
  if (const auto lines = fields.find("budget")) {
    for (const JsonView line : read_array(*lines, "lines of the budget")) {
      for (BudgetLine& one : read_budget_lines(line, release->schema, context)) {
        release->budget.push_back(std::move(one));
      }
    }
  }
  ReleaseFile result{release, {}};
  if (const auto columns = fields.find("columns")) read_column_names(*columns, result);
  return result;
}

ReleaseFile read_release(const std::string& path, Budget& budget) {
  const auto document = read_document_of(path, budget.limits());
  std::vector<SourceFile> files{{document->file(), sha256(document->text()), true}};
  return read_release_document(*document, directory_of(path), files, budget);
}

std::vector<mechanisms::CostPart> read_spent(const std::string& path, const Domain& schema, Budget& budget) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  return read_spent_document(*read_document_of(path, budget.limits()), schema, budget);
}

std::vector<mechanisms::CostPart> read_spent_document(const JsonDocument& document, const Domain& schema,
                                                      Budget& budget) {
  const Fields fields(document.root(), {"oddsbound_spent", "steps"}, "what was spent");
  require_version_1(fields.require("oddsbound_spent"), "this format");
  Parameters parameters(std::nullopt, {}, budget);
  parameters.allow_long_literals();
  std::vector<SourceFile> files;
  Remarks remarks;
  const std::string directory = directory_of(document.file());
  ReadingContext context{directory, parameters, budget, {}, files, remarks};
  std::vector<mechanisms::CostPart> parts;
  for (const JsonView step : read_array(fields.require("steps"), "steps")) {
    parts.push_back(
        read_cost(Fields(step, {"name", "attributes", "epsilon", "rho", "each"}, "a step"), schema, context));
  }
  return parts;
}

Mechanism read_release_mechanism(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "file", "records", "window", "tables"}, "a release");
  const auto named = fields.find("tables");
  if (named) {
    for (const char* other : {"records", "window"}) {
      if (!fields.has(other)) continue;
      fields.members().at(other).key.fail("found 'tables' and '" + std::string(other) +
                                          "', which is for all tables of so many records");
    }
  } else if (!fields.has("records")) {
    value.fail("a release needs 'records', for all tables of so many, or 'tables', the files of two");
  }
  const JsonView name = fields.require("file");
  std::string path;
  std::string text = read_named_file(name, context, path);
  const JsonDocument document(path, std::move(text));
  ReleaseFile file = read_release_document(document, directory_of(path), context.files, context.budget);
  if (named) return release_of_tables(file, *named, domain, context);
  constexpr std::int64_t kMostRecords = 64;
  const auto records =
      static_cast<std::size_t>(read_integer(fields.require("records"), "the number of records", 1, kMostRecords));
  if (const auto window = fields.find("window")) {
    file.release =
        within(*file.release, static_cast<std::uint64_t>(read_integer(*window, "the window", 0, kMostWindow)));
  }
  const Domain tables = mechanisms::domain_of_tables(file.release->schema, records);
  if (!(tables == domain)) {
    value.fail("the domain is not that of tables of " + std::to_string(records) +
                   (records == 1 ? " record of '" : " records of '") + printable(path) + "': coordinates '" +
                   printable(tables.coordinate(0).name) + "', ..., '" +
                   printable(tables.coordinate(tables.size() - 1).name) + "' with the release's values",
               "oddsbound release --spec --records writes such a spec");
  }
  for (const StepPtr& step : file.release->steps) {
    if (const std::string remark = step->remark(); !remark.empty()) context.remarks.notes.push_back(remark);
  }
  return at_place(value, [&] { return mechanisms::release_mechanism(file.release, records, context.budget); });
}

}  // namespace oddsbound::specs
