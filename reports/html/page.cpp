#include "reports/html/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reports/audit_result.h"
#include "reports/claim_words.h"
#include "reports/effects.h"
#include "reports/html/figures.h"
#include "reports/html/frame.h"
#include "reports/html/svg.h"
#include "reports/markdown.h"
#include "reports/words.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

using Rows = std::vector<std::vector<std::string>>;

Badge badge_of(const ClaimResult& claim) {
  if (claim.ok()) return {"good", "✓"};
  return claim.undecided() ? Badge{"doubt", "?"} : Badge{"bad", "✗"};
}

Badge badge_of(const AuditResult& audit) {
  if (audit.ok()) return {audit.excepted() ? "doubt" : "good", audit.verdict()};
  return {audit.undecided() ? "doubt" : "bad", audit.verdict()};
}

Badge badge_of(const SpecResult& spec) {
  const auto bad =
      std::count_if(spec.claims.begin(), spec.claims.end(), [](auto& c) { return !c.ok() && !c.undecided(); });
  const auto open = std::count_if(spec.claims.begin(), spec.claims.end(), [](auto& c) { return c.undecided(); });
  if (bad > 0) return {"bad", fmt::format("{} of {} claims not as expected", bad, spec.claims.size())};
  if (open > 0) return {"doubt", fmt::format("{} of {} claims undecided", open, spec.claims.size())};
  if (spec.claims.empty()) return {"faint", "no claims"};
  return {"good", fmt::format("{} as expected", counted(spec.claims.size(), "claim"))};
}

std::string claims_table(const SpecResult& spec) {
  if (spec.claims.empty()) return "";
  HtmlRows rows;
  for (const ClaimResult& claim : spec.claims) {
    const std::string name =
        claim.name.empty() ? "" : " <span class=\"faint\">" + escaped_markup(claim.name) + "</span>";
    const ClaimWords words = claim_words(claim);
    const auto& shown = claim.decision.witness;
    const std::string witness = shown ? witness_words(*shown, spec.coordinates) : "";
    std::string found = found_with_opinions(claim);
    if (!witness.empty()) found += (found.empty() ? "" : ": ") + witness;
    rows.push_back({escaped_markup(words.claim) + name, badge_html(badge_of(claim)), escaped_markup(words.verdict),
                    escaped_markup(found), escaped_markup(joined(claim.decided_by))});
  }
  return "<h3>Claims</h3>" + table_html({"claim", "outcome", "verdict", "what was found", "decided by"}, rows);
}

std::string level_cell(const MeasuredLevel& measured) {
  if (measured.unfinished) return known_words(measured) + ": " + measured.unfinished->reason;
  if (measured.rounded) return known_words(measured);
  const Level& level = measured.at_least;
  const std::string epsilon = level.to_string();
  const std::string exact = epsilon.size() <= 60 ? epsilon : cut(epsilon, 40);
  const std::string nats = short_number(rounded_nats(level));
  return epsilon == "inf" || epsilon == nats ? nats : nats + " = " + exact;
}

std::string levels_table(const SpecResult& spec) {
  Rows rows;
  const auto add = [&](const std::string& what, const MeasuredLevel& measured) {
    rows.push_back({what, level_cell(measured), shown_words(measured, spec.coordinates)});
  };
  for (const Notion* notion : measured_notions(false)) {
    if (const MeasuredLevel* level = spec.analysis.level(notion->name)) add(notion->title, *level);
  }
  const std::vector<GivenLevel> given = levels_beside(spec);
  for (const GivenLevel& known : given) {
    if (known.coordinate.empty()) add(known.notion->title + ", " + known.words, *known.measured);
  }
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    for (const Notion* notion : measured_notions(true)) {
      const auto* levels = spec.analysis.by_coordinate(notion->name);
      if (levels != nullptr) add(notion->title + " of " + spec.coordinates[i], (*levels)[i]);
    }
    for (const GivenLevel& known : given) {
      if (known.coordinate == spec.coordinates[i]) {
        add(known.notion->title + " of " + known.coordinate + ", " + known.words, *known.measured);
      }
    }
    for (const Guarantee& bound : guarantees(spec, i)) {
      const std::string nats = short_number(rounded_nats(bound.level));
      rows.push_back({bound.kind + " on " + spec.coordinates[i],
                      bound.rounded ? "at most " + nats : level_cell({bound.level, {}}), bound.words});
    }
  }
  for (const auto& [level, reason] : spec.analysis.undecided) rows.push_back({level, "undecided", reason});
  if (!spec.analyzed) return "<p>Levels: not measured (--no-analysis)</p>";
  if (rows.empty()) return "";
  std::string left_out;
  for (const std::string& sentence : sentences_about_priors(spec))
    left_out += "<p>" + escaped_markup(sentence) + "</p>";
  return "<h3>Levels</h3>" + table_html({"level", "nats, exact", "who leaks what"}, text_rows(rows)) + left_out;
}

// The effects of the release on people's odds.
std::string effects_table(const SpecResult& spec) {
  if (!spec.effects) return "";
  Rows rows;
  for (const EffectWords& words : effect_words(spec)) {
    rows.push_back({words.coordinate, words.worst.empty() ? "no output was looked at" : words.worst, words.frequent,
                    words.average});
  }
  if (const std::string record = record_words(spec); !record.empty()) rows.push_back({"whole persons", "", "", record});
  const std::string without =
      spec.effects->without.empty()
          ? ""
          : "<p>Not all of this could be told: " + escaped_markup(spec.effects->without) + "</p>";
  return "<h3>What the release says to who believes the prior</h3>" +
         table_html({"about", "at worst", "most often", "on average"}, text_rows(rows)) + without;
}

bool has_prior(const SpecResult& spec) {
  return std::any_of(spec.analysis.levels.begin(), spec.analysis.levels.end(), [](const auto& level) {
    const Notion* notion = find_notion(level.first);
    return notion != nullptr && notion->needs_prior;
  });
}

// The link is relative to the folder of the page.
std::string certificate_link(const SpecResult& spec, const std::string& folder) {
  if (spec.certificate_file.empty()) return "";
  namespace fs = std::filesystem;
  const auto whole = [](const fs::path& path) { return fs::absolute(path).lexically_normal(); };
  const fs::path path = whole(spec.certificate_file).lexically_relative(whole(folder.empty() ? "." : folder));
  return "<p>Certificate of these verdicts, to be checked without this program: <a href=\"" +
         escaped_markup(uri_reference(path.generic_string())) + "\">" +
         escaped_markup(fs::path(spec.certificate_file).filename().string()) + "</a></p>";
}

std::string spec_section(const SpecResult& spec, const std::string& folder, Page& page) {
  std::string html = "<section id=\"" + page.anchor_of(spec) + "\"><h2>" + escaped_markup(spec.name) + " " +
                     badge_html(badge_of(spec)) + "</h2>";
  html += "<p class=\"faint\">" + escaped_markup(spec.file) + ", " + spec.inputs.to_string() + " inputs, " +
          (spec.outputs ? spec.outputs->to_string() : outputs_word(spec)) + " outputs" +
          (has_prior(spec) ? ", with a prior" : "") + "</p>";
  if (!spec.description.empty()) html += "<p>" + escaped_markup(spec.description) + "</p>";
  for (const std::string& note : spec.notes) html += "<p>Note: " + escaped_markup(note) + "</p>";
  for (const TableUse& table : spec.tables) html += "<p>Table: " + escaped_markup(table_words(table)) + "</p>";
  if (!spec.source.empty()) html += "<p class=\"faint\">Source: " + escaped_markup(spec.source) + "</p>";
  if (spec.functions) html += "<p>For all " + escaped_markup(joined(spec.functions->symbols)) + ".</p>";
  return html + claims_table(spec) + certificate_link(spec, folder) + levels_table(spec) + effects_table(spec) +
         page.figures(figures_of(spec)) + "</section>";
}

// The bounds from the runs of an audit.
std::string bounds_table(const StatisticalAudit& audit) {
  Rows rows;
  for (const AuditedLevel& level : audit.levels) {
    std::string bound = "at least " + short_number(level.at_least);
    if (level.at_most) bound += ", at most " + short_number(*level.at_most);
    std::string claims;
    for (const AuditedClaim& claim : level.claims) {
      claims += (claims.empty() ? "" : "; ") + claim.claimed.text() +
                (claim.contradicted ? (claim.expect_holds ? ": CONTRADICTED" : ": contradicted, as it should be")
                                    : ": not contradicted");
    }
    rows.push_back({level.title(), bound, exact_level_words(level), claims, game_words(level, audit)});
  }
  if (rows.empty()) return "";
  return "<h3>Bounds, all of them together with confidence " + escaped_markup(confidence_words(audit.error)) + "</h3>" +
         table_html({"level", "what runs show", "exact level of the spec", "claimed", "how"}, text_rows(rows));
}

std::string audit_section(const AuditResult& audit, Page& page) {
  std::string html = "<section id=\"" + page.anchor_of(audit) + "\"><h2>Audit of " + escaped_markup(audit.name) + " " +
                     badge_html(badge_of(audit)) + "</h2><p class=\"faint\">" + escaped_markup(audit.file) +
                     "; sampler: " + escaped_markup(sampler_words(audit));
  const StatisticalAudit* statistical = audit.statistical();
  if (statistical != nullptr) {
    html += "; seed " + std::to_string(statistical->seed);
    if (statistical->expect != Expectation::kPasses) html += "; expected: " + word_of(statistical->expect);
  }
  html += "</p>";
  for (const std::string& line : summary_lines(audit)) html += "<p>" + escaped_markup(line) + "</p>";
  if (statistical != nullptr) html += bounds_table(*statistical);
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
  if (report.wrong_files() > 0) html += tile("errors", report.wrong_files(), "bad");
  return html + "</dl></header>";
}

std::string short_level(const MeasuredLevel& measured) {
  return measured.unfinished || measured.rounded ? nats(measured) : short_number(rounded_nats(measured.at_least));
}

// The levels in the overview: given the public attributes if there are any.
std::vector<GivenLevel> headline_levels(const SpecResult& spec, const Notion& notion) {
  std::vector<GivenLevel> levels = levels_given_public(spec);
  std::erase_if(levels, [&](const GivenLevel& level) { return level.notion != &notion; });
  if (!levels.empty()) return levels;
  if (const MeasuredLevel* level = spec.analysis.level(notion.name)) levels.push_back({&notion, "", level});
  if (const auto* own = spec.analysis.by_coordinate(notion.name)) {
    for (const std::size_t i : secret_coordinates(spec)) levels.push_back({&notion, spec.coordinates[i], &(*own)[i]});
  }
  return levels;
}

// The largest of these levels, with its attribute.
std::string headline(const SpecResult& spec, const Notion* notion) {
  if (notion == nullptr) return "";
  const std::vector<GivenLevel> levels = headline_levels(spec, *notion);
  if (levels.empty()) return "";
  const GivenLevel& worst = *std::max_element(levels.begin(), levels.end(), [](const auto& a, const auto& b) {
    return a.measured->at_most() < b.measured->at_most();
  });
  const bool given = spec.analysis.given_public && !spec.analysis.given_public->levels.empty();
  return (worst.coordinate.empty() ? "" : worst.coordinate + ": ") + short_level(*worst.measured) +
         (given ? ", " + knowing_words(spec) : "");
}

// The first notion that is drawn this way.
const Notion* notion_drawn(DrawnBeside what) {
  for (const Notion& notion : notion_table()) {
    if (notion.measure && notion.drawn == what) return &notion;
  }
  return nullptr;
}

std::string contents(const Report& report, const std::string& pages, Page& page) {
  const Notion* alone = notion_drawn(DrawnBeside::kInputs);
  const Notion* each = notion_drawn(DrawnBeside::kValues);
  HtmlRows rows;
  const auto add = [&](const std::string& anchor, const std::string& name, const Badge& badge, const std::string& level,
                       const std::string& worst) {
    const std::string link =
        pages.empty() ? "#" + anchor : uri_reference(pages + "/" + std::to_string(rows.size() + 1) + ".html");
    rows.push_back({"<a href=\"" + escaped_markup(link) + "\">" + escaped_markup(name) + "</a>", badge_html(badge),
                    escaped_markup(level), escaped_markup(worst)});
  };
  for (const SpecResult& spec : report.specs) {
    add(page.anchor_of(spec), spec.name, badge_of(spec), headline(spec, alone), headline(spec, each));
  }
  for (const AuditResult& audit : report.audits) {
    add(page.anchor_of(audit), "audit of " + audit.name, badge_of(audit), "", "");
  }
  if (rows.empty()) return "";
  return "<nav aria-label=\"Contents\">" +
         table_html({"name", "outcome", (alone == nullptr ? "" : alone->title) + " (nats)",
                     "largest " + (each == nullptr ? "" : each->title) + " (nats)"},
                    rows) +
         "</nav>";
}

std::string errors_section(const Report& report) {
  if (report.errors.empty()) return "";
  Rows rows;
  for (const FileError& error : report.errors) {
    std::string place = error.place.file;
    if (error.place.line > 0) place += fmt::format(":{}:{}", error.place.line, error.place.column);
    rows.push_back({place, error.message + (error.hint.empty() ? "" : " (" + error.hint + ")")});
  }
  const char* title = report.wrong_files() > 0 ? "Files with errors" : "Files that were not come to";
  return "<section id=\"errors\"><h2>" + std::string(title) + "</h2>" +
         table_html({"file", "what is wrong"}, text_rows(rows)) + "</section>";
}

std::string footer(const Report& report, const Checks& checks) {
  const bool rounded =
      std::any_of(report.specs.begin(), report.specs.end(), [](const SpecResult& spec) { return spec.rounded; });
  const std::string values = rounded
                                 ? "Verdicts are exact. Levels that depend on a confidential table are rounded up to "
                                   "three significant digits, others are exact. A Bayesian "
                                 : "Levels and verdicts are exact: decimals are rounded for reading, the exact "
                                   "values stand beside them. A Bayesian ";
  return page_footer(
      values +
          "level is about an adversary who believes the prior of the spec; whoever knows more, or something else, may "
          "learn more. Levels are those of the mechanism as it is specified; audits look at running code, and what "
          "they "
          "say holds with the confidence that is given.",
      report.made_with, checks.files);
}

}  // namespace

std::string html_report(const Report& report, const Checks& checks, const FormatOptions& options) {
  Page page;
  std::string body = options.index.empty() ? ""
                                           : "<p><a href=\"" + escaped_markup(uri_reference(options.index)) +
                                                 "\">All specs and audits</a></p>";
  body += head_of_page(report, checks) + contents(report, options.pages, page) + "<main>" + errors_section(report);
  if (options.pages.empty()) {
    for (const SpecResult& spec : report.specs) body += spec_section(spec, options.folder, page);
    for (const AuditResult& audit : report.audits) body += audit_section(audit, page);
  }
  return whole_page("Privacy report", body + "</main>" + footer(report, checks), options);
}

}  // namespace oddsbound::reports
