// exp(-l(r, s)) between suffixes, l being the largest loss from r to s that the factors ahead can show: the kernel of
// the transport bound, in doubles. Kept where memory allows it; else made row by row, several factors at a time.
#pragma once

#include "verifier/ratios/suffixes.h"

namespace oddsbound::ratios {

class LossKernel {
 public:
  /// Of what may be kept, within the budget: as much again may be at hand elsewhere.
  static std::uint64_t bytes_to_keep(const Budget& budget);

  /// bytes: of what may be kept. `suffixes` outlives it.
  LossKernel(const Suffixes& suffixes, std::uint64_t bytes, Budget& budget);

  /// [s]: the least P(y given s) / P(y given r) over outputs y of the factors from this depth on, for all suffixes
  /// s. Never too large, but for rounding. Valid until the next call.
  const double* row(std::size_t depth, std::uint32_t r);

 private:
  // From one depth over some factors to a later one.
  struct Hop {
    std::size_t to = 0;
    std::vector<std::uint32_t> seen;  // [suffix]: what these factors see of it
    std::vector<std::uint32_t> next;  // [suffix]: its suffix there
    std::vector<double> least;        // [from * classes + to]
    std::size_t classes = 0;
    std::uint32_t row_of = UINT32_MAX;  // the suffix whose row was made last
    std::vector<double> made;
  };

  Hop hop_from(std::size_t depth) const;
  void fill(const Hop& hop, std::uint32_t r, const double* after, double* row) const;

  const Suffixes& suffixes_;
  std::size_t kept_from_ = 0;              // rows are kept at this depth and after it
  std::vector<std::vector<double>> kept_;  // [depth][r * size + s]
  std::vector<Hop> hops_;                  // of the depths before
};

}  // namespace oddsbound::ratios
