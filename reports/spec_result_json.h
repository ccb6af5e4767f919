// JSON of the parts of a spec's result, in both directions. Include only in files of results (heavy library).
#pragma once

#include <nlohmann/json.hpp>

#include "reports/spec_result.h"
#include "specs/reading.h"

namespace oddsbound::reports {

/// Returns the word of a verdict. A claim over a set that contains the true prior only with some confidence "holds
/// with confidence".
std::string verdict_word(Verdict verdict, bool certain);
/// Throws SpecError for another word, including the word for the other value of `certain`.
Verdict read_verdict(JsonView word, bool certain);

nlohmann::ordered_json spec_json(const SpecResult& spec);
SpecResult read_spec_result(JsonView json, ReadingContext& context);

nlohmann::ordered_json claim_json(const ClaimResult& claim);
ClaimResult read_claim_result(JsonView json, const SpecResult& spec, std::size_t index, ReadingContext& context);

/// A probability, or a distance between distributions.
Number read_share(JsonView json, ReadingContext& context);

nlohmann::ordered_json tradeoff_json(const Tradeoff& tradeoff);
/// of: the owner of the curve.
Tradeoff read_tradeoff(JsonView json, const std::string& of, ReadingContext& context);

nlohmann::ordered_json effects_json(const Effects& effects, const std::vector<std::string>& coordinates);
Effects read_effects(JsonView json, const std::vector<std::string>& coordinates, ReadingContext& context);
nlohmann::ordered_json average_json(const Average& average);
Average read_average(JsonView json, ReadingContext& context);

}  // namespace oddsbound::reports
