// Integers of which only comparisons are known. Code that draws integers and does nothing but compare them can be
// followed along every branch, with the range of integers that takes it: words of full width need no enumeration. That
// it only compares is what the type of the integer enforces.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/namespaces.h"

namespace oddsbound::mechanisms {

class ComparedInteger;
class UniformBelow;

/// Hands out integers that are not known, and decides every comparison with one.
class ComparingSource {
 public:
  ComparingSource() = default;
  ComparingSource(const ComparingSource&) = delete;
  ComparingSource& operator=(const ComparingSource&) = delete;
  virtual ~ComparingSource() = default;

  /// As wide as the words of the sources that data are released with.
  static constexpr unsigned width() { return 64; }
  /// A fresh word.
  ComparedInteger word();
  /// What the choice draws.
  ComparedInteger uniform(const UniformBelow& choice);
  /// Whether the integer of that number is below the bound.
  virtual bool below(std::size_t number, std::uint64_t bound) = 0;

 protected:
  /// The number of a fresh integer.
  virtual std::size_t fresh_word() = 0;
  virtual std::size_t fresh(const UniformBelow& choice) = 0;
};

class ComparedInteger {
 public:
  ComparedInteger(ComparingSource& source, std::size_t number) : source_(&source), number_(number) {}
  friend bool operator<(ComparedInteger a, std::uint64_t b) { return a.source_->below(a.number_, b); }
  friend bool operator<(std::uint64_t a, ComparedInteger b) { return a != UINT64_MAX && !(b < a + 1); }
  friend bool operator==(ComparedInteger a, std::uint64_t b) { return !(a < b) && !(b < a); }

 private:
  ComparingSource* source_;
  std::size_t number_;
};

inline ComparedInteger ComparingSource::word() { return {*this, fresh_word()}; }
inline ComparedInteger ComparingSource::uniform(const UniformBelow& choice) { return {*this, fresh(choice)}; }
inline ComparedInteger draw(const UniformBelow& choice, ComparingSource& source) { return source.uniform(choice); }

}  // namespace oddsbound::mechanisms
