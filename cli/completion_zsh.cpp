// zsh: the specifications of _arguments, one set a command.
#include <fmt/format.h>

#include "cli/completion.h"

namespace oddsbound::cli {

namespace {

// What _arguments is to offer for one option or positional: "(--a)--a=[what]:TYPE:(b c)".
std::string zsh_specs(const OptionRow& option) {
  const auto plain = [](const std::string& text) { return escaped(text, "\\:[]"); };
  std::string value;
  if (option.takes_value()) {
    value = ":" + plain(option.positional ? option.description : option.type) + ":";
    if (!option.values.empty()) {
      value += "(" + list(option.values, " ", [](const std::string& text) { return escaped(word(text), ":"); }) + ")";
    } else if (option.may_be_file()) {
      value += "_files";
    }
  }
  if (option.positional) return " \\\n        " + quoted((option.repeatable ? "*" : "") + value);
  std::string text;
  for (const std::string& name : option.names) {
    const std::string before = option.repeatable ? "*" : "(" + list(option.names, " ", std::identity{}) + ")";
    const std::string joined = !option.takes_value() ? "" : name.starts_with("--") ? "=" : "+";
    text += " \\\n        " + quoted(before + name + joined + "[" + plain(option.description) + "]" + value);
  }
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandRow>& table) {
  std::string text = R"sh(#compdef oddsbound
# zsh completion for oddsbound, made by `oddsbound completion zsh`.
_oddsbound() {
  local command=oddsbound
  local -a commands
  local -i i at=1
  for ((i = 2; i < CURRENT; ++i)); do
    case "$command ${words[i]}" in
)sh";
  text += "      (" + list(value_options(table), " | ", quoted) + ") ((++i)) ;;\n";
  text += "      (" + list(subcommand_paths(table), " | ", quoted) +
          ") command+=\" ${words[i]}\"; at=i ;;\n    esac\n  done\n";
  text += "  shift $((at - 1)) words\n  ((CURRENT -= at - 1))\n  case $command in\n";
  for (const CommandRow& command : table) {
    text += "    (" + quoted(command.path) + ")\n";
    std::string specs, positionals;
    for (const OptionRow& option : command.options) (option.positional ? positionals : specs) += zsh_specs(option);
    if (!command.subcommands.empty()) {
      text += "      commands=(";
      for (const auto& [name, description] : command.subcommands) {
        text += "\n        " + quoted(escaped(name, "\\:") + ":" + description);
      }
      text += ")\n";
      positionals =
          fmt::format(" \\\n        '*: :{{_describe command commands{}}}'", takes_files(command) ? "; _files" : "");
    }
    text += "      _arguments -s -S" + specs + positionals + " ;;\n";
  }
  return text + R"sh(  esac
}

# Loaded by compinit this file is the function's body; sourced, it only defines it.
if [[ $funcstack[1] == _oddsbound ]]; then
  _oddsbound "$@"
else
  compdef _oddsbound oddsbound
fi
)sh";
}

}  // namespace oddsbound::cli
