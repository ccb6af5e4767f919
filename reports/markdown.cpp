#include "reports/markdown.h"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>

#include "base/characters.h"
#include "reports/effects.h"
#include "reports/formats.h"
#include "reports/levels.h"
#include "reports/words.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

std::string md(const std::string& text) { return escaped_markdown(text); }

std::string mark_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass: return "✅";
    case Outcome::kNote: return "ℹ️";
    case Outcome::kUndecided: return "❔";
    case Outcome::kFail:
    case Outcome::kError: break;
  }
  return "❌";
}

std::string table_of(const Checks& checks, bool bad) {
  std::string text = "| | file | check | found |\n| --- | --- | --- | --- |\n";
  for (const Check& check : checks.list) {
    if (Checks::is_bad(check.outcome) != bad) continue;
    std::string file = md(check.suite);
    if (bad && check.place.line > 0) file += fmt::format(":{}", check.place.line);
    text += fmt::format("| {} {} | {} | {} | {} |\n", mark_of(check.outcome), outcome_word(check.outcome), file,
                        md(check.title), md(check.message));
  }
  return text;
}

std::string level_markdown(const Level& level) {
  constexpr std::size_t kLongest = 40;
  const std::string epsilon = level.to_string();
  const std::string decimal = fmt::format("{:.4f}", rounded_nats(level));
  return epsilon.size() > kLongest ? decimal
                                   : md(epsilon) + (epsilon == "inf" || epsilon == "0" ? "" : " = " + decimal);
}

std::string level_markdown(const MeasuredLevel& measured) {
  return measured.unfinished || measured.rounded ? md(known_words(measured)) : level_markdown(measured.at_least);
}

// A table with one column per notion with levels by coordinate and one per bound, and lines below it.
std::string levels_markdown(const SpecResult& spec) {
  std::vector<std::string> columns;
  for (const Notion* notion : measured_notions(true)) columns.push_back(notion->title);
  columns.emplace_back(kProposition4);
  std::map<std::pair<std::string, std::string>, std::string> cells;  // by coordinate and column
  std::string below;
  for (const Quantity& quantity : quantities(spec)) {
    if (!quantity.is_bound && !quantity.beside.empty()) continue;
    const std::string level = quantity.is_bound && quantity.for_others ? md("at most " + nats(quantity.level))
                                                                       : level_markdown(quantity.level);
    if (quantity.coordinate.empty() && quantity.notion->drawn == DrawnBeside::kInputs) {
      below += fmt::format("\n{}: {}\n", capitalized(quantity.notion->title), level);
    }
    const std::string& column = quantity.is_bound ? quantity.kind : quantity.notion->title;
    if (quantity.is_bound && std::find(columns.begin(), columns.end(), column) == columns.end()) {
      columns.push_back(column);
    }
    cells.emplace(std::pair(quantity.coordinate, column), level);
  }
  std::string text = "| attribute |", rule = "| --- |";
  for (const std::string& column : columns) {
    text += " " + column + " |";
    rule += " --- |";
  }
  text += "\n" + rule + "\n";
  for (const std::string& name : spec.coordinates) {
    text += "| " + md(name) + (spec.is_public(name) ? " (public)" : "") + " |";
    for (const std::string& column : columns) text += " " + cells[{name, column}] + " |";
    text += "\n";
  }
  for (const Quantity& known : levels_beside(spec)) {
    below += fmt::format("\n{}{}, {}: {}\n", capitalized(known.notion->title),
                         known.coordinate.empty() ? "" : " of " + md(known.coordinate), md(known.beside),
                         level_markdown(known.level));
  }
  for (const std::string& sentence : sentences_about_priors(spec)) below += "\n" + md(sentence) + "\n";
  return text + below;
}

// The effects of the release on people's odds.
std::string effects_markdown(const SpecResult& spec) {
  if (!spec.effects) return "";
  std::string text = "\n" + capitalized(kEffectsTitle) + ":\n\n";
  for (const EffectWords& words : effect_words(spec)) {
    text += fmt::format("- {}: {}\n", md(words.coordinate), md(sentence({words.worst, words.frequent})));
    if (!words.average.empty()) text += "  On average " + md(words.average) + ".\n";
  }
  const std::string record = record_words(spec);
  if (!record.empty()) text += "- full record: on average " + md(record) + "\n";
  const std::string& open = spec.effects->without;
  return open.empty() ? text : text + "\n" + capitalized(kEffectsOpen) + md(open) + "\n";
}

bool has_levels_by_coordinate(const SpecResult& spec) {
  return std::any_of(spec.analysis.levels.begin(), spec.analysis.levels.end(), [](const auto& level) {
    return std::holds_alternative<std::vector<MeasuredLevel>>(level.second);
  });
}

}  // namespace

std::string markdown_checks(const Checks& checks) {
  if (checks.list.empty()) return "";
  const std::size_t passed = checks.count(Outcome::kPass) + checks.count(Outcome::kNote);
  std::string text = fmt::format("## oddsbound: {}, {} as expected, {} not, {} undecided, {} with errors\n\n",
                                 counted(checks.list.size(), "check"), passed, checks.count(Outcome::kFail),
                                 checks.count(Outcome::kUndecided), checks.count(Outcome::kError));
  if (passed < checks.list.size()) text += table_of(checks, true) + "\n";
  if (passed > 0) {
    text += fmt::format("<details><summary>{} as expected</summary>\n\n{}\n</details>\n", counted(passed, "check"),
                        table_of(checks, false));
  }
  return text;
}

std::string markdown_report(const Report& report, const Checks& checks, const RenderOptions&) {
  std::string text = markdown_checks(checks);
  for (const SpecResult& spec : report.specs) {
    const bool has_levels = has_levels_by_coordinate(spec);
    if (!has_levels && spec.tables.empty() && !spec.row_tolerance) continue;
    text +=
        fmt::format("\n### {}\n\n{}, {} inputs, {} outputs\n\n", md(spec.name), md(spec.file),
                    md(spec.inputs.to_string()), md(spec.outputs ? spec.outputs->to_string() : outputs_words(spec)));
    for (const TableUse& table : spec.tables) text += "Table: " + md(table_words(table)) + "\n\n";
    if (spec.row_tolerance) {
      text += "Levels are between bounds for " + md(printed_matrix_words(*spec.row_tolerance)) + ".\n\n";
    }
    if (has_levels) text += levels_markdown(spec);
    text += effects_markdown(spec);
  }
  return text;
}

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// GitHub links addresses that start with "www" even without a scheme.
bool ends_with_www(const std::string& text) {
  if (text.size() < 3) return false;
  return std::all_of(text.end() - 3, text.end(), [](char c) { return c == 'w' || c == 'W'; });
}

template <typename Write>
std::string rewritten(std::string_view text, Write write) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_blank = text[0] == '\t' || text[0] == '\n';
    if (character.is_hidden() && !is_blank) {
      result += kReplacement;
    } else {
      write(text.substr(0, character.bytes), result);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  return rewritten(text, [](std::string_view part, std::string& result) {
    switch (part[0]) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      case '\t': result += "&#9;"; break;
      case '\n': result += "&#10;"; break;
      default: result += part;
    }
  });
}

std::string escaped_markdown(std::string_view text) {
  return rewritten(text, [](std::string_view part, std::string& result) {
    constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    constexpr std::string_view kHarmless = "'(),./;=+-% ";
    const char c = part[0];
    if (c == '\t' || c == '\n') {
      result += ' ';
    } else if (part.size() == 1 && kPunctuation.find(c) != std::string_view::npos &&
               kHarmless.find(c) == std::string_view::npos) {
      // Entities, because a backslash does not protect a bar inside a table. GitHub finds mentions, references and
      // addresses after decoding entities; a zero-width space breaks them.
      result += "&#" + std::to_string(static_cast<int>(c)) + ";";
      if (c == '@' || c == '#' || c == ':') result += "&#8203;";
    } else {
      if (c == '.' && ends_with_www(result)) result += "&#8203;";
      result += part;
    }
  });
}

std::string sarif_text(std::string_view text) {
  std::string result;
  for (const char c : visible(text)) {
    // A viewer would read "](" as a link (SARIF, 3.11.6).
    if (c == '(' && result.ends_with(']')) result += ' ';
    result += c;
  }
  return result;
}

std::string uri_reference(std::string path) {
  std::error_code ignored;
  if (path.starts_with("/")) path = std::filesystem::weakly_canonical(path, ignored).string();
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    plain ? void(uri += c) : void(uri += std::string("%") + kHex[byte >> 4] + kHex[byte & 15]);
  }
  return uri.starts_with("/") ? "file://" + uri : uri;
}

}  // namespace oddsbound::reports
