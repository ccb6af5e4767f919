#include "mechanisms/bit_strings.h"

#include <numeric>

#include "mechanisms/rule_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound {

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

}  // namespace

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

}  // namespace oddsbound
