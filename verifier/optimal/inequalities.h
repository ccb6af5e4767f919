// A linear program as it grows: unknowns that are nowhere negative, what adds up to what, and what is at most what.
#pragma once

#include <map>

#include "verifier/exact/basis.h"

namespace oddsbound::optimal {

class Inequalities {
 public:
  using Form = std::map<std::size_t, Number>;  // multiples of unknowns, to be added

  /// once: an inequality that is there already is not added again.
  explicit Inequalities(bool once) : once_(once) {}

  std::size_t unknowns(std::size_t count);  // the first of so many
  std::size_t unknown() { return unknowns(1); }
  /// The row where it stands. right: not negative.
  std::size_t equal(const Form& form, Number right);
  std::size_t at_most(Form form, const Number& right);

  const exact::Equations& equations() const { return equations_; }

 private:
  std::size_t add(const Form& form, Number right);

  exact::Equations equations_;
  bool once_;
  std::map<std::vector<std::pair<std::size_t, std::string>>, std::size_t> known_;  // rows by what they say
};

}  // namespace oddsbound::optimal
