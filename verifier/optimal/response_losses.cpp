#include "verifier/optimal/response_losses.h"

namespace oddsbound::optimal {

namespace {

Number others_of(std::uint64_t values) { return Number(static_cast<std::int64_t>(values) - 1); }

}  // namespace

Level level_of_height(const Number& height) {
  return height.is_one() ? Level::infinite() : Level::of_exponential(Number(1) / (Number(1) - height));
}

Number height_of_level(const Level& level) {
  return level.is_infinite() ? Number(1) : Number(1) - Number(1) / level.exponential();
}

Number truth_share(const Number& height, std::uint64_t values) {
  return Number(1) / (Number(1) + others_of(values) * (Number(1) - height));
}

std::optional<Number> estimate_norm(const Number& height, std::uint64_t values) {
  const Number others = others_of(values);
  if (others.is_zero()) return Number(1);
  if (height.is_zero()) return std::nullopt;
  const Number k = others + Number(1);
  const Number inverse = Number(1) + k * (Number(1) - height) / height;  // 1/t
  return (others * inverse * inverse + Number(1)) / k;
}

}  // namespace oddsbound::optimal
