#include "reports/publishable.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

// d.ddd * 10^exponent: the digits without the point; empty for 0.
struct Digits {
  std::string digits;
  long exponent = 0;
};

Digits digits_of(const std::string& decimal) {
  const std::size_t e = decimal.find_first_of("eE");
  const std::string mantissa = decimal.substr(0, e);
  Digits parts;
  long exponent = e == std::string::npos ? 0 : std::strtol(decimal.c_str() + e + 1, nullptr, 10);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  for (std::size_t i = 0; i < mantissa.size(); ++i) {
    if (mantissa[i] == '.') continue;
    if (parts.digits.empty() && mantissa[i] == '0') continue;
    if (parts.digits.empty()) {
      const long place = i < point ? static_cast<long>(point - i) - 1 : -static_cast<long>(i - point);
      parts.exponent = exponent + place;
    }
    parts.digits += mantissa[i];
  }
  return parts;
}

// Plain notation if that is short, else with an exponent.
std::string text_of(Digits parts) {
  constexpr long kMostZeros = 6, kMostPlaces = 15;
  parts.digits.erase(parts.digits.find_last_not_of('0') + 1);
  const auto count = static_cast<long>(parts.digits.size());
  const long e = parts.exponent;
  if (e < -kMostZeros || e > kMostPlaces) {
    const std::string rest = count > 1 ? "." + parts.digits.substr(1) : "";
    return parts.digits.substr(0, 1) + rest + "e" + std::to_string(e);
  }
  if (e < 0) return "0." + std::string(static_cast<std::size_t>(-e - 1), '0') + parts.digits;
  if (count <= e + 1) return parts.digits + std::string(static_cast<std::size_t>(e + 1 - count), '0');
  const auto whole = static_cast<std::size_t>(e + 1);
  return parts.digits.substr(0, whole) + "." + parts.digits.substr(whole);
}

bool stays(const Level& level) { return level.is_infinite() || level.is_zero(); }

Level rounded(const Level& level, bool up) {
  if (stays(level)) return level;
  const DecimalBounds bounds = decimal_bounds(level);
  return parse_level(rounded_decimal(up ? bounds.upper : bounds.lower, kPublishedDigits, up));
}

void publish(std::vector<std::pair<std::string, Measured>>& levels) {
  for (auto& [name, measured] : levels) {
    const Notion* notion = find_notion(name);
    if (notion != nullptr && !notion->needs_prior) continue;
    if (auto* level = std::get_if<MeasuredLevel>(&measured)) *level = publishable(*level);
    if (auto* all = std::get_if<std::vector<MeasuredLevel>>(&measured)) {
      for (MeasuredLevel& level : *all) level = publishable(level);
    }
  }
}

struct PublishActual {
  void operator()(std::monostate) const {}
  void operator()(Refinement&) const {}
  void operator()(MeasuredLevel& measured) const { measured = publishable(measured); }
  void operator()(NamedLevels& levels) const {
    for (auto& [coordinate, level] : levels) level = publishable(level);
  }
  void operator()(MeasuredNumber& number) const {
    number.at_least = std::min(rounded_up_for_others(number.at_most()), Number(1));
    number.unfinished.reset();
    number.witness = publishable(number.witness);
  }
  void operator()(Average& average) const {
    // The upper end alone, as of delta: two ends close to one another would show more than three digits.
    if (average.level.unfinished) average.level.at_least = average.level.unfinished->at_most;
    average.level.unfinished.reset();
    average.level = publishable(average.level);
    average.guesses.reset();
  }
};

void publish(ClaimResult& claim) {
  if (!claim.confidential) return;
  std::visit(PublishActual{}, claim.decision.actual);
  if (claim.decision.witness) claim.decision.witness = publishable(*claim.decision.witness);
  claim.decision.tradeoff.reset();
}

// Removes the figures and sentences that the table determines.
std::vector<std::string> leave_out(SpecResult& spec) {
  std::vector<std::string> left_out;
  if (spec.effects) left_out.emplace_back("sentences about probabilities");
  spec.effects.reset();
  if (!spec.analysis.tolerances.empty()) left_out.emplace_back("tolerances");
  spec.analysis.tolerances.clear();
  if (spec.analysis.tradeoffs) {
    spec.analysis.tradeoffs->resize(1);  // the first one is between inputs
    left_out.emplace_back("trade-off curves under the prior");
  }
  if (spec.pairs) {
    spec.pairs->values.clear();
    spec.pairs->correlation.clear();
    left_out.emplace_back("losses between values and correlations of attributes");
  }
  return left_out;
}

// Rounds or removes what the prior's table determines.
std::string publish_analysis(SpecResult& spec) {
  Analysis& analysis = spec.analysis;
  publish(analysis.levels);
  if (analysis.given_public) publish(analysis.given_public->levels);
  const auto round_up = [](auto& values) {
    for (auto& value : values) value = rounded_up_for_others(value);
  };
  if (analysis.correlation) round_up(*analysis.correlation);
  if (analysis.proposition_4) round_up(*analysis.proposition_4);
  if (analysis.composition) round_up(*analysis.composition);
  if (analysis.transport_bound) {
    for (auto& bound : *analysis.transport_bound) {
      if (bound) bound = rounded_up_for_others(*bound);
    }
  }
  std::string note = "the prior is confidential: levels that depend on it are rounded up to three significant digits";
  const std::vector<std::string> left_out = leave_out(spec);
  for (std::size_t i = 0; i < left_out.size(); ++i) {
    note += (i == 0 ? "; not shown: " : ", ") + left_out[i];
  }
  return note;
}

}  // namespace

std::string rounded_decimal(const std::string& decimal, int digits, bool up) {
  Digits parts = digits_of(decimal);
  if (parts.digits.empty()) return "0";
  const auto most = static_cast<std::size_t>(digits);
  if (parts.digits.size() <= most) return text_of(parts);
  const bool cut = parts.digits.find_first_not_of('0', most) != std::string::npos;
  parts.digits.resize(most);
  if (!up || !cut) return text_of(parts);
  std::size_t i = most;
  while (i > 0 && parts.digits[i - 1] == '9') parts.digits[--i] = '0';
  if (i > 0) {
    ++parts.digits[i - 1];
  } else {
    parts.digits.insert(parts.digits.begin(), '1');
    ++parts.exponent;
  }
  return text_of(parts);
}

Level rounded_up_for_others(const Level& level) { return rounded(level, true); }
Level rounded_down_for_others(const Level& level) { return rounded(level, false); }

Number rounded_up_for_others(const Number& number) {
  if (number.is_zero()) return number;
  return parse_number(rounded_decimal(decimal_bounds(number).upper, kPublishedDigits, true));
}

std::string published_text(const Level& rounded) {
  return rounded.is_infinite() ? "inf" : rounded_decimal(decimal_bounds(rounded).upper, kPublishedDigits, true);
}

std::string published_text(const Number& rounded) {
  return rounded_decimal(decimal_bounds(rounded).upper, kPublishedDigits, true);
}

std::string text_with_headroom(const Level& level, const Number& headroom) {
  if (stays(level)) return level.to_string();
  const Number most(1'000'000'000);  // the largest level that the spec format allows
  const Number product = std::min(parse_number(decimal_bounds(level).upper) * (Number(1) + headroom), most);
  return rounded_decimal(decimal_bounds(product).upper, kPublishedDigits, true);
}

Witness publishable(const Witness& witness) {
  Witness shown = witness;
  shown.withheld = true;
  shown.never = (!witness.outputs.empty() || witness.likelihood_event) && witness.p_to.is_zero();
  shown.equal = witness.p_from == witness.p_to;
  shown.p_from = shown.p_to = Number(0);
  if (shown.lowest) shown.lowest->p_from = shown.lowest->p_to = Number(0);
  if (shown.also) shown.also->p = Number(0);
  shown.prior.reset();
  return shown;
}

MeasuredLevel publishable(const MeasuredLevel& measured) {
  MeasuredLevel shown = measured;
  shown.witness.update([](Witness& witness) { witness = publishable(witness); });
  if (measured.unfinished) {
    shown.at_least = rounded_down_for_others(measured.at_least);
    shown.unfinished->at_most = rounded_up_for_others(measured.unfinished->at_most);
    shown.rounded = true;
  } else {
    shown.at_least = rounded_up_for_others(measured.at_least);
    shown.rounded = !stays(measured.at_least);
  }
  return shown;
}

SpecResult publishable(SpecResult spec) {
  if (!spec.confidential) return spec;
  for (ClaimResult& claim : spec.claims) publish(claim);
  for (Analysis::OverSet& over : spec.analysis.over_sets) {
    if (!over.confidential) continue;
    for (auto& [coordinate, level] : over.levels) level = publishable(level);
  }
  spec.rounded = spec.confidential_prior;
  const std::string note = spec.rounded ? publish_analysis(spec)
                                        : "a set of priors is confidential: levels over it are rounded up to three "
                                          "significant digits";
  spec.notes.push_back(note + " (--exact shows all)");
  for (TableUse& table : spec.tables) table.counts_withheld = spec.rounded;
  // A digest would allow guessing a small table.
  for (SourceFile& file : spec.files) file.sha256.clear();
  spec.certificate.reset();
  spec.claim_certificate.reset();
  return spec;
}

Report publishable(Report report) {
  for (SpecResult& spec : report.specs) spec = publishable(std::move(spec));
  for (AuditResult& audit : report.audits) audit = publishable(std::move(audit));
  return report;
}

ClaimResult publishable(ClaimResult claim) {
  publish(claim);
  return claim;
}

namespace {

bool is_short(const DecimalBounds& bounds) {
  constexpr std::size_t kShort = 8;
  return bounds.lower == bounds.upper && bounds.lower.size() <= kShort;
}

std::string above(const DecimalBounds& bounds, const WeightedLog& value, int digits) {
  if (is_short(bounds)) return bounds.upper;
  const std::vector<WeightedLog> sum{value};
  return decimal_bounds(sum, digits).upper;
}

}  // namespace

std::string rounded_up(const Number& number, int digits) {
  return above(decimal_bounds(number), {number, Number::exp_of(Number(1))}, digits);
}

std::string rounded_up(const Level& level) {
  constexpr int kDigits = 6;
  return level.is_infinite() ? "inf" : above(decimal_bounds(level), {Number(1), level.exponential()}, kDigits);
}

bool is_short_decimal(const Level& level) { return !level.is_infinite() && is_short(decimal_bounds(level)); }

}  // namespace oddsbound::reports
