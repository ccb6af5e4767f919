// Two unrelated tools: features of outputs for learned scores, and machine integers as solver terms for proofs by
// induction.
//
// Features. Tuple: a word with up to 16 values is one-hot, others are numbers. Single label: which words of the label
// occur. Vector: coordinates, squares, signs, products, and the trailing zero bits of each number (they reveal
// rounding in the sampler's arithmetic). Unlisted output: which keys are present, and their numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "audits/game.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/source.h"

namespace oddsbound::audits {

/// Outputs that were kept, with their sides.
struct KeptOutputs {
  std::vector<std::uint32_t> side;
  std::vector<std::vector<std::uint64_t>> words;
  std::vector<std::vector<double>> values;
  std::size_t size() const { return side.size(); }
  Output output(std::size_t i) const { return {words[i], values[i]}; }
  void add(std::uint32_t of, const Output& output);
};

/// Turns outputs into standardized numbers.
class Features {
 public:
  /// Learns which words occur, and the scale of each number.
  Features(const Mechanism& mechanism, const KeptOutputs& outputs);
  std::size_t size() const { return mean_.size(); }
  std::vector<double> of(const Output& output) const;
  /// The keys of unlisted outputs.
  const std::vector<RevealedKey>& keys() const { return keys_; }

 private:
  std::vector<double> raw(const Output& output) const;
  std::vector<double> revealed(const Output& output) const;

  const Mechanism& mechanism_;
  std::vector<std::string> tokens_;
  std::vector<RevealedKey> keys_;
  std::vector<double> mean_, scale_;
};

// Machine integers as terms of a solver. Code that is a template over its words runs on all integers at once.
// Arithmetic wraps around as on the machine. A comparison that the code branches on is decided by the run: it takes
// one branch after the other and records the conditions.

/// 2^bits.
std::string power_of_two(unsigned bits);

/// The branches that the current run takes.
class TermRun {
 public:
  bool decide(const std::string& condition);
  /// All conditions of this run, as one formula.
  std::string conditions() const;
  /// Returns the name of the product of two words.
  std::string product(const std::string& a, const std::string& b);
  /// Declares all products so far, with their upper bounds.
  std::string products() const;
  void restart() { met_.clear(); }
  /// Advances to the next run; false after the last.
  bool advance();

 private:
  std::vector<bool> decisions_;
  std::vector<std::string> met_;
  std::map<std::string, std::pair<std::string, std::string>> products_;
};

/// A truth value. The run decides it where the code branches on it.
class TermCondition {
 public:
  TermCondition(TermRun* run, std::string text) : run_(run), text_(std::move(text)) {}
  explicit operator bool() const {
    if (run_ == nullptr) throw std::logic_error("a branch on constants alone");
    return run_->decide(text_);
  }

 private:
  TermRun* run_;
  std::string text_;
};

template <unsigned kBits>
class Term {
 public:
  Term(std::uint64_t value)  // NOLINT: an integer is a word, as on the machine
      : text_(std::to_string(value)), literal_(value) {}
  Term(TermRun& run, std::string text) : run_(&run), text_(std::move(text)) {}
  /// Extends with zeros, or keeps the last bits: implicit and explicit as on the machine.
  template <unsigned kOther>
  explicit(kOther > kBits) Term(const Term<kOther>& other)
      : run_(other.run()), text_(kOther > kBits ? wrapped(other.text()) : other.text()) {
    if (2 * kOther == kBits) half_ = other.text();
  }

  TermRun* run() const { return run_; }
  const std::string& text() const { return text_; }

  friend Term operator+(const Term& a, const Term& b) { return joined(a, b, wrapped(call("+", a, b))); }
  friend Term operator-(const Term& a, const Term& b) { return joined(a, b, wrapped(call("-", a, b))); }
  /// The product of two widened words: a variable, of which the proof knows only the bounds.
  friend Term operator*(const Term& a, const Term& b) {
    if (a.half_.empty() || b.half_.empty()) throw std::logic_error("a product that may wrap around");
    return joined(a, b, run_of(a, b)->product(a.half_, b.half_));
  }
  /// Masks the last digits.
  friend Term operator&(const Term& a, const Term& b) {
    if (!b.literal_ || (*b.literal_ & (*b.literal_ + 1)) != 0) throw std::logic_error("not a mask of the last digits");
    const auto ones = static_cast<unsigned>(std::popcount(*b.literal_));
    return joined(a, b, "(mod " + a.text_ + " " + power_of_two(ones) + ")");
  }
  friend Term operator>>(const Term& a, unsigned count) {
    return joined(a, a, "(div " + a.text_ + " " + power_of_two(count) + ")");
  }
  friend TermCondition operator<(const Term& a, const Term& b) { return {run_of(a, b), call("<", a, b)}; }
  friend TermCondition operator<=(const Term& a, const Term& b) { return {run_of(a, b), call("<=", a, b)}; }
  friend TermCondition operator>(const Term& a, const Term& b) { return {run_of(a, b), call(">", a, b)}; }
  friend TermCondition operator>=(const Term& a, const Term& b) { return {run_of(a, b), call(">=", a, b)}; }

 private:
  static TermRun* run_of(const Term& a, const Term& b) { return a.run_ != nullptr ? a.run_ : b.run_; }
  static std::string wrapped(const std::string& text) { return "(mod " + text + " " + power_of_two(kBits) + ")"; }
  static std::string call(const std::string& name, const Term& a, const Term& b) {
    return "(" + name + " " + a.text_ + " " + b.text_ + ")";
  }
  static Term joined(const Term& a, const Term& b, const std::string& text) {
    Term result(0);
    result.literal_.reset();
    result.run_ = run_of(a, b);
    result.text_ = text;
    return result;
  }

  TermRun* run_ = nullptr;
  std::string text_;
  std::string half_;  // the word that this is, extended with zeros
  std::optional<std::uint64_t> literal_;
};

using TermWord = Term<64>;

}  // namespace oddsbound::audits

template <>
struct oddsbound::mechanisms::Widened<oddsbound::audits::TermWord> {
  using Type = oddsbound::audits::Term<128>;
};
