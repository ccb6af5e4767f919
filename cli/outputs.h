// --format and --output: a report in one or several formats, to standard output or to files.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "cli/common.h"
#include "oddsbound/oddsbound.h"
#include "reports/formats.h"

namespace oddsbound::cli {

struct Output {
  std::string format;
  std::string file;  // empty: standard output
};

class Outputs {
 public:
  /// Adds the options; the first format is the default.
  Outputs(CLI::App& command, std::vector<std::string> formats);
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;
  /// Once options are parsed: an --output belongs to the --format before it; one of each belong together in any case; a
  /// file without a format has that of its name (report.html). False after a complaint, also where a file has no
  /// directory: better before hours of work than after.
  bool resolve();
  bool wants(const std::string& format) const;
  /// False after a complaint if an output would overwrite one of the files that are read.
  bool spares(const std::vector<std::string>& inputs) const;
  const std::vector<Output>& list() const { return outputs_; }

 private:
  bool pair_up();
  std::string format_of(const std::string& file) const;

  CLI::App& command_;
  std::vector<std::string> formats_, files_;  // as they were given; the parser writes to them
  CLI::Option* format_;
  CLI::Option* file_;
  std::vector<std::string> known_;
  std::vector<Output> outputs_;
};

/// Complains of it. Returns the exit status: 3 where a limit was reached.
int fail(const FileError& error);

/// Where the spec stands that is written as "json"; empty: to standard output, or in the current folder.
std::string folder_of_spec(const Outputs& outputs);

/// False after a complaint if the folder of a file that is to be written is not there.
bool has_directory(const std::string& file);

void add_static_figures(CLI::App& command, bool& static_figures);
/// --exact: no rounding of what depends on a confidential table.
void add_exact(CLI::App& command, bool& exact);
/// How one format of a command is rendered: text on a terminal is exact in any case.
RenderOptions options_of(const Outputs& outputs, const std::string& format, bool static_figures, bool exact);

/// True if the format `github` also writes a job summary (Markdown).
bool writes_summary();
/// One of them. False after a complaint.
bool write_output(const Output& output, const std::string& text);
/// Writes all outputs, each as the text that `text_of` gives of its format. Returns the exit status, or kUsage after a
/// complaint.
int write_texts(const Outputs& outputs, int exit_status,
                const std::function<std::string(const std::string& format)>& text_of);
/// Writes all outputs of a result. Returns the exit status, or kUsage after a complaint.
int write_outputs(const Outputs& outputs, const Report& report, const RenderOptions& options);
/// The same for checks that are no result of a spec (a lock's); `text` is theirs.
int write_checks(const Outputs& outputs, const Checks& checks, const std::string& text);

// A report of many specs as HTML: an index, and beside it a folder with a page for each spec and audit.

/// So many specs and audits are on one page at most: a page of 1,000 specs has hundreds of MB, and no browser shows it.
inline constexpr std::size_t kMostOnOnePage = 64;

/// The folder of pages beside the index `file`, without what is above it.
std::string folder_of_pages(const std::string& file);
/// True if this report gets an index and pages when it is written to `file`. Pipes and standard output get one page.
bool has_pages(const Report& report, const std::string& file);
/// Writes the pages, and returns the index. Throws std::runtime_error.
std::string write_pages(const Report& report, const std::string& file, const RenderOptions& options);

}  // namespace oddsbound::cli
