// sample: draws outputs of a mechanism.

#include <fmt/format.h>
#include <unistd.h>
#include <cmath>
#include <cstring>

#include "api/api.h"
#include "cli/common.h"
#include "cli/outputs.h"
#include "specs/collected.h"
#include "specs/reading.h"
#include "verifier/exact/expression.h"

namespace oddsbound::cli {

namespace {

struct SampleArguments {
  std::string spec;
  std::vector<std::string> typed;
  std::string input_file;
  std::uint64_t from_prior = 0;
  std::string format = "csv";
  SampleOptions options;
  std::uint64_t seed = 0;
  Limits limits;
};

// Returns all requested inputs, or an error message.
std::variant<InputList, std::string> inputs_of(const SampleArguments& request, const Spec& spec) {
  const Context context{request.limits, {}};
  InputList inputs(spec.model.domain);
  for (const std::string& text : request.typed) {
    const auto input = find_input(spec, Text{text, "--input"});
    if (!input) return input.error().text();
    inputs.add(*input);
  }
  if (!request.input_file.empty()) {
    const auto listed =
        read_inputs(spec, Text{read_file(request.input_file, request.limits), request.input_file}, context);
    if (!listed) return listed.error().text();
    inputs.add(*listed);
  }
  if (request.from_prior > 0) {
    const auto drawn = draw_inputs(spec, request.from_prior, request.options.seed, context);
    if (!drawn) return drawn.error().message;
    inputs.add(*drawn);
  }
  return inputs;
}

// Data is written unchanged, except to a terminal, which control sequences could steer.
bool write_piece(std::string_view text) {
  if (is_terminal(STDOUT_FILENO)) return write_text(std::string(text));
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return true;
  complain_of_output();
  return false;
}

int refuse(const std::string& message) {
  complain(message);
  return kUsage;
}

int run_sample(const SampleArguments& request) {
  if (request.typed.empty() && request.input_file.empty() && request.from_prior == 0) {
    return refuse("say what to draw for: --input VALUES, --inputs FILE or --from-prior COUNT");
  }
  const Context context{request.limits, {}};
  const Expected<Spec> spec = read(File{request.spec}, context);
  if (!spec) return fail(spec.error());
  // Before the inputs are read: errors of the spec are reported first.
  require_no_symbols(*spec, "sampling");
  if (request.options.seed) {
    tell("note: seeded random numbers can be repeated by anyone who knows the seed: do not release them\n");
  }
  const auto inputs = inputs_of(request, *spec);
  if (const auto* wrong = std::get_if<std::string>(&inputs)) return refuse(*wrong);
  SampleWriter writer(request.format == "json");
  const auto take = [&](const SampleResult& piece) { return write_piece(writer.piece(piece)); };
  const auto written = sample_in_pieces(*spec, std::get<0>(inputs), take, request.options, context);
  if (!written) {
    complain(written.error().message);
    return written.error().limit ? kLimit : kUsage;
  }
  return *written && write_out(writer.end()) ? 0 : kUsage;
}

}  // namespace

Command sample_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("sample", "Draw outputs of a mechanism");
  command->footer(
      "\nExamples:\n  oddsbound sample specs/gallery/titanic.json --input crew,male,adult,no\n"
      "  oddsbound sample examples/confidential/survey.json --inputs examples/confidential/answers.csv > drawn.csv\n"
      "  oddsbound sample specs/gallery/titanic.json --from-prior 1000 --seed 1 --tally");
  auto request = std::make_shared<SampleArguments>();
  request->limits.threads = 1;
  command->add_option("spec", request->spec, "A spec file, or - for standard input")->required();
  command
      ->add_option("--input", request->typed,
                   "An input: its values separated by commas, or as a JSON array; may be repeated")
      ->allow_extra_args(false);
  command->add_option("--inputs", request->input_file, "A CSV file of inputs, a column per coordinate")
      ->type_name("FILE");
  command->add_option("--from-prior", request->from_prior, "Draw that many inputs from the spec's prior")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000'000}));
  command->add_option("--count,-n", request->options.count, "Draws per input")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->capture_default_str();
  CLI::Option* seed = command
                          ->add_option("--seed", request->seed,
                                       "Reproducible numbers from this seed in place of the system's; not private")
                          ->check(whole_number());
  command->add_option("--threads", request->limits.threads, "Threads; the outputs of a seed do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command->add_flag("--tally", request->options.tally, "How often each output was drawn, not every draw");
  add_format(*command, request->format, {"csv", "json"});
  add_limits(*command, request->limits);
  return {command, [request, seed] {
            if (seed->count() > 0) request->options.seed = request->seed;
            return run_sample(*request);
          }};
}

// estimate: infers the distribution of inputs from collected outputs.

namespace {

struct EstimateArguments {
  std::string spec;
  std::string outputs;
  std::uint64_t samples = 0;
  std::vector<std::string> marginals;
  bool least_squares = false;
  bool project = false;
  bool radius = false;  // is given
  std::vector<std::string> center, box;
  EstimateOptions options;
  std::string format = "text";
  bool exact = false;
  Limits limits;
};

// A finite number such as -1/10, or nullopt.
std::optional<double> finite_number(const std::string& text) {
  try {
    const double value = parse_number(text).approx();
    if (std::isfinite(value)) return value;
  } catch (const std::exception&) {
    // Not a number.
  }
  return std::nullopt;
}

// COORDINATE=REST; without a sign, the name is empty. The last '=' separates them, because numbers have none.
std::pair<std::string, std::string> name_and_rest(const std::string& word) {
  const std::size_t sign = word.rfind('=');
  if (sign == std::string::npos) return {"", word};
  return {word.substr(0, sign), word.substr(sign + 1)};
}

// Reads --center and --box. Returns an error message; empty if they are as expected.
std::string read_region(EstimateArguments& request) {
  for (const std::string& word : request.center) {
    const auto [name, rest] = name_and_rest(word);
    const std::optional<double> value = finite_number(rest);
    if (name.empty() || !value) {
      return "--center: found '" + printable(word, 60) + "', expected COORDINATE=NUMBER, such as z1=1/10";
    }
    request.options.center.emplace_back(name, *value);
  }
  for (const std::string& word : request.box) {
    const auto [name, rest] = name_and_rest(word);
    const std::size_t comma = rest.find(',');
    const std::optional<double> low = finite_number(rest.substr(0, comma));
    const std::optional<double> high =
        comma == std::string::npos ? std::nullopt : finite_number(rest.substr(comma + 1));
    if (word.starts_with('=') || !low || !high || *low > *high) {
      return "--box: found '" + printable(word, 60) +
             "', expected LOW,HIGH for all coordinates that are not named, or COORDINATE=LOW,HIGH, with LOW <= HIGH";
    }
    request.options.box.emplace_back(name, std::pair(*low, *high));
  }
  const int regions = (request.radius ? 1 : 0) + (request.box.empty() ? 0 : 1) + (request.options.simplex ? 1 : 0);
  if (request.least_squares && regions != 1) {
    return std::string("--least-squares: found ") + (regions == 0 ? "none" : "several") +
           " of --radius, --box and --simplex, expected one: which coefficients are allowed";
  }
  if (!request.center.empty() && !request.radius) return "--center: expected it with --radius";
  return "";
}

Expected<EstimateResult> estimates_of(const EstimateArguments& request) {
  const Context context{request.limits, {}};
  const Expected<Spec> spec = read(File{request.spec}, context);
  if (!spec) return spec.error();
  EstimateOptions options = request.options;
  for (const std::string& text : request.marginals) options.marginals.push_back(read_typed_names("--marginals", text));
  if (request.samples > 0 || !options.people_for.empty())
    return estimate_error(*spec, request.samples, options, context);
  return estimate(*spec, Text{read_file(request.outputs, request.limits), request.outputs}, options, context);
}

Expected<std::string> least_squares_of(const EstimateArguments& request) {
  const Context context{request.limits, {}};
  const Expected<Spec> spec = read(File{request.spec}, context);
  if (!spec) return spec.error();
  const Expected<LeastSquaresResult> result =
      least_squares(*spec, Text{read_file(request.outputs, request.limits), request.outputs}, request.options, context);
  if (!result) return result.error();
  return request.format == "json" ? to_json(*result) : text_least_squares(*result);
}

// Sets `status` to 3 if a limit left something open.
Expected<std::string> text_of(const EstimateArguments& request, int& status) {
  if (request.least_squares) return least_squares_of(request);
  Expected<EstimateResult> result = estimates_of(request);
  if (!result) return result.error();
  if (request.project) project(*result);
  status = result->exit_status();
  RenderOptions options;
  options.exact = request.exact || is_terminal(STDOUT_FILENO);
  return *render(*result, request.format, options);
}

}  // namespace

namespace {

// Rewrites an exact positive number, such as 1/10, as a decimal.
CLI::Validator positive_fraction() {
  const auto rewrite = [](std::string& text) -> std::string {
    try {
      const double value = parse_number(text).approx();
      if (value > 0 && std::isfinite(value)) {
        text = fmt::format("{:.17g}", value);
        return "";
      }
    } catch (const std::exception&) {
      // The complaint below.
    }
    return "found '" + printable(text, 40) + "', expected a number above 0";
  };
  return {rewrite, "ABOVE 0"};
}

}  // namespace

Command estimate_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("estimate", "Estimate the inputs' distribution from a mechanism's collected outputs");
  command->footer(
      "\nExamples:\n"
      "  oddsbound sample specs/gallery/titanic.json --from-prior 1000 > answers.csv\n"
      "  oddsbound estimate specs/gallery/titanic.json answers.csv\n"
      "  oddsbound estimate specs/gallery/titanic.json answers.csv --marginals age,class --marginals sex --project\n"
      "  oddsbound estimate specs/gallery/titanic.json --samples 10000\n"
      "  oddsbound estimate specs/gallery/block-hadamard-response.json --people-for 1/20\n"
      "  oddsbound sample specs/gallery/two-copies.json --from-prior 1000 |\n"
      "    oddsbound estimate specs/gallery/two-copies.json - --least-squares l --radius 1\n"
      "  oddsbound estimate specs/gallery/bcdp-mean.json --samples 10000 --theory\n\n"
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
  CLI::Option* people =
      command
          ->add_option("--people-for", request->options.people_for,
                       "Before collecting: how many people are needed for an expected total variation "
                       "distance of at most this, such as 0.05 or 1/20")
          ->type_name("DISTANCE")
          ->excludes(outputs)
          ->excludes(samples);
  CLI::Option* marginals =
      command
          ->add_option(
              "--marginals", request->marginals,
              "The joint distribution of these coordinates: names separated by commas, or a JSON array of them; may "
              "be repeated. Without it that of all, or of each where these are too many")
          ->allow_extra_args(false);
  CLI::Option* projected = command
                               ->add_flag("--project", request->project,
                                          "Also the nearest distribution: shares from 0 to 1 with sum 1, which are "
                                          "biased; intervals are cut to this range")
                               ->excludes(samples)
                               ->excludes(people);
  CLI::Option* label =
      command->add_option("--least-squares", request->options.label,
                          "Predict this coordinate linearly by the others, from answers in two copies");
  CLI::Option* radius = command
                            ->add_option("--radius", request->options.radius,
                                         "For --least-squares: the greatest length of the coefficients")
                            ->transform(positive_fraction())
                            ->needs(label);
  command
      ->add_option("--center", request->center,
                   "With --radius: the greatest distance is from here, not from 0; may be repeated")
      ->type_name("COORDINATE=NUMBER")
      ->allow_extra_args(false)
      ->needs(label);
  command
      ->add_option("--box", request->box,
                   "For --least-squares, in place of --radius: the least and the greatest coefficient, of this "
                   "coordinate or of all that are not named; may be repeated")
      ->type_name("[COORDINATE=]LOW,HIGH")
      ->allow_extra_args(false)
      ->needs(label);
  command
      ->add_flag("--simplex", request->options.simplex,
                 "For --least-squares, in place of --radius: coefficients of at least 0 with sum 1")
      ->needs(label);
  label->excludes(samples)->excludes(people)->excludes(marginals)->excludes(projected);
  command
      ->add_flag("--theory", request->options.theory,
                 "Also the papers' bounds on the error: of means by bcdp_mean, of shares by high_low_hadamard_response "
                 "and block_hadamard_response, of --least-squares")
      ->excludes(people)
      ->excludes(marginals);
  add_format(*command, request->format, {"text", "json"});
  add_exact(*command, request->exact);
  add_limits(*command, request->limits);
  return {command, [request, label, people, radius] {
            if (people->count() > 0 && request->options.people_for.empty()) {
              complain("--people-for: found nothing, expected a total variation distance such as 0.05");
              return kUsage;
            }
            request->least_squares = label->count() > 0;
            request->radius = radius->count() > 0;
            if (const std::string complaint = read_region(*request); !complaint.empty()) {
              complain(complaint);
              return kUsage;
            }
            if (request->outputs.empty() && request->samples == 0 && request->options.people_for.empty()) {
              complain(
                  "say what to estimate from: a CSV file of outputs, --samples COUNT for the error to expect, or "
                  "--people-for DISTANCE for the number of people that it takes");
              return kUsage;
            }
            int status = 0;
            const Expected<std::string> text = text_of(*request, status);
            if (!text) return fail(text.error());
            return write_text(*text) ? status : kUsage;
          }};
}

}  // namespace oddsbound::cli
