// A table of people: a value of each attribute for each of them, and how many people have what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verifier/model/domain.h"

namespace oddsbound::releases {

/// Attributes by their places in the schema: in order, each once.
using Attributes = std::vector<std::size_t>;

/// How many are in both.
std::size_t shared_by(const Attributes& a, const Attributes& b);
bool meet(const Attributes& a, const Attributes& b);
/// Their names: "age, job".
std::string words_of(const Domain& schema, const Attributes& attributes);
/// "age=young, job=none"
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

/// Some values of some attributes, that a person has or has not.
struct Pattern {
  Attributes attributes;
  std::vector<std::uint32_t> values;  // one for each

  /// value_of: the value that somebody has of an attribute.
  template <typename ValueOf>
  bool is_had(ValueOf value_of) const {
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      if (value_of(attributes[i]) != values[i]) return false;
    }
    return true;
  }
};

/// How two tables of as many people differ, row by row.
struct TableDifference {
  std::size_t records = 0;  // that differ
  Attributes attributes;    // in which some of them do
};
TableDifference difference(const PeopleTable& a, const PeopleTable& b, std::size_t attributes);

std::uint64_t people_with(const PeopleTable& table, const Pattern& pattern);

/// How many people have each combination of the attributes' values; combinations in order, the last attribute fastest.
std::vector<std::uint64_t> contingency(const PeopleTable& table, const Domain& schema, const Attributes& attributes);

/// The largest whole number that is at most top / bottom of n, and the least that is not below it.
std::uint64_t share_below(std::uint64_t top, std::uint64_t bottom, std::uint64_t n);
std::uint64_t share_above(std::uint64_t top, std::uint64_t bottom, std::uint64_t n);

// What is learned from a table of people of whom some have a label: an attribute of two values, of which the second one
// counts as having it.

struct Labeled {
  Domain schema;
  Attributes inputs;      // what the label is to be told from
  std::size_t label = 0;  // not among them

  /// "ill=yes"
  std::string words() const;
  Attributes inputs_and_label() const;
  bool has_label(const PeopleTable& table, std::size_t person) const { return table.column(label)[person] == 1; }
};

}  // namespace oddsbound::releases
