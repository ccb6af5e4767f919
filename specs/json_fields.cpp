#include "specs/json_fields.h"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

#include "specs/spec_error.h"
#include "verifier/exact/expression.h"

namespace oddsbound::specs {

namespace {

bool is_name(std::string_view text) {
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

}  // namespace

Fields::Fields(JsonView object, const std::vector<std::string>& known, std::string_view what)
    : Fields(object, known, what, false) {}

Fields::Fields(JsonView object, const std::vector<std::string>& known, std::string_view what, bool is_file)
    : object_(object), what_(what) {
  if (!object.is_object()) object.fail("found " + object.kind_name() + ", expected an object: " + what_);
  for (const JsonView::Member& member : object.members()) {
    const std::string name(member.key.text());
    if (is_file && name == "$schema") {
      read_string(member.value, "'$schema'");
      continue;
    }
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      std::string hint = suggestion(name, known);
      if (hint.empty()) hint = "known keys: " + listing(known);
      member.key.fail("unknown key '" + printable(name) + "' in " + what_, hint);
    }
    members_.emplace(name, member);
  }
}

namespace {

struct FileKind {
  std::string_view name;
  std::vector<std::string_view> keys;  // all are in files of this kind
  std::string_view sentence;           // what it is, and the command that reads it
};

// The first kind whose keys are all there is that of a file.
const std::vector<FileKind>& file_kinds() {
  static const std::vector<FileKind> kinds = {
      {"spec", {"oddsbound", "domain"}, "this is a spec; use 'oddsbound verify'"},
      {"design", {"oddsbound_design"}, "this is a design request; use 'oddsbound design'"},
      {"release", {"oddsbound_release"}, "this describes a release; use 'oddsbound release'"},
      {"ledger", {"oddsbound_spent"}, "this is a ledger; use 'oddsbound release --spent'"},
      {"lock", {"oddsbound_lock"}, "this is a privacy lock; use 'oddsbound lock check'"},
      {"certificate", {"oddsbound", "certificate"}, "this is a certificate; use 'oddsbound-check'"},
      {"result", {"oddsbound", "tool"}, "this is a result of oddsbound; use 'oddsbound report'"},
      {"schema", {"$schema", "definitions"}, "this is a JSON Schema: editors read it"},
      {"spec", {"oddsbound", "mechanism"}, "this is a spec; use 'oddsbound verify'"},
      {"plan", {"oddsbound", "spec"}, "this is an audit plan; use 'oddsbound audit --plan'"},
  };
  return kinds;
}

void refuse_other_kinds(JsonView root, std::string_view wanted) {
  if (!root.is_object()) return;
  const std::vector<JsonView::Member> members = root.members();
  const auto has = [&](std::string_view key) {
    return std::any_of(members.begin(), members.end(), [&](const auto& member) { return member.key.text() == key; });
  };
  const auto& kinds = file_kinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const FileKind& one) {
    return std::all_of(one.keys.begin(), one.keys.end(), has);
  });
  if (kind != kinds.end() && kind->name != wanted) root.fail(std::string(kind->sentence));
}

}  // namespace

Fields Fields::of_file(const JsonDocument& document, std::string_view kind, const std::vector<std::string>& known,
                       std::string_view what) {
  refuse_other_kinds(document.root(), kind);
  return Fields(document.root(), known, what, true);
}

JsonView Fields::require(const std::string& name) const {
  const auto place = members_.find(name);
  if (place == members_.end()) object_.fail(what_ + " needs the key '" + name + "'");
  return place->second.value;
}

std::optional<JsonView> Fields::find(const std::string& name) const {
  const auto place = members_.find(name);
  return place == members_.end() ? std::nullopt : std::optional(place->second.value);
}

void require_version_1(JsonView version, const std::string& format) {
  if (version.kind() == JsonKind::kNumber && version.text() == "1") return;
  version.fail("found " + printable(version.text(), 40) + ", expected 1: the version of " + format);
}

void require_name(JsonView key, const std::string& what) {
  const std::string name(key.text());
  if (!is_name(name)) {
    key.fail("'" + printable(name) + "' cannot be the name of a " + what,
             "names are letters, digits and _, and do not begin with a digit");
  }
  if (is_grammar_word(name)) key.fail("'" + name + "' is a word of the grammar");
}

std::string read_type(JsonView value, std::string_view what, std::string_view key) {
  if (!value.is_object()) value.fail("found " + value.kind_name() + ", expected an object: " + std::string(what));
  for (const JsonView::Member& member : value.members()) {
    if (member.key.text() == key) return read_string(member.value, fmt::format("the {} of {}", key, what));
  }
  value.fail(fmt::format("{} needs the key '{}'", what, key));
}

void fail_unknown_type(JsonView value, const std::string& type, const std::vector<std::string>& known,
                       const std::string& what, std::string_view key) {
  std::string hint = suggestion(type, known);
  if (hint.empty()) hint = "known: " + listing(known);
  for (const JsonView::Member& member : value.members()) {
    if (member.key.text() == key) member.value.fail("unknown " + what + " '" + printable(type) + "'", hint);
  }
  value.fail("unknown " + what);
}

std::string read_string(JsonView value, std::string_view what) {
  if (!value.is_string()) value.fail("found " + value.kind_name() + ", expected " + std::string(what) + " as a string");
  return std::string(value.text());
}

std::vector<JsonView> read_array(JsonView value, std::string_view what) {
  if (!value.is_array()) value.fail("found " + value.kind_name() + ", expected an array of " + std::string(what));
  return value.items();
}

std::int64_t read_integer(JsonView value, std::string_view what, std::int64_t least, std::int64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  if (value.kind() != JsonKind::kNumber) {
    value.fail("found " + value.kind_name() + ", expected " + std::string(what) + ", an integer from " + range);
  }
  const Number number = at_place(value, [&] { return parse_number(value.text()); });
  std::int64_t result = 0;
  if (!number.fits_int64(result) || result < least || result > most) {
    value.fail("found " + printable(value.text(), 40) + ", expected " + std::string(what) + ", an integer from " +
               range);
  }
  return result;
}

bool read_boolean(JsonView value, std::string_view what) {
  if (value.kind() != JsonKind::kBoolean) {
    value.fail("found " + value.kind_name() + ", expected " + std::string(what) + ": true or false");
  }
  return value.text() == "true";
}

}  // namespace oddsbound::specs
