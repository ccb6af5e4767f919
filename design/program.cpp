#include "design/program.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <set>

#include "verifier/linear/linear_program.h"

namespace oddsbound::designs {

namespace {

using Form = Inequalities::Form;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Sides that are all compared with one another, both ways.
struct Group {
  std::size_t limit;
  std::vector<std::size_t> sides;
};
struct Pair {
  std::size_t limit, from, to;
};

// Splits pairs into groups of at least three sides, and the remaining pairs.
void split(const Limit& limit, std::size_t number, std::vector<Group>& groups, std::vector<Pair>& pairs) {
  std::vector<std::vector<bool>> compared(limit.sides.size(), std::vector<bool>(limit.sides.size()));
  boost::disjoint_sets_with_storage<> sets(limit.sides.size());
  for (const auto& [from, to] : limit.pairs) {
    compared[from][to] = true;
    sets.union_set(from, to);
  }
  std::map<std::size_t, std::vector<std::size_t>> parts;
  for (std::size_t side = 0; side < limit.sides.size(); ++side) parts[sets.find_set(side)].push_back(side);
  constexpr std::size_t kFewest = 3;
  for (auto& [of, sides] : parts) {
    const bool all = std::all_of(sides.begin(), sides.end(), [&](std::size_t a) {
      return std::all_of(sides.begin(), sides.end(), [&](std::size_t b) { return a == b || compared[a][b]; });
    });
    if (all && sides.size() >= kFewest && limit.delta.is_zero()) {
      groups.push_back({number, std::move(sides)});
      continue;
    }
    for (const auto& [from, to] : limit.pairs) {
      if (sets.find_set(from) == of) pairs.push_back({number, from, to});
    }
  }
}

enum class Goal { kCharges, kExcess, kDistance, kPlain };

class Program {
 public:
  Program(const DesignProblem& wanted, Goal goal) : wanted_(wanted), goal_(goal), program_(!wanted.orbits.empty()) {
    for (std::size_t k = 0; k < wanted.limits.size(); ++k) split(wanted.limits[k], k, groups_, pairs_);
    name_entries();
    for (std::uint64_t x = 0; x < wanted.rows; ++x) {
      Form sum;
      for (std::uint64_t y = 0; y < wanted.outputs; ++y) sum[entry(x, y)] += Number(1);
      program_.equal(sum, Number(1));
    }
    for (std::uint64_t y = 0; y < wanted.outputs; ++y) {
      for (const Group& group : groups_) group_rows_.push_back(add_group(group, y));
    }
    for (const Pair& pair : pairs_) add_pair(pair);
    const bool has_least =
        goal == Goal::kExcess || goal == Goal::kDistance || (goal == Goal::kCharges && wanted.largest);
    if (has_least) least_ = program_.unknown();
    add_ceilings();
    if (goal == Goal::kCharges && wanted.largest) add_largest();
    if (goal == Goal::kPlain) add_largest_entries();
  }

  // Makes the distance from these rows the objective.
  void add_distance(const Rows& near, Distance distance) {
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) {
      Form sum{{*least_, Number(-1)}};
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
        // Upper bound on the increase of the entry.
        const std::size_t more = distance == Distance::kRows ? program_.unknown() : *least_;
        program_.at_most({{entry(x, y), Number(1)}, {more, Number(-1)}}, near[x][y]);
        if (distance == Distance::kRows) {
          sum[more] = Number(1);
        } else {
          program_.equal({{entry(x, y), Number(1)}, {*least_, Number(1)}, {program_.unknown(), Number(-1)}},
                         near[x][y]);
        }
      }
      if (distance == Distance::kRows) program_.at_most(std::move(sum), Number(0));
    }
    program_.at_most({{*least_, Number(1)}}, Number(2));
  }

  std::optional<Optimum> solve(Budget& budget) {
    const linear::Equations& equations = program_.equations();
    LinearProgram polytope(equations, budget, linear::clp_bases(equations, budget));
    if (polytope.is_empty()) return std::nullopt;
    const LinearProgram::Optimum optimum = polytope.maximize(form());
    Optimum result;
    result.loss = -optimum.value;
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) {
      std::vector<Number>& row = result.rows.emplace_back();
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) row.push_back(polytope.vertex()[entry(x, y)]);
    }
    duals_ = optimum.duals;
    return result;
  }

  LpInstance posed() const { return {program_.equations(), form()}; }

  Proof proof() const {
    Proof proof;
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) proof.duals.push_back(-duals_[x]);
    for (std::size_t k = 0; k < wanted_.charges.size() && goal_ == Goal::kCharges; ++k) {
      proof.weights.push_back(wanted_.largest ? once(largest_rows_[k]) : wanted_.charges[k].weight);
    }
    for (const std::size_t row : ceiling_rows_) proof.ceilings.push_back(once(row));
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
        const Number times = once(pair_rows_[p * wanted_.outputs + y]);
        if (!times.is_zero()) proof.multipliers.push_back({pairs_[p].limit, pairs_[p].from, pairs_[p].to, y, times});
      }
    }
    for (std::size_t k = 0; k < group_rows_.size(); ++k) {
      if (!group_rows_[k].empty())
        add_multipliers(groups_[k % groups_.size()], k / groups_.size(), group_rows_[k], proof);
    }
    return proof;
  }

 private:
  // Entries in one orbit share one unknown.
  void name_entries() {
    std::map<std::size_t, std::size_t> unknown_of;
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) {
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
        const auto [known, is_new] = unknown_of.emplace(wanted_.orbit(x, y), 0);
        if (is_new) known->second = program_.unknown();
        entries_.push_back(known->second);
      }
    }
  }
  std::size_t entry(std::uint64_t x, std::uint64_t y) const { return entries_[x * wanted_.outputs + y]; }
  void add_side(Form& form, const Side& side, std::uint64_t y, const Number& times) const {
    for (const auto& [x, weight] : side) form[entry(x, y)] += times * weight;
  }
  void add_charge(Form& form, const LossTerm& charge, const Number& times) const {
    for (std::uint64_t y = 0; y < wanted_.outputs; ++y) form[entry(charge.row, y)] += times * charge.losses[y];
  }

  std::vector<Number> form() const {
    Form least;
    if (least_) {
      least[*least_] = Number(-1);
    } else if (goal_ == Goal::kPlain) {
      for (const std::size_t one : largest_entries_) least[one] = Number(-1);
    } else {
      for (const LossTerm& charge : wanted_.charges) add_charge(least, charge, -charge.weight);
    }
    std::vector<Number> form(program_.equations().columns.size());
    for (auto& [column, number] : least) form[column] = number;
    return form;
  }

  // Returns two rows per side; empty if symmetry makes the group at another output equivalent.
  std::vector<std::size_t> add_group(const Group& group, std::uint64_t y) {
    std::vector<Form> sides;
    std::set<std::vector<std::pair<std::size_t, std::string>>> said;
    for (const std::size_t side : group.sides) {
      add_side(sides.emplace_back(), wanted_.limits[group.limit].sides[side], y, Number(1));
      if (wanted_.orbits.empty()) continue;
      std::vector<std::pair<std::size_t, std::string>> words;
      for (const auto& [column, number] : sides.back()) words.emplace_back(column, number.to_string());
      said.insert(std::move(words));
    }
    if (!wanted_.orbits.empty() && !said_.emplace(group.limit, std::move(said)).second) return {};
    const std::size_t below = program_.unknown();
    std::vector<std::size_t> rows;
    for (const Form& side : sides) {
      Form above = side, not_below{{below, Number(1)}};
      above[below] = -wanted_.bounds[group.limit];
      for (const auto& [column, number] : side) not_below[column] = -number;
      rows.push_back(program_.at_most(std::move(above), Number(0)));
      rows.push_back(program_.at_most(std::move(not_below), Number(0)));
    }
    return rows;
  }

  void add_pair(const Pair& pair) {
    const Limit& limit = wanted_.limits[pair.limit];
    std::size_t excess = kNone;
    if (!limit.delta.is_zero()) excess = excess_of(pair.limit);
    for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
      Form form;
      add_side(form, limit.sides[pair.from], y, Number(1));
      add_side(form, limit.sides[pair.to], y, -wanted_.bounds[pair.limit]);
      if (excess != kNone) form[excess + y] = Number(-1);
      pair_rows_.push_back(program_.at_most(std::move(form), Number(0)));
    }
  }

  // Returns the first of the unknowns by output whose sum is at most delta.
  std::size_t excess_of(std::size_t number) {
    const Limit& limit = wanted_.limits[number];
    const auto known = excess_.find(number);
    if (limit.together && known != excess_.end()) return known->second;
    const std::size_t first = program_.unknowns(wanted_.outputs);
    excess_[number] = first;
    Form sum;
    for (std::uint64_t y = 0; y < wanted_.outputs; ++y) sum[first + y] = Number(1);
    program_.at_most(std::move(sum), allowed_excess(limit, wanted_.bounds[number]));
    return first;
  }

  void add_ceilings() {
    Number most(0);
    for (const LossConstraint& ceiling : wanted_.ceilings) {
      Form form;
      for (const LossTerm& charge : ceiling.charges) {
        add_charge(form, charge, charge.weight);
        for (const Number& loss : charge.losses) most += charge.weight * loss;
      }
      if (goal_ == Goal::kExcess) form[*least_] = Number(-1);
      ceiling_rows_.push_back(program_.at_most(std::move(form), ceiling.at_most));
    }
    // Never tight, so its dual is 0: it only bounds the unknown.
    if (goal_ == Goal::kExcess) program_.at_most({{*least_, Number(1)}}, most + Number(1));
  }

  void add_largest() {
    Number most(0);
    for (const LossTerm& charge : wanted_.charges) {
      Form form{{*least_, Number(-1)}};
      add_charge(form, charge, Number(1));
      largest_rows_.push_back(program_.at_most(std::move(form), Number(0)));
      for (const Number& loss : charge.losses) most = std::max(most, loss);
    }
    program_.at_most({{*least_, Number(1)}}, most + Number(1));  // never tight either
  }

  void add_largest_entries() {
    for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
      const std::size_t largest = program_.unknown();
      largest_entries_.push_back(largest);
      for (std::uint64_t x = 0; x < wanted_.rows; ++x) {
        program_.at_most({{entry(x, y), Number(1)}, {largest, Number(-1)}}, Number(0));
      }
      program_.at_most({{largest, Number(1)}}, Number(1));
    }
  }

  // Returns the dual of a row, and 0 after the first call: a row may represent several inequalities.
  Number once(std::size_t row) const { return counted_.insert(row).second ? duals_[row] : Number(0); }

  // Combines multipliers of P(a) <= bound t and t <= P(b) into multipliers of P(a) <= bound P(b) with the same
  // sums per side.
  void add_multipliers(const Group& group, std::uint64_t y, const std::vector<std::size_t>& rows, Proof& proof) const {
    const Number& bound = wanted_.bounds[group.limit];
    std::vector<Number> above, below;
    for (std::size_t k = 0; k < group.sides.size(); ++k) {
      above.push_back(once(rows[2 * k]));
      below.push_back(once(rows[2 * k + 1]) / bound);
    }
    std::size_t b = 0;
    for (std::size_t a = 0; a < group.sides.size(); ++a) {
      while (above[a].sign() > 0) {
        while (below[b].is_zero()) ++b;
        const Number times = std::min(above[a], below[b]);
        proof.multipliers.push_back({group.limit, group.sides[a], group.sides[b], y, times});
        above[a] -= times;
        below[b] -= times;
      }
    }
  }

  const DesignProblem& wanted_;
  const Goal goal_;
  Inequalities program_;
  std::vector<std::size_t> entries_;  // the unknown of each entry
  std::vector<Group> groups_;
  std::vector<Pair> pairs_;
  std::set<std::pair<std::size_t, std::set<std::vector<std::pair<std::size_t, std::string>>>>> said_;
  std::map<std::size_t, std::size_t> excess_;
  std::optional<std::size_t> least_;  // the unknown to minimize, if the objective is not a sum
  std::vector<std::size_t> largest_entries_;
  // Rows in the program: of groups by output and group, of pairs by pair and output.
  std::vector<std::vector<std::size_t>> group_rows_;
  std::vector<std::size_t> pair_rows_, ceiling_rows_, largest_rows_;
  std::vector<Number> duals_;
  mutable std::set<std::size_t> counted_;
};

std::optional<Optimum> proven(Program& program, Budget& budget) {
  std::optional<Optimum> optimum = program.solve(budget);
  if (optimum) optimum->proof = program.proof();
  return optimum;
}

}  // namespace

std::optional<Optimum> least_loss(const DesignProblem& wanted, Budget& budget) {
  Program program(wanted, Goal::kCharges);
  return proven(program, budget);
}

LpInstance pose(const DesignProblem& wanted) { return Program(wanted, Goal::kCharges).posed(); }

Optimum least_excess(const DesignProblem& wanted, Budget& budget) {
  Program program(wanted, Goal::kExcess);
  return *proven(program, budget);
}

Optimum nearest(const DesignProblem& wanted, const Rows& rows, Distance distance, Budget& budget) {
  Program program(wanted, Goal::kDistance);
  program.add_distance(rows, distance);
  return *program.solve(budget);
}

std::optional<Optimum> plainest(const DesignProblem& wanted, Budget& budget) {
  return Program(wanted, Goal::kPlain).solve(budget);
}

}  // namespace oddsbound::designs
