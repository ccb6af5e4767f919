#include "audits/exhaustive.h"

#include <algorithm>
#include <set>

#include "audits/agreement.h"
#include "audits/induction.h"
#include "audits/replay.h"
#include "base/errors.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kMostReplayed = std::uint64_t{1} << 22;
constexpr unsigned kBranchBits = 120;  // two words of full width

Number stated_by(const Choice& choice, std::uint64_t outcome) {
  if (outcome >= choice.outcomes()) return Number(0);
  // The value that replays use: for a uniform choice, the probability of outcome 0 for every outcome.
  return choice.probability(choice.is_uniform() ? 0 : outcome);
}

// The interval of one outcome. Rejected runs are repeated, so with masses a of the outcome and r of rejection its
// probability is a / (1 - r). The mass that was cut off may belong to either.
CheckedEntry interval_of(const Distribution& found, std::uint64_t outcome) {
  CheckedEntry entry;
  entry.output = outcome;
  const FixedInterval mass = found.outcomes[outcome];
  if (found.rejected.is_zero()) {
    entry.lower = mass.lower();
    entry.upper = mass.widened(found.cut).upper();
    return entry;
  }
  const Number accepted = Number(1) - found.rejected.widened(found.cut).upper();
  if (accepted.sign() <= 0) throw LimitError("the sampler accepts too rarely for the bound on the mass cut off");
  entry.lower = mass.lower() / (Number(1) - found.rejected.lower());
  entry.upper = mass.widened(found.cut).upper() / accepted;
  return entry;
}

// Describes what was proved before a limit stopped the check.
std::string known_words(const ExhaustiveResult& found) {
  if (found.entries == 0 && found.choices.empty()) return "";
  const auto shown = [](const CheckedChoice& choice) { return choice.by != ShownBy::kNothing; };
  return "; until then " + std::to_string(found.entries) + " probabilities were derived from " +
         std::to_string(found.runs) + " runs, and " +
         std::to_string(std::count_if(found.choices.begin(), found.choices.end(), shown)) + " of " +
         std::to_string(found.choices.size()) + " choices were shown: none differs from what is stated";
}

class Check {
 public:
  Check(const ExhaustiveOptions& options, Budget& budget)
      : options_(options), budget_(budget), registry_([this](const Choice& choice) { check_choice(choice); }) {}

  // Checks the sampler as a whole, or part by part if it is too large and has parts.
  void sampler(const Channel& channel, const Sampler& sampler) {
    if (is_small(channel) || sampler.parts().empty()) return entries(channel, sampler);
    compose(channel, sampler);
    for (const SamplerPart& part : sampler.parts()) {
      ++result_.parts;
      this->sampler(*part.channel, *part.sampler);
    }
  }

  ExhaustiveResult take() {
    // A limit stopped the check before it reached these choices.
    std::erase_if(result_.choices, [](const CheckedChoice& choice) { return choice.what.empty(); });
    if (result_.composed < result_.inputs) {
      CheckedChoice exception{"which parts a product draws"};
      exception.reason = "it was followed for " + std::to_string(result_.composed) + " of " +
                         std::to_string(result_.inputs) + " inputs";
      result_.choices.push_back(std::move(exception));
    }
    return std::move(result_);
  }

 private:
  static bool is_small(const Channel& channel) {
    return channel.outputs() <= kMostReplayed && channel.input_numbers() <= kMostReplayed / channel.outputs();
  }

  void compose(const Channel& channel, const Sampler& sampler) {
    if (!composed_.emplace(&channel, &sampler).second) return;  // the same product again (repeated parts)
    const Composition composition = check_composition(channel, sampler, budget_);
    if (!composition.fault.empty()) {
      throw LimitError(composition.fault + ", and the product is too large to be replayed as a whole");
    }
    result_.composed += composition.followed;
    result_.inputs += channel.input_numbers();
  }

  void entries(const Channel& channel, const Sampler& sampler) {
    budget_.require_cells(channel.inputs(), channel.outputs());
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      const OutputChoice choice(channel, sampler, x);
      const Distribution found = enumerate(choice);
      result_.runs += found.runs;
      for (std::uint64_t y = 0; y < found.outcomes.size(); ++y) {
        if (y == choice.outcomes() && found.outcomes[y].is_zero()) continue;
        add_entry(x, y, choice, interval_of(found, y));
      }
    }
  }

  void add_entry(std::uint64_t x, std::uint64_t y, const Choice& choice, CheckedEntry entry) {
    budget_.check_every();
    entry.input = x;
    entry.stated = stated_by(choice, y);
    ++result_.entries;
    result_.widest = std::max(result_.widest, entry.upper - entry.lower);
    if (options_.keep_intervals) result_.intervals.push_back(entry);
    if (!entry.contained()) result_.differs.push_back(std::move(entry));
  }

  void check_choice(const Choice& choice) {
    const std::size_t index = result_.choices.size();
    result_.choices.emplace_back();
    CheckedChoice checked = check(choice);
    result_.choices[index] = std::move(checked);  // check() may have added other choices
  }

  CheckedChoice check(const Choice& choice) {
    CheckedChoice checked{choice.describe()};
    bool refuted = false;
    if (dynamic_cast<const UniformBelow*>(&choice) != nullptr) {
      const InductionProof& proof = uniform_proof();
      checked.by = ShownBy::kInduction;
      if (proof.proved) return checked;
      refuted = proof.refuted;
      if (!proof.reason.empty()) checked.reason = "no proof by induction: " + proof.reason;
    }
    if (follow(choice, checked)) return checked;
    checked.by = choice.check_width() == 0 ? ShownBy::kNothing : ShownBy::kEnumeration;
    if (checked.by == ShownBy::kEnumeration) replay_words(choice, checked);
    // Correct results for short words prove nothing about words of full width that were refuted.
    if (refuted && checked.differs.empty()) checked.by = ShownBy::kNothing;
    return checked;
  }

  const InductionProof& uniform_proof() {
    if (!uniform_proof_) {
      ChildLimits limits{options_.smt.seconds, options_.smt.memory_mb};
      limits.seconds = std::min(limits.seconds, budget_.seconds_left());
      uniform_proof_ = uniform_choices_proof(limits);
    }
    return *uniform_proof_;
  }

  bool follow(const Choice& choice, CheckedChoice& checked) {
    const auto found = follow_branches(choice, kBranchBits, registry_, budget_);
    if (!found) return false;
    checked.by = ShownBy::kBranches;
    checked.runs = found->runs;
    if (!found->cut.is_zero() && found->cut * Number(2).pow(options_.bound_bits) >= Number(1)) refuse_bound();
    for (std::uint64_t outcome = 0; outcome < found->outcomes.size(); ++outcome) {
      const Number& mass = found->outcomes[outcome];
      if (outcome == choice.outcomes() && mass.is_zero()) continue;
      add_outcome(choice, {0, outcome, Number(), mass, mass + found->cut}, checked);
    }
    return true;
  }

  void replay_words(const Choice& choice, CheckedChoice& checked) {
    const Distribution found = enumerate(choice);
    checked.runs = found.runs;
    for (std::uint64_t outcome = 0; outcome < found.outcomes.size(); ++outcome) {
      if (outcome == choice.outcomes() && found.outcomes[outcome].is_zero()) continue;
      add_outcome(choice, interval_of(found, outcome), checked);
    }
  }

  void add_outcome(const Choice& choice, CheckedEntry entry, CheckedChoice& checked) {
    budget_.check_every();
    entry.stated = stated_by(choice, entry.output);
    checked.widest = std::max(checked.widest, entry.upper - entry.lower);
    if (!entry.contained()) checked.differs.push_back(std::move(entry));
  }

  [[noreturn]] static void refuse_bound() {
    throw LimitError("what is cut off cannot be brought below the bound; raise --bound");
  }

  Distribution enumerate(const Choice& choice) {
    for (unsigned cut_bits = options_.bound_bits;; cut_bits += 6) {
      Distribution found = replay(choice, std::min(cut_bits, 120U), registry_, budget_);
      if (found.cut.below(options_.bound_bits) || found.cut.is_zero()) return found;
      if (cut_bits > 120) refuse_bound();
    }
  }

  const ExhaustiveOptions& options_;
  Budget& budget_;
  ExhaustiveResult result_;
  ChoiceRegistry registry_;
  std::set<std::pair<const Channel*, const Sampler*>> composed_;
  std::optional<InductionProof> uniform_proof_;
};

}  // namespace

bool ExhaustiveResult::passed() const {
  return differs.empty() &&
         std::all_of(choices.begin(), choices.end(), [](const CheckedChoice& c) { return c.differs.empty(); });
}

std::vector<const CheckedChoice*> ExhaustiveResult::exceptions() const {
  std::vector<const CheckedChoice*> result;
  for (const CheckedChoice& choice : choices) {
    if (choice.by == ShownBy::kNothing) result.push_back(&choice);
  }
  return result;
}

ExhaustiveResult check_exhaustively(const Channel& channel, const Sampler& sampler, const ExhaustiveOptions& options,
                                    Budget& budget) {
  Check check(options, budget);
  try {
    check.sampler(channel, sampler);
  } catch (const LimitError& error) {
    ExhaustiveResult found = check.take();
    // An entry outside its interval is a fault, whatever the rest of the replay would show.
    if (!found.passed()) return found;
    throw LimitError(error.what() + known_words(found));
  }
  return check.take();
}

namespace {

bool should_hold(const ClaimedLevel& claim) { return claim.expect_holds; }

std::string why_unasked(const Spec& spec, const Claim& claim) {
  if (!claim.notion->define && !claim.notion->imply) return "it compares no probabilities";
  if (claim.arguments.has(kForAll)) return "it is about other priors than the spec's";
  if (claim.arguments.has_roots()) return "its level has a square root in it, and audits compute with numbers";
  if (claim.notion->imply && claim.notion->needs_prior && spec.confidential_prior) {
    return "a comparison of outputs that follows from it would reveal the confidential prior";
  }
  return claim.notion->imply ? "no comparison of outputs that could fail follows from it"
                             : "it compares no outputs at a finite level";
}

}  // namespace

std::vector<ClaimLeftOut> unasked_claims(const std::vector<Question>& questions, const Spec& spec,
                                         const std::map<std::size_t, std::string>& reasons) {
  std::vector<bool> asked(spec.claims.size(), false);
  for (const Question& question : questions) {
    for (const ClaimedLevel& claim : question.claims) asked[claim.claim] = true;
  }
  std::vector<ClaimLeftOut> unasked;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (asked[i]) continue;
    const auto known = reasons.find(i);
    unasked.push_back(
        {i, spec.claims[i].notion->name, known == reasons.end() ? why_unasked(spec, spec.claims[i]) : known->second});
  }
  return unasked;
}

std::vector<ClaimLeftOut> leave_out(AskedClaims& asked, const Spec& spec) {
  std::vector<Question>& questions = asked.questions;
  std::vector<ClaimLeftOut> left_out = unasked_claims(questions, spec, asked.unasked);
  std::set<std::size_t> implied;  // claims with many comparisons are named once
  for (const Question& question : questions) {
    if (std::any_of(question.claims.begin(), question.claims.end(), should_hold)) continue;
    for (const ClaimedLevel& claim : question.claims) {
      const bool is_implied = !question.implied.empty();
      if (is_implied && !implied.insert(claim.claim).second) continue;
      left_out.push_back({claim.claim, is_implied ? spec.claims[claim.claim].notion->name : question.title(),
                          "it is expected to be refuted"});
    }
  }
  std::erase_if(questions, [](const Question& question) {
    return std::none_of(question.claims.begin(), question.claims.end(), should_hold);
  });
  std::stable_sort(left_out.begin(), left_out.end(),
                   [](const ClaimLeftOut& a, const ClaimLeftOut& b) { return a.claim < b.claim; });
  return left_out;
}

}  // namespace oddsbound::audits
