// Hadamard response (Acharya, Sun, Zhang 2019): see hadamard.h.
#include "mechanisms/family.h"
#include "mechanisms/formulas.h"
#include "mechanisms/hadamard.h"
#include "mechanisms/rule_channel.h"

namespace oddsbound {

namespace {

struct Rule {
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return hadamard_positive(x + 1, y) ? 0 : 1; }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

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

std::uint64_t hadamard_order(std::uint64_t symbols) { return std::bit_ceil(symbols + 1); }

HadamardEntries hadamard_entries(std::uint64_t order, const Level& epsilon) {
  const Number positive = odds_share(epsilon, Number(1), Number(1));
  const Number half = Number(2) / whole(order);
  return {positive * half, (Number(1) - positive) * half};
}

ChannelPtr hadamard_channel(std::uint64_t symbols, const Level& epsilon) {
  const std::uint64_t order = hadamard_order(symbols);
  const HadamardEntries entries = hadamard_entries(order, epsilon);
  return rule_channel(symbols, order, {entries.positive, entries.negative}, Rule{});
}

HadamardDraw::HadamardDraw(std::uint64_t order, const Level& epsilon)
    : order_(order), sign_(odds_share(epsilon, Number(1), Number(1))) {}

Family hadamard_response_family() {
  return {"hadamard_response",
          "an output of one's row of a Hadamard matrix: sign +1 with odds e^eps, then any output of that sign",
          "Acharya, Sun, Zhang (2019); context-aware LDP paper, Section 2",
          {{"epsilon", FieldKind::kLevel, true, "the LDP level"}},
          build};
}

}  // namespace oddsbound
