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
#include "reports/levels.h"
#include "reports/markdown.h"
#include "reports/overview.h"
#include "reports/words.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

Html badge_of(const AuditResult& audit) {
  const Tone tone = audit.undecided() || (audit.ok() && audit.excepted()) ? Tone::kOpen
                    : audit.ok()                                          ? Tone::kGood
                                                                          : Tone::kBad;
  return Html::badge(tone, audit.verdict());
}

Html badge_of(const SpecResult& spec) {
  const auto with = [&](Tone tone) {
    return std::count_if(spec.claims.begin(), spec.claims.end(), [&](auto& claim) { return tone_of(claim) == tone; });
  };
  const auto bad = with(Tone::kBad), open = with(Tone::kOpen);
  if (bad > 0) return Html::badge(Tone::kBad, fmt::format("{} of {} claims not as expected", bad, spec.claims.size()));
  if (open > 0) return Html::badge(Tone::kOpen, fmt::format("{} of {} claims undecided", open, spec.claims.size()));
  if (spec.claims.empty()) return Html::badge(Tone::kNone, "no claims");
  return Html::badge(Tone::kGood, fmt::format("{} as expected", counted(spec.claims.size(), "claim")));
}

void add_claims(const SpecResult& spec, Page& page) {
  if (spec.claims.empty()) return;
  HtmlRows rows;
  for (const ClaimResult& claim : spec.claims) {
    const ClaimWords words = claim_words(claim);
    const Tone tone = tone_of(claim);
    const std::string witness = witness_words(claim.decision.witness, spec.coordinates), found = words.finding();
    rows.push_back({words.claim + (claim.name.empty() ? "" : " " + Html::faint(claim.name)),
                    Html::badge(tone, mark_of(tone)), words.verdict,
                    found + (found.empty() || witness.empty() ? "" : ": ") + witness, joined(claim.decided_by)});
  }
  page.heading("Claims");
  page.table({"claim", "outcome", "verdict", "what was found", "decided by"}, rows);
}

// The link is relative to the folder of the page.
void add_certificate(const SpecResult& spec, const std::string& folder, Page& page) {
  if (spec.certificate_file.empty()) return;
  namespace fs = std::filesystem;
  const auto whole = [](const fs::path& path) { return fs::absolute(path).lexically_normal(); };
  const fs::path path = whole(spec.certificate_file).lexically_relative(whole(folder.empty() ? "." : folder));
  page.paragraph("Certificate of these verdicts, to be checked without this program: " +
                 Html::link(uri_reference(path.generic_string()), fs::path(spec.certificate_file).filename().string()));
}

std::string level_cell(const Quantity& quantity) {
  const Level& level = quantity.level.at_least;
  const std::string nats = short_number(rounded_nats(level));
  if (quantity.is_bound && quantity.for_others) return "at most " + nats;
  if (quantity.level.unfinished || quantity.level.rounded) return known_words(quantity.level);
  const std::string epsilon = level.to_string();
  const std::string exact = epsilon.size() <= 60 ? epsilon : cut(epsilon, 40);
  return epsilon == "inf" || epsilon == nats ? nats : nats + " = " + exact;
}

std::string level_title(const Quantity& quantity) {
  if (quantity.is_bound) return quantity.kind + " on " + quantity.coordinate;
  return quantity.notion->title + (quantity.coordinate.empty() ? "" : " of " + quantity.coordinate) +
         (quantity.beside.empty() ? "" : ", " + quantity.beside);
}

// A row per attribute, the worst first.
void add_overview(const std::optional<Overview>& overview, Page& page) {
  if (!overview) return;
  std::vector<std::string> columns{"attribute"};
  columns.insert(columns.end(), overview->columns.begin(), overview->columns.end());
  columns.insert(columns.end(), {"odds factor", "50 % becomes at most", "output that shows it"});
  HtmlRows rows;
  for (const OverviewRow& row : overview->rows) {
    std::vector<Html>& cells = rows.emplace_back();
    cells.emplace_back(row.attribute);
    cells.insert(cells.end(), row.levels.begin(), row.levels.end());
    cells.insert(cells.end(), {row.odds_factor, row.half_becomes, row.words()});
  }
  page.heading("Levels by attribute, the worst first");
  page.table(columns, rows);
  std::vector<std::string> about;
  if (overview->further > 0) about.push_back(sentence({further_words(*overview)}));
  about.push_back(overview_words(*overview));
  if (!overview->record.empty()) about.push_back("Full record: " + sentence(overview->record) + ".");
  page.paragraphs(about);
}

void add_levels(const SpecResult& spec, Page& page) {
  if (!spec.analyzed) return page.paragraph("Levels: not measured (--no-analysis)");
  HtmlRows rows;
  for (const Quantity& quantity : quantities(spec)) {
    rows.push_back({level_title(quantity), level_cell(quantity), quantity_words(quantity, spec)});
  }
  for (const auto& [level, reason] : spec.analysis.undecided) rows.push_back({level, "undecided", reason});
  if (rows.empty()) return;
  page.fold("Exact levels, witnesses and bounds");
  page.table({"level", "nats, exact", "witness"}, rows);
  page.paragraphs(sentences_about_priors(spec));
  page.unfold();
}

// The worst case of each attribute, as sentences.
void add_sentences(const SpecResult& spec, Page& page) {
  std::vector<std::string> sentences;
  for (const EffectWords& words : effect_words(spec)) {
    sentences.push_back(printable(words.coordinate, 40) + ": " + sentence({words.worst, words.frequent}));
  }
  if (sentences.empty()) return;
  page.heading(kEffectsTitle);
  page.list(sentences);
}

void add_effects(const SpecResult& spec, Page& page) {
  if (!spec.effects) return;
  HtmlRows rows;
  for (const EffectWords& words : effect_words(spec)) {
    if (!words.average.empty()) rows.push_back({words.coordinate, words.average});
  }
  if (const std::string record = record_words(spec); !record.empty()) rows.push_back({"full record", record});
  if (rows.empty() && spec.effects->without.empty()) return;
  page.fold("Averages");
  if (!rows.empty()) page.table({"about", "on average"}, rows);
  if (!spec.effects->without.empty()) page.paragraph(capitalized(kEffectsOpen) + spec.effects->without);
  page.unfold();
}

void add_figures(std::vector<Drawing> figures, Page& page) {
  if (figures.empty()) return;
  page.fold(counted(figures.size(), "more figure"));
  page.figures(figures, "");
  page.unfold();
}

void add_spec(const SpecResult& spec, const std::string& id, const std::string& folder, Page& page) {
  page.section(id, spec.name + " " + badge_of(spec));
  page.paragraph(Html::faint(spec.file + ", " + number_text(spec.inputs) + " inputs, " + outputs_words(spec) +
                             " outputs" + (has_prior(spec) ? ", with a prior" : "")));
  if (!spec.description.empty()) page.paragraph(spec.description);
  for (const std::string& note : spec.notes) page.paragraph("Note: " + note);
  for (const TableUse& table : spec.tables) page.paragraph("Table: " + table_words(table));
  if (spec.row_tolerance) {
    page.paragraph("Levels are between bounds for " + printed_matrix_words(*spec.row_tolerance) + ".");
  }
  if (spec.functions) page.paragraph("For all " + joined(spec.functions->symbols) + ".");
  // The chart of levels, if there is one, is the first figure.
  std::vector<Drawing> figures = figures_of(spec);
  const std::optional<Overview> overview = spec.analyzed ? overview_of(spec) : std::nullopt;
  const bool has_chart = overview && !figures.empty();
  add_sentences(spec, page);
  if (has_chart) page.figures({figures.front()}, "");
  if (has_chart) figures.erase(figures.begin());
  add_overview(overview, page);
  add_claims(spec, page);
  add_certificate(spec, folder, page);
  add_levels(spec, page);
  add_effects(spec, page);
  add_figures(std::move(figures), page);
  if (!spec.source.empty()) page.paragraph(Html::faint("Source: " + spec.source));
}

// The bounds from the runs of an audit.
void add_bounds(const StatisticalAudit& audit, Page& page) {
  HtmlRows rows;
  for (const AuditedLevel& level : audit.levels) {
    std::vector<std::string> claims;
    for (const AuditedClaim& claim : level.claims)
      claims.push_back((claim.implied_by.empty() ? "" : claim.implied_by + " implies at most ") + claim.claimed.text() +
                       ": " + contradicted_words(claim));
    rows.push_back({level.title(),
                    "at least " + short_number(level.at_least) +
                        (level.at_most ? ", at most " + short_number(*level.at_most) : ""),
                    exact_level_words(level), sentence(claims), game_words(level, audit)});
  }
  if (rows.empty()) return;
  page.heading("Bounds, all of them together with confidence " + confidence_words(audit.error));
  page.table({"level", "what runs show", "exact level of the spec", "claimed", "how"}, rows);
}

void add_audit(const AuditResult& audit, const std::string& id, Page& page) {
  const StatisticalAudit* statistical = audit.statistical();
  page.section(id, "Audit of " + audit.name + " " + badge_of(audit));
  std::vector<std::string> about{audit.file, "sampler: " + sampler_words(audit)};
  if (statistical != nullptr) {
    about.push_back("seed " + std::to_string(statistical->seed));
    if (statistical->expect != Expectation::kPasses) about.push_back("expected: " + word_of(statistical->expect));
  }
  page.paragraph(Html::faint(sentence(about)));
  page.paragraphs(summary_lines(audit));
  if (statistical != nullptr) add_bounds(*statistical, page);
  page.figures(figures_of(audit));
}

void add_tiles(const Report& report, const Checks& checks, Page& page) {
  std::vector<Tile> tiles;
  const auto add = [&](const char* name, std::size_t count, Tone tone = Tone::kNone) {
    tiles.push_back({name, std::to_string(count), count == 0 ? Tone::kNone : tone});
  };
  add("specs", report.specs.size());
  if (!report.audits.empty()) add("audits", report.audits.size());
  add("checks", checks.list.size());
  add("as expected", checks.count(Outcome::kPass), Tone::kGood);
  add("not as expected", checks.count(Outcome::kFail), Tone::kBad);
  add("undecided", checks.count(Outcome::kUndecided), Tone::kOpen);
  if (report.wrong_files() > 0) add("errors", report.wrong_files(), Tone::kBad);
  page.tiles(tiles);
}

// The largest level of a notion, with its attribute: given the public attributes if that was measured.
std::string headline(const SpecResult& spec, const std::vector<Quantity>& levels, const Notion* notion) {
  for (const std::string& beside : {knowing_words(spec), std::string()}) {
    const Quantity* worst = nullptr;
    for (const Quantity& level : levels) {
      if (level.notion != notion || level.is_bound || level.beside != beside || spec.is_public(level.coordinate))
        continue;
      if (worst == nullptr || worst->level.at_most() < level.level.at_most()) worst = &level;
    }
    if (worst == nullptr) continue;
    const MeasuredLevel& level = worst->level;
    return (worst->coordinate.empty() ? "" : worst->coordinate + ": ") +
           (level.unfinished || level.rounded ? nats(level) : short_number(rounded_nats(level.at_least))) +
           (beside.empty() ? "" : ", " + beside);
  }
  return "";
}

void add_contents(const Report& report, const std::string& pages, Page& page) {
  const Notion *alone = notion_drawn(DrawnBeside::kInputs), *each = notion_drawn(DrawnBeside::kValues);
  HtmlRows rows;
  const auto add = [&](const std::string& name, const Html& badge, const std::string& level, const std::string& worst) {
    const std::string number = std::to_string(rows.size() + 1);
    const std::string link = pages.empty() ? "#s" + number : uri_reference(pages + "/" + number + ".html");
    rows.push_back({Html::link(link, name), badge, level, worst});
  };
  for (const SpecResult& spec : report.specs) {
    const std::vector<Quantity> levels = quantities(spec);
    add(spec.name, badge_of(spec), headline(spec, levels, alone), headline(spec, levels, each));
  }
  for (const AuditResult& audit : report.audits) add("audit of " + audit.name, badge_of(audit), "", "");
  if (rows.empty()) return;
  page.contents({"name", "outcome", (alone == nullptr ? "" : alone->title) + " (nats)",
                 "largest " + (each == nullptr ? "" : each->title) + " (nats)"},
                rows);
}

void add_errors(const Report& report, Page& page) {
  if (report.errors.empty()) return;
  HtmlRows rows;
  for (const FileError& error : report.errors) {
    std::string place = error.place.file;
    if (error.place.line > 0) place += fmt::format(":{}:{}", error.place.line, error.place.column);
    rows.push_back({place, error.message + (error.hint.empty() ? "" : " (" + error.hint + ")")});
  }
  page.section("errors", report.wrong_files() > 0 ? "Files with errors" : "Files that were not reached");
  page.table({"file", "what is wrong"}, rows);
}

std::string reading(const Report& report) {
  const bool rounded =
      std::any_of(report.specs.begin(), report.specs.end(), [](const SpecResult& spec) { return spec.rounded; });
  return std::string(rounded ? "Verdicts are exact. Levels that depend on a confidential table are rounded up to "
                               "three significant digits, others are exact."
                             : "Levels and verdicts are exact: decimals are rounded for reading, the exact "
                               "values are beside them.") +
         " A Bayesian level is about an adversary with the prior of the spec; an adversary with other knowledge may "
         "learn "
         "more. Levels are those of the mechanism as specified. Audits test running code; their findings hold with the "
         "stated confidence.";
}

}  // namespace

std::string html_report(const Report& report, const Checks& checks, const RenderOptions& options) {
  Page page("Privacy report", options, "Privacy report");
  add_tiles(report, checks, page);
  add_contents(report, options.pages, page);
  add_errors(report, page);
  if (options.pages.empty()) {
    std::size_t number = 0;
    const auto next_id = [&] { return "s" + std::to_string(++number); };
    for (const SpecResult& spec : report.specs) add_spec(spec, next_id(), options.folder, page);
    for (const AuditResult& audit : report.audits) add_audit(audit, next_id(), page);
  }
  return page.finish(reading(report), report.made_with, checks.files);
}

namespace {

// measured: the rows that some design has a value for; otherwise the others.
void add_table(const DesignComparison& comparison, bool measured, Page& page) {
  std::vector<std::string> columns{"quantity"};
  for (const ComparedDesign& design : comparison.designs) columns.push_back(design.label);
  columns.emplace_back("lowest");
  HtmlRows rows;
  for (const ComparedRow& row : comparison.rows) {
    if ((row.known() > 0) != measured) continue;
    std::vector<Html>& line = rows.emplace_back(std::vector<Html>{row.name()});
    for (const ComparedCell& cell : row.cells) {
      line.push_back(cell_words(cell) + (cell.known() ? " " : "") + Html::faint(cell.reason));
    }
    const std::string words = lowest_words(comparison, row);
    const std::size_t lowest = row.lowest().size();
    const bool ranked = lowest > 0 && lowest < row.known();
    line.push_back(ranked            ? Html::badge(Tone::kGood, words)
                   : words == "open" ? Html::badge(Tone::kOpen, words)
                                     : words);
  }
  page.table(columns, rows);
}

// A level against an error of the same quantity: one point per design that has both.
Sweep against(const DesignComparison& comparison, const ComparedRow& level, const ComparedRow& error) {
  Sweep sweep{level.name() + " against " + error.name(), error.name(), "nats", {}, {}};
  for (std::size_t i = 0; i < comparison.designs.size(); ++i) {
    const auto* nats = std::get_if<Between<Level>>(&level.cells[i].shown());
    const auto* squared = std::get_if<Between<Number>>(&error.cells[i].shown());
    if (nats == nullptr || squared == nullptr) continue;
    sweep.lines.push_back({comparison.designs[i].label,
                           {},
                           {{squared->at_most.approx(),
                             cell_words(error.cells[i]),
                             {rounded_nats(nats->at_most), cell_words(level.cells[i])}}}});
  }
  return sweep;
}

// The figure for full inputs, otherwise for the first attribute for which most designs have both. Levels
// between values, given the prior, are preferred.
std::vector<Drawing> figure_of(const DesignComparison& comparison) {
  Sweep most;
  for (const ComparedRow& error : comparison.rows) {
    if (error.kind != ComparedRow::Kind::kError || !error.not_compared.empty()) continue;
    for (const ComparedRow& level : comparison.rows) {
      if (level.kind != ComparedRow::Kind::kLevel || level.coordinate != error.coordinate) continue;
      Sweep found = against(comparison, level, error);
      const Notion* notion = find_notion(level.quantity);
      const bool between_values = notion != nullptr && notion->drawn == DrawnBeside::kValues;
      const bool preferred = between_values && most.parameter == found.parameter;
      if (found.lines.size() > most.lines.size() || (preferred && found.lines.size() == most.lines.size())) {
        most = std::move(found);
      }
    }
  }
  if (most.lines.size() < 2) return {};
  return {draw(most)};
}

}  // namespace

std::string html_comparison(const DesignComparison& comparison, const RenderOptions& options) {
  Page page("Designs side by side", options, "Designs side by side");
  page.section("found", "What was found");
  for (const FileError& error : comparison.errors) page.paragraph(error.text());
  std::vector<SourceFile> files;
  for (const ComparedDesign& design : comparison.designs) {
    page.paragraph(design.label + " " + Html::faint(design.file));
    for (const std::string& note : notes_of(design)) page.paragraph("Note: " + note);
    files.insert(files.end(), design.files.begin(), design.files.end());
  }
  page.paragraphs(comparison.notes);
  page.paragraphs(comparison_words(comparison));
  const std::vector<Drawing> drawings = figure_of(comparison);
  if (drawings.empty()) page.paragraph("No figure: no two designs have a level and an error that can be compared.");
  page.figures(drawings);
  page.heading("All that was measured");
  add_table(comparison, true, page);
  if (std::any_of(comparison.rows.begin(), comparison.rows.end(), [](const auto& row) { return row.known() == 0; })) {
    page.fold("Without a value for any design");
    add_table(comparison, false, page);
    page.unfold();
  }
  return page.finish(
      "Less is better in every line of the table; what is lowest was decided exactly, by levels and numbers that are "
      "not rounded. Errors are mean squared, summed, of estimates from " +
          std::to_string(comparison.samples) + " outputs.",
      MadeWith::this_program(), files);
}

}  // namespace oddsbound::reports
