#include "reports/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"

namespace oddsbound {

namespace {

constexpr std::size_t kLongestExact = 36;

struct Style {
  bool color;
  std::string paint(const char* code, const std::string& text) const {
    return color ? "\x1b[" + std::string(code) + "m" + text + "\x1b[0m" : text;
  }
  std::string good(const std::string& text) const { return paint("32", text); }
  std::string bad(const std::string& text) const { return paint("31", text); }
  std::string doubtful(const std::string& text) const { return paint("33", text); }
  std::string strong(const std::string& text) const { return paint("1", text); }
  std::string faint(const std::string& text) const { return paint("2", text); }
};

// Terminal columns: code points, near enough.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return own < width ? text + std::string(width - own, ' ') : text;
}

// A decimal cut to six significant digits, for reading beside the exact value. Beyond the range of a double its own
// digits are cut.
std::string short_decimal(const std::string& decimal) {
  const std::size_t exponent = decimal.find('e');
  if (exponent == std::string::npos) return fmt::format("{:.6g}", std::stod(decimal));
  return decimal.substr(0, std::min<std::size_t>(7, exponent)) + decimal.substr(exponent);
}

std::string approximate(const Number& number) { return short_decimal(decimal_bounds(number).lower); }

std::string number_text(const Number& number) {
  const std::string exact = number.to_string();
  return number.is_rational() && exact.size() <= kLongestExact ? exact : "about " + approximate(number);
}

std::string nats(const Level& level) {
  return level.is_infinite() ? "inf" : short_decimal(decimal_bounds(level).upper);
}

std::string exact_text(const Level& level) {
  const std::string text = level.to_string();
  return text.size() <= kLongestExact ? text : "exact: " + std::to_string(text.size()) + " characters in JSON";
}

std::string level_words(const Level& level) {
  const std::string text = level.to_string();
  const std::string decimal = nats(level);
  if (text == decimal) return text;
  return text.size() <= kLongestExact ? text + " = " + decimal : decimal;
}

std::string named(const std::string& coordinate, const std::string& value) {
  return coordinate.empty() ? printable(value) : printable(coordinate) + "=" + printable(value);
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string grouped(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts[0] : "(" + joined(parts) + ")";
}

// Two sides in words. Of two inputs only the coordinates that differ are named on each side, the others once for both.
struct Sides {
  std::string from, to, both;
};

Sides sides_of(const Witness& witness, const std::vector<std::string>& coordinates) {
  const auto* from = std::get_if<std::vector<std::string>>(&witness.from);
  const auto* to = std::get_if<std::vector<std::string>>(&witness.to);
  if (from == nullptr || to == nullptr) {
    return {named(witness.coordinate, std::get<std::string>(witness.from)),
            named(witness.coordinate, std::get<std::string>(witness.to)), ""};
  }
  const bool whole = from->size() == coordinates.size();
  std::vector<std::string> left, right, shared;
  for (std::size_t i = 0; i < from->size(); ++i) {
    const std::string name = whole ? coordinates[i] : "";
    if (*from != *to && (*from)[i] == (*to)[i]) {
      shared.push_back(named(name, (*from)[i]));
    } else {
      left.push_back(named(name, (*from)[i]));
      right.push_back(named(name, (*to)[i]));
    }
  }
  return {grouped(left), grouped(right), shared.empty() ? "" : ", both with " + joined(shared)};
}

std::string outputs_words(const std::vector<std::string>& outputs) {
  constexpr std::size_t kMost = 4;
  if (outputs.size() == 1) return "output `" + printable(outputs[0]) + "`";
  std::string text = "an output in {";
  for (std::size_t i = 0; i < outputs.size() && i < kMost; ++i)
    text += (i > 0 ? ", `" : "`") + printable(outputs[i]) + "`";
  if (outputs.size() > kMost) text += ", ... (" + std::to_string(outputs.size()) + " in all)";
  return text + "}";
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

struct Row {
  std::string what, nats, exact, words;
};

std::string aligned(const std::vector<Row>& rows, const Style& style) {
  std::size_t what = 0;
  std::size_t decimal = 0;
  std::size_t exact = 0;
  for (const Row& row : rows) {
    what = std::max(what, width_of(row.what));
    decimal = std::max(decimal, width_of(row.nats));
    exact = std::max(exact, width_of(row.exact));
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = "  " + style.strong(padded(row.what, what)) + "  " + padded(row.nats, decimal) + "  " +
                       padded(row.exact, exact) + "  " + row.words;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Row level_row(const std::string& what, const MeasuredLevel& measured, const SpecResult& spec) {
  return {what, nats(measured.level), exact_text(measured.level), witness_words(measured.witness, spec.coordinates)};
}

std::vector<Row> analysis_rows(const SpecResult& spec) {
  const Analysis& analysis = spec.analysis;
  std::vector<Row> rows{{"level", "nats", "exact", "who leaks what"}};
  if (analysis.ldp) rows.push_back(level_row("ldp", *analysis.ldp, spec));
  if (analysis.bdp) rows.push_back(level_row("bdp", *analysis.bdp, spec));
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    const std::string name = printable(spec.coordinates[i], 40);
    if (analysis.cdp) rows.push_back(level_row("cdp " + name, (*analysis.cdp)[i], spec));
    if (analysis.bcdp) rows.push_back(level_row("bcdp " + name, (*analysis.bcdp)[i], spec));
    if (analysis.proposition_4) {
      const Level& bound = (*analysis.proposition_4)[i];
      rows.push_back(
          {"  bound", nats(bound), exact_text(bound),
           "what Proposition 4 guarantees, with correlation q = " + number_text((*analysis.correlation)[i])});
    }
  }
  for (const auto& [name, reason] : analysis.undecided) rows.push_back({name, "?", "undecided", reason});
  return rows;
}

std::string functions_lines(const SpecResult& spec) {
  std::string text = "  " + spec.inputs.to_string() + " inputs, " + number_text(*spec.outputs) + " outputs; for all " +
                     joined(spec.functions->symbols) + "\n\n  the entries of the channel are\n";
  for (const std::string& entry : spec.functions->entries) text += "    " + printable(entry, 200) + "\n";
  return text;
}

std::string heading(const SpecResult& spec, const Style& style) {
  return style.strong(printable(spec.name)) + style.faint("  " + printable(spec.file, 200)) + "\n";
}

std::string claimed_words(const ClaimResult& claim) {
  if (std::holds_alternative<Refinement>(claim.decision.actual)) return "the given mechanism";
  struct Words {
    std::string operator()(const std::string& level) const { return "<= " + printable(level, kLongestExact); }
    std::string operator()(const std::vector<std::pair<std::string, std::string>>& levels) const {
      const bool delta = levels.size() == 2 && levels[0].first == "epsilon" && levels[1].first == "delta";
      std::string text;
      for (const auto& [name, level] : levels) {
        text += (text.empty() ? "" : ", ") + printable(name, 40) + (delta ? " = " : " <= ") +
                printable(level, kLongestExact);
      }
      return text;
    }
    std::string operator()(const std::vector<std::vector<std::string>>&) const { return "<= the given matrix"; }
  };
  return std::visit(Words{}, claim.claimed);
}

std::string values_words(const ClaimResult& claim) {
  std::vector<std::string> parts;
  for (const auto& [symbol, value] : claim.values) parts.push_back(printable(symbol) + " = " + printable(value));
  return joined(parts);
}

// Who decided in what time, where Z3 had a say.
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
  return " (" + joined(parts) + ")";
}

std::string actual_words(const ClaimResult& claim) {
  struct Words {
    const ClaimResult& claim;
    std::string operator()(std::monostate) const {
      const bool measured =
          std::find(claim.decided_by.begin(), claim.decided_by.end(), "exact") != claim.decided_by.end();
      return measured ? "nothing is constrained" : "by Z3 from the definition";
    }
    std::string operator()(const Refinement& refinement) const {
      if (refinement.holds) return "with the kernel in the JSON";
      return "the gain function in the JSON is worth " + number_text(refinement.value) + " here, at most " +
             number_text(refinement.best) + " there";
    }
    std::string operator()(const MeasuredLevel& measured) const { return "exactly " + level_words(measured.level); }
    std::string operator()(const std::vector<CoordinateLevel>& levels) const {
      std::string text = "exactly ";
      for (std::size_t i = 0; i < levels.size(); ++i) {
        text += (i > 0 ? ", " : "") + printable(levels[i].coordinate, 40) + " " + level_words(levels[i].measured.level);
      }
      return text;
    }
    std::string operator()(const Delta& delta) const { return "exactly delta = " + number_text(delta.delta); }
  };
  return std::visit(Words{claim}, claim.decision.actual);
}

std::string context_words(const ClaimResult& claim) {
  if (claim.notion != "context_ldp" || std::holds_alternative<std::monostate>(claim.decision.actual)) {
    return actual_words(claim);
  }
  return "the tightest pair has " + actual_words(claim);
}

std::string claim_lines(const ClaimResult& claim, const SpecResult& spec, const Style& style) {
  std::string line = claim.notion;
  if (claim.verdict == Verdict::kUndecided) {
    return "  " + style.doubtful("?") + " " + line + ": undecided: " + claim.reason + "\n";
  }
  line += " " + claimed_words(claim) + (claim.tight ? ", tight" : "");
  if (!claim.name.empty()) line += style.faint(" [" + printable(claim.name) + "]");
  const bool holds = claim.verdict == Verdict::kHolds;
  std::string verdict = holds ? "holds" : "refuted";
  if (claim.as_expected() && !holds) verdict += ", as expected";
  if (!claim.as_expected()) verdict = style.bad(holds ? "holds, but was expected to be refuted" : verdict);
  if (!claim.values.empty()) verdict += " for " + values_words(claim);
  const std::string mark =
      claim.ok() ? style.good("\u2713") : (claim.undecided() ? style.doubtful("?") : style.bad("\u2717"));
  std::string text =
      "  " + mark + " " + line + ": " + verdict + "; " + context_words(claim) + style.faint(engine_words(claim)) + "\n";
  if (!claim.missing_opinion.empty()) text += "      no second opinion: " + claim.missing_opinion + "\n";
  if (claim.tight && !holds && claim.decision.holds) text += "      a smaller level holds\n";
  if (claim.decision.witness) {
    const Witness& witness = *claim.decision.witness;
    text += "      " + witness_words(witness, spec.coordinates) +
            style.faint(" (" + number_text(witness.p_from) + " against " + number_text(witness.p_to) + ")") + "\n";
  }
  return text;
}

}  // namespace

std::string witness_words(const Witness& witness, const std::vector<std::string>& coordinates) {
  if (witness.outputs.empty()) return "no output is likelier from one input than from another";
  const auto [from, to, both] = sides_of(witness, coordinates);
  const std::string output = outputs_words(witness.outputs);
  if (witness.p_to.is_zero()) return output + " can come from " + from + ", never from " + to + both;
  if (witness.p_from == witness.p_to) {
    if (witness.from == witness.to) return output + " comes from " + from + ", and there is nothing to tell it from";
    return output + " is as likely from " + from + " as from " + to + both;
  }
  return output + " is " + number_text(witness.p_from / witness.p_to) + " times likelier from " + from + " than from " +
         to + both;
}

std::string text_analysis(const RunResult& run, const TextOptions& options) {
  const Style style{options.color};
  std::string text;
  for (const SpecResult& spec : run.specs) {
    if (!text.empty()) text += "\n";
    text += heading(spec, style);
    if (spec.functions) {
      text += functions_lines(spec);
      continue;
    }
    text += "  " + spec.inputs.to_string() + " inputs, " + (spec.outputs ? number_text(*spec.outputs) : "continuous") +
            " outputs, " +
            (spec.analysis.bdp || spec.analysis.undecided.contains("bdp") ? "with a prior" : "no prior") + "\n\n";
    text += aligned(analysis_rows(spec), style);
  }
  return text;
}

std::string text_verification(const RunResult& run, const TextOptions& options) {
  const Style style{options.color};
  std::string text;
  for (const SpecResult& spec : run.specs) {
    text += heading(spec, style);
    if (spec.functions) text += style.faint("  for all " + joined(spec.functions->symbols)) + "\n";
    if (spec.claims.empty()) text += "    no claims\n";
    for (const ClaimResult& claim : spec.claims) text += claim_lines(claim, spec, style);
  }
  std::string summary = fmt::format("{}, {}: {} as expected, {} not, {} undecided", counted(run.specs.size(), "spec"),
                                    counted(run.claims(), "claim"), run.ok(), run.failed(), run.undecided());
  if (!run.errors.empty()) summary += "; " + counted(run.errors.size(), "file") + " with errors";
  if (!text.empty()) text += "\n";
  return text + (run.exit_status() == 0 ? style.good(summary) : style.bad(summary)) + "\n";
}

}  // namespace oddsbound
