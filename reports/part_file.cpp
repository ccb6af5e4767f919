#include "reports/part_file.h"

#include <algorithm>

#include "reports/level_fields.h"
#include "reports/spec_result.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

namespace {

using Json = nlohmann::ordered_json;

// One array per row: output, count, output, count, ...
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

Tally read_tally(JsonView value, std::uint64_t inputs, std::uint64_t outputs) {
  const std::vector<JsonView> rows = read_array(value, "counts");
  if (rows.size() != inputs)
    value.fail("found " + std::to_string(rows.size()) + " rows, expected " + std::to_string(inputs));
  Tally tally(inputs, outputs);
  std::uint64_t left = kMost;  // keeps the sum of all counts below 2^53
  for (std::uint64_t x = 0; x < inputs; ++x) {
    const std::vector<JsonView> cells = read_array(rows[x], "a row of counts");
    if (cells.size() % 2 != 0) rows[x].fail("found an odd number of numbers, expected outputs and counts in turn");
    for (std::size_t i = 0; i < cells.size(); i += 2) {
      const std::uint64_t y = read_whole(cells[i], "an output", static_cast<std::int64_t>(outputs) - 1);
      if (tally.at(x, y) > 0) cells[i].fail("this output is there twice");
      tally.row(x)[y] = read_whole(cells[i + 1], "a count", static_cast<std::int64_t>(left));
      left -= tally.at(x, y);
    }
  }
  return tally;
}

Json repeats_json(const RepeatCounts& counts) {
  return {
      {"runs", counts.runs}, {"differences", counts.differences}, {"within", counts.within}, {"across", counts.across}};
}

std::vector<std::uint64_t> read_counts(JsonView value, std::uint64_t expected) {
  const std::vector<JsonView> cells = read_array(value, "counts");
  if (cells.size() != expected) value.fail("expected " + std::to_string(expected) + " counts");
  std::vector<std::uint64_t> counts;
  for (const JsonView& cell : cells) counts.push_back(read_whole(cell, "a count"));
  return counts;
}

RepeatCounts read_repeats(JsonView value, std::uint64_t inputs) {
  const Fields fields(value, {"runs", "differences", "within", "across"}, "counts of repeats");
  RepeatCounts counts(inputs);
  counts.runs = read_whole(fields.require("runs"), "a count");
  const JsonView differences = fields.require("differences");
  const std::vector<JsonView> rows = read_array(differences, "counts of kinds of repeats");
  if (rows.size() != kRepeatKinds) differences.fail("expected counts of " + std::to_string(kRepeatKinds) + " kinds");
  for (std::size_t kind = 0; kind < kRepeatKinds; ++kind) {
    const std::vector<std::uint64_t> row = read_counts(rows[kind], counts.differences[kind].size());
    std::copy(row.begin(), row.end(), counts.differences[kind].begin());
  }
  counts.within = read_counts(fields.require("within"), inputs);
  counts.across = read_counts(fields.require("across"), inputs);
  return counts;
}

// Non-zero cells: the index of each, then its counts: answer outside the set, answer inside.
Json answers_json(const AnswerCounts& counts) {
  Json cells = Json::array();
  for (std::size_t c = 0; c < counts.cells.size(); ++c) {
    if (counts.cells[c] == AnswerCounts::Cell{}) continue;
    Json cell = Json::array({c});
    for (const auto& side : counts.cells[c]) {
      for (const std::uint64_t count : side) cell.push_back(count);
    }
    cells.push_back(std::move(cell));
  }
  return {{"small_requests", counts.small_requests}, {"looked", counts.looked}, {"cells", std::move(cells)}};
}

AnswerCounts read_answers(JsonView value, std::size_t sets) {
  const Fields fields(value, {"small_requests", "looked", "cells"}, "counts of answers");
  AnswerCounts counts(sets);
  counts.small_requests = read_whole(fields.require("small_requests"), "a count");
  const std::vector<std::uint64_t> looked = read_counts(fields.require("looked"), kAnswerKinds);
  std::copy(looked.begin(), looked.end(), counts.looked.begin());
  for (const JsonView& item : read_array(fields.require("cells"), "cells")) {
    const std::vector<std::uint64_t> numbers = read_counts(item, 1 + 2 * kBeside);
    if (numbers[0] >= counts.cells.size()) item.fail("there is no such cell");
    AnswerCounts::Cell& cell = counts.cells[numbers[0]];
    if (cell != AnswerCounts::Cell{}) item.fail("this cell is there twice");
    for (std::size_t i = 0; i < 2 * kBeside; ++i) cell[i / kBeside][i % kBeside] = numbers[1 + i];
  }
  return counts;
}

Json spread_json(const SpreadCounts& counts) {
  return {{"pairs", counts.pairs}, {"least", counts.least}, {"greatest", counts.greatest}};
}

SpreadCounts read_spread(JsonView value) {
  const Fields fields(value, {"pairs", "least", "greatest"}, "counts of pairs of requests");
  SpreadCounts counts;
  counts.pairs = read_whole(fields.require("pairs"), "a count");
  for (const auto& [key, won] : {std::pair{"least", &counts.least}, std::pair{"greatest", &counts.greatest}}) {
    const JsonView listed = fields.require(key);
    const std::vector<std::uint64_t> numbers = read_counts(listed, kSpreadSets);
    if (*std::max_element(numbers.begin(), numbers.end()) > counts.pairs) listed.fail("there are not so many pairs");
    std::copy(numbers.begin(), numbers.end(), won->begin());
  }
  return counts;
}

std::optional<DependenceWatch::Counts> read_watched(JsonView value, std::uint64_t inputs, std::uint64_t outputs) {
  if (value.kind() == JsonKind::kNull) return std::nullopt;
  const Fields fields(value,
                      {"pilot", "rest", "same_start", "repeated", "pilot_answers", "answers", "pilot_spread", "spread"},
                      "what was seen of dependence");
  const std::size_t sets = OutputSets::count_for(inputs, outputs);
  return DependenceWatch::Counts{read_repeats(fields.require("pilot"), inputs),
                                 read_repeats(fields.require("rest"), inputs),
                                 read_string(fields.require("same_start"), "a finding"),
                                 read_string(fields.require("repeated"), "a finding"),
                                 read_answers(fields.require("pilot_answers"), sets),
                                 read_answers(fields.require("answers"), sets),
                                 read_spread(fields.require("pilot_spread")),
                                 read_spread(fields.require("spread"))};
}

// Reads what all parts of an audit have in common. Errors are placed at `head`.
void read_head(JsonView head, AuditPart& part) {
  const Fields fields(head,
                      {"spec", "sha256", "program", "function", "one_process_per_sample", "samples", "error", "seed",
                       "all_levels", "shard", "shards"},
                      "a part of an audit");
  AuditRequest& request = part.request;
  request.spec = read_string(fields.require("spec"), "the spec");
  part.spec_hash = read_string(fields.require("sha256"), "the hash");
  request.program = read_string(fields.require("program"), "the program");
  if (const auto function = fields.find("function")) request.function = read_string(*function, "the function");
  request.one_process_per_sample = read_boolean(fields.require("one_process_per_sample"), "one_process_per_sample");
  request.options.samples = read_whole(fields.require("samples"), "the samples");
  request.options.alpha = result_double(fields.require("error"), "the error");
  if (!(request.options.alpha > 0 && request.options.alpha <= 0.5)) head.fail("the error is not between 0 and 1/2");
  request.options.seed = read_whole(fields.require("seed"), "the seed", INT64_MAX);
  request.options.all_levels = read_boolean(fields.require("all_levels"), "all_levels");
  request.options.shards = read_whole(fields.require("shards"), "the number of shards", 1 << 20);
  request.options.shard = read_whole(fields.require("shard"), "the shard", 1 << 20);
  if (request.options.shard >= request.options.shards) head.fail("there is no such shard");
}

GameEvidence read_part_evidence(JsonView value, const Question& question) {
  const Fields fields(value, {"question", "sides", "only_first", "how", "planned", "pilot_rounds", "score"},
                      "the counts of a question");
  const JsonView title = fields.require("question");
  if (read_string(title, "a question") != question.title()) {
    title.fail("found '" + printable(title.text()) + "', expected '" + printable(question.title()) + "'");
  }
  GameEvidence evidence;
  evidence.question = question;
  const JsonView sides = fields.require("sides");
  for (const JsonView& side : read_array(sides, "sides")) {
    const auto most = static_cast<std::int64_t>(question.sides.size()) - 1;
    evidence.game.sides.push_back(static_cast<std::uint32_t>(read_whole(side, "a side", most)));
  }
  evidence.game.only_first = read_boolean(fields.require("only_first"), "only_first");
  if (!is_game_of(question, evidence.game)) sides.fail("these sides are not compared");
  evidence.how = read_string(fields.require("how"), "words");
  evidence.planned = read_whole(fields.require("planned"), "the rounds");
  evidence.pilot_rounds = read_whole(fields.require("pilot_rounds"), "the rounds");
  const std::vector<JsonView> score = read_array(fields.require("score"), "a score");
  if (score.size() != 3) fields.require("score").fail("expected rounds, guesses and right guesses");
  evidence.score = {read_whole(score[0], "rounds"), read_whole(score[1], "guesses"), read_whole(score[2], "guesses")};
  if (evidence.score.guesses > evidence.score.rounds || evidence.score.right > evidence.score.guesses) {
    fields.require("score").fail("expected no more guesses than rounds, and no more right ones than guesses");
  }
  return evidence;
}

// The scores of the games must match the counts.
void require_consistent(const Measurement& measured, JsonView stages) {
  if (measured.stages.empty()) return;
  std::uint64_t rounds = 0;
  for (const GameEvidence& evidence : measured.evidence) rounds += evidence.score.rounds;
  const std::uint64_t counted = measured.stages.back().total();
  if (counted == rounds) return;
  stages.fail("the counts sum to " + std::to_string(counted) + ", the scores are of " + std::to_string(rounds) +
              " rounds");
}

Fields fields_of(const JsonDocument& document) {
  return {document.root(), {"oddsbound", "tool", "part", "questions", "stages", "watched"}, "a part of an audit"};
}

}  // namespace

std::string part_text(const AuditPart& part) {
  const AuditOptions& options = part.request.options;
  Json json = json_head();
  json["part"] = {{"spec", part.request.spec},
                  {"sha256", part.spec_hash},
                  {"program", part.request.program},
                  {"one_process_per_sample", part.request.one_process_per_sample},
                  {"samples", options.samples},
                  {"error", options.alpha},
                  {"seed", options.seed},
                  {"all_levels", options.all_levels},
                  {"shard", options.shard},
                  {"shards", options.shards}};
  if (!part.request.function.empty()) json["part"]["function"] = part.request.function;
  json["questions"] = Json::array();
  for (const GameEvidence& evidence : part.measured.evidence) {
    const Score& score = evidence.score;
    json["questions"].push_back({{"question", evidence.question.title()},
                                 {"sides", evidence.game.sides},
                                 {"only_first", evidence.game.only_first},
                                 {"how", evidence.how},
                                 {"planned", evidence.planned},
                                 {"pilot_rounds", evidence.pilot_rounds},
                                 {"score", {score.rounds, score.guesses, score.right}}});
  }
  json["stages"] = Json::array();
  for (const Tally& stage : part.measured.stages) json["stages"].push_back(tally_json(stage));
  json["watched"] = nullptr;
  if (part.watched) {
    json["watched"] = {{"pilot", repeats_json(part.watched->pilot)},
                       {"rest", repeats_json(part.watched->rest)},
                       {"same_start", part.watched->same_start},
                       {"repeated", part.watched->repeated},
                       {"pilot_answers", answers_json(part.watched->pilot_answers)},
                       {"answers", answers_json(part.watched->answers)},
                       {"pilot_spread", spread_json(part.watched->pilot_spread)},
                       {"spread", spread_json(part.watched->spread)}};
  }
  return one_line(json) + "\n";
}

AuditPart read_part_head(const JsonDocument& document) {
  const Fields fields = fields_of(document);
  read_integer(fields.require("oddsbound"), "the version", 1, 1);
  AuditPart part;
  part.file = document.file();
  part.version =
      read_string(Fields(fields.require("tool"), {"name", "version"}, "the tool").require("version"), "a version");
  read_head(fields.require("part"), part);
  return part;
}

void read_part_counts(const JsonDocument& document, const Spec& spec, const std::vector<Question>& questions,
                      AuditPart& part) {
  const Fields fields = fields_of(document);
  const JsonView listed = fields.require("questions");
  const std::vector<JsonView> items = read_array(listed, "questions");
  if (items.size() != questions.size()) {
    listed.fail("found " + std::to_string(items.size()) + " questions, expected " + std::to_string(questions.size()));
  }
  for (std::size_t q = 0; q < items.size(); ++q) {
    part.measured.evidence.push_back(read_part_evidence(items[q], questions[q]));
  }
  const JsonView stages = fields.require("stages");
  const std::vector<JsonView> tallies = read_array(stages, "stages");
  if (tallies.size() != (outputs_are_counted(spec) ? 3 : 0)) stages.fail("these are not the stages of an audit");
  for (const JsonView& tally : tallies) {
    part.measured.stages.push_back(read_tally(tally, spec.model.domain.inputs(), spec.model.channel->outputs()));
  }
  require_consistent(part.measured, stages);
  const JsonView watched = fields.require("watched");
  const std::uint64_t outputs = outputs_are_counted(spec) ? spec.model.channel->outputs() : 0;
  part.watched = read_watched(watched, spec.model.domain.inputs(), outputs);
  const bool others = !part.request.program.empty() || !part.request.function.empty();
  if (part.watched.has_value() != (outputs_are_counted(spec) && others)) {
    watched.fail(
        "whether runs are independent is looked at for samplers of others whose outputs are counted, and only for "
        "these");
  }
}

}  // namespace oddsbound::reports
