#include "verifier/optimal/program.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "verifier/exact/polytope.h"

namespace oddsbound::optimal {

namespace {

// Sides of which each is compared with every other one, both ways.
struct Group {
  std::size_t limit;
  std::vector<std::size_t> sides;
};
struct Pair {
  std::size_t limit, from, to;
};

// Groups of three and more, and all pairs that are in none.
void split(const Limit& limit, std::size_t number, std::vector<Group>& groups, std::vector<Pair>& pairs) {
  std::vector<std::vector<bool>> compared(limit.sides.size(), std::vector<bool>(limit.sides.size()));
  std::vector<std::size_t> root(limit.sides.size());
  std::iota(root.begin(), root.end(), std::size_t{0});
  const auto root_of = [&](std::size_t side) {
    while (root[side] != side) side = root[side] = root[root[side]];
    return side;
  };
  for (const auto& [from, to] : limit.pairs) {
    compared[from][to] = true;
    root[root_of(from)] = root_of(to);
  }
  std::map<std::size_t, std::vector<std::size_t>> parts;
  for (std::size_t side = 0; side < limit.sides.size(); ++side) parts[root_of(side)].push_back(side);
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
      if (root_of(from) == of) pairs.push_back({number, from, to});
    }
  }
}

class Program {
 public:
  // near: what is to be least is the distance from these rows.
  explicit Program(const Wanted& wanted, const std::vector<std::vector<Number>>* near = nullptr,
                   Distance distance = Distance::kRows)
      : wanted_(wanted) {
    for (std::size_t k = 0; k < wanted.limits.size(); ++k) split(wanted.limits[k], k, groups_, pairs_);
    equations_.columns.resize(wanted.rows * wanted.outputs);
    for (std::uint64_t x = 0; x < wanted.rows; ++x) {
      const std::size_t row = add_row(Number(1));
      for (std::uint64_t y = 0; y < wanted.outputs; ++y) put(row, entry(x, y), Number(1));
    }
    for (std::uint64_t y = 0; y < wanted.outputs; ++y) {
      for (const Group& group : groups_) add_group(group, y);
    }
    for (const Pair& pair : pairs_) add_pair(pair);
    if (near != nullptr) {
      add_distance(*near, distance);
    } else if (wanted.largest) {
      add_largest();
    }
  }

  Optimum solve(Budget& budget) {
    std::vector<Number> form(equations_.columns.size());
    if (largest_) {
      form[*largest_] = Number(-1);
    } else {
      for (const Charge& charge : wanted_.charges) {
        for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
          form[entry(charge.row, y)] -= charge.weight * charge.losses[y];
        }
      }
    }
    // Bases are solved for in rationals; the simplex method in exact numbers needs none.
    Polytope polytope(equations_, budget, equations_.are_rational() ? exact::clp_bases(equations_, budget) : nullptr);
    const Polytope::Optimum optimum = polytope.maximize(form);
    Optimum result;
    result.loss = -optimum.value;
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) {
      const auto first = polytope.vertex().begin() + static_cast<std::ptrdiff_t>(entry(x, 0));
      result.rows.emplace_back(first, first + static_cast<std::ptrdiff_t>(wanted_.outputs));
    }
    prices_ = optimum.prices;
    return result;
  }

  Proof proof() const {
    Proof proof;
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) proof.prices.push_back(-prices_[x]);
    for (std::size_t k = 0; k < wanted_.charges.size(); ++k) {
      proof.weights.push_back(wanted_.largest ? prices_[largest_rows_ + k] : wanted_.charges[k].weight);
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
        const Number& times = prices_[pair_rows_[p] + y];
        if (!times.is_zero()) proof.multipliers.push_back({pairs_[p].limit, pairs_[p].from, pairs_[p].to, y, times});
      }
    }
    for (std::size_t k = 0; k < group_rows_.size(); ++k) {
      add_multipliers(groups_[k % groups_.size()], k / groups_.size(), prices_, group_rows_[k], proof);
    }
    return proof;
  }

 private:
  std::size_t entry(std::uint64_t x, std::uint64_t y) const { return x * wanted_.outputs + y; }
  std::size_t add_row(Number right) {
    equations_.right.push_back(std::move(right));
    return equations_.right.size() - 1;
  }
  std::size_t add_column() {
    equations_.columns.emplace_back();
    return equations_.columns.size() - 1;
  }
  void put(std::size_t row, std::size_t column, Number number) {
    if (!number.is_zero()) equations_.columns[column].emplace_back(row, std::move(number));
  }
  // row: ... + something = right, that is: ... <= right.
  void add_slack(std::size_t row) { put(row, add_column(), Number(1)); }
  void put_side(std::size_t row, const Side& side, std::uint64_t y, const Number& times) {
    for (const auto& [x, weight] : side) put(row, entry(x, y), times * weight);
  }

  // The rows of a group and an output are one after the other: for each side two.
  void add_group(const Group& group, std::uint64_t y) {
    const std::size_t least = add_column();
    group_rows_.push_back(equations_.right.size());
    for (const std::size_t side : group.sides) {
      const Side& weights = wanted_.limits[group.limit].sides[side];
      const std::size_t above = add_row(Number(0));
      put_side(above, weights, y, Number(1));
      put(above, least, -wanted_.bounds[group.limit]);
      add_slack(above);
      const std::size_t below = add_row(Number(0));
      put(below, least, Number(1));
      put_side(below, weights, y, Number(-1));
      add_slack(below);
    }
  }

  void add_pair(const Pair& pair) {
    const Limit& limit = wanted_.limits[pair.limit];
    pair_rows_.push_back(equations_.right.size());
    for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
      const std::size_t row = add_row(Number(0));
      // Sides may have inputs in common, and columns have one entry for each row.
      std::map<std::uint64_t, Number> weights;
      for (const auto& [x, weight] : limit.sides[pair.from]) weights[x] += weight;
      for (const auto& [x, weight] : limit.sides[pair.to]) weights[x] -= wanted_.bounds[pair.limit] * weight;
      for (const auto& [x, weight] : weights) put(row, entry(x, y), weight);
      add_slack(row);
    }
    if (limit.delta.is_zero()) return;
    const std::size_t sum = add_row(limit.delta);
    for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
      const std::size_t excess = add_column();
      put(pair_rows_.back() + y, excess, Number(-1));
      put(sum, excess, Number(1));
    }
    add_slack(sum);
  }

  void add_largest() {
    const std::size_t largest = *(largest_ = add_column());
    largest_rows_ = equations_.right.size();
    Number most(0);
    for (const Charge& charge : wanted_.charges) {
      const std::size_t row = add_row(Number(0));
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
        put(row, entry(charge.row, y), charge.losses[y]);
        most = std::max(most, charge.losses[y]);
      }
      put(row, largest, Number(-1));
      add_slack(row);
    }
    const std::size_t bounded = add_row(most + Number(1));  // never met, so that it proves nothing
    put(bounded, largest, Number(1));
    add_slack(bounded);
  }

  void add_distance(const std::vector<std::vector<Number>>& near, Distance distance) {
    const std::size_t largest = *(largest_ = add_column());
    for (std::uint64_t x = 0; x < wanted_.rows; ++x) {
      const std::size_t sum = distance == Distance::kRows ? add_row(Number(0)) : 0;
      for (std::uint64_t y = 0; y < wanted_.outputs; ++y) {
        // The entry is above the old one by this at most.
        const std::size_t more = distance == Distance::kRows ? add_column() : largest;
        const std::size_t above = add_row(near[x][y]);
        put(above, entry(x, y), Number(1));
        put(above, more, Number(-1));
        add_slack(above);
        if (distance == Distance::kRows) {
          put(sum, more, Number(1));
        } else {
          const std::size_t below = add_row(near[x][y]);
          put(below, entry(x, y), Number(1));
          put(below, largest, Number(1));
          put(below, add_column(), Number(-1));
        }
      }
      if (distance == Distance::kRows) {
        put(sum, largest, Number(-1));
        add_slack(sum);
      }
    }
    const std::size_t bounded = add_row(Number(2));
    put(bounded, largest, Number(1));
    add_slack(bounded);
  }

  // P(a) <= bound t and t <= P(b), so often each, are P(a) <= bound P(b) so often that the sums of all come out.
  void add_multipliers(const Group& group, std::uint64_t y, const std::vector<Number>& prices, std::size_t row,
                       Proof& proof) const {
    const Number& bound = wanted_.bounds[group.limit];
    std::size_t b = 0;
    Number left = prices[row + 1] / bound;
    for (std::size_t a = 0; a < group.sides.size(); ++a) {
      Number above = prices[row + 2 * a];
      while (above.sign() > 0) {
        while (left.is_zero()) left = prices[row + 2 * ++b + 1] / bound;
        const Number times = std::min(above, left);
        proof.multipliers.push_back({group.limit, group.sides[a], group.sides[b], y, times});
        above -= times;
        left -= times;
      }
    }
  }

  const Wanted& wanted_;
  exact::Equations equations_;
  std::vector<Group> groups_;
  std::vector<Pair> pairs_;
  std::vector<Number> prices_;
  std::vector<std::size_t> group_rows_, pair_rows_;  // where they begin; of groups by output and group
  std::optional<std::size_t> largest_;  // the column of what is to be least, where that is no sum of charges
  std::size_t largest_rows_ = 0;
};

Number probability(const Side& side, const std::vector<std::vector<Number>>& rows, std::uint64_t y) {
  Number sum(0);
  for (const auto& [x, weight] : side) sum += weight * rows[x][y];
  return sum;
}

}  // namespace

Optimum least_loss(const Wanted& wanted, Budget& budget) {
  Program program(wanted);
  Optimum optimum = program.solve(budget);
  optimum.proof = program.proof();
  return optimum;
}

Optimum nearest(const Wanted& wanted, const std::vector<std::vector<Number>>& rows, Distance distance, Budget& budget) {
  return Program(wanted, &rows, distance).solve(budget);
}

bool is_within(const std::vector<Limit>& limits, const std::vector<std::vector<Number>>& rows) {
  return std::all_of(limits.begin(), limits.end(), [&](const Limit& limit) {
    return std::all_of(limit.pairs.begin(), limit.pairs.end(), [&](const auto& pair) {
      Number excess(0);
      for (std::uint64_t y = 0; y < rows[0].size(); ++y) {
        const Number over = probability(limit.sides[pair.first], rows, y) -
                            limit.level.exponential() * probability(limit.sides[pair.second], rows, y);
        if (over.sign() > 0) excess += over;
      }
      return excess <= limit.delta;
    });
  });
}

Number least_share(const Wanted& wanted, const std::vector<std::vector<Number>>& rows) {
  const Number each = Number(1) / Number(static_cast<std::int64_t>(wanted.outputs));
  Number share(0);
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    const Limit& limit = wanted.limits[k];
    for (const auto& [from, to] : limit.pairs) {
      for (std::uint64_t y = 0; y < wanted.outputs; ++y) {
        const Number over =
            probability(limit.sides[from], rows, y) - wanted.bounds[k] * probability(limit.sides[to], rows, y);
        if (over.sign() > 0) share = std::max(share, over / (over + (wanted.bounds[k] - Number(1)) * each));
      }
    }
  }
  return share;
}

}  // namespace oddsbound::optimal
