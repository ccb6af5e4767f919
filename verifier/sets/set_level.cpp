#include "verifier/sets/set_level.h"

#include <algorithm>

#include "verifier/sets/column_search.h"
#include "verifier/sets/largest_quotient.h"

namespace oddsbound::sets {

namespace {

class SetScan final : public AccumulatorOf<SetScan> {
 public:
  SetScan(ColumnSearch columns, const Direction& direction) : columns_(std::move(columns)), direction_(direction) {}

  void offer(ColumnView& view) override {
    SetSearch& search = columns_.look_at(view);
    const LabelledColumn& column = columns_.column();
    const Number* least = &column.smallest(0);
    for (std::size_t label = 1; label < columns_.labels(); ++label) least = &std::min(*least, column.smallest(label));
    for (std::size_t from = 0; from < columns_.labels(); ++from) {
      if (found_.known() && Ratio::of(column.largest(from), *least) <= *found_.known()) continue;
      for (std::size_t to = 0; to < columns_.labels(); ++to) {
        Budget::current()->tick();
        if (!direction_.allows(from, to)) continue;
        const auto name = [&] { return std::vector<std::uint64_t>{view.output()}; };
        found_.compare(search, columns_.inputs(), column, from, to, name);
      }
    }
  }

  bool is_saturated() const override { return found_.known() && found_.known()->infinite; }
  void take(SetScan&& later) { found_.take(std::move(later.found_)); }
  SetScan successor() {
    SetScan later(columns_.successor(), direction_);
    later.found_ = found_.successor();
    return later;
  }

  /// Its output is not split.
  SetLevel finish() const { return found_.level(); }

 private:
  ColumnSearch columns_;
  const Direction& direction_;
  LargestQuotient found_;
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
  const SetQuestion question{subject.domain(), inputs, subject.channel().output_count(), at_once};
  SetScan scan(ColumnSearch(set, question), direction);
  pass(subject.columns(), scan, subject.budget());
  SetLevel level = scan.finish();
  if (level.output) level.output = subject.channel().split(level.output->front());
  return level;
}

}  // namespace oddsbound::sets
