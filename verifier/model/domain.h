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

// Inputs of a domain, one after another: by their numbers where they have such, else by their values.

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

// Several values in one text that still tells which they are.

/// The values with the separator between them, which begins with a comma. Different lists of one length have different
/// texts: of several values, one that has a comma in it or begins with a quotation mark is quoted as in CSV.
std::string joined_values(const std::vector<std::string>& values, std::string_view separator);

/// A text for each of these lists, which differ and have one length. Nothing is quoted if the texts differ as they are.
std::vector<std::string> joined_lists(const std::vector<std::vector<std::string>>& lists, std::string_view separator);

/// The labels, of which those that are there several times are numbered: "(a,b,c) #1", "(a,b,c) #2".
std::vector<std::string> distinct_labels(std::vector<std::string> labels);

}  // namespace oddsbound::model
