// estimate: from collected outputs back to the inputs.
#include "cli/common.h"
#include "reports/estimates.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

struct Request {
  std::string spec;
  std::string outputs;
  std::string format = "text";
  Limits limits;
};

std::string report(const Request& request, Budget& budget) {
  const Spec spec = read_spec(request.spec, budget);
  const std::string text = read_file(request.outputs, request.limits);
  const bool json = request.format == "json";
  if (!spec.model.channel) {
    const CollectedVectors collected = read_vector_table(request.outputs, text, spec.model.domain, budget);
    const auto estimates = estimate(spec, collected);
    return json ? json_estimates(spec, collected.total, estimates) : text_estimates(spec, collected.total, estimates);
  }
  const EstimateResult result =
      estimate(spec, read_output_table(request.outputs, text, *spec.model.channel, budget), budget);
  return json ? json_estimates(result) : text_estimates(result);
}

}  // namespace

Command estimate_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("estimate", "Estimate the inputs' distribution from a mechanism's collected outputs");
  command->footer(
      "\nExamples:\n  oddsbound estimate spec.json answers.csv\n"
      "  oddsbound sample spec.json --from-prior 1000 | oddsbound estimate spec.json -\n\n"
      "The outputs are a CSV file with a column 'output' and, if there is one, a column 'count'; for continuous\n"
      "outputs a column per coordinate.");
  auto request = std::make_shared<Request>();
  command->add_option("spec", request->spec, "A spec file")->required();
  command->add_option("outputs", request->outputs, "A CSV file of outputs, or - for standard input")->required();
  add_format(*command, request->format, {"text", "json"});
  add_limits(*command, request->limits);
  return {command, [request] {
            Budget budget(request->limits);
            return write_out(report(*request, budget)) ? 0 : kUsage;
          }};
}

}  // namespace oddsbound::cli
