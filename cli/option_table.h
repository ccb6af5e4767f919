// The program's commands and options as plain values, read from the parser itself: what completions and the man page
// are made from, so that neither can say anything else than the program does.
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
  std::vector<std::string> limits;  // what else the parser checks: "INT in [1 - 1024]"
  std::vector<std::string> values;  // the permitted ones, if it is a list
  std::string default_value;
  bool positional = false;
  bool required = false;
  bool repeatable = false;

  bool takes_value() const { return !type.empty(); }
  /// Any text may name a file; a number does not.
  bool may_be_file() const {
    return values.empty() && (type == "FILE" || type == "DIR" || (positional && type == "TEXT"));
  }
};

struct CommandRow {
  std::string path;  // "oddsbound audit merge"
  std::string description;
  std::vector<std::string> examples;                             // what --help indents below the options, as it is
  std::vector<std::string> paragraphs;                           // what else it says there, unwrapped
  std::vector<OptionRow> options;                                // positionals too, in the order of --help
  std::vector<std::pair<std::string, std::string>> subcommands;  // name, description
};

/// Every command of the program, each before its subcommands; what --help hides is left out.
std::vector<CommandRow> command_table(const CLI::App& app);

/// text with every character of `special` behind a backslash.
std::string escaped(const std::string& text, std::string_view special);

/// text with every occurrence of a character replaced.
std::string with(const std::string& text, char character, const std::string& replacement);

}  // namespace oddsbound::cli
