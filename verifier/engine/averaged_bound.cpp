#include "verifier/engine/averaged_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace oddsbound::engine {

namespace {

// Children per node that are expected to stay open.
constexpr double kGrowth = 1.4;
// A block may always have this many outputs.
constexpr std::size_t kFewestCells = 27;
// Limits of C: its number of factors, and the logarithm of the largest prod F_i. Beyond them the bound is too weak.
constexpr std::size_t kMostAveraged = 64;
constexpr double kMostSpread = 9;
// The largest number of sums in one transform.
constexpr std::size_t kMostSums = std::size_t{1} << 20;
// Tables of the layouts that are kept.
constexpr std::size_t kMostKept = std::size_t{1} << 27;
// In a proof, E is rounded down by this factor. If chords are tangents, E is 1 plus the second number. Together these
// lower a product of kMostAveraged factors less than `kReserve` does.
constexpr double kBelowUnit = 1 - 0x1p-49, kFineStep = 0x1p-46, kReserve = 1 - 0x1p-38;
// In these ranges no product of weights and entries underflows: 1e-150 * 1e-100, and w is at least 1e-30 of u.
constexpr double kLeastWeight = 1e-150, kMostWeight = 1e150;
constexpr double kLeastProduct = 1e-50, kMostProduct = 1e50;

}  // namespace

// Lanes of the sums: v; p; m; then for each factor of C, p and m of its classes without the first, in this order.
struct AveragedBound::Layout {
  std::size_t from = 0;                             // depth of the first factor of the block
  std::vector<std::uint32_t> cells;                 // [suffix]
  std::vector<std::vector<std::uint32_t>> classes;  // [factor of C][suffix]
  std::vector<std::size_t> lane;                    // [factor of C]: of p of its second class; m of it follows
  std::size_t lanes = 3;
  std::optional<Chords> chords;  // of C
  std::optional<TiltedGroups> groups;
};

AveragedBound::Sizes AveragedBound::sizes(const Suffixes& suffixes, Averages averages) {
  if (averages != Averages::kAlways && averages != Averages::kInGroups) {
    return {std::clamp(2 * suffixes.layer(0).size, kFewestCells, kMostCells)};
  }
  Sizes small{.cells = 8, .outputs = 8, .factors_to_group = SIZE_MAX, .group_cells = 64};
  if (averages == Averages::kInGroups) {
    small.log_outputs_to_group = 0;
    small.factors_to_group = 2;
  }
  return small;
}

AveragedBound::AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, const Sizes& sizes)
    : suffixes_(suffixes), sizes_(sizes), layouts_(suffixes.depths() + 1), error_(16 * suffixes.error()) {
  for (std::size_t depth = 0; depth < suffixes.depths(); ++depth) {
    factors_.emplace_back(seen.factors[suffixes.factor(depth)], suffixes.entries(depth));
    log_outputs_ += std::log2(static_cast<double>(factors_.back().outputs));
  }
  block_ = whole_ = suffixes.depths();
  first_ = suffixes.depths() + 1;
  std::size_t cells = 1, outputs = 1, lanes = 3;
  double least_product = 1, most_product = 1, spread = 0;
  bool is_block = true, is_whole = true, averages = true;
  for (std::size_t depth = suffixes.depths(); depth-- > 0;) {
    const AveragedFactor& factor = factors_[depth];
    double least = 1, largest = 1;
    for (const double entry : factor.entries) {
      if (entry != 0) least = std::min(least, entry);
      largest = std::max(largest, entry);
    }
    least_product *= least;
    most_product *= largest;
    const bool in_range = least_product > kLeastProduct && most_product < kMostProduct;
    is_whole = is_whole && in_range && factor.cells() <= sizes.outputs / outputs;
    if (is_whole) {
      outputs *= factor.cells();
      whole_ = first_ = depth;
    }
    is_block = is_block && in_range && factor.cells() <= sizes.cells / cells;
    if (is_block) {
      cells *= factor.cells();
      block_ = first_ = depth;
      continue;
    }
    spread += factor.spread;
    lanes += 2 * (factor.classes - 1);
    averages = averages && block_ < suffixes.depths() && lanes <= kMostSums / cells && factor.is_positive &&
               block_ - depth <= kMostAveraged && spread <= kMostSpread;
    if (averages) first_ = depth;
    if (!averages && !is_whole) return;
  }
}

AveragedBound::~AveragedBound() = default;
AveragedBound::AveragedBound(AveragedBound&&) noexcept = default;

std::size_t AveragedBound::begin_of_block(std::size_t depth) const {
  return depth >= whole_ ? depth : std::max(depth, block_);
}

double AveragedBound::steps(std::size_t depth) const {
  double lanes = 3, cells = 1, each = 1;
  const std::size_t from = begin_of_block(depth);
  for (std::size_t d = depth; d < factors_.size(); ++d) {
    if (d < from) lanes += 2 * static_cast<double>(factors_[d].classes - 1);
    if (d >= from) cells *= static_cast<double>(factors_[d].outputs);
    if (d >= from) each += static_cast<double>(factors_[d].classes);
  }
  const auto size = static_cast<double>(suffixes_.layer(depth).size);
  return size * static_cast<double>(averaged(depth) + 3) + lanes * cells * each;
}

double AveragedBound::nodes_below(std::size_t depth) const {
  return std::pow(kGrowth, static_cast<double>(averaged(depth)));
}

double AveragedBound::group_steps(std::size_t depth) const {
  if (!has_groups(depth)) return 0;
  double block_cells = 1, each = 0, cells = 0;
  for (std::size_t d = depth; d < factors_.size(); ++d) {
    if (d >= begin_of_block(depth)) block_cells *= static_cast<double>(factors_[d].cells());
    if (d < begin_of_block(depth)) cells += std::log2(static_cast<double>(factors_[d].cells()));
    each += static_cast<double>(factors_[d].classes);
  }
  const double of_group = std::max(2.0, static_cast<double>(sizes_.group_cells) / block_cells);
  const double groups = std::ceil(cells / std::log2(of_group));
  return TiltedGroups::kTilts * groups * static_cast<double>(sizes_.group_cells) * each / 2;
}

AveragedBound::Layout& AveragedBound::layout(std::size_t depth) {
  if (layouts_[depth]) return *layouts_[depth];
  if (kept_ > kMostKept) {
    for (auto& layout : layouts_) layout.reset();
    kept_ = 0;
  }
  auto made = std::make_unique<Layout>();
  made->from = begin_of_block(depth);
  const std::size_t size = suffixes_.layer(depth).size;
  std::vector<std::uint32_t> at(size);
  std::iota(at.begin(), at.end(), 0U);
  made->cells.assign(size, 0);
  for (std::size_t d = depth; d < factors_.size(); ++d) {
    const SuffixLayer& layer = suffixes_.layer(d);
    const AveragedFactor& factor = factors_[d];
    std::vector<std::uint32_t> classes(size);
    for (std::size_t s = 0; s < size; ++s) {
      classes[s] = layer.seen[at[s]];
      at[s] = layer.next[at[s]];
    }
    if (d >= made->from) {
      for (std::size_t s = 0; s < size; ++s) {
        made->cells[s] = made->cells[s] * static_cast<std::uint32_t>(factor.classes) + classes[s];
      }
      continue;
    }
    made->classes.push_back(std::move(classes));
    made->lane.push_back(made->lanes);
    made->lanes += 2 * (factor.classes - 1);
  }
  kept_ += size * (made->classes.size() + 1) * sizeof(std::uint32_t);
  const auto averaged = std::span<const AveragedFactor>(factors_).subspan(depth, made->from - depth);
  made->chords.emplace(averaged);
  if (has_groups(depth)) {
    const auto block = std::span<const AveragedFactor>(factors_).subspan(made->from);
    made->groups.emplace(block, averaged, *made->chords, made->classes, made->cells,
                         TiltedGroups::Limits{sizes_.group_cells, error_});
    kept_ += made->groups->bytes();
  }
  layouts_[depth] = std::move(made);
  return *layouts_[depth];
}

namespace {

// Proven in the header: for one y_B, an upper bound of N - t D over all outputs of C.
class Lemmas {
 public:
  /// factors: of C. lane: of p of the second class of each; m of it follows. All must outlive this object.
  Lemmas(std::span<const AveragedFactor> factors, const Chords& chords, const std::vector<std::size_t>& lane,
         double error)
      : factors_(factors), chords_(chords), lane_(lane), error_(error), order_(factors.size()) {
    for (const AveragedFactor& factor : factors_) {
      first_.push_back(gains_.size());
      gains_.resize(gains_.size() + factor.outputs);
    }
    first_.push_back(gains_.size());
    losses_.resize(gains_.size());
    largest_.resize(factors.size());
    scales_.resize(factors.size());
  }

  /// Returns the chord of the last bound.
  std::size_t chord() const { return chord_; }
  // sums: the lanes of y_B. Returns at most 0 if some choice proves that N - t D <= 0.
  double least(const double* sums) {
    const double plus = sums[1], minus = sums[2];
    read(sums);
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return largest_[a] != largest_[b] ? largest_[a] > largest_[b] : a < b;
    });
    double scale = 1, terms = 1;
    for (const std::size_t i : order_) {
      scales_[i] = scale;
      terms += scale * factors_[i].most;
      scale *= factors_[i].most;
    }
    double best = with(chords_.all[chord_], plus, minus, terms);
    for (std::size_t j = 0; j < chords_.all.size() && best > 0; ++j) {
      const double other = with(chords_.all[j], plus, minus, terms);
      if (other >= best) continue;
      best = other;
      chord_ = j;
    }
    return best;
  }

 private:
  void read(const double* sums) {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      order_[i] = i;
      const AveragedFactor& factor = factors_[i];
      const double* const lanes = sums + lane_[i];
      sum_terms(factor, factor.above, lanes, 2, sums[1], values_, &gains_[first_[i]]);
      sum_terms(factor, factor.logarithms, lanes + 1, 2, sums[2], values_, &losses_[first_[i]]);
      largest_[i] = *std::max_element(&gains_[first_[i]], &gains_[first_[i]] + factor.outputs);
    }
  }
  double with(const Chords::Chord& chord, double plus, double minus, double terms) const {
    const double slope = chords_.slope(chord);
    double sum = plus - chords_.constant(chord, {minus});
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      double most = -kInfinity;
      for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) {
        most = std::max(most, scales_[i] * gains_[k] - slope * losses_[k]);
      }
      sum += most;
    }
    return sum + error_ * (terms * plus + chords_.size(chord, {minus}));
  }

  const std::span<const AveragedFactor> factors_;
  const Chords& chords_;
  const std::vector<std::size_t>& lane_;
  const double error_;
  std::size_t chord_ = 0;
  std::vector<std::size_t> order_, first_;
  std::vector<double> gains_, losses_, largest_, scales_, values_;
};

bool in_range(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(),
                     [](double weight) { return weight == 0 || (weight > kLeastWeight && weight < kMostWeight); });
}

}  // namespace

double AveragedBound::bound(const Question& question, const std::function<void()>& look) {
  if (!in_range(question.u) || !in_range(question.v) || question.most < kLeastProduct || question.most > kMostProduct) {
    return kInfinity;
  }
  Layout& layout = this->layout(question.depth);
  std::size_t cells = 1;
  std::vector<CellSums::Matrix> block;
  for (std::size_t d = layout.from; d < factors_.size(); ++d) {
    const AveragedFactor& factor = factors_[d];
    cells *= factor.classes;
    block.push_back({factor.entries.data(), factor.classes, factor.outputs});
  }
  const bool averages = !layout.classes.empty();
  sums_.begin(cells, averages ? layout.lanes : 2);
  std::vector<double> weights(averages ? question.u.size() : 0);
  look();
  for (std::size_t s = 0; s < question.u.size(); ++s) {
    const double u = question.u[s], v = question.v[s];
    if (u == 0 && v == 0) continue;
    double* const sums = sums_.of(layout.cells[s]);
    sums[0] += v;
    if (!averages) {
      sums[1] += u;
      continue;
    }
    const double taken = question.most * v;
    weights[s] = (u - taken) + error_ * (u + taken);
    const std::size_t which = weights[s] > 0 ? 0 : 1;
    const double weight = std::abs(weights[s]);
    sums[1 + which] += weight;
    for (std::size_t i = 0; i < layout.classes.size(); ++i) {
      const std::size_t own = layout.classes[i][s];
      if (own != 0) sums[layout.lane[i] + 2 * (own - 1) + which] += weight;
    }
  }
  sums_.transform(block, tables_.spare, look);
  if (!averages) return ratio_of_outputs(question, layout);
  const auto averaged = std::span<const AveragedFactor>(factors_).subspan(question.depth, layout.classes.size());
  Lemmas lemmas(averaged, *layout.chords, layout.lane, error_);
  std::vector<OpenOutput> open;
  if (question.used != nullptr) question.used->assign(layout.chords->all.size(), 0);
  constexpr std::size_t kCells = 16;  // between two looks
  for (std::size_t cell = 0; cell < sums_.cells(); ++cell) {
    if (cell % kCells == 0) look();
    const double excess = lemmas.least(sums_.of(cell));
    if (question.used != nullptr) ++(*question.used)[lemmas.chord()];
    if (excess <= 0) continue;
    if (!(excess < kInfinity)) return kInfinity;  // what is not a number proves nothing
    open.push_back({cell, excess});
  }
  if (!open.empty() && question.near != nullptr && layout.groups && layout.groups->applies()) {
    const std::span<const std::uint32_t> near(*question.near);
    layout.groups->lower({question.u, question.v, weights}, near.subspan(question.depth), tables_, open, look);
  }
  double largest = question.most;
  for (const OpenOutput& one : open) {
    // F >= 1, so D is at least the sum of v.
    largest = std::max(largest, (question.most + one.excess / sums_.of(one.cell)[0]) * (1 + error_));
  }
  return largest;
}

std::optional<AveragedProof> AveragedBound::prove(Question question, const std::function<void()>& look) {
  if (averaged(question.depth) == 0) return std::nullopt;
  std::vector<std::size_t> used;
  question.known = question.near = nullptr;
  question.used = &used;
  question.most *= kReserve;
  if (!(bound(question, look) <= question.most)) return std::nullopt;
  const Chords& chords = *layout(question.depth).chords;
  AveragedProof proof;
  proof.block = factors_.size() - begin_of_block(question.depth);
  proof.base = chords.are_tangents ? 1 + kFineStep : std::exp(chords.unit) * kBelowUnit;
  const double step = chords.are_tangents ? std::log1p(kFineStep) : 1;
  std::vector<std::size_t> order(used.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return used[a] > used[b]; });
  for (const std::size_t j : order) {
    if (used[j] > 0) proof.powers.push_back(static_cast<std::uint64_t>(chords.all[j].place / step));
  }
  return proof;
}

// C is empty: returns the largest ratio of the block's outputs, rounded up.
double AveragedBound::ratio_of_outputs(const Question& question, const Layout& layout) const {
  std::size_t known = SIZE_MAX;
  if (question.known != nullptr) {
    known = 0;
    for (std::size_t d = layout.from; d < factors_.size(); ++d) {
      known = known * factors_[d].outputs + (*question.known)[d];
    }
  }
  double largest = 0;
  for (std::size_t y = 0; y < sums_.cells(); ++y) {
    const double above = sums_.of(y)[1], below = sums_.of(y)[0];
    if (y == known || above == 0) continue;
    largest = std::max(largest, above / below * (1 + error_));
  }
  return largest <= question.most ? question.most : largest;
}

}  // namespace oddsbound::engine
