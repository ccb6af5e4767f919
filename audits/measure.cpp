#include "audits/measure.h"

#include <algorithm>
#include <set>

#include "audits/sampling.h"
#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/threads.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kMostCells = 1 << 22;
constexpr std::size_t kMostKept = 40'000;  // outputs kept to learn a score from
constexpr std::size_t kScoredPairs = 4;
constexpr std::uint64_t kLargestPilot = 10'000'000;
constexpr std::uint64_t kFewestRounds = 100;  // of a question

// From kTrain (= kSecondLook) on, there is one stage number per candidate attack.
enum Stage : std::uint64_t { kLearn, kTest, kFinal, kScreen, kTrain, kSecondLook = kTrain };
static_assert(kTrain + kScoredPairs < kAnytimeStage);

Game everyone(const Question& question) {
  Game game;
  for (std::uint32_t s = 0; s < question.sides.size(); ++s) game.sides.push_back(s);
  return game;
}

class Asker {
 public:
  Asker(const Spec& spec, const AuditOptions& options, Sampling& sampling, Budget& budget)
      : spec_(spec), options_(options), sampling_(sampling), budget_(budget) {
    if (!outputs_are_counted(spec)) return;
    stages_.assign(3, Tally(spec.model.channel->inputs(), spec.model.channel->outputs()));
    rows_ = rounded_rows(*spec.model.channel, budget);
  }
  std::vector<Tally> take_stages() { return std::move(stages_); }
  const std::set<std::uint64_t>& tried() const { return tried_; }

  GameEvidence ask(Question question, std::uint64_t index, std::uint64_t rounds, double alpha) {
    index_ = index;
    alpha_ = alpha;
    noted_ = question.among && question.compares_inputs ? &tried_ : nullptr;
    places_ = noted_ == nullptr ? 0 : question.among->reasons.size();
    draws_ = question.is_drawn();
    GameEvidence evidence;
    evidence.question = std::move(question);
    pilot_ = std::min(rounds / 10, kLargestPilot);
    evidence.planned = rounds - pilot_;
    const std::uint64_t before = sampling_.made();
    outputs_are_counted(spec_) ? by_counts(evidence) : by_score(evidence);
    evidence.pilot_rounds = sampling_.made() - before - evidence.score.rounds;
    return evidence;
  }

 private:
  Part part(Stage stage, std::uint64_t rounds) { return {index_, stage, rounds, 0, 1, noted_, places_, draws_}; }
  Part final_part(const GameEvidence& evidence) {
    return {index_, kFinal, evidence.planned, options_.shard, options_.shards, noted_, places_, draws_};
  }

  void by_counts(GameEvidence& evidence) {
    const Question& question = evidence.question;
    const Tally zero(stages_[0].rows(), stages_[0].outputs());
    const Dealer all(question, everyone(question), options_.seed);
    sampling_.runner().begin_stage(true);
    const Tally learn = sampling_.count(part(kLearn, pilot_ / 2), all, zero);
    const Tally test = sampling_.count(part(kTest, pilot_ - pilot_ / 2), all, zero);
    stages_[0] += learn;
    stages_[0] += test;
    const Strategist strategist(question, stated_rates(question, rows_));
    std::vector<Attack> attacks =
        strategist.shortlist(by_side(question, learn), by_side(question, test), evidence.planned, alpha_, budget_);
    const Attack attack = attacks.size() == 1 ? std::move(attacks[0]) : second_look(evidence, attacks, zero);
    evidence.game = attack.game;
    evidence.how = "the likeliest side of each output, where it is likely enough";
    const Dealer dealer(question, evidence.game, options_.seed);
    sampling_.runner().begin_stage(false);
    const Tally played = sampling_.count(final_part(evidence), dealer, zero);
    stages_[2] += played;
    evidence.score = play(attack.game, attack.rule, by_side(question, played));
  }

  // A second pilot, half as large, in which each attack plays its own game. The first attack is replaced only by one
  // that is surely better.
  Attack second_look(GameEvidence& evidence, std::vector<Attack>& attacks, const Tally& zero) {
    const Question& question = evidence.question;
    evidence.planned -= pilot_ / 2;
    const Prediction prediction(question, evidence.planned, alpha_);
    Attack* best = &attacks[0];
    double most = attacks[0].predicted;
    for (std::size_t a = 0; a < attacks.size(); ++a) {
      const Game& game = attacks[a].game;
      const Dealer dealer(question, game, options_.seed);
      const Part again = part(static_cast<Stage>(kSecondLook + a), pilot_ / 2 / attacks.size());
      const Tally seen = sampling_.count(again, dealer, zero);
      stages_[1] += seen;
      const double predicted =
          prediction(play(game, attacks[a].rule, by_side(question, seen)), game.sides.size(), doubt_of(attacks.size()));
      if (predicted <= most) continue;
      most = predicted;
      best = &attacks[a];
    }
    return std::move(*best);
  }

  KeptOutputs keep(const Part& part, const Question& question, const Game& game) {
    const Dealer dealer(question, game, options_.seed);
    struct Kept {
      KeptOutputs outputs;
      Kept& operator+=(const Kept& other) {
        for (std::size_t i = 0; i < other.outputs.size(); ++i) {
          outputs.add(other.outputs.side[i], other.outputs.output(i));
        }
        return *this;
      }
    };
    return sampling_
        .run(part, dealer, Kept{},
             [&](Kept& kept, const std::vector<Runs>& runs, std::uint64_t stream) {
               sampling_.runner().run(runs, stream, [&](std::uint64_t x, const Output& output, std::uint64_t times) {
                 for (std::uint64_t i = 0; i < times; ++i) kept.outputs.add(question.side_of_run(x), output);
               });
               shuffle(kept.outputs, stream);
             })
        .outputs;
  }

  // Blocks are ordered by input. Shuffling makes the halves identically distributed.
  void shuffle(KeptOutputs& outputs, std::uint64_t stream) const {
    const auto source = Randomness{options_.seed, 0x61756469745f7368ULL}.source(stream);
    for (std::size_t i = outputs.size(); i > 1; --i) {
      const std::uint64_t j = UniformBelow(i).run(*source);
      std::swap(outputs.side[i - 1], outputs.side[j]);
      std::swap(outputs.words[i - 1], outputs.words[j]);
      std::swap(outputs.values[i - 1], outputs.values[j]);
    }
  }

  void by_score(GameEvidence& evidence) {
    const Question& question = evidence.question;
    const KeptOutputs screened =
        keep(part(kScreen, std::min<std::uint64_t>(pilot_ / 4, kMostKept)), question, everyone(question));
    const auto features = std::make_shared<const Features>(spec_.mechanism, screened);
    std::vector<Game> games = stated_pairs(question, spec_.mechanism, kScoredPairs / 2);
    for (Game& game : separated_pairs(question, *features, screened, kScoredPairs)) {
      if (games.size() < kScoredPairs && std::find(games.begin(), games.end(), game) == games.end()) {
        games.push_back(std::move(game));
      }
    }
    ScoredAttack best;
    best.predicted = -1;
    for (std::size_t g = 0; g < games.size(); ++g) {
      const std::uint64_t rounds = std::min<std::uint64_t>(pilot_ * 3 / 4 / games.size(), kMostKept);
      const auto stage = static_cast<Stage>(kTrain + g);
      const KeptOutputs kept = keep(part(stage, rounds), question, games[g]);
      if (kept.size() < 4) continue;
      ScoredAttack found = learn_score(question, games[g], spec_.mechanism, spec_.model.domain, features, kept,
                                       evidence.planned, alpha_, 2 * games.size());
      if (found.predicted > best.predicted) best = std::move(found);
    }
    if (!best.rule) return;
    evidence.game = best.game;
    evidence.how = best.rule->describe();
    const Dealer dealer(question, evidence.game, options_.seed);
    evidence.score = sampling_.run(
        final_part(evidence), dealer, Score{}, [&](Score& score, const std::vector<Runs>& runs, std::uint64_t stream) {
          sampling_.runner().run(runs, stream, [&](std::uint64_t x, const Output& output, std::uint64_t times) {
            score.rounds += times;
            const std::int32_t answer = best.rule->answer(output);
            if (answer == kAbstain) return;
            score.guesses += times;
            if (evidence.game.sides[static_cast<std::size_t>(answer)] == question.side_of_run(x)) score.right += times;
          });
        });
  }

  const Spec& spec_;
  const AuditOptions& options_;
  Sampling& sampling_;
  Budget& budget_;
  std::vector<Tally> stages_;
  Rates rows_;
  std::set<std::uint64_t> tried_;
  std::set<std::uint64_t>* noted_ = nullptr;
  std::uint64_t places_ = 0;
  bool draws_ = false;
  std::uint64_t index_ = 0;
  std::uint64_t pilot_ = 0;
  double alpha_ = 0;
};

}  // namespace

Limits without_time(Limits limits) {
  limits.max_seconds = 1e9;
  return limits;
}

std::uint64_t Measurement::runs() const {
  std::uint64_t sum = 0;
  for (const GameEvidence& part : evidence) sum += part.pilot_rounds + part.score.rounds;
  return sum;
}

bool outputs_are_counted(const Spec& spec) {
  if (!spec.model.channel || !all_are_tried(spec.model.domain)) return false;
  const std::uint64_t outputs = spec.model.channel->outputs();
  return outputs <= kMostCells && spec.model.domain.input_numbers() <= kMostCells / outputs;
}

namespace {

TriedInputs tried_inputs(const InputChoice& among, const std::set<std::uint64_t>& places,
                         const std::vector<GameEvidence>& evidence) {
  TriedInputs tried;
  for (const std::uint64_t place : places) {
    switch (among.reasons[place]) {
      case ChosenFor::kPrior: ++tried.prior; break;
      case ChosenFor::kWitness: ++tried.witness; break;
      case ChosenFor::kRandom: ++tried.random; break;
      case ChosenFor::kNeighbor: ++tried.neighbor; break;
    }
  }
  for (const GameEvidence& part : evidence) {
    if (!part.question.compares_inputs) tried.given_labels += part.pilot_rounds + part.score.rounds;
  }
  return tried;
}

}  // namespace

Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, Budget& budget,
                    const AuditProgress& progress) {
  return measure(spec, runner, options, choose_inputs(spec, options, budget), budget, progress);
}

Measurement measure(const Spec& spec, Runner& runner, const AuditOptions& options, const InputChoicePtr& among,
                    Budget& budget, const AuditProgress& progress) {
  AskedClaims asked = asked_claims(spec, options.all_levels, budget, among);
  std::vector<Question>& questions = asked.questions;
  if (questions.empty()) {
    if (!asked.unasked.empty()) {
      const auto& [claim, reason] = *asked.unasked.begin();
      throw LimitError("there is nothing to audit; claim " + std::to_string(claim) + ": " + reason);
    }
    const bool roots = std::any_of(spec.claims.begin(), spec.claims.end(),
                                   [](const Claim& claim) { return claim.arguments.has_roots(); });
    throw ModelError(std::string("there is nothing to audit: no claim compares outputs of different inputs") +
                     (roots ? " at a level without a square root" : ""));
  }
  Measurement result;
  result.unasked = std::move(asked.unasked);
  Sampling sampling(runner, options, budget, progress);
  Budget thinking(without_time(budget.limits()));
  Asker asker(spec, options, sampling, thinking);
  const std::uint64_t rounds = options.samples / questions.size();
  if (rounds < kFewestRounds) {
    throw ModelError("there are " + std::to_string(questions.size()) + " levels to audit, which need at least " +
                     std::to_string(kFewestRounds * questions.size()) + " runs (--samples)");
  }
  const double alpha = options.alpha / static_cast<double>(questions.size());
  for (std::size_t q = 0; q < questions.size(); ++q) {
    result.evidence.push_back(asker.ask(std::move(questions[q]), q, rounds, alpha));
  }
  result.stages = asker.take_stages();
  result.interrupted = sampling.interrupted();
  if (among) result.tried = tried_inputs(*among, asker.tried(), result.evidence);
  return result;
}

}  // namespace oddsbound::audits
