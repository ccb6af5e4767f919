// completion: scripts for bash, zsh and fish that complete commands, options and their permitted values. Each script
// walks over the words of the line to find the current command, and skips the values of options: after `audit --plan`,
// `merge` is a file.
#include <fmt/format.h>
#include <algorithm>
#include <functional>

#include "cli/common.h"
#include "cli/option_table.h"

namespace oddsbound::cli {

namespace {

/// Quotes any text as one word for bash and zsh.
std::string quoted(const std::string& text) { return "'" + with(text, '\'', "'\\''") + "'"; }

/// Escapes text for a place that a shell parses a second time.
std::string word(const std::string& text) { return escaped(text, " \t\\'\"`$&;|<>()[]{}*?!#~^"); }

template <typename Texts, typename Quote>
std::string list(const Texts& texts, const char* separator, Quote quote) {
  std::string result;
  for (const std::string& text : texts) result += (result.empty() ? "" : separator) + quote(text);
  return result;
}

/// Returns "oddsbound verify --jobs" for every option that takes a value and for which belongs(option) holds.
std::vector<std::string> value_options(
    const std::vector<CommandRow>& table,
    const std::function<bool(const OptionRow&)>& belongs = [](const OptionRow&) { return true; }) {
  std::vector<std::string> found;
  for (const CommandRow& command : table) {
    for (const OptionRow& option : command.options) {
      if (option.positional || !option.takes_value() || !belongs(option)) continue;
      for (const std::string& name : option.names) found.push_back(command.path + " " + name);
    }
  }
  return found;
}

/// Returns "oddsbound verify" for every command except the program itself.
std::vector<std::string> subcommand_paths(const std::vector<CommandRow>& table) {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < table.size(); ++i) paths.push_back(table[i].path);
  return paths;
}

/// True if the command's positional arguments may be files.
bool takes_files(const CommandRow& command) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [](const OptionRow& option) { return option.positional && option.may_be_file(); });
}

// bash: one function, which puts the completions of the current word into COMPREPLY.

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

// fish: one `complete` per command, option and positional, with the condition under which it is offered.

// fish is the only one of the three shells with escapes inside single quotes.
std::string fish_quoted(const std::string& text) { return "'" + escaped(text, "\\'") + "'"; }

std::string fish_completion(const std::vector<CommandRow>& table) {
  std::string text = R"sh(# fish completion for oddsbound, made by `oddsbound completion fish`.
function __oddsbound_command_is
    set -l command oddsbound
    set -l skip no
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
            continue
        end
        switch "$command $word"
)sh";
  text += "            case " + list(value_options(table), " ", fish_quoted) + "\n                set skip yes\n";
  text += "            case " + list(subcommand_paths(table), " ", fish_quoted) +
          "\n                set command \"$command $word\"\n";
  text += "        end\n    end\n    test \"$command\" = \"$argv\"\nend\n\ncomplete -c oddsbound -f\n";
  const auto offered = [](const std::vector<std::string>& values) { return fish_quoted(list(values, " ", word)); };
  for (const CommandRow& command : table) {
    const std::string here = "complete -c oddsbound -n " + fish_quoted("__oddsbound_command_is " + command.path);
    for (const auto& [name, description] : command.subcommands) {
      text += here + " -a " + offered({name}) + " -d " + fish_quoted(description) + "\n";
    }
    for (const OptionRow& option : command.options) {
      std::string line = here;
      for (const std::string& name : option.names) {
        if (!option.positional)
          line += (name.starts_with("--") ? " -l " : " -s ") + fish_quoted(name.substr(name.find_first_not_of('-')));
      }
      if (option.takes_value() && !option.positional) line += option.may_be_file() ? " -r" : " -x";
      if (option.may_be_file()) line += " -F";
      if (!option.values.empty()) line += " -a " + offered(option.values);
      text += line + " -d " + fish_quoted(option.description) + "\n";
    }
  }
  return text;
}

// zsh: specifications for _arguments, one set per command.

// Returns the _arguments specification of one option or positional: "(--a)--a=[what]:TYPE:(b c)".
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

}  // namespace

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
