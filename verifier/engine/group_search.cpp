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

std::unique_ptr<CoordinateSums> BetweenValues::begin(MeasuredModel& subject) const {
  const Domain& domain = subject.domain();
  assert(direction == AllowedPairs() || coordinates.size() == 1);
  std::vector<GroupRatios> ratios;
  for (const std::size_t i : coordinates) {
    std::vector<std::uint32_t> value_of(domain.inputs());
    for (std::uint64_t x = 0; x < value_of.size(); ++x) value_of[x] = static_cast<std::uint32_t>(domain.digit(x, i));
    ratios.emplace_back(weighted_groups(subject, std::move(value_of),
                                        subject.prior().marginal_weights(i, subject.budget()), direction));
  }
  return std::make_unique<CoordinateSums>(coordinates, subject.prior().dense(subject.budget()).approx,
                                          MarginalSums(domain), std::move(ratios));
}

CoordinateSums::CoordinateSums(const std::vector<std::size_t>& coordinates, std::span<const double> weights,
                               MarginalSums sums, std::vector<GroupRatios> ratios)
    : coordinates_(coordinates), weights_(weights), sums_(std::move(sums)), ratios_(std::move(ratios)) {
  assert(ratios_.size() == coordinates_.size());
}

void CoordinateSums::offer(ColumnView& column) {
  sums_.compute(weights_, column.approx());
  for (std::size_t c = 0; c < ratios_.size(); ++c) ratios_[c].offer(column.output(), sums_.of(coordinates_[c]));
}

bool CoordinateSums::is_saturated() const {
  return std::all_of(ratios_.begin(), ratios_.end(), [](const GroupRatios& ratios) { return ratios.is_infinite(); });
}

void CoordinateSums::take(CoordinateSums&& later) {
  for (std::size_t c = 0; c < ratios_.size(); ++c) ratios_[c].merge(std::move(later.ratios_[c]));
}

CoordinateSums CoordinateSums::successor() {
  std::vector<GroupRatios> ratios;
  for (const GroupRatios& known : ratios_) ratios.push_back(known.successor());
  return {coordinates_, weights_, sums_.successor(), std::move(ratios)};
}

std::vector<GroupLevel> CoordinateSums::finish(MeasuredModel& subject) const {
  const Channel& channel = subject.channel();
  const Columns& columns = subject.columns();
  const Prior& prior = subject.prior();
  std::vector<GroupLevel> levels(ratios_.size());
  by_threads(wanted_threads(subject.budget().limits()), levels.size(), subject.budget(),
             [&](std::uint64_t c, std::size_t, Budget& own) {
               levels[c] = exact_best(channel, columns, prior, ratios_[c], own);
             });
  return levels;
}

std::unique_ptr<LabelSums> BetweenLabels::begin(MeasuredModel& subject) const {
  const DenseWeights& prior = subject.prior().dense(subject.budget());
  std::vector<std::vector<WeightedTerm>> terms(labels);
  for (std::uint64_t x = 0; x < label_of.size(); ++x) terms[label_of[x]].push_back({Number(1), prior.weights[x]});
  std::vector<Number> masses;
  for (const auto& label : terms) masses.push_back(weighted_sum(label));
  return std::make_unique<LabelSums>(prior.approx,
                                     GroupRatios(weighted_groups(subject, label_of, std::move(masses), direction)));
}

LabelSums::LabelSums(std::span<const double> weights, GroupRatios ratios)
    : weights_(weights), ratios_(std::move(ratios)), sums_(ratios_.groups().size()) {}

void LabelSums::offer(ColumnView& column) {
  const std::span<const double> approx = column.approx();
  const std::vector<std::uint32_t>& label_of = ratios_.groups().group_of;
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::uint64_t x = 0; x < approx.size(); ++x) sums_[label_of[x]] += weights_[x] * approx[x];
  ratios_.offer(column.output(), sums_);
}

GroupLevel LabelSums::finish(MeasuredModel& subject) const {
  return exact_best(subject.channel(), subject.columns(), subject.prior(), ratios_, subject.budget());
}

}  // namespace oddsbound::engine
