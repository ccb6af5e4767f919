// Ranking: entries are sorted by their approximations (a library radix sort); neighbours whose approximations are too
// close to tell are ordered, or found equal, exactly.
#include "verifier/model/value_pool.h"

#include <algorithm>
#include <bit>
#include <boost/sort/spreadsort/integer_sort.hpp>
#include <limits>

#include "verifier/exact/errors.h"

namespace oddsbound {

namespace {

// Approximations differ by at most 2^-50 relatively from their values; further apart than this, order is certain.
constexpr double kCertain = 1.0 + 0x1p-48;

struct Keyed {
  std::uint64_t key;
  std::uint32_t index;
  bool operator<(const Keyed& other) const { return key < other.key; }
};

class Ranker {
 public:
  Ranker(const std::vector<SmallFraction>& entries, const std::vector<Number>& others)
      : entries_(entries), others_(others) {}

  double approx(const SmallFraction& entry) const {
    return entry.denominator == 0
               ? others_[static_cast<std::size_t>(entry.numerator)].approx()
               : static_cast<double>(entry.numerator) / static_cast<double>(entry.denominator);
  }

  Number number(const SmallFraction& entry) const {
    return entry.denominator == 0 ? others_[static_cast<std::size_t>(entry.numerator)]
                                  : Number::ratio(entry.numerator, entry.denominator);
  }

  std::strong_ordering compare(const SmallFraction& a, const SmallFraction& b) const {
    if (a.denominator != 0 && b.denominator != 0) {
      return static_cast<__int128>(a.numerator) * b.denominator <=> static_cast<__int128>(b.numerator) * a.denominator;
    }
    return number(a) <=> number(b);
  }

  bool certainly_below(double a, double b) const {
    return a * kCertain < b && a > 0x1p-990 && b < 0x1p990;
  }

 private:
  const std::vector<SmallFraction>& entries_;
  const std::vector<Number>& others_;
};

}  // namespace

Number ValuePool::value(std::uint32_t rank) const {
  const SmallFraction entry = entries_[rank];
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
  if (entries_.size() >= std::numeric_limits<std::uint32_t>::max()) throw LimitError("a channel has too many entries (--max-cells)");
  const Ranker ranker(entries_, others_);
  std::vector<double> other_approx(others_.size());
  for (std::size_t i = 0; i < others_.size(); ++i) {
    other_approx[i] = others_[i].approx();
    budget.tick();
  }
  std::vector<Keyed> order(entries_.size());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const SmallFraction& entry = entries_[i];
    const double approx =
        entry.denominator == 0 ? other_approx[static_cast<std::size_t>(entry.numerator)] : ranker.approx(entry);
    // The bits of non-negative doubles are ordered as the doubles are.
    order[i] = {std::bit_cast<std::uint64_t>(approx + 0.0), static_cast<std::uint32_t>(i)};
  }
  boost::sort::spreadsort::integer_sort(order.begin(), order.end(),
                                        [](const Keyed& k, unsigned shift) { return k.key >> shift; });
  budget.look();

  ValuePool pool;
  ranks.resize(entries_.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && !ranker.certainly_below(std::bit_cast<double>(order[end - 1].key),
                                                         std::bit_cast<double>(order[end].key))) {
      ++end;
    }
    const auto less = [&](const Keyed& a, const Keyed& b) {
      budget.tick();
      return ranker.compare(entries_[a.index], entries_[b.index]) < 0;
    };
    const auto run = std::span(order).subspan(begin, end - begin);
    if (!std::is_sorted(run.begin(), run.end(), less)) std::sort(run.begin(), run.end(), less);
    for (std::size_t i = 0; i < run.size(); ++i) {
      const SmallFraction& entry = entries_[run[i].index];
      if (i == 0 || ranker.compare(pool.entries_.back(), entry) != 0) {
        pool.entries_.push_back(entry);
        const double approx = std::bit_cast<double>(run[i].key);
        pool.approx_.push_back(approx);
      }
      ranks[run[i].index] = static_cast<std::uint32_t>(pool.entries_.size() - 1);
    }
    begin = end;
  }
  pool.others_ = std::move(others_);
  if (!pool.entries_.empty()) {
    pool.has_zero_ = pool.entries_[0].denominator != 0 && pool.entries_[0].numerator == 0;
    const std::size_t first = pool.has_zero_ ? 1 : 0;
    if (first < pool.size()) {
      pool.usable_ = pool.approx_[first] > 0x1p-400 && pool.approx_.back() < 0x1p400;
    }
  }
  return pool;
}

}  // namespace oddsbound
