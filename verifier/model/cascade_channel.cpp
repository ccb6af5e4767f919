// The product of two stochastic matrices whose entries take few values.
//
// A row of the first matrix is a constant b (its most frequent value) plus deviations at few places y:
//   P(z given x) = b * sum over all y of P(z given y) + sum over the deviations of (P(y given x) - b) * P(z given y).
// The first sum depends on z alone. Each sum is identified by its terms, as ranks of values with counts, and computed
// once. Two randomized responses on k values then take k^2 steps and a few sums. A loop over all y takes k^3 sums of
// exact numbers.
#include "verifier/model/cascade_channel.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace oddsbound::model {

namespace {

using Ranks = std::vector<std::uint32_t>;

struct RanksHash {
  std::size_t operator()(const Ranks& ranks) const {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(ranks.data()), 4 * ranks.size()});
  }
};

// Entries of a PoolBuilder by the terms that they are sums of.
class EntriesByTerms {
 public:
  std::optional<std::size_t> find(const Ranks& terms) const {
    const auto place = entries_.find(terms);
    return place == entries_.end() ? std::nullopt : std::optional(place->second);
  }
  void keep(const Ranks& terms, std::size_t entry) {
    constexpr std::size_t kMostKept = 1 << 16, kMostTerms = 64;
    if (entries_.size() < kMostKept && terms.size() <= 3 * kMostTerms) entries_.emplace(terms, entry);
  }

 private:
  std::unordered_map<Ranks, std::size_t, RanksHash> entries_;
};

// A matrix as ranks of values, line after line.
struct RankedMatrix {
  std::unique_ptr<Columns> columns;
  std::uint64_t width;
  Ranks ranks;

  std::span<const std::uint32_t> line(std::uint64_t k) const { return std::span(ranks).subspan(k * width, width); }
  const ValuePool& pool() const { return columns->pool(); }
};

RankedMatrix rows_as_ranks(const Channel& channel, Budget& budget) {
  RankedMatrix rows{channel.columns(budget), channel.outputs(), Ranks(channel.inputs() * channel.outputs())};
  Ranks scratch;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    budget.check();
    const auto column = rows.columns->ranks(y, scratch);
    for (std::uint64_t x = 0; x < column.size(); ++x) rows.ranks[x * rows.width + y] = column[x];
  }
  return rows;
}

// The columns of the second channel, one entry per output of the first.
RankedMatrix columns_as_ranks(const Channel& channel, std::span<const std::uint64_t> input_of, Budget& budget) {
  RankedMatrix found{channel.columns(budget), input_of.size(), {}};
  found.ranks.reserve(input_of.size() * channel.outputs());
  Ranks scratch;
  for (std::uint64_t z = 0; z < channel.outputs(); ++z) {
    budget.check();
    const auto column = found.columns->ranks(z, scratch);
    for (const std::uint64_t input : input_of) found.ranks.push_back(column[input]);
  }
  return found;
}

std::uint32_t most_frequent(std::span<const std::uint32_t> ranks, Ranks& sorted) {
  sorted.assign(ranks.begin(), ranks.end());
  std::sort(sorted.begin(), sorted.end());
  std::uint32_t best = sorted[0];
  std::ptrdiff_t most = 0;
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = std::upper_bound(begin, sorted.end(), *begin);
    if (end - begin > most) {
      most = end - begin;
      best = *begin;
    }
    begin = end;
  }
  return best;
}

// Sums of values with equal ranks are the same number.
class ColumnSums {
 public:
  ColumnSums(const RankedMatrix& columns, std::uint64_t outputs, Budget& budget) {
    std::unordered_map<Ranks, std::uint32_t, RanksHash> known;
    Ranks sorted;
    for (std::uint64_t z = 0; z < outputs; ++z) {
      budget.check();
      const auto column = columns.line(z);
      sorted.assign(column.begin(), column.end());
      std::sort(sorted.begin(), sorted.end());
      const auto [place, added] = known.try_emplace(sorted, static_cast<std::uint32_t>(sums_.size()));
      if (added) sums_.push_back(sum_of_sorted(sorted, columns.pool()));
      class_of_.push_back(place->second);
    }
  }
  std::uint32_t class_of(std::uint64_t z) const { return class_of_[z]; }
  const Number& sum(std::uint32_t of_class) const { return sums_[of_class]; }

 private:
  static Number sum_of_sorted(const Ranks& sorted, const ValuePool& pool) {
    std::vector<WeightedTerm> terms;
    for (auto begin = sorted.begin(); begin != sorted.end();) {
      const auto end = std::upper_bound(begin, sorted.end(), *begin);
      terms.push_back({Number(end - begin), pool.value(*begin)});
      begin = end;
    }
    return weighted_sum(terms);
  }

  std::vector<std::uint32_t> class_of_;
  std::vector<Number> sums_;
};

}  // namespace

ChannelPtr cascade_channel(const Channel& first, const Channel& second, std::span<const std::uint64_t> input_of,
                           Budget& budget) {
  budget.require_cells(first.inputs(), first.outputs());
  budget.require_cells(second.inputs(), second.outputs());
  budget.require_cells(first.inputs(), second.outputs());
  budget.require_cells(first.outputs(), second.outputs());
  const RankedMatrix rows = rows_as_ranks(first, budget);
  const RankedMatrix columns = columns_as_ranks(second, input_of, budget);
  const ColumnSums sums(columns, second.outputs(), budget);
  PoolBuilder builder;
  EntriesByTerms known;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> deviations;  // output of the first, rank of its value
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;       // ranks of a deviation and of the second's entry
  std::vector<WeightedTerm> terms;
  Ranks key, scratch;
  for (std::uint64_t x = 0; x < first.inputs(); ++x) {
    const auto row = rows.line(x);
    const std::uint32_t constant = most_frequent(row, scratch);
    deviations.clear();
    for (std::uint64_t y = 0; y < row.size(); ++y) {
      if (row[y] != constant) deviations.emplace_back(y, row[y]);
    }
    const Number base = rows.pool().value(constant);
    for (std::uint64_t z = 0; z < second.outputs(); ++z) {
      budget.check_every();
      const auto column = columns.line(z);
      pairs.clear();
      for (const auto& [y, rank] : deviations) {
        budget.check_every();
        pairs.emplace_back(rank, column[y]);
      }
      std::sort(pairs.begin(), pairs.end());
      key.assign({constant, sums.class_of(z)});
      for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
        while (end < pairs.size() && pairs[end] == pairs[begin]) ++end;
        key.insert(key.end(), {pairs[begin].first, pairs[begin].second, static_cast<std::uint32_t>(end - begin)});
      }
      if (const auto entry = known.find(key)) {
        builder.add_again(*entry);
        continue;
      }
      known.keep(key, builder.size());
      terms.assign({{base, sums.sum(key[1])}});
      for (std::size_t k = 2; k < key.size(); k += 3) {
        terms.push_back({(rows.pool().value(key[k]) - base) * Number(static_cast<std::int64_t>(key[k + 2])),
                         columns.pool().value(key[k + 1])});
      }
      builder.add(weighted_sum(terms));
    }
  }
  return DenseChannel::from_rows(first.inputs(), output_labels(second, budget), std::move(builder), budget);
}

}  // namespace oddsbound::model
