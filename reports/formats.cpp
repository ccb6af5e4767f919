#include "reports/formats.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "reports/html/page.h"
#include "reports/level_fields.h"
#include "reports/markdown.h"
#include "reports/words.h"
#include "specs/spec_error.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

// A format that shows only the checks of a report.
Format of_checks_alone(std::string name, std::vector<std::string> extensions, std::string (*write)(const Checks&)) {
  return {std::move(name), std::move(extensions),
          [write](const Report&, const Checks& checks, const RenderOptions&) { return write(checks); }, write};
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> table = {
      {"html", {".html", ".htm"}, html_report, {}},       {"markdown", {".md"}, markdown_report, markdown_checks},
      of_checks_alone("sarif", {".sarif"}, sarif_report), of_checks_alone("junit", {".xml"}, junit_report),
      of_checks_alone("github", {}, github_annotations),  {"registry", {".yaml", ".yml"}, registry_report, {}},
  };
  return table;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::vector<std::string> format_names(bool for_checks) {
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (!for_checks || format.of_checks) names.push_back(format.name);
  }
  return names;
}

namespace {

// Escapes like GitHub's own toolkit.
std::string escaped(const std::string& text, bool property) {
  constexpr std::size_t kLongest = 4000;
  std::string result;
  for (const char c : printable(text, kLongest)) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    special ? void(result += fmt::format("%{:02X}", static_cast<unsigned char>(c))) : void(result += c);
  }
  return result;
}

constexpr std::size_t kMostAnnotations = 10;  // GitHub shows ten of a step

std::string command_of(Outcome outcome) {
  if (outcome == Outcome::kNote) return "notice";
  return outcome == Outcome::kUndecided ? "warning" : "error";
}

// One annotation for those that are not shown.
std::string annotation_of_others(std::span<const Check* const> others) {
  const auto with = [&](auto... outcomes) {
    return static_cast<std::size_t>(std::count_if(
        others.begin(), others.end(), [&](const Check* check) { return ((check->outcome == outcomes) || ...); }));
  };
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const std::string& noun) {
    if (count > 0) parts.push_back(counted(count, noun));
  };
  add(with(Outcome::kFail), "failure");
  add(with(Outcome::kError), "error");
  if (const std::size_t open = with(Outcome::kUndecided)) parts.push_back(std::to_string(open) + " undecided");
  add(with(Outcome::kNote), "note");
  return fmt::format("::{} title={}::{}\n", command_of(others.front()->outcome),
                     escaped(fmt::format("oddsbound: {} more", others.size()), true),
                     escaped(joined(parts) + " without an annotation; the job summary lists them", false));
}

}  // namespace

std::string github_annotations(const Checks& checks) {
  const std::vector<const Check*> found = worst_first(checks);
  const std::size_t shown = found.size() <= kMostAnnotations ? found.size() : kMostAnnotations - 1;
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    const Check& check = *found[k];
    text += fmt::format("::{} file={}", command_of(check.outcome), escaped(check.place.file, true));
    if (check.place.line > 0) text += fmt::format(",line={},col={}", check.place.line, check.place.column);
    text += fmt::format(",title={}::{}\n", escaped("oddsbound: " + check.title, true),
                        escaped(check.brief.empty() ? check.message : check.brief, false));
  }
  if (shown < found.size()) text += annotation_of_others(std::span(found).subspan(shown));
  return text;
}

namespace {

std::string attribute(const std::string& name, const std::string& value) {
  return fmt::format(" {}=\"{}\"", name, escaped_markup(value));
}

std::string place_words(const SourcePlace& place) {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}:{}", place.line, place.column);
  return place.pointer.empty() ? text : text + ": " + place.pointer;
}

// A note passes. An undecided check is an error of its case, so that no viewer shows it as a pass.
std::string case_lines(const Check& check) {
  std::string text = "    <testcase" + attribute("name", check.title) + attribute("classname", check.suite);
  if (!Checks::is_bad(check.outcome)) return text + "/>\n";
  const std::string element = check.outcome == Outcome::kFail ? "failure" : "error";
  return text + ">\n      <" + element + attribute("message", check.message) + attribute("type", check.rule) + ">" +
         escaped_markup(place_words(check.place) + ": " + check.message) + "</" + element + ">\n    </testcase>\n";
}

struct Suite {
  std::string cases;
  std::size_t tests = 0, failures = 0, errors = 0;
};

}  // namespace

std::string junit_report(const Checks& checks) {
  std::vector<std::string> order;
  std::map<std::string, Suite> suites;
  for (const Check& check : checks.list) {
    const auto [place, added] = suites.try_emplace(check.suite);
    if (added) order.push_back(check.suite);
    Suite& suite = place->second;
    suite.cases += case_lines(check);
    ++suite.tests;
    suite.failures += check.outcome == Outcome::kFail ? 1 : 0;
    suite.errors += check.outcome == Outcome::kError || check.outcome == Outcome::kUndecided ? 1 : 0;
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"oddsbound\">\n";
  for (const std::string& name : order) {
    const Suite& suite = suites.at(name);
    text += "  <testsuite" + attribute("name", name) +
            fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"0\">\n", suite.tests, suite.failures,
                        suite.errors) +
            suite.cases + "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

namespace {

using Json = nlohmann::ordered_json;

std::string rule_words(const std::string& rule) {
  if (rule == "audit") return "An audited sampler keeps what its spec claims, and draws from the stated channel.";
  if (rule == "exhaustive-audit") return "A sampler's code draws from the stated channel.";
  if (rule == "lock") return "No privacy level has grown since it was locked.";
  if (rule == "file") return "Every file can be read.";
  return "Claims of " + rule + " come out as expected.";
}

std::string sarif_kind(Outcome outcome) {
  return outcome == Outcome::kNote ? "informational" : outcome == Outcome::kUndecided ? "open" : "fail";
}

Json location_json(const SourcePlace& place) {
  Json location;
  Json& physical = location["physicalLocation"] = Json{{"artifactLocation", {{"uri", uri_reference(place.file)}}}};
  // Viewers require a line; findings about a whole file are placed at line 1.
  physical["region"] = {{"startLine", std::max<std::size_t>(place.line, 1)}};
  if (place.line > 0 && place.column > 0) physical["region"]["startColumn"] = place.column;
  if (!place.pointer.empty()) {
    location["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", sarif_text(place.pointer)}, {"kind", "member"}}});
  }
  return location;
}

Json result_json(const Check& check, std::size_t rule_index) {
  Json result;
  result["ruleId"] = check.rule;
  result["ruleIndex"] = rule_index;
  result["kind"] = sarif_kind(check.outcome);
  // A result that is no failure has level "none" (SARIF, 3.27.10).
  result["level"] = check.outcome == Outcome::kFail || check.outcome == Outcome::kError ? "error" : "none";
  result["message"] = {{"text", sarif_text(check.title + ": " + check.message)}};
  result["locations"] = Json::array({location_json(check.place)});
  result["partialFingerprints"] = {{"check/v1", sha256(check.rule + "\n" + check.suite + "\n" +
                                                       (check.identity.empty() ? check.title : check.identity))}};
  for (const auto& [name, value] : check.facts) result["properties"][sarif_text(name)] = sarif_text(value);
  if (!check.certificate.empty()) {
    result["attachments"] =
        Json::array({{{"description", {{"text", "what shows the verdict, to be checked by others"}}},
                      {"artifactLocation", {{"uri", uri_reference(check.certificate)}}}}});
  }
  return result;
}

// The help text of a rule: what is claimed, and where it is defined.
std::string help_words(const std::string& rule) {
  if (const Notion* notion = find_notion(rule)) {
    return notion->summary + ". Source: " + notion->source +
           ". A claim that fails comes with a witness that shows it: in most notions an output, and two sides whose "
           "probabilities of it differ by more than claimed. Either the mechanism leaks more than it should, or the "
           "claim promises too much.";
  }
  if (rule == "audit" || rule == "exhaustive-audit") {
    return rule_words(rule) +
           " The message says where it does not, and with what confidence; `oddsbound audit` with the "
           "same seed reproduces it.";
  }
  if (rule == "lock") {
    return rule_words(rule) +
           " If a level should grow, `oddsbound lock accept --reason` raises its promise, to be reviewed like "
           "code.";
  }
  return rule_words(rule) + " The message says what was found and what was expected.";
}

Json driver_json(const std::vector<std::string>& rules) {
  Json driver{{"name", "oddsbound"}, {"version", ODDSBOUND_VERSION}, {"rules", Json::array()}};
  for (const std::string& rule : rules) {
    driver["rules"].push_back(
        {{"id", rule}, {"shortDescription", {{"text", rule_words(rule)}}}, {"help", {{"text", help_words(rule)}}}});
  }
  return driver;
}

}  // namespace

std::string sarif_report(const Checks& checks) {
  std::set<std::string> names;
  for (const Check& check : checks.list) names.insert(check.rule);
  const std::vector<std::string> rules(names.begin(), names.end());
  Json run;
  run["tool"] = {{"driver", driver_json(rules)}};
  run["columnKind"] = "unicodeCodePoints";
  run["invocations"] =
      Json::array({{{"executionSuccessful", checks.count(Outcome::kError) == 0 && checks.exit_status != 2},
                    {"exitCode", checks.exit_status}}});
  run["artifacts"] = Json::array();
  std::set<std::string> seen;
  for (const SourceFile& file : checks.files) {
    if (!seen.insert(file.file).second) continue;
    Json artifact{{"location", {{"uri", uri_reference(file.file)}}}};
    if (!file.sha256.empty()) artifact["hashes"] = {{"sha-256", file.sha256}};
    run["artifacts"].push_back(std::move(artifact));
  }
  for (const Check& check : checks.list) {
    if (check.certificate.empty() || !seen.insert(check.certificate).second) continue;
    run["artifacts"].push_back(
        {{"location", {{"uri", uri_reference(check.certificate)}}},
         {"roles", Json::array({"attachment"})},
         {"description", {{"text", sarif_text("Certificate of the verdicts about " + check.suite)}}}});
  }
  run["results"] = Json::array();
  for (const Check& check : checks.list) {
    if (check.outcome == Outcome::kPass) continue;
    const auto rule = std::lower_bound(rules.begin(), rules.end(), check.rule);
    run["results"].push_back(result_json(check, static_cast<std::size_t>(rule - rules.begin())));
  }
  run["properties"] = {{"checks", checks.list.size()}, {"passed", checks.count(Outcome::kPass)}};
  Json document;
  document["$schema"] = "https://json.schemastore.org/sarif-2.1.0.json";
  document["version"] = "2.1.0";
  document["runs"] = Json::array({run});
  return json_text(document);
}

}  // namespace oddsbound::reports
