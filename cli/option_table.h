// The program's commands and options as plain data, read from the parser itself. Completions and the man page are
// generated from it, so they always match the program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace oddsbound::cli {

struct OptionRow {
  std::vector<std::string> names;   // as typed, "-j" before "--jobs"; one bare word for a positional
  std::string description;          // one line
  std::string group;                // the heading that --help shows it under
  std::string type;                 // "UINT"; empty for a flag
  std::vector<std::string> limits;  // the parser's other checks: "INT in [1 - 1024]"
  std::vector<std::string> values;  // the permitted values, if they are a list
  std::string default_value;
  bool positional = false;
  bool required = false;
  bool repeatable = false;

  bool takes_value() const { return !type.empty(); }
  /// True if the value may name a file: any text may, a number may not.
  bool may_be_file() const {
    return values.empty() && (type == "FILE" || type == "DIR" || (positional && type == "TEXT"));
  }
};

struct CommandRow {
  std::string path;  // "oddsbound audit merge"
  std::string description;
  std::vector<std::string> examples;                             // indented lines below the options in --help
  std::vector<std::string> paragraphs;                           // the other text there, unwrapped
  std::vector<OptionRow> options;                                // positionals too, in the order of --help
  std::vector<std::pair<std::string, std::string>> subcommands;  // name, description
};

/// Returns every command, each before its subcommands, without those that --help hides.
std::vector<CommandRow> command_table(const CLI::App& app);

/// Returns the text with a backslash before every character of `special`.
std::string escaped(const std::string& text, std::string_view special);

/// Returns the text with every occurrence of a character replaced.
std::string with(const std::string& text, char character, const std::string& replacement);

/// Examples with the paths of installed files in place of those in the source. share: the installed folder "share".
std::string with_installed_paths(std::string examples, const std::string& share);

}  // namespace oddsbound::cli
