#include "verifier/model/definition.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

#include "verifier/model/pair_levels.h"

namespace oddsbound::model {

Partition::Partition(const Domain& domain, std::vector<std::size_t> coordinates, std::vector<std::uint32_t> label_of,
                     std::size_t size)
    : inputs_(domain.is_countable() ? domain.input_numbers() : 0),
      project_(domain, coordinates.empty() ? every_coordinate(domain) : coordinates),
      coordinates_(std::move(coordinates)),
      label_of_(std::move(label_of)),
      size_(size) {}

Partition Partition::by_values(const Domain& domain, std::vector<std::size_t> coordinates) {
  assert(!coordinates.empty());
  const auto size = static_cast<std::size_t>(Projection(domain, coordinates).size());
  return {domain, std::move(coordinates), {}, size};
}

Partition Partition::by_label(const Domain& domain, std::vector<std::uint32_t> label_of, std::size_t labels) {
  assert(label_of.size() == domain.inputs());
  return {domain, {}, std::move(label_of), labels};
}

Partition Partition::by_input(const Domain& domain) { return {domain, {}, {}, domain.inputs()}; }

Partition Partition::against_others(const std::vector<std::uint32_t>& labels) const {
  std::vector<std::uint32_t> side(size_, 1);
  for (const std::uint32_t label : labels) side.at(label) = 0;
  Partition two = *this;
  two.coordinates_.clear();
  two.size_ = 2;
  two.label_of_.resize(project_.size());
  for (std::uint64_t index = 0; index < project_.size(); ++index) {
    two.label_of_[index] = side[label_of_.empty() ? index : label_of_[index]];
  }
  return two;
}

bool InputPairs::relates(std::uint64_t a, std::uint64_t b) const {
  return std::binary_search(pairs.begin(), pairs.end(), std::pair(std::min(a, b), std::max(a, b)));
}

std::vector<std::uint32_t> Partition::labels() const {
  if (inputs_ == 0) fail_for_size();
  require_listable(inputs_);
  std::vector<std::uint32_t> labels(inputs_);
  for (std::uint64_t x = 0; x < inputs_; ++x) {
    const std::uint64_t index = project_(x);
    labels[x] = static_cast<std::uint32_t>(label_of_.empty() ? index : label_of_[index]);
  }
  return labels;
}

std::vector<std::vector<std::uint64_t>> Partition::members() const {
  std::vector<std::vector<std::uint64_t>> members(size_);
  const std::vector<std::uint32_t> label_of = labels();
  for (std::uint64_t x = 0; x < label_of.size(); ++x) members[label_of[x]].push_back(x);
  return members;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<std::uint64_t>& inputs) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const std::uint64_t from : inputs) {
    for (const std::uint64_t to : inputs) {
      if (from != to) pairs.emplace_back(from, to);
    }
  }
  return pairs;
}

std::vector<std::uint64_t> InputSubset::places() const {
  std::vector<std::uint64_t> places(size_);
  std::iota(places.begin(), places.end(), std::uint64_t{0});
  return places;
}

std::vector<std::uint64_t> InputSubset::places_of(const std::vector<std::uint64_t>& numbers) const {
  if (are_all()) return numbers;
  std::map<std::uint64_t, std::uint64_t> place_of;
  for (std::uint64_t place = 0; place < size_; ++place) place_of[number(place)] = place;
  std::vector<std::uint64_t> places;
  for (const std::uint64_t wanted : numbers) {
    if (const auto found = place_of.find(wanted); found != place_of.end()) places.push_back(found->second);
  }
  return places;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> InputSubset::pairs_within(
    const std::vector<std::size_t>& group) const {
  std::map<std::vector<std::uint64_t>, std::vector<std::uint64_t>> alike;  // by the values outside the group
  for (std::uint64_t place = 0; place < size_; ++place) {
    std::vector<std::uint64_t> outside;
    for (std::size_t i = 0; i < domain_->size(); ++i) {
      if (std::find(group.begin(), group.end(), i) == group.end()) outside.push_back(digit(place, i));
    }
    alike[std::move(outside)].push_back(place);
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const auto& [outside, places] : alike) {
    const auto among = pairs_among(places);
    pairs.insert(pairs.end(), among.begin(), among.end());
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

bool differ_within(const Domain& domain, const InputSubset& inputs, std::uint64_t a, std::uint64_t b,
                   const std::vector<std::size_t>& group) {
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const bool inside = std::find(group.begin(), group.end(), i) != group.end();
    if (!inside && inputs.digit(a, i) != inputs.digit(b, i)) return false;
  }
  return true;
}

Comparison comparison_of_values(const Domain& domain, const InputSubset& inputs, std::size_t coordinate,
                                const Level& level) {
  Comparison comparison;
  comparison.about = domain.coordinate(coordinate).name;
  comparison.level = level;
  for (const std::string& value : domain.coordinate(coordinate).values.listed()) comparison.labels.emplace_back(value);
  for (const std::uint64_t place : inputs.places()) {
    comparison.label_of.push_back(static_cast<std::uint32_t>(inputs.digit(place, coordinate)));
  }
  comparison.label_at = [coordinate](InputView row) { return row[coordinate]; };
  comparison.coordinate = coordinate;
  return comparison;
}

namespace {

struct HasRoots {
  bool operator()(const Level& level) const { return level.surd() != nullptr; }
  bool operator()(const CoordinateLevels& levels) const {
    return std::any_of(levels.begin(), levels.end(), [&](const auto& level) { return level && (*this)(*level); });
  }
  bool operator()(const LevelMatrix& matrix) const {
    return std::any_of(matrix.levels.begin(), matrix.levels.end(), *this);
  }
  bool operator()(const std::shared_ptr<const PairLevels>& levels) const { return levels->has_roots(); }
  template <typename NoLevels>
  bool operator()(const NoLevels&) const {
    return false;
  }
};

}  // namespace

Field compared(Field field) {
  field.roots = true;
  return field;
}

bool Arguments::has_roots() const {
  return std::any_of(values_.begin(), values_.end(),
                     [](const auto& field) { return std::visit(HasRoots(), field.second); });
}

}  // namespace oddsbound::model
