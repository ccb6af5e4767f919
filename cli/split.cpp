// split: CDP levels that keep BCDP levels under given correlation, and back.

#include "api/api.h"
#include "cli/common.h"

namespace oddsbound::cli {

namespace {

struct SplitArguments {
  std::vector<std::string> correlation, delta, cdp;
  std::string ldp;
  std::string format = "text";
};

// COORDINATE=VALUE, or a value for all others. The last '=' separates them: values have none.
SplitRequest::Values values_of(const std::vector<std::string>& words) {
  SplitRequest::Values values;
  for (const std::string& word : words) {
    const std::size_t sign = word.rfind('=');
    if (sign == std::string::npos) {
      values.emplace_back("", word);
    } else {
      values.emplace_back(word.substr(0, sign), word.substr(sign + 1));
    }
  }
  return values;
}

}  // namespace

Command split_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand(
      "split", "Split BCDP levels into CDP levels under given correlation, or bound those that CDP levels keep");
  command->footer(
      "\nExamples:\n"
      "  oddsbound split --delta age=1 job=2 --correlation 1/10\n"
      "  oddsbound split --cdp age=1/2 job=1 --ldp 1 --correlation age=1/10 job=1/5\n\n"
      "The bounds are those of the BCDP paper, Propositions 4 and 6: for every mechanism with these levels, and every\n"
      "prior with these correlations. The exact level of one mechanism: analyze, with a prior or a set of priors.\n\n"
      "Exit status: 0 the levels are kept, 1 the given CDP levels do not keep a level, 2 the request is wrong.");
  auto request = std::make_shared<SplitArguments>();
  command->add_option("--delta", request->delta, "BCDP levels to keep")->type_name("COORDINATE=LEVEL");
  command->add_option("--cdp", request->cdp, "CDP levels of a mechanism")->type_name("COORDINATE=LEVEL");
  command->add_option("--ldp", request->ldp, "With --cdp: the LDP level of the mechanism; without it, their sum")
      ->type_name("LEVEL");
  command
      ->add_option("--correlation", request->correlation,
                   "The largest total variation distance between what the other coordinates are for two values of the "
                   "coordinate; without a coordinate, for all others; else 1")
      ->type_name("[COORDINATE=]NUMBER");
  add_format(*command, request->format, {"text", "json"});
  return {command, [request] {
            const Expected<SplitResult> result = split(
                {values_of(request->correlation), values_of(request->delta), values_of(request->cdp), request->ldp});
            if (!result) {
              complain(result.error().message);
              return result.error().limit ? kLimit : kUsage;
            }
            return write_text(*render(*result, request->format)) ? result->exit_status() : kUsage;
          }};
}

}  // namespace oddsbound::cli
