#include "specs/release_steps.h"

#include <algorithm>

#include "mechanisms/releases/counts.h"
#include "mechanisms/releases/declared.h"
#include "mechanisms/releases/mwem.h"
#include "mechanisms/releases/queries.h"
#include "specs/step_fields.h"

namespace oddsbound::specs {

using mechanisms::Attributes;
using mechanisms::StepPtr;

Attributes read_attributes(JsonView value, const Domain& schema) {
  Attributes attributes = read_coordinates(value, schema);
  std::sort(attributes.begin(), attributes.end());
  return attributes;
}

bool read_flag(const Fields& fields, const char* name) {
  const auto given = fields.find(name);
  if (given && !read_boolean(*given, "true")) given->fail("expected true, or leave it out");
  return given.has_value();
}

Number read_positive(JsonView value, const std::string& what, ReadingContext& context) {
  const Number number = read_number(value, context);
  if (!number.is_rational() || number.sign() <= 0) value.fail("expected " + what + ": a positive rational number");
  return number;
}

mechanisms::CostPart read_cost(const Fields& fields, const Domain& schema, ReadingContext& context) {
  if (!fields.has("epsilon") && !fields.has("rho")) fields.object().fail("a declared step has 'epsilon' or 'rho'");
  mechanisms::CostPart part{
      read_string(fields.require("name"), "a name"), read_attributes(fields.require("attributes"), schema), {}};
  std::optional<Number> rho;
  if (const auto given = fields.find("rho")) rho = read_positive(*given, "rho", context);
  if (const auto epsilon = fields.find("epsilon")) {
    const Level level = read_level(*epsilon, context);
    if (level.is_infinite()) epsilon->fail("expected a finite level");
    part.loss =
        at_place(*epsilon, [&] { return rho ? mechanisms::pure_loss(level, *rho) : mechanisms::pure_loss(level); });
  } else {
    part.loss = mechanisms::concentrated_loss(*rho);
  }
  part.each = read_flag(fields, "each");
  return part;
}

namespace {

mechanisms::Noise read_noise(JsonView value, ReadingContext& context) {
  const Fields fields(value, {"laplace", "gaussian"}, "noise");
  if (fields.has("laplace") == fields.has("gaussian")) {
    value.fail("noise is either 'laplace', with its scale, or 'gaussian', with its variance");
  }
  using Kind = mechanisms::Noise::Kind;
  if (const auto scale = fields.find("laplace")) return {Kind::kLaplace, read_ratio(*scale, context)};
  return {Kind::kGaussian, read_ratio(fields.require("gaussian"), context)};
}

mechanisms::NamedPattern read_pattern(JsonView value, const Domain& schema) {
  const Fields fields(value, {"name", "is"}, "a count of those who have some values");
  const JsonView is = fields.require("is");
  if (!is.is_object() || is.members().empty()) is.fail("expected an object: attribute to value");
  std::map<std::size_t, std::uint32_t> values;
  std::string name;
  for (const JsonView::Member& member : is.members()) {
    const std::size_t i = read_coordinate(member.key, schema);
    values[i] = static_cast<std::uint32_t>(read_value_of(member.value, schema, i));
    name += (name.empty() ? "" : ", ") + schema.coordinate(i).name + "=" + std::string(member.value.text());
  }
  mechanisms::NamedPattern result{name, {}};
  if (const auto given = fields.find("name")) result.name = read_string(*given, "a name");
  for (const auto& [attribute, digit] : values) {
    result.pattern.attributes.push_back(attribute);
    result.pattern.values.push_back(digit);
  }
  return result;
}

// A table of more cells is for none.
mechanisms::Counted read_counted(const Fields& fields, const Domain& schema, const std::string& who,
                                 std::uint64_t most_cells = UINT64_MAX) {
  mechanisms::Counted counted;
  if (const auto tables = fields.find("of")) {
    for (const JsonView table : read_array(*tables, "tables, each a list of attributes")) {
      counted.tables.push_back(read_attributes(table, schema));
      // What cannot be listed is no table to publish, either.
      const std::uint64_t cells = at_place(table, [&] { return schema.restricted_to(counted.tables.back()).inputs(); });
      if (cells > most_cells) table.fail("a table of so many cells is not for a fitted distribution");
    }
  }
  if (const auto patterns = fields.find("where")) {
    for (const JsonView pattern : read_array(*patterns, "counts of those who have some values")) {
      counted.patterns.push_back(read_pattern(pattern, schema));
    }
  }
  if (counted.tables.empty() && counted.patterns.empty()) {
    fields.object().fail(who + " 'of' or 'where': nothing is counted");
  }
  return counted;
}

StepPtr read_counts_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"type", "of", "where", "noise", "window", "consistent"}, "counts");
  const mechanisms::Noise noise = read_noise(fields.require("noise"), context);
  mechanisms::CountsRequest request{schema, read_counted(fields, schema, "counts need"), noise, noise.window()};
  request.consistent = read_flag(fields, "consistent");
  if (const auto window = fields.find("window")) {
    request.window = static_cast<std::uint64_t>(read_integer(*window, "the window", 0, kMostWindow));
  }
  return made(value, schema, [&] { return mechanisms::counts_step(std::move(request)); });
}

StepPtr read_mwem_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"type", "of", "where", "rounds", "together", "rate", "noise", "fit", "score_bits"},
                      "mwem");
  constexpr std::int64_t kMostRounds = 10'000, kMostTogether = 64, kMostBits = 20;
  mechanisms::MwemRequest request{
      schema, queries_of(schema, read_counted(fields, schema, "it needs", mechanisms::kMostRecords)),
      1,      1,
      {1, 1}, read_noise(fields.require("noise"), context)};
  request.rounds = static_cast<std::uint64_t>(read_integer(fields.require("rounds"), "rounds", 1, kMostRounds));
  request.rate = read_ratio(fields.require("rate"), context);
  if (const auto together = fields.find("together")) {
    request.together = static_cast<std::uint64_t>(read_integer(*together, "queries of a round", 1, kMostTogether));
  }
  if (const auto bits = fields.find("score_bits")) {
    request.score_bits = static_cast<unsigned>(read_integer(*bits, "bits", 0, kMostBits));
  }
  if (const auto fit = fields.find("fit")) {
    const std::string name = read_string(*fit, "'all' or 'round'");
    if (name != "all" && name != "round") fit->fail("found '" + printable(name) + "', expected 'all' or 'round'");
    request.fits_all = name == "all";
  }
  return made(value, schema, [&] { return mechanisms::mwem_step(std::move(request)); });
}

StepPtr read_heavy_hitters_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value,
                      {"type", "attributes", "epsilon", "share", "scale", "count_scale", "margin", "threshold",
                       "window", "lists", "limit", "test_leaves"},
                      "heavy hitters");
  mechanisms::HeavyHittersRequest request{schema, read_attributes(fields.require("attributes"), schema)};
  request.test_leaves = read_flag(fields, "test_leaves");
  if (const auto epsilon = fields.find("epsilon")) {
    const JsonView share = fields.require("share");
    request.share = read_share(share, context);
    follow_from(fields, "'epsilon' and 'share'", {"scale", "count_scale", "margin", "threshold"});
    set_hitters(*epsilon, read_finite_level(*epsilon, context), request);
  } else {
    if (const auto share = fields.find("share")) share->fail("'share' goes with 'epsilon'");
    read_hitters(fields, context, request);
  }
  read_hitters_limits(fields, request);
  request.lists = read_flag(fields, "lists");
  return made(value, schema, [&] { return mechanisms::heavy_hitters_step(std::move(request)); });
}

StepPtr read_declared_step(JsonView value, const Domain& schema, ReadingContext& context) {
  const Fields fields(value, {"type", "name", "attributes", "epsilon", "rho", "each"}, "a declared step");
  return mechanisms::declared_step(read_cost(fields, schema, context));
}

}  // namespace

const std::vector<std::pair<std::string, StepReader>>& step_readers() {
  static const std::vector<std::pair<std::string, StepReader>> table = {{"counts", read_counts_step},
                                                                        {"heavy_hitters", read_heavy_hitters_step},
                                                                        {"mwem", read_mwem_step},
                                                                        {"learn", read_learn_step},
                                                                        {"declared", read_declared_step}};
  return table;
}

}  // namespace oddsbound::specs
