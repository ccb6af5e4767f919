// estimate: infers the distribution of inputs from collected outputs.
#include <unistd.h>

#include "api/api.h"
#include "cli/common.h"
#include "cli/outputs.h"
#include "specs/collected.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

struct EstimateArguments {
  std::string spec;
  std::string outputs;
  std::uint64_t samples = 0;
  std::vector<std::string> marginals;
  std::optional<std::string> label;
  double radius = 0;
  std::string format = "text";
  bool exact = false;
  Limits limits;
};

Expected<EstimateResult> estimates_of(const EstimateArguments& request) {
  const Context context{request.limits, {}};
  const Expected<Spec> spec = read(File{request.spec}, context);
  if (!spec) return spec.error();
  EstimateOptions options;
  for (const std::string& text : request.marginals) options.marginals.push_back(read_typed_names("--marginals", text));
  if (request.samples > 0) return estimate_error(*spec, request.samples, options, context);
  return estimate(*spec, Text{read_file(request.outputs, request.limits), request.outputs}, options, context);
}

Expected<std::string> least_squares_of(const EstimateArguments& request) {
  const Context context{request.limits, {}};
  const Expected<Spec> spec = read(File{request.spec}, context);
  if (!spec) return spec.error();
  const Expected<LeastSquaresResult> result =
      least_squares(*spec, Text{read_file(request.outputs, request.limits), request.outputs},
                    {*request.label, request.radius}, context);
  if (!result) return result.error();
  return request.format == "json" ? to_json(*result) : text_least_squares(*result);
}

// Sets `status` to 3 if a limit left something open.
Expected<std::string> text_of(const EstimateArguments& request, int& status) {
  if (request.label) return least_squares_of(request);
  const Expected<EstimateResult> result = estimates_of(request);
  if (!result) return result.error();
  status = result->exit_status();
  RenderOptions options;
  options.exact = request.exact || is_terminal(STDOUT_FILENO);
  return *render(*result, request.format, options);
}

}  // namespace

Command estimate_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("estimate", "Estimate the inputs' distribution from a mechanism's collected outputs");
  command->footer(
      "\nExamples:\n  oddsbound estimate spec.json answers.csv\n"
      "  oddsbound sample spec.json --from-prior 1000 | oddsbound estimate spec.json -\n"
      "  oddsbound estimate spec.json --samples 10000\n"
      "  oddsbound estimate survey.json answers.csv --marginals age,income --marginals smokes\n"
      "  oddsbound estimate two-copies.json answers.csv --least-squares income --radius 1\n\n"
      "The outputs are a CSV file with a column 'output' and, if there is one, a column 'count'; for continuous\n"
      "outputs a column per coordinate, of several copies one per coordinate and copy (x.1, x.2).\n\n"
      "Exit status: 0 all is known, 2 the request or a file is wrong, 3 a limit was reached: what is known is "
      "printed.");
  auto request = std::make_shared<EstimateArguments>();
  command->add_option("spec", request->spec, "A spec file")->required();
  CLI::Option* outputs =
      command->add_option("outputs", request->outputs, "A CSV file of outputs, or - for standard input");
  CLI::Option* samples = command
                             ->add_option("--samples", request->samples,
                                          "Before collecting: the exact error to expect from that many outputs")
                             ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 53))
                             ->excludes(outputs);
  CLI::Option* marginals =
      command
          ->add_option(
              "--marginals", request->marginals,
              "The joint distribution of these coordinates: names separated by commas, or a JSON array of them; may "
              "be repeated. Without it that of all, or of each where these are too many")
          ->allow_extra_args(false);
  CLI::Option* label = command->add_option(
      "--least-squares", request->label, "Predict this coordinate linearly by the others, from answers in two copies");
  CLI::Option* radius =
      command->add_option("--radius", request->radius, "For --least-squares: the greatest length of the coefficients")
          ->check(above_zero())
          ->needs(label);
  label->needs(radius)->excludes(samples)->excludes(marginals);
  add_format(*command, request->format, {"text", "json"});
  add_exact(*command, request->exact);
  add_limits(*command, request->limits);
  return {command, [request] {
            if (request->outputs.empty() && request->samples == 0) {
              complain("say what to estimate from: a CSV file of outputs, or --samples COUNT for the error to expect");
              return kUsage;
            }
            int status = 0;
            const Expected<std::string> text = text_of(*request, status);
            if (!text) return fail(text.error());
            return write_text(*text) ? status : kUsage;
          }};
}

}  // namespace oddsbound::cli
