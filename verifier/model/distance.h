// Distances of inputs that differ in some coordinates only: neighbors within a distance, and levels by distance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verifier/exact/number.h"
#include "verifier/model/domain.h"

namespace oddsbound::model {

enum class Metric { kAbsolute, kHamming, kL1, kL2, kLinf };

/// The names of the metrics, in the order of the enumeration.
const std::vector<std::string>& metric_names();

struct Distance {
  Metric metric = Metric::kHamming;
  std::vector<std::size_t> of;               // the coordinates; inputs that differ elsewhere have no distance
  std::vector<std::vector<Number>> numbers;  // [place in `of`][value], rational; none for kHamming

  /// Returns the distance of two inputs that agree outside `of`; for kL2 its square.
  Number between(const Domain& domain, std::uint64_t a, std::uint64_t b) const;
  /// Returns the square of the distance.
  Number square_between(const Domain& domain, std::uint64_t a, std::uint64_t b) const;
  /// Returns a distance that no two inputs exceed; for kL2 with one coordinate, too.
  Number largest() const;
  /// True if the inputs agree outside `of`.
  bool relates(const Domain& domain, std::uint64_t a, std::uint64_t b) const;

  /// True if the distance is the length of a shortest path over steps of one coordinate, each between values that are
  /// next to each other. Levels in proportion to it follow from those of the steps.
  bool is_sum_of_steps() const {
    return metric == Metric::kAbsolute || metric == Metric::kL1 || (metric != Metric::kHamming && of.size() == 1);
  }
  /// Returns the values of coordinate of[k] in ascending order of their numbers.
  std::vector<std::uint64_t> ascending(std::size_t k) const;

 private:
  Number step(std::size_t k, std::size_t a, std::size_t b) const;
};

}  // namespace oddsbound::model
