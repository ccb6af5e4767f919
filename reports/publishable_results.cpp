// The publishable form of audits, run plans, comparisons, tuned parameters and estimates.

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "reports/publishable.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

// 17 significant digits, which determine a double.
std::string decimal_of(double value) { return fmt::format("{:.17g}", std::abs(value)); }

std::string outward(std::string decimal, bool up) {
  const bool negative = decimal.starts_with('-');
  if (negative) decimal.erase(0, 1);
  const std::string rounded = rounded_decimal(decimal, kPublishedDigits, up != negative);
  return negative && rounded != "0" ? "-" + rounded : rounded;
}

double rounded_double(double value, bool up) {
  if (!std::isfinite(value)) return value;
  return std::strtod(outward((value < 0 ? "-" : "") + decimal_of(value), up).c_str(), nullptr);
}

// A digest would allow guessing a small table.
void withhold_digests(std::vector<SourceFile>& files) {
  for (SourceFile& file : files) file.sha256.clear();
}

ClaimedValue rounded_for_others(const ClaimedValue& exact) {
  if (const Level* level = exact.level()) return ClaimedValue(rounded_up_for_others(*level));
  if (const Number* number = exact.number()) return ClaimedValue(rounded_up_for_others(*number));
  return exact;
}

void publish(AuditedLevel& level) {
  if (!level.confidential) return;
  level.rounded = true;
  level.at_least = rounded_double(level.at_least, false);
  if (level.at_most) level.at_most = rounded_double(*level.at_most, true);
  level.ceiling = rounded_double(level.ceiling, false);
  level.score = {};
  const Notion* notion = find_notion(level.notion);
  level.exact_rounded = level.exact && (notion == nullptr || notion->needs_prior);
  if (level.exact_rounded) level.exact = rounded_for_others(*level.exact);
}

void publish(AgreementResult& agreement) {
  if (agreement.power) agreement.power = rounded_double(*agreement.power, true);
  for (DeviatingEntry& entry : agreement.deviations) {
    entry.rounded = true;
    entry.count = entry.runs = 0;
    if (entry.interval) {
      entry.interval = {rounded_double(entry.interval->first, false), rounded_double(entry.interval->second, true)};
    }
  }
}

void publish(std::optional<DependencePower>& power) {
  if (!power) return;
  if (power->within) power->within = rounded_double(*power->within, true);
  if (power->across) power->across = rounded_double(*power->across, true);
}

template <typename Value>
Between<Value> publish(const Between<Value>& between) {
  if constexpr (std::is_same_v<Value, Level>) {
    const Level up = rounded_up_for_others(between.at_most);
    return between.exact() ? Between<Level>{up, up} : Between<Level>{rounded_down_for_others(between.at_least), up};
  } else {
    const Number up = rounded_outward(between.at_most, true);
    return between.exact() ? Between<Number>{up, up} : Between<Number>{rounded_outward(between.at_least, false), up};
  }
}

void publish(ComparedCell& cell) {
  if (!cell.confidential) return;
  if (const auto* level = std::get_if<Between<Level>>(&cell.value)) cell.rounded = publish(*level);
  if (const auto* number = std::get_if<Between<Number>>(&cell.value)) cell.rounded = publish(*number);
}

bool has_few_digits(const TunedValue& value) {
  return !value.logarithm && value.number.is_rational() && rounded_outward(value.number, true) == value.number;
}

// The part of a proven range whose ends have few digits. An end of the whole range is unchanged. nullopt if empty.
std::optional<TuneRange> within(const std::optional<TuneRange>& proven, const TuneRange& whole) {
  if (!proven) return std::nullopt;
  TuneRange part = *proven;
  if (part.from != whole.from && !has_few_digits(part.from)) {
    part.from = {rounded_outward(part.from.approx(), true)};
    part.from_open = false;
  }
  if (part.to != whole.to && !has_few_digits(part.to)) {
    part.to = {rounded_outward(part.to.approx(), false)};
    part.to_open = false;
  }
  // A double may have been rounded to the wrong side.
  if (part.from < proven->from || part.to > proven->to || part.from >= part.to) return std::nullopt;
  return part;
}

}  // namespace

Number rounded_outward(double value, bool up) {
  return parse_number(outward((value < 0 ? "-" : "") + decimal_of(value), up));
}

Number rounded_outward(const Number& value, bool up) {
  if (value.is_zero()) return value;
  const DecimalBounds bounds = decimal_bounds(value);
  return parse_number(outward(up ? bounds.upper : bounds.lower, up));
}

AuditResult publishable(AuditResult audit) {
  if (!audit.confidential) return audit;
  withhold_digests(audit.files);
  auto* found = std::get_if<StatisticalAudit>(&audit.found);
  if (found == nullptr) return audit;
  bool rounded = false;
  for (AuditedLevel& level : found->levels) {
    publish(level);
    rounded = rounded || level.rounded;
  }
  const std::size_t lines = found->history.size();
  std::erase_if(found->history, [&](const AnytimeLevel& line) { return found->levels.at(line.question).rounded; });
  if (!rounded) return audit;
  publish(found->agreement);
  publish(found->dependence_power);
  if (found->dependence_power) found->dependence_power->runs = 0;
  audit.note =
      "the prior is confidential: bounds, and levels that depend on it, are rounded outward to three significant "
      "digits; "
      "not shown: how many guesses were right, and how often outputs came";
  // Inputs that are played more get more requests, and the prior decides which.
  if (found->requests || found->dependence_power) audit.note += ", how many runs and requests were compared";
  found->requests.reset();
  if (found->history.size() < lines) audit.note += ", evidence over time";
  audit.note += " (--exact shows all)";
  return audit;
}

RunPlan publishable(RunPlan plan) {
  for (PlannedRuns& claim : plan.claims) {
    if (!claim.confidential) continue;
    // More runs than necessary are sufficient.
    if (claim.samples) {
      const std::string up = rounded_decimal(std::to_string(*claim.samples), kPublishedDigits, true);
      claim.samples = std::strtoull(up.c_str(), nullptr, 10);
    }
    for (double* share : {&claim.guessed, &claim.allowed, &claim.violated}) *share = rounded_double(*share, true);
  }
  return plan;
}

DesignComparison publishable(DesignComparison comparison) {
  bool rounded = false;
  for (ComparedRow& row : comparison.rows) {
    for (ComparedCell& cell : row.cells) {
      publish(cell);
      rounded = rounded || cell.rounded;
    }
  }
  for (ComparedDesign& design : comparison.designs) {
    if (!design.confidential) continue;
    withhold_digests(design.files);
    for (TableUse& table : design.tables) table.counts_withheld = true;
  }
  if (rounded) {
    comparison.notes.emplace_back(
        "a prior is confidential: numbers that depend on it are rounded to three significant digits, up where they are "
        "known exactly (--exact shows all); which design is lowest is decided by exact values");
  }
  return comparison;
}

TuneResult publishable(TuneResult result) {
  if (!result.confidential()) return result;
  result.status = result.exit_status();
  const bool narrow = result.narrow();
  std::erase_if(result.points, [](const TunedPoint& point) { return !point.on_grid && !has_few_digits(point.value); });
  for (TunedPoint& point : result.points) {
    for (ClaimResult& claim : point.claims) claim = publishable(std::move(claim));
  }
  const auto holds = result.holds_at(), fails = result.fails_at();
  if (narrow && holds && fails && !result.narrow()) {
    const Number gap = result.points[*holds].value.number - result.points[*fails].value.number;
    result.width = gap.sign() < 0 ? -gap : gap;
  }
  result.proven = within(result.proven, result.range);
  result.proven_to_fail = within(result.proven_to_fail, result.range);
  // The reason may contain a value.
  if (!result.not_proven.empty()) result.not_proven = "the reason is not shown, because the prior is confidential";
  withhold_digests(result.files);
  result.notes.emplace_back(
      "the prior is confidential: levels that depend on it are rounded up to three significant digits, and so is what "
      "was found to the nearest values that were decided (--exact shows all)");
  return result;
}

EstimateResult publishable(EstimateResult result) {
  if (!result.confidential) return result;
  result.rounded = true;
  const auto round_up = [](std::optional<Number>& error) {
    if (error) error = rounded_outward(*error, true);
  };
  // Lower bounds would narrow what the table is down further: only upper ones are published.
  const auto round_distances = [](auto& shown) {
    // With a number of people, the distance is the one that was asked for.
    if (shown.people_for) shown.total_variation.reset();
    if (shown.total_variation) {
      shown.total_variation = ExpectedDistance{0, rounded_outward(shown.total_variation->at_most, true).approx()};
    }
    if (shown.people_for) {
      shown.people_for->too_few = 0;
      const Number enough = rounded_outward(Number(static_cast<std::int64_t>(shown.people_for->enough)), true);
      shown.people_for->enough = static_cast<std::uint64_t>(std::llround(enough.approx()));
    }
  };
  round_up(result.mean_squared_error);
  round_distances(result);
  for (MarginalEstimates& marginal : result.marginals) {
    round_up(marginal.mean_squared_error);
    round_distances(marginal);
  }
  // The planned number is the largest of the rounded ones: the largest itself would narrow the table down.
  std::uint64_t planned = result.people_for ? result.people_for->enough : 0;
  for (const MarginalEstimates& marginal : result.marginals) {
    if (marginal.people_for) planned = std::max(planned, marginal.people_for->enough);
  }
  if (planned > 0) result.outputs = planned;
  return result;
}

ComposedResult publishable(ComposedResult result) {
  if (result.confidential) withhold_digests(result.files);
  return result;
}

}  // namespace oddsbound::reports
