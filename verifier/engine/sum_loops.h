// The inner loops of a pass over outputs (sum_visitor.h), for all lanes of a block at once.
//
// On x86-64 they are compiled twice. A processor with AVX2 runs the second version, with four lanes in a register. Both
// do the same operations on each lane in the same order, without fused multiplication and addition. So every rounding
// is that of a plain loop: the bounds in output_sums.cpp hold for both, and results are the same to the last bit.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "verifier/engine/sum_plan.h"

namespace oddsbound::engine {

// Logarithms by a table: x = 2^e m, z = m / c - 1 with |z| <= 2^-8 for the middle c of one of 128 intervals. The five
// terms of log(1 + z) leave |z|^6 / 5.9 <= 6.1e-16, z is rounded once (1.2e-16), log(c) has 1e-16; the sum is rounded
// at most three times.
class LogTable {
 public:
  static const LogTable& get();

  double log(double x) const {
    const std::size_t j = place_of(x);
    return log_of(x, inverse_[j], minus_log_[j]);
  }
  /// term += mass log(mass inverse scale), by lane.
  void add_logs(const double* mass, const double* inverse, double scale, std::size_t lanes, double* term) const;

 private:
  LogTable();

  static std::size_t place_of(double x) { return (std::bit_cast<std::uint64_t>(x) >> 45) & (kSize - 1); }
  double log_of(double x, double inverse, double minus_log) const {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const double m = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
    // The last bits of the double 2^52 + e + 1023 are those of the exponent. So this is exact, and a vector can do it.
    const double e = std::bit_cast<double>((bits >> 52) | 0x4330000000000000ULL) - (0x1p52 + 1023);
    const double z = m * inverse - 1;
    const double tail = z * z * (-0.5 + z * (1.0 / 3 + z * (-0.25 + z * 0.2)));
    return e * log_2_ + (minus_log + (z + tail));
  }

  static constexpr std::size_t kSize = 128;
  std::array<double, kSize> inverse_{}, minus_log_{};
  double log_2_ = 0;
};

/// Fixes each of the outputs [first, end) of a factor: to[target][output][lane] from from[cell][lane].
void fix_outputs(const SumStep& step, const double* from, std::size_t lanes, std::size_t first, std::size_t end,
                 double* to);

/// term[lane] = the largest of masses[label][lane].
void set_maxima(const double* masses, std::size_t labels, std::size_t lanes, double* term);

/// term = (from from_scale - to to_scale)_+, by lane.
void set_excesses(const double* from, double from_scale, const double* to, double to_scale, std::size_t lanes,
                  double* term);

/// Returns the sum, added up as a tree; destroys the terms.
double tree_sum(double* terms, std::size_t count);

}  // namespace oddsbound::engine
