// tune: finds the largest or smallest value of a parameter for which claims hold.

#include "api/api.h"
#include "cli/common.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/shared_run.h"

namespace oddsbound::cli {

namespace {

struct TuneArguments {
  std::string spec;
  std::string from, to, width;
  std::vector<std::string> grid;
  std::unique_ptr<Outputs> outputs;
  TuneRequest request;
  CheckpointOptions checkpoint;
  Context context;
};

// Returns the value of an option; nullopt if it was not given. Throws CLI::ValidationError with the option's name.
std::optional<Number> number_of(const std::string& option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    return parse_number(text);
  } catch (const std::runtime_error& error) {
    throw CLI::ValidationError(option + " " + printable(text, 40), error.what());
  }
}

// A single word is the number of parts of the range; several words are the values themselves.
void read_grid(const std::vector<std::string>& words, TuneRequest& request) {
  constexpr std::size_t kMostParts = 10'000;
  if (words.size() == 1) {
    const std::optional<Number> parts = number_of("--grid", words[0]);
    std::int64_t count = 0;
    if (!parts->fits_int64(count) || count < 1 || count > static_cast<std::int64_t>(kMostParts)) {
      throw CLI::ValidationError("--grid " + printable(words[0], 40),
                                 "expected a number of parts from 1 to 10000, or values separated by commas");
    }
    request.parts = static_cast<std::size_t>(count);
    return;
  }
  for (const std::string& word : words) request.grid.push_back(number_of("--grid", word).value());
}

// Parses every option that needs the grammar of numbers. Returns false after a complaint.
bool read_numbers(TuneArguments& arguments) {
  try {
    arguments.request.from = number_of("--from", arguments.from);
    arguments.request.to = number_of("--to", arguments.to);
    arguments.request.width = number_of("--width", arguments.width);
    if (!arguments.grid.empty()) read_grid(arguments.grid, arguments.request);
    return true;
  } catch (const CLI::ValidationError& error) {
    complain(error.what());
    return false;
  }
}

Expected<TuneResult> result_of(const TuneArguments& arguments, const Interrupt& interrupt, SharedRun& shared) {
  Progress progress;
  Context context = interrupt.within(arguments.context);
  context.progress = progress.shown();
  context.limits.scopes = shared.scopes();
  Expected<TuneResult> result = tune(File{arguments.spec}, arguments.request, context);
  shared.end(result && result->exit_status() != kLimit);
  return result;
}

int run_tune(TuneArguments& arguments) {
  if (!read_numbers(arguments) || !arguments.outputs->resolve()) return kUsage;
  if (!arguments.outputs->spares({arguments.spec})) return kUsage;
  const Interrupt interrupt;
  SharedRun shared(arguments.checkpoint, {arguments.spec}, arguments.outputs->list());
  const Expected<TuneResult> result = result_of(arguments, interrupt, shared);
  if (!result) return fail(result.error());
  std::vector<std::string> read;
  for (const SourceFile& file : result->files) read.push_back(file.file);
  if (!arguments.outputs->spares(read)) return kUsage;
  const int status = write_result(*arguments.outputs, *result, result->exit_status());
  shared.is_told(status != kUsage);
  return status;
}

void add_request(CLI::App& command, TuneArguments& arguments) {
  TuneRequest& request = arguments.request;
  command
      .add_option(
          "--parameter", request.parameter,
          "What varies: a symbol or a parameter of the spec, or the place of a number, as in /mechanism/epsilon")
      ->required();
  command
      .add_option(
          "--claim", request.claims,
          "A claim by its name, or its number in verify's JSON (the first is 0); may be repeated. Without it all "
          "that should hold")
      ->allow_extra_args(false);
  command.add_option("--from", arguments.from, "The least value, a rational; without it that of the symbol");
  command.add_option("--to", arguments.to, "The greatest value, a rational; without it that of the symbol");
  command.add_flag("--smallest", request.smallest, "Look for the smallest value at which the claims hold");
  command.add_flag("--integers", request.integers, "Only whole numbers are values");
  command
      .add_option("--grid", arguments.grid,
                  "A first look: so many equal parts of the range, or values separated by commas")
      ->delimiter(',')
      ->default_str("16");
  command.add_option(
      "--width", arguments.width,
      "Largest distance between the value that holds and the one that fails; without it 2^-20 of the range");
  command.add_flag("!--no-proof", request.prove, "Do not ask Z3 about the values between those that are decided");
}

}  // namespace

Command tune_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("tune", "Find the largest value of a parameter for which claims hold");
  command->footer(
      "\nExamples:\n"
      "  oddsbound tune specs/gallery/titanic.json --parameter /mechanism/mechanisms/sex/epsilon --from 0 --to 4 "
      "--claim 2\n"
      "  oddsbound tune specs/gallery/bcdp-example-2-twice.json --parameter /mechanism/times --integers --from 1 --to "
      "50\n\n"
      "Every value is decided exactly. Exit status: 0 found, 1 the claims hold at no value that was tried, 2 the\n"
      "request or the file is wrong, 3 undecided at some value.");
  auto arguments = std::make_shared<TuneArguments>();
  command->add_option("spec", arguments->spec, "A spec file, or - for standard input")->required();
  add_request(*command, *arguments);
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "html"});
  add_threads(*command, arguments->context.limits);
  add_limits(*command, arguments->context.limits);
  add_checkpoint(*command, arguments->checkpoint);
  add_smt_limits(*command, arguments->request.smt);
  return {command, [arguments] { return run_tune(*arguments); }};
}

// compare: shows designs side by side.

namespace {

struct CompareArguments {
  std::vector<std::string> paths;
  std::uint64_t samples = 1000;
  std::unique_ptr<Outputs> outputs;
  Context context;
};

DesignComparison comparison_of(const std::vector<std::string>& files, const CompareArguments& arguments) {
  const Interrupt interrupt;
  Progress progress;
  Context context = interrupt.within(arguments.context);
  context.progress = progress.shown();
  return compare(files, arguments.samples, context);
}

int run_compare(CompareArguments& arguments) {
  if (!arguments.outputs->resolve()) return kUsage;
  std::vector<FileError> path_errors;
  const std::vector<std::string> files = expand_paths(arguments.paths, path_errors);
  if (!arguments.outputs->spares(files)) return kUsage;
  if (files.size() + path_errors.size() < 2) {
    complain("found " + std::to_string(files.size()) + " spec, expected two or more to compare");
    return kUsage;
  }
  DesignComparison comparison = comparison_of(files, arguments);
  comparison.errors.insert(comparison.errors.begin(), path_errors.begin(), path_errors.end());
  for (const FileError& error : comparison.errors) complain(error.text());
  if (comparison.designs.size() < 2) return comparison.exit_status();
  std::vector<std::string> read;
  for (const ComparedDesign& design : comparison.designs) {
    for (const SourceFile& file : design.files) read.push_back(file.file);
  }
  if (!arguments.outputs->spares(read)) return kUsage;
  return write_result(*arguments.outputs, comparison, comparison.exit_status());
}

}  // namespace

Command compare_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("compare", "Show designs side by side: levels, averages, errors of estimates");
  command->footer(
      "\nExample:\n"
      "  oddsbound compare specs/gallery/bcdp-example-2-once.json specs/gallery/bcdp-example-2-twice.json \\\n"
      "    --format text --format html --output compared.html\n\n"
      "Which is lower is decided exactly. Specs that differ in their priors alone show one mechanism under several\n"
      "priors. Exit status: 0 all is measured, 2 a file is wrong, 3 a limit left something undecided.");
  auto arguments = std::make_shared<CompareArguments>();
  command->add_option("specs", arguments->paths, "Two or more spec files, or directories (searched for *.json)")
      ->required();
  command->add_option("--samples", arguments->samples, "Collected outputs from which the inputs' shares are estimated")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53))
      ->capture_default_str();
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "html"});
  arguments->outputs->add_verbose("Text: exact values, and the quantities in which all designs are equal");
  add_threads(*command, arguments->context.limits);
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_compare(*arguments); }};
}

}  // namespace oddsbound::cli
