#include "verifier/engine/averaged_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

// Not "fma": if a product were not rounded before it is added, other processors would expand other nodes.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define ODDSBOUND_FOR_AVX2_TOO __attribute__((target_clones("default", "avx2")))
#else
#define ODDSBOUND_FOR_AVX2_TOO
#endif

namespace oddsbound::engine {

namespace {

// A block may always have this many outputs.
constexpr std::size_t kFewestCells = 27;
// Limits of C: its number of factors, and the logarithm of the largest prod F_i. Beyond them the bound is too weak.
constexpr std::size_t kMostAveraged = 40;
constexpr double kMostSpread = 9;
// The largest number of sums in one transform.
constexpr std::size_t kMostSums = std::size_t{1} << 20;
// Tables of the layouts that are kept.
constexpr std::size_t kMostKept = std::size_t{1} << 27;
// In these ranges no product of weights and entries underflows: 1e-150 * 1e-100, and w is at least 1e-30 of u.
constexpr double kLeastWeight = 1e-150, kMostWeight = 1e150;
constexpr double kLeastProduct = 1e-50, kMostProduct = 1e50;
// Larger factors are not searched for a unit (unit_of_factor).
constexpr std::size_t kMostEntries = 4096;

}  // namespace

// The factor at a depth, with its entries relative to the smallest of each output.
struct AveragedBound::Axis {
  std::size_t classes = 0, outputs = 0;
  std::vector<double> entries;                // [output * classes + class]
  bool is_positive = false;                   // all entries are positive and in range
  double most = 1;                            // the largest F
  double spread = 0;                          // its logarithm
  std::optional<Number> unit;                 // every F is 1 or this number
  std::vector<std::vector<Term>> above;       // [output]: F - 1 where it is not 0
  std::vector<std::vector<Term>> logarithms;  // [output]: log F where it is not 0

  void read(const SeenFactor& factor, const std::vector<std::vector<double>>& columns);
};

namespace {

// Returns the number G such that each entry of a column is its smallest or G times that, for all columns.
std::optional<Number> unit_of_factor(const SeenFactor& factor) {
  std::optional<Number> unit;
  for (const std::vector<Number>& column : factor.entries) {
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    if (*least == *most) continue;
    const Number quotient = *most / *least;
    if (unit && *unit != quotient) return std::nullopt;
    unit = quotient;
    for (const Number& entry : column) {
      if (entry != *least && entry != *most) return std::nullopt;
    }
  }
  return unit ? unit : Number(1);
}

}  // namespace

void AveragedBound::Axis::read(const SeenFactor& factor, const std::vector<std::vector<double>>& columns) {
  outputs = columns.size();
  classes = factor.classes;
  is_positive = true;
  for (const std::vector<double>& column : columns) {
    entries.insert(entries.end(), column.begin(), column.end());
    is_positive = is_positive && std::all_of(column.begin(), column.end(),
                                             [](double entry) { return entry > kSmall && entry < kLarge; });
  }
  if (!is_positive) return;
  for (const std::vector<double>& column : columns) {
    const double least = *std::min_element(column.begin(), column.end());
    above.emplace_back();
    logarithms.emplace_back();
    for (std::uint32_t c = 0; c < classes; ++c) {
      const double quotient = column[c] / least;
      if (quotient == 1) continue;
      above.back().push_back({c, quotient - 1});
      logarithms.back().push_back({c, std::log(quotient)});
      most = std::max(most, quotient);
    }
  }
  spread = std::log(most);
  if (classes * outputs <= kMostEntries) unit = unit_of_factor(factor);
}

// Lanes of the sums: v; p; m; then for each factor of C, p and m of its classes without the first, in this order.
struct AveragedBound::Layout {
  std::size_t from = 0;                          // depth of the first factor of the block
  std::vector<std::uint32_t> cells;              // [suffix]
  std::vector<std::vector<std::uint32_t>> seen;  // [factor of C][suffix]: class
  std::vector<std::size_t> lane;                 // [factor of C]: of p of its second class; m of it follows
  std::size_t lanes = 0;
  double unit = 0;    // if positive: F is 1 or this number, for all factors of C
  double spread = 0;  // the largest log prod F
};

AveragedBound::AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes)
    : AveragedBound(seen, suffixes, std::clamp(2 * suffixes.layer(0).size, kFewestCells, kMostCells)) {}

AveragedBound::AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, std::size_t most_cells)
    : suffixes_(suffixes), axes_(suffixes.depths()), layouts_(suffixes.depths() + 1), error_(16 * suffixes.error()) {
  block_ = suffixes.depths();
  std::size_t cells = 1, lanes = 3;
  double least_product = 1, most_product = 1;
  bool is_block = true;
  first_ = suffixes.depths() + 1;
  double spread = 0;
  for (std::size_t depth = suffixes.depths(); depth-- > 0;) {
    Axis& axis = axes_[depth];
    axis.read(seen.factors[suffixes.factor(depth)], suffixes.entries(depth));
    double least = 1, largest = 1;
    for (const double entry : axis.entries) {
      if (entry != 0) least = std::min(least, entry);
      largest = std::max(largest, entry);
    }
    least_product *= least;
    most_product *= largest;
    const std::size_t most = std::max(axis.outputs, axis.classes);
    is_block = is_block && most <= most_cells / cells && least_product > kLeastProduct && most_product < kMostProduct;
    if (is_block) {
      cells *= most;
      block_ = first_ = depth;
      continue;
    }
    spread += axis.spread;
    lanes += 2 * (axis.classes - 1);
    if (lanes > kMostSums / cells) return;
    if (!axis.is_positive || block_ - depth > kMostAveraged || spread > kMostSpread) return;
    if (block_ < suffixes.depths()) first_ = depth;
  }
}

AveragedBound::~AveragedBound() = default;
AveragedBound::AveragedBound(AveragedBound&&) noexcept = default;

double AveragedBound::steps(std::size_t depth) const {
  double lanes = 3, cells = 1, each = 1;
  for (std::size_t d = depth; d < axes_.size(); ++d) {
    if (d < block_) lanes += 2 * static_cast<double>(axes_[d].classes - 1);
    if (d >= block_) cells *= static_cast<double>(axes_[d].outputs);
    if (d >= block_) each += static_cast<double>(axes_[d].classes);
  }
  const auto size = static_cast<double>(suffixes_.layer(depth).size);
  return size * static_cast<double>(averaged(depth) + 3) + lanes * cells * each;
}

const AveragedBound::Layout& AveragedBound::layout(std::size_t depth) {
  if (layouts_[depth]) return *layouts_[depth];
  if (kept_ > kMostKept) {
    for (auto& layout : layouts_) layout.reset();
    kept_ = 0;
  }
  auto made = std::make_unique<Layout>();
  made->from = std::max(depth, block_);
  made->lanes = 3;
  const std::size_t size = suffixes_.layer(depth).size;
  std::vector<std::uint32_t> at(size);
  std::iota(at.begin(), at.end(), 0U);
  made->cells.assign(size, 0);
  std::optional<Number> unit;
  bool has_unit = true;
  for (std::size_t d = depth; d < axes_.size(); ++d) {
    const SuffixLayer& layer = suffixes_.layer(d);
    const Axis& axis = axes_[d];
    std::vector<std::uint32_t> seen(size);
    for (std::size_t s = 0; s < size; ++s) {
      seen[s] = layer.seen[at[s]];
      at[s] = layer.next[at[s]];
    }
    if (d >= made->from) {
      for (std::size_t s = 0; s < size; ++s) {
        made->cells[s] = made->cells[s] * static_cast<std::uint32_t>(axis.classes) + seen[s];
      }
      continue;
    }
    made->seen.push_back(std::move(seen));
    made->lane.push_back(made->lanes);
    made->lanes += 2 * (axis.classes - 1);
    made->spread += axis.spread;
    if (!axis.unit || (unit && *axis.unit != *unit && !(*axis.unit == Number(1)) && !(*unit == Number(1)))) {
      has_unit = false;
    } else if (!unit || *unit == Number(1)) {
      unit = axis.unit;
    }
  }
  if (has_unit && unit) made->unit = unit->approx();
  kept_ += size * (made->seen.size() + 1) * sizeof(std::uint32_t);
  layouts_[depth] = std::move(made);
  return *layouts_[depth];
}

namespace {

// Classes of a factor become its outputs. from: [before][class][inner], to: [before][output][inner].
ODDSBOUND_FOR_AVX2_TOO
void multiply_by(const double* matrix, std::size_t classes, std::size_t outputs, std::size_t before, std::size_t inner,
                 const double* from, double* to) {
  for (std::size_t b = 0; b < before; ++b) {
    for (std::size_t y = 0; y < outputs; ++y) {
      const double* source = from + b * classes * inner;
      double* __restrict__ target = to + (b * outputs + y) * inner;
      const double* entries = matrix + y * classes;
      const double first = entries[0];
      for (std::size_t k = 0; k < inner; ++k) target[k] = first * source[k];
      for (std::size_t c = 1; c < classes; ++c) {
        const double* other = source + c * inner;
        const double entry = entries[c];
        for (std::size_t k = 0; k < inner; ++k) target[k] += entry * other[k];
      }
    }
  }
}

}  // namespace

// Multiplies by the entries of one factor of the block after another.
void AveragedBound::transform(std::size_t from, std::size_t lanes) {
  std::size_t inner = lanes, before = 1;
  for (std::size_t d = from; d < axes_.size(); ++d) before *= axes_[d].classes;
  for (std::size_t d = axes_.size(); d-- > from;) {
    const Axis& axis = axes_[d];
    before /= axis.classes;
    next_.resize(before * axis.outputs * inner);
    multiply_by(axis.entries.data(), axis.classes, axis.outputs, before, inner, sums_.data(), next_.data());
    inner *= axis.outputs;
    std::swap(sums_, next_);
  }
}

namespace {

// Proven in the header: for one y_B, an upper bound of N - t D over all outputs of C.
class Lemmas {
 public:
  using Term = AveragedBound::Term;
  struct Factor {
    const std::vector<std::vector<Term>>* above;
    const std::vector<std::vector<Term>>* logarithms;
    double most;
    std::size_t classes;
    std::size_t lane;
  };

  Lemmas(std::vector<Factor> factors, double unit, double spread, double error)
      : factors_(std::move(factors)), unit_(unit), spread_(spread), error_(error), order_(factors_.size()) {
    const std::size_t count = factors_.size();
    // Lemma 2. With a unit G, E = log F counts matches, and the chord from j to j + 1 is a bound at all integers.
    if (unit > 1) {
      for (std::size_t j = 0; j <= count; ++j) {
        const double power = std::pow(unit, static_cast<double>(j)), slope = power * (unit - 1);
        lines_.push_back({power - slope * static_cast<double>(j), slope, power + slope * static_cast<double>(j)});
      }
    } else {
      const std::size_t lines = 2 * count + 1;
      for (std::size_t j = 0; j < lines; ++j) {
        const double at = spread * static_cast<double>(j) / static_cast<double>(lines - 1);
        lines_.push_back({std::exp(at) * (1 - at), std::exp(at), std::exp(at) * (1 + at)});
      }
    }
    for (const Factor& factor : factors_) {
      first_.push_back(gains_.size());
      gains_.resize(gains_.size() + factor.above->size());
      values_.resize(std::max(values_.size(), factor.classes));
    }
    losses_.resize(gains_.size());
    largest_.resize(count);
  }

  // sums: the lanes of y_B. Returns at most 0 if some choice proves that N - t D <= 0.
  double least(const double* sums) {
    const double plus = sums[1], minus = sums[2];
    read(sums);
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return largest_[a] != largest_[b] ? largest_[a] > largest_[b] : a < b;
    });
    scales_.resize(factors_.size());
    double scale = 1, terms = 1;
    for (const std::size_t i : order_) {
      scales_[i] = scale;
      terms += scale * factors_[i].most;
      scale *= factors_[i].most;
    }
    double best = with(lines_[line_], plus, minus, terms);
    if (best <= 0) return best;
    for (std::size_t j = 0; j < lines_.size(); ++j) {
      const double other = with(lines_[j], plus, minus, terms);
      if (other >= best) continue;
      best = other;
      line_ = j;
      if (best <= 0) return best;
    }
    return best;
  }

 private:
  struct Line {
    double start, slope, size;  // size: sum of the absolute terms of start
  };

  void read(const double* sums) {
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      order_[i] = i;
      const Factor& factor = factors_[i];
      sum_up(factor, sums, 0, sums[1], *factor.above, &gains_[first_[i]]);
      sum_up(factor, sums, 1, sums[2], *factor.logarithms, &losses_[first_[i]]);
      largest_[i] = 0;
      for (std::size_t y = 0; y < factor.above->size(); ++y) {
        largest_[i] = std::max(largest_[i], gains_[first_[i] + y]);
      }
    }
  }
  void sum_up(const Factor& factor, const double* sums, std::size_t which, double all,
              const std::vector<std::vector<Term>>& terms, double* result) {
    values_[0] = all;
    for (std::size_t c = 1; c < factor.classes; ++c) {
      values_[c] = sums[factor.lane + 2 * (c - 1) + which];
      values_[0] -= values_[c];
    }
    for (std::size_t y = 0; y < terms.size(); ++y) {
      double sum = 0;
      for (const Term& term : terms[y]) sum += term.value * values_[term.of];
      result[y] = sum;
    }
  }

  double with(const Line& line, double plus, double minus, double terms) const {
    // In units of G, log F is 1.
    const double slope = unit_ > 1 ? line.slope / std::log(unit_) : line.slope;
    double sum = plus - line.start * minus;
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      double most = -kInfinity;
      for (std::size_t k = first_[i]; k < (i + 1 < first_.size() ? first_[i + 1] : gains_.size()); ++k) {
        most = std::max(most, scales_[i] * gains_[k] - slope * losses_[k]);
      }
      sum += most;
    }
    const double size = line.size + slope * (spread_ + static_cast<double>(factors_.size()));
    return sum + error_ * (terms * plus + size * minus);
  }

  std::vector<Factor> factors_;
  double unit_, spread_, error_;
  std::vector<Line> lines_;
  std::size_t line_ = 0;
  std::vector<std::size_t> order_, first_;
  std::vector<double> gains_, losses_, largest_, scales_, values_;
};

}  // namespace

namespace {

bool in_range(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(),
                     [](double weight) { return weight == 0 || (weight > kLeastWeight && weight < kMostWeight); });
}

}  // namespace

double AveragedBound::bound(const Question& question, const std::function<void()>& look) {
  if (!in_range(question.u) || !in_range(question.v) || question.most < kLeastProduct || question.most > kMostProduct) {
    return kInfinity;
  }
  const Layout& layout = this->layout(question.depth);
  std::size_t cells = 1;
  for (std::size_t d = layout.from; d < axes_.size(); ++d) cells *= axes_[d].classes;
  const bool averages = !layout.seen.empty();
  const std::size_t lanes = averages ? layout.lanes : 2;
  sums_.assign(cells * lanes, 0);
  look();
  for (std::size_t s = 0; s < question.u.size(); ++s) {
    const double u = question.u[s], v = question.v[s];
    if (u == 0 && v == 0) continue;
    double* sums = &sums_[layout.cells[s] * lanes];
    sums[0] += v;
    if (!averages) {
      sums[1] += u;
      continue;
    }
    const double taken = question.most * v;
    const double up = (u - taken) + error_ * (u + taken);
    const std::size_t which = up > 0 ? 0 : 1;
    const double weight = std::abs(up);
    sums[1 + which] += weight;
    for (std::size_t i = 0; i < layout.seen.size(); ++i) {
      const std::uint32_t own = layout.seen[i][s];
      if (own != 0) sums[layout.lane[i] + 2 * (own - 1) + which] += weight;
    }
  }
  transform(layout.from, lanes);
  look();
  if (!averages) return ratio_of_outputs(question, layout);
  std::vector<Lemmas::Factor> factors;
  for (std::size_t i = 0; i < layout.seen.size(); ++i) {
    const Axis& axis = axes_[question.depth + i];
    factors.push_back({&axis.above, &axis.logarithms, axis.most, axis.classes, layout.lane[i]});
  }
  Lemmas lemmas(std::move(factors), layout.unit, layout.spread, error_);
  double largest = question.most;
  constexpr std::size_t kCells = 16;  // between two looks
  for (std::size_t at = 0; at < sums_.size(); at += lanes) {
    if (at % (kCells * lanes) == 0) look();
    const double excess = lemmas.least(&sums_[at]);
    // F >= 1, so D is at least the sum of v.
    if (excess > 0) largest = std::max(largest, (question.most + excess / sums_[at]) * (1 + error_));
  }
  return largest;
}

// C is empty: returns the largest ratio of the block's outputs, rounded up.
double AveragedBound::ratio_of_outputs(const Question& question, const Layout& layout) const {
  std::size_t known = SIZE_MAX;
  if (question.known != nullptr) {
    known = 0;
    for (std::size_t d = layout.from; d < axes_.size(); ++d) known = known * axes_[d].outputs + (*question.known)[d];
  }
  double largest = 0;
  for (std::size_t y = 0; 2 * y < sums_.size(); ++y) {
    const double above = sums_[2 * y + 1], below = sums_[2 * y];
    if (y == known || above == 0) continue;
    largest = std::max(largest, above / below * (1 + error_));
  }
  return largest <= question.most ? question.most : largest;
}

}  // namespace oddsbound::engine
