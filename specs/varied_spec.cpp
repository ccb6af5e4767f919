#include "specs/varied_spec.h"

#include <algorithm>
#include <cassert>

#include "base/errors.h"
#include "specs/spec_error.h"

namespace oddsbound::specs {

namespace {

std::optional<JsonView> member_of(JsonView object, std::string_view key) {
  if (!object.is_object()) return std::nullopt;
  for (const JsonView::Member& member : object.members()) {
    if (member.key.text() == key) return member.value;
  }
  return std::nullopt;
}

std::vector<std::string> keys_of(std::optional<JsonView> object) {
  std::vector<std::string> keys;
  if (!object || !object->is_object()) return keys;
  for (const JsonView::Member& member : object->members()) keys.emplace_back(member.key.text());
  return keys;
}

// One step of a JSON pointer (RFC 6901), unescaped.
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escape = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += escape ? (step[++i] == '0' ? '~' : '/') : step[i];
  }
  return text;
}

std::optional<JsonView> child_of(JsonView value, const std::string& step) {
  if (!value.is_array()) return member_of(value, step);
  const std::vector<JsonView> items = value.items();
  constexpr std::size_t kMostDigits = 9;
  const bool number = !step.empty() && step.size() <= kMostDigits &&
                      std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t index = number ? std::stoul(step) : items.size();
  return index < items.size() ? std::optional(items[index]) : std::nullopt;
}

JsonView follow(const JsonDocument& document, const std::string& pointer) {
  JsonView value = document.root();
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const std::string step = unescaped(std::string_view(pointer).substr(begin, end - begin));
    const auto child = child_of(value, step);
    if (!child) {
      value.fail("nothing stands at '" + printable(pointer) + "': there is no '" + printable(step) + "' here",
                 suggestion(step, keys_of(value)));
    }
    value = *child;
    begin = end + 1;
  }
  return value;
}

JsonView number_at(const JsonDocument& document, const std::string& pointer) {
  const std::vector<std::string> parts{"parameters", "domain", "prior", "mechanism", "claims"};
  const std::string first = pointer.substr(1, pointer.find('/', 1) - 1);
  const JsonView value = follow(document, pointer);
  if (std::find(parts.begin(), parts.end(), first) == parts.end()) {
    value.fail("this cannot be varied, expected a pointer into " + listing(parts));
  }
  if (value.kind() != JsonKind::kNumber && !value.is_string()) {
    value.fail("found " + value.kind_name() + ", expected a number or a string with an expression");
  }
  return value;
}

}  // namespace

VariedSpec::VariedSpec(std::shared_ptr<const JsonDocument> document, std::string directory,
                       const std::string& parameter)
    : document_(std::move(document)), directory_(std::move(directory)), parameter_(parameter), free_name_("varied") {
  const auto symbols = member_of(document_->root(), "symbols");
  const auto parameters = member_of(document_->root(), "parameters");
  std::vector<std::string> names = keys_of(symbols);
  for (std::string& name : keys_of(parameters)) names.push_back(std::move(name));
  while (std::find(names.begin(), names.end(), free_name_) != names.end()) free_name_ += "_";
  if (parameter.starts_with('/')) {
    place_ = number_at(*document_, parameter);
  } else if (symbols && member_of(*symbols, parameter)) {
    for (Symbol& symbol : read_symbols(*symbols)) {
      if (symbol.name == parameter) symbol_ = std::move(symbol);
    }
  } else if (parameters && member_of(*parameters, parameter)) {
    place_ = member_of(*parameters, parameter);
  } else {
    std::string hint = suggestion(parameter, names);
    if (hint.empty()) {
      hint = (names.empty() ? "" : "it has " + listing(names) + "; ") +
             std::string("or say where the number stands, as in /mechanism/epsilon");
    }
    throw SpecError({document_->file(), 0, 0, ""}, "the spec has no parameter or symbol '" + printable(parameter) + "'",
                    hint);
  }
}

std::string VariedSpec::as_written() const { return symbol_ ? symbol_->range_text() : std::string(place_->text()); }

Spec VariedSpec::at(const std::string& value, Budget& budget) const {
  if (!symbol_) return read_spec_document(document_->with_text(*place_, value), directory_, budget);
  GivenSymbols given;
  given.values.emplace(symbol_->name, parse_number(value));
  return read_spec_document(document_, directory_, budget, given);
}

Spec VariedSpec::over(Symbol range, bool logarithm, Budget& budget) const {
  range.name = varied_name();
  assert(!(symbol_ && logarithm));
  const std::string text = logarithm ? "log(" + range.name + ")" : range.name;
  const auto document = symbol_ ? document_ : document_->with_text(*place_, text);
  return read_spec_document(document, directory_, budget, {{}, std::move(range)});
}

}  // namespace oddsbound::specs
