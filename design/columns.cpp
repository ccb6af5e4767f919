// Extreme rays by double description (Motzkin, Raiffa, Thompson and Thrall 1953; Fukuda and Prodon 1996).
// Invariant: the rays are the extreme rays of the cone of all forms taken so far. Taking a form drops the rays on
// its negative side and adds one ray between each pair of adjacent rays on opposite sides.

#include "design/columns.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "design/program.h"
#include "verifier/linear/linear_program.h"

namespace oddsbound::designs {

namespace {

// The forms that vanish on a ray; the first ones are its entries.
class ZeroSet {
 public:
  explicit ZeroSet(std::size_t forms) : words_((forms + kBits - 1) / kBits) {}
  void add(std::size_t form) { words_[form / kBits] |= std::uint64_t{1} << (form % kBits); }
  std::size_t shared_with(const ZeroSet& other) const {
    std::size_t count = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      count += static_cast<std::size_t>(std::popcount(words_[w] & other.words_[w]));
    }
    return count;
  }
  ZeroSet shared(const ZeroSet& other) const {
    ZeroSet result = *this;
    for (std::size_t w = 0; w < words_.size(); ++w) result.words_[w] &= other.words_[w];
    return result;
  }
  bool contains(const ZeroSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if ((other.words_[w] & ~words_[w]) != 0) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> words_;
};

struct Ray {
  Column column;
  ZeroSet zeros;
};

void scale(Column& column) {
  const Number* least = nullptr;
  for (const Number& entry : column) {
    if (!entry.is_zero() && (least == nullptr || entry < *least)) least = &entry;
  }
  const Number unit = *least;
  for (Number& entry : column) entry /= unit;
}

class DoubleDescription {
 public:
  DoubleDescription(std::size_t rows, std::size_t forms, Budget& budget) : rows_(rows), budget_(budget) {
    for (std::size_t x = 0; x < rows; ++x) {
      Ray ray{Column(rows), ZeroSet(rows + forms)};
      ray.column[x] = Number(1);
      for (std::size_t z = 0; z < rows; ++z) {
        if (z != x) ray.zeros.add(z);
      }
      rays_.push_back(std::move(ray));
    }
  }

  // number: the index of the form in the zero sets.
  void take(const std::vector<Number>& form, std::size_t number) {
    std::vector<Number> values;
    std::vector<std::size_t> above, below;
    for (std::size_t k = 0; k < rays_.size(); ++k) {
      budget_.check_every();
      values.push_back(dot(form, rays_[k].column));
      const int sign = values.back().sign();
      if (sign > 0) above.push_back(k);
      if (sign < 0) below.push_back(k);
      if (sign == 0) rays_[k].zeros.add(number);
    }
    std::vector<Ray> between;
    for (const std::size_t a : above) {
      for (const std::size_t b : below) {
        if (!are_adjacent(a, b)) continue;
        between.push_back(ray_between(rays_[a], rays_[b], values[a], -values[b]));
        between.back().zeros.add(number);
        require_few(between.size());
      }
    }
    for (std::size_t k = below.size(); k > 0; --k) {
      if (below[k - 1] + 1 != rays_.size()) rays_[below[k - 1]] = std::move(rays_.back());
      rays_.pop_back();
    }
    for (Ray& ray : between) rays_.push_back(std::move(ray));
    require_few(rays_.size());
  }

  std::vector<Column> columns() && {
    std::vector<Column> columns;
    for (Ray& ray : rays_) columns.push_back(std::move(ray.column));
    std::sort(columns.begin(), columns.end(), std::greater<>());
    return columns;
  }

 private:
  // Adjacent: at least rows - 2 forms vanish on both rays, and no other ray vanishes wherever both do.
  bool are_adjacent(std::size_t a, std::size_t b) {
    budget_.check_every();
    if (rays_[a].zeros.shared_with(rays_[b].zeros) + 2 < rows_) return false;
    const ZeroSet both = rays_[a].zeros.shared(rays_[b].zeros);
    for (std::size_t k = 0; k < rays_.size(); ++k) {
      if (k != a && k != b && rays_[k].zeros.contains(both)) return false;
    }
    return true;
  }

  static Ray ray_between(const Ray& above, const Ray& below, const Number& up, const Number& down) {
    Ray ray{Column(above.column.size()), above.zeros.shared(below.zeros)};
    for (std::size_t x = 0; x < ray.column.size(); ++x) ray.column[x] = down * above.column[x] + up * below.column[x];
    scale(ray.column);
    return ray;
  }

  static void require_few(std::size_t rays) {
    constexpr std::size_t kMost = 1 << 13;
    if (rays <= kMost) return;
    throw LimitError("mechanisms within these constraints are made of more than " + std::to_string(kMost) +
                     " extreme columns: fewer inputs, or fewer different limits, are needed");
  }

  std::size_t rows_;
  Budget& budget_;
  std::vector<Ray> rays_;
};

}  // namespace

linear::Matrix cone_of(const std::vector<Limit>& limits, const std::vector<Number>& bounds, std::size_t rows) {
  linear::Matrix forms;
  for (std::size_t k = 0; k < limits.size(); ++k) {
    for (const auto& [from, to] : limits[k].pairs) {
      std::vector<Number> form(rows);
      for (const auto& [x, weight] : limits[k].sides[to]) form[x] += bounds[k] * weight;
      for (const auto& [x, weight] : limits[k].sides[from]) form[x] -= weight;
      // With bound 1 the form sums to 0 over all outputs, so it is 0 for each output.
      if (bounds[k].is_one()) {
        std::vector<Number>& other = forms.emplace_back();
        for (const Number& entry : form) other.push_back(-entry);
      }
      forms.push_back(std::move(form));
    }
  }
  return forms;
}

std::vector<Column> extreme_columns(const linear::Matrix& forms, std::size_t rows, Budget& budget) {
  DoubleDescription description(rows, forms.size(), budget);
  for (std::size_t k = 0; k < forms.size(); ++k) description.take(forms[k], rows + k);
  return std::move(description).columns();
}

Mix best_mix(const std::vector<Column>& columns, const std::vector<Number>& gains, Budget& budget) {
  linear::Equations equations;
  equations.right.assign(columns[0].size(), Number(1));
  for (const Column& column : columns) {
    auto& entries = equations.columns.emplace_back();
    for (std::size_t x = 0; x < column.size(); ++x) {
      if (!column[x].is_zero()) entries.emplace_back(x, column[x]);
    }
  }
  LinearProgram polytope(equations, budget, linear::clp_bases(equations, budget));
  LinearProgram::Optimum optimum = polytope.maximize(gains);
  return {polytope.vertex(), std::move(optimum.value), std::move(optimum.duals)};
}

std::vector<std::vector<Number>> mechanism_of(const std::vector<Column>& columns, const std::vector<Number>& weights) {
  std::vector<std::vector<Number>> rows(columns[0].size(), std::vector<Number>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (weights[j].is_zero()) continue;
    for (std::size_t x = 0; x < rows.size(); ++x) rows[x][j] = weights[j] * columns[j][x];
  }
  return rows;
}

// Checks and losses of a mechanism with given rows.

namespace {

Number probability(const Side& side, const Rows& rows, std::uint64_t y) {
  Number sum(0);
  for (const auto& [x, weight] : side) sum += weight * rows[x][y];
  return sum;
}

Number excess(const Limit& limit, const Number& bound, const Rows& rows, std::uint64_t y, std::size_t from,
              std::size_t to) {
  return std::max(Number(0), probability(limit.sides[from], rows, y) - bound * probability(limit.sides[to], rows, y));
}

bool keeps(const Limit& limit, const Number& bound, const Rows& rows) {
  Number together(0);
  std::vector<Number> by_pair(limit.pairs.size());
  for (std::uint64_t y = 0; y < rows[0].size(); ++y) {
    Number most(0);
    for (std::size_t p = 0; p < limit.pairs.size(); ++p) {
      const Number over = excess(limit, bound, rows, y, limit.pairs[p].first, limit.pairs[p].second);
      by_pair[p] += over;
      most = std::max(most, over);
    }
    together += most;
  }
  if (limit.together) return together <= allowed_excess(limit, bound);
  return std::all_of(by_pair.begin(), by_pair.end(), [&](const Number& sum) { return sum <= limit.delta; });
}

Number charged(const LossTerm& charge, const Rows& rows) { return linear::dot(charge.losses, rows[charge.row]); }

}  // namespace

Number loss_of(const DesignProblem& wanted, const Rows& rows) {
  Number loss(0);
  for (const LossTerm& charge : wanted.charges) {
    const Number own = charged(charge, rows);
    loss = wanted.largest ? std::max(loss, own) : loss + charge.weight * own;
  }
  return loss;
}

bool is_within(const std::vector<Limit>& limits, const std::vector<Number>& bounds, const Rows& rows) {
  for (std::size_t k = 0; k < limits.size(); ++k) {
    if (!keeps(limits[k], bounds[k], rows)) return false;
  }
  return true;
}

bool is_below(const std::vector<LossConstraint>& ceilings, const Rows& rows) {
  return std::all_of(ceilings.begin(), ceilings.end(), [&](const LossConstraint& ceiling) {
    Number sum(0);
    for (const LossTerm& charge : ceiling.charges) sum += charge.weight * charged(charge, rows);
    return sum <= ceiling.at_most;
  });
}

Number least_share(const DesignProblem& wanted, const Rows& rows) {
  const Number each = Number(1) / Number(static_cast<std::int64_t>(wanted.outputs));
  Number share(0);
  for (std::size_t k = 0; k < wanted.limits.size(); ++k) {
    const Limit& limit = wanted.limits[k];
    for (const auto& [from, to] : limit.pairs) {
      for (std::uint64_t y = 0; y < wanted.outputs; ++y) {
        const Number over = excess(limit, wanted.bounds[k], rows, y, from, to);
        if (over.sign() > 0) share = std::max(share, over / (over + (wanted.bounds[k] - Number(1)) * each));
      }
    }
  }
  return share;
}

}  // namespace oddsbound::designs
