// Reads mechanisms that are made of other mechanisms: products, repetitions, adaptive compositions, mixtures and
// post-processing.
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>

#include "mechanisms/bcdp_budget.h"
#include "mechanisms/family.h"
#include "mechanisms/sampler.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/channel.h"
#include "verifier/model/mixture_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::specs {

namespace {

// Finds outputs by label. Fails at `value` if two outputs have the same label.
class OutputIndex {
 public:
  OutputIndex(const Channel& channel, JsonView value, Budget& budget) {
    at_place(value, [&] { budget.require_cells(1, channel.outputs()); });
    labels_ = at_place(value, [&] { return output_labels(channel, budget); });
    for (std::uint64_t y = 0; y < labels_.size(); ++y) {
      if (!index_.emplace(labels_[y], y).second) {
        value.fail("two outputs of the mechanism have the same label '" + printable(labels_[y]) + "'");
      }
    }
  }
  const std::vector<std::string>& labels() const { return labels_; }

  std::uint64_t find(JsonView label) const {
    const auto place = index_.find(std::string(label.text()));
    if (place != index_.end()) return place->second;
    std::string hint = suggestion(label.text(), labels_);
    if (hint.empty()) hint = "outputs: " + listing(labels_);
    label.fail("there is no output '" + printable(label.text()) + "'", hint);
  }

 private:
  std::vector<std::string> labels_;
  std::unordered_map<std::string, std::uint64_t> index_;
};

SamplerPart read_part(JsonView value, const Domain& domain, std::vector<std::size_t> coordinates,
                      ReadingContext& context, std::vector<Mechanism>& mechanisms) {
  const Mechanism& part = mechanisms.emplace_back(read_mechanism(value, domain.restricted_to(coordinates), context));
  return {finite_channel(part, value), part.sampler_or_rows(), std::move(coordinates)};
}

SamplerPart read_part_on(JsonView value, const Domain& domain, ReadingContext& context,
                         std::vector<Mechanism>& mechanisms) {
  const Fields fields(value, {"type", "coordinates", "mechanism"}, "a mechanism on coordinates");
  std::vector<std::size_t> coordinates;
  for (const JsonView item : read_array(fields.require("coordinates"), "coordinates")) {
    const std::size_t i = read_coordinate(item, domain);
    if (std::find(coordinates.begin(), coordinates.end(), i) != coordinates.end()) {
      item.fail("the coordinate '" + printable(item.text()) + "' is listed twice");
    }
    coordinates.push_back(i);
  }
  if (coordinates.empty()) fields.require("coordinates").fail("expected at least one coordinate");
  return read_part(fields.require("mechanism"), domain, std::move(coordinates), context, mechanisms);
}

// Reads a part that may see the whole input. The mechanism of an `on` becomes the part itself: as a mechanism on the
// whole domain, each of n parts would hold n coordinates.
SamplerPart read_part_of_whole(JsonView value, const Domain& domain, ReadingContext& context,
                               std::vector<Mechanism>& mechanisms) {
  if (read_type(value, "a mechanism") == "on") {
    return at_place(value, [&] { return read_part_on(value, domain, context, mechanisms); });
  }
  return read_part(value, domain, every_coordinate(domain), context, mechanisms);
}

// The mechanism of each part. Runs of one mechanism share it.
using MechanismOfParts = std::vector<const Mechanism*>;

// The product estimator of the parts. nullptr unless the parts partition the coordinates and each part has an
// estimator of shares.
EstimatorPtr joint_estimator(const Domain& domain, const std::vector<SamplerPart>& parts,
                             const MechanismOfParts& mechanisms) {
  std::vector<EstimatorPart> result;
  std::vector<bool> seen(domain.size(), false);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const EstimatorPtr& estimator = mechanisms[p]->estimator;
    if (!estimator || !estimator->estimates_shares()) return nullptr;
    for (const std::size_t i : parts[p].coordinates) {
      if (seen[i]) return nullptr;
      seen[i] = true;
    }
    result.push_back({estimator, parts[p].coordinates, output_words(*parts[p].channel)});
  }
  if (std::count(seen.begin(), seen.end(), false) > 0) return nullptr;
  return product_estimator(domain, std::move(result));
}

// The parts with nested parts flattened, coordinates renumbered to the outer domain.
std::vector<MechanismPart> parts_of_parts(const std::vector<SamplerPart>& parts, const MechanismOfParts& mechanisms) {
  std::vector<MechanismPart> result;
  result.reserve(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (mechanisms[p]->parts.empty()) {
      result.push_back({parts[p].channel, mechanisms[p]->estimator, parts[p].coordinates});
    }
    for (MechanismPart part : mechanisms[p]->parts) {
      for (std::size_t& i : part.coordinates) i = parts[p].coordinates[i];
      result.push_back(std::move(part));
    }
  }
  return result;
}

// The unread coordinates of parts that see `parts[p].coordinates` each.
std::vector<std::size_t> unread_by_parts(const Domain& domain, const std::vector<SamplerPart>& parts,
                                         const MechanismOfParts& mechanisms) {
  std::vector<mechanisms::ReadingPart> reading;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool again = p > 0 && mechanisms[p] == mechanisms[p - 1] && parts[p].coordinates == parts[p - 1].coordinates;
    if (!again) reading.push_back({parts[p].coordinates, mechanisms[p]->unread});
  }
  return mechanisms::unread_by_all(domain, reading);
}

// The unread coordinates of mechanisms on the whole domain, any of which may run.
std::vector<std::size_t> unread_by_each(const Domain& domain, const std::vector<Mechanism>& mechanisms) {
  std::vector<mechanisms::ReadingPart> reading;
  for (const Mechanism& one : mechanisms) reading.push_back({every_coordinate(domain), one.unread});
  return mechanisms::unread_by_all(domain, reading);
}

Mechanism make_product(JsonView value, const Domain& domain, std::vector<SamplerPart> parts, bool tuple,
                       const MechanismOfParts& mechanisms) {
  std::vector<Factor> factors;
  factors.reserve(parts.size());
  for (const SamplerPart& part : parts) factors.push_back({part.channel, part.coordinates});
  Mechanism result;
  result.channel =
      at_place(value, [&] { return std::make_shared<const ProductChannel>(domain, std::move(factors), tuple); });
  result.estimator = joint_estimator(domain, parts, mechanisms);
  result.parts = parts_of_parts(parts, mechanisms);
  result.unread = unread_by_parts(domain, parts, mechanisms);
  result.sampler = product_sampler(domain, std::move(parts));
  return result;
}

Mechanism make_product(JsonView value, const Domain& domain, std::vector<SamplerPart> parts, bool tuple,
                       const std::vector<Mechanism>& mechanisms) {
  MechanismOfParts of_parts;
  for (const Mechanism& one : mechanisms) of_parts.push_back(&one);
  return make_product(value, domain, std::move(parts), tuple, of_parts);
}

Mechanism read_finite(JsonView value, const Domain& domain, ReadingContext& context) {
  Mechanism mechanism = read_mechanism(value, domain, context);
  finite_channel(mechanism, value);
  return mechanism;
}

// The levels are right for the spec as written. A device that keeps its permanent answer usually needs `memoized`.
void note_drawn_anew(JsonView value, std::int64_t times, Remarks& remarks) {
  const SourcePlace place = value.place();
  remarks.notes.push_back("'repeat' at line " + std::to_string(place.line) + " of " + printable(place.file) +
                          " draws " + std::to_string(times) +
                          " permanent answers, one for every run; one that is kept is " +
                          "'times' of 'rappor', or 'memoized'");
}

// Encodes an output of runs that are released together. Each label is preceded by its length, so equal texts mean
// equal parts. nullopt if the output is not such a tuple.
std::optional<std::string> parts_of(const Channel& channel, std::span<const std::uint64_t> output) {
  const auto* product = dynamic_cast<const ProductChannel*>(&channel);
  if (product == nullptr) return std::nullopt;
  std::string text = "(";
  for (const Factor& part : product->parts()) {
    const std::size_t count = std::max<std::size_t>(1, part.channel->factors().size());
    const std::span<const std::uint64_t> own = output.first(count);
    output = output.subspan(count);
    const std::optional<std::string> inner = parts_of(*part.channel, own);
    if (!product->labels_are_tuples()) return inner;
    const std::string label = part.channel->label_of(own);
    text += inner ? *inner : std::to_string(label.size()) + ":" + label + ",";
  }
  return text + ")";
}

// Rejects two different tuples with the same label. Merging them would hide differences between outputs and lower the
// level.
class TuplesByLabel {
 public:
  void add(JsonView mechanism, const Channel& channel, const std::string& label, std::uint64_t y) {
    const std::optional<std::string> parts = parts_of(channel, channel.split(y));
    if (!parts) return;
    const auto [place, added] = parts_.emplace(label, *parts);
    if (added || place->second == *parts) return;
    mechanism.fail(
        "its output '" + printable(label) + "' is written like one of another mechanism that has other parts",
        "leave commas out of the labels of outputs");
  }

 private:
  std::unordered_map<std::string, std::string> parts_;
};

// Collects outputs, merged by label, in the order of first appearance.
class MergedOutputs {
 public:
  void add(const std::string& label, OutputShare share) {
    const auto [place, added] = index_.emplace(label, outputs_.size());
    if (added) outputs_.push_back({label, {}});
    outputs_[place->second].shares.push_back(std::move(share));
  }
  std::vector<DerivedOutput> take() { return std::move(outputs_); }

 private:
  std::vector<DerivedOutput> outputs_;
  std::unordered_map<std::string, std::size_t> index_;
};

std::vector<DerivedOutput> read_output_map(JsonView map, const OutputIndex& index) {
  if (!map.is_object()) map.fail("found " + map.kind_name() + ", expected an object: output to label");
  std::vector<std::optional<std::string>> label_of(index.labels().size());
  for (const JsonView::Member& member : map.members()) {
    label_of[index.find(member.key)] = read_string(member.value, "an output label");
  }
  MergedOutputs merged;
  for (std::uint64_t y = 0; y < label_of.size(); ++y) {
    if (!label_of[y]) map.fail("the output '" + printable(index.labels()[y]) + "' is not mapped");
    merged.add(*label_of[y], {0, y, Number(1)});
  }
  return merged.take();
}

std::vector<DerivedOutput> read_output_rows(const Fields& fields, std::uint64_t inner, ReadingContext& context) {
  const std::vector<std::string> labels = read_labels(fields.require("outputs"), context.budget);
  require_cells(fields.require("outputs"), inner, labels.size(), context.budget);
  const JsonView rows = fields.require("rows");
  std::vector<DerivedOutput> outputs;
  for (const std::string& label : labels) outputs.push_back({label, {}});
  const std::vector<JsonView> items = read_array(rows, "rows");
  if (items.size() != inner) {
    rows.fail("found " + std::to_string(items.size()) + " rows, expected one for each of the mechanism's " +
              std::to_string(inner) + " outputs");
  }
  for (std::uint64_t y = 0; y < items.size(); ++y) {
    const std::vector<Number> row = read_distribution(items[y], labels.size(), "outputs", context);
    for (std::size_t z = 0; z < row.size(); ++z) {
      if (!row[z].is_zero()) outputs[z].shares.push_back({0, y, row[z]});
    }
  }
  return outputs;
}

bool may_be_listed(const Domain& domain, const std::vector<ChannelPtr>& then, const Budget& budget) {
  if (!domain.is_countable() || domain.input_numbers() > budget.limits().max_inputs) return false;
  std::uint64_t cells_left = budget.limits().max_cells / domain.input_numbers();
  for (const ChannelPtr& second : then) {
    if (second->outputs() > cells_left) return false;
    cells_left -= second->outputs();
  }
  return true;
}

}  // namespace

// The mechanism of each coordinate, in the order of the domain (members of a JSON object are unordered). The key "*"
// is for all unnamed coordinates, unless a coordinate has that name.
std::map<std::size_t, JsonView> given_per_coordinate(JsonView object, const Domain& domain) {
  constexpr std::string_view kOthers = "*", kNotReleased = "not released";
  std::map<std::size_t, std::optional<JsonView>> named;
  std::optional<JsonView> others;
  for (const JsonView::Member& member : object.members()) {
    if (member.key.text() == kOthers && !domain.find(kOthers)) {
      others = member.value;
      continue;
    }
    const bool released = !member.value.is_string() || member.value.text() != kNotReleased;
    if (released && member.value.is_string()) {
      member.value.fail("found '" + printable(member.value.text(), 40) +
                        R"(', expected a mechanism, or "not released")");
    }
    named.emplace(read_coordinate(member.key, domain), released ? std::optional(member.value) : std::nullopt);
  }
  std::map<std::size_t, JsonView> given;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const auto own = named.find(i);
    if (own != named.end()) {
      if (own->second) given.emplace(i, *own->second);
    } else if (others) {
      given.emplace(i, *others);
    }
  }
  if (given.empty()) object.fail("a mechanism per coordinate needs at least one coordinate");
  return given;
}

Mechanism read_per_coordinate(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "mechanisms"}, "a mechanism per coordinate");
  const JsonView object = fields.require("mechanisms");
  if (!object.is_object()) object.fail("found " + object.kind_name() + ", expected an object: coordinate to mechanism");
  const std::map<std::size_t, JsonView> given = given_per_coordinate(object, domain);
  std::vector<SamplerPart> parts;
  std::vector<Mechanism> mechanisms;
  for (const auto& [i, mechanism] : given) parts.push_back(read_part(mechanism, domain, {i}, context, mechanisms));
  return make_product(value, domain, std::move(parts), true, mechanisms);
}

Mechanism read_on(JsonView value, const Domain& domain, ReadingContext& context) {
  std::vector<Mechanism> mechanisms;
  SamplerPart part = read_part_on(value, domain, context, mechanisms);
  return make_product(value, domain, {std::move(part)}, false, mechanisms);
}

Mechanism read_compose(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "mechanisms"}, "a composition");
  std::vector<SamplerPart> parts;
  std::vector<Mechanism> mechanisms;
  for (const JsonView item : read_array(fields.require("mechanisms"), "mechanisms")) {
    parts.push_back(read_part_of_whole(item, domain, context, mechanisms));
  }
  if (parts.empty()) fields.require("mechanisms").fail("a composition needs at least one mechanism");
  return make_product(value, domain, std::move(parts), true, mechanisms);
}

Mechanism read_repeat(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "mechanism", "times"}, "a repetition");
  const std::int64_t times = read_integer(fields.require("times"), "the number of runs", 1, 1'000'000);
  std::vector<Mechanism> mechanisms;
  const std::size_t kept_before = context.remarks.kept_answers;
  const SamplerPart part = read_part_of_whole(fields.require("mechanism"), domain, context, mechanisms);
  if (times > 1 && context.remarks.kept_answers > kept_before) note_drawn_anew(value, times, context.remarks);
  const std::size_t factors = output_words(*part.channel);
  constexpr std::size_t kMostFactors = 1'000'000;
  if (factors > kMostFactors / static_cast<std::size_t>(times)) {
    value.fail("the repetition has more than " + std::to_string(kMostFactors) + " independent parts");
  }
  constexpr std::uint64_t kBytesOfRun = 320;
  context.budget.require_memory(kBytesOfRun * static_cast<std::uint64_t>(times) * factors);
  const auto runs = static_cast<std::size_t>(times);
  return make_product(value, domain, std::vector<SamplerPart>(runs, part), true,
                      MechanismOfParts(runs, mechanisms.data()));
}

namespace {

// The family of every step: at its `epsilon` it is LDP, and the steps set that.
const Family& read_step_family(JsonView value) {
  const std::string type = read_type(value, "a mechanism");
  const Family* family = find_family(type);
  if (family != nullptr && family->ldp_at_epsilon) {
    for (const JsonView::Member& member : value.members()) {
      if (member.key.text() != "epsilon") continue;
      member.key.fail("found 'epsilon', expected the family without it: the steps set its level");
    }
    return *family;
  }
  std::vector<std::string> known;
  for (const Family& one : families()) {
    if (one.ldp_at_epsilon) known.push_back(one.name);
  }
  value.fail("found '" + printable(type, 40) + "', expected a family that is LDP at its epsilon on any domain",
             "families: " + listing(known));
}

// The part of a step on these coordinates, at this level.
SamplerPart read_step(JsonView value, const Family& family, const Domain& domain, std::vector<std::size_t> coordinates,
                      const Level& level, ReadingContext& context, std::vector<Mechanism>& mechanisms) {
  const Domain seen = domain.restricted_to(coordinates);
  const Mechanism& part = mechanisms.emplace_back(read_family(family, value, seen, context, level));
  return {finite_channel(part, value), part.sampler_or_rows(), std::move(coordinates)};
}

}  // namespace

// Mechanism 1 of the BCDP paper with any family: step k sees all but the k - 1 most protected coordinates. Steps with
// level 0 are left out, as in bcdp_mean. All coordinates count as read: which steps remain depends on numbers.
Mechanism read_bcdp_steps(JsonView value, const Domain& domain, ReadingContext& context) {
  std::vector<Field> parameters;
  std::vector<std::string> known{"type", "mechanism"};
  for (const Field& field : mechanisms::bcdp_budget_fields()) {
    if (field.name == "copies") continue;
    parameters.push_back(field);
    if (field.name == "zeta") parameters.back().kind = model::FieldKind::kNumber;  // errors depend on the family
    known.push_back(field.name);
  }
  const Fields fields(value, known, "a mechanism in steps");
  const JsonView zeta = fields.require("zeta");
  if (zeta.is_string() && zeta.text() == "best") {
    zeta.fail("found 'best', expected a number: the errors of estimates depend on the family");
  }
  const Arguments arguments = read_fields(fields, parameters, domain, context);
  const JsonView inner = fields.require("mechanism");
  const Family& family = read_step_family(inner);
  const auto split = [&] {
    try {
      return at_place(value, [&] { return mechanisms::bcdp_budget(domain, arguments, nullptr); });
    } catch (const ParameterError& error) {
      fields.find(error.parameter()).value_or(value).fail(error.what());
    }
  };
  const mechanisms::BcdpBudget budget = split();
  // Each step has a domain and a list of its own.
  constexpr std::uint64_t kBytesOfCoordinate = 100;
  const std::uint64_t width = domain.size();
  if (width >= std::uint64_t{1} << 24) throw LimitError("steps for so many coordinates take too much memory");
  const auto steps = static_cast<std::uint64_t>(
      std::count_if(budget.steps.begin(), budget.steps.end(), [](const Level& step) { return !step.is_zero(); }));
  context.budget.require_memory(kBytesOfCoordinate * width * steps);
  std::vector<SamplerPart> parts;
  std::vector<Mechanism> mechanisms;
  for (std::size_t k = 0; k < budget.steps.size(); ++k) {
    context.budget.check();
    if (budget.steps[k].is_zero()) continue;
    std::vector<std::size_t> seen(budget.order.begin() + static_cast<std::ptrdiff_t>(k), budget.order.end());
    parts.push_back(read_step(inner, family, domain, std::move(seen), budget.steps[k], context, mechanisms));
  }
  context.remarks.notes.push_back("bcdp_steps: " + budget.note);
  if (parts.empty()) return at_place(value, [&] { return mechanisms::no_steps(domain, context.budget); });
  Mechanism result = make_product(value, domain, std::move(parts), true, mechanisms);
  result.unread.clear();
  return result;
}

Mechanism read_adaptive(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "first", "then"}, "an adaptive composition");
  const Mechanism first = read_finite(fields.require("first"), domain, context);
  const OutputIndex index(*first.channel, fields.require("first"), context.budget);
  const JsonView object = fields.require("then");
  if (!object.is_object()) object.fail("found " + object.kind_name() + ", expected an object: output to mechanism");
  std::vector<Mechanism> then(first.channel->outputs());
  for (const JsonView::Member& member : object.members()) {
    then[index.find(member.key)] = read_finite(member.value, domain, context);
  }
  for (std::uint64_t y = 0; y < then.size(); ++y) {
    if (!then[y].channel)
      object.fail("no mechanism is given for the first one's output '" + printable(index.labels()[y]) + "'");
  }
  std::vector<ChannelPtr> channels;
  for (const Mechanism& second : then) channels.push_back(second.channel);
  Mechanism result = at_place(value, [&]() -> Mechanism {
    if (may_be_listed(domain, channels, context.budget)) {
      return {adaptive_channel(first.channel, channels, context.budget)};
    }
    ChannelPtr channel = std::make_shared<const AdaptiveChannel>(domain, first.channel, channels, context.budget);
    std::vector<mechanisms::Stage> seconds;
    for (const Mechanism& second : then) seconds.push_back({second.channel, second.sampler_or_rows()});
    return {std::move(channel),
            mechanisms::adaptive_sampler({first.channel, first.sampler_or_rows()}, std::move(seconds))};
  });
  then.push_back(first);
  result.unread = unread_by_each(domain, then);
  return result;
}

Mechanism read_mixture(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "weights", "mechanisms"}, "a mixture of mechanisms");
  const std::vector<JsonView> items = read_array(fields.require("mechanisms"), "mechanisms");
  if (items.empty()) fields.require("mechanisms").fail("a mixture needs at least one mechanism");
  const std::vector<Number> weights = read_distribution(fields.require("weights"), items.size(), "mechanisms", context);
  std::vector<Mechanism> mechanisms;
  std::vector<ChannelPtr> channels;
  MergedOutputs merged;
  TuplesByLabel tuples;
  for (std::size_t c = 0; c < items.size(); ++c) {
    channels.push_back(mechanisms.emplace_back(read_finite(items[c], domain, context)).channel);
    const OutputIndex index(*channels.back(), items[c], context.budget);
    for (std::uint64_t y = 0; y < index.labels().size(); ++y) {
      tuples.add(items[c], *channels.back(), index.labels()[y], y);
      merged.add(index.labels()[y], {c, y, weights[c]});
    }
  }
  Mechanism result{at_place(value, [&] { return mixture_of(domain, channels, merged.take(), context.budget); })};
  result.unread = unread_by_each(domain, mechanisms);
  return result;
}

Mechanism read_post_process(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "mechanism", "map", "rows", "outputs"}, "a post-processing");
  const Mechanism mechanism = read_finite(fields.require("mechanism"), domain, context);
  const ChannelPtr& inner = mechanism.channel;
  if (fields.has("map") == fields.has("rows")) value.fail("a post-processing has either 'map' or 'rows'");
  std::vector<DerivedOutput> outputs;
  if (const auto map = fields.find("map")) {
    if (fields.has("outputs"))
      fields.require("outputs").fail("'outputs' goes with 'rows'; a 'map' names its own labels");
    outputs = read_output_map(*map, OutputIndex(*inner, fields.require("mechanism"), context.budget));
  } else {
    require_cells(fields.require("mechanism"), inner->inputs(), inner->outputs(), context.budget);
    outputs = read_output_rows(fields, inner->outputs(), context);
  }
  Mechanism result{at_place(value, [&] { return derived_channel({inner}, std::move(outputs), context.budget); })};
  result.unread = mechanism.unread;
  return result;
}

}  // namespace oddsbound::specs
