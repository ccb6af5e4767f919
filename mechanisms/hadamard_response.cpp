// Hadamard response (Acharya, Sun, Zhang 2019): see hadamard.h.
#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "mechanisms/hadamard.h"

namespace oddsbound::mechanisms::hadamard_response {

namespace {

class Response final : public Sampler {
 public:
  explicit Response(const HadamardDraw& draw) : draw_(draw) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = draw_(x + 1, source);
  }

 private:
  HadamardDraw draw_;
};

// Rows are orthogonal, so the entry of a row, times (e + 1)/(e - 1), averages to 1 for its owner and to 0 for others.
class Shares final : public ShareEstimator {
 public:
  Shares(const Domain& domain, const Number& gain) : ShareEstimator(domain), gain_(gain) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    return hadamard_positive(j + 1, output[0]) ? gain_ : -gain_;
  }

 private:
  Number gain_;
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  const Level& epsilon = arguments.get<Level>("epsilon");
  Mechanism result;
  result.channel = hadamard_channel(domain.inputs(), epsilon);
  result.sampler = std::make_shared<const Response>(HadamardDraw(result.channel->outputs(), epsilon));
  if (is_informative(epsilon)) result.estimator = std::make_shared<const Shares>(domain, sign_gain(epsilon));
  return result;
}

}  // namespace

Family family() {
  return {"hadamard_response",
          "an output of one's row of a Hadamard matrix: sign +1 with odds e^eps, then any output of that sign",
          "Acharya, Sun, Zhang (2019); context-aware LDP paper, Section 2",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"}},
          build};
}

}  // namespace oddsbound::mechanisms::hadamard_response
