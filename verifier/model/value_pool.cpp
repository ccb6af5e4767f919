// Ranking: a radix sort (Boost.Sort) on words that hold the leading bits of each approximation and the entry's
// index. Neighbours that these bits do not separate are compared exactly.
#include "verifier/model/value_pool.h"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <limits>

#include "base/errors.h"

namespace oddsbound::model {

namespace {

// kCertain: approximations have relative error <= 2^-50, so a larger ratio than this decides the order.
constexpr std::size_t kPrefetch = 24;
constexpr double kCertain = 1.0 + 0x1p-48;

class Ranker {
 public:
  Ranker(const std::vector<SmallFraction>& entries, const std::vector<Number>& others)
      : entries_(entries), others_(others) {}

  /// Returns the approximations of all entries.
  std::vector<double> approximations(Budget& budget) const {
    std::vector<double> other_approx;
    for (const Number& other : others_) {
      other_approx.push_back(other.approx());
      budget.check_every();
    }
    std::vector<double> approx(entries_.size());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      budget.check_every();
      const SmallFraction& entry = entries_[i];
      approx[i] = entry.denominator == 0
                      ? other_approx[static_cast<std::size_t>(entry.numerator)]
                      : static_cast<double>(entry.numerator) / static_cast<double>(entry.denominator);
    }
    return approx;
  }

  std::strong_ordering compare(std::uint32_t i, std::uint32_t j) const {
    const SmallFraction& a = entries_[i];
    const SmallFraction& b = entries_[j];
    if (a.denominator != 0 && b.denominator != 0) {
      return static_cast<__int128>(a.numerator) * b.denominator <=> static_cast<__int128>(b.numerator) * a.denominator;
    }
    return structural_order(number(a), number(b));
  }

 private:
  Number number(const SmallFraction& entry) const {
    return entry.denominator == 0 ? others_[static_cast<std::size_t>(entry.numerator)]
                                  : Number::ratio(entry.numerator, entry.denominator);
  }

  const std::vector<SmallFraction>& entries_;
  const std::vector<Number>& others_;
};

// The entries sorted by as many leading bits of their approximations as fit.
class ApproximateOrder {
 public:
  explicit ApproximateOrder(const std::vector<double>& approx) : packed_(approx.size()) {
    if (approx.empty()) return;
    const auto [low, high] = std::minmax_element(approx.begin(), approx.end());
    lowest_ = bits_of(*low);
    index_bits_ = static_cast<int>(std::bit_width(approx.size() - 1));
    shift_ = std::max(0, static_cast<int>(std::bit_width(bits_of(*high) - lowest_)) + index_bits_ - 64);
    for (std::size_t i = 0; i < approx.size(); ++i) {
      packed_[i] = ((bits_of(approx[i]) - lowest_) >> shift_ << index_bits_) | i;
    }
    boost::sort::spreadsort::integer_sort(packed_.begin(), packed_.end());
  }

  std::uint32_t entry(std::size_t position) const {
    return static_cast<std::uint32_t>(packed_[position] & ((std::uint64_t{1} << index_bits_) - 1));
  }

  /// True if the value at `position` is certainly below the value at the next one.
  bool certainly_ascends(std::size_t position) const {
    const std::uint64_t last = key(position) + ((std::uint64_t{1} << shift_) - 1);
    const double upper = std::bit_cast<double>(last);
    const double lower = std::bit_cast<double>(key(position + 1));
    return upper * kCertain < lower && upper > 0x1p-990 && lower < 0x1p990;
  }

 private:
  // Non-negative doubles have the same order as their bit patterns.
  static std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value + 0.0); }
  std::uint64_t key(std::size_t position) const { return (packed_[position] >> index_bits_ << shift_) + lowest_; }

  std::vector<std::uint64_t> packed_;
  std::uint64_t lowest_ = 0;
  int index_bits_ = 0;
  int shift_ = 0;
};

}  // namespace

Number ValuePool::value(std::uint32_t rank) const {
  const SmallFraction entry = entries_[entry_of_[rank]];
  return entry.denominator == 0 ? others_[static_cast<std::size_t>(entry.numerator)]
                                : Number::ratio(entry.numerator, entry.denominator);
}

void PoolBuilder::add(const Number& number) {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  if (number.fits_ratio(numerator, denominator)) {
    entries_.push_back({numerator, denominator});
    return;
  }
  const auto [place, added] = index_.try_emplace(number, static_cast<std::int64_t>(others_.size()));
  if (added) others_.push_back(number);
  entries_.push_back({place->second, 0});
}

ValuePool PoolBuilder::finish(std::vector<std::uint32_t>& ranks, Budget& budget) && {
  if (entries_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw LimitError("a channel has too many entries (--max-cells)");
  }
  const Ranker ranker(entries_, others_);
  const std::vector<double> approx = ranker.approximations(budget);
  const ApproximateOrder order(approx);
  budget.check();

  ValuePool pool;
  ranks.resize(entries_.size());
  pool.entry_of_.reserve(entries_.size());
  pool.approx_.reserve(entries_.size());
  const auto add_value = [&](std::uint32_t entry) {
    pool.entry_of_.push_back(entry);
    pool.approx_.push_back(approx[entry]);
  };
  std::vector<std::uint32_t> run;
  for (std::size_t begin = 0; begin < entries_.size();) {
    // The sorted order visits entries at random addresses, each once: prefetch ahead.
    if (const std::size_t ahead = begin + kPrefetch; ahead < entries_.size()) {
      __builtin_prefetch(&entries_[order.entry(ahead)]);
      __builtin_prefetch(&approx[order.entry(ahead)]);
    }
    budget.check_every();
    run.assign(1, order.entry(begin));
    std::size_t end = begin + 1;
    for (; end < entries_.size() && !order.certainly_ascends(end - 1); ++end) run.push_back(order.entry(end));
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      budget.check_every();
      return ranker.compare(a, b) < 0;
    };
    if (run.size() > 1 && !std::is_sorted(run.begin(), run.end(), less)) std::sort(run.begin(), run.end(), less);
    for (std::size_t k = 0; k < run.size(); ++k) {
      if (k == 0 || ranker.compare(run[k - 1], run[k]) != 0) add_value(run[k]);
      ranks[run[k]] = static_cast<std::uint32_t>(pool.approx_.size() - 1);
    }
    begin = end;
  }
  pool.take_entries(std::move(entries_), std::move(others_));
  return pool;
}

void ValuePool::take_entries(std::vector<SmallFraction> entries, std::vector<Number> others) {
  if (size() < entries.size() / 2) {
    // Few distinct values: keep one entry of each.
    std::vector<SmallFraction> chosen;
    for (std::uint32_t& entry : entry_of_) {
      chosen.push_back(entries[entry]);
      entry = static_cast<std::uint32_t>(chosen.size() - 1);
    }
    entries = std::move(chosen);
    entry_of_.shrink_to_fit();
    approx_.shrink_to_fit();
  }
  entries_ = std::move(entries);
  others_ = std::move(others);
  if (size() == 0) return;
  const SmallFraction first = entries_[entry_of_[0]];
  has_zero_ = first.denominator != 0 && first.numerator == 0;
  const std::size_t positive = has_zero_ ? 1 : 0;
  if (positive < size()) usable_ = approx_[positive] > 0x1p-400 && approx_.back() < 0x1p400;
}

}  // namespace oddsbound::model
