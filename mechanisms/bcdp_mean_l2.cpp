// Mechanism 1 of the BCDP paper on [-1, 1]^d, with the l2-ball mechanism in every step, as printed but for the ball's
// radius (see duchi_l2_ball.cpp) and for steps without budget, which are left out. Continuous outputs: a sampler in
// floating point, no exact levels.
#include <cmath>
#include <optional>

#include "mechanisms/ball.h"
#include "mechanisms/bcdp_budget.h"

namespace oddsbound::mechanisms::bcdp_mean_l2 {

namespace {

class Means final : public ContinuousMechanism {
 public:
  Means(std::vector<std::vector<double>> inputs, const BcdpBudget& budget)
      : inputs_(std::move(inputs)), order_(budget.order), copies_(budget.copies) {
    const std::size_t d = order_.size();
    const std::vector<double> rounded = rounded_steps(budget);
    for (std::size_t k = 0; k < d; ++k) {
      steps_.emplace_back();
      const std::size_t seen = d - k;
      if (!budget.steps[k].is_zero()) {
        steps_.back().emplace(seen, std::sqrt(static_cast<double>(seen)), budget.steps[k]);
      }
      weights_.push_back(bcdp_weights(rounded, k));
    }
  }

  std::size_t dimension() const override { return copies_ * order_.size(); }
  std::size_t copies() const override { return copies_; }

  void draw(std::uint64_t x, RandomSource& source, std::span<double> output) const override {
    const std::size_t d = order_.size();
    for (std::size_t copy = 0; copy < copies_; ++copy) draw_copy(x, source, output.subspan(copy * d, d));
  }

  std::vector<double> mean(std::uint64_t x) const override {
    std::vector<double> result(inputs_[x].size(), 0.0);
    for (std::size_t p = 0; p < order_.size(); ++p) {
      double total = 0;
      for (const double weight : weights_[p]) total += weight;
      if (total > 0) result[order_[p]] = inputs_[x][order_[p]];
    }
    return result;
  }

 private:
  void draw_copy(std::uint64_t x, RandomSource& source, std::span<double> output) const {
    const std::size_t d = order_.size();
    std::fill(output.begin(), output.end(), 0.0);
    std::vector<double> input(d), answer(d);
    for (std::size_t p = 0; p < d; ++p) input[p] = inputs_[x][order_[p]];
    for (std::size_t k = 0; k < d; ++k) {
      if (!steps_[k]) continue;
      const std::span<double> seen(answer.data() + k, d - k);
      (*steps_[k])(std::span<const double>(input).subspan(k), source, seen);
      for (std::size_t p = k; p < d; ++p) output[order_[p]] += weights_[p][k] * answer[p];
    }
  }

  std::vector<std::vector<double>> inputs_;
  std::vector<std::size_t> order_;
  std::size_t copies_;
  std::vector<std::optional<BallDraw>> steps_;
  std::vector<std::vector<double>> weights_;  // [position][step]
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  std::vector<std::vector<double>> inputs = input_vectors(domain);
  for (std::uint64_t x = 0; x < inputs.size(); ++x) {
    for (const double value : inputs[x]) {
      if (std::abs(value) > 1) throw ModelError("the input " + input_label(domain, x) + " leaves [-1, 1]");
    }
  }
  const BcdpBudget budget = bcdp_budget(domain, arguments, ball_variance);
  Mechanism result;
  result.note = budget.note;
  result.continuous = std::make_shared<const Means>(std::move(inputs), budget);
  return result;
}

}  // namespace

Family family() {
  return {"bcdp_mean_l2",
          "an estimate of every coordinate of a vector in [-1, 1]^d, with a BCDP level each (continuous outputs)",
          "BCDP paper, Mechanisms 1 and 3 and Theorem 2, radius corrected", bcdp_budget_fields(), build};
}

}  // namespace oddsbound::mechanisms::bcdp_mean_l2
