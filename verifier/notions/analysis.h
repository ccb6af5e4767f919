// All levels of a model that need no claim: what `oddsbound analyze` shows. Also the sizes of results as text.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "verifier/measures/heat_maps.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"
#include "verifier/notions/scope.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::notions {

/// Vectors have one entry per coordinate. A missing result needs a prior that the model lacks, or reached a limit;
/// in the second case `undecided` names the limit.
struct Analysis {
  std::vector<std::pair<std::string, Measured>> levels;  // by notion, in the order of notion_table()
  std::optional<std::vector<Number>> correlation;
  /// The BCDP levels that Proposition 4 guarantees from the CDP levels, the correlations and the LDP level.
  std::optional<std::vector<Level>> proposition_4;
  /// If several runs see a coordinate: BCDP levels from the CDP levels, for any number of runs: CDP level + prior
  /// shift (measures/tradeoff.h).
  std::optional<std::vector<Level>> composition;
  /// By coordinate: the bound from the losses between rows, if outputs were searched.
  std::optional<std::vector<std::optional<Level>>> transport_bound;
  /// If some coordinates are public: by notion, the levels of the others for an adversary who knows the public
  /// ones.
  struct GivenPublic {
    std::vector<std::string> known;
    std::vector<std::string> others;
    std::vector<std::pair<std::string, Measured>> levels;
  };
  std::optional<GivenPublic> given_public;
  /// BCDP levels over a set of priors, for the coordinates that the set constrains.
  struct OverSet {
    std::string name;
    ClaimedScope scope;  // the set in words
    NamedLevels levels;
    std::map<std::string, std::string> without{};  // by coordinate: why the set gives no level
    bool confidential = false;                     // the members depend on a confidential table
  };
  std::vector<OverSet> over_sets;
  std::vector<Tolerance> tolerances;  // of claimed BCDP levels, if requested
  std::optional<std::vector<Tradeoff>> tradeoffs;
  std::map<std::string, std::string> undecided;

  /// The single level of a notion, or its levels of all coordinates; null if not measured.
  const MeasuredLevel* level(const std::string& notion) const;
  const std::vector<MeasuredLevel>* by_coordinate(const std::string& notion) const;
};

Analysis analyze(MeasuredModel& subject);
/// Adds the levels over a set of priors. name: what the spec calls the set.
void add_levels_over(MeasuredModel& subject, const std::string& name, const ForAll& set, Analysis& analysis);
/// Adds the tolerance of a claimed BCDP level of a coordinate: how wrong the prior may be before the claim fails.
void add_tolerance(MeasuredModel& subject, std::size_t coordinate, const Level& claimed, Analysis& analysis);

/// Announces the questions of an analysis to the columns. Announce other questions before it as well: then one
/// pass answers them all.
void expect_levels(MeasuredModel& subject);

// Sizes of results as text: a number may be computed within the limits and still be too long to be written within
// them.

/// Returns the characters of all long numbers and labels, or slightly more. Short ones are not counted.
std::size_t written_size(const Number& number);
std::size_t written_size(const Level& level);
std::size_t written_size(const Witness& witness);
std::size_t written_size(const MeasuredLevel& measured);
std::size_t written_size(const Tradeoff& tradeoff);
std::size_t written_size(const LossMatrix& losses);
std::size_t written_size(const HeatMaps& pairs);
std::size_t written_size(const Decision& decision);
std::size_t written_size(const Claimed& claimed);
std::size_t written_size(const Measured& measured);
std::size_t written_size(const Tolerance& tolerance);

template <typename T>
std::size_t written_size(const std::vector<T>& values) {
  std::size_t size = 0;
  for (const T& value : values) size += written_size(value);
  return size;
}

}  // namespace oddsbound::notions
