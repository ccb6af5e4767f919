#include "reports/html/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <set>

#include "reports/figures_script.h"
#include "reports/html/figures.h"
#include "reports/html/parts.h"
#include "reports/html/style.h"
#include "reports/html/svg.h"
#include "reports/markup.h"
#include "results/words.h"

namespace oddsbound {

namespace {

using Rows = std::vector<std::vector<std::string>>;

Badge badge_of(const ReportClaim& claim) {
  if (claim.ok) return {"good", "✓"};
  return claim.undecided ? Badge{"doubt", "?"} : Badge{"bad", "✗"};
}

Badge badge_of(const ReportAudit& audit) {
  if (audit.ok) return {audit.excepted ? "doubt" : "good", audit.verdict};
  return {audit.undecided ? "doubt" : "bad", audit.verdict};
}

Badge badge_of(const ReportSpec& spec) {
  const auto bad = std::count_if(spec.claims.begin(), spec.claims.end(), [](auto& c) { return !c.ok && !c.undecided; });
  const auto open = std::count_if(spec.claims.begin(), spec.claims.end(), [](auto& c) { return c.undecided; });
  if (bad > 0) return {"bad", fmt::format("{} of {} claims not as expected", bad, spec.claims.size())};
  if (open > 0) return {"doubt", fmt::format("{} of {} claims undecided", open, spec.claims.size())};
  if (spec.claims.empty()) return {"faint", "no claims"};
  return {"good", fmt::format("{} as expected", counted(spec.claims.size(), "claim"))};
}

std::string claims_table(const ReportSpec& spec) {
  if (spec.claims.empty()) return "";
  HtmlRows rows;
  for (const ReportClaim& claim : spec.claims) {
    const std::string name =
        claim.name.empty() ? "" : " <span class=\"faint\">" + escaped_markup(claim.name) + "</span>";
    const std::string found =
        claim.found + (claim.witness.empty() ? "" : (claim.found.empty() ? "" : ": ") + claim.witness);
    rows.push_back({escaped_markup(claim.claim) + name, badge_html(badge_of(claim)),
                    escaped_markup(claim.verdict_in_words), escaped_markup(found),
                    escaped_markup(joined(claim.decided_by))});
  }
  return "<h3>Claims</h3>" + table_html({"claim", "outcome", "verdict", "what was found", "decided by"}, rows);
}

std::string level_cell(const ReportLevel& level) {
  const std::string exact = level.epsilon.size() <= 60 ? level.epsilon : cut(level.epsilon, 40);
  const std::string nats = short_number(level.nats);
  return level.epsilon == "inf" || level.epsilon == nats ? nats : nats + " = " + exact;
}

std::string levels_table(const ReportSpec& spec) {
  Rows rows;
  const auto add = [&](const std::string& what, const ReportLevel& level) {
    rows.push_back({what, level_cell(level), level.witness});
  };
  if (spec.ldp) add("local DP", *spec.ldp);
  if (spec.bdp) add("Bayesian DP", *spec.bdp);
  for (std::size_t i = 0; i < spec.cdp.size(); ++i) {
    const std::string& name = spec.cdp[i].first;
    add("coordinate DP of " + name, spec.cdp[i].second);
    if (i < spec.bcdp.size()) add("Bayesian coordinate DP of " + spec.bcdp[i].first, spec.bcdp[i].second);
  }
  for (const auto& [level, reason] : spec.undecided) rows.push_back({level, "undecided", reason});
  return rows.empty() ? ""
                      : "<h3>Levels</h3>" + table_html({"level", "nats, exact", "who leaks what"}, text_rows(rows));
}

std::string spec_section(const ReportSpec& spec, Page& page) {
  std::string html = "<section id=\"" + page.anchor_of(spec) + "\"><h2>" + escaped_markup(spec.name) + " " +
                     badge_html(badge_of(spec)) + "</h2>";
  html += "<p class=\"faint\">" + escaped_markup(spec.file) + ", " + escaped_markup(spec.inputs) + " inputs, " +
          escaped_markup(spec.outputs) + " outputs" + (spec.bdp ? ", with a prior" : "") + "</p>";
  if (!spec.description.empty()) html += "<p>" + escaped_markup(spec.description) + "</p>";
  if (!spec.source.empty()) html += "<p class=\"faint\">Source: " + escaped_markup(spec.source) + "</p>";
  if (!spec.symbols.empty()) html += "<p>For all " + escaped_markup(joined(spec.symbols)) + ".</p>";
  return html + claims_table(spec) + levels_table(spec) + page.figures(figures_of(spec)) + "</section>";
}

std::string audit_section(const ReportAudit& audit, Page& page) {
  std::string html = "<section id=\"" + page.anchor_of(audit) + "\"><h2>Audit of " + escaped_markup(audit.name) + " " +
                     badge_html(badge_of(audit)) + "</h2><p class=\"faint\">" + escaped_markup(audit.file) +
                     "; sampler: " + escaped_markup(audit.sampler);
  if (!audit.seed.empty()) html += "; seed " + escaped_markup(audit.seed);
  if (audit.expect != "passes") html += "; expected: " + escaped_markup(audit.expect);
  html += "</p>";
  for (const std::string& line : audit.words) html += "<p>" + escaped_markup(line) + "</p>";
  Rows rows;
  for (const ReportAuditLevel& level : audit.levels) {
    std::string bound = "at least " + short_number(level.at_least);
    if (level.at_most) bound += ", at most " + short_number(*level.at_most);
    std::string claims;
    for (const ReportAuditClaim& claim : level.claims) {
      claims += (claims.empty() ? "" : "; ") + claim.claimed +
                (claim.contradicted ? (claim.expect_holds ? ": CONTRADICTED" : ": contradicted, as it should be")
                                    : ": not contradicted");
    }
    rows.push_back({level.title, bound, level.exact, claims, level.words});
  }
  if (!rows.empty()) {
    html += "<h3>Bounds, all of them together with confidence " + escaped_markup(audit.confidence) + "</h3>" +
            table_html({"level", "what runs show", "exact level of the spec", "claimed", "how"}, text_rows(rows));
  }
  return html + page.figures(figures_of(audit)) + "</section>";
}

std::string tile(const std::string& name, std::size_t count, const std::string& style_class = "") {
  return fmt::format("<div><dt>{}</dt><dd class=\"{}\">{}</dd></div>", name, count == 0 ? "" : style_class, count);
}

std::string head_of_page(const Report& report, const Checks& checks) {
  std::string html = "<header><h1>Privacy report</h1><dl class=\"tiles\">";
  html += tile("specs", report.specs.size()) + (report.audits.empty() ? "" : tile("audits", report.audits.size())) +
          tile("checks", checks.list.size()) + tile("as expected", checks.count(Outcome::kPass), "good") +
          tile("not as expected", checks.count(Outcome::kFail), "bad") +
          tile("undecided", checks.count(Outcome::kUndecided), "doubt");
  if (!report.errors.empty()) html += tile("errors", report.errors.size(), "bad");
  return html + "</dl></header>";
}

// The attribute with the largest BCDP level: where a reader looks first.
std::string worst_attribute(const ReportSpec& spec) {
  const auto worst = std::max_element(spec.bcdp.begin(), spec.bcdp.end(),
                                      [](auto& a, auto& b) { return a.second.nats < b.second.nats; });
  return worst == spec.bcdp.end() ? "" : worst->first + ": " + short_number(worst->second.nats);
}

std::string contents(const Report& report, Page& page) {
  HtmlRows rows;
  const auto add = [&](const std::string& anchor, const std::string& name, const Badge& badge, const std::string& ldp,
                       const std::string& worst) {
    rows.push_back({"<a href=\"#" + anchor + "\">" + escaped_markup(name) + "</a>", badge_html(badge),
                    escaped_markup(ldp), escaped_markup(worst)});
  };
  for (const ReportSpec& spec : report.specs) {
    add(page.anchor_of(spec), spec.name, badge_of(spec), spec.ldp ? short_number(spec.ldp->nats) : "",
        worst_attribute(spec));
  }
  for (const ReportAudit& audit : report.audits) {
    add(page.anchor_of(audit), "audit of " + audit.name, badge_of(audit), "", "");
  }
  if (rows.empty()) return "";
  return "<nav aria-label=\"Contents\">" +
         table_html({"name", "outcome", "local DP (nats)", "largest Bayesian coordinate DP (nats)"}, rows) + "</nav>";
}

std::string errors_section(const Report& report) {
  if (report.errors.empty()) return "";
  Rows rows;
  for (const ReportError& error : report.errors) {
    std::string place = error.place.file;
    if (error.place.line > 0) place += fmt::format(":{}:{}", error.place.line, error.place.column);
    rows.push_back({place, error.message + (error.hint.empty() ? "" : " (" + error.hint + ")")});
  }
  return "<section id=\"errors\"><h2>Files with errors</h2>" + table_html({"file", "what is wrong"}, text_rows(rows)) +
         "</section>";
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

std::string footer(const Report& report, const Checks& checks) {
  Rows environment{{"oddsbound", report.version}, {"report written", date_words()}};
  for (const auto& [name, value] : report.environment) environment.push_back({name, value});
  HtmlRows files;
  std::set<std::string> seen;
  for (const SourceFile& file : checks.files) {
    if (!seen.insert(file.file).second) continue;
    files.push_back({escaped_markup(file.file), "<span class=\"hash\">" + escaped_markup(file.sha256) + "</span>"});
  }
  return "<footer><section id=\"limits\"><h2>What this says, and what it does not</h2><p>Levels and verdicts are "
         "exact: decimals are rounded for reading, the exact values stand beside them. A Bayesian level is about an "
         "adversary "
         "who believes the prior of the spec; whoever knows more, or something else, may learn more. Levels are those "
         "of the mechanism as it is specified; audits look at running code, and what they say holds with the "
         "confidence "
         "that is given.</p></section><section id=\"environment\"><h2>Made with</h2>" +
         table_html({"what", "which"}, text_rows(environment)) +
         (files.empty() ? "" : "<h3>Files</h3>" + table_html({"file", "SHA-256"}, files)) + "</section></footer>";
}

}  // namespace

std::string html_report(const Report& report, const Checks& checks, bool with_script) {
  const std::string_view script = with_script ? figures_script() : std::string_view();
  Page page(!script.empty());
  std::string body = head_of_page(report, checks) + contents(report, page) + "<main>" + errors_section(report);
  for (const ReportSpec& spec : report.specs) body += spec_section(spec, page);
  for (const ReportAudit& audit : report.audits) body += audit_section(audit, page);
  body += "</main>" + footer(report, checks);
  const std::string scripts = script.empty() ? "'none'" : "'sha256-" + sha256_base64(script) + "'";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; script-src " +
      scripts + "; style-src 'sha256-" + sha256_base64(kStyle) +
      "'; img-src 'none'; base-uri 'none'; form-action 'none'\"><meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light "
      "dark\"><title>Privacy "
      "report</title><style>" +
      kStyle + "</style></head>\n<body>" + body;
  if (!script.empty()) html.append("<script>").append(script).append("</script>");
  return html + "</body></html>\n";
}

}  // namespace oddsbound
