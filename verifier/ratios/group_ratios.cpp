#include "verifier/ratios/group_ratios.h"

#include <algorithm>
#include <limits>

namespace oddsbound::ratios {

std::shared_ptr<const WeightedGroups> weighted_groups(MeasuredModel& subject, std::vector<std::uint32_t> group_of,
                                                      std::vector<Number> masses, Direction direction) {
  assert(group_of.size() == subject.channel().inputs());
  auto groups = std::make_shared<WeightedGroups>();
  groups->filter =
      subject.prior().dense(subject.budget()).approximations_usable && subject.columns().pool().approximations_usable();
  groups->slack = 4 * (0x1p-47 + static_cast<double>(group_of.size()) * 0x1p-53);
  for (const Number& mass : masses) {
    groups->inverse_masses.push_back(mass.is_zero() ? 0.0 : 1.0 / mass.approx());
    if (!mass.is_zero() && !(mass.approx() > 0x1p-400 && mass.approx() < 0x1p400)) groups->filter = false;
  }
  groups->group_of = std::move(group_of);
  groups->masses = std::move(masses);
  groups->direction = std::move(direction);
  return groups;
}

void GroupRatios::offer(std::uint64_t output, std::span<const double> sums) {
  assert(survivors_.empty() || survivors_.back().output < output);
  if (!groups_->filter) {
    survivors_.push_back({output, 0});
    return;
  }
  if (infinite_) return;
  const std::vector<double>& inverse_masses = groups_->inverse_masses;
  double high = 0;
  double low = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (inverse_masses[g] == 0) continue;
    const double value = sums[g] * inverse_masses[g];
    if (groups_->direction.may_be_from(g)) high = std::max(high, value);
    if (groups_->direction.may_be_to(g)) low = std::min(low, value);
  }
  if (high == 0) return;
  if (low == 0) {
    // Within the filter's range a sum is 0 only if every term is: the loss is infinite, and any such column will do.
    infinite_ = true;
    survivors_ = {{output, std::numeric_limits<double>::infinity()}};
    return;
  }
  const double ratio = high / low;
  if (ratio < threshold_) return;
  threshold_ = std::max(threshold_, ratio * (1 - groups_->slack));
  survivors_.push_back({output, ratio});
}

void GroupRatios::merge(GroupRatios&& later) {
  assert(groups_ == later.groups_ || groups_->group_of == later.groups_->group_of);
  if (infinite_) return;
  if (later.infinite_) {
    *this = std::move(later);
    return;
  }
  threshold_ = std::max(threshold_, later.threshold_);
  std::erase_if(survivors_, [&](const Survivor& survivor) { return !may_be_best(survivor); });
  for (const Survivor& survivor : later.survivors_) {
    if (may_be_best(survivor)) survivors_.push_back(survivor);
  }
}

std::vector<std::uint64_t> GroupRatios::telling() const {
  std::vector<std::uint64_t> outputs;
  for (const Survivor& survivor : survivors_) {
    if (infinite_ || may_be_best(survivor)) outputs.push_back(survivor.output);
  }
  return outputs;
}

GroupRatios GroupRatios::successor() const {
  GroupRatios ratios(groups_);
  // An infinite quotient is not handed on: who comes later would report none, and need not.
  ratios.threshold_ = threshold_;
  return ratios;
}

}  // namespace oddsbound::ratios
