// A table of people: the value of each attribute for each person, and counts of people.
#pragma once

#include <cstdint>
#include <string>
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
  std::vector<std::uint32_t> values;  // one per attribute

  /// value_of: returns the person's value of an attribute.
  template <typename ValueOf>
  bool is_had(ValueOf value_of) const {
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (value_of(attributes[i]) != values[i]) return false;
    }
    return true;
  }
};

/// The difference of two tables with the same number of people, row by row.
struct TableDifference {
  std::size_t records = 0;  // number of records that differ
  Attributes attributes;    // in which some of these records differ
};
TableDifference difference(const PeopleTable& a, const PeopleTable& b, std::size_t attributes);

std::uint64_t people_with(const PeopleTable& table, const Pattern& pattern);

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
