#include "results/lock.h"

#include <algorithm>
#include <filesystem>

#include "results/json_parts.h"
#include "results/reading_results.h"
#include "verifier/exact/expression.h"

namespace oddsbound::results {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::map<std::string, std::string>;

void add_values(Json& json, const char* key, const Values& values) {
  if (values.empty()) return;
  json[key] = Json::object();
  for (const auto& [name, value] : values) json[key][name] = value;
}

Values read_values(const Fields& fields, const char* key) {
  Values values;
  const auto found = fields.find(key);
  if (!found) return values;
  if (!found->is_object()) found->fail("found " + found->kind_name() + ", expected an object of exact values");
  for (const JsonView::Member& member : found->members()) {
    values.emplace(member.key.text(), read_string(member.value, "an exact value"));
  }
  return values;
}

constexpr std::string_view kBetween = " to ";

void read_ends(JsonView value, ReadingContext& context) {
  const std::string text = read_string(value, "an exact value");
  if (text.find(kBetween) == std::string::npos) {
    read_level(value, context);
    return;
  }
  const auto [lower, upper] = ends_of_level(text);
  try {
    if (level_of_text(lower) < level_of_text(upper)) return;
  } catch (const std::runtime_error&) {
    // What is wrong with one of them is said of both.
  }
  value.fail("found '" + printable(text, 60) + "', expected a level, or two of them, the smaller one first");
}

// Checks that every value can be compared later.
void check_values(JsonView spec, const LockedSpec& locked, ReadingContext& context) {
  for (const JsonView::Member& part : spec.members()) {
    if (!part.value.is_object()) continue;
    for (const JsonView::Member& value : part.value.members()) {
      if (part.key.text() == "levels") read_ends(value.value, context);
      if (part.key.text() == "deltas") read_number(value.value, context);
    }
  }
  for (const auto& [name, verdict] : locked.verdicts) {
    if (verdict != "holds" && verdict != "refuted") spec.fail("found '" + printable(verdict) + "', expected a verdict");
  }
}

// The line of a conflict marker, 0 if there is none.
std::size_t conflict_line(const std::string& text) {
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::string_view rest = std::string_view(text).substr(begin);
    if (rest.starts_with("<<<<<<< ") || rest.starts_with(">>>>>>> ") || rest.starts_with("=======")) return line;
    const std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return 0;
}

}  // namespace

std::pair<std::string, std::string> ends_of_level(const std::string& text) {
  const std::size_t place = text.find(kBetween);
  if (place == std::string::npos) return {text, text};
  return {text.substr(0, place), text.substr(place + kBetween.size())};
}

std::string level_text(const MeasuredLevel& measured) {
  const std::string lower = measured.at_least.to_string();
  return measured.unfinished ? lower + std::string(kBetween) + measured.unfinished->at_most.to_string() : lower;
}

Level level_of_text(const std::string& text) {
  ExpressionScope scope;
  scope.most_digits = kMaxExpressionLength;
  return as_level(evaluate_expression(text, scope));
}

std::string lock_text(const Lock& lock) {
  Json json{{"oddsbound_lock", 1}};
  json["paths"] = lock.paths;
  json["specs"] = Json::object();
  for (const auto& [file, spec] : lock.specs) {
    Json& entry = json["specs"][file] = Json::object();
    if (!spec.by_content.empty()) entry["by_content"] = spec.by_content;
    entry["content"] = spec.content;
    add_values(entry, "deltas", spec.deltas);
    add_values(entry, "levels", spec.levels);
    add_values(entry, "verdicts", spec.verdicts);
  }
  json["accepted"] = Json::array();
  for (const Acceptance& acceptance : lock.accepted) {
    json["accepted"].push_back({{"reason", acceptance.reason}, {"changes", acceptance.changes}});
  }
  return json_text(json);
}

Lock read_lock(const std::string& path, const std::string& text, Budget& budget) {
  if (const std::size_t line = conflict_line(text)) {
    throw SpecError({path, line, 1, ""}, "a merge conflict is not resolved here, expected a privacy lock",
                    "keep either side, then look at 'oddsbound lock check' and accept what is meant");
  }
  const JsonDocument document(path, text);
  const Fields fields(document.root(), {"oddsbound_lock", "paths", "specs", "accepted"}, "a privacy lock");
  read_integer(fields.require("oddsbound_lock"), "the version of the lock", 1, 1);
  ResultContext context(path, budget);
  Lock lock;
  lock.paths = result_strings(fields.require("paths"), "paths");
  const JsonView specs = fields.require("specs");
  if (!specs.is_object()) specs.fail("found " + specs.kind_name() + ", expected an object of specs");
  for (const JsonView::Member& member : specs.members()) {
    const Fields entry(member.value, {"by_content", "content", "deltas", "levels", "verdicts"}, "a locked spec");
    const std::string name(member.key.text());
    if (std::filesystem::path(name).lexically_normal().generic_string() != name || name.empty()) {
      member.key.fail("found '" + printable(name) + "', expected a path in its shortest form",
                      "name the spec as 'oddsbound lock write' does");
    }
    LockedSpec& spec = lock.specs[name];
    spec = {{},
            read_string(entry.require("content"), "a hash"),
            read_values(entry, "deltas"),
            read_values(entry, "levels"),
            read_values(entry, "verdicts")};
    if (const auto what = entry.find("by_content")) {
      for (const std::string& one : result_strings(*what, "what is locked by content")) spec.by_content.insert(one);
    }
    // Locks of version 0.5 did not name what they had no levels of.
    if (spec.levels.empty()) spec.by_content.insert(kAllLevels);
    check_values(member.value, spec, context);
  }
  if (lock.specs.empty()) specs.fail("nothing is locked here, expected at least one spec");
  for (const JsonView& item : read_array(fields.require("accepted"), "what was accepted")) {
    const Fields entry(item, {"reason", "changes"}, "what was accepted");
    lock.accepted.push_back(
        {read_string(entry.require("reason"), "a reason"), result_strings(entry.require("changes"), "changes")});
  }
  return lock;
}

}  // namespace oddsbound::results
