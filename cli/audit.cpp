// audit: does the sampler draw from the channel that was verified?
#include "cli/common.h"
#include "cli/files.h"
#include "reports/audits.h"

namespace oddsbound::cli {

namespace {

struct Request {
  std::vector<std::string> paths;
  bool exhaustive = false;
  std::string format = "text";
  ExhaustiveOptions options;
  Limits limits;
};

int run(const Request& request) {
  std::vector<FileError> path_errors;
  const std::vector<std::string> files = expand_paths(request.paths, path_errors);
  AuditRun audit = audit_files(files, request.options, request.limits);
  audit.errors.insert(audit.errors.begin(), path_errors.begin(), path_errors.end());
  for (const FileError& error : audit.errors) complain(error.text);
  if (!write_out(request.format == "json" ? json_audits(audit) : text_audits(audit))) return kUsage;
  return audit.exit_status();
}

}  // namespace

Command audit_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("audit", "Prove that a mechanism's sampler draws from its channel");
  command->footer(
      "\nExample:\n  oddsbound audit --exhaustive specs/gallery/hadamard-response.json\n\n"
      "The sampler's own code is replayed on every sequence of random choices, with exact weights. Exit status: 0 "
      "every\n"
      "entry of the channel lies in its interval, 1 some does not, 2 the request or a file is wrong, 3 undecided.");
  auto request = std::make_shared<Request>();
  command->add_option("specs", request->paths, "Spec files or directories")->required();
  command->add_flag("--exhaustive", request->exhaustive, "Replay every sequence of random choices")->required();
  command
      ->add_option("--bound", request->options.bound_bits,
                   "Cut unbounded loops off where less than 2^-BOUND of the mass remains")
      ->check(CLI::Range(10, 100))
      ->capture_default_str();
  command->add_flag("--intervals", request->options.keep_intervals, "Add the interval of every entry to the JSON");
  add_format(*command, request->format, {"text", "json"});
  add_limits(*command, request->limits);
  return {command, [request] { return run(*request); }};
}

}  // namespace oddsbound::cli
