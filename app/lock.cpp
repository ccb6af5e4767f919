// The promises of a lock: measured values, rounded up, with headroom if they depend on a table.

#include "app/lock.h"

#include <algorithm>

#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::app {

namespace {

bool leaves_headroom(const QuantityFacts& facts, const PromiseOptions& options) {
  return facts.of_prior && options.headroom.sign() > 0;
}

std::string promise_of(const LockedLevelNow& now, const PromiseOptions& options) {
  const Level& level = now.upper;
  if (leaves_headroom(now.facts, options)) return text_with_headroom(level, options.headroom);
  return now.facts.confidential ? published_text(rounded_up_for_others(level)) : level.to_string();
}

std::string promise_of(const LockedDeltaNow& now, const PromiseOptions& options) {
  if (now.delta.is_zero()) return "0";
  if (leaves_headroom(now.facts, options)) {
    const Number more = now.delta * (Number(1) + options.headroom);
    return more > Number(1) ? "1" : published_text(rounded_up_for_others(more));
  }
  return now.facts.confidential ? published_text(rounded_up_for_others(now.delta)) : now.delta.to_string();
}

bool is_kept(const LockedLevelNow& now, const std::string& promise) {
  return promise_holds(now, level_of_text(ends_of_level(promise).second)) == Answer::kYes;
}
bool is_kept(const LockedDeltaNow& now, const std::string& promise) { return now.delta <= number_of_text(promise); }

bool is_lower(const LockedLevelNow&, const std::string& a, const std::string& b) {
  return level_of_text(a) < level_of_text(ends_of_level(b).second);
}
bool is_lower(const LockedDeltaNow&, const std::string& a, const std::string& b) {
  return number_of_text(a) < number_of_text(b);
}

// A promise that was made while the table was public may be exact. It is rounded once it would reveal a confidential
// table.
std::string kept(const LockedLevelNow& now, const std::string& promise) {
  const std::string upper = ends_of_level(promise).second;
  return now.facts.confidential ? published_text(rounded_up_for_others(level_of_text(upper))) : upper;
}
std::string kept(const LockedDeltaNow& now, const std::string& promise) {
  return now.facts.confidential ? published_text(rounded_up_for_others(number_of_text(promise))) : promise;
}

template <typename Now>
std::map<std::string, std::string> promises(const std::map<std::string, std::string>& before,
                                            const std::map<std::string, Now>& now, const PromiseOptions& options,
                                            bool raises) {
  std::map<std::string, std::string> after;
  for (const auto& [key, measured] : now) {
    const auto locked = before.find(key);
    const std::string fresh = promise_of(measured, options);
    if (locked == before.end()) {
      after[key] = fresh;
    } else if (!is_kept(measured, locked->second)) {
      after[key] = raises ? fresh : kept(measured, locked->second);
    } else {
      const bool lowers = options.tighten && is_lower(measured, fresh, locked->second);
      after[key] = lowers ? fresh : kept(measured, locked->second);
    }
  }
  return after;
}

// The content that is compared verbatim.
LockedSpec stated(const MeasuredSpec& now) {
  LockedSpec spec;
  spec.by_content = now.by_content;
  spec.claims = now.claims;
  spec.content = now.content;
  spec.public_attributes = now.public_attributes;
  spec.sets = now.sets;
  spec.verdicts = now.verdicts;
  return spec;
}

}  // namespace

Answer promise_holds(const LockedLevelNow& now, const Level& promise) {
  if (now.upper <= promise) return Answer::kYes;
  return now.lower > promise ? Answer::kNo : Answer::kOpen;
}

LockedSpec promises_for(const MeasuredSpec& now, const PromiseOptions& options) {
  return renewed_promises({}, now, options, false);
}

LockedSpec renewed_promises(const LockedSpec& locked, const MeasuredSpec& now, const PromiseOptions& options,
                            bool raises) {
  LockedSpec spec = stated(now);
  spec.bounds = promises(locked.bounds, now.bounds, options, raises);
  spec.levels = promises(locked.levels, now.levels, options, raises);
  spec.deltas = promises(locked.deltas, now.deltas, options, raises);
  // Promises that do not apply now may apply again: bounds, and deltas behind a level that is now finite.
  for (const auto& [key, promise] : locked.bounds) spec.bounds.emplace(key, promise);
  for (const auto& [key, promise] : locked.deltas) {
    if (now.levels.contains(level_before_infinity(key))) spec.deltas.emplace(key, promise);
  }
  // Without the key nothing can be compared; digests that were written with it are kept.
  if (spec.content.empty()) spec.content = locked.content;
  for (auto& [name, digest] : spec.sets) {
    const auto before = locked.sets.find(name);
    if (digest.empty() && before != locked.sets.end()) digest = before->second;
  }
  return spec;
}

LockedSpec upgraded_promises(const LockedSpec& locked, const MeasuredSpec& now) {
  LockedSpec spec = promises_for(now, {});
  const auto earlier = [&](const std::string& key) {
    const auto found = now.earlier_keys.find(key);
    return found == now.earlier_keys.end() ? key : found->second;
  };
  for (auto& [key, promise] : spec.levels) {
    const auto before = locked.levels.find(earlier(key));
    if (before == locked.levels.end()) continue;
    const Level upper = level_of_text(ends_of_level(before->second).second);
    promise = promise_of({upper, upper, now.levels.at(key).facts}, {});
  }
  for (auto& [key, promise] : spec.deltas) {
    const auto before = locked.deltas.find(earlier(key));
    if (before == locked.deltas.end()) continue;
    promise = promise_of({number_of_text(before->second), now.deltas.at(key).facts}, {});
  }
  return spec;
}

}  // namespace oddsbound::app
