#include "reports/words.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <limits>

#include "reports/claim_words.h"
#include "reports/publishable.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

namespace {

constexpr std::size_t kLongestExact = 36;

// A decimal with six significant digits, shown next to the exact value. Outside the range of doubles the decimal
// itself is cut.
std::string short_decimal(const std::string& decimal) {
  const std::size_t exponent = decimal.find('e');
  if (exponent == std::string::npos) return fmt::format("{:.6g}", std::stod(decimal));
  return decimal.substr(0, std::min<std::size_t>(7, exponent)) + decimal.substr(exponent);
}

struct Outward {
  std::string lower, upper;
};
Outward outward(const MeasuredLevel& measured) {
  constexpr int kDigits = 6;
  const Level& upper = measured.at_most();
  return {rounded_decimal(decimal_bounds(measured.at_least).lower, kDigits, false),
          upper.is_infinite() ? "inf" : rounded_decimal(decimal_bounds(upper).upper, kDigits, true)};
}

// As in JSON if short enough, else by the root of its exponential (the same level).
std::string written_short(const Level& level, std::size_t longest) {
  std::string text = level.to_string();
  return text.size() <= longest ? text : level.root_text();
}

std::string approximate(const Number& number) { return short_decimal(decimal_bounds(number).lower); }

std::string named(const std::string& coordinate, const std::string& value) {
  return coordinate.empty() ? printable(value) : printable(coordinate) + "=" + printable(value);
}

std::string grouped(const std::vector<std::string>& parts) {
  return parts.size() == 1 ? parts[0] : "(" + joined(parts) + ")";
}

constexpr std::size_t kMostShared = 3;

// "both with a=x, b=y"; with more than kMostShared, only that they are equal. `shared` holds the first ones of
// `count`.
std::string shared_words(const std::vector<std::string>& shared, std::size_t count) {
  if (count == 0) return "";
  if (count <= kMostShared) return ", both with " + joined(shared);
  return ", both equal in the other " + std::to_string(count) + " attributes";
}

// Two sides as text. Inputs: each side names only the differing coordinates; the others are named once for both.
struct Sides {
  std::string from, to, both;
};

// One side by itself.
std::string side_words(const Witness& witness, const Label& side, const std::vector<std::string>& coordinates) {
  if (is_everyone(side)) return "everyone";
  if (const auto* value = std::get_if<std::string>(&side)) return named(witness.coordinate, *value);
  const auto& values = std::get<std::vector<std::string>>(side);
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    parts.push_back(named(values.size() == coordinates.size() ? coordinates[i] : "", values[i]));
  }
  return grouped(parts);
}

Sides sides_of(const Witness& witness, const std::vector<std::string>& coordinates) {
  std::string given;
  for (const auto& [coordinate, value] : witness.given) {
    given += (given.empty() ? ", given " : " and ") + named(coordinate, value);
  }
  const auto* from = std::get_if<std::vector<std::string>>(&witness.from);
  const auto* to = std::get_if<std::vector<std::string>>(&witness.to);
  if (from == nullptr || to == nullptr || is_everyone(witness.from) || is_everyone(witness.to)) {
    return {side_words(witness, witness.from, coordinates), side_words(witness, witness.to, coordinates), given};
  }
  const bool whole = from->size() == coordinates.size();
  // computed once: tuples are long, and may differ only in the last value
  const bool equal = *from == *to;
  std::size_t count = 0;
  std::vector<std::string> left, right, shared;
  for (std::size_t i = 0; i < from->size(); ++i) {
    const bool is_shared = !equal && (*from)[i] == (*to)[i];
    if (is_shared && ++count > kMostShared) continue;
    const std::string name = whole ? coordinates[i] : "";
    if (is_shared) {
      shared.push_back(named(name, (*from)[i]));
    } else {
      left.push_back(named(name, (*from)[i]));
      right.push_back(named(name, (*to)[i]));
    }
  }
  return {grouped(left), grouped(right), shared_words(shared, count) + given};
}

// Writes out a prior with few rows.
std::string prior_words(const Witness& witness) {
  constexpr std::size_t kMostRows = 4;
  if (!witness.prior) return "";
  const auto& rows = witness.prior->rows;
  if (rows.size() > kMostRows) return ", under a prior of the set (in the JSON)";
  std::vector<std::string> parts;
  for (const auto& [input, mass] : rows) parts.push_back(printable(party_label(input), 60) + " " + number_text(mass));
  return ", under the prior " + joined(parts);
}

// The inputs of the other people whose reports are shuffled.
std::string others_words(const Witness& witness) {
  constexpr std::size_t kMostInputs = 4;
  if (witness.others.empty()) return "";
  if (witness.others.size() > kMostInputs) return ", for some inputs of the other people (in the JSON)";
  std::vector<std::string> parts;
  for (const auto& [input, count] : witness.others) {
    parts.push_back(count.to_string() + (count.is_one() ? " has " : " have ") + printable(party_label(input), 60));
  }
  return ", where among the other people " + joined(parts);
}

// A divergence between all outputs of two sides.
std::string order_words(const Number& order, const Sides& sides) {
  const std::string from = "from " + sides.from + " to " + sides.to + sides.both;
  return (order.is_one() ? "attained at orders near 1, " : "attained at order " + approximate(order) + ", ") + from;
}

std::string braced(const std::vector<std::string>& outputs) {
  constexpr std::size_t kMostOutputs = 4;
  std::string text = "{";
  for (std::size_t i = 0; i < outputs.size() && i < kMostOutputs; ++i)
    text += (i > 0 ? ", `" : "`") + printable(outputs[i]) + "`";
  if (outputs.size() > kMostOutputs) text += ", ... (" + std::to_string(outputs.size()) + " in all)";
  return text + "}";
}

std::string named_outputs(const std::vector<std::string>& outputs) {
  return outputs.size() == 1 ? "output `" + printable(outputs[0]) + "`" : "an output in " + braced(outputs);
}

// The probability of outputs with large lifts.
std::string tail_words(const Witness& witness) {
  const std::string value = witness.coordinate.empty() ? "a value" : "a value of " + printable(witness.coordinate);
  const std::string lift = value + " more than e^epsilon times as likely";
  if (witness.outputs.empty() && !witness.likelihood_event) return "no output makes " + lift;
  const bool several = witness.outputs.size() != 1;
  const std::string event = witness.likelihood_event ? "the outputs with a lift above e^epsilon"
                            : several                ? "the outputs " + braced(witness.outputs)
                                                     : named_outputs(witness.outputs);
  const std::string make = (several ? " make " : " makes ") + lift;
  if (witness.withheld) return event + make;
  return event + (several ? " have" : " has") + " probability " + number_text(witness.p_from) + " and" + make;
}

}  // namespace

std::string number_text(const Number& number) {
  const std::string exact = number.to_string();
  return number.is_rational() && exact.size() <= kLongestExact ? exact : "about " + approximate(number);
}

std::string kind_words(NumberKind kind) {
  switch (kind) {
    case NumberKind::kDelta: return "delta";
    case NumberKind::kPosterior: return "probability";
    case NumberKind::kShortfall: return "shortfall";
  }
  throw std::logic_error("an unknown kind of number");
}

std::string number_is(NumberKind kind, const std::string& number) {
  const std::string words = kind_words(kind) + (number.starts_with("about ") ? " " : " = ") + number;
  // People compare probabilities as decimals.
  const bool fraction = kind == NumberKind::kPosterior && number.find('/') != std::string::npos;
  return fraction ? words + " = " + approximate(parse_number(number)) : words;
}

std::string number_and_about(const Number& number, std::size_t longest) {
  const std::string exact = number.to_string(), decimal = fmt::format("{:.6g}", number.approx());
  if (exact == decimal) return exact;
  return exact.size() > longest ? "about " + decimal : exact + " = " + decimal;
}

std::string nats(const Level& level) {
  return level.is_infinite() ? "inf" : short_decimal(decimal_bounds(level).upper);
}

std::string nats(const ScaledLevel& level) {
  return level.is_infinite() ? "inf" : short_decimal(decimal_bounds(level).upper);
}

std::string nats(const MeasuredLevel& measured) {
  if (!measured.unfinished && measured.rounded) return published_text(measured.at_least);
  if (!measured.unfinished) return nats(measured.at_least);
  const auto [lower, upper] = outward(measured);
  return lower + " to " + upper;
}

std::string known_words(const MeasuredLevel& measured) {
  if (!measured.unfinished && measured.rounded) return published_text(measured.at_least) + " (rounded up)";
  if (!measured.unfinished) return exactly_words(level_words(measured.at_least));
  const auto [lower, upper] = outward(measured);
  return measured.unfinished->at_most.is_infinite() ? "at least " + lower : "between " + lower + " and " + upper;
}

std::string gap_text(const MeasuredLevel& measured) {
  const Level& upper = measured.at_most();
  if (upper.is_infinite()) return measured.unfinished ? "1" : "0";
  const double most = rounded_nats(upper);
  return fmt::format("{:.3g}", most == 0 ? 0.0 : (most - rounded_nats(measured.at_least)) / most);
}

std::string gap_text(const MeasuredNumber& number) {
  const Number& most = number.at_most();
  return fmt::format("{:.3g}", most.is_zero() ? 0.0 : ((most - number.at_least) / most).approx());
}

std::string between_words(const MeasuredNumber& number) {
  const auto rounded = [](const Number& value, bool up) {
    const DecimalBounds bounds = decimal_bounds(value);
    return rounded_decimal(up ? bounds.upper : bounds.lower, 6, up);
  };
  return kind_words(number.kind) + " between " + rounded(number.at_least, false) + " and " +
         rounded(number.at_most(), true);
}

double rounded_nats(const Level& level) {
  return level.is_infinite() ? std::numeric_limits<double>::infinity()
                             : std::strtod(decimal_bounds(level).lower.c_str(), nullptr);
}

std::string exact_text(const Level& level) {
  const std::string text = written_short(level, kLongestExact);
  return text.size() <= kLongestExact ? text : "exact: " + std::to_string(text.size()) + " characters in JSON";
}

std::string level_words(const Level& level, const std::string& decimal) {
  constexpr std::size_t kLongest = 100;
  const std::string text = written_short(level, kLongest);
  if (text == decimal) return text;
  return text.size() <= kLongest ? text + " = " + decimal : "about " + decimal + kExactElsewhere;
}

std::string level_words(const Level& level) { return level_words(level, nats(level)); }

std::string exactly_words(const std::string& level) { return level.starts_with("about ") ? level : "exactly " + level; }

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string sentence(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

std::string capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

Tone tone_of(Verdict verdict) {
  return verdict == Verdict::kHolds ? Tone::kGood : verdict == Verdict::kRefuted ? Tone::kBad : Tone::kOpen;
}

Tone tone_of(const ClaimResult& claim) {
  return claim.ok() ? Tone::kGood : claim.undecided() ? Tone::kOpen : Tone::kBad;
}

std::string mark_of(Tone tone) {
  switch (tone) {
    case Tone::kGood: return "✓";
    case Tone::kOpen: return "?";
    case Tone::kBad: return "✗";
    case Tone::kNone: break;
  }
  return "";
}

std::string party_label(const Label& party) {
  if (is_everyone(party)) return "everyone";
  if (const auto* label = std::get_if<std::string>(&party)) return *label;
  const auto& values = std::get<std::vector<std::string>>(party);
  if (values.size() == 1) return values[0];
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "(" : ",") + value;
  return text + ")";
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string outputs_words(const SpecResult& spec) {
  return spec.outputs ? number_text(*spec.outputs) : spec.unlisted ? "unlisted" : "continuous";
}

std::string printed_matrix_words(const RowTolerance& rounding) {
  const std::string zeros = rounding.exact_zeros ? ", which are 0 where 0 is printed" : "";
  return "all matrices with entries within " + shorter_text(rounding.tolerance.to_string()) + " of the printed ones" +
         zeros;
}

std::string table_words(const TableUse& table) {
  const std::string file = printable(table.file, 200);
  if (table.counts_withheld) {
    switch (table.missing) {
      case Missing::kDrop: return "rows of " + file + " with a missing cell are dropped";
      case Missing::kAs: return "missing cells of " + file + " count as '" + printable(table.as, 40) + "'";
      case Missing::kValue: return "missing cells of " + file + " are values of their own";
    }
  }
  std::vector<std::string> columns;
  std::uint64_t cells = 0;
  for (const auto& [coordinate, count] : table.missing_cells) {
    columns.push_back(printable(coordinate, 40) + " " + std::to_string(count));
    cells += count;
  }
  const std::string rows = counted(table.rows, "row");
  if (cells == 0) return "no cell in " + rows + " of " + file + " is missing";
  if (table.missing == Missing::kDrop) {
    const std::string counts = table.counted ? ", which count " + table.counted_dropped->to_string() + " of " +
                                                   table.counted->to_string() + ","
                                             : "";
    return fmt::format("{} of {} of {}{} {} a missing cell ({}) and {} dropped, {} kept", table.dropped, rows, file,
                       counts, table.dropped == 1 ? "has" : "have", joined(columns), table.dropped == 1 ? "is" : "are",
                       table.rows - table.dropped);
  }
  return fmt::format("{} ({}) in {} of {} {}", counted(cells, "missing cell"), joined(columns), rows, file,
                     table.missing == Missing::kAs
                         ? (cells == 1 ? "counts as '" : "count as '") + printable(table.as, 40) + "'"
                         : (cells == 1 ? "is a value of its own" : "are values of their own"));
}

std::string witness_words(const Witness& witness, const std::vector<std::string>& coordinates) {
  if (witness.order) return order_words(*witness.order, sides_of(witness, coordinates));
  if (is_of_lifts(witness)) return tail_words(witness);
  const bool of_itself = witness.likelihood_event && witness.from == witness.to;
  if (of_itself || (witness.outputs.empty() && !witness.likelihood_event))
    return "no output is more likely from one input than from another";
  auto [from, to, both] = sides_of(witness, coordinates);
  both += prior_words(witness) + others_words(witness);
  const std::string output =
      witness.likelihood_event ? "the event of the outputs with the largest losses" : named_outputs(witness.outputs);
  const std::string can_come = " can come from " + from;
  if (witness.unprotected) {
    return output + " is not protected, and" + can_come +
           (witness.from == witness.to ? ", which is sensitive" : " and from " + to + both);
  }
  if (witness.also) {
    return output + can_come + ", never from " + to + both + ", and is protected because it can come from " +
           side_words(witness, witness.also->input, coordinates) + " too";
  }
  if (witness.unlisted || (witness.withheld && !witness.never && !witness.equal))
    return output + " is more likely from " + from + " than from " + to + both;
  if (witness.withheld ? witness.never : witness.p_to.is_zero()) return output + can_come + ", never from " + to + both;
  if (witness.p_from == witness.p_to) {
    if (witness.from == witness.to)
      return output + " comes from " + from + both + ", and there is nothing to compare it with";
    return output + " is as likely from " + from + " as from " + to + both;
  }
  const auto times = [](const Number& more, const Number& less) {
    return " is " + texts_apart(more / less, Number(1)).first + " times more likely from ";
  };
  const std::string words = output + times(witness.p_from, witness.p_to) + from + " than from " + to;
  if (!witness.lowest) return words + both;
  return words + ", and " + named_outputs({witness.lowest->output}) +
         times(witness.lowest->p_to, witness.lowest->p_from) + to + " than from " + from + both;
}

std::string witness_words(const std::optional<Witness>& witness, const std::vector<std::string>& coordinates) {
  return witness ? witness_words(*witness, coordinates) : "";
}

std::string shown_words(const MeasuredLevel& measured, const std::vector<std::string>& coordinates) {
  const bool nothing = measured.unfinished && !measured.shows_something();
  return nothing ? "no output was searched" : witness_words(measured.witness.get(), coordinates);
}

}  // namespace oddsbound::reports
