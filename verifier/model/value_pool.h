// Interned numbers: the distinct values of a channel, ascending. An entry is a 32-bit rank, and entries compare as
// integers.
//
// Small fractions are stored as added: two words each, not reduced. Ten million of them are compared by cross
// multiplication without building a Number.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::model {

/// A non-negative fraction of words, not necessarily reduced. Denominator 0 stands for number `numerator` of a
/// side table.
struct SmallFraction {
  std::int64_t numerator;
  std::int64_t denominator;
};

class ValuePool {
 public:
  std::size_t size() const { return approx_.size(); }
  Number value(std::uint32_t rank) const;
  /// Returns the term weight * value for a sum, without reducing the value. Valid as long as the pool.
  FractionTerm term(const Number& weight, std::uint32_t rank) const {
    const SmallFraction entry = entries_[entry_of_[rank]];
    if (entry.denominator == 0) return {weight, 0, 1, &others_[static_cast<std::size_t>(entry.numerator)]};
    return {weight, entry.numerator, entry.denominator, nullptr};
  }
  /// Returns a double with relative error <= 2^-50.
  double approx(std::uint32_t rank) const { return approx_[rank]; }
  std::span<const double> approx() const { return approx_; }
  /// False if some nonzero value is so small or large that quotients of approximations may leave the range of
  /// doubles.
  bool approximations_usable() const { return usable_; }
  /// True if rank 0 is the number zero (all values are non-negative).
  bool has_zero() const { return has_zero_; }

 private:
  friend class PoolBuilder;
  void take_entries(std::vector<SmallFraction> entries, std::vector<Number> others);

  std::vector<SmallFraction> entries_;   // as added
  std::vector<std::uint32_t> entry_of_;  // per rank, an entry with this value
  std::vector<Number> others_;
  std::vector<double> approx_;
  bool usable_ = true;
  bool has_zero_ = false;
};

/// Collects entries, with repetitions, then ranks them.
class PoolBuilder {
 public:
  void reserve(std::size_t entries) { entries_.reserve(entries); }
  /// Adds one entry; entries are numbered in order.
  void add(SmallFraction fraction) { entries_.push_back(fraction); }
  void add(const Number& number);
  /// Adds a copy of an earlier entry.
  void add_again(std::size_t entry) { entries_.push_back(entries_[entry]); }
  std::size_t size() const { return entries_.size(); }

  /// Ranks the entries: pool.value(ranks[i]) equals entry i. Throws LimitError past the budget.
  ValuePool finish(std::vector<std::uint32_t>& ranks, Budget& budget) &&;

 private:
  std::vector<SmallFraction> entries_;
  std::vector<Number> others_;
  std::unordered_map<Number, std::int64_t, NumberHash> index_;
};

}  // namespace oddsbound::model
