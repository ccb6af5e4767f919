#include "verifier/model/partition.h"

#include <cassert>

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

}  // namespace oddsbound::model
