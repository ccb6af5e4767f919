#include "specs/step_fields.h"

#include "mechanisms/releases/noise.h"

namespace oddsbound::specs {

using mechanisms::SmallRatio;

SmallRatio ratio_of(JsonView place, const Number& number) {
  if (const auto ratio = mechanisms::small_ratio(number)) return *ratio;
  place.fail("found " + printable(number.to_string(), 60) + ", expected a positive fraction of integers up to " +
             std::to_string(mechanisms::kMostOfRatio));
}

SmallRatio read_ratio(JsonView value, ReadingContext& context) { return ratio_of(value, read_number(value, context)); }

SmallRatio read_share(JsonView value, ReadingContext& context) {
  const SmallRatio share = read_ratio(value, context);
  if (share.top > share.bottom) value.fail("expected a share of all people, 1 at most");
  return share;
}

Level read_finite_level(JsonView value, ReadingContext& context) {
  const Level level = read_level(value, context);
  if (level.is_zero() || level.is_infinite()) value.fail("expected a finite level above 0");
  return level;
}

std::optional<std::uint64_t> find_whole(const Fields& fields, const char* name, std::int64_t least, std::int64_t most) {
  const auto given = fields.find(name);
  if (!given) return std::nullopt;
  return static_cast<std::uint64_t>(read_integer(*given, std::string("'") + name + "'", least, most));
}

void follow_from(const Fields& fields, const std::string& what, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const auto given = fields.find(name)) given->fail(std::string("'") + name + "' follows from " + what);
  }
}

void set_hitters(JsonView place, const Level& epsilon, mechanisms::HeavyHittersRequest& request) {
  at_place(place, [&] {
    request.scale = mechanisms::scale_for(
        epsilon, mechanisms::levels_of(request.attributes.size(), request.test_leaves), request.share);
    request.count_scale = request.scale;
    request.margin = mechanisms::margin_for(request.scale, request.share);
    return 0;
  });
}

void read_hitters(const Fields& fields, ReadingContext& context, mechanisms::HeavyHittersRequest& request) {
  request.scale = read_ratio(fields.require("scale"), context);
  if (const auto scale = fields.find("count_scale")) request.count_scale = read_ratio(*scale, context);
  for (const char* name : {"margin", "threshold"}) fields.require(name);
  request.margin = *find_whole(fields, "margin", 1, kMostWindow);
  request.threshold = *find_whole(fields, "threshold", 0, kMostWindow);
}

void read_hitters_limits(const Fields& fields, mechanisms::HeavyHittersRequest& request) {
  constexpr std::int64_t kMostTests = 1 << 24;
  if (request.count_scale) {
    request.window = mechanisms::Noise(mechanisms::Noise::Kind::kLaplace, *request.count_scale).window();
  }
  if (const auto window = find_whole(fields, "window", 0, kMostWindow)) request.window = *window;
  if (const auto limit = find_whole(fields, "limit", 1, kMostTests)) request.limit = *limit;
}

}  // namespace oddsbound::specs
