#include "reports/lock.h"

#include <filesystem>

#include "base/errors.h"
#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/spec_result.h"
#include "verifier/exact/expression.h"

namespace oddsbound::reports {

template <>
struct Codec<LockedClaim> {
  static nlohmann::ordered_json write(const LockedClaim& claim) { return claim.text(); }
  static LockedClaim read(JsonView json, ReadingContext&) {
    const std::string text = read_string(json, "a claim");
    const std::size_t colon = text.find(": ");
    const std::string head = text.substr(0, colon);
    LockedClaim claim;
    if (colon != std::string::npos) claim.bound = text.substr(colon + 2);
    claim.tight = head.ends_with(", tight");
    const std::string word = claim.tight ? head.substr(0, head.size() - std::string(", tight").size()) : head;
    claim.expect_holds = word == "holds";
    if (word == "holds" || word == "refuted") return claim;
    json.fail("found '" + printable(text, 60) + "', expected a claim, for example 'holds: log(3)'");
  }
};

template <typename Described>
void describe(Described& fields, LockedSpec& spec) {
  fields.object("a locked spec");
  fields.where(!spec.bounds.empty(), "bounds", spec.bounds);
  fields.where(!spec.by_content.empty(), "by_content", spec.by_content);
  fields.where(!spec.claims.empty(), "claims", spec.claims);
  fields.where(!spec.content.empty(), "content", spec.content);
  fields.where(!spec.deltas.empty(), "deltas", spec.deltas);
  fields.where(!spec.levels.empty(), "levels", spec.levels);
  fields.where(!spec.public_attributes.empty(), "public", spec.public_attributes);
  fields.where(!spec.sets.empty(), "sets", spec.sets);
  fields.where(!spec.verdicts.empty(), "verdicts", spec.verdicts);
}

template <typename Described>
void describe(Described& fields, Acceptance& acceptance) {
  fields.object("what was accepted");
  fields.field("reason", acceptance.reason);
  fields.field("changes", acceptance.changes);
}

namespace {

constexpr std::string_view kBetween = " to ";

void read_ends(JsonView value, int format, ReadingContext& context) {
  const std::string text = read_string(value, "an exact value");
  if (format > 1 || text.find(kBetween) == std::string::npos) {
    read_level(value, context);
    return;
  }
  const auto [lower, upper] = ends_of_level(text);
  try {
    if (level_of_text(lower) < level_of_text(upper)) return;
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    // Falls through: one message covers both forms.
  }
  value.fail("found '" + printable(text, 60) + "', expected a level, or two of them, the smaller one first");
}

// Checks that every value can be compared later.
void check_values(JsonView spec, int format, const LockedSpec& locked, ReadingContext& context, FoundErrors& errors) {
  for (const JsonView::Member& part : spec.members()) {
    if (!part.value.is_object()) continue;
    for (const JsonView::Member& value : part.value.members()) {
      errors.attempt([&] {
        if (part.key.text() == "levels" || part.key.text() == "bounds") read_ends(value.value, format, context);
        if (part.key.text() == "deltas") read_number(value.value, context);
      });
    }
  }
  for (const auto& [name, verdict] : locked.verdicts) {
    if (verdict != "holds" && verdict != "refuted") spec.fail("found '" + printable(verdict) + "', expected a verdict");
  }
}

// The line of a merge conflict marker, 0 if there is none.
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

std::string LockedClaim::text() const {
  return std::string(expect_holds ? "holds" : "refuted") + (tight ? ", tight" : "") +
         (bound.empty() ? "" : ": " + bound);
}

std::pair<std::string, std::string> ends_of_level(const std::string& text) {
  const std::size_t place = text.find(kBetween);
  if (place == std::string::npos) return {text, text};
  return {text.substr(0, place), text.substr(place + kBetween.size())};
}

Level level_of_text(const std::string& text) {
  ExpressionScope scope;
  scope.most_digits = kMaxExpressionLength;
  return as_level(evaluate_expression(text, scope));
}

Number number_of_text(const std::string& text) {
  ExpressionScope scope;
  scope.most_digits = kMaxExpressionLength;
  return as_number(evaluate_expression(text, scope));
}

std::string level_before_infinity(const std::string& delta_key) {
  return delta_key.substr(0, delta_key.rfind(kDeltaAt));
}

std::string lock_text(const Lock& lock) {
  return json_text({{"oddsbound_lock", lock.format},
                    {"paths", lock.paths},
                    {"specs", written(lock.specs)},
                    {"accepted", written(lock.accepted)}});
}

Lock read_lock(const std::string& path, const std::string& text, Budget& budget) {
  if (const std::size_t line = conflict_line(text)) {
    throw SpecError({path, line, 1, ""}, "a merge conflict is not resolved here, expected a privacy lock",
                    "keep either side, then look at 'oddsbound lock check' and accept what is meant");
  }
  const JsonDocument document(path, text);
  const Fields fields =
      Fields::of_file(document, "lock", {"oddsbound_lock", "paths", "specs", "accepted"}, "a privacy lock");
  ResultContext context(path, budget);
  Lock lock;
  lock.format =
      static_cast<int>(read_integer(fields.require("oddsbound_lock"), "the format of the lock", 1, kLockFormat));
  std::vector<std::string> keys{"by_content", "content", "deltas", "levels", "verdicts"};
  if (lock.format > 1) keys.insert(keys.end(), {"bounds", "claims", "public", "sets"});
  lock.paths = result_strings(fields.require("paths"), "paths");
  const JsonView specs = fields.require("specs");
  if (!specs.is_object()) specs.fail("found " + specs.kind_name() + ", expected an object of specs");
  FoundErrors errors;
  for (const JsonView::Member& member : specs.members()) {
    errors.attempt([&] {
      const Fields entry(member.value, keys, "a locked spec");
      const std::string name(member.key.text());
      if (std::filesystem::path(name).lexically_normal().generic_string() != name || name.empty()) {
        member.key.fail("found '" + printable(name) + "', expected a path in its shortest form",
                        "name the spec as 'oddsbound lock write' does");
      }
      LockedSpec& spec = lock.specs[name] = Codec<LockedSpec>::read(member.value, context);
      if (lock.format == 1) entry.require("content");
      // Locks of version 0.5 did not mark specs without levels.
      if (lock.format == 1 && spec.levels.empty()) spec.by_content.insert(kAllLevels);
      check_values(member.value, lock.format, spec, context, errors);
    });
  }
  if (specs.members().empty()) specs.fail("nothing is locked here, expected at least one spec");
  errors.attempt([&] { lock.accepted = Codec<std::vector<Acceptance>>::read(fields.require("accepted"), context); });
  errors.finish();
  return lock;
}

}  // namespace oddsbound::reports
