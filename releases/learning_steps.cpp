// Readers of the learning steps: points, distributions, thresholds and halfspaces (docs/releases.md).

#include <algorithm>

#include "releases/halfspace.h"
#include "releases/heavy_hitters.h"
#include "releases/release.h"
#include "releases/spec.h"
#include "releases/threshold.h"

namespace oddsbound::releases {

namespace {

using mechanisms::SmallRatio;

void require_two_values(JsonView value, const Domain& schema, std::size_t i) {
  if (schema.values(i) == 2) return;
  value.fail("'" + printable(schema.coordinate(i).name) + "' has " + std::to_string(schema.values(i)) +
             " values, expected an attribute with two");
}

Labeled read_labeled(const Fields& fields, const Domain& schema, bool of_two_values) {
  const JsonView attributes = fields.require("attributes"), label = fields.require("label");
  Labeled people{schema, read_attributes(attributes, schema), read_coordinate(label, schema)};
  require_two_values(label, schema, people.label);
  if (std::binary_search(people.inputs.begin(), people.inputs.end(), people.label)) {
    label.fail("the label is among the attributes that are to tell it");
  }
  for (const std::size_t i : people.inputs) {
    if (of_two_values) require_two_values(attributes, schema, i);
  }
  return people;
}

StepPtr read_distribution(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value,
                      {"type", "concept", "attributes", "epsilon", "share", "normalise", "scale", "count_scale",
                       "margin", "threshold", "window", "limit"},
                      "learning a distribution");
  DistributionRequest request{{schema, read_attributes(fields.require("attributes"), schema)}};
  request.hitters.share = read_share(fields.require("share"), context);
  if (const auto epsilon = fields.find("epsilon")) {
    follow_from(fields, "'epsilon' and 'share'", {"scale", "count_scale", "margin", "threshold"});
    set_hitters(*epsilon, read_finite_level(*epsilon, context), request.hitters);
  } else {
    fields.require("count_scale");
    read_hitters(fields, context, request.hitters);
  }
  read_hitters_limits(fields, request.hitters);
  request.normalised = read_flag(fields, "normalise");
  return made(value, schema, [&] { return distribution_step(std::move(request)); });
}

SmallRatio read_error(const Fields& fields, ReadingContext& context) {
  const JsonView error = fields.require("error");
  const SmallRatio share = read_share(error, context);
  if (share.top == share.bottom) error.fail("expected a share of all people below 1");
  return share;
}

StepPtr read_point(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value,
                      {"type", "concept", "attributes", "label", "epsilon", "error", "share", "scale", "count_scale",
                       "margin", "threshold", "limit"},
                      "learning a point");
  PointRequest request{read_labeled(fields, schema, false), {schema, {}}};
  request.hitters.attributes = request.people.inputs_and_label();
  if (const auto epsilon = fields.find("epsilon")) {
    follow_from(fields, "'epsilon' and 'error'", {"share", "scale", "count_scale", "margin", "threshold"});
    request.hitters.share = ratio_of(fields.require("error"), read_error(fields, context).number() / Number(5));
    set_hitters(*epsilon, read_finite_level(*epsilon, context), request.hitters);
  } else {
    if (const auto error = fields.find("error")) error->fail("'error' goes with 'epsilon'");
    request.hitters.share = read_share(fields.require("share"), context);
    fields.require("count_scale");
    read_hitters(fields, context, request.hitters);
  }
  read_hitters_limits(fields, request.hitters);
  return made(value, schema, [&] { return point_step(std::move(request)); });
}

// Splits epsilon: 1/3 for the count of the label, 1/6 for comparisons, 1/6 for heavy hitters, 1/3 for the final
// choice.
void set_threshold(const Fields& fields, JsonView epsilon, ReadingContext& context, ThresholdRequest& request) {
  const Number nats = read_ratio(epsilon, context).number();
  const auto count = [](std::uint64_t n) { return Number(static_cast<std::int64_t>(n)); };
  request.label_scale = ratio_of(epsilon, Number(3) / nats);
  request.search_scale = ratio_of(epsilon, Number(6) * count(comparisons_for(request.people.inputs.size())) / nats);
  request.rate = ratio_of(epsilon, nats / Number(6));
  request.hitters.share = ratio_of(fields.require("error"), request.error.number() / Number(100));
  request.hitters.attributes = request.people.inputs_and_label();
  set_hitters(epsilon, Level::of_exponential(Number::exp_of(nats / Number(6))), request.hitters);
}

StepPtr read_threshold(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value,
                      {"type", "concept", "attributes", "label", "epsilon", "error", "label_scale", "search_scale",
                       "scale", "count_scale", "margin", "threshold", "rate", "limit"},
                      "learning a threshold");
  ThresholdRequest request{read_labeled(fields, schema, true), read_error(fields, context)};
  constexpr std::size_t kMostDigits = 32;
  if (request.people.inputs.size() > kMostDigits) {
    fields.require("attributes")
        .fail("found " + std::to_string(request.people.inputs.size()) + " attributes, expected 32 at most");
  }
  request.hitters.schema = schema;
  if (const auto epsilon = fields.find("epsilon")) {
    follow_from(fields, "'epsilon' and 'error'",
                {"label_scale", "search_scale", "scale", "count_scale", "margin", "threshold", "rate"});
    set_threshold(fields, *epsilon, context, request);
  } else {
    request.label_scale = read_ratio(fields.require("label_scale"), context);
    request.search_scale = read_ratio(fields.require("search_scale"), context);
    request.rate = read_ratio(fields.require("rate"), context);
    fields.require("count_scale");
    read_hitters(fields, context, request.hitters);
  }
  read_hitters_limits(fields, request.hitters);
  return made(value, schema, [&] { return threshold_step(std::move(request)); });
}

std::vector<Weights> read_planes(JsonView value, std::size_t inputs) {
  constexpr std::int64_t kMostWeight = 1 << 20;
  std::vector<Weights> planes;
  for (const JsonView plane : read_array(value, "planes, each a list of weights")) {
    Weights& weights = planes.emplace_back();
    for (const JsonView weight : read_array(plane, "weights, one for each attribute")) {
      weights.push_back(read_integer(weight, "a weight", -kMostWeight, kMostWeight));
    }
    if (weights.size() != inputs) {
      plane.fail("found " + std::to_string(weights.size()) + " weights, expected one for each of the " +
                 std::to_string(inputs) + " attributes");
    }
    if (planes.size() > kMostPlanes) value.fail("expected 65536 planes at most");
  }
  if (planes.empty()) value.fail("expected a plane at least");
  std::vector<Weights> sorted = planes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) value.fail("a plane is there twice");
  return planes;
}

StepPtr read_halfspace(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value,
                      {"type", "concept", "attributes", "label", "epsilon", "label_odds", "margin", "inner_margin",
                       "weights", "most_weight"},
                      "learning a halfspace");
  HalfspaceRequest request{read_labeled(fields, schema, true)};
  const JsonView odds = fields.require("label_odds");
  request.label_odds = read_ratio(odds, context);
  if (request.label_odds.top <= request.label_odds.bottom) odds.fail("expected odds above 1");
  request.epsilon = read_ratio(fields.require("epsilon"), context);
  const auto inputs = static_cast<std::int64_t>(request.people.inputs.size());
  fields.require("margin");
  request.margin = *find_whole(fields, "margin", 1, inputs);
  const auto most_inner = static_cast<std::int64_t>(request.margin) - 1;
  if (const auto inner = find_whole(fields, "inner_margin", 0, most_inner)) request.inner_margin = *inner;
  if (fields.has("weights") == fields.has("most_weight")) {
    value.fail("planes are either 'weights', a list, or all up to 'most_weight'");
  }
  if (const auto weights = fields.find("weights")) {
    request.planes = read_planes(*weights, request.people.inputs.size());
  } else {
    const std::uint64_t most = *find_whole(fields, "most_weight", 1, 1 << 20);
    request.planes =
        at_place(fields.require("most_weight"), [&] { return planes_of(request.people.inputs.size(), most); });
  }
  return made(value, schema, [&] { return halfspace_step(std::move(request)); });
}

}  // namespace

StepPtr read_learn_step(JsonView value, const Domain& schema, ReadingContext& context) {
  static const std::vector<std::pair<std::string, StepReader>> concepts = {{"point", read_point},
                                                                           {"distribution", read_distribution},
                                                                           {"threshold", read_threshold},
                                                                           {"halfspace", read_halfspace}};
  return reader_of_type(value, concepts, "a learning step", "concept", "concept")(value, schema, context);
}

}  // namespace oddsbound::releases
