// What an audit by exhaustion found as JSON, and back.
#include "results/audit_result_json.h"
#include "results/audit_words.h"
#include "results/fields.h"

namespace oddsbound::results {

namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> kChoiceVerdicts = {"passes", "fails", "not enumerated"};
const std::vector<std::string> kShownByWords = {"enumeration", "branches", "induction", "nothing"};

}  // namespace

template <typename Fields>
void describe(Fields& fields, DerivedEntry& entry) {
  fields.object("an entry");
  bool numbered = entry.input.empty();
  if constexpr (Fields::kReads) numbered = !fields.members().require("input").is_array();
  if (numbered) {
    fields.field("input", entry.input_number);
    fields.field("output", entry.output_number);
  } else {
    fields.field("input", entry.input);
    fields.field("output", entry.output);
  }
  fields.field("stated", entry.stated);
  fields.field("lower", entry.lower);
  fields.field("upper", entry.upper);
}

template <typename Fields>
void describe(Fields& fields, DerivedChoice& choice) {
  fields.object("a choice");
  fields.field("choice", choice.what);
  fields.newer("runs", choice.runs);
  const bool shown = choice.by != ShownBy::kNothing;
  std::size_t verdict = choice.fails ? 1 : shown ? 0 : 2;
  fields.word("verdict", verdict, kChoiceVerdicts);
  choice.fails = verdict == 1;
  if constexpr (Fields::kReads) {
    choice.by = ShownBy::kNothing;
    if (const auto by = fields.members().find("by")) choice.by = static_cast<ShownBy>(result_word(*by, kShownByWords));
    // Versions up to 0.5.0 did not say how.
    if (verdict != 2 && choice.by == ShownBy::kNothing) choice.by = ShownBy::kEnumeration;
  } else if (shown) {
    fields.word("by", choice.by, kShownByWords);
  }
  fields.where(!shown && !choice.reason.empty(), "reason", choice.reason);
  fields.newer("widest", choice.widest);
  fields.where(!choice.differs.empty(), "differs", choice.differs);
}

template <typename Fields>
void describe(Fields& fields, Derivation& derived) {
  fields.newer("entries", derived.entries);
  fields.newer("runs", derived.runs);
  fields.newer("parts", derived.parts);
  std::vector<std::pair<std::string, std::uint64_t>> composed{{"inputs", derived.inputs},
                                                              {"followed", derived.composed}};
  fields.where(derived.parts > 0, "composed", composed);
  for (const auto& [name, count] : composed) (name == "inputs" ? derived.inputs : derived.composed) = count;
  fields.newer("widest", derived.widest);
  fields.newer("choices", derived.choices);
  fields.newer("differs", derived.differs);
  fields.where(!derived.intervals.empty(), "intervals", derived.intervals);
}

void write_exhaustive(FieldWriter& fields, const AuditResult& result) {
  const ExhaustiveAudit& audit = *result.exhaustive();
  fields.derived("verdict", result.verdict());
  fields.where(result.excepted(), "accepted", audit.accepted);
  fields.field("files", result.files);
  fields.derived("words", summary_words(result));
  if (audit.derived) {
    describe(fields, const_cast<Derivation&>(*audit.derived));
  } else {
    fields.field("reason", audit.reason);
  }
}

void read_exhaustive(FieldReader& fields, ExhaustiveAudit& audit) {
  fields.newer("reason", audit.reason);
  fields.newer("accepted", audit.accepted);
  const JsonView verdict = fields.members().require("verdict");
  if (verdict.text() != "undecided") describe(fields, audit.derived.emplace());
}

}  // namespace oddsbound::results
