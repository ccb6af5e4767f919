// The samplers of the spec's own mechanism, run as they are.
#include "audits/runner.h"

namespace oddsbound::audits {

namespace {

// Streams of an audit's runs; `sample` uses others.
constexpr std::uint64_t kRunPurpose = 0x61756469745f7275ULL;

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
    const std::vector<std::uint64_t> outputs = drawn(runs, stream);
    std::size_t next = 0;
    for (const Runs& part : runs) {
      for (std::uint64_t i = 0; i < part.count; ++i) {
        const std::vector<std::uint64_t> words = channel_->split(outputs[next++]);
        sink(part.input, {words, {}}, 1);
      }
    }
  }
  void count(std::span<const Runs> runs, std::uint64_t stream, Tally& tally) override {
    const std::vector<std::uint64_t> outputs = drawn(runs, stream);
    if (watch_ != nullptr) watch_->begin_block(stream);
    std::vector<std::uint32_t> order;
    std::size_t next = 0;
    for (const Runs& part : runs) {
      order.assign(outputs.begin() + static_cast<std::ptrdiff_t>(next),
                   outputs.begin() + static_cast<std::ptrdiff_t>(next + part.count));
      next += part.count;
      for (const std::uint32_t output : order) ++tally.row(part.input)[output];
      if (watch_ != nullptr) watch_->see(part.input, order);
    }
  }
  void begin_stage(bool pilot) override {
    if (watch_ != nullptr) watch_->begin_stage(pilot);
  }

 private:
  // What is drawn is looked at before it is used.
  std::vector<std::uint64_t> drawn(std::span<const Runs> runs, std::uint64_t stream) const {
    std::vector<std::uint64_t> inputs;
    for (const Runs& part : runs) inputs.insert(inputs.end(), part.count, part.who.number);
    std::vector<std::uint64_t> outputs(inputs.size());
    const auto source = randomness_.source(stream);
    draw_(inputs, *source, outputs);
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
  UnlistedRunner(std::shared_ptr<const UnlistedMechanism> mechanism, std::uint64_t seed)
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
  std::shared_ptr<const UnlistedMechanism> mechanism_;
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
