// The command line: parses the arguments and runs one subcommand.
#include <malloc.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <new>
#include <sstream>

#include "base/errors.h"
#include "base/task.h"
#include "cli/common.h"
#include "cli/option_table.h"
#include "cli/shared_run.h"
#include "reports/words.h"
#include "specs/spec_error.h"

namespace {

using namespace oddsbound;
using namespace oddsbound::cli;

// A usage error as this program words it: it names an unknown command or option, and its hint is a word of the same
// command.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;
  std::string path = app.get_name(), parents;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    path += " " + command->get_name();
    parents += command->get_name() + " ";
  }
  const std::string help = "see '" + path + " --help'";
  const auto hint = [&](const std::string& unknown, const std::vector<std::string>& known) {
    const auto begins = [&](const std::string& word) { return word.starts_with(unknown); };
    const auto begun = std::find_if(known.begin(), known.end(), begins);  // "anal" for "analyze"
    if (begun != known.end() && std::none_of(begun + 1, known.end(), begins)) return "did you mean '" + *begun + "'?";
    const std::string near = suggestion(unknown, known);
    return near.empty() ? help : near;
  };
  const std::vector<std::string> rest = command->remaining();
  if (command->get_require_subcommand_min() > 0 && !rest.empty() && !rest.front().starts_with('-')) {
    std::vector<std::string> commands;
    for (const CLI::App* known : command->get_subcommands({})) commands.push_back(parents + known->get_name());
    const std::string unknown = parents + rest.front();
    return "unknown command '" + printable(unknown, 60) + "'; " + hint(unknown, commands);
  }
  if (command->get_require_subcommand_min() > 0 && rest.empty()) {
    std::vector<std::string> commands;
    for (const CLI::App* known : command->get_subcommands({}))
      commands.push_back("'" + parents + known->get_name() + "'");
    return "'" + path + "' needs a command: " + reports::joined(commands) + " (" + help + ")";
  }
  const auto option = std::find_if(rest.begin(), rest.end(), [](const auto& word) { return word.starts_with('-'); });
  if (option == rest.end() || *option == "-") {
    const std::string said = error.what(), is_required = " is required";
    const bool is_name = said.ends_with(is_required) && said.find(' ') == said.size() - is_required.size();
    if (const std::size_t known = said.find(" not in {"); known != std::string::npos && said.ends_with('}')) {
      const std::size_t value = std::min(said.find(": "), known);
      std::vector<std::string> words(1);
      for (const char c : said.substr(known + std::string(" not in {").size())) {
        if (c == ',') words.emplace_back();
        if (c != ',' && c != '}') words.back() += c;
      }
      const std::string given = value == known ? said.substr(0, known) : said.substr(value + 2, known - value - 2);
      const std::string near = suggestion(given, words);
      return (value == known ? "" : said.substr(0, value + 2)) + "found '" + printable(given, 60) + "', expected " +
             listing(words) + " (" + (near.empty() ? help : near) + ")";
    }
    const std::string name = is_name ? said.substr(0, said.size() - is_required.size()) : "";
    return (!is_name                ? said
            : name.starts_with('-') ? "the option " + name + " is missing"
                                    : "the argument '" + name + "' is missing") +
           " (" + help + ")";
  }
  const std::string unknown = option->substr(0, option->find('='));
  std::vector<std::string> options;
  for (const CLI::Option* known : command->get_options()) {
    for (const std::string& name : known->get_lnames()) options.push_back("--" + name);
  }
  const bool means_threads =
      unknown.starts_with("-j") && std::find(options.begin(), options.end(), "--threads") != options.end();
  return "unknown option '" + printable(unknown, 40) + "' (" +
         (means_threads ? "did you mean '--threads'?" : hint(unknown, options)) + ")";
}

constexpr const char* kExamples = R"(
Examples:
  oddsbound new specs/gallery/data/titanic.csv --count count --hide survived --epsilon 1
  oddsbound analyze specs/gallery/titanic.json
  oddsbound verify specs/gallery
  oddsbound verify --format json specs/gallery/titanic.json > result.json
  cat specs/gallery/warner.json | oddsbound analyze -
  oddsbound sample specs/gallery/warner.json --input yes --count 10
  oddsbound audit --exhaustive specs/gallery/hadamard-response.json
  oddsbound search --property 'bcdp composes'
  oddsbound release specs/releases/survey.release.json specs/releases/data/people.csv
  oddsbound design specs/designs/grid.design.json -o best.json
  oddsbound tune specs/gallery/bcdp-example-2-twice.json --parameter /mechanism/times --integers --from 1 --to 50
  oddsbound compare specs/gallery/bcdp-example-2-once.json specs/gallery/bcdp-example-2-twice.json
  oddsbound compose specs/gallery/warner.json --times 100 --delta 1e-6
  oddsbound split --delta age=1 job=2 --correlation 1/10
  oddsbound verify --format html --output report.html specs/gallery
  oddsbound lock write specs/gallery && oddsbound lock check

Exit status: 0 every claim came out as expected, 1 at least one did not,
2 the request or a file is wrong, 3 nothing failed but something stayed undecided.)";

/// Help whose examples name installed files, if the program is installed: .../bin/oddsbound beside .../share/oddsbound.
/// In a build folder, they name files of the source.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_footer(const CLI::App* app) const override {
    std::error_code ignored;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::filesystem::path share = program.parent_path().parent_path() / "share";
    const std::string footer = CLI::Formatter::make_footer(app);
    return std::filesystem::is_directory(share / "oddsbound" / "gallery", ignored)
               ? with_installed_paths(footer, share.string())
               : footer;
  }
};

/// Rejects empty names: an unset shell variable in `--certificates "$FOLDER"` would otherwise write nothing,
/// silently. Rejects names that look like options: `-o --format text` has lost its file.
void require_names(CLI::App& command) {
  const auto complaint = [](const std::string& name) -> std::string {
    if (name.empty()) return "found '', expected a name";
    if (!name.starts_with('-') || name == "-") return "";
    const std::string shown = printable(name, 40);
    return "found '" + shown + "', expected a name; write './" + shown + "' for a file of this name";
  };
  for (CLI::Option* option : command.get_options()) {
    if (option->get_type_name() == "FILE" || option->get_type_name() == "DIR") option->check(complaint, "");
  }
  for (CLI::App* part : command.get_subcommands({})) require_names(*part);
}

// Reports errors here, while other processes still exist: at the end, this process may wait for one of them.
int run_command(const Command& command) {
  try {
    return command.run();
  } catch (const base::Abandoned&) {
    return 0;  // a worker, sent home during its work
  } catch (const base::LimitError& error) {
    complain(error.what());
    return kLimit;
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return kUsage;
}

int run(int argc, char** argv) {
  // Must come first: if there are several processes, only one reports errors, even usage errors.
  const std::shared_ptr<void> processes = join_processes({argv + 1, argv + argc});
  CLI::App app{"oddsbound: exact privacy levels of randomized mechanisms", "oddsbound"};
  app.footer(kExamples);
  app.formatter(std::make_shared<HelpFormatter>());  // subcommands inherit it
  app.set_version_flag("--version", "oddsbound " ODDSBOUND_VERSION);
  app.require_subcommand(1);
  std::vector<Command> commands{
      new_command(app),      analyze_command(app), verify_command(app),  report_command(app),     lock_command(app),
      tune_command(app),     compare_command(app), compose_command(app), mechanisms_command(app), sample_command(app),
      estimate_command(app), audit_command(app),   search_command(app),  split_command(app)};
  for (const Command& command : module_commands(app)) commands.push_back(command);
  commands.insert(commands.end(), {schema_command(app), completion_command(app), man_command(app)});
  require_names(app);
  if (argc <= 1) {
    write_out(app.help());
    return kUsage;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      // Help is output like any other: a full disk is a failure.
      std::ostringstream text;
      app.exit(error, text, text);
      return write_out(text.str()) ? 0 : kUsage;
    }
    complain(usage_error(app, error));
    return kUsage;
  }
  const auto chosen =
      std::find_if(commands.begin(), commands.end(), [](const Command& c) { return c.parser->parsed(); });
  if (only_helps() && !chosen->parser->get_option_no_throw("--checkpoint")) return 0;  // one process does it
  const int status = run_command(*chosen);
  return only_helps() ? 0 : status;
}

}  // namespace

int main(int argc, char** argv) {
  // Ranking a large spec allocates and frees arrays of many megabytes; keeping their pages avoids new page faults.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is then a write error, like a full disk
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return kUsage;
}
