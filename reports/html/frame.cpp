#include "reports/html/frame.h"

#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <set>

#include "reports/figures_script.h"
#include "reports/html/parts.h"
#include "reports/html/style.h"
#include "reports/markup.h"

namespace oddsbound::reports {

namespace {

std::string_view script_of(const FormatOptions& options) {
  return options.static_figures ? std::string_view() : figures_script();
}

// When it was written: SOURCE_DATE_EPOCH for reports that can be made again, byte by byte.
std::string date_words() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  char* end = nullptr;
  std::time_t now = epoch == nullptr ? std::time(nullptr) : static_cast<std::time_t>(std::strtoll(epoch, &end, 10));
  std::tm utc{};
  if (gmtime_r(&now, &utc) == nullptr) return "";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                     utc.tm_min);
}

}  // namespace

bool has_script(const FormatOptions& options) { return !script_of(options).empty(); }

std::string whole_page(const std::string& title, const std::string& body, const FormatOptions& options) {
  const std::string_view script = script_of(options);
  const std::string scripts = script.empty() ? "'none'" : "'sha256-" + sha256_base64(script) + "'";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; script-src " +
      scripts + "; style-src 'sha256-" + sha256_base64(kStyle) +
      "'; img-src 'none'; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\"><title>" +
      title + "</title><style>" + kStyle + "</style></head>\n<body>" + body;
  if (!script.empty()) html.append("<script>").append(script).append("</script>");
  return html + "</body></html>\n";
}

std::string page_footer(const std::string& reading, const MadeWith& made_with, std::span<const SourceFile> files) {
  std::vector<std::vector<std::string>> environment{{"oddsbound", made_with.version}, {"report written", date_words()}};
  for (const auto& [name, value] : made_with.environment) environment.push_back({name, value});
  HtmlRows rows;
  std::set<std::string> seen;
  for (const SourceFile& file : files) {
    if (!seen.insert(file.file).second) continue;
    rows.push_back({escaped_markup(file.file), "<span class=\"hash\">" + escaped_markup(file.sha256) + "</span>"});
  }
  return "<footer><section id=\"limits\"><h2>What this says, and what it does not</h2><p>" + reading +
         "</p></section><section id=\"environment\"><h2>Made with</h2>" +
         table_html({"what", "which"}, text_rows(environment)) +
         (rows.empty() ? "" : "<h3>Files</h3>" + table_html({"file", "SHA-256"}, rows)) + "</section></footer>";
}

}  // namespace oddsbound::reports
