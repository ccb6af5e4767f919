#include "specs/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "specs/spec_error.h"

namespace oddsbound::specs {

namespace {

// The text of a value where an expression is expected.
std::string_view expression_text(JsonView value) {
  if (value.kind() != JsonKind::kNumber && value.kind() != JsonKind::kString) {
    value.fail("found " + value.kind_name() + ", expected a number or a string with an expression");
  }
  return value.text();
}

}  // namespace

Parameters::Parameters(std::optional<JsonView> object, const std::map<std::string, Number>& symbols, Budget& budget)
    : budget_(budget) {
  for (const auto& [name, value] : symbols) {
    entries_.emplace(name, Entry{std::nullopt, ExpressionValue{false, value, Number(1)}, nullptr});
    names_.push_back(name);
  }
  if (!object) return;
  if (!object->is_object()) object->fail("found " + object->kind_name() + ", expected an object of named numbers");
  for (const JsonView::Member& member : object->members()) {
    const std::string name(member.key.text());
    require_name(member.key, "parameter");
    if (symbols.contains(name)) member.key.fail("'" + name + "' is the name of a symbol already");
    entries_.emplace(name, Entry{member.value, std::nullopt, nullptr});
    names_.push_back(name);
  }
}

std::unique_ptr<Parameters> Parameters::read(const Fields& fields, const std::map<std::string, Number>& symbols,
                                             Budget& budget, FoundErrors& errors) {
  std::unique_ptr<Parameters> parameters;
  if (!errors.attempt([&] { parameters = std::make_unique<Parameters>(fields.find("parameters"), symbols, budget); })) {
    errors.finish();
  }
  for (const std::string& name : parameters->names_) errors.attempt([&] { parameters->lookup(name); });
  return parameters;
}

ExpressionValue Parameters::lookup(std::string_view name) {
  constexpr std::size_t kDeepest = 200;
  const auto place = entries_.find(name);
  if (place == entries_.end()) {
    const std::string hint = suggestion(name, names_);
    throw NumberError("unknown name '" + printable(name) + "'" + (hint.empty() ? "" : ", " + hint));
  }
  Entry& entry = place->second;
  if (entry.result) return *entry.result;
  if (entry.error) std::rethrow_exception(entry.error);
  const auto begin = std::find(open_.begin(), open_.end(), name);
  if (begin != open_.end()) {
    std::string cycle;
    for (auto step = begin; step != open_.end(); ++step) cycle += *step + " -> ";
    entry.value->fail("the parameters refer to one another in a cycle: " + cycle + std::string(name));
  }
  if (open_.size() >= kDeepest) {
    entry.value->fail("parameters refer to one another through more than " + std::to_string(kDeepest) + " steps");
  }
  open_.emplace_back(name);
  try {
    entry.result = at_place(*entry.value, [&] { return evaluate(expression_text(*entry.value)); });
  } catch (const SpecError&) {
    open_.pop_back();
    entry.error = std::current_exception();
    throw;
  }
  open_.pop_back();
  return *entry.result;
}

ExpressionValue Parameters::evaluate(std::string_view text) {
  return evaluate_expression(text, {[this](std::string_view name) { return lookup(name); }, [this] { budget_.check(); },
                                    most_digits_, &known_});
}

Number read_number(JsonView value, ReadingContext& context) {
  const std::string_view text = expression_text(value);
  SmallFraction fraction{};
  if (read_small_fraction(text, fraction)) return Number::ratio(fraction.numerator, fraction.denominator);
  return at_place(value, [&] { return as_number(context.parameters.evaluate(text)); });
}

Surd read_surd(JsonView value, ReadingContext& context) {
  return at_place(value, [&] { return as_surd(context.parameters.evaluate(expression_text(value))); });
}

Number read_probability(JsonView value, ReadingContext& context) {
  const Number number = read_number(value, context);
  if (number.sign() < 0 || number > Number(1)) {
    value.fail("found " + printable(number.to_string()) + ", expected a number from 0 to 1");
  }
  return number;
}

Number read_mass(JsonView value, ReadingContext& context) {
  const Number number = read_number(value, context);
  if (at_place(value, [&] { return number.sign() < 0; })) {
    value.fail("the probability " + printable(number.to_string()) + " is negative");
  }
  return number;
}

Level read_level(JsonView value, ReadingContext& context) {
  return at_place(value, [&] { return as_level(context.parameters.evaluate(expression_text(value))); });
}

bool read_small_fraction(std::string_view text, SmallFraction& fraction) {
  constexpr std::size_t kDigits = 18;
  fraction = {0, 1};
  std::size_t i = 0;
  const auto digits = [&](std::int64_t& value) {
    const std::size_t begin = i;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
      if (i - begin >= kDigits) return false;
      value = 10 * value + (text[i] - '0');
    }
    return i > begin;
  };
  if (!digits(fraction.numerator)) return false;
  if (i == text.size()) return true;
  if (text[i] == '/') {
    ++i;
    fraction.denominator = 0;
    return digits(fraction.denominator) && i == text.size() && fraction.denominator != 0;
  }
  if (text[i] != '.' || text.size() - 1 > kDigits) return false;
  const std::size_t point = i++;
  if (!digits(fraction.numerator) || i != text.size()) return false;
  for (std::size_t k = point + 1; k < text.size(); ++k) fraction.denominator *= 10;
  return true;
}

std::size_t read_name_of(JsonView name, const std::vector<std::string>& coordinates) {
  const std::string text = read_string(name, "the name of a coordinate");
  const auto found = std::find(coordinates.begin(), coordinates.end(), text);
  if (found != coordinates.end()) return static_cast<std::size_t>(found - coordinates.begin());
  std::string hint = suggestion(text, coordinates);
  if (hint.empty()) hint = "coordinates: " + listing(coordinates);
  name.fail("there is no coordinate '" + printable(text) + "'", hint);
}

std::size_t read_coordinate(JsonView name, const Domain& domain) {
  if (const auto found = name.is_string() ? domain.find(name.text()) : std::nullopt) return *found;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < domain.size(); ++i) names.push_back(domain.coordinate(i).name);
  return read_name_of(name, names);
}

std::vector<std::size_t> read_coordinates(JsonView names, const Domain& domain) {
  std::vector<std::size_t> coordinates;
  for (const JsonView item : read_array(names, "coordinates")) {
    coordinates.push_back(read_coordinate(item, domain));
    if (std::count(coordinates.begin(), coordinates.end(), coordinates.back()) > 1) {
      item.fail("the coordinate '" + printable(item.text()) + "' is listed twice");
    }
  }
  if (coordinates.empty()) names.fail("found no coordinate, expected at least one");
  return coordinates;
}

std::string hint_of_names(std::string_view unknown, const ValueNames& known) {
  constexpr std::uint64_t kMostCompared = 1 << 12;
  if (known.are_numbered() && known.size() > kMostCompared) return "values: 0 to " + std::to_string(known.size() - 1);
  const std::vector<std::string> names = known.listed();
  const std::string near = suggestion(unknown, names);
  return near.empty() ? "values: " + listing(names) : near;
}

std::uint64_t read_value_of(JsonView value, const Domain& domain, std::size_t coordinate) {
  const Coordinate& known = domain.coordinate(coordinate);
  const std::string text = read_string(value, "a value of coordinate '" + printable(known.name) + "'");
  if (const auto found = domain.find_value(coordinate, text)) return *found;
  value.fail("'" + printable(text) + "' is not a value of coordinate '" + printable(known.name) + "'",
             hint_of_names(text, known.values));
}

InputRow read_input(JsonView value, const Domain& domain) {
  const std::vector<JsonView> values = read_array(value, "values, one per coordinate");
  if (values.size() != domain.size()) {
    value.fail("found " + std::to_string(values.size()) + " values, expected one for each of the " +
               std::to_string(domain.size()) + " coordinates");
  }
  InputRow row;
  for (std::size_t i = 0; i < values.size(); ++i) {
    row.push_back(static_cast<std::uint32_t>(read_value_of(values[i], domain, i)));
  }
  return row;
}

std::vector<std::string> read_labels(JsonView value, Budget& budget) {
  std::vector<std::string> labels;
  if (value.kind() == JsonKind::kNumber) {
    const auto most = static_cast<std::int64_t>(budget.limits().max_cells);
    const std::int64_t count = read_integer(value, "the number of outputs", 1, most);
    for (std::int64_t y = 0; y < count; ++y) {
      labels.push_back(std::to_string(y));
      at_place(value, [&] { budget.check_every(); });
    }
    return labels;
  }
  std::unordered_set<std::string_view> seen;
  for (const JsonView item : read_array(value, "output labels, or a number of outputs,")) {
    labels.push_back(read_string(item, "an output label"));
    if (!seen.insert(item.text()).second) item.fail("the output '" + printable(labels.back()) + "' is listed twice");
  }
  if (labels.empty()) value.fail("a mechanism needs at least one output");
  return labels;
}

std::string read_named_file(JsonView name, const ReadingContext& context, std::string& path) {
  const std::string given = read_string(name, "a file name");
  if (given.empty() || given.find('\0') != std::string::npos) name.fail("this is not a file name");
  path = (std::filesystem::path(context.directory) / given).lexically_normal().string();
  try {
    const std::string* at_hand = name.document().given(given);
    std::string text = at_hand != nullptr ? *at_hand : read_file(path, context.budget.limits());
    const auto known = [&](const SourceFile& file) { return file.file == path; };
    if (std::none_of(context.files.begin(), context.files.end(), known)) context.files.push_back({path, sha256(text)});
    return text;
  } catch (const SpecError& error) {
    name.fail("cannot read '" + printable(path) + "': " + error.message(), error.hint());
  }
}

}  // namespace oddsbound::specs
