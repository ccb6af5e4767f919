// JSON of the parts of a spec's result, in both directions. Include only in files of results (heavy library).
#pragma once

#include "reports/fields.h"
#include "reports/spec_result.h"

namespace oddsbound::reports {

/// The word of a verdict. A claim over a set that contains the true prior only with some confidence "holds with
/// confidence". Throws SpecError for another word, including the word for the other value of `certain`.
void describe_verdict(FieldWriter& fields, Verdict verdict, bool certain);
void describe_verdict(FieldReader& fields, Verdict& verdict, bool certain);

/// A claim of this file. symbols: what is claimed may be functions of symbols.
void describe_claim(FieldWriter& fields, const ClaimResult& claim, const std::string& file, bool symbols);
void describe_claim(FieldReader& fields, ClaimResult& claim, const std::string& file, bool symbols);

void describe_effects(FieldWriter& fields, Effects& effects, const std::vector<std::string>& coordinates);
void describe_effects(FieldReader& fields, Effects& effects, const std::vector<std::string>& coordinates);

void describe(FieldWriter& fields, Average& average);
void describe(FieldReader& fields, Average& average);

void describe(FieldWriter& fields, SpecResult& spec);
void describe(FieldReader& fields, SpecResult& spec);

/// The two errors of a test, as a pair.
template <>
struct Codec<ErrorPair> {
  static nlohmann::ordered_json write(const ErrorPair& errors);
  static ErrorPair read(JsonView json, ReadingContext& context);
};

template <typename Fields>
void describe(Fields& fields, Tradeoff& tradeoff) {
  fields.object("a trade-off curve");
  fields.field("from", tradeoff.from);
  fields.field("to", tradeoff.to);
  fields.field("vertices", tradeoff.vertices);
}

}  // namespace oddsbound::reports
