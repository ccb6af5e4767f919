// Shared by the subcommands: common options, validators, error messages, and output to the terminal.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "oddsbound/options.h"

namespace oddsbound::cli {

class Outputs;

constexpr int kUsage = 2;
constexpr int kLimit = 3;

/// A subcommand: its parser, and the function that runs it after parsing and returns the exit status.
struct Command {
  CLI::App* parser;
  std::function<int()> run;
};

/// One function per subcommand; each registers itself with the program.
Command analyze_command(CLI::App& app);
Command verify_command(CLI::App& app);
Command schema_command(CLI::App& app);
Command mechanisms_command(CLI::App& app);
Command sample_command(CLI::App& app);
Command estimate_command(CLI::App& app);
Command audit_command(CLI::App& app);
Command search_command(CLI::App& app);
Command split_command(CLI::App& app);
Command new_command(CLI::App& app);
Command tune_command(CLI::App& app);
Command compare_command(CLI::App& app);
Command compose_command(CLI::App& app);
Command report_command(CLI::App& app);
Command lock_command(CLI::App& app);
Command completion_command(CLI::App& app);
Command man_command(CLI::App& app);
/// The commands of the modules that are built (cmake/modules.cmake).
std::vector<Command> module_commands(CLI::App& app);

/// A result of a module that `oddsbound report` draws as a page of its own.
struct ModuleResult {
  std::string name;  // "a release"
  bool (*is_one)(const Text& json);
  /// The page; `formats` are those asked for. Returns the exit status.
  int (*report)(const Text& json, const Outputs& outputs, const Limits& limits);
};
std::vector<ModuleResult> module_results();

/// The JSON Schemas that are built into the program.
struct Schema {
  const char* kind;  // of file: "spec", "design", "release", "plan" or "lock"
  const char* text;
};
const std::vector<Schema>& schemas();

void add_limits(CLI::App& command, Limits& limits);
/// Adds --threads, the number of threads for one file.
void add_threads(CLI::App& command, Limits& limits, const std::string& none = "as many as there are cores");
void add_smt_limits(CLI::App& command, SmtOptions& options);
void add_format(CLI::App& command, std::string& format, const std::vector<std::string>& formats);
void add_color(CLI::App& command, std::string& color);
/// Adds an option that is one of these words.
template <typename Choice>
CLI::Option* add_choice(CLI::App& command, const std::string& option, Choice& choice,
                        const std::vector<std::pair<std::string, Choice>>& words, const std::string& help) {
  std::vector<std::string> known;
  for (const auto& [word, meaning] : words) known.push_back(word);
  const auto set = [&choice, &words](const std::string& given) {
    for (const auto& [word, meaning] : words) {
      if (word == given) choice = meaning;
    }
  };
  return command.add_option_function<std::string>(option, set, help)->check(CLI::IsMember(known));
}
/// Makes is_terminal() return false: launchers of several processes give each one a pseudo-terminal.
void expect_no_terminal();
bool is_terminal(int descriptor);
bool use_color(const std::string& choice);
/// Returns the width of the terminal on standard output, otherwise COLUMNS, otherwise 100; at least 20.
std::size_t text_width();

/// Accepts finite numbers above 0; rejects anything else, such as "nan".
CLI::Validator above_zero();
/// Parses a fraction from 0 to 1: "5%", "0.05" or "1/20". Returns nullopt after a complaint that names the option.
std::optional<Number> read_share(const std::string& option, const std::string& text);
/// Accepts integers from 0 to 2^64 - 1. Without it, others would be silently truncated or read as 0.
CLI::Validator whole_number();

/// Writes lines to standard error without terminal control sequences. Ignores a closed standard error.
void tell(const std::string& text);
/// Writes "error: message" to standard error, in one line.
void complain(const std::string& message);
/// Writes to standard error unchanged; for terminals only.
void steer_terminal(const std::string& text);
/// Writes to standard output unchanged. Returns false after complain_of_output() unless everything is written.
bool write_out(const std::string& text);
/// Complains that standard output cannot be written, by errno. Silent if its reader has closed the pipe, as `head`
/// does.
void complain_of_output();
/// The same for text for people: without terminal control sequences, except this program's colors.
bool write_text(const std::string& text);

}  // namespace oddsbound::cli
