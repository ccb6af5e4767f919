// analyze and verify: levels and claims of spec files.
#include "cli/common.h"
#include "cli/files.h"
#include "cli/progress.h"
#include "reports/evaluate.h"
#include "reports/json.h"
#include "reports/text.h"

namespace oddsbound::cli {

namespace {

struct Request {
  std::vector<std::string> paths;
  std::string format = "text";
  std::string color = "auto";
  EvaluateOptions evaluate;
};

int run_specs(const Request& request, bool verify) {
  RunResult run;
  std::vector<FileError> path_errors;
  const std::vector<std::string> files = expand_paths(request.paths, path_errors);
  {
    Progress progress;
    EvaluateOptions options = request.evaluate;
    options.decide_claims = verify;
    options.progress = [&](std::size_t begun, std::size_t total, const std::string& file) {
      progress.set(begun, total, file);
    };
    run = evaluate_files(files, options);
  }
  run.errors.insert(run.errors.begin(), path_errors.begin(), path_errors.end());
  const TextOptions text{use_color(request.color)};
  std::string report;
  if (request.format == "json") {
    report = json_report(run);
  } else {
    report = verify ? text_verification(run, text) : text_analysis(run, text);
  }
  for (const FileError& error : run.errors) complain(error.text);
  if (!write_out(report)) return kUsage;
  return run.exit_status();
}

std::shared_ptr<Request> add_options(CLI::App& command) {
  auto request = std::make_shared<Request>();
  command.add_option("specs", request->paths, "Spec files, directories (searched for *.json), or - for standard input")
      ->required();
  add_format(command, request->format, {"text", "json"});
  add_color(command, request->color);
  command.add_option("--jobs,-j", request->evaluate.jobs, "Files that are worked on at once")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag("--tradeoff", request->evaluate.tradeoffs,
                   "Add trade-off curves (type I against type II error) of the worst pairs to the JSON");
  command.add_flag("!--by-columns", request->evaluate.limits.use_cases,
                   "Enumerate every column even where a mechanism's structure allows a proof by cases");
  add_limits(command, request->evaluate.limits);
  return request;
}

}  // namespace

Command analyze_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("analyze", "Show every privacy level of a mechanism, exactly");
  command->footer("\nExample:\n  oddsbound analyze specs/gallery/titanic.json");
  return {command, [request = add_options(*command)] { return run_specs(*request, false); }};
}

Command verify_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Decide the claims of spec files");
  command->footer("\nExample:\n  oddsbound verify --jobs 2 specs/gallery");
  return {command, [request = add_options(*command)] { return run_specs(*request, true); }};
}

}  // namespace oddsbound::cli
