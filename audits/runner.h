// What is audited: something that runs a mechanism for an input and gives its outputs.
#pragma once

#include <cassert>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "audits/dependence.h"
#include "audits/outcomes.h"
#include "base/kept_process.h"
#include "mechanisms/random/source.h"
#include "specs/spec.h"
#include "verifier/model/domain.h"

namespace oddsbound::audits {

/// What is audited did something that it must not do; what was measured before stays.
class ProgramError : public std::runtime_error {
 public:
  explicit ProgramError(const std::string& message, bool by_limit = false)
      : std::runtime_error(message), by_limit_(by_limit) {}
  /// It was one of our own limits that was reached.
  bool by_limit() const { return by_limit_; }

 private:
  bool by_limit_;
};
constexpr const char* kOutOfTime = "the time limit was reached (--max-seconds)";

/// Independent runs for one input.
struct Runs {
  std::uint64_t input = 0;  // its number, or whatever outputs are to be handed over with
  std::uint64_t count = 0;
  InputRef who{input, {}};
};

// What a stream's number is made of.
constexpr unsigned kQuestionBits = 20;
constexpr unsigned kStageBits = 4;
constexpr unsigned kBlockBits = 40;
static_assert(kQuestionBits + kStageBits + kBlockBits == 64);

constexpr std::uint64_t kStages = std::uint64_t{1} << kStageBits;
constexpr std::uint64_t kAnytimeStage = kStages - 1;

/// The random stream of a block of runs, apart from those of all other questions and stages.
inline std::uint64_t stream_of(std::uint64_t question, std::uint64_t stage, std::uint64_t block) {
  assert(question >> kQuestionBits == 0 && stage < kStages && block >> kBlockBits == 0);
  return question << (kStageBits + kBlockBits) | stage << kBlockBits | block;
}

/// An output: as Channel::split writes it, a vector of real numbers, or of an unlisted one keys and their numbers.
struct Output {
  std::span<const std::uint64_t> words;
  std::span<const double> values;
};
/// An unlisted one, put together.
class ToldOutput {
 public:
  void clear() {
    keys_.clear();
    numbers_.clear();
  }
  void add(const KeyedNumber& told) {
    keys_.push_back(told.key);
    numbers_.push_back(told.number);
  }
  Output output() const { return {keys_, numbers_}; }

 private:
  std::vector<std::uint64_t> keys_;
  std::vector<double> numbers_;
};
using OutputSink = std::function<void(std::uint64_t input, const Output& output, std::uint64_t times)>;

class Runner {
 public:
  virtual ~Runner() = default;
  /// Makes all the runs, in the order given, and hands over every output. The same stream gives the same outputs, if
  /// the runner is repeatable at all. Throws ProgramError.
  virtual void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) = 0;
  /// The same, counted, of outputs that have numbers.
  virtual void count(std::span<const Runs> runs, std::uint64_t stream, Tally& tally) = 0;
  /// What follows is a pilot, which every shard of an audit runs, or the part of one shard.
  virtual void begin_stage(bool /*pilot*/) {}
  /// How many runs make a stream: the more, the less often a program waits for its next requests.
  virtual std::uint64_t block() const { return 1 << 16; }
  /// Streams may be run from several threads at once.
  virtual bool is_concurrent() const { return false; }
};

/// The spec's own sampler, under seeded random numbers.
std::unique_ptr<Runner> built_in_runner(const Spec& spec, std::uint64_t seed);
/// The same for another sampler of the spec's mechanism.
std::unique_ptr<Runner> sampler_runner(const ChannelPtr& channel, SamplerPtr sampler, std::uint64_t seed);
/// The same for what draws the numbers of outputs for the numbers of many inputs at once, never from several threads.
using BatchDraw =
    std::function<void(std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs)>;
/// watch: sees the outputs that are counted, in their order; null: nobody looks at that.
std::unique_ptr<Runner> batch_runner(const ChannelPtr& channel, BatchDraw draw, std::uint64_t seed,
                                     DependenceWatch* watch);

// Runs a user's program as a child process that answers each line with a line. It has limits on its memory and on how
// long it may be silent. At the end it is killed with all its descendants. Errors say in words what it did.

class Program {
 public:
  /// command: for the shell. Throws std::runtime_error if no process can be made.
  Program(const std::string& command, const ProgramLimits& limits);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  /// Closes its standard input, gives it a moment to end, and kills it and all its descendants.
  ~Program();

  /// Queues text for its standard input.
  void send(const std::string& text) { outgoing_ += text; }
  /// The next line of its standard output, without the line break. Throws ProgramError if it ends, stays silent for too
  /// long, or writes a line of more than 64 MB.
  /// seconds: to wait at most, where that is less than the limit.
  std::string next_line(double seconds);
  /// Whether it wrote something that was not read.
  bool has_more();

 private:
  void exchange(int milliseconds);
  bool read_some(int& descriptor, std::string& buffer);
  [[noreturn]] void fail_ended();
  std::string last_words() const;

  ProgramLimits limits_;
  std::optional<KeptProcess> child_;
  int to_child_ = -1, from_child_ = -1, errors_ = -1;
  std::string outgoing_;
  std::size_t sent_ = 0;
  std::string incoming_;
  std::size_t begin_ = 0;    // of the next line
  std::size_t scanned_ = 0;  // no line break before
  std::string complaints_;   // the end of its standard error
};

// In which requests the runs of a block are asked for. Most come in large requests. Some are asked for one, two or a
// few at a time, so that a sampler whose outputs depend on the size of the request or on their place in it can be seen
// (request_sizes.h).

/// Small requests are for up to so many outputs.
constexpr std::uint64_t kLargestSmallRequest = 18;

struct PlannedRequest {
  Runs runs;
  bool small = false;   // one of those that are mixed in
  bool second = false;  // the second half of an input's other runs, which were cut in two
};

/// The same runs of each input, in random order: for up to four inputs, those with the most runs, one small request for
/// `runs_for_each` of its runs, but no more than 256 each. Of small requests 3/8 are for one output, 3/16 for two, 7/16
/// for 3 to 18. What is left of an input is one large request, or two equal ones, one right after the other for that
/// input, where it is `cut_from` runs or more. Nothing depends on outputs.
std::vector<PlannedRequest> plan_requests(std::span<const Runs> runs, std::uint64_t runs_for_each,
                                          std::uint64_t cut_from, RandomSource& source);

}  // namespace oddsbound::audits
