#include "mechanisms/cascade.h"

namespace oddsbound::mechanisms {

namespace {

class CascadeSampler final : public Sampler {
 public:
  CascadeSampler(Stage first, Stage second, std::vector<std::uint64_t> input_of)
      : first_(std::move(first)), second_(std::move(second)), input_of_(std::move(input_of)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const std::uint64_t middle = draw_index(*first_.channel, *first_.sampler, x, source);
    output[0] = draw_index(*second_.channel, *second_.sampler, input_of_[middle], source);
  }

 private:
  Stage first_, second_;
  std::vector<std::uint64_t> input_of_;
};

}  // namespace

SamplerPtr cascade_sampler(Stage first, Stage second, std::vector<std::uint64_t> input_of) {
  return std::make_shared<const CascadeSampler>(std::move(first), std::move(second), std::move(input_of));
}

}  // namespace oddsbound::mechanisms
