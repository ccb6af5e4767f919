// Fields that several steps of releases have in common.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "mechanisms/releases/heavy_hitters.h"
#include "specs/release_steps.h"

namespace oddsbound::specs {

/// A positive fraction of integers up to kMostOfRatio; the second one also of what a file's numbers come to.
mechanisms::SmallRatio read_ratio(JsonView value, ReadingContext& context);
mechanisms::SmallRatio ratio_of(JsonView place, const Number& number);
/// One that is at most 1.
mechanisms::SmallRatio read_share(JsonView value, ReadingContext& context);
/// A finite level above 0.
Level read_finite_level(JsonView value, ReadingContext& context);
std::optional<std::uint64_t> find_whole(const Fields& fields, const char* name, std::int64_t least, std::int64_t most);
/// Fails at the first of these that is given.
void follow_from(const Fields& fields, const std::string& what, std::initializer_list<const char*> names);

/// Of heavy hitters: scales and margin by what may be lost and the request's share.
void set_hitters(JsonView place, const Level& epsilon, mechanisms::HeavyHittersRequest& request);
/// The same as given: "scale", "margin", "threshold", and "count_scale" if there.
void read_hitters(const Fields& fields, ReadingContext& context, mechanisms::HeavyHittersRequest& request);
/// "window" and "limit", if they are there; for the scales that are set.
void read_hitters_limits(const Fields& fields, mechanisms::HeavyHittersRequest& request);

/// A step that is not to be had, or whose level passes limits, is told at its place.
template <typename Make>
mechanisms::StepPtr made(JsonView value, const Domain& schema, Make make) {
  return at_place(value, [&] {
    mechanisms::StepPtr step = make();
    step->loss(every_coordinate(schema));
    return step;
  });
}

}  // namespace oddsbound::specs
