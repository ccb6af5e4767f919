#include "mechanisms/function_sampler.h"

namespace oddsbound::mechanisms {

namespace {

class FunctionSampler final : public Sampler {
 public:
  FunctionSampler(Stage inner, OutputFunction function) : inner_(std::move(inner)), function_(std::move(function)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    std::vector<std::uint64_t> words(output_words(*inner_.channel));
    if (inner_.sampler->parts().empty()) {
      draw_part(*inner_.channel, *inner_.sampler, x, source, words);
    } else {
      // Each part is a choice of its own. All parts together may have too many outputs for one.
      inner_.sampler->draw(x, source, words);
    }
    output[0] = function_(words);
  }

 private:
  Stage inner_;
  OutputFunction function_;
};

}  // namespace

SamplerPtr function_sampler(Stage inner, OutputFunction function) {
  return std::make_shared<const FunctionSampler>(std::move(inner), std::move(function));
}

}  // namespace oddsbound::mechanisms
