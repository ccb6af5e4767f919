// General properties of privacy notions ("does BCDP compose?"), as questions about an unknown prior and unknown
// channels of bounded size: satisfiable where the property fails.
//
// A new property is one function in properties.cpp and one line in its table.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/linear/basis.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// How large the unknown mechanism is.
struct SearchSize {
  std::vector<std::uint64_t> coordinates;  // values of each
  std::uint64_t outputs = 2;
  std::uint64_t second_outputs = 2;  // of a second mechanism or of a post-processing
  std::uint64_t runs = 2;
  Number exponential{1};  // of the level in the premise
  bool uniform_prior = false;

  std::uint64_t inputs() const;
  std::string to_string() const;
};

/// A claim of a counterexample: "bcdp", the exponential of its level, for the first coordinate alone or for all.
struct CounterClaim {
  std::string notion;
  Number exponential;
  bool first_coordinate = false;
  bool holds = true;
};

/// A prior and channels where the property fails.
struct Counterexample {
  std::vector<Number> weights;  // of the prior, per input
  Matrix channel;
  std::vector<CounterClaim> premise;     // about the channel
  std::vector<CounterClaim> conclusion;  // about `runs` runs of the channel, or the channel after `kernel`
  std::uint64_t runs = 1;
  Matrix kernel;  // empty: none
};

struct Property {
  std::string name;
  std::string summary;
  bool uses_level;  // of the premise; else all levels are asked about at once
  Number default_exponential;
  /// grid 0: any real numbers; else probabilities are multiples of 1/grid and prior weights integers up to grid.
  std::function<Script(const SearchSize&, unsigned grid)> ask;
  /// From a model with rational values; null where properties are expected to hold.
  std::function<Counterexample(const SearchSize&, const SolverAnswer&)> read;
};

std::span<const Property> properties();
const Property* find_property(std::string_view name);

}  // namespace oddsbound::smt
