// report: results that were written as JSON, in the formats for people and for CI.
#include "cli/common.h"
#include "cli/outputs.h"
#include "oddsbound/oddsbound.h"
#include "specs/reading.h"

namespace oddsbound::cli {

namespace {

struct ReportArguments {
  std::vector<std::string> results;
  std::unique_ptr<Outputs> outputs;
  bool static_figures = false;
  Limits limits;
};

// Results of one file, or its error, go into the report.
bool add_results(const std::string& file, const Limits& limits, Report& report) {
  const auto add = [&](const FileError& error) {
    complain(error.text());
    report.errors.push_back(error);
    return false;
  };
  try {
    Expected<Report> read = read_report({read_file(file, limits), file == "-" ? "<stdin>" : file}, {limits, {}});
    if (!read) return add(read.error());
    report.add(std::move(*read));
    return true;
  } catch (const SpecError& error) {
    return add(file_error(error));
  } catch (const std::exception& error) {
    return add(file_error(file, error.what()));
  }
}

int run_report(ReportArguments& request) {
  if (!request.outputs->resolve() || !request.outputs->spares(request.results)) return kUsage;
  Report report;
  std::size_t read = 0;
  for (const std::string& file : request.results) read += add_results(file, request.limits, report) ? 1 : 0;
  if (read == 0) return kUsage;
  const int status = read == request.results.size() ? 0 : kUsage;
  return write_outputs(*request.outputs, report, {request.static_figures, false, status});
}

}  // namespace

Command report_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("report", "Turn results (verify, analyze, audit --format json) into a report");
  command->footer(
      "\nExample:\n"
      "  oddsbound verify --figures --format json --output results.json specs/gallery\n"
      "  oddsbound report results.json --output report.html\n\n"
      "Exit status: 0 the report was written, whatever it says; 2 a file is wrong.");
  auto request = std::make_shared<ReportArguments>();
  command->add_option("results", request->results, "Files with results, or - for standard input")->required();
  request->outputs = std::make_unique<Outputs>(*command, format_names());
  add_static_figures(*command, request->static_figures);
  add_limits(*command, request->limits);
  return {command, [request] { return run_report(*request); }};
}

}  // namespace oddsbound::cli
