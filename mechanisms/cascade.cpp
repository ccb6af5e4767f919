#include "mechanisms/cascade.h"

namespace oddsbound::mechanisms {

namespace {

class CascadeSampler final : public Sampler {
 public:
  CascadeSampler(Stage first, Stage second, std::vector<std::uint64_t> input_of)
      : first_(std::move(first)), second_(std::move(second)), input_of_(std::move(input_of)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = draw_stage(second_, input_of_[draw_stage(first_, x, source)], source);
  }

 private:
  static std::uint64_t draw_stage(const Stage& stage, std::uint64_t input, RandomSource& source) {
    std::vector<std::uint64_t> words(output_words(*stage.channel));
    draw_part(*stage.channel, *stage.sampler, input, source, words);
    return join(*stage.channel, words);
  }

  Stage first_, second_;
  std::vector<std::uint64_t> input_of_;
};

}  // namespace

SamplerPtr cascade_sampler(Stage first, Stage second, std::vector<std::uint64_t> input_of) {
  return std::make_shared<const CascadeSampler>(std::move(first), std::move(second), std::move(input_of));
}

}  // namespace oddsbound::mechanisms
