// The command line: arguments in, one run, one report out.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "cli/files.h"
#include "cli/progress.h"
#include "cli/schema_text.h"
#include "reports/evaluate.h"
#include "reports/json.h"
#include "reports/text.h"
#include "specs/suggest.h"

namespace {

using namespace oddsbound;

constexpr int kUsage = 2;

struct Request {
  std::vector<std::string> paths;
  std::string format = "text";
  std::string color = "auto";
  EvaluateOptions evaluate;
};

bool use_color(const std::string& choice) {
  if (choice != "auto") return choice == "always";
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0') && !dumb;
}

void complain(const std::string& message) { fmt::print(stderr, "error: {}\n", message); }

// All of it or a complaint: a closed pipe or a full disk is not a success.
bool write_out(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return true;
  complain(std::string("cannot write to standard output: ") + std::strerror(errno));
  return false;
}

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

void add_options(CLI::App& command, Request& request) {
  Limits& limits = request.evaluate.limits;
  command.add_option("specs", request.paths, "Spec files, directories (searched for *.json), or - for standard input")
      ->required();
  command.add_option("--format", request.format, "What to write to standard output")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_option("--color", request.color, "Color in text; auto: on a terminal, unless NO_COLOR is set")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  command.add_option("--jobs,-j", request.evaluate.jobs, "Files that are worked on at once")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command.add_flag("--tradeoff", request.evaluate.tradeoffs,
                   "Add trade-off curves (type I against type II error) of the worst pairs to the JSON");
  const std::string group = "Limits";
  command.add_option("--max-seconds", limits.max_seconds, "Time for one spec")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-cells", limits.max_cells, "Inputs x outputs that may be enumerated")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-inputs", limits.max_inputs, "Inputs of a domain")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 31))
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-memory-mb", limits.max_memory_mb, "Memory of the program")
      ->check(CLI::Range(std::uint64_t{16}, std::uint64_t{1} << 30))
      ->capture_default_str()
      ->group(group);
  command.add_option("--max-file-mb", limits.max_file_mb, "Size of one file")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4000}))
      ->capture_default_str()
      ->group(group);
}

// CLI11 tells what is wrong; a near word makes it easier to mend.
std::string usage_hint(const std::vector<std::string>& arguments, const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands({})) {
    words.push_back(command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) words.push_back("--" + name);
    }
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string word = arguments[i].substr(0, arguments[i].find('='));
    const bool could_be_command = i == 0 || word.starts_with("--");
    if (!could_be_command || std::find(words.begin(), words.end(), word) != words.end()) continue;
    const std::string hint = suggestion(word, words);
    if (!hint.empty()) return " (" + hint + ")";
  }
  return " (see oddsbound --help)";
}

constexpr const char* kExamples = R"(
Examples:
  oddsbound analyze specs/gallery/titanic.json
  oddsbound verify specs/gallery
  oddsbound verify --format json my-spec.json > result.json
  generate-spec | oddsbound analyze -

Exit status: 0 every claim came out as expected, 1 at least one did not,
2 the request or a file is wrong, 3 nothing failed but something stayed undecided.)";

int run(int argc, char** argv) {
  CLI::App app{"oddsbound: exact privacy levels of randomized mechanisms", "oddsbound"};
  app.footer(kExamples);
  app.set_version_flag("--version", "oddsbound " ODDSBOUND_VERSION);
  app.require_subcommand(1);
  Request request;
  CLI::App* analyze = app.add_subcommand("analyze", "Show every privacy level of a mechanism, exactly");
  add_options(*analyze, request);
  analyze->footer("\nExample:\n  oddsbound analyze specs/gallery/titanic.json");
  CLI::App* verify = app.add_subcommand("verify", "Decide the claims of spec files");
  add_options(*verify, request);
  verify->footer("\nExample:\n  oddsbound verify --jobs 2 specs/gallery");
  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of spec files");
  schema->footer("\nExample:\n  oddsbound schema > oddsbound.schema.json");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    complain(error.what() + usage_hint({argv + 1, argv + argc}, app));
    return kUsage;
  }
  if (schema->parsed()) return write_out(schema_text()) ? 0 : kUsage;
  return run_specs(request, verify->parsed());
}

}  // namespace

int main(int argc, char** argv) {
  // Arrays of many megabytes come and go while a large spec is ranked; keeping their pages saves faulting them in anew.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return kUsage;
}
