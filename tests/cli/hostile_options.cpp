// A program whose options hold every character that is special in a shell or in roff. Completed by
// integrations.py.
#include "cli/common.h"

using namespace oddsbound::cli;

int main(int argc, char** argv) {
  CLI::App app{"oddsbound: 'single' \"double\" `touch run` $(touch run) \\back [bracket] a:b", "oddsbound"};
  app.footer("\nExamples:\n  .dot 'quoted' \\n -x ^~`\n\n.a line with a dot\n\n'a line with a quote");
  CLI::App* command = app.add_subcommand("odd", ".It's \"a\" `touch run`: $(touch run) [x] \\ {y} #z %s");
  std::string value;
  command->add_option("--mode,-m", value, "'It's [x]: \"q\" `touch run` $(touch run) \\e end")
      ->check(CLI::IsMember({"a b", "$(touch run)", "it's", "x[y]", "c=d", "`touch run`", "q\"r", "back\\slash", "*"}));
  command->add_option("what", value, "p[o]s: it's $(touch run)")->check(CLI::IsMember({"one two", "$three", "fo'ur"}));
  const std::vector<Command> commands{completion_command(app), man_command(app)};
  CLI11_PARSE(app, argc, argv);
  for (const Command& chosen : commands) {
    if (chosen.parser->parsed()) return chosen.run();
  }
  return kUsage;
}
