// Reads the fields of claims and of mechanism families: one method per FieldKind.
#include <algorithm>
#include <memory>
#include <set>

#include "specs/condition.h"
#include "specs/output_labels.h"
#include "specs/pair_levels_reader.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/engine/neighbor_losses.h"

namespace oddsbound::specs {

namespace {

class FieldReader {
 public:
  /// beside: all given fields of the same object. fields: those that it may have.
  FieldReader(const Field& field, const Fields& beside, std::span<const Field> fields, const Domain& domain,
              ReadingContext& context)
      : field_(field), beside_(beside), fields_(fields), domain_(domain), context_(context) {}

  FieldValue read(JsonView value) {
    switch (field_.kind) {
      case FieldKind::kLevel: return level(value);
      case FieldKind::kCoordinateLevels: return coordinate_levels(value, false);
      case FieldKind::kLevelOrByCoordinate:
        if (value.is_object()) return coordinate_levels(value, false);
        return level(value);
      case FieldKind::kAllCoordinateLevels: return coordinate_levels(value, true);
      case FieldKind::kLevelMatrix: return read_pair_levels(value, domain_, context_);
      case FieldKind::kProbability: return read_probability(value, context_);
      case FieldKind::kInputs: return value.is_object() ? inputs_that_meet(value) : inputs(value);
      case FieldKind::kPartition: return partition(value);
      case FieldKind::kSecret: return value.is_array() ? secret_of_coordinates(value) : secret_of_labels(value);
      case FieldKind::kRecords: return records(value);
      case FieldKind::kNeighbors:
        if (value.is_object()) return neighbor_pairs(value);
        if (!value.is_string())
          value.fail("expected 'all', 'coordinate', 'record', or an object with 'pairs' or a 'metric'");
        return word(value);
      case FieldKind::kCoordinate: return Coordinates{{read_coordinate(value, domain_)}};
      case FieldKind::kCoordinates:
        if (value.is_string() && !field_.words.empty()) return word_for_coordinates(value);
        return Coordinates{read_coordinates(value, domain_)};
      case FieldKind::kParties: return parties(value);
      case FieldKind::kWord: return word(value);
      case FieldKind::kNumber: return read_number(value, context_);
      case FieldKind::kNumberOrWord: return number_or_word(value);
      case FieldKind::kNumberByCoordinate:
        if (value.is_object()) return coordinate_numbers(value);
        return one_number(value);
      case FieldKind::kInteger: return read_integer(value, "'" + field_.name + "'", field_.least, field_.most);
      case FieldKind::kLabels: return Labels{read_labels(value, context_.budget)};
      case FieldKind::kOutputs: return outputs(value);
      case FieldKind::kTable: return table(value);
      case FieldKind::kPoints: return points(value);
      case FieldKind::kPriorSet: return read_for_all(value, domain_, context_);
      case FieldKind::kMechanism: return finite_channel(read_mechanism(value, domain_, context_), value);
    }
    value.fail("unknown kind of field");
  }

 private:
  std::string input_text(std::uint64_t input) const {
    std::string text;
    for (const std::string& value : domain_.tuple(input))
      text += (text.empty() ? "\"" : ", \"") + printable(value) + "\"";
    return "[" + text + "]";
  }

  // The coordinates that a single level excludes: public ones and those in "known". Errors in "known" are reported
  // where that field itself is read.
  std::set<std::size_t> no_secrets() const {
    std::set<std::size_t> found;
    for (std::size_t i = 0; i < domain_.size(); ++i) {
      if (domain_.coordinate(i).is_public) found.insert(i);
    }
    const auto known = beside_.find("known");
    if (!known || !known->is_array()) return found;
    for (const JsonView item : known->items()) {
      const auto place = item.is_string() ? domain_.find(item.text()) : std::nullopt;
      if (place) found.insert(*place);
    }
    return found;
  }

  // The field by which a claim with one level may be about one coordinate, as a hint.
  std::string way_to_one_coordinate() const {
    for (const char* name : {"coordinate", "differ"}) {
      const auto is_named = [&](const Field& field) { return field.name == name; };
      if (std::any_of(fields_.begin(), fields_.end(), is_named)) {
        return std::string("; to limit it to one coordinate, name that in '") + name + "'";
      }
    }
    return "";
  }

  Level level(JsonView value) {
    if (value.is_object()) {
      value.fail("found an object, expected a number or a string with an expression",
                 "this notion has one level" + way_to_one_coordinate());
    }
    Level level = read_level(value, context_);
    if (level.surd() != nullptr && !field_.roots) {
      value.fail("found the level " + printable(level.to_string(), 40) + ", expected one without a square root",
                 "what is computed from '" + field_.name + "' is a number; levels with a root can only be compared");
    }
    return level;
  }

  CoordinateLevels coordinate_levels(JsonView value, bool all) {
    CoordinateLevels levels(domain_.size());
    if (value.is_array()) {
      value.fail("found an array, expected a level for all coordinates, or an object of levels by coordinate",
                 "for example \"1\", or {\"" + printable(domain_.coordinate(0).name, 40) + "\": \"1\"}");
    }
    if (!value.is_object()) {
      const Level one = level(value);
      const std::set<std::size_t> left_out = all ? std::set<std::size_t>() : no_secrets();
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (!left_out.contains(i)) levels[i] = one;
      }
      if (left_out.size() == levels.size()) {
        value.fail("every coordinate is public or known: the claim is about none");
      }
      return levels;
    }
    for (const JsonView::Member& member : value.members()) {
      levels[read_coordinate(member.key, domain_)] = level(member.value);
    }
    if (value.members().empty()) value.fail("found no coordinate, expected at least one");
    for (std::size_t i = 0; all && i < levels.size(); ++i) {
      if (!levels[i]) value.fail("no level is given for coordinate '" + printable(domain_.coordinate(i).name) + "'");
    }
    return levels;
  }

  CoordinateNumbers coordinate_numbers(JsonView value) {
    CoordinateNumbers numbers(domain_.size());
    for (const JsonView::Member& member : value.members()) {
      numbers[read_coordinate(member.key, domain_)] = read_number(member.value, context_);
    }
    if (value.members().empty()) value.fail("found no coordinate, expected at least one");
    return numbers;
  }

  Number one_number(JsonView value) {
    if (value.is_array()) {
      value.fail("found an array, expected a number, or an object of numbers by coordinate",
                 "for example \"1/10\", or {\"" + printable(domain_.coordinate(0).name, 40) + "\": \"1/10\"}");
    }
    return read_number(value, context_);
  }

  Inputs inputs(JsonView value) {
    Inputs result;
    std::set<std::uint64_t> seen;
    for (const JsonView item : read_array(value, "inputs, or a condition")) {
      result.inputs.push_back(domain_.number(read_input(item, domain_)));
      if (!seen.insert(result.inputs.back()).second) item.fail("the input is listed twice");
    }
    if (result.inputs.empty()) value.fail("found no input, expected at least one");
    return result;
  }

  // All inputs that meet a condition.
  Inputs inputs_that_meet(JsonView value) {
    const Condition condition = read_condition(value, domain_);
    Inputs result;
    for (std::uint64_t x = 0; x < domain_.inputs(); ++x) {
      context_.budget.check_every();
      if (condition.matches(domain_, x)) result.inputs.push_back(x);
    }
    if (result.inputs.empty()) value.fail("no input meets the condition, expected at least one");
    return result;
  }

  Outputs outputs(JsonView value) {
    const std::vector<JsonView> items = read_array(value, "outputs");
    if (items.empty()) value.fail("found no output, expected at least one");
    Outputs result;
    if (!context_.has_mechanism) return result;
    if (context_.outputs_of == nullptr) value.fail("the outputs of the mechanism cannot be listed");
    OutputLabels labels(*context_.outputs_of, context_.budget);
    std::set<std::vector<std::uint64_t>> seen;
    for (const JsonView item : items) {
      const std::string label = read_string(item, "an output");
      const auto found = at_place(item, [&] { return labels.find(label); });
      if (!found) {
        item.fail("the mechanism has no output '" + printable(label, 60) + "'",
                  at_place(item, [&] { return labels.hint(label); }));
      }
      if (!seen.insert(*found).second) item.fail("the output is listed twice");
      result.outputs.push_back(*found);
    }
    return result;
  }

  // Groups of inputs, or coordinates on which the inputs of a group agree.
  Partition partition(JsonView value) {
    const std::vector<JsonView> items = read_array(value, "blocks");
    if (!items.empty() && items[0].kind() == JsonKind::kString) {
      return Partition::by_values(domain_, read_coordinates(value, domain_));
    }
    return partition_of(items, value, "is in two blocks", "block");
  }

  // twice, what: words for an input that is in two groups, or in none.
  Partition partition_of(const std::vector<JsonView>& groups, JsonView value, const std::string& twice,
                         const std::string& what) {
    const auto none = static_cast<std::uint32_t>(groups.size());
    std::vector<std::uint32_t> label_of(domain_.inputs(), none);
    for (std::uint32_t label = 0; label < none; ++label) {
      for (const std::uint64_t x : inputs(groups[label]).inputs) {
        if (label_of[x] != none) groups[label].fail("the input " + input_text(x) + " " + twice);
        label_of[x] = label;
      }
    }
    const auto missing = std::find(label_of.begin(), label_of.end(), none);
    if (missing != label_of.end()) {
      value.fail(
          "the input " + input_text(static_cast<std::uint64_t>(missing - label_of.begin())) + " is in no " + what,
          "every input must be in exactly one");
    }
    return Partition::by_label(domain_, std::move(label_of), none);
  }

  Secret secret_of_labels(JsonView value) {
    if (!value.is_object()) {
      value.fail("found " + value.kind_name() + ", expected an object (label to inputs) or a list of coordinates");
    }
    std::vector<Label> labels;
    std::vector<JsonView> groups;
    for (const JsonView::Member& member : value.members()) {
      labels.emplace_back(std::string(member.key.text()));
      groups.push_back(member.value);
    }
    return {std::move(labels), partition_of(groups, value, "has two labels", "label's list")};
  }

  Secret secret_of_coordinates(JsonView value) {
    std::vector<std::size_t> coordinates = read_coordinates(value, domain_);
    const Domain joint = domain_.restricted_to(coordinates);
    std::vector<Label> labels;
    for (std::uint64_t label = 0; label < joint.inputs(); ++label) labels.emplace_back(joint.tuple(label));
    return {std::move(labels), Partition::by_values(domain_, std::move(coordinates))};
  }

  // A value or a label is a string. A label of several coordinates is an array of their values.
  Parties parties(JsonView value) {
    Parties result;
    for (const JsonView item : read_array(value, "values, or labels of the secret")) {
      Label party;
      if (item.is_array()) {
        auto& values = party.emplace<std::vector<std::string>>();
        for (const JsonView part : read_array(item, "values")) values.push_back(read_string(part, "a value"));
      } else {
        party = read_string(item, "a value, or a label of the secret");
      }
      if (std::find(result.parties.begin(), result.parties.end(), party) != result.parties.end()) {
        item.fail("it is listed twice");
      }
      result.parties.push_back(std::move(party));
    }
    if (result.parties.empty()) value.fail("found none, expected at least one");
    return result;
  }

  CoordinateGroups records(JsonView value) {
    CoordinateGroups result;
    std::vector<bool> seen(domain_.size(), false);
    for (const JsonView record : read_array(value, "records, each a list of coordinates")) {
      result.groups.emplace_back();
      for (const JsonView item : read_array(record, "coordinates")) {
        const std::size_t i = read_coordinate(item, domain_);
        if (seen[i]) item.fail("the coordinate '" + printable(item.text()) + "' is in a record already");
        seen[i] = true;
        result.groups.back().push_back(i);
      }
    }
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (!seen[i]) value.fail("the coordinate '" + printable(domain_.coordinate(i).name) + "' is in no record");
    }
    return result;
  }

  // {"pairs": [[input, input], ...]}, or {"metric": name, "of": [coordinates], "at_most": number}.
  std::shared_ptr<const InputPairs> neighbor_pairs(JsonView value) {
    if (domain_.inputs() == 0) value.fail("the domain has too many inputs to list pairs of them");
    InputPairs found;
    const Fields fields(value, {"pairs", "metric", "of", "at_most"}, "a relation of neighbors");
    const auto listed = fields.find("pairs");
    if (listed && fields.has("metric")) value.fail("found 'pairs' and 'metric', expected one of them");
    if (listed) {
      for (const char* other : {"of", "at_most"}) {
        if (const auto extra = fields.find(other)) extra->fail(std::string("'") + other + "' belongs to a metric");
      }
      found.pairs = listed_pairs(*listed);
    } else if (!fields.has("metric")) {
      value.fail("expected 'pairs' or a 'metric'");
    } else {
      found.pairs = near_pairs(fields);
    }
    std::sort(found.pairs.begin(), found.pairs.end());
    found.written = canonical_json(value) + ", " + std::to_string(found.pairs.size()) + " pairs";
    return std::make_shared<const InputPairs>(std::move(found));
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> listed_pairs(JsonView value) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    for (const JsonView item : read_array(value, "pairs of inputs")) {
      const std::vector<JsonView> both = read_array(item, "two inputs");
      if (both.size() != 2) item.fail("found " + std::to_string(both.size()) + " inputs, expected two");
      const std::uint64_t a = domain_.number(read_input(both[0], domain_));
      const std::uint64_t b = domain_.number(read_input(both[1], domain_));
      if (a == b) item.fail("found one input twice, expected two different ones");
      if (!seen.insert(std::minmax(a, b)).second) item.fail("the pair is listed twice");
      pairs.push_back(std::minmax(a, b));
    }
    if (pairs.empty()) value.fail("found no pair, expected at least one");
    return pairs;
  }

  // Pairs of inputs that differ in some coordinates only, by a distance of at most a number.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> near_pairs(const Fields& fields) {
    const Distance found = read_distance(fields, domain_);
    const JsonView limit = fields.require("at_most");
    Number at_most = read_number(limit, context_);
    if (at_most.sign() <= 0) limit.fail("found " + at_most.to_string() + ", expected more than 0");
    if (found.metric == Metric::kL2) at_most *= at_most;
    std::uint64_t alike = 1;  // inputs with the same values in all other coordinates, at most domain_.inputs()
    for (const std::size_t i : found.of) alike *= domain_.values(i);
    context_.budget.require_cells(domain_.inputs(), alike);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
    if (alike == 1) return pairs;
    engine::for_pairs_within(domain_, found.of, [&](std::uint64_t a, std::uint64_t b) {
      context_.budget.check_every();
      if (a > b || found.between(domain_, a, b) > at_most) return;
      constexpr std::size_t kMostPairs = std::size_t{1} << 24;
      if (pairs.size() == kMostPairs) fields.object().fail("more than 16,777,216 pairs of inputs are neighbors");
      pairs.emplace_back(a, b);
    });
    return pairs;
  }

  std::string word(JsonView value) {
    const std::string text = read_string(value, "'" + field_.name + "'");
    if (std::find(field_.words.begin(), field_.words.end(), text) == field_.words.end()) {
      value.fail("unknown kind of " + field_.name + " '" + printable(text) + "', expected " + listing(field_.words),
                 suggestion(text, field_.words));
    }
    return text;
  }

  std::string word_for_coordinates(JsonView value) {
    const std::string text = read_string(value, "'" + field_.name + "'");
    if (std::find(field_.words.begin(), field_.words.end(), text) == field_.words.end()) {
      value.fail("found '" + printable(text, 60) + "', expected an array of coordinates, or '" + field_.words[0] + "'");
    }
    return text;
  }

  FieldValue number_or_word(JsonView value) {
    if (!value.is_string()) return read_number(value, context_);
    const std::string text = read_string(value, "'" + field_.name + "'");
    if (std::find(field_.words.begin(), field_.words.end(), text) != field_.words.end()) return text;
    try {
      return read_number(value, context_);
    } catch (const SpecError& error) {
      const std::string hint = suggestion(text, field_.words);
      throw SpecError(error.place(), error.message() + ", expected a number or " + listing(field_.words),
                      hint.empty() ? error.hint() : hint);
    }
  }

  Table points(JsonView value) {
    Table result;
    for (const JsonView point : read_array(value, "points, each a pair of numbers")) {
      auto& row = result.rows.emplace_back();
      for (const JsonView cell : read_array(point, "two numbers")) row.push_back(read_number(cell, context_));
      if (row.size() != 2) point.fail("found " + std::to_string(row.size()) + " numbers, expected two");
    }
    if (result.rows.size() < 2) value.fail("found fewer than two points, expected the ends of a curve");
    return result;
  }

  Table table(JsonView value) {
    const std::vector<JsonView> rows = read_array(value, "rows of numbers");
    if (rows.size() != domain_.inputs()) {
      value.fail("found " + std::to_string(rows.size()) + " rows, expected one for each of the " +
                 std::to_string(domain_.inputs()) + " inputs");
    }
    Table result;
    for (const JsonView row : rows) {
      result.rows.emplace_back();
      for (const JsonView cell : read_array(row, "numbers")) result.rows.back().push_back(read_number(cell, context_));
    }
    return result;
  }

  const Field& field_;
  const Fields& beside_;
  std::span<const Field> fields_;
  const Domain& domain_;
  ReadingContext& context_;
};

}  // namespace

Arguments read_fields(const Fields& given, std::span<const Field> fields, const Domain& domain,
                      ReadingContext& context) {
  Arguments arguments;
  for (const Field& field : fields) {
    if (!field.required && !given.has(field.name)) continue;
    const JsonView value = given.require(field.name);
    arguments.set(field.name,
                  at_place(value, [&] { return FieldReader(field, given, fields, domain, context).read(value); }));
  }
  return arguments;
}

std::vector<std::size_t> read_attributes(JsonView names, const Domain& domain) {
  std::vector<std::size_t> attributes = read_coordinates(names, domain);
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

}  // namespace oddsbound::specs
