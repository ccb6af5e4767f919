// Text of a claim's result: the claim, the verdict, and the two numbers that decided it.

#include "reports/claim_words.h"

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "reports/effects.h"
#include "reports/publishable.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/notions/table.h"

namespace oddsbound::reports {

namespace {

constexpr std::size_t kLongestClaimed = 36;
constexpr std::size_t kMostCoordinates = 32;  // listed at most; a claim may be about thousands

std::string and_more(std::size_t listed, std::size_t all) {
  return listed < all ? " and " + std::to_string(all - listed) + " more" : "";
}

// "1 * l2 distance of a, b" for a level per unit of a distance.
std::string function_words(const std::string& function) {
  const auto json = nlohmann::json::parse(function);
  if (!json.is_object()) return "the given matrix";
  if (!json.contains("metric")) return "the smaller of the two inputs' levels";
  std::string coordinates;
  if (json.contains("of")) {
    for (const auto& name : json["of"]) coordinates += (coordinates.empty() ? " of " : ", ") + name.get<std::string>();
  }
  return printable(shorter_text(json["epsilon"].get<std::string>()), kLongestClaimed) + " * " +
         printable(json["metric"].get<std::string>(), kLongestClaimed) + " distance" + printable(coordinates, 80);
}

std::string claimed_words(const ClaimResult& claim, bool as_written) {
  if (!claim.claimed) return "";
  const Claimed& claimed = *claim.claimed;
  const auto text_of = [&](const ClaimedValue& stated) {
    return printable(as_written ? stated.text_for_readers() : stated.text(), kLongestClaimed);
  };
  switch (claimed.form) {
    case ClaimForm::kMechanism: return "the given mechanism";
    case ClaimForm::kMatrix:
      return "<= " + (claimed.function.empty() ? "the given matrix" : function_words(claimed.function));
    case ClaimForm::kLevel: return "<= " + text_of(claimed.values.at(0).second);
    case ClaimForm::kNumber: {
      const bool of_curve = !claim.scope.curve.empty();
      return (of_curve ? kind_words(NumberKind::kShortfall) + " <= " : "<= ") + text_of(claimed.values.at(0).second);
    }
    case ClaimForm::kByCoordinate:
    case ClaimForm::kLevelAndDelta: break;
  }
  const char* relation = claimed.form == ClaimForm::kLevelAndDelta ? " = " : " <= ";
  std::string text;
  const std::size_t listed = std::min(claimed.values.size(), kMostCoordinates);
  for (std::size_t k = 0; k < listed; ++k) {
    const auto& [name, stated] = claimed.values[k];
    text += (text.empty() ? "" : ", ") + printable(name, 40) + relation + text_of(stated);
  }
  return text + and_more(listed, claimed.values.size());
}

// The coordinates with the largest levels, in domain order.
std::vector<std::size_t> listed_coordinates(const NamedLevels& levels) {
  std::vector<std::size_t> places(levels.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (places.size() <= kMostCoordinates) return places;
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return levels[a].second.at_most() > levels[b].second.at_most();
  });
  places.resize(kMostCoordinates);
  std::sort(places.begin(), places.end());
  return places;
}

// The text after the notion and the coordinate: " <= log(3)", ": epsilon = 1, delta = 0".
std::string said_words(const ClaimResult& claim, bool as_written) {
  const bool named =
      !claim.scope.coordinate.empty() && claim.claimed && claim.claimed->form == ClaimForm::kLevelAndDelta;
  return (named ? ": " : " ") + claimed_words(claim, as_written);
}

std::string values_words(const ClaimResult& claim) {
  std::vector<std::string> parts;
  for (const auto& [symbol, value] : claim.values) parts.push_back(printable(symbol) + " = " + printable(value));
  return joined(parts);
}

bool smaller_level_refutes(const ClaimResult& claim) {
  return claim.tight && claim.verdict == Verdict::kRefuted && claim.decision.holds == Answer::kYes;
}

// True if both round to the same six digits.
bool look_equal(const Level& a, const Level& b) { return nats(a) == nats(b); }
bool look_equal(const Number& a, const Number& b) {
  return fmt::format("{:.6g}", a.approx()) == fmt::format("{:.6g}", b.approx());
}

// Compares the true level with the claimed one. nullopt: no reason to refute the claim. Empty: six digits of both
// levels already show the difference.
std::optional<std::string> level_difference(const MeasuredLevel& actual, const Level* claimed, bool smaller,
                                            bool always) {
  if (claimed == nullptr) return std::nullopt;
  // A level that was rounded up for publication may exceed bounds that the true level does not.
  if (actual.rounded) return smaller && actual.at_most() < *claimed ? std::optional<std::string>("") : std::nullopt;
  const ClaimOutcome standing = standing_of(actual, *claimed);
  if ((smaller ? standing.tight : standing.holds) != Answer::kNo) return std::nullopt;
  const Level& nearest = smaller ? actual.at_most() : actual.at_least;
  return always || look_equal(nearest, *claimed) ? comparison_text(nearest, *claimed) : "";
}

// The same for the level of one pair, with enough digits to differ.
std::string pair_difference(const MeasuredLevel& actual, const ScaledLevel& claimed, bool smaller) {
  if (const Level* level = claimed.level()) return level_difference(actual, level, smaller, true).value_or("");
  if (actual.rounded) return "";
  const ClaimOutcome standing = standing_of(actual, claimed);
  if ((smaller ? standing.tight : standing.holds) != Answer::kNo) return "";
  return comparison_text(smaller ? actual.at_most() : actual.at_least, claimed);
}

// "a: 1.0000000003 > 1, b: ...". If six digits show the difference, only the name is listed, and only where a smaller
// level refutes several coordinates.
std::string coordinates_difference(const NamedLevels& levels, const Claimed& claimed, bool smaller) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> parts;
  std::size_t more = 0;
  for (const auto& [coordinate, measured] : levels) {
    const auto numbers = level_difference(measured, claimed.level_of(coordinate), smaller, false);
    if (!numbers || (numbers->empty() && (!smaller || levels.size() == 1))) continue;
    if (parts.size() == kMostNamed) {
      ++more;
    } else {
      parts.push_back(printable(coordinate, 40) + (numbers->empty() ? "" : ": " + *numbers));
    }
  }
  return joined(parts) + and_more(parts.size(), parts.size() + more);
}

std::string number_difference(const MeasuredNumber& number, const Claimed& claimed) {
  const Number* most = claimed.number();
  if (most == nullptr || number.witness.withheld) return "";
  const Number& nearest = number.at_least > *most ? number.at_least : number.at_most();
  return nearest == *most || !look_equal(nearest, *most) ? "" : comparison_text(nearest, *most);
}

// A level next to the claimed one, with enough digits to see that they differ.
std::string level_beside(const Level& level, const ClaimResult& claim, const std::string& coordinate) {
  const Level* claimed = claim.claimed ? claim.claimed->level_of(coordinate) : nullptr;
  if (claimed == nullptr || !look_equal(level, *claimed)) return level_words(level);
  const auto decimals = distinct_decimals(level, *claimed);
  return decimals ? level_words(level, decimals->a) : level_words(level);
}

std::string number_beside(const Number& number, const ClaimResult& claim) {
  const Number* claimed = claim.claimed ? claim.claimed->number() : nullptr;
  return claimed == nullptr ? number_text(number) : texts_apart(number, *claimed).first;
}

std::string actual_words(const ClaimResult& claim) {
  struct Words {
    const ClaimResult& claim;
    std::string operator()(std::monostate) const {
      const bool measured =
          std::find(claim.decided_by.begin(), claim.decided_by.end(), "exact") != claim.decided_by.end();
      return measured ? "nothing is constrained" : "decided by Z3 from the definition";
    }
    std::string operator()(const Refinement& refinement) const {
      if (refinement.holds) return "the kernel is in the JSON";
      const auto [value, best] = texts_apart(refinement.value, refinement.best);
      return "the gain function in the JSON is worth " + value + " here, at most " + best + " there";
    }
    std::string operator()(const MeasuredLevel& measured) const {
      if (measured.unfinished || measured.rounded) return known_words(measured);
      return exactly_words(level_beside(measured.at_least, claim, ""));
    }
    std::string operator()(const Average& average) const { return average_words(average); }
    std::string operator()(const NamedLevels& levels) const {
      const bool open = !open_reason(levels).empty();
      const bool rounded =
          std::any_of(levels.begin(), levels.end(), [](const auto& level) { return level.second.rounded; });
      std::vector<std::string> parts;
      std::size_t elsewhere = 0;  // levels whose exact form is too long
      for (const std::size_t place : listed_coordinates(levels)) {
        const auto& [coordinate, measured] = levels[place];
        std::string level =
            open || rounded ? known_words(measured) : level_beside(measured.at_least, claim, coordinate);
        if (level.ends_with(kExactElsewhere)) {
          level.resize(level.size() - std::string_view(kExactElsewhere).size());
          ++elsewhere;
        }
        parts.push_back(printable(coordinate, 40) + " " + level);
      }
      const std::string others =
          parts.size() < levels.size() ? and_more(parts.size(), levels.size()) + ", none larger" : "";
      const char* exact = elsewhere > 1 ? " (exact values: --format json)" : elsewhere == 1 ? kExactElsewhere : "";
      return joined(parts) + others + exact;
    }
    std::string operator()(const MeasuredNumber& number) const {
      if (number.unfinished) return between_words(number);
      if (number.witness.withheld && !number.at_least.is_zero()) {
        return kind_words(number.kind) + " at most " + decimal_text(number.at_least) + " (rounded up)";
      }
      return number_is(number.kind, number_beside(number.at_least, claim));
    }
  };
  return std::visit(Words{claim}, claim.decision.actual);
}

std::string found_words(const ClaimResult& claim) {
  const Notion* notion = find_notion(claim.notion);
  const bool function = claim.claimed && !claim.claimed->function.empty() && claim.claimed->function.front() == '{';
  if (claim.decision.pair_bound && function && notion != nullptr) {
    const ScaledLevel& bound = *claim.decision.pair_bound;
    const std::string level = printable(bound.to_string(), 60), near = nats(bound);
    return notion->found + actual_words(claim) + "; its level is " + level +
           (level == near              ? ""
            : bound.level() == nullptr ? ", about " + near
                                       : " = " + near);
  }
  if (claim.decision.pair_bound && smaller_level_refutes(claim))
    return "a pair below its bound has " + actual_words(claim);
  if (notion == nullptr || std::holds_alternative<std::monostate>(claim.decision.actual)) return actual_words(claim);
  return notion->found + actual_words(claim);
}

std::string difference_words(const ClaimResult& claim) {
  if (claim.verdict != Verdict::kRefuted) return "";
  const bool smaller = smaller_level_refutes(claim);
  const auto sentence = [&](const std::string& what, const std::string& of, const std::string& numbers) {
    if (!smaller && numbers.empty()) return std::string();
    return (smaller ? "a smaller " + what + " holds" : "the claimed " + what + " is exceeded") + of +
           (numbers.empty() ? "" : ": " + numbers);
  };
  const Actual& actual = claim.decision.actual;
  if (const auto& bound = claim.decision.pair_bound) {
    const auto* measured = std::get_if<MeasuredLevel>(&actual);
    if (measured == nullptr) return "";
    return sentence("level", " for this pair", pair_difference(*measured, *bound, smaller));
  }
  if (!claim.claimed) return sentence("level", "", "");
  if (const MeasuredLevel* measured = single_level(actual)) {
    return sentence("level", "", level_difference(*measured, claim.claimed->level_of(""), smaller, false).value_or(""));
  }
  if (const auto* number = std::get_if<MeasuredNumber>(&actual)) {
    return sentence(kind_words(number->kind), "", number_difference(*number, *claim.claimed));
  }
  const auto* levels = std::get_if<NamedLevels>(&actual);
  if (levels == nullptr) return sentence("level", "", "");
  const std::string names = coordinates_difference(*levels, *claim.claimed, smaller);
  if (names.empty()) return sentence("level", "", "");
  return (smaller ? "a smaller level holds for " : "the claimed level is exceeded for ") + names;
}

std::string notion_words(const ClaimResult& claim) {
  const std::string object = claim.scope.object();
  return claim.notion + (object.empty() ? "" : " " + printable(object, 80)) +
         (claim.scope.order == 0 ? "" : " of order " + std::to_string(claim.scope.order)) +
         (claim.scope.delta.empty() ? "" : " at delta " + printable(claim.scope.delta, 40));
}

// "ldp <= log(3), tight". The claimed values are missing if they are too long to be written.
std::string statement_words(const ClaimResult& claim, bool as_written) {
  const std::string about = claim.scope.words();
  const std::string tight = claim.tight && claim.verdict != Verdict::kUndecided ? ", tight" : "";
  return notion_words(claim) + (claim.claimed ? said_words(claim, as_written) : "") +
         (about.empty() ? "" : " " + printable(about, 200)) + tight;
}

}  // namespace

std::string claim_identity(const ClaimResult& claim) {
  if (claim.known()) return statement_words(claim, false);
  // As in version 0.6, which did not state values of which nothing is known: fingerprints stay the same.
  ClaimResult without = claim;
  without.claimed.reset();
  return statement_words(without, false);
}

ClaimWords claim_words(const ClaimResult& claim) {
  const std::string opinion = claim.missing_opinion.empty() ? "" : "no second opinion: " + claim.missing_opinion;
  if (claim.verdict == Verdict::kUndecided) {
    return {statement_words(claim, true),
            "undecided: " + (claim.known() ? actual_words(claim) + ": " : "") + claim.reason, "", "", opinion};
  }
  const bool holds = claim.verdict == Verdict::kHolds;
  std::string verdict = holds ? claim.holding() : "refuted";
  if (!claim.as_expected() && holds) verdict += ", but was expected to be refuted";
  if (claim.as_expected() && !holds) verdict += ", as expected";
  if (!claim.values.empty()) verdict += " for " + values_words(claim);
  return {statement_words(claim, true), verdict, found_words(claim), difference_words(claim), opinion};
}

namespace {

constexpr int kFewestDigits = 6, kMostDigits = 60;

// A probability below 1 is not shown as 1, which would say that something is certain.
bool may_show(const Number& number, const std::string& decimal) { return decimal != "1" || number >= Number(1); }
bool may_show(const Level&, const std::string&) { return true; }

bool may_show(const ScaledLevel&, const std::string&) { return true; }

bool is_shown(const Number& number) { return number.sign() >= 0; }
bool is_shown(const Level& level) { return !level.is_infinite(); }
bool is_shown(const ScaledLevel& level) { return !level.is_infinite(); }

template <typename Value>
bool are_equal(const Value& a, const Value& b) {
  return a == b;
}
bool are_equal(const Level&, const ScaledLevel&) { return false; }  // digits decide
template <typename Value>
bool is_less(const Value& a, const Value& b) {
  return a < b;
}
bool is_less(const Level& a, const ScaledLevel& b) {
  const auto order = compare(a, b);
  return order && *order < 0;
}

// Rounds a non-negative decimal to nearest. Monotone, so two different results with equal digits are in the order of
// the values.
std::string nearest(const std::string& decimal, int digits) {
  const std::string below = rounded_decimal(decimal, digits, false), above = rounded_decimal(decimal, digits, true);
  const Number value = parse_number(decimal);
  return value - parse_number(below) < parse_number(above) - value ? below : above;
}

template <typename A, typename B>
std::optional<DistinctDecimals> distinct_decimals_of(const A& a, const B& b) {
  if (!is_shown(a) || !is_shown(b) || are_equal(a, b)) return std::nullopt;
  // Disjoint enclosures are in the order of the numbers.
  for (const int digits : {17, kMostDigits}) {
    const DecimalBounds first = decimal_bounds(a, digits), second = decimal_bounds(b, digits);
    if (parse_number(first.upper) >= parse_number(second.lower) &&
        parse_number(second.upper) >= parse_number(first.lower))
      continue;
    for (int shown = kFewestDigits; shown <= digits; ++shown) {
      DistinctDecimals decimals{nearest(first.lower, shown), nearest(second.lower, shown)};
      if (decimals.a != decimals.b && may_show(a, decimals.a) && may_show(b, decimals.b)) return decimals;
    }
  }
  return std::nullopt;
}

template <typename A, typename B>
std::string comparison_of(const A& a, const B& b) {
  const char* relation = is_less(a, b) ? " < " : " > ";
  if (const auto decimals = distinct_decimals_of(a, b)) return decimals->a + relation + decimals->b;
  if (is_shown(a) && is_shown(b)) return "they differ after the first " + std::to_string(kMostDigits) + " digits";
  return decimal_bounds(a).upper + relation + decimal_bounds(b).upper;
}

}  // namespace

std::optional<DistinctDecimals> distinct_decimals(const Number& a, const Number& b) {
  return distinct_decimals_of(a, b);
}
std::optional<DistinctDecimals> distinct_decimals(const Level& a, const Level& b) { return distinct_decimals_of(a, b); }

std::string shorter_text(const std::string& exact) {
  const std::size_t bar = exact.find('/');
  const bool is_quotient = bar != std::string::npos && bar > 0 && bar + 1 < exact.size() &&
                           exact.find_first_not_of("0123456789/") == std::string::npos &&
                           exact.find('/', bar + 1) == std::string::npos;
  if (!is_quotient) return exact;
  const std::string decimal = decimal_text(parse_number(exact));
  return decimal.size() < exact.size() ? decimal : exact;
}

std::string comparison_text(const Number& a, const Number& b) { return comparison_of(a, b); }
std::string comparison_text(const Level& a, const Level& b) { return comparison_of(a, b); }
std::string comparison_text(const Level& a, const ScaledLevel& b) {
  return b.level() != nullptr ? comparison_of(a, *b.level()) : comparison_of(a, b);
}

namespace {

// Texts of all values, each with the fewest digits in which it differs from all different values.
std::vector<std::string> distinct_texts(const std::vector<Level>& levels, int digits,
                                        const std::function<std::string(const Level&, int)>& text_of) {
  std::vector<std::string> texts(levels.size());
  std::vector<std::size_t> open(levels.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  for (int shown = digits; !open.empty() && shown <= kMostDigits; ++shown) {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (const std::size_t i : open) groups[texts[i] = text_of(levels[i], shown)].push_back(i);
    open.clear();
    for (const auto& [text, group] : groups) {
      const bool equal =
          std::all_of(group.begin(), group.end(), [&](std::size_t i) { return levels[i] == levels[group.front()]; });
      if (!equal) open.insert(open.end(), group.begin(), group.end());
    }
  }
  return texts;
}

int digits_computed(int shown) {
  constexpr int kOfDouble = 17, kMargin = 4;
  return shown + kMargin <= kOfDouble ? kOfDouble : kMostDigits + kMargin;
}

}  // namespace

Number odds_factor(const Level& level) {
  return level.surd() == nullptr ? level.exponential() : Number::exp_of(parse_number(decimal_bounds(level).upper));
}

std::vector<std::string> distinct_nats(const std::vector<Level>& levels, int fewest) {
  return distinct_texts(levels, fewest, [](const Level& level, int digits) {
    if (level.is_infinite()) return std::string("inf");
    return nearest(decimal_bounds(level, digits_computed(digits)).upper, digits);
  });
}

std::vector<std::string> distinct_odds_factors(const std::vector<Level>& levels) {
  constexpr int kDigits = 3;
  return distinct_texts(levels, kDigits, [](const Level& level, int digits) {
    if (level.is_infinite()) return std::string("inf");
    return rounded_decimal(decimal_bounds(odds_factor(level), digits_computed(digits)).upper, digits, true);
  });
}

std::vector<std::string> distinct_half_becomes(const std::vector<Level>& levels) {
  constexpr int kDigits = 3, kMost = 12;
  constexpr double kLargest = 40;  // nats; then 100 % is less than 10^-15 away
  return distinct_texts(levels, kDigits, [](const Level& level, int digits) -> std::string {
    if (level.is_infinite()) return "100 %";
    if (rounded_nats(level) > kLargest) return "below 100 %";
    const Number factor = parse_number(decimal_bounds(odds_factor(level), digits_computed(digits)).upper);
    const Number percents = Number(100) * factor / (factor + Number(1));
    const std::string decimal = decimal_bounds(percents, digits_computed(digits)).upper;
    for (; digits <= kMost; ++digits) {
      const std::string text = rounded_decimal(decimal, digits, true);
      if (text != "100") return text + " %";
    }
    return "below 100 %";
  });
}

std::pair<std::string, std::string> texts_apart(const Number& a, const Number& b) {
  std::pair<std::string, std::string> texts{number_text(a), number_text(b)};
  if (texts.first != texts.second || a == b) return texts;
  if (const auto decimals = distinct_decimals(a, b)) return {"about " + decimals->a, "about " + decimals->b};
  return texts;
}

}  // namespace oddsbound::reports
