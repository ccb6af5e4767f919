#include "verifier/smt/decide.h"

#include <algorithm>

#include "base/errors.h"
#include "base/files.h"
#include "verifier/smt/everywhere.h"

namespace oddsbound::smt {

namespace {

constexpr unsigned kMostBits = 1 << 12;

class Decider {
 public:
  Decider(const Model& model, const SymbolRing* ring, const ClaimTitle& title, Budget& budget,
          const SmtOptions& options)
      : model_(model), ring_(ring), budget_(budget), asking_(title, budget, options) {
    require_askable(model, options);
    rows_ = rows_of(*model.channel, budget);
  }

  /// Returns true if the comparison is refuted, so that the others need no query.
  bool decide(const Comparison& comparison, bool tight) {
    const bool unbounded = comparison.level.is_infinite();
    if (unbounded && !tight) return false;
    const Sides sides = sides_of(model_, comparison, rows_, budget_);
    if (!unbounded && search(comparison, sides)) return true;
    return tight && search_slack(comparison, sides);
  }

  /// Returns true if some comparison was left undecided.
  bool is_open() const { return is_open_; }

  /// Returns true if the claim is refuted because no pair attains its level, after all comparisons hold.
  bool finds_none_attained() { return !is_open_ && attained_ == false && smaller_holds({}); }

  SmtVerdict take() {
    verdict_.queries = asking_.take();
    return std::move(verdict_);
  }

 private:
  bool undecided(const std::string& reason) {
    verdict_.reason = reason;
    is_open_ = true;
    return false;
  }

  std::vector<std::string> about(const Comparison& comparison) const {
    std::vector<std::string> lines;
    if (!comparison.about.empty()) lines.push_back("coordinate: " + comparison.about);
    lines.push_back("level: " + comparison.level.to_string() + ", delta: " + comparison.delta.to_string());
    return lines;
  }

  std::string next_name() { return "q" + std::to_string(count_++); }

  bool search(const Comparison& comparison, const Sides& sides) {
    constexpr unsigned kShortBits = 24;
    const std::string name = next_name();
    // Rounded numbers decide unless a level is attained, or nearly so.
    if (ring_ == nullptr) {
      if (const auto rounded = encode_rounded(model_, comparison, sides, kShortBits)) {
        const Outcome outcome = attempt(*rounded, comparison, sides, name, "unsatisfiable only if the claim holds");
        if (outcome == Outcome::kNone || outcome == Outcome::kRefuted) return outcome == Outcome::kRefuted;
      }
    }
    for (unsigned bits = 64; bits <= kMostBits; bits *= 4) {
      const Query query = encode(model_, comparison, sides, ring_, bits);
      const Outcome outcome =
          attempt(query, comparison, sides, name, "satisfiable if and only if the claim does not hold");
      if (outcome == Outcome::kUnknown) return undecided(reason_);
      if (outcome != Outcome::kSpurious) return outcome == Outcome::kRefuted;
      if (!query.enclosed) return undecided("Z3's counterexample does not violate the claim");
    }
    return undecided("exp could not be enclosed closely enough to decide");
  }

  enum class Outcome { kNone, kRefuted, kSpurious, kUnknown };

  // For unknown sets, first try sets of one member: a counterexample is found sooner among few candidates.
  Outcome attempt(const Query& query, const Comparison& comparison, const Sides& sides, const std::string& name,
                  const std::string& meaning) {
    std::vector<std::string> lines = about(comparison);
    lines.push_back(meaning);
    if (!query.sets.empty()) {
      Query part = query;
      part.restrict_to_single();
      if (judge(part, asking_.ask(part.script, name, lines), comparison, sides) == Outcome::kRefuted)
        return Outcome::kRefuted;
    }
    return judge(query, asking_.ask(query.script, name, lines), comparison, sides);
  }

  Outcome judge(const Query& query, const SolverAnswer& answer, const Comparison& comparison, const Sides& sides) {
    reason_ = answer.reason;
    if (answer.satisfiable == Answer::kNo) return Outcome::kNone;
    if (answer.satisfiable == Answer::kOpen) return Outcome::kUnknown;
    Violation violation = query.violation(model_, comparison, answer);
    const auto violates = [&](const std::vector<Number>& values) {
      return weigh(comparison, sides, violation, values) > 0;
    };
    const bool symbols = ring_ != nullptr;
    const std::vector<Number> values = symbols ? simple_values(*ring_, answer, violates) : std::vector<Number>();
    if (symbols ? values.empty() : !violates(values)) return Outcome::kSpurious;
    refute(comparison, sides, std::move(violation), values);
    return Outcome::kRefuted;
  }

  void refute(const Comparison& comparison, const Sides& sides, Violation violation,
              const std::vector<Number>& values) {
    // Drop outputs and labels while the claim stays violated: a smaller witness is easier to check by hand.
    for (auto* part : {&violation.event, &violation.from, &violation.to}) {
      for (std::size_t k = 0; k < part->size() && part->size() > 1;) {
        const std::uint64_t dropped = (*part)[k];
        part->erase(part->begin() + static_cast<std::ptrdiff_t>(k));
        if (weigh(comparison, sides, violation, values) > 0) continue;
        part->insert(part->begin() + static_cast<std::ptrdiff_t>(k), dropped);
        ++k;
      }
    }
    verdict_.holds = Answer::kNo;
    verdict_.values = values;
    if (comparison.delta.sign() < 0) return;  // violated by the empty event
    Witness& witness = verdict_.witness.emplace();
    for (const std::uint64_t y : violation.event) witness.outputs.push_back(model_.channel->output_label(y));
    witness.from = party(comparison, violation.from);
    witness.to = party(comparison, violation.to);
    witness.p_from = probability(sides, violation.event, violation.from, values);
    witness.p_to = probability(sides, violation.event, violation.to, values);
    if (comparison.about.find(", ") == std::string::npos) witness.coordinate = comparison.about;
    // Both sides have the same evidence.
    if (!comparison.given.empty()) witness.given = comparison.given[violation.from[0]];
  }

  Label party(const Comparison& comparison, const std::vector<std::uint64_t>& sides) const {
    if (comparison.labels.empty()) return model_.domain.tuple(sides[0]);
    if (sides.size() == 1) return comparison.labels[sides[0]];
    std::string text = "{";
    for (const std::uint64_t side : sides) text += (text.size() > 1 ? ", " : "") + party_text(comparison.labels[side]);
    return text + "}";
  }

  static Number probability(const Sides& sides, const std::vector<std::uint64_t>& event,
                            const std::vector<std::uint64_t>& chosen, const std::vector<Number>& values) {
    Number joint(0), mass(0);
    for (const std::uint64_t side : chosen) {
      for (const std::uint64_t y : event) joint += substitute(sides.joint[side][y], values);
      mass += substitute(sides.mass[side], values);
    }
    return joint / mass;
  }

  // One pair of all comparisons has to attain its level.
  bool note_attained(const Comparison& comparison, const Sides& sides) {
    if (ring_ != nullptr) return undecided("`tight` is not decided for levels that are a function, with symbols");
    const auto pairs = pairs_of(comparison, sides);
    const bool attained = !comparison.level.is_zero() && std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return attains(comparison, sides, pair.first, pair.second, {});
    });
    attained_ = attained_.value_or(false) || attained;
    return false;
  }

  // A level of 0 and a delta of 0 have no slack.
  bool search_slack(const Comparison& comparison, const Sides& sides) {
    const bool of_delta = comparison.tight == Comparison::Tight::kDelta;
    if (comparison.tight == Comparison::Tight::kNone) return false;
    if (comparison.tight == Comparison::Tight::kSomewhere) return note_attained(comparison, sides);
    if (of_delta ? comparison.delta.is_zero() : comparison.level.is_zero()) return false;
    if (ring_ != nullptr && of_delta) return undecided("`tight` is not decided for a delta with symbols");
    const auto pairs = pairs_of(comparison, sides);
    if (ring_ == nullptr) return has_slack(comparison, sides, pairs, {}) && smaller_holds({});
    if (comparison.tight != Comparison::Tight::kEach) return search_slack_of(comparison, sides, pairs);
    for (const auto& pair : pairs) {
      if (search_slack_of(comparison, sides, {pair})) return true;
    }
    return false;
  }

  bool smaller_holds(const std::vector<Number>& values) {
    verdict_.values = values;
    verdict_.holds = Answer::kNo;
    verdict_.not_tight = true;
    return true;
  }

  bool search_slack_of(const Comparison& comparison, const Sides& sides,
                       const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs) {
    std::vector<std::string> lines = about(comparison);
    lines.push_back("unsatisfiable only if no smaller level holds, whatever the values of the symbols");
    const SolverAnswer answer = asking_.ask(encode_slack(comparison, sides, ring_, pairs), next_name(), lines);
    if (answer.satisfiable == Answer::kNo) return false;
    if (answer.satisfiable == Answer::kOpen) return undecided(answer.reason);
    const auto slack = [&](const std::vector<Number>& values) { return has_slack(comparison, sides, pairs, values); };
    const std::vector<Number> values = simple_values(*ring_, answer, slack);
    if (values.empty()) return undecided("no values of the symbols were found that show a smaller level");
    return smaller_holds(values);
  }

  static bool has_slack(const Comparison& comparison, const Sides& sides,
                        const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                        const std::vector<Number>& values) {
    const auto attained = [&](const auto& pair) { return attains(comparison, sides, pair.first, pair.second, values); };
    // If nothing is compared, the least level is 0.
    const bool level_is_zero = comparison.tight != Comparison::Tight::kDelta && !comparison.level.is_infinite() &&
                               substitute(comparison.level.exponential(), values).is_one();
    if (level_is_zero) return false;
    if (comparison.tight == Comparison::Tight::kEach) return !std::all_of(pairs.begin(), pairs.end(), attained);
    return std::none_of(pairs.begin(), pairs.end(), attained);
  }

  const Model& model_;
  const SymbolRing* ring_;
  Budget& budget_;
  QuerySession asking_;
  std::vector<std::vector<Number>> rows_;
  SmtVerdict verdict_;
  std::size_t count_ = 0;
  bool is_open_ = false;
  std::optional<bool> attained_;  // of comparisons of the kind kSomewhere
  std::string reason_;            // why the last query was unknown
};

}  // namespace

SmtVerdict decide_question(const std::function<std::string(const std::vector<std::string>&)>& question,
                           const ClaimTitle& title, const SmtOptions& options) {
  SmtVerdict verdict;
  try {
    std::vector<std::string> lines = title.lines;
    lines.push_back("satisfiable if and only if the claim holds");
    QueryRecord& query = verdict.queries.emplace_back();
    query.name = "q0";
    query.text = question(lines);
    const SolverAnswer answer = ask_solver(options, query.text, {options.seconds, options.memory_mb});
    query.status = status_word(answer.satisfiable);
    query.text = with_status(query.text, query.status);
    query.seconds = answer.seconds;
    verdict.reason = answer.reason;
    if (answer.satisfiable == Answer::kYes) verdict.holds = Answer::kYes;
    if (answer.satisfiable == Answer::kNo) verdict.holds = Answer::kNo;
  } catch (const LimitError& error) {
    verdict.queries.clear();
    verdict.reason = error.what();
  }
  emit(verdict, title, options);
  return verdict;
}

SmtVerdict decide_by_definition(const Model& model, const std::function<Definition()>& define, const SymbolRing* ring,
                                bool tight, const ClaimTitle& title, Budget& budget, const SmtOptions& options) {
  SmtVerdict verdict;
  try {
    Decider decider(model, ring, title, budget, options);
    const Definition definition = define();
    bool refuted = false;
    for (std::size_t k = 0; k < definition.size() && !refuted; ++k) refuted = decider.decide(definition[k], tight);
    if (!refuted && tight) refuted = decider.finds_none_attained();
    verdict = decider.take();
    if (!refuted && !decider.is_open()) verdict.holds = Answer::kYes;
  } catch (const LimitError& error) {
    verdict.reason = error.what();
  } catch (const NumberError& error) {
    verdict.reason = shortened(error.what());
  }
  emit(verdict, title, options);
  return verdict;
}

const char* status_word(Answer status) {
  return status == Answer::kYes ? "sat" : (status == Answer::kNo ? "unsat" : "unknown");
}

void require_askable(const Model& model, const SmtOptions& options) {
  const std::uint64_t inputs = model.channel->inputs();
  const std::uint64_t outputs = model.channel->outputs();
  if (outputs > options.max_cells || inputs > options.max_cells / (inputs + outputs)) {
    throw LimitError("the model has more cells than are put to the solver (--smt-max-cells)");
  }
}

SolverAnswer QuerySession::ask(const Script& script, const std::string& name, const std::vector<std::string>& lines) {
  budget_.check();
  const double left = options_.seconds - spent_;
  if (left <= 0) return {Answer::kOpen, "Z3 was stopped at its time limit (--smt-seconds)", {}, 0};
  std::vector<std::string> title = title_.lines;
  title.insert(title.end(), lines.begin(), lines.end());
  QueryRecord record;
  record.name = name;
  const std::string text = script.text(title);
  SolverAnswer answer = ask_solver(options_, text, {left, options_.memory_mb});
  record.status = status_word(answer.satisfiable);
  record.text = with_status(text, record.status);
  record.seconds = answer.seconds;
  spent_ += answer.seconds;
  if (!records_.empty() && records_.back().name == name) records_.pop_back();
  records_.push_back(std::move(record));
  return answer;
}

void emit(SmtVerdict& verdict, const ClaimTitle& title, const SmtOptions& options) {
  if (options.emit_directory.empty()) return;
  for (QueryRecord& query : verdict.queries) {
    query.file = options.emit_directory + "/" + title.file_stem + "_" + query.name + ".smt2";
    write_whole(query.file, query.text);
    if (options.cross_check.empty()) continue;
    query.cross_check = ask_program(options.cross_check, query.file, options.seconds);
  }
}

}  // namespace oddsbound::smt
