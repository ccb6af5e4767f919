// The promises of a lock: measured values, rounded up, with headroom if they depend on a table.
#include "app/lock.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "reports/publishable.h"
#include "reports/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/model/pair_levels.h"
#include "verifier/notions/table.h"

namespace oddsbound::app {

namespace {

bool leaves_headroom(const QuantityFacts& facts, const LockOptions& options) {
  return facts.of_prior && options.headroom.sign() > 0;
}

// The LDP level, which bounds the levels under every prior (Proposition 3). No promise of such a level exceeds it.
struct LdpLevel {
  std::optional<Level> level;   // nullopt: not known exactly
  std::set<std::string> texts;  // now, and as it is locked

  LdpLevel(const std::map<std::string, std::string>& locked, const std::map<std::string, LockedLevelNow>& now) {
    const auto found = now.find("ldp");
    if (found == now.end() || found->second.lower != found->second.upper) return;
    level = found->second.upper;
    texts.insert(level->to_string());
    if (const auto before = locked.find("ldp"); before != locked.end()) texts.insert(before->second);
  }
};

std::string promise_of(const LockedLevelNow& now, const LockOptions& options, const LdpLevel& ldp) {
  const Level& level = now.upper;
  if (!leaves_headroom(now.facts, options) && !now.facts.confidential) return level.to_string();
  std::string more = leaves_headroom(now.facts, options) ? text_with_headroom(level, options.headroom)
                                                         : published_text(rounded_up_for_others(level));
  const bool exceeds = ldp.level && level <= *ldp.level && level_of_text(more) > *ldp.level;
  return exceeds ? ldp.level->to_string() : more;
}

std::string promise_of(const LockedDeltaNow& now, const LockOptions& options, const LdpLevel&) {
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
std::string kept(const LockedLevelNow& now, const std::string& promise, const LdpLevel& ldp) {
  const std::string upper = ends_of_level(promise).second;
  return now.facts.confidential && !ldp.texts.contains(upper)
             ? published_text(rounded_up_for_others(level_of_text(upper)))
             : upper;
}
std::string kept(const LockedDeltaNow& now, const std::string& promise, const LdpLevel&) {
  return now.facts.confidential ? published_text(rounded_up_for_others(number_of_text(promise))) : promise;
}

template <typename Now>
std::map<std::string, std::string> promises(const std::map<std::string, std::string>& before,
                                            const std::map<std::string, Now>& now, const LockOptions& options,
                                            bool raises, const LdpLevel& ldp) {
  std::map<std::string, std::string> after;
  for (const auto& [key, measured] : now) {
    const auto locked = before.find(key);
    const std::string fresh = promise_of(measured, options, ldp);
    if (locked == before.end()) {
      after[key] = fresh;
    } else if (!is_kept(measured, locked->second)) {
      after[key] = raises ? fresh : kept(measured, locked->second, ldp);
    } else {
      const bool lowers = options.tighten && is_lower(measured, fresh, locked->second);
      after[key] = lowers ? fresh : kept(measured, locked->second, ldp);
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

LockedSpec promises_for(const MeasuredSpec& now, const LockOptions& options) {
  return renewed_promises({}, now, options, false);
}

LockedSpec renewed_promises(const LockedSpec& locked, const MeasuredSpec& now, const LockOptions& options,
                            bool raises) {
  LockedSpec spec = stated(now);
  const LdpLevel ldp(locked.levels, now.levels);
  spec.bounds = promises(locked.bounds, now.bounds, options, raises, ldp);
  spec.levels = promises(locked.levels, now.levels, options, raises, ldp);
  spec.deltas = promises(locked.deltas, now.deltas, options, raises, ldp);
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
  const LdpLevel ldp({}, now.levels);
  const auto earlier = [&](const std::string& key) {
    const auto found = now.earlier_keys.find(key);
    return found == now.earlier_keys.end() ? key : found->second;
  };
  for (auto& [key, promise] : spec.levels) {
    const auto before = locked.levels.find(earlier(key));
    if (before == locked.levels.end()) continue;
    const Level upper = level_of_text(ends_of_level(before->second).second);
    promise = promise_of({upper, upper, now.levels.at(key).facts}, {}, ldp);
  }
  for (auto& [key, promise] : spec.deltas) {
    const auto before = locked.deltas.find(earlier(key));
    if (before == locked.deltas.end()) continue;
    promise = promise_of({number_of_text(before->second), now.deltas.at(key).facts}, {}, ldp);
  }
  return spec;
}

namespace {

using Json = nlohmann::ordered_json;

std::string rows_hash(const Channel& channel, Budget& budget) {
  std::string text;
  for (const auto& row : rows_of(channel, budget)) {
    for (const Number& entry : row) text += entry.to_string() + ",";
    text += "\n";
  }
  return sha256(text);
}

// The canonical text of a field: numbers by value, whatever parameters they use; another mechanism by its rows,
// whatever files it comes from. source: the field as the spec writes it.
std::string field_text(const std::string& source, const FieldValue& value, const Domain& domain, Budget& budget) {
  if (const auto* level = std::get_if<Level>(&value)) return Json(level->to_string()).dump();
  if (const auto* number = std::get_if<Number>(&value)) return Json(number->to_string()).dump();
  if (const auto* matrix = std::get_if<LevelMatrix>(&value)) return Json(matrix_text(*matrix, domain.inputs())).dump();
  if (const auto* levels = std::get_if<std::shared_ptr<const PairLevels>>(&value)) return (*levels)->written();
  if (const auto* table = std::get_if<Table>(&value)) {
    Json rows = Json::array();
    for (const auto& row : table->rows) {
      Json& cells = rows.emplace_back(Json::array());
      for (const Number& cell : row) cells.push_back(cell.to_string());
    }
    return rows.dump();
  }
  if (const auto* channel = std::get_if<ChannelPtr>(&value)) {
    return source + " sha256:" + rows_hash(**channel, budget);
  }
  return source;
}

// Sorts lists whose order is irrelevant, and the two inputs of a pair of neighbors.
std::string in_one_order(const FieldValue& value, const std::string& source) {
  const bool is_pairs = std::holds_alternative<std::shared_ptr<const InputPairs>>(value);
  const bool is_set = std::holds_alternative<Coordinates>(value) || std::holds_alternative<Parties>(value) ||
                      std::holds_alternative<Inputs>(value) || std::holds_alternative<Outputs>(value);
  // A metric with an exact distance is not JSON; it has nothing to sort.
  Json json = is_set || is_pairs ? Json::parse(source, nullptr, false) : Json();
  if (is_pairs && json.contains("pairs")) {
    for (Json& pair : json["pairs"]) std::sort(pair.begin(), pair.end());
    std::sort(json["pairs"].begin(), json["pairs"].end());
    return json.dump();
  }
  if (!json.is_array()) return source;
  std::sort(json.begin(), json.end());
  return json.dump();
}

std::string shortened(const std::string& key) {
  constexpr std::size_t kLongest = 120;
  if (key.size() <= kLongest) return key;
  return printable(key, kLongest) + " sha256:" + sha256(key).substr(0, 16);
}

// Keys keep the words of the first locks: a promise is found by its key.
std::string locked_words(std::string set) {
  const std::string now = "but for a fraction of ", locked = "but for a share of ";
  const std::size_t at = set.find(now);
  return at == std::string::npos ? set : set.replace(at, now.size(), locked);
}

// As a JSON array: different inputs have different texts.
std::string side_text(const Label& party) {
  const Json json = std::visit([](const auto& values) { return Json(values); }, party);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Keys::Keys(const Spec& spec, Budget& budget) : spec_(spec), symbols_(spec.symbols != nullptr), budget_(budget) {
  for (const Claim& claim : spec.claims) {
    if (const auto* set = claim.arguments.find_if<ForAll>(kForAll)) sets_[set->called].insert(set->content);
  }
}

std::string Keys::of_format_1(const Claim& claim) const {
  const auto* set = claim.arguments.find_if<ForAll>(kForAll);
  if (set == nullptr) return of(claim, Wanted::kFormat1, "");
  const std::string& source = claim.source.at(kForAll);
  if (symbols_) return of(claim, Wanted::kFormat1, source);
  const Json stated = Json::parse(source);
  const std::string name = stated.is_string() ? " (" + stated.get<std::string>() + ")" : "";
  return of(claim, Wanted::kFormat1, locked_words(set->set->words()) + name + " " + set->source);
}

std::string Keys::name_of_set(const Claim& claim) const {
  const auto* set = claim.arguments.find_if<ForAll>(kForAll);
  if (set == nullptr) return "";
  const std::set<std::string>& alike = sets_.at(set->called);
  const auto place = std::distance(alike.begin(), alike.find(set->content));
  return locked_words(set->called) + (place == 0 ? "" : " #" + std::to_string(place + 1));
}

std::string Keys::of(const Claim& claim, Wanted wanted, const std::string& set) const {
  const Locking& locking = claim.notion->locking;
  const bool measured = wanted != Wanted::kQuestion;
  const bool of_other_notion = measured && !locking.measures.empty();
  const std::string& notion = of_other_notion ? locking.measures : claim.notion->name;
  const std::vector<std::string> bounds = bounds_of(*claim.notion, claim.arguments);
  std::map<std::string, std::string> asked;
  for (const auto& [key, source] : claim.source) {
    const FieldValue* value = claim.arguments.find_value(key);
    const bool is_bound = std::find(bounds.begin(), bounds.end(), key) != bounds.end();
    if (key == "tight" && measured && (symbols_ || locking.verdict)) asked[key] = source;
    if (value == nullptr || of_other_notion) continue;
    if (key == kForAll) {
      asked[key] = set;
    } else if (symbols_ && (measured || !is_bound)) {
      asked[key] = source;
    } else if (!is_bound) {
      const std::string& ordered = wanted == Wanted::kFormat1 ? source : in_one_order(*value, source);
      asked[key] = symbols_ ? ordered : field_text(ordered, *value, spec_.model.domain, budget_);
    }
  }
  std::string key = notion;
  for (const auto& [name, value] : asked) {
    key += " ";
    if (name != notion) key.append(name).append(" ");
    key += value;
  }
  return shortened(key);
}

std::string Keys::quoted_set(const Claim& claim) const { return Json(name_of_set(claim)).dump(); }

std::string key_of_level(const std::string& key, const std::string& coordinate) {
  const auto is_plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  const bool plain = !coordinate.empty() && std::all_of(coordinate.begin(), coordinate.end(), is_plain);
  return key + " " + (plain ? coordinate : Json(coordinate).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string key_of_quantity(const std::string& notion, const std::string& coordinate,
                            const std::vector<std::string>& known) {
  std::vector<std::string> sorted = known;
  std::sort(sorted.begin(), sorted.end());
  const std::string key = known.empty() ? notion : notion + " known " + Json(sorted).dump();
  return coordinate.empty() ? key : key_of_level(key, coordinate);
}

std::string key_of_pair(const Label& from, const Label& to) {
  return "loss from " + side_text(from) + " to " + side_text(to);
}

}  // namespace oddsbound::app
