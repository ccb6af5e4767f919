// Runners: the audited object, which runs a mechanism for an input and returns outputs. Also the child process of a
// user's program, and the plan of its requests.
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

/// The audited program misbehaved. Earlier measurements remain valid.
class ProgramError : public std::runtime_error {
 public:
  explicit ProgramError(const std::string& message, bool by_limit = false)
      : std::runtime_error(message), by_limit_(by_limit) {}
  /// True if a limit of oddsbound was reached.
  bool by_limit() const { return by_limit_; }

 private:
  bool by_limit_;
};
constexpr const char* kOutOfTime = "the time limit was reached (--max-seconds)";

/// Independent runs for one input.
struct Runs {
  std::uint64_t input = 0;  // its number, or the key for handing over outputs
  std::uint64_t count = 0;
  InputRef who{input, {}};
};

// The bits of a stream's number.
constexpr unsigned kQuestionBits = 20;
constexpr unsigned kStageBits = 4;
constexpr unsigned kBlockBits = 40;
static_assert(kQuestionBits + kStageBits + kBlockBits == 64);

constexpr std::uint64_t kStages = std::uint64_t{1} << kStageBits;
constexpr std::uint64_t kAnytimeStage = kStages - 1;

/// Returns the random stream of a block of runs. Different for every question, stage and block.
inline std::uint64_t stream_of(std::uint64_t question, std::uint64_t stage, std::uint64_t block) {
  assert(question >> kQuestionBits == 0 && stage < kStages && block >> kBlockBits == 0);
  return question << (kStageBits + kBlockBits) | stage << kBlockBits | block;
}

/// An output: words as Channel::split writes them, a vector of real numbers, or (unlisted) keys and their numbers.
struct Output {
  std::span<const std::uint64_t> words;
  std::span<const double> values;
};
/// Builds an unlisted output.
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
  /// Makes all runs, in the given order, and passes every output to `sink`. A repeatable runner returns the same
  /// outputs for the same stream. Throws ProgramError.
  virtual void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) = 0;
  /// The same for countable outputs: adds them to `tally`.
  virtual void count(std::span<const Runs> runs, std::uint64_t stream, Tally& tally) = 0;
  /// Starts a stage: a pilot, which every shard of an audit runs, or the part of one shard.
  virtual void begin_stage(bool /*pilot*/) {}
  /// Number of runs per stream. With larger blocks a program waits less often for its next requests.
  virtual std::uint64_t block() const { return 1 << 16; }
  /// True if streams may run on several threads at once.
  virtual bool is_concurrent() const { return false; }
};

/// The spec's own sampler, with seeded random numbers.
std::unique_ptr<Runner> built_in_runner(const Spec& spec, std::uint64_t seed);
/// The same for another sampler of the spec's mechanism.
std::unique_ptr<Runner> sampler_runner(const ChannelPtr& channel, SamplerPtr sampler, std::uint64_t seed);
/// A batch function: draws output numbers for many input numbers at once. Never called from several threads.
using BatchDraw =
    std::function<void(std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs)>;
/// watch: sees the counted outputs in their order; may be null.
std::unique_ptr<Runner> batch_runner(const ChannelPtr& channel, BatchDraw draw, std::uint64_t seed,
                                     DependenceWatch* watch);

// A user's program as a child process that answers each line with a line. Memory and silence are limited. At the end
// it is killed with all its descendants. Errors describe what it did.

class Program {
 public:
  /// command: for the shell. Throws std::runtime_error if no process can be created.
  Program(const std::string& command, const ProgramLimits& limits);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  /// Closes the program's standard input, waits briefly for it to end, and kills it with all its descendants.
  ~Program();

  /// Queues text for its standard input.
  void send(const std::string& text) { outgoing_ += text; }
  /// Returns the next line of its standard output, without the line break. seconds: the maximum wait, if less than
  /// the limit. Throws ProgramError if it ends, stays silent too long, or writes a line of more than 64 MB.
  std::string next_line(double seconds);
  /// True if it wrote something that was not read.
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
  std::size_t scanned_ = 0;  // no line break before this
  std::string complaints_;   // the end of its standard error
};

// Splits the runs of a block into requests. Most runs are in large requests. Some requests are for one, two or a few
// outputs, so that dependence on the size of the request or on the place in it can be detected (request_sizes.h).

/// The largest size of a small request.
constexpr std::uint64_t kLargestSmallRequest = 18;

struct PlannedRequest {
  Runs runs;
  bool small = false;   // a small request mixed in among the large ones
  bool second = false;  // the second half of an input's large request
};

/// Returns the same runs of each input, in random order. The up to four inputs with the most runs get one small
/// request per `runs_for_each` runs, at most 256 each. Sizes of small requests: 1 with probability 3/8, 2 with 3/16,
/// 3 to 18 with 7/16. The remaining runs of an input are one large request, or two equal consecutive ones from
/// `cut_from` runs on. Nothing depends on outputs.
std::vector<PlannedRequest> plan_requests(std::span<const Runs> runs, std::uint64_t runs_for_each,
                                          std::uint64_t cut_from, RandomSource& source);

}  // namespace oddsbound::audits
