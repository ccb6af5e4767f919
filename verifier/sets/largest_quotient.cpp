#include "verifier/sets/largest_quotient.h"

#include <algorithm>

#include "verifier/ratios/proven_bound.h"

namespace oddsbound::sets {

namespace {

// Of the output given the label, under a member.
Number probability_given(std::size_t label, const LabelledInputs& labelled, const LabelledColumn& column,
                         const Member& member) {
  const std::vector<std::uint64_t>& inputs = labelled.inputs[label];
  std::vector<WeightedTerm> joint, mass;
  for (const auto& [input, weight] : member.rows) {
    const auto place = std::lower_bound(inputs.begin(), inputs.end(), input);
    if (place == inputs.end() || *place != input) continue;
    joint.push_back({weight, column.entries[label][static_cast<std::size_t>(place - inputs.begin())]});
    mass.push_back({weight, Number(1)});
  }
  return weighted_sum(joint) / weighted_sum(mass);
}

// A short number that is not below it.
Level level_above(const Ratio& ratio) {
  if (ratio.infinite) return Level::infinite();
  return ratios::level_above(ratio.value.approx() * (1 + 0x1p-40));
}

}  // namespace

SetLevel LargestQuotient::level() const {
  SetLevel level = best_.value_or(SetLevel());
  if (stopped_ && stopped_->at_most > level.ratio) {
    level.unfinished = Unfinished{std::max(level.level(), level_above(stopped_->at_most)), stopped_->reason};
  }
  return level;
}

SetLevel LargestQuotient::level_at(SetSearch& search, const LabelledInputs& inputs, const LabelledColumn& column,
                                   const Ratio& ratio, std::size_t from, std::size_t to) {
  Member member = search.member(from, to);
  SetLevel level;
  level.ratio = ratio;
  level.from = from;
  level.to = to;
  level.p_from = probability_given(from, inputs, column, member);
  level.p_to = probability_given(to, inputs, column, member);
  level.member = std::move(member);
  level.exact = search.is_exact();
  return level;
}

}  // namespace oddsbound::sets
