// new: writes a spec for a table, with measured claims.
#include <filesystem>

#include "api/api.h"
#include "base/files.h"
#include "cli/common.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "reports/words.h"

namespace oddsbound::cli {

namespace {

struct NewArguments {
  NewSpecRequest request;
  std::string headroom = "5%";
  std::string output;
  bool force = false;
  Context context;
};

// Checks the output before the work starts; an existing file needs --force. Returns false after a complaint.
bool may_be_written(const NewArguments& arguments) {
  const std::string& file = arguments.output;
  std::error_code ignored;
  if (file.empty()) return true;
  if (!has_directory(file)) return false;
  if (std::filesystem::equivalent(file, arguments.request.table, ignored)) {
    complain("--output " + printable(file, 200) + " would overwrite what is read");
    return false;
  }
  if (arguments.force || !std::filesystem::is_regular_file(file, ignored)) return true;
  complain(printable(file, 200) + " is there already (--force overwrites it)");
  return false;
}

int run_new(NewArguments& arguments) {
  if (arguments.output == "-" || arguments.output == "/dev/stdout") arguments.output.clear();
  if (!may_be_written(arguments)) return kUsage;
  arguments.request.file = arguments.output;
  const std::optional<Number> headroom = read_share("--headroom", arguments.headroom);
  if (!headroom) return kUsage;
  arguments.request.headroom = *headroom;
  const Interrupt interrupt;
  const Expected<NewSpec> made = [&] {
    Progress progress;
    Context context = interrupt.within(arguments.context);
    context.progress = progress.shown();
    return new_spec(arguments.request, context);
  }();
  if (!made) return fail(made.error());
  for (const std::string& note : made->notes) tell("note: " + note + "\n");
  if (!write_output({"json", arguments.output}, made->text)) return kUsage;
  if (arguments.output.empty()) return 0;
  const std::string file = printable(arguments.output, 200);
  return write_text(file + ": " + counted(made->attributes, "attribute") + ", " + std::to_string(made->released) +
                    " released, " + counted(made->claims, "claim") + "\n")
             ? 0
             : kUsage;
}

}  // namespace

Command new_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("new", "Write a spec for the release of a table, with measured claims");
  command->footer(
      "\nExamples:\n"
      "  oddsbound new specs/gallery/data/titanic.csv --count count --hide survived --epsilon 1\n"
      "  oddsbound new examples/confidential/answers.csv --count count --columns drinks --epsilon 'log(3)' -o "
      "drinks.json\n\n"
      "Exit status: 0 the spec was written, 2 the request or the table is wrong,\n"
      "3 a limit left a level unknown.");
  auto arguments = std::make_shared<NewArguments>();
  NewSpecRequest& request = arguments->request;
  command
      ->add_option("table", request.table,
                   "A CSV file with a header: a column for each attribute, a row for each person")
      ->type_name("FILE")
      ->required();
  command->add_option("--epsilon", request.epsilon, "The level at which each attribute is released, e.g. 1/2 or log(3)")
      ->required();
  command->add_option("--hide", request.hidden, "Columns that are attributes and are not released");
  command->add_option("--columns", request.columns, "The only columns that are attributes, besides hidden ones");
  command->add_option("--exclude", request.excluded, "Columns that are no attributes, such as identifiers");
  command
      ->add_option("--missing-cells", request.missing_cells, "Cells that mean a missing answer, such as NA: blank too")
      ->allow_extra_args(false);
  command->add_option("--count", request.count, "The column with the number of people of each row");
  command
      ->add_option(
          "--separator", request.separator,
          "What separates the cells of the table: ',', ';' or tab; without it, the one that the header has most "
          "often")
      ->transform([](const std::string& text) { return text == "tab" ? std::string("\t") : text; })
      ->check([](const std::string& text) {
        return is_separator(text) ? std::string() : "expected ',', ';' or tab, found '" + printable(text, 40) + "'";
      })
      ->type_name("TEXT");
  add_choice(*command, "--missing", request.blank, kBlankCells,
             "Blank cells are an error, their rows are left out, or they are a value of their own")
      ->default_str("error");
  command->add_flag("--published", request.published, "The table is public: claims are exact");
  command
      ->add_option(
          "--headroom", arguments->headroom,
          "How much more claims about a table that is not public allow than it measures, so that it may change "
          "a little")
      ->type_name("PERCENT")
      ->capture_default_str();
  command->add_option("--max-values", request.max_values, "Different values that a column may have")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--output,-o", arguments->output, "The spec's file; without it, standard output")
      ->type_name("FILE");
  command->add_flag("--force", arguments->force, "Overwrite a file that is there");
  add_threads(*command, arguments->context.limits);
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_new(*arguments); }};
}

}  // namespace oddsbound::cli
