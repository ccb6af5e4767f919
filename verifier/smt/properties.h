// General properties of privacy notions ("does BCDP compose?") as scripts about an unknown prior and unknown
// channels of bounded size. A script is satisfiable if and only if the property fails at that size.
//
// A new property is one function in properties.cpp and one line in its table.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/linear/basis.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// The size of the unknown mechanism.
struct SearchSize {
  std::vector<std::uint64_t> coordinates;  // number of values of each
  std::uint64_t outputs = 2;
  std::uint64_t second_outputs = 2;  // of a second mechanism or a post-processing
  std::uint64_t runs = 2;
  Number exponential{1};  // e^level of the premise
  bool uniform_prior = false;

  std::uint64_t inputs() const;
  std::string to_string() const;
};

/// A claim about a counterexample: the notion ("bcdp"), e^level, whether it is about the first coordinate or all, and
/// the delta of a claim that has one.
struct CounterClaim {
  std::string notion;
  Number exponential;
  bool first_coordinate = false;
  bool holds = true;
  std::optional<Number> delta{};
};

/// A prior and channels where the property fails.
struct Counterexample {
  std::vector<Number> weights;  // of the prior, per input; empty: without a prior
  Matrix channel;
  std::vector<CounterClaim> premise;     // about the channel
  std::vector<CounterClaim> conclusion;  // about `runs` runs of it, or its outputs after `kernel`
  std::uint64_t runs = 1;
  Matrix kernel;  // empty: no kernel
};

struct Property {
  std::string name;
  std::string summary;
  bool uses_level;  // of the premise; otherwise the query covers all levels
  Number default_exponential;
  /// grid = 0: any real numbers; otherwise probabilities are multiples of 1/grid and prior weights integers up to
  /// grid.
  std::function<Script(const SearchSize&, unsigned grid)> ask;
  /// Reads a model with rational values; null for properties that are expected to hold.
  std::function<Counterexample(const SearchSize&, const SolverAnswer&)> read;
};

std::span<const Property> properties();
const Property* find_property(std::string_view name);

}  // namespace oddsbound::smt
