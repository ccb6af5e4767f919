#include "audits/external.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "audits/answer.h"
#include "base/errors.h"
#include "mechanisms/random/choice.h"
#include "specs/collected.h"
#include "specs/spec_error.h"

namespace oddsbound::audits {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kSeedPurpose = 0x61756469745f7365ULL;
constexpr std::uint64_t kRequestPurpose = 0x61756469745f7271ULL;
constexpr std::uint64_t kWatchPurpose = 0x61756469745f7763ULL;
// One small request per this many runs. From kCutFrom runs on, the remaining runs of an input are split into two
// requests.
constexpr std::uint64_t kRunsForSmall = 128;
constexpr std::uint64_t kCutFrom = 512;

std::vector<PlannedRequest> requests_as_they_are(std::span<const Runs> runs) {
  std::vector<PlannedRequest> requests;
  for (const Runs& part : runs) requests.push_back({part, false, false});
  return requests;
}

class ExternalRunner final : public Runner {
 public:
  ExternalRunner(const Spec& spec, const ExternalOptions& options, std::uint64_t seed, DependenceWatch* watch,
                 Budget& budget)
      : spec_(spec), kind_(kind_of(spec.mechanism)), options_(options), seed_(seed), watch_(watch), budget_(budget) {
    if (spec.model.channel) labels_.emplace(*spec.model.channel, budget);
  }

  void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) override {
    SinkTaker taker(*this, sink);
    answer(requests_as_they_are(runs), stream, taker);
  }

  void count(std::span<const Runs> runs, std::uint64_t stream, Tally& tally) override {
    const auto source = Randomness{seed_, kWatchPurpose}.source(stream);
    CountTaker taker(*this, tally, watch_, *source);
    compare_starts(runs);
    if (watch_ != nullptr) watch_->begin_block(stream);
    answer(watch_ == nullptr || options_.one_process_per_sample ? requests_as_they_are(runs) : mixed(runs, stream),
           stream, taker);
    if (watch_ != nullptr) watch_->end_block(*source);
  }

  std::uint64_t block() const override { return 1 << 18; }
  void begin_stage(bool pilot) override {
    if (watch_ != nullptr) watch_->begin_stage(pilot);
  }

 private:
  // Counts the outputs of one request.
  class RequestTaker : public OutputTaker {
   public:
    virtual void begin(const PlannedRequest& request) {
      request_ = request.runs;
      mixed_in_ = request.small;
      received_ = 0;
    }
    virtual void end() {}
    /// Enclose the requests for single outputs of one input, each answered by its own process.
    virtual void begin_many() {}
    virtual void end_many() {}
    bool complete() const { return received_ == request_.count; }
    std::uint64_t count() const { return received_; }

   protected:
    void received(std::uint64_t times) {
      if (times > request_.count - received_) {
        throw ProgramError("the program gave more than the " + std::to_string(request_.count) + " outputs asked for");
      }
      received_ += times;
    }
    Runs request_;
    bool mixed_in_ = false;
    std::uint64_t received_ = 0;
  };

  class CountTaker final : public RequestTaker {
   public:
    /// source: shuffles outputs that were only counted.
    CountTaker(ExternalRunner& runner, Tally& tally, DependenceWatch* watch, RandomSource& source)
        : runner_(runner), tally_(tally), watch_(watch), source_(source) {}
    void begin(const PlannedRequest& request) override {
      RequestTaker::begin(request);
      if (many_) return;
      order_.clear();
      counted_ = false;
    }
    void begin_many() override {
      many_ = true;
      order_.clear();
    }
    void end_many() override {
      many_ = false;
      if (watch_ != nullptr) watch_->see(request_.input, order_);
    }
    void label(const std::string& label, std::uint64_t times, bool in_order) override {
      received(times);
      const std::uint64_t y = runner_.index_of(label, request_);
      tally_.row(request_.input)[y] += times;
      counted_ = counted_ || !in_order;
      // A process per output returns one output at a time.
      if (in_order || !many_) order_.insert(order_.end(), times, static_cast<std::uint32_t>(y));
    }
    void vector(const std::vector<double>&) override {}
    void told(const std::vector<KeyedNumber>&) override {}
    void end() override {
      if (many_ || watch_ == nullptr) return;
      for (std::size_t i = order_.size(); counted_ && i > 1; --i) {
        std::swap(order_[i - 1], order_[UniformBelow(i).run(source_)]);
      }
      watch_->see_request(request_.input, order_, !counted_, mixed_in_);
    }
    const std::vector<std::uint32_t>& order() const { return order_; }
    bool is_in_order() const { return !counted_; }

   private:
    ExternalRunner& runner_;
    Tally& tally_;
    DependenceWatch* watch_;
    RandomSource& source_;
    std::vector<std::uint32_t> order_;
    bool counted_ = false;  // some outputs came without their order
    bool many_ = false;
  };

  class SinkTaker final : public RequestTaker {
   public:
    SinkTaker(ExternalRunner& runner, const OutputSink& sink) : runner_(runner), sink_(sink) {}
    void label(const std::string& label, std::uint64_t times, bool) override {
      received(times);
      sink_(request_.input, {runner_.words_of(label, request_), {}}, times);
    }
    void vector(const std::vector<double>& values) override {
      received(1);
      const std::size_t dimension = runner_.spec_.mechanism.continuous->dimension();
      if (values.size() != dimension) {
        fail_answer("has a vector of " + std::to_string(values.size()) + " numbers, expected " +
                    std::to_string(dimension));
      }
      for (const double value : values) {
        if (!std::isfinite(value)) fail_answer("has a number that is not finite");
      }
      sink_(request_.input, {{}, values}, 1);
    }
    void told(const std::vector<KeyedNumber>& numbers) override {
      received(1);
      told_.clear();
      for (const KeyedNumber& one : numbers) told_.add(one);
      sink_(request_.input, told_.output(), 1);
    }

   private:
    ExternalRunner& runner_;
    const OutputSink& sink_;
    ToldOutput told_;
  };

  std::vector<std::string> tuple_of(const Runs& runs) const {
    const Domain& domain = spec_.model.domain;
    return runs.who.row.empty() ? domain.tuple(runs.who.number) : domain.tuple(runs.who.row);
  }

  std::string request_text(const Runs& runs, std::optional<std::uint64_t> seed) const {
    Json request{{"input", tuple_of(runs)}, {"count", runs.count}};
    if (seed) request["seed"] = *seed;
    return request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  std::vector<PlannedRequest> mixed(std::span<const Runs> runs, std::uint64_t stream) const {
    const auto source = Randomness{seed_, kRequestPurpose}.source(stream);
    return plan_requests(runs, kRunsForSmall, kCutFrom, *source);
  }

  void read_answer(Program& program, const PlannedRequest& request, RequestTaker& taker) {
    taker.begin(request);
    int idle = 0;
    while (!taker.complete()) {
      const std::string line = program.next_line(budget_.seconds_left());
      const std::uint64_t before = taker.count();
      constexpr int kMostIdle = 10'000;
      if (idle++ > kMostIdle) throw ProgramError("the program goes on writing lines without outputs");
      if (line.find_first_not_of(" \t") == std::string::npos) continue;
      read_answer_line(line, kind_, taker);
      if (taker.count() > before) idle = 0;
    }
    taker.end();
  }

  void answer(const std::vector<PlannedRequest>& planned, std::uint64_t stream, RequestTaker& taker) {
    if (options_.one_process_per_sample) {
      for (const PlannedRequest& request : planned) {
        taker.begin_many();
        for (std::uint64_t i = 0; i < request.runs.count; ++i) {
          Program fresh(options_.command, options_.limits);
          const PlannedRequest one{{request.runs.input, 1, request.runs.who}, false, false};
          fresh.send(request_text(one.runs, std::nullopt));
          read_answer(fresh, one, taker);
        }
        taker.end_many();
      }
      return;
    }
    if (!program_) program_.emplace(options_.command, options_.limits);
    const auto seeds = seeds_of(stream);
    std::string requests;
    for (const PlannedRequest& request : planned) requests += request_text(request.runs, seeds->word() >> 11);
    require_silence();
    program_->send(requests);
    for (const PlannedRequest& request : planned) read_answer(*program_, request, taker);
    require_silence();
  }

  // Surplus outputs would be taken for answers to the next request.
  void require_silence() {
    if (program_->has_more()) throw ProgramError("the program gave more outputs than it was asked for");
  }

  std::unique_ptr<RandomSource> seeds_of(std::uint64_t stream) const {
    return Randomness{seed_, kSeedPurpose}.source(stream);
  }

  // Compares two starts before anything else, if outputs in order can distinguish them.
  void compare_starts(std::span<const Runs> runs) {
    if (compared_ || watch_ == nullptr || options_.one_process_per_sample) return;
    compared_ = true;
    // The input that needs the fewest outputs. Other inputs may always get the same answer.
    Runs request;
    for (const Runs& candidate : runs) {
      const std::uint64_t needed = watch_->runs_to_compare(candidate.input);
      if (needed > 0 && (request.count == 0 || needed < request.count))
        request = {candidate.input, needed, candidate.who};
    }
    if (request.count == 0) return;
    const auto seeds = seeds_of(~std::uint64_t{0});
    std::vector<std::uint32_t> orders[2];
    Tally unused(spec_.model.domain.inputs(), spec_.model.channel->outputs());
    for (auto& order : orders) {
      Program fresh(options_.command, options_.limits);
      fresh.send(request_text(request, seeds->word() >> 11));
      CountTaker first(*this, unused, nullptr, *seeds);
      read_answer(fresh, {request, false, false}, first);
      if (first.is_in_order()) order = first.order();
    }
    watch_->compare_starts(orders[0], orders[1]);
  }

  const std::vector<std::uint64_t>& words_of(const std::string& label, const Runs& request) {
    try {
      found_ = labels_->find(label);
    } catch (const ModelError& error) {
      throw ProgramError(error.what());
    }
    if (!found_) {
      throw ProgramError("the program answered input " + printable(label_of_tuple(tuple_of(request)), 200) +
                         " with the output '" + printable(label) + "', which the mechanism does not have");
    }
    return *found_;
  }

  std::uint64_t index_of(const std::string& label, const Runs& request) {
    const auto place = index_.find(label);
    if (place != index_.end()) return place->second;
    return index_[label] = join(*spec_.model.channel, words_of(label, request));
  }

  static AnswerKind kind_of(const Mechanism& mechanism) {
    if (mechanism.unlisted) return AnswerKind::kTold;
    return mechanism.continuous ? AnswerKind::kVectors : AnswerKind::kLabels;
  }

  const Spec& spec_;
  AnswerKind kind_;
  ExternalOptions options_;
  std::uint64_t seed_;
  DependenceWatch* watch_;
  Budget& budget_;
  std::optional<OutputLabels> labels_;
  std::optional<std::vector<std::uint64_t>> found_;
  std::unordered_map<std::string, std::uint64_t> index_;
  std::optional<Program> program_;
  bool compared_ = false;
};

}  // namespace

std::unique_ptr<Runner> external_runner(const Spec& spec, const ExternalOptions& options, std::uint64_t seed,
                                        DependenceWatch* watch, Budget& budget) {
  return std::make_unique<ExternalRunner>(spec, options, seed, watch, budget);
}

}  // namespace oddsbound::audits
