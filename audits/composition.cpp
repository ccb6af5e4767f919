#include "audits/composition.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 20;

// The factors of a part, with the coordinates of the whole.
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

// Answers the draws of a sampler's parts, each with another output, and notes whether they are those expected.
class PartsDrawn final : public ChoiceObserver {
 public:
  PartsDrawn(const Channel& whole, std::span<const SamplerPart> parts, std::uint64_t x, unsigned round)
      : whole_(whole), parts_(parts), x_(x), round_(round) {}

  std::uint64_t choose(const Choice& choice) override {
    const auto* drawn = dynamic_cast<const OutputChoice*>(&choice);
    as_expected_ = as_expected_ && drawn != nullptr && next_ < parts_.size() && is_next(*drawn);
    // Over all rounds two parts are answered differently at least once, so that none can stand for another: in round k
    // by the k-th bit of the part's number.
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
      budget.tick();
    }
  }
  return result;
}

}  // namespace oddsbound::audits
