#include "app/decide_claim.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <numeric>
#include <optional>

#include "app/claim_time.h"
#include "app/verify.h"
#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/enclosed_levels.h"
#include "verifier/notions/rounded.h"
#include "verifier/notions/tolerance.h"

namespace oddsbound::app {

namespace {

constexpr const char* kEnginesDisagree = "the engines disagree";

struct Opinion {
  Verdict verdict = Verdict::kUndecided;
  std::string reason;
  Decision decision;
};

Verdict verdict_from(Answer holds) {
  switch (holds) {
    case Answer::kYes: return Verdict::kHolds;
    case Answer::kNo: return Verdict::kRefuted;
    case Answer::kOpen: break;
  }
  return Verdict::kUndecided;
}

// If a bound that could be lower refutes the claim, the decision reports that bound and not an attained one.
void show_slack(Decision& decision) {
  if (!decision.slack) return;
  const LevelAndBound& slack = *decision.slack;
  if (slack.level.shows_something()) decision.witness = slack.level.witness.get();
  if (!std::holds_alternative<MeasuredLevel>(decision.actual)) return;
  decision.actual = slack.level;
  decision.pair_bound = slack.bound;
}

// The subject of shuffled reports is one person's report.
Decision decision_about(const Spec& spec, const Claim& claim, MeasuredModel& subject) {
  if (!spec.mechanism.shuffle) return claim.notion->decide(subject, claim.arguments);
  if (!claim.notion->decide_shuffled) {
    throw LimitError("claims about " + claim.notion->name + " are not decided for shuffled reports");
  }
  if (claim.arguments.has(kForAll)) {
    throw LimitError("claims about sets of priors are not decided for shuffled reports");
  }
  return claim.notion->decide_shuffled(subject, spec.mechanism.shuffle->people, claim.arguments);
}

template <typename Decide>
Opinion opinion_by(const Claim& claim, Decide decide) {
  Opinion opinion;
  try {
    opinion.decision = decide();
    Decision& decision = opinion.decision;
    opinion.verdict = verdict_from(ClaimOutcome{decision.holds, decision.tight}.claim(claim.tight));
    if (opinion.verdict == Verdict::kUndecided) opinion.reason = open_reason(decision.actual);
    if (opinion.verdict == Verdict::kRefuted && decision.holds == Answer::kYes) show_slack(decision);
    if (opinion.verdict == Verdict::kRefuted && !decision.witness) decision.witness = witness_of(decision.actual);
  } catch (const LimitError& error) {
    opinion.reason = error.what();
  }
  return opinion;
}

Opinion exact_opinion(const Spec& spec, const Claim& claim, MeasuredModel& subject) {
  return opinion_by(claim, [&] {
    // After the time limit, further claims must not each start work. Levels that are already known cost nothing.
    const std::string& name = claim.notion->name;
    if (!subject.remembers(name) && !subject.remembers(name + engine::kOfClaims)) subject.budget().check();
    return decision_about(spec, claim, subject);
  });
}

ClaimTitle query_title(const Spec& spec, const Claim& claim, std::size_t index) {
  ClaimTitle title;
  for (const char c : spec.file) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    title.file_stem += plain ? std::string(1, c) : (c == '_' ? "__" : "_");
  }
  title.file_stem += "_claim_" + std::to_string(index);
  title.lines = {"oddsbound: spec " + spec.name + " (" + spec.file + ")",
                 "claim " + std::to_string(index) + ": " + claim.notion->name + " " + claim.name};
  return title;
}

Opinion opinion_of(const SmtVerdict& verdict) {
  Opinion opinion;
  opinion.reason = shortened(verdict.reason);
  if (verdict.holds == Answer::kOpen) return opinion;
  opinion.verdict = verdict_from(answer_of(verdict.holds == Answer::kYes));
  opinion.decision.holds = answer_of(opinion.verdict == Verdict::kHolds || verdict.not_tight);
  opinion.decision.witness = verdict.witness;
  return opinion;
}

class Decider {
 public:
  Decider(const Spec& spec, std::size_t index, MeasuredModel& subject, const SmtOptions& options,
          std::vector<Disagreement>& disagreements)
      : spec_(spec),
        claim_(spec.claims[index]),
        index_(index),
        subject_(subject),
        options_(options),
        disagreements_(disagreements) {
    result_ = undecided_claim(spec, index, "");
  }

  /// True if the claimed values can be written; otherwise the claim is undecided for that reason.
  bool can_ask() const { return result_.reason.empty(); }

  void by_exact() {
    accept(ask_exact(), "exact");
    if (!options_.cross_check.empty() && result_.verdict != Verdict::kUndecided) {
      miss(options_.cross_check + ": the exact engine decides without queries (ask with --engine smt or both)");
    }
  }

  void by_smt() { accept(ask_smt(), "smt"); }

  void by_both() {
    Opinion exact = ask_exact();
    Opinion smt = ask_smt();
    const bool disagree =
        exact.verdict != Verdict::kUndecided && smt.verdict != Verdict::kUndecided && exact.verdict != smt.verdict;
    if (disagree) {
      report(exact, smt.verdict);
      return;
    }
    if (exact.verdict == Verdict::kUndecided && smt.verdict == Verdict::kUndecided) {
      exact.reason += (exact.reason.empty() ? "Z3: " : "; Z3: ") + smt.reason;
      accept(std::move(exact), "exact");  // with its bounds
      return;
    }
    if (exact.verdict == Verdict::kUndecided) {
      const std::string reason = exact.reason;
      accept(std::move(smt), "smt");
      miss("exact: " + reason);
      return;
    }
    const bool second = smt.verdict != Verdict::kUndecided;
    if (!second) miss("smt: " + smt.reason);
    accept(std::move(exact), "exact");
    if (second) result_.decided_by.push_back("smt");
  }

  // Asks about all values of the symbols at once. A refutation is measured at the values found.
  void by_symbols() {
    const SmtVerdict verdict = ask_z3();
    Opinion opinion = opinion_of(verdict);
    if (opinion.verdict != Verdict::kRefuted) {
      accept(std::move(opinion), "smt");
      return;
    }
    for (std::size_t i = 0; i < verdict.values.size(); ++i) {
      result_.values.emplace_back(spec_.symbols->symbols()[i].name, verdict.values[i].to_string());
    }
    const Spec there = with_values(spec_, verdict.values, subject_.budget());
    MeasuredModel subject(there.model, subject_.budget());
    Opinion exact = timed("exact", [&] { return exact_opinion(there, there.claims[index_], subject); });
    if (exact.verdict == Verdict::kHolds) {
      report(exact, Verdict::kRefuted);
      return;
    }
    if (exact.verdict == Verdict::kUndecided) miss("exact: " + exact.reason);
    const bool confirmed = exact.verdict == Verdict::kRefuted;
    accept(confirmed ? std::move(exact) : std::move(opinion), "smt");
    if (confirmed) result_.decided_by.push_back("exact");
  }

  // For all matrices that agree with a printed one. Z3 is not asked about these.
  void by_rounding(Engine engine) {
    if (engine != Engine::kExact || !options_.cross_check.empty()) {
      Opinion opinion;
      opinion.reason = notions::not_supported_by_rounding("Z3 and other solvers");
      accept(std::move(opinion), "smt");
      return;
    }
    accept(timed("exact",
                 [&] {
                   return opinion_by(claim_, [&] {
                     subject_.budget().check();
                     return decide_rounded(*claim_.notion, claim_.arguments, spec_.model, *spec_.rounded,
                                           subject_.budget());
                   });
                 }),
           "exact");
  }

  ClaimResult take() { return std::move(result_); }

 private:
  template <typename Work>
  Opinion timed(const char* who, Work work) {
    const auto start = std::chrono::steady_clock::now();
    Opinion opinion = work();
    result_.seconds[who] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return opinion;
  }

  Opinion ask_exact() {
    return timed("exact", [&] { return exact_opinion(spec_, claim_, subject_); });
  }

  Opinion ask_smt() { return opinion_of(ask_z3()); }

  SmtVerdict ask_z3() {
    SmtVerdict verdict;
    timed("smt", [&] {
      SmtOptions options = options_;
      options.seconds = std::min(options.seconds, subject_.budget().seconds_left());
      const ClaimTitle title = query_title(spec_, claim_, index_);
      if (spec_.mechanism.shuffle) {
        verdict.reason = "Z3 is not asked about shuffled reports";
      } else if (claim_.arguments.has_roots()) {
        verdict.reason = "a level that is claimed has a square root in it, and Z3 is asked about other numbers only";
      } else if (claim_.arguments.has(kForAll)) {
        verdict = decide_over_set(spec_.model, *claim_.arguments.get<ForAll>(kForAll).set,
                                  compared_over_set(spec_.model.domain, claim_.arguments), claim_.tight, title,
                                  subject_.budget(), options);
      } else if (claim_.notion->defines(claim_.arguments)) {
        const auto define = [&] {
          return claim_.notion->define(spec_.model, claim_.arguments, InputSubset(spec_.model.domain));
        };
        verdict = decide_by_definition(spec_.model, define, spec_.symbols.get(), claim_.tight, title, subject_.budget(),
                                       options);
      } else if (claim_.notion->state && !notions::knows_anything(claim_.arguments)) {
        const auto state = [&] { return claim_.notion->state(spec_.model, claim_.arguments, subject_.budget()); };
        verdict =
            decide_statement(spec_.model, state, spec_.symbols.get(), claim_.tight, title, subject_.budget(), options);
      } else if (claim_.notion->question) {
        const auto question = [&](const auto& lines) {
          return claim_.notion->question(spec_.model, claim_.arguments, claim_.tight, lines);
        };
        verdict = decide_question(question, title, options);
      } else {
        verdict.reason = "no polynomials in probabilities say what is claimed, so Z3 has nothing to decide";
      }
      return Opinion();
    });
    result_.queries = verdict.queries;
    for (const QueryRecord& query : verdict.queries) check_opinion(query);
    return verdict;
  }

  // sat against unsat between two solvers is an error, like a disagreement of engines. "unknown" counts as no second
  // opinion.
  void check_opinion(const QueryRecord& query) {
    if (query.cross_check.empty() || query.status == query.cross_check) return;
    if (query.cross_check != "sat" && query.cross_check != "unsat") {
      miss(options_.cross_check + ": " + query.cross_check + " (query " + query.name + ")");
    } else if (query.status != "unknown") {
      fail("Z3 says " + query.status + " and " + options_.cross_check + " says " + query.cross_check + " about query " +
               query.name,
           {exhibit(query)});
    }
  }

  void miss(const std::string& opinion) {
    result_.missing_opinion += (result_.missing_opinion.empty() ? "" : "; ") + opinion;
  }

  void accept(Opinion opinion, const std::string& who) {
    result_.verdict = opinion.verdict;
    result_.reason = opinion.reason;
    result_.decision = std::move(opinion.decision);
    if (!can_be_written() || result_.verdict == Verdict::kUndecided) return;
    result_.decided_by = {who};
    const std::set<Way>& ways = result_.decision.ways;
    if (ways.count(Way::kCases) > 0) result_.decided_by.push_back("cases");
    if (ways.count(Way::kSearch) > 0) result_.decided_by.push_back("branch-and-bound");
    if (ways.count(Way::kNetwork) > 0) result_.decided_by.push_back("network");
    if (result_.decision.by_sums) result_.decided_by.push_back("output-sums");
  }

  // The decision may be too long to write within the limits. Its levels are then enclosed, if that decides the claim.
  bool can_be_written() {
    try {
      try {
        subject_.budget().reserve_output(written_size(result_.decision));
      } catch (const LimitError&) {
        auto shorter = result_.claimed ? with_enclosed_levels(result_.decision, *result_.claimed) : std::nullopt;
        if (!shorter) throw;
        subject_.budget().reserve_output(written_size(*shorter));
        result_.decision = *std::move(shorter);
      }
      return true;
    } catch (const LimitError& error) {
      result_.verdict = Verdict::kUndecided;
      result_.decision = {};
      result_.reason = error.what();
      return false;
    }
  }

  void fail(const std::string& message, std::vector<NamedText> exhibits) {
    disagreements_.push_back({file_error(SpecError(claim_.place, message)), std::move(exhibits)});
  }

  std::string exhibit_name(const std::string& what) const {
    return query_title(spec_, claim_, index_).file_stem + "_" + what;
  }
  NamedText exhibit(const QueryRecord& query) const { return {exhibit_name(query.name + ".smt2"), query.text}; }

  void report(const Opinion& exact, Verdict smt) {
    const auto word = [](Verdict verdict) { return verdict == Verdict::kHolds ? "holds" : "refuted"; };
    std::string text = std::string("exact: ") + word(exact.verdict) + "\n";
    if (const auto witness = witness_of(exact.decision.actual); witness && !witness->outputs.empty()) {
      text += "measured at output " + witness->outputs.at(0) + ": " + witness->p_from.to_string() + " against " +
              witness->p_to.to_string() + "\n";
    }
    std::vector<NamedText> exhibits{{exhibit_name("exact.txt"), text}};
    for (const QueryRecord& query : result_.queries) exhibits.push_back(exhibit(query));
    fail(std::string("the engines disagree: exact says ") + word(exact.verdict) + ", smt says " + word(smt),
         std::move(exhibits));
    result_.reason = kEnginesDisagree;
  }

  const Spec& spec_;
  const Claim& claim_;
  std::size_t index_;
  MeasuredModel& subject_;
  const SmtOptions& options_;
  std::vector<Disagreement>& disagreements_;
  ClaimResult result_;
};

// Announces what claims need from the columns, so that one pass answers all of it. Levels without a claim come
// later in a separate pass, so a limit they reach leaves the claims decided.
void expect_questions(const Spec& spec, std::span<const std::size_t> which, MeasuredModel& subject) {
  for (const std::size_t index : which) {
    const Claim& claim = spec.claims[index];
    try {
      if (claim.notion->expect) claim.notion->expect(subject, claim.arguments);
    } catch (const LimitError&) {
      // A claim that is too large is decided by itself, and reports why it is undecided.
    }
  }
}

// Lets readers see levels as the spec writes them.
void echo_decimals(const Claim& claim, Claimed& claimed) {
  for (auto& [name, value] : claimed.values) {
    const bool named_field = claimed.form == ClaimForm::kLevelAndDelta;
    const std::string field = named_field ? name : claim.notion->locking.bounds.front();
    auto found = claim.decimals.find({field, named_field ? "" : name});
    if (found == claim.decimals.end()) found = claim.decimals.find({field, ""});
    if (found != claim.decimals.end()) value.set_written(found->second);
  }
}

}  // namespace

Model model_of_claims(const Spec& spec) {
  Model model = spec.model;
  if (spec.mechanism.shuffle) model.channel = spec.mechanism.shuffle->local;
  return model;
}

ClaimResult undecided_claim(const Spec& spec, std::size_t index, const std::string& reason) {
  const Claim& claim = spec.claims[index];
  ClaimResult result;
  result.index = index;
  result.name = claim.name;
  result.notion = claim.notion->name;
  result.place = claim.place;
  result.expect_holds = claim.expect_holds;
  result.scope = claimed_scope(spec.model.domain, claim.arguments);
  // Otherwise it is a claimed value.
  const bool of_level = claim.notion->form == notions::ClaimForm::kLevel && !claim.notion->allows_tail(claim.arguments);
  if (const auto delta = claim.arguments.find<Number>("delta"); delta && of_level) {
    result.scope.delta = delta->to_string();
  }
  result.tight = claim.tight;
  result.confidential = depends_on_confidential_table(spec, claim);
  result.reason = reason;
  try {
    result.claimed = claimed_of(*claim.notion, spec.model.domain, claim.arguments, spec.symbols != nullptr);
    echo_decimals(claim, *result.claimed);
    if (Budget* budget = Budget::current()) budget->reserve_output(written_size(*result.claimed));
  } catch (const LimitError& error) {
    result.claimed.reset();
    result.reason = error.what();
  }
  return result;
}

ClaimResult decide_claim(const Spec& spec, std::size_t index, MeasuredModel& subject, Engine engine,
                         const SmtOptions& options, std::vector<Disagreement>& disagreements) {
  Decider decider(spec, index, subject, options, disagreements);
  if (!decider.can_ask()) return decider.take();
  if (spec.rounded) {
    decider.by_rounding(engine);
  } else if (spec.symbols) {
    decider.by_symbols();
  } else if (engine == Engine::kBoth) {
    decider.by_both();
  } else if (engine == Engine::kSmt) {
    decider.by_smt();
  } else {
    decider.by_exact();
  }
  return decider.take();
}

std::vector<ClaimResult> decide_claims(const Spec& spec, std::span<const std::size_t> which, MeasuredModel& subject,
                                       Engine engine, const SmtOptions& options,
                                       std::vector<Disagreement>& disagreements, bool timings) {
  const bool shares_passes = !spec.symbols && !spec.mechanism.shuffle && !spec.rounded && engine != Engine::kSmt;
  if (shares_passes) expect_questions(spec, which, subject);
  std::vector<ClaimResult> results(which.size());
  std::vector<std::string> works;
  for (const std::size_t index : which) works.push_back(work_of(spec, index, subject, engine));
  const auto decide = [&](const std::vector<std::size_t>& places, TimeOfClaims& time) {
    for (const std::size_t place : places) {
      const double begun = processor_seconds();
      std::optional<Budget::Part> part;
      time.begin(place, subject.budget(), part);
      ClaimResult result = decide_claim(spec, which[place], subject, engine, options, disagreements);
      time.end(place);
      if (timings)
        result.processor_seconds = results[place].processor_seconds.value_or(0) + processor_seconds() - begun;
      results[place] = std::move(result);
    }
  };
  const std::vector<std::size_t> places = cheap_first(spec, which);
  TimeOfClaims time(places, works);
  decide(places, time);
  // Time that cheaper claims left over is for those whose part was too short, if they get more than before.
  std::vector<std::size_t> again;
  for (const std::size_t place : places) {
    if (results[place].undecided() && results[place].reason != kEnginesDisagree && time.ran_out(place)) {
      again.push_back(place);
    }
  }
  const double each = again.empty() ? 0 : subject.budget().seconds_left() / static_cast<double>(again.size());
  std::erase_if(again, [&](std::size_t place) {
    const auto is_equal = [&](std::size_t other) { return works[other] == works[place]; };
    return each * static_cast<double>(std::count_if(again.begin(), again.end(), is_equal)) <= time.seconds_of(place);
  });
  if (again.empty()) return results;
  TimeOfClaims rest(again, works);
  subject.ask_again([&] {
    std::vector<std::size_t> claims;
    for (const std::size_t place : again) claims.push_back(which[place]);
    if (shares_passes) expect_questions(spec, claims, subject);
    decide(again, rest);
  });
  return results;
}

std::vector<std::size_t> all_claims(const Spec& spec) {
  std::vector<std::size_t> all(spec.claims.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

namespace {

// Both roundings go up: of the level to a decimal, and to fewer digits.
std::string rounded_up_text(const Level& level) {
  constexpr std::size_t kDigitsKept = 4;
  const Number scale(10'000);
  const Number scaled = -floor_of(-(parse_number(decimal_bounds(level).upper) * scale));
  const Number whole = floor_of(scaled / scale);
  std::string rest = (scaled - whole * scale).to_string();
  rest.insert(0, kDigitsKept - rest.size(), '0');
  rest.erase(rest.find_last_not_of('0') + 1);
  return whole.to_string() + (rest.empty() ? "" : "." + rest);
}

}  // namespace

MeasuredClaim claim_of(const MeasuredLevel& level) {
  // In characters. The digits of a bound from an unfinished search carry no meaning.
  const std::size_t short_text = level.unfinished ? 8 : 32;
  const Level& at_most = level.at_most();
  if (at_most.is_infinite()) return {"inf", false};
  const std::string exact = at_most.root_text();
  if (exact.size() <= short_text) return {exact, !level.unfinished};
  return {rounded_up_text(at_most), false};
}

}  // namespace oddsbound::app
