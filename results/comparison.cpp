#include "results/comparison.h"

#include <algorithm>

namespace oddsbound::results {

namespace {

template <typename Value>
std::optional<std::strong_ordering> order_between(const Between<Value>& a, const Between<Value>& b) {
  if (a.at_most < b.at_least) return std::strong_ordering::less;
  if (b.at_most < a.at_least) return std::strong_ordering::greater;
  if (a.exact() && b.exact()) return std::strong_ordering::equal;
  return std::nullopt;
}

}  // namespace

std::optional<std::strong_ordering> order_of(const ComparedCell& a, const ComparedCell& b) {
  const auto *level = std::get_if<Between<Level>>(&a.value), *other_level = std::get_if<Between<Level>>(&b.value);
  if (level != nullptr && other_level != nullptr) return order_between(*level, *other_level);
  const auto *number = std::get_if<Between<Number>>(&a.value), *other = std::get_if<Between<Number>>(&b.value);
  if (number != nullptr && other != nullptr) return order_between(*number, *other);
  return std::nullopt;
}

std::size_t ComparedRow::known() const {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [](const ComparedCell& cell) { return cell.known(); }));
}

std::vector<std::size_t> ComparedRow::lowest() const {
  std::vector<std::size_t> lowest;
  if (!not_compared.empty() || known() < 2) return lowest;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto not_above = [&](const ComparedCell& other) {
      if (!other.known() || &other == &cells[i]) return true;
      const auto order = order_of(cells[i], other);
      return order && *order <= 0;
    };
    if (cells[i].known() && std::all_of(cells.begin(), cells.end(), not_above)) lowest.push_back(i);
  }
  return lowest;
}

std::string ComparedRow::name() const { return coordinate.empty() ? quantity : quantity + " " + coordinate; }

bool DesignComparison::dominates(std::size_t a, std::size_t b) const {
  bool better = false;
  for (const ComparedRow& row : rows) {
    if (!row.cells[a].known() && !row.cells[b].known()) continue;
    const auto order = row.not_compared.empty() ? order_of(row.cells[a], row.cells[b]) : std::nullopt;
    if (!order || *order > 0) return false;
    better = better || *order < 0;
  }
  return better;
}

int DesignComparison::exit_status() const {
  const bool wrong = std::any_of(errors.begin(), errors.end(), [](const FileError& error) { return !error.stopped; });
  return wrong ? 2 : open > 0 || !errors.empty() ? 3 : 0;
}

}  // namespace oddsbound::results
