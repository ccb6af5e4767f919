#include "results/tune_result.h"

#include <algorithm>
#include <cmath>

namespace oddsbound::results {

namespace {

Number exponential(const TunedValue& value) { return value.logarithm ? value.number : Number::exp_of(value.number); }

}  // namespace

std::string TunedValue::text() const { return logarithm ? "log(" + number.to_string() + ")" : number.to_string(); }

double TunedValue::approx() const { return logarithm ? std::log(number.approx()) : number.approx(); }

std::strong_ordering operator<=>(const TunedValue& a, const TunedValue& b) {
  if (a.logarithm == b.logarithm) return a.number <=> b.number;
  return exponential(a) <=> exponential(b);
}

Verdict TunedPoint::verdict() const {
  const auto count = [&](Verdict verdict) {
    return std::count_if(claims.begin(), claims.end(), [&](const ClaimResult& c) { return c.verdict == verdict; });
  };
  if (count(Verdict::kRefuted) > 0) return Verdict::kRefuted;
  return claims.empty() || count(Verdict::kUndecided) > 0 ? Verdict::kUndecided : Verdict::kHolds;
}

bool TunedPoint::is_certain() const {
  return std::all_of(claims.begin(), claims.end(), [](const ClaimResult& c) { return c.scope.is_certain(); });
}

std::string TunedPoint::word() const {
  switch (verdict()) {
    case Verdict::kHolds: return is_certain() ? "holds" : "holds with confidence";
    case Verdict::kRefuted: return "fails";
    case Verdict::kUndecided: break;
  }
  return "undecided";
}

std::string TunedPoint::open_reason() const {
  for (const ClaimResult& claim : claims) {
    if (claim.verdict == Verdict::kUndecided) return claim.reason;
  }
  return reason;
}

std::string TuneRange::text(const std::string& name) const {
  return from.text() + (from_open ? " < " : " <= ") + name + (to_open ? " < " : " <= ") + to.text();
}

bool TuneResult::confidential() const {
  return std::any_of(points.begin(), points.end(), [](const TunedPoint& point) {
    return std::any_of(point.claims.begin(), point.claims.end(), [](const ClaimResult& c) { return c.confidential; });
  });
}

std::optional<std::size_t> TuneResult::holds_at() const {
  std::optional<std::size_t> place;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].verdict() == Verdict::kHolds && !(smallest && place)) place = i;
  }
  return place;
}

std::optional<std::size_t> TuneResult::fails_at() const {
  const auto holds = holds_at();
  if (!holds || *holds == (smallest ? 0 : points.size() - 1)) return std::nullopt;
  return smallest ? *holds - 1 : *holds + 1;
}

std::vector<TunedRun> TuneResult::runs() const {
  std::vector<TunedRun> runs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Verdict verdict = points[i].verdict();
    if (runs.empty() || runs.back().verdict != verdict) {
      runs.push_back({i, i, verdict});
    } else {
      runs.back().last = i;
    }
  }
  return runs;
}

bool TuneResult::is_exact() const {
  const auto holds = holds_at();
  // Exactly which value it is would be a statistic of the table.
  if (status || !holds || !proven_to_fail) return false;
  const TunedValue& found = points[*holds].value;
  return smallest ? proven_to_fail->to == found && proven_to_fail->from == range.from
                  : proven_to_fail->from == found && proven_to_fail->to == range.to;
}

std::size_t TuneResult::undecided() const {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const TunedPoint& point) { return point.verdict() == Verdict::kUndecided; }));
}

bool TuneResult::narrow() const {
  const auto holds = holds_at(), fails = fails_at();
  if (!holds) return false;
  if (!fails) return true;
  const TunedPoint& a = points[std::min(*holds, *fails)];
  const TunedPoint& b = points[std::max(*holds, *fails)];
  if (points[*fails].verdict() != Verdict::kRefuted) return false;
  // Logarithms are only ever put between two rationals that are near enough.
  if (a.value.logarithm || b.value.logarithm) return true;
  return b.value.number - a.value.number <= width;
}

int TuneResult::exit_status() const {
  if (status) return *status;
  if (undecided() > 0) return 3;
  if (!holds_at()) return 1;
  return narrow() ? 0 : 3;
}

}  // namespace oddsbound::results
