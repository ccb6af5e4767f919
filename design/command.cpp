// design: finds the mechanism with the least loss under constraints. repair: the nearest mechanism whose claims
// hold.

#include <filesystem>

#include "cli/common.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "design/api.h"

namespace oddsbound::cli {

namespace {

struct DesignArguments {
  std::string file, certificate;
  std::unique_ptr<Outputs> outputs;
  Context context;
};

bool certificate_can_be_written(const DesignArguments& arguments) {
  const std::string& path = arguments.certificate;
  if (path.empty()) return true;
  std::error_code ignored;
  if (std::filesystem::equivalent(path, arguments.file, ignored)) {
    complain("--certificate " + printable(path, 200) + " would overwrite what is read");
    return false;
  }
  for (const Output& output : arguments.outputs->list()) {
    if (output.file != path) continue;
    complain("--certificate and --output are one file: " + printable(path, 200));
    return false;
  }
  return has_directory(path);
}

int run_design(const DesignArguments& arguments) {
  if (!arguments.outputs->resolve() || !arguments.outputs->spares({arguments.file})) return kUsage;
  if (!certificate_can_be_written(arguments)) return kUsage;
  const Interrupt interrupt;
  const Expected<DesignResult> result =
      design(File{arguments.file}, folder_of_spec(*arguments.outputs), interrupt.within(arguments.context));
  if (!result) return fail(result.error());
  if (!arguments.certificate.empty() && !write_output({"json", arguments.certificate}, result->certificate)) {
    return kUsage;
  }
  if (!result->conflict.empty()) {
    tell("error: " + printable_lines(text_design(*result)) + "\n");
    return kUsage;
  }
  return write_result(*arguments.outputs, *result, 0);
}

}  // namespace

Command design_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("design", "Make the mechanism with the least loss within privacy limits");
  command->footer(
      "\nExamples:\n  oddsbound design specs/designs/titanic.design.json\n"
      "  oddsbound design specs/designs/grid.design.json -o best.json --certificate proof.json\n\n"
      "Exit status: 0 there it is, 2 the request is wrong, 3 a limit was reached.");
  auto arguments = std::make_shared<DesignArguments>();
  command->add_option("file", arguments->file, "The request: domain, prior, constraints, objective")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--certificate", arguments->certificate,
                   "Write the proof that no mechanism within the constraints has less loss")
      ->type_name("FILE");
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "html"});
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_design(*arguments); }};
}

// repair: changes a mechanism whose claims fail.

namespace {

struct RepairArguments {
  std::string file;
  RepairOptions options;
  std::unique_ptr<Outputs> outputs;
  Context context;
};

int run_repair(const RepairArguments& arguments) {
  if (!arguments.outputs->resolve() || !arguments.outputs->spares({arguments.file})) return kUsage;
  const Interrupt interrupt;
  const Expected<RepairResult> result = repair(File{arguments.file}, arguments.options,
                                               folder_of_spec(*arguments.outputs), interrupt.within(arguments.context));
  if (!result) return fail(result.error());
  return write_result(*arguments.outputs, *result, 0);
}

}  // namespace

Command repair_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("repair", "Change a mechanism as little as possible so that its claims hold");
  command->footer(
      "\nExamples:\n  oddsbound repair specs/gallery/warner.json -o repaired.json\n"
      "  oddsbound repair examples/solved-in-floats.json --rounded-rows --by mixture -o repaired.json\n\n"
      "Exit status: 0 its claims hold now, 2 the spec is wrong, 3 a limit was reached.");
  auto arguments = std::make_shared<RepairArguments>();
  command->add_option("file", arguments->file, "The spec")->type_name("FILE")->required();
  add_choice(*command, "--by", arguments->options.by, kRepairs,
             "The nearest by the largest change of a row (total variation) or of an entry, or the smallest mixture "
             "with equally likely outputs");
  command->add_flag("--rounded-rows", arguments->options.rounded_rows,
                    "Rows of a matrix may miss 1 by rounding: each is divided by its sum");
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "html"});
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_repair(*arguments); }};
}

}  // namespace oddsbound::cli
