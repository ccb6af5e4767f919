// Measures a spec for the lock: everything that `analyze` shows and claims ask, and a digest of the measured content.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "app/lock.h"
#include "audits/replay.h"
#include "base/errors.h"
#include "reports/claim_words.h"
#include "reports/effects.h"
#include "reports/levels.h"
#include "reports/publishable.h"
#include "reports/spec_result.h"
#include "reports/words.h"
#include "specs/reading.h"
#include "specs/spec_error.h"
#include "verifier/notions/table.h"

namespace oddsbound::app {

namespace {

using Json = nlohmann::ordered_json;

// Only holders of the key may learn the digest of confidential content, from which a small table could be guessed.
std::string content_digest(const std::string& content, bool confidential, const std::string& lock_key) {
  if (!confidential) return "sha256:" + sha256(content);
  return lock_key.empty() ? "" : "hmac-sha256:" + hmac_sha256(lock_key, content);
}

// The statements of a claim: one per coordinate that it bounds, with the coordinate ("" if there is a single bound).
std::vector<std::pair<std::string, LockedClaim>> statements_of(const Claim& claim, const Spec& spec) {
  const Claimed claimed = claimed_of(*claim.notion, spec.model.domain, claim.arguments, spec.symbols != nullptr);
  LockedClaim plain{claim.expect_holds, claim.tight, ""};
  if (claimed.form == ClaimForm::kMatrix || claimed.form == ClaimForm::kMechanism) return {{"", plain}};
  std::vector<std::pair<std::string, LockedClaim>> statements;
  for (const auto& [name, stated] : claimed.values) {
    const bool level_and_delta = claimed.form == ClaimForm::kLevelAndDelta;
    if (level_and_delta && name != bounds_of(*claim.notion, claim.arguments).front()) continue;
    plain.bound = stated.text();
    statements.emplace_back(level_and_delta ? "" : name, plain);
  }
  return statements;
}

class Measuring {
 public:
  Measuring(const Spec& spec, const SpecResult& result, Keys& keys, MeasuredSpec& measured)
      : spec_(spec), result_(result), keys_(keys), measured_(measured) {}

  // Everything that `analyze` shows, measured or left open.
  void add_analysis() {
    for (const Quantity& quantity : quantities(result_)) {
      // A bound that was computed in double is no property of the spec.
      if (quantity.is_bound && quantity.for_others) continue;
      const bool confidential = spec_.confidential_prior && quantity.of_prior;
      const std::string key = key_of_quantity(quantity.notion->name, quantity.coordinate, known_in(quantity));
      if (quantity.is_bound) {
        const Level& bound = quantity.level.at_least;
        measured_.bounds[quantity.kind + ": " + key] = {bound, bound, {confidential, true, ""}};
      } else {
        add(key, quantity.level, confidential, quantity.of_prior).of_analysis = true;
        const std::string earlier = quantity.notion->name + " " + quantity.coordinate;
        if (!quantity.coordinate.empty() && quantity.beside.empty() && key != earlier) {
          measured_.earlier_keys.emplace(key, earlier);
        }
      }
    }
    for (const Notion& notion : notion_table()) {
      const auto reason = result_.analysis.undecided.find(notion.name);
      if (!notion.measure || reason == result_.analysis.undecided.end()) continue;
      if (notion.form != ClaimForm::kByCoordinate) measured_.open[notion.name] = reason->second;
      for (const std::string& name : result_.coordinates) {
        if (notion.form == ClaimForm::kByCoordinate) measured_.open[key_of_level(notion.name, name)] = reason->second;
      }
    }
    add_open_beside();
  }

  // Everything that a claim measures, under the key of its question.
  void add_claim(const Claim& claim, const ClaimResult& result) {
    const std::string key = keys_.of_claim(claim);
    const std::vector<std::string> keys = keys_of(claim, key);
    const std::vector<std::string> earlier = keys_of(claim, keys_.of_format_1(claim), false);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      measured_.places.emplace(keys[i], result.place);
      if (earlier[i] != keys[i]) measured_.earlier_keys.emplace(keys[i], earlier[i]);
    }
    for (auto& [coordinate, statement] : statements_of(claim, spec_)) {
      const std::string question = keys_.of_question(claim);
      measured_.claims[coordinate.empty() ? question : key_of_level(question, coordinate)].push_back(statement);
    }
    if (result.verdict == Verdict::kUndecided && std::holds_alternative<std::monostate>(result.decision.actual)) {
      for (const std::string& one : keys) measured_.open[one] = result.reason;
      return;
    }
    if (result_.functions || claim.notion->locking.verdict) {
      add_verdict(key, result);
      return;
    }
    const bool confidential = result.confidential;
    const bool of_prior = claim.notion->needs_prior;
    const Actual& actual = result.decision.actual;
    if (const auto* level = std::get_if<MeasuredLevel>(&actual)) add(key, *level, confidential, of_prior);
    if (const auto* average = std::get_if<Average>(&actual)) {
      add(key, average->level, confidential, of_prior).facts.words = confidential ? "" : average_words(*average);
    }
    if (const auto* levels = std::get_if<NamedLevels>(&actual)) {
      for (const auto& [coordinate, own] : *levels) add(key_of_level(key, coordinate), own, confidential, of_prior);
    }
    if (const auto* delta = std::get_if<MeasuredNumber>(&actual)) {
      const Witness witness = confidential ? publishable(delta->witness) : delta->witness;
      LockedDeltaNow now{delta->at_most(), {confidential, of_prior, witness_words(witness, result_.coordinates)}};
      if (delta->unfinished) now.at_least = delta->at_least;
      measured_.deltas[key] = std::move(now);
    }
    // Results that are not numbers are locked by whether the claim holds, so no claim stays unlocked.
    if (std::holds_alternative<std::monostate>(actual) || std::holds_alternative<Refinement>(actual)) {
      add_verdict(key, result);
    }
  }

  void add_pairs(const LossMatrix& losses) {
    for (std::size_t from = 0; from < losses.sides.size(); ++from) {
      for (std::size_t to = 0; to < losses.sides.size(); ++to) {
        if (from == to) continue;
        const Level& loss = losses.loss[from][to];
        measured_.levels[key_of_pair(losses.sides[from], losses.sides[to])] = {loss, loss};
      }
    }
  }

  void add_set(const Claim& claim, const std::string& lock_key) {
    const auto* set = claim.arguments.find_if<ForAll>(kForAll);
    if (set == nullptr) return;
    measured_.sets[keys_.name_of_set(claim)] = content_digest(set->content, set->states_confidential, lock_key);
  }

 private:
  // The coordinates that the adversary knows: none, or the public ones.
  std::vector<std::string> known_in(const Quantity& quantity) const {
    return quantity.beside.empty() || quantity.is_bound ? std::vector<std::string>() : result_.public_coordinates;
  }

  // Levels given the public attributes, and bounds, that a limit left out.
  void add_open_beside() {
    for (const auto& [what, reason] : result_.analysis.undecided) {
      if (what == "correlation" || what == "proposition_4" || what == "composition") measured_.open_bounds = reason;
      for (const Notion& notion : notion_table()) {
        if (!notion.measure_given || what != notion.name + " given what is public") continue;
        const bool each = notion.form == ClaimForm::kByCoordinate;
        const std::vector<std::string> about = each ? result_.coordinates : std::vector<std::string>{""};
        for (const std::string& coordinate : about) {
          if (each && result_.is_public(coordinate)) continue;
          measured_.open[key_of_quantity(notion.name, coordinate, result_.public_coordinates)] = reason;
        }
      }
    }
  }

  LockedLevelNow& add(const std::string& key, const MeasuredLevel& level, bool confidential, bool of_prior) {
    const MeasuredLevel shown = confidential ? publishable(level) : level;
    LockedLevelNow now{
        level.at_least, level.at_most(), {confidential, of_prior, shown_words(shown, result_.coordinates)}};
    const auto before = measured_.levels.find(key);
    // A claim may ask for a quantity that is shown anyway; then both bounds are proved.
    if (before != measured_.levels.end()) {
      now.of_analysis = before->second.of_analysis;
      now.lower = std::max(now.lower, before->second.lower);
      now.upper = std::max(std::min(now.upper, before->second.upper), now.lower);
    }
    return measured_.levels[key] = std::move(now);
  }

  void add_verdict(const std::string& key, const ClaimResult& result) {
    measured_.verdicts[key] = result.verdict == Verdict::kHolds ? "holds" : "refuted";
    if (!result.decision.witness) return;
    const Witness& witness = *result.decision.witness;
    measured_.verdict_words[key] =
        witness_words(result.confidential ? publishable(witness) : witness, result_.coordinates);
  }

  // One key, or one per coordinate with a claimed level.
  std::vector<std::string> keys_of(const Claim& claim, const std::string& key, bool quotes = true) const {
    std::vector<std::string> keys;
    for (const std::string& bound : bounds_of(*claim.notion, claim.arguments)) {
      const auto* levels = claim.arguments.find_if<CoordinateLevels>(bound);
      if (levels == nullptr || result_.functions) continue;
      for (std::size_t i = 0; i < levels->size(); ++i) {
        if (!(*levels)[i]) continue;
        keys.push_back(quotes ? key_of_level(key, result_.coordinates[i]) : key + " " + result_.coordinates[i]);
      }
    }
    return keys.empty() ? std::vector{key} : keys;
  }

  const Spec& spec_;
  const SpecResult& result_;
  Keys& keys_;
  MeasuredSpec& measured_;
};

// The loss of every pair, if a claim bounds pairs individually.
void add_pairs(const Spec& spec, Budget& budget, Measuring& measuring, MeasuredSpec& measured) {
  const auto by_pairs = [](const Claim& claim) { return claim.notion->locking.pairs; };
  if (std::none_of(spec.claims.begin(), spec.claims.end(), by_pairs)) return;
  const std::string what = "losses of all pairs of inputs";
  if (!spec.model.channel) {
    measured.by_content.insert(what);
    return;
  }
  try {
    MeasuredModel subject(spec.model, budget);
    if (const auto losses = input_losses(subject)) {
      measuring.add_pairs(*losses);
    } else {
      measured.by_content.insert(what);
    }
  } catch (const LimitError& error) {
    measured.open[what] = error.what();
    measured.open_notions.insert("loss");
  }
}

// An infinite level does not limit how often an output attains it. So delta at some levels is locked for each
// infinite level. If delta is not available (too large, or over a set of priors), the content is locked.
class BeyondInfinity {
 public:
  BeyondInfinity(const Spec& spec, Budget& budget, MeasuredSpec& measured)
      : spec_(spec), budget_(budget), measured_(measured), probe_(spec) {
    probe_.claims.clear();
  }

  // Asks for a quantity without a claim. known: the coordinates that the adversary knows, if public.
  void ask_of_analysis(const std::string& key, const Notion& notion, std::optional<std::size_t> coordinate,
                       const std::vector<std::size_t>& known) {
    Arguments arguments = audits::at_level_zero(notion, spec_.model.domain);
    if (coordinate) {
      CoordinateLevels levels(spec_.model.domain.size());
      levels[*coordinate] = Level();
      arguments.set("epsilon", std::move(levels));
    }
    if (!known.empty()) arguments.set("known", Coordinates{known});
    ask(key, notion, std::move(arguments));
  }

  void ask_of_claim(const std::string& key, const Claim& claim, std::optional<std::size_t> coordinate) {
    Arguments arguments = claim.arguments;
    if (coordinate) {
      CoordinateLevels levels(spec_.model.domain.size());
      levels[*coordinate] = Level();
      arguments.set("epsilon", std::move(levels));
    } else if (arguments.find_if<Level>("epsilon") != nullptr) {
      arguments.set("epsilon", Level());
    }
    ask(key, *claim.notion, std::move(arguments));
  }

  void measure() {
    if (probe_.claims.empty()) return;
    std::vector<audits::Question> questions;
    try {
      questions = audits::questions_of(probe_, false, budget_);
    } catch (const LimitError&) {
      for (const std::string& key : keys_) give_up(key);
      return;
    }
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      const auto asks = [&](const audits::Question& question) {
        return std::any_of(question.claims.begin(), question.claims.end(),
                           [&](const audits::ClaimedLevel& claim) { return claim.claim == i; });
      };
      const auto question = std::find_if(questions.begin(), questions.end(), asks);
      if (question == questions.end()) {
        give_up(keys_[i]);
      } else {
        add_deltas(keys_[i], *question);
      }
    }
  }

 private:
  void ask(const std::string& key, const Notion& notion, Arguments arguments) {
    // A comparison that follows from a claim is weaker than the claim.
    if (spec_.mechanism.shuffle || !notion.defines(arguments) || notion.imply) {
      give_up(key);
      return;
    }
    Claim claim;
    claim.notion = &notion;
    claim.arguments = std::move(arguments);
    probe_.claims.push_back(std::move(claim));
    keys_.push_back(key);
  }

  void give_up(const std::string& key) { measured_.by_content.insert("what lies behind an infinite level of " + key); }

  void add_deltas(const std::string& key, audits::Question question) {
    std::map<std::string, Number> deltas;
    try {
      for (const int epsilon : {0, 1, 4, 16}) {
        question.at = Level::of_exponential(Number::exp_of(Number(epsilon)));
        const std::optional<Number> delta = audits::exact_answer(question, *spec_.model.channel, budget_).delta;
        if (!delta) return give_up(key);
        deltas[key + kDeltaAt + std::to_string(epsilon)] = *delta;
      }
    } catch (const LimitError&) {
      return give_up(key);
    }
    const QuantityFacts& facts = measured_.levels.at(key).facts;
    for (auto& [name, delta] : deltas) measured_.deltas[name] = {delta, {facts.confidential, facts.of_prior, ""}};
  }

  const Spec& spec_;
  Budget& budget_;
  MeasuredSpec& measured_;
  Spec probe_;  // its claims are the questions
  std::vector<std::string> keys_;
};

std::optional<std::size_t> coordinate_of(const Spec& spec, const std::string& name) {
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) {
    if (spec.model.domain.coordinate(i).name == name) return i;
  }
  return std::nullopt;
}

// Handles every infinite level of the analysis and of claims.
void lock_beyond_infinity(const Spec& spec, const SpecResult& result, Keys& keys, Budget& budget,
                          MeasuredSpec& measured) {
  BeyondInfinity beyond(spec, budget, measured);
  std::set<std::string> asked;
  for (const Quantity& quantity : quantities(result)) {
    if (quantity.is_bound || !quantity.level.at_most().is_infinite()) continue;
    const std::vector<std::string> names =
        quantity.beside.empty() ? std::vector<std::string>() : result.public_coordinates;
    std::vector<std::size_t> known;
    for (const std::string& name : names) known.push_back(*coordinate_of(spec, name));
    const std::string key = key_of_quantity(quantity.notion->name, quantity.coordinate, names);
    asked.insert(key);
    beyond.ask_of_analysis(key, *quantity.notion, coordinate_of(spec, quantity.coordinate), known);
  }
  for (std::size_t i = 0; i < spec.claims.size(); ++i) {
    const Claim& claim = spec.claims[i];
    const Actual& actual = result.claims[i].decision.actual;
    if (claim.notion->locking.verdict) continue;
    const std::string key = keys.of_claim(claim);
    const auto ask = [&](const std::string& own, const MeasuredLevel& level, std::optional<std::size_t> coordinate) {
      if (level.at_most().is_infinite() && asked.insert(own).second) beyond.ask_of_claim(own, claim, coordinate);
    };
    if (const auto* level = std::get_if<MeasuredLevel>(&actual)) ask(key, *level, std::nullopt);
    if (const auto* levels = std::get_if<NamedLevels>(&actual)) {
      for (const auto& [coordinate, own] : *levels)
        ask(key_of_level(key, coordinate), own, coordinate_of(spec, coordinate));
    }
  }
  beyond.measure();
}

// The relevant content of the spec and its files: tables by rows, other specs like this one. files: the spec first.
std::string content_of(const JsonDocument& spec, std::span<const SourceFile> files, Budget& budget) {
  std::string hashes = content_hash(spec) + "\n";
  for (const SourceFile& file : files.subspan(1)) {
    std::string text = read_file(file.file, budget.limits());
    hashes += (file.is_spec ? content_hash(JsonDocument(file.file, std::move(text)))
                            : table_hash(file.file, text, budget, file.separator)) +
              "\n";
  }
  return hashes;
}

}  // namespace

MeasuredSpec measure_for_lock(const std::string& file, const SmtOptions& smt, const Limits& limits,
                              const std::string& lock_key) {
  Budget budget(limits);
  const auto document = std::make_shared<const JsonDocument>(file, read_file(file, limits));
  const Spec spec = read_spec_document(document, std::filesystem::path(file).parent_path().string(), budget);
  MeasuredSpec measured;
  measured.file = file;
  measured.confidential = has_confidential_table(spec);
  for (const SourceFile& source : spec.files) measured.read.push_back(source.file);
  const std::string content = content_of(*document, spec.files, budget);
  measured.content_hash = sha256(content);
  measured.content = content_digest(content, measured.confidential, lock_key);
  VerifyOptions options;
  options.smt = smt;
  const SpecResult result = evaluate(spec, budget, options);
  measured.public_attributes = result.public_coordinates;
  const bool is_shuffled = spec.mechanism.shuffle != nullptr;  // then levels are those of claims
  if (result.functions || !result.outputs || is_shuffled) measured.by_content.insert(kAllLevels);
  if (!result.outputs) return measured;
  Keys keys(spec, budget);
  Measuring measuring(spec, result, keys, measured);
  if (!is_shuffled) measuring.add_analysis();
  if (!result.functions) add_pairs(spec, budget, measuring, measured);
  for (std::size_t i = 0; i < spec.claims.size(); ++i) {
    const Claim& claim = spec.claims[i];
    if (!result.claims[i].ok() && !result.claims[i].undecided()) {
      measured.failing.push_back(claim_words(result.claims[i]).claim);
    }
    try {
      measuring.add_claim(claim, result.claims[i]);
      measuring.add_set(claim, lock_key);
    } catch (const LimitError& error) {
      measured.open[claim.notion->name] = error.what();
      measured.open_notions.insert(claim.notion->name);
    }
  }
  if (!result.functions) lock_beyond_infinity(spec, result, keys, budget, measured);
  return measured;
}

}  // namespace oddsbound::app
