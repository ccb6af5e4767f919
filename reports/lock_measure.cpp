// What a spec is locked with: its exact levels, and a hash of what they were measured of.
#include <algorithm>
#include <filesystem>

#include "reports/document.h"
#include "reports/lock.h"
#include "reports/words.h"
#include "specs/reading.h"

namespace oddsbound {

namespace {

// Fields of a claim that are no part of what is asked: its name, and what is answered.
bool is_asked(const std::string& notion, std::string_view key, bool by_number) {
  if (key == "notion" || key == "name" || key == "expect") return false;
  if (!by_number) return true;
  if (key == "tight" || key == "delta") return false;
  return key != "epsilon" || notion == "approximate_dp";
}

// What a claim asks, as text: equal claims have equal keys, wherever they stand in the file.
std::string key_of_claim(JsonView claim, const std::string& notion, bool by_number) {
  constexpr std::size_t kLongest = 120;
  std::map<std::string, std::string> asked;
  for (const JsonView::Member& member : claim.members()) {
    const std::string key(member.key.text());
    if (is_asked(notion, key, by_number)) asked[key] = canonical_json(member.value);
  }
  std::string key = notion;
  for (const auto& [name, value] : asked) key += " " + (name == notion ? "" : name + " ") + value;
  if (key.size() <= kLongest) return key;
  return printable(key, kLongest) + " sha256:" + sha256(key).substr(0, 16);
}

// As a JSON array: no two inputs have the same text.
std::string side_text(const Party& party) {
  return party_json(party).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

class Measuring {
 public:
  Measuring(const SpecResult& result, MeasuredSpec& measured) : result_(result), measured_(measured) {}

  void add(const std::string& key, const MeasuredLevel& level) {
    measured_.now.levels[key] = level.level.to_string();
    measured_.words[key] = witness_words(level.witness, result_.coordinates);
  }

  void add_analysis() {
    const Analysis& analysis = result_.analysis;
    if (analysis.ldp) add("ldp", *analysis.ldp);
    if (analysis.bdp) add("bdp", *analysis.bdp);
    for (std::size_t i = 0; i < result_.coordinates.size(); ++i) {
      if (analysis.cdp) add("cdp " + result_.coordinates[i], (*analysis.cdp)[i]);
      if (analysis.bcdp) add("bcdp " + result_.coordinates[i], (*analysis.bcdp)[i]);
    }
    for (const char* notion : {"ldp", "bdp", "cdp", "bcdp"}) {
      const auto reason = analysis.undecided.find(notion);
      if (reason == analysis.undecided.end() || !result_.outputs) continue;
      measured_.open[notion] = reason->second;
    }
  }

  void add_claim(const ClaimResult& claim, JsonView source) {
    if (!result_.outputs) return;
    const bool covered = claim.notion == "ldp" || claim.notion == "bdp" || claim.notion == "cdp" ||
                         claim.notion == "bcdp" || claim.notion == "partial_dp";
    if (covered && !result_.functions) return place_covered(claim);
    // A single number says little about a matrix of bounds: its verdict is locked, and the loss of every pair.
    const bool by_number = !result_.functions && claim.notion != "post_processing_of" && claim.notion != "context_ldp";
    const std::string key = key_of_claim(source, claim.notion, by_number);
    measured_.places.emplace(key, claim.place);
    if (claim.verdict == Verdict::kUndecided) {
      measured_.open[key] = claim.reason;
      return;
    }
    if (!by_number) {
      measured_.now.verdicts[key] = claim.verdict == Verdict::kHolds ? "holds" : "refuted";
      if (claim.decision.witness) measured_.words[key] = witness_words(*claim.decision.witness, result_.coordinates);
      return;
    }
    const Actual& actual = claim.decision.actual;
    if (const auto* level = std::get_if<MeasuredLevel>(&actual)) add(key, *level);
    if (const auto* delta = std::get_if<Delta>(&actual)) {
      measured_.now.deltas[key] = delta->delta.to_string();
      measured_.words[key] = witness_words(delta->witness, result_.coordinates);
    }
  }

  void add_pairs(const PairwiseLosses& losses) {
    for (std::size_t from = 0; from < losses.sides.size(); ++from) {
      for (std::size_t to = 0; to < losses.sides.size(); ++to) {
        if (from == to) continue;
        const std::string key = "loss from " + side_text(losses.sides[from]) + " to " + side_text(losses.sides[to]);
        measured_.now.levels[key] = losses.loss[from][to].to_string();
      }
    }
  }

 private:
  void place_covered(const ClaimResult& claim) {
    if (claim.notion == "partial_dp") return;
    measured_.places.emplace(claim.notion, claim.place);
    using Levels = std::vector<std::pair<std::string, std::string>>;
    const auto* claimed = std::get_if<Levels>(&claim.claimed);
    for (std::size_t i = 0; claimed != nullptr && i < claimed->size(); ++i) {
      measured_.places.emplace(claim.notion + " " + (*claimed)[i].first, claim.place);
    }
  }

  const SpecResult& result_;
  MeasuredSpec& measured_;
};

// The spec itself by what it says, tables by their lines, other specs that it uses like itself.
// spec_text: of the first file, the spec.
std::string content_of(const std::vector<SourceFile>& files, const std::string& spec_text, const Limits& limits) {
  std::string hashes;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const SourceFile& file = files[i];
    const std::string text = i == 0 ? spec_text : read_file(file.file, limits);
    hashes += (file.file.ends_with(".json") ? content_hash(file.file, text) : table_hash(text)) + "\n";
  }
  return sha256(hashes);
}

}  // namespace

MeasuredSpec measure_for_lock(const std::string& file, const EvaluateOptions& options) {
  Budget budget(options.limits);
  const std::string text = read_file(file, options.limits);
  const std::string directory = std::filesystem::path(file).parent_path().string();
  const Spec spec = read_spec_text(file, directory, text, budget);
  MeasuredSpec measured;
  measured.file = file;
  measured.now.content = content_of(spec.files, text, options.limits);
  const SpecResult result = evaluate(spec, budget, options);
  measured.unmeasured = result.functions.has_value() || !result.outputs;
  Measuring measuring(result, measured);
  measuring.add_analysis();
  const auto by_pairs = [](const Claim& claim) { return claim.notion->name == "context_ldp"; };
  if (!measured.unmeasured && std::any_of(spec.claims.begin(), spec.claims.end(), by_pairs)) {
    Subject subject(spec.model, budget);
    if (const auto losses = input_losses(subject)) measuring.add_pairs(*losses);
  }
  const JsonDocument document(file, text);
  for (const JsonView::Member& member : document.root().members()) {
    if (member.key.text() != "claims") continue;
    const std::vector<JsonView> claims = member.value.items();
    for (std::size_t i = 0; i < claims.size() && i < result.claims.size(); ++i) {
      measuring.add_claim(result.claims[i], claims[i]);
    }
  }
  return measured;
}

}  // namespace oddsbound
