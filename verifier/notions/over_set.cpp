#include "verifier/notions/over_set.h"

#include <numeric>

#include "verifier/notions/notion.h"
#include "verifier/sets/set_level.h"

namespace oddsbound::notions {

namespace {

MeasuredLevel measured(const MeasuredModel& subject, const SetLevel& found, const std::vector<Party>& labels,
                       const std::string& coordinate) {
  MeasuredLevel level{found.level(), {}};
  if (!found.exact && !found.member.attains) {
    level.unfinished = Unfinished{level.at_least, "the sample allows a level of this size, and none above it"};
    level.at_least = std::max(Level(), Level::of_exponential(found.p_from / found.p_to));
  }
  if (!found.output) {
    level.witness.coordinate = coordinate;
    return level;
  }
  auto prior = std::make_shared<MemberPrior>();
  for (const auto& [input, mass] : found.member.rows) prior->rows.emplace_back(subject.domain().tuple(input), mass);
  prior->attains = found.member.attains;
  level.witness = {{subject.channel().output_label(*found.output)},
                   labels[found.from],
                   labels[found.to],
                   found.p_from,
                   found.p_to,
                   coordinate,
                   {},
                   std::move(prior)};
  return level;
}

// Every input as a label of its own.
LabelledInputs by_input(const Domain& domain) {
  std::vector<std::uint32_t> label_of(domain.inputs());
  std::iota(label_of.begin(), label_of.end(), std::uint32_t{0});
  return by_label(label_of, label_of.size());
}

std::vector<Party> inputs_of(const Domain& domain) {
  std::vector<Party> labels;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) labels.emplace_back(domain.tuple(x));
  return labels;
}

}  // namespace

Field field_for_all() { return {kForAll, FieldKind::kPriorSet, false}; }

MeasuredLevel value_level_over(MeasuredModel& subject, const sets::PriorSet& set, std::size_t coordinate,
                               const Scope& scope, std::size_t at_once) {
  const std::vector<Party> values = parties_of(subject.domain(), coordinate);
  const Direction direction = direction_of(scope, values);
  return measured(subject, level_over(subject, set, by_value(subject.domain(), coordinate), direction, at_once), values,
                  subject.domain().coordinate(coordinate).name);
}

MeasuredLevel input_level_over(MeasuredModel& subject, const sets::PriorSet& set) {
  const SetLevel found = level_over(subject, set, by_input(subject.domain()), {});
  return measured(subject, found, inputs_of(subject.domain()), "");
}

MeasuredLevel label_level_over(MeasuredModel& subject, const sets::PriorSet& set, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  const LabelledInputs inputs = by_label(labels_of_inputs(subject.domain(), secret), secret.labels.size());
  return measured(subject, level_over(subject, set, inputs, direction_of(Scope(arguments), secret.labels)),
                  secret.labels, "");
}

std::vector<OverSet> compared_over_set(const Domain& domain, const Arguments& arguments) {
  std::vector<OverSet> all;
  const Scope scope(arguments);
  if (const auto* levels = arguments.find_if<CoordinateLevels>("epsilon")) {
    for (const std::size_t i : claimed_coordinates(arguments)) {
      std::vector<Party> values = parties_of(domain, i);
      const Direction direction = direction_of(scope, values);
      all.push_back({domain.coordinate(i).name, by_value(domain, i), std::move(values), direction, *(*levels)[i]});
    }
    return all;
  }
  const Level& level = arguments.get<Level>("epsilon");
  if (const auto* secret = arguments.find_if<Secret>("secret")) {
    const LabelledInputs inputs = by_label(labels_of_inputs(domain, *secret), secret->labels.size());
    return {{"", inputs, secret->labels, direction_of(scope, secret->labels), level}};
  }
  return {{"", by_input(domain), inputs_of(domain), {}, level}};
}

std::optional<std::pair<std::string, std::string>> complaint_about_set(const Domain& domain,
                                                                       const Arguments& arguments) {
  const bool by_coordinate = arguments.find_if<CoordinateLevels>("epsilon") != nullptr;
  if (by_coordinate || arguments.has("secret")) {
    if (const auto complaint = complaint_about_scope(domain, arguments)) return complaint;
  }
  const auto* for_all = arguments.find_if<ForAll>(kForAll);
  if (for_all == nullptr) return std::nullopt;
  if (arguments.has("known")) {
    return std::pair("known", "what is known is part of a prior, and the claim is over a set of priors");
  }
  std::vector<std::optional<std::size_t>> about;
  if (!by_coordinate) {
    about.emplace_back();
  } else {
    for (const std::size_t i : claimed_coordinates(arguments)) about.emplace_back(i);
  }
  for (const auto i : about) {
    if (std::string complaint = for_all->set->complaint(domain, i); !complaint.empty()) {
      return std::pair(kForAll, std::move(complaint));
    }
  }
  return std::nullopt;
}

}  // namespace oddsbound::notions
