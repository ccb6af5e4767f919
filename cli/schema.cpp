// schema: prints the JSON Schema of spec files.
#include "cli/common.h"
#include "cli/schema_text.h"

namespace oddsbound::cli {

Command schema_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of spec files");
  command->footer("\nExample:\n  oddsbound schema > oddsbound.schema.json");
  return {command, [] { return write_out(schema_text()) ? 0 : kUsage; }};
}

}  // namespace oddsbound::cli
