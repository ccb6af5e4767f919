#include "runs/samples.h"

#include <charconv>
#include <map>

#include "base/errors.h"
#include "mechanisms/random/categorical.h"
#include "results/json_parts.h"

namespace oddsbound::runs {

namespace {

using Writer = std::function<bool(std::string_view)>;

constexpr std::uint64_t kBatch = 64 * kDrawsPerStream;

// The streams of different mechanisms under one seed are different: FNV-1a of the spec's name.
std::uint64_t purpose_of(const std::string& name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty()) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + "\"";
}

std::string number_cell(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

// Where rows of text go: CSV lines, or the items of a JSON array.
class SampleLines {
 public:
  SampleLines(const Spec& spec, const SampleOptions& options, const Writer& write)
      : json_(options.json), write_(write) {
    if (!json_) return;
    nlohmann::ordered_json head = json_head();
    head["file"] = spec.file;
    head["name"] = spec.name;
    head["random"] = options.seed ? "seeded (Threefry): reproducible, not private" : "system (OpenSSL)";
    if (options.seed) head["seed"] = std::to_string(*options.seed);
    std::string text = json_text(head);
    text.erase(text.size() - 3);  // the closing brace: the outputs follow
    ok_ = write_(text + ",\n  \"outputs\": [");
  }
  void header(const std::vector<std::string>& names) {
    if (json_) return;
    std::string line;
    for (const std::string& name : names) line += (line.empty() ? "" : ",") + csv_cell(name);
    add(line + "\n");
  }
  void row(const std::vector<std::string>& cells, const nlohmann::ordered_json& item) {
    if (json_) {
      add((first_ ? "\n    " : ",\n    ") + item.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
      first_ = false;
      return;
    }
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
    add(line + "\n");
  }
  bool flush() {
    ok_ = ok_ && (pending_.empty() || write_(pending_));
    pending_.clear();
    return ok_;
  }
  bool finish() {
    if (json_) add("\n  ]\n}\n");
    return flush();
  }

 private:
  void add(const std::string& text) { pending_ += text; }

  bool json_;
  bool first_ = true;
  bool ok_ = true;
  std::string pending_;
  const Writer& write_;
};

bool write_vectors(const Spec& spec, const SampleOptions& options, const Writer& write) {
  const ContinuousMechanism& mechanism = *spec.mechanism.continuous;
  SampleLines output(spec, options, write);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < spec.model.domain.size(); ++i) names.push_back(spec.model.domain.coordinate(i).name);
  output.header(names);
  const Randomness randomness{options.seed, purpose_of(spec.name)};
  std::unique_ptr<RandomSource> source;
  std::vector<double> vector(mechanism.dimension());
  std::vector<std::string> cells(vector.size());
  const std::uint64_t draws = options.inputs.size() * options.count;
  for (std::uint64_t i = 0; i < draws; ++i) {
    if (i % kDrawsPerStream == 0) {
      source = randomness.source(i / kDrawsPerStream);
      if (!output.flush()) return false;
    }
    mechanism.draw(options.inputs[i / options.count], *source, vector);
    for (std::size_t j = 0; j < vector.size(); ++j) cells[j] = number_cell(vector[j]);
    output.row(cells, vector);
  }
  return output.finish();
}

}  // namespace

bool write_samples(const Spec& spec, const SampleOptions& options, const Writer& write) {
  if (!spec.model.channel) return write_vectors(spec, options, write);
  const Channel& channel = *spec.model.channel;
  const SamplerPtr sampler = spec.mechanism.sampler_or_rows();
  const std::size_t words = output_words(channel);
  const Randomness randomness{options.seed, purpose_of(spec.name)};
  const std::uint64_t draws = options.inputs.size() * options.count;
  SampleLines output(spec, options, write);
  if (options.tally) {
    output.header({"output", "count"});
  } else {
    output.header({"output"});
  }
  std::map<std::vector<std::uint64_t>, std::uint64_t> tally;
  for (std::uint64_t first = 0; first < draws; first += kBatch) {
    std::vector<std::uint64_t> batch(std::min(kBatch, draws - first) * words);
    sample_batch(
        *sampler, channel, [&](std::uint64_t i) { return options.inputs[i / options.count]; }, first, batch, randomness,
        options.threads);
    for (std::size_t i = 0; i < batch.size(); i += words) {
      const std::span<const std::uint64_t> drawn(batch.data() + i, words);
      if (options.tally) {
        ++tally[{drawn.begin(), drawn.end()}];
      } else {
        const std::string label = channel.label_of(drawn);
        output.row({label}, label);
      }
    }
    if (!output.flush()) return false;
  }
  for (const auto& [drawn, times] : tally) {
    const std::string label = channel.label_of(drawn);
    output.row({label, std::to_string(times)}, {{"output", label}, {"count", times}});
  }
  return output.finish();
}

std::vector<std::string> draw_labels(const Spec& spec, std::uint64_t input, std::uint64_t count,
                                     std::optional<std::uint64_t> seed, Budget& budget) {
  const Channel& channel = *spec.model.channel;
  const SamplerPtr sampler = spec.mechanism.sampler_or_rows();
  const std::size_t words = output_words(channel);
  std::vector<std::string> labels;
  for (std::uint64_t first = 0; first < count; first += kBatch) {
    budget.look();
    std::vector<std::uint64_t> batch(std::min(kBatch, count - first) * words);
    sample_batch(
        *sampler, channel, [&](std::uint64_t) { return input; }, first, batch, {seed, purpose_of(spec.name)}, 1);
    for (std::size_t i = 0; i < batch.size(); i += words) labels.push_back(channel.label_of({batch.data() + i, words}));
  }
  return labels;
}

std::vector<std::uint64_t> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed) {
  if (!spec.model.prior) throw ModelError("drawing inputs from the prior needs a prior, and the spec has none");
  std::vector<Number> probabilities;
  for (std::uint64_t x = 0; x < spec.model.domain.inputs(); ++x) {
    probabilities.push_back(spec.model.prior->probability(x));
  }
  const Categorical choice(std::move(probabilities));
  const auto source = Randomness{seed, ~purpose_of(spec.name)}.source(0);
  std::vector<std::uint64_t> inputs(count);
  for (std::uint64_t& input : inputs) input = draw(choice, *source);
  return inputs;
}

}  // namespace oddsbound::runs
