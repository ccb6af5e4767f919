// Reads mechanisms of two stages, the second on the output of the first: memoized mechanisms, whose first output is
// drawn once and kept for several reports, and cascades.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "mechanisms/cascade.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/stages.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/cascade_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::specs {

namespace {

using mechanisms::Stage;

// An independent part: the coordinates that its first stage reads, and both stages.
struct StagedPart {
  Stage first, second;
  std::vector<std::size_t> coordinates;
};

// The input domain of the second stage: one coordinate per independent part of the first, whose values are the
// outputs of that part.
Domain domain_of_answers(const Channel& first, Budget& budget) {
  std::vector<Coordinate> coordinates;
  const auto add = [&](std::string name, const Channel& part) {
    budget.require_cells(part.inputs(), part.outputs());
    coordinates.push_back({std::move(name), output_labels(part, budget)});
  };
  const std::span<const Factor> factors = first.factors();
  if (factors.empty()) add("answer", first);
  for (const Factor& factor : factors) {
    add(factors.size() == 1 ? "answer" : "answer" + std::to_string(coordinates.size() + 1), *factor.channel);
  }
  return Domain(std::move(coordinates));
}

// The order of the parts of two stages, and so that of their outputs.
enum class PartOrder { kOfFirst, kOfSecond };

// The parts if each part of the second stage reads exactly one part of the first, and no two read the same. nullopt
// otherwise.
std::optional<std::vector<StagedPart>> matching_parts(const Mechanism& first, const Mechanism& second,
                                                      PartOrder order) {
  const std::span<const Factor> kept = first.channel->factors();
  const std::span<const Factor> seen = second.channel->factors();
  if (kept.empty()) return std::nullopt;
  const std::vector<Stage> answers = stages_of(first);
  if (kept.size() == 1 && seen.empty()) {
    return {{{answers[0], {second.channel, second.sampler_or_rows()}, kept[0].coordinates}}};
  }
  if (kept.size() != seen.size()) return std::nullopt;
  const std::vector<Stage> reports = stages_of(second);
  std::vector<StagedPart> parts(kept.size());
  std::vector<bool> is_read(kept.size(), false);
  for (std::size_t f = 0; f < seen.size(); ++f) {
    if (seen[f].coordinates.size() != 1) return std::nullopt;
    const std::size_t own = seen[f].coordinates[0];
    if (is_read[own]) return std::nullopt;
    is_read[own] = true;
    parts[order == PartOrder::kOfFirst ? own : f] = {answers[own], reports[f], kept[own].coordinates};
  }
  return parts;
}

// Makes the channel and the sampler of two stages.
struct StageMaker {
  PartOrder order;
  std::function<ChannelPtr(const Channel& first, const Channel& second)> channel;
  std::function<SamplerPtr(const Stage& first, const Stage& second)> sampler;
};

Mechanism staged(const Domain& domain, const Mechanism& first, const Mechanism& second, const StageMaker& make) {
  Mechanism result;
  result.unread = first.unread;
  const auto as_one = [&] {
    result.channel = make.channel(*first.channel, *second.channel);
    result.sampler = make.sampler({first.channel, first.sampler_or_rows()}, {second.channel, second.sampler_or_rows()});
    return result;
  };
  const auto parts = matching_parts(first, second, make.order);
  if (!parts) return as_one();
  std::map<std::pair<const Channel*, const Channel*>, ChannelPtr> known;
  std::vector<Factor> factors;
  for (const StagedPart& part : *parts) {
    ChannelPtr& channel = known[{part.first.channel.get(), part.second.channel.get()}];
    if (!channel) channel = make.channel(*part.first.channel, *part.second.channel);
    factors.push_back({channel, part.coordinates});
  }
  const auto whole = std::make_shared<const ProductChannel>(domain, factors, parts->size() > 1);
  // A nested tuple has brackets of its own in the second mechanism's labels. Then the cascade stays one channel.
  const std::vector<std::uint64_t> any(parts->size(), 0);
  const bool keeps_labels = make.order == PartOrder::kOfFirst || whole->label_of(any) == second.channel->label_of(any);
  if (!keeps_labels) return as_one();
  std::vector<SamplerPart> samplers;
  for (std::size_t k = 0; k < parts->size(); ++k) {
    const StagedPart& part = (*parts)[k];
    samplers.push_back({factors[k].channel, make.sampler(part.first, part.second), part.coordinates});
    result.parts.push_back({factors[k].channel, nullptr, part.coordinates});
  }
  result.channel = whole;
  result.sampler = mechanisms::product_sampler(domain, std::move(samplers));
  return result;
}

// The second stage reads the outputs of the first in their order.
std::vector<std::uint64_t> same_order(std::uint64_t outputs) {
  std::vector<std::uint64_t> inputs(outputs);
  std::iota(inputs.begin(), inputs.end(), 0);
  return inputs;
}

// The inputs of the second mechanism as stated, by the outputs of the first. An input that the first never outputs is
// allowed.
struct StatedInputs {
  Domain domain;
  std::vector<std::uint64_t> input_of;
};

std::vector<std::string> read_inputs(JsonView value, Budget& budget) {
  if (value.kind() == JsonKind::kNumber) {
    constexpr std::uint64_t kMostLabels = 1'000'000;
    const auto most = static_cast<std::int64_t>(std::min(budget.limits().max_inputs, kMostLabels));
    const std::int64_t count = read_integer(value, "the number of inputs", 1, most);
    return at_place(value, [&] { return numbered_labels(static_cast<std::uint64_t>(count)); });
  }
  std::vector<std::string> inputs;
  std::unordered_set<std::string_view> seen;
  for (const JsonView item : read_array(value, "inputs, or their number")) {
    inputs.push_back(read_string(item, "an input"));
    if (!seen.insert(item.text()).second) item.fail("the input '" + printable(inputs.back()) + "' is listed twice");
  }
  if (inputs.empty()) value.fail("a mechanism needs at least one input");
  return inputs;
}

StatedInputs read_stated_inputs(JsonView value, const Channel& first, JsonView first_place, Budget& budget) {
  const std::vector<std::string> inputs = read_inputs(value, budget);
  std::unordered_map<std::string, std::uint64_t> index;
  for (std::uint64_t k = 0; k < inputs.size(); ++k) index.emplace(inputs[k], k);
  StatedInputs stated{Domain({{"answer", inputs}}), {}};
  const std::vector<std::string> outputs = at_place(first_place, [&] {
    budget.require_cells(1, first.outputs());
    return output_labels(first, budget);
  });
  std::unordered_set<std::string_view> seen;
  for (const std::string& label : outputs) {
    if (!seen.insert(label).second) {
      first_place.fail("two outputs of the mechanism have the same label '" + printable(label) + "'");
    }
    const auto place = index.find(label);
    if (place == index.end()) {
      std::string hint = suggestion(label, inputs);
      if (hint.empty()) hint = "inputs: " + listing(inputs);
      value.fail("the output '" + printable(label) + "' of the first mechanism is no input of the second", hint);
    }
    stated.input_of.push_back(place->second);
  }
  return stated;
}

}  // namespace

Mechanism read_memoized(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "permanent", "report", "times"}, "a memoized mechanism");
  const std::int64_t times = read_integer(fields.require("times"), "the number of reports", 1, 10'000);
  const JsonView kept = fields.require("permanent");
  const Mechanism permanent = read_mechanism(kept, domain, context);
  finite_channel(permanent, kept);
  const Domain answers = at_place(kept, [&] { return domain_of_answers(*permanent.channel, context.budget); });
  const Mechanism report = read_mechanism(fields.require("report"), answers, context);
  finite_channel(report, fields.require("report"));
  ++context.remarks.kept_answers;
  const auto runs = static_cast<std::uint64_t>(times);
  const StageMaker make{
      PartOrder::kOfFirst,
      [&](const Channel& first, const Channel& second) {
        return std::make_shared<const MemoizedChannel>(first, second, runs, context.budget);
      },
      [&](const Stage& first, const Stage& second) { return mechanisms::memoized_sampler(first, second, runs); }};
  return at_place(value, [&] { return staged(domain, permanent, report, make); });
}

Mechanism read_cascade(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "first", "second", "inputs"}, "a cascade");
  const JsonView first_place = fields.require("first");
  const JsonView second_place = fields.require("second");
  const Mechanism first = read_mechanism(first_place, domain, context);
  finite_channel(first, first_place);
  if (const auto inputs = fields.find("inputs")) {
    const StatedInputs stated = read_stated_inputs(*inputs, *first.channel, first_place, context.budget);
    const Mechanism second = read_mechanism(second_place, stated.domain, context);
    finite_channel(second, second_place);
    Mechanism result;
    result.channel = at_place(
        value, [&] { return cascade_channel(*first.channel, *second.channel, stated.input_of, context.budget); });
    result.sampler = mechanisms::cascade_sampler({first.channel, first.sampler_or_rows()},
                                                 {second.channel, second.sampler_or_rows()}, stated.input_of);
    result.unread = first.unread;
    return result;
  }
  const Domain answers = at_place(first_place, [&] { return domain_of_answers(*first.channel, context.budget); });
  const Mechanism second = read_mechanism(second_place, answers, context);
  finite_channel(second, second_place);
  const StageMaker make{PartOrder::kOfSecond,
                        [&](const Channel& one, const Channel& other) {
                          return cascade_channel(one, other, same_order(one.outputs()), context.budget);
                        },
                        [&](const Stage& one, const Stage& other) {
                          return mechanisms::cascade_sampler(one, other, same_order(one.channel->outputs()));
                        }};
  return at_place(value, [&] { return staged(domain, first, second, make); });
}

}  // namespace oddsbound::specs
