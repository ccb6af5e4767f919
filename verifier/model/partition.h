// A partition of the inputs of a domain: the values of a coordinate, the joint values of several, or labels that are
// given per input. The levels of BCDP, of secrets and over sets of priors are between its labels.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/model/domain.h"

namespace oddsbound::model {

/// Labels are 0, 1, ..., size() - 1. Safe to use from several threads; does not refer to the domain.
class Partition {
 public:
  /// By the value of a coordinate.
  static Partition by_value(const Domain& domain, std::size_t coordinate) { return by_values(domain, {coordinate}); }
  /// By the joint values of coordinates, the last one varying fastest. Domains of any size.
  static Partition by_values(const Domain& domain, std::vector<std::size_t> coordinates);
  /// By given labels: label_of[x] < labels for every input x.
  static Partition by_label(const Domain& domain, std::vector<std::uint32_t> label_of, std::size_t labels);
  /// Every input is alone.
  static Partition by_input(const Domain& domain);

  /// The number of labels.
  std::size_t size() const { return size_; }
  std::uint32_t label_of(InputView row) const {
    const std::uint64_t index = project_(row);
    return static_cast<std::uint32_t>(label_of_.empty() ? index : label_of_[index]);
  }
  /// The coordinates whose joint values are the labels; empty if labels are given per input.
  const std::vector<std::size_t>& coordinates() const { return coordinates_; }
  /// Returns the label of every input. Throws LimitError for too many inputs (Domain::inputs).
  std::vector<std::uint32_t> labels() const;
  /// Returns the inputs of every label, ascending. Throws LimitError for too many inputs.
  std::vector<std::vector<std::uint64_t>> members() const;
  /// Compares partitions of one domain.
  friend bool operator==(const Partition& a, const Partition& b) {
    return a.coordinates_ == b.coordinates_ && a.label_of_ == b.label_of_ && a.size_ == b.size_;
  }

 private:
  Partition(const Domain& domain, std::vector<std::size_t> coordinates, std::vector<std::uint32_t> label_of,
            std::size_t size);

  std::uint64_t inputs_;  // 0: too many to have numbers
  Projection project_;    // to `coordinates_`, or to the number of the input
  std::vector<std::size_t> coordinates_;
  std::vector<std::uint32_t> label_of_;  // of the projection; empty: the projection itself
  std::size_t size_;
};

}  // namespace oddsbound::model
