// The measured channels and their baselines: code without exactness (plain double loops, Eigen), and code without
// attention to speed (sums of mpq).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/size.h"
#include "verifier/exact/number.h"
#include "verifier/model/model.h"

namespace oddsbound::bench {

inline const std::size_t kCoordinates = sized(10, 5);
inline const std::size_t kSize = std::size_t{1} << kCoordinates;

/// kSize x kSize random weights from 1 to 1000, kCoordinates binary coordinates, and a prior of random counts.
struct Weights {
  std::vector<std::int64_t> weights;  // row after row
  std::vector<std::int64_t> row_sums;
  std::vector<std::int64_t> counts;
};
Weights random_weights();

Model exact_model(const Weights& weights);
/// The same as the text of a spec: entries as "weight/sum".
std::string spec_text(const Weights& weights);

/// Largest quotients in doubles; their logarithms are the levels.
struct DoubleLevels {
  double ldp = 0;
  double bdp = 0;
  std::vector<double> cdp, bcdp, correlation;
};
std::vector<double> double_channel(const Weights& weights);
DoubleLevels double_loops(const Weights& weights, const std::vector<double>& channel);
/// The BCDP quotients only, as one matrix product.
std::vector<double> eigen_bcdp(const Weights& weights, const std::vector<double>& channel);

/// BCDP of all coordinates over the first `columns` outputs, by summing mpq numbers one by one.
void naive_mpq_bcdp(const Weights& weights, std::size_t columns);

/// A random channel of 64 inputs and outputs, and a post-processing of it.
struct Refined {
  std::vector<std::vector<Number>> other, channel;
};
Refined random_refinement();
/// The kernel between the two in doubles, by LU decomposition.
double eigen_kernel(const Refined& refined);

/// Baseline: a bare nlohmann SAX pass over the text. Returns the number of values.
std::size_t bare_sax_pass(const std::string& text);

}  // namespace oddsbound::bench
