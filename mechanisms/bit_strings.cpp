#include "mechanisms/bit_strings.h"

#include <numeric>

#include "mechanisms/rule_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms {

namespace {

struct BitRule {
  std::uint64_t bit;
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const {
    return (x == bit ? 2U : 0U) + static_cast<std::uint32_t>(y);
  }
  std::string label(std::uint64_t y) const { return y == 1 ? "1" : "0"; }
};

class BitStringChannel final : public ProductChannel {
 public:
  using ProductChannel::ProductChannel;
  std::string label_of(std::span<const std::uint64_t> output) const override {
    std::string label;
    for (const std::uint64_t bit : output) label += bit == 1 ? '1' : '0';
    return label;
  }
  bool parse_label(std::string_view label, std::vector<std::uint64_t>& output) const override {
    if (label.size() != factors().size() || label.find_first_not_of("01") != std::string_view::npos) return false;
    output.clear();
    for (const char bit : label) output.push_back(bit == '1' ? 1 : 0);
    return true;
  }
};

class BitSampler final : public Sampler {
 public:
  BitSampler(std::shared_ptr<const BitDraw> draw, std::uint64_t bit) : draw_(std::move(draw)), bit_(bit) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = (*draw_)(x == bit_, source);
  }

 private:
  std::shared_ptr<const BitDraw> draw_;
  std::uint64_t bit_;
};

class BitStringSampler final : public Sampler {
 public:
  BitStringSampler(const Channel& channel, BitDraw draw) : bits_(std::make_shared<std::vector<BitSampler>>()) {
    const auto shared = std::make_shared<const BitDraw>(std::move(draw));
    for (std::size_t i = 0; i < channel.factors().size(); ++i) bits_->emplace_back(shared, i);
    for (const Factor& bit : channel.factors()) {
      parts_.push_back({bit.channel, SamplerPtr(bits_, &(*bits_)[parts_.size()]), bit.coordinates});
    }
  }
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const BitSampler* const bits = bits_->data();
    for (std::size_t i = 0; i < output.size(); ++i) {
      draw_part(*parts_[i].channel, bits[i], x, source, output.subspan(i, 1));
    }
  }
  std::span<const SamplerPart> parts() const override { return parts_; }

 private:
  std::shared_ptr<std::vector<BitSampler>> bits_;
  std::vector<SamplerPart> parts_;
};

}  // namespace

SamplerPtr bit_string_sampler(const Channel& channel, BitDraw draw) {
  return std::make_shared<const BitStringSampler>(channel, std::move(draw));
}

ChannelPtr bit_string_channel(const Domain& domain, const Number& own, const Number& other) {
  const std::vector<Number> values{Number(1) - other, other, Number(1) - own, own};
  std::vector<std::size_t> all(domain.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Factor> bits;
  for (std::uint64_t i = 0; i < domain.inputs(); ++i) {
    bits.push_back({rule_channel(domain.inputs(), 2, values, BitRule{i}), all});
  }
  return std::make_shared<const BitStringChannel>(domain, std::move(bits));
}

EstimatorPtr bit_string_estimator(const Domain& domain, const Number& own, const Number& other) {
  return event_estimator(domain, own, other,
                         [](std::uint64_t j, std::span<const std::uint64_t> bits) { return bits[j] == 1; });
}

}  // namespace oddsbound::mechanisms
