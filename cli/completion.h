// What the completion scripts of the shells share. Each script finds out which command a line is about by walking over
// its words, and skips the values of options on the way: after `audit --plan`, `merge` is a file.
#pragma once

#include <functional>

#include "cli/option_table.h"

namespace oddsbound::cli {

std::string bash_completion(const std::vector<CommandRow>& table);
std::string zsh_completion(const std::vector<CommandRow>& table);
std::string fish_completion(const std::vector<CommandRow>& table);

/// Text as one word of bash and zsh, whatever it holds.
std::string quoted(const std::string& text);
/// The same within a text that a shell reads a second time.
std::string word(const std::string& text);

template <typename Texts, typename Quote>
std::string list(const Texts& texts, const char* separator, Quote quote) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : separator) + quote(text);
  return result;
}

/// "oddsbound verify --jobs" for every option that takes a value and belongs.
std::vector<std::string> value_options(const std::vector<CommandRow>& table,
                                       const std::function<bool(const OptionRow&)>& belongs);
inline std::vector<std::string> value_options(const std::vector<CommandRow>& table) {
  return value_options(table, [](const OptionRow&) { return true; });
}
/// "oddsbound verify" for every command but the program itself.
std::vector<std::string> subcommand_paths(const std::vector<CommandRow>& table);
/// Whether the command's own arguments may be files.
bool takes_files(const CommandRow& command);

}  // namespace oddsbound::cli
