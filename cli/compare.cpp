// compare: shows designs side by side.
#include "api/api.h"
#include "cli/common.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/progress.h"

namespace oddsbound::cli {

namespace {

struct CompareArguments {
  std::vector<std::string> paths;
  std::uint64_t samples = 1000;
  std::unique_ptr<Outputs> outputs;
  bool static_figures = false;
  bool exact = false;
  Context context;
};

DesignComparison comparison_of(const std::vector<std::string>& files, const CompareArguments& arguments) {
  const Interrupt interrupt;
  Progress progress;
  Context context = arguments.context;
  context.progress = progress.shown();
  context.limits.stop = interrupt.token();
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
  return write_texts(*arguments.outputs, comparison.exit_status(), [&](const std::string& format) {
    return *render(comparison, format,
                   options_of(*arguments.outputs, format, arguments.static_figures, arguments.exact));
  });
}

}  // namespace

Command compare_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("compare", "Show designs side by side: levels, averages, errors of estimates");
  command->footer(
      "\nExample:\n  oddsbound compare once.json twice.json --format text --format html --output compared.html\n\n"
      "Which is lower is decided exactly. Specs that differ in their priors alone show one mechanism under several\n"
      "priors. Exit status: 0 all is measured, 2 a file is wrong, 3 a limit left something undecided.");
  auto arguments = std::make_shared<CompareArguments>();
  command->add_option("specs", arguments->paths, "Two or more spec files, or directories (searched for *.json)")
      ->required();
  command->add_option("--samples", arguments->samples, "Collected outputs from which the inputs' shares are estimated")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53))
      ->capture_default_str();
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "html"});
  add_static_figures(*command, arguments->static_figures);
  add_exact(*command, arguments->exact);
  add_threads(*command, arguments->context.limits);
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_compare(*arguments); }};
}

}  // namespace oddsbound::cli
