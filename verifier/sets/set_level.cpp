#include "verifier/sets/set_level.h"

#include <algorithm>

namespace oddsbound::sets {

namespace {

class SetScan final : public AccumulatorOf<SetScan> {
 public:
  SetScan(const PriorSet& set, const SetQuestion& question, const Direction& direction)
      : set_(set), question_(question), inputs_(question.inputs), direction_(direction) {
    column_.entries.resize(inputs_.inputs.size());
    column_.extremes.resize(inputs_.inputs.size());
  }

  void offer(ColumnView& view) override {
    if (!search_) search_ = set_.search(question_, *Budget::current());
    fill(view);
    search_->look_at(column_);
    const std::size_t labels = inputs_.inputs.size();
    const Number* least = &column_.smallest(0);
    for (std::size_t label = 1; label < labels; ++label) least = &std::min(*least, column_.smallest(label));
    for (std::size_t from = 0; from < labels; ++from) {
      if (best_ && Ratio::of(column_.largest(from), *least) <= best_->ratio) continue;
      for (std::size_t to = 0; to < labels; ++to) {
        Budget::current()->tick();
        if (direction_.allows(from, to)) compare(view.output(), from, to);
      }
    }
  }

  bool is_saturated() const override { return best_ && best_->ratio.infinite; }
  void take(SetScan&& later) {
    if (later.best_ && (!best_ || later.best_->ratio > best_->ratio)) best_ = std::move(later.best_);
  }
  SetScan successor() const { return {set_, question_, direction_}; }

  SetLevel finish() const { return best_.value_or(SetLevel()); }

 private:
  void fill(ColumnView& view) {
    const auto ranks = view.ranks();
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      std::vector<Number>& entries = column_.entries[label];
      auto& [largest, smallest] = column_.extremes[label] = {};
      entries.clear();
      for (const std::uint64_t x : inputs_.inputs[label]) {
        const std::size_t place = entries.size();
        entries.push_back(view.pool().value(ranks[x]));
        if (ranks[x] > ranks[inputs_.inputs[label][largest]]) largest = place;
        if (ranks[x] < ranks[inputs_.inputs[label][smallest]]) smallest = place;
      }
    }
  }

  // Whatever the prior, no quotient is above that of the extremes.
  void compare(std::uint64_t output, std::size_t from, std::size_t to) {
    if (best_ && Ratio::of(column_.largest(from), column_.smallest(to)) <= best_->ratio) return;
    const std::optional<Ratio> ratio = search_->largest(from, to);
    if (!ratio || (best_ && *ratio <= best_->ratio)) return;
    Member member = search_->member(from, to);
    const Number p_from = probability(from, member);
    const Number p_to = probability(to, member);
    best_ = SetLevel{*ratio, output, from, to, p_from, p_to, std::move(member), search_->is_exact()};
  }

  // Of the output given the label, under a member.
  Number probability(std::size_t label, const Member& member) const {
    const std::vector<std::uint64_t>& inputs = inputs_.inputs[label];
    std::vector<WeightedTerm> joint, mass;
    for (const auto& [input, weight] : member.rows) {
      const auto place = std::lower_bound(inputs.begin(), inputs.end(), input);
      if (place == inputs.end() || *place != input) continue;
      joint.push_back({weight, column_.entries[label][static_cast<std::size_t>(place - inputs.begin())]});
      mass.push_back({weight, Number(1)});
    }
    return weighted_sum(joint) / weighted_sum(mass);
  }

  const PriorSet& set_;
  const SetQuestion& question_;
  const LabelledInputs& inputs_;
  const Direction& direction_;
  std::unique_ptr<SetSearch> search_;
  LabelledColumn column_;
  std::optional<SetLevel> best_;
};

}  // namespace

LabelledInputs by_value(const Domain& domain, std::size_t coordinate) {
  LabelledInputs labelled{std::vector<std::vector<std::uint64_t>>(domain.values(coordinate)), coordinate};
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) labelled.inputs[domain.digit(x, coordinate)].push_back(x);
  return labelled;
}

LabelledInputs by_label(const std::vector<std::uint32_t>& label_of, std::size_t labels) {
  LabelledInputs labelled{std::vector<std::vector<std::uint64_t>>(labels), std::nullopt};
  for (std::uint64_t x = 0; x < label_of.size(); ++x) labelled.inputs[label_of[x]].push_back(x);
  return labelled;
}

SetLevel level_over(MeasuredModel& subject, const PriorSet& set, const LabelledInputs& inputs,
                    const Direction& direction, std::size_t at_once) {
  const SetQuestion question{subject.domain(), inputs, subject.channel().outputs(), at_once};
  SetScan scan(set, question, direction);
  pass(subject.columns(), scan, subject.budget());
  return scan.finish();
}

}  // namespace oddsbound::sets
