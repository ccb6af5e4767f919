// The l2-ball mechanism of Duchi, Jordan and Wainwright, in floating point: vectors of length B on the side of the
// input with odds e^eps.
#pragma once

#include <span>
#include <vector>

#include "mechanisms/family.h"
#include "mechanisms/random/categorical.h"

namespace oddsbound::mechanisms {

double length_of(std::span<const double> vector);

class BallDraw {
 public:
  /// Inputs of length at most `radius` in `dimension` coordinates. epsilon is positive and finite.
  BallDraw(std::size_t dimension, double radius, const Level& epsilon);
  void operator()(std::span<const double> input, RandomSource& source, std::span<double> output) const;
  /// The density of an output on its sphere, as a multiple of the uniform one.
  double density(std::span<const double> input, std::span<const double> output) const;
  /// B, at which the output's mean is the input.
  double length() const { return length_; }

 private:
  double radius_;
  double length_;
  Bernoulli side_;
};

/// The inputs of a domain as vectors: the values of every coordinate read as numbers. Throws ModelError for a value
/// that is not one.
std::vector<std::vector<double>> input_vectors(const Domain& domain);

}  // namespace oddsbound::mechanisms
