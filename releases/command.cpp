// release: publishes noisy numbers from a table of people, and accounts for their privacy cost by attribute.

#include <filesystem>

#include "base/files.h"
#include "cli/common.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "releases/api.h"
#include "specs/json_document.h"

namespace oddsbound::cli {

namespace {

struct ReleaseArguments {
  std::string file, table;
  bool account = false, plan = false, spec = false;
  std::optional<std::uint64_t> people;
  std::optional<std::string> error;
  std::size_t records = 0;
  std::vector<std::string> tables;  // for --spec
  std::optional<std::uint64_t> seed, window;
  std::optional<std::string> spent;
  std::unique_ptr<Outputs> outputs;
  Context context;
};

// Returns what is wrong with the arguments; empty if nothing is.
std::string complaint_about(const ReleaseArguments& arguments) {
  if (!arguments.plan && (arguments.people || arguments.error)) return "--people and --error need --plan";
  if (arguments.error && arguments.error->empty()) {
    return "--error: found nothing, expected a fraction of all people, such as 1/20";
  }
  if (arguments.spec) {
    if ((arguments.records == 0) == arguments.tables.empty()) {
      return "--spec needs --records N, for all tables of N records, or --tables with two tables that differ in one "
             "record";
    }
    if (arguments.window && arguments.records == 0) return "--window needs --records";
    if (arguments.plan) return "--spec writes a spec, and --plan figures: pass one of them";
    if (!arguments.table.empty() || arguments.seed || arguments.spent) {
      return "--spec publishes nothing: leave out the table, --seed and --spent";
    }
    if (arguments.outputs->list().size() > 1) return "--spec writes one file";
    return "";
  }
  if (arguments.records != 0 || arguments.window || !arguments.tables.empty()) {
    return "--records, --tables and --window need --spec";
  }
  if (arguments.plan && (!arguments.table.empty() || arguments.seed))
    return "--plan is made before data are collected: leave out the table and --seed";
  if (arguments.plan && arguments.outputs->wants("csv"))
    return "--format csv writes the published numbers, and --plan publishes none: use text, json or html";
  if (arguments.account && (!arguments.table.empty() || arguments.seed))
    return "--account computes the cost alone: leave out the table and --seed";
  if (arguments.account && arguments.outputs->wants("csv"))
    return "--format csv writes the published numbers, and --account publishes none: use text, json or html";
  if (!arguments.account && !arguments.plan && arguments.table.empty())
    return "found no table: name a CSV file, or pass --account (the cost alone), --plan or --spec";
  return "";
}

int write_spec(const ReleaseArguments& arguments, const Context& context) {
  const std::string& file = arguments.outputs->list().front().file;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const File release{arguments.file};
  const Expected<std::string> spec = arguments.tables.empty()
                                         ? release_spec(release, arguments.records, arguments.window, folder, context)
                                         : release_spec_of_tables(release, arguments.tables, folder, context);
  if (!spec) return fail(spec.error());
  return write_output({"json", file}, *spec) ? 0 : kUsage;
}

int run_release(const ReleaseArguments& arguments) {
  if (!arguments.outputs->resolve()) return kUsage;
  if (const std::string complaint = complaint_about(arguments); !complaint.empty()) {
    complain(complaint);
    return kUsage;
  }
  std::vector<std::string> read{arguments.file, arguments.table};
  // The ledger is written, and its lock file is removed.
  if (arguments.spent) read.insert(read.end(), {*arguments.spent, target_of(*arguments.spent) + ".lock"});
  read.insert(read.end(), arguments.tables.begin(), arguments.tables.end());
  if (!arguments.outputs->spares(read)) return kUsage;
  const Interrupt interrupt;
  const Context context = interrupt.within(arguments.context);
  if (arguments.spec) return write_spec(arguments, context);
  ReleaseRequest request{{}, arguments.seed, arguments.spent};
  request.plan = arguments.plan;
  request.people = arguments.people;
  request.error = arguments.error.value_or("");
  if (!arguments.account && !arguments.plan) request.table = arguments.table;
  const Expected<ReleaseResult> result = release(File{arguments.file}, request, context);
  if (!result) return fail(result.error());
  if (result->exit_status() != 0 && arguments.outputs->wants("csv")) {
    complain("the budget is exceeded: no table was read, and nothing was published");
  }
  // Rows of the CSV have no place for notes.
  if (arguments.outputs->wants("csv")) {
    for (const ReleasedStep& step : result->steps) {
      for (const std::string& note : step.notes) tell("note: " + printable(note, 400) + "\n");
    }
  }
  return write_result(*arguments.outputs, *result, result->exit_status());
}

// The key that marks a release's result; the search spares parsing other results twice.
bool is_release_text(const Text& json) {
  if (json.text.find("\"ledger\"") == std::string::npos) return false;
  try {
    return is_release(JsonDocument(json.name, json.text));
  } catch (const std::exception&) {
    return false;
  }
}

int report_release(const Text& json, const Outputs& outputs, const Limits& limits) {
  const Expected<ReleaseResult> release = read_release_result(json, {limits, {}});
  if (!release) return fail(release.error());
  for (const Output& output : outputs.list()) {
    if (output.format == "html") continue;
    complain("a release is reported as html, found " + output.format +
             ": 'oddsbound release' writes text, json and csv");
    return kUsage;
  }
  return write_result(outputs, *release, 0);
}

}  // namespace

Command release_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "release", "Publish noisy numbers from a table of people, with their privacy cost by attribute");
  command->footer(
      "\nExamples:\n"
      "  oddsbound release specs/releases/survey.release.json specs/releases/data/people.csv\n"
      "  oddsbound release specs/releases/survey.release.json --account\n"
      "  oddsbound release specs/releases/survey.release.json --plan --people 5000 --error 1/100\n"
      "  oddsbound release specs/releases/survey.release.json specs/releases/data/people.csv \\\n"
      "    --format csv -o counts.csv --format html -o counts.html\n"
      "  oddsbound release specs/releases/survey.release.json --spec --records 2 -o survey-of-two.json\n"
      "  sed '2s/^old/young/' specs/releases/data/people.csv > one-changed.csv\n"
      "  oddsbound release specs/releases/survey.release.json --spec \\\n"
      "    --tables specs/releases/data/people.csv one-changed.csv -o pair.json\n\n"
      "Exit status: 0 published, or the cost is within the budget, 1 the budget is exceeded: no table was read,\n"
      "2 the request or a file is wrong, or somebody else spends from the ledger, 3 a limit was reached: nothing was "
      "published.");
  auto arguments = std::make_shared<ReleaseArguments>();
  command->add_option("file", arguments->file, "The release: attributes, steps, budget")->type_name("FILE")->required();
  command->add_option("table", arguments->table, "A CSV file with a header: a row for each person")->type_name("FILE");
  command->add_flag("--account", arguments->account, "Compute the privacy cost alone. No table is read");
  command->add_flag(
      "--plan", arguments->plan,
      "Before data are collected: the privacy cost, the errors to expect, and how many people are needed for an "
      "error. No table is read");
  command->add_option("--people", arguments->people, "For --plan: how many people there will be")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  command->add_option("--error", arguments->error, "For --plan: an error, as a fraction of all people, such as 1/20")
      ->type_name("FRACTION");
  command->add_flag("--spec", arguments->spec,
                    "Write a spec: the release's code on all tables of --records records, or on --tables");
  command->add_option("--records", arguments->records, "Records of the tables of --spec")->check(CLI::Range(1, 64));
  command
      ->add_option("--tables", arguments->tables,
                   "Two tables of --spec that differ in one record, which an audit distinguishes")
      ->type_name("FILE FILE")
      ->expected(2);
  command->add_option("--window", arguments->window, "How far beyond 0 and all people the numbers of --spec go")
      ->check(CLI::Range(0, 1'000'000));
  command
      ->add_option("--spent", arguments->spent,
                   "A ledger of what was spent on these people before. It counts, and this release is added to it")
      ->type_name("FILE");
  command->add_option("--seed", arguments->seed, "A seed for the noise: reproducible, and NOT private")
      ->check(whole_number());
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "csv", "html"},
                                                 Outputs::With::kStatic);
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_release(*arguments); }};
}

ModuleResult release_result() { return {"a release", is_release_text, report_release}; }

}  // namespace oddsbound::cli
