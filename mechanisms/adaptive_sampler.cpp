#include "mechanisms/adaptive_sampler.h"

#include <algorithm>

namespace oddsbound::mechanisms {

namespace {

class AdaptiveSampler final : public Sampler {
 public:
  AdaptiveSampler(Stage first, std::vector<Stage> then) : first_(std::move(first)), then_(std::move(then)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_both(output, [&](const Stage& stage, std::span<std::uint64_t> words) {
      draw_part(*stage.channel, *stage.sampler, x, source, words);
    });
  }
  void draw_row(InputView row, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_both(output,
              [&](const Stage& stage, std::span<std::uint64_t> words) { stage.sampler->draw_row(row, source, words); });
  }

 private:
  template <typename Draw>
  void draw_both(std::span<std::uint64_t> output, Draw draw) const {
    std::vector<std::uint64_t> words(output_words(*first_.channel));
    draw(first_, words);
    output[0] = join(*first_.channel, words);
    const Stage& second = then_[output[0]];
    const std::size_t length = output_words(*second.channel);
    draw(second, output.subspan(1, length));
    std::fill(output.begin() + 1 + static_cast<std::ptrdiff_t>(length), output.end(), 0);
  }

  Stage first_;
  std::vector<Stage> then_;
};

}  // namespace

SamplerPtr adaptive_sampler(Stage first, std::vector<Stage> then) {
  return std::make_shared<const AdaptiveSampler>(std::move(first), std::move(then));
}

}  // namespace oddsbound::mechanisms
