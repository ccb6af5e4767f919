// Integer noise on the inputs as 0..k-1: the parts shared by the truncated discrete Laplace and Gaussian
// mechanisms, whose noise is conditioned on the output lying in a window.
#pragma once

#include "mechanisms/mechanism.h"
#include "mechanisms/random/discrete_noise.h"
#include "verifier/model/definition.h"

namespace oddsbound::mechanisms {

/// Outputs least..greatest, which include 0..k-1.
struct Window {
  std::int64_t least, greatest;
  std::uint64_t size() const { return static_cast<std::uint64_t>(greatest - least + 1); }
  /// Sets output to the place in the window of x plus or minus the magnitude; returns false outside of the window.
  bool place(std::uint64_t x, bool negative, std::uint64_t magnitude, std::uint64_t& output) const;
};

/// Reads the optional fields `least` and `greatest`. Throws ParameterError if the window misses an input.
Window window_of(const Domain& domain, const Arguments& arguments);
/// Returns the fields of the window, for a family's parameters.
std::vector<Field> window_fields();

/// Returns the channel with P(y given x) proportional to exp(-exponents[|y - x|]) over the window. exponents has
/// one entry per distance that occurs.
ChannelPtr window_channel(const Domain& domain, const Window& window, const std::vector<Number>& exponents,
                          Budget& budget);

/// Returns a positive rational parameter as a fraction of integers up to kMostOfRatio (2^20). Throws
/// ParameterError otherwise.
SmallRatio positive_ratio(const Arguments& arguments, const std::string& name);

}  // namespace oddsbound::mechanisms
