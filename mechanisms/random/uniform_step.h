// The arithmetic of uniform choices, floor(u * n) of a real u whose digits are words, as functions of the type of a
// word: machine words where it runs, terms of a solver where it is proved (audits/induction.h). What is proved is so
// what runs.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace oddsbound::mechanisms {

/// The type that holds products of two words.
template <class Word>
struct Widened;
template <>
struct Widened<std::uint64_t> {
  using Type = unsigned __int128;
};

enum class Carry { kNone, kOne, kOpen };

struct UniformStep {
  /// u * n = whole + (fraction + r) / 2^width, where r < n is the rest of u, times n, in units of the last place.
  template <class Word>
  struct Begun {
    Word whole, fraction;
    bool certain;  // whole is the floor, whatever r is
  };

  static constexpr std::uint64_t mask(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

  /// What the first word says. n - 1 fits a word.
  template <class Word>
  static constexpr Begun<Word> first(Word word, Word n, unsigned width) {
    const auto product = static_cast<typename Widened<Word>::Type>(word) * n;
    const Word ones = mask(width);
    const auto whole = static_cast<Word>(product >> width);
    const Word fraction = static_cast<Word>(product) & ones;
    // Later digits add less than n to the fraction; only if that could carry they matter.
    return {whole, fraction, static_cast<bool>(fraction <= ones - (n - 1))};
  }

  /// What one more word says of the carry into `whole`. While the carry is open, all digits of u * n between `whole`
  /// and the fraction are ones, and the fraction is that of the last word.
  template <class Word>
  static constexpr Carry next(Word word, Word n, unsigned width, Word& fraction) {
    const auto product = static_cast<typename Widened<Word>::Type>(word) * n;
    const Word ones = mask(width);
    const auto sum = static_cast<typename Widened<Word>::Type>(fraction) + (product >> width);
    if (sum > ones) return Carry::kOne;
    if (sum < ones) return Carry::kNone;
    fraction = static_cast<Word>(product) & ones;
    return fraction <= ones - (n - 1) ? Carry::kNone : Carry::kOpen;
  }
};

}  // namespace oddsbound::mechanisms
