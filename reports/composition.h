// Result of `compose`: what independent runs of mechanisms on the same input reveal together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oddsbound/options.h"
#include "verifier/notions/notion.h"

namespace oddsbound::reports {

/// A mechanism, and its number of runs.
struct ComposedPart {
  std::string file, name;
  std::uint64_t times = 1;
};

/// A point of the (epsilon, delta) curve: decimals rounded outward.
struct DeltaPoint {
  Number epsilon;
  Number lower, upper;
};

/// A quantity, or the limit that left it undecided.
template <typename Value>
struct Asked {
  std::optional<Value> found{};
  std::string reason{};
};

struct ComposedResult {
  std::vector<ComposedPart> parts;
  std::vector<std::string> coordinates;
  std::vector<SourceFile> files;
  std::string neighbors;                            // "all", "coordinate", "record"
  std::vector<std::vector<std::string>> records{};  // for "record"
  std::optional<Number> delta{};                    // that the smallest epsilon is asked for
  Asked<MeasuredLevel> epsilon_at_delta{};
  std::optional<Level> epsilon{};  // that the smallest delta is asked for
  Asked<MeasuredNumber> delta_at_epsilon{};
  Asked<MeasuredLevel> rho{};
  std::vector<DeltaPoint> curve{};
  std::string curve_reason{};  // the limit that ended the curve
  bool confidential = false;   // some spec depends on a confidential table: digests are withheld

  /// 0: everything is known, exactly or between two bounds; 3: a limit left something undecided.
  int exit_status() const;
};

std::string to_json(const ComposedResult& result);
std::string text_composition(const ComposedResult& result);

// In words, for text and pages.

/// "a.json", "100 runs of a.json and 1 run of b.json"
std::string parts_words(const ComposedResult& result);
/// "inputs that differ in one coordinate"
std::string neighbors_words(const ComposedResult& result);
/// One sentence for every quantity.
std::vector<std::string> composition_words(const ComposedResult& result);
/// "0.0123", or "0.0123 to 0.0124", rounded outward.
std::string delta_words(const DeltaPoint& point);

}  // namespace oddsbound::reports
