// Every level of a model that needs no claim: what `oddsbound analyze` shows.
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

/// Vectors have one entry per coordinate. What is missing has no prior, or reached a limit: then `undecided` says
/// which.
struct Analysis {
  std::vector<std::pair<std::string, Measured>> levels;  // by notion, in the order of their table
  std::optional<std::vector<Number>> correlation;
  /// The BCDP level that Proposition 4 guarantees from the CDP levels, the correlations and the LDP level.
  std::optional<std::vector<Level>> proposition_4;
  /// Where several runs see a coordinate, the BCDP level that CDP levels guarantee for any number of them: plus what
  /// the coordinate says of the others beforehand (composition.h).
  std::optional<std::vector<Level>> composition;
  /// What the losses between rows guarantee, where outputs were searched and somebody looked; by coordinate.
  std::optional<std::vector<std::optional<Level>>> transport_bound;
  /// Where some coordinates are public: the levels of who knows these, by notion; by the other coordinates.
  struct GivenPublic {
    std::vector<std::string> known;
    std::vector<std::string> others;
    std::vector<std::pair<std::string, Measured>> levels;
  };
  std::optional<GivenPublic> given_public;
  /// BCDP levels over a set of priors, of the coordinates that it says something about.
  struct OverSet {
    std::string name;
    ClaimedScope scope;  // the set in words
    std::vector<std::pair<std::string, MeasuredLevel>> levels;
    std::map<std::string, std::string> without{};  // by coordinate: why the set says nothing about it
    bool confidential = false;                     // members depend on a confidential table
  };
  std::vector<OverSet> over_sets;
  std::vector<Tolerance> tolerances;  // of claimed BCDP levels, where somebody asked
  std::optional<std::vector<Tradeoff>> tradeoffs;
  std::map<std::string, std::string> undecided;

  /// The one level of a notion, or those of all coordinates; null if that was not measured.
  const MeasuredLevel* level(const std::string& notion) const;
  const std::vector<MeasuredLevel>* by_coordinate(const std::string& notion) const;
};

Analysis analyze(MeasuredModel& subject);
/// Adds the levels over a set of priors, which the spec calls by this name.
void add_levels_over(MeasuredModel& subject, const std::string& name, const ForAll& set, Analysis& analysis);
/// Adds how wrong the prior may be before this BCDP level of a coordinate fails.
void add_tolerance(MeasuredModel& subject, std::size_t coordinate, const Level& claimed, Analysis& analysis);

/// Announces what an analysis asks of the columns. Who asks other questions before it announces them too: then one pass
/// answers all.
void expect_levels(MeasuredModel& subject);

// How long what was found is, as text: numbers may be found within the limits and be too long to be written within
// them.

/// Characters of all long numbers and labels, or somewhat more. Short ones are left out.
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
