// --format and --output: writes a report in one or several formats, to standard output or to files.
#pragma once

#include <functional>
#include <string>

#include "api/api.h"
#include "cli/common.h"
#include "reports/formats.h"

namespace oddsbound::cli {

struct Output {
  std::string format;
  std::string file;  // empty: standard output
};

class Outputs {
 public:
  /// The options besides --format and --output: none, --static, or --static and --exact.
  enum class With { kNothing, kStatic, kStaticAndExact };
  /// Adds the options; the first format is the default.
  Outputs(CLI::App& command, std::vector<std::string> formats, With with = With::kStaticAndExact);
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;
  /// Pairs formats and files after parsing. An --output belongs to the --format before it; a single one of each
  /// belong together in any order; a file without a format gets that of its extension (report.html). Returns false
  /// after a complaint, also if no format has the extension or a file's directory does not exist: better before hours
  /// of work than after.
  bool resolve();
  /// Adds --verbose, for text.
  CLI::Option* add_verbose(const std::string& what);
  /// Adds --quiet, for text.
  CLI::Option* add_quiet(const std::string& what);
  bool is_quiet() const { return quiet_; }
  /// Adds --attribute, for text.
  CLI::Option* add_attribute();
  const std::vector<std::string>& attributes() const { return attributes_; }
  bool wants(const std::string& format) const;
  /// Returns how one format is rendered: --static and --exact. Text on a terminal is always exact.
  RenderOptions options(const std::string& format) const;
  /// Returns false after a complaint if an output would overwrite one of the input files.
  bool spares(const std::vector<std::string>& inputs) const;
  const std::vector<Output>& list() const { return outputs_; }

 private:
  bool pair_up();
  std::optional<std::string> format_of(const std::string& file) const;

  CLI::App& command_;
  std::vector<std::string> formats_, files_;  // as given; the parser writes to them
  CLI::Option* format_;
  CLI::Option* file_;
  std::vector<std::string> known_;
  bool static_figures_ = false, exact_ = false, verbose_ = false, quiet_ = false;
  std::vector<std::string> attributes_;
  std::vector<Output> outputs_;
};

/// Complains about the error. Returns the exit status: 3 if a limit was reached.
int fail(const FileError& error);

/// Returns the folder of the spec that is written as "json"; empty for standard output and the current folder.
std::string folder_of_spec(const Outputs& outputs);

/// Returns false after a complaint if the folder of an output file does not exist.
bool has_directory(const std::string& file);

/// Adds --exact: no rounding of values that depend on a confidential table.
void add_exact(CLI::App& command, bool& exact);

/// True if the format `github` also writes a job summary (Markdown).
bool writes_summary();
/// Writes one output. Returns false after a complaint.
bool write_output(const Output& output, const std::string& text);
/// Writes all outputs; text_of(format) gives the text of each. Returns as write_result.
int write_texts(const Outputs& outputs, int exit_status,
                const std::function<std::string(const std::string& format)>& text_of);
/// Writes all outputs of a result that has a `render`. Returns the exit status, or kUsage after a complaint.
template <typename Result>
int write_result(const Outputs& outputs, const Result& result, int exit_status) {
  return write_texts(outputs, exit_status,
                     [&](const std::string& format) { return *render(result, format, outputs.options(format)); });
}
/// Writes all outputs of a report. options: color, width and exit status.
int write_outputs(const Outputs& outputs, const Report& report, const RenderOptions& options = {});
/// The same for checks that are not results of a spec (those of a lock); `text` is their text form.
int write_checks(const Outputs& outputs, const Checks& checks, const std::string& text);

// HTML reports of many specs: an index, and a folder beside it with one page per spec and audit.

/// Maximum number of specs and audits on one page. A page of 1,000 specs has hundreds of MB; no browser shows it.
inline constexpr std::size_t kMostOnOnePage = 64;

/// Returns the name of the folder of pages beside the index `file`, without its parent path.
std::string folder_of_pages(const std::string& file);
/// True if this report gets an index and pages when written to `file`. Pipes and standard output get one page.
bool has_pages(const Report& report, const std::string& file);
/// Writes the pages and returns the index. Throws std::runtime_error.
std::string write_pages(const Report& report, const std::string& file, const RenderOptions& options);

}  // namespace oddsbound::cli
