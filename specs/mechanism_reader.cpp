// Reads a mechanism by its `type`: the types of the spec language, mechanism families from their registry, and
// memoized mechanisms.

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "mechanisms/family.h"
#include "mechanisms/mechanism.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::specs {

namespace {

Mechanism read_matrix(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "outputs", "rows", "file"}, "a matrix mechanism");
  const JsonView outputs = fields.require("outputs");
  std::vector<std::string> labels = read_labels(outputs, context.budget);
  require_cells(outputs, domain.inputs(), labels.size(), context.budget);
  if (fields.has("rows") == fields.has("file")) value.fail("a matrix mechanism has either 'rows' or 'file'");
  PoolBuilder entries = fields.has("rows")
                            ? read_stochastic_rows(fields.require("rows"), domain.inputs(), labels.size(), context)
                            : read_stochastic_csv(fields.require("file"), domain.inputs(), labels.size(), context);
  return at_place(value, [&] {
    return Mechanism{DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(entries), context.budget)};
  });
}

// One case: the inputs it matches (a set of values per coordinate) and its row.
struct Case {
  std::vector<std::pair<std::size_t, std::vector<bool>>> conditions;
  std::vector<Number> row;

  bool matches(const Domain& domain, std::uint64_t input) const {
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const auto& c) { return c.second[domain.digit(input, c.first)]; });
  }
};

Case read_case(JsonView value, const Domain& domain, const std::unordered_map<std::string, std::size_t>& outputs,
               const std::vector<std::string>& labels, ReadingContext& context) {
  const Fields fields(value, {"when", "then"}, "a case");
  Case result;
  const JsonView when = fields.require("when");
  if (!when.is_object()) when.fail("found " + when.kind_name() + ", expected an object: coordinate to value or values");
  for (const JsonView::Member& member : when.members()) {
    const std::size_t i = read_coordinate(member.key, domain);
    require_listable(domain.values(i));
    std::vector<bool> taken(domain.values(i), false);
    if (member.value.is_array()) {
      for (const JsonView item : member.value.items()) taken[read_value_of(item, domain, i)] = true;
    } else {
      taken[read_value_of(member.value, domain, i)] = true;
    }
    result.conditions.emplace_back(i, std::move(taken));
  }
  const JsonView then = fields.require("then");
  if (!then.is_object()) then.fail("found " + then.kind_name() + ", expected an object: output to number");
  result.row.assign(labels.size(), Number(0));
  Number total(0);
  for (const JsonView::Member& member : then.members()) {
    const auto place = outputs.find(std::string(member.key.text()));
    if (place == outputs.end()) {
      std::string hint = suggestion(member.key.text(), labels);
      if (hint.empty()) hint = "outputs: " + listing(labels);
      member.key.fail("there is no output '" + printable(member.key.text()) + "'", hint);
    }
    const Number probability = read_mass(member.value, context);
    result.row[place->second] = probability;
    total += probability;
  }
  if (!total.is_one()) then.fail("the row sums to " + printable(total.to_string(), 120) + ", not 1");
  return result;
}

Mechanism read_cases(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "outputs", "cases"}, "a mechanism by cases");
  std::vector<std::string> labels = read_labels(fields.require("outputs"), context.budget);
  require_cells(fields.require("outputs"), domain.inputs(), labels.size(), context.budget);
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t y = 0; y < labels.size(); ++y) index.emplace(labels[y], y);
  const JsonView list = fields.require("cases");
  std::vector<Case> cases;
  for (const JsonView item : read_array(list, "cases")) {
    cases.push_back(read_case(item, domain, index, labels, context));
  }
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    const auto match = std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.matches(domain, x); });
    if (match == cases.end()) {
      std::string input;
      for (const std::string& text : domain.tuple(x)) input += (input.empty() ? "\"" : ", \"") + printable(text) + "\"";
      list.fail("no case matches the input [" + input + "]", "a last case with an empty \"when\" takes all others");
    }
    for (const Number& probability : match->row) {
      builder.add(probability);
      context.budget.check_every();
    }
  }
  Mechanism mechanism = at_place(value, [&] {
    return Mechanism{DenseChannel::from_rows(domain.inputs(), std::move(labels), std::move(builder), context.budget)};
  });
  mechanisms::ReadingPart named;
  for (const Case& one : cases) {
    for (const auto& condition : one.conditions) named.coordinates.push_back(condition.first);
  }
  mechanism.unread = mechanisms::unread_by_all(domain, std::vector{named});
  return mechanism;
}

Mechanism read_file_mechanism(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "file"}, "a mechanism from a file");
  return read_mechanism_file(fields.require("file"), domain, context);
}

Mechanism read_family(const Family& family, JsonView value, const Domain& domain, ReadingContext& context) {
  std::vector<std::string> known{"type"};
  for (const Field& parameter : family.parameters) known.push_back(parameter.name);
  const Fields fields(value, known, "the family " + family.name);
  const Arguments arguments = read_fields(fields, family.parameters, domain, context);
  if (family.keeps_an_answer) ++context.remarks.kept_answers;
  try {
    Mechanism mechanism = at_place(value, [&] { return family.build(domain, arguments, context.budget); });
    if (!mechanism.note.empty()) context.remarks.notes.push_back(family.name + ": " + mechanism.note);
    return mechanism;
  } catch (const ParameterError& error) {
    fields.find(error.parameter()).value_or(value).fail(error.what());
  }
}

const std::vector<std::pair<std::string, MechanismReader>>& mechanism_readers() {
  static const std::vector<std::pair<std::string, MechanismReader>> table = [] {
    std::vector<std::pair<std::string, MechanismReader>> readers = {
        {"matrix", read_matrix},
        {"cases", read_cases},
        {"per_coordinate", read_per_coordinate},
        {"on", read_on},
        {"compose", read_compose},
        {"repeat", read_repeat},
        {"memoized", read_memoized},
        {"adaptive", read_adaptive},
        {"mixture", read_mixture},
        {"post_process", read_post_process},
    };
    readers.insert(readers.end(), module_mechanisms().begin(), module_mechanisms().end());
    readers.emplace_back("file", read_file_mechanism);
    return readers;
  }();
  return table;
}

}  // namespace

void require_cells(JsonView value, std::uint64_t inputs, std::uint64_t outputs, Budget& budget) {
  at_place(value, [&] { budget.require_cells(inputs, outputs); });
}

ChannelPtr finite_channel(const Mechanism& mechanism, JsonView value) {
  if (!mechanism.channel) {
    value.fail("a mechanism with " + mechanism.outputs_word() + " outputs cannot be part of another one");
  }
  if (!branches_of(*mechanism.channel).empty()) {
    value.fail(
        "an adaptive composition that is too large to be listed (--max-cells) cannot be part of another mechanism");
  }
  return mechanism.channel;
}

Mechanism read_mechanism(JsonView value, const Domain& domain, ReadingContext& context) {
  context.budget.check();
  const std::string type = read_type(value, "a mechanism");
  // A LimitError is reported at the mechanism that exceeds the limit.
  if (const Family* family = find_family(type)) {
    return at_place(value, [&] { return read_family(*family, value, domain, context); });
  }
  std::vector<std::string> known;
  for (const auto& [name, reader] : mechanism_readers()) {
    if (name == type) return at_place(value, [&] { return reader(value, domain, context); });
    known.push_back(name);
  }
  for (const Family& family : families()) known.push_back(family.name);
  fail_unknown_type(value, type, known, "type of mechanism");
}

// Memoized mechanisms: an answer is drawn once and kept; each report is drawn from it.

namespace {

using mechanisms::Stage;

// An independent part: its kept answer, the coordinates it reads, and the report about it.
struct MemoizedPart {
  Stage permanent, report;
  std::vector<std::size_t> coordinates;
};

// The input domain of the report: one coordinate per independent part of the kept answer, whose values are the
// outputs of that part.
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

// The innermost parts of a sampler, with their channels.
void add_stages(const ChannelPtr& channel, const SamplerPtr& sampler, std::vector<Stage>& stages) {
  if (sampler->parts().empty()) stages.push_back({channel, sampler});
  for (const SamplerPart& part : sampler->parts()) add_stages(part.channel, part.sampler, stages);
}

// A stage per factor, with the factor's own sampler. If the mechanism is not sampled factor by factor, each factor is
// sampled from its rows.
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

// The parts if each part of the report reads exactly one part of the kept answer, and no two read the same. nullopt
// otherwise.
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
