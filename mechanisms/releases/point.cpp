#include "mechanisms/releases/point.h"

#include <set>

#include "mechanisms/releases/enough.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::mechanisms {

namespace {

class Point final : public Step {
 public:
  explicit Point(PointRequest request) : request_(std::move(request)) {
    // Counts are compared with a share of all people alone.
    request_.hitters.window = 0;
    request_.hitters.lists = false;
    hitters_ = heavy_hitters_step(request_.hitters);
  }

  std::string words() const override {
    return "what those of " + request_.people.words() + " have of " +
           words_of(request_.people.schema, request_.people.inputs) + "; " + hitters_->words();
  }
  Loss loss(const Attributes& changed) const override { return hitters_->loss(changed); }
  std::vector<CostPart> parts() const override { return hitters_->parts(); }
  StepPtr within(std::uint64_t) const override { return std::make_shared<const Point>(*this); }

  std::vector<std::int64_t> run(const PeopleTable& table, RandomSource& source) const override {
    const SmallRatio share = request_.hitters.share;
    const auto least = static_cast<std::int64_t>(share_below(share.top, share.bottom, table.people()));
    std::set<InputRow> with, without;
    for (Listed& one : listed_in(request_.hitters, hitters_->run(table, source))) {
      if (*one.count <= least) continue;
      const bool labeled = one.values.back() == 1;
      one.values.pop_back();
      (labeled ? with : without).insert(std::move(one.values));
    }
    const InputRow found = with.empty() ? least_outside(without) : *with.begin();
    return {found.begin(), found.end()};
  }

  // With the error 5 share: if every combination of inputs and label that k = 5/2 share of all people have is listed,
  // with a count above the share, and nobody's combination is, then fewer than 2 k people are on the wrong side. Those
  // are the people with the label, if theirs is not listed, and those who have what is told without it.
  std::optional<Promise> promise() const override {
    const SmallRatio share = request_.hitters.share, counts = request_.hitters.count_scale.value();
    if (5 * share.top >= share.bottom) return std::nullopt;
    const double combinations = static_cast<double>(2 * share.bottom / (5 * share.top));
    const double listed = listed_on_average(request_.hitters);
    const auto broken = [&](std::uint64_t people) {
      const auto count = static_cast<std::int64_t>(share_above(5 * share.top, 2 * share.bottom, people));
      // How far that is above the share, at least.
      const auto above = static_cast<std::int64_t>(share_above(3 * share.top, 2 * share.bottom, people));
      const auto most = static_cast<std::int64_t>(share_below(share.top, share.bottom, people));
      return combinations * (missed_in_tests(request_.hitters, count, people) + laplace_tail(counts, above)) +
             listed * laplace_tail(counts, most + 1);
    };
    return Promise{"at most " + decimal_text(Number(5) * share.number()) +
                       " of all people are on the wrong side, if those with the label are those with one combination",
                   least_for(broken)};
  }

  std::vector<ToldNumber> answers(std::span<const std::int64_t> told, std::size_t) const override {
    const InputRow values(told.begin(), told.end());
    return {{request_.people.words() + " where " +
                 words_of(request_.people.schema.restricted_to(request_.people.inputs), values),
             {},
             {}}};
  }

 private:
  // The first of all where there is none outside.
  InputRow least_outside(const std::set<InputRow>& taken) const {
    const InputRow first(request_.people.inputs.size(), 0);
    InputRow row = first;
    while (taken.contains(row)) {
      std::size_t i = row.size();
      while (i > 0 && row[i - 1] + 1 == request_.people.schema.values(request_.people.inputs[i - 1])) row[--i] = 0;
      if (i == 0) return first;
      ++row[i - 1];
    }
    return row;
  }

  PointRequest request_;
  StepPtr hitters_;
};

}  // namespace

StepPtr point_step(PointRequest request) { return std::make_shared<const Point>(std::move(request)); }

}  // namespace oddsbound::mechanisms
