#include "specs/column_values.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace oddsbound::specs {

namespace {

// Written as integers are, so that different texts are different numbers: "7" and "-12", not "07", "+7" or "7.0".
bool is_plain_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  return text[0] != '0' || (text.size() == 1 && !negative);
}

bool integer_before(std::string_view a, std::string_view b) {
  const bool negative = a.starts_with('-');
  if (negative != b.starts_with('-')) return negative;
  if (negative) std::swap(a, b);
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool value_before(std::string_view a, std::string_view b) {
  const bool integer = is_plain_integer(a);
  if (integer != is_plain_integer(b)) return integer;
  return integer ? integer_before(a, b) : a < b;
}

}  // namespace

ColumnValues::ColumnValues(const std::vector<std::string>& declared) {
  for (const std::string& value : declared) find_or_add(value);
}

std::optional<std::uint32_t> ColumnValues::find(const std::string& value) const {
  const auto place = numbers_.find(value);
  return place == numbers_.end() ? std::nullopt : std::optional(place->second);
}

std::uint32_t ColumnValues::find_or_add(const std::string& value) {
  return numbers_.emplace(value, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

std::vector<std::string> ColumnValues::sorted(std::vector<std::uint32_t>& places) const {
  std::vector<const std::pair<const std::string, std::uint32_t>*> order;
  for (const auto& known : numbers_) order.push_back(&known);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return value_before(a->first, b->first); });
  places.resize(order.size());
  std::vector<std::string> sorted;
  for (const auto* known : order) {
    places[known->second] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(known->first);
  }
  return sorted;
}

}  // namespace oddsbound::specs
