#include "verifier/engine/tilted_groups.h"

#include <algorithm>
#include <cmath>

namespace oddsbound::engine {

namespace {

constexpr double kShares = 0x1p20;
// More than the relative errors of powers: each is below 2^-44, and a product has at most 64 factors.
constexpr double kErrorOfPowers = 0x1p-36;
constexpr std::size_t kFirstLane = 3;
// The tables of one node take at most 128 MB.
constexpr std::size_t kMostCells = std::size_t{1} << 24;

}  // namespace

TiltedGroups::TiltedGroups(std::span<const AveragedFactor> block, std::span<const AveragedFactor> averaged,
                           const Chords& chords, const std::vector<std::vector<std::uint32_t>>& classes,
                           const std::vector<std::uint32_t>& cells, const Limits& limits)
    : block_(block),
      averaged_(averaged),
      classes_(classes),
      cells_(cells),
      error_(limits.error + kErrorOfPowers),
      chords_(chords) {
  for (const AveragedFactor& factor : block) {
    of_block_.push_back({factor.entries.data(), factor.classes, factor.outputs});
  }
  std::size_t lane = kFirstLane;
  for (const AveragedFactor& factor : averaged) {
    lane_.push_back(lane);
    lane += factor.classes - 1;
  }
  lane_.push_back(lane);
  make_groups(limits);
  if (!applies_) return;
  for (Group& group : groups_) fill(group);
}

// As few groups as fit, of about the same size.
void TiltedGroups::make_groups(const Limits& limits) {
  std::size_t block_cells = 1;
  for (const AveragedFactor& factor : block_) block_cells *= factor.cells();
  const std::size_t fitting = std::max<std::size_t>(2, limits.cells / block_cells);
  double all = 0;
  for (const AveragedFactor& factor : averaged_) all += std::log(static_cast<double>(factor.cells()));
  const double count = std::max(1.0, std::ceil(all / std::log(static_cast<double>(fitting))));
  double filled = 0;
  for (std::size_t i = 0; i < averaged_.size(); ++i) {
    const double own = std::log(static_cast<double>(averaged_[i].cells()));
    if (groups_.empty() || filled + own / 2 > all * static_cast<double>(groups_.size()) / count) {
      groups_.push_back({i, i, 0, 1, 1, {}, {}, {}});
    }
    groups_.back().end = i + 1;
    filled += own;
  }
  applies_ = groups_.size() > 1 && chords_.spread > 0;
  std::size_t in_all = 0;
  double left = 1;
  for (Group& group : groups_) {
    double spread = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      spread += averaged_[i].spread;
      constexpr std::size_t kTimes = 4;  // since groups differ in size
      applies_ = applies_ && averaged_[i].cells() <= kTimes * fitting / std::max(group.outputs, group.classes);
      if (!applies_) return;
      group.outputs *= averaged_[i].outputs;
      group.classes *= averaged_[i].classes;
    }
    in_all += block_cells * std::max(group.outputs, group.classes);
    constexpr double kLeastShare = 0x1p-6;
    const double share =
        (spread / chords_.spread + kLeastShare) / (1 + kLeastShare * static_cast<double>(groups_.size()));
    group.share = group.end == averaged_.size() ? left : std::floor(share * kShares) / kShares;
    left -= group.share;
  }
  applies_ = applies_ && in_all <= kMostCells;
}

void TiltedGroups::fill(Group& group) {
  group.seen.assign(cells_.size(), 0);
  for (std::size_t i = group.begin; i < group.end; ++i) {
    const AveragedFactor& factor = averaged_[i];
    for (std::size_t s = 0; s < cells_.size(); ++s) {
      group.seen[s] = group.seen[s] * static_cast<std::uint32_t>(factor.classes) + classes_[i][s];
    }
    std::vector<double>& powered = group.powered.emplace_back(factor.entries.size(), 1.0);
    for (std::size_t y = 0; y < factor.outputs; ++y) {
      for (const ClassTerm& term : factor.logarithms[y]) {
        powered[y * factor.classes + term.of] = std::exp(term.value / group.share);
      }
    }
  }
}

// From the outputs in `near`, one factor of C after another takes its best output.
Path TiltedGroups::improved(const Rows& rows, std::span<const std::uint32_t> near,
                            const std::function<void()>& look) const {
  const std::size_t count = averaged_.size(), size = rows.u.size();
  std::vector<double> of_cells(1, 1);
  for (std::size_t b = 0; b < block_.size(); ++b) {
    const std::size_t before = of_cells.size(), classes = block_[b].classes;
    of_cells.resize(before * classes);
    for (std::size_t cell = before * classes; cell-- > 0;) {
      of_cells[cell] = of_cells[cell / classes] * block_[b].entries[near[count + b] * classes + cell % classes];
    }
  }
  const auto entry = [&](std::size_t i, std::uint32_t y, std::size_t c) {
    return averaged_[i].entries[y * averaged_[i].classes + c];
  };
  Path path(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count));
  std::vector<double> u(size), v(size);
  for (std::size_t s = 0; s < size; ++s) {
    double product = of_cells[cells_[s]];
    for (std::size_t i = 0; i < count; ++i) product *= entry(i, path[i], classes_[i][s]);
    u[s] = rows.u[s] * product;
    v[s] = rows.v[s] * product;
  }
  std::vector<double> above, below, quotients;
  const auto improve = [&](std::size_t i) {
    look();
    const AveragedFactor& factor = averaged_[i];
    above.assign(factor.classes, 0);
    below.assign(factor.classes, 0);
    for (std::size_t s = 0; s < size; ++s) {
      above[classes_[i][s]] += u[s];
      below[classes_[i][s]] += v[s];
    }
    std::uint32_t best = path[i];
    double most = 0;
    for (std::uint32_t y = 0; y < factor.outputs; ++y) {
      double p = 0, q = 0;
      for (std::size_t c = 0; c < factor.classes; ++c) {
        const double quotient = entry(i, y, c) / entry(i, path[i], c);
        p += above[c] * quotient;
        q += below[c] * quotient;
      }
      constexpr double kMore = 1 + 1e-9;
      if (!(p > most * q * kMore)) continue;
      most = p / q;
      best = y;
    }
    if (best == path[i]) return false;
    quotients.resize(factor.classes);
    for (std::size_t c = 0; c < factor.classes; ++c) quotients[c] = entry(i, best, c) / entry(i, path[i], c);
    for (std::size_t s = 0; s < size; ++s) {
      u[s] *= quotients[classes_[i][s]];
      v[s] *= quotients[classes_[i][s]];
    }
    path[i] = best;
    return true;
  };
  constexpr int kMostSweeps = 4;
  bool moves = true;
  for (int sweep = 0; sweep < kMostSweeps && moves; ++sweep) {
    moves = false;
    for (std::size_t i = 0; i < count; ++i) moves |= improve(i);
  }
  return path;
}

void TiltedGroups::lower(const Rows& rows, std::span<const std::uint32_t> near, Tables& tables,
                         std::vector<OpenOutput>& open, const std::function<void()>& look) {
  const std::size_t size = cells_.size();
  const Path path = improved(rows, near, look);
  scores_.assign(size, 0);
  for (Group& group : groups_) {
    group.scores.assign(size, 0);
    for (std::size_t i = group.begin; i < group.end; ++i) {
      values_.assign(averaged_[i].classes, 0);
      for (const ClassTerm& term : averaged_[i].logarithms[path[i]]) values_[term.of] = term.value;
      for (std::size_t s = 0; s < size; ++s) group.scores[s] += values_[classes_[i][s]];
    }
    for (std::size_t s = 0; s < size; ++s) scores_[s] += group.scores[s];
  }
  look();
  for (std::size_t k = 0; k < tilts_.size(); ++k) {
    sum_up(rows.weights, tilts_[k], tables, look);
    std::size_t kept = 0;
    for (std::size_t at = 0; at < open.size(); ++at) {
      look();
      const double excess = std::min(open[at].excess, least_excess(open[at].cell, tables));
      if (excess > 0) open[kept++] = {open[at].cell, excess};
    }
    open.resize(kept);
    if (!open.empty()) continue;
    const auto first = tilts_.begin();
    std::rotate(first, first + static_cast<std::ptrdiff_t>(k), first + static_cast<std::ptrdiff_t>(k) + 1);
    return;
  }
}

void TiltedGroups::sum_up(const std::vector<double>& weights, const Tilt& tilt, Tables& tables,
                          const std::function<void()>& look) {
  std::size_t cells = 1;
  for (const AveragedFactor& factor : block_) cells *= factor.classes;
  tables.above.resize(std::max(tables.above.size(), groups_.size()));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = groups_[g];
    CellSums& above = tables.above[g];
    above.begin(cells * group.classes, 1);
    for (std::size_t s = 0; s < weights.size(); ++s) {
      if (!(weights[s] > 0)) continue;
      const double factor = tilt.plus == 0 ? 1 : std::exp(tilt.plus * (scores_[s] - group.scores[s] / group.share));
      *above.of(cells_[s] * group.classes + group.seen[s]) += group.share * factor * weights[s];
    }
    look();
    std::vector<CellSums::Matrix> factors = of_block_;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      factors.push_back({group.powered[i - group.begin].data(), averaged_[i].classes, averaged_[i].outputs});
    }
    above.transform(factors, tables.spare, look);
  }
  double mean = 0, all = 0;
  for (std::size_t s = 0; s < weights.size(); ++s) {
    if (!(weights[s] < 0)) continue;
    all -= weights[s];
    mean -= weights[s] * scores_[s];
  }
  if (all > 0) mean /= all;
  tables.below.begin(cells, lane_.back());
  for (std::size_t s = 0; s < weights.size(); ++s) {
    if (!(weights[s] < 0)) continue;
    double place = tilt.minus * (scores_[s] - mean) / chords_.unit;
    if (!chords_.are_tangents) place = std::round(place);
    const double weight = -weights[s] * std::exp(place * chords_.unit);
    double* const lanes = tables.below.of(cells_[s]);
    lanes[0] += weight;
    lanes[place > 0 ? 1 : 2] += weight * std::abs(place);
    for (std::size_t i = 0; i < averaged_.size(); ++i) {
      if (classes_[i][s] != 0) lanes[lane_[i] + classes_[i][s] - 1] += weight;
    }
  }
  look();
  tables.below.transform(of_block_, tables.spare, look);
}

// Fills losses_ for an output of B with these lanes.
void TiltedGroups::lose(const double* below) {
  losses_.clear();
  for (const Group& group : groups_) {
    const std::size_t begin = losses_.size();
    losses_.push_back(0);
    for (std::size_t i = group.begin; i < group.end; ++i) {
      const AveragedFactor& factor = averaged_[i];
      of_outputs_.resize(factor.outputs);
      sum_terms(factor, factor.logarithms, below + lane_[i], 1, below[0], values_, of_outputs_.data());
      // From the last to the first, so that no value is overwritten before it is read.
      const std::size_t before = losses_.size() - begin;
      losses_.resize(begin + before * factor.outputs);
      for (std::size_t at = before; at-- > 0;) {
        const double earlier = losses_[begin + at];
        for (std::size_t y = factor.outputs; y-- > 0;) {
          losses_[begin + at * factor.outputs + y] = earlier + of_outputs_[y];
        }
      }
    }
  }
}

// Every chord gives a bound. From the middle, one after another is tried while the bound becomes smaller.
double TiltedGroups::least_excess(std::size_t cell, const Tables& tables) {
  const double* const below = tables.below.of(cell);
  lose(below);
  const Chords::Weights weights{below[0], below[1], below[2]};
  const auto with = [&](const Chords::Chord& chord) {
    const double slope = chords_.slope(chord);
    double sum = -chords_.constant(chord, weights), size = chords_.size(chord, weights);
    const double* losses = losses_.data();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const double* const above = tables.above[g].of(cell * groups_[g].outputs);
      double most = above[0] - slope * losses[0], largest = above[0];
      for (std::size_t y = 1; y < groups_[g].outputs; ++y) {
        most = std::max(most, above[y] - slope * losses[y]);
        largest = std::max(largest, above[y]);
      }
      losses += groups_[g].outputs;
      sum += most;
      size += largest;
    }
    return sum + error_ * size;
  };
  std::size_t at = chords_.all.size() / 2;
  double best = with(chords_.all[at]);
  for (const bool up : {true, false}) {
    bool moved = false;
    while (best > 0 && (up ? at + 1 < chords_.all.size() : at > 0)) {
      const double other = with(chords_.all[up ? at + 1 : at - 1]);
      if (!(other < best)) break;
      best = other;
      at = up ? at + 1 : at - 1;
      moved = true;
    }
    if (moved) break;
  }
  return best;
}

}  // namespace oddsbound::engine
