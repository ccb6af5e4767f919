// Sets of priors by their bare definitions, for whoever looks at them another way than the searches do.
#pragma once

#include <utility>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::sets {

/// Priors that are linear in some unknowns, none of which is negative, and which meet some inequalities.
struct SetDefinition {
  using Form = std::vector<std::pair<std::size_t, Number>>;  // multiples of unknowns, to be added
  struct Row {
    Form form;
    Number right;
    bool equal = false;  // else at most that
  };

  std::size_t unknowns = 0;
  std::vector<Form> cells;  // the mass of every input, in input order; a member need not be normalized
  std::vector<Row> rows;

  std::size_t unknown() { return unknowns++; }
  /// One for every input: its mass.
  static SetDefinition of_cells(std::uint64_t inputs);
  /// All cells come to 1.
  void normalize();
  void at_most(Form form, const Number& right) { rows.push_back({std::move(form), right}); }
  void equal(Form form, const Number& right) { rows.push_back({std::move(form), right, true}); }
  /// sum |a_k - b_k| <= right, where a_k - b_k = form - shift.
  void distances_at_most(const std::vector<std::pair<Form, Number>>& differences, const Number& right);
};

}  // namespace oddsbound::sets
