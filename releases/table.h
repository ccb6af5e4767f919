// A table of people: the value of each attribute for each person, and counts of people.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "verifier/model/domain.h"

namespace oddsbound::releases {

/// Attributes by position in the schema, ascending and distinct.
using Attributes = std::vector<std::size_t>;

/// Returns how many attributes are in both.
std::size_t shared_by(const Attributes& a, const Attributes& b);
bool meet(const Attributes& a, const Attributes& b);
/// Returns their names: "age, job".
std::string words_of(const Domain& schema, const Attributes& attributes);
/// Returns a text like "age=young, job=none".
std::string words_of(const Domain& schema, InputView record);

class PeopleTable {
 public:
  /// columns: by attribute, the value of each person. All have the same length.
  explicit PeopleTable(std::vector<std::vector<std::uint32_t>> columns) : columns_(std::move(columns)) {}

  std::size_t people() const { return columns_[0].size(); }
  const std::vector<std::uint32_t>& column(std::size_t attribute) const { return columns_[attribute]; }

 private:
  std::vector<std::vector<std::uint32_t>> columns_;
};

/// Values of some attributes, which a person may match.
struct Pattern {
  Attributes attributes;
  std::vector<std::uint32_t> values;  // one per attribute, unless `sets` are given
  /// Several values of each attribute, any of which matches: [attribute][value].
  std::vector<std::vector<bool>> sets{};
  bool odd = false;  // an odd number of attributes must match, not all

  bool matches(std::size_t i, std::uint32_t value) const { return sets.empty() ? value == values[i] : sets[i][value]; }
  /// value_of: returns the person's value of an attribute.
  template <typename ValueOf>
  bool is_had(ValueOf value_of) const {
    bool parity = false;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const bool match = matches(i, value_of(attributes[i]));
      if (!odd && !match) return false;
      parity = parity != match;
    }
    return !odd || parity;
  }
};

/// A number that every person has: the sum of weights of the values of some attributes, or a weight of their joint
/// value.
struct PersonWeights {
  Attributes attributes;
  /// [attribute][value]; or, if joint, one list over all joint values, the last attribute fastest.
  std::vector<std::vector<std::int64_t>> weights;
  std::vector<std::uint64_t> sizes{};  // numbers of values of the attributes
  bool joint = false;

  template <typename ValueOf>
  std::int64_t of(ValueOf value_of) const {
    std::int64_t sum = 0;
    std::uint64_t cell = 0;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      const std::uint32_t value = value_of(attributes[i]);
      if (joint)
        cell = cell * sizes[i] + value;
      else
        sum += weights[i][value];
    }
    return joint ? weights[0][cell] : sum;
  }
  /// The smallest and the largest number that a person may have.
  std::pair<std::int64_t, std::int64_t> range() const;
  /// How much it changes at most if a person changes in these attributes.
  std::uint64_t largest_change(const Attributes& changed) const;
};

/// The difference of two tables with the same number of people, row by row.
struct TableDifference {
  std::size_t records = 0;  // number of records that differ
  Attributes attributes;    // in which some of these records differ
};
TableDifference difference(const PeopleTable& a, const PeopleTable& b, std::size_t attributes);

std::uint64_t people_with(const PeopleTable& table, const Pattern& pattern);
std::int64_t sum_of(const PeopleTable& table, const PersonWeights& weights);

/// Returns how many people have each combination of the attributes' values, the last attribute fastest.
std::vector<std::uint64_t> contingency(const PeopleTable& table, const Domain& schema, const Attributes& attributes);

/// Return floor(top * n / bottom) and ceil(top * n / bottom).
std::uint64_t share_below(std::uint64_t top, std::uint64_t bottom, std::uint64_t n);
std::uint64_t share_above(std::uint64_t top, std::uint64_t bottom, std::uint64_t n);

// A binary label to learn from a table of people: an attribute with two values, of which the second means having
// the label.

struct Labeled {
  Domain schema;
  Attributes inputs;      // from which the label is predicted
  std::size_t label = 0;  // not among the inputs

  /// "ill=yes"
  std::string words() const;
  Attributes inputs_and_label() const;
  bool has_label(const PeopleTable& table, std::size_t person) const { return table.column(label)[person] == 1; }
};

}  // namespace oddsbound::releases
