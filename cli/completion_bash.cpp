// bash: one function, which puts what the word at the cursor may become into COMPREPLY.
#include <fmt/format.h>

#include "cli/completion.h"

namespace oddsbound::cli {

std::string bash_completion(const std::vector<CommandRow>& table) {
  std::string text = R"sh(# bash completion for oddsbound, made by `oddsbound completion bash`.
_oddsbound_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

_oddsbound() {
  local command=oddsbound cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} word i files=
  local -a words=() options=()
  COMPREPLY=()
  # bash takes --option=value apart.
  if [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == = ]]; then
    cur=
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${COMP_WORDS[i]}" in
)sh";
  text += "      " + list(value_options(table), " | ", quoted) + ") ((++i)) ;;\n";
  text += "      " + list(subcommand_paths(table), " | ", quoted) +
          ") command+=\" ${COMP_WORDS[i]}\" ;;\n    esac\n  done\n";
  text += "  case \"$command $prev\" in\n";
  const std::vector<std::string> files =
      value_options(table, [](const OptionRow& option) { return option.may_be_file(); });
  const std::vector<std::string> others =
      value_options(table, [](const OptionRow& option) { return !option.may_be_file() && option.values.empty(); });
  if (!files.empty()) text += "    " + list(files, " | ", quoted) + ") _oddsbound_files \"$cur\"; return ;;\n";
  if (!others.empty()) text += "    " + list(others, " | ", quoted) + ") return ;;\n";
  for (const CommandRow& command : table) {
    for (const OptionRow& option : command.options) {
      if (option.positional || option.values.empty()) continue;
      text += "    " +
              list(option.names, " | ", [&](const std::string& name) { return quoted(command.path + " " + name); }) +
              ") words=(" + list(option.values, " ", quoted) + ") ;;\n";
    }
  }
  text += "    *)\n      case $command in\n";
  for (const CommandRow& command : table) {
    std::vector<std::string> words, options;
    for (const auto& [name, description] : command.subcommands) words.push_back(name);
    for (const OptionRow& option : command.options) {
      std::vector<std::string>& to = option.positional ? words : options;
      const std::vector<std::string>& from = option.positional ? option.values : option.names;
      to.insert(to.end(), from.begin(), from.end());
    }
    text += fmt::format("        {})\n          words=({})\n          options=({})\n          files={} ;;\n",
                        quoted(command.path), list(words, " ", quoted), list(options, " ", quoted),
                        takes_files(command) ? "yes" : "");
  }
  return text + R"sh(      esac ;;
  esac
  [[ $files && $cur != -* ]] && _oddsbound_files "$cur"
  [[ $cur == -* || ! ($files || ${words[*]}) ]] && words=("${options[@]}")
  for word in "${words[@]}"; do
    [[ $word == "$cur"* ]] && COMPREPLY+=("$(printf %q "$word")")
  done
}

complete -F _oddsbound oddsbound
)sh";
}

}  // namespace oddsbound::cli
