#include "verifier/engine/pair_losses.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace oddsbound::engine {

namespace {

// Below this, doubles begin to lose precision.
constexpr double kTiny = 1e-290;
// Maximum number of joint classes of several factors in one hop.
constexpr std::size_t kMostClasses = 256;

// Beyond this many bytes, rows are computed on demand.
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 28;

// Treats the loss as infinite, which only makes bounds larger.
double without_tiny(double kept) { return kept < kTiny ? 0 : kept; }

// For entries outside the range of doubles: treats any two classes as perfectly distinguishable, which only makes
// bounds larger.
std::vector<double> only_equal(std::size_t classes) {
  std::vector<double> least(classes * classes, 0);
  for (std::size_t c = 0; c < classes; ++c) least[c * classes + c] = 1;
  return least;
}

// Returns [from * classes + to]: min of P(y | to) / P(y | from) over the outputs y that are possible from `from`.
std::vector<double> least_ratios(const std::vector<std::vector<double>>& entries) {
  const std::size_t classes = entries.empty() ? 0 : entries[0].size();
  std::vector<double> least(classes * classes, kInfinity);
  for (const std::vector<double>& column : entries) {
    if (std::count(column.begin(), column.end(), kInfinity) > 0) return only_equal(classes);
    for (std::size_t from = 0; from < classes; ++from) {
      if (column[from] == 0) continue;
      for (std::size_t to = 0; to < classes; ++to) {
        double& kept = least[from * classes + to];
        kept = std::min(kept, column[to] / column[from]);
      }
    }
  }
  return least;
}

}  // namespace

std::uint64_t LossKernel::bytes_to_keep(const Budget& budget) {
  return std::min(kMostKept, budget.memory_left_mb() * (1024 * 1024 / 8));
}

LossKernel::LossKernel(const Suffixes& suffixes, std::uint64_t bytes, Budget& budget)
    : suffixes_(suffixes), kept_from_(suffixes.depths()), kept_(suffixes.depths() + 1), hops_(suffixes.depths()) {
  kept_[kept_from_] = {1};
  std::uint64_t left = bytes;
  while (kept_from_ > 0) {
    const std::uint64_t size = suffixes.layer(kept_from_ - 1).size;
    if (size * size > left / sizeof(double)) break;
    left -= size * size * sizeof(double);
    const Hop hop = hop_from(--kept_from_);
    std::vector<double>& rows = kept_[kept_from_];
    rows.resize(size * size);
    const std::uint64_t after = suffixes.layer(hop.to).size;
    for (std::uint32_t r = 0; r < size; ++r) {
      budget.check_every();
      fill(hop, r, &kept_[hop.to][hop.next[r] * after], &rows[r * size]);
    }
  }
  for (std::size_t depth = 0; depth < kept_from_; ++depth) {
    budget.check();
    hops_[depth] = hop_from(depth);
  }
}

const double* LossKernel::row(std::size_t depth, std::uint32_t r) {
  if (depth >= kept_from_) return &kept_[depth][r * suffixes_.layer(depth).size];
  Hop& hop = hops_[depth];
  if (hop.row_of != r) {
    hop.made.resize(hop.seen.size());
    fill(hop, r, row(hop.to, hop.next[r]), hop.made.data());
    hop.row_of = r;
  }
  return hop.made.data();
}

void LossKernel::fill(const Hop& hop, std::uint32_t r, const double* after, double* row) const {
  const double* own = &hop.least[hop.seen[r] * hop.classes];
  for (std::size_t s = 0; s < hop.seen.size(); ++s) row[s] = without_tiny(own[hop.seen[s]] * after[hop.next[s]]);
}

// Covers one factor if rows are stored behind it; otherwise as many factors as have few joint classes.
LossKernel::Hop LossKernel::hop_from(std::size_t depth) const {
  Hop hop;
  hop.to = depth + 1;
  hop.seen = suffixes_.layer(depth).seen;
  hop.next = suffixes_.layer(depth).next;
  hop.least = least_ratios(suffixes_.entries(depth));
  hop.classes = suffixes_.entries(depth).empty() ? 0 : suffixes_.entries(depth)[0].size();
  while (hop.to < kept_from_) {
    const SuffixLayer& layer = suffixes_.layer(hop.to);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> seen;
    for (std::size_t s = 0; s < hop.seen.size(); ++s) {
      const auto both = std::pair(hop.seen[s], layer.seen[hop.next[s]]);
      seen.push_back(known.emplace(both, static_cast<std::uint32_t>(known.size())).first->second);
    }
    if (known.size() > kMostClasses) break;
    const std::vector<double> least = least_ratios(suffixes_.entries(hop.to));
    const std::size_t classes = suffixes_.entries(hop.to)[0].size();
    std::vector<double> joint(known.size() * known.size());
    for (const auto& [from, a] : known) {
      for (const auto& [to, b] : known) {
        joint[a * known.size() + b] =
            without_tiny(hop.least[from.first * hop.classes + to.first] * least[from.second * classes + to.second]);
      }
    }
    hop.seen = std::move(seen);
    for (std::uint32_t& next : hop.next) next = layer.next[next];
    hop.least = std::move(joint);
    hop.classes = known.size();
    ++hop.to;
  }
  return hop;
}

namespace {

std::vector<std::vector<double>> approximated(const SeenFactor& factor) {
  std::vector<std::vector<double>> entries;
  for (const auto& column : factor.entries) {
    entries.emplace_back();
    for (const Number& entry : column) {
      const double value = entry.approx();
      entries.back().push_back(value == 0 && !entry.is_zero() ? kInfinity : value);
    }
  }
  return entries;
}

}  // namespace

namespace {

// The number of each suffix, by its class and the suffix after it.
class SuffixNumbers {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // A table, if it is not much longer than the rows.
  SuffixNumbers(std::size_t classes, std::size_t after, std::size_t rows) : after_(after) {
    constexpr std::size_t kTimes = 16;
    if (after <= kTimes * rows / std::max<std::size_t>(1, classes)) table_.assign(classes * after, kNone);
  }
  std::uint32_t& of(std::uint32_t own, std::uint32_t next) {
    if (!table_.empty()) return table_[own * after_ + next];
    return others_.try_emplace(std::pair(own, next), kNone).first->second;
  }

 private:
  std::size_t after_;
  std::vector<std::uint32_t> table_;  // empty: not used
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> others_;
};

}  // namespace

Suffixes::Suffixes(const ProjectedRows& seen, std::vector<std::size_t> order, Budget& budget, SuffixRows rows)
    : order_(std::move(order)) {
  const bool of_each_group = rows == SuffixRows::kOfEachGroup;
  const std::size_t depths = order_.size();
  layers_.resize(depths + 1);
  layers_[depths].size = of_each_group ? seen.masses.size() : 1;
  for (const SeenRow& row : seen.rows) root_.push_back(of_each_group ? row.group : 0);
  for (const std::size_t f : order_) entries_.push_back(approximated(seen.factors[f]));
  for (std::size_t depth = depths; depth-- > 0;) {
    SuffixLayer& layer = layers_[depth];
    SuffixNumbers known(seen.factors[order_[depth]].classes, layers_[depth + 1].size, root_.size());
    for (std::size_t r = 0; r < root_.size(); ++r) {
      budget.check_every();
      const std::uint32_t own = seen.rows[r].classes[order_[depth]];
      std::uint32_t& number = known.of(own, root_[r]);
      if (number == SuffixNumbers::kNone) {
        number = static_cast<std::uint32_t>(layer.size++);
        layer.seen.push_back(own);
        layer.next.push_back(root_[r]);
      }
      root_[r] = number;
    }
  }
  // Every weight is a sum of at most rows products of depths entries; bounds add one sum, a quotient and a sum.
  error_ = static_cast<double>(depths + 4) * static_cast<double>(root_.size() + 32) * 0x1p-50;
}

PathWeights::PathWeights(const ProjectedRows& seen, const Suffixes& suffixes)
    : seen_(seen), suffixes_(suffixes), values_{Number(0), Number(1)} {
  std::unordered_map<Number, std::uint32_t, NumberHash> known{{Number(0), kZero}, {Number(1), kOne}};
  for (std::size_t d = 0; d < suffixes.depths(); ++d) {
    auto& columns = entries_.emplace_back();
    for (const std::vector<Number>& column : seen.factors[suffixes.factor(d)].entries) {
      auto& entries = columns.emplace_back();
      for (const Number& entry : column) {
        const auto [place, added] = known.emplace(entry, static_cast<std::uint32_t>(values_.size()));
        if (added) values_.push_back(entry);
        entries.push_back(place->second);
      }
    }
  }
}

std::optional<PathWeights::Powers> PathWeights::powers_of(std::size_t row, std::size_t depth, const Path& path,
                                                          std::uint32_t& suffix) const {
  suffix = suffixes_.root(row);
  Powers powers;
  for (std::size_t d = 0; d < depth; ++d) {
    const std::uint32_t entry = entries_[d][path[d]][suffixes_.layer(d).seen[suffix]];
    if (entry == kZero) return std::nullopt;
    if (entry != kOne) ++powers[entry];
    suffix = suffixes_.layer(d).next[suffix];
  }
  return powers;
}

Number PathWeights::product_of(const Powers& powers) const {
  Number product(1);
  for (const auto& [entry, power] : powers) product *= values_[entry].pow(power);
  return product;
}

// Many rows have the same product with its factors in another order: each product is computed once.
std::vector<Number> PathWeights::of(std::uint32_t group, std::size_t depth, const Path& path, Budget& budget) const {
  std::vector<std::map<Powers, Number>> sums(suffixes_.layer(depth).size);
  const auto first = std::lower_bound(seen_.rows.begin(), seen_.rows.end(), group,
                                      [](const SeenRow& row, std::uint32_t own) { return row.group < own; });
  for (auto row = first; row != seen_.rows.end() && row->group == group; ++row) {
    budget.check_every();
    std::uint32_t suffix = 0;
    const auto r = static_cast<std::size_t>(row - seen_.rows.begin());
    if (auto powers = powers_of(r, depth, path, suffix)) sums[suffix][*std::move(powers)] += row->weight;
  }
  std::vector<Number> weights;
  for (const auto& by_powers : sums) {
    std::vector<WeightedTerm> terms;
    for (const auto& [powers, weight] : by_powers) terms.push_back({weight, product_of(powers)});
    weights.push_back(weighted_sum(terms) / seen_.masses[group]);
  }
  return weights;
}

std::vector<Number> PathWeights::products(const Path& path, Budget& budget) const {
  std::map<Powers, Number> known;
  std::vector<Number> products;
  for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
    budget.check_every();
    std::uint32_t suffix = 0;
    const std::optional<Powers> powers = powers_of(r, suffixes_.depths(), path, suffix);
    if (!powers) {
      products.emplace_back(0);
      continue;
    }
    const auto [place, added] = known.try_emplace(*powers);
    if (added) place->second = product_of(*powers);
    products.push_back(place->second);
  }
  return products;
}

std::uint32_t PathWeights::first_possible(std::size_t depth, const SeenRow& row) const {
  std::uint32_t output = 0;
  while (entries_[depth][output][row.classes[suffixes_.factor(depth)]] == kZero) ++output;
  return output;
}

}  // namespace oddsbound::engine
