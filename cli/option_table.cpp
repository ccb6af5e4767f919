#include "cli/option_table.h"

#include <fmt/format.h>
#include <algorithm>
#include <sstream>

#include "cli/common.h"

namespace oddsbound::cli {

namespace {

// Parses "TEXT:{text,json}:POSITIVE": a type and further checks. CLI11 offers no other access to them.
void read_type(const std::string& text, OptionRow& row) {
  const std::vector<std::string> parts = CLI::detail::split(text, ':');
  row.type = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string& part = parts[i];
    if (part.starts_with('{') && part.ends_with('}')) {
      row.values = CLI::detail::split(part.substr(1, part.size() - 2), ',');
    } else if (!part.empty()) {
      row.limits.push_back(part);
    }
  }
}

void read_footer(const std::string& text, CommandRow& row) {
  std::istringstream lines(text);
  std::string line;
  bool new_paragraph = true;
  while (std::getline(lines, line)) {
    if (line.starts_with("  ")) {
      row.examples.push_back(line.substr(2));
    } else if (!line.empty() && line != "Example:" && line != "Examples:") {
      if (new_paragraph) row.paragraphs.emplace_back();
      row.paragraphs.back() += (row.paragraphs.back().empty() ? "" : " ") + line;
      new_paragraph = false;
      continue;
    }
    new_paragraph = true;
  }
}

OptionRow option_row(const CLI::Option& option) {
  OptionRow row;
  row.positional = option.get_positional();
  if (row.positional) {
    row.names.push_back(option.get_name(true));
  } else {
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
  }
  row.description = with(option.get_description(), '\n', " ");
  row.group = option.get_group();
  row.required = option.get_required();
  row.repeatable = option.get_expected_max() >= CLI::detail::expected_max_vector_size;
  if (option.get_type_size() != 0) {
    read_type(option.get_type_name(), row);
    row.default_value = option.get_default_str();
  }
  return row;
}

bool shown(const CLI::App& command) { return !command.get_group().empty() && !command.get_name().empty(); }

void add_rows(const CLI::App& app, const std::string& parent, std::vector<CommandRow>& table) {
  CommandRow row;
  row.path = parent.empty() ? app.get_name() : parent + " " + app.get_name();
  row.description = with(app.get_description(), '\n', " ");
  // A subcommand inherits its parent's footer unless it has its own.
  const bool inherited = !parent.empty() && app.get_footer() == app.get_parent()->get_footer();
  if (!inherited) read_footer(app.get_footer(), row);
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) row.options.push_back(option_row(*option));
  }
  const std::vector<const CLI::App*> subcommands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* command : subcommands) {
    if (shown(*command)) row.subcommands.emplace_back(command->get_name(), with(command->get_description(), '\n', " "));
  }
  const std::string path = row.path;
  table.push_back(std::move(row));
  for (const CLI::App* command : subcommands) {
    if (shown(*command)) add_rows(*command, path, table);
  }
}

}  // namespace

std::vector<CommandRow> command_table(const CLI::App& app) {
  std::vector<CommandRow> table;
  add_rows(app, "", table);
  return table;
}

std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string with_installed_paths(std::string examples, const std::string& share) {
  for (const auto& [source, installed] :
       {std::pair<std::string, std::string>{" specs/", "/oddsbound/"}, {" examples/", "/doc/oddsbound/examples/"}}) {
    for (std::size_t at = 0; (at = examples.find(source, at)) != std::string::npos;) {
      examples.replace(at + 1, source.size() - 1, share + installed);
    }
  }
  return examples;
}

std::string with(const std::string& text, char character, const std::string& replacement) {
  std::string result;
  for (const char c : text) {
    if (c == character) {
      result += replacement;
    } else {
      result += c;
    }
  }
  return result;
}

// man: the manual page in roff, from the same definitions that parse the arguments.

namespace {

// Escapes text for roff: a backslash anywhere, and a dot or quote at the start of a line, would be a command.
// Plain hyphens and quotes may be typeset as characters that cannot be pasted into a shell.
std::string roff(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    switch (c) {
      case '\\': result += "\\e"; break;
      case '-': result += "\\-"; break;
      case '\'': result += "\\(aq"; break;
      case '`': result += "\\(ga"; break;
      case '"': result += "\\(dq"; break;
      case '^': result += "\\(ha"; break;
      case '~': result += "\\(ti"; break;
      default: result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string sentence(const std::string& text) {
  return roff(text) + (text.empty() || text.ends_with('.') || text.ends_with('?') ? "" : ".") + "\n";
}

std::string examples(const CommandRow& command) {
  std::string text = command.examples.empty() ? "" : ".PP\n.nf\n.RS 4\n";
  for (const std::string& line : command.examples) text += roff(with_installed_paths(line, "/usr/share")) + "\n";
  return command.examples.empty() ? text : text + ".RE\n.fi\n";
}

// Words "INT in [1 - 8]" and "POSITIVE" for readers.
std::string range(const std::string& limit) {
  const std::size_t bracket = limit.find(" in [");
  if (bracket != std::string::npos && limit.ends_with(']'))
    return limit.substr(bracket + 5, limit.size() - bracket - 6);
  return limit == "POSITIVE" ? "more than 0" : limit;
}

std::string option_entry(const OptionRow& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += (names.empty() ? "" : ", ") + (option.positional ? italic(name) : bold(name));
  }
  if (option.takes_value() && !option.positional) names += " " + italic(option.type);
  if (option.repeatable) names += " ...";
  std::string text = ".TP\n" + names + "\n" + sentence(option.description);
  if (!option.values.empty()) text += roff(fmt::format("One of: {}.", fmt::join(option.values, ", "))) + "\n";
  for (const std::string& limit : option.limits) text += "Permitted: " + roff(range(limit)) + ".\n";
  if (!option.default_value.empty()) text += "Default: " + bold(option.default_value) + "\n";
  if (option.required) text += "Required.\n";
  return text;
}

std::string usage(const CommandRow& command) {
  std::string text = bold(command.path) + " [" + italic("options") + "]";
  for (const OptionRow& option : command.options) {
    if (!option.positional) continue;
    const std::string name = italic(option.names.front()) + (option.repeatable ? " ..." : "");
    text += option.required ? " " + name : " [" + name + "]";
  }
  return command.subcommands.empty() ? text : text + " [" + italic("command") + "]";
}

// Lists in the order of --help: arguments first, then options group by group.
std::string options(const CommandRow& command) {
  std::vector<std::string> groups{"Options"};
  for (const OptionRow& option : command.options) {
    if (option.positional || std::find(groups.begin(), groups.end(), option.group) != groups.end()) continue;
    groups.push_back(option.group);
  }
  std::string text;
  for (const OptionRow& option : command.options) {
    if (option.positional) text += option_entry(option);
  }
  for (const std::string& group : groups) {
    if (group != "Options") text += ".PP\n" + bold(group) + "\n";
    for (const OptionRow& option : command.options) {
      if (!option.positional && option.group == group) text += option_entry(option);
    }
  }
  return text;
}

std::string command_section(const CommandRow& command) {
  std::string text =
      ".SS " + roff(command.path) + "\n" + sentence(command.description) + ".PP\n" + usage(command) + "\n";
  text += options(command);
  for (const std::string& paragraph : command.paragraphs) text += ".PP\n" + roff(paragraph) + "\n";
  return text + examples(command);
}

constexpr const char* kFilesAndEnvironment = R"(.SH FILES
.TP
.I oddsbound.lock.json
What
.B oddsbound lock
keeps and checks, in the working directory unless \fB\-\-lock\fR names another file.
.TP
.IR PREFIX /share/oddsbound/gallery
Specs to read and to try, of every family of mechanisms.
.TP
.IR PREFIX /share/oddsbound/*.schema.json
The JSON Schemas of specs, designs, releases, plans and locks, for editors.
.SH ENVIRONMENT
.TP
.B NO_COLOR
If it is set and not empty, text has no color unless \fB\-\-color always\fR asks for it.
.TP
.B TERM
If it is \fBdumb\fR, text has no color either.
.TP
.B GITHUB_STEP_SUMMARY
The file to which \fB\-\-format github\fR appends its summary.
)";

std::string page(const CLI::App& app) {
  const std::vector<CommandRow> table = command_table(app);
  const CommandRow& program = table.front();
  const std::string summary = program.description.substr(program.description.find(": ") + 2);
  std::string text = ".\\\" Made by `oddsbound man`.\n.TH ODDSBOUND 1 \"\" \"oddsbound " ODDSBOUND_VERSION
                     "\" \"User Commands\"\n.nh\n.SH NAME\noddsbound \\- " +
                     roff(summary) + "\n.SH SYNOPSIS\n";
  for (const CommandRow& command : table) text += (&command == &program ? "" : ".br\n") + usage(command) + "\n";
  std::string description, exit_status;
  for (const std::string& paragraph : program.paragraphs) {
    const bool is_status = paragraph.starts_with("Exit status: ");
    (is_status ? exit_status : description) += ".PP\n" + roff(is_status ? paragraph.substr(13) : paragraph) + "\n";
  }
  text += ".SH DESCRIPTION\n" +
          roff(
              "How far can a randomized mechanism move an adversary's odds? oddsbound measures it "
              "exactly, attribute by attribute, given how the attributes correlate.") +
          "\n" + description + ".SH OPTIONS\n" + options(program) + ".SH COMMANDS\n";
  for (const CommandRow& command : table) {
    if (&command != &program) text += command_section(command);
  }
  return text + ".SH EXIT STATUS\n" + exit_status + kFilesAndEnvironment + ".SH EXAMPLES\n" + examples(program);
}

}  // namespace

Command man_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("man", "Print the manual page, as roff");
  command->footer("\nExample:\n  oddsbound man | man -l -");
  return {command, [&app] { return write_out(page(app)) ? 0 : kUsage; }};
}

}  // namespace oddsbound::cli
