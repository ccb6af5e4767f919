// Reads sets of priors by their `type`, and writes the canonical text of a set that the lock compares.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::specs {

namespace {

using SetReader = PriorSetPtr (*)(JsonView value, const Domain& domain, ReadingContext& context);

const Prior& center_of(JsonView value, const std::string& type, ReadingContext& context) {
  context.priors.center_used = true;
  if (context.priors.center == nullptr) {
    value.fail("a set of type '" + type + "' refers to the spec's prior, and the spec has none",
               "add a prior, for example {\"type\": \"uniform\"}");
  }
  return *context.priors.center;
}

PriorSetPtr read_all(JsonView value, const Domain&, ReadingContext&) {
  const Fields fields(value, {"type"}, "a set of all priors");
  return all_priors();
}

PriorSetPtr read_products(JsonView value, const Domain&, ReadingContext&) {
  const Fields fields(value, {"type"}, "a set of product priors");
  return product_priors();
}

PriorSetPtr read_correlation(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "at_most"}, "a set of priors by their correlation");
  const JsonView stated = fields.require("at_most");
  if (!stated.is_object()) {
    return correlation_at_most(domain,
                               std::vector<std::optional<Number>>(domain.size(), read_probability(stated, context)));
  }
  std::vector<std::optional<Number>> at_most(domain.size());
  for (const JsonView::Member& member : stated.members()) {
    at_most[read_coordinate(member.key, domain)] = read_probability(member.value, context);
  }
  if (stated.members().empty()) stated.fail("found no coordinate, expected at least one");
  return correlation_at_most(domain, std::move(at_most));
}

PriorSetPtr read_contaminated(JsonView value, const Domain&, ReadingContext& context) {
  const Fields fields(value, {"type", "share", "support"}, "a set of contaminated priors");
  Support support = Support::kDomain;
  if (const auto stated = fields.find("support")) {
    const std::string word = read_string(*stated, "'domain' or 'prior'");
    if (word != "domain" && word != "prior") {
      stated->fail("found '" + printable(word) + "', expected 'domain' or 'prior'");
    }
    support = word == "prior" ? Support::kCenter : Support::kDomain;
  }
  return contaminated(center_of(value, "contaminated", context), read_probability(fields.require("share"), context),
                      support);
}

PriorSetPtr read_total_variation(JsonView value, const Domain&, ReadingContext& context) {
  const Fields fields(value, {"type", "radius"}, "a ball of priors");
  return total_variation_ball(center_of(value, "total_variation", context),
                              read_probability(fields.require("radius"), context));
}

PriorSetPtr read_weights(JsonView value, const Domain&, ReadingContext& context) {
  const Fields fields(value, {"type", "factor"}, "a set of reweighted priors");
  const JsonView stated = fields.require("factor");
  const Number factor = read_number(stated, context);
  if (factor < Number(1)) {
    stated.fail("found " + printable(factor.to_string()) + ", expected a factor of at least 1");
  }
  return reweighted(center_of(value, "weights", context), factor);
}

// A number per input: listed for all inputs in order, or for some inputs plus one number for the others.
struct NumberByInput {
  std::map<std::uint64_t, Number> rows;
  Number others;

  const Number& of(std::uint64_t input) const {
    const auto row = rows.find(input);
    return row == rows.end() ? others : row->second;
  }
  Number sum(const Domain& domain) const {
    Number total = others * Number(static_cast<std::int64_t>(domain.input_numbers() - rows.size()));
    for (const auto& [input, number] : rows) total += number;
    return total;
  }
};

NumberByInput read_cells(JsonView value, const Domain& domain, ReadingContext& context) {
  NumberByInput cells;
  if (value.is_array()) {
    for (const JsonView item : read_array(value, "numbers")) {
      cells.rows.emplace_hint(cells.rows.end(), cells.rows.size(), read_probability(item, context));
    }
    if (cells.rows.size() != domain.inputs()) {
      value.fail("found " + std::to_string(cells.rows.size()) + " numbers, expected one for each of the " +
                 std::to_string(domain.inputs()) + " inputs");
    }
    return cells;
  }
  const Fields fields(value, {"rows", "default"}, "numbers by input");
  cells.others = read_probability(fields.require("default"), context);
  for (const JsonView row : read_array(fields.require("rows"), "rows, each of an input and a number")) {
    const std::vector<JsonView> parts = read_array(row, "an input and a number");
    if (parts.size() != 2) row.fail("found " + std::to_string(parts.size()) + " parts, expected an input and a number");
    const std::uint64_t x = domain.number(read_input(parts[0], domain));
    if (!cells.rows.emplace(x, read_probability(parts[1], context)).second) {
      parts[0].fail("the input is listed twice");
    }
  }
  return cells;
}

PriorSetPtr read_intervals(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "lower", "upper"}, "a set of priors by intervals");
  NumberByInput lower = read_cells(fields.require("lower"), domain, context);
  NumberByInput upper = read_cells(fields.require("upper"), domain, context);
  CellIntervals intervals{{}, {lower.others, upper.others}};
  const auto require_ordered = [&](const CellBounds& interval, const std::string& whose) {
    if (interval.lower <= interval.upper) return;
    value.fail("no prior meets the interval of " + whose + ": its lower bound " +
               printable(interval.lower.to_string(), 40) + " is above its upper bound " +
               printable(interval.upper.to_string(), 40));
  };
  for (const auto& [x, number] : upper.rows) lower.rows.emplace(x, lower.others);
  for (const auto& [x, number] : lower.rows) {
    intervals.rows.push_back({x, {number, upper.of(x)}});
    require_ordered(intervals.rows.back().second, printable(input_label(domain, x)));
  }
  if (lower.rows.size() < domain.input_numbers()) require_ordered(intervals.others, "every other input");
  if (const Number least = lower.sum(domain); least > Number(1)) {
    fields.require("lower").fail("no prior meets the lower bounds: they sum to " + printable(least.to_string(), 60) +
                                 ", which is above 1");
  }
  if (const Number most = upper.sum(domain); most < Number(1)) {
    fields.require("upper").fail("no prior meets the upper bounds: they sum to " + printable(most.to_string(), 60) +
                                 ", which is below 1");
  }
  return within_intervals(std::move(intervals));
}

std::vector<Prior> read_priors(const Fields& fields, const Domain& domain, ReadingContext& context) {
  const JsonView list = fields.require("priors");
  std::vector<Prior> priors;
  for (const JsonView item : read_array(list, "priors")) priors.push_back(read_prior(item, domain, context));
  if (priors.empty()) list.fail("found no prior, expected at least one");
  return priors;
}

PriorSetPtr read_any_of(JsonView value, const Domain& domain, ReadingContext& context) {
  return any_of(read_priors(Fields(value, {"type", "priors"}, "a list of priors"), domain, context));
}

PriorSetPtr read_mixtures_of(JsonView value, const Domain& domain, ReadingContext& context) {
  return mixtures_of(read_priors(Fields(value, {"type", "priors"}, "a list of priors"), domain, context));
}

PriorSetPtr read_side_knowledge(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "about"}, "a set of priors by what is learned");
  std::vector<std::size_t> about = read_coordinates(fields.require("about"), domain);
  return side_knowledge(center_of(value, "side_knowledge", context), std::move(about));
}

// The distribution of some coordinates, and its place in the spec.
struct Table {
  JsonView at;
  std::vector<std::size_t> coordinates;
  Prior prior;
  bool confidential = false;
};

// The marginal of a table on some of its coordinates, normalized to sum 1.
std::vector<Number> cells_of(const Table& table, const std::vector<std::size_t>& coordinates, Budget& budget) {
  std::vector<std::size_t> places;
  for (const std::size_t i : coordinates) {
    const auto place = std::find(table.coordinates.begin(), table.coordinates.end(), i);
    places.push_back(static_cast<std::size_t>(place - table.coordinates.begin()));
  }
  const Prior part = table.prior.marginal(places, budget);
  std::vector<Number> cells = part.dense(budget).weights;
  for (Number& cell : cells) cell /= part.total();
  return cells;
}

std::string names_of(const std::vector<std::size_t>& coordinates, const Domain& domain) {
  std::vector<std::string> names;
  for (const std::size_t i : coordinates) names.push_back(domain.coordinate(i).name);
  return label_of_tuple(names);
}

void require_same(const Table& earlier, const Table& later, const Domain& domain, Budget& budget) {
  std::vector<std::size_t> shared;
  for (const std::size_t i : later.coordinates) {
    if (std::find(earlier.coordinates.begin(), earlier.coordinates.end(), i) != earlier.coordinates.end()) {
      shared.push_back(i);
    }
  }
  if (shared.empty()) return;
  const std::vector<Number> before = cells_of(earlier, shared, budget);
  const std::vector<Number> now = cells_of(later, shared, budget);
  for (std::uint64_t k = 0; k < now.size(); ++k) {
    if (now[k] == before[k]) continue;
    // Exact probabilities of a confidential table are counts of people.
    const bool shown = !earlier.confidential && !later.confidential;
    later.at.fail("it contradicts the table of " + printable(names_of(earlier.coordinates, domain)) + ": there " +
                  printable(names_of(shared, domain)) + " is " +
                  printable(input_label(domain.restricted_to(shared), k)) + " with " +
                  (shown ? "probability " + printable(before[k].to_string(), 40) + ", here with " +
                               printable(now[k].to_string(), 40)
                         : "another probability than here"));
  }
}

PriorSetPtr read_marginals(JsonView value, const Domain& domain, ReadingContext& context) {
  const Fields fields(value, {"type", "sets", "tables"}, "a set of priors by their marginals");
  std::vector<Table> tables;
  if (const auto sets = fields.find("sets")) {
    const Prior& center = center_of(value, "marginals", context);
    for (const JsonView item : read_array(*sets, "lists of coordinates")) {
      std::vector<std::size_t> coordinates = read_coordinates(item, domain);
      tables.push_back({item, coordinates, center.marginal(coordinates, context.budget), context.priors.confidential});
    }
  }
  const std::size_t of_center = tables.size();
  if (const auto stated = fields.find("tables")) {
    for (const JsonView item : read_array(*stated, "tables, each of some coordinates and a prior of these")) {
      const Fields table(item, {"of", "prior"}, "a table");
      std::vector<std::size_t> coordinates = read_coordinates(table.require("of"), domain);
      const std::size_t before = context.remarks.confidential_tables;
      Prior prior = read_prior(table.require("prior"), domain.restricted_to(coordinates), context);
      const bool confidential = context.remarks.confidential_tables > before;
      tables.push_back({item, std::move(coordinates), std::move(prior), confidential});
    }
  }
  if (tables.empty()) value.fail("found no table, expected 'sets' of coordinates or 'tables'");
  std::vector<Marginal> marginals;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    for (std::size_t earlier = 0; k >= of_center && earlier < k; ++earlier) {
      require_same(tables[earlier], tables[k], domain, context.budget);
    }
    marginals.push_back({tables[k].coordinates, cells_of(tables[k], tables[k].coordinates, context.budget)});
  }
  if (tables.size() > of_center && !is_possible(domain, marginals, context.budget)) {
    value.fail("no prior has all these tables, though no two of them contradict each other");
  }
  return with_marginals(std::move(marginals));
}

// The spec's prior as a table of independent draws.
PriorSetPtr read_sample(JsonView value, const Domain&, ReadingContext& context) {
  const Fields fields(value, {"type", "confidence"}, "a set of priors by a sample");
  if (!context.priors.counted) {
    value.fail("a set of type 'sample' takes the spec's prior for a table of independent draws, and the spec has none",
               "give the prior as 'counts' or 'csv'");
  }
  const Prior& counts = center_of(value, "sample", context);
  const JsonView stated = fields.require("confidence");
  const Number confidence = read_number(stated, context);
  if (!confidence.is_rational() || confidence.sign() <= 0 || confidence >= Number(1)) {
    stated.fail("found " + printable(stated.text(), 40) + ", expected a confidence: a rational above 0 and below 1");
  }
  constexpr std::int64_t kMostDraws = 1'000'000'000'000;
  if (counts.total() > Number(kMostDraws)) {
    value.fail("found a sample that is too large, expected 10^12 draws at most");
  }
  return sampled(counts, confidence);
}

const std::vector<std::pair<std::string, SetReader>>& set_readers() {
  static const std::vector<std::pair<std::string, SetReader>> table = {
      {"all", read_all},
      {"product", read_products},
      {"correlation", read_correlation},
      {"contaminated", read_contaminated},
      {"total_variation", read_total_variation},
      {"weights", read_weights},
      {"intervals", read_intervals},
      {"marginals", read_marginals},
      {"sample", read_sample},
      {"network", read_network_set},
      {"any_of", read_any_of},
      {"mixtures_of", read_mixtures_of},
      {"side_knowledge", read_side_knowledge},
  };
  return table;
}

// Keys whose values are names or texts, never numbers.
bool holds_names(std::string_view key) {
  static const std::set<std::string_view> keys = {"type",      "support",    "sets",    "of",
                                                  "about",     "coordinate", "parents", "columns",
                                                  "separator", "count",      "missing", "missing_cells"};
  return keys.contains(key);
}

std::string quoted_text(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <typename Parts>
std::string listed_text(const Parts& parts, char open, char close) {
  std::string text(1, open);
  for (const std::string& part : parts) text += part + ",";
  return text + close;
}

std::string evaluated_string(JsonView value, ReadingContext& context) {
  try {
    const ExpressionValue number = context.parameters.evaluate(value.text());
    return as_number(number).to_string();
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    return canonical_json(value);
  }
}

// Whether the keys of an object are fields of the format or coordinates of the domain.
enum class MembersAre { kFields, kCoordinates };

std::string evaluated_json(JsonView value, ReadingContext& context, MembersAre members);

// An input and its number, in a set of type `intervals`.
std::string evaluated_row(JsonView row, ReadingContext& context) {
  const std::vector<JsonView> parts = row.items();
  return canonical_json(parts.at(0)) + ":" + evaluated_json(parts.at(1), context, MembersAre::kFields);
}

// The canonical text of a field. The order of rows (inputs with numbers) and of priors in a list is ignored.
std::string evaluated_field(std::string_view key, JsonView value, ReadingContext& context) {
  if (holds_names(key)) return canonical_json(value);
  if (key == "marginals" || key == "at_most") return evaluated_json(value, context, MembersAre::kCoordinates);
  if ((key == "rows" || key == "priors") && value.is_array()) {
    std::multiset<std::string> items;
    for (const JsonView& item : value.items()) {
      items.insert(key == "rows" ? evaluated_row(item, context) : evaluated_json(item, context, MembersAre::kFields));
    }
    return listed_text(items, '[', ']');
  }
  return evaluated_json(value, context, MembersAre::kFields);
}

// Canonical JSON with expressions evaluated, so that a changed parameter changes the text. The digest of a table's
// rows replaces `file`. `published` is left out because it does not change the set.
std::string evaluated_json(JsonView value, ReadingContext& context, MembersAre members) {
  if (value.kind() == JsonKind::kString) return evaluated_string(value, context);
  if (value.kind() == JsonKind::kArray) {
    std::vector<std::string> parts;
    for (const JsonView& item : value.items()) parts.push_back(evaluated_json(item, context, MembersAre::kFields));
    return listed_text(parts, '[', ']');
  }
  if (value.kind() != JsonKind::kObject) return canonical_json(value);
  std::set<std::string> texts;
  for (const JsonView::Member& member : value.members()) {
    const std::string_view key = member.key.text();
    if (members == MembersAre::kCoordinates) {
      texts.insert(quoted_text(key) + ":" + evaluated_json(member.value, context, MembersAre::kFields));
    } else if (key == "file") {
      const std::string path = (std::filesystem::path(context.directory) / member.value.text()).lexically_normal();
      texts.insert("file:" + listed_text(context.remarks.table_digests[path], '[', ']'));
    } else if (key != "published") {
      texts.insert(quoted_text(key) + ":" + evaluated_field(key, member.value, context));
    }
  }
  return listed_text(texts, '{', '}');
}

std::string domain_text(const Domain& domain) {
  std::string text;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const Coordinate& coordinate = domain.coordinate(i);
    text += quoted_text(coordinate.name) + ":";
    for (const std::string& value : coordinate.values.listed()) text += quoted_text(value) + ",";
    text += ";";
  }
  return text;
}

// The set with the text that the lock compares and whether it reveals confidential tables.
ForAll for_all_of(JsonView value, const Domain& domain, ReadingContext& context) {
  Remarks& remarks = context.remarks;
  const std::size_t tables = remarks.confidential_tables;
  context.priors.center_used = false;
  remarks.table_digests.clear();
  remarks.digests_wanted = true;
  ForAll for_all;
  for_all.set = read_prior_set(value, domain, context);
  remarks.digests_wanted = false;
  for_all.source = canonical_json(value);
  for_all.content = evaluated_json(value, context, MembersAre::kFields);
  for_all.states_confidential = remarks.confidential_tables > tables;
  static const std::set<std::string> kByCells = {"intervals", "marginals", "network", "any_of", "mixtures_of"};
  const std::string type = read_type(value, "a set of priors");
  if (kByCells.contains(type)) {
    for_all.content += " " + domain_text(domain);
    for_all.states_confidential = for_all.states_confidential || context.priors.values_confidential;
  }
  for_all.confidential = for_all.states_confidential || (context.priors.center_used && context.priors.confidential);
  for_all.called = for_all.set->words();
  // The number of draws is the number of people in the table.
  if (type == "sample" && for_all.confidential) {
    for_all.called =
        "priors that the draws of the table allow at confidence " + decimal_text(*for_all.set->confidence());
  }
  return for_all;
}

}  // namespace

PriorSetPtr read_prior_set(JsonView value, const Domain& domain, ReadingContext& context) {
  const SetReader reader = reader_of_type(value, set_readers(), "a set of priors", "type of set of priors");
  return at_place(value, [&] { return reader(value, domain, context); });
}

std::map<std::string, ForAll> read_prior_sets(JsonView value, const Domain& domain, ReadingContext& context) {
  if (!value.is_object()) value.fail("found " + value.kind_name() + ", expected an object: name to set of priors");
  std::map<std::string, ForAll> named;
  for (const JsonView::Member& member : value.members()) {
    const std::string name(member.key.text());
    ForAll for_all = for_all_of(member.value, domain, context);
    for_all.called += " (" + name + ")";
    named[name] = std::move(for_all);
  }
  return named;
}

ForAll read_for_all(JsonView value, const Domain& domain, ReadingContext& context) {
  if (!value.is_string()) {
    return for_all_of(value, domain, context);
  }
  const std::string name(value.text());
  const auto known = context.priors.named.find(name);
  if (known != context.priors.named.end()) return known->second;
  value.fail("unknown set of priors '" + printable(name) + "'", hint_of_sets(name, context.priors.named));
}

std::string hint_of_sets(const std::string& name, const std::map<std::string, ForAll>& named) {
  std::vector<std::string> known;
  for (const auto& [known_name, set] : named) known.push_back(known_name);
  const std::string hint = suggestion(name, known);
  if (!hint.empty()) return hint;
  return known.empty() ? "the spec has no 'prior_sets'" : "known: " + listing(known);
}

}  // namespace oddsbound::specs
