// What a mechanism whose rows are given keeps, and loses.
#include <algorithm>

#include "verifier/optimal/program.h"

namespace oddsbound::optimal {

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

Number charged(const Charge& charge, const Rows& rows) {
  Number sum(0);
  for (std::uint64_t y = 0; y < charge.losses.size(); ++y) sum += charge.losses[y] * rows[charge.row][y];
  return sum;
}

}  // namespace

Number loss_of(const Wanted& wanted, const Rows& rows) {
  Number loss(0);
  for (const Charge& charge : wanted.charges) {
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

bool is_below(const std::vector<Ceiling>& ceilings, const Rows& rows) {
  return std::all_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& ceiling) {
    Number sum(0);
    for (const Charge& charge : ceiling.charges) sum += charge.weight * charged(charge, rows);
    return sum <= ceiling.at_most;
  });
}

Number least_share(const Wanted& wanted, const Rows& rows) {
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

}  // namespace oddsbound::optimal
