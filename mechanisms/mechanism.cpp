#include "mechanisms/mechanism.h"

#include "verifier/model/adaptive_channel.h"

namespace oddsbound::mechanisms {

namespace {

// The counts of each report among `runs` reports, for one kept answer: the sum of the counts of two halves. Each
// half is a choice of its own, so the exhaustive check enumerates pairs of counts and not all sequences of
// reports.
class CountChoice final : public CodedChoice<CountChoice> {
 public:
  CountChoice(const Stage& report, std::uint64_t answer, std::uint64_t runs)
      : report_(report), answer_(answer), counts_(report.channel->outputs(), runs) {}

  Key key() const override {
    return {reinterpret_cast<std::uintptr_t>(report_.sampler.get()),
            reinterpret_cast<std::uintptr_t>(report_.channel.get()), answer_ << 32 | counts_.runs()};
  }
  std::string describe() const override {
    return "counts of " + std::to_string(counts_.runs()) + " reports for answer " + std::to_string(answer_);
  }
  std::uint64_t outcomes() const override { return counts_.size(); }
  Number probability(std::uint64_t outcome) const override {
    const std::vector<std::uint64_t> counts = counts_.at(outcome);
    Number probability = Counts::orders(counts);
    for (std::uint64_t y = 0; y < counts.size(); ++y) {
      probability *= report_.channel->entry(answer_, y).pow(static_cast<std::int64_t>(counts[y]));
    }
    return probability;
  }
  unsigned check_width() const override { return no_words(); }

  std::uint64_t run(RandomSource& source) const {
    if (counts_.runs() == 1) return draw_index(*report_.channel, *report_.sampler, answer_, source);
    const CountChoice first(report_, answer_, counts_.runs() / 2);
    const CountChoice second(report_, answer_, counts_.runs() - counts_.runs() / 2);
    std::vector<std::uint64_t> counts = first.counts_.at(mechanisms::draw(first, source));
    const std::vector<std::uint64_t> others = second.counts_.at(mechanisms::draw(second, source));
    for (std::size_t y = 0; y < counts.size(); ++y) counts[y] += others[y];
    return counts_.number_of(counts);
  }

 private:
  const Stage& report_;
  std::uint64_t answer_;
  Counts counts_;
};

class MemoizedSampler final : public Sampler {
 public:
  MemoizedSampler(Stage permanent, Stage report, std::uint64_t times)
      : permanent_(std::move(permanent)), report_(std::move(report)), times_(times) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const std::uint64_t answer = draw_index(*permanent_.channel, *permanent_.sampler, x, source);
    output[0] = mechanisms::draw(CountChoice(report_, answer, times_), source);
  }

 private:
  Stage permanent_, report_;
  std::uint64_t times_;
};

}  // namespace

SamplerPtr memoized_sampler(Stage permanent, Stage report, std::uint64_t times) {
  return std::make_shared<const MemoizedSampler>(std::move(permanent), std::move(report), times);
}

}  // namespace oddsbound::mechanisms
