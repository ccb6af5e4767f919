// The fields of levels and of the witnesses that show them, in both directions. Reading checks that they agree:
// decimals with the exact level, a witness with the level that it shows.
#pragma once

#include "reports/fields.h"

namespace oddsbound::reports {

/// A level with its decimals as members of an object: exp, epsilon, lower, upper. Throws SpecError if they contradict
/// one another.
void describe_level(FieldWriter& fields, const Level& level);
void describe_level(FieldReader& fields, Level& level);
/// The same as a separate object.
struct LevelAlone {
  static nlohmann::ordered_json write(const Level& level);
  static Level read(JsonView json, ReadingContext& context);
};
/// The known part of a level: the level, or at_least, at_most, their decimals lower and upper, the relative gap, and
/// the reason. Throws SpecError as above.
void describe_known(FieldWriter& fields, const MeasuredLevel& measured);
void describe_known(FieldReader& fields, MeasuredLevel& measured);
/// Throws SpecError unless the witness attains the level. A level that is known only from above may have no witness.
void require_shown(const ResultObject& object, const MeasuredLevel& measured);

template <typename Fields>
void describe(Fields& fields, MemberPrior& prior) {
  fields.object("a prior");
  fields.field("rows", prior.rows);
  fields.field("attains", prior.attains);
  fields.where(!prior.line.empty(), "line", prior.line);
}

/// event: the witness has several outputs or none. A divergence has `order` in place of outputs and probabilities.
template <typename Fields>
void describe_witness(Fields& fields, Witness& witness, bool event) {
  fields.object("a witness");
  fields.where(!witness.coordinate.empty(), "coordinate", witness.coordinate);
  if constexpr (Fields::kReads) {
    fields.where(true, "order", witness.order);
    if (!witness.order) {
      const bool several = fields.members().find("outputs").has_value();
      several ? fields.field("outputs", witness.outputs) : fields.field("output", witness.outputs.emplace_back());
    } else if (*witness.order < Number(1)) {
      fields.members().require("order").fail("found less than 1, expected the order of a divergence");
    }
  } else if (!witness.order) {
    event ? fields.field("outputs", witness.outputs) : fields.field("output", witness.outputs.at(0));
  }
  fields.field("from", witness.from);
  fields.field("to", witness.to);
  fields.where(!witness.given.empty(), "given", witness.given);
  if (!witness.order) {
    fields.field("p_from", witness.p_from);
    fields.field("p_to", witness.p_to);
  } else if constexpr (!Fields::kReads) {
    fields.field("order", *witness.order);
  }
  fields.where(witness.prior != nullptr, "prior", witness.prior);
  if constexpr (Fields::kReads) require_sides(fields.members(), witness);
}

template <typename Fields>
void describe(Fields& fields, Witness& witness) {
  describe_witness(fields, witness, witness.outputs.size() != 1);
}

template <typename Fields>
void describe(Fields& fields, MeasuredLevel& measured) {
  fields.object("a level");
  describe_known(fields, measured);
  std::optional<Witness> witness;
  if (measured.shows_something()) witness = measured.witness.get();
  fields.field("witness", witness);
  if constexpr (Fields::kReads) {
    if (witness) measured.witness = *std::move(witness);
    require_shown(fields.members(), measured);
  }
}

}  // namespace oddsbound::reports
