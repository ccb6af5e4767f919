// A source of words of independent fair bits, from which samplers take all their randomness.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oddsbound {

class ChoiceObserver;

class RandomSource {
 public:
  RandomSource(const RandomSource&) = delete;
  RandomSource& operator=(const RandomSource&) = delete;
  virtual ~RandomSource() = default;

  /// Returns `width()` fresh random bits.
  std::uint64_t word() {
    if (next_ == end_) refill();
    return *next_++;
  }
  unsigned width() const { return width_; }
  /// Decides the choices of samplers in place of random words; null except in the exhaustive check.
  ChoiceObserver* observer() const { return observer_; }
  /// The number of words handed out.
  std::uint64_t words_drawn() const { return filled_ - static_cast<std::uint64_t>(end_ - next_); }

 protected:
  explicit RandomSource(unsigned width = 64, ChoiceObserver* observer = nullptr) : width_(width), observer_(observer) {}
  /// Calls provide() with at least one word.
  virtual void refill() = 0;
  void provide(const std::uint64_t* words, std::size_t count) {
    next_ = words;
    end_ = words + count;
    filled_ += count;
  }

 private:
  const std::uint64_t* next_ = nullptr;
  const std::uint64_t* end_ = nullptr;
  std::uint64_t filled_ = 0;
  unsigned width_;
  ChoiceObserver* observer_;
};

}  // namespace oddsbound
