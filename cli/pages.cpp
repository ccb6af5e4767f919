#include "cli/pages.h"

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/whole_folder.h"

namespace oddsbound::cli {

namespace {

namespace fs = std::filesystem;

// "1.html", "2.html", ...
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
  // The script that draws figures anew has 0.9 MB, which every page would repeat.
  RenderOptions of_page = options;
  of_page.static_figures = true;
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
  of_index.static_figures = true;
  of_index.pages = name;
  return *render(report, "html", of_index);
}

}  // namespace oddsbound::cli
