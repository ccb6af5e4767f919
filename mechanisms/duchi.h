// Mechanisms of Duchi, Jordan and Wainwright (2013): the finite l-infinity mechanism on {-1, 1}^d, and the l2-ball
// mechanism in floating point. In the finite one, vectors that agree with the input in more than half of the
// coordinates are more likely by e^eps than all others.
//
// In even dimensions vectors may agree in exactly half. As published, such a vector counts on both sides and is 1
// + e^eps times more likely than one that mostly disagrees, so the mechanism is log(1 + e^eps)-LDP and not
// eps-LDP. Here, as in Nguyen et al. (2016), it counts among the others.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mechanisms/family.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "verifier/exact/level.h"

namespace oddsbound::mechanisms {

/// Returns the channel, sampler and estimator on a domain whose coordinates have two values each: the first means
/// -1, the second 1. Throws ModelError for other domains, LimitError for more than 30 coordinates.
Mechanism duchi_mechanism(const Domain& domain, const Level& epsilon);

/// Returns the factor that makes the signs of an output an unbiased estimate of the input; nullopt if epsilon is
/// 0.
std::optional<Number> duchi_gain(std::size_t dimension, const Level& epsilon);

/// Returns the sign (-1 or 1) of coordinate i in an input or output.
int hypercube_sign(const Domain& domain, std::uint64_t vector, std::size_t i);

/// Base of estimators of the mean of every coordinate, as signs.
class SignMeanEstimator : public Estimator {
 public:
  explicit SignMeanEstimator(Domain domain) : domain_(std::move(domain)) {}
  std::uint64_t targets() const override { return domain_.size(); }
  std::string target(std::uint64_t j) const override { return domain_.coordinate(j).name; }
  Number truth(std::uint64_t j, std::uint64_t x) const override { return Number(hypercube_sign(domain_, x, j)); }
  const Domain& domain() const { return domain_; }

 private:
  Domain domain_;
};

// The l2-ball mechanism, in floating point: vectors of length B, on the side of the input with odds e^eps.

double length_of(std::span<const double> vector);

class BallDraw {
 public:
  /// Inputs of length at most `radius` in `dimension` coordinates. epsilon is positive and finite.
  BallDraw(std::size_t dimension, double radius, const Level& epsilon);
  void operator()(std::span<const double> input, RandomSource& source, std::span<double> output) const;
  /// The density of an output on its sphere, relative to the uniform density.
  double density(std::span<const double> input, std::span<const double> output) const;
  /// B: the length at which the mean of the output is the input.
  double length() const { return length_; }

 private:
  double radius_;
  double length_;
  Bernoulli side_;
};

/// Returns the inputs of a domain as vectors: the values of every coordinate read as numbers. Throws ModelError
/// for a value that is not a number.
std::vector<std::vector<double>> input_vectors(const Domain& domain);

}  // namespace oddsbound::mechanisms
