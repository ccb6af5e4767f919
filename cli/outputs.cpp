#include "cli/outputs.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "specs/spec_error.h"

namespace oddsbound::cli {

namespace {

// Returns the file whose content GitHub shows with the run; null if there is none. It is appended to.
const char* summary_path() {
  const char* path = std::getenv("GITHUB_STEP_SUMMARY");
  return path == nullptr || *path == '\0' ? nullptr : path;
}

bool append_summary(const std::string& markdown) {
  const char* path = summary_path();
  if (path == nullptr) return true;
  errno = 0;
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << markdown;
  file.close();
  if (file) return true;
  complain(std::string("cannot write to GITHUB_STEP_SUMMARY: ") + std::strerror(errno == 0 ? EIO : errno));
  return false;
}

}  // namespace

bool writes_summary() { return summary_path() != nullptr; }

bool write_output(const Output& output, const std::string& text) {
  if (output.file.empty()) {
    // Data is written unchanged, except to a terminal, which control sequences could steer.
    const bool is_shown = output.format == "text" || (output.format == "csv" && is_terminal(STDOUT_FILENO));
    return is_shown ? write_text(text) : write_out(text);
  }
  try {
    write_whole(output.file, text);
    return true;
  } catch (const std::runtime_error& error) {
    complain(error.what());
    return false;
  }
}

int fail(const FileError& error) {
  complain(error.text());
  for (const FileError& further : error.more) complain(further.text());
  return error.limit ? kLimit : kUsage;
}

std::string folder_of_spec(const Outputs& outputs) {
  for (const Output& output : outputs.list()) {
    if (output.format == "json") return std::filesystem::path(output.file).parent_path().string();
  }
  return "";
}

bool has_directory(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return true;
  complain("cannot write " + printable(file, 200) + ": there is no such directory");
  return false;
}

void add_exact(CLI::App& command, bool& exact) {
  command.add_flag(
      "--exact", exact,
      "Exact values also of what depends on a confidential table (else they are rounded up, except in JSON "
      "and on a terminal)");
}

Outputs::Outputs(CLI::App& command, std::vector<std::string> formats, With with)
    : command_(command), known_(std::move(formats)) {
  format_ = command.add_option("--format", formats_, "What to write; may be given several times")
                ->check(CLI::IsMember(known_))
                ->allow_extra_args(false)
                ->default_str(known_.front());
  file_ = command.add_option("--output,-o", files_, "Where the format before it is written; else to standard output")
              ->allow_extra_args(false)
              ->type_name("FILE");
  if (with == With::kNothing) return;
  command.add_flag("--static", static_figures_, "HTML without scripts: figures as pictures only");
  if (with == With::kStaticAndExact) add_exact(command, exact_);
}

CLI::Option* Outputs::add_verbose(const std::string& what) { return command_.add_flag("--verbose,-v", verbose_, what); }

CLI::Option* Outputs::add_quiet(const std::string& what) { return command_.add_flag("--quiet,-q", quiet_, what); }

CLI::Option* Outputs::add_attribute() {
  return command_
      .add_option("--attribute", attributes_, "Text: levels, exact forms, witnesses and bounds of this attribute")
      ->allow_extra_args(false)
      ->type_name("NAME");
}

// Returns the format of a file's extension; the command's default for a name without one, and for .txt and .log.
// Returns nullopt after a complaint if the command writes no such files.
std::optional<std::string> Outputs::format_of(const std::string& file) const {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension.empty() || extension == ".txt" || extension == ".log") return known_.front();
  std::string found = extension == ".json" ? "json" : extension == ".csv" ? "csv" : "";
  for (const Format& format : formats()) {
    const auto& own = format.extensions;
    if (std::find(own.begin(), own.end(), extension) != own.end()) found = format.name;
  }
  if (std::find(known_.begin(), known_.end(), found) != known_.end()) return found;
  complain("--output " + printable(file, 200) + ": no format of this command has the extension " +
           printable(extension, 40) + "; name one with --format (" + specs::listing(known_) + ")");
  return std::nullopt;
}

// Pairs formats and files in the order given. Returns false if a file belongs to no format.
bool Outputs::pair_up() {
  outputs_.clear();
  if (formats_.size() <= 1 && files_.size() <= 1) {
    const std::string file = files_.empty() ? "" : files_.front();
    const std::optional<std::string> format = formats_.empty() ? format_of(file) : formats_.front();
    if (format) outputs_.push_back({*format, file});
    return format.has_value();
  }
  std::size_t formats = 0, files = 0;
  for (const CLI::Option* option : command_.parse_order()) {
    if (option == format_) outputs_.push_back({formats_[formats++], ""});
    if (option != file_) continue;
    const std::string& file = files_[files++];
    if (outputs_.empty() || !outputs_.back().file.empty()) {
      complain("--output " + printable(file, 200) + " belongs to no --format: it names where the one before it goes");
      return false;
    }
    outputs_.back().file = file;
  }
  return true;
}

bool Outputs::resolve() {
  if (!pair_up()) return false;
  std::vector<std::string> seen;
  for (Output& output : outputs_) {
    if (output.file == "-" || output.file == "/dev/stdout") output.file.clear();
    const auto is_this = [&](const std::string& other) {
      return output.file.empty() || other.empty() ? output.file == other : is_same_file(output.file, other);
    };
    if (std::any_of(seen.begin(), seen.end(), is_this)) {
      complain(output.file.empty() ? "two formats for standard output: give all but one of them an --output"
                                   : "two formats for one file: " + printable(output.file, 200));
      return false;
    }
    seen.push_back(output.file);
    if (!has_directory(output.file)) return false;
  }
  return true;
}

bool Outputs::spares(const std::vector<std::string>& inputs) const {
  for (const Output& output : outputs_) {
    for (const std::string& input : inputs) {
      if (output.file.empty() || input.empty() || !is_same_file(output.file, input)) continue;
      complain("--output " + printable(output.file, 200) + " would overwrite what is read");
      return false;
    }
  }
  return true;
}

bool Outputs::wants(const std::string& format) const {
  return std::any_of(outputs_.begin(), outputs_.end(), [&](const Output& output) { return output.format == format; });
}

RenderOptions Outputs::options(const std::string& format) const {
  RenderOptions options;
  options.static_figures = static_figures_;
  options.width = text_width();
  options.detail = quiet_ ? Detail::kProblems : verbose_ ? Detail::kFull : Detail::kSummary;
  options.attributes = attributes_;
  const auto is_shown = [](const Output& output) { return output.format == "text" && output.file.empty(); };
  options.exact = exact_ || (format == "text" && is_terminal(STDOUT_FILENO) &&
                             std::any_of(outputs_.begin(), outputs_.end(), is_shown));
  return options;
}

int write_texts(const Outputs& outputs, int exit_status,
                const std::function<std::string(const std::string& format)>& text_of) {
  bool written = true;
  for (const Output& output : outputs.list()) {
    try {
      written = write_output(output, text_of(output.format)) && written;
    } catch (const std::runtime_error& error) {  // the pages of an index were not written
      complain(error.what());
      written = false;
    }
    if (output.format == "github") written = append_summary(text_of("markdown")) && written;
  }
  return written ? exit_status : kUsage;
}

int write_outputs(const Outputs& outputs, const Report& report, const RenderOptions& options) {
  const int exit_status = options.exit_status.value_or(report.exit_status());
  return write_texts(outputs, exit_status, [&](const std::string& format) {
    RenderOptions own = outputs.options(format);
    own.color = options.color;
    if (options.width > 0) own.width = options.width;
    own.exit_status = options.exit_status;
    for (const Output& output : outputs.list()) {
      if (output.format != format) continue;
      own.folder = std::filesystem::path(output.file).parent_path().string();
      if (format == "html" && has_pages(report, output.file)) return write_pages(report, output.file, own);
    }
    return *render(report, format, own);
  });
}

int write_checks(const Outputs& outputs, const Checks& checks, const std::string& text) {
  return write_texts(outputs, checks.exit_status,
                     [&](const std::string& format) { return format == "text" ? text : *render(checks, format); });
}

namespace {

namespace fs = std::filesystem;

// True for "1.html", "2.html", ...
bool is_page(const std::string& name) {
  const std::size_t digits = name.find_first_not_of("0123456789");
  return digits != std::string::npos && digits > 0 && name.substr(digits) == ".html";
}

}  // namespace

std::string folder_of_pages(const std::string& file) { return fs::path(file).stem().string() + "-pages"; }

bool has_pages(const Report& report, const std::string& file) {
  if (file.empty() || report.specs.size() + report.audits.size() <= kMostOnOnePage) return false;
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

std::string write_pages(const Report& report, const std::string& file, const RenderOptions& options) {
  const std::string name = folder_of_pages(file);
  const fs::path folder = fs::path(file).parent_path() / name;
  RenderOptions of_page = options;
  of_page.exit_status.reset();
  of_page.folder = folder.string();
  of_page.index = "../" + fs::path(file).filename().string();
  write_whole_folder(folder.string(), is_page, [&](const std::string& part) {
    std::size_t number = 0;
    const auto write = [&](const Report& one) {
      write_whole((fs::path(part) / (std::to_string(++number) + ".html")).string(), *render(one, "html", of_page));
    };
    Report one;
    one.kind = report.kind;
    one.made_with = report.made_with;
    one.bound = report.bound;
    for (const SpecResult& spec : report.specs) {
      one.specs.assign(1, spec);
      write(one);
    }
    one.specs.clear();
    for (const AuditResult& audit : report.audits) {
      one.audits.assign(1, audit);
      write(one);
    }
  });
  RenderOptions of_index = options;
  of_index.static_figures = true;  // no figures
  of_index.pages = name;
  return *render(report, "html", of_index);
}

}  // namespace oddsbound::cli
