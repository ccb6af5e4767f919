#include "audits/measure.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <set>
#include <thread>

#include "base/errors.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/threads.h"

namespace oddsbound::audits {

namespace {

constexpr std::uint64_t kMostCells = 1 << 22;
constexpr std::size_t kMostKept = 40'000;  // outputs kept to learn a score from
constexpr std::size_t kScoredPairs = 4;
constexpr std::uint64_t kLargestPilot = 10'000'000;
constexpr std::uint64_t kFewestRounds = 100;   // of a question
constexpr std::uint64_t kMostDrawn = 1 << 13;  // inputs held at once
// Distributed runs: parts of at least kWorthSharing rounds are shared, in units of kBlocksOfUnit blocks. Results are
// merged after kUnitsOfHand units per worker.
constexpr std::uint64_t kWorthSharing = 1 << 18;
constexpr std::uint64_t kBlocksOfUnit = 2;
constexpr std::size_t kUnitsOfHand = 32;

// From kTrain (= kSecondLook) on, there is one stage number per candidate attack.
enum Stage : std::uint64_t { kLearn, kTest, kFinal, kScreen, kTrain, kSecondLook = kTrain };
static_assert(kTrain + kScoredPairs < kAnytimeStage);

// Some rounds of a game, in blocks with separate random streams.
struct Part {
  std::uint64_t question;
  std::uint64_t stage;
  std::uint64_t rounds;
  std::uint64_t shard = 0, shards = 1;
  std::set<std::uint64_t>* tried = nullptr;  // records the compared inputs that were run
  std::uint64_t places = 0;                  // number of compared inputs
  bool draws = false;                        // every round has its own input, which is held in memory
};

// Splits the rounds of a part into blocks. Shards take blocks in pairs, so that neighbors can be compared
// (dependence.h).
class Blocks {
 public:
  Blocks(const Part& part, std::uint64_t size) : part_(part), size_(size) {}
  /// Number of turns (blocks) of this shard.
  std::uint64_t turns() const {
    std::uint64_t turn = 0;
    while (at(turn) < count()) ++turn;
    return turn;
  }
  /// Number of rounds of this shard's turns in [begin, end).
  std::uint64_t rounds_of_turns(std::uint64_t begin, std::uint64_t end) const {
    std::uint64_t sum = 0;
    for (std::uint64_t turn = begin; turn < end && at(turn) < count(); ++turn) sum += rounds(at(turn));
    return sum;
  }
  /// Number of blocks of all shards.
  std::uint64_t count() const { return (part_.rounds + size_ - 1) / size_; }
  /// The block of this shard at index `turn`.
  std::uint64_t at(std::uint64_t turn) const { return 2 * (turn / 2 * part_.shards + part_.shard) + turn % 2; }
  std::uint64_t rounds(std::uint64_t block) const { return std::min(size_, part_.rounds - block * size_); }

 private:
  const Part& part_;
  std::uint64_t size_;
};

void pack(BinaryWriter& packer, const Score& score) { packer.put(score.rounds).put(score.guesses).put(score.right); }

Score unpack(BinaryReader& unpacker, const Score&) {
  const std::uint64_t rounds = unpacker.word();
  const std::uint64_t guesses = unpacker.word();
  return {rounds, guesses, unpacker.word()};
}

// Throws BytesError if this many rounds cannot have given the score.
void require_sum_of(std::uint64_t rounds, const Score& score) {
  if (score.rounds == rounds && score.guesses <= rounds && score.right <= score.guesses) return;
  throw BytesError("a score is not that of " + std::to_string(rounds) + " rounds");
}

class Sampling {
 public:
  Sampling(Runner& runner, const AuditOptions& options, Budget& budget, const AuditProgress& progress)
      : runner_(runner), options_(options), budget_(budget), progress_(progress) {}

  // use(sum, runs, stream) adds the result of one block; the sums of blocks are added up.
  template <typename Sum, typename Use>
  Sum run(const Part& part, const Dealer& dealer, const Sum& zero, Use use) {
    assert(part.shard < part.shards);
    if (stopped()) return zero;
    const Blocks blocks(part, part.draws ? std::min(runner_.block(), kMostDrawn) : runner_.block());
    if constexpr (requires(BinaryWriter packer) { pack(packer, zero); }) {
      if (is_shared(part)) return run_shared(part, blocks, dealer, zero, use);
    }
    return run_here(part, blocks, dealer, zero, use);
  }

  Tally count(const Part& part, const Dealer& dealer, const Tally& zero) {
    return run(part, dealer, zero, [&](Tally& tally, const std::vector<Runs>& runs, std::uint64_t stream) {
      runner_.count(runs, stream, tally);
    });
  }

  Runner& runner() { return runner_; }
  std::uint64_t made() const { return made_; }
  bool stopped() const { return stopped_; }
  const Interruption& interrupted() const { return interrupted_; }

 private:
  template <typename Sum, typename Use>
  Sum run_here(const Part& part, const Blocks& blocks, const Dealer& dealer, const Sum& zero, Use use) {
    Sum total = zero;
    std::atomic<std::uint64_t> next{0};
    std::mutex guard;
    const auto work = [&] {
      const NumberThread cleanup;
      Sum mine = zero;
      for (std::uint64_t b = blocks.at(next++); b < blocks.count() && !stopped(); b = blocks.at(next++)) {
        try {
          // An unfinished block does not count.
          Sum block = zero;
          const std::set<std::uint64_t> tried = play(part, blocks, b, dealer, block, use);
          mine += block;
          made_ += blocks.rounds(b);
          const std::lock_guard lock(guard);
          if (part.tried != nullptr) part.tried->insert(tried.begin(), tried.end());
          if (progress_) progress_(made_, options_.samples);
        } catch (const ProgramError& error) {
          stop(error.what(), error.by_limit());
        } catch (...) {
          const std::lock_guard lock(guard);
          failure_ = std::current_exception();
          stop("failure", false);
        }
        if (budget_.seconds_left() <= 0) stop(kOutOfTime, true);
      }
      const std::lock_guard lock(guard);
      total += mine;
    };
    {
      std::vector<std::jthread> helpers;
      const std::size_t threads = runner_.is_concurrent() ? options_.threads : 1;
      for (std::size_t t = 1; t < threads && t < blocks.count(); ++t) helpers.emplace_back(work);
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
    return total;
  }

  // Returns the inputs that were run, if part.tried records them.
  template <typename Sum, typename Use>
  static std::set<std::uint64_t> play(const Part& part, const Blocks& blocks, std::uint64_t b, const Dealer& dealer,
                                      Sum& sum, Use use) {
    const std::uint64_t stream = stream_of(part.question, part.stage, b);
    const Deal deal = dealer.deal(blocks.rounds(b), stream);
    use(sum, deal.runs, stream);
    std::set<std::uint64_t> tried;
    if (part.tried == nullptr) return tried;
    for (const Runs& runs : deal.runs) tried.insert(runs.input);
    return tried;
  }

  bool is_shared(const Part& part) const {
    return budget_.limits().scope != nullptr && runner_.is_concurrent() && part.rounds >= kWorthSharing;
  }

  // The merged results of some blocks.
  template <typename Sum>
  struct Gathered {
    Sum sum;
    std::uint64_t made = 0;
    std::set<std::uint64_t> tried;

    Bytes as_bytes() const {
      BinaryWriter packer;
      pack(packer, sum);
      packer.put(made).put(std::vector<std::uint64_t>(tried.begin(), tried.end()));
      return packer.take();
    }
    /// Adds the results of `rounds` rounds, with inputs below `places`. Throws BytesError if they are inconsistent.
    void add(const Bytes& bytes, const Sum& zero, std::uint64_t rounds, std::uint64_t places) {
      BinaryReader unpacker(bytes);
      const Sum more = unpack(unpacker, zero);
      require_sum_of(rounds, more);
      if (unpacker.word() != rounds) throw BytesError("another number of rounds was made");
      const std::vector<std::uint64_t> inputs = unpacker.words<std::uint64_t>();
      for (const std::uint64_t input : inputs) {
        if (input >= places) throw BytesError("there is no input " + std::to_string(input) + " to be tried");
      }
      unpacker.require_end();
      sum += more;
      made += rounds;
      tried.insert(inputs.begin(), inputs.end());
    }
  };

  // The same as a task (base/task.h). A unit is a range of blocks.
  template <typename Sum, typename Use>
  Sum run_shared(const Part& part, const Blocks& blocks, const Dealer& dealer, const Sum& zero, Use use) {
    const std::uint64_t most_turns = blocks.turns() + kBlocksOfUnit;
    const Unit unit = [&](const Bytes& turns, std::size_t, Budget& budget) {
      BinaryReader range(turns);
      Gathered<Sum> gathered{zero, 0, {}};
      std::uint64_t turn = range.below(most_turns);
      for (const std::uint64_t end = range.below(most_turns + 1); turn < end && blocks.at(turn) < blocks.count();
           ++turn) {
        budget.check();
        const std::set<std::uint64_t> tried = play(part, blocks, blocks.at(turn), dealer, gathered.sum, use);
        gathered.tried.insert(tried.begin(), tried.end());
        gathered.made += blocks.rounds(blocks.at(turn));
      }
      return gathered.as_bytes();
    };
    const TaskBody lead = [&](WorkerPool& hands, Budget& budget) {
      Gathered<Sum> all{zero, 0, {}};
      std::uint64_t turn = 0;
      if (const Bytes kept = hands.kept(); !kept.empty()) {
        BinaryReader unpacker(kept);
        turn = unpacker.below(most_turns);
        all.add(unpacker.text(), zero, blocks.rounds_of_turns(0, turn), part.places);
        unpacker.require_end();
      }
      const auto state = [&] { return BinaryWriter().put(turn).put(all.as_bytes()).take(); };
      try {
        while (blocks.at(turn) < blocks.count()) {
          std::vector<Bytes> units;
          std::uint64_t next = turn;
          for (std::size_t k = 0; k < kUnitsOfHand * hands.count() && blocks.at(next) < blocks.count(); ++k) {
            units.push_back(BinaryWriter().put(next).put(next + kBlocksOfUnit).take());
            next += kBlocksOfUnit;
          }
          const std::vector<Bytes> results = hands.map(units);
          for (const Bytes& result : results) {
            all.add(result, zero, blocks.rounds_of_turns(turn, turn + kBlocksOfUnit), part.places);
            turn += kBlocksOfUnit;
          }
          if (progress_) progress_(made_ + all.made, options_.samples);
          hands.keep(state);
          budget.check();
        }
      } catch (const LimitError&) {
        // Unfinished blocks do not count.
        hands.is_unfinished(state());
      }
      return BinaryWriter().put(turn).put(all.as_bytes()).take();
    };
    BinaryWriter question;
    question.put(part.question).put(part.stage).put(part.rounds).put(part.shard).put(part.shards).put(part.draws);
    question.put(options_.seed).put(options_.samples).put(options_.alpha).put(options_.all_levels);
    const Bytes outcome = run_task(task_name("runs of a sampler", question.take()), unit, lead, budget_);
    BinaryReader unpacker(outcome);
    const std::uint64_t turn = unpacker.below(most_turns);
    if (blocks.at(turn) < blocks.count()) stop(kOutOfTime, true);
    Gathered<Sum> all{zero, 0, {}};
    all.add(unpacker.text(), zero, blocks.rounds_of_turns(0, turn), part.places);
    unpacker.require_end();
    made_ += all.made;
    if (part.tried != nullptr) part.tried->insert(all.tried.begin(), all.tried.end());
    return all.sum;
  }

  void stop(const std::string& reason, bool by_limit) {
    const std::lock_guard lock(reason_guard_);
    if (!stopped_) interrupted_ = {reason, by_limit};
    stopped_ = true;
  }

  Runner& runner_;
  const AuditOptions& options_;
  Budget& budget_;
  const AuditProgress& progress_;
  std::atomic<std::uint64_t> made_{0};
  std::atomic<bool> stopped_{false};
  std::mutex reason_guard_;
  Interruption interrupted_;
  std::exception_ptr failure_;
};

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
  std::vector<Question> questions = questions_of(spec, options.all_levels, budget, among);
  if (questions.empty()) {
    const bool roots = std::any_of(spec.claims.begin(), spec.claims.end(),
                                   [](const Claim& claim) { return claim.arguments.has_roots(); });
    throw ModelError(std::string("there is nothing to audit: no claim compares outputs of different inputs") +
                     (roots ? " at a level without a square root" : ""));
  }
  Measurement result;
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
