// report: renders results that were written as JSON, in the formats for people and for CI.
#include <algorithm>

#include "api/api.h"
#include "cli/common.h"
#include "cli/outputs.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> results;
  std::unique_ptr<Outputs> outputs;
  Limits limits;
};

Expected<Text> text_of(const std::string& file, const Limits& limits) {
  try {
    return Text{read_file(file, limits), file == "-" ? "<stdin>" : file};
  } catch (const std::exception&) {
    return file_error_in_flight(file);
  }
}

// A module's result is a report of its own.
Expected<Report> read_one(const Expected<Text>& text, const ModuleResult* module, const Limits& limits) {
  if (!text) return text.error();
  if (module == nullptr) return read_report(*text, {limits, {}});
  return file_error(text->name, "the result of " + module->name + " is a report of its own: give this file alone");
}

// The module whose result it is, or null.
const ModuleResult* module_of(const Text& text) {
  static const std::vector<ModuleResult> known = module_results();
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const ModuleResult& one) { return one.is_one(text); });
  return found == known.end() ? nullptr : &*found;
}

int run_report(ReportArguments& request) {
  if (!request.outputs->resolve() || !request.outputs->spares(request.results)) return kUsage;
  Report report;
  std::size_t read = 0;
  for (const std::string& file : request.results) {
    const Expected<Text> text = text_of(file, request.limits);
    const ModuleResult* module = text ? module_of(*text) : nullptr;
    if (module != nullptr && request.results.size() == 1) {
      return module->report(*text, *request.outputs, request.limits);
    }
    Expected<Report> result = read_one(text, module, request.limits);
    if (!result) {
      complain(result.error().text());
      report.errors.push_back(result.error());
      continue;
    }
    report.add(std::move(*result));
    ++read;
  }
  if (read == 0) return kUsage;
  const int status = read == request.results.size() ? 0 : kUsage;
  RenderOptions options;
  options.exit_status = status;
  return write_outputs(*request.outputs, report, options);
}

}  // namespace

Command report_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("report", "Turn results (verify, analyze, audit, release --format json) into a report");
  command->footer(
      "\nExample:\n"
      "  oddsbound verify --figures --format json --output results.json specs/gallery\n"
      "  oddsbound report results.json --output report.html\n\n"
      "A release has a page of its own (html). Exit status: 0 the report was written, whatever it says; 2 a file is "
      "wrong.");
  auto request = std::make_shared<ReportArguments>();
  command->add_option("results", request->results, "Files with results, or - for standard input")->required();
  request->outputs = std::make_unique<Outputs>(*command, format_names());
  add_limits(*command, request->limits);
  return {command, [request] { return run_report(*request); }};
}

}  // namespace oddsbound::cli
