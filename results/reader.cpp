#include "results/reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace oddsbound {

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

std::string ResultObject::optional_string(const std::string& key) const {
  const auto value = find(key);
  return value ? read_string(*value, "'" + key + "'") : "";
}

bool ResultObject::boolean(const std::string& key) const { return read_boolean(require(key), "'" + key + "'"); }

std::vector<std::string> result_strings(JsonView value, const std::string& what) {
  std::vector<std::string> strings;
  for (const JsonView& item : read_array(value, what)) strings.push_back(read_string(item, what));
  return strings;
}

std::vector<SourceFile> result_files(const ResultObject& object) {
  std::vector<SourceFile> files;
  const auto listed = object.find("files");
  if (!listed) return files;
  for (const JsonView& item : read_array(*listed, "files")) {
    const ResultObject file(item, "a file");
    files.push_back({file.string("file"), file.string("sha256")});
  }
  return files;
}

namespace {

double parse_double(JsonView value, const std::string& what) {
  const std::string_view text = value.text();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = end == text.data() + text.size() && !text.empty();
  // Too small or too large for a double: zero or infinity, for drawing.
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

double result_decimal(JsonView value) {
  const double number = parse_double(value, "a decimal");
  if (number < 0) value.fail("found " + printable(value.text(), 40) + ", expected a level, which is not negative");
  return number;
}

std::string result_word(JsonView value, const std::vector<std::string>& words) {
  const std::string word = read_string(value, "a word");
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  std::string known;
  for (const std::string& one : words) known += (known.empty() ? "" : ", ") + one;
  value.fail("found '" + printable(word, 40) + "', expected one of " + known);
}

std::string result_party(JsonView value) {
  if (value.is_string()) return std::string(value.text());
  const std::vector<std::string> values = result_strings(value, "values");
  if (values.size() == 1) return values[0];
  std::string text;
  for (const std::string& one : values) text += (text.empty() ? "" : ",") + one;
  return "(" + text + ")";
}

void read_results(const JsonDocument& document, Budget& budget, Report& report) {
  const ResultObject root(document.root(), "a result");
  const JsonView version = root.require("oddsbound");
  if (version.kind() != JsonKind::kNumber || version.text() != "1") {
    version.fail("found version " + printable(version.text(), 20) + " of the result format, expected 1",
                 "another version of oddsbound wrote this; make the result anew");
  }
  if (root.find("mechanism")) {
    document.root().fail("this is a spec, expected a result", "verify --format html writes the report of a spec");
  }
  const ResultObject tool(root.require("tool"), "the tool");
  report.version = tool.string("version");
  if (const auto environment = root.find("environment")) {
    report.environment.clear();
    for (const JsonView::Member& member : ResultObject(*environment, "the environment").members()) {
      report.environment.emplace_back(member.key.text(), read_string(member.value, "a version"));
    }
  }
  const auto specs = root.find("specs");
  const auto audits = root.find("audits");
  if (!specs && !audits) document.root().fail("there are neither 'specs' nor 'audits': this is no result to report");
  Parameters none({}, {}, budget);
  none.allow_long_literals();
  std::vector<SourceFile> files;
  ReadingContext context{document.file(), none, budget, {}, files};
  if (specs) {
    for (const JsonView& item : read_array(*specs, "specs")) report.specs.push_back(read_spec_result(item, context));
  }
  if (audits) {
    for (const JsonView& item : read_array(*audits, "audits"))
      report.audits.push_back(read_audit_result(item, context));
  }
  const auto errors = root.find("errors");
  if (!errors) return;
  for (const JsonView& item : read_array(*errors, "errors")) {
    const ResultObject error(item, "an error");
    const auto whole = [&](const char* key) {
      return static_cast<std::size_t>(read_integer(error.require(key), key, 0, INT64_MAX));
    };
    report.errors.push_back({{error.string("file"), whole("line"), whole("column"), error.string("pointer")},
                             error.string("message"),
                             error.optional_string("hint")});
  }
}

}  // namespace oddsbound
