// What a request wants of a mechanism where that adds up over columns, and the outputs are whatever columns are best.
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
  JsonView at;          // the objective
  linear::Matrix forms;  // of the second kind, by input
};

/// None if the objective is a loss. root: the request. Throws SpecError for what is wrong with it.
std::optional<ColumnGoal> read_column_goal(const Fields& objective, const Fields& root, const Model& model,
                                           ReadingContext& context);

// What a request asks for whose mechanism is to be randomized response of each attribute (docs/design.md, "One matrix
// for each attribute").

/// The joint shares of some attributes are to be estimated; their error counts so much.
struct WantedMarginal {
  std::vector<std::size_t> attributes;
  Number weight{1};
};

struct ProductForm {
  enum class Loss { kEstimates, kZeroOne, kHamming };

  bool tied = false;                   // one level for all
  Number gap = Number::ratio(1, 100);  // a share of the loss
  std::uint64_t most_decisions = 10'000;
  std::vector<std::size_t> attributes;  // that are released
  Loss loss = Loss::kZeroOne;
  std::vector<WantedMarginal> marginals;  // of kEstimates
  std::string words;                      // "expected zero_one loss"
};

// The request for a mechanism: what it must keep, and what is to be least (docs/design.md).

/// A loss: by input and output, under the prior or for whichever input it is largest.
struct Losses {
  std::vector<std::vector<Number>> table;  // [input][output]
  bool largest = false;
  std::string words;  // "expected zero_one loss"
};
/// One that is to be no more than that.
struct LossLimit {
  Losses losses;
  Number at_most;
};
/// Where inputs and outputs go: what comes out of an input is to come out of where it goes as often, there where it
/// goes.
struct Symmetry {
  std::vector<std::uint64_t> inputs;
  std::vector<std::size_t> outputs;
};

/// The least loss as these constraints' limits, all of them the same, go from one e^epsilon to another.
struct AskedCurve {
  std::vector<std::size_t> constraints;
  Number from, to;
};

struct DesignFile {
  std::string file, name;
  Model model;  // without a channel
  std::vector<Claim> constraints;
  std::vector<std::string> outputs;  // labels
  std::vector<std::size_t> reads;    // coordinates that the mechanism may look at
  Losses objective;
  std::vector<LossLimit> loss_limits;
  std::vector<Symmetry> symmetries;
  std::optional<AskedCurve> curve;
  std::optional<ColumnGoal> goal{};      // in place of the objective: of columns, whatever the outputs
  std::optional<ProductForm> product{};  // in place of outputs, reads and objective
  std::uint64_t denominator = 1000;      // of what stands for e^level where that is not rational; 0: nothing else does
  std::shared_ptr<const JsonDocument> document{};  // that it was read from
  bool confidential = false;                       // what is best depends on a table that is not stated to be published
};

/// Whether a claim limits probabilities of outputs, or guesses from them: what a linear program can be made of.
bool limits_mechanisms(const Claim& claim);

/// Whether it is over what a sample allows: there a prior that one mechanism is measured under is not allowed beside
/// another, so what one breaks says nothing of another, nor of what is made of it.
bool depends_on_mechanism(const Claim& claim);
inline constexpr const char* kDependsOnMechanism =
    "what a sample allows depends on the mechanism: a mechanism cannot be designed for it";

/// Throws SpecError for whatever is wrong with it: one error, at its place.
DesignFile read_design(const std::string& path, Budget& budget);
/// The same of a document; file names in it are relative to the folder.
DesignFile read_design_document(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                                Budget& budget);

}  // namespace oddsbound::designs
