#include "verifier/engine/shuffled_reports.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "base/errors.h"
#include "verifier/engine/shuffled_bits.h"
#include "verifier/engine/shuffled_draws.h"
#include "verifier/exact/interval.h"
#include "verifier/exact/number_detail.h"
#include "verifier/model/adaptive_channel.h"

namespace oddsbound::engine {

LocalReports LocalReports::of(const Channel& local, Budget& budget) {
  LocalReports reports;
  std::vector<std::vector<Number>> all = rows_of(local, budget);
  // Classes of reports: columns that are equal after division by their first entry that is not 0.
  std::map<std::vector<Number>, std::uint32_t> classes;
  const std::size_t outputs = all.empty() ? 0 : all[0].size();
  for (std::size_t y = 0; y < outputs; ++y) {
    std::vector<Number> column;
    std::optional<Number> unit;
    for (const auto& row : all) {
      budget.check_every();
      if (!unit && !row[y].is_zero()) unit = row[y];
      column.push_back(unit ? row[y] / *unit : Number(0));
    }
    if (!unit) {
      reports.class_of.push_back(UINT32_MAX);
      continue;
    }
    const auto found = classes.try_emplace(std::move(column), static_cast<std::uint32_t>(classes.size())).first;
    reports.class_of.push_back(found->second);
  }
  std::map<std::vector<Number>, std::uint32_t> known;
  for (const auto& row : all) {
    std::vector<Number> merged(classes.size(), Number(0));
    for (std::size_t y = 0; y < outputs; ++y) {
      budget.check_every();
      if (reports.class_of[y] != UINT32_MAX) merged[reports.class_of[y]] += row[y];
    }
    const auto [place, added] = known.try_emplace(merged, static_cast<std::uint32_t>(reports.rows.size()));
    if (added) reports.rows.push_back(std::move(merged));
    reports.row_of.push_back(place->second);
  }
  return reports;
}

namespace {

// Any number of classes, by going through all inputs of the other people and all histograms.

// Products of numbers; of quotients in exp, which are slow.
constexpr double kMostListed = 0x1p25, kMostIrrational = 0x1p15;

// Histograms of j reports are numbered (model::Counts). next_ has the number of each histogram with one report more.
class Histograms {
 public:
  Histograms(std::size_t classes, std::uint64_t people, Budget& budget) {
    for (std::uint64_t j = 0; j < people; ++j) {
      const Counts counts(classes, j), more(classes, j + 1);
      std::vector<std::uint32_t>& next = next_.emplace_back();
      for (std::uint64_t h = 0; h < counts.size(); ++h) {
        budget.check_every();
        std::vector<std::uint64_t> at = counts.at(h);
        for (std::size_t y = 0; y < classes; ++y) {
          ++at[y];
          next.push_back(static_cast<std::uint32_t>(more.number_of(at)));
          --at[y];
        }
      }
      sizes_.push_back(more.size());
    }
  }

  /// The distribution after one more report, for j reports so far.
  std::vector<Number> with(const std::vector<Number>& before, const std::vector<Number>& row, std::size_t j,
                           Budget& budget) const {
    std::vector<Number> after(sizes_[j], Number(0));
    const std::uint32_t* next = next_[j].data();
    for (const Number& mass : before) {
      budget.check_every();
      for (const Number& entry : row) {
        if (!mass.is_zero() && !entry.is_zero()) after[*next] += mass * entry;
        ++next;
      }
    }
    return after;
  }

 private:
  std::vector<std::vector<std::uint32_t>> next_;  // [j][h * classes + y]
  std::vector<std::uint64_t> sizes_;              // [j]: of histograms of j + 1 reports
};

class Listing {
 public:
  Listing(const LocalReports& reports, const std::vector<RowPair>& pairs, std::uint64_t people, const Number& factor,
          Budget& budget)
      : rows_(reports.rows),
        pairs_(pairs),
        people_(people),
        factor_(factor),
        budget_(budget),
        histograms_(reports.classes(), people, budget),
        others_(rows_.size(), 0) {
    // Integers over a common denominator need no reduction.
    for (const auto& row : rows_) {
      for (const Number& entry : row) {
        if (!entry.is_rational()) return;
      }
    }
    Integer common = 1;
    for (const auto& row : rows_) {
      for (const Number& entry : row) common = lcm(common, denominator(exact::rational_of(entry)));
    }
    const Number scale = exact::make_number(Rational(common));
    for (auto& row : rows_) {
      for (Number& entry : row) entry *= scale;
    }
    scale_ = scale.pow(static_cast<std::int64_t>(people));
  }

  ShuffledEvent largest() {
    place(0, 0, {Number(1)});
    best_.p /= scale_;
    best_.q /= scale_;
    best_.excess.lower = best_.excess.upper = best_.p - factor_ * best_.q;
    return std::move(best_);
  }

 private:
  // `placed` other people have rows before this one.
  void place(std::size_t row, std::uint64_t placed, const std::vector<Number>& before) {
    if (placed + 1 == people_) return compare(before);
    if (row + 1 == rows_.size()) {
      std::vector<Number> all = before;
      for (std::uint64_t j = placed; j + 1 < people_; ++j) all = histograms_.with(all, rows_[row], j, budget_);
      others_[row] = people_ - 1 - placed;
      compare(all);
      others_[row] = 0;
      return;
    }
    std::vector<Number> with = before;
    for (std::uint64_t count = 0; placed + count < people_; ++count) {
      others_[row] = count;
      place(row + 1, placed + count, with);
      if (placed + count + 1 < people_) with = histograms_.with(with, rows_[row], placed + count, budget_);
    }
    others_[row] = 0;
  }

  void compare(const std::vector<Number>& others) {
    std::vector<std::optional<std::vector<Number>>> of_row(rows_.size());
    const auto given = [&](std::uint32_t row) -> const std::vector<Number>& {
      auto& found = of_row[row];
      if (!found) found = histograms_.with(others, rows_[row], people_ - 1, budget_);
      return *found;
    };
    for (const RowPair& pair : pairs_) {
      const std::vector<Number>&from = given(pair.first), &to = given(pair.second);
      Number p, q;
      for (std::size_t h = 0; h < from.size(); ++h) {
        budget_.check_every();
        if (compare_products(from[h], Number(1), factor_, to[h]) <= 0) continue;
        p += from[h];
        q += to[h];
      }
      Number excess = p - factor_ * q;
      if (best_.others.empty() || excess > best_.excess.lower) {
        best_ = {pair, others_, {}, std::move(p), std::move(q), {excess, excess}, ""};
        list_event(from, to);
      }
    }
  }

  void list_event(const std::vector<Number>& from, const std::vector<Number>& to) {
    if (from.size() > ShuffledEvent::kMostListed) return;
    const Counts counts(rows_[0].size(), people_);
    for (std::size_t h = 0; h < from.size(); ++h) {
      if (compare_products(from[h], Number(1), factor_, to[h]) > 0) best_.histograms.push_back(counts.at(h));
    }
  }

  std::vector<std::vector<Number>> rows_;
  const std::vector<RowPair>& pairs_;
  std::uint64_t people_;
  Number factor_, scale_{1};
  Budget& budget_;
  Histograms histograms_;
  std::vector<std::uint64_t> others_;
  ShuffledEvent best_;
};

double binomial(double n, double k) {
  double result = 1;
  for (double i = 1; i <= k && result < 1e100; ++i) result *= (n - k + i) / i;
  return result;
}

double cost_of_listing(const LocalReports& reports, std::size_t pairs, std::uint64_t people) {
  const auto n = static_cast<double>(people), classes = static_cast<double>(reports.classes());
  const auto rows = static_cast<double>(reports.rows.size());
  if (n + classes > 0x1p12 || n + rows > 0x1p12) return 0x1p100;
  const double inputs = binomial(n - 1 + rows, std::min(n - 1, rows));
  const double histograms = binomial(n + classes - 1, std::min(n, classes - 1));
  return inputs * histograms * (classes * 2 + static_cast<double>(pairs));
}

// Two classes. A pair of rows is dominated by one with a larger p and a smaller q: its rows are mixtures of these, with
// equal rows in the rest of the coupling.
ShuffledEvent excess_of_two_classes(const LocalReports& reports, const std::vector<RowPair>& pairs,
                                    std::uint64_t people, const Number& factor, Budget& budget) {
  ShuffledEvent best;
  std::vector<std::uint32_t> by_chance(reports.rows.size());
  std::iota(by_chance.begin(), by_chance.end(), 0);
  for (const std::size_t one : {std::size_t{1}, std::size_t{0}}) {
    const auto chance = [&](std::uint32_t row) -> const Number& { return reports.rows[row][one]; };
    std::sort(by_chance.begin(), by_chance.end(), [&](auto a, auto b) { return chance(a) < chance(b); });
    std::vector<RowPair> rising;
    for (const RowPair& pair : pairs) {
      if (chance(pair.first) > chance(pair.second)) rising.push_back(pair);
    }
    std::sort(rising.begin(), rising.end(), [&](const RowPair& a, const RowPair& b) {
      const auto order = chance(a.second) <=> chance(b.second);
      return order != 0 ? order < 0 : chance(a.first) > chance(b.first);
    });
    const Number* largest = nullptr;
    for (const RowPair& pair : rising) {
      if (largest != nullptr && chance(pair.first) <= *largest) continue;
      largest = &chance(pair.first);
      const ShuffledBits bits{chance(by_chance.front()), chance(by_chance.back()), chance(pair.first),
                              chance(pair.second), people};
      BitEvent found = largest_excess_of_bits(bits, factor, budget);
      Number upper = std::max(best.excess.upper, found.excess.upper);
      if (best.others.empty() || found.excess.lower > best.excess.lower) {
        best = {pair,
                std::vector<std::uint64_t>(reports.rows.size(), 0),
                {},
                std::move(found.p),
                std::move(found.q),
                std::move(found.excess),
                best.reason};
        best.others[by_chance.back()] = found.high;
        best.others[by_chance.front()] += people - 1 - found.high;
        for (std::uint64_t t = found.least; people < ShuffledEvent::kMostListed && t <= people; ++t) {
          best.histograms.push_back(one == 1 ? std::vector{people - t, t} : std::vector{t, people - t});
        }
      }
      best.excess.upper = std::move(upper);
      if (!found.reason.empty()) best.reason = std::move(found.reason);
    }
  }
  return best;
}

// Many people with more than two classes: bounds.
//
// Below: all other people have one input, so their reports are draws from one row. Above, the privacy blanket (Balle,
// Bell, Gascon and Nissim 2019): everybody sends a report y with probability at least u(y), the smallest entry of its
// column, whatever the input is. An adversary who also sees all reports that are not drawn from u learns more, and then
// the reports of the others are draws from u, or none.

struct ReportPair {
  std::vector<DrawnReport> reports;
  Number extra;  // the excess of reports that the others never send
  std::optional<NumberBounds> bounds{};
};

// Pairs of rows beside draws of the others' reports. Those that are alike but for the order of reports are one.
class ReportPairs {
 public:
  explicit ReportPairs(const Number& factor) : factor_(factor) {}

  ReportPair& find(const std::vector<Number>& others, const std::vector<Number>& from, const std::vector<Number>& to,
                   Budget& budget) {
    ReportPair pair;
    std::vector<std::string> kinds;
    for (std::size_t y = 0; y < others.size(); ++y) {
      budget.check_every();
      if (others[y].is_zero()) {
        pair.extra += std::max(Number(0), from[y] - factor_ * to[y]);
        continue;
      }
      pair.reports.push_back({others[y], from[y], to[y]});
      kinds.push_back(others[y].to_string() + " " + from[y].to_string() + " " + to[y].to_string());
    }
    std::sort(kinds.begin(), kinds.end());
    std::string key = pair.extra.to_string();
    for (const std::string& kind : kinds) key.append(", ").append(kind);
    return pairs_.try_emplace(std::move(key), std::move(pair)).first->second;
  }
  std::size_t size() const { return pairs_.size(); }

 private:
  const Number& factor_;
  std::map<std::string, ReportPair> pairs_;
};

const NumberBounds& bounds_of(ReportPair& pair, std::uint64_t people, const Number& factor, double most,
                              DrawnEnds wanted, Budget& budget) {
  if (!pair.bounds) {
    pair.bounds = excess_beside_draws(pair.reports, people, factor, budget, most, wanted).excess;
    pair.bounds->lower += pair.extra;
    pair.bounds->upper += pair.extra;
  }
  return *pair.bounds;
}

}  // namespace

ShuffledEvent bounds_beside_any(const LocalReports& reports, const std::vector<RowPair>& pairs, std::uint64_t people,
                                const Number& factor, Budget& budget) {
  const auto& rows = reports.rows;
  constexpr std::size_t kMostTried = std::size_t{1} << 16;
  if (pairs.size() * rows.size() > kMostTried) {
    throw LimitError("the pairs of neighbors, and the inputs of other people, are too many to be tried");
  }
  std::vector<Number> least = rows[0];
  for (const auto& row : rows) {
    for (std::size_t y = 0; y < least.size(); ++y) least[y] = std::min(least[y], row[y]);
  }
  ReportPairs below(factor), above(factor);
  for (const auto& [from, to] : pairs) {
    above.find(least, rows[from], rows[to], budget);
    for (const auto& other : rows) below.find(other, rows[from], rows[to], budget);
  }
  constexpr double kMostVisited = 0x1p24;
  const double each = kMostVisited / static_cast<double>(below.size() + above.size());
  ShuffledEvent best;
  Number upper;
  for (const RowPair& pair : pairs) {
    const std::vector<Number>&from = rows[pair.first], &to = rows[pair.second];
    ReportPair& blanket = above.find(least, from, to, budget);
    upper = std::max(upper, bounds_of(blanket, people, factor, each, DrawnEnds::kUpper, budget).upper);
    for (std::uint32_t other = 0; other < rows.size(); ++other) {
      ReportPair& alike = below.find(rows[other], from, to, budget);
      const Number& lower = bounds_of(alike, people, factor, each, DrawnEnds::kLower, budget).lower;
      if (!best.others.empty() && lower <= best.excess.lower) continue;
      best = {pair, std::vector<std::uint64_t>(rows.size(), 0), {}, Number(0), Number(0), {lower, lower}, ""};
      best.others[other] = people - 1;
    }
  }
  best.excess.upper = std::max(upper, best.excess.lower);
  best.reason = "the inputs of " + std::to_string(people - 1) +
                " other people, and the histograms of their reports, are too many to be listed";
  return best;
}

ShuffledEvent excess_beside_any(const LocalReports& reports, const std::vector<RowPair>& pairs, std::uint64_t people,
                                const Number& factor, Budget& budget) {
  if (pairs.empty() || reports.classes() < 2) return {};
  const bool is_rational = std::all_of(reports.rows.begin(), reports.rows.end(), [](const auto& row) {
    return std::all_of(row.begin(), row.end(), [](const Number& entry) { return entry.is_rational(); });
  });
  const double cost = cost_of_listing(reports, pairs.size(), people);
  // Products of quotients in exp have the finest exponents of both. Delta falls as the factor rises.
  if (!is_rational && !factor.is_rational() && cost > kMostIrrational) {
    const Ball near(factor, 128);
    ShuffledEvent event = excess_beside_any(reports, pairs, people, end_of(near, true), budget);
    const Number below = std::max(Number(1), end_of(near, false));
    const ShuffledEvent upper = excess_beside_any(reports, pairs, people, below, budget);
    event.excess.upper = std::max(event.excess.lower, upper.excess.upper);
    event.reason = upper.reason;
    event.histograms.clear();
    return event;
  }
  constexpr std::uint64_t kMostScanned = 100'000;
  const bool is_scanned = reports.classes() == 2 && people <= kMostScanned && factor.approx() <= kLargestScannedFactor;
  if (is_scanned && (is_rational || cost > kMostIrrational)) {
    return excess_of_two_classes(reports, pairs, people, factor, budget);
  }
  if (cost <= (is_rational ? kMostListed : kMostIrrational)) {
    return Listing(reports, pairs, people, factor, budget).largest();
  }
  return bounds_beside_any(reports, pairs, people, factor, budget);
}

}  // namespace oddsbound::engine
