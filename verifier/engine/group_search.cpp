#include "verifier/engine/group_search.h"

#include <algorithm>

#include "verifier/exact/threads.h"

namespace oddsbound::engine {

MarginalSums::MarginalSums(const Domain& domain) : domain_(domain) {
  for (std::size_t i = 0; i < domain.size(); ++i) sums_.emplace_back(domain.values(i));
}

namespace {

double total(const double* values, std::size_t count) {
  double parts[4] = {0, 0, 0, 0};
  std::size_t j = 0;
  for (; j + 4 <= count; j += 4) {
    for (std::size_t k = 0; k < 4; ++k) parts[k] += values[j + k];
  }
  for (; j < count; ++j) parts[0] += values[j];
  return (parts[0] + parts[1]) + (parts[2] + parts[3]);
}

}  // namespace

void MarginalSums::compute(std::span<const double> weights, std::span<const double> column) {
  assert(weights.size() == domain_.inputs() && column.size() == domain_.inputs());
  joint_.resize(column.size());
  for (std::size_t x = 0; x < joint_.size(); ++x) joint_[x] = weights[x] * column[x];
  for (std::size_t i = 0; i < domain_.size(); ++i) {
    const std::size_t block = domain_.stride(i);
    for (std::size_t v = 0; v < sums_[i].size(); ++v) sums_[i][v] = total(joint_.data() + v * block, block);
    for (std::size_t v = 1; v < sums_[i].size(); ++v) {
      const double* source = joint_.data() + v * block;
      for (std::size_t j = 0; j < block; ++j) joint_[j] += source[j];
    }
  }
}

MarginalSums MarginalSums::successor() {
  MarginalSums next(domain_);
  next.joint_ = std::move(joint_);
  return next;
}

BetweenLabels between_values(const Domain& domain, const std::vector<std::size_t>& coordinates,
                             const AllowedPairs& direction) {
  BetweenLabels question{{}, direction};
  for (const std::size_t i : coordinates) question.partitions.push_back(Partition::by_value(domain, i));
  return question;
}

Bytes BetweenLabels::as_bytes() const {
  BinaryWriter writer;
  writer.put("between labels").put(direction.from).put(direction.to);
  for (const Partition& partition : partitions) {
    writer.put(partition.coordinates()).put(std::uint64_t{partition.size()});
    if (partition.coordinates().empty()) writer.put(partition.labels());
  }
  return writer.take();
}

std::unique_ptr<GroupSums> BetweenLabels::begin(MeasuredModel& subject) const {
  assert(direction == AllowedPairs() || partitions.size() == 1);
  std::vector<GroupRatios> ratios;
  for (const Partition& partition : partitions) ratios.emplace_back(subject, partition, direction);
  return std::make_unique<GroupSums>(subject.prior().dense(subject.budget()).approx, MarginalSums(subject.domain()),
                                     std::move(ratios));
}

GroupSums::GroupSums(std::span<const double> weights, MarginalSums marginals, std::vector<GroupRatios> ratios)
    : weights_(weights), marginals_(std::move(marginals)), ratios_(std::move(ratios)) {}

void GroupSums::offer(ColumnView& column) {
  const std::span<const double> approx = column.approx();
  const auto coordinate = [](const GroupRatios& ratios) { return ratios.groups().coordinate; };
  if (std::any_of(ratios_.begin(), ratios_.end(), coordinate)) marginals_.compute(weights_, approx);
  for (GroupRatios& ratios : ratios_) {
    if (const auto i = coordinate(ratios)) {
      ratios.offer(column.output(), marginals_.of(*i));
    } else {
      ratios.groups().sum(weights_, approx, sums_);
      ratios.offer(column.output(), sums_);
    }
  }
}

bool GroupSums::is_saturated() const {
  return std::all_of(ratios_.begin(), ratios_.end(), [](const GroupRatios& ratios) { return ratios.is_infinite(); });
}

void GroupSums::take(GroupSums&& later) {
  for (std::size_t k = 0; k < ratios_.size(); ++k) ratios_[k].merge(std::move(later.ratios_[k]));
}

GroupSums GroupSums::successor() {
  std::vector<GroupRatios> ratios;
  for (const GroupRatios& known : ratios_) ratios.push_back(known.successor());
  return {weights_, marginals_.successor(), std::move(ratios)};
}

std::vector<GroupLevel> GroupSums::finish(MeasuredModel& subject) const {
  const Channel& channel = subject.channel();
  const Columns& columns = subject.columns();
  const Prior& prior = subject.prior();
  std::vector<GroupLevel> levels(ratios_.size());
  by_threads(wanted_threads(subject.budget().limits()), levels.size(), subject.budget(),
             [&](std::uint64_t k, std::size_t, Budget& own) {
               levels[k] = exact_best(channel, columns, prior, ratios_[k], own);
             });
  return levels;
}

}  // namespace oddsbound::engine
