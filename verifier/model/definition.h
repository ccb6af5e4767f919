// The comparisons of output probabilities that a claim makes, by its bare definition. The exact engine decides
// claims by lemmas (single outputs suffice, single values suffice, ...); deciders that use the definition alone,
// such as the Z3 back end, start here. Below: the typed fields of claims and of mechanism families (Arguments).
//
// Every notion compares the probabilities of every set R of outputs under two sides:
//
//   P(R given from) <= e^level P(R given to) + delta
//
// A side is an input, or an event {label in S} under the prior, for a set S of labels of positive probability.
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
#include "verifier/model/domain.h"
#include "verifier/model/model.h"

namespace oddsbound::model {

// A partition of the inputs of a domain: the values of a coordinate, the joint values of several, or labels that are
// given per input. The levels of BCDP, of secrets and over sets of priors are between its labels.

/// Labels are 0, 1, ..., size() - 1. Safe to use from several threads; does not refer to the domain.
class Partition {
 public:
  /// By the value of a coordinate.
  static Partition by_value(const Domain& domain, std::size_t coordinate) { return by_values(domain, {coordinate}); }
  /// By the joint values of coordinates, the last one varying fastest. Domains of any size.
  static Partition by_values(const Domain& domain, std::vector<std::size_t> coordinates);
  /// By given labels: label_of[x] < labels for every input x.
  static Partition by_label(const Domain& domain, std::vector<std::uint32_t> label_of, std::size_t labels);
  /// Every input is alone.
  static Partition by_input(const Domain& domain);
  /// Two labels: 0 for what has one of these labels, 1 for all others.
  Partition against_others(const std::vector<std::uint32_t>& labels) const;

  /// The number of labels.
  std::size_t size() const { return size_; }
  std::uint32_t label_of(InputView row) const {
    const std::uint64_t index = project_(row);
    return static_cast<std::uint32_t>(label_of_.empty() ? index : label_of_[index]);
  }
  /// The coordinates whose joint values are the labels; empty if labels are given otherwise.
  const std::vector<std::size_t>& coordinates() const { return coordinates_; }
  /// Returns the label of every input. Throws LimitError for too many inputs (Domain::inputs).
  std::vector<std::uint32_t> labels() const;
  /// Returns the inputs of every label, ascending. Throws LimitError for too many inputs.
  std::vector<std::vector<std::uint64_t>> members() const;
  /// Compares partitions of one domain.
  friend bool operator==(const Partition& a, const Partition& b) {
    return a.coordinates_ == b.coordinates_ && a.project_ == b.project_ && a.label_of_ == b.label_of_ &&
           a.size_ == b.size_;
  }

 private:
  Partition(const Domain& domain, std::vector<std::size_t> coordinates, std::vector<std::uint32_t> label_of,
            std::size_t size);

  std::uint64_t inputs_;  // 0: too many to have numbers
  Projection project_;    // to some coordinates (those of `coordinates_`), or to the number of the input
  std::vector<std::size_t> coordinates_;
  std::vector<std::uint32_t> label_of_;  // of the projection; empty: the projection itself
  std::size_t size_;
};

/// The inputs that a definition compares, each identified by its place: either all inputs of a domain (place =
/// number), or some inputs of a domain of any size.
class InputSubset {
 public:
  explicit InputSubset(const Domain& domain) : domain_(&domain), size_(domain.inputs()) {}
  /// `rows` are distinct and outlive this object.
  InputSubset(const Domain& domain, std::span<const InputRow> rows)
      : domain_(&domain), rows_(rows), size_(rows.size()) {}

  bool are_all() const { return rows_.data() == nullptr; }
  std::uint64_t size() const { return size_; }
  std::uint64_t digit(std::uint64_t place, std::size_t i) const {
    return are_all() ? domain_->digit(place, i) : rows_[place][i];
  }
  std::vector<std::string> tuple(std::uint64_t place) const {
    return are_all() ? domain_->tuple(place) : domain_->tuple(rows_[place]);
  }
  InputRow row(std::uint64_t place) const { return are_all() ? domain_->row(place) : rows_[place]; }
  /// Throws LimitError if inputs have no numbers.
  std::uint64_t number(std::uint64_t place) const { return are_all() ? place : domain_->number(rows_[place]); }
  /// Returns all places.
  std::vector<std::uint64_t> places() const;
  /// Returns the places of these inputs (given by number), omitting inputs outside the subset.
  std::vector<std::uint64_t> places_of(const std::vector<std::uint64_t>& numbers) const;
  /// Returns all ordered pairs of different places whose inputs differ in no coordinate outside the group.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_within(const std::vector<std::size_t>& group) const;

 private:
  const Domain* domain_;
  std::span<const InputRow> rows_{};
  std::uint64_t size_;
};

struct Comparison {
  std::string about;  // the coordinate; empty if there is none
  Level level;
  Number delta{0};                                             // below 0: even the empty event violates it
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // of places; both orders if both are compared
  std::vector<Label> labels;                                   // of events; empty: inputs are compared
  std::vector<Evidence> given{};                               // per label, if it states more than `labels` does
  /// The last label is everyone(): it stands for all inputs, and no place has it.
  bool last_is_everyone = false;
  /// The pairs [from, to] of labels that are compared; sets of labels are compared if all their pairs are.
  /// nullopt: all pairs.
  std::optional<std::vector<std::pair<std::uint64_t, std::uint64_t>>> label_pairs{};
  std::string scope{};                  // which labels these are, in words
  std::vector<std::uint32_t> label_of;  // per place
  /// Returns the label of any input, if inputs outside the subset have these labels too. Empty if each label is one
  /// input.
  std::function<std::uint32_t(InputView row)> label_at{};
  std::optional<std::size_t> coordinate{};  // whose values the labels are
  /// The requirement of `tight`: some pair attains the level, each pair does, nothing (the level itself is not
  /// claimed), some pair attains delta, or some pair of some comparison of this kind attains its level.
  enum class Tight { kSome, kEach, kNone, kDelta, kSomewhere } tight = Tight::kSome;
};

using Definition = std::vector<Comparison>;

/// Returns all ordered pairs of different elements.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<std::uint64_t>& inputs);
/// True if the inputs at two places differ in no coordinate outside the group.
bool differ_within(const Domain& domain, const InputSubset& inputs, std::uint64_t a, std::uint64_t b,
                   const std::vector<std::size_t>& group);
/// Returns the comparison of any two sets of values of a coordinate.
Comparison comparison_of_values(const Domain& domain, const InputSubset& inputs, std::size_t coordinate,
                                const Level& level);

}  // namespace oddsbound::model

// Values of the fields of claims and of mechanism families: typed, read by specs/field_reader.cpp.

namespace oddsbound::priors {
class PriorSet;
}

namespace oddsbound::model {

class PairLevels;  // verifier/model/pair_levels.h

/// The kind of value that a field holds. The spec reader knows how each is written.
enum class FieldKind {
  kLevel,                // Level
  kCoordinateLevels,     // CoordinateLevels: one level, or a level for some coordinates
  kLevelOrByCoordinate,  // Level, or CoordinateLevels: a level for some coordinates
  kAllCoordinateLevels,  // CoordinateLevels: one level, or a level for every coordinate
  kLevelMatrix,          // LevelMatrix: inputs x inputs, [from][to]; or PairLevels, which may have roots
  kProbability,          // Number in [0, 1]
  kInputs,               // Inputs: a list of distinct inputs
  kPartition,            // Partition
  kSecret,               // Secret
  kRecords,              // CoordinateGroups: every coordinate in exactly one group
  kNeighbors,            // std::string: one of the field's words, or InputPairs: listed, or within a distance
  kCoordinate,           // Coordinates: one
  kCoordinates,          // Coordinates: distinct ones; std::string if the field has words
  kParties,              // Parties: distinct values, or labels of a secret
  kWord,                 // std::string: one of the field's words
  kNumber,               // Number
  kNumberOrWord,         // Number, or std::string: one of the field's words
  kNumberByCoordinate,   // Number, or CoordinateNumbers: a number for some coordinates
  kInteger,              // std::int64_t
  kLabels,               // Labels: distinct output labels
  kOutputs,              // Outputs: a list of distinct outputs of the spec's mechanism
  kTable,                // Table: a row of numbers per input
  kPoints,               // Table: two or more rows of two numbers, the points of a curve
  kPriorSet,             // ForAll
  kMechanism,            // ChannelPtr: of a mechanism on the same inputs, with finitely many outputs
};

struct Field {
  std::string name;
  FieldKind kind;
  bool required = true;
  std::string description = {};
  std::vector<std::string> words = {};  // of kWord, kNumberOrWord; of kCoordinates, where there is a choice
  bool roots = false;                   // of levels that are only compared: a square root is allowed
  std::int64_t least = -1'000'000'000, most = 1'000'000'000;  // of kInteger
};

/// Returns a field of levels that are only compared, so they may have a square root.
Field compared(Field field);

using CoordinateLevels = std::vector<std::optional<Level>>;    // per coordinate; nullopt: nothing claimed
using CoordinateNumbers = std::vector<std::optional<Number>>;  // per coordinate; nullopt: not given
struct LevelMatrix {
  std::vector<Level> levels;  // row after row
};
struct Inputs {
  std::vector<std::uint64_t> inputs;
};
/// Unordered pairs of different inputs, each once, ascending. written: what they are, as JSON.
struct InputPairs {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::string written;

  bool relates(std::uint64_t a, std::uint64_t b) const;
};
/// The inputs that differ only in coordinates of one of the groups.
struct CoordinateGroups {
  std::vector<std::vector<std::size_t>> groups;
  std::shared_ptr<const InputPairs> only{};  // if given, these pairs of inputs count in place of the groups
};
struct Coordinates {
  std::vector<std::size_t> coordinates;
};
struct Parties {
  std::vector<Label> parties;
};
struct Secret {
  std::vector<Label> labels;
  Partition inputs;
};

/// A set of priors, and its name or description in the spec.
struct ForAll {
  std::string called;
  std::string source;  // the set as the spec's JSON, also if it is named
  std::shared_ptr<const priors::PriorSet> set;
  /// The set with its numbers evaluated and its tables as digests. Sets with equal content are equal, provided
  /// that those that refer to the spec's prior refer to the same one.
  std::string content{};
  bool states_confidential = false;  // `content` depends on a confidential table
  bool confidential = false;         // the members of the set depend on a confidential table
};
/// The name of the field that holds it: the priors over which a claim is stated.
inline constexpr const char* kForAll = "for_all";

struct Labels {
  std::vector<std::string> labels;
};
struct Outputs {
  std::vector<std::vector<std::uint64_t>> outputs;  // as Channel::split returns them
};
struct Table {
  std::vector<std::vector<Number>> rows;
};

using FieldValue =
    std::variant<Level, CoordinateLevels, LevelMatrix, Number, CoordinateNumbers, Inputs, Partition, CoordinateGroups,
                 Coordinates, Parties, Secret, std::string, std::int64_t, Labels, Outputs, Table, ForAll, ChannelPtr,
                 std::shared_ptr<const InputPairs>, std::shared_ptr<const PairLevels>>;

/// The fields of one claim, or of one mechanism family.
class Arguments {
 public:
  void set(const std::string& field, FieldValue value) { values_[field] = std::move(value); }
  bool has(const std::string& field) const { return values_.contains(field); }
  template <typename T>
  std::optional<T> find(const std::string& field) const {
    return has(field) ? std::optional<T>(get<T>(field)) : std::nullopt;
  }
  /// Returns the field if it exists and holds a T, otherwise null.
  template <typename T>
  const T* find_if(const std::string& field) const {
    const auto place = values_.find(field);
    return place == values_.end() ? nullptr : std::get_if<T>(&place->second);
  }
  /// Returns the field's value, or null if it does not exist.
  const FieldValue* find_value(const std::string& field) const {
    const auto place = values_.find(field);
    return place == values_.end() ? nullptr : &place->second;
  }
  template <typename T>
  const T& get(const std::string& field) const {
    return std::get<T>(values_.at(field));
  }
  /// True if one of the levels has a square root.
  bool has_roots() const;

 private:
  std::map<std::string, FieldValue> values_;
};

}  // namespace oddsbound::model
