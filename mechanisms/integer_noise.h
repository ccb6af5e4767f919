// Integer noise on the inputs as 0..k-1, conditioned on the output lying in a window: what the truncated discrete
// Laplace and Gaussian mechanisms share.
#pragma once

#include "mechanisms/mechanism.h"
#include "mechanisms/random/discrete_noise.h"
#include "verifier/model/definition.h"

namespace oddsbound::mechanisms {

/// Outputs least..greatest, which include 0..k-1.
struct Window {
  std::int64_t least, greatest;
  std::uint64_t size() const { return static_cast<std::uint64_t>(greatest - least + 1); }
  /// The output x plus or minus the magnitude; false outside of the window.
  bool place(std::uint64_t x, bool negative, std::uint64_t magnitude, std::uint64_t& output) const;
};

/// Reads the optional fields `least` and `greatest`. Throws ParameterError if the window misses an input.
Window window_of(const Domain& domain, const Arguments& arguments);
/// The fields of the window, for a family's parameters.
std::vector<Field> window_fields();

/// P(y given x) proportional to exp(-exponents[|y - x|]) over the window. exponents has an entry for each distance that
/// occurs.
ChannelPtr window_channel(const Domain& domain, const Window& window, const std::vector<Number>& exponents,
                          Budget& budget);

/// A positive rational parameter as a fraction of integers below 2^20. Throws ParameterError.
SmallRatio positive_ratio(const Arguments& arguments, const std::string& name);

}  // namespace oddsbound::mechanisms
