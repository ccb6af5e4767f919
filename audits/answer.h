// Parses the lines of a program's answer as a stream (docs/auditing.md), and defines FixedInterval, the arithmetic of
// the exhaustive replay.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"
#include "verifier/exact/number.h"

namespace oddsbound::audits {

/// Receives the outputs of an answer.
class OutputTaker {
 public:
  virtual ~OutputTaker() = default;
  /// in_order: the outputs are in the order in which they were drawn.
  virtual void label(const std::string& label, std::uint64_t times, bool in_order) = 0;
  virtual void vector(const std::vector<double>& values) = 0;
  /// An unlisted output: numbers by name.
  virtual void told(const std::vector<KeyedNumber>& numbers) = 0;
};

/// The kind of outputs: labels or lists of labels, lists of numbers, or objects of numbers by name.
enum class AnswerKind { kLabels, kVectors, kTold };
/// Parses one line. Throws ProgramError if it is not an answer.
void read_answer_line(const std::string& line, AnswerKind kind, OutputTaker& taker);

/// Throws the ProgramError "the program's answer ...".
[[noreturn]] void fail_answer(const std::string& what);

// Probabilities as rigorous intervals of 126-bit fixed-point numbers. Fast enough for millions of paths; the total
// error over all of them is below 2^-100.

/// Returns a 128-bit integer as a Number.
Number number_of(unsigned __int128 value);

class FixedInterval {
 public:
  using Fixed = unsigned __int128;
  static constexpr unsigned kBits = 126;

  FixedInterval() = default;
  static FixedInterval one() { return FixedInterval(Fixed{1} << kBits, Fixed{1} << kBits); }
  /// 2^-bits.
  static FixedInterval half_power(unsigned bits) {
    return FixedInterval(Fixed{1} << (kBits - bits), Fixed{1} << (kBits - bits));
  }
  /// An enclosure of a number in [0, 1].
  static FixedInterval of(const Number& number);

  bool is_zero() const { return high_ == 0; }
  /// True if the value is certainly below 2^-bits.
  bool below(unsigned bits) const { return bits < kBits && high_ < Fixed{1} << (kBits - bits); }
  /// True if the other interval certainly lies within this one.
  bool contains(const FixedInterval& other) const { return low_ <= other.low_ && other.high_ <= high_; }
  /// The same interval with its upper end raised by the upper end of `slack`.
  FixedInterval widened(const FixedInterval& slack) const { return FixedInterval(low_, high_ + slack.high_); }
  Number lower() const { return fraction_of(low_); }
  Number upper() const { return fraction_of(high_); }

  FixedInterval& operator+=(const FixedInterval& other) {
    low_ += other.low_;
    high_ += other.high_;
    return *this;
  }
  friend FixedInterval operator*(const FixedInterval& a, const FixedInterval& b) {
    return FixedInterval(product(a.low_, b.low_, false), product(a.high_, b.high_, true));
  }

 private:
  FixedInterval(Fixed low, Fixed high) : low_(low), high_(high) {}
  static Fixed product(Fixed a, Fixed b, bool round_up);
  static Number fraction_of(Fixed value) { return number_of(value) / Number(2).pow(kBits); }

  Fixed low_ = 0;
  Fixed high_ = 0;
};

}  // namespace oddsbound::audits
