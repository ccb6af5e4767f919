// sample: draws outputs of a mechanism.
#include <fmt/format.h>

#include <cstring>

#include "cli/common.h"
#include "runs/samples.h"
#include "specs/collected.h"
#include "specs/reading.h"

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

std::vector<std::uint64_t> inputs_of(const SampleArguments& request, const Spec& spec, Budget& budget) {
  std::vector<std::uint64_t> inputs;
  for (const std::string& text : request.typed) {
    inputs.push_back(read_typed_input("--input", text, spec.model.domain));
  }
  if (!request.input_file.empty()) {
    const std::vector<std::uint64_t> listed =
        read_input_table(request.input_file, read_file(request.input_file, request.limits), spec.model.domain, budget);
    inputs.insert(inputs.end(), listed.begin(), listed.end());
  }
  if (request.from_prior > 0) {
    const auto drawn = draw_inputs(spec, request.from_prior, request.options.seed);
    inputs.insert(inputs.end(), drawn.begin(), drawn.end());
  }
  return inputs;
}

bool write_piece(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return true;
  complain(std::string("cannot write to standard output: ") + std::strerror(errno));
  return false;
}

int run_sample(SampleArguments& request) {
  Budget budget(request.limits);
  if (request.typed.empty() && request.input_file.empty() && request.from_prior == 0) {
    complain("say what to draw for: --input VALUES, --inputs FILE or --from-prior COUNT");
    return kUsage;
  }
  const Spec spec = read_spec(request.spec, budget);
  require_no_symbols(spec, "sampling");
  if (request.options.seed) {
    fmt::print(stderr, "note: seeded random numbers can be repeated by whoever knows the seed: do not release them\n");
  }
  request.options.inputs = inputs_of(request, spec, budget);
  constexpr std::uint64_t kMostDraws = std::uint64_t{1} << 50;
  if (request.options.count > kMostDraws / std::max<std::size_t>(1, request.options.inputs.size())) {
    complain("more than 2^50 draws");
    return kUsage;
  }
  request.options.json = request.format == "json";
  if (request.options.tally && !spec.model.channel) {
    complain("--tally counts outputs, and the outputs of this mechanism are continuous");
    return kUsage;
  }
  return write_samples(spec, request.options, write_piece) && write_out("") ? 0 : kUsage;
}

}  // namespace

Command sample_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("sample", "Draw outputs of a mechanism");
  command->footer(
      "\nExamples:\n  oddsbound sample specs/gallery/titanic.json --input crew,male,adult,no\n"
      "  oddsbound sample spec.json --inputs people.csv > answers.csv\n"
      "  oddsbound sample spec.json --from-prior 1000 --seed 1 --tally");
  auto request = std::make_shared<SampleArguments>();
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
  CLI::Option* seed = command->add_option("--seed", request->seed,
                                          "Reproducible numbers from this seed in place of the system's; not private");
  command->add_option("--threads,-j", request->options.threads, "Threads; the outputs of a seed do not depend on it")
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

}  // namespace oddsbound::cli
