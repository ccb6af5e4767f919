#include "app/samples.h"

#include <algorithm>
#include <map>
#include <thread>

#include "base/bytes.h"
#include "base/errors.h"
#include "mechanisms/random/distributions.h"
#include "mechanisms/sampler.h"
#include "specs/collected.h"

namespace oddsbound::app {

namespace {

class Drawing {
 public:
  using Take = std::function<bool(SampleResult)>;

  Drawing(const Spec& spec, const InputList& inputs, const SampleOptions& options, const Context& context,
          const Take& take)
      : spec_(spec),
        inputs_(inputs),
        options_(options),
        context_(context),
        take_(take),
        draws_(inputs.size() * options.count),
        randomness_{options.seed, fnv1a(spec.name)}  // mechanisms differ under one seed
  {}

  void numbers(std::span<std::uint64_t> drawn) {
    const std::size_t parts = numbers_each(channel());
    batches(most_of_labels(), [&](std::uint64_t first, std::uint64_t size) {
      if (words_ == parts) {
        draw_batch(first, drawn.subspan(first * words_, size * words_));
        return true;
      }
      std::uint64_t next = first;
      each_label(first, size, [&](const auto& words) { drawn[next++] = join(channel(), words); });
      return true;
    });
  }

  // Passes on every draw, one piece per batch.
  bool labels() {
    return batches(most_of_labels(), [&](std::uint64_t first, std::uint64_t size) {
      std::vector<std::string> labels;
      labels.reserve(size);
      each_label(first, size, [&](const auto& drawn) { labels.push_back(channel().label_of(drawn)); });
      return take_(piece(std::move(labels)));
    });
  }

  bool unlisted() {
    const BlackBoxMechanism& mechanism = *spec_.mechanism.unlisted;
    return batches(kDrawsPerStream, [&](std::uint64_t first, std::uint64_t size) {
      const auto source = randomness_.source(first / kDrawsPerStream);
      std::vector<std::string> labels;
      for (std::uint64_t i = 0; i < size; ++i) {
        labels.push_back(mechanism.draw_label(input_of(first + i).number, *source));
      }
      return take_(piece(std::move(labels)));
    });
  }

  bool tally() {
    std::map<std::vector<std::uint64_t>, std::uint64_t> counts;
    batches(most_of_labels(), [&](std::uint64_t first, std::uint64_t size) {
      each_label(first, size, [&](const auto& drawn) { ++counts[{drawn.begin(), drawn.end()}]; });
      return true;
    });
    std::vector<DrawnOutput> outputs;
    for (const auto& [drawn, count] : counts) outputs.push_back({channel().label_of(drawn), count});
    return take_(piece(std::move(outputs)));
  }

  bool vectors() {
    const ContinuousMechanism& mechanism = *spec_.mechanism.continuous;
    return batches(kDrawsPerStream, [&](std::uint64_t first, std::uint64_t size) {
      const auto source = randomness_.source(first / kDrawsPerStream);
      std::vector<std::vector<double>> vectors(size, std::vector<double>(mechanism.dimension()));
      for (std::uint64_t i = 0; i < size; ++i) mechanism.draw(input_of(first + i).number, *source, vectors[i]);
      return take_(piece(std::move(vectors)));
    });
  }

 private:
  const Channel& channel() const { return *spec_.model.channel; }
  InputRef input_of(std::uint64_t draw) const { return inputs_[draw / options_.count]; }

  template <typename Outputs>
  SampleResult piece(Outputs outputs) const {
    SampleResult result{spec_.file, spec_.name, options_.seed, {}, std::move(outputs)};
    const auto& continuous = spec_.mechanism.continuous;
    if (continuous) result.coordinates = vector_columns(spec_.model.domain, continuous->copies());
    return result;
  }

  // A multiple of whole streams, so that draws do not depend on it; fewer streams if outputs are long.
  std::uint64_t most_of_labels() const {
    constexpr std::uint64_t kMostStreams = 64, kMostWords = std::uint64_t{1} << 22;
    const std::uint64_t streams = kMostWords / kDrawsPerStream / std::max<std::size_t>(1, words_);
    return std::clamp<std::uint64_t>(streams, 1, kMostStreams) * kDrawsPerStream;
  }

  // Runs at least one batch, possibly empty. Returns false if `batch` does.
  template <typename Batch>
  bool batches(std::uint64_t most, Batch batch) {
    std::uint64_t first = 0;
    do {
      if (context_.limits.stop.stop_requested()) throw LimitError("the work was stopped");
      const std::uint64_t size = std::min(most, draws_ - first);
      if (!batch(first, size)) return false;
      first += size;
      if (context_.progress) context_.progress(first, draws_, spec_.name);
    } while (first < draws_);
    return true;
  }

  template <typename Use>
  void each_label(std::uint64_t first, std::uint64_t size, Use use) {
    std::vector<std::uint64_t> words(size * words_);
    draw_batch(first, words);
    for (std::size_t i = 0; i < words.size(); i += words_) {
      use(std::span<const std::uint64_t>(words.data() + i, words_));
    }
  }

  void draw_batch(std::uint64_t first, std::span<std::uint64_t> words) {
    const std::size_t own = context_.limits.threads;
    const std::size_t threads = own > 0 ? own : std::thread::hardware_concurrency();
    sample_batch(
        *sampler_, channel(), [&](std::uint64_t i) { return input_of(i); }, first, words, randomness_, threads);
  }

  const Spec& spec_;
  const InputList& inputs_;
  const SampleOptions& options_;
  const Context& context_;
  const Take& take_;
  std::uint64_t draws_;
  Randomness randomness_;
  // For outputs with labels.
  SamplerPtr sampler_ = spec_.model.channel ? spec_.mechanism.sampler_or_rows() : nullptr;
  std::size_t words_ = spec_.model.channel ? output_words(*spec_.model.channel) : 0;
};

void require_drawable(const Spec& spec, const InputList& inputs, std::uint64_t count) {
  constexpr std::uint64_t kMostDraws = std::uint64_t{1} << 50;
  if (count > kMostDraws / std::max<std::size_t>(1, inputs.size())) throw ModelError("more than 2^50 draws");
  for (std::size_t i = 0; i < inputs.size() && inputs.has_numbers(); ++i) {
    const std::uint64_t input = inputs[i].number;
    if (input >= spec.model.domain.input_numbers()) {
      throw ModelError("there is no input number " + std::to_string(input));
    }
  }
}

}  // namespace

std::size_t numbers_each(const Channel& channel) { return std::max<std::size_t>(1, channel.factors().size()); }

void draw_numbers(const Spec& spec, const InputList& inputs, const SampleOptions& options, const Context& context,
                  std::span<std::uint64_t> numbers) {
  require_drawable(spec, inputs, options.count);
  if (!spec.model.channel)
    throw ModelError("the outputs are " + spec.mechanism.outputs_word() + ": they have no numbers");
  if (numbers.size() != inputs.size() * options.count * numbers_each(*spec.model.channel)) {
    throw ModelError("there is no place for exactly the numbers that are to be drawn");
  }
  const std::function<bool(SampleResult)> nobody;
  Drawing(spec, inputs, options, context, nobody).numbers(numbers);
}

bool draw_samples(const Spec& spec, const InputList& inputs, const SampleOptions& options, const Context& context,
                  const std::function<bool(SampleResult)>& take) {
  require_drawable(spec, inputs, options.count);
  Drawing drawing(spec, inputs, options, context, take);
  if (spec.model.channel) return options.tally ? drawing.tally() : drawing.labels();
  if (options.tally) {
    throw ModelError("--tally counts outputs, and the outputs of this mechanism are " + spec.mechanism.outputs_word());
  }
  if (spec.mechanism.unlisted) return drawing.unlisted();
  return drawing.vectors();
}

InputList inputs_from_prior(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed, Budget& budget) {
  if (!spec.model.prior) throw ModelError("drawing inputs from the prior needs a prior, and the spec has none");
  const Prior& prior = *spec.model.prior;
  const Domain& domain = spec.model.domain;
  const auto source = Randomness{seed, ~fnv1a(spec.name)}.source(0);
  InputList drawn(domain);
  budget.require_memory(count * drawn.bytes_each());
  if (!domain.is_countable() || domain.input_numbers() > budget.limits().max_inputs) {
    const PriorSampler sampler(prior);
    for (std::uint64_t i = 0; i < count; ++i) {
      budget.check_every();
      drawn.add(domain, sampler.draw(*source));
    }
    return drawn;
  }
  const std::vector<std::pair<std::uint64_t, Number>> possible = prior.numbered_rows(budget);
  std::vector<Number> probabilities;
  for (const auto& [input, weight] : possible) probabilities.push_back(weight / prior.total());
  const Categorical choice(std::move(probabilities));
  std::vector<std::uint64_t> inputs(count);
  for (std::uint64_t& input : inputs) input = possible[draw(choice, *source)].first;
  return inputs;
}

}  // namespace oddsbound::app
