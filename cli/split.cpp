// split: CDP levels that keep BCDP levels under given correlation, and back.

#include "api/api.h"
#include "cli/common.h"

namespace oddsbound::cli {

namespace {

struct SplitArguments {
  std::vector<std::string> correlation, delta, cdp;
  std::optional<std::string> ldp;
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

// Returns what is wrong with the words; empty if nothing is.
std::string complaint_about(const SplitArguments& arguments) {
  if (arguments.ldp && arguments.ldp->empty()) return "--ldp: found nothing, expected a level";
  for (const std::string& word : arguments.correlation) {
    if (word.starts_with('=')) {
      return "--correlation: found '" + printable(word, 60) +
             "', expected COORDINATE=NUMBER, or a number for all other coordinates";
    }
  }
  return "";
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
                   "How much the other coordinates depend on this one: the largest total variation distance between "
                   "their distributions given two of its values. A number alone is for all coordinates that are not "
                   "named. Default: 1")
      ->type_name("[COORDINATE=]NUMBER");
  add_format(*command, request->format, {"text", "json"});
  return {command, [request] {
            if (const std::string complaint = complaint_about(*request); !complaint.empty()) {
              complain(complaint);
              return kUsage;
            }
            const Expected<SplitResult> result = split({values_of(request->correlation), values_of(request->delta),
                                                        values_of(request->cdp), request->ldp.value_or("")});
            if (!result) {
              complain(result.error().message);
              return result.error().limit ? kLimit : kUsage;
            }
            return write_text(*render(*result, request->format)) ? result->exit_status() : kUsage;
          }};
}

}  // namespace oddsbound::cli
