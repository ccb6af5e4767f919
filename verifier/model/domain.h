// The inputs of a mechanism: all tuples of coordinate values, in lexicographic order, the last coordinate fastest.
//
// A domain may have any number of coordinates, so its size may exceed a machine word. Inputs have numbers only if
// there are at most 2^62; functions that need numbers throw LimitError otherwise. A coordinate with numbered values
// stores no names, so it may have almost 2^32 values. Also projections, lists of inputs, and labels for tuples of
// values.
#pragma once

#include <cassert>
#include <cstdint>
#include <initializer_list>
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

/// The names of a coordinate's values. Those of numbered values, "0" to "n-1", are computed and not stored.
class ValueNames {
 public:
  /// The most values of a coordinate: an InputRow holds their indices, a DomainShape their number.
  static constexpr std::uint64_t kMost = UINT32_MAX;

  ValueNames() = default;
  ValueNames(std::vector<std::string> names) : stored_(std::move(names)) {}  // NOLINT(google-explicit-constructor)
  ValueNames(std::initializer_list<std::string> names) : stored_(names) {}
  /// Returns the names "0" to "count-1". Requires 1 <= count <= kMost.
  static ValueNames numbered(std::uint64_t count);

  std::uint64_t size() const { return count_ > 0 ? count_ : stored_.size(); }
  bool empty() const { return size() == 0; }
  bool are_numbered() const { return count_ > 0; }
  std::string operator[](std::uint64_t v) const { return count_ > 0 ? std::to_string(v) : stored_[v]; }
  std::optional<std::uint64_t> find(std::string_view name) const;
  /// Returns the names that are stored: all of them, or none of numbered values.
  std::span<const std::string> stored() const { return stored_; }
  /// Returns all names. Throws LimitError past --max-inputs of the thread's budget.
  std::vector<std::string> listed() const;
  /// Requires names that are not numbered.
  void push_back(std::string name);

  friend bool operator==(const ValueNames& a, const ValueNames& b);

 private:
  std::vector<std::string> stored_;
  std::uint64_t count_ = 0;  // of numbered values; 0: they have the stored names
};

struct Coordinate {
  std::string name;
  ValueNames values;
  /// Everyone knows its value: it is not a secret.
  bool is_public = false;
};

/// Throws the LimitError of a domain whose inputs have no numbers.
[[noreturn]] void fail_for_size();

class Domain {
 public:
  Domain() = default;
  /// Throws ModelError for no coordinates, a coordinate without values, or repeated names or values.
  explicit Domain(std::vector<Coordinate> coordinates);

  /// Returns the number of inputs, however large.
  Number input_count() const;
  /// True if inputs have numbers: there are at most 2^62.
  bool is_countable() const { return countable_; }
  /// Returns the number of inputs: their numbers are below it. Throws LimitError if it exceeds 2^62.
  std::uint64_t input_numbers() const {
    if (!countable_) fail_for_size();
    return inputs_;
  }
  /// The same for callers that visit all inputs or store something for each. Throws LimitError also past
  /// --max-inputs of the thread's budget.
  std::uint64_t inputs() const {
    require_listable(input_numbers());
    return inputs_;
  }
  std::size_t size() const { return coordinates_.size(); }
  const Coordinate& coordinate(std::size_t i) const { return coordinates_[i]; }
  std::uint64_t values(std::size_t i) const { return coordinates_[i].values.size(); }
  /// Returns the distance of two inputs that differ by one step in coordinate i. Throws LimitError if inputs have
  /// no numbers.
  std::uint64_t stride(std::size_t i) const {
    if (!countable_) fail_for_size();
    return strides_[i];
  }

  /// Returns the index of the value of coordinate i in an input.
  std::uint64_t digit(std::uint64_t input, std::size_t i) const {
    assert(countable_ && input < inputs_);
    return input / strides_[i] % values(i);
  }
  std::optional<std::size_t> find(std::string_view name) const;
  std::optional<std::uint64_t> find_value(std::size_t i, std::string_view value) const;
  /// Returns the values of an input, one per coordinate.
  std::vector<std::string> tuple(InputView row) const;
  std::vector<std::string> tuple(std::uint64_t input) const { return tuple(row(input)); }
  /// Converts between an input and its number. number() throws LimitError if inputs have no numbers.
  InputRow row(std::uint64_t input) const;
  std::uint64_t number(InputView row) const;

  /// Returns the domain of the given coordinates alone, in the given order.
  Domain restricted_to(std::span<const std::size_t> coordinates) const;

  friend bool operator==(const Domain& a, const Domain& b);

 private:
  std::vector<Coordinate> coordinates_;
  bool countable_ = true;
  std::vector<std::uint64_t> strides_;  // if countable
  std::uint64_t inputs_ = 0;
};

/// Returns the indices of all coordinates, in order.
std::vector<std::size_t> every_coordinate(const Domain& domain);

/// Returns an input as one label: its value, or the tuple "(a,b)" of its values.
std::string label_of_tuple(const std::vector<std::string>& values);
std::string input_label(const Domain& domain, std::uint64_t input);

/// Maps each input of the domain to the index of its projection to the given coordinates (in their order).
class Projection {
 public:
  Projection(const Domain& domain, std::span<const std::size_t> coordinates);
  std::uint64_t operator()(InputView row) const;
  /// The same for the number of an input of a countable domain.
  std::uint64_t operator()(std::uint64_t input) const;
  std::uint64_t size() const { return size_; }
  friend bool operator==(const Projection&, const Projection&) = default;

 private:
  struct Step {
    std::size_t coordinate;
    std::uint64_t stride;  // 0: inputs have no numbers
    std::uint64_t values, target;
    friend bool operator==(const Step&, const Step&) = default;
  };
  std::vector<Step> steps_;
  std::uint64_t size_ = 1;
};

// Lists of inputs: stored by number if inputs have numbers, otherwise by value.

/// An input of a domain: its row, or its number if the row is empty.
struct InputRef {
  std::uint64_t number = 0;
  InputView row{};
};

class InputList {
 public:
  InputList() = default;
  /// A list of inputs, by their numbers.
  InputList(std::vector<std::uint64_t> numbers)
      : numbers_(std::move(numbers)) {}  // NOLINT(google-explicit-constructor)
  /// An empty list for a domain of any size.
  explicit InputList(const Domain& domain) : width_(domain.is_countable() ? 0 : domain.size()) {}

  /// Appends an input; `domain` is that of the list.
  void add(const Domain& domain, InputView row);
  /// Appends another list of the same domain.
  void add(const InputList& others);

  std::size_t size() const { return width_ == 0 ? numbers_.size() : digits_.size() / width_; }
  InputRef operator[](std::size_t i) const {
    if (width_ == 0) return {numbers_[i], {}};
    return {0, InputView(digits_).subspan(i * width_, width_)};
  }
  bool has_numbers() const { return width_ == 0; }
  /// Returns the bytes that each input takes.
  std::size_t bytes_each() const { return width_ == 0 ? sizeof(std::uint64_t) : width_ * sizeof(std::uint32_t); }

  friend bool operator==(const InputList&, const InputList&) = default;

 private:
  std::size_t width_ = 0;  // of a row; 0: inputs have numbers
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint32_t> digits_;
};

// Several values in one unambiguous text.

/// Joins the values by the separator, which begins with a comma. Different lists of the same length give different
/// texts: among several values, one that contains a comma or begins with a quotation mark is quoted as in CSV.
std::string joined_values(const std::vector<std::string>& values, std::string_view separator);

/// Returns one text per list; the lists differ and have the same length. Nothing is quoted if the plain texts
/// differ.
std::vector<std::string> joined_lists(const std::vector<std::vector<std::string>>& lists, std::string_view separator);

/// Returns the labels with repeated ones numbered: "(a,b,c) #1", "(a,b,c) #2".
std::vector<std::string> distinct_labels(std::vector<std::string> labels);

}  // namespace oddsbound::model
