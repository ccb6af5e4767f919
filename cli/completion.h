// Helpers of the shell completion scripts. Each script walks over the words of the line to find the current
// command, and skips the values of options: after `audit --plan`, `merge` is a file.
#pragma once

#include <functional>

#include "cli/option_table.h"

namespace oddsbound::cli {

std::string bash_completion(const std::vector<CommandRow>& table);
std::string zsh_completion(const std::vector<CommandRow>& table);
std::string fish_completion(const std::vector<CommandRow>& table);

/// Quotes any text as one word for bash and zsh.
std::string quoted(const std::string& text);
/// Escapes text for a place that a shell parses a second time.
std::string word(const std::string& text);

template <typename Texts, typename Quote>
std::string list(const Texts& texts, const char* separator, Quote quote) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : separator) + quote(text);
  return result;
}

/// Returns "oddsbound verify --jobs" for every option that takes a value and for which belongs(option) holds.
std::vector<std::string> value_options(const std::vector<CommandRow>& table,
                                       const std::function<bool(const OptionRow&)>& belongs);
inline std::vector<std::string> value_options(const std::vector<CommandRow>& table) {
  return value_options(table, [](const OptionRow&) { return true; });
}
/// Returns "oddsbound verify" for every command except the program itself.
std::vector<std::string> subcommand_paths(const std::vector<CommandRow>& table);
/// True if the command's positional arguments may be files.
bool takes_files(const CommandRow& command);

}  // namespace oddsbound::cli
