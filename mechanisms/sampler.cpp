#include "mechanisms/sampler.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

#include "mechanisms/random/distributions.h"
#include "verifier/exact/threads.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms {

namespace {

class RowSampler final : public Sampler {
 public:
  explicit RowSampler(ChannelPtr channel) : channel_(std::move(channel)), rows_(channel_->inputs()) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    const std::uint64_t y = mechanisms::draw(row(x), source);
    if (output.size() == 1) {
      output[0] = y;
    } else {
      const std::vector<std::uint64_t> words = channel_->split(y);
      std::copy(words.begin(), words.end(), output.begin());
    }
  }

 private:
  struct Row {
    std::once_flag made;
    std::unique_ptr<const Categorical> choice;
  };

  const Categorical& row(std::uint64_t x) const {
    Row& row = rows_[x];
    std::call_once(row.made, [&] {
      Budget().require_cells(1, channel_->outputs());
      std::vector<Number> probabilities;
      for (std::uint64_t y = 0; y < channel_->outputs(); ++y) probabilities.push_back(channel_->entry(x, y));
      row.choice = std::make_unique<const Categorical>(std::move(probabilities));
    });
    return *row.choice;
  }

  ChannelPtr channel_;
  mutable std::vector<Row> rows_;
};

class ProductSampler final : public Sampler {
 public:
  ProductSampler(const Domain& domain, std::vector<SamplerPart> parts)
      : parts_(std::move(parts)), projections_(domain, parts_) {
    words_.reserve(parts_.size());
    for (const SamplerPart& part : parts_) words_.push_back(output_words(*part.channel));
  }

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_parts(x, source, output);
  }
  void draw_row(InputView row, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_parts(row, source, output);
  }

  std::span<const SamplerPart> parts() const override { return parts_; }

 private:
  template <typename Input>
  void draw_parts(const Input& input, RandomSource& source, std::span<std::uint64_t> output) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const SamplerPart& part = parts_[p];
      const auto mine = output.first(words_[p]);
      output = output.subspan(words_[p]);
      draw_part(*part.channel, *part.sampler, projections_[p](input), source, mine);
    }
  }

  std::vector<SamplerPart> parts_;
  Projections projections_;
  std::vector<std::size_t> words_;
};

}  // namespace

SamplerPtr row_sampler(ChannelPtr channel) { return std::make_shared<const RowSampler>(std::move(channel)); }

SamplerPtr product_sampler(const Domain& domain, std::vector<SamplerPart> parts) {
  return std::make_shared<const ProductSampler>(domain, std::move(parts));
}

std::uint64_t draw_index(const Channel& channel, const Sampler& sampler, std::uint64_t x, RandomSource& source) {
  std::vector<std::uint64_t> words(output_words(channel));
  draw_part(channel, sampler, x, source, words);
  return join(channel, words);
}

std::size_t output_words(const Channel& channel) {
  const auto* adaptive = dynamic_cast<const AdaptiveChannel*>(&channel);
  return adaptive != nullptr ? adaptive->words() : std::max<std::size_t>(1, channel.factors().size());
}

std::uint64_t join(const Channel& channel, std::span<const std::uint64_t> output) {
  if (const auto* adaptive = dynamic_cast<const AdaptiveChannel*>(&channel)) {
    const AdaptiveChannel::Second then = adaptive->second(output);
    return then.first_index + join(then.channel, then.output);
  }
  const std::span<const Factor> factors = channel.factors();
  if (factors.empty()) return output[0];
  std::uint64_t y = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) y = y * factors[f].channel->outputs() + output[f];
  return y;
}

namespace {

bool is_output(const Channel& channel, std::span<const std::uint64_t> words) {
  if (const auto* adaptive = dynamic_cast<const AdaptiveChannel*>(&channel)) {
    if (words[0] >= adaptive->branches().size()) return false;
    const AdaptiveChannel::Second then = adaptive->second(words);
    return is_output(then.channel, then.output);
  }
  const std::span<const Factor> factors = channel.factors();
  if (factors.empty()) return words[0] < channel.outputs();
  for (std::size_t f = 0; f < factors.size(); ++f) {
    if (words[f] >= factors[f].channel->outputs()) return false;
  }
  return true;
}

}  // namespace

OutputChoice::OutputChoice(const Channel& channel, const Sampler& sampler, std::uint64_t x)
    : channel_(channel), sampler_(sampler), x_(x) {}

bool OutputChoice::attempt(RandomSource& source, std::uint64_t& outcome) const {
  // A word that the sampler forgets to write keeps a value that no output has.
  std::vector<std::uint64_t> words(output_words(channel_), UINT64_MAX);
  const auto* repeated = dynamic_cast<const RejectionSampler*>(&sampler_);
  if (repeated == nullptr) {
    sampler_.draw(x_, source, words);
  } else if (!repeated->attempt(x_, source, words)) {
    return false;
  }
  outcome = is_output(channel_, words) ? join(channel_, words) : channel_.outputs();
  return true;
}

std::unique_ptr<RandomSource> Randomness::source(std::uint64_t stream) const {
  if (seed) return std::make_unique<SeededSource>(*seed, purpose, stream);
  return std::make_unique<SystemSource>();
}

void sample_batch(const Sampler& sampler, const Channel& channel,
                  const std::function<InputRef(std::uint64_t)>& input_of, std::uint64_t first,
                  std::span<std::uint64_t> outputs, const Randomness& randomness, std::size_t threads) {
  const std::size_t words = output_words(channel);
  const std::uint64_t draws = outputs.size() / words;
  std::atomic<std::uint64_t> next{0};
  std::mutex failure_guard;
  std::exception_ptr failure;
  const auto run_stream = [&](std::uint64_t begin) {
    const auto source = randomness.source((first + begin) / kDrawsPerStream);
    for (std::uint64_t i = begin; i < std::min(draws, begin + kDrawsPerStream); ++i) {
      draw_for(sampler, input_of(first + i), *source, outputs.subspan(i * words, words));
    }
  };
  const auto work = [&] {
    const NumberThread cleanup;
    try {
      for (std::uint64_t begin = next.fetch_add(kDrawsPerStream); begin < draws;
           begin = next.fetch_add(kDrawsPerStream)) {
        run_stream(begin);
      }
    } catch (...) {
      const std::lock_guard lock(failure_guard);
      failure = std::current_exception();
      next = draws;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (std::size_t t = 1; t < threads && t * kDrawsPerStream < draws; ++t) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

namespace {

class AdaptiveSampler final : public Sampler {
 public:
  AdaptiveSampler(Stage first, std::vector<Stage> then) : first_(std::move(first)), then_(std::move(then)) {}

  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_both(output, [&](const Stage& stage, std::span<std::uint64_t> words) {
      draw_part(*stage.channel, *stage.sampler, x, source, words);
    });
  }
  void draw_row(InputView row, RandomSource& source, std::span<std::uint64_t> output) const override {
    draw_both(output,
              [&](const Stage& stage, std::span<std::uint64_t> words) { stage.sampler->draw_row(row, source, words); });
  }

 private:
  template <typename Draw>
  void draw_both(std::span<std::uint64_t> output, Draw draw) const {
    std::vector<std::uint64_t> words(output_words(*first_.channel));
    draw(first_, words);
    output[0] = join(*first_.channel, words);
    const Stage& second = then_[output[0]];
    const std::size_t length = output_words(*second.channel);
    draw(second, output.subspan(1, length));
    std::fill(output.begin() + 1 + static_cast<std::ptrdiff_t>(length), output.end(), 0);
  }

  Stage first_;
  std::vector<Stage> then_;
};

}  // namespace

SamplerPtr adaptive_sampler(Stage first, std::vector<Stage> then) {
  return std::make_shared<const AdaptiveSampler>(std::move(first), std::move(then));
}

// Choices by the address of the prior's weights, which stay in place.
class PriorSampler::Choices {
 public:
  const Categorical& among(std::span<const Number> weights) {
    {
      const std::shared_lock lock(mutex_);
      const auto known = made_.find(weights.data());
      if (known != made_.end()) return *known->second;
    }
    std::vector<WeightedTerm> terms;
    for (const Number& weight : weights) terms.push_back({Number(1), weight});
    const Number total = weighted_sum(terms);
    std::vector<Number> probabilities;
    for (const Number& weight : weights) probabilities.push_back(weight / total);
    auto choice = std::make_unique<const Categorical>(std::move(probabilities));
    const std::unique_lock lock(mutex_);
    return *made_.try_emplace(weights.data(), std::move(choice)).first->second;
  }

 private:
  std::shared_mutex mutex_;
  std::unordered_map<const Number*, std::unique_ptr<const Categorical>> made_;
};

PriorSampler::PriorSampler(Prior prior) : prior_(std::move(prior)), choices_(std::make_unique<Choices>()) {}
PriorSampler::~PriorSampler() = default;

InputRow PriorSampler::draw(RandomSource& source) const {
  return prior_.draw([&](std::span<const Number> weights) {
    return static_cast<std::size_t>(mechanisms::draw(choices_->among(weights), source));
  });
}

}  // namespace oddsbound::mechanisms
