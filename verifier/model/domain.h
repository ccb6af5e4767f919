// The inputs of a mechanism: all tuples of coordinate values, in lexicographic order, the last coordinate fastest.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oddsbound {

struct Coordinate {
  std::string name;
  std::vector<std::string> values;
};

class Domain {
 public:
  Domain() = default;
  /// Throws ModelError for no coordinates, a coordinate without values, or names or values that repeat, and
  /// LimitError if the product of the sizes passes 2^62.
  explicit Domain(std::vector<Coordinate> coordinates);

  std::uint64_t inputs() const { return inputs_; }
  std::size_t size() const { return coordinates_.size(); }
  const Coordinate& coordinate(std::size_t i) const { return coordinates_[i]; }
  std::uint64_t values(std::size_t i) const { return coordinates_[i].values.size(); }
  /// How far apart two inputs are that differ by one step in coordinate i.
  std::uint64_t stride(std::size_t i) const { return strides_[i]; }

  /// The index of the value of coordinate i in an input.
  std::uint64_t digit(std::uint64_t input, std::size_t i) const { return input / strides_[i] % values(i); }
  std::optional<std::size_t> find(std::string_view name) const;
  std::optional<std::uint64_t> find_value(std::size_t i, std::string_view value) const;
  /// The values of an input, one per coordinate.
  std::vector<std::string> tuple(std::uint64_t input) const;

  /// The domain of the named coordinates alone, in the given order.
  Domain restricted_to(std::span<const std::size_t> coordinates) const;

  friend bool operator==(const Domain& a, const Domain& b);

 private:
  std::vector<Coordinate> coordinates_;
  std::vector<std::uint64_t> strides_;
  std::uint64_t inputs_ = 0;
};

/// An input as one label: its value, or the tuple "(a,b)" of its values.
std::string input_label(const Domain& domain, std::uint64_t input);

/// For each input of the domain, the index of its projection to the given coordinates (in their order).
class Projection {
 public:
  Projection(const Domain& domain, std::span<const std::size_t> coordinates);
  std::uint64_t operator()(std::uint64_t input) const;
  std::uint64_t size() const { return size_; }

 private:
  struct Step {
    std::uint64_t stride, values, target;
  };
  std::vector<Step> steps_;
  std::uint64_t size_ = 1;
};

}  // namespace oddsbound
