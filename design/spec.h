// The request for a mechanism (docs/design.md): constraints, and the objective in one of three forms: a loss, a
// sum over columns (whose outputs are the optimal columns), or randomized response of each attribute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "design/program.h"
#include "specs/reading.h"
#include "specs/spec.h"
#include "verifier/exact/number.h"
#include "verifier/linear/basis.h"
#include "verifier/model/domain.h"

namespace oddsbound::designs {

struct ColumnGoal {
  enum class Kind { kInformation, kLargestOf, kFrequencies };
  Kind kind;
  JsonView at;           // the objective
  linear::Matrix forms;  // for kLargestOf, by input
};

/// Reads the goal; nullopt if the objective is a loss. root: the request. Throws SpecError for errors in it.
std::optional<ColumnGoal> read_column_goal(const Fields& objective, const Fields& root, const Model& model,
                                           ReadingContext& context);

// The product form: the mechanism is randomized response of each attribute (docs/design.md, "Design one matrix for
// each attribute").

/// A marginal to estimate: the joint fractions of some attributes, and the weight of the error.
struct WantedMarginal {
  std::vector<std::size_t> attributes;
  Number weight{1};
};

struct ProductForm {
  enum class Loss { kEstimates, kZeroOne, kHamming };

  bool tied = false;                   // one level for all attributes
  Number gap = Number::ratio(1, 100);  // relative to the loss
  std::uint64_t most_decisions = 10'000;
  std::vector<std::size_t> attributes;  // the released ones
  Loss loss = Loss::kZeroOne;
  std::vector<WantedMarginal> marginals;  // for kEstimates
  std::string words;                      // "expected zero_one loss"
};

// The request: constraints and objective (docs/design.md).

/// A loss by input and output: expected under the prior, or the largest over inputs.
struct Losses {
  std::vector<std::vector<Number>> table;  // [input][output]
  bool largest = false;
  std::string words;  // "expected zero_one loss"
};
/// An upper bound on a loss.
struct LossLimit {
  Losses losses;
  Number at_most;
};
/// A symmetry: P(y given x) = P(outputs[y] given inputs[x]) for all x and y.
struct Symmetry {
  std::vector<std::uint64_t> inputs;
  std::vector<std::size_t> outputs;
};

/// The least loss as a function of e^epsilon, the common level of these constraints, in an interval.
struct AskedCurve {
  std::vector<std::size_t> constraints;
  Number from, to;
};

struct DesignFile {
  std::string file, name;
  Model model;  // without a channel
  std::vector<Claim> constraints;
  std::vector<std::string> outputs;  // labels
  std::vector<std::size_t> reads;    // coordinates that the mechanism may read
  Losses objective;
  std::vector<LossLimit> loss_limits;
  std::vector<Symmetry> symmetries;
  std::optional<AskedCurve> curve;
  std::optional<ColumnGoal> goal{};                // in place of the objective: a goal over columns, with free outputs
  std::optional<ProductForm> product{};            // in place of outputs, reads and objective
  std::uint64_t denominator = 1000;                // of approximations of irrational e^level; 0: no approximation
  std::shared_ptr<const JsonDocument> document{};  // the source of the request
  bool confidential = false;                       // the optimum depends on a table that is not stated to be public
};

/// Whether a claim limits probabilities of outputs, or guesses from them, so that a linear program can express it.
bool limits_mechanisms(const Claim& claim);

/// Whether the claim is over the priors that a sample allows. That set depends on the mechanism: a prior that is
/// allowed with one mechanism may not be with another, so a violation by one mechanism gives no limit on others.
bool depends_on_mechanism(const Claim& claim);
inline constexpr const char* kDependsOnMechanism =
    "what a sample allows depends on the mechanism: a mechanism cannot be designed for it";

/// Reads a request. Throws SpecError with the first error, at its position.
DesignFile read_design(const std::string& path, Budget& budget);
/// The same for a document; file names in it are relative to the folder.
DesignFile read_design_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                                Budget& budget);

}  // namespace oddsbound::designs
