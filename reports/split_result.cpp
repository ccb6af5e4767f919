#include "reports/split_result.h"

#include <fmt/format.h>
#include <algorithm>

#include "reports/fields.h"
#include "reports/layout.h"
#include "reports/level_fields.h"
#include "reports/publishable.h"
#include "reports/report.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

void describe(FieldWriter& fields, SplitLevel& level) {
  fields.field("coordinate", level.coordinate);
  fields.field("correlation", level.correlation);
  fields.where(level.delta.has_value(), "delta", level.delta);
  fields.field("cdp", level.cdp);
  fields.derived("cdp_nats", level.cdp.is_infinite() ? "inf" : decimal_bounds(level.cdp).lower);
  fields.field("bcdp_at_most", level.bcdp);
  fields.derived("bcdp_nats", level.bcdp.is_infinite() ? "inf" : decimal_bounds(level.bcdp).upper);
}

void describe(FieldWriter& fields, Split& split) {
  fields.field("by", split.by);
  fields.field("ldp", split.ldp);
  fields.field("levels", split.levels);
  if (!split.proposition_6) return;
  const Answer answer = *split.proposition_6;
  fields.derived("proposition_6", answer == Answer::kYes ? "holds" : answer == Answer::kNo ? "fails" : "undecided");
}

void describe(FieldWriter& fields, SplitResult& result) { fields.field("splits", result.splits); }

std::string to_json(const SplitResult& result) { return document_of(result); }

int SplitResult::exit_status() const {
  for (const Split& split : splits) {
    for (const SplitLevel& level : split.levels) {
      if (level.delta && *level.delta < level.bcdp) return 1;
    }
  }
  return 0;
}

namespace {

std::string level_digits(const Level& level, bool up) {
  constexpr int kDigits = 6;
  if (level.is_infinite() || level.is_zero()) return level.to_string();
  const DecimalBounds bounds = decimal_bounds(level);
  return rounded_decimal(up ? bounds.upper : bounds.lower, kDigits, up);
}

std::string split_title(const Split& split) {
  if (split.by == "given") return "The given CDP levels, with LDP level " + level_digits(split.ldp, true);
  if (split.by == "one LDP budget") return "Any mechanism with LDP level " + level_digits(split.ldp, false);
  return "CDP levels in proportion to the BCDP levels, by " + split.by + ": LDP level " + level_digits(split.ldp, true);
}

}  // namespace

std::string text_split(const SplitResult& result) {
  std::string text;
  for (const Split& split : result.splits) {
    const bool has_delta = std::any_of(split.levels.begin(), split.levels.end(),
                                       [](const SplitLevel& level) { return level.delta.has_value(); });
    text += (text.empty() ? "" : "\n") + split_title(split) + "\n";
    std::vector<std::vector<std::string>> rows{{"coordinate", "correlation", "CDP", "BCDP at most"}};
    if (has_delta) rows[0].emplace_back("asked for");
    for (const SplitLevel& level : split.levels) {
      rows.push_back({printable(level.coordinate), decimal_text(level.correlation), level_digits(level.cdp, false),
                      level_digits(level.bcdp, true)});
      if (!has_delta) continue;
      const std::string asked = level.delta ? level.delta->to_string() : "";
      rows.back().push_back(level.delta && *level.delta < level.bcdp ? asked + ": EXCEEDED" : asked);
    }
    text += aligned(rows);
    if (split.proposition_6 && split.by == "given") {
      const Answer answer = *split.proposition_6;
      text += std::string("  the linear condition of proposition 6 ") +
              (answer == Answer::kYes  ? "holds"
               : answer == Answer::kNo ? "fails"
                                       : "is undecided at 40 digits") +
              "\n";
    }
  }
  return text;
}

}  // namespace oddsbound::reports
