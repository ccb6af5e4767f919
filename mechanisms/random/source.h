// Sources of random bits for samplers.
//
// A source workers out words of independent fair bits. Use the system's generator for releases. The seeded generator
// makes runs repeatable and is not private: the seed determines the noise. The exhaustive check runs samplers on
// its own source, with short words and an observer (random/choice.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "oddsbound/random_source.h"

namespace oddsbound::mechanisms {

/// OpenSSL's cryptographic generator, seeded by the operating system. Throws std::runtime_error if it fails.
class SystemSource final : public RandomSource {
 public:
  SystemSource();
  ~SystemSource() override;

 protected:
  void refill() override;

 private:
  std::vector<std::uint64_t> buffer_;
};

/// Threefry-4x64 (Salmon, Moraes, Dror, Shaw 2011). Counter-based: the words depend on (seed, purpose, stream)
/// only, so results do not depend on the number of threads. Reproducible, not private.
class SeededSource final : public RandomSource {
 public:
  SeededSource(std::uint64_t seed, std::uint64_t purpose, std::uint64_t stream);

 protected:
  void refill() override;

 private:
  std::uint64_t seed_, purpose_, stream_;
  std::uint64_t block_ = 0;
  std::vector<std::uint64_t> buffer_;
};

// The arithmetic of uniform choices: floor(u * n) of a real u whose digits are words. The functions are templates
// over the type of a word: machine words at run time, solver terms in the proof (audits/induction.h). So the proof
// is about the code that runs.

/// The type that holds products of two words.
template <class Word>
struct Widened;
template <>
struct Widened<std::uint64_t> {
  using Type = unsigned __int128;
};

enum class Carry { kNone, kOne, kOpen };

struct UniformStep {
  /// u * n = whole + (fraction + r) / 2^width, where r < n is n times the remaining digits of u, in units of the
  /// last place.
  template <class Word>
  struct Begun {
    Word whole, fraction;
    bool certain;  // whole is the floor, whatever r is
  };

  static constexpr std::uint64_t mask(unsigned width) { return ~std::uint64_t{0} >> (64 - width); }

  /// Evaluates the first word. n - 1 must fit a word.
  template <class Word>
  static constexpr Begun<Word> first(Word word, Word n, unsigned width) {
    const auto product = static_cast<typename Widened<Word>::Type>(word) * n;
    const Word ones = mask(width);
    const auto whole = static_cast<Word>(product >> width);
    const Word fraction = static_cast<Word>(product) & ones;
    // Later digits add less than n to the fraction; they matter only if that could carry.
    return {whole, fraction, static_cast<bool>(fraction <= ones - (n - 1))};
  }

  /// Determines the carry into `whole` from one more word. While the carry is open, all digits of u * n between
  /// `whole` and the fraction are ones, and the fraction is that of the last word.
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
