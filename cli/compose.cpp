// compose: measures independent runs of mechanisms on the same input together.
#include "api/api.h"
#include "cli/common.h"
#include "cli/files.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "specs/collected.h"

namespace oddsbound::cli {

namespace {

struct ComposeArguments {
  std::vector<std::string> files;
  std::string times, delta, epsilon;
  std::vector<std::string> records;
  ComposeOptions options;
  std::unique_ptr<Outputs> outputs;
  Context context;
};

template <typename Parse>
auto parsed(const std::string& option, const std::string& text, Parse parse) -> decltype(parse(text)) {
  try {
    return parse(text);
  } catch (const std::runtime_error& error) {
    throw CLI::ValidationError(option + " " + printable(text, 40), error.what());
  }
}

std::uint64_t runs_of(const std::string& word) {
  const Number number = parse_number(word);
  std::int64_t runs = 0;
  if (!number.fits_int64(runs) || runs < 1) throw std::runtime_error("expected whole numbers of runs, 1 or more");
  return static_cast<std::uint64_t>(runs);
}

// Returns false after a complaint.
bool read_options(ComposeArguments& arguments) {
  ComposeOptions& options = arguments.options;
  try {
    if (!arguments.times.empty()) {
      for (const std::string& word : read_typed_names("--times", arguments.times)) {
        options.times.push_back(parsed("--times", word, runs_of));
      }
    }
    if (!arguments.delta.empty()) options.delta = parsed("--delta", arguments.delta, parse_number);
    if (!arguments.epsilon.empty()) options.epsilon = parsed("--epsilon", arguments.epsilon, parse_level);
  } catch (const CLI::ValidationError& error) {
    complain(error.what());
    return false;
  }
  for (const std::string& record : arguments.records) options.records.push_back(read_typed_names("--record", record));
  return true;
}

Expected<ComposedResult> composition_of(const ComposeArguments& arguments) {
  const Interrupt interrupt;
  Progress progress;
  Context context = interrupt.within(arguments.context);
  context.progress = progress.shown();
  return compose(arguments.files, arguments.options, context);
}

int run_compose(ComposeArguments& arguments) {
  if (!read_options(arguments) || !arguments.outputs->resolve()) return kUsage;
  if (!arguments.outputs->spares(arguments.files)) return kUsage;
  const Expected<ComposedResult> result = composition_of(arguments);
  if (!result) return fail(result.error());
  std::vector<std::string> read;
  for (const SourceFile& file : result->files) read.push_back(file.file);
  if (!arguments.outputs->spares(read)) return kUsage;
  return write_result(*arguments.outputs, *result, result->exit_status());
}

}  // namespace

Command compose_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("compose", "Measure independent runs of mechanisms on the same input together");
  command->footer(
      "\nExamples:\n"
      "  oddsbound compose specs/gallery/warner.json --times 100 --delta 1e-6\n"
      "  oddsbound compose specs/gallery/warner.json --times 20 --epsilon 2 --format html --output composed.html\n\n"
      "Exact where the privacy losses of all runs can be listed, otherwise between two proven bounds. Exit status: 0\n"
      "measured, 2 the request or a file is wrong, 3 a limit left something undecided.");
  auto arguments = std::make_shared<ComposeArguments>();
  command->add_option("specs", arguments->files, "Spec files with the same inputs")->required();
  command->add_option("--times", arguments->times,
                      "Runs of each file, separated by commas; without it one run of each");
  command->add_option("--delta", arguments->delta, "Find the smallest epsilon at this delta, e.g. 1e-6");
  command->add_option("--epsilon", arguments->epsilon, "Find the smallest delta at this epsilon, e.g. 1 or log(3)");
  command->add_option("--neighbors", arguments->options.neighbors, "The inputs that are compared")
      ->check(CLI::IsMember({"all", "coordinate", "record"}))
      ->capture_default_str();
  command
      ->add_option("--record", arguments->records,
                   "The coordinates of a record, separated by commas, for --neighbors record; may be repeated")
      ->allow_extra_args(false);
  arguments->outputs = std::make_unique<Outputs>(*command, std::vector<std::string>{"text", "json", "html"});
  add_threads(*command, arguments->context.limits);
  add_limits(*command, arguments->context.limits);
  return {command, [arguments] { return run_compose(*arguments); }};
}

}  // namespace oddsbound::cli
