#include "reports/spec_result.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace oddsbound::reports {

ResultObject::ResultObject(JsonView object, std::string what) : object_(object), what_(std::move(what)) {
  if (!object.is_object()) object.fail("found " + object.kind_name() + ", expected an object: " + what_);
  members_ = object.members();
}

std::optional<JsonView> ResultObject::find(const std::string& key) const {
  for (const JsonView::Member& member : members_) {
    if (member.key.text() == key && member.value.kind() != JsonKind::kNull) return member.value;
  }
  return std::nullopt;
}

JsonView ResultObject::require(const std::string& key) const {
  if (const auto value = find(key)) return *value;
  object_.fail(what_ + " needs the key '" + key + "'", "is this a result of oddsbound, whole?");
}

std::string ResultObject::string(const std::string& key) const { return read_string(require(key), "'" + key + "'"); }

std::vector<std::string> result_strings(JsonView value, const std::string& what) {
  std::vector<std::string> strings;
  for (const JsonView& item : read_array(value, what)) strings.push_back(read_string(item, what));
  return strings;
}

namespace {

double parse_double(JsonView value, const std::string& what) {
  const std::string_view text = value.text();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end == text.data() + text.size() && !text.empty();
  // Out of range of a double: 0 or infinity, for drawing.
  if (error == std::errc::result_out_of_range && whole) return std::strtod(std::string(text).c_str(), nullptr);
  if (error != std::errc() || !whole || !std::isfinite(number)) {
    value.fail("found '" + printable(text, 40) + "', expected " + what);
  }
  return number;
}

}  // namespace

double result_double(JsonView value, const std::string& what, bool may_be_infinite) {
  if (may_be_infinite && value.is_string() && value.text() == "inf") return std::numeric_limits<double>::infinity();
  if (value.kind() != JsonKind::kNumber) value.fail("found " + value.kind_name() + ", expected " + what);
  const double number = parse_double(value, what);
  if (!std::isfinite(number)) value.fail("found " + printable(value.text(), 40) + ", expected " + what);
  return number;
}

std::size_t result_word(JsonView value, const std::vector<std::string>& words) {
  const std::string word = read_string(value, "a word");
  const auto place = std::find(words.begin(), words.end(), word);
  if (place != words.end()) return static_cast<std::size_t>(place - words.begin());
  std::string known;
  for (const std::string& one : words) known += (known.empty() ? "" : ", ") + one;
  value.fail("found '" + printable(word, 40) + "', expected one of " + known);
}

void require_sides(const ResultObject& object, const Witness& witness) {
  const bool lift = is_everyone(witness.from) != is_everyone(witness.to);  // of a side against all inputs
  if (!lift && witness.from.index() != witness.to.index()) object.view().fail("expected two sides of one kind");
  const auto* from = std::get_if<std::vector<std::string>>(&witness.from);
  if (!lift && from != nullptr && from->size() != std::get<std::vector<std::string>>(witness.to).size()) {
    object.view().fail("expected two sides with as many values");
  }
  for (const auto& [key, p] : {std::pair("p_from", &witness.p_from), std::pair("p_to", &witness.p_to)}) {
    if (p->sign() < 0) object.require(key).fail("the probability " + p->to_string() + " is negative");
  }
}

}  // namespace oddsbound::reports
