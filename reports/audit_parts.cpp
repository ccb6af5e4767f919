#include "reports/audit_parts.h"

#include <openssl/evp.h>

#include <charconv>
#include <set>

#include "reports/document.h"
#include "specs/reading.h"
#include "verifier/exact/errors.h"

namespace oddsbound {

namespace {

using Json = nlohmann::ordered_json;

std::string hash_of(const std::string& text) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 failed");
  }
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[digest[i] >> 4];
    hex += kDigits[digest[i] & 15];
  }
  return hex;
}

// Row after row: output, count, output, count, ...
Json tally_json(const Tally& tally) {
  Json rows = Json::array();
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    Json row = Json::array();
    for (std::uint64_t y = 0; y < tally.outputs(); ++y) {
      if (tally.at(x, y) == 0) continue;
      row.push_back(y);
      row.push_back(tally.at(x, y));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

constexpr std::int64_t kMost = std::int64_t{1} << 53;

std::uint64_t read_whole(JsonView value, std::string_view what, std::int64_t most = kMost) {
  return static_cast<std::uint64_t>(read_integer(value, what, 0, most));
}

double read_double(JsonView value, std::string_view what) {
  const std::string_view text = value.text();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (value.kind() != JsonKind::kNumber || error != std::errc() || end != text.data() + text.size()) {
    value.fail("found " + value.kind_name() + ", expected " + std::string(what));
  }
  return number;
}

Tally read_tally(JsonView value, std::uint64_t inputs, std::uint64_t outputs) {
  const std::vector<JsonView> rows = read_array(value, "counts");
  if (rows.empty()) return {};
  if (rows.size() != inputs)
    value.fail("found " + std::to_string(rows.size()) + " rows, expected " + std::to_string(inputs));
  Tally tally(inputs, outputs);
  for (std::uint64_t x = 0; x < inputs; ++x) {
    const std::vector<JsonView> cells = read_array(rows[x], "a row of counts");
    if (cells.size() % 2 != 0) rows[x].fail("found an odd number of numbers, expected outputs and counts in turn");
    for (std::size_t i = 0; i < cells.size(); i += 2) {
      const std::uint64_t y = read_whole(cells[i], "an output", static_cast<std::int64_t>(outputs) - 1);
      tally.row(x)[y] += read_whole(cells[i + 1], "a count");
    }
  }
  return tally;
}

bool equal(const Tally& a, const Tally& b) {
  if (a.rows() != b.rows() || a.outputs() != b.outputs()) return false;
  for (std::uint64_t x = 0; x < a.rows(); ++x) {
    const auto one = a.row(x), other = b.row(x);
    if (!std::equal(one.begin(), one.end(), other.begin())) return false;
  }
  return true;
}

struct AuditPart {
  std::string file;
  std::string spec_hash;
  AuditRequest request;
  std::vector<Evidence> evidence;
  std::vector<std::string> dependence;
};

// What all parts of an audit have in common; `head` is where to complain.
void read_head(JsonView head, AuditPart& part) {
  const Fields fields(head,
                      {"spec", "sha256", "program", "one_process_per_sample", "samples", "error", "seed", "all_levels",
                       "shard", "shards", "dependence"},
                      "a part of an audit");
  AuditRequest& request = part.request;
  request.spec = read_string(fields.require("spec"), "the spec");
  part.spec_hash = read_string(fields.require("sha256"), "the hash");
  request.program = read_string(fields.require("program"), "the program");
  request.one_process_per_sample = read_boolean(fields.require("one_process_per_sample"), "one_process_per_sample");
  request.options.samples = read_whole(fields.require("samples"), "the samples");
  request.options.alpha = read_double(fields.require("error"), "the error");
  if (!(request.options.alpha > 0 && request.options.alpha <= 0.5)) head.fail("the error is not between 0 and 1/2");
  request.options.seed = read_whole(fields.require("seed"), "the seed", INT64_MAX);
  request.options.all_levels = read_boolean(fields.require("all_levels"), "all_levels");
  request.options.shards = read_whole(fields.require("shards"), "the number of shards", 1 << 20);
  request.options.shard = read_whole(fields.require("shard"), "the shard", 1 << 20);
  if (request.options.shard >= request.options.shards) head.fail("there is no such shard");
  for (const JsonView& found : read_array(fields.require("dependence"), "findings")) {
    part.dependence.push_back(read_string(found, "a finding"));
  }
}

Evidence read_evidence(JsonView value, const Question& question, const Spec& spec) {
  const Fields fields(value,
                      {"question", "sides", "only_first", "how", "planned", "pilot_rounds", "score", "pilot", "second", "final"},
                      "the counts of a question");
  const JsonView title = fields.require("question");
  if (read_string(title, "a question") != question.title()) {
    title.fail("found '" + printable(title.text()) + "', expected '" + printable(question.title()) + "'");
  }
  Evidence evidence;
  evidence.question = question;
  for (const JsonView& side : read_array(fields.require("sides"), "sides")) {
    const auto most = static_cast<std::int64_t>(question.sides.size()) - 1;
    evidence.game.sides.push_back(static_cast<std::uint32_t>(read_whole(side, "a side", most)));
  }
  evidence.game.only_first = read_boolean(fields.require("only_first"), "only_first");
  evidence.how = read_string(fields.require("how"), "words");
  evidence.planned = read_whole(fields.require("planned"), "the rounds");
  evidence.pilot_rounds = read_whole(fields.require("pilot_rounds"), "the rounds");
  const std::vector<JsonView> score = read_array(fields.require("score"), "a score");
  if (score.size() != 3) fields.require("score").fail("expected rounds, guesses and right guesses");
  evidence.score = {read_whole(score[0], "rounds"), read_whole(score[1], "guesses"), read_whole(score[2], "guesses")};
  if (evidence.score.guesses > evidence.score.rounds || evidence.score.right > evidence.score.guesses) {
    fields.require("score").fail("expected no more guesses than rounds, and no more right ones than guesses");
  }
  const std::uint64_t outputs = outputs_are_counted(spec) ? spec.model.channel->outputs() : 0;
  evidence.pilot = read_tally(fields.require("pilot"), spec.model.domain.inputs(), outputs);
  evidence.second = read_tally(fields.require("second"), spec.model.domain.inputs(), outputs);
  evidence.final = read_tally(fields.require("final"), spec.model.domain.inputs(), outputs);
  if (outputs > 0 && evidence.final.total() != evidence.score.rounds) {
    value.fail("the counts sum to " + std::to_string(evidence.final.total()) + ", the score is of " +
               std::to_string(evidence.score.rounds) + " rounds");
  }
  return evidence;
}

void add_part(AuditPart& sum, const AuditPart& part) {
  const auto fail = [&](const std::string& what) {
    throw SpecError({part.file, 0, 0, ""}, what + " than " + sum.file);
  };
  const AuditOptions &a = sum.request.options, &b = part.request.options;
  if (a.samples != b.samples || a.alpha != b.alpha || a.seed != b.seed || a.all_levels != b.all_levels ||
      a.shards != b.shards || sum.request.program != part.request.program || sum.spec_hash != part.spec_hash) {
    fail("this is a part of another audit");
  }
  for (std::size_t q = 0; q < sum.evidence.size(); ++q) {
    Evidence& into = sum.evidence[q];
    const Evidence& from = part.evidence[q];
    if (into.game != from.game || into.planned != from.planned || into.how != from.how ||
        !equal(into.pilot, from.pilot) || !equal(into.second, from.second)) {
      fail("the pilot went another way (a program that does not follow its seeds cannot be audited in parts)");
    }
    into.score += from.score;
    if (into.final.rows() == from.final.rows()) into.final += from.final;
  }
  sum.dependence.insert(sum.dependence.end(), part.dependence.begin(), part.dependence.end());
}

}  // namespace

std::string run_part(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress) {
  Budget budget(limits);
  const Spec spec = read_spec(request.spec, budget);
  require_no_symbols(spec, "an audit");
  const auto sampler = sampler_of(spec, request, budget);
  const Measurement measured =
      measure(spec, *sampler.runner, request.options, budget, [&](std::uint64_t runs, std::uint64_t planned) {
        if (progress) progress(spec.name, runs, planned, std::nullopt);
      });
  if (!measured.interrupted.empty()) throw ModelError(measured.interrupted);
  const AuditOptions& options = request.options;
  Json json = json_head();
  json["part"] = {{"spec", request.spec},
                  {"sha256", hash_of(read_file(request.spec, limits))},
                  {"program", request.program},
                  {"one_process_per_sample", request.one_process_per_sample},
                  {"samples", options.samples},
                  {"error", options.alpha},
                  {"seed", options.seed},
                  {"all_levels", options.all_levels},
                  {"shard", options.shard},
                  {"shards", options.shards},
                  {"dependence", sampler.watch ? sampler.watch->findings() : std::vector<std::string>{}}};
  json["questions"] = Json::array();
  for (const Evidence& evidence : measured.evidence) {
    const Score& score = evidence.score;
    json["questions"].push_back({{"question", evidence.question.title()},
                                 {"sides", evidence.game.sides},
                                 {"only_first", evidence.game.only_first},
                                 {"how", evidence.how},
                                 {"planned", evidence.planned},
                                 {"pilot_rounds", evidence.pilot_rounds},
                                 {"score", {score.rounds, score.guesses, score.right}},
                                 {"pilot", tally_json(evidence.pilot)},
                                 {"second", tally_json(evidence.second)},
                                 {"final", tally_json(evidence.final)}});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

StatisticalAudit merge_parts(std::span<const std::string> files, const Limits& limits) {
  Budget budget(limits);
  std::optional<Spec> spec;
  std::optional<AuditPart> sum;
  std::vector<Question> questions;
  std::set<std::uint64_t> shards;
  for (const std::string& file : files) {
    const JsonDocument document(file, read_file(file, limits));
    const Fields fields(document.root(), {"oddsbound", "tool", "part", "questions"}, "a part of an audit");
    read_integer(fields.require("oddsbound"), "the version", 1, 1);
    AuditPart part;
    part.file = file;
    read_head(fields.require("part"), part);
    if (!spec) {
      spec = read_spec(part.request.spec, budget);
      questions = questions_of(*spec, part.request.options.all_levels, budget);
      if (hash_of(read_file(part.request.spec, limits)) != part.spec_hash) {
        fields.require("part").fail("the spec " + printable(part.request.spec) + " has changed since");
      }
    }
    const JsonView listed = fields.require("questions");
    const std::vector<JsonView> items = read_array(listed, "questions");
    if (items.size() != questions.size()) {
      listed.fail("found " + std::to_string(items.size()) + " questions, expected " + std::to_string(questions.size()));
    }
    for (std::size_t q = 0; q < items.size(); ++q)
      part.evidence.push_back(read_evidence(items[q], questions[q], *spec));
    if (!shards.insert(part.request.options.shard).second) {
      fields.require("part").fail("shard " + std::to_string(part.request.options.shard + 1) + " is there twice");
    }
    sum ? add_part(*sum, part) : void(sum = std::move(part));
  }
  if (shards.size() != sum->request.options.shards) {
    throw SpecError({sum->file, 0, 0, ""}, "found " + std::to_string(shards.size()) + " of " +
                                               std::to_string(sum->request.options.shards) + " parts of this audit");
  }
  StatisticalAudit audit;
  audit.request = sum->request;
  describe_spec(audit, *spec);
  audit.findings = assess(*spec, {std::move(sum->evidence), ""}, sum->request.options, budget);
  audit.findings.dependence = sum->dependence;
  return audit;
}

}  // namespace oddsbound
