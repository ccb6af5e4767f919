// The plan of a pass over all outputs of a product channel (output_sums.h), fixed before it begins: the factors in
// doubles, the cells of every depth, and the sums.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/output_sums.h"
#include "verifier/model/model.h"

namespace oddsbound::exact {
class Ball;
}

namespace oddsbound::engine {

// The factors in doubles.
//
// Sums under a prior do not change if proportional outputs of a factor are merged: a best guess, a divergence and the
// information depend on an output through its likelihood ratios alone. Equal factors on the same coordinates are one
// factor whose outputs are types (how often each output occurs), weighted by multinomial coefficients: n runs of m
// outputs have C(n + m - 1, m - 1) types in place of m^n outputs.
//
// Ratios are merged exactly. Probabilities are computed by Arb and rounded once.

struct SummedFactor {
  std::vector<std::size_t> factors;  // indices in the channel
  std::size_t classes = 0;           // of inputs with equal rows
  std::vector<double> entries;       // [output * classes + class]: probabilities, rounded to the nearest double
  /// [class]: the entropy of the merged outputs in nats, rounded to the nearest double, or wrong by 2^-239.
  std::vector<double> entropies;
  /// Per merged output, the most likely of its outputs (the first of several), and the part of its probability that
  /// this one has, rounded to the nearest double. An output is a list of the factors' outputs, ascending, each with the
  /// number of factors that have it.
  using Sequence = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  std::vector<Sequence> outputs;
  std::vector<double> parts;
  bool knows_likeliest = true;  // false: which one is the most likely was not found
  /// The class of each input of the factor that occurs.
  std::map<std::uint64_t, std::uint32_t> class_of;

  std::size_t size() const { return outputs.size(); }
};

/// Returns the factors of the model's channel, restricted to the inputs that occur under its prior. Throws LimitError
/// past the budget.
std::vector<SummedFactor> summed_factors(const Model& model, Budget& budget);

// Cells.

// The cells of one depth: sums for all rows together, sums per label of each partition that the rest of a row does not
// determine, and at last maxima for the record. A step leads to the cells of the next depth.
struct SumStep {
  struct Source {
    std::uint32_t cell;
    std::uint32_t entry;  // class
  };
  std::size_t outputs = 0, classes = 0;
  const double* entries = nullptr;     // [output * classes + class]
  std::vector<std::uint32_t> begin{};  // [target]: its sources; and the end
  std::vector<Source> sources{};
  std::size_t first_maximum = 0;  // targets from here on are maxima

  std::size_t targets() const { return begin.size() - 1; }
};

// Where the masses of a partition's labels are: cells [first, first + labels.size()) of the cells of a depth, with the
// label of each. Without cells of its own a partition takes those of all rows.
struct LabelCells {
  std::uint32_t first = 0;
  std::vector<std::uint32_t> labels;  // dense numbers
  std::vector<std::uint32_t> rests;   // of the rows in a cell, which are the numbers of the cells for all rows
};

struct SumDepth {
  std::size_t cells = 0;
  std::size_t all = 0;  // the number of cells for all rows, which come first
  std::vector<LabelCells> partitions;
  std::vector<double> rest_entropy;  // [cell of all rows]: of the outputs of the remaining factors
  double log_rests = 0;              // an upper bound of the logarithm of the number of rests
};

struct PlannedExcess {
  std::uint32_t from = 0, to = 0;       // dense labels
  double from_scale = 0, to_scale = 0;  // 1 / mass, factor / mass
};
struct PlannedPartition {
  bool guesses = false, information = false;
  std::vector<double> inverse_masses;  // by dense label
  std::vector<PlannedExcess> excesses;
  std::size_t guess_sum = 0, information_sum = 0, first_excess = 0;  // numbers of the sums
};

// The plan of a pass.
struct SumPlan {
  std::vector<SummedFactor> factors;
  std::vector<SumStep> steps;    // [factor]
  std::vector<SumDepth> depths;  // [factor], and after the last one
  std::vector<double> root;      // weights
  std::vector<PlannedPartition> partitions;
  bool record = false;
  std::size_t guess_sum = 0, entropy_sum = 0;  // of the record
  std::size_t sums = 0;
  std::size_t block = 0;          // the factors from here on are fixed together
  std::size_t slice = 0;          // outputs of the last factor at a time
  std::size_t lanes = 0;          // outputs of the block at a time
  std::size_t bytes = 0;          // of one thread
  std::size_t bytes_by_mass = 0;  // besides, if prefixes stay unopened
  std::uint64_t roundings = 0;    // n
  std::uint64_t additions = 0;    // N
  Number conditional_entropy;     // of the output, given the input
  std::size_t rows = 0;
};

/// Returns the plan. Throws LimitError past the budget, for more than 2^16 rows, and for weights or factors outside
/// [2^-400, 2^400].
SumPlan plan_of_sums(const Model& model, std::span<const LabelSums> labels, bool record, Budget& budget);

/// Returns the double nearest to the number, for numbers without symbols. The relative error is at most 2^-53 (1 +
/// 2^-10), for results below 2^-1022 the absolute error is at most 2^-1075.
double nearest_double(const Number& number);
double nearest_double(const exact::Ball& ball);

}  // namespace oddsbound::engine
