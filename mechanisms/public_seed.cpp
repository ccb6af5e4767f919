#include "mechanisms/public_seed.h"

namespace oddsbound::mechanisms {

namespace {

class PublicSeedSampler final : public Sampler {
 public:
  PublicSeedSampler(Stage inner, std::uint64_t seeds, std::uint64_t inputs)
      : inner_(std::move(inner)), seeds_(seeds), inputs_(inputs) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const std::uint64_t seed = mechanisms::draw(UniformBelow(seeds_), source);
    output[0] =
        seed * inner_.channel->outputs() + draw_index(*inner_.channel, *inner_.sampler, seed * inputs_ + x, source);
  }

 private:
  Stage inner_;
  std::uint64_t seeds_, inputs_;
};

}  // namespace

SamplerPtr public_seed_sampler(Stage inner, std::uint64_t seeds, std::uint64_t inputs) {
  return std::make_shared<const PublicSeedSampler>(std::move(inner), seeds, inputs);
}

}  // namespace oddsbound::mechanisms
