// Reads a function of the outputs of a mechanism's independent parts: sums, counts, largest and smallest numbers, and
// conditions on them.
#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "mechanisms/function_sampler.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/stages.h"
#include "specs/output_labels.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/model/aggregate.h"

namespace oddsbound::specs {

namespace {

const std::vector<std::string>& plain_functions() {
  static const std::vector<std::string> names{"sum", "max", "min", "argmax"};
  return names;
}

// A number as a label: digits, with an optional sign, decimals and denominator ("-3", "0.25", "1/2"). nullopt for other
// texts, and for numbers of more than 15 digits.
std::optional<SmallFraction> number_of_label(std::string_view text) {
  constexpr std::size_t kMostDigits = 15;
  std::size_t at = text.starts_with('-') ? 1 : 0;
  // Reads at most this many digits; returns 0 for more.
  const auto digits = [&](std::int64_t& value, std::size_t most) {
    const std::size_t begin = at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) {
      if (at - begin == most) return std::size_t{0};
      value = value * 10 + (text[at++] - '0');
    }
    return at - begin;
  };
  SmallFraction number{0, 1};
  const std::size_t before = digits(number.numerator, kMostDigits);
  if (before == 0) return std::nullopt;
  if (at < text.size() && text[at] == '.') {
    ++at;
    const std::size_t after = digits(number.numerator, kMostDigits - before);
    if (after == 0) return std::nullopt;
    for (std::size_t k = 0; k < after; ++k) number.denominator *= 10;
  } else if (at < text.size() && text[at] == '/') {
    ++at;
    number.denominator = 0;
    if (digits(number.denominator, kMostDigits) == 0 || number.denominator == 0) return std::nullopt;
  }
  if (at != text.size()) return std::nullopt;
  if (text.starts_with('-')) number.numerator = -number.numerator;
  const std::int64_t common = std::gcd(number.numerator, number.denominator);
  return SmallFraction{number.numerator / common, number.denominator / common};
}

// The independent parts of a mechanism, each with its labels; equal channels share them.
struct LabelledPart {
  Factor factor;
  std::shared_ptr<const std::vector<std::string>> labels;
};

std::vector<LabelledPart> parts_with_labels(const Mechanism& mechanism, const Domain& domain, JsonView place,
                                            Budget& budget) {
  std::vector<Factor> factors(mechanism.channel->factors().begin(), mechanism.channel->factors().end());
  if (factors.empty()) factors.push_back({mechanism.channel, every_coordinate(domain)});
  std::map<const Channel*, std::shared_ptr<const std::vector<std::string>>> known;
  std::vector<LabelledPart> parts;
  for (Factor& factor : factors) {
    at_place(place, [&] { budget.check_every(); });
    auto& labels = known[factor.channel.get()];
    if (!labels) {
      labels = at_place(place, [&] {
        budget.require_cells(1, factor.channel->outputs());
        return std::make_shared<const std::vector<std::string>>(output_labels(*factor.channel, budget));
      });
    }
    parts.push_back({std::move(factor), labels});
  }
  return parts;
}

using Scores = std::shared_ptr<const std::vector<std::int64_t>>;

// A function of one number per part.
struct PartFunction {
  std::string name;  // as in the spec: sum, count, ...
  Aggregate kind = Aggregate::kSum;
  std::vector<ScoredPart> parts;
  std::int64_t unit = 1;  // scores are multiples of 1 / unit
};

std::vector<ScoredPart> scored(const std::vector<LabelledPart>& parts,
                               const std::function<std::int64_t(std::size_t part, const std::string& label)>& score) {
  std::map<const void*, Scores> known;
  std::vector<ScoredPart> result;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    Scores& scores = known[parts[p].labels.get()];
    if (!scores) {
      std::vector<std::int64_t> own;
      for (const std::string& label : *parts[p].labels) own.push_back(score(p, label));
      scores = std::make_shared<const std::vector<std::int64_t>>(std::move(own));
    }
    result.push_back({parts[p].factor.channel, parts[p].factor.coordinates, scores});
  }
  return result;
}

PartFunction of_numbers(JsonView value, const std::string& name, const std::vector<LabelledPart>& parts) {
  PartFunction function{name, Aggregate::kSum, {}, 1};
  if (name == "max") function.kind = Aggregate::kMax;
  if (name == "min") function.kind = Aggregate::kMin;
  if (name == "argmax") function.kind = Aggregate::kArgmax;
  const auto number = [&](std::size_t part, const std::string& label) {
    const auto found = number_of_label(label);
    if (!found) {
      value.fail("'" + name + "' needs outputs that are numbers of at most 15 digits; found '" + printable(label, 60) +
                     "' (part " + std::to_string(part) + " of the mechanism)",
                 R"({"count": "LABEL"} counts the parts with an output)");
    }
    return *found;
  };
  constexpr std::int64_t kLargestUnit = 1'000'000'000;
  scored(parts, [&](std::size_t part, const std::string& label) {
    const std::int64_t own = number(part, label).denominator;
    const bool overflows = __builtin_mul_overflow(function.unit / std::gcd(function.unit, own), own, &function.unit);
    if (overflows || function.unit > kLargestUnit) {
      value.fail("the common denominator of the outputs is larger than " + std::to_string(kLargestUnit));
    }
    return std::int64_t{0};
  });
  function.parts = scored(parts, [&](std::size_t part, const std::string& label) {
    const SmallFraction own = number(part, label);
    std::int64_t score = 0;
    if (__builtin_mul_overflow(own.numerator, function.unit / own.denominator, &score)) {
      value.fail("the output '" + printable(label, 60) + "' is too large");
    }
    return score;
  });
  return function;
}

PartFunction of_count(JsonView value, const std::vector<LabelledPart>& parts) {
  const std::vector<JsonView> items = value.is_array() ? value.items() : std::vector{value};
  if (items.empty()) value.fail("found an empty list, expected outputs to count");
  std::unordered_set<std::string> known;
  std::vector<std::string> all;
  std::unordered_set<const std::vector<std::string>*> seen;
  for (const LabelledPart& part : parts) {
    if (!seen.insert(part.labels.get()).second) continue;
    for (const std::string& label : *part.labels) {
      if (known.insert(label).second) all.push_back(label);
    }
  }
  std::unordered_set<std::string> counted;
  for (const JsonView item : items) {
    const std::string label = read_string(item, "an output");
    if (!known.contains(label)) {
      std::string hint = suggestion(label, all);
      if (hint.empty()) hint = "outputs of the parts: " + listing(all);
      item.fail("no part of the mechanism has the output '" + printable(label) + "'", hint);
    }
    if (!counted.insert(label).second) item.fail("the output '" + printable(label) + "' is listed twice");
  }
  return {"count", Aggregate::kSum,
          scored(parts, [&](std::size_t, const std::string& label) { return counted.contains(label) ? 1 : 0; }), 1};
}

constexpr std::string_view kExpected =
    R"("sum", "max", "min", "argmax", {"count": ...}, {"at_least": ..., "of": ...} or {"one_of": [...]})";

PartFunction read_part_function(JsonView value, const std::vector<LabelledPart>& parts) {
  if (value.is_object()) return of_count(Fields(value, {"count"}, "a function of parts").require("count"), parts);
  const std::string name = read_string(value, "a function");
  const std::vector<std::string>& known = plain_functions();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    std::string hint = suggestion(name, known);
    if (hint.empty()) hint = R"(functions of parts: "sum", "max", "min", "argmax" or {"count": "LABEL"})";
    value.fail("there is no function '" + printable(name) + "'", hint);
  }
  return of_numbers(value, name, parts);
}

// Results of a function of parts, and the output that each becomes.
struct Outputs {
  std::vector<std::string> labels;
  std::vector<std::uint32_t> of_result;
};

const std::vector<std::string>& truth_labels() {
  static const std::vector<std::string> labels{"false", "true"};
  return labels;
}

std::vector<std::string> labels_of_results(const PartFunction& function, const std::vector<std::int64_t>& results) {
  std::vector<std::string> labels;
  const bool is_number = function.kind != Aggregate::kArgmax;
  for (const std::int64_t result : results) {
    labels.push_back(is_number ? Number::ratio(result, function.unit).to_string() : std::to_string(result));
  }
  return labels;
}

Outputs at_least(JsonView value, const PartFunction& function, const std::vector<std::int64_t>& results,
                 ReadingContext& context) {
  if (function.kind == Aggregate::kArgmax)
    value.fail("'at_least' compares numbers, and the result of 'argmax' is the number of a part");
  const Number bound = read_number(value, context);
  if (!bound.is_rational()) value.fail("found " + printable(bound.to_string(), 60) + ", expected a rational number");
  Outputs outputs{truth_labels(), {}};
  for (const std::int64_t result : results) {
    outputs.of_result.push_back(Number::ratio(result, function.unit) < bound ? 0 : 1);
  }
  return outputs;
}

// The given labels as indices of `labels`, each once.
std::vector<std::size_t> read_some(JsonView value, const std::vector<std::string>& labels,
                                   const std::string& function) {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t k = 0; k < labels.size(); ++k) places.emplace(labels[k], k);
  std::vector<bool> is_listed(labels.size(), false);
  std::vector<std::size_t> found;
  const std::vector<JsonView> items = read_array(value, "labels");
  if (items.empty()) value.fail("found an empty list, expected at least one label");
  for (const JsonView item : items) {
    const std::string label = read_string(item, "a label");
    const auto place = places.find(label);
    if (place == places.end()) {
      std::string hint = suggestion(label, labels);
      if (hint.empty()) hint = "results: " + listing(labels);
      item.fail("'" + printable(label) + "' is no result of '" + function + "'", hint);
    }
    if (is_listed[place->second]) item.fail("'" + printable(label) + "' is listed twice");
    is_listed[place->second] = true;
    found.push_back(place->second);
  }
  return found;
}

Outputs one_of(JsonView value, const PartFunction& function, const std::vector<std::int64_t>& results) {
  Outputs outputs{truth_labels(), std::vector<std::uint32_t>(results.size(), 0)};
  for (const std::size_t r : read_some(value, labels_of_results(function, results), function.name)) {
    outputs.of_result[r] = 1;
  }
  return outputs;
}

ChannelPtr channel_of(const ClassLaws& laws, const Outputs& outputs, Budget& budget) {
  PoolBuilder builder;
  for (const std::vector<Number>& law : laws.laws) {
    std::vector<std::vector<Number>> terms(outputs.labels.size());
    for (std::size_t r = 0; r < law.size(); ++r) {
      if (!law[r].is_zero()) terms[outputs.of_result[r]].push_back(law[r]);
    }
    for (const std::vector<Number>& own : terms) {
      budget.check_every();
      builder.add(own.size() == 1 ? own[0] : sum_of(own));
    }
  }
  ChannelPtr rows = DenseChannel::from_rows(laws.laws.size(), outputs.labels, std::move(builder), budget);
  return std::make_shared<const ClassedChannel>(std::move(rows), laws.class_of);
}

// Returns true or false for each output of the mechanism: true for the listed ones. Outputs are not enumerated.
Mechanism is_one_of(JsonView list, const Mechanism& inner, const Domain& domain, JsonView place, Budget& budget) {
  const Channel& channel = *inner.channel;
  OutputLabels labels(channel, budget);
  std::set<std::vector<std::uint64_t>> outputs;
  for (const JsonView item : read_array(list, "outputs of the mechanism")) {
    const std::string label = read_string(item, "an output");
    const auto found = at_place(item, [&] { return labels.find(label); });
    if (!found) item.fail("there is no output '" + printable(label) + "'", labels.hint(label));
    if (!outputs.insert(*found).second) item.fail("the output '" + printable(label) + "' is listed twice");
  }
  if (outputs.empty()) list.fail("found an empty list, expected at least one output");
  Mechanism result;
  result.channel = at_place(place, [&] {
    PoolBuilder builder;
    std::vector<Number> terms;
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      terms.clear();
      for (const std::vector<std::uint64_t>& output : outputs) {
        budget.check_every();
        terms.push_back(channel.entry_of(x, output));
      }
      const Number chance = sum_of(terms);
      builder.add(Number(1) - chance);
      builder.add(chance);
    }
    return DenseChannel::from_rows(domain.inputs(), truth_labels(), std::move(builder), budget);
  });
  result.sampler = mechanisms::function_sampler({inner.channel, inner.sampler_or_rows()},
                                                [outputs](std::span<const std::uint64_t> words) -> std::uint64_t {
                                                  return outputs.contains({words.begin(), words.end()}) ? 1 : 0;
                                                });
  return result;
}

SamplerPtr sampler_of(const PartFunction& function, const Mechanism& inner, const Domain& domain, const ClassLaws& laws,
                      const Outputs& outputs) {
  std::vector<SamplerPtr> samplers;
  for (const mechanisms::Stage& stage : mechanisms::stages_of(inner)) samplers.push_back(stage.sampler);
  return mechanisms::aggregate_sampler(domain, function.kind, function.parts, samplers, laws.results,
                                       outputs.of_result);
}

}  // namespace

Mechanism read_function(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "mechanism", "function"}, "a function of outputs");
  const JsonView place = fields.require("mechanism");
  const Mechanism inner = read_mechanism(place, domain, context);
  finite_channel(inner, place);
  const JsonView given = fields.require("function");
  if (!given.is_string() && !given.is_object()) {
    given.fail("found " + given.kind_name() + ", expected " + std::string(kExpected));
  }
  JsonView base = given;
  std::optional<JsonView> bound, list;
  if (given.is_object()) {
    const Fields function(given, {"count", "at_least", "one_of", "of"}, "a function");
    const int kinds = function.has("count") + function.has("at_least") + function.has("one_of");
    if (kinds != 1) given.fail("a function has exactly one of 'count', 'at_least' and 'one_of'");
    if (function.has("count") && function.has("of")) {
      function.require("of").fail(
          "'of' is a field of 'at_least' and 'one_of'; 'count' always reads the parts of the mechanism");
    }
    bound = function.find("at_least");
    list = function.find("one_of");
    if (bound) function.require("of");
    if (const auto of = function.find("of")) base = *of;
    if (list && !function.has("of")) {
      Mechanism result = is_one_of(*list, inner, domain, value, context.budget);
      result.unread = inner.unread;
      return result;
    }
  }
  const PartFunction function = read_part_function(base, parts_with_labels(inner, domain, place, context.budget));
  const ClassLaws laws =
      at_place(given, [&] { return aggregate_laws(function.kind, domain, function.parts, context.budget); });
  Outputs outputs;
  if (bound) {
    outputs = at_least(*bound, function, laws.results, context);
  } else if (list) {
    outputs = one_of(*list, function, laws.results);
  } else {
    outputs = {labels_of_results(function, laws.results), std::vector<std::uint32_t>(laws.results.size())};
    std::iota(outputs.of_result.begin(), outputs.of_result.end(), 0);
  }
  Mechanism result;
  result.channel = at_place(value, [&] { return channel_of(laws, outputs, context.budget); });
  result.sampler = at_place(value, [&] { return sampler_of(function, inner, domain, laws, outputs); });
  result.unread = inner.unread;
  return result;
}

}  // namespace oddsbound::specs
