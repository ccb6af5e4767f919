// Runners for samplers inside the process: the spec's own mechanism and batch functions of a caller.
#include "audits/runner.h"

namespace oddsbound::audits {

namespace {

// Purposes of the random streams of an audit; `sample` uses others.
constexpr std::uint64_t kRunPurpose = 0x61756469745f7275ULL;
constexpr std::uint64_t kCallPurpose = 0x61756469745f6361ULL;
constexpr std::uint64_t kBatchWatchPurpose = 0x61756469745f6277ULL;
// One small call per this many runs. From kCutCallsFrom runs on, the remaining runs of an input are drawn in two calls.
constexpr std::uint64_t kRunsForSmallCall = 512;
constexpr std::uint64_t kCutCallsFrom = 512;

class SamplerRunner final : public Runner {
 public:
  SamplerRunner(ChannelPtr channel, SamplerPtr sampler, std::uint64_t seed)
      : channel_(std::move(channel)),
        sampler_(std::move(sampler)),
        words_(output_words(*channel_)),
        randomness_{seed, kRunPurpose} {}

  void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) override {
    each(runs, stream, [&](std::uint64_t x, std::span<const std::uint64_t> words) { sink(x, {words, {}}, 1); });
  }

  void count(std::span<const Runs> runs, std::uint64_t stream, Tally& tally) override {
    if (words_ == 1) {
      each(runs, stream, [&](std::uint64_t x, std::span<const std::uint64_t> words) { ++tally.row(x)[words[0]]; });
    } else {
      each(runs, stream,
           [&](std::uint64_t x, std::span<const std::uint64_t> words) { ++tally.row(x)[join(*channel_, words)]; });
    }
  }

  bool is_concurrent() const override { return true; }

 private:
  template <typename Use>
  void each(std::span<const Runs> runs, std::uint64_t stream, Use use) const {
    const auto source = randomness_.source(stream);
    std::vector<std::uint64_t> words(words_);
    for (const Runs& part : runs) {
      for (std::uint64_t i = 0; i < part.count; ++i) {
        draw_for(*sampler_, part.who, *source, words);
        use(part.input, words);
      }
    }
  }

  ChannelPtr channel_;
  SamplerPtr sampler_;
  std::size_t words_;
  Randomness randomness_;
};

class BatchRunner final : public Runner {
 public:
  BatchRunner(ChannelPtr channel, BatchDraw draw, std::uint64_t seed, DependenceWatch* watch)
      : channel_(std::move(channel)), draw_(std::move(draw)), randomness_{seed, kRunPurpose}, watch_(watch) {}

  void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) override {
    const std::vector<std::uint64_t> outputs = drawn(requests_of(runs), *randomness_.source(stream));
    std::size_t next = 0;
    for (const Runs& part : runs) {
      for (std::uint64_t i = 0; i < part.count; ++i) {
        const std::vector<std::uint64_t> words = channel_->split(outputs[next++]);
        sink(part.input, {words, {}}, 1);
      }
    }
  }
  void count(std::span<const Runs> runs, std::uint64_t stream, Tally& tally) override {
    const auto source = randomness_.source(stream);
    if (watch_ == nullptr) {
      call(requests_of(runs), *source, tally);
      return;
    }
    watch_->begin_block(stream);
    const auto choices = Randomness{randomness_.seed, kCallPurpose}.source(stream);
    std::vector<PlannedRequest> large[2];
    std::vector<PlannedRequest> small;
    for (PlannedRequest& request : plan_requests(runs, kRunsForSmallCall, kCutCallsFrom, *choices)) {
      (request.small ? small : large[request.second ? 1 : 0]).push_back(std::move(request));
    }
    // Large requests come in two calls, at a random place among the small ones.
    const std::uint64_t before = UniformBelow(small.size() + 1).run(*choices);
    for (std::size_t i = 0; i <= small.size(); ++i) {
      if (i == before) {
        for (const auto& requests : large) call(requests, *source, tally);
      }
      if (i < small.size()) call({small[i]}, *source, tally);
    }
    watch_->end_block(*Randomness{randomness_.seed, kBatchWatchPurpose}.source(stream));
  }
  void begin_stage(bool pilot) override {
    if (watch_ != nullptr) watch_->begin_stage(pilot);
  }

 private:
  static std::vector<PlannedRequest> requests_of(std::span<const Runs> runs) {
    std::vector<PlannedRequest> requests;
    for (const Runs& part : runs) requests.push_back({part, false, false});
    return requests;
  }

  void call(const std::vector<PlannedRequest>& requests, RandomSource& source, Tally& tally) const {
    if (requests.empty()) return;
    const std::vector<std::uint64_t> outputs = drawn(requests, source);
    std::vector<std::uint32_t> order;
    std::size_t next = 0;
    for (const PlannedRequest& request : requests) {
      const Runs& part = request.runs;
      order.assign(outputs.begin() + static_cast<std::ptrdiff_t>(next),
                   outputs.begin() + static_cast<std::ptrdiff_t>(next + part.count));
      next += part.count;
      for (const std::uint32_t output : order) ++tally.row(part.input)[output];
      if (watch_ != nullptr) watch_->see_request(part.input, order, true, request.small);
    }
  }

  // Checks the drawn outputs before they are used.
  std::vector<std::uint64_t> drawn(const std::vector<PlannedRequest>& requests, RandomSource& source) const {
    std::vector<std::uint64_t> inputs;
    for (const PlannedRequest& request : requests) {
      inputs.insert(inputs.end(), request.runs.count, request.runs.who.number);
    }
    std::vector<std::uint64_t> outputs(inputs.size());
    draw_(inputs, source, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i] >= channel_->outputs()) fail(inputs[i], outputs[i]);
    }
    return outputs;
  }
  [[noreturn]] void fail(std::uint64_t input, std::uint64_t output) const {
    throw ProgramError("the sampler drew output number " + std::to_string(output) + " of " +
                       std::to_string(channel_->outputs()) + " for input number " + std::to_string(input));
  }

  ChannelPtr channel_;
  BatchDraw draw_;
  Randomness randomness_;
  DependenceWatch* watch_;
};

class ContinuousRunner final : public Runner {
 public:
  ContinuousRunner(std::shared_ptr<const ContinuousMechanism> mechanism, std::uint64_t seed)
      : mechanism_(std::move(mechanism)), randomness_{seed, kRunPurpose} {}

  void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) override {
    const auto source = randomness_.source(stream);
    std::vector<double> values(mechanism_->dimension());
    for (const Runs& part : runs) {
      for (std::uint64_t i = 0; i < part.count; ++i) {
        mechanism_->draw(part.who.number, *source, values);
        sink(part.input, {{}, values}, 1);
      }
    }
  }
  void count(std::span<const Runs>, std::uint64_t, Tally&) override {
    throw std::logic_error("continuous outputs are not counted");
  }
  bool is_concurrent() const override { return true; }

 private:
  std::shared_ptr<const ContinuousMechanism> mechanism_;
  Randomness randomness_;
};

class UnlistedRunner final : public Runner {
 public:
  UnlistedRunner(std::shared_ptr<const BlackBoxMechanism> mechanism, std::uint64_t seed)
      : mechanism_(std::move(mechanism)), randomness_{seed, kRunPurpose} {}

  void run(std::span<const Runs> runs, std::uint64_t stream, const OutputSink& sink) override {
    const auto source = randomness_.source(stream);
    ToldOutput told;
    for (const Runs& part : runs) {
      for (std::uint64_t i = 0; i < part.count; ++i) {
        told.clear();
        for (const KeyedNumber& one : mechanism_->draw(part.who.number, *source)) told.add(one);
        sink(part.input, told.output(), 1);
      }
    }
  }
  void count(std::span<const Runs>, std::uint64_t, Tally&) override {
    throw std::logic_error("unlisted outputs are not counted");
  }
  bool is_concurrent() const override { return true; }

 private:
  std::shared_ptr<const BlackBoxMechanism> mechanism_;
  Randomness randomness_;
};

}  // namespace

std::unique_ptr<Runner> sampler_runner(const ChannelPtr& channel, SamplerPtr sampler, std::uint64_t seed) {
  return std::make_unique<SamplerRunner>(channel, std::move(sampler), seed);
}

std::unique_ptr<Runner> batch_runner(const ChannelPtr& channel, BatchDraw draw, std::uint64_t seed,
                                     DependenceWatch* watch) {
  return std::make_unique<BatchRunner>(channel, std::move(draw), seed, watch);
}

std::unique_ptr<Runner> built_in_runner(const Spec& spec, std::uint64_t seed) {
  if (spec.mechanism.continuous) return std::make_unique<ContinuousRunner>(spec.mechanism.continuous, seed);
  if (spec.mechanism.unlisted) return std::make_unique<UnlistedRunner>(spec.mechanism.unlisted, seed);
  return sampler_runner(spec.model.channel, spec.mechanism.sampler_or_rows(), seed);
}

}  // namespace oddsbound::audits
