// The values that claims about a notion, and mechanism families, are given: typed fields, read by specs/field_reader.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/witness.h"

namespace oddsbound::sets {
class PriorSet;
}

namespace oddsbound::model {

/// What kind of value a field holds; the spec reader knows how each is written.
enum class FieldKind {
  kLevel,                // Level
  kCoordinateLevels,     // CoordinateLevels: one level, or a level for some coordinates
  kLevelOrByCoordinate,  // Level, or CoordinateLevels: a level for some coordinates
  kAllCoordinateLevels,  // CoordinateLevels: one level, or a level for every coordinate
  kLevelMatrix,          // LevelMatrix: inputs x inputs, [from][to]
  kProbability,          // Number in [0, 1]
  kInputs,               // Inputs: a list of distinct inputs
  kPartition,            // InputGroups: every input in exactly one group
  kSecret,               // Secret
  kRecords,              // CoordinateGroups: every coordinate in exactly one group
  kCoordinate,           // Coordinates: one
  kCoordinates,          // Coordinates: distinct ones
  kParties,              // Parties: distinct values, or labels of a secret
  kWord,                 // std::string: one of the field's words
  kNumber,               // Number
  kNumberOrWord,         // Number, or std::string: one of the field's words
  kInteger,              // std::int64_t
  kLabels,               // Labels: distinct output labels
  kTable,                // Table: a row of numbers per input
  kPriorSet,             // ForAll
  kMechanism,            // ChannelPtr: of a mechanism on the same inputs, with finitely many outputs
};

struct Field {
  std::string name;
  FieldKind kind;
  bool required = true;
  std::string description = {};
  std::vector<std::string> words = {};  // of kWord, kNumberOrWord
  bool roots = false;                   // of levels: they are only compared, and may have a square root in them
};

/// A field of levels that are only compared.
Field compared(Field field);

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
struct Coordinates {
  std::vector<std::size_t> coordinates;
};
struct Parties {
  std::vector<Party> parties;
};
struct Secret {
  std::vector<Party> labels;
  std::vector<std::uint32_t> label_of;        // per input; empty where there are coordinates
  std::vector<std::size_t> coordinates = {};  // whose joint values the labels are
};

/// A set of priors, and what the spec calls it: by name, or in words.
struct ForAll {
  std::string called;
  std::string source;  // what the spec says of it, as JSON: of a named set too
  std::shared_ptr<const sets::PriorSet> set;
  /// The set with its numbers evaluated and its tables as digests. Sets of equal content are equal, if those that
  /// refer to the spec's prior refer to the same one.
  std::string content{};
  bool states_confidential = false;  // `content` depends on a confidential table
  bool confidential = false;         // so do the members of the set
};
/// The field that has one: over which priors a claim is meant.
inline constexpr const char* kForAll = "for_all";

struct Labels {
  std::vector<std::string> labels;
};
struct Table {
  std::vector<std::vector<Number>> rows;
};

using FieldValue =
    std::variant<Level, CoordinateLevels, LevelMatrix, Number, Inputs, InputGroups, CoordinateGroups, Coordinates,
                 Parties, Secret, std::string, std::int64_t, Labels, Table, ForAll, ChannelPtr>;

/// The fields of one claim, or of one family.
class Arguments {
 public:
  void set(const std::string& field, FieldValue value) { values_[field] = std::move(value); }
  bool has(const std::string& field) const { return values_.contains(field); }
  template <typename T>
  std::optional<T> find(const std::string& field) const {
    return has(field) ? std::optional<T>(get<T>(field)) : std::nullopt;
  }
  /// The field if it is there and holds a T, else null.
  template <typename T>
  const T* find_if(const std::string& field) const {
    const auto place = values_.find(field);
    return place == values_.end() ? nullptr : std::get_if<T>(&place->second);
  }
  /// The field's value, null if it is not there.
  const FieldValue* find_value(const std::string& field) const {
    const auto place = values_.find(field);
    return place == values_.end() ? nullptr : &place->second;
  }
  template <typename T>
  const T& get(const std::string& field) const {
    return std::get<T>(values_.at(field));
  }
  /// Whether a level among them has a square root in it.
  bool has_roots() const;

 private:
  std::map<std::string, FieldValue> values_;
};

}  // namespace oddsbound::model
