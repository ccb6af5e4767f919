// The table of privacy notions: what a claim about each of them carries, and how it is decided.
//
// A new notion is one file that defines a function returning a Notion, and one line in notions() (notion.cpp); the
// spec reader, the reports and the command line take it from there.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "verifier/privacy/subject.h"
#include "verifier/privacy/tradeoff.h"
#include "verifier/privacy/witness.h"

namespace oddsbound {

/// What kind of value a field of a claim holds; the spec reader knows how each is written.
enum class FieldKind {
  kLevel,                // Level
  kCoordinateLevels,     // CoordinateLevels: one level, or a level for some coordinates
  kAllCoordinateLevels,  // CoordinateLevels: one level, or a level for every coordinate
  kLevelMatrix,          // LevelMatrix: inputs x inputs, [from][to]
  kProbability,          // Number in [0, 1]
  kInputs,               // Inputs: a list of distinct inputs
  kPartition,            // InputGroups: every input in exactly one group
  kSecret,               // Secret
  kRecords,              // CoordinateGroups: every coordinate in exactly one group
  kNeighbors,            // std::string: all, coordinate or record
};

struct Field {
  std::string name;
  FieldKind kind;
  bool required = true;
};

using CoordinateLevels = std::vector<std::optional<Level>>;  // per coordinate; empty: nothing claimed
struct LevelMatrix {
  std::vector<Level> levels;  // row after row
};
struct Inputs {
  std::vector<std::uint64_t> inputs;
};
struct InputGroups {
  std::vector<std::vector<std::uint64_t>> groups;
};
struct CoordinateGroups {
  std::vector<std::vector<std::size_t>> groups;
};
struct Secret {
  std::vector<Party> labels;
  std::vector<std::uint32_t> label_of;  // per input
};

using FieldValue = std::variant<Level, CoordinateLevels, LevelMatrix, Number, Inputs, InputGroups, CoordinateGroups,
                                Secret, std::string>;

/// The fields of one claim.
class Arguments {
 public:
  void set(const std::string& field, FieldValue value) { values_[field] = std::move(value); }
  bool has(const std::string& field) const { return values_.contains(field); }
  template <typename T>
  const T& get(const std::string& field) const {
    return std::get<T>(values_.at(field));
  }

 private:
  std::map<std::string, FieldValue> values_;
};

struct CoordinateLevel {
  std::string coordinate;
  MeasuredLevel measured;
};
struct Delta {
  Number delta;
  Witness witness;
};

/// What was claimed, as text in the grammar: one level, levels by coordinate, a matrix, or epsilon and delta.
using Claimed =
    std::variant<std::string, std::vector<std::pair<std::string, std::string>>, std::vector<std::vector<std::string>>>;
/// What is true: one level (none where nothing is constrained), levels by coordinate, or a delta.
using Actual = std::variant<std::monostate, MeasuredLevel, std::vector<CoordinateLevel>, Delta>;

struct Decision {
  bool holds = false;
  Claimed claimed;
  Actual actual;
  std::optional<Witness> witness;    // of a claim that does not hold
  std::optional<Tradeoff> tradeoff;  // where asked for, and not part of the analysis anyway
};

struct Notion {
  std::string name;
  std::string summary;
  std::string source;
  bool needs_prior;
  std::vector<Field> fields;
  std::function<Decision(Subject&, const Arguments&)> decide;
};

/// All notions, in the order of the documentation.
std::span<const Notion> notions();
/// The notion of that name, or null.
const Notion* find_notion(std::string_view name);

/// One measured level against one claimed level.
Decision decide_level(const MeasuredLevel& actual, const Level& claimed);
/// Levels of all coordinates against those claimed; the witness is that of the first coordinate that fails.
Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed);

}  // namespace oddsbound
