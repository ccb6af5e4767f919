// What a claim says, by its bare definition: which comparisons of output probabilities it makes. The exact engine
// decides claims through lemmas (single outputs suffice, single values suffice, ...); who decides by the definition
// starts here instead.
//
// Every notion compares P(R given a side) with another one's, for every set R of outputs:
//
//   P(R given from) <= e^level P(R given to) + delta
//
// Sides are inputs, or events {label in S} under the prior, for every set S of labels of positive probability.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::model {

/// The inputs between which a definition compares, each known by its place: all of a domain, whose places are their
/// numbers, or some of one of any size.
class InputSubset {
 public:
  explicit InputSubset(const Domain& domain) : domain_(&domain), size_(domain.inputs()) {}
  /// rows: different ones, which outlive this.
  InputSubset(const Domain& domain, std::span<const InputRow> rows) : domain_(&domain), rows_(rows), size_(rows.size()) {}

  bool are_all() const { return rows_.data() == nullptr; }
  std::uint64_t size() const { return size_; }
  std::uint64_t digit(std::uint64_t place, std::size_t i) const {
    return are_all() ? domain_->digit(place, i) : rows_[place][i];
  }
  std::vector<std::string> tuple(std::uint64_t place) const {
    return are_all() ? domain_->tuple(place) : domain_->tuple(rows_[place]);
  }
  InputRow row(std::uint64_t place) const { return are_all() ? domain_->row(place) : rows_[place]; }
  /// Throws LimitError where inputs have no numbers.
  std::uint64_t number(std::uint64_t place) const { return are_all() ? place : domain_->number(rows_[place]); }
  /// All places.
  std::vector<std::uint64_t> places() const;
  /// The places of those of these inputs, given by their numbers, that are looked at.
  std::vector<std::uint64_t> places_of(const std::vector<std::uint64_t>& numbers) const;
  /// All ordered pairs of different inputs among these places that differ in no coordinate outside the group.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_within(const std::vector<std::size_t>& group) const;

 private:
  const Domain* domain_;
  std::span<const InputRow> rows_{};
  std::uint64_t size_;
};

struct Comparison {
  std::string about;  // the coordinate; empty where there is none
  Level level;
  Number delta{0};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // of places that are compared, both ways where so
  std::vector<Label> labels;                                   // of events; empty: inputs are compared
  std::vector<Evidence> given{};                                  // per label, where it says more than `labels` does
  /// Of labels: which ones are compared, [from, to]; sets of labels are, where all of their pairs are. None: any are.
  std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>> label_pairs{};
  std::string scope{};                  // which ones these are, in words
  std::vector<std::uint32_t> label_of;  // per place
  /// Of labels that other inputs have as well: which one. Empty where each label is an input of its own.
  std::function<std::uint32_t(InputView row)> label_at{};
  std::optional<std::size_t> coordinate{};  // whose values the labels are
  /// What `tight` asks: that some pair attains the level, that each does, nothing (the level is not claimed itself), or
  /// that some pair attains delta.
  enum class Tight { kSome, kEach, kNone, kDelta } tight = Tight::kSome;
};

using Definition = std::vector<Comparison>;

/// All ordered pairs of different ones among those given.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<std::uint64_t>& inputs);
/// Whether only coordinates of the group differ between two places.
bool differ_within(const Domain& domain, const InputSubset& inputs, std::uint64_t a, std::uint64_t b,
                   const std::vector<std::size_t>& group);
/// Any two sets of values of a coordinate.
Comparison comparison_of_values(const Domain& domain, const InputSubset& inputs, std::size_t coordinate,
                                const Level& level);

}  // namespace oddsbound::model

// The values that claims about a notion, and mechanism families, are given: typed fields, read by specs/field_reader.

namespace oddsbound::priors {
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
  std::vector<Label> parties;
};
struct Secret {
  std::vector<Label> labels;
  std::vector<std::uint32_t> label_of;        // per input; empty where there are coordinates
  std::vector<std::size_t> coordinates = {};  // whose joint values the labels are
};

/// A set of priors, and what the spec calls it: by name, or in words.
struct ForAll {
  std::string called;
  std::string source;  // what the spec says of it, as JSON: of a named set too
  std::shared_ptr<const priors::PriorSet> set;
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
