// search: looks for the smallest counterexample to a property of privacy notions, or proves it up to a size.
#include <algorithm>
#include <filesystem>

#include "api/api.h"
#include "base/files.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "cli/shared_run.h"

namespace oddsbound::cli {

namespace {

struct SearchArguments {
  std::string property;
  SearchOptions options;
  std::string level;
  std::string output = ".";
  std::string format = "text";
  bool list = false;
  CheckpointOptions checkpoint;
};

// Checked before the search. Returns false after a complaint.
bool is_folder(const std::string& output) {
  const std::filesystem::path path(output);
  std::error_code ignored;
  const bool is_file = std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored);
  if (!is_file && path.extension() != ".json") return true;
  complain("--output " + printable(output, 200) +
           ": expected a directory: a counterexample may be two specs (the result itself is on standard output)");
  return false;
}

int run_search(SearchArguments& request) {
  if (request.list) {
    std::string text;
    for (const Property& property : properties()) text += property.name + ": " + property.summary + "\n";
    return write_text(text) ? 0 : kUsage;
  }
  if (!is_folder(request.output)) return kUsage;
  if (!request.level.empty()) request.options.level = parse_level(request.level);
  const Interrupt interrupt;
  Context context;
  context.limits.stop = interrupt.token();
  SharedRun shared(request.checkpoint, {});
  context.limits.scopes = shared.scopes();
  Expected<SearchResult> result = search(request.property, request.options, context);
  shared.end(result && std::none_of(result->steps.begin(), result->steps.end(),
                                    [](const SearchStep& step) { return step.found == Answer::kOpen; }));
  if (!result) {
    complain(result.error().message);
    return result.error().limit ? kLimit : kUsage;
  }
  if (!result->specs.empty()) make_directory(request.output);
  for (FoundSpec& spec : result->specs) {
    if (request.output != ".") spec.name = (std::filesystem::path(request.output) / spec.name).string();
    write_whole(spec.name, spec.text);
  }
  const bool is_written = request.format == "json" ? write_out(to_json(*result)) : write_text(text_search(*result));
  shared.is_told(is_written);
  return is_written ? result->exit_status() : kUsage;
}

}  // namespace

Command search_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("search", "Look for a counterexample to a property of privacy notions");
  command->footer(
      "\nExample:\n  oddsbound search --property 'bcdp composes' --coordinates 2,2 --outputs 2\n\n"
      "Exit status: 0 there is no counterexample up to the size, 1 one was found and written, 2 the request is wrong,\n"
      "3 undecided at some size.");
  auto request = std::make_shared<SearchArguments>();
  auto* property = command->add_option("--property", request->property, "The property, by name");
  command->add_flag("--list", request->list, "List the properties")->excludes(property);
  command->add_option("--coordinates", request->options.coordinates, "Values of each coordinate, at most")
      ->delimiter(',')
      ->check(CLI::Range(2, 8))
      ->default_str("2,2");
  command->add_option("--outputs", request->options.outputs, "Outputs, at most")
      ->check(CLI::Range(2, 16))
      ->capture_default_str();
  command->add_option("--second-outputs", request->options.second_outputs, "Outputs of a second mechanism or a kernel")
      ->check(CLI::Range(2, 16))
      ->capture_default_str();
  command->add_option("--runs", request->options.runs, "Runs that are composed")
      ->check(CLI::Range(2, 8))
      ->capture_default_str();
  command->add_option("--level", request->level, "The level in the premise, e.g. log(2)");
  command->add_option("--output,-o", request->output, "The directory for the counterexample's spec files")
      ->type_name("DIR")
      ->capture_default_str();
  add_format(*command, request->format, {"text", "json"});
  add_smt_limits(*command, request->options.smt);
  add_checkpoint(*command, request->checkpoint);
  return {command, [request] { return run_search(*request); }};
}

}  // namespace oddsbound::cli
