#include "verifier/engine/averaged_bound.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

// Not "fma": if a product were not rounded before it is added, other processors would expand other nodes.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define ODDSBOUND_FOR_AVX2_TOO __attribute__((target_clones("default", "avx2")))
#else
#define ODDSBOUND_FOR_AVX2_TOO
#endif

namespace oddsbound::engine {

namespace {

constexpr std::size_t kFewestCells = 27;  // with few rows
constexpr std::size_t kMostGroups = 4;
// The largest logarithm of prod F_i over the groups: bounds beyond it are useless.
constexpr double kMostSpread = 20;
// In these ranges no product underflows: w is at least 1e-30 of u and v, and powers of F are at most exp(4 * 20).
constexpr double kLeastWeight = 1e-120, kMostWeight = 1e120;
constexpr double kLeastProduct = 1e-50, kMostProduct = 1e50;
// Larger factors are not asked whether their entries are powers of one number.
constexpr std::size_t kMostEntries = 4096;
// How far lambda, and a and b, follow the target: 1 makes the bounds equal at the target. Chosen by experiment.
constexpr double kTiltAbove = 0.5, kTiltBelow = 0.5;

bool in_range(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(), [](double weight) {
    return weight == 0 || (weight > kLeastWeight && weight < kMostWeight);
  });
}

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

// A step of a transform: classes of one factor become outputs.
struct Step {
  std::size_t classes, outputs;
  const double* entries;  // [output * classes + class]
};

ODDSBOUND_FOR_AVX2_TOO
void take_step(const Step& step, std::size_t before, std::size_t inner, const double* from, double* to) {
  for (std::size_t b = 0; b < before; ++b) {
    for (std::size_t y = 0; y < step.outputs; ++y) {
      const double* source = from + b * step.classes * inner;
      double* __restrict__ target = to + (b * step.outputs + y) * inner;
      const double* entries = step.entries + y * step.classes;
      const double first = entries[0];
      for (std::size_t k = 0; k < inner; ++k) target[k] = first * source[k];
      for (std::size_t c = 1; c < step.classes; ++c) {
        const double* other = source + c * inner;
        const double entry = entries[c];
        for (std::size_t k = 0; k < inner; ++k) target[k] += entry * other[k];
      }
    }
  }
}

// sums: [classes of the first step]...[classes of the last][lane]; classes become outputs.
void transform(std::span<const Step> steps, std::size_t lanes, std::vector<double>& sums, std::vector<double>& spare) {
  std::size_t inner = lanes, before = 1;
  for (const Step& step : steps) before *= step.classes;
  for (std::size_t k = steps.size(); k-- > 0;) {
    before /= steps[k].classes;
    spare.resize(before * steps[k].outputs * inner);
    take_step(steps[k], before, inner, sums.data(), spare.data());
    inner *= steps[k].outputs;
    std::swap(sums, spare);
  }
}

// Returns the maximum of above[k] - slope * below[k].
ODDSBOUND_FOR_AVX2_TOO
double largest_difference(const double* above, const double* below, double slope, std::size_t size) {
  double parts[8];
  std::fill_n(parts, 8, -kInfinity);
  std::size_t k = 0;
  for (; k + 8 <= size; k += 8) {
    for (std::size_t p = 0; p < 8; ++p) {
      const double value = above[k + p] - slope * below[k + p];
      parts[p] = parts[p] < value ? value : parts[p];
    }
  }
  for (; k < size; ++k) parts[0] = std::max(parts[0], above[k] - slope * below[k]);
  return *std::max_element(parts, parts + 8);
}

}  // namespace

// The factor at a depth.
struct AveragedBound::Axis {
  std::size_t classes = 0, outputs = 0;
  std::vector<double> entries;     // [output * classes + class]
  bool in_range = false;           // entries can be multiplied in a block
  bool is_positive = false;        // the factor may be in a group; then:
  std::vector<double> logarithms;  // [output * classes + class]: log F
  double spread = 0;               // the largest
  std::optional<Number> unit;      // every F is 1 or this number

  void read(const SeenFactor& factor, const std::vector<std::vector<double>>& columns) {
    outputs = columns.size();
    classes = factor.classes;
    for (const auto& column : columns) entries.insert(entries.end(), column.begin(), column.end());
    in_range = std::all_of(entries.begin(), entries.end(), [](double entry) {
      return entry == 0 || (entry > kLeastProduct && entry < kMostProduct);
    });
    is_positive = in_range && std::find(entries.begin(), entries.end(), 0) == entries.end();
    if (!is_positive) return;
    for (const auto& column : columns) {
      const double least = *std::min_element(column.begin(), column.end());
      for (const double entry : column) logarithms.push_back(std::log(entry / least));
    }
    spread = *std::max_element(logarithms.begin(), logarithms.end());
    if (classes * outputs <= kMostEntries) unit = unit_of_factor(factor);
  }
};

struct AveragedBound::Plan {
  bool exists = false;
  std::vector<std::size_t> block;                // depths
  std::vector<std::vector<std::size_t>> groups;  // depths
  double steps = 0;
  std::size_t count() const {
    std::size_t count = 0;
    for (const auto& group : groups) count += group.size();
    return count;
  }
};

struct AveragedBound::Group {
  double theta = 1;
  std::vector<std::size_t> factors;           // depths
  std::vector<std::uint32_t> cells;           // [suffix]: its joint class in the group
  std::size_t classes = 1, outputs = 1;       // joint
  std::vector<std::vector<double>> powers;    // [factor]: F^(1 / theta), as [output * classes + class]
};

// Lanes of the sums of m: v; m e^d; m e^d d; then for each factor of a group m e^d of its classes without the first.
struct AveragedBound::Layout {
  std::vector<std::uint32_t> cells;  // [suffix]: its joint class in the block
  std::size_t classes = 1, outputs = 1;
  std::vector<Group> groups;
  std::vector<std::size_t> lane;               // [factor of groups, in order]: of its second class
  std::vector<std::uint32_t> lanes_of;         // [suffix * factors + factor]: its lane, or 0 for the first class
  std::size_t factors = 0, lanes = 3;
  double spread = 0;                           // the largest sum of log F
  double unit = 0;                             // if positive: log F is 0 or log of this number, for all factors
  std::uint64_t bytes = 0;
};

AveragedBound::AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, std::uint64_t most_bytes)
    : AveragedBound(seen, suffixes, std::clamp(2 * suffixes.layer(0).size, kFewestCells, kMostCells), most_bytes) {}

AveragedBound::AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, std::size_t most_cells,
                             std::uint64_t most_bytes)
    : suffixes_(suffixes),
      axes_(suffixes.depths()),
      layouts_(suffixes.depths() + 1),
      most_bytes_(most_bytes),
      error_(16 * suffixes.error()) {
  for (std::size_t d = 0; d < axes_.size(); ++d) axes_[d].read(seen.factors[suffixes.factor(d)], suffixes.entries(d));
  for (std::size_t d = 0; d <= axes_.size(); ++d) plans_.push_back(plan_for(d, most_cells));
}

AveragedBound::~AveragedBound() = default;
AveragedBound::AveragedBound(AveragedBound&&) noexcept = default;

bool AveragedBound::applies(std::size_t depth) const { return plans_[depth].exists; }
std::size_t AveragedBound::grouped(std::size_t depth) const { return plans_[depth].count(); }
double AveragedBound::steps(std::size_t depth) const { return plans_[depth].steps; }

// Tries blocks of the last factors and numbers of groups. The bound loses about as much as factors in groups have
// spread, and more with more groups.
AveragedBound::Plan AveragedBound::plan_for(std::size_t depth, std::size_t most_cells) const {
  constexpr double kOwnLoss = 1.2;
  const auto size_of = [&](std::size_t d) { return std::max(axes_[d].classes, axes_[d].outputs); };
  Plan best;
  double least = kInfinity;
  std::size_t block_size = 1;
  double least_product = 1, most_product = 1;
  std::vector<std::size_t> block, rest;
  const auto add_to_block = [&](std::size_t d) {
    if (!axes_[d].in_range || size_of(d) > most_cells / block_size) return false;
    block_size *= size_of(d);
    block.push_back(d);
    double low = 1, high = 1;
    for (const double entry : axes_[d].entries) {
      if (entry != 0) low = std::min(low, entry);
      high = std::max(high, entry);
    }
    least_product *= low;
    most_product *= high;
    return least_product > kLeastProduct && most_product < kMostProduct;
  };
  for (std::size_t d = depth; d < axes_.size(); ++d) {
    if (axes_[d].is_positive) {
      rest.push_back(d);
    } else if (!add_to_block(d)) {
      return best;
    }
  }
  const auto try_groups = [&](std::size_t count) {
    std::vector<std::vector<std::size_t>> groups(count);
    std::vector<std::size_t> sizes(count, block_size);
    std::vector<std::size_t> by_size = rest;
    std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) { return size_of(a) > size_of(b); });
    double spread = 0;
    for (const std::size_t d : by_size) {
      const auto smallest = static_cast<std::size_t>(std::min_element(sizes.begin(), sizes.end()) - sizes.begin());
      if (size_of(d) > most_cells / sizes[smallest]) return;
      sizes[smallest] *= size_of(d);
      groups[smallest].push_back(d);
      spread += axes_[d].spread;
    }
    if (std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}) > most_cells && count > 0) return;
    const double loss = spread * (kOwnLoss + static_cast<double>(count));
    if (spread > kMostSpread || loss >= least) return;
    least = loss;
    best = {true, block, std::move(groups), 0};
  };
  for (std::size_t left = rest.size();; --left) {
    for (std::size_t count = left == 0 ? 0 : 1; count <= std::min(kMostGroups, left); ++count) try_groups(count);
    if (left == 0 || !add_to_block(rest.back())) break;
    rest.pop_back();
  }
  double cells = 1, steps = 0;
  const auto work = [&](const std::vector<std::size_t>& factors) {
    double sum = 0;
    for (const std::size_t d : factors) sum += static_cast<double>(axes_[d].classes);
    return sum;
  };
  for (const std::size_t d : best.block) cells *= static_cast<double>(size_of(d));
  double lanes = 3;
  for (const auto& group : best.groups) {
    double own = cells;
    for (const std::size_t d : group) own *= static_cast<double>(size_of(d));
    steps += own * (work(best.block) + work(group) + 6);
    lanes += work(group);
  }
  best.steps = steps + cells * lanes * (work(best.block) + 1) +
               static_cast<double>(suffixes_.layer(depth).size) * (static_cast<double>(best.count()) + 6);
  return best;
}

const AveragedBound::Layout& AveragedBound::layout(std::size_t depth) {
  if (layouts_[depth]) return *layouts_[depth];
  if (kept_bytes_ > most_bytes_) {
    for (auto& layout : layouts_) layout.reset();
    kept_bytes_ = 0;
  }
  const Plan& plan = plans_[depth];
  auto made = std::make_unique<Layout>();
  const std::size_t size = suffixes_.layer(depth).size;
  // The class of every suffix in each factor from this depth on.
  std::vector<std::vector<std::uint32_t>> seen(axes_.size());
  std::vector<std::uint32_t> at(size);
  std::iota(at.begin(), at.end(), 0U);
  for (std::size_t d = depth; d < axes_.size(); ++d) {
    const SuffixLayer& layer = suffixes_.layer(d);
    seen[d].resize(size);
    for (std::size_t s = 0; s < size; ++s) {
      seen[d][s] = layer.seen[at[s]];
      at[s] = layer.next[at[s]];
    }
  }
  const auto add_axis = [&](std::vector<std::uint32_t>& cells, std::size_t& classes, std::size_t& outputs,
                            std::size_t d) {
    for (std::size_t s = 0; s < size; ++s) {
      cells[s] = cells[s] * static_cast<std::uint32_t>(axes_[d].classes) + seen[d][s];
    }
    classes *= axes_[d].classes;
    outputs *= axes_[d].outputs;
  };
  made->cells.assign(size, 0);
  for (const std::size_t d : plan.block) add_axis(made->cells, made->classes, made->outputs, d);
  made->factors = plan.count();
  made->lanes_of.assign(size * made->factors, 0);
  for (const auto& factors : plan.groups) {
    for (const std::size_t d : factors) made->spread += axes_[d].spread;
  }
  std::optional<Number> unit;
  bool has_unit = true;
  for (const auto& factors : plan.groups) {
    Group& group = made->groups.emplace_back();
    group.factors = factors;
    group.cells.assign(size, 0);
    // With a little weight for each factor, so that theta is positive.
    double own = 0;
    for (const std::size_t d : factors) own += axes_[d].spread + 0.01 * made->spread + 1e-9;
    const auto count = static_cast<double>(made->factors);
    group.theta = own / (made->spread + count * (0.01 * made->spread + 1e-9));
    for (const std::size_t d : factors) {
      const Axis& axis = axes_[d];
      add_axis(group.cells, group.classes, group.outputs, d);
      std::vector<double>& powers = group.powers.emplace_back();
      for (const double logarithm : axis.logarithms) powers.push_back(std::exp(logarithm / group.theta));
      const std::size_t i = made->lane.size();
      for (std::size_t s = 0; s < size; ++s) {
        if (seen[d][s] == 0) continue;
        made->lanes_of[s * made->factors + i] = static_cast<std::uint32_t>(made->lanes + seen[d][s] - 1);
      }
      made->lane.push_back(made->lanes);
      made->lanes += axis.classes - 1;
      if (!axis.unit) has_unit = false;
      if (!has_unit || *axis.unit == Number(1)) continue;
      if (unit && *unit != *axis.unit) has_unit = false;
      unit = axis.unit;
    }
  }
  if (has_unit && unit) made->unit = unit->approx();
  made->bytes = size * (4 + 4 * plan.groups.size() + 4 * made->factors);
  kept_bytes_ += made->bytes;
  layouts_[depth] = std::move(made);
  return *layouts_[depth];
}

double AveragedBound::bound(const Question& question, const std::function<void()>& look) {
  const bool fits = question.most > kLeastProduct && question.most < kMostProduct;
  if (!fits || !in_range(question.u) || !in_range(question.v)) return kInfinity;
  look();
  const Layout& layout = this->layout(question.depth);
  return layout.groups.empty() ? largest_ratio(question, layout) : bound_by_groups(question, layout, look);
}

double AveragedBound::largest_ratio(const Question& question, const Layout& layout) {
  std::vector<double> sums(2 * layout.classes, 0);
  for (std::size_t s = 0; s < question.u.size(); ++s) {
    sums[2 * layout.cells[s]] += question.u[s];
    sums[2 * layout.cells[s] + 1] += question.v[s];
  }
  std::vector<Step> steps;
  std::size_t known = 0;
  for (const std::size_t d : plans_[question.depth].block) {
    steps.push_back({axes_[d].classes, axes_[d].outputs, axes_[d].entries.data()});
    known = known * axes_[d].outputs + question.target[d];
  }
  transform(steps, 2, sums, spare_);
  double largest = 0;
  for (std::size_t y = 0; 2 * y < sums.size(); ++y) {
    if (sums[2 * y] == 0 || (question.leaves_out && y == known)) continue;
    largest = std::max(largest, sums[2 * y] / sums[2 * y + 1] * (1 + error_));
  }
  return std::max(largest, question.most);
}

namespace {

// Lemma 2 in units of k: base^k >= base^c (1 + kappa (k - c)), for real c if kappa = 1 and base = e, and for integers
// if the k are integers and kappa = base - 1.
struct Chord {
  double unit;  // log F of one k
  double kappa;
  bool integral;
  double power(double c) const { return std::exp(unit * c); }
};

}  // namespace

double AveragedBound::bound_by_groups(const Question& question, const Layout& layout,
                                      const std::function<void()>& look) {
  const bool integral = layout.unit > 1;
  const Chord chord{integral ? std::log(layout.unit) : 1, integral ? layout.unit - 1 : 1, integral};
  // By joint class of each group: the logarithm of F at the target, and what follows from it.
  struct Tilt {
    std::vector<double> all, own, logarithm;
  };
  std::vector<Tilt> tilts;
  for (const Group& group : layout.groups) {
    Tilt& tilt = tilts.emplace_back();
    tilt.logarithm.assign(1, 0);
    for (const std::size_t d : group.factors) {
      const Axis& axis = axes_[d];
      const double* own = &axis.logarithms[question.target[d] * axis.classes];
      std::vector<double> next;
      next.reserve(tilt.logarithm.size() * axis.classes);
      for (const double logarithm : tilt.logarithm) {
        for (std::size_t c = 0; c < axis.classes; ++c) next.push_back(logarithm + own[c]);
      }
      tilt.logarithm = std::move(next);
    }
    for (const double logarithm : tilt.logarithm) {
      tilt.all.push_back(std::exp(kTiltAbove * logarithm));
      tilt.own.push_back(group.theta * std::exp(-kTiltAbove * logarithm / group.theta));
    }
  }
  std::vector<std::vector<double>> above;
  for (const Group& group : layout.groups) above.emplace_back(layout.classes * group.classes, 0);
  std::vector<double> below(layout.classes * layout.lanes, 0);
  double shares = 0, shifts = 0;  // of the mean number of matches among rows with m > 0
  for (std::size_t s = 0; s < question.u.size(); ++s) {
    const double u = question.u[s], v = question.v[s];
    if (u == 0 && v == 0) continue;
    const std::size_t cell = layout.cells[s];
    double* sums = &below[cell * layout.lanes];
    sums[0] += v;
    const double taken = question.most * v;
    const double up = (u - taken) + error_ * (u + taken);
    if (up > 0) {
      double all = up;
      for (std::size_t g = 0; g < tilts.size(); ++g) all *= tilts[g].all[layout.groups[g].cells[s]];
      for (std::size_t g = 0; g < tilts.size(); ++g) {
        const Group& group = layout.groups[g];
        above[g][cell * group.classes + group.cells[s]] += all * tilts[g].own[group.cells[s]];
      }
      continue;
    }
    double matches = 0;
    for (std::size_t g = 0; g < tilts.size(); ++g) matches += tilts[g].logarithm[layout.groups[g].cells[s]];
    matches /= chord.unit;
    const double shift = chord.integral ? std::round(kTiltBelow * matches) : kTiltBelow * matches;
    const double weight = -up * chord.power(shift);
    sums[1] += weight;
    sums[2] += weight * shift;
    shares += -up * chord.power(matches);
    shifts += -up * chord.power(matches) * (matches - shift);
    const std::uint32_t* lanes = &layout.lanes_of[s * layout.factors];
    for (std::size_t i = 0; i < layout.factors; ++i) {
      if (lanes[i] != 0) sums[lanes[i]] += weight;
    }
  }
  look();
  std::vector<Step> steps;
  for (const std::size_t d : plans_[question.depth].block) {
    steps.push_back({axes_[d].classes, axes_[d].outputs, axes_[d].entries.data()});
  }
  transform(steps, layout.lanes, below, spare_);
  for (std::size_t g = 0; g < above.size(); ++g) {
    const Group& group = layout.groups[g];
    std::vector<Step> all = steps;
    for (std::size_t k = 0; k < group.factors.size(); ++k) {
      const Axis& axis = axes_[group.factors[k]];
      all.push_back({axis.classes, axis.outputs, group.powers[k].data()});
    }
    transform(all, 1, above[g], spare_);
    look();
  }
  // c = start + shift for each row. Near the mean, which is most often the best.
  const double mean = shares > 0 ? shifts / shares : 0;
  std::vector<double> starts;
  for (const double step : {0.0, 1.0, -1.0, 2.0, -2.0}) {
    starts.push_back(chord.integral ? std::round(mean) + step : mean + step * 0.25 / chord.unit);
  }
  std::vector<std::vector<double>> losses(layout.groups.size());  // by output of the group: sums of log F
  std::vector<double> values, next;
  double largest = question.most;
  for (std::size_t y = 0; y < layout.outputs; ++y) {
    const double* sums = &below[y * layout.lanes];
    const double room = layout.spread / chord.unit + static_cast<double>(layout.factors);
    std::size_t i = 0;
    for (std::size_t g = 0; g < layout.groups.size(); ++g) {
      std::vector<double>& loss = losses[g];
      loss.assign(1, 0);
      for (const std::size_t d : layout.groups[g].factors) {
        const Axis& axis = axes_[d];
        values.assign(axis.classes, 0);
        values[0] = sums[1];
        for (std::size_t c = 1; c < axis.classes; ++c) {
          values[c] = sums[layout.lane[i] + c - 1];
          values[0] -= values[c];
        }
        ++i;
        next.clear();
        for (const double before : loss) {
          for (std::size_t z = 0; z < axis.outputs; ++z) {
            double sum = 0;
            for (std::size_t c = 0; c < axis.classes; ++c) sum += axis.logarithms[z * axis.classes + c] * values[c];
            next.push_back(before + sum / chord.unit);
          }
        }
        std::swap(loss, next);
      }
    }
    double tops = 0;
    for (std::size_t g = 0; g < layout.groups.size(); ++g) {
      const std::size_t outputs = layout.groups[g].outputs;
      tops += largest_difference(&above[g][y * outputs], losses[g].data(), 0, outputs);
    }
    double least = kInfinity;
    for (std::size_t k = 0; k < starts.size() && least > 0; ++k) {
      const double c = starts[k], slope = chord.power(c) * chord.kappa;
      double value = chord.power(c) * (chord.kappa * sums[2] - (1 - chord.kappa * c) * sums[1]);
      for (std::size_t g = 0; g < layout.groups.size(); ++g) {
        const std::size_t outputs = layout.groups[g].outputs;
        value += largest_difference(&above[g][y * outputs], losses[g].data(), slope, outputs);
      }
      const double size = chord.power(c) * ((1 + chord.kappa * (std::abs(c) + room)) * sums[1] + chord.kappa * sums[2]);
      value += error_ * (tops + size);
      least = std::min(least, value);
    }
    // F >= 1, so D is at least the sum of v.
    if (least > 0) largest = std::max(largest, (question.most + least / sums[0]) * (1 + error_));
  }
  return largest;
}

}  // namespace oddsbound::engine
