// Compares current specs with a lock: is every promise kept?

#include <algorithm>
#include <functional>
#include <set>

#include "app/lock.h"
#include "base/errors.h"
#include "reports/claim_words.h"
#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/notions/table.h"

namespace oddsbound::app {

namespace {

const std::string kSetNotCompared =
    "undecided: the set of priors is confidential and not compared (set ODDSBOUND_LOCK_KEY when the lock is "
    "written and checked)";
constexpr std::size_t kLongestShown = 400;  // longest exact value in a message, in characters

// Exact, so that small increases are visible. Long values are shown with all digits of the decimal.
std::string exact_words(const Level& level) {
  const std::string text = level.to_string();
  if (text.size() <= kLongestShown || level.is_infinite())
    return text == nats(level) ? text : text + " = " + nats(level);
  return decimal_bounds(level).upper;
}

// The promise of a level that depends on a confidential table is already a rounded decimal, unless format 1 made it.
std::string promise_words(const std::string& text, bool confidential) {
  const auto [lower, upper] = ends_of_level(text);
  const auto words = [&](const std::string& end) {
    const Level level = level_of_text(end);
    return confidential ? published_text(rounded_up_for_others(level)) : exact_words(level);
  };
  return lower == upper ? words(lower) : "between " + words(lower) + " and " + words(upper);
}

std::string level_words_now(const LockedLevelNow& now) {
  const auto words = [&](const Level& level, bool up) {
    if (!now.facts.confidential) return exact_words(level);
    return published_text(up ? rounded_up_for_others(level) : rounded_down_for_others(level));
  };
  if (now.lower == now.upper) return words(now.lower, true);
  return now.upper.is_infinite() ? "at least " + words(now.lower, false)
                                 : "between " + words(now.lower, false) + " and " + words(now.upper, true);
}

std::string delta_words(const Number& delta, bool confidential) {
  if (confidential) return published_text(rounded_up_for_others(delta));
  const std::string text = delta.to_string();
  return text.size() <= kLongestShown ? text : decimal_bounds(delta).upper;
}

// "grew from 0.93 to 0.967: output ..."
std::string change_words(const char* change, const std::string& was, const std::string& is,
                         const std::string& why = "") {
  std::string text = std::string(change).append(" from ").append(was).append(" to ").append(is);
  return why.empty() ? text : text.append(": ").append(why);
}

// "0.546 -> 0.846 (odds factor 1.73 -> 2.33)": the promise and the level, which exceeds it.
// Without the factor where the level bounds none.
std::string growth_words(const std::string& key, const Level& promise, const LockedLevelNow& now) {
  constexpr int kDigits = 3;
  const bool exact = now.lower == now.upper;
  const Notion* notion = find_notion(key.substr(0, key.find(' ')));
  const auto odds = [&](const std::vector<std::string>& factors) {
    if (notion != nullptr && !notion->bounds_odds) return std::string();
    return " (odds factor " + factors[0] + " -> " + factors[1] + ")";
  };
  if (now.facts.confidential) {
    const Level was = rounded_up_for_others(promise),
                is = exact ? rounded_up_for_others(now.lower) : rounded_down_for_others(now.lower);
    return published_text(was) + " -> " + (exact ? "" : "at least ") + published_text(is) +
           odds(distinct_odds_factors({was, is}));
  }
  const std::vector<std::string> levels = distinct_nats({promise, now.lower}, kDigits);
  return levels[0] + " -> " + (exact ? "" : "at least ") + levels[1] +
         odds(distinct_odds_factors({promise, now.lower}));
}

// Rounded levels for a confidential table, because the order of failures shows the growth.
double growth_of(const Level& promise, const LockedLevelNow& now) {
  const auto nats_of = [&](const Level& level) {
    return rounded_nats(now.facts.confidential ? rounded_up_for_others(level) : level);
  };
  return now.lower.is_infinite() ? nats_of(now.lower) : nats_of(now.lower) - nats_of(promise);
}

// "<= 0.976, tight": what a claim states. A decimal that is shorter replaces a quotient.
std::string claim_words(const LockedClaim& claim) {
  const std::string bound = shorter_text(claim.bound);
  if (bound.empty()) return std::string(claim.expect_holds ? "holds" : "refuted") + (claim.tight ? ", tight" : "");
  return printable("<= " + bound, 80) + (claim.tight ? ", tight" : "") +
         (claim.expect_holds ? "" : ", expected to be refuted");
}

// The key of a quantity without the quotes of its names and numbers, as in 'approximate_dp epsilon log(2)'.
std::string title_of(const std::string& key) {
  std::string title;
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = key[begin] == '"' ? key.find('"', begin + 1) : std::string::npos;
    const bool is_plain = end != std::string::npos && end > begin + 1 &&
                          key.substr(begin + 1, end - begin - 1).find_first_of("\\ ,[]{}") == std::string::npos;
    title += is_plain ? key.substr(begin + 1, end - begin - 1) : key.substr(begin, 1);
    begin = is_plain ? end + 1 : begin + 1;
  }
  return printable(title, 200);
}

// True if a claim states at least as much as a locked claim about the same question.
bool says_as_much(const LockedClaim& now, const LockedClaim& locked) {
  if (now.expect_holds != locked.expect_holds) return false;
  if (now.bound == locked.bound) return now.tight == locked.tight || (locked.expect_holds && now.tight);
  // A different tight level, or a tight claim that is refuted, is a different statement.
  if (locked.tight || (!locked.expect_holds && now.tight)) return false;
  try {
    return locked.expect_holds ? level_of_text(now.bound) <= level_of_text(locked.bound)
                               : level_of_text(locked.bound) <= level_of_text(now.bound);
  } catch (const Interrupted&) {
    throw;
  } catch (const std::runtime_error&) {
    return false;  // functions of symbols
  }
}

class LockComparison {
 public:
  LockComparison(Checks& checks, int format, bool strict) : checks_(checks), format_(format), strict_(strict) {}

  void add(const std::string& file, const std::string& title, Outcome outcome, const std::string& message,
           const SourcePlace& place = {}, std::vector<std::pair<std::string, std::string>> facts = {},
           const std::string& brief = "", double growth = 0) {
    if (outcome == Outcome::kNote && strict_) outcome = Outcome::kFail;
    findings_ += outcome == Outcome::kPass ? 0 : 1;
    SourcePlace placed = place;
    placed.file = file;
    checks_.list.push_back(
        {"lock", file, title_of(title), outcome, message, placed, std::move(facts), "", brief, growth});
  }

  void compare(const LockedSpec& locked, const MeasuredSpec& now) {
    const std::size_t before = findings_;
    if (format_ > 1) compare_questions(locked, now);
    compare_levels(locked, now);
    if (format_ > 1) compare_bounds(locked, now);
    compare_deltas(locked, now);
    compare_verdicts(locked, now);
    for (const auto& [key, reason] : now.open) {
      add(now.file, key, Outcome::kUndecided, "undecided: " + reason, place_of(key, now));
    }
    compare_content(locked, now, findings_ > before);
  }

 private:
  static SourcePlace place_of(const std::string& key, const MeasuredSpec& now) {
    const auto found = now.places.find(key);
    return found == now.places.end() ? SourcePlace{} : found->second;
  }

  static bool is_open(const std::string& key, const MeasuredSpec& now) {
    const auto of_notion = [&](const std::string& notion) { return key.starts_with(notion + " "); };
    return now.open.contains(key) || std::any_of(now.open_notions.begin(), now.open_notions.end(), of_notion);
  }

  // The lock's key for a quantity that is measured now.
  std::string locked_key(const std::string& key, const MeasuredSpec& now) const {
    const auto earlier = now.earlier_keys.find(key);
    return format_ == 1 && earlier != now.earlier_keys.end() ? earlier->second : key;
  }

  // Reports what no longer exists.
  template <typename Now>
  void report_gone(const std::map<std::string, std::string>& locked, const std::map<std::string, Now>& measured,
                   const MeasuredSpec& now, const std::function<std::string(const std::string&)>& words) {
    std::set<std::string> keys;
    for (const auto& [key, value] : measured) keys.insert(locked_key(key, now));
    for (const auto& [key, value] : locked) {
      if (keys.contains(key) || is_open(key, now)) continue;
      add(now.file, key, Outcome::kFail, "was " + words(value) + " and is no longer measured", {},
          {{"locked", words(value)}});
    }
  }

  void compare_levels(const LockedSpec& locked, const MeasuredSpec& now) {
    report_gone(locked.levels, now.levels, now,
                [&](const std::string& value) { return promise_words(value, now.confidential); });
    for (const auto& [key, level] : now.levels) {
      const auto found = locked.levels.find(locked_key(key, now));
      if (found != locked.levels.end()) {
        compare_level(key, found->second, level, now);
      } else if (level.of_analysis) {
        const char* how = format_ > 1 ? "'oddsbound lock write' adds it" : "'oddsbound lock upgrade' adds it";
        add(now.file, key, Outcome::kFail, std::string(kNotLocked) + ": it is " + level_words_now(level) + "; " + how,
            place_of(key, now), {{"now", level_words_now(level)}});
      } else {
        add(now.file, key, Outcome::kNote, "is new: " + level_words_now(level), place_of(key, now),
            {{"now", level_words_now(level)}});
      }
    }
  }

  // Not every mechanism has each bound. If a bound no longer applies, the level itself is still compared.
  void compare_bounds(const LockedSpec& locked, const MeasuredSpec& now) {
    for (const auto& [key, bound] : now.bounds) {
      const auto found = locked.bounds.find(key);
      if (found != locked.bounds.end()) {
        compare_level(key, found->second, bound, now);
      } else {
        add(now.file, key, Outcome::kNote, "is new: " + level_words_now(bound));
      }
    }
    for (const auto& [key, promise] : locked.bounds) {
      if (now.bounds.contains(key)) continue;
      const bool open = !now.open_bounds.empty();
      add(now.file, key, open ? Outcome::kUndecided : Outcome::kNote,
          open ? "undecided: " + now.open_bounds : "does not apply any more");
    }
  }

  void compare_level(const std::string& key, const std::string& text, const LockedLevelNow& level,
                     const MeasuredSpec& now) {
    const auto [lower, upper] = ends_of_level(text);
    const Level promise = level_of_text(upper);
    const std::string was = promise_words(text, level.facts.confidential), is = level_words_now(level);
    const std::vector<std::pair<std::string, std::string>> facts{{"locked", was}, {"now", is}};
    switch (promise_holds(level, promise)) {
      case Answer::kNo:
        add(now.file, key, Outcome::kFail, change_words("grew", was, is, level.facts.words), place_of(key, now), facts,
            growth_words(key, promise, level), growth_of(promise, level));
        return;
      case Answer::kOpen:
        add(now.file, key, Outcome::kUndecided,
            "undecided: " + was + " is promised, and the level is now known to be " + is, place_of(key, now), facts);
        return;
      case Answer::kYes: break;
    }
    // Format 1 has levels, not promises: a level that shrank could grow back unnoticed.
    if (format_ == 1 && level.upper < level_of_text(lower)) {
      add(now.file, key, Outcome::kNote, change_words("shrank", was, is), place_of(key, now), facts);
    } else {
      add(now.file, key, Outcome::kPass, "is within its promise: " + was, place_of(key, now));
    }
  }

  void compare_deltas(const LockedSpec& locked, const MeasuredSpec& now) {
    // Deltas behind a level that is now finite are not compared.
    std::map<std::string, std::string> expected = locked.deltas;
    std::erase_if(expected, [&](const auto& delta) {
      const auto level = now.levels.find(level_before_infinity(delta.first));
      return level != now.levels.end() && !level->second.upper.is_infinite();
    });
    report_gone(expected, now.deltas, now,
                [&](const std::string& value) { return delta_words(number_of_text(value), now.confidential); });
    for (const auto& [key, measured] : now.deltas) {
      const bool confidential = measured.facts.confidential;
      const std::string is = delta_words(measured.delta, confidential);
      const auto found = locked.deltas.find(locked_key(key, now));
      if (found == locked.deltas.end()) {
        const bool behind_level = now.levels.contains(level_before_infinity(key));
        if (format_ > 1 || !behind_level) {
          add(now.file, key, Outcome::kNote, "is new: " + is, place_of(key, now), {{"now", is}});
        }
        continue;
      }
      const Number promise = number_of_text(found->second);
      const std::string was = delta_words(promise, confidential);
      if (measured.delta > promise && measured.at_least && *measured.at_least <= promise) {
        add(now.file, key, Outcome::kUndecided,
            "undecided: " + was + " is promised, and delta is now known to be at most " + is, place_of(key, now),
            {{"locked", was}, {"now", is}});
      } else if (measured.delta > promise) {
        add(now.file, key, Outcome::kFail, change_words("grew", was, is, measured.facts.words), place_of(key, now),
            {{"locked", was}, {"now", is}}, was + " -> " + is,
            confidential ? 0 : measured.delta.approx() - promise.approx());
      } else if (format_ == 1 && measured.delta < promise) {
        add(now.file, key, Outcome::kNote, change_words("shrank", was, is), place_of(key, now),
            {{"locked", was}, {"now", is}});
      } else {
        add(now.file, key, Outcome::kPass, "is within its promise: " + was, place_of(key, now));
      }
    }
  }

  void compare_verdicts(const LockedSpec& locked, const MeasuredSpec& now) {
    report_gone(locked.verdicts, now.verdicts, now, [](const std::string& value) { return value; });
    for (const auto& [key, verdict] : now.verdicts) {
      const auto found = locked.verdicts.find(locked_key(key, now));
      if (found == locked.verdicts.end()) {
        add(now.file, key, Outcome::kNote, "is new: " + verdict, place_of(key, now), {{"now", verdict}});
        continue;
      }
      if (found->second == verdict) {
        add(now.file, key, Outcome::kPass, "is as locked: " + verdict, place_of(key, now));
        continue;
      }
      // A tightness proof that now holds may mean that the level grew up to the claimed one.
      const bool better = verdict == "holds" && key.find(" tight true") == std::string::npos;
      const char* change = verdict == "refuted" ? "got worse" : better ? "got better" : "changed";
      const auto words = now.verdict_words.find(key);
      add(now.file, key, better ? Outcome::kNote : Outcome::kFail,
          std::string(change) + " from " + found->second + " to " + verdict +
              (words == now.verdict_words.end() ? "" : ": " + words->second),
          place_of(key, now), {{"locked", found->second}, {"now", verdict}});
    }
  }

  // Compares the questions: the public attributes, the sets of priors, and the claims.
  void compare_questions(const LockedSpec& locked, const MeasuredSpec& now) {
    if (locked.public_attributes != now.public_attributes) {
      const auto names = [](const std::vector<std::string>& attributes) {
        std::vector<std::string> shown;
        for (const std::string& name : attributes) shown.push_back(printable(name, 40));
        return shown.empty() ? "none" : joined(shown);
      };
      add(now.file, "the public attributes", Outcome::kFail,
          "changed from " + names(locked.public_attributes) + " to " + names(now.public_attributes) +
              ": the adversary knows different attributes, so levels cannot be compared");
    }
    for (const auto& [name, digest] : locked.sets) compare_set(name, digest, now);
    for (const auto& [question, claims] : locked.claims) {
      const auto found = now.claims.find(question);
      for (const LockedClaim& claim : claims) {
        if (found == now.claims.end() && is_open(question, now)) continue;
        if (found == now.claims.end()) {
          add(now.file, question, Outcome::kFail, "is no longer claimed: the claim was '" + claim_words(claim) + "'");
          continue;
        }
        const auto says = [&](const LockedClaim& other) { return says_as_much(other, claim); };
        if (std::any_of(found->second.begin(), found->second.end(), says)) continue;
        add(now.file, question, Outcome::kFail,
            "is claimed anew: the claim was '" + claim_words(claim) + "' and is now '" + claim_words(found->second[0]) +
                "', which is weaker or another claim");
      }
    }
    for (const auto& [question, claims] : now.claims) {
      if (!locked.claims.contains(question)) {
        add(now.file, question, Outcome::kNote, "is a new claim: " + claim_words(claims.front()));
      }
    }
  }

  void compare_set(const std::string& name, const std::string& digest, const MeasuredSpec& now) {
    const auto found = now.sets.find(name);
    if (found == now.sets.end() || found->second == digest) {
      if (found != now.sets.end() && digest.empty()) {
        add(now.file, name, Outcome::kUndecided, kSetNotCompared);
      }
      return;  // a missing set implies missing claims, which are reported
    }
    const auto kind_of = [](const std::string& text) { return text.substr(0, text.find(':')); };
    if (kind_of(digest) != kind_of(found->second)) {
      add(now.file, name, Outcome::kUndecided, kSetNotCompared);
      return;
    }
    add(now.file, name, Outcome::kFail, "the set of priors changed, and with it the meaning of its claims");
  }

  void compare_content(const LockedSpec& locked, const MeasuredSpec& now, bool has_findings) {
    const std::string& content = format_ == 1 ? now.content_hash : now.content;
    std::set<std::string> unmeasured = locked.by_content;
    unmeasured.insert(now.by_content.begin(), now.by_content.end());
    if (locked.content.empty() || content.empty()) {
      add(now.file, "the spec", Outcome::kPass, std::string(kContentNotCompared));
      for (const std::string& what : unmeasured) {
        add(now.file, "the spec", Outcome::kUndecided,
            "undecided: " + printable(what, 200) +
                " is locked by the content of the spec, and content is not compared: set ODDSBOUND_LOCK_KEY when the "
                "lock is written and checked");
      }
      return;
    }
    if (locked.content == content) return;
    for (const std::string& what : unmeasured) {
      add(now.file, "the spec", Outcome::kFail,
          "has changed, and the lock has only its content for " + printable(what, 200));
    }
    if (!has_findings && unmeasured.empty()) {
      add(now.file, "the spec", Outcome::kNote, "has changed; every level is within its promise");
    }
  }

  Checks& checks_;
  int format_;
  bool strict_;
  std::size_t findings_ = 0;  // everything except passes
};

}  // namespace

std::map<std::string, std::string> moved_specs(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                                               const std::vector<std::string>& missing) {
  std::map<std::string, std::string> moved;
  std::set<std::string> taken;
  for (const auto& [name, measured] : now) {
    if (lock.specs.contains(name)) continue;
    const std::string& content = lock.format == 1 ? measured.content_hash : measured.content;
    const auto same = std::find_if(missing.begin(), missing.end(), [&](const std::string& gone) {
      return !taken.contains(gone) && !content.empty() && lock.specs.at(gone).content == content;
    });
    if (same == missing.end()) continue;
    taken.insert(*same);
    moved.emplace(name, *same);
  }
  return moved;
}

Checks compare_with_lock(const Lock& lock, const std::map<std::string, MeasuredSpec>& now,
                         const std::vector<std::string>& missing, bool strict) {
  Checks checks;
  LockComparison comparison(checks, lock.format, strict);
  const std::map<std::string, std::string> moved = moved_specs(lock, now, missing);
  for (const auto& [name, measured] : now) {
    const std::size_t before = checks.list.size();
    const auto locked = lock.specs.find(name);
    const auto from = moved.find(name);
    if (locked != lock.specs.end()) {
      comparison.compare(locked->second, measured);
    } else if (from == moved.end()) {
      comparison.add(measured.file, "the spec", Outcome::kNote, "is new, and not locked");
    } else {
      comparison.compare(lock.specs.at(from->second), measured);
      comparison.add(measured.file, "the spec", Outcome::kNote, "is locked as " + printable(from->second, 200));
    }
    if (checks.list.size() == before) comparison.add(measured.file, "the spec", Outcome::kPass, "is as locked");
  }
  for (const std::string& gone : missing) {
    const auto is_moved = [&](const auto& one) { return one.second == gone; };
    if (std::any_of(moved.begin(), moved.end(), is_moved)) continue;
    comparison.add(gone, "the spec", Outcome::kFail,
                   "is locked, but the file no longer exists: restore it, or accept that it is no longer checked");
  }
  return checks;
}

}  // namespace oddsbound::app
