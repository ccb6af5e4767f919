// Whether anything grew since it was locked.
#include <algorithm>
#include <set>

#include "results/words.h"
#include "runs/lock.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::runs {

namespace {

// What is known of a level: both ends are equal where it is exact.
struct Span {
  Level lower, upper;
};

Span span_of(const std::string& text) {
  const auto [lower, upper] = ends_of_level(text);
  return {level_of_text(lower), level_of_text(upper)};
}

Number read_number_back(const std::string& text) {
  ExpressionScope scope;
  scope.most_digits = kMaxExpressionLength;
  return as_number(evaluate_expression(text, scope));
}

// Exact, so that what grew by little is seen to have grown; of what nobody would read, all digits of the decimal.
std::string end_value(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  const Level level = level_of_text(text);
  if (text.size() <= kLongest || level.is_infinite()) return text == nats(level) ? text : text + " = " + nats(level);
  return decimal_bounds(level).upper;
}
std::string level_value(const std::string& text) {
  const auto [lower, upper] = ends_of_level(text);
  return lower == upper ? end_value(text) : "between " + end_value(lower) + " and " + end_value(upper);
}
std::string delta_value(const std::string& text) {
  constexpr std::size_t kLongest = 400;
  return text.size() <= kLongest ? text : decimal_bounds(read_number_back(text)).upper;
}
std::string verdict_value(const std::string& text) { return text; }

// Wider: it is not known whether a level grew, for less is known of it.
enum class Change { kBetter, kNone, kWider, kWorse };

Change level_change(const std::string& before, const std::string& now) {
  const Span was = span_of(before), is = span_of(now);
  if (is.lower > was.upper) return Change::kWorse;
  if (is.upper < was.lower) return Change::kBetter;
  return is.upper > was.upper ? Change::kWider : Change::kNone;
}
Change delta_change(const std::string& before, const std::string& now) {
  const int sign = (read_number_back(now) - read_number_back(before)).sign();
  return sign < 0 ? Change::kBetter : sign > 0 ? Change::kWorse : Change::kNone;
}
Change verdict_change(const std::string& before, const std::string& now) {
  return before == now ? Change::kNone : now == "holds" ? Change::kBetter : Change::kWorse;
}

// A proof of tightness that comes to hold may mean that a level grew up to what is claimed.
bool is_better(const std::string& key, Change change) {
  return change == Change::kBetter && key.find(" tight true") == std::string::npos;
}

// The three kinds of values that are locked, and how each is compared and told.
struct Kind {
  std::map<std::string, std::string> LockedSpec::*values;
  Change (*change)(const std::string& before, const std::string& now);
  std::string (*words)(const std::string& value);
  const char* worse;
  const char* better;
};
constexpr Kind kKinds[] = {
    {&LockedSpec::levels, level_change, level_value, "grew", "shrank"},
    {&LockedSpec::deltas, delta_change, delta_value, "grew", "shrank"},
    {&LockedSpec::verdicts, verdict_change, verdict_value, "got worse", "got better"},
};

class LockComparison {
 public:
  LockComparison(Checks& checks, bool strict) : checks_(checks), strict_(strict) {}

  void add(const std::string& file, const std::string& title, Outcome outcome, const std::string& message,
           const SourcePlace& place, std::vector<std::pair<std::string, std::string>> facts = {}) {
    if (outcome == Outcome::kNote && strict_) outcome = Outcome::kFail;
    findings_ += outcome == Outcome::kPass ? 0 : 1;
    SourcePlace placed = place;
    placed.file = file;
    checks_.list.push_back({"lock", file, printable(title, 200), outcome, message, placed, std::move(facts)});
  }

  void compare(const LockedSpec& locked, const MeasuredSpec& measured) {
    const std::size_t before = findings_;
    for (const Kind& kind : kKinds) compare(kind, locked, measured);
    for (const auto& [key, reason] : measured.open) {
      add(measured.file, key, Outcome::kUndecided, "undecided: " + reason, place_of(key, measured));
    }
    if (locked.content == measured.now.content) return;
    std::set<std::string> unmeasured = locked.by_content;
    unmeasured.insert(measured.now.by_content.begin(), measured.now.by_content.end());
    for (const std::string& what : unmeasured) {
      add(measured.file, "the spec", Outcome::kFail,
          "has changed, and is locked by its content, as no numbers could be compared of: " + printable(what, 200), {});
    }
    if (findings_ == before) {
      add(measured.file, "the spec", Outcome::kNote, "has changed; every level is as it was" + between_words(measured),
          {});
    }
  }

 private:
  // Equal bounds do not say that a level between them is the same.
  static std::string between_words(const MeasuredSpec& measured) {
    std::string between;
    for (const auto& [key, value] : measured.now.levels) {
      const auto [lower, upper] = ends_of_level(value);
      if (lower != upper) between += (between.empty() ? "" : ", ") + printable(key, 60);
    }
    return between.empty() ? "" : ", but for what is known to lie between the same bounds only: " + between;
  }

  static SourcePlace place_of(const std::string& key, const MeasuredSpec& measured) {
    const auto found = measured.places.find(key);
    return found == measured.places.end() ? SourcePlace{} : found->second;
  }

  static bool is_open(const std::string& key, const MeasuredSpec& measured) {
    const auto of_notion = [&](const std::string& notion) { return key.starts_with(notion + " "); };
    return measured.open.contains(key) ||
           std::any_of(measured.open_notions.begin(), measured.open_notions.end(), of_notion);
  }

  void compare(const Kind& kind, const LockedSpec& locked, const MeasuredSpec& measured) {
    const auto& before = locked.*kind.values;
    const auto& now = measured.now.*kind.values;
    for (const auto& [key, value] : before) {
      const auto found = now.find(key);
      if (found != now.end()) {
        compare_value(kind, key, value, found->second, measured);
      } else if (!is_open(key, measured)) {
        add(measured.file, key, Outcome::kFail, "was " + kind.words(value) + " and is no longer measured", {},
            {{"locked", value}});
      }
    }
    for (const auto& [key, value] : now) {
      if (before.contains(key)) continue;
      add(measured.file, key, Outcome::kNote, "is new: " + kind.words(value), place_of(key, measured),
          {{"now", value}});
    }
  }

  void compare_value(const Kind& kind, const std::string& key, const std::string& before, const std::string& now,
                     const MeasuredSpec& measured) {
    const Change change = kind.change(before, now);
    if (change == Change::kNone) {
      const std::string within =
          kind.change(now, before) == Change::kNone ? "is as locked: " : "is within what is locked: ";
      add(measured.file, key, Outcome::kPass, within + kind.words(now), place_of(key, measured));
      return;
    }
    if (change == Change::kWider) {
      add(measured.file, key, Outcome::kNote,
          "was " + kind.words(before) + " and is now " + kind.words(now) +
              ": whether it grew is not known, for less is known of it",
          place_of(key, measured), {{"locked", before}, {"now", now}});
      return;
    }
    const auto words = measured.words.find(key);
    const bool better = is_better(key, change);
    std::string message = std::string(change == Change::kWorse ? kind.worse
                                      : better                 ? kind.better
                                                               : "changed") +
                          " from " + kind.words(before) + " to " + kind.words(now);
    if (words != measured.words.end()) message += ": " + words->second;
    add(measured.file, key, better ? Outcome::kNote : Outcome::kFail, message, place_of(key, measured),
        {{"locked", before}, {"now", now}});
  }

  Checks& checks_;
  bool strict_;
  std::size_t findings_ = 0;  // whatever is no pass
};

}  // namespace

Checks compare_with_lock(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                         const std::vector<std::string>& missing, bool strict) {
  Checks checks;
  LockComparison comparison(checks, strict);
  std::set<std::string> moved;
  for (const auto& [name, measured] : now) {
    const std::size_t before = checks.list.size();
    const auto locked = lock.specs.find(name);
    if (locked != lock.specs.end()) {
      comparison.compare(locked->second, measured);
    } else {
      const auto same = std::find_if(missing.begin(), missing.end(), [&](const std::string& gone) {
        return !moved.contains(gone) && lock.specs.at(gone).content == measured.now.content;
      });
      if (same == missing.end()) {
        comparison.add(measured.file, "the spec", Outcome::kNote, "is new, and not locked", {});
      } else {
        moved.insert(*same);
        comparison.compare(lock.specs.at(*same), measured);
        comparison.add(measured.file, "the spec", Outcome::kNote, "is locked as " + printable(*same, 200), {});
      }
    }
    if (checks.list.size() == before) comparison.add(measured.file, "the spec", Outcome::kPass, "is as locked", {});
  }
  for (const std::string& gone : missing) {
    if (moved.contains(gone)) continue;
    comparison.add(gone, "the spec", Outcome::kFail, "is locked and is gone: what it measured is no longer checked",
                   {});
  }
  return checks;
}

}  // namespace oddsbound::runs
