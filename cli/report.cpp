// report: renders results that were written as JSON, in the formats for people and for CI.
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
  bool exact = false;
  Limits limits;
};

Expected<AnyResult> read_one(const std::string& file, const Limits& limits) {
  try {
    return read_result({read_file(file, limits), file == "-" ? "<stdin>" : file}, {limits, {}});
  } catch (const std::exception&) {
    return file_error_in_flight(file);
  }
}

// A release has its own page.
int report_release(const ReportArguments& request, const ReleaseResult& release) {
  for (const Output& output : request.outputs->list()) {
    if (output.format == "html") continue;
    complain("a release is reported as html, not as " + output.format +
             ": oddsbound release writes it as text, json and csv");
    return kUsage;
  }
  return write_texts(*request.outputs, 0, [&](const std::string& format) {
    return *render(release, format, {request.static_figures, false, std::nullopt});
  });
}

int run_report(ReportArguments& request) {
  if (!request.outputs->resolve() || !request.outputs->spares(request.results)) return kUsage;
  Report report;
  std::size_t read = 0;
  for (const std::string& file : request.results) {
    Expected<AnyResult> result = read_one(file, request.limits);
    if (result && std::holds_alternative<ReleaseResult>(*result)) {
      if (request.results.size() == 1) return report_release(request, std::get<ReleaseResult>(*result));
      result = file_error(file, "the result of a release is a report of its own: give this file alone");
    }
    if (!result) {
      complain(result.error().text());
      report.errors.push_back(result.error());
      continue;
    }
    report.add(std::get<Report>(std::move(*result)));
    ++read;
  }
  if (read == 0) return kUsage;
  const int status = read == request.results.size() ? 0 : kUsage;
  return write_outputs(*request.outputs, report, {request.static_figures, false, status, 0, "", request.exact});
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
  add_static_figures(*command, request->static_figures);
  add_exact(*command, request->exact);
  add_limits(*command, request->limits);
  return {command, [request] { return run_report(*request); }};
}

}  // namespace oddsbound::cli
