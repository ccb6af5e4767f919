#include "verifier/model/domain.h"

#include <fmt/ranges.h>
#include <algorithm>
#include <cassert>
#include <charconv>
#include <functional>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "base/budget.h"
#include "base/errors.h"

namespace oddsbound::model {

ValueNames ValueNames::numbered(std::uint64_t count) {
  assert(count > 0 && count <= kMost);
  ValueNames names;
  names.count_ = count;
  return names;
}

std::optional<std::uint64_t> ValueNames::find(std::string_view name) const {
  if (count_ == 0) {
    const auto place = std::find(stored_.begin(), stored_.end(), name);
    return place == stored_.end() ? std::nullopt : std::optional<std::uint64_t>(place - stored_.begin());
  }
  // Only the digits that std::to_string writes: no sign and no leading zero.
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), value);
  const bool plain = error == std::errc() && end == name.data() + name.size() && (name.size() == 1 || name[0] != '0');
  return plain && value < count_ ? std::optional(value) : std::nullopt;
}

std::vector<std::string> ValueNames::listed() const {
  if (count_ == 0) return stored_;
  require_listable(count_);
  std::vector<std::string> names;
  names.reserve(count_);
  for (std::uint64_t v = 0; v < count_; ++v) {
    names.push_back(std::to_string(v));
    Budget::work_on(names.back().size());
  }
  return names;
}

void ValueNames::push_back(std::string name) {
  assert(count_ == 0);
  stored_.push_back(std::move(name));
}

bool operator==(const ValueNames& a, const ValueNames& b) {
  if (a.count_ > 0 && b.count_ > 0) return a.count_ == b.count_;
  if (a.count_ == 0 && b.count_ == 0) return a.stored_ == b.stored_;
  if (a.size() != b.size()) return false;
  // At most as many as are stored.
  for (std::uint64_t v = 0; v < a.size(); ++v) {
    if (a[v] != b[v]) return false;
  }
  return true;
}

namespace {

// Returns the first repeated value, or null.
const std::string* find_twice(std::span<const std::string> values) {
  const auto is_before = [](const std::string& a, const std::string& b) {
    Budget::work_on(a.size());
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  // Values that count up, as tables often have them, are ascending in this order: no hash set for them.
  if (std::adjacent_find(values.begin(), values.end(), std::not_fn(is_before)) == values.end()) return nullptr;
  std::unordered_set<std::string_view> seen;
  for (const std::string& value : values) {
    Budget::work_on(value.size());
    if (!seen.insert(value).second) return &value;
  }
  return nullptr;
}

}  // namespace

Domain::Domain(std::vector<Coordinate> coordinates) : coordinates_(std::move(coordinates)) {
  if (coordinates_.empty()) throw ModelError("a domain needs at least one coordinate");
  std::unordered_set<std::string_view> names;
  for (const Coordinate& coordinate : coordinates_) {
    if (!names.insert(coordinate.name).second) throw ModelError("two coordinates are called '" + coordinate.name + "'");
    if (coordinate.values.empty()) throw ModelError("coordinate '" + coordinate.name + "' has no values");
    if (const std::string* twice = find_twice(coordinate.values.stored())) {
      throw ModelError("coordinate '" + coordinate.name + "' has the value '" + *twice + "' twice");
    }
  }
  constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 62;
  strides_.resize(coordinates_.size());
  inputs_ = 1;
  for (std::size_t i = coordinates_.size(); i-- > 0 && countable_;) {
    strides_[i] = inputs_;
    countable_ = inputs_ <= kMostCounted / values(i);
    inputs_ *= values(i);
  }
}

Number Domain::input_count() const {
  if (countable_) return Number(static_cast<std::int64_t>(inputs_));
  Number count(1);
  for (const Coordinate& coordinate : coordinates_)
    count *= Number(static_cast<std::int64_t>(coordinate.values.size()));
  return count;
}

void fail_for_size() { throw LimitError("the domain has more than 2^62 inputs"); }

std::optional<std::size_t> Domain::find(std::string_view name) const {
  for (std::size_t i = 0; i < size(); ++i)
    if (coordinates_[i].name == name) return i;
  return std::nullopt;
}

std::optional<std::uint64_t> Domain::find_value(std::size_t i, std::string_view value) const {
  return coordinates_[i].values.find(value);
}

std::vector<std::string> Domain::tuple(InputView row) const {
  std::vector<std::string> result;
  result.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) result.push_back(coordinates_[i].values[row[i]]);
  return result;
}

InputRow Domain::row(std::uint64_t input) const {
  InputRow row;
  for (std::size_t i = 0; i < size(); ++i) row.push_back(static_cast<std::uint32_t>(digit(input, i)));
  return row;
}

std::uint64_t Domain::number(InputView row) const {
  std::uint64_t input = 0;
  for (std::size_t i = 0; i < size(); ++i) input += row[i] * stride(i);
  return input;
}

Domain Domain::restricted_to(std::span<const std::size_t> coordinates) const {
  std::vector<Coordinate> chosen;
  for (const std::size_t i : coordinates) chosen.push_back(coordinates_[i]);
  return Domain(std::move(chosen));
}

std::vector<std::size_t> every_coordinate(const Domain& domain) {
  std::vector<std::size_t> coordinates(domain.size());
  std::iota(coordinates.begin(), coordinates.end(), std::size_t{0});
  return coordinates;
}

std::string input_label(const Domain& domain, std::uint64_t input) { return label_of_tuple(domain.tuple(input)); }

std::string label_of_tuple(const std::vector<std::string>& tuple) {
  if (tuple.size() == 1) return tuple[0];
  std::string label;
  for (const std::string& value : tuple) label += (label.empty() ? "(" : ",") + value;
  return label + ")";
}

bool operator==(const Domain& a, const Domain& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.coordinates_[i].name != b.coordinates_[i].name || a.coordinates_[i].values != b.coordinates_[i].values) {
      return false;
    }
  }
  return true;
}

Projection::Projection(const Domain& domain, std::span<const std::size_t> coordinates) {
  for (auto place = coordinates.rbegin(); place != coordinates.rend(); ++place) {
    steps_.push_back({*place, domain.is_countable() ? domain.stride(*place) : 0, domain.values(*place), size_});
    size_ *= domain.values(*place);
  }
}

std::uint64_t Projection::operator()(InputView row) const {
  std::uint64_t index = 0;
  for (const Step& step : steps_) index += row[step.coordinate] * step.target;
  return index;
}

std::uint64_t Projection::operator()(std::uint64_t input) const {
  std::uint64_t index = 0;
  for (const Step& step : steps_) {
    if (step.stride == 0) fail_for_size();
    index += input / step.stride % step.values * step.target;
  }
  return index;
}

void InputList::add(const Domain& domain, InputView row) {
  if (width_ == 0) {
    numbers_.push_back(domain.number(row));
  } else {
    assert(row.size() == width_);
    digits_.insert(digits_.end(), row.begin(), row.end());
  }
}

void InputList::add(const InputList& others) {
  assert(others.size() == 0 || width_ == others.width_);
  numbers_.insert(numbers_.end(), others.numbers_.begin(), others.numbers_.end());
  digits_.insert(digits_.end(), others.digits_.begin(), others.digits_.end());
}

namespace {

std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"') text += c;
    text += c;
  }
  return text + '"';
}

}  // namespace

std::string joined_values(const std::vector<std::string>& values, std::string_view separator) {
  if (values.size() == 1) return values[0];
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string& value = values[i];
    const bool is_plain = value.find(',') == std::string::npos && !value.starts_with('"');
    if (i > 0) text += separator;
    text += is_plain ? value : quoted(value);
  }
  return text;
}

std::vector<std::string> joined_lists(const std::vector<std::vector<std::string>>& lists, std::string_view separator) {
  std::vector<std::string> texts;
  for (const auto& values : lists) texts.push_back(fmt::format("{}", fmt::join(values, separator)));
  if (std::unordered_set<std::string_view>(texts.begin(), texts.end()).size() == texts.size()) return texts;
  for (std::size_t k = 0; k < lists.size(); ++k) texts[k] = joined_values(lists[k], separator);
  return texts;
}

std::vector<std::string> distinct_labels(std::vector<std::string> labels) {
  // A numbered label may equal another output's label: repeat. Terminates: labels only grow.
  for (;;) {
    std::unordered_map<std::string, std::size_t> count, numbered;
    for (const std::string& label : labels) ++count[label];
    if (count.size() == labels.size()) return labels;
    for (std::string& label : labels) {
      if (count[label] > 1) label += " #" + std::to_string(++numbered[label]);
    }
  }
}

}  // namespace oddsbound::model
