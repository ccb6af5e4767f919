#include "cli/option_table.h"

#include <sstream>

namespace oddsbound::cli {

namespace {

// "TEXT:{text,json}:POSITIVE" is a type and what is checked besides; CLI11 has no other way to tell.
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
  // A subcommand inherits its parent's footer unless it has one of its own.
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

}  // namespace oddsbound::cli
