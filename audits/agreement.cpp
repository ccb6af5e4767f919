#include "audits/agreement.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "audits/confidence.h"
#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/interval.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::audits {

namespace {

constexpr double kImpossible = 1e9;

struct RowTest {
  const Channel& channel;
  std::uint64_t input;
  std::span<const double> stated;
  std::span<const std::uint64_t> counts;
  std::uint64_t runs;
  std::size_t cells;  // number of outputs with positive probability
  double alpha;
};

RowTest test_of(const Channel& channel, std::uint64_t x, const std::vector<double>& stated, const Tally& tally,
                double alpha) {
  const auto cells = std::count_if(stated.begin(), stated.end(), [](double p) { return p > 0; });
  return {channel, x, stated, tally.row(x), tally.total(x), static_cast<std::size_t>(cells), alpha};
}

// The error of each end of each output's interval. The intervals use the same error events as the output-by-output
// tests.
double alpha_of_end(const RowTest& test) { return test.alpha / 4 / static_cast<double>(test.counts.size()); }

Deviation deviation_at(const RowTest& test, std::uint64_t y, bool as_a_whole) {
  Deviation deviation{test.input, y, test.counts[y], test.runs, test.channel.entry(test.input, y), {}, as_a_whole};
  deviation.interval = std::pair(lower_limit(test.runs, test.counts[y], alpha_of_end(test)),
                                 upper_limit(test.runs, test.counts[y], alpha_of_end(test)));
  return deviation;
}

// Skips outputs whose tail cannot be small. Skipping loses no more power than those tests could have added.
bool may_deviate(double count, double mean, double p) {
  return std::abs(count - mean) > 2.5 * std::sqrt(std::max(mean * (1 - p), 1e-300));
}

std::optional<Deviation> test_row(const RowTest& test) {
  const auto runs = static_cast<double>(test.runs);
  const double alpha = alpha_of_end(test);
  double divergence = 0;
  std::uint64_t worst = 0;
  double most = -1;
  double least_tail = 1;
  for (std::uint64_t y = 0; y < test.counts.size(); ++y) {
    const auto count = static_cast<double>(test.counts[y]);
    const double p = test.stated[y];
    if (p == 0 && test.channel.entry(test.input, y).is_zero()) {
      if (test.counts[y] > 0) return deviation_at(test, y, false);
      continue;
    }
    if (test.counts[y] > 0) divergence += count * std::log(count / (runs * p));
    const double distance = std::abs(count - runs * p) / std::sqrt(runs * p + 1);
    if (distance > most) {
      most = distance;
      worst = y;
    }
    if (!may_deviate(count, runs * p, p)) continue;
    const Number stated = test.channel.entry(test.input, y);
    const double tail =
        std::min(tail_bound(test.runs, test.counts[y], exact::rounded_above(stated)),
                 tail_bound(test.runs, test.runs - test.counts[y], exact::rounded_above(Number(1) - stated)));
    least_tail = std::min(least_tail, tail);
    if (tail <= alpha && tail <= least_tail) worst = y;
  }
  if (least_tail <= alpha) return deviation_at(test, worst, false);
  // The error of `divergence` is below runs * 2^-45: probabilities are within 2^-50 and the terms are summed in
  // double.
  if (divergence - runs * 0x1p-45 >= critical_divergence(test.alpha / 2, test.cells)) {
    return deviation_at(test, worst, true);
  }
  return std::nullopt;
}

// A change by d in total variation changes the probability of some event by d. The frequency of that event differs by
// at least d - slack with probability 0.99 (Hoeffding). Then n KL >= 2 n (d - slack)^2 (Pinsker).
double power_of(const RowTest& test) {
  const auto runs = static_cast<double>(test.runs);
  const double slack = std::sqrt(-std::log(kMissed) / (2 * runs));
  return std::min(1.0, slack + std::sqrt(critical_divergence(test.alpha / 2, test.cells) / (2 * runs)));
}

// log E of the row's counts, for E the Dirichlet(1/2) mixture likelihood ratio. It grows like n KL; the cost of the
// mixture grows only logarithmically.
double log_evidence_of(const RowTest& test) {
  const double prior = 0.5;
  double sum = 0;
  for (std::uint64_t y = 0; y < test.counts.size(); ++y) {
    if (test.counts[y] == 0) continue;
    const auto count = static_cast<double>(test.counts[y]);
    if (test.stated[y] == 0 && test.channel.entry(test.input, y).is_zero()) return kImpossible;
    sum += std::lgamma(count + prior) - std::lgamma(prior) - count * std::log(test.stated[y]);
  }
  const double all = prior * static_cast<double>(test.cells);
  return sum - std::lgamma(static_cast<double>(test.runs) + all) + std::lgamma(all);
}

// The output whose count is farthest from its stated mean, in standard deviations.
std::uint64_t farthest(const RowTest& test) {
  std::uint64_t worst = 0;
  double most = -1;
  for (std::uint64_t y = 0; y < test.counts.size(); ++y) {
    const double mean = static_cast<double>(test.runs) * test.stated[y];
    const double distance = std::abs(static_cast<double>(test.counts[y]) - mean) / std::sqrt(mean + 1e-9);
    if (distance > most) {
      most = distance;
      worst = y;
    }
  }
  return worst;
}

}  // namespace

Agreement check_agreement_any_time(const Channel& channel, const Tally& tally, double alpha, Budget& budget) {
  Agreement agreement;
  const auto rows = rounded_rows(channel, budget);
  const double each = alpha / static_cast<double>(channel.inputs());
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    budget.check();
    const RowTest test = test_of(channel, x, rows[x], tally, each);
    if (test.runs == 0) continue;
    ++agreement.inputs;
    agreement.entries += channel.outputs();
    // The margin is far above the rounding error of the sum.
    if (log_evidence_of(test) - 1e-3 - static_cast<double>(test.runs) * 0x1p-40 < -std::log(each)) continue;
    const std::uint64_t y = farthest(test);
    agreement.deviations.push_back({x, y, test.counts[y], test.runs, channel.entry(x, y), {}, true});
  }
  if (agreement.inputs == 0) agreement.untested = "no input was run";
  return agreement;
}

Agreement check_agreement(const Channel& channel, std::span<const Tally> stages, double alpha, Budget& budget) {
  Agreement agreement;
  const std::uint64_t inputs = channel.inputs();
  const auto rows = rounded_rows(channel, budget);
  const double each = alpha / static_cast<double>(inputs * stages.size());
  for (std::uint64_t x = 0; x < inputs; ++x) {
    double power = 1;
    bool was_run = false;
    std::optional<Deviation> found;
    for (const Tally& stage : stages) {
      budget.check();
      const RowTest test = test_of(channel, x, rows[x], stage, each);
      if (test.runs == 0) continue;
      was_run = true;
      if (&stage == &stages[0]) power = power_of(test);
      if (!found) found = test_row(test);
    }
    if (!was_run) continue;
    ++agreement.inputs;
    agreement.entries += channel.outputs();
    agreement.power = std::max(power, agreement.power.value_or(0));
    if (found) agreement.deviations.push_back(std::move(*found));
  }
  if (agreement.inputs == 0) agreement.untested = "no input was run";
  return agreement;
}

namespace {

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 20;

// The factors of a part, with coordinates of the whole domain.
std::vector<Factor> factors_of(const SamplerPart& part) {
  if (part.channel->factors().empty()) return {{part.channel, part.coordinates}};
  std::vector<Factor> result;
  for (const Factor& inner : part.channel->factors()) {
    std::vector<std::size_t> coordinates;
    for (const std::size_t i : inner.coordinates) coordinates.push_back(part.coordinates[i]);
    result.push_back({inner.channel, std::move(coordinates)});
  }
  return result;
}

bool parts_are_factors(const Channel& channel, const Sampler& sampler) {
  std::vector<Factor> parts;
  for (const SamplerPart& part : sampler.parts()) {
    for (Factor& factor : factors_of(part)) parts.push_back(std::move(factor));
  }
  const std::span<const Factor> factors = channel.factors();
  return std::equal(parts.begin(), parts.end(), factors.begin(), factors.end(), [](const Factor& a, const Factor& b) {
    return a.channel == b.channel && a.coordinates == b.coordinates;
  });
}

std::uint64_t factor_input(const Channel& channel, std::size_t f, std::uint64_t x) {
  const auto* product = dynamic_cast<const ProductChannel*>(&channel);
  return product == nullptr ? x : product->factor_input(f, x);
}

// Answers the draws of a sampler's parts with varying outputs, and checks that the draws are the expected ones.
class PartsDrawn final : public ChoiceObserver {
 public:
  PartsDrawn(const Channel& whole, std::span<const SamplerPart> parts, std::uint64_t x, unsigned round)
      : whole_(whole), parts_(parts), x_(x), round_(round) {}

  std::uint64_t choose(const Choice& choice) override {
    const auto* drawn = dynamic_cast<const OutputChoice*>(&choice);
    as_expected_ = as_expected_ && drawn != nullptr && next_ < parts_.size() && is_next(*drawn);
    // Round k answers part p by bit k of p. So any two parts get different answers in some round, and no part can
    // replace another.
    const std::uint64_t bit = (next_++ >> round_) & 1;
    const std::uint64_t answer = (bit + x_ * 104729) % choice.outcomes();
    if (!as_expected_) return answer;
    const std::vector<std::uint64_t> words = drawn->channel().split(answer);
    answered_.insert(answered_.end(), words.begin(), words.end());
    return answer;
  }

  bool made(std::span<const std::uint64_t> output) const {
    return as_expected_ && next_ == parts_.size() &&
           std::equal(output.begin(), output.end(), answered_.begin(), answered_.end());
  }

 private:
  bool is_next(const OutputChoice& drawn) {
    const SamplerPart& part = parts_[next_];
    if (&drawn.sampler() != part.sampler.get() || &drawn.channel() != part.channel.get()) return false;
    const std::size_t factors = output_words(*part.channel);
    for (std::size_t f = 0; f < factors; ++f) {
      if (factor_input(*part.channel, f, drawn.input()) != factor_input(whole_, factor_++, x_)) return false;
    }
    return true;
  }

  const Channel& whole_;
  std::span<const SamplerPart> parts_;
  std::uint64_t x_;
  unsigned round_;
  std::size_t next_ = 0;
  std::size_t factor_ = 0;
  bool as_expected_ = true;
  std::vector<std::uint64_t> answered_;
};

class NoWords final : public RandomSource {
 public:
  explicit NoWords(ChoiceObserver& observer) : RandomSource(64, &observer) {}

 protected:
  void refill() override { throw ModelError("a product draws random words itself, past its parts"); }
};

}  // namespace

Composition check_composition(const Channel& channel, const Sampler& sampler, Budget& budget) {
  if (!parts_are_factors(channel, sampler)) return {"the sampler's parts are not the channel's factors"};
  Composition result;
  const std::uint64_t inputs = channel.input_numbers();
  const auto rounds = static_cast<unsigned>(std::max(1, static_cast<int>(std::bit_width(sampler.parts().size() - 1))));
  const std::uint64_t wanted =
      std::max<std::uint64_t>(1, std::min(inputs, kMostWords / output_words(channel) / rounds));
  std::vector<std::uint64_t> output(output_words(channel));
  for (; result.followed < wanted; ++result.followed) {
    const auto x = static_cast<std::uint64_t>(static_cast<unsigned __int128>(result.followed) * inputs / wanted);
    for (unsigned round = 0; round < rounds; ++round) {
      PartsDrawn drawn(channel, sampler.parts(), x, round);
      NoWords source(drawn);
      std::fill(output.begin(), output.end(), UINT64_MAX);
      sampler.draw(x, source, output);
      if (!drawn.made(output)) {
        return {"for input number " + std::to_string(x) + " the sampler does not draw its parts"};
      }
      budget.check_every();
    }
  }
  return result;
}

}  // namespace oddsbound::audits
