// fish: a `complete` for every command, option and positional, with the condition under which it is offered.
#include "cli/completion.h"

namespace oddsbound::cli {

namespace {

// The only shell of the three with escapes within single quotes.
std::string fish_quoted(const std::string& text) { return "'" + escaped(text, "\\'") + "'"; }

}  // namespace

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

}  // namespace oddsbound::cli
