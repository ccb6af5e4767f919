// Outputs that tell two groups of rows well apart: the answers that stand out most for a heavy row, changed one by one
// as long as the ratio grows. In doubles: what it finds is a candidate.
#pragma once

#include <functional>

#include "verifier/ratios/path_weights.h"

namespace oddsbound::ratios {

class LocalSearch {
 public:
  /// Both outlive it.
  LocalSearch(const SeenRows& seen, const Suffixes& suffixes) : seen_(seen), suffixes_(suffixes) {}

  struct Found {
    Path path;
    double ratio;  // about
  };
  /// From the heaviest rows of a group, at most so many; look() is called between steps.
  void climb(std::uint32_t from, std::uint32_t to, std::size_t starts, const std::function<void()>& look,
             const std::function<void(Found)>& offer) const;

 private:
  struct Weighed;

  Path likeliest_outputs(const SeenRow& row) const;
  Found best_from(Path path, std::uint32_t from, std::uint32_t to, const std::function<void()>& look) const;

  const SeenRows& seen_;
  const Suffixes& suffixes_;
};

}  // namespace oddsbound::ratios
