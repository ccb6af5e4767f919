// estimate: from collected outputs back to the inputs.
#include "base/errors.h"
#include "cli/common.h"
#include "runs/estimates.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

struct EstimateArguments {
  std::string spec;
  std::string outputs;
  std::uint64_t samples = 0;
  std::string format = "text";
  Limits limits;
};

EstimateResult estimates_of(const EstimateArguments& request, Budget& budget) {
  const Spec spec = read_spec(request.spec, budget);
  require_no_symbols(spec, "estimating");
  if (request.samples > 0) {
    if (!spec.model.channel) throw ModelError("--samples needs an exact channel, and the outputs are continuous");
    return plan(spec, request.samples, budget);
  }
  const std::string text = read_file(request.outputs, request.limits);
  if (!spec.model.channel) {
    return estimate(spec, read_vector_table(request.outputs, text, spec.model.domain, budget));
  }
  return estimate(spec, read_output_table(request.outputs, text, *spec.model.channel, budget), budget);
}

std::string estimates_report(const EstimateArguments& request, Budget& budget) {
  const EstimateResult result = estimates_of(request, budget);
  return request.format == "json" ? to_json(result) : text_estimates(result);
}

}  // namespace

Command estimate_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("estimate", "Estimate the inputs' distribution from a mechanism's collected outputs");
  command->footer(
      "\nExamples:\n  oddsbound estimate spec.json answers.csv\n"
      "  oddsbound sample spec.json --from-prior 1000 | oddsbound estimate spec.json -\n"
      "  oddsbound estimate spec.json --samples 10000\n\n"
      "The outputs are a CSV file with a column 'output' and, if there is one, a column 'count'; for continuous\n"
      "outputs a column per coordinate.");
  auto request = std::make_shared<EstimateArguments>();
  command->add_option("spec", request->spec, "A spec file")->required();
  CLI::Option* outputs =
      command->add_option("outputs", request->outputs, "A CSV file of outputs, or - for standard input");
  command
      ->add_option("--samples", request->samples, "Before collecting: the exact error to expect from that many outputs")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53))
      ->excludes(outputs);
  add_format(*command, request->format, {"text", "json"});
  add_limits(*command, request->limits);
  return {command, [request] {
            if (request->outputs.empty() && request->samples == 0) {
              complain("say what to estimate from: a CSV file of outputs, or --samples COUNT for the error to expect");
              return kUsage;
            }
            Budget budget(request->limits);
            return write_out(estimates_report(*request, budget)) ? 0 : kUsage;
          }};
}

}  // namespace oddsbound::cli
