// A sampler that calls a function.
#pragma once

#include <functional>

#include "mechanisms/sampler.h"

namespace oddsbound::testing {

class FunctionSampler final : public Sampler {
 public:
  using Draw = std::function<std::uint64_t(std::uint64_t x, RandomSource& source)>;
  explicit FunctionSampler(Draw draw) : draw_(std::move(draw)) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = draw_(x, source);
  }

 private:
  Draw draw_;
};

}  // namespace oddsbound::testing
