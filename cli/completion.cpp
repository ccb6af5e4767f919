// completion: scripts by which bash, zsh and fish complete the program's commands, options and their permitted values.
#include "cli/completion.h"

#include <algorithm>

#include "cli/common.h"

namespace oddsbound::cli {

std::string quoted(const std::string& text) { return "'" + with(text, '\'', "'\\''") + "'"; }

std::string word(const std::string& text) { return escaped(text, " \t\\'\"`$&;|<>()[]{}*?!#~^"); }

std::vector<std::string> value_options(const std::vector<CommandRow>& table,
                                       const std::function<bool(const OptionRow&)>& belongs) {
  std::vector<std::string> found;
  for (const CommandRow& command : table) {
    for (const OptionRow& option : command.options) {
      if (option.positional || !option.takes_value() || !belongs(option)) continue;
      for (const std::string& name : option.names) found.push_back(command.path + " " + name);
    }
  }
  return found;
}

std::vector<std::string> subcommand_paths(const std::vector<CommandRow>& table) {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < table.size(); ++i) paths.push_back(table[i].path);
  return paths;
}

bool takes_files(const CommandRow& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const OptionRow& option) { return option.positional && option.may_be_file(); });
}

Command completion_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("completion", "Print a script by which a shell completes this program's arguments");
  command->footer(
      "\nExamples:\n"
      "  eval \"$(oddsbound completion bash)\"\n"
      "  source <(oddsbound completion zsh)\n"
      "  oddsbound completion fish | source");
  auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "The shell")->check(CLI::IsMember({"bash", "zsh", "fish"}))->required();
  return {command, [&app, shell] {
            const std::vector<CommandRow> table = command_table(app);
            return write_out(*shell == "bash"  ? bash_completion(table)
                             : *shell == "zsh" ? zsh_completion(table)
                                               : fish_completion(table))
                       ? 0
                       : kUsage;
          }};
}

}  // namespace oddsbound::cli
