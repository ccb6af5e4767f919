// An answer that is drawn once and kept, and reports drawn from it.
#include <algorithm>
#include <map>
#include <optional>

#include "mechanisms/memoized.h"
#include "specs/spec_parts.h"
#include "verifier/model/memoized_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::specs {

namespace {

using mechanisms::Stage;

// An independent part: what is kept, of which coordinates, and what reports see of it.
struct MemoizedPart {
  Stage permanent, report;
  std::vector<std::size_t> coordinates;
};

// What the report sees: a coordinate for every independent part of the kept answer, with its outputs as values.
Domain domain_of_answers(const Channel& permanent, Budget& budget) {
  std::vector<Coordinate> coordinates;
  const auto add = [&](std::string name, const Channel& part) {
    budget.require_cells(part.inputs(), part.outputs());
    coordinates.push_back({std::move(name), output_labels(part, budget)});
  };
  const std::span<const Factor> factors = permanent.factors();
  if (factors.empty()) add("answer", permanent);
  for (const Factor& factor : factors) {
    add(factors.size() == 1 ? "answer" : "answer" + std::to_string(coordinates.size() + 1), *factor.channel);
  }
  return Domain(std::move(coordinates));
}

// The channels of a sampler's innermost parts with what draws them.
void add_stages(const ChannelPtr& channel, const SamplerPtr& sampler, std::vector<Stage>& stages) {
  if (sampler->parts().empty()) stages.push_back({channel, sampler});
  for (const SamplerPart& part : sampler->parts()) add_stages(part.channel, part.sampler, stages);
}

// What draws each factor: its own sampler, or where the whole is not drawn factor by factor, its rows.
std::vector<Stage> stages_of(const Mechanism& mechanism) {
  std::vector<Stage> stages;
  if (mechanism.sampler) add_stages(mechanism.channel, mechanism.sampler, stages);
  const std::span<const Factor> factors = mechanism.channel->factors();
  const auto draws = [](const Stage& stage, const Factor& factor) { return stage.channel == factor.channel; };
  if (std::equal(stages.begin(), stages.end(), factors.begin(), factors.end(), draws)) return stages;
  stages.clear();
  for (const Factor& factor : factors) stages.push_back({factor.channel, mechanisms::row_sampler(factor.channel)});
  return stages;
}

// Part by part, if each part of the report sees one part of the kept answer, and no two the same.
std::optional<std::vector<MemoizedPart>> matching_parts(const Mechanism& permanent, const Mechanism& report) {
  const std::span<const Factor> kept = permanent.channel->factors();
  const std::span<const Factor> seen = report.channel->factors();
  if (kept.empty()) return std::nullopt;
  const std::vector<Stage> answers = stages_of(permanent);
  if (kept.size() == 1 && seen.empty()) {
    return {{{answers[0], {report.channel, report.sampler_or_rows()}, kept[0].coordinates}}};
  }
  if (kept.size() != seen.size()) return std::nullopt;
  const std::vector<Stage> reports = stages_of(report);
  std::vector<MemoizedPart> parts(kept.size());
  for (std::size_t f = 0; f < seen.size(); ++f) {
    if (seen[f].coordinates.size() != 1) return std::nullopt;
    const std::size_t own = seen[f].coordinates[0];
    if (parts[own].report.channel) return std::nullopt;
    parts[own] = {answers[own], reports[f], kept[own].coordinates};
  }
  return parts;
}

Mechanism memoized_parts(const Domain& domain, const std::vector<MemoizedPart>& parts, std::uint64_t times,
                         Budget& budget) {
  std::map<std::pair<const Channel*, const Channel*>, ChannelPtr> known;
  std::vector<Factor> factors;
  std::vector<SamplerPart> samplers;
  for (const MemoizedPart& part : parts) {
    ChannelPtr& channel = known[{part.permanent.channel.get(), part.report.channel.get()}];
    if (!channel) {
      channel = std::make_shared<const MemoizedChannel>(*part.permanent.channel, *part.report.channel, times, budget);
    }
    factors.push_back({channel, part.coordinates});
    samplers.push_back({channel, mechanisms::memoized_sampler(part.permanent, part.report, times), part.coordinates});
  }
  Mechanism result;
  result.channel = std::make_shared<const ProductChannel>(domain, std::move(factors), parts.size() > 1);
  result.sampler = mechanisms::product_sampler(domain, std::move(samplers));
  return result;
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
  Mechanism result = at_place(value, [&] {
    if (const auto parts = matching_parts(permanent, report)) {
      return memoized_parts(domain, *parts, runs, context.budget);
    }
    Mechanism whole;
    whole.channel = std::make_shared<const MemoizedChannel>(*permanent.channel, *report.channel, runs, context.budget);
    whole.sampler = mechanisms::memoized_sampler({permanent.channel, permanent.sampler_or_rows()},
                                                 {report.channel, report.sampler_or_rows()}, runs);
    return whole;
  });
  result.unread = permanent.unread;
  return result;
}

}  // namespace oddsbound::specs
