// The inputs of a mechanism: all tuples of coordinate values, in lexicographic order, the last coordinate fastest.
//
// A domain may have any number of coordinates, so more inputs than can be counted in a machine word. Inputs have
// numbers only where there are at most 2^62; whoever asks for numbers of more is told that the domain is too large.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::model {

/// An input: the index of each coordinate's value.
using InputRow = std::vector<std::uint32_t>;
using InputView = std::span<const std::uint32_t>;

struct Coordinate {
  std::string name;
  std::vector<std::string> values;
  /// Everybody knows it: no secret of anybody.
  bool is_public = false;
};

/// Throws the LimitError of who needs the numbers of inputs that have none.
[[noreturn]] void fail_for_size();

class Domain {
 public:
  Domain() = default;
  /// Throws ModelError for no coordinates, a coordinate without values, or names or values that repeat.
  explicit Domain(std::vector<Coordinate> coordinates);

  /// The number of inputs, however large.
  Number input_count() const;
  /// Whether inputs have numbers: there are at most 2^62.
  bool is_countable() const { return countable_; }
  /// What the numbers of inputs are below: how many there are. Throws LimitError if that passes 2^62.
  std::uint64_t input_numbers() const {
    if (!countable_) fail_for_size();
    return inputs_;
  }
  /// The same for who goes through all inputs, or holds something for each. Throws LimitError if there are more than
  /// what the thread works within allows (--max-inputs).
  std::uint64_t inputs() const {
    require_listable(input_numbers());
    return inputs_;
  }
  std::size_t size() const { return coordinates_.size(); }
  const Coordinate& coordinate(std::size_t i) const { return coordinates_[i]; }
  std::uint64_t values(std::size_t i) const { return coordinates_[i].values.size(); }
  /// How far apart two inputs are that differ by one step in coordinate i. Throws LimitError like inputs().
  std::uint64_t stride(std::size_t i) const {
    if (!countable_) fail_for_size();
    return strides_[i];
  }

  /// The index of the value of coordinate i in an input.
  std::uint64_t digit(std::uint64_t input, std::size_t i) const {
    assert(countable_ && input < inputs_);
    return input / strides_[i] % values(i);
  }
  std::optional<std::size_t> find(std::string_view name) const;
  std::optional<std::uint64_t> find_value(std::size_t i, std::string_view value) const;
  /// The values of an input, one per coordinate.
  std::vector<std::string> tuple(InputView row) const;
  std::vector<std::string> tuple(std::uint64_t input) const { return tuple(row(input)); }
  /// An input by its number, and back. Throws LimitError like inputs().
  InputRow row(std::uint64_t input) const;
  std::uint64_t number(InputView row) const;

  /// The domain of the named coordinates alone, in the given order.
  Domain restricted_to(std::span<const std::size_t> coordinates) const;

  friend bool operator==(const Domain& a, const Domain& b);

 private:
  std::vector<Coordinate> coordinates_;
  bool countable_ = true;
  std::vector<std::uint64_t> strides_;  // where countable
  std::uint64_t inputs_ = 0;
};

/// The numbers of all coordinates, in order.
std::vector<std::size_t> every_coordinate(const Domain& domain);

/// An input as one label: its value, or the tuple "(a,b)" of its values.
std::string label_of_tuple(const std::vector<std::string>& values);
std::string input_label(const Domain& domain, std::uint64_t input);

/// For each input of the domain, the index of its projection to the given coordinates (in their order).
class Projection {
 public:
  Projection(const Domain& domain, std::span<const std::size_t> coordinates);
  std::uint64_t operator()(InputView row) const;
  /// By the number of an input, of a domain that is countable.
  std::uint64_t operator()(std::uint64_t input) const;
  std::uint64_t size() const { return size_; }

 private:
  struct Step {
    std::size_t coordinate;
    std::uint64_t stride;  // 0: inputs have no numbers
    std::uint64_t values, target;
  };
  std::vector<Step> steps_;
  std::uint64_t size_ = 1;
};

}  // namespace oddsbound::model
