#include "reports/text.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <set>

#include "base/characters.h"
#include "reports/audit_result.h"
#include "reports/claim_words.h"
#include "reports/effects.h"
#include "reports/layout.h"
#include "reports/levels.h"
#include "reports/overview.h"
#include "reports/spec_result.h"
#include "reports/words.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

struct Style {
  bool color;
  std::string paint(const char* code, const std::string& text) const {
    return color ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
  }
  std::string toned(Tone tone, const std::string& text) const {
    switch (tone) {
      case Tone::kGood: return paint("32", text);
      case Tone::kBad: return paint("31", text);
      case Tone::kOpen: return paint("33", text);
      case Tone::kNone: break;
    }
    return text;
  }
  std::string strong(const std::string& text) const { return paint("1", text); }
  std::string faint(const std::string& text) const { return paint("2", text); }
};

struct Row {
  std::string what, nats, exact, words;
};

constexpr const char* kSameReason = "for the same reason";

// The reason that was printed last for a spec: one limit often leaves much undecided.
class Said {
 public:
  // True if this reason was the last one.
  bool again(const std::string& reason) {
    const bool same = reason == last_;
    last_ = reason;
    return same;
  }

 private:
  std::string last_;
};

std::string aligned(const std::vector<Row>& rows, const Style& style, std::size_t width) {
  std::size_t what = 0;
  std::size_t decimal = 0;
  std::size_t exact = 0;
  for (const Row& row : rows) {
    what = std::max(what, columns_of(row.what));
    decimal = std::max(decimal, columns_of(row.nats));
    exact = std::max(exact, columns_of(row.exact));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  " + style.strong(padded(row.what, what)) + "  " + padded(row.nats, decimal) + "  " +
                       padded(row.exact, exact) + "  " + row.words;
    line.erase(line.find_last_not_of(' ') + 1);
    text += wrapped(line, width, what + decimal + exact + 8) + "\n";
  }
  return text;
}

std::string exact_column(const Quantity& quantity) {
  if (quantity.level.unfinished) return "between";
  if (quantity.for_others) return quantity.is_bound ? "at most" : "rounded up";
  return exact_text(quantity.level.at_least);
}

// The rows of these attributes; all rows if none is named.
std::vector<Row> analysis_rows(const SpecResult& spec, const std::vector<std::string>& attributes) {
  std::vector<Row> rows{{"level", "nats", "exact", "witness"}};
  for (const Quantity& quantity : quantities(spec)) {
    const bool left_out =
        !attributes.empty() && std::find(attributes.begin(), attributes.end(), quantity.coordinate) == attributes.end();
    if (left_out) continue;
    const std::string what =
        quantity.notion->name + (quantity.coordinate.empty() ? "" : " " + printable(quantity.coordinate, 40));
    rows.push_back({quantity.beside.empty() ? what : "  " + quantity.beside, nats(quantity.level),
                    exact_column(quantity), quantity_words(quantity, spec)});
  }
  Said said;
  for (const auto& [name, reason] : spec.analysis.undecided) {
    if (attributes.empty()) rows.push_back({name, "?", "undecided", said.again(reason) ? kSameReason : reason});
  }
  return rows;
}

// A text of at most `most` lines of this width, broken after commas and blanks; "..." if it is longer. Width 0: one
// line.
std::vector<std::string> cell_lines(const std::string& text, std::size_t width, std::size_t most) {
  if (width == 0 || columns_of(text) <= width) return {text};
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size() && lines.size() < most) {
    std::size_t end = begin, columns = 0, last_break = std::string::npos;
    while (end < text.size()) {
      std::size_t next = end + 1;
      while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0) == 0x80) ++next;
      if (columns + 1 > width) break;
      ++columns;
      end = next;
      if (text[end - 1] == ',' || text[end - 1] == ' ') last_break = end;
    }
    const bool is_last = lines.size() + 1 == most;
    if (end < text.size() && !is_last && last_break != std::string::npos) end = last_break;
    lines.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  if (begin < text.size()) {
    std::string& last = lines.back();
    constexpr std::size_t kDots = 3;
    while (columns_of(last) + kDots > width && !last.empty()) {
      while (last.size() > 1 && (static_cast<unsigned char>(last.back()) & 0xc0) == 0x80) last.pop_back();
      last.pop_back();
    }
    last += "...";
  }
  return lines;
}

constexpr std::size_t kNarrowestCell = 24;

// Breaks a title at blanks into lines of at most `width` columns, if words are that short.
std::vector<std::string> title_lines(const std::string& title, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < title.size();) {
    const std::size_t end = std::min(title.find(' ', begin), title.size());
    const std::string word = title.substr(begin, end - begin);
    const std::size_t own = columns_of(lines.back());
    if (own > 0 && own + 1 + columns_of(word) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

// The columns of the overview before the last: cells by row, titles in several lines, and widths.
struct OverviewColumns {
  std::vector<std::vector<std::string>> titles, rows;
  std::vector<std::size_t> widths;
  std::size_t title_rows = 1;
  std::size_t used = 2;  // columns of the terminal
};

OverviewColumns columns_of_overview(const Overview& overview, std::size_t width) {
  constexpr std::size_t kTitle = 7;
  OverviewColumns columns;
  std::vector<std::string> titles{"attribute"};
  titles.insert(titles.end(), overview.columns.begin(), overview.columns.end());
  titles.insert(titles.end(), {"odds factor", "50 % becomes"});
  columns.widths.resize(titles.size());
  for (const OverviewRow& row : overview.rows) {
    std::vector<std::string>& line = columns.rows.emplace_back(1, row.attribute);
    line.insert(line.end(), row.levels.begin(), row.levels.end());
    line.insert(line.end(), {row.odds_factor, row.half_becomes});
    for (std::size_t k = 0; k < line.size(); ++k) {
      columns.widths[k] = std::max(columns.widths[k], columns_of(line[k]));
    }
  }
  if (width > 0 && columns.widths[0] > kNarrowestCell) {
    columns.widths[0] = 0;
    for (std::vector<std::string>& line : columns.rows) {
      line[0] = cell_lines(line[0], kNarrowestCell, 1)[0];
      columns.widths[0] = std::max(columns.widths[0], columns_of(line[0]));
    }
  }
  for (std::size_t k = 0; k < titles.size(); ++k) {
    const bool breaks = width > 0 && k > 0;
    columns.titles.push_back(title_lines(titles[k], breaks ? std::max(columns.widths[k], kTitle) : titles[k].size()));
    for (const std::string& line : columns.titles[k]) {
      columns.widths[k] = std::max(columns.widths[k], columns_of(line));
    }
    columns.title_rows = std::max(columns.title_rows, columns.titles[k].size());
    columns.used += columns.widths[k] + 2;
  }
  return columns;
}

// A row per attribute, the worst first.
std::string overview_table(const Overview& overview, const Style& style, std::size_t width) {
  constexpr std::size_t kIndent = 6;
  const OverviewColumns columns = columns_of_overview(overview, width);
  const bool beside = width == 0 || columns.used + kNarrowestCell <= width;
  const std::size_t room = width == 0 ? 0 : beside ? width - columns.used : width - std::min(width, kIndent);
  std::string text;
  const auto add = [&](std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  const std::string title = "output that shows it";
  for (std::size_t t = 0; t < columns.title_rows; ++t) {
    std::string line = "  ";
    for (std::size_t k = 0; k < columns.titles.size(); ++k) {
      const auto& lines = columns.titles[k];
      const std::size_t above = columns.title_rows - lines.size();
      line += style.strong(padded(t < above ? "" : lines[t - above], columns.widths[k])) + "  ";
    }
    add(line + (beside && t + 1 == columns.title_rows ? style.strong(title) : ""));
  }
  for (std::size_t r = 0; r < overview.rows.size(); ++r) {
    const OverviewRow& row = overview.rows[r];
    std::string line = "  ";
    for (std::size_t k = 0; k < columns.rows[r].size(); ++k) {
      const std::string cell = padded(columns.rows[r][k], columns.widths[k]);
      line += (k == 0 ? style.strong(cell) : cell) + "  ";
    }
    const std::string words = row.words();
    const std::vector<std::string> last = cell_lines(words, room, beside ? 2 : 1);
    add(beside ? line + last[0] : line);
    for (std::size_t k = beside ? 1 : 0; k < last.size() && !words.empty(); ++k) {
      add(std::string(beside ? columns.used : kIndent, ' ') + last[k]);
    }
  }
  return text;
}

// The first screen.
std::string overview_lines(const SpecResult& spec, const Overview& overview, const Style& style, std::size_t width) {
  std::string text = overview_table(overview, style, width);
  if (overview.further > 0) text += "  " + further_words(overview) + "\n";
  text += "\n";
  if (!overview.record.empty()) {
    std::string record;
    for (const std::string& level : overview.record) record += (record.empty() ? "" : "; ") + level;
    text += "  full record: " + record + "\n";
  }
  text += "  " + overview_words(overview) + "\n";
  for (const auto& [reason, names] : overview.unfinished) {
    text += "  not known exactly: " + joined(names) + ": " + reason + "\n";
  }
  std::map<std::string, std::vector<std::string>> names_of;  // by reason
  for (const auto& [name, reason] : spec.analysis.undecided) names_of[reason].push_back(name);
  for (const auto& [reason, names] : names_of) {
    text += "  " + joined(names) + ": " + style.toned(Tone::kOpen, "undecided") + ": " + reason + "\n";
  }
  return text;
}

// The overview, and details as far as they are asked for.
std::string levels_lines(const SpecResult& spec, const Style& style, const RenderOptions& options) {
  const std::optional<Overview> overview = overview_of(spec);
  const bool all = options.detail == Detail::kFull;
  if (!overview) return aligned(analysis_rows(spec, {}), style, options.width);
  std::string text = overview_lines(spec, *overview, style, options.width);
  std::vector<std::string> attributes;
  for (const std::string& name : options.attributes) {
    if (std::find(spec.coordinates.begin(), spec.coordinates.end(), name) != spec.coordinates.end()) {
      attributes.push_back(name);
    }
  }
  if (!all && attributes.empty()) return text + "  Exact forms, witnesses and bounds: -v, or --attribute NAME\n";
  return text + "\n" +
         aligned(analysis_rows(spec, all ? std::vector<std::string>() : attributes), style, options.width);
}

std::string size_words(const SpecResult& spec) {
  return "  " + (spec.coordinates.size() > 1 ? counted(spec.coordinates.size(), "attribute") + ", " : "") +
         number_text(spec.inputs) + " inputs, " + outputs_words(spec) + " outputs";
}

std::string functions_lines(const SpecResult& spec) {
  std::string text = size_words(spec) + "; for all " + joined(spec.functions->symbols) + "\n\n";
  const auto& undecided = spec.analysis.undecided;
  if (const auto found = undecided.find("functions"); found != undecided.end()) {
    return text + "  the entries of the channel: undecided: " + found->second + "\n";
  }
  text += "  the entries of the channel are\n";
  for (const std::string& entry : spec.functions->entries) text += "    " + printable(entry, 200) + "\n";
  return text;
}

std::string heading(const SpecResult& spec, const Style& style) {
  std::string text = style.strong(printable(spec.name)) + style.faint("  " + printable(spec.file, 200)) + "\n";
  for (const std::string& note : spec.notes) {
    text += "  " + style.toned(Tone::kOpen, "note") + ": " + printable(note, 400) + "\n";
  }
  for (const TableUse& table : spec.tables) text += "  table: " + table_words(table) + "\n";
  if (spec.row_tolerance) text += "  levels: between bounds for " + printed_matrix_words(*spec.row_tolerance) + "\n";
  return text;
}

// Which engine decided in what time, if Z3 was used.
std::string engine_words(const ClaimResult& claim) {
  if (!claim.seconds.contains("smt")) return "";
  std::vector<std::string> parts;
  for (const auto& [who, seconds] : claim.seconds) parts.push_back(fmt::format("{} {:.1f} ms", who, 1000 * seconds));
  std::map<std::string, std::size_t> opinions;
  for (const QueryRecord& query : claim.queries) {
    if (query.cross_check.empty()) continue;
    ++opinions[query.cross_check == query.status ? "agreed" : query.cross_check];
  }
  for (const auto& [opinion, count] : opinions)
    parts.push_back("cross-check: " + std::to_string(count) + (count == 1 ? " query " : " queries ") + opinion);
  return joined(parts);
}

// The reason why levels are undecided, if it is the same for all of them; otherwise empty.
std::string common_reason(const SpecResult& spec) {
  std::set<std::string> reasons;
  for (const auto& [name, reason] : spec.analysis.undecided) reasons.insert(reason);
  return reasons.size() == 1 ? *reasons.begin() : "";
}

// Sentences below the levels.
std::string effects_lines(const SpecResult& spec, const Style& style, Said& said) {
  if (!spec.effects) return "";
  std::string text = std::string("\n  ") + kEffectsTitle + "\n";
  for (const EffectWords& words : effect_words(spec)) {
    text +=
        "  " + style.strong(printable(words.coordinate, 40)) + ": " + sentence({words.worst, words.frequent}) + "\n";
    if (!words.outputs.empty()) text += "      " + style.faint(words.outputs) + "\n";
    if (!words.average.empty()) text += "      on average " + words.average + "\n";
  }
  const std::string record = record_words(spec);
  if (!record.empty()) text += "  full record: on average " + record + "\n";
  const std::string& open = spec.effects->without;
  if (open.empty()) return text;
  return text + "  " + style.toned(Tone::kOpen, "undecided") + ": " + kEffectsOpen +
         (said.again(open) ? kSameReason : open) + "\n";
}

// The verdict of an undecided claim. Its reason is at the end, and is printed once for a spec.
std::string undecided_words(const ClaimResult& claim, std::string verdict, Said& said) {
  if (!said.again(claim.reason) || !verdict.ends_with(": " + claim.reason)) return verdict;
  verdict.resize(verdict.size() - claim.reason.size() - std::string(": ").size());
  return verdict + (claim.known() ? ", " : " ") + kSameReason;
}

std::string claim_lines(const ClaimResult& claim, const SpecResult& spec, const Style& style, Said& said) {
  const ClaimWords words = claim_words(claim);
  const Tone tone = claim.verdict == Verdict::kUndecided ? Tone::kOpen : tone_of(claim);
  const std::string start = "  " + style.toned(tone, mark_of(tone)) + " " + words.claim;
  const std::string name = claim.name.empty() ? "" : style.faint(" [" + printable(claim.name) + "]");
  if (claim.verdict == Verdict::kUndecided) {
    return start + name + ": " + undecided_words(claim, words.verdict, said) + "\n";
  }
  const std::string verdict = claim.as_expected() ? words.verdict : style.toned(Tone::kBad, words.verdict);
  std::string text = start + name + ": " + verdict + (words.found.empty() ? "" : ": " + words.found) + "\n";
  std::string witness = witness_words(claim.decision.witness, spec.coordinates);
  const auto has_two_probabilities = [](const Witness& shown) {
    return !shown.order && !shown.withheld && !shown.unlisted && !shown.lowest && !shown.unprotected &&
           !is_of_lifts(shown);
  };
  if (!witness.empty() && has_two_probabilities(*claim.decision.witness)) {
    const auto [from, to] = texts_apart(claim.decision.witness->p_from, claim.decision.witness->p_to);
    witness += style.faint(" (" + from + " against " + to + ")");
  }
  // Engines are on a separate line, so that Z3's time does not shift the wrapped text.
  const std::string engines = engine_words(claim);
  for (const std::string& line :
       {engines.empty() ? engines : style.faint(engines), words.opinion, words.difference, witness}) {
    if (!line.empty()) text += "      " + line + "\n";
  }
  return text;
}

}  // namespace

std::string text_analysis(const Report& run, const RenderOptions& options) {
  const Style style{options.color};
  std::string text;
  for (const SpecResult& spec : run.specs) {
    if (!text.empty()) text += "\n";
    text += heading(spec, style);
    if (spec.functions) {
      text += functions_lines(spec);
      continue;
    }
    text += size_words(spec) + (has_prior(spec) ? ", with a prior\n\n" : ", no prior\n\n");
    text += levels_lines(spec, style, options);
    for (const std::string& sentence : sentences_about_priors(spec)) text += "  " + sentence + "\n";
    Said said;
    said.again(common_reason(spec));
    text += effects_lines(spec, style, said);
  }
  return wrapped_lines(text, options.width);
}

namespace {

// One line per claim that is not as expected, in the order of the files.
std::string problem_lines(const Report& run, const Style& style) {
  std::string text;
  for (const SpecResult& spec : run.specs) {
    for (const ClaimResult& claim : spec.claims) {
      if (claim.ok()) continue;
      const ClaimWords words = claim_words(claim);
      const Tone tone = claim.undecided() ? Tone::kOpen : Tone::kBad;
      text += style.toned(tone, claim.undecided() ? "?" : "FAIL") + ": " + printable(spec.file, 200) + ": " +
              words.claim + ": " + sentence({words.outcome(), words.difference, words.opinion}) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string text_verification(const Report& run, const RenderOptions& options) {
  const Style style{options.color};
  if (options.detail == Detail::kProblems) return problem_lines(run, style);
  std::string text;
  for (const SpecResult& spec : run.specs) {
    text += heading(spec, style);
    if (spec.functions) text += style.faint("  for all " + joined(spec.functions->symbols)) + "\n";
    if (spec.claims.empty()) text += "    no claims\n";
    Said said;
    for (const ClaimResult& claim : spec.claims) text += claim_lines(claim, spec, style, said);
    text += effects_lines(spec, style, said);
  }
  std::string summary = fmt::format("{}, {}: {} as expected, {} not, {} undecided", counted(run.specs.size(), "spec"),
                                    counted(run.claims(), "claim"), run.ok(), run.failed(), run.undecided());
  const std::size_t wrong = run.wrong_files();
  if (wrong > 0) summary += "; " + counted(wrong, "file") + " with errors";
  if (run.skipped_files() > 0) summary += "; " + counted(run.skipped_files(), "file") + " not reached";
  if (!text.empty()) text += "\n";
  text += style.toned(run.exit_status() == 0 ? Tone::kGood : Tone::kBad, summary) + "\n";
  return wrapped_lines(text, options.width);
}

std::string text_audits(const Report& run) {
  std::string text;
  for (const AuditResult& audit : run.audits) text += audit_text(audit);
  return text;
}

}  // namespace oddsbound::reports
