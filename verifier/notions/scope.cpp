#include "verifier/notions/scope.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/notion.h"
#include "verifier/priors/prior_set.h"
#include "verifier/smt/sides.h"

namespace oddsbound::notions {

namespace {

// A comparison has labels for every combination of known values; this is their maximum number.
constexpr std::uint64_t kMostLabels = 1 << 16;

std::size_t place_of(const Label& party, const std::vector<Label>& labels) {
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), party) - labels.begin());
}

std::vector<bool> mask_of(const std::optional<Parties>& named, const std::vector<Label>& labels) {
  if (!named) return {};
  std::vector<bool> mask(labels.size(), false);
  for (const Label& party : named->parties) mask.at(place_of(party, labels)) = true;
  return mask;
}

Evidence given_of(const Domain& domain, const std::vector<std::size_t>& known, InputView values) {
  Evidence given;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const Coordinate& coordinate = domain.coordinate(known[k]);
    given.emplace_back(coordinate.name, coordinate.values[values[k]]);
  }
  return given;
}

std::string listing(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> names_of(const Domain& domain, const std::vector<std::size_t>& coordinates) {
  std::vector<std::string> names;
  for (const std::size_t i : coordinates) names.push_back(domain.coordinate(i).name);
  return names;
}

std::string listing(const std::vector<Label>& parties) {
  std::vector<std::string> texts;
  for (const Label& party : parties) texts.push_back(party_text(party));
  return listing(texts);
}

}  // namespace

std::vector<Field> with_scope(std::vector<Field> fields, bool any) {
  fields.push_back({"known", FieldKind::kCoordinates, false, "",
                    any ? std::vector<std::string>{"any"} : std::vector<std::string>()});
  fields.push_back({"from", FieldKind::kParties, false});
  fields.push_back({"to", FieldKind::kParties, false});
  return fields;
}

Scope::Scope(const Arguments& arguments) : from(arguments.find<Parties>("from")), to(arguments.find<Parties>("to")) {
  if (const auto* named = arguments.find_if<Coordinates>("known")) known = named->coordinates;
  any_known = knows_anything(arguments);
}

AllowedPairs direction_of(const Scope& scope, const std::vector<Label>& labels) {
  return {mask_of(scope.from, labels), mask_of(scope.to, labels)};
}

std::vector<Label> parties_of(const Domain& domain, std::size_t coordinate) {
  const std::vector<std::string> values = domain.coordinate(coordinate).values.listed();
  return {values.begin(), values.end()};
}

std::string ClaimedScope::words() const {
  std::vector<std::string> parts;
  if (!known.empty()) parts.push_back("knowing " + listing(known));
  if (any_known) parts.push_back("knowing any other attributes");
  if (!from.empty() || !to.empty()) {
    parts.push_back("from " + (from.empty() ? "any" : listing(from)) + " to " + (to.empty() ? "any" : listing(to)));
  }
  if (!for_all.empty()) parts.push_back("for all " + for_all);
  return listing(parts);
}

std::string ClaimedScope::object() const {
  if (!curve.empty()) {
    std::string points;
    for (const auto& point : curve) points += (points.empty() ? "(" : ", (") + point.at(0) + ", " + point.at(1) + ")";
    return "through " + points;
  }
  if (values.empty()) return coordinate;
  std::string text = coordinate.empty() ? "secret = " : coordinate + " = ";
  for (const Label& value : values) text += (&value == values.data() ? "" : " or ") + party_text(value);
  return text;
}

std::string ClaimedScope::holding(bool several) const {
  if (confidence.empty()) return "holds";
  return "holds with confidence " + confidence + (several ? " for all of them together" : "");
}

namespace {

std::vector<std::vector<std::string>> points_of(const Arguments& arguments) {
  std::vector<std::vector<std::string>> points;
  const auto* curve = arguments.find_if<Table>("f");
  if (curve == nullptr) return points;
  for (const auto& point : curve->rows) points.push_back({point[0].to_string(), point[1].to_string()});
  return points;
}

}  // namespace

ClaimedScope claimed_scope(const Domain& domain, const Arguments& arguments) {
  const Scope scope(arguments);
  const auto* named = arguments.find_if<Coordinates>("coordinate");
  const auto* for_all = arguments.find_if<ForAll>(kForAll);
  const std::optional<Number> confidence = for_all == nullptr ? std::nullopt : for_all->set->confidence();
  const auto* order = arguments.find_if<std::int64_t>("order");
  return {named == nullptr ? "" : domain.coordinate(named->coordinates[0]).name,
          names_of(domain, scope.known),
          scope.from.value_or(Parties()).parties,
          scope.to.value_or(Parties()).parties,
          arguments.find<Parties>("values").value_or(Parties()).parties,
          for_all == nullptr ? "" : for_all->called,
          confidence ? decimal_text(*confidence) : "",
          order == nullptr ? 0 : static_cast<std::uint64_t>(*order),
          scope.any_known,
          points_of(arguments)};
}

std::vector<std::size_t> claimed_coordinates(const Arguments& arguments) {
  if (arguments.has("coordinate")) return arguments.get<Coordinates>("coordinate").coordinates;
  const CoordinateLevels& levels = arguments.get<CoordinateLevels>("epsilon");
  std::vector<std::size_t> coordinates;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i]) coordinates.push_back(i);
  }
  return coordinates;
}

Comparison comparison_of_secret(const InputSubset& inputs, const Secret& secret) {
  Comparison comparison;
  comparison.labels = secret.labels;
  comparison.label_at = [partition = secret.inputs](InputView row) { return partition.label_of(row); };
  for (const std::uint64_t x : inputs.places()) comparison.label_of.push_back(comparison.label_at(inputs.row(x)));
  return comparison;
}

Comparison within_scope(const Domain& domain, const InputSubset& inputs, Comparison comparison,
                        const Arguments& arguments) {
  const Scope scope(arguments);
  if (scope.is_everything()) return comparison;
  const std::vector<Label> own = std::move(comparison.labels);
  const AllowedPairs direction = direction_of(scope, own);
  const Projection known(domain, scope.known);
  const Domain combinations = scope.known.empty() ? Domain() : domain.restricted_to(scope.known);
  // Compare as Numbers: for many attributes the count exceeds a machine word.
  const Number most(static_cast<std::int64_t>(kMostLabels / own.size()));
  if (!scope.known.empty() && combinations.input_count() > most) {
    throw LimitError("values that are known have more than " + most.to_string() + " combinations");
  }
  comparison.scope = claimed_scope(domain, arguments).words();
  comparison.labels.clear();
  auto& pairs = comparison.label_pairs.emplace();
  for (std::uint64_t k = 0; k < known.size(); ++k) {
    const std::uint64_t first = comparison.labels.size();
    comparison.labels.insert(comparison.labels.end(), own.begin(), own.end());
    if (!scope.known.empty()) {
      comparison.given.resize(comparison.labels.size(), given_of(domain, scope.known, combinations.row(k)));
    }
    for (std::uint64_t from = 0; from < own.size(); ++from) {
      for (std::uint64_t to = 0; to < own.size(); ++to) {
        if (direction.allows(from, to)) pairs.emplace_back(first + from, first + to);
      }
    }
  }
  const auto labels = static_cast<std::uint32_t>(own.size());
  for (const std::uint64_t place : inputs.places()) {
    comparison.label_of[place] += labels * static_cast<std::uint32_t>(known(inputs.row(place)));
  }
  if (!scope.known.empty()) {
    comparison.coordinate.reset();
    comparison.label_at = [known, labels, label_at = std::move(comparison.label_at)](InputView row) {
      return label_at(row) + labels * static_cast<std::uint32_t>(known(row));
    };
  }
  return comparison;
}

std::vector<Number> label_masses(const MeasuredModel& subject, const Partition& partition) {
  const std::vector<std::size_t>& coordinates = partition.coordinates();
  if (coordinates.size() == 1) return subject.prior().marginal_weights(coordinates[0], subject.budget());
  std::vector<std::vector<WeightedTerm>> terms(partition.size());
  const auto add = [&](const Prior& prior, const Partition& inputs) {
    prior.each_row(subject.budget(), [&](InputView row, const Number& weight) {
      terms[inputs.label_of(row)].push_back({Number(1), weight});
    });
  };
  if (coordinates.empty()) {
    add(subject.prior(), partition);
  } else {
    const Domain joint = subject.domain().restricted_to(coordinates);
    add(subject.prior().marginal(coordinates, subject.budget()), Partition::by_values(joint, every_coordinate(joint)));
  }
  std::vector<Number> masses;
  for (const auto& of_label : terms) masses.push_back(weighted_sum(of_label));
  return masses;
}

std::vector<GivenModel> models_given(const Model& model, const Prior& prior, const std::vector<std::size_t>& known,
                                     Budget& budget) {
  if (known.empty()) return {{{}, Model{model.domain, model.channel, prior}}};
  const std::vector<std::size_t> all = every_coordinate(model.domain);
  std::vector<GivenModel> models;
  prior.marginal(known, budget).each_row(budget, [&](InputView values, const Number&) {
    Prior given = prior;
    for (std::size_t k = 0; k < known.size(); ++k) {
      given = given.conditional(known[k], values[k], all, budget);
    }
    models.push_back({given_of(model.domain, known, values), Model{model.domain, model.channel, std::move(given)}});
  });
  return models;
}

namespace {

// Sets of these coordinates, by size. Empty if there are more than kMostSets.
std::vector<std::vector<std::size_t>> subsets_of(const std::vector<std::size_t>& coordinates) {
  constexpr std::size_t kMostCoordinates = 12;
  std::vector<std::vector<std::size_t>> sets;
  if (coordinates.size() > kMostCoordinates) return sets;
  for (std::size_t mask = 0; mask < std::size_t{1} << coordinates.size(); ++mask) {
    auto& set = sets.emplace_back();
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      if ((mask >> k & 1) != 0) set.push_back(coordinates[k]);
    }
  }
  std::stable_sort(sets.begin(), sets.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  return sets;
}

// The sets to compare, and why there may be worse ones; empty: there are none.
std::pair<std::vector<std::vector<std::size_t>>, std::string> sets_to_know(const MeasuredModel& subject,
                                                                           const std::vector<std::size_t>& about) {
  const Domain& domain = subject.domain();
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    if (domain.values(i) > 1 && std::find(about.begin(), about.end(), i) == about.end()) others.push_back(i);
  }
  if (!about.empty() && subject.prior().has_independent_coordinates()) return {{others}, ""};
  auto sets = subsets_of(others);
  if (!sets.empty()) return {std::move(sets), ""};
  return {{{}, others}, "the adversary may know any of more than 4,096 sets of attributes"};
}

}  // namespace

MeasuredLevel largest_of_known(
    MeasuredModel& subject, const std::vector<std::size_t>& about,
    const std::function<MeasuredLevel(const std::vector<std::size_t>& known, std::size_t left)>& find) {
  auto [sets, reason] = sets_to_know(subject, about);
  std::optional<MeasuredLevel> largest;
  for (std::size_t k = 0; k < sets.size(); ++k) {
    try {
      MeasuredLevel level = find(sets[k], sets.size() - k);
      if (largest) {
        take_larger(*largest, std::move(level));
      } else {
        largest = std::move(level);
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const LimitError& error) {
      reason = error.what();
    }
  }
  if (!largest) throw LimitError(reason);
  if (reason.empty()) return *std::move(largest);
  const Level most = ldp_level(subject).at_most();
  if (most > largest->at_least) largest->unfinished = Unfinished{most, reason};
  return *std::move(largest);
}

std::optional<std::pair<std::string, std::string>> complaint_about_scope(const Domain& domain,
                                                                         const Arguments& arguments) {
  const Scope scope(arguments);
  std::vector<std::size_t> about;
  const auto* secret = arguments.find_if<Secret>("secret");
  if (secret != nullptr) {
    about = secret->inputs.coordinates();
  } else {
    about = claimed_coordinates(arguments);
    if (about.empty()) return std::pair("epsilon", std::string("no level is claimed"));
  }
  // The values of a coordinate may be too many to list.
  const auto is_label = [&](const Label& party) {
    if (secret != nullptr) return place_of(party, secret->labels) < secret->labels.size();
    const auto* value = std::get_if<std::string>(&party);
    return value != nullptr && domain.find_value(about[0], *value).has_value();
  };
  for (const std::size_t i : scope.known) {
    if (std::find(about.begin(), about.end(), i) != about.end()) {
      return std::pair("known", "'" + domain.coordinate(i).name + "' is known, and the claim is about it");
    }
  }
  for (const auto& [name, named] : {std::pair("from", &scope.from), std::pair("to", &scope.to)}) {
    if (!*named) continue;
    if (!arguments.has("secret") && about.size() != 1) {
      return std::pair(name, "values are named, and levels are claimed for several coordinates: " +
                                 listing(names_of(domain, about)));
    }
    for (const Label& party : (*named)->parties) {
      if (is_label(party)) continue;
      return std::pair(name, "'" + party_text(party) + "' is not one of the " +
                                 (arguments.has("secret") ? "secret's labels"
                                                          : "values of '" + domain.coordinate(about[0]).name + "'"));
    }
  }
  return std::nullopt;
}

}  // namespace oddsbound::notions
