#include "verifier/ratios/local_search.h"

#include <algorithm>
#include <numeric>

namespace oddsbound::ratios {

namespace {

// What grows by less counts as rounding.
constexpr double kGrowth = 1e-9;

double share(const std::vector<double>& column, std::uint32_t own) {
  return column[own] / std::accumulate(column.begin(), column.end(), 0.0);
}

}  // namespace

// A row of one of the groups with the product of what the path's outputs give it, but for those that are 0.
struct LocalSearch::Weighed {
  const SeenRow* row;
  double product;
  std::size_t zeros = 0;

  void add(double entry) { entry == 0 ? static_cast<void>(++zeros) : static_cast<void>(product *= entry); }
  void remove(double entry) { entry == 0 ? static_cast<void>(--zeros) : static_cast<void>(product /= entry); }
};

// Of each factor the output that stands out most for the row: entries are in proportion within an output only.
Path LocalSearch::likeliest_outputs(const SeenRow& row) const {
  Path path(suffixes_.depths(), 0);
  for (std::size_t d = 0; d < path.size(); ++d) {
    const std::uint32_t own = row.classes[suffixes_.factor(d)];
    const auto& entries = suffixes_.entries(d);
    for (std::uint32_t y = 1; y < entries.size(); ++y) {
      if (share(entries[y], own) > share(entries[path[d]], own)) path[d] = y;
    }
  }
  return path;
}

LocalSearch::Found LocalSearch::best_from(Path path, std::uint32_t from, std::uint32_t to,
                                          const std::function<void()>& look) const {
  const double shares = (seen_.masses[to] / seen_.masses[from]).approx();
  std::vector<Weighed> rows;
  for (const SeenRow& row : seen_.rows) {
    if (row.group != from && row.group != to) continue;
    Weighed& weighed = rows.emplace_back(Weighed{&row, row.weight.approx()});
    for (std::size_t d = 0; d < path.size(); ++d) {
      weighed.add(suffixes_.entries(d)[path[d]][row.classes[suffixes_.factor(d)]]);
    }
  }
  double best = 0;
  bool improved = true;
  while (improved) {
    improved = false;
    for (std::size_t d = 0; d < path.size(); ++d) {
      look();
      const std::size_t f = suffixes_.factor(d);
      const auto& entries = suffixes_.entries(d);
      std::vector<double> sums_from(seen_.factors[f].classes, 0);
      std::vector<double> sums_to(seen_.factors[f].classes, 0);
      for (Weighed& weighed : rows) {
        const std::uint32_t seen = weighed.row->classes[f];
        weighed.remove(entries[path[d]][seen]);
        if (weighed.zeros == 0) (weighed.row->group == from ? sums_from : sums_to)[seen] += weighed.product;
      }
      for (std::uint32_t y = 0; y < entries.size(); ++y) {
        const double p_from = std::inner_product(sums_from.begin(), sums_from.end(), entries[y].begin(), 0.0);
        const double p_to = std::inner_product(sums_to.begin(), sums_to.end(), entries[y].begin(), 0.0);
        const double ratio = p_from == 0 ? 0 : p_from / p_to * shares;
        if (!(ratio > best * (1 + kGrowth))) continue;  // nor where doubles do not reach
        best = ratio;
        path[d] = y;
        improved = true;
      }
      for (Weighed& weighed : rows) weighed.add(entries[path[d]][weighed.row->classes[f]]);
    }
  }
  return {std::move(path), best};
}

void LocalSearch::climb(std::uint32_t from, std::uint32_t to, std::size_t starts, const std::function<void()>& look,
                        const std::function<void(Found)>& offer) const {
  std::vector<const SeenRow*> heaviest;
  for (const SeenRow& row : seen_.rows) {
    if (row.group == from) heaviest.push_back(&row);
  }
  std::stable_sort(heaviest.begin(), heaviest.end(),
                   [](const SeenRow* a, const SeenRow* b) { return b->weight < a->weight; });
  heaviest.resize(std::min(heaviest.size(), starts));
  for (const SeenRow* row : heaviest) offer(best_from(likeliest_outputs(*row), from, to, look));
}

}  // namespace oddsbound::ratios
