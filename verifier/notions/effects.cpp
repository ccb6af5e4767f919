#include "verifier/notions/effects.h"

#include "base/errors.h"
#include "base/short_message.h"
#include "verifier/notions/bcdp.h"

namespace oddsbound::notions {

namespace {

// Of a value, by Bayes' rule.
Effect effect_of(const MeasuredModel& subject, std::size_t coordinate, std::size_t value,
                 const std::vector<std::uint64_t>& output) {
  const Prior& prior = subject.prior();
  std::vector<WeightedTerm> all, own;
  prior.each_row(subject.budget(), [&](InputView row, const Number& weight) {
    all.push_back({weight, subject.channel().entry_at(subject.domain(), row, output)});
    if (row[coordinate] == value) own.push_back(all.back());
  });
  const Number joint = weighted_sum(all);
  return {subject.channel().label_of(output), joint / prior.total(), weighted_sum(own) / joint};
}

class Measuring {
 public:
  explicit Measuring(MeasuredModel& subject) : subject_(subject) {}

  Effects take() {
    require_few_rows(subject_);
    const std::vector<ValueLevel>& levels = bcdp_levels(subject_);
    attempt([&] { record_ = leakage_of_record(subject_); });
    for (std::size_t i = 0; i < levels.size(); ++i) add(i, levels[i]);
    if (record_) effects_.record = std::move(record_->leakage);
    return std::move(effects_);
  }

 private:
  template <typename Compute>
  void attempt(Compute compute) {
    try {
      compute();
    } catch (const LimitError& error) {
      if (effects_.without.empty()) effects_.without = shortened(error.what());
    }
  }

  void add(std::size_t i, const ValueLevel& level) {
    AttributeEffects& own = effects_.attributes.emplace_back();
    // What is ruled out says more than what becomes likelier.
    const std::size_t value = level.level.is_infinite() ? level.to : level.from;
    own.value = subject_.domain().coordinate(i).values[value];
    attempt([&] {
      own.prior = subject_.prior().marginal_weights(i, subject_.budget())[value] / subject_.prior().total();
      if (level.shown) own.worst = effect_of(subject_, i, value, level.found.get().output);
      if (record_) own.frequent = effect_of(subject_, i, value, subject_.channel().split(record_->likeliest));
    });
    attempt([&] { own.average = leakage_of_value(subject_, i); });
  }

  MeasuredModel& subject_;
  Effects effects_;
  std::optional<RecordLeakage> record_;
};

}  // namespace

Effects measure_effects(MeasuredModel& subject) { return Measuring(subject).take(); }

}  // namespace oddsbound::notions
