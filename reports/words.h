// Text of results, the same in every report: levels, witnesses, bounds, tables.
#pragma once

#include <string>
#include <vector>

#include "reports/spec_result.h"

namespace oddsbound::reports {

/// Exact if short, else "about 0.123456".
std::string number_text(const Number& number);
/// "delta", "probability".
std::string kind_words(NumberKind kind);
/// "delta = 1/8", "delta about 0.207".
std::string number_is(NumberKind kind, const std::string& number);
/// "1/3 = 0.333333", or "about 0.333333" if the exact text is longer than `longest`.
std::string number_and_about(const Number& number, std::size_t longest = static_cast<std::size_t>(-1));
/// Six digits, or "inf".
std::string nats(const Level& level);
std::string nats(const ScaledLevel& level);
/// For drawing; may be infinity.
double rounded_nats(const Level& level);
/// "log(3)"; for a long text its length.
std::string exact_text(const Level& level);
/// "log(3) = 1.09861", or "about 1.09861" with kExactElsewhere if the exact text is long.
std::string level_words(const Level& level);
/// The same with this decimal.
std::string level_words(const Level& level, const std::string& decimal);
inline constexpr const char* kExactElsewhere = " (exact value: --format json)";
/// "exactly log(3) = 1.09861"; unchanged if the text begins with "about ".
std::string exactly_words(const std::string& level);
/// "2.31", or "2.31 to 2.44" for an unfinished level: rounded outward, six digits each.
std::string nats(const MeasuredLevel& measured);
/// "exactly log(3) = 1.09861", "between 2.31 and 2.44".
std::string known_words(const MeasuredLevel& measured);
/// For an unfinished level, (upper - lower) / upper: "0.053".
std::string gap_text(const MeasuredLevel& measured);
std::string gap_text(const MeasuredNumber& number);
/// "delta between 0.0123 and 0.0124", rounded outward, for a number that is known between two bounds.
std::string between_words(const MeasuredNumber& number);
/// "a, b, c"
std::string joined(const std::vector<std::string>& parts);
/// "a", or "(a,b)": a value, a label, or the values of an input.
std::string party_label(const Label& party);
/// "a; b": those that are not empty.
std::string sentence(const std::vector<std::string>& parts);
std::string capitalized(std::string text);
/// "1 spec", "2 specs"
std::string counted(std::size_t count, const std::string& noun);

/// How a finding is marked: as it should be, open, not as it should be, or not at all.
enum class Tone { kGood, kOpen, kBad, kNone };
Tone tone_of(Verdict verdict);
/// About the expectation, not the verdict.
Tone tone_of(const ClaimResult& claim);
/// "✓", "?", "✗" or nothing
std::string mark_of(Tone tone);

/// "output `yes` is 3 times more likely from class=crew than from class=1st"
std::string witness_words(const Witness& witness, const std::vector<std::string>& coordinates);

/// The same; empty if there is no witness.
std::string witness_words(const std::optional<Witness>& witness, const std::vector<std::string>& coordinates);
/// The witness of a level as text; for an unfinished search without a witness, a note about that.
std::string shown_words(const MeasuredLevel& measured, const std::vector<std::string>& coordinates);

/// How missing cells of a table were handled: "2 of 6 rows of t.csv have a missing cell (x 1, y 1) and were dropped".
std::string table_words(const TableUse& table);
/// Which matrices the levels of a printed matrix are about.
std::string printed_matrix_words(const RowTolerance& rounding);

/// The number of outputs, or the name for outputs without a number.
std::string outputs_words(const SpecResult& spec);

}  // namespace oddsbound::reports
