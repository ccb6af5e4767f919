// Inputs of a domain, one after another: by their numbers where they have such, else by their values.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/model/domain.h"

namespace oddsbound::model {

/// An input of a domain: its row, or its number where the row is empty.
struct InputRef {
  std::uint64_t number = 0;
  InputView row{};
};

class InputList {
 public:
  InputList() = default;
  /// By their numbers.
  InputList(std::vector<std::uint64_t> numbers)
      : numbers_(std::move(numbers)) {}  // NOLINT(google-explicit-constructor)
  /// None yet, of a domain of any size.
  explicit InputList(const Domain& domain) : width_(domain.is_countable() ? 0 : domain.size()) {}

  /// domain: that of the list.
  void add(const Domain& domain, InputView row);
  /// Another list of the same domain.
  void add(const InputList& others);

  std::size_t size() const { return width_ == 0 ? numbers_.size() : digits_.size() / width_; }
  InputRef operator[](std::size_t i) const {
    if (width_ == 0) return {numbers_[i], {}};
    return {0, InputView(digits_).subspan(i * width_, width_)};
  }
  bool has_numbers() const { return width_ == 0; }
  /// How many bytes each input takes.
  std::size_t bytes_each() const { return width_ == 0 ? sizeof(std::uint64_t) : width_ * sizeof(std::uint32_t); }

  friend bool operator==(const InputList&, const InputList&) = default;

 private:
  std::size_t width_ = 0;  // of a row; 0: inputs have numbers
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> digits_;
};

}  // namespace oddsbound::model
