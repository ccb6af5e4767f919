// The report of an audit by statistics, as text and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/json_parts.h"
#include "runs/statistical.h"

namespace oddsbound {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostDeviations = 20;

std::string trimmed(double value) {
  if (std::isinf(value)) return "inf";
  std::string text = fmt::format("{:.5f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}
// Decimals, never above (never below) the value.
std::string at_least(double value) { return trimmed(std::floor(value * 1e5) / 1e5); }
std::string at_most(double value) { return trimmed(std::ceil(value * 1e5) / 1e5); }

std::string confidence_words(double alpha) { return fmt::format("{:.12g} %", 100 * (1 - alpha)); }

std::string party_words(const Party& party) {
  if (const auto* label = std::get_if<std::string>(&party)) return printable(*label, 40);
  const auto& values = std::get<std::vector<std::string>>(party);
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ",") + value;
  return printable(values.size() == 1 ? text : "(" + text + ")", 40);
}

std::string sampler_title(const AuditRequest& request) {
  if (!request.transcript.empty()) return "recorded runs, " + printable(request.transcript, 200);
  if (request.program.empty()) return "the built-in sampler";
  return "the program `" + printable(request.program, 200) + "`" +
         (request.one_process_per_sample ? ", one process per sample" : "");
}

std::string game_words(const LevelFinding& level) {
  if (level.game.sides.empty()) return level.recorded ? "nothing is told apart" : "no game was found";
  const auto& sides = level.question.sides;
  const bool two = level.game.sides.size() == 2;
  if (level.recorded) {
    return fmt::format("{}from {} against {}",
                       level.witness.empty() ? "" : "output `" + printable(level.witness, 40) + "` ",
                       party_words(sides[level.game.sides[0]].party), party_words(sides[level.game.sides[1]].party));
  }
  const std::string among =
      two ? party_words(sides[level.game.sides[0]].party) + " or " + party_words(sides[level.game.sides[1]].party)
          : fmt::format("{} inputs or values", level.game.sides.size());
  return fmt::format("{} of {} guesses right, of {} rounds: {}", level.score.right, level.score.guesses,
                     level.score.rounds, among);
}

std::string claimed_level_words(const LevelFinding& level, const ClaimedLevel& claim) {
  return printable(level.question.bounds_delta() ? claim.delta.to_string() : claim.level.to_string(), 40);
}

std::string level_lines(const LevelFinding& level) {
  std::string title = printable(level.question.title(), 60);
  if (level.question.bounds_delta()) title += " at " + printable(level.question.at->to_string(), 30) + ": delta";
  std::string text = fmt::format("    {:<18} at least {}", title, at_least(level.bound));
  if (level.upper) text += fmt::format(", at most {}", at_most(*level.upper));
  text += "\n      " + game_words(level) + fmt::format("; could have shown {}\n", at_least(level.ceiling));
  for (const ClaimFinding& claim : level.claims) {
    text += fmt::format("      claim {}: {}{}\n", claim.claimed.claim, claimed_level_words(level, claim.claimed),
                        claim.contradicted
                            ? (claim.claimed.expect_holds ? " is CONTRADICTED" : " is contradicted, as it should be")
                            : " is not contradicted");
  }
  return text;
}

std::string deviation_line(const StatisticalAudit& audit, const Deviation& deviation) {
  const double share = static_cast<double>(deviation.count) / static_cast<double>(deviation.runs);
  const std::string interval = deviation.interval ? fmt::format(", in [{}, {}]", at_least(deviation.interval->first),
                                                                at_most(deviation.interval->second))
                                                  : "";
  return fmt::format("    input {}, output `{}`: {} of {} runs ({:.6f}{}), stated {}{}\n",
                     printable(input_label(audit.domain, deviation.input), 60),
                     printable(audit.channel->output_label(deviation.output), 60), deviation.count, deviation.runs,
                     share, interval, printable(deviation.stated.to_string(), 60),
                     deviation.as_a_whole ? "; the outputs of this input deviate as a whole" : "");
}

std::string agreement_lines(const StatisticalAudit& audit) {
  const Agreement& agreement = audit.findings.agreement;
  if (!agreement.untested.empty())
    return "  agreement with the stated channel was not tested: " + agreement.untested + "\n";
  std::string text;
  if (agreement.deviations.empty()) {
    text = fmt::format("  agrees with the stated channel, as far as seen: {} entries of {} inputs", agreement.entries,
                       agreement.inputs);
    if (agreement.power) {
      text += fmt::format(
          "; a change by {} in total variation\n    at any of these inputs would have been found with probability 0.99",
          at_most(*agreement.power));
    }
    return text + "\n";
  }
  text = "  DEVIATES from the stated channel:\n";
  for (std::size_t i = 0; i < std::min(agreement.deviations.size(), kMostDeviations); ++i) {
    text += deviation_line(audit, agreement.deviations[i]);
  }
  if (agreement.deviations.size() > kMostDeviations) {
    text += fmt::format("    ... at {} inputs in all\n", agreement.deviations.size());
  }
  if (!audit.findings.contradicted()) {
    text +=
        "  no claim is contradicted by that: the sampler is not the one stated, which may or may not cost privacy\n";
  }
  return text;
}

std::string again_words(const std::optional<double>& share) {
  return share ? fmt::format(", again in a share of {} of the runs", at_most(*share)) : ": too few runs to say";
}

std::string independence_lines(const AuditFindings& findings) {
  if (!findings.dependence_untested.empty()) {
    return "  whether runs are independent was not tested: " + findings.dependence_untested + "\n";
  }
  if (!findings.dependence_power || !findings.dependence.empty()) return "";
  const DependencePower& power = *findings.dependence_power;
  std::string text = fmt::format("  runs look independent, as far as seen in {} runs", power.runs);
  if (!power.within && !power.across) {
    text += ", which are too few to say what would have been found\n";
  } else {
    text += fmt::format(
        "; would have been found with probability 0.99:\n"
        "    the output 1 to {} runs or half a batch before{}\n"
        "    the output at the same place of the batch before{}\n",
        kRepeatLags, again_words(power.within), again_words(power.across));
  }
  if (!power.stretches)
    text += "    outputs vary too little for comparing stretches of them, or starts of the program\n";
  return text;
}

std::string summary_lines(const StatisticalAudit& audit) {
  const AuditFindings& findings = audit.findings;
  std::string text = fmt::format("  {}: {} runs", audit.verdict(), findings.runs);
  if (audit.request.transcript.empty()) text += fmt::format(", seed {}", audit.request.options.seed);
  if (audit.request.expect != Expectation::kPasses) {
    text += fmt::format("; expected: {}", word_of(audit.request.expect));
  }
  text += "\n";
  if (findings.interrupted) text += "  INTERRUPTED: " + findings.interrupted.reason + "\n";
  for (const std::string& found : findings.dependence) text += "  RUNS ARE NOT INDEPENDENT: " + found + "\n";
  if (!findings.dependence.empty()) text += "  what follows supposes that they are, and may be wrong\n";
  return text + independence_lines(findings);
}

std::string statistical_text(const StatisticalAudit& audit) {
  const AuditFindings& findings = audit.findings;
  std::string text = fmt::format("{} ({}): {}\n", printable(audit.name), printable(audit.request.spec, 200),
                                 sampler_title(audit.request)) +
                     summary_lines(audit);
  if (findings.runs == 0) return text;
  text += fmt::format("  with confidence {}, all of this together:\n", confidence_words(audit.request.options.alpha));
  for (const LevelFinding& level : findings.levels) text += level_lines(level);
  if (std::any_of(findings.levels.begin(), findings.levels.end(), [](const auto& level) { return level.upper; })) {
    text += "    (\"at most\" rests on the sampler having no other outputs than those of the spec)\n";
  }
  return text + agreement_lines(audit);
}

Json bound_json(double value) { return std::isinf(value) ? Json("inf") : Json(value); }

Json parties_json(const LevelFinding& level) {
  Json parties = Json::array();
  for (const std::uint32_t side : level.game.sides) {
    parties.push_back(party_json(level.question.sides[side].party));
  }
  return parties;
}

Json exact_json(const ExactAnswer& exact) {
  if (exact.level) return level_json(*exact.level);
  return exact.delta ? Json{{"delta", exact.delta->to_string()}} : Json(nullptr);
}

Json finding_json(const LevelFinding& level) {
  Json json{{"notion", level.question.notion}, {"about", level.question.about}};
  if (level.question.bounds_delta()) json["delta_at"] = level.question.at->to_string();
  json["at_least"] = bound_json(level.bound);
  json["at_most"] = level.upper ? bound_json(*level.upper) : Json(nullptr);
  json["ceiling"] = bound_json(level.ceiling);
  json["error"] = level.alpha;
  json["valid_at_any_time"] = level.any_time;
  json["how"] = level.how;
  json["sides"] = parties_json(level);
  json["only_first_is_guessed"] = level.game.only_first;
  json["output"] = level.witness.empty() ? Json(nullptr) : Json(level.witness);
  json["rounds"] = level.score.rounds;
  json["guesses"] = level.score.guesses;
  json["right"] = level.score.right;
  json["claims"] = Json::array();
  for (const ClaimFinding& claim : level.claims) {
    const ClaimedLevel& claimed = claim.claimed;
    json["claims"].push_back(
        {{"index", claimed.claim},
         {"claimed", level.question.bounds_delta() ? claimed.delta.to_string() : claimed.level.to_string()},
         {"expect", claimed.expect_holds ? "holds" : "refuted"},
         {"contradicted", claim.contradicted}});
  }
  return json;
}

Json agreement_json(const StatisticalAudit& audit) {
  const Agreement& agreement = audit.findings.agreement;
  if (!agreement.untested.empty()) return {{"tested", false}, {"reason", agreement.untested}};
  Json json{{"tested", true}, {"inputs", agreement.inputs}, {"entries", agreement.entries}};
  json["power"] = agreement.power ? Json(*agreement.power) : Json(nullptr);
  json["deviations"] = Json::array();
  for (const Deviation& deviation : agreement.deviations) {
    json["deviations"].push_back({{"input", audit.domain.tuple(deviation.input)},
                                  {"output", audit.channel->output_label(deviation.output)},
                                  {"count", deviation.count},
                                  {"runs", deviation.runs},
                                  {"stated", deviation.stated.to_string()},
                                  {"lower", deviation.interval ? Json(deviation.interval->first) : Json(nullptr)},
                                  {"upper", deviation.interval ? Json(deviation.interval->second) : Json(nullptr)},
                                  {"as_a_whole", deviation.as_a_whole}});
  }
  return json;
}

Json dependence_power_json(const std::optional<DependencePower>& power) {
  if (!power) return nullptr;
  const auto share = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  return {{"runs", power->runs},
          {"within_batch", share(power->within)},
          {"batch_before", share(power->across)},
          {"stretches", power->stretches}};
}

Json sampler_json(const AuditRequest& request) {
  if (!request.transcript.empty()) return {{"transcript", request.transcript}};
  if (request.program.empty()) return "built in";
  return {{"program", request.program}, {"one_process_per_sample", request.one_process_per_sample}};
}

Json statistical_json(const StatisticalAudit& audit) {
  const AuditFindings& findings = audit.findings;
  Json json{{"file", audit.request.spec}, {"name", audit.name}, {"kind", "statistical"}};
  json["plan"] = audit.request.name.empty() ? Json(nullptr) : Json(audit.request.name);
  json["sampler"] = sampler_json(audit.request);
  json["verdict"] = audit.verdict();
  json["expect"] = word_of(audit.request.expect);
  json["ok"] = audit.as_expected();
  json["samples"] = audit.request.options.samples;
  json["runs"] = findings.runs;
  json["error"] = audit.request.options.alpha;
  json["seed"] = std::to_string(audit.request.options.seed);
  json["interrupted"] = findings.interrupted ? Json(findings.interrupted.reason) : Json(nullptr);
  if (findings.interrupted) json["interrupted_by_limit"] = findings.interrupted.by_limit;
  json["dependence"] = findings.dependence;
  json["dependence_untested"] =
      findings.dependence_untested.empty() ? Json(nullptr) : Json(findings.dependence_untested);
  json["dependence_power"] = dependence_power_json(findings.dependence_power);
  json["levels"] = Json::array();
  for (std::size_t i = 0; i < findings.levels.size(); ++i) {
    json["levels"].push_back(finding_json(findings.levels[i]));
    json["levels"].back()["exact"] = i < audit.exact.size() ? exact_json(audit.exact[i]) : Json(nullptr);
    json["levels"].back()["words"] = game_words(findings.levels[i]);
  }
  if (!findings.no_upper.empty()) json["no_upper_bounds"] = findings.no_upper;
  json["agreement"] = agreement_json(audit);
  for (const AnytimeLevel& level : audit.history) {
    Json points = Json::array();
    for (const EvidencePoint& point : level.history) points.push_back({point.runs, bound_json(point.log_evidence)});
    json["evidence"].push_back(
        {{"level", level.question}, {"contradicted_from", level.threshold}, {"log_evidence", points}});
  }
  json["files"] = files_json(audit.files);
  json["words"] = lines_of(summary_lines(audit) + (findings.runs == 0 ? "" : agreement_lines(audit)));
  json["seconds"] = audit.seconds;
  return json;
}

}  // namespace

std::string json_statistical(const StatisticalRun& run) {
  Json json = json_head();
  json["environment"] = environment_json();
  json["audits"] = Json::array();
  std::size_t ok = 0;
  for (const StatisticalAudit& audit : run.audits) {
    json["audits"].push_back(statistical_json(audit));
    ok += audit.as_expected() ? 1 : 0;
  }
  add_errors(json, run.errors);
  json["summary"] = {{"audits", run.audits.size()}, {"as_expected", ok}, {"errors", run.errors.size()}};
  return json_text(json);
}

std::string text_statistical(const StatisticalRun& run) {
  std::string text;
  for (const StatisticalAudit& audit : run.audits) text += statistical_text(audit);
  return text;
}

}  // namespace oddsbound
