// What a spec is locked with: its exact levels, and a hash of what they were measured of.
#include <algorithm>
#include <filesystem>
#include <span>

#include "base/errors.h"
#include "results/effects_words.h"
#include "results/json_parts.h"
#include "results/words.h"
#include "runs/lock.h"
#include "specs/reading.h"
#include "verifier/notions/table.h"

namespace oddsbound::runs {

namespace {

using Json = nlohmann::ordered_json;

std::string rows_hash(const Channel& channel, Budget& budget) {
  std::string text;
  for (const auto& row : rows_of(channel, budget)) {
    for (const Number& entry : row) text += entry.to_string() + ",";
    text += "\n";
  }
  return sha256(text);
}

// What a field says: numbers by their value, whatever parameters they were written with, another mechanism with what it
// does, whatever files it was read from. source: the same as the spec writes it.
std::string field_text(const std::string& source, const FieldValue& value, const Domain& domain, Budget& budget) {
  if (const auto* level = std::get_if<Level>(&value)) return Json(level->to_string()).dump();
  if (const auto* number = std::get_if<Number>(&value)) return Json(number->to_string()).dump();
  if (const auto* matrix = std::get_if<LevelMatrix>(&value)) return Json(matrix_text(*matrix, domain.inputs())).dump();
  if (const auto* for_all = std::get_if<ForAll>(&value)) return for_all->called + " " + for_all->source;
  if (const auto* channel = std::get_if<ChannelPtr>(&value)) {
    return source + " sha256:" + rows_hash(**channel, budget);
  }
  return source;
}

// What a claim asks, as text: equal questions have equal keys, wherever they stand in the file, and no others do.
// symbols: numbers are functions then, and the content is locked that they are written in.
std::string key_of_claim(const Claim& claim, const Domain& domain, bool symbols, Budget& budget) {
  constexpr std::size_t kLongest = 120;
  const Locking& locking = claim.notion->locking;
  const std::string& notion = locking.measures.empty() ? claim.notion->name : locking.measures;
  const auto& bounds = locking.bounds;
  std::map<std::string, std::string> asked;
  for (const auto& [key, source] : claim.source) {
    const FieldValue* value = claim.arguments.find_value(key);
    if (key == "tight" && (symbols || locking.verdict)) asked[key] = source;
    if (value == nullptr || !locking.measures.empty()) continue;
    if (symbols) {
      asked[key] = source;
    } else if (std::find(bounds.begin(), bounds.end(), key) == bounds.end()) {
      asked[key] = field_text(source, *value, domain, budget);
    }
  }
  std::string key = notion;
  for (const auto& [name, value] : asked) {
    key += " ";
    if (name != notion) key.append(name).append(" ");
    key += value;
  }
  if (key.size() <= kLongest) return key;
  return printable(key, kLongest) + " sha256:" + sha256(key).substr(0, 16);
}

// As a JSON array: no two inputs have the same text.
std::string side_text(const Party& party) {
  const Json json = std::visit([](const auto& values) { return Json(values); }, party);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The key of one coordinate's level.
std::string key_of_level(const std::string& key, const std::string& coordinate) { return key + " " + coordinate; }

std::string key_of_pair(const Party& from, const Party& to) {
  return "loss from " + side_text(from) + " to " + side_text(to);
}

class Measuring {
 public:
  Measuring(const SpecResult& result, MeasuredSpec& measured) : result_(result), measured_(measured) {}

  void add(const std::string& key, const MeasuredLevel& level) {
    add(key, level, shown_words(level, result_.coordinates));
  }
  void add(const std::string& key, const MeasuredLevel& level, std::string words) {
    measured_.now.levels[key] = level_text(level);
    measured_.words[key] = std::move(words);
  }

  // Every notion that needs no claim, measured or left open.
  void add_analysis() {
    for (const Notion& notion : notion_table()) {
      if (!notion.measure) continue;
      const bool each = notion.form == ClaimForm::kByCoordinate;
      const std::vector<std::string> about = each ? result_.coordinates : std::vector<std::string>{""};
      const auto* levels = result_.analysis.by_coordinate(notion.name);
      const MeasuredLevel* level = result_.analysis.level(notion.name);
      for (std::size_t i = 0; i < about.size(); ++i) {
        const std::string key = each ? key_of_level(notion.name, about[i]) : notion.name;
        if (levels != nullptr) add(key, (*levels)[i]);
        if (level != nullptr) add(key, *level);
        leave_open(notion.name, key);
      }
    }
  }

  // Whatever a claim measures, under the key of what it asks.
  void add_claim(const Claim& claim, const ClaimResult& result, const std::string& key) {
    const std::vector<std::string> keys = keys_of(claim, key);
    for (const std::string& one : keys) measured_.places.emplace(one, result.place);
    if (result.verdict == Verdict::kUndecided && std::holds_alternative<std::monostate>(result.decision.actual)) {
      for (const std::string& one : keys) measured_.open[one] = result.reason;
      return;
    }
    if (result_.functions || claim.notion->locking.verdict) {
      measured_.now.verdicts[key] = result.verdict == Verdict::kHolds ? "holds" : "refuted";
      if (result.decision.witness) measured_.words[key] = witness_words(*result.decision.witness, result_.coordinates);
      return;
    }
    const Actual& actual = result.decision.actual;
    if (const auto* level = std::get_if<MeasuredLevel>(&actual)) add(key, *level);
    if (const auto* average = std::get_if<Average>(&actual)) add(key, average->level, average_words(*average));
    if (const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&actual)) {
      for (const CoordinateLevel& level : *levels) add(key_of_level(key, level.coordinate), level.measured);
    }
    if (const auto* delta = std::get_if<Delta>(&actual)) {
      measured_.now.deltas[key] = delta->delta.to_string();
      measured_.words[key] = witness_words(delta->witness, result_.coordinates);
    }
    // What is no number is locked as whether it holds: nothing that is claimed goes unlocked.
    if (std::holds_alternative<std::monostate>(actual) || std::holds_alternative<Refinement>(actual)) {
      measured_.now.verdicts[key] = result.verdict == Verdict::kHolds ? "holds" : "refuted";
    }
  }

  void add_pairs(const PairwiseLosses& losses) {
    for (std::size_t from = 0; from < losses.sides.size(); ++from) {
      for (std::size_t to = 0; to < losses.sides.size(); ++to) {
        if (from == to) continue;
        measured_.now.levels[key_of_pair(losses.sides[from], losses.sides[to])] = losses.loss[from][to].to_string();
      }
    }
  }

 private:
  void leave_open(const std::string& notion, const std::string& key) {
    const auto reason = result_.analysis.undecided.find(notion);
    if (reason != result_.analysis.undecided.end()) measured_.open[key] = reason->second;
  }

  // One key, or one for each coordinate that a level is claimed of.
  std::vector<std::string> keys_of(const Claim& claim, const std::string& key) const {
    std::vector<std::string> keys;
    for (const std::string& bound : claim.notion->locking.bounds) {
      const auto* levels = claim.arguments.find_if<CoordinateLevels>(bound);
      if (levels == nullptr || result_.functions) continue;
      for (std::size_t i = 0; i < levels->size(); ++i) {
        if ((*levels)[i]) keys.push_back(key_of_level(key, result_.coordinates[i]));
      }
    }
    return keys.empty() ? std::vector{key} : keys;
  }

  const SpecResult& result_;
  MeasuredSpec& measured_;
};

// The loss of every pair, where a claim bounds them one by one.
void add_pairs(const Spec& spec, Budget& budget, Measuring& measuring, MeasuredSpec& measured) {
  const auto by_pairs = [](const Claim& claim) { return claim.notion->locking.pairs; };
  if (std::none_of(spec.claims.begin(), spec.claims.end(), by_pairs)) return;
  const std::string what = "losses of all pairs of inputs";
  try {
    MeasuredModel subject(spec.model, budget);
    if (const auto losses = input_losses(subject)) {
      measuring.add_pairs(*losses);
    } else {
      measured.now.by_content.insert(what);
    }
  } catch (const LimitError& error) {
    measured.open[what] = error.what();
    measured.open_notions.insert("loss");
  }
}

// The spec itself by what it says, tables by their rows, other specs that it uses like itself.
// files: the spec first.
std::string content_of(const JsonDocument& spec, std::span<const SourceFile> files, Budget& budget) {
  std::string hashes = content_hash(spec) + "\n";
  for (const SourceFile& file : files.subspan(1)) {
    std::string text = read_file(file.file, budget.limits());
    hashes +=
        (file.is_spec ? content_hash(JsonDocument(file.file, std::move(text))) : table_hash(file.file, text, budget)) +
        "\n";
  }
  return sha256(hashes);
}

}  // namespace

MeasuredSpec measure_for_lock(const std::string& file, const EvaluateOptions& options) {
  Budget budget(options.limits);
  const auto document = std::make_shared<const JsonDocument>(file, read_file(file, options.limits));
  const Spec spec = read_spec_document(document, std::filesystem::path(file).parent_path().string(), budget);
  MeasuredSpec measured;
  measured.file = file;
  for (const SourceFile& source : spec.files) measured.read.push_back(source.file);
  measured.now.content = content_of(*document, spec.files, budget);
  const SpecResult result = evaluate(spec, budget, options);
  if (result.functions || !result.outputs) measured.now.by_content.insert(kAllLevels);
  if (!result.outputs) return measured;
  Measuring measuring(result, measured);
  measuring.add_analysis();
  if (!result.functions) add_pairs(spec, budget, measuring, measured);
  for (std::size_t i = 0; i < spec.claims.size(); ++i) {
    const Claim& claim = spec.claims[i];
    try {
      const std::string key = key_of_claim(claim, spec.model.domain, result.functions.has_value(), budget);
      measuring.add_claim(claim, result.claims[i], key);
    } catch (const LimitError& error) {
      measured.open[claim.notion->name] = error.what();
      measured.open_notions.insert(claim.notion->name);
    }
  }
  return measured;
}

}  // namespace oddsbound::runs
