// Runs of an audited sampler, in blocks with separate random streams. The results of blocks are added up, so they do
// not depend on threads, on processes or on the number of shards.
#pragma once

#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "audits/measure.h"
#include "base/errors.h"
#include "verifier/exact/threads.h"

namespace oddsbound::audits {

inline constexpr std::uint64_t kMostDrawn = 1 << 13;  // inputs held at once
// Distributed runs: parts of at least kWorthSharing rounds are shared, in units of kBlocksOfUnit blocks. Results are
// merged after kUnitsPerWorker units per worker.
inline constexpr std::uint64_t kWorthSharing = 1 << 18;
inline constexpr std::uint64_t kBlocksOfUnit = 2;
inline constexpr std::size_t kUnitsPerWorker = 32;

/// Some rounds of a game, in blocks with separate random streams.
struct Part {
  std::uint64_t question;
  std::uint64_t stage;
  std::uint64_t rounds;
  std::uint64_t shard = 0, shards = 1;
  std::set<std::uint64_t>* tried = nullptr;  // records the compared inputs that were run
  std::uint64_t places = 0;                  // number of compared inputs
  bool draws = false;                        // every round has its own input, which is held in memory
};

/// Splits the rounds of a part into blocks. Shards take blocks in pairs, so that neighbors can be compared
/// (dependence.h).
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

inline void pack(BinaryWriter& writer, const Score& score) {
  writer.put(score.rounds).put(score.guesses).put(score.right);
}

inline Score unpack(BinaryReader& reader, const Score&) {
  const std::uint64_t rounds = reader.word();
  const std::uint64_t guesses = reader.word();
  return {rounds, guesses, reader.word()};
}

/// Throws BytesError if this many rounds cannot have given the score.
inline void require_sum_of(std::uint64_t rounds, const Score& score) {
  if (score.rounds == rounds && score.guesses <= rounds && score.right <= score.guesses) return;
  throw BytesError("a score is not that of " + std::to_string(rounds) + " rounds");
}

/// Runs the sampler for parts of a game, on threads or as a distributed task.
class Sampling {
 public:
  Sampling(Runner& runner, const AuditOptions& options, Budget& budget, const AuditProgress& progress)
      : runner_(runner), options_(options), budget_(budget), progress_(progress) {}

  /// use(sum, runs, stream) adds the result of one block; the sums of blocks are added up.
  template <typename Sum, typename Use>
  Sum run(const Part& part, const Dealer& dealer, const Sum& zero, Use use) {
    assert(part.shard < part.shards);
    if (stopped()) return zero;
    const Blocks blocks(part, part.draws ? std::min(runner_.block(), kMostDrawn) : runner_.block());
    if constexpr (requires(BinaryWriter writer) { pack(writer, zero); }) {
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
      BinaryWriter writer;
      pack(writer, sum);
      writer.put(made).put(std::vector<std::uint64_t>(tried.begin(), tried.end()));
      return writer.take();
    }
    /// Adds the results of `rounds` rounds, with inputs below `places`. Throws BytesError if they are inconsistent.
    void add(const Bytes& bytes, const Sum& zero, std::uint64_t rounds, std::uint64_t places) {
      BinaryReader reader(bytes);
      const Sum more = unpack(reader, zero);
      require_sum_of(rounds, more);
      if (reader.word() != rounds) throw BytesError("another number of rounds was made");
      const std::vector<std::uint64_t> inputs = reader.words<std::uint64_t>();
      for (const std::uint64_t input : inputs) {
        if (input >= places) throw BytesError("there is no input " + std::to_string(input) + " to be tried");
      }
      reader.require_end();
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
    const TaskBody lead = [&](WorkerPool& workers, Budget& budget) {
      Gathered<Sum> all{zero, 0, {}};
      std::uint64_t turn = 0;
      if (const Bytes kept = workers.kept(); !kept.empty()) {
        BinaryReader reader(kept);
        turn = reader.below(most_turns);
        all.add(reader.text(), zero, blocks.rounds_of_turns(0, turn), part.places);
        reader.require_end();
      }
      const auto state = [&] { return BinaryWriter().put(turn).put(all.as_bytes()).take(); };
      try {
        while (blocks.at(turn) < blocks.count()) {
          std::vector<Bytes> units;
          std::uint64_t next = turn;
          for (std::size_t k = 0; k < kUnitsPerWorker * workers.count() && blocks.at(next) < blocks.count(); ++k) {
            units.push_back(BinaryWriter().put(next).put(next + kBlocksOfUnit).take());
            next += kBlocksOfUnit;
          }
          const std::vector<Bytes> results = workers.map(units);
          for (const Bytes& result : results) {
            all.add(result, zero, blocks.rounds_of_turns(turn, turn + kBlocksOfUnit), part.places);
            turn += kBlocksOfUnit;
          }
          if (progress_) progress_(made_ + all.made, options_.samples);
          workers.keep(state);
          budget.check();
        }
      } catch (const LimitError&) {
        // Unfinished blocks do not count.
        workers.is_unfinished(state());
      }
      return BinaryWriter().put(turn).put(all.as_bytes()).take();
    };
    BinaryWriter question;
    question.put(part.question).put(part.stage).put(part.rounds).put(part.shard).put(part.shards).put(part.draws);
    question.put(options_.seed).put(options_.samples).put(options_.alpha).put(options_.all_levels);
    const Bytes outcome = run_task(task_name("runs of a sampler", question.take()), unit, lead, budget_);
    BinaryReader reader(outcome);
    const std::uint64_t turn = reader.below(most_turns);
    if (blocks.at(turn) < blocks.count()) stop(kOutOfTime, true);
    Gathered<Sum> all{zero, 0, {}};
    all.add(reader.text(), zero, blocks.rounds_of_turns(0, turn), part.places);
    reader.require_end();
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

}  // namespace oddsbound::audits
